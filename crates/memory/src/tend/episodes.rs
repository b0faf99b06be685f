//! Digests that say the same become one: the older stays, and spans the time of both.
//!
//! Within one owner only. A digest that a person touched never goes and is left as it is.

use std::collections::HashSet;

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::text::query;
use crate::text::similarity::shingle_jaccard;
use crate::types::{Change, Corpus, Episode, Filter, Node, Origin, Record, RecordKind, RecordRef, Status};

const ALIKE: f64 = 0.9;
const SHINGLE: usize = 3;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let rows = tender.store().episodes_after(cursor.parse().unwrap_or(0), limits::TEND_ROWS).await?;
    let next = rows.last().filter(|_| rows.len() == limits::TEND_ROWS).map(|(row, _)| row.to_string());
    let mut involved: HashSet<String> = HashSet::new();
    let mut proposed = Vec::new();
    for (_, episode) in rows {
        let is_old = look.since.is_some_and(|since| episode.updated_at < since);
        if is_old || involved.contains(episode.id.as_str()) {
            continue;
        }
        let Some(twin) = twin_of(tender, &episode, &involved, look).await? else { continue };
        let (stays, goes) =
            if twin.created_at <= episode.created_at { (twin, episode) } else { (episode, twin) };
        let theirs = theirs(tender, &[&stays, &goes]).await?;
        let (stays, goes) = match (theirs.contains(stays.id.as_str()), theirs.contains(goes.id.as_str())) {
            (_, false) => (stays, goes),
            (false, true) => (goes, stays),
            (true, true) => continue,
        };
        involved.extend([stays.id.as_str().to_owned(), goes.id.as_str().to_owned()]);
        let leave = theirs.contains(stays.id.as_str());
        proposed.push(united(stays, goes, leave, look));
    }
    Ok(StepSlice { proposed, next, skipped: None })
}

fn text(episode: &Episode) -> String {
    format!("{} {}", episode.summary, episode.topics.join(" "))
}

/// Another digest of the same owner that says the same.
async fn twin_of(
    tender: &Tender,
    episode: &Episode,
    involved: &HashSet<String>,
    look: &TendContext<'_>,
) -> StoreResult<Option<Episode>> {
    let said = text(episode);
    let query = query::plain(&said, look.analyser);
    if query.is_empty() {
        return Ok(None);
    }
    let filter = Filter {
        agent: Some(episode.session.agent.clone()),
        user: Some(episode.session.user.clone()),
        ..Filter::current(look.now)
    };
    let nominees = tender.store().nominate(Corpus::Episodes, &query, &filter, limits::ALIKE).await?;
    let ids: Vec<String> = nominees.into_iter().map(|nominee| nominee.id).collect();
    let others = tender.store().episodes(&ids).await?;
    Ok(others.into_iter().find(|other| {
        other.id != episode.id
            && other.status == Status::Active
            && !involved.contains(other.id.as_str())
            && shingle_jaccard(&said, &text(other), SHINGLE) >= ALIKE
    }))
}

async fn theirs(tender: &Tender, episodes: &[&Episode]) -> StoreResult<HashSet<String>> {
    let ids: Vec<String> = episodes.iter().map(|episode| episode.id.as_str().to_owned()).collect();
    let mut theirs = tender.store().touched_by_people(RecordKind::Episode, &ids).await?;
    let written = episodes.iter().filter(|episode| episode.origin == Origin::Person);
    theirs.extend(written.map(|episode| episode.id.as_str().to_owned()));
    Ok(theirs)
}

fn united(stays: Episode, goes: Episode, leave: bool, look: &TendContext<'_>) -> Proposal {
    let of =
        [&stays, &goes].map(|episode| RecordRef { kind: RecordKind::Episode, id: episode.id.to_string() });
    let reason = format!("says the same as the digest {}", stays.id);
    let mut proposed = Proposal { reason, of: of.to_vec(), changes: Vec::new(), weight: 1 };
    let (child, parent) = (Node::Episode(stays.id.clone()), Node::Episode(goes.id.clone()));
    if !leave {
        let mut wider = stays;
        wider.started_at = wider.started_at.min(goes.started_at);
        wider.ended_at = wider.ended_at.max(goes.ended_at);
        wider.salience = wider.salience.max(goes.salience);
        unite(&mut wider.topics, &goes.topics);
        unite(&mut wider.decisions, &goes.decisions);
        unite(&mut wider.key_dates, &goes.key_dates);
        unite(&mut wider.action_items, &goes.action_items);
        wider.updated_at = look.now;
        proposed = proposed.replace(Record::from(wider));
    }
    let gone = Episode { status: Status::Superseded, updated_at: look.now, ..goes };
    proposed.replace(Record::from(gone)).with(Change::Derive { child, parents: vec![parent] })
}

fn unite(into: &mut Vec<String>, from: &[String]) {
    let new: Vec<String> = from.iter().filter(|item| !into.contains(item)).cloned().collect();
    into.extend(new);
}
