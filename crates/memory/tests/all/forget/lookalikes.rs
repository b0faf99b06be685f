//! A term is purged beside one that differs in its last digit, in every place where a house keeps what was said: nothing of the
//! one is left in any table, index, page or frame of the log, and everything of the other is there.

use memory::types::{Change, Corpus, Filter, UserId};
use testkit::{build, traces};

use super::{purge, saying, scene};
use testkit::integrity;
use testkit::subject::{Subject, sqlite_file, sqlite_memory};

const GOES: &str = "quokkas9172";
const STAYS: &str = "quokkas9173";

/// Many neighbours, in another order than their words, so that pages are split and merged.
async fn crowd(subject: &Subject) {
    let mut batch = subject.batch();
    for number in 0..1_500_u64 {
        let name = 8_000 + number * 7_919 % 1_500;
        let content =
            format!("Herd quokkas{name} grazes on meadow {number} {}", "x".repeat((number % 90) as usize));
        batch = batch.insert(build::memory(&subject.clock, &content));
    }
    subject.apply(batch).await;
    let turn = |number: u64| {
        build::turn(&subject.clock, "crowd", &format!("we saw quokkas{} there", 8_000 + number))
    };
    subject.write(Change::AppendTurns { turns: (0..300).map(turn).collect(), pending: false }).await;
}

/// What is said of the neighbour, but for the pages of full-text indexes, which are built otherwise each time.
fn told(database: &std::path::Path) -> Vec<String> {
    let mut told = traces::of(database, STAYS);
    told.retain(|place| !place.starts_with("bytes") && !place.contains("_fts_"));
    told.sort();
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_term_is_nowhere_and_its_neighbour_is_everywhere() {
    let subject = sqlite_file().await;
    let database = subject.database().expect("a file");
    scene(&subject, GOES, "bushbabies11", "first").await;
    crowd(&subject).await;
    scene(&subject, STAYS, "bushbabies22", "second").await;
    assert!(traces::of(&database, GOES).len() > 30, "it is in many places");
    let before = told(&database);
    assert!(before.len() > 30, "so is its neighbour: {before:#?}");

    let rehearsed = purge(&subject, &saying(&subject, GOES), false).await;
    assert_eq!(told(&database), before, "a rehearsal changes nothing");
    let purged = purge(&subject, &saying(&subject, GOES), true).await;
    for kind in [
        "memories",
        "turns",
        "held",
        "overrides",
        "entities",
        "links",
        "archives",
        "blocks",
        "history",
        "details",
        "profile_lines",
        "pending",
    ] {
        assert!(purged.removed(kind) > 0, "{kind}: {:?}", purged.progress.removed);
        assert_eq!(purged.removed(kind), rehearsed.removed(kind), "{kind}");
    }
    for kind in ["episodes", "sessions", "entities", "memories", "profiles"] {
        assert!(purged.rewritten(kind) > 0, "{kind}: {:?}", purged.progress.rewritten);
    }

    assert_eq!(traces::of(&database, GOES), [""; 0], "the term");
    assert_eq!(traces::of(&database, "bushbabies11"), [""; 0], "what was made from it alone");
    assert_eq!(
        traces::in_bytes(&database, "in the shed. They live in Oslo near first"),
        [""; 0],
        "its sentence"
    );
    assert_eq!(told(&database), before, "the neighbour");
    assert!(!traces::of(&database, "bushbabies22").is_empty());
    integrity::check(&database);
    found_and_not_found(&subject).await;
}

async fn found_and_not_found(subject: &Subject) {
    let all = Filter::ever();
    for corpus in Corpus::ALL {
        assert_eq!(subject.nominate(*corpus, GOES, &all, 10).await, [], "{corpus}");
        assert!(!subject.nominate(*corpus, STAYS, &all, 10).await.is_empty(), "{corpus}");
    }
    assert!(subject.found("User has a shed in first").await.contains(&"User has a shed in first".to_owned()));
    let kept =
        subject.store.episode_of(&build::session_key("first")).await.expect("readable").expect("it stays");
    assert_eq!(kept.summary, "They live in Oslo near first.");
    assert_eq!(kept.topics, ["oslo first"]);
    assert_eq!(kept.decisions, ["paint the shed of first"]);
    assert_eq!((kept.key_dates, kept.action_items), (vec!["2026-06-01: holiday".to_owned()], vec![]));
    let session =
        subject.store.session(&build::session_key("first")).await.expect("readable").expect("it stays");
    assert_eq!((session.title, session.metadata["place"].as_str()), (None, Some("Oslo")));
    assert_eq!(subject.turns_found("kettle", &all).await.len(), 2, "what else was said stays");
    let profiles = subject.store.profile_versions(&UserId::unnamed()).await.expect("readable");
    assert_eq!(profiles[0].text, "Lives in Oslo number 1");
    assert_eq!(profiles[0].difference, "+Lives in Oslo number 1");
    assert!(profiles[1].text.contains(STAYS));
    let blocks = ["first-1", "first-2", "first-3", "second-1"].map(str::to_owned);
    let mut blocks = subject.store.blocks(&blocks).await.expect("readable");
    blocks.sort_by(|left, right| left.hash.cmp(&right.hash));
    assert_eq!(blocks.iter().map(|block| block.dropped).collect::<Vec<_>>(), [true, true, false, false]);
}

/// In memory there is no file to look into; what is asked must still be gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_memory_too() {
    let subject = sqlite_memory().await;
    scene(&subject, GOES, "bushbabies11", "first").await;
    scene(&subject, STAYS, "bushbabies22", "second").await;
    purge(&subject, &saying(&subject, GOES), true).await;
    found_and_not_found(&subject).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_purge_finds_nothing() {
    let subject = sqlite_file().await;
    scene(&subject, GOES, "bushbabies11", "first").await;
    assert!(purge(&subject, &saying(&subject, GOES), true).await.progress.total() > 0);
    assert_eq!(purge(&subject, &saying(&subject, GOES), true).await.progress.total(), 0);
}
