//! A request from outside, as the one struct that describes it and reads it.
//!
//! ```text
//! an object, from a body, a query or a line of a file
//!   → names: each field by any of its spellings, none that is unknown      names
//!   → shape: what is wanted is there, and each value is what it should be  shape
//!   → serde: the words, ids and moments inside                             values
//! ```
//!
//! The first two come from the struct's own description, so that the description, the reader and the refusal cannot differ.
//! Everything that is wrong is said at once, by the names that the client used. `null` counts as left out, unless the field says
//! that it takes something away.

pub mod names;
pub mod shape;
pub mod values;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::fields::what;
use crate::limits;
use crate::problem::Problem;
use names::Clients;
use shape::{FieldShape, Shape};

/// A struct that is a request: it describes itself and is read by its description.
pub trait WireRequest: ToSchema + DeserializeOwned + 'static {}

impl<T: ToSchema + DeserializeOwned + 'static> WireRequest for T {}

/// How a request came, which decides how it is read.
#[derive(Debug, Clone, Copy)]
pub struct RequestManner<'d> {
    pub clients: Clients,
    /// What counts where the request says nothing: names and values.
    pub defaults: &'d [(&'static str, String)],
}

/// What a request says. A field may stand in the body or in the query; it is the same field.
#[derive(Debug, Default)]
pub struct RequestFields {
    pub body: Map<String, Value>,
    /// All of it is text, and what is empty says nothing.
    pub query: Map<String, Value>,
}

/// Reads a request, or says everything that is wrong with it.
pub fn read<T: WireRequest>(given: RequestFields, manner: RequestManner<'_>) -> Result<T, Problem> {
    let settled = settle(given, &Shape::of::<T>(), manner)?;
    parse(Value::Object(settled.object), &settled.renamed)
}

/// What is left when names and values are as the description wants them.
pub struct Settled {
    pub object: Map<String, Value>,
    /// Paths by the names of the description, and by those that the client used.
    renamed: Vec<(String, String)>,
}

/// Gives every field the name that the description has.
pub fn settle(given: RequestFields, shape: &Shape, manner: RequestManner<'_>) -> Result<Settled, Problem> {
    let mut settling = RequestReading { clients: manner.clients, problems: Vec::new(), renamed: Vec::new() };
    let query = given.query.into_iter().filter(|(_, value)| !is_nothing(value));
    let query = query.map(|(name, value)| {
        let meant = names::understood(&name, shape.names(), Clients::Theirs).ok().flatten();
        let field = meant.and_then(|meant| shape.fields.as_ref()?.get(meant));
        let value = field.map_or(value.clone(), |field| from_text(value, &field.shape));
        (name, value)
    });
    let said = with_defaults(given.body.into_iter().chain(query).collect(), shape, manner.defaults);
    let object = settling.object(said, shape, &Place::default());
    match together(settling.problems) {
        Some(problem) => Err(problem),
        None => Ok(Settled { object, renamed: settling.renamed }),
    }
}

/// What stands in headers counts where the request itself says nothing.
fn with_defaults(
    mut said: Vec<(String, Value)>,
    shape: &Shape,
    defaults: &[(&'static str, String)],
) -> Vec<(String, Value)> {
    let meant = |name: &str| names::understood(name, shape.names(), Clients::Theirs).ok().flatten();
    for (name, value) in defaults {
        let Some(field) = meant(name) else { continue };
        let of_field = |name: &str| meant(name) == Some(field);
        if !said.iter().any(|(name, value)| !value.is_null() && of_field(name)) {
            said.retain(|(name, _)| !of_field(name));
            said.push((field.to_owned(), value.clone().into()));
        }
    }
    said
}

struct RequestReading {
    clients: Clients,
    problems: Vec<Problem>,
    renamed: Vec<(String, String)>,
}

/// Where a value stands, by our names and by the client's.
#[derive(Debug, Clone, Default)]
struct Place {
    ours: String,
    theirs: String,
}

impl Place {
    fn field(&self, ours: &str, theirs: &str) -> Place {
        let join =
            |path: &str, name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        Place { ours: join(&self.ours, ours), theirs: join(&self.theirs, theirs) }
    }

    fn item(&self, number: usize) -> Place {
        Place { ours: format!("{}[{number}]", self.ours), theirs: format!("{}[{number}]", self.theirs) }
    }
}

impl RequestReading {
    fn object(&mut self, given: Vec<(String, Value)>, shape: &Shape, place: &Place) -> Map<String, Value> {
        let Some(fields) = &shape.fields else { return given.into_iter().collect() };
        let mut said: Vec<(&str, String, Value)> = Vec::new();
        for (theirs, value) in given {
            let ours = match names::understood(&theirs, shape.names(), self.clients) {
                Ok(Some(ours)) => ours,
                Ok(None) => continue,
                Err(problem) => {
                    self.problems.push(placed(problem, place));
                    continue;
                }
            };
            match said.iter().find(|(name, ..)| *name == ours) {
                None => said.push((ours, theirs, value)),
                Some((.., other)) if *other == value => {}
                Some((_, other, _)) => {
                    let message = format!(
                        "it says another thing than `{other}`, which is the same field; expected one of them"
                    );
                    self.problems.push(wrong(&place.field(ours, &theirs).theirs, message));
                }
            }
        }
        let mut settled = Map::new();
        for (name, field) in fields {
            let (theirs, given) = match said.iter_mut().find(|(ours, ..)| ours == name) {
                Some((_, theirs, value)) => (theirs.as_str(), Some(value.take())),
                None => (name.as_str(), None),
            };
            let at = place.field(&field.path(name), theirs);
            let Some(value) = self.field(given, field, &at) else { continue };
            if at.ours != at.theirs {
                self.renamed.push((at.ours, at.theirs));
            }
            match &field.part {
                None => drop(settled.insert(name.clone(), value)),
                Some(part) => {
                    let part = settled.entry(part.clone()).or_insert_with(|| Map::new().into());
                    part[name] = value;
                }
            }
        }
        settled
    }

    fn field(&mut self, given: Option<Value>, field: &FieldShape, at: &Place) -> Option<Value> {
        let said = given.filter(|value| !value.is_null() || field.shape.is("null"));
        if said.is_none() && field.required {
            self.wrong(at, &format!("it is missing; expected {}", field.shape.expected()));
        }
        said.map(|value| self.value(value, &field.shape, at))
    }

    fn value(&mut self, given: Value, shape: &Shape, at: &Place) -> Value {
        let fits = match &given {
            _ if shape.kinds.is_empty() => true,
            Value::Null => shape.is("null"),
            Value::Bool(_) => shape.is("boolean"),
            Value::String(_) => shape.is("string"),
            Value::Number(number) => {
                let whole =
                    number.is_u64() || (number.is_i64() && shape.least.is_none_or(|least| least < 0.0));
                shape.is("number") || (shape.is("integer") && whole)
            }
            Value::Array(_) => shape.is("array"),
            Value::Object(_) => shape.is("object"),
        };
        match (given, &shape.items) {
            (Value::Array(items), Some(of)) if fits => {
                let item = |(number, item)| self.value(item, of, &at.item(number));
                Value::Array(items.into_iter().enumerate().map(item).collect())
            }
            (Value::Object(object), _) if fits => {
                Value::Object(self.object(object.into_iter().collect(), shape, at))
            }
            (given, _) if fits => given,
            // One alone is a list of one.
            (given @ (Value::String(_) | Value::Number(_)), Some(of)) if !of.is("object") => {
                Value::Array(vec![self.value(given, of, at)])
            }
            (given, _) => {
                self.wrong(at, &format!("it is {}; expected {}", what(&given), shape.expected()));
                given
            }
        }
    }

    fn wrong(&mut self, at: &Place, message: &str) {
        self.problems.push(wrong(&at.theirs, message));
    }
}

/// A parameter's text as what the description says it is; what cannot be that stays text, and is refused as such.
fn from_text(given: Value, shape: &Shape) -> Value {
    let Value::String(text) = &given else { return given };
    if shape.is("string") || shape.is("array") {
        return given;
    }
    let text = text.trim();
    let read = match text.to_ascii_lowercase().as_str() {
        "true" | "1" if shape.is("boolean") => Some(Value::Bool(true)),
        "false" | "0" if shape.is("boolean") => Some(Value::Bool(false)),
        _ if shape.is("integer") || shape.is("number") => {
            serde_json::from_str::<serde_json::Number>(text).ok().map(Value::Number)
        }
        _ if shape.is("object") => serde_json::from_str::<Map<String, Value>>(text).ok().map(Value::Object),
        _ => None,
    };
    read.unwrap_or(given)
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A field that is to blame.
pub fn wrong(path: &str, message: impl std::fmt::Display) -> Problem {
    Problem::field(path, format!("`{path}`: {message}"))
}

/// The problem of a name inside an object, by its path.
fn placed(mut problem: Problem, place: &Place) -> Problem {
    if let (false, Some(detail)) = (place.theirs.is_empty(), problem.details.first_mut()) {
        let path = format!("{}.{}", place.theirs, detail.field);
        problem.message = problem.message.replacen(&format!("`{}`", detail.field), &format!("`{path}`"), 1);
        (detail.message, detail.field) = (problem.message.clone(), path);
    }
    problem
}

/// Everything that is wrong as one problem: the first one's message, the details of all.
fn together(problems: Vec<Problem>) -> Option<Problem> {
    let mut problems = problems.into_iter();
    let mut first = problems.next()?;
    first.details.extend(problems.flat_map(|problem| problem.details));
    first.details.truncate(limits::FIELDS_NAMED);
    Some(first)
}

/// The words, ids and moments inside. An item of a list that cannot be read is set aside, so that those after it are looked at
/// too.
fn parse<T: WireRequest>(mut object: Value, renamed: &[(String, String)]) -> Result<T, Problem> {
    let mut problems = Vec::new();
    let mut set_aside = 0;
    let read = loop {
        let error = match serde_path_to_error::deserialize::<_, T>(object.clone()) {
            Ok(read) => break Some(read),
            Err(error) => error,
        };
        let path = error.path().to_string();
        let Some((list, number, rest)) = item(&path) else {
            problems.push(refused(&theirs(&path, renamed), error.inner()));
            break None;
        };
        let place = format!("{list}[{}]{rest}", number + set_aside);
        problems.push(refused(&theirs(&place, renamed), error.inner()));
        let items = object.pointer_mut(&format!("/{}", list.replace('.', "/"))).and_then(Value::as_array_mut);
        match items {
            Some(items) if number < items.len() && problems.len() < limits::FIELDS_NAMED => {
                drop(items.remove(number))
            }
            _ => break None,
        }
        set_aside += 1;
    };
    match (together(problems), read) {
        (Some(problem), _) => Err(problem),
        (None, Some(read)) => Ok(read),
        (None, None) => Err(Problem::invalid("the request cannot be read")),
    }
}

/// `messages[3].date` as `messages`, 3 and `.date`.
fn item(path: &str) -> Option<(&str, usize, &str)> {
    let (list, rest) = path.split_once('[')?;
    let (number, rest) = rest.split_once(']')?;
    Some((list, number.parse().ok()?, rest))
}

fn refused(path: &str, error: &serde_json::Error) -> Problem {
    match path {
        "." | "" => Problem::invalid(error.to_string()),
        path => wrong(path, error),
    }
}

/// The path by the names that the client used.
fn theirs(path: &str, renamed: &[(String, String)]) -> String {
    let within =
        |ours: &str| path.strip_prefix(ours).filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let longest =
        renamed.iter().filter_map(|(ours, theirs)| within(ours).map(|rest| (ours.len(), theirs, rest)));
    longest
        .max_by_key(|(length, ..)| *length)
        .map_or(path.to_owned(), |(_, theirs, rest)| format!("{theirs}{rest}"))
}
