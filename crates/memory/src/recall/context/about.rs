//! What is told of the user: the profile as far as it still holds, and what was learned of them since.
//!
//! A profile is made now and then, and what it rests on may have been replaced the minute after. So each line is held
//! against its memories when it is read, and facts about who the user is that came later stand beside it: "what's my name?"
//! is answered from the first conversation on, before there is any profile.

use std::collections::HashSet;

use super::ContextRequest;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::ReadStore;
use crate::profile::compose::{self, LEARNED_SINCE};
use crate::profile::grade::{counts, says_who, stands};
use crate::profile::template;
use crate::recall::assemble::{Line, lines};
use crate::recall::search::Glance;
use crate::text::fold;
use crate::types::{Memory, MemoryId, ProfileVersion, Time};

impl Glance<'_> {
    /// The lines about the user, the profile's first.
    pub(super) async fn about_user(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let user = &request.viewer.owner.user;
        let profile = self.view.profile(user).await?;
        let mut told = match &profile {
            Some(profile) => self.still_true(profile, request).await?,
            None => Vec::new(),
        };
        let since = profile.as_ref().map_or(Time::MIN, |profile| profile.created_at);
        let learned = self.view.learned_of(user, since, limits::PAGE_ROWS).await?;
        let fresh = learned.iter().filter(|memory| request.viewer.may_know(memory));
        let fresh = fresh.filter(|memory| counts(memory, request.now) && says_who(memory));
        let removed = profile.and_then(|profile| profile.edited).map(|edited| edited.removed);
        let removed: HashSet<String> = removed.unwrap_or_default().iter().map(|line| fold(line)).collect();
        let mut fresh: Vec<Line> = fresh
            .filter(|memory| !removed.contains(&fold(&template::line(&memory.content))))
            .filter(|memory| !says(&told, memory))
            .map(of_fact)
            .take(limits::FRESH_FACTS)
            .collect();
        told.append(&mut fresh);
        Ok(told)
    }

    /// The profile's lines, without those whose memories hold no more or are kept from the viewer. A person's own lines rest
    /// on nothing but them.
    async fn still_true(&self, profile: &ProfileVersion, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let told = compose::told(profile);
        let ids: HashSet<MemoryId> = told.iter().flat_map(|line| line.sources.clone()).collect();
        let ids: Vec<MemoryId> = ids.into_iter().collect();
        let memories = if ids.is_empty() { Vec::new() } else { self.view.memories(&ids).await? };
        let told_by = memories.iter().filter(|memory| request.viewer.may_know(memory));
        let standing: HashSet<&MemoryId> =
            told_by.filter(|memory| stands(memory, request.now)).map(|memory| &memory.id).collect();
        let holds = |sources: &[MemoryId]| sources.iter().all(|id| standing.contains(id));
        let shown = told.iter().filter(|line| holds(&line.sources) && line.text.trim() != LEARNED_SINCE);
        // Lines that share a memory are not the same line: it is named with the first of them.
        let mut named: HashSet<MemoryId> = HashSet::new();
        let with_own = shown.flat_map(|line| {
            let own: Vec<MemoryId> =
                line.sources.iter().filter(|id| named.insert((*id).clone())).cloned().collect();
            lines::of_profile_line(&line.text, &own)
        });
        Ok(with_own.collect())
    }
}

fn of_fact(memory: &Memory) -> Line {
    Line { memory_ids: vec![memory.id.clone()], ..Line::plain(&template::line(&memory.content)) }
}

fn says(told: &[Line], memory: &Memory) -> bool {
    let fact = of_fact(memory);
    told.iter().any(|line| line.memory_ids.contains(&memory.id) || fold(&line.text) == fold(&fact.text))
}
