//! Reading a JSON object field by field, so that an error can say which one is wrong and what was expected.
//!
//! For the arguments of tools and for the providers' own bodies; requests of routes are structs ([`crate::request`]). `null` counts
//! as left out. Numbers and switches may not come as text: a client that quotes them has a mistake.

use std::fmt::Display;
use std::str::FromStr;

use serde_json::{Map, Value};
pub use transfer::lenient::what;

use crate::limits;
use crate::problem::{Detail, Problem};

/// A JSON object, the outermost or one inside it.
pub struct Fields<'v> {
    object: &'v Map<String, Value>,
    /// Where it stands: empty, or `messages[3].`
    path: String,
}

impl<'v> Fields<'v> {
    /// The outermost object's fields.
    pub fn of(body: &'v Value) -> Result<Self, Problem> {
        let object = body.as_object().ok_or_else(|| Problem::invalid("expected a JSON object"))?;
        Ok(Self { object, path: String::new() })
    }

    /// The path of a field, for messages.
    pub fn path(&self, name: &str) -> String {
        format!("{}{name}", self.path)
    }

    pub fn get(&self, name: &str) -> Option<&'v Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub fn wrong(&self, name: &str, message: impl Display) -> Problem {
        let path = self.path(name);
        let message = format!("`{path}`: {message}");
        Problem::field(path, message)
    }

    fn expected(&self, name: &str, found: &Value, expected: &str) -> Problem {
        self.wrong(name, format!("it is {}; expected {expected}", what(found)))
    }

    pub fn text(&self, name: &str) -> Result<Option<&'v str>, Problem> {
        self.get(name)
            .map(|value| value.as_str().ok_or_else(|| self.expected(name, value, "text")))
            .transpose()
    }

    pub fn required(&self, name: &str) -> Result<&'v str, Problem> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "it is missing; expected text"))
    }

    /// A text that must be one of something's words.
    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        self.text(name)?.map(|text| text.parse().map_err(|error| self.wrong(name, error))).transpose()
    }

    /// An id. Clients that count their users and conversations send numbers, which are as good as text.
    pub fn id<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(self.expected(name, other, "text")),
        };
        text.parse().map(Some).map_err(|error| self.wrong(name, error))
    }

    pub fn switch(&self, name: &str) -> Result<Option<bool>, Problem> {
        self.get(name)
            .map(|value| value.as_bool().ok_or_else(|| self.expected(name, value, "true or false")))
            .transpose()
    }

    pub fn whole(&self, name: &str) -> Result<Option<usize>, Problem> {
        let whole = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        self.get(name)
            .map(|value| whole(value).ok_or_else(|| self.expected(name, value, "a whole number")))
            .transpose()
    }

    /// One word or a list of them.
    pub fn words<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Vec<T>, Problem> {
        let parse = |text: &str, place: &str| text.parse().map_err(|error| self.wrong(place, error));
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![parse(text, name)?]),
            Some(Value::Array(items)) => {
                let item = |(number, item): (usize, &Value)| {
                    let place = format!("{name}[{number}]");
                    let text = item.as_str().ok_or_else(|| self.expected(&place, item, "text"))?;
                    parse(text, &place)
                };
                items.iter().enumerate().map(item).collect()
            }
            Some(other) => Err(self.expected(name, other, "text or a list of texts")),
        }
    }

    /// A list of objects, each with its place in the path.
    pub fn objects(&self, name: &str) -> Result<Option<Vec<Fields<'v>>>, Problem> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let items = value.as_array().ok_or_else(|| self.expected(name, value, "a list of objects"))?;
        let item = |(number, item): (usize, &'v Value)| {
            let place = format!("{name}[{number}]");
            let object = item.as_object().ok_or_else(|| self.expected(&place, item, "an object"))?;
            Ok(Fields { object, path: format!("{}.", self.path(&place)) })
        };
        items.iter().enumerate().map(item).collect::<Result<_, Problem>>().map(Some)
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
