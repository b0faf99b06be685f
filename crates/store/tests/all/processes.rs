//! Three processes on one folder: what one of them writes or deletes, the next search in any other knows.
//!
//! The children are told over their standard input what to do and answer when it is done; the parent keeps the book
//! of what should be found and asks a process chosen at random, at once, never the one that wrote.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use memory::ports::{ReadStore, WriteStore};
use memory::text::query;
use memory::types::{Actor, Batch, Change, Corpus, Expect, Filter, MemoryId, RecordRef, Status};
use testkit::{ManualClock, Random, build, folder};

use testkit::{child, integrity, subject};

/// How many operations; more by hand.
const OPERATIONS_VARIABLE: &str = "RECOLLECT_PROCESS_OPERATIONS";
const OPERATIONS: usize = 1_500;
const PROCESSES: usize = 3;

/// Few, so that a search finds several memories and misses several deleted ones.
const WORDS: [&str; 8] = ["apple", "pear", "plum", "cherry", "grape", "melon", "fig", "lemon"];

#[test]
fn no_process_gives_a_stale_answer() {
    if let Some(message) = child::role() {
        let (number, folder) = message.split_once(' ').expect("the parent gives number and folder");
        return obey(Path::new(folder), number.parse().expect("a process's number"));
    }
    let operations =
        std::env::var(OPERATIONS_VARIABLE).map_or(OPERATIONS, |text| text.parse().expect("a number"));
    let seed = u64::from(std::process::id());
    let folder = folder::scratch();
    let mut processes: Vec<StoreProcess> =
        (0..PROCESSES).map(|number| StoreProcess::start(number, folder.path())).collect();
    let mut random = Random::seeded(seed);
    let mut alive: Vec<(String, &str)> = Vec::new();
    let start = Instant::now();
    for operation in 0..operations {
        let writer = random.below(PROCESSES);
        let reader = (writer + 1 + random.below(PROCESSES - 1)) % PROCESSES;
        let deletes = !alive.is_empty() && random.below(5) < 2;
        let word = if deletes {
            let (id, word) = alive.swap_remove(random.below(alive.len()));
            let way = *random.choose(&["delete", "remove", "purge"]);
            processes[writer].ask(&format!("{way} {id}"));
            word
        } else {
            let word = *random.choose(&WORDS);
            alive.push((processes[writer].ask(&format!("add {word}")), word));
            word
        };
        let answer = processes[reader].ask(&format!("find {word}"));
        let found: BTreeSet<&str> = answer.split_ascii_whitespace().collect();
        let expected: BTreeSet<&str> =
            alive.iter().filter(|known| known.1 == word).map(|known| known.0.as_str()).collect();
        assert_eq!(found, expected, "operation {operation} of seed {seed}: process {reader} after {writer}");
    }
    drop(processes);
    println!(
        "{PROCESSES} processes, {operations} operations in {:.1} s, none stale",
        start.elapsed().as_secs_f64()
    );
    integrity::check(&folder.path().join("tenants/local.sqlite3"));
}

// ---- the parent's side

struct StoreProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl StoreProcess {
    fn start(number: usize, folder: &Path) -> Self {
        let message = format!("{number} {}", folder.display());
        let mut command = child::command("processes::no_process_gives_a_stale_answer", &message);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("a child starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("the output is piped"));
        Self { child, input, output }
    }

    /// Gives an order and waits for its answer.
    fn ask(&mut self, order: &str) -> String {
        writeln!(self.input.as_mut().expect("still open"), "{order}").expect("the child listens");
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("the child answers in text") > 0 {
            if let Some(answer) = line.trim_end().strip_prefix("answer:") {
                return answer.to_owned();
            }
            line.clear();
        }
        panic!("the child ended at `{order}`");
    }
}

impl Drop for StoreProcess {
    fn drop(&mut self) {
        // A child ends when it has nothing more to read.
        drop(self.input.take());
        let ended = self.child.wait();
        assert!(std::thread::panicking() || ended.is_ok_and(|status| status.success()), "a child failed");
    }
}

// ---- the child's side

/// Does what it is told until there is nothing more to read.
fn obey(folder: &Path, number: u16) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let tenants = subject::open_folder(folder);
        let tenant = subject::open_tenant(&tenants, "local").await;
        let clock = ManualClock::seeded(number);
        for line in std::io::stdin().lines() {
            let line = line.expect("the parent speaks in text");
            let (order, rest) = line.split_once(' ').expect("an order and what it is about");
            let answer = carry_out(&tenant, &clock, order, rest).await;
            // The test program may have left a line open.
            println!("\nanswer:{answer}");
        }
        drop(tenant);
        tenants.close().await;
    });
}

async fn carry_out(tenant: &store::Tenant, clock: &ManualClock, order: &str, rest: &str) -> String {
    let batch = Batch::new(Actor::Person, clock.tick());
    match order {
        "add" => {
            let memory = build::memory(clock, &format!("a {rest} was bought"));
            tenant.apply(batch.insert(memory.clone())).await.expect("in order");
            memory.id.to_string()
        }
        "find" => {
            let query = query::parse(rest, tenant.analyser());
            let filter = Filter::current(clock.tick().plus_seconds(86_400));
            let nominees =
                tenant.nominate(Corpus::Memories, &query, &filter, 10_000).await.expect("searchable");
            nominees.iter().map(|nominee| format!("{} ", nominee.id)).collect()
        }
        way => {
            let id: MemoryId = rest.parse().expect("a memory's id");
            let of = RecordRef::memory(&id);
            let change = match way {
                "remove" => Change::Remove { of, expect: Expect::Version(1) },
                "purge" => Change::Purge { of },
                _ => {
                    let mut memory = tenant.memories(&[id]).await.expect("readable").remove(0);
                    memory.status = Status::Deleted;
                    Change::Put { record: memory.into(), expect: Expect::Version(1) }
                }
            };
            tenant.apply(batch.with(change)).await.expect("in order");
            String::new()
        }
    }
}
