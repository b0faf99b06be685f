//! A pass that is killed inside any of its steps leaves the store as it was before a portion or after it, and the next one
//! finishes the work: what stands in the end is what an unbroken pass would have left.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use memory::ports::ReadStore;
use memory::settings::Settings;
use memory::types::{RunState, Step, Time};
use testkit::{Random, folder};

use super::{TendScene, fill};
use testkit::{child, integrity};

/// How many rounds; `cargo xtask tend-crash --rounds N` sets it.
const ROUNDS_VARIABLE: &str = "RECOLLECT_CRASH_ROUNDS";
const SEED_VARIABLE: &str = "RECOLLECT_CRASH_SEED";
/// Once inside every step.
const ROUNDS: u64 = Step::ALL.len() as u64;
const STORE_SEED: u64 = 23;

/// Microseconds after a step's beginning within which it is killed: longer than most steps of the small store take.
const LATEST_KILL_MICROSECONDS: usize = 20_000;

#[test]
fn a_killed_pass_is_finished_by_the_next() {
    if let Some(message) = child::role() {
        let (now, folder) = message.split_once(' ').expect("the parent gives moment and folder");
        return tend_until_killed(Path::new(folder), now.parse().expect("a moment"));
    }
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let rounds = number(ROUNDS_VARIABLE).unwrap_or(ROUNDS);
    let seed = number(SEED_VARIABLE).unwrap_or_else(|| u64::from(std::process::id()));
    println!("tend crash: {rounds} rounds with {SEED_VARIABLE}={seed}");
    let mut random = Random::seeded(seed);
    let prepared = folder::scratch();
    let now = prepare(prepared.path());
    let expected = finish(&copied(prepared.path()), now);
    for round in 0..rounds {
        let step = Step::ALL[round as usize % Step::ALL.len()];
        let folder = copied(prepared.path());
        let delay = Duration::from_micros(random.below(LATEST_KILL_MICROSECONDS) as u64);
        run_and_kill(folder.path(), now, step, delay);
        integrity::check(&folder.path().join("tenants/local.sqlite3"));
        assert_eq!(finish(&folder, now), expected, "round {round}, killed {delay:?} into {step}");
    }
}

/// Such that every step has something to do: what is summed up is neither shortened nor evicted.
fn settings() -> Settings {
    Settings { auto_summarize: true, summarize_after_days: 700, ..Settings::default() }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

/// A store with something for every step; gives the moment at which it is tended.
fn prepare(folder: &Path) -> Time {
    block_on(async {
        let scene = TendScene::at(folder::scratch()).await;
        fill(&scene, STORE_SEED).await;
        scene.tenants.close().await;
        copy(scene.folder.path(), folder);
        scene.clock.tick()
    })
}

fn copied(from: &Path) -> tempfile::TempDir {
    let to = folder::scratch();
    copy(from, to.path());
    to
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            std::fs::create_dir_all(&target).expect("a folder can be made");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).expect("a file can be copied");
        }
    }
}

/// Opens the folder as the next process would, finishes what there is to finish, and tells how the store stands then.
fn finish(folder: &tempfile::TempDir, now: Time) -> String {
    block_on(async {
        let mut scene = TendScene::at(copied(folder.path())).await;
        scene.settings = settings();
        // A pass begins a second later.
        scene.clock.set(now.plus_seconds(-1));
        let done = scene.tenant.runs(10).await.expect("read").iter().any(|run| run.state == RunState::Done);
        if !done {
            scene.tend(None).await;
        }
        let runs = scene.tenant.runs(10).await.expect("read");
        assert_eq!(
            runs.iter().map(|run| run.state).collect::<Vec<_>>(),
            [RunState::Done],
            "one run, and done"
        );
        told(&scene).await
    })
}

/// The dump without what every process makes anew: the ids of what it wrote, and their place in the list.
async fn told(scene: &TendScene) -> String {
    let counts = scene.tenant.runs(1).await.expect("read").remove(0).counts;
    let made = scene.tenant.memories_after(0, 1_000).await.expect("read");
    let made = made.into_iter().filter(|(_, memory)| memory.tags.iter().any(|tag| tag == "summary"));
    let mut text = scene.dump().await;
    for (_, memory) in made {
        text = text.replace(memory.id.as_str(), "the summary");
    }
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    format!("{counts:?}\n{}", lines.join("\n"))
}

// ---- the child

fn tend_until_killed(folder: &Path, now: Time) {
    println!();
    block_on(async {
        let (_tenants, tenant) = super::opened(folder).await;
        let clock = std::sync::Arc::new(testkit::ManualClock::seeded(9));
        clock.set(now);
        let tender = memory::tend::Tender {
            tools: memory::toolkit::Toolkit {
                embedder: Some(std::sync::Arc::new(super::LongWords)),
                ..tenant.tools(settings(), clock)
            },
        };
        let mut run = tender.begin(None).await.expect("begun");
        while run.state == RunState::Running {
            tell(run.cursor.as_deref().unwrap_or("over"));
            run = tender.advance(run).await.expect("advanced");
        }
        tell("over");
        std::thread::sleep(Duration::from_secs(60));
    });
}

fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the parent listens");
}

// ---- the parent

fn run_and_kill(folder: &Path, now: Time, step: Step, delay: Duration) {
    let message = format!("{now} {}", folder.display());
    let name = "tend::crash::a_killed_pass_is_finished_by_the_next";
    let mut child = child::command(name, &message).spawn().expect("a child starts");
    let output = BufReader::new(child.stdout.take().expect("the output is piped"));
    for line in output.lines() {
        let line = line.expect("the child prints text");
        let begun = line.split(' ').next().is_some_and(|word| word == step.as_str() || word == "over");
        if begun {
            std::thread::sleep(delay);
            break;
        }
    }
    child.kill().expect("the child can be killed");
    child.wait().expect("the child ends");
}
