//! What became of the memories that stood in a prompt: counted, and judged by the words of the reply.
//!
//! A task of its own behind the reply's, so that no stream's end waits for it; a server that leaves waits, as for everything
//! that is not stored yet. What is counted and what is judged is one batch. A memory that the reply passed over was shown,
//! and is counted so, but it was not used: it goes on fading. What fails here costs a count, which is itself counted.

use std::collections::HashMap;
use std::sync::Arc;

use chat::collect::CollectedReply;
use chat::continuity::incoming;
use memory::error::StoreResult;
use memory::learn::feedback::{self, Exchange};
use memory::ports::{ReadStore, WriteStore};
use memory::settings::FeedbackMode;
use memory::text::marks;
use memory::types::{Actor, Batch, Change, Counters, FeedbackEntry, JudgedBy, Judgement, MemoryId, TurnId};
use tracing::Instrument;

use super::conversation::KnownChat;
use crate::{limits, metrics, telemetry};

/// Counts that these memories were shown, and judges what the reply made of them, where it is stored.
pub fn note(
    known: &Arc<KnownChat>,
    shown: Vec<MemoryId>,
    reply: Option<(TurnId, CollectedReply)>,
    trace: &telemetry::TracePlace,
) {
    let reply = reply.filter(|_| known.settings.feedback_mode == FeedbackMode::Overlap);
    let recalled = match (&reply, shown.is_empty()) {
        (Some(_), true) => known.recalled_before(),
        _ => shown.clone(),
    };
    if recalled.is_empty() {
        return;
    }
    let (known, unstored) = (Arc::clone(known), known.house().backlog.begin());
    let noting = async move {
        let _until_stored = unstored;
        let judged = match &reply {
            Some((_, reply)) => judged(&known, reply, &recalled).await,
            None => Vec::new(),
        };
        write(&known, shown, reply.map(|(turn, _)| turn), judged).await;
    };
    tokio::spawn(noting.instrument(telemetry::capture("use", trace)));
}

async fn judged(
    known: &KnownChat,
    reply: &CollectedReply,
    recalled: &[MemoryId],
) -> Vec<(MemoryId, Judgement)> {
    let judging = judge(known, reply, recalled);
    match tokio::time::timeout(limits::JUDGE_WITHIN, judging).await {
        Ok(Ok(judged)) => judged,
        Ok(Err(error)) => {
            metrics::feedback_lost("failed");
            tracing::warn!(%error, "a reply could not be compared with what was recalled for it");
            Vec::new()
        }
        Err(_) => {
            metrics::feedback_lost("late");
            Vec::new()
        }
    }
}

async fn judge(
    known: &KnownChat,
    reply: &CollectedReply,
    recalled: &[MemoryId],
) -> StoreResult<Vec<(MemoryId, Judgement)>> {
    let question = known.question_text().unwrap_or_default();
    let (text, _) = marks::strip(&incoming::spoken_reply(reply));
    let exchange = Exchange { question: &question, reply: &text };
    let mut judged = feedback::judged(&known.tenant, known.tenant.analyser(), exchange, recalled).await?;
    if reply.is_unfinished() {
        judged.retain(|(_, judgement)| *judgement == Judgement::Used);
    }
    let continuation = known.replayed.continuation();
    if continuation.user_message_known {
        // Tools were called for it, and their call may have used what the words no longer say.
        let said = known.tenant.feedback_in(&continuation.key, None, limits::JUDGED_BEFORE).await?;
        let was_used = |id: &MemoryId| {
            said.iter().any(|entry| entry.memory == *id && entry.judgement == Judgement::Used)
        };
        judged.retain(|(id, judgement)| *judgement == Judgement::Used || !was_used(id));
    }
    Ok(judged)
}

async fn write(
    known: &KnownChat,
    shown: Vec<MemoryId>,
    turn: Option<TurnId>,
    judged: Vec<(MemoryId, Judgement)>,
) {
    let at = known.house().clock.now();
    let became: HashMap<&MemoryId, Judgement> =
        judged.iter().map(|(id, judgement)| (id, *judgement)).collect();
    let (passed_over, used): (Vec<MemoryId>, Vec<MemoryId>) =
        shown.into_iter().partition(|id| became.get(id) == Some(&Judgement::Ignored));
    let mut batch = Batch::new(Actor::Tool, at);
    for memory in passed_over {
        let counts = Counters { use_count: 1, ..Counters::default() };
        batch = batch.with(Change::AddCounts { memory, counts });
    }
    // What stood there before this request was counted then; a use of it is one today.
    for (memory, _) in
        judged.iter().filter(|(id, judgement)| *judgement == Judgement::Used && !used.contains(id))
    {
        let counts = Counters { last_used_at: Some(at), ..Counters::default() };
        batch = batch.with(Change::AddCounts { memory: memory.clone(), counts });
    }
    if !used.is_empty() {
        batch = batch.with(Change::Touch { memories: used, at });
    }
    for (memory, judgement) in &judged {
        let entry = FeedbackEntry {
            memory: memory.clone(),
            judgement: *judgement,
            by: JudgedBy::Overlap,
            session: Some(known.replayed.continuation().key.clone()),
            turn: turn.clone(),
            at,
        };
        batch = batch.with(Change::Judge { entry });
    }
    match known.tenant.apply(batch).await {
        Ok(_) => judged.iter().for_each(|(_, judgement)| metrics::judged(*judgement, JudgedBy::Overlap)),
        Err(error) => {
            metrics::feedback_lost("failed");
            tracing::warn!(%error, "the use of memories could not be counted");
        }
    }
}
