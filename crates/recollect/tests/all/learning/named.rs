//! What the graph takes names for.

use memory::ports::ReadStore;
use memory::types::{EntityType, Filter, PageRequest};

use super::Scene;

async fn types(said: &[&str]) -> Vec<(String, EntityType)> {
    let scene = Scene::new();
    for (place, text) in said.iter().enumerate() {
        scene.says(&format!("s{place}"), text).await;
    }
    let all =
        scene.tenant().await.list_entities(&Filter::ever(), PageRequest::first(100)).await.expect("read");
    all.items.into_iter().map(|entity| (entity.name, entity.entity_type)).collect()
}

#[tokio::test]
async fn a_month_is_no_place() {
    let said =
        "I live in Lisbon and I have worked at Acme since May. May is nice there, and in June we visit Oslo.";
    let found = types(&[said, "I moved to Bergen in April."]).await;
    for month in ["May", "June", "April"] {
        assert!(!found.iter().any(|(name, _)| name == month), "{found:?}");
    }
    assert!(found.contains(&("Lisbon".to_owned(), EntityType::Place)), "{found:?}");
    let found = types(&["My sister June lives in Oslo and I met June at Acme."]).await;
    assert!(
        found.contains(&("June".to_owned(), EntityType::Person)),
        "who is called so is somebody: {found:?}"
    );
}

#[tokio::test]
async fn a_pet_is_no_person() {
    for said in [
        "My cat is called Miso.",
        "My dog Biscuit loves the beach and my dog Biscuit barks.",
        "Mein Hund heißt Bruno.",
    ] {
        let found = types(&[said]).await;
        let persons: Vec<_> =
            found.iter().filter(|(name, kind)| *kind == EntityType::Person && name != "User").collect();
        assert!(persons.is_empty(), "{said}: {persons:?}");
    }
}
