//! Reading again what an older learner read: what it made is replaced, what people touched stays, and all of it can be undone.
//!
//! An older learner is made out of today's: what it did not understand is taken away, and what it misunderstood put in.

use std::path::Path;

use memory::learn::relearn::LEARNER_MARK;
use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, Change, Expect, Filter, Job, Kind, Memory, MemoryId, Node, Origin, Owner, PageRequest,
    RecordRef, SessionKey, TenantId,
};
use serde_json::{Value, json};
use store::{Credential, SystemClock, Tenant, Tenants, TenantsOptions};

use crate::support::Home;

const SAID: &str = "I live in Lyon. I am allergic to peanuts. We went with oak for the kitchen floor, and the carpenter comes \
    every Friday until it is done.";

const MISREAD: &str = "User wants four thousand kitchen floors";

fn told() -> Home {
    let home = Home::new();
    for (session, text) in
        [("one", SAID), ("two", "My brother Ben works as a nurse in Turin. I prefer tea to coffee.")]
    {
        let body = json!({"conversation_id": session, "messages": [{"role": "user", "content": text}]});
        let fed = home.feed(&["ingest", "-"], &body.to_string());
        assert_eq!(fed.code, Some(0), "{fed:?}");
    }
    home
}

async fn opened(data: &Path) -> (Tenants, Tenant) {
    let tenants = Tenants::open_folder(data, TenantsOptions::default()).expect("the folder opens");
    let pass =
        tenants.authenticate(Credential::Operator { tenant: TenantId::local() }).await.expect("let in");
    let tenant = tenants.open(&pass).await.expect("the tenant opens");
    (tenants, tenant)
}

/// What an older learner would have left: it misread one thing, did not hear of Lyon, and says which it was.
async fn as_if_older(home: &Home) {
    let (tenants, tenant) = opened(&home.data()).await;
    let clock = SystemClock;
    let key = SessionKey::new(&Owner::unnamed(), "one".parse().expect("a name"));
    let turn = tenant.session_turns(&key, 0, 1).await.expect("read").remove(0);
    let all =
        tenant.list_memories(&Filter::current(clock.now()), PageRequest::first(100)).await.expect("listed");
    let lyon =
        all.items.iter().find(|memory| memory.content.contains("Lyon")).expect("it was learned").clone();
    let id = MemoryId::from_uuid(clock.uuid());
    let mut misread = Memory::new(
        id.clone(),
        TenantId::local(),
        &Owner::unnamed(),
        Kind::Goal,
        MISREAD.to_owned(),
        clock.now(),
    );
    (misread.origin, misread.evidence) = (Origin::Heuristic, Some("oak for the kitchen floor".into()));
    let job =
        Job { name: LEARNER_MARK.into(), due_at: clock.now(), last_run_at: None, mark: Some("1".into()) };
    let batch = Batch::new(Actor::Heuristic, clock.now())
        .insert(misread)
        .with(Change::Derive { child: Node::Memory(id), parents: vec![Node::Turn(turn.id)] })
        .with(Change::Remove { of: RecordRef::memory(&lyon.id), expect: Expect::Version(lyon.version) })
        .with(Change::PutJob { job });
    tenant.apply(batch).await.expect("written");
    tenants.close().await;
}

fn known(home: &Home) -> Vec<String> {
    let mut contents = crate::support::contents(&home.json(&["list", "--limit", "100"])["memories"]);
    contents.sort();
    contents
}

fn says(contents: &[String], word: &str) -> bool {
    contents.iter().any(|content| content.contains(word))
}

fn counts(done: &Value) -> [u64; 4] {
    ["added", "changed", "retired", "digests"].map(|name| done[name].as_u64().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_machine_made_is_replaced_once_and_can_be_had_back() {
    let home = told();
    let fresh = known(&home);
    as_if_older(&home).await;
    let before = known(&home);
    assert!(says(&before, MISREAD) && !says(&before, "Lyon"), "{before:?}");
    assert!(home.run(["doctor"]).stdout.contains("learner.older"));
    assert!(home.run(["stats"]).stdout.contains("recollect relearn"));

    let dry = home.json(&["relearn", "--dry-run"]);
    assert_eq!((&dry["dryRun"], &dry["runId"]), (&json!(true), &Value::Null), "{dry}");
    assert_eq!((&dry["retired"], dry["added"].as_u64() >= Some(1)), (&json!(1), true), "{dry}");
    assert_eq!(known(&home), before, "a dry run changes nothing");

    let done = home.json(&["relearn"]);
    assert_eq!(counts(&done), counts(&dry), "{done}");
    let after = known(&home);
    assert_eq!(after, fresh, "as if today's learner had heard it");
    assert!(!home.run(["doctor"]).stdout.contains("learner.older"));

    let again = home.json(&["relearn"]);
    assert_eq!(
        (counts(&again), &again["runId"]),
        ([0; 4], &Value::Null),
        "a second reading changes nothing: {again}"
    );

    let run = done["runId"].as_str().expect("a run");
    let undone = home.run(["undo", run]);
    assert_eq!(undone.code, Some(0), "{undone:?}");
    assert_eq!(known(&home), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_touched_and_what_was_forgotten_stays() {
    let home = told();
    home.add("User keeps bees");
    let id = |word: &str| {
        let listed = home.json(&["list", "--limit", "100"]);
        let rows = listed["memories"].as_array().expect("a list").clone();
        let row =
            rows.into_iter().find(|row| row["content"].as_str().is_some_and(|text| text.contains(word)));
        row.expect("it is known")["id"].as_str().expect("an id").to_owned()
    };
    assert_eq!(
        home.run(["update", &id("tea"), "--content", "User prefers tea to coffee on Sundays"]).code,
        Some(0)
    );
    assert_eq!(home.run(["forget", &id("peanuts"), "--yes"]).code, Some(0));
    as_if_older(&home).await;
    let done = home.json(&["relearn"]);
    let after = known(&home);
    for word in ["User keeps bees", "on Sundays", "Lyon", "Turin"] {
        assert!(says(&after, word), "{word}: {after:?}");
    }
    assert!(!says(&after, "peanuts") && !says(&after, MISREAD), "{after:?} {done}");
    let again = home.json(&["relearn"]);
    assert_eq!(counts(&again), [0; 4], "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sentence_that_a_person_settled_is_not_learned_again_beside_it() {
    let home = Home::new();
    let said = "I take 20 mg of citalopram. I play the cello. I play in the city orchestra.";
    let body = json!({"conversation_id": "one", "messages": [{"role": "user", "content": said}]});
    assert_eq!(home.feed(&["ingest", "-"], &body.to_string()).code, Some(0));
    let rows = home.json(&["list", "--limit", "100"])["memories"].as_array().expect("a list").clone();
    let id = |word: &str| {
        let row = rows.iter().find(|row| row["content"].as_str().is_some_and(|text| text.contains(word)));
        row.expect("it is known")["id"].as_str().expect("an id").to_owned()
    };
    let edited = "User takes 10 mg of citalopram";
    assert_eq!(home.run(["update", &id("citalopram"), "--content", edited]).code, Some(0));
    let merged = "User plays the cello in the city orchestra";
    let both = [id("cello"), id("orchestra")];
    assert_eq!(home.run(["merge", &both[0], &both[1], "--content", merged]).code, Some(0));
    let before = known(&home);
    home.json(&["relearn"]);
    assert_eq!(known(&home), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_offers_it_and_does_it_over_rest() {
    let home = told();
    as_if_older(&home).await;
    let mut server = home.serve();
    server.wait_for("recollect relearn --dry-run");
    let (status, dry) = server.post("/api/memory/relearn", &json!({ "dry_run": true, "user_id": "nobody" }));
    assert_eq!((status, counts(&dry)), (200, [0; 4]), "nobody said anything: {dry}");
    let (status, done) = server.post("/api/memory/relearn", &json!({}));
    assert_eq!((status, &done["retired"]), (200, &json!(1)), "{done}");
    assert!(says(&known(&home), "Lyon"));
    let refused = server.post("/api/memory/relearn", &json!({ "dryrum": true }));
    assert_eq!(refused.0, 400, "{}", refused.1);
    server.kill();
}
