//! `GET|PUT /api/settings/memory` and `PATCH /api/memory/recall`: what memory does, by name and value.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use memory::settings::{Setting, TABLE, Type};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type as Kind};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{AnyFields, Bare, Body, QueryParams};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::settings::{SettingsList, SettingsListed, SettingsPut};
use crate::problem::Problem;
use crate::request::values::Nothing;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(get, put)).routes(routes!(recall))
}

/// All settings by name, described by the one table.
#[derive(Debug, Serialize)]
pub struct MemorySettings(Map<String, Value>);

impl PartialSchema for MemorySettings {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(table(false).build()))
    }
}

impl ToSchema for MemorySettings {}

/// Some of them; `null` takes one back to its default.
pub struct SettingsChange;

impl PartialSchema for SettingsChange {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(
            table(true).additional_properties(Some(AdditionalProperties::FreeForm(false))).build(),
        ))
    }
}

impl ToSchema for SettingsChange {}

fn table(for_change: bool) -> ObjectBuilder {
    let object = ObjectBuilder::new().schema_type(SchemaType::new(Kind::Object));
    TABLE.iter().fold(object, |object, setting| {
        let object = object.property(setting.name, described(setting, for_change));
        if for_change { object } else { object.required(setting.name) }
    })
}

fn described(setting: &Setting, nullable: bool) -> ObjectBuilder {
    let kind = match setting.kind {
        Type::Switch => Kind::Boolean,
        Type::Integer { .. } => Kind::Integer,
        Type::Number { .. } => Kind::Number,
        Type::Choice(_) | Type::Text { .. } | Type::Patterns { .. } | Type::TimeZone => Kind::String,
        Type::UserTimeZones => Kind::Object,
    };
    let kind = if nullable { SchemaType::from_iter([kind, Kind::Null]) } else { SchemaType::new(kind) };
    let value = ObjectBuilder::new().schema_type(kind).description(Some(setting.about));
    match setting.kind {
        Type::Integer { min, max } => value.minimum(Some(min)).maximum(Some(max)),
        Type::Number { min, max } => value.minimum(Some(min)).maximum(Some(max)),
        Type::Choice(words) => {
            let words = words.iter().map(|word| Value::from(*word));
            value.enum_values(Some(words.chain(nullable.then_some(Value::Null)).collect::<Vec<_>>()))
        }
        // The bound is in bytes, of which a character has up to four.
        Type::Text { max_bytes } | Type::Patterns { max_bytes } => value.max_length(Some(max_bytes)),
        Type::UserTimeZones => {
            let zone = ObjectBuilder::new().schema_type(SchemaType::new(Kind::String));
            value.additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(zone.build().into()))))
        }
        Type::Switch | Type::TimeZone => value,
    }
}

/// What is in force
#[utoipa::path(get, path = "/api/settings/memory", tag = "settings", operation_id = "getSettings",
    responses((status = 200, description = "Every setting by name", body = MemorySettings)))]
async fn get(
    State(state): State<AppState>,
    caller: Caller,
    _: Bare,
) -> Result<Json<MemorySettings>, Problem> {
    state.house.ask(&caller, SettingsList {}).await.map(by_name).map(Json)
}

/// Change some
///
/// All or none, effective at once. Names may be any that a setting is known by; one that is not known is refused with the
/// nearest that is.
#[utoipa::path(put, path = "/api/settings/memory", tag = "settings", operation_id = "putSettings",
    request_body = SettingsChange,
    responses((status = 200, description = "Every setting, as it now is", body = MemorySettings)))]
async fn put(
    State(state): State<AppState>,
    caller: Caller,
    _: QueryParams<Nothing>,
    AnyFields(values): AnyFields,
) -> Result<Json<MemorySettings>, Problem> {
    let values = values.into_iter().collect();
    state.house.ask(&caller, SettingsPut { values }).await.map(by_name).map(Json)
}

/// Whether memory speaks unasked.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RecallBody {
    enabled: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RecallSwitch {
    enabled: bool,
}

/// Let memory speak unasked, or not
///
/// Off, nothing is put into prompts, while conversations are still captured and learned from.
#[utoipa::path(patch, path = "/api/memory/recall", tag = "settings", operation_id = "switchRecall",
    request_body = RecallBody,
    responses((status = 200, description = "How it is now", body = RecallSwitch)))]
async fn recall(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<RecallBody>,
) -> Result<Json<RecallSwitch>, Problem> {
    let enabled = body.enabled;
    let values = BTreeMap::from([("recallEnabled".to_owned(), Value::Bool(enabled))]);
    state.house.ask(&caller, SettingsPut { values }).await?;
    Ok(Json(RecallSwitch { enabled }))
}

fn by_name(listed: SettingsListed) -> MemorySettings {
    MemorySettings(listed.settings.into_iter().map(|setting| (setting.name, setting.value)).collect())
}
