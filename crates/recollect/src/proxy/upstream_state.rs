//! Conversations that the upstream keeps itself: a request names what it comes after and brings only what is new.
//!
//! The response before it, or the conversation, leads to the session in which it was forwarded. What memory put into that
//! conversation stands in the prompt though not in the request, so it is looked up, to not be said again.

use chat::chain::ChainHash;
use chat::continuity::ContinuityRequest;
use chat::continuity::by_response_id::ReplyPlace;
use chat::{Envelope, Recognised};
use memory::error::StoreResult;
use memory::ports::ReadStore;
use memory::types::{Block, Role};
use store::Tenant;

use super::path::ProxyState;

/// What the upstream calls that which comes before the request, where it keeps it.
pub fn before(envelope: &Envelope) -> Option<&str> {
    envelope.previous_response.as_deref().or(envelope.conversation.as_deref())
}

/// The place that the request names, where it is known and theirs who ask.
pub async fn place(
    tenant: &Tenant,
    shared: &ProxyState,
    asking: &ContinuityRequest<'_>,
    envelope: &Envelope,
) -> StoreResult<Option<ReplyPlace>> {
    let Some(name) = before(envelope) else { return Ok(None) };
    if let Some(place) = shared.answered.find(asking, name) {
        return Ok(Some(place));
    }
    let stored = tenant.blocks(&[ReplyPlace::stored_under(name)]).await?;
    let places = stored.into_iter().filter_map(ReplyPlace::of_block);
    Ok(places.into_iter().find(|place| place.is_for(asking)))
}

/// The blocks of the session that are not among those `here` in the request, as many as one read of its turns tells.
pub async fn elsewhere(tenant: &Tenant, chat: &Recognised, here: &[String]) -> StoreResult<Vec<Block>> {
    if before(&chat.chat.envelope).is_none() || chat.continuation.is_new {
        return Ok(Vec::new());
    }
    let key = &chat.continuation.key;
    let turns = tenant.session_turns(key, 0, memory::limits::PAGE_ROWS).await?;
    let users = turns.iter().filter(|turn| turn.role == Role::User);
    let identities = users.filter_map(|turn| turn.external_id.as_ref()?.parse::<ChainHash>().ok());
    let keys = identities.map(|identity| chat.block_key_of(identity));
    let keys: Vec<String> = keys.filter(|key| !here.contains(key)).collect();
    let blocks = tenant.blocks(&keys).await?;
    Ok(blocks.into_iter().filter(|block| !block.dropped).collect())
}
