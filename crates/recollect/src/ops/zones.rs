//! Where a user is, as their client tells: by it their words are read where they themselves have said nothing (`timeZones`).
//!
//! A client that travels says so with the next request, and the latest one counts. What is told is kept, because what was said is learned from
//! later, when no client is there to be asked.

use std::collections::HashMap;
use std::sync::Arc;

use memory::limits;
use memory::ports::WriteStore;
use memory::settings;
use memory::types::{Actor, Batch, Change, TenantId, UserId};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::{Caller, OpContext, Services};
use crate::problem::Problem;

/// The setting in which it is kept.
const SETTING: &str = "clientTimeZones";

/// Tell where a user is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TellZone {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// A name such as `Europe/Lisbon`.
    pub time_zone: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneTold {
    /// False where it was known.
    pub changed: bool,
}

/// What was told lately, so that a client that names its zone with every request changes nothing with most of them.
pub type ToldZones = Arc<Mutex<HashMap<(TenantId, UserId), String>>>;

pub(super) async fn tell(visit: &OpContext<'_>, request: TellZone) -> Result<ZoneTold, Problem> {
    let zone = checked("time_zone", &request.time_zone)?;
    let user = request.user.unwrap_or_else(UserId::unnamed);
    let mut known = visit.tenant.settings().await?.client_time_zones;
    if known.get(user.as_str()).is_some_and(|known| known == zone) {
        return Ok(ZoneTold { changed: false });
    }
    // Beyond the bound somebody who was told of before makes room.
    if known.len() >= limits::ZONED_USERS && !known.contains_key(user.as_str()) {
        known.pop_first();
    }
    known.insert(user.as_str().to_owned(), zone.to_owned());
    let value = serde_json::to_value(known).map_err(Problem::ours)?;
    let change = Change::SetSetting { name: SETTING.to_owned(), value: Some(value) };
    visit.tenant.apply(Batch::new(Actor::Tool, visit.now).with(change)).await?;
    Ok(ZoneTold { changed: true })
}

/// A time zone by its name; else an error that says what was expected.
pub fn checked<'z>(field: &str, name: &'z str) -> Result<&'z str, Problem> {
    let name = name.trim();
    if settings::is_zone(name) {
        return Ok(name);
    }
    let message = format!("`{name}` is no time zone; expected a name such as Europe/Lisbon");
    Err(Problem::field(field, message).hint("the names are those of the IANA time zone database"))
}

impl Services {
    /// Takes in what a client says of where its user is. Who may only read tells nothing.
    pub(crate) async fn told_zone(
        &self,
        caller: &Caller,
        user: Option<UserId>,
        zone: String,
    ) -> Result<(), Problem> {
        let user = user.or_else(|| caller.user().cloned());
        let name = (caller.tenant().clone(), user.clone().unwrap_or_else(UserId::unnamed));
        let is_known = self.zones.lock().get(&name).is_some_and(|known| *known == zone);
        if is_known || caller.role() < store::Role::Memory {
            return Ok(());
        }
        self.ask(caller, TellZone { user, time_zone: zone.clone() }).await?;
        let mut told = self.zones.lock();
        if told.len() >= limits::ZONED_USERS {
            told.clear();
        }
        told.insert(name, zone);
        Ok(())
    }
}
