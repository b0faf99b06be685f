//! Settings of memory's behaviour: list, get, set, reset, for one tenant or everywhere.
//!
//! A tenant's own value is stronger than the one set everywhere, which is stronger than the built-in default.

use std::collections::BTreeMap;

use memory::ports::{ReadStore, WriteStore};
use memory::settings::{self, Setting, Settings, TABLE};
use memory::types::{Actor, Batch, Change};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::OpContext;
use crate::fields;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsList {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsGet {
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsSet {
    pub name: String,
    /// In its own type, or as text that is read as a command line writes it.
    pub value: Value,
    /// For all tenants that do not say otherwise.
    #[serde(default)]
    pub everywhere: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsReset {
    pub name: String,
    #[serde(default)]
    pub everywhere: bool,
}

/// Several at once, all or none, for this tenant; null takes one back to its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsPut {
    pub values: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SettingsListed {
    pub settings: Vec<SettingValue>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SettingValue {
    pub name: String,
    /// What is in force in this tenant.
    pub value: Value,
    pub source: SettingSource,
    pub default: Value,
    pub allowed: String,
    pub about: String,
}

/// Who set the value that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingSource {
    Default,
    Everywhere,
    Tenant,
}

pub(super) async fn list(visit: &OpContext<'_>, _: SettingsList) -> Result<SettingsListed, Problem> {
    let layers = SettingLayers::read(visit).await?;
    Ok(SettingsListed { settings: TABLE.iter().map(|setting| layers.value(setting)).collect() })
}

pub(super) async fn get(visit: &OpContext<'_>, request: SettingsGet) -> Result<SettingValue, Problem> {
    let setting = settings::find(&request.name)?;
    Ok(SettingLayers::read(visit).await?.value(setting))
}

pub(super) async fn set(visit: &OpContext<'_>, request: SettingsSet) -> Result<SettingValue, Problem> {
    let setting = settings::find(&request.name)?;
    let value = match &request.value {
        Value::String(text) => setting.parse(text)?,
        value => setting.check(value)?,
    };
    check_provider(visit, setting, &value)?;
    put(visit, setting, Some(value), request.everywhere).await
}

pub(super) async fn reset(visit: &OpContext<'_>, request: SettingsReset) -> Result<SettingValue, Problem> {
    put(visit, settings::find(&request.name)?, None, request.everywhere).await
}

pub(super) async fn put_all(visit: &OpContext<'_>, request: SettingsPut) -> Result<SettingsListed, Problem> {
    let values = flattened(&request.values)?;
    let checked = fields::all(values.iter().map(|(name, value)| checked(name, value)))?;
    let mut named = BTreeMap::new();
    for (setting, value) in checked.into_iter().flatten() {
        value.iter().try_for_each(|value| check_provider(visit, setting, value))?;
        if named.insert(setting.name, value).is_some() {
            let message = format!("`{}` is given twice, under two of its names; expected one", setting.name);
            return Err(Problem::field(setting.name, message));
        }
    }
    let mut batch = Batch::new(Actor::Person, visit.now);
    let switches = named.keys().any(|name| SWITCHES.contains(name));
    for (name, value) in named {
        batch = batch.with(Change::SetSetting { name: name.to_owned(), value });
    }
    if !batch.changes.is_empty() {
        visit.tenant.apply(batch).await?;
    }
    if switches {
        tell_worker(visit, false).await?;
    }
    list(visit, SettingsList {}).await
}

/// Settings that say whether and when anything is learned by itself.
const SWITCHES: [&str; 2] = ["enabled", "extractionMode"];

/// What waits when learning is switched on, off or over is neither lost nor left until the next start.
async fn tell_worker(visit: &OpContext<'_>, everywhere: bool) -> Result<(), Problem> {
    if let Some(worker) = &visit.house.worker {
        let all = if everywhere { visit.house.tenants().list().await? } else { Vec::new() };
        worker.switched(all.into_iter().chain([visit.tenant.id().clone()]));
    }
    Ok(())
}

/// The values with those of `storage.autoIngest`, which another system's documents nest, under their own names. What else stands there is refused by
/// its path.
fn flattened(values: &BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, Problem> {
    let mut flat = values.clone();
    let Some(Value::Object(storage)) = values.get("storage") else { return Ok(flat) };
    flat.remove("storage");
    for (name, block) in storage {
        let path = format!("storage.{}", memory::error::shown(name));
        let Some(block) = block.as_object().filter(|_| name == "autoIngest") else {
            return Err(Problem::field(
                path,
                "there is no such setting; expected an object `storage.autoIngest`",
            ));
        };
        for (name, value) in block {
            let path = format!("{path}.{}", memory::error::shown(name));
            let wrong = match name.as_str() {
                "enabled" if *value == Value::Bool(true) => continue,
                "enabled" => {
                    "expected true; `extractionMode` says when anything is learned, an agent's own `autoIngest` whether"
                }
                "importanceThreshold" | "maxPerTurn" if flat.contains_key(name) => {
                    "this is given twice; expected one"
                }
                "importanceThreshold" | "maxPerTurn" => {
                    flat.insert(name.clone(), value.clone());
                    continue;
                }
                _ => "there is no such setting; expected `enabled`, `importanceThreshold` or `maxPerTurn`",
            };
            return Err(Problem::field(path, wrong));
        }
    }
    Ok(flat)
}

/// A core model is one of a configured server: another name would silently be no model at all. A known maker of models is taken before a server
/// of theirs is configured, with a warning; a name that is neither is misspelt.
fn check_provider(visit: &OpContext<'_>, setting: &Setting, value: &Value) -> Result<(), Problem> {
    let models = &visit.house.models;
    let given = value.as_str().unwrap_or_default().trim();
    let is_provider = setting.name == "coreModelProvider" && !given.is_empty();
    if !is_provider || models.upstreams().find(given).is_some() {
        return Ok(());
    }
    if is_maker(given) {
        tracing::warn!(
            provider = given,
            "the core model's provider is no configured upstream yet: patterns learn until it is"
        );
        return Ok(());
    }
    let hint = "`recollect doctor` shows whether they answer; another is configured under [upstreams.NAME] or in the environment";
    Err(Problem::field(setting.name, models.expected(&memory::error::shown(given))).hint(hint))
}

/// A setting and what it is to be, or what is wrong, under the name that was given; nothing where another system's setting says what is
/// so in any case.
fn checked(name: &str, value: &Value) -> Result<Option<(&'static Setting, Option<Value>)>, Problem> {
    let blamed = |invalid: memory::error::Invalid| {
        let named = memory::error::shown(name);
        let hint = invalid.hint;
        Problem { hint, ..Problem::field(named, invalid.message) }
    };
    if settings::foreign::is_of_absent_index(name) {
        tracing::info!(
            setting = name,
            "this says how Qdrant is reached and is not in force: vectors stand in the tenant's own file"
        );
        return Ok(None);
    }
    if let Some(granted) = settings::foreign::granted(name, value) {
        return granted.map(|()| None).map_err(blamed);
    }
    let setting = settings::find(name).map_err(blamed)?;
    let value = match value {
        Value::Null => None,
        value => Some(setting.check(value).map_err(blamed)?),
    };
    Ok(Some((setting, value)))
}

async fn put(
    visit: &OpContext<'_>,
    setting: &'static Setting,
    value: Option<Value>,
    everywhere: bool,
) -> Result<SettingValue, Problem> {
    if everywhere {
        visit.house.tenants().set_default_setting(setting.name, value).await?;
    } else {
        let change = Change::SetSetting { name: setting.name.to_owned(), value };
        visit.tenant.apply(Batch::new(Actor::Person, visit.now).with(change)).await?;
    }
    if SWITCHES.contains(&setting.name) {
        tell_worker(visit, everywhere).await?;
    }
    Ok(SettingLayers::read(visit).await?.value(setting))
}

/// The stored layers beside what they come to.
struct SettingLayers {
    everywhere: BTreeMap<String, Value>,
    tenant: BTreeMap<String, Value>,
    effective: Settings,
}

impl SettingLayers {
    async fn read(visit: &OpContext<'_>) -> Result<Self, Problem> {
        let everywhere = visit.house.tenants().default_settings().await?;
        let tenant = ReadStore::settings(&visit.tenant).await?;
        let mut effective = Settings::from_stored([&everywhere, &tenant]);
        // Who else there is is nobody's business whose key is one user's or an agent's.
        let bounds = visit.caller.bounds();
        match visit.caller.user() {
            Some(user) => {
                effective.time_zones.retain(|name, _| name == user.as_str());
                effective.client_time_zones.retain(|name, _| name == user.as_str());
            }
            None if !bounds.agents.is_empty() => {
                effective.time_zones.clear();
                effective.client_time_zones.clear();
            }
            None => {}
        }
        Ok(Self { everywhere, tenant, effective })
    }

    fn value(&self, setting: &'static Setting) -> SettingValue {
        let source = if self.tenant.contains_key(setting.name) {
            SettingSource::Tenant
        } else if self.everywhere.contains_key(setting.name) {
            SettingSource::Everywhere
        } else {
            SettingSource::Default
        };
        SettingValue {
            name: setting.name.to_owned(),
            value: self.effective.get(setting),
            source,
            default: Settings::default().get(setting),
            allowed: setting.kind.allowed(),
            about: setting.about.to_owned(),
        }
    }
}

/// Known makers of models, whose names documents of settings bring along before anybody configured a server of theirs.
const MAKERS: [&str; 14] = [
    "anthropic",
    "openai",
    "google",
    "gemini",
    "mistral",
    "cohere",
    "deepseek",
    "groq",
    "openrouter",
    "ollama",
    "together",
    "xai",
    "azure",
    "bedrock",
];

/// Whether a provider is a known maker of models.
fn is_maker(provider: &str) -> bool {
    MAKERS.iter().any(|known| known.eq_ignore_ascii_case(provider.trim()))
}
