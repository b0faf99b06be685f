//! A message by itself in a session that the client names: no history comes with it.
//!
//! Some applications send only what is new and leave the rest to memory. Their messages have nothing before them that
//! would tell the second "yes" from the first. So where the session has gone on since it had this message, it is taken
//! for a new one, which stands behind the session's last turn. Where it has not, the message is asked again.

use super::{ChainWalk, Continuation, TurnLookup};
use crate::chain::{Chain, ChainHash};
use memory::error::StoreResult;
use memory::types::{Role, SessionKey};

pub(super) async fn find<S: TurnLookup + ?Sized>(
    store: &S,
    walk: &ChainWalk,
    key: &SessionKey,
) -> StoreResult<Option<Continuation>> {
    let Some(user) = walk.last_user().filter(|_| walk.is_opening()) else { return Ok(None) };
    let known = store.places_of(&[walk.hashes[user].to_string()]).await?;
    let Some(before) = known.into_iter().find(|turn| turn.session == *key) else { return Ok(None) };
    let rest = store.turns_after(key, before.index).await?;
    if !rest.iter().any(|turn| turn.role == Role::User) {
        return Ok(None);
    }
    let last = rest.iter().rev().find_map(|turn| turn.external_id.as_ref()?.parse::<ChainHash>().ok());
    let (hashes, end) = walk.anchored(last.map_or(walk.start, Chain::after), |_| None);
    Ok(Some(Continuation {
        key: key.clone(),
        hashes,
        end,
        known_before: 0,
        is_new: false,
        user_message_known: false,
        in_view_from: None,
    }))
}
