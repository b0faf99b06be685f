//! Killed in the middle: the backups made before can be used, the data folder is the old or the new one, and the next run
//! finishes the work.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testkit::Random;

use super::{back_up, check_integrity, contents, elsewhere, names, pad, shelf, text, tree};
use crate::support::Home;

const ROUNDS: usize = 8;
/// Enough to be killed in the middle of.
const PADDING_MEBIBYTES: usize = 6;

/// How long the command takes when nobody kills it.
fn timed(command: &mut Command) -> Duration {
    let start = Instant::now();
    assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("starts").success());
    start.elapsed()
}

fn kill_after(command: &mut Command, delay: Duration) -> bool {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    std::thread::sleep(delay);
    let done = child.try_wait().expect("asked").is_some();
    let _ = child.kill();
    child.wait().expect("gone");
    done
}

fn seeded() -> Random {
    let seed = u64::from(std::process::id());
    println!("the moments come from seed {seed}");
    Random::seeded(seed)
}

#[test]
fn a_killed_backup_leaves_those_before_it() {
    let home = Home::new();
    home.add("mine");
    pad(&home, "local", PADDING_MEBIBYTES);
    back_up(&home);
    home.add("more");
    let whole = timed(home.command().args(["backup", text(&home.path().join("timing"))]));
    let (mut random, mut killed) = (seeded(), 0);
    for _ in 0..ROUNDS {
        // Something new each time, or there would be nothing to copy.
        pad(&home, "local", 1);
        let delay = whole.mul_f64(random.share());
        let complete = names(&shelf(&home)).len();
        killed += usize::from(!kill_after(home.command().args(["backup", text(&shelf(&home))]), delay));
        let verified = home.json(&["backup", text(&shelf(&home)), "--verify"]);
        assert_eq!(verified["damaged"], 0, "killed after {delay:?}");
        assert!(names(&shelf(&home)).len() >= complete - 1, "one is gone");
        assert!(contents(&elsewhere(&home), "local").contains(&"mine".to_owned()));
    }
    assert!(killed > 0, "none was killed in time; nothing is shown by this");
    back_up(&home);
    assert!(!names(&shelf(&home)).iter().any(|name| name.starts_with(".partial")), "tidied up by the next");
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine", "more"]);
}

#[test]
fn a_killed_restore_leaves_the_old_or_the_new() {
    let home = Home::new();
    home.add("in the backup");
    pad(&home, "local", PADDING_MEBIBYTES);
    back_up(&home);
    home.add("written since");
    let (old, new) = (["in the backup", "written since"], ["in the backup"]);
    let spare = home.path().join("spare");
    copy(&home.data(), &spare);
    let backups = shelf(&home);
    let arguments = ["restore", text(&backups), "--yes"];
    let whole = timed(home.command().args(arguments));
    let (mut random, mut killed) = (seeded(), 0);
    for round in 0..ROUNDS {
        clear(&home);
        copy(&spare, &home.data());
        // Half of them near the end, where the folders change places.
        let share = if round % 2 == 0 { random.share() } else { 0.7 + 0.3 * random.share() };
        let delay = whole.mul_f64(share);
        killed += usize::from(!kill_after(home.command().args(arguments), delay));
        let found = contents(&home, "local");
        assert!(found == old || found == new, "killed after {delay:?}: {found:?}");
        check_integrity(&home.data().join("tenants/local.sqlite3"));
        home.json(&arguments);
        assert_eq!(contents(&home, "local"), new);
        let beside = names(&beside(&home));
        assert!(!beside.iter().any(|name| name.contains(".restoring-")), "{beside:?}");
        let kept = beside.iter().filter(|name| name.contains(".before-restore-"));
        let has_old = |name: &&String| {
            let data = self::beside(&home).join(name);
            let listed = home.json(&["list", "--data", text(&data)]);
            listed["total"] == 2
        };
        assert!({ kept }.any(|name| has_old(&name)), "killed after {delay:?}: what was there before is gone");
    }
    assert!(killed > 0, "none was killed in time; nothing is shown by this");
}

fn beside(home: &Home) -> PathBuf {
    home.data().parent().expect("a folder").to_owned()
}

/// Removes the data folder and all that restores left beside it.
fn clear(home: &Home) {
    for name in names(&beside(home)) {
        std::fs::remove_dir_all(beside(home).join(name)).expect("removed");
    }
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in tree(from) {
        let to = to.join(path.strip_prefix(from).expect("inside"));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        std::fs::write(to, bytes).expect("written");
    }
}
