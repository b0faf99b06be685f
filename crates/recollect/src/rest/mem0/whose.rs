//! Whose memories a request is about: `user_id`, `agent_id`, `run_id` and `app_id`, beside the rest or inside `filters`.
//!
//! Where something is written each names one ([`crate::compat::mem0_names`]); where something is read each is a condition, as those
//! inside `filters` are. The structs are parts of requests ([`crate::request::shape::PARTS`]).

use serde::Deserialize;
use serde_json::{Map, Value};
use transfer::compat::mem0::filter::FilterTest;
use utoipa::ToSchema;

use super::super::schema::AnyObject;
use super::values::Mem0Condition;
use crate::problem::Problem;

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
