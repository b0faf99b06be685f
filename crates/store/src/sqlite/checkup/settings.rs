//! Whether every setting that is stored is one, and within its range.

use memory::checkup::Finding;
use memory::error::StoreResult;
use memory::settings;
use rusqlite::Connection;
use serde_json::Value;

use super::{CheckupContext, count, rows};

pub fn wrong(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("config.settings", count(look.connection, "setting")?);
    names(look.connection)?.into_iter().for_each(|name| finding.add(name));
    Ok(finding.found().into_iter().collect())
}

pub fn names(connection: &Connection) -> StoreResult<Vec<String>> {
    let stored = rows(connection, "SELECT name, value FROM setting ORDER BY name", [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let holds = |name: &str, value: &str| {
        let value: Value = serde_json::from_str(value).ok()?;
        settings::find(name).ok().filter(|setting| setting.name == name)?.check(&value).ok()
    };
    Ok(stored
        .into_iter()
        .filter(|(name, value)| holds(name, value).is_none())
        .map(|(name, _)| name)
        .collect())
}
