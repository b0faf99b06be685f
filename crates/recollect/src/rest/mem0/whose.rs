//! Whose memories a request is about: `user_id`, `agent_id`, `run_id` and `app_id`, beside the rest or inside `filters`.

use memory::types::{AgentId, SessionId, UserId};
use serde_json::{Map, Value};
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};

use crate::fields::Fields;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mem0Owner {
    pub user: Option<UserId>,
    pub agent: Option<AgentId>,
    pub run: Option<SessionId>,
    pub app: Option<String>,
}

impl Mem0Owner {
    /// As it is said where something is written: each a plain name.
    pub fn of_body(body: &Fields<'_>) -> Result<Self, Problem> {
        let said = Self::named(body)?;
        let inside =
            body.object("filters")?.map(|inside| Self::named(&inside)).transpose()?.unwrap_or_default();
        Ok(Self {
            user: said.user.or(inside.user),
            agent: said.agent.or(inside.agent),
            run: said.run.or(inside.run),
            app: said.app.or(inside.app),
        })
    }

    pub fn named(fields: &Fields<'_>) -> Result<Self, Problem> {
        Ok(Self {
            user: fields.id("user_id")?,
            agent: fields.id("agent_id")?,
            run: fields.id("run_id")?,
            app: fields.id("app_id")?,
        })
    }

    pub fn test(&self) -> FilterTest {
        let pairs = [
            (Mem0Field::User, self.user.as_ref().map(UserId::as_str)),
            (Mem0Field::Agent, self.agent.as_ref().map(AgentId::as_str)),
            (Mem0Field::Run, self.run.as_ref().map(SessionId::as_str)),
            (Mem0Field::App, self.app.as_deref()),
        ];
        let said = pairs.into_iter().filter_map(|(field, name)| name.map(|name| (field, name)));
        FilterTest::All(said.map(|(field, name)| FilterTest::equals(field, name)).collect())
    }

    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}

/// Everything that a request narrows by: `filters`, names beside them, and the options of single methods.
pub fn narrowed(object: &Map<String, Value>) -> Result<FilterTest, Problem> {
    let mut tests = Vec::new();
    for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        let one = |value: Value| Value::Object(Map::from_iter([(name.clone(), value)]));
        let bound = |word: &str| serde_json::json!({ "created_at": { word: value } });
        match name.as_str() {
            "filters" => tests.push(FilterTest::read("filters", value)?),
            "user_id" | "agent_id" | "run_id" | "app_id" | "categories" | "metadata" | "keywords" => {
                tests.push(FilterTest::read("", &one(value.clone()))?);
            }
            "start_date" => tests.push(FilterTest::read("", &bound("gte"))?),
            "end_date" => tests.push(FilterTest::read("", &bound("lte"))?),
            _ => {}
        }
    }
    Ok(FilterTest::All(tests))
}
