//! Reading a provider's own JSON body field by field, so that an error can say which one is wrong and what was expected.
//!
//! Requests of our routes and arguments of tools are structs ([`crate::request`]). `null` counts as left out. Numbers may not come as
//! text: a client that quotes them has a mistake.

use std::fmt::Display;

use serde_json::{Map, Value};
pub use transfer::lenient::what;

use crate::limits;
use crate::problem::{Detail, Problem};
use crate::request::wrong;

/// A JSON object.
pub struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    pub fn of(body: &'v Value) -> Result<Self, Problem> {
        body.as_object().map(Self).ok_or_else(|| Problem::invalid("expected a JSON object"))
    }

    pub fn get(&self, name: &str) -> Option<&'v Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub fn wrong(&self, name: &str, message: impl Display) -> Problem {
        wrong(name, message)
    }

    fn expected(&self, name: &str, found: &Value, expected: &str) -> Problem {
        wrong(name, format!("it is {}; expected {expected}", what(found)))
    }

    pub fn text(&self, name: &str) -> Result<Option<&'v str>, Problem> {
        self.get(name)
            .map(|value| value.as_str().ok_or_else(|| self.expected(name, value, "text")))
            .transpose()
    }

    pub fn whole(&self, name: &str) -> Result<Option<usize>, Problem> {
        let whole = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        self.get(name)
            .map(|value| whole(value).ok_or_else(|| self.expected(name, value, "a whole number")))
            .transpose()
    }
}

/// The results, or everything that is wrong with them at once, so that a client need not find out one by one.
pub fn all<T>(results: impl IntoIterator<Item = Result<T, Problem>>) -> Result<Vec<T>, Problem> {
    let mut fine = Vec::new();
    let mut first: Option<Problem> = None;
    for result in results {
        match (result, &mut first) {
            (Ok(value), _) => fine.push(value),
            (Err(problem), None) => first = Some(problem),
            (Err(problem), Some(first)) => {
                let room = limits::FIELDS_NAMED.saturating_sub(first.details.len());
                let more: Vec<Detail> = problem.details.into_iter().take(room).collect();
                first.details.extend(more);
            }
        }
    }
    first.map_or(Ok(fine), Err)
}
