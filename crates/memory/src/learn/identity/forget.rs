//! When a memory is forgotten, what the identity made of it goes too: its lines, its traces in older versions, its override.
//!
//! Every line knows the memories it rests on, so exactly those lines go; what such a line said of other memories is said
//! again by their own sentences. This happens before the memories themselves go: if something fails in between, a profile
//! lacks a line for a while, and never shows one too many.

use std::collections::{HashMap, HashSet};

use super::overrides;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{ReadStore, Store};
use crate::profile::compose::{self, Composed};
use crate::profile::template::{self, ProfileLine};
use crate::types::{
    Actor, Batch, Change, Expect, Memory, MemoryId, Node, ProfileVersion, RecordKind, RecordRef, RunId, Time,
    UserId,
};

/// How what the identity made of a memory leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityLeaving<'a> {
    /// History keeps it.
    Removed,
    /// The same, and it comes back with the run.
    InRun(&'a RunId),
    /// For good.
    Purged,
}

/// Takes what rests on these memories out of their users' identities. What is purged leaves no history either.
pub async fn forget(
    store: &dyn Store,
    memories: &[Memory],
    leaving: IdentityLeaving<'_>,
    now: Time,
) -> StoreResult<()> {
    let mut by_user: HashMap<&UserId, Vec<&Memory>> = HashMap::new();
    for memory in memories {
        by_user.entry(&memory.user).or_default().push(memory);
    }
    for (user, gone) in by_user {
        let ids: HashSet<MemoryId> = gone.iter().map(|memory| memory.id.clone()).collect();
        let texts = gone.iter().map(|memory| template::line(&memory.content)).collect();
        forget_of(store, user, &ids, texts, leaving, now).await?;
    }
    Ok(())
}

/// The same for one user. `texts` are the sentences of what goes, as far as they are known.
pub async fn forget_of(
    store: &dyn Store,
    user: &UserId,
    gone: &HashSet<MemoryId>,
    texts: HashSet<String>,
    leaving: IdentityLeaving<'_>,
    now: Time,
) -> StoreResult<()> {
    let purge = leaving == IdentityLeaving::Purged;
    let mut changes = of_profile(store, user, gone, texts, purge).await?;
    for line in overrides::resting_on(store.overrides(user).await?, gone) {
        let of = overrides::reference(&line.id);
        changes.push(match purge {
            true => Change::Purge { of },
            false => Change::Remove { of, expect: Expect::Version(line.version) },
        });
    }
    if !changes.is_empty() {
        let mut batch = Batch::new(Actor::Person, now).because("what it rested on was forgotten");
        if let IdentityLeaving::InRun(run) = leaving {
            batch = batch.in_run(run.clone());
        }
        store.apply(Batch { changes, ..batch }).await?;
    }
    Ok(())
}

async fn of_profile(
    store: &dyn Store,
    user: &UserId,
    gone: &HashSet<MemoryId>,
    mut texts: HashSet<String>,
    purge: bool,
) -> StoreResult<Vec<Change>> {
    let versions = store.profile_versions(user).await?;
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    let others = companions(store, &versions, gone).await?;
    for line in versions.iter().flat_map(compose::told) {
        if line.sources.iter().any(|id| gone.contains(id)) {
            texts.insert(line.text.trim().to_owned());
        }
    }
    let mut changes = Vec::new();
    for version in &versions {
        let clean = cleaned(version, gone, &texts, &others);
        if clean != *version {
            put(&mut changes, clean, purge);
        }
    }
    Ok(changes)
}

/// The other memories that share a line with one that goes.
async fn companions(
    store: &dyn Store,
    versions: &[ProfileVersion],
    gone: &HashSet<MemoryId>,
) -> StoreResult<HashMap<MemoryId, Memory>> {
    let shared = versions.iter().flat_map(|version| &version.sources);
    let shared = shared.filter(|sources| sources.iter().any(|id| gone.contains(id)));
    let ids: HashSet<&MemoryId> = shared.flatten().filter(|id| !gone.contains(*id)).collect();
    let ids: Vec<MemoryId> = ids.into_iter().take(limits::READ_IDS).cloned().collect();
    let found = ReadStore::memories(store, &ids).await?;
    Ok(found.into_iter().map(|memory| (memory.id.clone(), memory)).collect())
}

/// The version without the lines that rest on what goes, and without their texts in its difference and its memory of what
/// a person took out.
fn cleaned(
    version: &ProfileVersion,
    gone: &HashSet<MemoryId>,
    texts: &HashSet<String>,
    others: &HashMap<MemoryId, Memory>,
) -> ProfileVersion {
    let mut lines: Vec<ProfileLine> = Vec::new();
    let mut theirs = version.edited.as_ref().map_or(0, |edited| edited.lines);
    for (place, line) in compose::told(version).into_iter().enumerate() {
        if !line.sources.iter().any(|id| gone.contains(id)) {
            lines.push(line);
            continue;
        }
        if version.edited.as_ref().is_some_and(|edited| place < edited.lines) {
            theirs -= 1;
        } else {
            let stay = line.sources.iter().filter_map(|id| others.get(id));
            lines.extend(stay.map(|memory| ProfileLine {
                text: template::line(&memory.content),
                sources: vec![memory.id.clone()],
            }));
        }
    }
    let mut clean = version.clone();
    let composed = Composed::generated(lines);
    let told_of = |line: &str| texts.contains(line.trim_start_matches(['+', '-']).trim());
    let kept: Vec<&str> = version.difference.lines().filter(|line| !told_of(line)).collect();
    clean.difference = kept.join("\n");
    clean.text = composed.text();
    if !clean.sources.is_empty() {
        clean.sources = composed.lines.into_iter().map(|line| line.sources).collect();
    }
    if let Some(edited) = &mut clean.edited {
        edited.lines = theirs;
        edited.removed.retain(|line| !texts.contains(line.trim()));
    }
    clean
}

/// In place of what stands. Purged and written anew, its history is gone, and what it was derived from is said again.
fn put(changes: &mut Vec<Change>, version: ProfileVersion, purge: bool) {
    let expect = if purge { Expect::Absent } else { Expect::Version(version.version) };
    let mut parents: Vec<MemoryId> = version.sources.iter().flatten().cloned().collect();
    parents.sort();
    parents.dedup();
    let child = Node::Profile(version.id.clone());
    if purge {
        let of = RecordRef { kind: RecordKind::Profile, id: version.id.as_str().to_owned() };
        changes.push(Change::Purge { of });
    }
    changes.push(Change::Put { record: version.into(), expect });
    if !parents.is_empty() {
        let parents = parents.into_iter().map(Node::Memory).collect();
        changes.push(Change::Derive { child, parents });
    }
}

/// The version without the lines that are not wanted, in its text, its difference and its memory of what was taken out.
pub fn without_lines(version: &ProfileVersion, unwanted: impl Fn(&str) -> bool) -> ProfileVersion {
    let theirs = version.edited.as_ref().map_or(0, |edited| edited.lines);
    let lines = compose::told(version);
    let gone_of_theirs = lines.iter().take(theirs).filter(|line| unwanted(&line.text)).count();
    let kept: Vec<ProfileLine> = lines.into_iter().filter(|line| !unwanted(&line.text)).collect();
    let mut clean = version.clone();
    let told = |line: &&str| unwanted(line.trim_start_matches(['+', '-']));
    if version.difference.lines().any(|line| told(&line)) {
        let kept = version.difference.lines().filter(|line| !told(line));
        clean.difference = kept.collect::<Vec<_>>().join("\n");
    }
    let composed = Composed::generated(kept);
    if composed.lines.len() < version.text.lines().count() {
        clean.text = composed.text();
        if !clean.sources.is_empty() {
            clean.sources = composed.lines.into_iter().map(|line| line.sources).collect();
        }
    }
    if let Some(edited) = &mut clean.edited {
        edited.lines = theirs - gone_of_theirs;
        edited.removed.retain(|line| !unwanted(line));
    }
    clean
}
