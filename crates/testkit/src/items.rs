//! What a store holds, item by item, for tests that look at what no read shows.

use memory::ports::Store;
use memory::types::{ArchiveAccess, Corpus, Extent, Item, MemoryId, Part};

/// Items read at once.
const PAGE: usize = 500;

/// Everything that the store holds of one part.
pub async fn items(store: &dyn Store, part: Part) -> Vec<Item> {
    let everything = Extent {
        deleted: true,
        conversations: true,
        embeddings: true,
        administration: true,
        ..Extent::default()
    };
    let mut snapshot = store.snapshot(&everything).await.expect("a snapshot can be taken");
    let (mut found, mut after) = (Vec::new(), None::<String>);
    while let Some((place, page)) = snapshot.page(part, after.as_deref(), PAGE).await.expect("readable") {
        found.extend(page);
        after = Some(place);
    }
    found
}

/// The vectors of a corpus and a signature, each with the id of what it is of.
pub async fn vectors(store: &dyn Store, of: Corpus, by: &str) -> Vec<(String, Vec<f32>)> {
    let pick = |item| match item {
        Item::Vector { corpus, id, signature, vector } if corpus == of && signature == by => {
            Some((id, vector))
        }
        _ => None,
    };
    items(store, Part::Vector).await.into_iter().filter_map(pick).collect()
}

/// Who asked for the archived text of a memory, oldest first.
pub async fn accesses(store: &dyn Store, of: &MemoryId) -> Vec<ArchiveAccess> {
    let pick = |item| match item {
        Item::Access { value } if value.memory == *of => Some(value),
        _ => None,
    };
    items(store, Part::Access).await.into_iter().filter_map(pick).collect()
}
