//! What a model makes of a conversation stays true: values change, what is coming is known, what is to be forgotten goes, and no copy tells what
//! is over.

use memory::ports::ReadStore;
use memory::types::{Filter, Memory, Order, PageRequest, Role, Status};
use recollect::ops::add::Add;
use recollect::ops::identity::IdentityRefresh;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{DISTILS, ModelScene, answer, key};

/// The handle of the known memory that a prompt shows with these words.
fn handle(prompt: &str, words: &str) -> String {
    let known = prompt.split("<known>").nth(1).unwrap_or_default();
    let line =
        known.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words} in {prompt}"));
    line.split(' ').next().expect("a handle").to_owned()
}

/// The user says something, and the model answers with what is made of the prompt that it gets.
async fn told(
    scene: &ModelScene,
    session: &str,
    said: &str,
    answers: impl Fn(&str) -> Value + Send + Sync + 'static,
) {
    scene.llm.clear_script();
    scene.llm.respond_with(move |seen| match seen.system_text().contains(DISTILS) {
        true => ScriptedReply::distilled(answers(&seen.last_user_text())),
        false => ScriptedReply::prose(),
    });
    scene.append(session, &[(Role::User, said)]).await;
    scene.sync().await;
}

async fn learned(scene: &ModelScene, session: &str, said: &str, memories: Value) {
    scene.distils(ScriptedReply::distilled(answer(memories)));
    let ingested = scene.says(session, said).await;
    assert_eq!((ingested.fell_back, ingested.unsupported), (None, 0), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_value_takes_the_place_of_the_old_one() {
    for (before, then, old, new) in [
        (
            "I take 5 mg of ramipril.",
            "The doctor doubled my ramipril to 10 mg.",
            "User takes 5 mg of ramipril",
            "User takes 10 mg of ramipril",
        ),
        (
            "We charge 4.50 a crossing.",
            "We charge 5.20 a crossing now.",
            "User charges 4.50 a crossing",
            "User charges 5.20 a crossing",
        ),
        (
            "My race is on 3 May 2027.",
            "My race is on 10 May 2027 now.",
            "User's race is on 3 May 2027",
            "User's race is on 10 May 2027",
        ),
    ] {
        let scene = ModelScene::new().await;
        // The same triple both times: what changed stands in the sentence alone.
        let triple = json!({"subject": "User", "predicate": "HAS", "object": "it"});
        let with = |mut item: Value| {
            item.as_object_mut().expect("an object").extend(triple.as_object().expect("an object").clone());
            item
        };
        learned(&scene, "one", before, json!([with(json!({"text": old, "quote": before, "turn": "t1"}))]))
            .await;
        assert_eq!(scene.known().await, [old]);
        learned(
            &scene,
            "two",
            then,
            json!([with(json!({"text": new, "quote": then, "turn": "t1", "replaces": ["m1"]}))]),
        )
        .await;
        assert_eq!(scene.known().await, [new], "{then}");
        let past = scene.with_status(Status::Superseded).await.remove(0);
        assert_eq!(past.content, old);
        // Also where the model forgets to say that it replaces it.
        let silent = ModelScene::new().await;
        learned(&silent, "one", before, json!([with(json!({"text": old, "quote": before}))])).await;
        learned(&silent, "two", then, json!([with(json!({"text": new, "quote": then}))])).await;
        assert_eq!(silent.known().await, [new], "{then}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ended_is_over_whatever_kind_says_so() {
    let scene = ModelScene::new().await;
    learned(
        &scene,
        "one",
        "I work at Meta.",
        json!([{"text": "User works at Meta", "quote": "I work at Meta", "kind": "fact"}]),
    )
    .await;
    learned(&scene, "two", "I quit last Friday.", json!([
        {"text": "User no longer works at Meta", "quote": "I quit last Friday", "kind": "event", "replaces": ["m1"]}])).await;
    assert_eq!(scene.known().await, ["User no longer works at Meta"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_coming_is_known_now() {
    let scene = ModelScene::new().await;
    let said = "The new shop launches on 5 December 2027, and my driving test is on 1 March 2028.";
    learned(&scene, "one", said, json!([
        {"text": "User's shop launches on 5 December 2027", "quote": "shop launches on 5 December 2027", "valid_from": "2027-12-05"},
        {"text": "User's driving test is on 1 March 2028", "quote": "my driving test is on 1 March 2028", "kind": "event", "until": "2028-03-01"},
    ])).await;
    let filter = Filter::current(scene.clock.tick());
    let page = PageRequest { limit: 10, offset: 0, order: Order::Oldest, counted: true };
    let now: Vec<Memory> = scene.tenant().await.list_memories(&filter, page).await.expect("listed").items;
    assert_eq!(now.len(), 2, "a list of today has both: {now:?}");
    let until = now[1].valid_until.expect("an end");
    assert_eq!(until, "2028-03-02".parse().expect("a day"), "it holds to the end of its day");
    scene.says("two", "How are things with me?").await;
    let prompt = scene.calls().last().expect("asked").last_user_text().to_owned();
    assert!(prompt.contains("shop launches on 5 December 2027"), "{prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_begins_later_by_hand_can_be_named_too() {
    let scene = ModelScene::new().await;
    let add = json!({"content": "User moves to Lyon", "valid_from": "2099-01-01T00:00:00Z"});
    scene.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    scene.distils(ScriptedReply::distilled(answer(json!([]))));
    scene.says("one", "Where will I be in a few years?").await;
    assert!(scene.calls()[0].last_user_text().contains("User moves to Lyon"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_forgets_what_the_user_asks_to_be_forgotten() {
    let scene = ModelScene::new().await;
    learned(
        &scene,
        "one",
        "Sorley is my deckhand. Sorley has a gambling debt.",
        json!([
            {"text": "Sorley is User's deckhand", "quote": "Sorley is my deckhand"},
            {"text": "Sorley has a gambling debt", "quote": "Sorley has a gambling debt"},
        ]),
    )
    .await;
    let wish = "Please take Sorley's money trouble out of your head, that was not mine to tell.";
    told(&scene, "two", wish, move |prompt| {
        json!({"memories": [], "forget": [{"quote": wish, "turn": "t1", "known": [handle(prompt, "gambling")]}]})
    })
    .await;
    assert_eq!(scene.known().await, ["Sorley is User's deckhand"]);
    let gone = scene.with_status(Status::Deleted).await.remove(0);
    assert_eq!(gone.metadata["why"], "the user asked to forget it");
    // Nobody's words but the user's make it forget, and nothing that it was not shown.
    scene.distils(ScriptedReply::distilled(json!({"memories": [], "forget": [
        {"quote": "forget the deckhand", "known": ["m1"]}, {"quote": "What about", "known": ["m40", "mt_x"]}]})));
    let ingested = scene.says("three", "What about the crew, who is there?").await;
    assert_eq!((scene.known().await.len(), ingested.unsupported), (1, 1));
    let prompt = scene.calls().last().expect("asked").last_user_text().to_owned();
    assert!(!prompt.contains("gambling"), "and it is not told again: {prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_the_model_does_not_hear_is_heard_by_the_judge() {
    let scene = ModelScene::new().await;
    learned(&scene, "one", "My neighbour Clara is getting divorced. I grow tomatoes.", json!([
        {"text": "Clara, User's neighbour, is getting divorced", "quote": "My neighbour Clara is getting divorced"},
        {"text": "User grows tomatoes", "quote": "I grow tomatoes"},
    ])).await;
    scene.distils(ScriptedReply::distilled(json!({"summary": "They spoke.", "memories": []})));
    scene.says("two", "Please forget what I told you about Clara's divorce.").await;
    assert_eq!(scene.known().await, ["User grows tomatoes"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_compound_memory_the_rest_goes_on() {
    let scene = ModelScene::new().await;
    let compound = "User works at Bosch in Stuttgart and has a daughter called Lena";
    learned(
        &scene,
        "one",
        "I work at Bosch in Stuttgart and have a daughter called Lena.",
        json!([
        {"text": compound, "quote": "I work at Bosch in Stuttgart and have a daughter called Lena"}]),
    )
    .await;
    learned(
        &scene,
        "two",
        "I work at Siemens now.",
        json!([
            {"text": "User works at Siemens", "quote": "I work at Siemens now", "replaces": ["m1"]},
            {"text": "User has a daughter called Lena", "from": "m1"},
        ]),
    )
    .await;
    assert_eq!(scene.known().await, ["User works at Siemens", "User has a daughter called Lena"]);
    let kept = scene.with_status(Status::Active).await.remove(1);
    assert!(
        kept.evidence.as_deref().is_some_and(|words| words.contains("a daughter called Lena")),
        "{kept:?}"
    );
    let parents = scene.tenant().await.parents(&memory::types::Node::Memory(kept.id)).await.expect("read");
    assert_eq!(parents.len(), 1, "it rests on the turn in which it was said");
    // What the memory never said cannot be carried over from it, and what stays has nothing to carry.
    scene.distils(ScriptedReply::distilled(answer(json!([
        {"text": "User owns a boat in Kiel harbour", "from": "m1"}, {"text": "User works at Siemens", "from": "m1"}]))));
    let ingested = scene.says("three", "What else is new with me?").await;
    assert_eq!((scene.known().await.len(), ingested.unsupported), (2, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_held_can_be_named_and_is_kept_when_it_comes_again() {
    let scene = ModelScene::new().await;
    learned(
        &scene,
        "one",
        "I might take up climbing.",
        json!([
        {"text": "User might take up climbing", "quote": "I might take up climbing", "passing": true}]),
    )
    .await;
    assert_eq!(
        (scene.known().await.len(), scene.tenant().await.held(&key("one")).await.expect("listed").len()),
        (0, 1)
    );
    told(&scene, "two", "I climb every Tuesday in Keswick.", |prompt| {
        assert!(prompt.contains("said once in passing"), "{prompt}");
        answer(json!([{"text": "User climbs every Tuesday in Keswick", "quote": "I climb every Tuesday in Keswick",
            "replaces": [handle(prompt, "climbing")]}]))
    })
    .await;
    let known = scene.known().await;
    assert!(known.contains(&"User climbs every Tuesday in Keswick".to_owned()), "{known:?}");
    assert_eq!(
        scene.tenant().await.held(&key("one")).await.expect("listed"),
        [],
        "it is not held any longer"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_that_is_known_of_a_small_life_can_be_named() {
    let scene = ModelScene::new().await;
    let facts =
        ["User has a dog called Rex", "User's sister Ana lives in Porto", "User pays 900 a month in rent"];
    for (number, fact) in facts.iter().enumerate() {
        let said = format!("Fact number {number}: {fact}.");
        learned(&scene, &format!("s{number}"), &said, json!([{"text": fact, "quote": fact}])).await;
    }
    scene.says("last", "The weather was lovely yesterday, was it not?").await;
    let prompt = scene.calls().last().expect("asked").last_user_text().to_owned();
    assert!(facts.iter().all(|fact| prompt.contains(fact)), "{prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_the_user_is_never_contradicts_what_is_known() {
    let scene = ModelScene::new().await;
    learned(&scene, "one", "I live in Porto and I work as a nurse. I prefer tea.", json!([
        {"text": "User lives in Porto", "quote": "I live in Porto"}, {"text": "User works as a nurse", "quote": "I work as a nurse"},
        {"text": "User prefers tea", "quote": "I prefer tea", "kind": "preference"}])).await;
    let user = key("one").user;
    scene.ask(IdentityRefresh::default()).await;
    let profile = || async {
        scene.tenant().await.profile(&user).await.expect("read").map(|it| it.text).unwrap_or_default()
    };
    assert!(profile().await.contains("Porto"), "{}", profile().await);
    told(&scene, "two", "I moved to Lisbon.", |prompt| {
        answer(json!([{"text": "User lives in Lisbon", "quote": "I moved to Lisbon", "replaces": [handle(prompt, "Porto")]}]))
    })
    .await;
    scene.says("three", "Tell me something nice, would you?").await;
    let prompt = scene.calls().last().expect("asked").last_user_text().to_owned();
    assert!(prompt.contains("User lives in Lisbon") && !prompt.contains("Porto"), "{prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_digest_tells_what_is_over() {
    let scene = ModelScene::new().await;
    let mut first =
        answer(json!([{"text": "User charges 4.50 a crossing", "quote": "We charge 4.50 a crossing"}]));
    first["summary"] = json!("User asked for a notice for the pier. A crossing costs 4.50 on the ferry.");
    first["decisions"] = json!(["a crossing costs 4.50", "the notice has two lines"]);
    scene.distils(ScriptedReply::distilled(first));
    scene.says("one", "We charge 4.50 a crossing. Write me a notice for the pier.").await;
    assert!(scene.episode("one").await.expect("a digest").summary.contains("4.50"));
    learned(
        &scene,
        "two",
        "The crossing is 5.20 now.",
        json!([
        {"text": "User charges 5.20 a crossing", "quote": "The crossing is 5.20 now", "replaces": ["m1"]}]),
    )
    .await;
    let digest = scene.episode("one").await.expect("a digest");
    assert_eq!(digest.summary, "User asked for a notice for the pier.");
    assert_eq!(digest.decisions, ["the notice has two lines"]);
    scene.says("three", "What is new on the river?").await;
    let prompt = scene.calls().last().expect("asked").last_user_text().to_owned();
    assert!(!prompt.contains("4.50"), "nor is a model told: {prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crisis_is_no_memory_whoever_wrote_it_down() {
    let scene = ModelScene::new().await;
    let said = "I want to kill myself. My sister Ana lives in Lyon.";
    scene.distils(ScriptedReply::distilled(answer(json!([
        {"text": "User wants to kill themselves", "quote": "I want to kill myself", "kind": "goal"},
        {"text": "Ana, User's sister, lives in Lyon", "quote": "My sister Ana lives in Lyon"}]))));
    scene.says("one", said).await;
    assert_eq!(scene.known().await, ["Ana, User's sister, lives in Lyon"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lean_answer_is_enough() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(json!({
        "memories": [{"text": "Ana is User's sister", "quote": "My sister Ana", "turn": "t1"},
                     {"text": "Ana lives in Lyon", "quote": "Ana lives in Lyon", "turn": "t1"}],
        "names": {"Ana": "person", "Lyon": "place"}, "relations": [["Ana", "LIVES_IN", "Lyon"]]})));
    let ingested = scene.says("one", "My sister Ana lives in Lyon.").await;
    assert_eq!((ingested.memories, ingested.unsupported), (2, 0));
    let home = scene.with_status(Status::Active).await.remove(1);
    assert_eq!((home.subject.as_deref(), home.predicate.as_deref()), (Some("Ana"), Some("LIVES_IN")));
    assert!(
        home.category.is_some() && home.confidence >= 0.9,
        "what it is about is the judge's to say: {home:?}"
    );
    assert_eq!(home.key, None, "a sister's home is not the user's");
    // And small talk costs next to nothing.
    scene.distils(ScriptedReply::text(r#"{"memories": []}"#));
    assert_eq!(scene.says("two", "Lovely weather today.").await.distillation, "empty:nothing to digest");
}
