//! Who the user is, kept up to date: the profile, generated and versioned, and the overrides that are always said.
//!
//! Both are per user and across agents. After a pass, [`Learner::refresh_identity`] brings the machine's overrides in step with
//! the memories they rest on ([`overrides`]) and, when enough was learned, makes the next version of the profile: by the
//! model, checked line by line ([`model`]), or by a template ([`template`]). A person's edit stands above both
//! ([`compose`]), and what is forgotten leaves no line behind ([`forget`]). [`grade`] says which memories count at all.

pub mod forget;
pub mod model;
pub mod overrides;

use std::collections::HashSet;

use super::session_pass::Learner;
use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::profile::compose::{self, Composed};
use crate::profile::{grade, template};
use crate::types::{
    Actor, Batch, Change, Expect, Filter, Kind, Memory, MemoryId, Node, Order, Origin, PageRequest,
    ProfileVersion, RecordKind, RecordRef, Scope, Status, Time, UserId,
};

/// Contributions that a first profile waits for, where the threshold is not lower still.
pub const FIRST_PROFILE: usize = 3;

/// Times it is done again when somebody else wrote in between.
const RACES: usize = 5;

/// Kinds that a profile tells.
const KINDS: &[Kind] = &[
    Kind::Fact,
    Kind::Preference,
    Kind::Decision,
    Kind::Correction,
    Kind::Relationship,
    Kind::Skill,
    Kind::Goal,
];

/// What a refresh came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refreshed {
    /// The new version, where there is one.
    pub profile: Option<ProfileVersion>,
    /// Memories learned since the version before.
    pub contributions: usize,
    pub overrides: overrides::OverrideTally,
    /// Why the model's profile could not be used, where the template stood in for it.
    pub without_model: Option<String>,
}

/// Who wants a new version, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// When enough was learned.
    WhenDue,
    /// Now, whatever was learned.
    Now,
    /// Now, and nothing of what a person wrote stays: they handed it back.
    HandBack,
}

impl Learner {
    /// Brings the identity up to date after something was learned.
    pub async fn refresh_identity(&self, user: &UserId) -> StoreResult<Refreshed> {
        self.renew_identity(user, Wish::WhenDue).await
    }

    /// The same at somebody's wish. Done again where another writer was faster.
    pub async fn renew_identity(&self, user: &UserId, wish: Wish) -> StoreResult<Refreshed> {
        let mut lost = 0;
        loop {
            match self.try_refresh(user, wish).await {
                Err(StoreError::Conflict { .. }) if lost < RACES => lost += 1,
                result => return result,
            }
        }
    }

    async fn try_refresh(&self, user: &UserId, wish: Wish) -> StoreResult<Refreshed> {
        let now = self.tools.clock.now();
        let recent = self.tools.store.learned_of(user, Time::MIN, limits::PAGE_ROWS).await?;
        let overrides =
            overrides::refresh(&*self.tools.store, user, &recent, now, &self.tools.analyser).await?;
        let current = self.tools.store.profile(user).await?;
        let since = current.as_ref().map(|version| version.checked_at.unwrap_or(version.created_at));
        let is_new = |memory: &&Memory| since.is_none_or(|since| memory.updated_at > since);
        let tells =
            |memory: &&Memory| grade::counts(memory, now) && grade::ProfileGroup::of(memory).is_some();
        let contributions = recent.iter().filter(is_new).filter(tells).count();
        let mut refreshed = Refreshed { contributions, overrides, ..Refreshed::default() };
        if wish != Wish::WhenDue || contributions >= self.due_at(current.as_ref()) {
            self.regenerate(user, current.as_ref(), wish, now, &mut refreshed).await?;
        }
        Ok(refreshed)
    }

    /// How many contributions the next version waits for.
    fn due_at(&self, current: Option<&ProfileVersion>) -> usize {
        let threshold = usize::try_from(self.tools.settings.profile_regenerate_threshold).unwrap_or(1).max(1);
        match current {
            Some(version) if !version.text.is_empty() => threshold,
            _ => threshold.min(FIRST_PROFILE),
        }
    }

    async fn regenerate(
        &self,
        user: &UserId,
        current: Option<&ProfileVersion>,
        wish: Wish,
        now: Time,
        refreshed: &mut Refreshed,
    ) -> StoreResult<()> {
        let memories = self.profile_memories(user, now).await?;
        let telling = template::telling(&memories, now, &self.tools.analyser);
        let (composed, origin) = self.composed(user, current, wish, &telling, refreshed).await;
        let by = if wish == Wish::WhenDue { Actor::Heuristic } else { Actor::Person };
        let handed_back = wish == Wish::HandBack && current.is_some_and(|version| version.edited.is_some());
        if !handed_back && composed.text() == current.map_or("", |version| &version.text) {
            return self.mark_checked(current, now).await;
        }
        let version = composed.after(current, user, origin, now, &*self.tools.clock);
        refreshed.profile = Some(self.write_version(version, by).await?);
        Ok(())
    }

    /// The user's memories over all agents that a profile may tell, the newest first.
    async fn profile_memories(&self, user: &UserId, now: Time) -> StoreResult<Vec<Memory>> {
        let mut filter = Filter::current(now);
        filter.user = Some(user.clone());
        filter.kinds = KINDS.to_vec();
        filter.scopes = vec![Scope::Agent, Scope::User, Scope::Persona, Scope::Organization];
        let mut memories = Vec::new();
        while memories.len() < limits::PROFILE_MEMORIES {
            let page = PageRequest {
                limit: limits::PAGE_ROWS,
                offset: memories.len(),
                order: Order::Newest,
                counted: true,
            };
            let items = self.tools.store.list_memories(&filter, page).await?.items;
            let last = items.len() < limits::PAGE_ROWS;
            memories.extend(items);
            if last {
                break;
            }
        }
        Ok(memories)
    }

    /// A person's text is only added to. Else the model tells, and where there is none or it fails, the template.
    async fn composed(
        &self,
        user: &UserId,
        current: Option<&ProfileVersion>,
        wish: Wish,
        telling: &[&Memory],
        refreshed: &mut Refreshed,
    ) -> (Composed, Origin) {
        let max_tokens = self.tools.settings.profile_max_tokens;
        let edited = current.and_then(|version| Some((version, version.edited.as_ref()?)));
        if let Some((version, edited)) = edited.filter(|_| wish != Wish::HandBack) {
            let composed = compose::beside(version, edited, telling, max_tokens, &self.tools.analyser);
            return (composed, Origin::Heuristic);
        }
        if let Some(model) = self.tools.model.as_ref().filter(|_| !telling.is_empty()) {
            let now = self.tools.clock.now();
            let zone = self.tools.settings.zone_of(user);
            match model::profile(&**model, telling, max_tokens, now, &zone, &self.tools.analyser).await {
                Ok(lines) => return (Composed::generated(lines), Origin::Model),
                Err(why) => refreshed.without_model = Some(why),
            }
        }
        (Composed::generated(template::lines(telling, max_tokens, |_| false)), Origin::Heuristic)
    }

    /// It says all there is: the next look waits for as much news again.
    async fn mark_checked(&self, current: Option<&ProfileVersion>, now: Time) -> StoreResult<()> {
        let Some(current) = current else { return Ok(()) };
        let checked = ProfileVersion { checked_at: Some(now), ..current.clone() };
        self.tools.store.apply(Batch::new(Actor::Heuristic, now).replace(checked)).await?;
        Ok(())
    }

    /// A person's own text. With `expect`, only if that is the number of the profile they saw.
    pub async fn edit_profile(
        &self,
        user: &UserId,
        text: &str,
        expect: Option<u64>,
    ) -> StoreResult<ProfileVersion> {
        let current = self.tools.store.profile(user).await?;
        let number = current.as_ref().map_or(0, |version| version.number);
        if let Some(expected) = expect.filter(|expected| *expected != number) {
            let of = RecordRef { kind: RecordKind::Profile, id: user.to_string() };
            return Err(StoreError::Conflict {
                of,
                expected: expected.to_string(),
                found: number.to_string(),
            });
        }
        let now = self.tools.clock.now();
        let composed = compose::edited(current.as_ref(), text, now);
        let version = composed.after(current.as_ref(), user, Origin::Person, now, &*self.tools.clock);
        self.write_version(version, Actor::Person).await
    }

    /// Writes a version with what it rests on, and lets the oldest generated ones go.
    async fn write_version(&self, version: ProfileVersion, by: Actor) -> StoreResult<ProfileVersion> {
        let mut batch = Batch::new(by, version.created_at).insert(version.clone());
        let mut sources: Vec<_> = version.sources.iter().flatten().cloned().collect();
        sources.sort();
        sources.dedup();
        if !sources.is_empty() {
            let parents = sources.into_iter().map(Node::Memory).collect();
            batch = batch.with(Change::Derive { child: Node::Profile(version.id.clone()), parents });
        }
        let versions = self.tools.store.profile_versions(&version.user).await?;
        let generated = versions.iter().filter(|old| old.origin != Origin::Person);
        let over = (generated.clone().count() + 1).saturating_sub(limits::PROFILE_VERSIONS);
        for old in generated.take(over) {
            let of = RecordRef { kind: RecordKind::Profile, id: old.id.as_str().to_owned() };
            batch = batch.with(Change::Remove { of, expect: Expect::Any });
        }
        self.tools.store.apply(batch).await?;
        self.forget_meanwhile(&version).await?;
        Ok(version)
    }

    /// What was forgotten between reading it and writing the version must not stay in it.
    async fn forget_meanwhile(&self, version: &ProfileVersion) -> StoreResult<()> {
        let sources: HashSet<MemoryId> = version.sources.iter().flatten().cloned().collect();
        let ids: Vec<MemoryId> = sources.iter().cloned().collect();
        let known = self.tools.store.memories(&ids).await?;
        let stays =
            |id: &MemoryId| known.iter().any(|memory| memory.id == *id && memory.status != Status::Deleted);
        let gone: HashSet<MemoryId> = sources.into_iter().filter(|id| !stays(id)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        let now = self.tools.clock.now();
        let (store, leaving) = (&*self.tools.store, forget::IdentityLeaving::Purged);
        forget::forget_of(store, &version.user, &gone, HashSet::new(), leaving, now).await
    }
}

#[cfg(test)]
mod tests;
