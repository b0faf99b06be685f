//! `apiKeyId`: clients say whose memory they mean by the id of a key. Here a key speaks for one user of its tenant, or for anybody, so to
//! name a key is to name its user. Routes and tools ask the same.

use memory::types::UserId;
use store::KeyUser;

use crate::ops::{Caller, Services};
use crate::problem::Problem;

/// Narrows a request to the user of the key that it names. A key that is not one of the caller's is refused, as if it did not exist.
pub async fn narrow(
    house: &Services,
    caller: &Caller,
    key: Option<&str>,
    user: &mut Option<UserId>,
) -> Result<(), Problem> {
    let Some(wanted) = given(key) else { return Ok(()) };
    let speaks_for = house.user_of_key(caller, wanted).await?;
    settle(wanted, speaks_for, user)
}

/// The key that is named, where one is.
pub fn given(key: Option<&str>) -> Option<&str> {
    key.filter(|key| !key.trim().is_empty())
}

/// The key's user, who must be the one that is named beside it. A key that speaks for anybody narrows nothing, and one that is not known
/// is refused.
pub fn settle(wanted: &str, speaks_for: Option<KeyUser>, user: &mut Option<UserId>) -> Result<(), Problem> {
    let speaks_for = speaks_for.ok_or_else(|| not_yours(wanted))?;
    let Some(only) = speaks_for.only() else { return Ok(()) };
    if let Some(other) = user.as_ref().filter(|named| *named != only) {
        let shown = memory::error::shown(wanted);
        let message = format!(
            "`apiKeyId`: key {shown} is for user {only}, and user {other} is named beside it; expected one of them"
        );
        return Err(Problem::field("apiKeyId", message).hint("leave one of them out"));
    }
    *user = Some(only.clone());
    Ok(())
}

fn not_yours(wanted: &str) -> Problem {
    let shown = memory::error::shown(wanted);
    let message = format!("`apiKeyId`: there is no key {shown}; expected one of yours, or none");
    Problem::field("apiKeyId", message).hint("the key that is sent with the request decides; leave this out")
}
