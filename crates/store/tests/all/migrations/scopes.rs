//! A store of the version before the scopes were told apart, upgraded: each viewer sees what they saw.

use std::collections::BTreeSet;
use std::path::Path;

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, Filter, KeyBounds, Memory, MemoryId, Owner, PageRequest, Record, RecordRef, Scope, Status,
    Time, Viewer,
};
use rusqlite::{Connection, params};
use testkit::{ManualClock, build, folder};

use super::place_fixture;
use testkit::{integrity, subject};

/// The last version in which `user` meant this user with this agent.
const BEFORE: i64 = 5;

const OWNERS: [(&str, &str); 4] =
    [("coach", "ada"), ("clerk", "ada"), ("coach", "ben"), ("default", "default")];
const SESSIONS: [Option<&str>; 3] = [None, Some("monday"), Some("tuesday")];

/// One memory of each old scope of each owner, said on Monday, as that version wrote them; and a held candidate and a
/// replaced text of one of them.
fn fill_as_before(database: &Path, clock: &ManualClock) -> Vec<(Memory, &'static str)> {
    let connection = Connection::open(database).expect("the file can be opened");
    let mut memories = Vec::new();
    for (agent, user) in OWNERS {
        for word in ["thread", "user", "persona", "organization"] {
            let content = format!("{word} of {user} with {agent}");
            let mut memory = build::memory_of(clock, &build::owner(agent, user), &content);
            memory.session = Some(build::session_id("monday"));
            let mut body = serde_json::to_value(&memory).expect("a memory is JSON");
            body["scope"] = word.into();
            let insert = "INSERT INTO memory (body) VALUES (?1)";
            connection.execute(insert, [body.to_string()]).expect("the old version could");
            let before = "INSERT INTO history (number, ordinal, at, by, kind, id, before)
                          VALUES (?1, 0, ?2, 'person', 'memory', ?3, ?4)";
            let number = 1_000 + memories.len() as i64;
            let row = params![number, memory.created_at.to_string(), memory.id.as_str(), body.to_string()];
            connection.execute(before, row).expect("the old version could");
            memories.push((memory, word));
        }
    }
    let mut held = serde_json::to_value(build::held(clock, "monday", "may like tea")).expect("JSON");
    held["memory"]["scope"] = "user".into();
    connection
        .execute("INSERT INTO held (body) VALUES (?1)", [held.to_string()])
        .expect("the old version could");
    memories
}

/// Who saw what, by the rules of that version.
fn was_seen(memory: &Memory, word: &str, owner: &Owner, session: Option<&str>) -> bool {
    let same_agent = memory.agent == owner.agent;
    let same_user = same_agent && memory.user == owner.user;
    match word {
        "organization" => true,
        "persona" => same_agent,
        "user" => same_user,
        _ => same_user && session == Some("monday"),
    }
}

async fn listed(store: &impl ReadStore, filter: Filter) -> BTreeSet<String> {
    let page = store.list_memories(&filter, PageRequest::first(200)).await.expect("listed");
    page.items.into_iter().map(|memory| memory.content).filter(|content| content.contains(" of ")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_viewer_sees_what_they_saw_before_the_upgrade() {
    let (folder, clock) = (folder::scratch(), ManualClock::seeded(11));
    let database = place_fixture(folder.path(), BEFORE);
    let memories = fill_as_before(&database, &clock);
    let tenants = subject::open_folder(folder.path());
    let tenant = subject::open_tenant(&tenants, "local").await;
    let now: Time = clock.tick();
    for (agent, user) in OWNERS.into_iter().chain([("clerk", "ben"), ("nobody", "nobody")]) {
        for session in SESSIONS {
            let owner = build::owner(agent, user);
            let seen = memories.iter().filter(|(memory, word)| was_seen(memory, word, &owner, session));
            let expected: BTreeSet<String> = seen.map(|(memory, _)| memory.content.clone()).collect();
            // A key that is bound to the agent sees the same: nothing that is here is the user's with any agent.
            for agent_only in [false, true] {
                let viewer = Viewer::new(owner.clone(), session.map(build::session_id));
                let viewer = Some(Viewer { agent_only, ..viewer });
                let found = listed(&tenant, Filter { viewer, ..Filter::current(now) }).await;
                assert_eq!(found, expected, "{agent}, {user}, {session:?}, {agent_only}");
            }
        }
        let of_agent: BTreeSet<String> = memories
            .iter()
            .filter(|(memory, _)| memory.agent.as_str() == agent)
            .map(|(memory, _)| memory.content.clone())
            .collect();
        for shares_user in [false, true] {
            let bounds = KeyBounds { agents: vec![agent.parse().expect("a name")], user: None, shares_user };
            assert_eq!(listed(&tenant, Filter { bounds, ..Filter::current(now) }).await, of_agent, "{agent}");
        }
    }
    drop(tenant);
    integrity::check(&database);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_and_what_was_before_is_told_in_the_new_words() {
    let (folder, clock) = (folder::scratch(), ManualClock::seeded(12));
    let database = place_fixture(folder.path(), BEFORE);
    let memories = fill_as_before(&database, &clock);
    let tenants = subject::open_folder(folder.path());
    let tenant = subject::open_tenant(&tenants, "local").await;
    for (memory, word) in &memories {
        let expected = if *word == "user" { Scope::Agent } else { word.parse().expect("a scope") };
        let known = tenant.memories(std::slice::from_ref(&memory.id)).await.expect("readable").remove(0);
        assert_eq!((known.scope, &known.content), (expected, &memory.content));
        let events = tenant.history(&RecordRef::memory(&memory.id)).await.expect("readable");
        let Some(Record::Memory(before)) = &events[0].before else { panic!("{events:?}") };
        assert_eq!(before.scope, expected, "an undo brings back what the same people see");
    }
    let held = tenant.held(&build::session_key("monday")).await.expect("readable");
    assert_eq!(held[0].memory.scope, Scope::Agent);
    let old = &memories.iter().find(|(_, word)| *word == "user").expect("there is one").0;
    check_the_new_default(&tenant, &clock, old).await;
}

/// What is written from now on is the user's with any agent, and stands beside what the agent alone has.
async fn check_the_new_default(tenant: &store::Tenant, clock: &ManualClock, old: &Memory) {
    let new = build::memory_of(clock, &old.owner(), "tea of ada with coach");
    let id: MemoryId = new.id.clone();
    tenant.apply(Batch::new(Actor::Person, clock.tick()).insert(new)).await.expect("written");
    let viewer = |agent_only| {
        let viewer = Viewer::new(build::owner("clerk", old.user.as_str()), None);
        Filter { viewer: Some(Viewer { agent_only, ..viewer }), ..Filter::current(clock.now()) }
    };
    assert!(listed(tenant, viewer(false)).await.contains("tea of ada with coach"), "another agent sees it");
    assert!(!listed(tenant, viewer(true)).await.contains("tea of ada with coach"), "a bound one does not");
    let known = tenant.memories(&[id]).await.expect("readable").remove(0);
    assert_eq!((known.scope, known.status), (Scope::User, Status::Active));
}
