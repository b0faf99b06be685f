//! Forgetting for good: the core goes through the tenant ([`memory::forget`]), then the files are emptied of it, then a receipt
//! is written.
//!
//! The run is begun first and says by a keyed hash which request it is for, so that whoever repeats a request that was cut off
//! goes on with its count. The receipt comes last: it is given for what is gone, not for what is about to be.

use std::collections::BTreeMap;

use memory::error::StoreError;
use memory::forget::{JOB, Purge, PurgeProgress, PurgeTarget};
use memory::limits::RUNS_LOOKED_AT;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Erased, Receipt, Run, RunId, RunState, Traces, hex};

use super::{BEYOND, Forget, ForgetFailure, Forgotten, MemoryPreview, choose};
use crate::ops::OpContext;
use crate::ops::doctor::aside;
use crate::problem::{Code, Problem};
use crate::{limits, metrics};

/// What no purge can reach, besides what no forgetting does.
const FREE_BLOCKS: &str = "free blocks of the disk, where the file system or the drive keeps old copies";

/// Bytes of a purged text that make it that text and no other.
const TELLING_BYTES: usize = 16;

/// One more where a word is still somewhere else.
const ELSEWHERE: &str =
    "the same words where they were not asked to go: other agents and users, names, settings";

pub async fn purge(
    visit: &OpContext<'_>,
    request: &Forget,
    target: &PurgeTarget,
) -> Result<Forgotten, ForgetFailure> {
    let key = visit.tenant.receipt_key().await?;
    let seal = |id: &str| store::keyed_hash(&key, id);
    let named = serde_json::to_string(request).map_err(Problem::ours)?;
    let named = hex(&seal(&named));
    let cut_off = cut_off(visit, &named).await?;
    if cut_off.is_none() && !request.ids.is_empty() {
        choose::by_id(visit, request).await?;
    }
    let mut purge = Purge {
        store: &visit.tenant,
        analyser: visit.tenant.analyser(),
        target,
        clock: &*visit.house.clock,
        seal: &seal,
        run: None,
        progress: PurgeProgress::default(),
    };
    if !request.confirmed {
        purge.complete().await?;
        return Ok(answer(&purge.progress, None, None, false));
    }
    let run = cut_off.unwrap_or_else(|| begun(visit, named));
    if run.version > 0 {
        purge.progress = PurgeProgress::taken_up(&run.counts);
    }
    purge.run = Some(run);
    if let Some(words) = &request.matching {
        purge.progress.trace(words);
        purge.progress.traces.named = Some(words.clone());
    }
    purge.complete().await?;
    visit.house.contexts.drop_all_of(visit.tenant.id());
    let erased = erase(visit, &purge.progress.traces).await?;
    set_aside(visit, target, &mut purge.progress)?;
    let run = purge.run.take().expect("it was set above");
    let progress = purge.progress;
    let receipt = finish(visit, run, &progress, erased).await?;
    let id = receipt.as_ref().map(|receipt| receipt.id.clone());
    Ok(answer(&progress, id, receipt, true))
}

/// What a check-up set aside goes too: of whom is named, and what says it.
fn set_aside(
    visit: &OpContext<'_>,
    target: &PurgeTarget,
    progress: &mut PurgeProgress,
) -> Result<(), Problem> {
    let Some(folder) = visit.house.tenants().folder() else { return Ok(()) };
    let filter = &target.filter;
    let names = [
        filter.agent.as_ref().map(|agent| format!("\"agent\":{}", quoted(agent.as_str()))),
        filter.user.as_ref().map(|user| format!("\"user\":{}", quoted(user.as_str()))),
        filter.session.as_ref().map(|session| format!("\"session\":{}", quoted(session.as_str()))),
    ];
    let texts: Vec<String> =
        progress.traces.texts.iter().map(|text| quoted(text).trim_matches('"').to_owned()).collect();
    let analyser = visit.tenant.analyser();
    let goes = |body: &str| {
        // A turn that was set aside does not say whose it was; rather that goes too than that one stays.
        let owned = body.contains("\"agent\":") || body.contains("\"user\":");
        let theirs = !owned || names.iter().flatten().all(|name| body.contains(name.as_str()));
        let said = match &target.query {
            Some(query) => query.matches(&analyser.analyse(&spoken(body))),
            None => target.is_whole(),
        };
        let named = target.ids.iter().any(|id| body.contains(id.as_str()));
        named || theirs && said || texts.iter().any(|text| text.len() >= TELLING_BYTES && body.contains(text))
    };
    let gone = aside::purge(folder, visit.tenant.id(), goes).map_err(Problem::ours)?;
    if gone > 0 {
        *progress.removed.entry("set_aside".to_owned()).or_default() += gone;
    }
    Ok(())
}

/// What a body says, without its JSON: behind a written line break a word would not be known again.
fn spoken(body: &str) -> String {
    fn gather(value: &serde_json::Value, into: &mut String) {
        match value {
            serde_json::Value::String(text) => {
                into.push_str(text);
                into.push('\n');
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, into)),
            serde_json::Value::Object(fields) => fields.values().for_each(|item| gather(item, into)),
            _ => {}
        }
    }
    let Ok(value) = serde_json::from_str(body) else { return body.to_owned() };
    let mut said = String::new();
    gather(&value, &mut said);
    said
}

/// As it stands in a body.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The run of the same request that did not come to its end.
async fn cut_off(visit: &OpContext<'_>, request: &str) -> Result<Option<Run>, ForgetFailure> {
    let runs = visit.tenant.runs(RUNS_LOOKED_AT).await?;
    let same = |run: &Run| {
        run.job == JOB && run.state == RunState::Running && run.cursor.as_deref() == Some(request)
    };
    Ok(runs.into_iter().find(same))
}

/// A new run, not written yet.
fn begun(visit: &OpContext<'_>, request: String) -> Run {
    Run {
        id: RunId::from_uuid(visit.house.clock.uuid()),
        version: 0,
        job: JOB.to_owned(),
        state: RunState::Running,
        cursor: Some(request),
        counts: PurgeProgress::default().counts(),
        started_at: visit.now,
        finished_at: None,
    }
}

/// The last batch: the run is done and the receipt stands. Where there was nothing to purge there is nothing to tell.
async fn finish(
    visit: &OpContext<'_>,
    run: Run,
    progress: &PurgeProgress,
    erased: Erased,
) -> Result<Option<Receipt>, ForgetFailure> {
    let now = visit.house.clock.now();
    let is_written = run.version > 0;
    if !is_written && progress.removed.is_empty() {
        return Ok(None);
    }
    let mut beyond: Vec<String> =
        BEYOND.iter().chain([&FREE_BLOCKS]).map(|text| (*text).to_owned()).collect();
    if erased.remains {
        beyond.push(ELSEWHERE.to_owned());
    }
    let receipt = Receipt {
        id: run.id.clone(),
        at: now,
        removed: progress.removed.clone(),
        rewritten: progress.rewritten.clone(),
        hash: hex(&progress.mark),
        beyond,
    };
    let done =
        Run { state: RunState::Done, cursor: None, counts: counts(progress), finished_at: Some(now), ..run };
    let batch = Batch::new(Actor::Person, now).in_run(done.id.clone());
    let batch = if is_written { batch.replace(done) } else { batch.insert(done) };
    visit.tenant.apply(batch.with(Change::PutReceipt { receipt: receipt.clone() })).await?;
    receipt.removed.iter().for_each(|(kind, count)| metrics::purged(kind, *count));
    Ok(Some(receipt))
}

/// What the list of runs shows: one number a kind.
fn counts(progress: &PurgeProgress) -> serde_json::Map<String, serde_json::Value> {
    let mut counts: BTreeMap<String, u64> = progress.removed.clone();
    for (kind, count) in &progress.rewritten {
        *counts.entry(format!("{kind}_rewritten")).or_default() += count;
    }
    counts.into_iter().map(|(kind, count)| (kind, count.into())).collect()
}

fn answer(progress: &PurgeProgress, run: Option<RunId>, receipt: Option<Receipt>, done: bool) -> Forgotten {
    let memories = progress.removed.get("memories").copied().unwrap_or(0);
    Forgotten {
        note: None,
        done,
        purged: done,
        count: memories as usize,
        kinds: progress.removed.clone(),
        rewritten: progress.rewritten.clone(),
        more: false,
        first: progress.first.iter().take(limits::FORGOTTEN_NAMED).map(MemoryPreview::from).collect(),
        run,
        beyond: receipt.iter().flat_map(|receipt| receipt.beyond.clone()).collect(),
        receipt,
    }
}

/// Empties the files of it. A reader or another process may hold the log for a moment, so this is tried for a while; a purge
/// that left a trace must not say that it is done.
async fn erase(visit: &OpContext<'_>, traces: &Traces) -> Result<Erased, Problem> {
    let deadline = tokio::time::Instant::now() + limits::SCRUB_WITHIN;
    loop {
        match visit.tenant.erase(traces).await {
            Err(StoreError::Busy(_)) if tokio::time::Instant::now() < deadline => {
                tokio::time::sleep(limits::SCRUB_AGAIN_AFTER).await;
            }
            Err(StoreError::Busy(_)) => {
                let message =
                    "the memories are gone, but traces of them are still in the log, which others keep open";
                return Err(
                    Problem::new(Code::Busy, message).hint("repeat the command when the others are done")
                );
            }
            other => return other.map_err(Problem::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_aside_is_read_and_not_its_json() {
        assert_eq!(spoken(r#"{"text":["a\nquokkas",{"c":"d"},7]}"#), "a\nquokkas\nd\n");
        assert_eq!(spoken("{broken quokkas"), "{broken quokkas");
    }
}
