//! What a handler takes in: the query, the body, the name in the path.
//!
//! [`QueryParams`] and [`Body`] hold the one struct that describes a request and reads it ([`crate::request`]). A route that takes no
//! parameters or no body says so too ([`Bare`], [`NoBody`]): what is said where nobody listens was meant to narrow something. Each
//! refuses in the one shape of [`crate::problem`].

use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, MatchedPath, Path, Request as HttpRequest};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method, Uri};
use serde_json::{Map, Value};
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use super::foreign;
use crate::app::AppState;
use crate::fields::what;
use crate::problem::{Code, Problem};
use crate::proxy::identity_headers::ChatIdentity;
use crate::request::names::Clients;
use crate::request::values::Nothing;
use crate::request::{self, RequestFields, RequestManner, WireRequest, shape};
use crate::rpc;

/// The parameters behind `?`. One that is empty says nothing.
pub struct QueryParams<T>(pub T);

/// The body, a JSON object; each of its fields may stand in the query instead.
pub struct Body<T>(pub T);

/// The same, where nothing, or `null`, means `{}`.
pub struct AnyBody<T>(pub T);

/// All of a body, for a route whose fields are not known beforehand.
pub struct AnyFields(pub Map<String, Value>);

/// A body that nobody reads, and that must therefore say nothing.
pub struct NoBody;

/// Neither parameters nor a body.
pub struct Bare;

impl<T: WireRequest> FromRequestParts<AppState> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let from = Origin::of(&parts.method, &parts.extensions, &parts.headers)?;
        let given = RequestFields { query: parameters(&parts.uri)?, ..RequestFields::default() };
        request::read(given, from.manner()).map(QueryParams)
    }
}

fn parameters(uri: &Uri) -> Result<Map<String, Value>, Problem> {
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
    let pairs = pairs.map_err(|_| Problem::invalid("the parameters cannot be read"))?;
    let mut given: Map<String, Value> = Map::new();
    for (name, text) in pairs.0 {
        match given.get_mut(&name) {
            None => drop(given.insert(name, text.into())),
            Some(other) if *other == text.as_str() => {}
            Some(Value::Array(several)) => several.push(text.into()),
            // A field that is no list refuses one by its name.
            Some(one) => *one = Value::Array(vec![one.take(), text.into()]),
        }
    }
    Ok(given)
}

impl<T: ToSchema> IntoParams for QueryParams<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = |(name, schema, about, required): (String, Value, Option<String>, bool)| {
            let schema = serde_json::from_value(schema).expect("a schema stays one");
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .description(about)
                .required(if required { Required::True } else { Required::False })
                .schema(Some::<utoipa::openapi::RefOr<utoipa::openapi::Schema>>(schema))
                .build()
        };
        shape::parameters::<T>().into_iter().map(parameter).collect()
    }
}

impl<T: WireRequest> FromRequest<AppState> for Body<T> {
    type Rejection = Problem;

    async fn from_request(http: HttpRequest, state: &AppState) -> Result<Self, Problem> {
        let from = Origin::of(http.method(), http.extensions(), http.headers())?;
        let query = parameters(http.uri())?;
        let body = object(&bytes(http, state).await?)?;
        request::read(RequestFields { body, query }, from.manner()).map(Body)
    }
}

impl<T: WireRequest> FromRequest<AppState> for AnyBody<T> {
    type Rejection = Problem;

    async fn from_request(http: HttpRequest, state: &AppState) -> Result<Self, Problem> {
        let from = Origin::of(http.method(), http.extensions(), http.headers())?;
        let query = parameters(http.uri())?;
        let body = match bytes(http, state).await?.trim_ascii() {
            b"" | b"null" => Map::new(),
            bytes => object(bytes)?,
        };
        request::read(RequestFields { body, query }, from.manner()).map(AnyBody)
    }
}

impl FromRequest<AppState> for AnyFields {
    type Rejection = Problem;

    async fn from_request(http: HttpRequest, state: &AppState) -> Result<Self, Problem> {
        object(&bytes(http, state).await?).map(AnyFields)
    }
}

impl FromRequest<AppState> for NoBody {
    type Rejection = Problem;

    async fn from_request(http: HttpRequest, state: &AppState) -> Result<Self, Problem> {
        let ours = foreign::clients(http.method(), matched(http.extensions())) == Clients::Ours;
        let said = bytes(http, state).await?;
        match said.trim_ascii() {
            b"" | b"null" | b"{}" => Ok(NoBody),
            _ if ours => Err(Problem::invalid(
                "this route takes no body, and one is sent; expected parameters or nothing",
            )),
            _ => Ok(NoBody),
        }
    }
}

impl FromRequest<AppState> for Bare {
    type Rejection = Problem;

    async fn from_request(http: HttpRequest, state: &AppState) -> Result<Self, Problem> {
        let (mut parts, body) = http.into_parts();
        QueryParams::<Nothing>::from_request_parts(&mut parts, state).await?;
        NoBody::from_request(HttpRequest::from_parts(parts, body), state).await.map(|NoBody| Bare)
    }
}

/// Where a request comes from: whose clients call the route, and whom its headers name.
struct Origin {
    clients: Clients,
    who: Vec<(&'static str, String)>,
}

impl Origin {
    fn of(method: &Method, extensions: &Extensions, headers: &HeaderMap) -> Result<Self, Problem> {
        Ok(Self { clients: foreign::clients(method, matched(extensions)), who: named(headers)? })
    }

    fn manner(&self) -> RequestManner<'_> {
        RequestManner { clients: self.clients, defaults: &self.who }
    }
}

/// The path as the route has it, `/api/memory/{id}`.
fn matched(extensions: &Extensions) -> &str {
    extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// Whom the headers name, as a request would.
pub fn named(headers: &HeaderMap) -> Result<Vec<(&'static str, String)>, Problem> {
    let who = ChatIdentity::of(headers)?;
    let said = [
        ("agent_id", who.agent.map(String::from)),
        ("user_id", who.user.map(String::from)),
        ("session_id", who.session.map(String::from)),
    ];
    Ok(said.into_iter().filter_map(|(name, id)| Some((name, id?))).collect())
}

async fn bytes(http: HttpRequest, state: &AppState) -> Result<Bytes, Problem> {
    Bytes::from_request(http, state).await.map_err(|rejection| rpc::unread(&rejection))
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Problem> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(Problem::invalid(format!("the body is {}; expected a JSON object", what(&other)))),
        Err(error) => Err(Problem::invalid(format!("the body is not JSON: {error}"))),
    }
}

/// The one name in a path, as it was meant: what cannot be a name of anything names nothing.
pub struct PathId(pub String);

impl PathId {
    /// As an id of something, which the 404 names.
    pub fn of<T: FromStr>(&self, what: &str) -> Result<T, Problem> {
        self.0.parse().map_err(|_| nothing(what, &self.0))
    }
}

impl FromRequestParts<AppState> for PathId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Self(name)),
            Err(_) => Err(Problem::new(Code::NotFound, "nothing can have this name")),
        }
    }
}

/// There is no such thing.
pub fn nothing(what: &str, name: &str) -> Problem {
    let name = memory::error::shown(name);
    Problem::new(Code::NotFound, format!("there is no {what} {name}"))
}
