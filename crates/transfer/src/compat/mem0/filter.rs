//! mem0's filters: conditions on fields, joined by `AND`, `OR` and `NOT`.
//!
//! `{"user_id": "u1"}` is equality; `{"created_at": {"gte": …}}` names an operator; `"*"` means that there is a value at
//! all; several fields side by side must all hold. A field that is none of ours is a key of the metadata. Here a filter is
//! read and held against a memory; how much of it a store can do is for others to find out.

use std::cmp::Ordering;

use memory::types::{Memory, Time};
use serde_json::{Map, Value};

use super::row;
use crate::limits;

/// A filter that cannot be read: where in it, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{place}`: {message}")]
pub struct WrongFilter {
    pub place: String,
    pub message: String,
}

/// What must hold of a memory.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterTest {
    All(Vec<FilterTest>),
    Any(Vec<FilterTest>),
    Not(Box<FilterTest>),
    Is(Mem0Field, Is),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mem0Field {
    User,
    Agent,
    Run,
    App,
    Created,
    Updated,
    /// What it says.
    Content,
    Categories,
    Id,
    Metadata(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Is {
    OneOf(Vec<Value>),
    /// Also where there is no value.
    NoneOf(Vec<Value>),
    Compared(Comparison, Value),
    Containing {
        text: String,
        any_case: bool,
    },
    Present,
    Absent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl Mem0Field {
    fn of(name: &str) -> Self {
        match name {
            "user_id" => Mem0Field::User,
            "agent_id" => Mem0Field::Agent,
            "run_id" => Mem0Field::Run,
            "app_id" => Mem0Field::App,
            "created_at" | "timestamp" => Mem0Field::Created,
            "updated_at" => Mem0Field::Updated,
            "keywords" | "memory" | "data" => Mem0Field::Content,
            "categories" => Mem0Field::Categories,
            "memory_ids" | "id" => Mem0Field::Id,
            other => Mem0Field::Metadata(other.to_owned()),
        }
    }
}

impl FilterTest {
    /// Everything passes.
    pub fn none() -> Self {
        FilterTest::All(Vec::new())
    }

    pub fn equals(field: Mem0Field, value: impl Into<Value>) -> Self {
        FilterTest::Is(field, Is::OneOf(vec![value.into()]))
    }

    /// Reads the value of `filters`; `place` is where it stands, for messages, and empty at the top.
    pub fn read(place: &str, filters: &Value) -> Result<Self, WrongFilter> {
        let mut reader = FilterReader { left: limits::FILTER_CONDITIONS };
        reader.test(place, filters, 0)
    }

    /// Whether it says anything of a field.
    pub fn mentions(&self, field: &Mem0Field) -> bool {
        match self {
            FilterTest::All(tests) | FilterTest::Any(tests) => tests.iter().any(|test| test.mentions(field)),
            FilterTest::Not(test) => test.mentions(field),
            FilterTest::Is(of, _) => of == field,
        }
    }

    pub fn holds(&self, memory: &Memory) -> bool {
        match self {
            FilterTest::All(tests) => tests.iter().all(|test| test.holds(memory)),
            FilterTest::Any(tests) => tests.iter().any(|test| test.holds(memory)),
            FilterTest::Not(test) => !test.holds(memory),
            FilterTest::Is(field, is) => is.holds(field, &values(memory, field)),
        }
    }
}

/// What a memory has in a field; several where it is a list, none where it is empty.
fn values(memory: &Memory, field: &Mem0Field) -> Vec<Value> {
    let text = |text: &str| vec![Value::from(text)];
    match field {
        Mem0Field::User => text(memory.user.as_str()),
        Mem0Field::Agent => text(memory.agent.as_str()),
        Mem0Field::Run => row::run(memory).map(Value::from).into_iter().collect(),
        Mem0Field::App => memory.metadata.get(row::APP).cloned().into_iter().collect(),
        Mem0Field::Created => text(&memory.created_at.to_string()),
        Mem0Field::Updated => text(&memory.updated_at.to_string()),
        Mem0Field::Content => text(&memory.content),
        Mem0Field::Categories => row::categories(memory).into_iter().map(Value::from).collect(),
        Mem0Field::Id => text(memory.id.as_str()),
        Mem0Field::Metadata(key) => match memory.metadata.get(key) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items.clone(),
            Some(value) => vec![value.clone()],
        },
    }
}

impl Is {
    fn holds(&self, field: &Mem0Field, found: &[Value]) -> bool {
        match self {
            Is::OneOf(wanted) => found.iter().any(|value| wanted.contains(value)),
            Is::NoneOf(refused) => !found.iter().any(|value| refused.contains(value)),
            Is::Compared(bound, limit) => found.iter().any(|value| bound.holds(value, limit)),
            Is::Containing { text, any_case } => found.iter().any(|value| contains(value, text, *any_case)),
            Is::Present => is_present(field, found),
            Is::Absent => !is_present(field, found),
        }
    }
}

/// Nobody named it where it has the name that stands in for none.
fn is_present(field: &Mem0Field, found: &[Value]) -> bool {
    let stands_in = |value: &Value| value.as_str() == Some(row::UNNAMED);
    match field {
        Mem0Field::User | Mem0Field::Agent => !found.iter().any(stands_in),
        _ => !found.is_empty(),
    }
}

fn contains(value: &Value, text: &str, any_case: bool) -> bool {
    let Some(value) = value.as_str() else { return false };
    if any_case { value.to_lowercase().contains(&text.to_lowercase()) } else { value.contains(text) }
}

impl Comparison {
    fn of(word: &str) -> Option<Self> {
        match word {
            "gt" => Some(Comparison::Above),
            "gte" => Some(Comparison::AtLeast),
            "lt" => Some(Comparison::Below),
            "lte" => Some(Comparison::AtMost),
            _ => None,
        }
    }

    fn holds(self, value: &Value, limit: &Value) -> bool {
        let order = match (value, limit) {
            (Value::Number(value), Value::Number(limit)) => match (value.as_f64(), limit.as_f64()) {
                (Some(value), Some(limit)) => value.partial_cmp(&limit),
                _ => None,
            },
            (Value::String(value), Value::String(limit)) => Some(value.cmp(limit)),
            _ => None,
        };
        matches!(
            (self, order),
            (Comparison::Above | Comparison::AtLeast, Some(Ordering::Greater))
                | (Comparison::Below | Comparison::AtMost, Some(Ordering::Less))
                | (Comparison::AtLeast | Comparison::AtMost, Some(Ordering::Equal))
        )
    }
}

struct FilterReader {
    /// Conditions that may still come.
    left: usize,
}

impl FilterReader {
    fn test(&mut self, place: &str, value: &Value, depth: usize) -> Result<FilterTest, WrongFilter> {
        if depth > limits::FILTER_DEPTH {
            let message = format!("it is nested deeper than {} levels", limits::FILTER_DEPTH);
            return Err(wrong(place, &message));
        }
        let object = value.as_object().ok_or_else(|| wrong(place, "expected an object"))?;
        let mut tests = Vec::with_capacity(object.len());
        for (name, value) in object {
            let inside = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            tests.push(match name.trim_start_matches('$').to_ascii_uppercase().as_str() {
                "AND" => FilterTest::All(self.list(&inside, value, depth)?),
                "OR" => FilterTest::Any(self.list(&inside, value, depth)?),
                "NOT" => FilterTest::Not(Box::new(FilterTest::Any(self.list(&inside, value, depth)?))),
                "METADATA" if value.is_object() => self.metadata(&inside, value)?,
                _ => self.field(&inside, Mem0Field::of(name), value)?,
            });
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { FilterTest::All(tests) })
    }

    /// A list of tests, or one.
    fn list(&mut self, place: &str, value: &Value, depth: usize) -> Result<Vec<FilterTest>, WrongFilter> {
        let Value::Array(items) = value else { return Ok(vec![self.test(place, value, depth + 1)?]) };
        let item = |(number, item)| self.test(&format!("{place}[{number}]"), item, depth + 1);
        items.iter().enumerate().map(item).collect()
    }

    fn metadata(&mut self, place: &str, value: &Value) -> Result<FilterTest, WrongFilter> {
        let mut tests = Vec::new();
        for (key, value) in value.as_object().into_iter().flatten() {
            tests.push(self.field(&format!("{place}.{key}"), Mem0Field::Metadata(key.clone()), value)?);
        }
        Ok(FilterTest::All(tests))
    }

    fn field(&mut self, place: &str, field: Mem0Field, value: &Value) -> Result<FilterTest, WrongFilter> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            wrong(place, &format!("the filter has more than {} conditions", limits::FILTER_CONDITIONS))
        })?;
        let is = |is| FilterTest::Is(field.clone(), is);
        match value {
            Value::Null => Ok(is(Is::Absent)),
            Value::String(any) if any == "*" => Ok(is(Is::Present)),
            Value::Array(items) => Ok(is(Is::OneOf(normal(place, &field, items)?))),
            Value::Object(operators) => self.operators(place, &field, operators),
            value => Ok(is(Is::OneOf(normal(place, &field, std::slice::from_ref(value))?))),
        }
    }

    fn operators(
        &mut self,
        place: &str,
        field: &Mem0Field,
        all: &Map<String, Value>,
    ) -> Result<FilterTest, WrongFilter> {
        let mut tests = Vec::with_capacity(all.len());
        for (word, value) in all {
            let inside = format!("{place}.{word}");
            tests.push(FilterTest::Is(field.clone(), operator(&inside, field, word, value)?));
        }
        Ok(FilterTest::All(tests))
    }
}

fn operator(place: &str, field: &Mem0Field, word: &str, value: &Value) -> Result<Is, WrongFilter> {
    let one = std::slice::from_ref(value);
    let several = || value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(place, "expected a list"));
    let text = || value.as_str().map(str::to_owned).ok_or_else(|| wrong(place, "expected text"));
    Ok(match word.trim_start_matches('$') {
        "*" => Is::Present,
        "eq" => Is::OneOf(normal(place, field, one)?),
        "ne" => Is::NoneOf(normal(place, field, one)?),
        "in" => Is::OneOf(normal(place, field, several()?)?),
        "nin" => Is::NoneOf(normal(place, field, several()?)?),
        "contains" => Is::Containing { text: text()?, any_case: false },
        "icontains" => Is::Containing { text: text()?, any_case: true },
        other => match Comparison::of(other) {
            Some(bound) => compared(place, field, bound, value)?,
            None => {
                let message = "this operator is unknown; expected eq, ne, in, nin, gt, gte, lt, lte, contains, icontains or *";
                return Err(wrong(place, message));
            }
        },
    })
}

fn compared(place: &str, field: &Mem0Field, bound: Comparison, value: &Value) -> Result<Is, WrongFilter> {
    if !matches!(field, Mem0Field::Created | Mem0Field::Updated) {
        return Ok(Is::Compared(bound, value.clone()));
    }
    let at = moment(value).ok_or_else(|| wrong(place, "expected a day, a moment or seconds since 1970"))?;
    // Up to a day means up to its end, and after a day means after its end.
    let is_day = value.as_str().is_some_and(|text| text.trim().len() == "2026-05-01".len());
    let (bound, at) = match bound {
        Comparison::AtMost if is_day => (Comparison::Below, at.plus_seconds(86_400)),
        Comparison::Above if is_day => (Comparison::AtLeast, at.plus_seconds(86_400)),
        bound => (bound, at),
    };
    Ok(Is::Compared(bound, Value::from(at.to_string())))
}

/// A moment as clients write one: text, or seconds since 1970.
pub fn moment(value: &Value) -> Option<Time> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(seconds) => {
            let seconds = seconds.as_f64().filter(|seconds| (0.0..253_000_000_000.0).contains(seconds))?;
            Some(Time::from_microseconds((seconds * 1e6) as i64))
        }
        _ => None,
    }
}

/// Values as they are compared: times in one spelling, ids as text, because clients that count send numbers.
fn normal(place: &str, field: &Mem0Field, values: &[Value]) -> Result<Vec<Value>, WrongFilter> {
    let one = |value: &Value| match (field, value) {
        (Mem0Field::Created | Mem0Field::Updated, value) => match moment(value) {
            Some(at) => Ok(Value::from(at.to_string())),
            None => Err(wrong(place, "expected a day, a moment or seconds since 1970")),
        },
        (Mem0Field::User | Mem0Field::Agent | Mem0Field::Run | Mem0Field::Id, Value::Number(number)) => {
            Ok(Value::from(number.to_string()))
        }
        (_, value) => Ok(value.clone()),
    };
    values.iter().map(one).collect()
}

fn wrong(place: &str, message: &str) -> WrongFilter {
    let place = place.chars().filter(|character| !character.is_control()).take(200).collect();
    WrongFilter { place, message: message.to_owned() }
}

#[cfg(test)]
mod tests;
