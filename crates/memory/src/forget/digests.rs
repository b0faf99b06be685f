//! Digests of conversations that stay, without what they had from what goes.

use std::collections::{BTreeSet, HashMap};

use super::Purge;
use super::closure::{ErasureClosure, session_of};
use super::decision::{self, Fate};
use super::progress::PurgePortion;
use super::statements::ForgottenStatements;
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Episode, Filter, Node, PageRequest, Record, SessionKey, Status};

impl Purge<'_> {
    /// Digests that stay: of the conversations that the memories are from, and those that were merged with one that goes.
    pub(super) async fn plan_digests(
        &self,
        gone: &ErasureClosure,
        work: &mut PurgePortion,
    ) -> StoreResult<()> {
        let said = ForgottenStatements::of_memories(gone.memories_that_go(), [], self.analyser);
        let mut digests: HashMap<String, Episode> = HashMap::new();
        let sessions: BTreeSet<SessionKey> = gone.gone_memories().iter().filter_map(session_of).collect();
        for key in sessions {
            let filter = Filter {
                agent: Some(key.agent.clone()),
                user: Some(key.user.clone()),
                session: Some(key.session.clone()),
                statuses: Status::ALL.to_vec(),
                ..Filter::ever()
            };
            let page = self.store.list_episodes(&filter, PageRequest::newest(limits::PURGE_ROWS)).await?;
            digests.extend(page.items.into_iter().map(|digest| (digest.id.as_str().to_owned(), digest)));
        }
        for digest in digests.into_values() {
            let is_noted = self.is_noted("episode", digest.id.as_str());
            if is_noted || gone.nodes.contains(&Node::Episode(digest.id.clone())) {
                continue;
            }
            match decision::of_episode(&digest, &self.words(), &said, self.clock.now()) {
                Fate::Stays => {}
                Fate::Goes => work.purge(Record::from(digest).reference()),
                Fate::Rewritten(record) => work.rewrite(record),
            }
        }
        self.plan_merged_digests(gone, work).await
    }

    /// A digest that took over the points of one that goes gives them back.
    async fn plan_merged_digests(&self, gone: &ErasureClosure, work: &mut PurgePortion) -> StoreResult<()> {
        for node in &gone.partly {
            let Node::Episode(id) = node else { continue };
            let parents = self.store.parents(node).await?;
            let lost = parents.iter().filter(|parent| gone.nodes.contains(parent));
            let lost: Vec<String> = lost
                .filter_map(|parent| match parent {
                    Node::Episode(id) => Some(id.as_str().to_owned()),
                    _ => None,
                })
                .collect();
            let lost = self.store.episodes(&lost).await?;
            for digest in self.store.episodes(&[id.as_str().to_owned()]).await? {
                let clean = without_points_of(&digest, &lost);
                if clean != digest {
                    work.rewrite(clean.into());
                }
            }
        }
        Ok(())
    }
}

fn without_points_of(digest: &Episode, lost: &[Episode]) -> Episode {
    let mut clean = digest.clone();
    for gone in lost {
        clean.topics.retain(|item| !gone.topics.contains(item));
        clean.decisions.retain(|item| !gone.decisions.contains(item));
        clean.key_dates.retain(|item| !gone.key_dates.contains(item));
        clean.action_items.retain(|item| !gone.action_items.contains(item));
    }
    clean
}
