//! Weaves what a session speaks of into the knowledge graph.
//!
//! Entities are one for each name, and the user's own names are the user. A relation behind a memory that was replaced ends
//! when the memory does, so that a walk of today does not lead to where somebody used to live.

use std::collections::HashMap;

use super::commit::{BatchBuilder, written_memories};
use super::draft::{Draft, EntityDraft};
use super::session_pass::Learner;
use crate::error::StoreResult;
use crate::types::{Change, Entity, EntityType, Expect, Memory, Owner, Status};

/// How distillers call the user.
const USER: &str = "User";

/// What leads from the user to one of the user's own names.
const OWN_NAMES: &[&str] = &["NAMED", "GOES_BY"];

impl Learner {
    pub(super) async fn weave(&self, writing: &mut BatchBuilder<'_>, draft: &Draft) -> StoreResult<()> {
        let owner = writing.session.owner();
        let drafts: Vec<EntityDraft> = the_user(draft).into_iter().chain(draft.entities.clone()).collect();
        let mut known = HashMap::new();
        for entity in &drafts {
            for name in entity.aliases.iter().chain([&entity.name]) {
                if let Some(found) = self.known_entity(name, &owner).await? {
                    known.insert(entity.name.to_lowercase(), found);
                }
            }
        }
        let ids = writing.entities(&drafts, &known);
        let touched: Vec<String> = ids.values().map(|id| id.as_str().to_owned()).collect();
        let relations = self.tools.store.relations_of(&touched).await?;
        writing.relations(&draft.relations, &ids, &relations);
        for past in written_memories(&writing.batch) {
            if past.status == Status::Superseded {
                self.end_relation(writing, &past, &owner).await?;
            }
        }
        Ok(())
    }

    async fn known_entity(&self, name: &str, owner: &Owner) -> StoreResult<Option<Entity>> {
        let found = self.tools.store.entities_named(name).await?;
        Ok(found.into_iter().find(|found| found.owner == *owner))
    }

    /// The relation that said the same as a memory which is past now.
    async fn end_relation(
        &self,
        writing: &mut BatchBuilder<'_>,
        past: &Memory,
        owner: &Owner,
    ) -> StoreResult<()> {
        let (Some(subject), Some(predicate), Some(object)) = (&past.subject, &past.predicate, &past.object)
        else {
            return Ok(());
        };
        let ends = (self.known_entity(subject, owner).await?, self.known_entity(object, owner).await?);
        let (Some(subject), Some(object)) = ends else { return Ok(()) };
        for mut relation in self.tools.store.relations_of(&[object.id.as_str().to_owned()]).await? {
            let same = relation.subject == subject.id
                && relation.object == object.id
                && relation.predicate == *predicate
                && relation.valid_until.is_none();
            if same {
                let expect = Expect::Version(relation.version);
                relation.valid_until = past.valid_until;
                relation.updated_at = writing.now;
                writing.change(Change::Put { record: relation.into(), expect });
            }
        }
        Ok(())
    }
}

/// The user as an entity, where a relation or a name needs it. First of all, so that the user's names lead to it.
fn the_user(draft: &Draft) -> Option<EntityDraft> {
    let mut sources = Vec::new();
    let mut aliases: Vec<String> = Vec::new();
    for relation in draft.relations.iter().filter(|it| it.subject == USER || it.object == USER) {
        sources.extend(relation.sources.iter().cloned());
    }
    for candidate in &draft.candidates {
        let own = candidate.subject.as_deref() == Some(USER)
            && candidate.predicate.as_deref().is_some_and(|predicate| OWN_NAMES.contains(&predicate));
        if let (true, Some(name)) = (own, &candidate.object) {
            aliases.push(name.clone());
            sources.extend(candidate.sources.iter().cloned());
        }
    }
    aliases.sort();
    aliases.dedup();
    (!sources.is_empty()).then(|| EntityDraft {
        name: USER.into(),
        entity_type: EntityType::Person,
        aliases,
        sources,
    })
}
