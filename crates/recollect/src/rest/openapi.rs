//! The description of the whole interface, OpenAPI 3.1, made from the handlers; and a page that shows it.
//!
//! Each handler describes itself. What is the same for all is added here, so that no handler can forget it: how one is
//! let in, and how one is refused. The page (`docs.html`) is one file that loads nothing from elsewhere.

use std::sync::LazyLock;

use axum::Router;
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::info::LicenseBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, ParameterIn, PathItem};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::foreign;
use super::schema::AnyObject;
use crate::app::AppState;
use crate::problem::ProblemBody;
use crate::proxy;
use crate::request::names::Clients;
use crate::request::shape::PARTS;

pub const DOCUMENT: &str = "/openapi.json";
pub const PAGE: &str = "/docs";

/// What the routes are about; each has one.
pub const TAGS: &[(&str, &str)] = &[
    ("memories", "What is remembered: list, write, correct, remove."),
    ("recall", "Find what is remembered, and what a message would get to know."),
    ("conversations", "What was said, and learning from it."),
    ("people", "Who users are, and which assistants there are."),
    ("graph", "Who and what is connected to what."),
    ("settings", "What memory does, and how."),
    ("keys", "Who may ask."),
    ("audit", "What those who answer for safety need to know, apart from memory."),
    ("engine", "How the memory is, and what keeps it well."),
    ("chat", "Chat and embeddings in the formats of OpenAI and Anthropic, with memory in between."),
    ("mem0", "The same memories as mem0's own clients know them."),
    ("server", "Whether the server is well."),
];

/// Answers that need no key: they say nothing about anybody.
const OPEN: &[&str] = &["/healthz", "/readyz"];

const SCHEMES: [&str; 3] = ["bearer", "apiKey", "recollectKey"];

/// How requests are refused: status, name, and when.
const REFUSALS: &[(&str, &str, &str)] = &[
    ("400", "Invalid", "What was asked is wrong; `details` names the fields."),
    ("401", "Unauthorized", "No key is shown, or none that opens this."),
    ("403", "Denied", "The key may not do this."),
    ("404", "NotFound", "There is no such thing in this tenant."),
    ("405", "MethodNotAllowed", "This address does not take this method."),
    ("409", "Conflict", "Somebody was faster; look again and repeat."),
    ("412", "PreconditionFailed", "It is no longer at the version that was named; nothing was changed."),
    ("413", "TooLarge", "The body is too large."),
    ("422", "LimitReached", "A bound that a setting draws is reached."),
    ("429", "RateLimited", "Too many requests; `Retry-After` says when to come back."),
    ("500", "Internal", "Something failed here; the log has the cause under the id in the message."),
    ("503", "Unavailable", "The store is busy or does not answer; try again in a moment."),
];

pub fn routes() -> Router<AppState> {
    // The address that `serve` prints leads somebody who opens it to what answers there.
    let home = get(async || Redirect::to(PAGE));
    Router::new().route(DOCUMENT, get(document)).route(PAGE, get(page)).route("/", home)
}

async fn document() -> Response {
    ([(CONTENT_TYPE, "application/json")], text()).into_response()
}

async fn page() -> Html<&'static str> {
    Html(include_str!("docs.html"))
}

/// The description, for people to read and for clients to be made from.
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let (_, described) = super::described().split_for_parts();
        let mut text = finish(described).to_pretty_json().expect("a description is plain data");
        text.push('\n');
        text
    });
    &TEXT
}

/// What is said before the first route.
pub fn head() -> OpenApi {
    let about = "A long-term memory beside LLM applications. Names are those of the systems it unifies. Every refusal \
                 has one shape: `{\"error\": {\"code\", \"message\", \"hint\", \"details\"}}`.";
    let license = LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build();
    let info = InfoBuilder::new()
        .title("Recollect")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(about))
        .license(Some(license))
        .build();
    let tag = |(name, about): &(&str, &str)| TagBuilder::new().name(*name).description(Some(*about)).build();
    OpenApiBuilder::new().info(info).tags(Some(TAGS.iter().map(tag))).build()
}

/// Adds what no handler says: the chat proxy's addresses, ways in, refusals.
fn finish(mut api: OpenApi) -> OpenApi {
    for (path, id, summary) in CHAT {
        api.paths.paths.insert((*path).to_owned(), PathItem::new(HttpMethod::Post, chat(id, summary)));
    }
    let components = api.components.get_or_insert_with(Components::new);
    add_schemes(components);
    add_refusals(components);
    close(&mut api);
    for (path, item) in &mut api.paths.paths {
        let methods = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in methods.into_iter().flatten() {
            refuse(path, operation);
        }
    }
    api
}

/// Puts the fields of parts beside the others, and says of the bodies of our own routes that they take no other fields.
fn close(api: &mut OpenApi) {
    let mut ours = Vec::new();
    for (path, item) in &api.paths.paths {
        let methods = [(Method::POST, &item.post), (Method::PUT, &item.put), (Method::PATCH, &item.patch)];
        for (method, operation) in methods {
            let body = operation.as_ref().and_then(|operation| operation.request_body.as_ref());
            if let (Some(body), Clients::Ours) = (body, foreign::clients(&method, path)) {
                references(&serde_json::to_value(body).expect("a description is plain data"), &mut ours);
            }
        }
    }
    let Some(components) = &mut api.components else { return };
    let parts: Vec<_> =
        PARTS.iter().filter_map(|name| components.schemas.remove(*name).map(|part| (*name, part))).collect();
    let mut next = 0;
    while let Some(name) = ours.get(next).cloned() {
        next += 1;
        if let Some(schema) = components.schemas.get(&name) {
            references(&serde_json::to_value(schema).expect("a description is plain data"), &mut ours);
        }
    }
    for (name, schema) in &mut components.schemas {
        let RefOr::T(Schema::Object(object)) = schema else { continue };
        for (part, fields) in &parts {
            let is_part = |property: &RefOr<Schema>| matches!(property, RefOr::Ref(reference) if reference.ref_location.ends_with(&format!("/{part}")));
            let RefOr::T(Schema::Object(fields)) = fields else { continue };
            if object.properties.values().any(is_part) {
                object.properties.retain(|_, property| !is_part(property));
                object.properties.extend(fields.properties.clone());
            }
        }
        if ours.contains(name) && !object.properties.is_empty() {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
    }
}

/// Adds the names of the schemas that something refers to.
fn references(node: &Value, names: &mut Vec<String>) {
    match node {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|reference| reference.rsplit('/').next())
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
            fields.values().for_each(|inner| references(inner, names));
        }
        Value::Array(items) => items.iter().for_each(|inner| references(inner, names)),
        _ => {}
    }
}

/// Bodies are the providers' own, which come and go unchanged; their documentation is with them.
const CHAT: &[(&str, &str, &str)] = &[
    (proxy::CHAT, "chatCompletions", "A chat in OpenAI's format, with what is remembered put in"),
    (proxy::EMBEDDINGS, "embeddings", "Vectors of texts, in OpenAI's format"),
];

fn chat(id: &str, summary: &str) -> Operation {
    let content = ContentBuilder::new().schema(Some(AnyObject::schema())).build();
    let body = RequestBodyBuilder::new().content("application/json", content.clone()).build();
    let done = ResponseBuilder::new()
        .description("The upstream's answer")
        .content("application/json", content)
        .build();
    OperationBuilder::new()
        .tag("chat")
        .operation_id(Some(id))
        .summary(Some(summary))
        .request_body(Some(body))
        .response("200", done)
        .build()
}

fn add_schemes(components: &mut Components) {
    let header = |name: &str| SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new(name)));
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let schemes = [bearer, header("X-API-Key"), header("X-Recollect-Key")];
    components
        .security_schemes
        .extend(SCHEMES.iter().map(|name| (*name).to_owned()).zip(schemes.map(RefOr::T)));
}

fn add_refusals(components: &mut Components) {
    components.schemas.insert(ProblemBody::name().into_owned(), ProblemBody::schema());
    let mut schemas = Vec::new();
    ProblemBody::schemas(&mut schemas);
    components.schemas.extend(schemas);
    for (_, name, about) in REFUSALS {
        let shape = Ref::from_schema_name(ProblemBody::name());
        let content = ContentBuilder::new().schema(Some(shape)).build();
        let response =
            ResponseBuilder::new().description(*about).content("application/json", content).build();
        components.responses.insert((*name).to_owned(), RefOr::T(response));
    }
}

/// Adds the refusals that an operation can give for what it takes.
fn refuse(path: &str, operation: &mut Operation) {
    let mut parameters = operation.parameters.iter().flatten();
    let asks = parameters.any(|parameter| match parameter {
        RefOr::T(parameter) => parameter.parameter_in != ParameterIn::Path,
        RefOr::Ref(_) => true,
    });
    let mut statuses = vec!["500"];
    if !OPEN.contains(&path) {
        statuses.extend(["401", "403", "429", "503"]);
        let ways = SCHEMES.iter().map(|scheme| SecurityRequirement::new(*scheme, Vec::<String>::new()));
        // While there is no key, requests from the same machine need none.
        operation.security = Some(ways.chain([SecurityRequirement::default()]).collect());
    }
    if operation.request_body.is_some() {
        statuses.extend(["400", "413"]);
    }
    if asks {
        statuses.push("400");
    }
    if path.contains('{') {
        statuses.push("404");
    }
    for status in statuses {
        let of_status = REFUSALS.iter().find(|(known, _, _)| *known == status);
        let (_, name, _) = of_status.expect("the table has every status that is added");
        let refusal = RefOr::Ref(Ref::from_response_name(*name));
        operation.responses.responses.entry(status.to_owned()).or_insert(refusal);
    }
}
