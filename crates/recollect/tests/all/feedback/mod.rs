//! What becomes of memories that are recalled: which of them a reply used, who else says so, and what that changes.
//!
//! [`overlap`] is what the proxy finds out by itself, on every wire; [`surfaces`] what people, agents and other systems'
//! clients say; [`effects`] what it does to strength, order, links and recall.

mod effects;
mod overlap;
mod surfaces;

use std::collections::BTreeMap;

use memory::ports::{ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, FeedbackEntry, Filter, JudgedBy, Judgement, Kind, Memory, MemoryId, Origin, Owner,
    PageRequest, TenantId,
};
use recollect::ops::Services;
use store::{Credential, Tenant};

async fn tenant_of(house: &Services) -> Tenant {
    let credential = Credential::Operator { tenant: TenantId::local() };
    let caller = house.admit(credential).await.expect("the operator may");
    house.attend(caller.tenant()).await.expect("the tenant opens")
}

/// Something that was learned, and that nobody wrote.
async fn learned(house: &Services, content: &str) -> MemoryId {
    let now = house.clock.now();
    let id = MemoryId::from_uuid(house.clock.uuid());
    let owner = Owner::unnamed();
    let mut memory = Memory::new(id.clone(), TenantId::local(), &owner, Kind::Fact, content.to_owned(), now);
    memory.origin = Origin::Model;
    let batch = Batch::new(Actor::Model, now).insert(memory);
    tenant_of(house).await.apply(batch).await.expect("learned");
    id
}

async fn memory(house: &Services, id: &MemoryId) -> Memory {
    tenant_of(house).await.memories(std::slice::from_ref(id)).await.expect("read").remove(0)
}

async fn said(house: &Services, id: &MemoryId) -> Vec<FeedbackEntry> {
    tenant_of(house).await.feedback_of(std::slice::from_ref(id), 100).await.expect("read")
}

/// What the words of replies said of every memory: its content, and a word for each reply, the first first.
async fn told(house: &Services) -> BTreeMap<String, Vec<Judgement>> {
    let tenant = tenant_of(house).await;
    let page = PageRequest::first(100);
    let memories = tenant.list_memories(&Filter::ever(), page).await.expect("listed").items;
    let mut told = BTreeMap::new();
    for memory in memories {
        let mut entries = said(house, &memory.id).await;
        entries.reverse();
        let words: Vec<Judgement> = entries
            .iter()
            .filter(|entry| entry.by == JudgedBy::Overlap)
            .map(|entry| entry.judgement)
            .collect();
        if !words.is_empty() {
            told.insert(memory.content, words);
        }
    }
    told
}
