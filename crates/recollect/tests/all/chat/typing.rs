//! Somebody types: a pseudo-terminal, line editing, history.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::super::support::{Home, PATIENCE};
use super::command;

/// How the editor shows that it waits for a line.
const PROMPT: &str = "\u{1b}[K> ";

/// A chat on a terminal of its own.
struct Terminal {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    screen: String,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

impl Terminal {
    fn chat(home: &Home, arguments: &[&str]) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&ours).expect("ours");
        unlockpt(&ours).expect("open");
        let name = ptsname(&ours, Vec::new()).expect("it has a name").into_string().expect("a path");
        let theirs = || File::options().read(true).write(true).open(&name).expect("the other end opens");
        let mut command = command(home, None);
        command.arg("chat").args(arguments).env("TERM", "xterm");
        command.stdin(theirs()).stdout(theirs()).stderr(theirs());
        let child = command.spawn().expect("the binary starts");
        let keys = File::from(ours);
        let mut reading = keys.try_clone().expect("cloned");
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // An error is how a terminal says that its last user is gone.
            while let Ok(length @ 1..) = reading.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut terminal = Terminal { child, keys, shown, screen: String::new() };
        terminal.wait_for(PROMPT);
        terminal
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits for words that were not waited for before.
    fn wait_for(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.screen.find(words) {
                self.screen.drain(..at + words.len());
                return;
            }
            match self.shown.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.screen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("the terminal never showed {words:?}, but {:?}", self.screen),
            }
        }
    }

    fn leave(mut self) -> Option<i32> {
        self.press("\u{4}");
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the chat does not end: {:?}", self.screen);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn lines_are_edited_kept_and_come_back() {
    let home = Home::new();
    let mut terminal = Terminal::chat(&home, &[]);
    terminal.press("I live in Lisbin\u{7f}\u{7f}on.\r");
    terminal.wait_for("I remember nothing about that.");
    terminal.wait_for(PROMPT);
    terminal.press("half a thought\u{3}");
    terminal.wait_for("Ctrl-D or /quit leaves");
    terminal.wait_for(PROMPT);
    // A key that is pasted by mistake is not written down.
    terminal.press("my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF\r");
    terminal.wait_for("I remember nothing about that.");
    terminal.wait_for(PROMPT);
    assert_eq!(terminal.leave(), Some(0));
    let file = home.data().join("chat_history");
    let kept = std::fs::read_to_string(&file).expect("kept");
    assert!(kept.contains("I live in Lisbon."), "{kept}");
    assert!(!kept.contains("sk-proj") && !kept.contains("half a thought"), "{kept}");
    let mode = std::fs::metadata(&file).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut terminal = Terminal::chat(&home, &[]);
    terminal.press("\u{1b}[A\r");
    terminal.wait_for("What I remember:");
    terminal.wait_for(PROMPT);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn several_lines_are_one_message() {
    let home = Home::new();
    let mut terminal = Terminal::chat(&home, &["--no-history", "--session", "pasted"]);
    terminal.press("\u{1b}[200~one\ntwo\u{1b}[201~\r");
    terminal.wait_for("I remember nothing about that.");
    terminal.wait_for(PROMPT);
    terminal.press("three \\\r");
    terminal.wait_for("… ");
    terminal.press("four\r");
    terminal.wait_for("I remember nothing about that.");
    terminal.wait_for(PROMPT);
    assert_eq!(terminal.leave(), Some(0));
    let shown = home.json(&["sessions", "show", "pasted"]);
    let texts: Vec<&str> =
        shown["turns"].as_array().expect("turns").iter().filter_map(|turn| turn["text"].as_str()).collect();
    assert!(texts.contains(&"one\ntwo") && texts.contains(&"three \nfour"), "{texts:?}");
    assert!(!home.data().join("chat_history").exists());
}
