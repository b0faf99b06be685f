//! Whatever was acknowledged before the process was killed is there afterwards.
//!
//! A child writes from several callers at once (adds, edits, deletes of each kind, turns) and tells on its standard
//! output what it is about to delete and what was acknowledged. The parent kills it with SIGKILL at a random moment,
//! also while it is still opening, opens the folder itself, and compares. The same folder is used for some rounds,
//! so that a store is also recovered that was recovered before.
//!
//! A killed process loses nothing that it handed to the operating system, so this shows the order of writing and
//! acknowledging, and recovery. That the disk was told as well is shown by the counted syncs in `durability`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Expect, Memory, MemoryId, RecordRef, Status, TurnId};
use store::{Tenants, TenantsOptions};
use testkit::{ManualClock, Random, build, folder};

use testkit::{child, integrity, subject};

/// How many rounds; `cargo xtask crash --rounds N` sets it.
const ROUNDS_VARIABLE: &str = "RECOLLECT_CRASH_ROUNDS";
/// Repeats the moments of an earlier run.
const SEED_VARIABLE: &str = "RECOLLECT_CRASH_SEED";

const ROUNDS: u64 = 20;
/// Rounds on one folder, before a fresh one.
const ROUNDS_PER_FOLDER: u64 = 5;
const CALLERS: u16 = 8;
/// The latest moment at which a child is killed, after its start. Opening takes a few of these milliseconds.
const LATEST_KILL_MS: usize = 250;

#[test]
fn nothing_acknowledged_is_lost() {
    if let Some(message) = child::role() {
        let (round, folder) = message.split_once(' ').expect("the parent gives round and folder");
        return write_until_killed(Path::new(folder), round.parse().expect("a round's number"));
    }
    let rounds = number(ROUNDS_VARIABLE).unwrap_or(ROUNDS);
    let seed = number(SEED_VARIABLE).unwrap_or_else(|| u64::from(std::process::id()));
    println!("crash: {rounds} rounds with {SEED_VARIABLE}={seed}");
    let mut random = Random::seeded(seed);
    let (mut folder, mut told) = (folder::scratch(), ChildClaims::default());
    let mut acknowledged = 0;
    for round in 0..rounds {
        if round % ROUNDS_PER_FOLDER == 0 {
            (folder, told) = (folder::scratch(), ChildClaims::default());
        }
        // Counted per folder: ids are made from it, and must differ only there.
        let round_here = (round % ROUNDS_PER_FOLDER) as u16;
        let delay = Duration::from_millis(random.below(LATEST_KILL_MS) as u64);
        let before = told.acknowledged;
        run_and_kill(folder.path(), round_here, delay, &mut told);
        println!("crash: round {round}, killed after {delay:?}, {} acknowledged", told.acknowledged - before);
        acknowledged += told.acknowledged - before;
        check(folder.path(), round_here, &told);
    }
    println!("crash: {acknowledged} acknowledged writes, none lost");
    assert!(acknowledged > 0, "no child lived long enough to write");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a whole number"))
}

// ---- the child

/// Writes as fast as it can until somebody ends the process.
fn write_until_killed(folder: &Path, round: u16) {
    // The test program leaves a line open.
    println!();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let tenants = Tenants::open_folder(folder, TenantsOptions::default()).expect("the folder opens");
        let tenant = subject::open_tenant(&tenants, "local").await;
        let mut callers = Vec::new();
        for caller in 0..CALLERS {
            // No two callers of any round make the same id.
            let clock = Arc::new(ManualClock::seeded(round * CALLERS + caller));
            callers.push(tokio::spawn(write_for_ever(tenant.clone(), clock, caller)));
        }
        for caller in callers {
            caller.await.expect("callers never end");
        }
    });
}

async fn write_for_ever(tenant: store::Tenant, clock: Arc<ManualClock>, caller: u16) {
    for number in 0_u64.. {
        let memory = build::memory(&clock, &format!("memory {number} of caller {caller}"));
        write(&tenant, &clock, |batch| batch.insert(memory.clone())).await;
        tell(&format!("added {}", memory.id));
        let turn =
            build::turn(&clock, &format!("session {caller}"), &format!("turn {number} of caller {caller}"));
        let append = Change::AppendTurns { turns: vec![turn.clone()], pending: number % 2 == 0 };
        write(&tenant, &clock, |batch| batch.with(append)).await;
        tell(&format!("said {}", turn.id));
        if number % 3 == 0 {
            let mut edited = memory.clone();
            edited.content = format!("edited {number} of caller {caller}");
            write(&tenant, &clock, |batch| batch.replace(edited)).await;
            tell(&format!("edited {}", memory.id));
        } else {
            tell(&format!("deleting {}", memory.id));
            write(&tenant, &clock, |batch| batch.with(deletion(&memory, number))).await;
            tell(&format!("deleted {}", memory.id));
        }
    }
}

/// One of the three ways to delete.
fn deletion(memory: &Memory, number: u64) -> Change {
    let of = RecordRef::memory(&memory.id);
    match number % 4 {
        0 | 1 => {
            let deleted = Memory { status: Status::Deleted, ..memory.clone() };
            Change::Put { record: deleted.into(), expect: Expect::Version(1) }
        }
        2 => Change::Remove { of, expect: Expect::Version(1) },
        _ => Change::Purge { of },
    }
}

async fn write(tenant: &store::Tenant, clock: &ManualClock, fill: impl FnOnce(Batch) -> Batch) {
    let batch = fill(Batch::new(Actor::Person, clock.tick()));
    tenant.apply(batch).await.expect("the batch is in order");
}

/// One line, out of our hands before the next write begins.
fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the parent listens");
}

// ---- the parent

/// What children have said of one folder.
#[derive(Default)]
struct ChildClaims {
    added: BTreeSet<MemoryId>,
    edited: BTreeSet<MemoryId>,
    /// Said before the deletion; it may or may not have happened.
    deleting: BTreeSet<MemoryId>,
    deleted: BTreeSet<MemoryId>,
    said: BTreeSet<TurnId>,
    acknowledged: u64,
}

impl ChildClaims {
    fn hear(&mut self, line: &str) {
        let Some((word, id)) = line.split_once(' ') else { return };
        let memory = || id.parse().expect("a memory's id");
        let heard = match word {
            "added" => self.added.insert(memory()),
            "edited" => self.edited.insert(memory()),
            "deleted" => self.deleted.insert(memory()),
            "said" => self.said.insert(id.parse().expect("a turn's id")),
            "deleting" => {
                self.deleting.insert(memory());
                false
            }
            // The test program itself also prints a few lines.
            _ => false,
        };
        self.acknowledged += u64::from(heard);
    }
}

fn run_and_kill(folder: &Path, round: u16, delay: Duration, told: &mut ChildClaims) {
    let message = format!("{round} {}", folder.display());
    let start = Instant::now();
    let mut child =
        child::command("crash::nothing_acknowledged_is_lost", &message).spawn().expect("a child starts");
    let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
    let reader = std::thread::spawn(move || {
        let (mut lines, mut line) = (Vec::new(), String::new());
        // A last line without its end was cut off by the kill, and so was never said.
        while output.read_line(&mut line).expect("the child prints text") > 0 && line.ends_with('\n') {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        lines
    });
    std::thread::sleep(delay.saturating_sub(start.elapsed()));
    assert_eq!(child.try_wait().expect("the child can be asked"), None, "the child ended by itself");
    child.kill().expect("the child can be killed");
    child.wait().expect("the child ends");
    for line in reader.join().expect("the reader ends") {
        told.hear(&line);
    }
}

/// Opens the folder as the next process would, and compares what is there with what was said.
fn check(folder: &Path, round: u16, told: &ChildClaims) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let tenants =
            Tenants::open_folder(folder, TenantsOptions::default()).expect("the folder opens after a kill");
        let tenant = subject::open_tenant(&tenants, "local").await;
        check_memories(&tenant, told).await;
        let said: Vec<TurnId> = told.said.iter().cloned().collect();
        for ids in said.chunks(1_000) {
            assert_eq!(
                tenant.turns(ids).await.expect("readable").len(),
                ids.len(),
                "an acknowledged turn is lost"
            );
        }
        let clock = ManualClock::seeded(u16::MAX - round);
        write(&tenant, &clock, |batch| batch.insert(build::memory(&clock, "written after the kill"))).await;
        drop(tenant);
        tenants.close().await;
    });
    integrity::check(&folder.join("tenants/local.sqlite3"));
}

async fn check_memories(tenant: &store::Tenant, told: &ChildClaims) {
    let ids: Vec<MemoryId> = told.added.iter().cloned().collect();
    let mut there: BTreeMap<MemoryId, Memory> = BTreeMap::new();
    for ids in ids.chunks(1_000) {
        let memories = tenant.memories(ids).await.expect("readable");
        there.extend(memories.into_iter().map(|memory| (memory.id.clone(), memory)));
    }
    for id in &told.added {
        let alive = there.get(id).is_some_and(|memory| memory.status == Status::Active);
        if told.deleted.contains(id) {
            assert!(!alive, "{id} was deleted, and is back");
        } else if !told.deleting.contains(id) {
            assert!(alive, "{id} was acknowledged, and is lost");
        }
        if told.edited.contains(id) {
            assert_eq!(there[id].version, 2, "the edit of {id} was acknowledged, and is lost");
        }
    }
}
