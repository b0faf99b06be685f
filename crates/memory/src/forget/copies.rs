//! Where in conversations something is told that is forgotten: what it was learned from, the replies to that, and whatever else
//! the user's conversations say of it.
//!
//! Nobody but a forgetting reads turns as they were said: which parts of them are hidden is decided here, and the store gives all
//! other readers what is left.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::PurgeTarget;
use super::redact::ForgetWords;
use super::statements::ForgottenStatements;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::ReadStore;
use crate::text::{Analyser, query};
use crate::types::{
    Corpus, Filter, HiddenText, Memory, MemoryId, Node, PageRequest, Role, SessionKey, Status, Time, Turn,
    TurnId, UserId, Veil, VeilId,
};

/// Turns behind one that something was learned from in which it may be repeated.
const REPLIES: usize = 2;

/// A turn as it was said, and what of it tells what is forgotten.
pub struct TellingTurn {
    pub turn: Turn,
    pub parts: Vec<Range<usize>>,
}

/// What is forgotten, and where it may be told.
pub struct Copies<'a, S: ReadStore + ?Sized> {
    pub store: &'a S,
    pub analyser: &'a Analyser,
    pub target: &'a PurgeTarget,
    pub memories: &'a [Memory],
    pub statements: &'a ForgottenStatements,
}

/// What the memories say, beside what stays of the same users.
pub async fn statements_of(
    store: &(impl ReadStore + ?Sized),
    analyser: &Analyser,
    target: &PurgeTarget,
    memories: &[Memory],
) -> StoreResult<ForgottenStatements> {
    let gone: BTreeSet<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
    let words = ForgetWords { analyser, query: target.query.as_ref(), said: None };
    let mut staying = Vec::new();
    for user in users(memories) {
        let filter = Filter { user: Some(user.clone()), statuses: vec![Status::Active], ..Filter::ever() };
        let page = store.list_memories(&filter, PageRequest::newest(limits::PAGE_ROWS)).await?;
        let stays = |memory: &Memory| !gone.contains(&memory.id) && !words.match_text(&memory.content);
        staying.extend(page.items.into_iter().filter(stays));
    }
    Ok(ForgottenStatements::of_memories(memories, &staying, analyser))
}

pub(super) fn users(memories: &[Memory]) -> BTreeSet<&UserId> {
    memories.iter().map(|memory| &memory.user).collect()
}

impl<S: ReadStore + ?Sized> Copies<'_, S> {
    pub fn words(&self) -> ForgetWords<'_> {
        let said = Some(self.statements).filter(|statements| !statements.is_empty());
        ForgetWords { analyser: self.analyser, query: self.target.query.as_ref(), said }
    }

    /// The turns that tell it, at most `most` of them, as they were said. What is hidden already is told by nobody and is left out,
    /// unless it is to go for good.
    pub async fn telling_turns(&self, most: usize, for_good: bool) -> StoreResult<Vec<TellingTurn>> {
        if self.target.is_whole() {
            return self.whole_turns(most).await;
        }
        let (nominated, replies) = self.nominated(for_good).await?;
        let ids: Vec<TurnId> = nominated.into_iter().collect();
        let mut telling = Vec::new();
        for ids in ids.chunks(limits::PAGE_ROWS) {
            let told = self.store.turns(ids).await?;
            for (turn, said) in told.into_iter().zip(self.store.turns_as_said(ids).await?) {
                if turn.id != said.id {
                    continue;
                }
                let in_reply = replies.contains(&said.id);
                let still = for_good || !self.parts(&turn, in_reply).is_empty();
                let parts = if still { self.parts(&said, in_reply) } else { Vec::new() };
                if !parts.is_empty() {
                    telling.push(TellingTurn { turn: said, parts });
                }
                if telling.len() >= most {
                    return Ok(telling);
                }
            }
        }
        Ok(telling)
    }

    fn parts(&self, turn: &Turn, in_reply: bool) -> Vec<Range<usize>> {
        let tells = |piece: &str| {
            in_reply && self.statements.are_told_in_reply_by(piece, self.analyser)
                || turn.role != Role::User && self.statements.are_given_away_by(piece, self.analyser)
        };
        self.words().parts(&turn.text, tells)
    }

    /// Everything that was said in the conversations that are meant.
    async fn whole_turns(&self, most: usize) -> StoreResult<Vec<TellingTurn>> {
        let mut telling = Vec::new();
        let filter = self.target.conversations();
        while telling.len() < most {
            let limit = limits::PAGE_ROWS.min(most - telling.len());
            let page = PageRequest { offset: telling.len(), ..PageRequest::newest(limit) };
            let turns = self.store.list_turns(&filter, None, page).await?.items;
            let ids: Vec<TurnId> = turns.into_iter().map(|turn| turn.id).collect();
            if ids.is_empty() {
                break;
            }
            let said = self.store.turns_as_said(&ids).await?;
            telling.extend(said.into_iter().map(|turn| {
                let whole = 0..turn.text.len();
                TellingTurn { turn, parts: vec![whole] }
            }));
        }
        Ok(telling)
    }

    /// Turns that may tell it, and which of them answer to what it was learned from.
    async fn nominated(&self, for_good: bool) -> StoreResult<(BTreeSet<TurnId>, BTreeSet<TurnId>)> {
        let (mut found, mut replies) = (BTreeSet::new(), BTreeSet::new());
        if let Some(asked) = &self.target.query {
            let filter = self.target.conversations();
            let nominees = self.store.nominate(Corpus::Turns, asked, &filter, limits::READ_IDS).await?;
            found.extend(nominees.into_iter().filter_map(|nominee| nominee.id.parse().ok()));
        }
        for memory in self.memories {
            let filter = self.heard_by(memory);
            let asked = query::plain(&memory.content, self.analyser);
            let nominees =
                self.store.nominate(Corpus::Turns, &asked, &filter, limits::COPIES_LOOKED_AT).await?;
            found.extend(nominees.into_iter().filter_map(|nominee| nominee.id.parse::<TurnId>().ok()));
            for turn in self.sources(memory).await? {
                found.insert(turn.id);
                let behind = self.store.session_turns(&turn.session, turn.index + 1, REPLIES).await?;
                let behind = behind.into_iter().take_while(|turn| turn.role != Role::User);
                replies.extend(behind.map(|turn| turn.id));
            }
        }
        found.extend(replies.iter().cloned());
        if for_good {
            found.extend(self.veiled().await?);
        }
        Ok((found, replies))
    }

    /// The turns that a memory was learned from, as far as they are in reach.
    async fn sources(&self, memory: &Memory) -> StoreResult<Vec<Turn>> {
        let parents = self.store.parents(&Node::Memory(memory.id.clone())).await?;
        let turns = parents.into_iter().filter_map(|parent| match parent {
            Node::Turn(id) => Some(id),
            _ => None,
        });
        let ids: Vec<TurnId> = turns.collect();
        let bounds = &self.target.filter.bounds;
        let mut turns = if ids.is_empty() { Vec::new() } else { self.store.turns(&ids).await? };
        turns.retain(|turn| bounds.admits_owner(&turn.session.agent, &turn.session.user));
        Ok(turns)
    }

    /// Turns of which something is hidden: words do not find what is.
    async fn veiled(&self) -> StoreResult<Vec<TurnId>> {
        let users = users(self.memories);
        let mut found = Vec::new();
        let mut after = 0;
        loop {
            let rows =
                self.store.records_after(crate::types::RecordKind::Veil, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(found) };
            after = *last;
            for (_, record) in rows {
                let in_reach = self.target.reaches(&record);
                let Ok(veil) = Veil::try_from(record) else { continue };
                if in_reach && (self.target.query.is_some() || users.contains(&veil.session.user)) {
                    found.extend(veil.hidden.into_iter().map(|part| part.turn));
                }
            }
        }
    }

    /// Conversations in which a memory may have been spoken of.
    fn heard_by(&self, memory: &Memory) -> Filter {
        let agent = (!memory.scope.is_shared_by_agents()).then(|| memory.agent.clone());
        Filter {
            user: Some(memory.user.clone()),
            agent,
            bounds: self.target.filter.bounds.clone(),
            ..Filter::ever()
        }
    }
}

/// What is hidden, as records: one or more for each conversation.
pub fn veils(telling: &[TellingTurn], now: Time, id: impl Fn() -> VeilId) -> Vec<Veil> {
    let mut by_session: BTreeMap<&SessionKey, Vec<HiddenText>> = BTreeMap::new();
    for told in telling {
        let parts = told.parts.iter().map(|part| HiddenText::new(&told.turn.id, part));
        by_session.entry(&told.turn.session).or_default().extend(parts);
    }
    let mut veils = Vec::new();
    for (session, hidden) in by_session {
        for hidden in hidden.chunks(limits::VEIL_PARTS) {
            let (session, hidden) = (session.clone(), hidden.to_vec());
            veils.push(Veil { id: id(), version: 1, session, hidden, created_at: now });
        }
    }
    veils
}
