//! How much there is of everything, which settings differ from their defaults, and what models took.

use std::collections::BTreeMap;

use memory::ports::{Census, ReadStore, Usage};
use memory::settings::{Settings, TABLE};
use memory::types::{ProcessingEntry, TenantId, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::OpContext;
use crate::core_model::start_of_day;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stats {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatsReport {
    pub tenant: TenantId,
    /// Whether memory works by itself: the setting `enabled`.
    pub enabled: bool,
    #[serde(flatten)]
    pub census: Census,
    /// Whether an older version learned from what is stored: `relearn` reads it again.
    pub relearn_offered: bool,
    /// Settings that are not at their built-in default.
    pub settings: BTreeMap<String, Value>,
    /// Languages whose word forms search knows.
    pub languages: Vec<String>,
    /// What models took.
    pub models: ModelUse,
}

/// What models took of this tenant's allowance, and how they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelUse {
    /// `upstream/model` that helps with learning, where one is chosen and configured.
    pub core_model: Option<String>,
    /// Whether calls of it go through: `closed` (they do), `open` or `half_open`. Each process has its own opinion; this is
    /// that of the one that answers.
    pub breaker: Option<String>,
    /// Since midnight UTC.
    pub today: Usage,
    pub last_30_days: Usage,
    /// The last few calls, the latest first.
    pub calls: Vec<ProcessingEntry>,
}

pub(super) async fn stats(visit: &OpContext<'_>, _: Stats) -> Result<Box<StatsReport>, Problem> {
    let effective = visit.tenant.settings().await?;
    let defaults = Settings::default();
    let differing = TABLE.iter().filter(|setting| effective.get(setting) != defaults.get(setting));
    let settings = differing.map(|setting| (setting.name.to_owned(), effective.get(setting))).collect();
    let languages = visit.tenant.analyser().languages().iter().map(ToString::to_string).collect();
    let census = visit.tenant.census().await?;
    let models = model_use(visit, &effective).await?;
    let tenant = visit.tenant.id().clone();
    let relearn_offered = super::relearn::is_offered(&visit.tenant).await?;
    let enabled = effective.enabled;
    Ok(Box::new(StatsReport { tenant, enabled, census, relearn_offered, settings, languages, models }))
}

async fn model_use(visit: &OpContext<'_>, settings: &Settings) -> Result<ModelUse, Problem> {
    let client = visit.house.models.chosen(settings);
    let month: Time = start_of_day(visit.now).plus_seconds(-86_400 * (limits::USAGE_DAYS - 1));
    let log = visit.tenant.processing_log(limits::LOG_ROWS_SEARCHED).await?;
    Ok(ModelUse {
        core_model: client.as_ref().map(|client| memory::ports::ChatModel::name(client).to_owned()),
        breaker: client.as_ref().map(|client| client.breaker().to_string()),
        today: visit.tenant.usage_since(start_of_day(visit.now)).await?,
        last_30_days: visit.tenant.usage_since(month).await?,
        calls: log.into_iter().filter(|entry| entry.model.is_some()).take(limits::CALLS_SHOWN).collect(),
    })
}
