//! Where lines come from: an editor on a terminal, plain lines from a pipe.
//!
//! Reading blocks, and may be given up on, so a thread of its own does it: it reads a line when it is asked for one, and is
//! left behind when the program ends. What is typed is kept for the next time in a file that its owner alone may read, but
//! for lines that hold something that looks like a secret.

use std::fs::OpenOptions;
use std::io::{BufRead, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use memory::text::secrets::Masker;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::limits;
use crate::problem::Problem;

const PROMPT: &str = "> ";
/// Asks for the rest of a line that ended in a backslash.
const MORE: &str = "… ";

/// What came.
pub enum TerminalInput {
    /// One message, possibly of several lines.
    Line(String),
    /// Ctrl-C while typing: the line is given up, and nothing else.
    Interrupted,
    End,
    Failed(Problem),
}

pub struct TerminalReader {
    asked: Sender<()>,
    heard: Receiver<TerminalInput>,
    /// A line was asked for and has not come yet.
    is_awaited: bool,
}

impl TerminalReader {
    pub fn open(on_terminal: bool, history: Option<PathBuf>) -> TerminalReader {
        let (asked, questions) = channel(1);
        let (answers, heard) = channel(1);
        std::thread::spawn(move || {
            if on_terminal {
                typed(questions, answers, history.as_deref())
            } else {
                piped(questions, answers)
            }
        });
        TerminalReader { asked, heard, is_awaited: false }
    }

    /// The next line. May be given up on; what comes then is the answer to the next question.
    pub async fn line(&mut self) -> TerminalInput {
        if !self.is_awaited {
            self.is_awaited = true;
            // An error means that the thread is gone, which the next line says.
            let _ = self.asked.send(()).await;
        }
        let heard = self.heard.recv().await.unwrap_or(TerminalInput::End);
        self.is_awaited = false;
        heard
    }
}

fn piped(mut questions: Receiver<()>, answers: Sender<TerminalInput>) {
    let mut stdin = std::io::stdin().lock();
    while questions.blocking_recv().is_some() {
        if answers.blocking_send(one_piped(&mut stdin)).is_err() {
            return;
        }
    }
}

fn one_piped(stdin: &mut impl BufRead) -> TerminalInput {
    let mut line = String::new();
    // One byte more than is allowed, so that too much is refused and not cut.
    let read = stdin.take(limits::CHAT_LINE_BYTES as u64 + 1).read_line(&mut line);
    match read {
        Ok(0) => TerminalInput::End,
        Ok(_) if line.len() > limits::CHAT_LINE_BYTES => TerminalInput::Failed(too_long()),
        Ok(_) => TerminalInput::Line(line),
        Err(error) => {
            TerminalInput::Failed(Problem::invalid(format!("stdin cannot be read as UTF-8 text: {error}")))
        }
    }
}

fn too_long() -> Problem {
    Problem::invalid(format!("a line is longer than {} bytes", limits::CHAT_LINE_BYTES))
}

fn typed(mut questions: Receiver<()>, answers: Sender<TerminalInput>, history: Option<&Path>) {
    let mut keyboard = match Keyboard::new(history) {
        Ok(keyboard) => keyboard,
        Err(error) => {
            let _ = answers.blocking_send(TerminalInput::Failed(Problem::ours(error)));
            return;
        }
    };
    while questions.blocking_recv().is_some() {
        if answers.blocking_send(keyboard.message()).is_err() {
            return;
        }
    }
}

struct Keyboard {
    editor: Editor<(), FileHistory>,
    history: Option<PathBuf>,
    masker: Option<Masker>,
}

impl Keyboard {
    fn new(history: Option<&Path>) -> Result<Keyboard, ReadlineError> {
        let config = Config::builder()
            .max_history_size(limits::CHAT_HISTORY_LINES)?
            .history_ignore_space(true)
            .bracketed_paste(true)
            .auto_add_history(false)
            .build();
        let lines = FileHistory::with_config(&config);
        let mut editor = Editor::with_history(config, lines)?;
        // Without a place to keep it there is only this time's.
        let history = history.filter(|path| make_private(path).is_ok()).map(Path::to_owned);
        if let Some(path) = &history {
            let _ = editor.load_history(path);
        }
        Ok(Keyboard { editor, history, masker: Masker::new("").ok() })
    }

    /// One message: a line, what was pasted as a whole, or lines that end in a backslash and the one after them.
    fn message(&mut self) -> TerminalInput {
        let mut message = String::new();
        let mut prompt = PROMPT;
        loop {
            match self.editor.readline(prompt) {
                Ok(line) if message.len() + line.len() > limits::CHAT_LINE_BYTES => {
                    return TerminalInput::Failed(too_long());
                }
                Ok(line) => match line.strip_suffix('\\') {
                    Some(line) => {
                        message.push_str(line);
                        message.push('\n');
                        prompt = MORE;
                    }
                    None => {
                        message.push_str(&line);
                        self.keep(&message);
                        return TerminalInput::Line(message);
                    }
                },
                Err(ReadlineError::Eof) => return TerminalInput::End,
                Err(ReadlineError::Interrupted) => return TerminalInput::Interrupted,
                Err(ReadlineError::Signal(_)) => {}
                Err(error) => return TerminalInput::Failed(Problem::ours(error)),
            }
        }
    }

    fn keep(&mut self, message: &str) {
        let is_secret = self.masker.as_ref().is_none_or(|masker| masker.mask(message).text != message);
        if message.trim().is_empty() || is_secret {
            return;
        }
        let _ = self.editor.add_history_entry(message);
        if let Some(path) = &self.history {
            // What cannot be kept is not missed before the next time.
            let _ = self.editor.append_history(path);
        }
    }
}

/// Makes the file for its owner alone, before anything is written into it.
fn make_private(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_gives_a_message_a_line() {
        let mut lines = std::io::Cursor::new("one\n\ntwo");
        let mut next = || match one_piped(&mut lines) {
            TerminalInput::Line(line) => Some(line),
            _ => None,
        };
        assert_eq!(
            [next(), next(), next(), next()],
            [Some("one\n".into()), Some("\n".into()), Some("two".into()), None]
        );
        let mut endless = std::io::BufReader::new(std::io::repeat(b'a'));
        assert!(matches!(one_piped(&mut endless), TerminalInput::Failed(_)));
    }
}
