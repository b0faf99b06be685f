//! Whose memories a request is about: `user_id`, `agent_id`, `run_id` and `app_id`, beside the rest or inside `filters`.
//!
//! The structs are parts of requests ([`crate::request::shape::PARTS`]). Where something is written each names one; where something
//! is read each is a condition, as those inside `filters` are.

use memory::types::{AgentId, SessionId, UserId};
use serde::Deserialize;
use serde_json::{Map, Value};
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use utoipa::ToSchema;

use super::super::schema::AnyObject;
use super::values::Mem0Condition;
use crate::problem::Problem;
use crate::request::values::{GivenAgent, GivenName, GivenSession, GivenUser};

/// Whose it is, each a plain name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
pub struct Mem0Names {
    /// Whose memory it is.
    pub user_id: Option<GivenUser>,
    /// Of which assistant.
    pub agent_id: Option<GivenAgent>,
    /// Of which conversation.
    pub run_id: Option<GivenSession>,
    /// Of which application, kept as a key of the metadata.
    pub app_id: Option<GivenName>,
}

/// The same names inside `filters`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0NamesInside)]
pub struct NamesInside {
    #[serde(default)]
    whose: Mem0Names,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mem0Owner {
    pub user: Option<UserId>,
    pub agent: Option<AgentId>,
    pub run: Option<SessionId>,
    pub app: Option<String>,
}

impl Mem0Names {
    /// What stands beside the rest counts for more than what stands inside `filters`.
    pub fn or_inside(self, inside: Option<NamesInside>) -> Mem0Owner {
        let (said, inside) = (self.owner(), inside.unwrap_or_default().whose.owner());
        Mem0Owner {
            user: said.user.or(inside.user),
            agent: said.agent.or(inside.agent),
            run: said.run.or(inside.run),
            app: said.app.or(inside.app),
        }
    }

    pub fn owner(self) -> Mem0Owner {
        Mem0Owner {
            user: self.user_id.map(UserId::from),
            agent: self.agent_id.map(AgentId::from),
            run: self.run_id.map(SessionId::from),
            app: self.app_id.map(String::from),
        }
    }
}

impl Mem0Owner {
    /// Each that is named, by mem0's name for it.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, Mem0Field, &str)> {
        let all = [
            ("user_id", Mem0Field::User, self.user.as_ref().map(UserId::as_str)),
            ("agent_id", Mem0Field::Agent, self.agent.as_ref().map(AgentId::as_str)),
            ("run_id", Mem0Field::Run, self.run.as_ref().map(SessionId::as_str)),
            ("app_id", Mem0Field::App, self.app.as_deref()),
        ];
        all.into_iter().filter_map(|(word, field, name)| name.map(|name| (word, field, name)))
    }

    pub fn test(&self) -> FilterTest {
        FilterTest::All(self.named().map(|(_, field, name)| FilterTest::equals(field, name)).collect())
    }

    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}

/// Everything that a list or a search is narrowed by.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Mem0Narrowing {
    /// Only of this user.
    user_id: Option<Mem0Condition>,
    /// Only of this agent.
    agent_id: Option<Mem0Condition>,
    /// Only of this conversation.
    run_id: Option<Mem0Condition>,
    /// Only of this application.
    app_id: Option<Mem0Condition>,
    /// Only with one of these tags.
    categories: Option<Mem0Condition>,
    /// Only what says this.
    keywords: Option<Mem0Condition>,
    /// Only with these values in the metadata.
    metadata: Option<Mem0Condition>,
    /// Only what was made at or after this time.
    start_date: Option<Mem0Condition>,
    /// Only what was made until this time.
    end_date: Option<Mem0Condition>,
    /// Conditions on fields, joined by `AND`, `OR` and `NOT`.
    #[schema(value_type = Option<AnyObject>)]
    filters: Option<Map<String, Value>>,
}

impl Mem0Narrowing {
    pub fn test(self) -> Result<FilterTest, Problem> {
        let conditions = [
            ("user_id", self.user_id),
            ("agent_id", self.agent_id),
            ("run_id", self.run_id),
            ("app_id", self.app_id),
            ("categories", self.categories),
            ("keywords", self.keywords),
            ("metadata", self.metadata),
        ];
        let bounds = [("gte", self.start_date), ("lte", self.end_date)];
        let one = |name: &str, value: Value| Value::Object(Map::from_iter([(name.to_owned(), value)]));
        let fields = conditions.into_iter().filter_map(|(name, is)| Some(one(name, is?.0)));
        let times = bounds.into_iter().filter_map(|(word, at)| Some(one("created_at", one(word, at?.0))));
        let mut tests = Vec::new();
        for test in fields.chain(times) {
            tests.push(FilterTest::read("", &test)?);
        }
        if let Some(filters) = self.filters {
            tests.push(FilterTest::read("filters", &Value::Object(filters))?);
        }
        Ok(FilterTest::All(tests))
    }
}
