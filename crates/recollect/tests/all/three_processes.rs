//! Three kinds of processes on one data folder: a server, the command line, and a second opener (this test).
//!
//! They add, change and forget at random, and each time another one searches at once: it must see what was just done.
//! Three workers do so at the same time, each with its own words, so that the writers really get into each other's way.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;

use memory::ports::Embedder;
use memory::types::{MemoryId, TenantId};
use recollect::ops::add::Add;
use recollect::ops::forget::Forget;
use recollect::ops::search::Search;
use recollect::ops::update::Update;
use recollect::ops::{self, Operation, OperationRequest, Outcome, Services};
use store::{Credential, Tenants, TenantsOptions};
use testkit::Random;

use super::support::Home;

const OPERATIONS: usize = 10_000;
const WORKERS: usize = 3;
/// Every so many rounds a real command is spawned instead of asking the long-lived one.
const SPAWN_EVERY: usize = 25;

#[test]
fn what_one_process_does_the_others_see_at_once() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_115);
    println!("SEED={seed}");
    let home = Home::new();
    let server = home.serve();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
    let options = TenantsOptions { embedder: Some(embedder.clone()), ..TenantsOptions::default() };
    let tenants = Tenants::open_folder(&home.data(), options).expect("opened beside the server");
    let house = Services::new(tenants, Some(embedder));
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (home, house, handle) = (&home, house.clone(), runtime.handle().clone());
            scope.spawn(move || {
                let parties = [
                    Party::Process(Box::new(ExecProcess::start(home, &["exec", "-"]))),
                    Party::Process(Box::new(ExecProcess::start(home, &["exec", "-", "--no-attach"]))),
                    Party::Here { house, handle },
                ];
                let random = Random::seeded(seed + worker as u64);
                ProcessWorker { home, parties, random, worker, serial: 0, live: Vec::new() }
                    .work(OPERATIONS.div_ceil(2 * WORKERS));
            });
        }
    });
    runtime.block_on(house.tenants.close());
    drop(server);
}

/// Somebody who can be asked.
enum Party {
    Process(Box<ExecProcess>),
    Here { house: Services, handle: tokio::runtime::Handle },
}

impl Party {
    fn ask<R: OperationRequest>(&mut self, request: R) -> R::Answer {
        let operation: Operation = request.into();
        let outcome = match self {
            Party::Process(process) => process.execute(&operation),
            Party::Here { house, handle } => handle.block_on(async {
                let caller =
                    house.admit(Credential::Operator { tenant: TenantId::local() }).await.expect("let in");
                ops::execute(house, &caller, operation.clone()).await.expect("done")
            }),
        };
        R::answer(outcome).expect("the answer to the question")
    }
}

/// A long-lived `recollect exec`, which does one operation a line.
struct ExecProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl ExecProcess {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command();
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, stdin, stdout }
    }

    fn execute(&mut self, operation: &Operation) -> Outcome {
        let line = serde_json::to_string(operation).expect("plain data");
        writeln!(self.stdin, "{line}").expect("the child reads");
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("the child answers");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{line} gave {answer}: {error}"))
    }
}

impl Drop for ExecProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One of those who work at the same time, with the memories it made.
struct ProcessWorker<'h> {
    home: &'h Home,
    parties: [Party; 3],
    random: Random,
    worker: usize,
    serial: usize,
    /// Id and the word by which it is found.
    live: Vec<(MemoryId, String)>,
}

impl ProcessWorker<'_> {
    /// Each round is a change and a search.
    fn work(&mut self, rounds: usize) {
        for round in 0..rounds {
            let by_command = round % SPAWN_EVERY == 0;
            let writer = self.random.below(3);
            let reader = (writer + 1 + self.random.below(2)) % 3;
            match self.random.below(10) {
                0..5 => self.add_and_find(writer, reader, by_command),
                5..7 if !self.live.is_empty() => self.change_and_find(writer, reader),
                _ if !self.live.is_empty() => self.forget_and_miss(writer, reader, by_command),
                _ => self.add_and_find(writer, reader, by_command),
            }
        }
    }

    fn word(&mut self) -> String {
        self.serial += 1;
        // Of one length, so that none is a part of another: the last tier of search finds parts of words too.
        format!("w{}x{:06}", self.worker, self.serial)
    }

    fn add_and_find(&mut self, writer: usize, reader: usize, by_command: bool) {
        let word = self.word();
        let content = format!("somebody said {word} yesterday");
        let id = if by_command {
            self.home.add(&content).parse().expect("an id")
        } else {
            self.parties[writer].ask(Add { content, ..Add::default() }).id
        };
        self.expect(reader, by_command, &word, Some(&id));
        self.live.push((id, word));
    }

    fn change_and_find(&mut self, writer: usize, reader: usize) {
        let chosen = self.random.below(self.live.len());
        let word = self.word();
        let (id, known) = &mut self.live[chosen];
        let (id, old) = (id.clone(), std::mem::replace(known, word.clone()));
        let content = Some(format!("somebody now says {word}"));
        self.parties[writer].ask(Box::new(Update { content, ..Update::of(id.clone()) }));
        self.expect(reader, false, &word, Some(&id));
        self.expect(reader, false, &old, None);
    }

    fn forget_and_miss(&mut self, writer: usize, reader: usize, by_command: bool) {
        let chosen = self.random.below(self.live.len());
        let (id, word) = self.live.swap_remove(chosen);
        if by_command {
            let ran = self.home.run(["forget", id.as_str(), "--yes"]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
        } else {
            let purge = self.random.below(8) == 0;
            let forgotten = self.parties[writer].ask(Forget {
                ids: vec![id],
                confirmed: true,
                purge,
                ..Forget::default()
            });
            assert_eq!(forgotten.count, 1);
        }
        self.expect(reader, by_command, &word, None);
    }

    /// What another process finds, right now: the expected one first, or nothing that says the word any more. Memories that
    /// are close to it in meaning may come along.
    fn expect(&mut self, reader: usize, by_command: bool, word: &str, expected: Option<&MemoryId>) {
        let found: Vec<(String, String)> = if by_command {
            let found = self.home.json(&["search", word, "--no-attach"]);
            let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
            let results = found["results"].as_array().expect("a list").iter();
            results.map(|hit| (text(&hit["id"]), text(&hit["content"]))).collect()
        } else {
            let found = self.parties[reader].ask(Search { query: word.to_owned(), ..Search::default() });
            found.results.into_iter().map(|hit| (hit.id, hit.content)).collect()
        };
        let stale = format!("a stale answer for {word} (worker {}, party {reader}): {found:?}", self.worker);
        match expected {
            Some(id) => {
                assert_eq!(found.first().map(|(found, _)| found.as_str()), Some(id.as_str()), "{stale}")
            }
            None => assert!(found.iter().all(|(_, content)| !content.contains(word)), "{stale}"),
        }
    }
}
