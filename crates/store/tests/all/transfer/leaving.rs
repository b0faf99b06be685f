//! What an extent lets out, from a store that goes on being written.

use memory::ports::{Snapshot, Store};
use memory::types::{Extent, Part};
use testkit::{build, folder};

use super::{assert_same, contents, items_of, read_out, world};
use testkit::{integrity, subject};

#[tokio::test]
async fn a_snapshot_does_not_move() {
    for subject in [subject::sqlite_file().await, subject::sqlite_memory().await] {
        subject.add("before").await;
        let mut snapshot = subject.store.snapshot(&Extent::whole()).await.expect("taken");
        subject.add("after").await;
        let memories = items_of(&mut *snapshot, Part::Memory, 1).await;
        assert_eq!(memories.len(), 1, "what came after is not in it");
        subject.add("later").await;
        assert_eq!(snapshot.count(Part::Memory).await.expect("counted"), 1);
        drop(snapshot);
        assert_eq!(contents(&*subject.store, &Extent::whole(), 10).await[&Part::Memory].len(), 3);
    }
}

#[tokio::test]
async fn nothing_leaves_that_was_not_asked_for() {
    let subject = subject::sqlite_file().await;
    let world = world::fill(subject.store.clone(), 31, 250).await;
    let (aster, uma) = (build::owner("aster", "uma"), "uma");
    let narrow =
        Extent { agents: vec![aster.agent.clone()], deleted: true, embeddings: true, ..Extent::whole() };
    let file = contents(&*subject.store, &narrow, 20).await;
    let all = file.values().flatten().cloned().collect::<String>();
    assert!(all.contains("mark-aster"), "its own is there");
    for other in &world::AGENTS[1..] {
        assert!(!all.contains(&format!("mark-{other}")), "nothing of {other}");
    }
    for part in [Part::Setting, Part::Agent, Part::Run, Part::Profile, Part::Override, Part::Processing] {
        assert!(!file.contains_key(&part), "{part} belongs to no agent alone");
    }

    let whole = contents(&*subject.store, &Extent::whole(), 20).await;
    let text = whole.values().flatten().cloned().collect::<String>();
    assert!(!text.contains("forgotten-"), "what is marked deleted stays");
    assert!(!whole.contains_key(&Part::Vector), "vectors only where asked for");

    let user = Extent { user: Some(uma.parse().expect("a name")), ..Extent::whole() };
    let of_user = contents(&*subject.store, &user, 20).await;
    let strange = of_user.values().flatten().find(|line| line.contains("\"user\":\"vito\""));
    assert_eq!(strange, None, "nothing of another user");
    assert!(of_user.contains_key(&Part::Profile), "who the user is goes along");

    let quiet = Extent { conversations: false, ..Extent::whole() };
    let quiet = contents(&*subject.store, &quiet, 20).await;
    for part in [Part::Session, Part::Turn, Part::Episode, Part::Held, Part::Pending, Part::Redo, Part::Block]
    {
        assert!(!quiet.contains_key(&part), "{part} is of conversations");
    }

    let middle = world.clock.tick().plus_seconds(-100);
    let (early, late) = (
        Extent { until: Some(middle), ..Extent::whole() },
        Extent { since: Some(middle), ..Extent::whole() },
    );
    let count = async |extent: &Extent| {
        let file = contents(&*subject.store, extent, 20).await;
        [Part::Memory, Part::Turn].map(|part| file.get(&part).map_or(0, Vec::len))
    };
    let (early, late, all) = (count(&early).await, count(&late).await, count(&Extent::whole()).await);
    assert_eq!([early[0] + late[0], early[1] + late[1]], all, "before and after are everything");
    assert!(early[0] > 0 && late[0] > 0, "{early:?} {late:?}");

    let session = Extent { session: Some(build::session_id("two")), ..Extent::whole() };
    let of_session = contents(&*subject.store, &session, 20).await;
    assert!(of_session[&Part::Turn].iter().all(|line| line.contains("\"session\":\"two\"")));
    assert!(!of_session.contains_key(&Part::Entity));
}

#[tokio::test]
async fn a_store_in_memory_can_be_copied_to_a_file() {
    let tenants = store::Tenants::in_memory(store::TenantsOptions::default()).expect("memory can be had");
    let tenant = subject::open_tenant(&tenants, "local").await;
    let clock = testkit::ManualClock::default();
    let batch = memory::types::Batch::new(memory::types::Actor::Person, memory::types::Time::MIN);
    memory::ports::WriteStore::apply(&tenant, batch.insert(build::memory(&clock, "tea")))
        .await
        .expect("written");
    let scratch = folder::scratch();
    let path = scratch.path().join("odd name?#%.db");
    tenant.copy_into(&path, &Extent::whole()).await.expect("copied");
    let copy = store::read_file(&path, &Extent::everything()).await.expect("opened");
    assert_eq!(read_out(copy, 10).await[&Part::Memory].len(), 1);
}

#[tokio::test]
async fn a_copy_as_a_file_holds_what_the_extent_says_and_not_a_byte_more() {
    let home = folder::scratch();
    let tenants = subject::open_folder(home.path());
    let tenant = subject::open_tenant(&tenants, "local").await;
    let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(tenant.clone());
    world::fill(store.clone(), 77, 200).await;
    let scratch = folder::scratch();
    let aster =
        Extent { agents: vec!["aster".parse().expect("a name")], embeddings: true, ..Extent::whole() };
    let plain = Extent { embeddings: true, ..Extent::whole() };
    for (name, extent) in [("all", Extent::everything()), ("plain", plain), ("aster", aster)] {
        let path = scratch.path().join(format!("{name}.db"));
        tenant.copy_into(&path, &extent).await.expect("copied");
        let expected = contents(&*store, &extent, 50).await;
        integrity::check(&path);
        for forbidden in [("plain", "forgotten-"), ("aster", "mark-birch"), ("aster", "recallTopK")] {
            assert!(forbidden.0 != name || !integrity::files_hold(&path, forbidden.1), "{forbidden:?}");
        }
        assert!(store::tables_of_file(&path).expect("a database").contains(&"memory".to_owned()));
        let copy: Box<dyn Snapshot> = store::read_file(&path, &Extent::everything()).await.expect("opened");
        assert_same(&expected, &read_out(copy, 50).await, 77);
    }
}
