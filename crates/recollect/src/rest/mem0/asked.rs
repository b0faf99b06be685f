//! What mem0's clients send: a body or parameters, field by field, with each field under mem0's own name.
//!
//! Their clients send fields of their own, which pass; what looks like a name or a filter and is none is refused
//! ([`crate::request::names`]). Whom the headers name counts where the request names nobody.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use serde_json::{Map, Value};

use super::super::extract::named;
use crate::app::AppState;
use crate::fields::{Fields, what};
use crate::problem::Problem;
use crate::request::names::{self, Clients};
use crate::request::wrong;
use crate::rpc;

/// The fields that mean something here.
const FIELDS: &[&str] = &[
    "messages",
    "user_id",
    "agent_id",
    "run_id",
    "app_id",
    "org_id",
    "project_id",
    "metadata",
    "infer",
    "version",
    "output_format",
    "filters",
    "query",
    "top_k",
    "limit",
    "threshold",
    "fields",
    "categories",
    "keywords",
    "start_date",
    "end_date",
    "page",
    "page_size",
    "show_expired",
    "timestamp",
    "expiration_date",
    "text",
    "data",
    "memory",
    "memories",
    "memory_id",
    "feedback",
    "feedback_reason",
    "confirm",
    "delete_linked",
];

/// Those of them that say whose and which, and may stand in the query beside a body.
const NARROWING: &[&str] = &[
    "user_id",
    "agent_id",
    "run_id",
    "app_id",
    "filters",
    "categories",
    "keywords",
    "start_date",
    "end_date",
];

/// A body that must be there.
pub struct Mem0Body(Value);

/// The same, where nothing, or `null`, means `{}`.
pub struct Mem0AnyBody(Value);

/// What stands behind `?`, as it would stand in a body.
pub struct Parameters(pub Map<String, Value>);

impl Mem0Body {
    pub fn fields(&self) -> Fields<'_> {
        Fields::of(&self.0).expect("only objects are taken in")
    }

    pub fn into_object(self) -> Map<String, Value> {
        match self.0 {
            Value::Object(object) => object,
            _ => unreachable!("only objects are taken in"),
        }
    }
}

impl Mem0AnyBody {
    pub fn into_object(self) -> Map<String, Value> {
        match self.0 {
            Value::Object(object) => object,
            _ => unreachable!("only objects are taken in"),
        }
    }

    pub fn fields(&self) -> Fields<'_> {
        Fields::of(&self.0).expect("only objects are taken in")
    }
}

impl Parameters {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub fn whole(&self, name: &str) -> Result<Option<usize>, Problem> {
        let number = |text: &str| text.parse().map_err(|_| wrong(name, "expected a whole number"));
        self.text(name).map(number).transpose()
    }
}

impl FromRequest<AppState> for Mem0Body {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let (headers, query) = (request.headers().clone(), parameters(request.uri())?);
        read(&bytes(request, state).await?, query, &headers).map(Self)
    }
}

impl FromRequest<AppState> for Mem0AnyBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let (headers, query) = (request.headers().clone(), parameters(request.uri())?);
        match bytes(request, state).await?.trim_ascii() {
            b"" | b"null" => read(b"{}", query, &headers).map(Self),
            body => read(body, query, &headers).map(Self),
        }
    }
}

impl FromRequestParts<AppState> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        settled(parameters(&parts.uri)?, &parts.headers).map(Self)
    }
}

fn parameters(uri: &Uri) -> Result<Map<String, Value>, Problem> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let pairs = pairs.map_err(|_| Problem::invalid("the parameters cannot be read"))?;
    let mut read = Map::new();
    for (name, text) in pairs.0.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        let value = match name.as_str() {
            "filters" | "metadata" => {
                serde_json::from_str(&text).map_err(|_| wrong(&name, "it is not JSON; expected an object"))?
            }
            _ => Value::from(text),
        };
        read.insert(name, value);
    }
    Ok(read)
}

async fn bytes(request: Request, state: &AppState) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state).await.map_err(|rejection| rpc::unread(&rejection))
}

/// A body, with what the query says of whose and which.
fn read(body: &[u8], query: Map<String, Value>, headers: &HeaderMap) -> Result<Value, Problem> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => {
            let mut object = names::settled(object, FIELDS, Clients::Theirs)?;
            for (name, value) in names::settled(query, FIELDS, Clients::Theirs)? {
                let said = object.get(&name).filter(|said| !said.is_null());
                if said.is_some_and(|said| *said != value) && NARROWING.contains(&name.as_str()) {
                    return Err(wrong(
                        &name,
                        "the body says another thing than the query; expected one of them",
                    ));
                }
                if said.is_none() && NARROWING.contains(&name.as_str()) {
                    object.insert(name, value);
                }
            }
            settled(object, headers).map(Value::Object)
        }
        Ok(other) => Err(Problem::invalid(format!("the body is {}; expected a JSON object", what(&other)))),
        Err(error) => Err(Problem::invalid(format!("the body is not JSON: {error}"))),
    }
}

fn settled(object: Map<String, Value>, headers: &HeaderMap) -> Result<Map<String, Value>, Problem> {
    let mut object = names::settled(object, FIELDS, Clients::Theirs)?;
    for (name, value) in named(headers)? {
        let name = if name == "session_id" { "run_id" } else { name };
        if object.get(name).is_none_or(Value::is_null) {
            object.insert(name.to_owned(), value.into());
        }
    }
    Ok(object)
}
