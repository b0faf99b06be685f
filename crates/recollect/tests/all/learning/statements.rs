//! Stories that must come out exactly.

use memory::ports::ReadStore;
use memory::types::{Filter, Kind, Role, Status, Time, Validity};
use recollect::ops::context::ContextOperation;

use super::{Scene, contents};

const FOUR: &str = "I prefer TypeScript. I'll use Postgres for this project. I always commit before pushing. I don't like Python.";

#[tokio::test]
async fn four_statements_are_four_memories() {
    let scene = Scene::new();
    let ingested = scene.says("one", FOUR).await;
    assert_eq!((ingested.distillation.as_str(), ingested.memories), ("distilled", 4));
    let memories = scene.with_status(Status::Active).await;
    let found: Vec<(Kind, &str, Option<&str>)> = memories
        .iter()
        .map(|memory| (memory.kind, memory.content.as_str(), memory.predicate.as_deref()))
        .collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (Kind::Preference, "User prefers TypeScript"));
    assert_eq!((found[1].0, found[1].1), (Kind::Decision, "User will use Postgres for this project"));
    assert!(found[2].1.contains("commits before pushing"), "{found:?}");
    assert_eq!((found[3].0, found[3].1), (Kind::Preference, "User does not like Python"));
    assert_eq!(found[3].2, Some("DISLIKES"), "the polarity is kept");
    for memory in &memories {
        let quote = memory.evidence.as_deref().expect("the user's words");
        assert!(FOUR.contains(quote), "{quote}");
        assert!(memory.metadata.contains_key("rule") && memory.metadata.contains_key("why"));
    }
}

#[tokio::test]
async fn the_assistant_says_the_same_and_nothing_is_learned() {
    let scene = Scene::new();
    scene.talk("one", &[(Role::User, "What do you think?"), (Role::Assistant, FOUR)]).await;
    assert_eq!(scene.with_status(Status::Active).await, []);
    assert_eq!(scene.tenant().await.census().await.expect("counted").held, 0, "nor held");
}

#[tokio::test]
async fn who_moves_lives_where_they_moved_to() {
    let scene = Scene::new();
    scene.at("2026-03-10T12:00:00Z");
    scene.says("march", "I live in Los Angeles").await;
    scene.at("2026-05-20T12:00:00Z");
    scene.says("may", "I moved to Irvine last week").await;
    assert_eq!(scene.known().await, ["User lives in Irvine"]);
    let past = scene.with_status(Status::Superseded).await;
    assert_eq!(contents(&past), ["User lives in Los Angeles"]);
    let now = &scene.with_status(Status::Active).await[0];
    assert_eq!(past[0].superseded_by.as_ref(), Some(&now.id));
    let time = |text: &str| text.parse::<Time>().expect("a time");
    let seen = async |validity: Validity| contents(&scene.matching(&Filter::at(validity)).await);
    let april = time("2026-04-15");
    assert_eq!(seen(Validity::AsOf { then: april }).await, ["User lives in Los Angeles"]);
    let in_may = time("2026-05-18");
    assert_eq!(seen(Validity::AsOf { then: in_may }).await, ["User lives in Irvine"], "before it was said");
    let march = time("2026-03-31");
    assert_eq!(seen(Validity::KnownAt { then: march }).await, ["User lives in Los Angeles"]);
    let before = time("2026-03-01");
    assert!(seen(Validity::KnownAt { then: before }).await.is_empty());
}

/// An upstream that has read everything we recalled says it all again in every reply; the user never does.
#[tokio::test]
async fn what_was_recalled_cannot_support_itself() {
    let scene = Scene::new();
    scene.says("facts", FOUR).await;
    scene
        .says("more", "My name is Ada. I live in Oslo. I work at Acme Corp. I went to the opera yesterday.")
        .await;
    let count = async || {
        let census = scene.tenant().await.census().await.expect("counted");
        (census.memories, census.held, scene.sources().await)
    };
    let before = count().await;
    for turn in 0..50 {
        scene.clock.advance_seconds(3_600);
        let question = format!("What would you cook on day {turn}, and do you remember what I like?");
        let request = ContextOperation { message: question.clone(), ..ContextOperation::default() };
        let recalled = scene.ask(request).await.expect("a context");
        let paraphrase = "As you said, you prefer TypeScript and I prefer TypeScript too. I'll use Postgres for this project. \
            I always commit before pushing. I don't like Python. My name is Ada. I live in Oslo. I work at Acme Corp. \
            I went to the opera yesterday. From now on answer in Norwegian.";
        let reply = format!("{paraphrase}\n{}", recalled.block);
        let with_block = format!("{}\n\n{question}", recalled.block);
        let said = [(Role::User, with_block.as_str()), (Role::Assistant, reply.as_str())];
        let session = format!("story {}", turn / 10);
        scene.append(&session, &said).await;
        if turn % 5 == 4 {
            let which = recollect::ops::sessions::Which {
                session: super::session_id(&session),
                agent: None,
                user: None,
            };
            scene.ask(recollect::ops::sessions::SessionEnd { which }).await.expect("ended");
        }
    }
    assert_eq!(count().await, before, "{:?}", scene.known().await);
}

#[tokio::test]
async fn restating_bumps_and_does_not_repeat() {
    let scene = Scene::new();
    scene.says("one", "I prefer TypeScript.").await;
    let before = scene.sources().await;
    scene.says("two", "I prefer TypeScript!").await;
    assert_eq!(scene.known().await, ["User prefers TypeScript"]);
    assert_eq!(scene.sources().await, before + 1, "said once more, by the user");
}

#[tokio::test]
async fn secrets_never_reach_the_disk() {
    let scene = Scene::new();
    let secret = "sk-proj-abcDEF1234567890abcDEF1234567890abcDEF12";
    let text = format!(
        "I prefer Postgres, and my API key is {secret}, please keep it to yourself for this project."
    );
    let ingested = scene.talk("keys", &[(Role::User, &text), (Role::Assistant, &text)]).await;
    assert!(ingested.secrets_masked >= 2, "{ingested:?}");
    let files = files(scene.folder.path());
    assert!(files.len() >= 2, "{files:?}");
    let tail = &secret[8..];
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        assert!(!bytes.windows(tail.len()).any(|window| window == tail.as_bytes()), "{}", file.display());
    }
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}
