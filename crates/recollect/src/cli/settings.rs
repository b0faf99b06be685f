//! `recollect settings`.

use clap::{Args, Subcommand};
use memory::types::UserId;
use serde_json::{Value, json};

use super::output::{BOLD, CommandFailure, DIM, ExplainedRow, one_line, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::settings::{
    SettingSource, SettingValue, SettingsGet, SettingsList, SettingsReset, SettingsSet,
};
use crate::problem::Problem;

/// Read and change how memory behaves; a running server follows at once
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect settings list
  recollect settings set recallTopK 20
  recollect settings set requireOwner true --everywhere
  recollect settings set timeZone Europe/Lisbon --user mara
  recollect settings reset recallTopK")]
pub struct SettingsCommand {
    #[command(subcommand)]
    action: SettingsAction,
}

#[derive(Debug, Subcommand)]
enum SettingsAction {
    /// Show all settings: value, who set it, what is allowed, and in a terminal what it does
    List,
    /// Print the value that is in force
    Get {
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Set a value
    Set {
        #[arg(value_name = "NAME")]
        name: String,
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
        /// For all tenants that do not say otherwise
        #[arg(long)]
        everywhere: bool,
    },
    /// Go back to the default
    Reset {
        #[arg(value_name = "NAME")]
        name: String,
        /// What was set for all tenants
        #[arg(long)]
        everywhere: bool,
    },
}

impl SettingsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        if let Some(user) = desk.who.user.clone()
            && let Some(zone) = self.action.zone_of_user()
        {
            return of_user(desk, &user, zone).await;
        }
        let tenant = &desk.who.tenant;
        match self.action {
            SettingsAction::List => {
                let listed = desk.link.ask(tenant, SettingsList {}).await?;
                if desk.out.wants_json() {
                    desk.out.answer(&listed)?;
                } else {
                    desk.out.explained_table(listed.settings.iter().map(row).collect())?;
                }
            }
            SettingsAction::Get { name } => {
                let setting = desk.link.ask(tenant, SettingsGet { name }).await?;
                if desk.out.wants_json() {
                    desk.out.answer(&setting)?;
                } else {
                    desk.out.line(plain(&setting.value))?;
                }
            }
            SettingsAction::Set { name, value, everywhere } => {
                let request = SettingsSet { name, value: Value::String(value), everywhere };
                let setting = desk.link.ask(tenant, request).await?;
                print(desk, &setting, everywhere)?;
            }
            SettingsAction::Reset { name, everywhere } => {
                let setting = desk.link.ask(tenant, SettingsReset { name, everywhere }).await?;
                print(desk, &setting, everywhere)?;
            }
        }
        Ok(CommandEnd::Well)
    }
}

/// What is asked about one user's own time zone.
enum ZoneAction {
    Get,
    Set(String),
    Reset,
}

impl SettingsAction {
    /// The one setting that a user may have for themselves.
    fn zone_of_user(&self) -> Option<ZoneAction> {
        let is_zone = |name: &str| memory::settings::find(name).is_ok_and(|found| found.name == "timeZone");
        match self {
            SettingsAction::Get { name } if is_zone(name) => Some(ZoneAction::Get),
            SettingsAction::Set { name, value, everywhere: false } if is_zone(name) => {
                Some(ZoneAction::Set(value.trim().to_owned()))
            }
            SettingsAction::Reset { name, everywhere: false } if is_zone(name) => Some(ZoneAction::Reset),
            _ => None,
        }
    }
}

/// One user's zone is an entry of the setting `timeZones`.
async fn of_user(
    desk: &mut CommandContext,
    user: &UserId,
    action: ZoneAction,
) -> Result<CommandEnd, CommandFailure> {
    let name = || "timeZones".to_owned();
    let tenant = desk.who.tenant.clone();
    let mut zones = desk.link.ask(&tenant, SettingsGet { name: name() }).await?.value;
    let entry = match action {
        ZoneAction::Get => {
            let own = zones[user.as_str()].as_str().filter(|zone| !zone.is_empty()).map(Value::from);
            let usual = desk.link.ask(&tenant, SettingsGet { name: "timeZone".to_owned() }).await?.value;
            let zone = own.unwrap_or(usual);
            match desk.out.wants_json() {
                true => desk.out.answer(&json!({ "name": "timeZone", "user": user, "value": zone }))?,
                false => desk.out.line(plain(&zone))?,
            }
            return Ok(CommandEnd::Well);
        }
        ZoneAction::Set(zone) if !zone.is_empty() => Some(Value::from(zone)),
        ZoneAction::Set(_) | ZoneAction::Reset => None,
    };
    let all = zones.as_object_mut().ok_or_else(|| Problem::ours("timeZones is no object"))?;
    match entry {
        Some(zone) => drop(all.insert(user.to_string(), zone)),
        None => drop(all.remove(user.as_str())),
    }
    let request = SettingsSet { name: name(), value: zones, everywhere: false };
    let setting = desk.link.ask(&tenant, request).await?;
    print(desk, &setting, false)?;
    Ok(CommandEnd::Well)
}

fn row(setting: &SettingValue) -> ExplainedRow {
    let cells = vec![
        setting.name.clone(),
        styled(BOLD, plain(&setting.value)),
        source(setting.source).to_owned(),
        styled(DIM, &setting.allowed),
    ];
    ExplainedRow { cells, note: setting.about.clone() }
}

fn print(desk: &mut CommandContext, setting: &SettingValue, everywhere: bool) -> Result<(), CommandFailure> {
    if desk.out.wants_json() {
        return desk.out.answer(setting);
    }
    desk.out.line(format!("{} = {}", setting.name, plain(&setting.value)))?;
    if everywhere && setting.source == SettingSource::Tenant {
        desk.out.talk(format!("tenant {} keeps its own value", desk.who.tenant));
    }
    Ok(())
}

fn source(source: SettingSource) -> &'static str {
    match source {
        SettingSource::Default => "default",
        SettingSource::Everywhere => "everywhere",
        SettingSource::Tenant => "this tenant",
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), one_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_told_with_what_it_does() {
        let setting = SettingValue {
            name: "recallTopK".to_owned(),
            value: json!(20),
            source: SettingSource::Tenant,
            default: json!(10),
            allowed: "1 to 200".to_owned(),
            about: "How many memories a search gives.".to_owned(),
        };
        let row = row(&setting);
        assert_eq!((row.cells.len(), row.note), (4, setting.about));
    }
}
