//! Somebody else's knowledge graph: things by their names, and what holds between them.

use std::collections::HashMap;

use memory::ports::ReadStore;
use memory::types::{Entity, EntityId, EntityType, Owner, Relation, RelationId, Status};

use super::ImportRun;
use crate::error::Error;
use crate::import_model::{Thing, Tie};
use crate::limits;

/// Ties that wait until all things are here.
#[derive(Default)]
pub struct Things {
    ties: Vec<(String, Tie)>,
    /// Things by their names in small letters, as far as they were looked up.
    ids: HashMap<String, EntityId>,
}

impl ImportRun<'_> {
    pub(super) async fn thing(&mut self, place: String, thing: Thing) -> Result<(), Error> {
        let owner = match self.whose.owner(None, None) {
            Ok(owner) => owner,
            Err(message) => {
                self.report.trouble(place, message);
                return Ok(());
            }
        };
        if thing.name.trim().is_empty() {
            self.report.trouble(place, "it has no name; expected one");
            return Ok(());
        }
        let is_new = self.find(&owner, &thing.name).await?.is_none();
        if is_new {
            self.make(&owner, thing).await?;
        }
        self.report.count("entity", is_new);
        Ok(())
    }

    pub(super) fn tie(&mut self, place: String, tie: Tie) {
        if self.things.ties.len() >= limits::IMPORT_NAMES {
            let message = format!("more than {} relations; this one is left out", limits::IMPORT_NAMES);
            self.report.trouble(place, message);
            return;
        }
        self.things.ties.push((place, tie));
    }

    pub(super) async fn flush_ties(&mut self) -> Result<(), Error> {
        for (place, tie) in std::mem::take(&mut self.things.ties) {
            match self.whose.owner(None, None) {
                Ok(owner) => self.tie_up(place, &owner, tie).await?,
                Err(message) => self.report.trouble(place, message),
            }
        }
        Ok(())
    }

    async fn tie_up(&mut self, place: String, owner: &Owner, tie: Tie) -> Result<(), Error> {
        if tie.subject.trim().is_empty() || tie.object.trim().is_empty() || tie.predicate.trim().is_empty() {
            self.report
                .trouble(place, "an end or the predicate is empty; expected subject, predicate and object");
            return Ok(());
        }
        let subject = self.found_or_made(owner, &tie.subject).await?;
        let object = self.found_or_made(owner, &tie.object).await?;
        let here = self.tenant.relations_of(&[subject.as_str().to_owned()]).await?;
        let is_known = here.iter().any(|relation| {
            (&relation.subject, &relation.object) == (&subject, &object)
                && relation.predicate == tie.predicate
        });
        self.report.count("relation", !is_known);
        if is_known {
            return Ok(());
        }
        let at = tie.at.unwrap_or(self.run.started_at);
        let relation = Relation {
            id: RelationId::from_uuid(self.clock.uuid()),
            version: 1,
            owner: owner.clone(),
            subject,
            predicate: tie.predicate,
            object,
            confidence: tie.confidence.unwrap_or(1.0).clamp(0.0, 1.0),
            valid_from: None,
            valid_until: None,
            status: Status::Active,
            created_at: at,
            updated_at: at,
        };
        let batch = self.batch().insert(relation);
        self.apply(batch).await?;
        Ok(())
    }

    async fn found_or_made(&mut self, owner: &Owner, name: &str) -> Result<EntityId, Error> {
        if let Some(id) = self.find(owner, name).await? {
            return Ok(id);
        }
        let thing =
            Thing { name: name.to_owned(), entity_type: EntityType::Concept, aliases: Vec::new(), at: None };
        self.report.count("entity", true);
        self.make(owner, thing).await
    }

    async fn find(&mut self, owner: &Owner, name: &str) -> Result<Option<EntityId>, Error> {
        let folded = name.trim().to_lowercase();
        if let Some(id) = self.things.ids.get(&folded) {
            return Ok(Some(id.clone()));
        }
        let here = self.tenant.entities_named(name.trim()).await?;
        let found = here.into_iter().find(|entity| entity.owner == *owner).map(|entity| entity.id);
        if let Some(id) = &found {
            self.things.ids.insert(folded, id.clone());
        }
        Ok(found)
    }

    async fn make(&mut self, owner: &Owner, thing: Thing) -> Result<EntityId, Error> {
        let at = thing.at.unwrap_or(self.run.started_at);
        let entity = Entity {
            id: EntityId::from_uuid(self.clock.uuid()),
            version: 1,
            owner: owner.clone(),
            name: thing.name.trim().to_owned(),
            entity_type: thing.entity_type,
            aliases: thing.aliases,
            status: Status::Active,
            created_at: at,
            updated_at: at,
        };
        let id = entity.id.clone();
        self.things.ids.insert(entity.name.to_lowercase(), id.clone());
        let batch = self.batch().insert(entity);
        self.apply(batch).await?;
        Ok(id)
    }
}
