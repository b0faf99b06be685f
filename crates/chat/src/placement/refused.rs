//! Where upstreams would not have memory in a prompt.
//!
//! Chat templates are strict in ways that no list of models knows: one takes a single system message, another only turns that
//! alternate. An upstream that refuses a prompt with memory and takes it without is not asked to take it at that place again for a
//! day; the next place is tried then, and where there is none memory stays out. It is known by tenant and by the names of upstream and
//! model alone, for this process: what one tenant's prompts come to says nothing about another's.

use lru::LruCache;
use memory::types::{TenantId, Time};
use parking_lot::Mutex;

use super::Placement;
use crate::limits;

/// The places that were refused, by tenant, upstream and model.
#[derive(Debug)]
pub struct RefusedPlacements {
    /// Shared by all requests of the process; held for a look, never across a wait.
    known: Mutex<LruCache<(TenantId, String, String), Vec<PlacementRefusal>>>,
}

#[derive(Debug, Clone, Copy)]
struct PlacementRefusal {
    placement: Placement,
    until: Time,
}

impl Default for RefusedPlacements {
    fn default() -> Self {
        Self { known: Mutex::new(LruCache::new(limits::REFUSED_PLACEMENTS)) }
    }
}

impl RefusedPlacements {
    pub fn of(&self, tenant: &TenantId, upstream: &str, model: &str, now: Time) -> Vec<Placement> {
        let mut known = self.known.lock();
        let Some(refused) = known.get_mut(&(tenant.clone(), upstream.to_owned(), model.to_owned())) else {
            return Vec::new();
        };
        refused.retain(|refused| refused.until > now);
        refused.iter().map(|refused| refused.placement).collect()
    }

    pub fn refused(&self, tenant: &TenantId, upstream: &str, model: &str, placement: Placement, now: Time) {
        let until = now.plus_seconds(limits::REFUSAL_REMEMBERED_SECONDS);
        let mut known = self.known.lock();
        let refused =
            known.get_or_insert_mut((tenant.clone(), upstream.to_owned(), model.to_owned()), Vec::new);
        refused.retain(|refused| refused.placement != placement);
        refused.push(PlacementRefusal { placement, until });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_tenant_comes_to_says_nothing_about_another() {
        let (refused, now) = (RefusedPlacements::default(), "2026-11-16T08:00:00Z".parse().expect("a time"));
        let (one, other) = (TenantId::local(), "another".parse::<TenantId>().expect("a tenant"));
        refused.refused(&one, "house", "m", Placement::InUser, now);
        assert_eq!(refused.of(&one, "house", "m", now), [Placement::InUser]);
        assert!(refused.of(&other, "house", "m", now).is_empty());
        assert!(refused.of(&one, "house", "n", now).is_empty());
    }
}
