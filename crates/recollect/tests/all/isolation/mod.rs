//! The wall between tenants: whatever one asks for with another's ids, nothing comes of it, and nothing shows that there
//! would have been something.
//!
//! One tenant is filled with everything there is, and a word that only its records hold. Then every operation of the
//! interface's description ([`openapi`]), every operation of the socket ([`socket`]) and every command that takes an id
//! ([`commands`]) is tried by another tenant: once with the first one's ids, once with ids that nobody has. Both must
//! come to the same. The lists of what there is to try are taken from the code, so that whoever adds an operation has to
//! say here which ids it takes.

mod commands;
mod openapi;
mod socket;

use axum::http::Method;
use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Memory, SessionKey};
use recollect::ops::Services;
use serde_json::{Value, json};
use store::{Credential, Role, Tenant};
use testkit::{ManualClock, build};

use crate::rest::api::{Api, operate};

/// What only the filled tenant's records say.
const MARKER: &str = "zanzibarium";

/// The same as a name, by which the graph knows it.
const PLACE: &str = "Zanzibarium";

/// What stands beside it, by which it is looked for.
const WORDS: &str = "carpenter boat";

/// Names of records, by which one may ask for them.
#[derive(Debug, Clone)]
pub struct RecordNames {
    pub memory: String,
    pub rule: String,
    pub session: String,
    pub episode: String,
    pub turn: String,
    pub held: String,
    pub line: String,
    pub relation: String,
    pub entity: String,
    pub agent: String,
    pub user: String,
    pub key: String,
    pub memory_key: String,
    pub run: String,
}

impl RecordNames {
    /// Sound, and nobody's.
    pub fn made_up() -> RecordNames {
        let made = |prefix: &str| format!("{prefix}_01890a5d-ac96-774b-bcce-b302099a8057");
        RecordNames {
            memory: made("mt"),
            rule: "mt_01890a5d-ac96-774b-bcce-b302099a8058".to_owned(),
            session: "nobodys-session".to_owned(),
            episode: made("ep"),
            turn: made("tu"),
            held: made("he"),
            line: made("ov"),
            relation: made("re"),
            entity: made("en"),
            agent: "nobodys-agent".to_owned(),
            user: "nobodys-user".to_owned(),
            key: made("key"),
            memory_key: "nobodys-place".to_owned(),
            run: made("ru"),
        }
    }

    fn all(&self) -> [&str; 14] {
        [
            &self.memory,
            &self.rule,
            &self.session,
            &self.episode,
            &self.turn,
            &self.held,
            &self.line,
            &self.relation,
            &self.entity,
            &self.agent,
            &self.user,
            &self.key,
            &self.memory_key,
            &self.run,
        ]
    }

    /// The text with these names taken out, so that answers about different ones compare.
    fn blotted(&self, text: &str) -> String {
        self.all().iter().fold(text.to_owned(), |text, id| text.replace(id, "·"))
    }
}

/// A tenant that has some of everything.
struct Filled {
    api: Api,
    ids: RecordNames,
}

impl Filled {
    async fn new(house: &Services) -> Filled {
        let api = Api::of(house, "first", Role::Admin, &[]).await;
        let (agent, user, session) = ("firsts-agent", "firsts-user", "firsts-session");
        let about = json!({ "agent": agent, "user": user });
        let with = |fields: Value| {
            let mut whole = about.clone();
            whole.as_object_mut().expect("an object").extend(fields.as_object().cloned().expect("an object"));
            whole
        };
        let content = format!("{MARKER} is a {WORDS}");
        let memory = api.add(with(json!({ "content": content, "key": "firsts-place" }))).await;
        let rule = format!("Always say {MARKER} to the {WORDS}");
        let rule = api.add(with(json!({ "content": rule, "kind": "rule", "layer": "procedural" }))).await;
        let said = format!(
            "My name is Ada. I work at {PLACE} Works as a {WORDS} builder, and I live in {PLACE} Bay by the sea."
        );
        let body = json!({ "conversation_id": session, "agent_id": agent, "user_id": user, "turns": [{ "user": said }] });
        let ingested = api.call(Method::POST, "/memory/ingest", body).await;
        assert_eq!(ingested.status, 200, "{}", ingested.text);
        let profile = json!({ "text": format!("{MARKER} is my home") });
        assert_eq!(
            api.call(Method::PUT, &format!("/api/memory/identity?userId={user}"), profile).await.status,
            200
        );
        let line = json!({ "text": format!("Mind the {MARKER}") });
        let line =
            api.call(Method::POST, &format!("/api/memory/identity/overrides?userId={user}"), line).await;
        let named = json!({ "id": agent, "name": format!("{MARKER} agent"), "description": MARKER });
        assert_eq!(api.call(Method::POST, "/agents", named).await.status, 201);
        let key = api.call(Method::POST, "/api/keys", json!({ "name": MARKER })).await;
        api.add(with(json!({ "content": format!("a {MARKER} to be forgotten"), "kind": "event" }))).await;
        let cleared = api.delete("/api/memory?type=event&q=forgotten").await;
        let tenant = tenant(&api).await;
        let (held, turn) = waiting(&tenant, agent, user, session).await;
        let episode = api.get("/api/memory/episodes").await.column("id").remove(0);
        let graph = api.get("/api/memory/graph").await.body;
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned();
        let ids = RecordNames {
            memory,
            rule,
            session: session.to_owned(),
            episode,
            turn,
            held,
            line: text(&line.body["override"]["id"]),
            relation: text(&graph["relations"][0]["id"]),
            entity: text(&graph["entities"][0]["id"]),
            agent: agent.to_owned(),
            user: user.to_owned(),
            key: text(&key.body["id"]),
            memory_key: "firsts-place".to_owned(),
            run: text(&cleared.body["runIds"][0]),
        };
        Filled { api, ids }
    }

    /// Everything the tenant has, and the number of its last commit: whatever writes raises it.
    async fn dump(&self) -> Value {
        let RecordNames { agent, user, session, memory, .. } = &self.ids;
        let questions = [
            json!({ "operation": "list", "limit": 200, "filter": { "statuses": ["active", "held", "superseded", "archived", "deleted"] } }),
            json!({ "operation": "show", "id": memory }),
            json!({ "operation": "session_show", "session": session, "agent": agent, "user": user }),
            json!({ "operation": "episodes_list" }),
            json!({ "operation": "transcript", "limit": 200 }),
            json!({ "operation": "identity_show", "user": user }),
            json!({ "operation": "identity_versions", "user": user }),
            json!({ "operation": "agent_show", "id": agent }),
            json!({ "operation": "graph_show" }),
            json!({ "operation": "pending_list" }),
            json!({ "operation": "settings_list" }),
            json!({ "operation": "keys_list" }),
            json!({ "operation": "changes" }),
        ];
        let mut answers = Vec::new();
        for question in questions {
            let operation = serde_json::from_value(question).expect("an operation");
            let answer = operate(&self.api.house, "first", operation).await;
            answers.push(serde_json::to_value(answer).expect("plain data"));
        }
        for key in answers[11]["keys"].as_array_mut().expect("keys") {
            // Written late, for whoever used it before.
            key.as_object_mut().expect("a key").remove("last_used_at");
        }
        Value::Array(answers)
    }

    /// What was answered about an id of this tenant, beside what was answered about one that nobody has.
    fn compare(&self, what: &str, asked: &str, about_ours: &ProbeAnswer, about_nobodys: &ProbeAnswer) {
        assert!(!about_ours.text.to_lowercase().contains(MARKER), "{what} tells: {}", about_ours.text);
        for id in self.ids.all().iter().filter(|id| !asked.contains(**id)) {
            assert!(!about_ours.text.contains(id), "{what} names {id}: {}", about_ours.text);
        }
        let ours = (about_ours.status, shape(&about_ours.body));
        let nobodys = (about_nobodys.status, shape(&about_nobodys.body));
        assert_eq!(ours, nobodys, "{what} differs:\n{}\n{}", about_ours.text, about_nobodys.text);
        if about_ours.status >= 400 {
            let (ours, nobodys) =
                (self.ids.blotted(&about_ours.text), RecordNames::made_up().blotted(&about_nobodys.text));
            assert_eq!(ours, nobodys, "{what}");
        }
    }
}

/// What came back, whichever way it was asked.
pub struct ProbeAnswer {
    pub status: u16,
    pub text: String,
    pub body: Value,
}

/// A small tenant of somebody else's.
async fn stranger(house: &Services, name: &str) -> Api {
    let api = Api::of(house, name, Role::Admin, &[]).await;
    api.add(json!({ "content": "likes tea" })).await;
    api.talk(
        "own",
        &["I moved to Irvine last week, and I work at Acme Corp as a painter, which I like a lot."],
    )
    .await;
    api
}

/// Something held, and a turn that waits.
async fn waiting(tenant: &Tenant, agent: &str, user: &str, session: &str) -> (String, String) {
    let clock = ManualClock::default();
    let owner = build::owner(agent, user);
    let key = SessionKey::new(&owner, build::session_id(session));
    let mut held = build::held(&clock, session, &format!("{MARKER} is to be held"));
    held.session = key.clone();
    held.memory = Memory { agent: owner.agent.clone(), user: owner.user.clone(), ..held.memory };
    let turn = build::turn_in(&clock, &key, &format!("{MARKER} waits"));
    let ids = (held.id.as_str().to_owned(), turn.id.as_str().to_owned());
    let batch = Batch::new(Actor::Person, clock.now())
        .insert(held)
        .with(Change::AppendTurns { turns: vec![turn], pending: true });
    tenant.apply(batch).await.expect("written");
    assert_eq!(tenant.held(&key).await.expect("read").len(), 1);
    ids
}

async fn tenant(api: &Api) -> Tenant {
    let credential = Credential::Operator { tenant: api.tenant.parse().expect("a name") };
    let caller = api.house.admit(credential).await.expect("let in");
    api.house.attend(caller.tenant()).await.expect("opened")
}

/// Names and types without what they hold.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Null => Value::Null,
        Value::Bool(_) => json!("a switch"),
        Value::Number(_) => json!("a number"),
        Value::String(_) => json!("text"),
    }
}
