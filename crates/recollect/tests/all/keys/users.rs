//! Keys that speak for one user, keys that see one agent's memories alone, and the attacks that were made on both.

use memory::types::{AgentId, Memory, Scope};
use recollect::ops::keys::KeyCreate;
use recollect::ops::list::ListMemories;
use recollect::ops::{self, Caller, Outcome, Services};
use serde_json::{Value, json};
use store::{KeyUser, Role};

use super::{execute, house, let_in, operator};

/// A caller with a key of tenant acme.
async fn with_key(
    house: &Services,
    name: &str,
    agents: &[&str],
    user: Option<&str>,
    shares_user: bool,
) -> Caller {
    let agents: Vec<AgentId> = agents.iter().map(|agent| agent.parse().expect("an agent's name")).collect();
    let user: Option<KeyUser> = user.map(|user| user.parse().expect("a user"));
    let name = Some(name.to_owned());
    let request = KeyCreate { role: Role::Memory, name, agents, user, shares_user, expires_at: None };
    let operator = operator(house, "acme").await;
    match ops::execute(house, &operator, request.into()).await.expect("a key can be made") {
        Outcome::KeyCreate(created) => let_in(house, &created.key).await,
        other => panic!("{other:?}"),
    }
}

async fn add(house: &Services, caller: &Caller, fields: Value) -> String {
    let mut operation = json!({ "operation": "add" });
    operation.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    match execute(house, caller, operation).await.expect("added") {
        Outcome::Add(added) => added.id.to_string(),
        other => panic!("{other:?}"),
    }
}

async fn listed(house: &Services, caller: &Caller) -> Vec<Memory> {
    match ops::execute(house, caller, ListMemories { oldest_first: true, ..ListMemories::default() }.into())
        .await
    {
        Ok(Outcome::List(listed)) => listed.memories,
        other => panic!("{other:?}"),
    }
}

async fn contents(house: &Services, caller: &Caller) -> Vec<String> {
    listed(house, caller).await.into_iter().map(|memory| memory.content).collect()
}

async fn code(house: &Services, caller: &Caller, operation: Value) -> String {
    match execute(house, caller, operation.clone()).await {
        Ok(_) => "done".to_owned(),
        Err(problem) => format!("{:?}", problem.code),
    }
}

#[tokio::test]
async fn a_new_key_has_a_user_of_its_own_and_a_named_one_is_shared() {
    let house = house();
    let laptop = with_key(&house, "laptop", &[], None, false).await;
    let phone = with_key(&house, "phone", &[], Some("laptop"), false).await;
    let second = with_key(&house, "laptop", &[], None, false).await;
    let nameless = with_key(&house, "", &[], None, false).await;
    assert_eq!(laptop.user().map(ToString::to_string).as_deref(), Some("laptop"));
    assert_eq!(phone.user(), laptop.user());
    for own in [&second, &nameless] {
        assert!(own.user().is_some_and(|user| user.as_str().starts_with("key_")), "{:?}", own.user());
    }
    add(&house, &laptop, json!({ "content": "tea of the laptop" })).await;
    add(&house, &second, json!({ "content": "tea of another" })).await;
    assert_eq!(contents(&house, &laptop).await, ["tea of the laptop"]);
    assert_eq!(contents(&house, &phone).await, ["tea of the laptop"]);
    assert_eq!(contents(&house, &second).await, ["tea of another"]);
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    assert_eq!(contents(&house, &anybody).await.len(), 2);
}

#[tokio::test]
async fn another_user_than_the_keys_is_refused_on_every_operation() {
    let house = house();
    let ada = with_key(&house, "ada", &[], Some("ada"), false).await;
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    let secret = add(&house, &anybody, json!({ "content": "a secret of bob", "user": "bob" })).await;
    for operation in [
        json!({ "operation": "add", "content": "x", "user": "bob" }),
        json!({ "operation": "ingest", "user": "bob", "session": "s", "messages": [{ "role": "user", "content": "hello" }] }),
        json!({ "operation": "context", "message": "secret?", "user": "bob" }),
        json!({ "operation": "search", "query": "secret", "filter": { "user": "bob" } }),
        json!({ "operation": "list", "filter": { "user": "bob" } }),
        json!({ "operation": "clear", "filter": { "user": "bob" } }),
        json!({ "operation": "forget", "filter": { "user": "bob" }, "confirmed": true }),
        json!({ "operation": "sessions_list", "user": "bob" }),
        json!({ "operation": "episodes_list", "user": "bob" }),
        json!({ "operation": "transcript", "user": "bob" }),
        json!({ "operation": "graph_show", "user": "bob" }),
        json!({ "operation": "memory_status", "user": "bob" }),
        json!({ "operation": "identity_show", "user": "bob" }),
        json!({ "operation": "override_add", "user": "bob", "text": "x" }),
        json!({ "operation": "stats" }),
        json!({ "operation": "changes", "after": 0 }),
        json!({ "operation": "sync" }),
    ] {
        assert_eq!(code(&house, &ada, operation.clone()).await, "Denied", "{operation}");
    }
    for operation in [
        json!({ "operation": "show", "id": secret }),
        json!({ "operation": "update", "id": secret, "content": "mine" }),
        json!({ "operation": "history", "id": secret }),
        json!({ "operation": "why", "id": secret }),
        json!({ "operation": "forget", "ids": [secret], "confirmed": true, "purge": true }),
        json!({ "operation": "feedback", "ids": [secret], "judgement": "wrong", "by": "agent" }),
    ] {
        assert_eq!(code(&house, &ada, operation.clone()).await, "NotFound", "{operation}");
    }
    assert_eq!(contents(&house, &ada).await, [""; 0]);
    assert_eq!(contents(&house, &anybody).await, ["a secret of bob"]);
    match execute(&house, &ada, json!({ "operation": "search", "query": "secret" })).await.expect("asked") {
        Outcome::Search(found) => assert!(found.results.is_empty(), "{found:?}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_bound_key_sees_and_writes_its_agents_alone_unless_it_shares_the_user() {
    let house = house();
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    let bound = with_key(&house, "bound", &["coach"], Some("*"), false).await;
    let sharing = with_key(&house, "sharing", &["coach"], Some("ada"), true).await;
    add(&house, &anybody, json!({ "content": "with any agent", "user": "ada", "agent": "coach" })).await;
    add(&house, &anybody, json!({ "content": "heard by clerk", "user": "ada", "agent": "clerk" })).await;
    add(
        &house,
        &anybody,
        json!({ "content": "the agent's", "user": "ada", "agent": "coach", "scope": "agent" }),
    )
    .await;
    add(&house, &bound, json!({ "content": "by the bound one", "user": "ada" })).await;
    assert_eq!(contents(&house, &bound).await, ["the agent's", "by the bound one"]);
    assert!(listed(&house, &bound).await.iter().all(|memory| memory.scope == Scope::Agent));
    let expected = ["with any agent", "heard by clerk", "the agent's", "by the bound one"];
    assert_eq!(contents(&house, &sharing).await, expected);
    for scope in ["user", "project"] {
        let operation = json!({ "operation": "add", "content": "x", "scope": scope, "project": "p" });
        assert_eq!(code(&house, &bound, operation).await, "Denied");
    }
    let own = add(&house, &sharing, json!({ "content": "shared by the sharing one" })).await;
    assert_eq!(code(&house, &bound, json!({ "operation": "show", "id": own })).await, "NotFound");
    assert!(contents(&house, &anybody).await.contains(&"shared by the sharing one".to_owned()));
}

/// The lines of the attack, each with a key of one agent, with one of one user, and with one of both.
#[tokio::test]
async fn h4_an_empty_forget_of_a_bound_key_changes_nothing() {
    let house = house();
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    for user in ["alice", "bob", "carol"] {
        let content = format!("what {user} said");
        add(
            &house,
            &anybody,
            json!({ "content": content, "user": user, "agent": "alpha", "scope": "agent" }),
        )
        .await;
    }
    let before = contents(&house, &anybody).await;
    let attackers = [
        with_key(&house, "agent", &["alpha"], Some("*"), false).await,
        with_key(&house, "user", &[], Some("alice"), false).await,
        with_key(&house, "both", &["alpha"], Some("alice"), false).await,
        with_key(&house, "sharing", &["alpha"], Some("alice"), true).await,
        anybody.clone(),
    ];
    for attacker in &attackers {
        for operation in [
            json!({ "operation": "forget", "purge": true, "confirmed": true }),
            json!({ "operation": "forget", "confirmed": true }),
            json!({ "operation": "forget", "filter": {}, "purge": true, "confirmed": true }),
            json!({ "operation": "forget" }),
            json!({ "operation": "clear" }),
            json!({ "operation": "clear", "filter": {}, "dry_run": true }),
        ] {
            assert_eq!(code(&house, attacker, operation.clone()).await, "InvalidInput", "{operation}");
        }
        assert_eq!(contents(&house, &anybody).await, before, "nothing is changed");
    }
}

#[tokio::test]
async fn h4_a_forget_that_matches_nobody_changes_nothing_and_says_so() {
    let house = house();
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    let bound = with_key(&house, "agent", &["alpha"], Some("*"), false).await;
    add(
        &house,
        &anybody,
        json!({ "content": "what alice said", "user": "alice", "agent": "alpha", "scope": "agent" }),
    )
    .await;
    for caller in [&anybody, &bound] {
        for purge in [false, true] {
            let operation = json!({ "operation": "forget", "filter": { "user": "alise" }, "purge": purge, "confirmed": true });
            match execute(&house, caller, operation).await.expect("asked") {
                Outcome::Forget(forgotten) => {
                    assert_eq!(forgotten.total(), 0);
                    assert!(forgotten.note.expect("it says so").contains("nothing"), "purge {purge}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(contents(&house, &anybody).await, ["what alice said"]);
}

#[tokio::test]
async fn require_owner_holds_for_reads_and_removals_and_a_session_is_its_own_owner() {
    let house = house();
    let anybody = with_key(&house, "all", &[], Some("*"), false).await;
    let operator = operator(&house, "acme").await;
    let on =
        json!({ "operation": "settings_set", "name": "requireOwner", "value": true, "everywhere": false });
    execute(&house, &operator, on).await.expect("set");
    for operation in [
        json!({ "operation": "add", "content": "x" }),
        json!({ "operation": "search", "query": "x" }),
        json!({ "operation": "list" }),
        json!({ "operation": "context", "message": "x" }),
        json!({ "operation": "transcript" }),
        json!({ "operation": "forget", "all": true, "confirmed": true }),
        json!({ "operation": "clear", "all": true }),
        json!({ "operation": "identity_show" }),
    ] {
        assert_eq!(code(&house, &anybody, operation.clone()).await, "InvalidInput", "{operation}");
    }
    add(&house, &anybody, json!({ "content": "said on monday", "session": "monday" })).await;
    add(&house, &anybody, json!({ "content": "said on tuesday", "session": "tuesday" })).await;
    let of = async |session: &str| match execute(
        &house,
        &anybody,
        json!({ "operation": "list", "filter": { "session": session } }),
    )
    .await
    {
        Ok(Outcome::List(listed)) => listed.memories,
        other => panic!("{other:?}"),
    };
    let monday = of("monday").await;
    assert_eq!(monday.len(), 1);
    assert_eq!((monday[0].user.as_str(), monday[0].content.as_str()), ("monday", "said on monday"));
    let ada = with_key(&house, "ada", &[], Some("ada"), false).await;
    assert_eq!(contents(&house, &ada).await, [""; 0], "a key's user is an owner");
}
