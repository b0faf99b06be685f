//! `apiKeyId`: clients say whose memory they mean by the id of a key. Here a key opens a tenant, so all that there is to say
//! is whether it is one of the caller's own. Routes and tools ask the same.

use crate::ops::{Caller, Services};
use crate::problem::Problem;

/// Refuses a key that is not one of the caller's tenant, as if it did not exist.
pub async fn must_own(house: &Services, caller: &Caller, key: Option<&str>) -> Result<(), Problem> {
    let Some(wanted) = key.filter(|key| !key.trim().is_empty()) else { return Ok(()) };
    if house.owns_key(caller, wanted).await? { Ok(()) } else { Err(not_yours(wanted)) }
}

pub fn not_yours(wanted: &str) -> Problem {
    let shown = memory::error::shown(wanted);
    let message = format!("`apiKeyId`: there is no key {shown}; expected one of yours, or none");
    Problem::field("apiKeyId", message).hint("the key that is sent with the request decides; leave this out")
}
