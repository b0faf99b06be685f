//! Random operations on a real store, compared after each with a model in memory that is too simple to be wrong.
//!
//! Two openers of the same folder stand for two processes: each operation goes through one of them and is checked
//! through the other, so nothing may be stale; now and then everything is closed and opened again. When a case fails,
//! it is cut down to the few operations that matter, which are printed with the seed.

mod check;
mod model;

use std::path::Path;
use std::sync::Arc;

use memory::ports::Store;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use testkit::folder;

use self::model::Model;
use testkit::{integrity, subject};

/// How many sequences of operations are tried; more by hand.
const CASES_VARIABLE: &str = "RECOLLECT_PROPERTY_CASES";
/// Repeats an earlier run.
const SEED_VARIABLE: &str = "RECOLLECT_PROPERTY_SEED";
const CASES: u32 = 6;
const OPERATIONS: std::ops::Range<usize> = 150..250;

/// Few words, so that they meet again: stems that fall together, stop words, scripts with and without spaces.
const WORDS: [&str; 16] = [
    "cat",
    "cats",
    "dog",
    "running",
    "runs",
    "the",
    "is",
    "tea",
    "green",
    "Ärger",
    "кофе",
    "咖啡",
    "喜欢咖啡",
    "🎉",
    "7th",
    "foo-bar",
];
#[derive(Debug, Clone)]
enum RandomOperation {
    Add {
        owner: usize,
        text: String,
    },
    Edit {
        which: usize,
        text: String,
    },
    Upsert {
        owner: usize,
        key: usize,
        text: String,
    },
    Delete {
        which: usize,
    },
    Revive {
        which: usize,
    },
    Remove {
        which: usize,
    },
    Purge {
        which: usize,
    },
    /// Turns by the number that their client gave them, if it gave one.
    Append {
        session: usize,
        turns: Vec<(Option<u8>, String)>,
    },
    PurgeTurn {
        which: usize,
    },
    Touch {
        which: usize,
    },
    /// Two good changes and one on an outdated version.
    Refused {
        which: usize,
        text: String,
    },
    Restart,
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..7).prop_map(|words| words.join(" "))
}

fn operation() -> impl Strategy<Value = RandomOperation> {
    let which = 0..1_000_usize;
    let turn = (prop::option::of(0..20_u8), text());
    prop_oneof![
        6 => (0..3_usize, text()).prop_map(|(owner, text)| RandomOperation::Add { owner, text }),
        4 => (which.clone(), text()).prop_map(|(which, text)| RandomOperation::Edit { which, text }),
        4 => (0..3_usize, 0..4_usize, text()).prop_map(|(owner, key, text)| RandomOperation::Upsert { owner, key, text }),
        2 => which.clone().prop_map(|which| RandomOperation::Delete { which }),
        1 => which.clone().prop_map(|which| RandomOperation::Revive { which }),
        2 => which.clone().prop_map(|which| RandomOperation::Remove { which }),
        2 => which.clone().prop_map(|which| RandomOperation::Purge { which }),
        4 => (0..3_usize, prop::collection::vec(turn, 1..4)).prop_map(|(session, turns)| RandomOperation::Append { session, turns }),
        1 => which.clone().prop_map(|which| RandomOperation::PurgeTurn { which }),
        1 => which.clone().prop_map(|which| RandomOperation::Touch { which }),
        1 => (which, text()).prop_map(|(which, text)| RandomOperation::Refused { which, text }),
        1 => Just(RandomOperation::Restart),
    ]
}

#[test]
fn a_store_does_what_a_simple_model_does() {
    let number =
        |variable| std::env::var(variable).ok().map(|text| text.parse::<u64>().expect("a whole number"));
    let cases = number(CASES_VARIABLE).map_or(CASES, |cases| cases as u32);
    let seed = number(SEED_VARIABLE).unwrap_or_else(|| u64::from(std::process::id()));
    println!("properties: {cases} cases with {SEED_VARIABLE}={seed}");
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let seed_bytes = std::array::from_fn::<u8, 32, _>(|place| seed.to_le_bytes()[place % 8]);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed_bytes));
    let operations = prop::collection::vec((operation(), any::<bool>()), OPERATIONS);
    let outcome = runner.run(&operations, |operations| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(run(operations));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("with {SEED_VARIABLE}={seed}: {error}");
    }
}

async fn run(operations: Vec<(RandomOperation, bool)>) {
    let folder = folder::scratch();
    let mut model = Model::default();
    let mut openers = open(folder.path()).await;
    for (step, (operation, through_second)) in operations.iter().enumerate() {
        if matches!(operation, RandomOperation::Restart) {
            drop(openers);
            openers = open(folder.path()).await;
        }
        let (writer, reader) =
            if *through_second { (&openers[1], &openers[0]) } else { (&openers[0], &openers[1]) };
        model.perform(operation, writer.as_ref()).await;
        model.check(reader.as_ref(), step).await;
    }
    model.check_history(openers[0].as_ref()).await;
    drop(openers);
    integrity::check(&folder.path().join("tenants/local.sqlite3"));
}

async fn open(folder: &Path) -> [Arc<dyn Store>; 2] {
    [subject::local(&subject::open_folder(folder)).await, subject::local(&subject::open_folder(folder)).await]
}
