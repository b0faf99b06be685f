//! Reading a store out and taking it in again: nothing is lost, nothing comes in twice, nothing leaves that was not asked for.
//!
//! [`world`] fills a store with some of everything by chance, [`moving`] moves it, [`leaving`] is about what an extent lets out.

mod leaving;
mod moving;
mod world;

use std::collections::BTreeMap;

use memory::ports::{Snapshot, Store};
use memory::types::{Actor, Batch, Change, Extent, Item, Part, RestoredItem, RunId, Time};

/// Everything that the extent lets out, by part, as it would be written to a file.
type TenantContents = BTreeMap<Part, Vec<String>>;

async fn contents(store: &dyn Store, extent: &Extent, page: usize) -> TenantContents {
    let snapshot = store.snapshot(extent).await.expect("a snapshot can be taken");
    read_out(snapshot, page).await
}

async fn read_out(mut snapshot: Box<dyn Snapshot>, page: usize) -> TenantContents {
    let mut contents = TenantContents::new();
    for part in Part::ALL {
        let items = items_of(&mut *snapshot, *part, page).await;
        let counted = snapshot.count(*part).await.expect("items can be counted");
        assert_eq!(counted, items.len() as u64, "{part}: as many as were counted");
        let written: Vec<String> =
            items.iter().map(|item| serde_json::to_string(item).expect("an item")).collect();
        if !written.is_empty() {
            contents.insert(*part, written);
        }
    }
    contents
}

async fn items_of(snapshot: &mut dyn Snapshot, part: Part, page: usize) -> Vec<Item> {
    let (mut items, mut after) = (Vec::new(), None::<String>);
    while let Some((last, some)) =
        snapshot.page(part, after.as_deref(), page).await.expect("a page can be read")
    {
        assert!(!some.is_empty() && some.len() <= page, "a page of {}", some.len());
        items.extend(some);
        after = Some(last);
    }
    assert!(items.iter().all(|item| item.part() == part), "items of {part} say so");
    items
}

/// Takes everything in, as read from a file, and says what became of it.
async fn take_in(
    store: &dyn Store,
    contents: &TenantContents,
    at: Time,
    run: Option<&RunId>,
    unite: bool,
) -> Vec<(String, RestoredItem)> {
    let all: Vec<&String> = contents.values().flatten().collect();
    let mut became = Vec::new();
    for some in all.chunks(37) {
        let mut batch = Batch::new(Actor::Import, at);
        batch.run = run.cloned();
        for line in some {
            let item: Item = serde_json::from_str(line).expect("what was written can be read");
            batch = batch.with(Change::Restore { item: Box::new(item), unite });
        }
        let written = store.apply(batch).await.expect("what a store gave, a store takes");
        assert_eq!(written.restored.len(), some.len(), "each item is accounted for");
        became.extend(some.iter().map(|line| (*line).clone()).zip(written.restored));
    }
    became
}

/// Fails with the first thing that differs.
fn assert_same(left: &TenantContents, right: &TenantContents, seed: u64) {
    for part in Part::ALL {
        let (here, there) = (left.get(part), right.get(part));
        let empty = Vec::new();
        let (here, there) = (here.unwrap_or(&empty), there.unwrap_or(&empty));
        for (place, (one, other)) in here.iter().zip(there).enumerate() {
            assert_eq!(one, other, "seed {seed}: {part} {place} differs");
        }
        assert_eq!(here.len(), there.len(), "seed {seed}: as many of {part}; {:?}", here.last());
    }
}
