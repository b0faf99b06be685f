//! How much there is of everything, and which settings differ from their defaults.

use std::collections::BTreeMap;

use memory::ports::{Census, ReadStore};
use memory::settings::{Settings, TABLE};
use memory::types::TenantId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Visit;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stats {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    pub tenant: TenantId,
    /// Whether memory works by itself: the setting `enabled`.
    pub enabled: bool,
    #[serde(flatten)]
    pub census: Census,
    /// Settings that are not at their built-in default.
    pub settings: BTreeMap<String, Value>,
    /// Languages whose word forms search knows.
    pub languages: Vec<String>,
}

pub(super) async fn stats(visit: &Visit<'_>, _: Stats) -> Result<Box<Counted>, Problem> {
    let effective = visit.tenant.settings().await?;
    let defaults = Settings::default();
    let differing = TABLE.iter().filter(|setting| effective.get(setting) != defaults.get(setting));
    let settings = differing.map(|setting| (setting.name.to_owned(), effective.get(setting))).collect();
    let languages = visit.tenant.analyser().languages().iter().map(ToString::to_string).collect();
    let census = visit.tenant.census().await?;
    let tenant = visit.tenant.id().clone();
    Ok(Box::new(Counted { tenant, enabled: effective.enabled, census, settings, languages }))
}
