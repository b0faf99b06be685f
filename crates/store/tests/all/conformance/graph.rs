//! What came from what, what belongs together, and who is who.

use std::slice::from_ref;

use memory::ports::Clock;
use memory::types::Owner;
use memory::types::{
    Agent, Change, Expect, LinkKind, Node, Origin, Override, OverrideId, PageRequest, ProfileId,
    ProfileVersion, RecordKind, RecordRef, Relation, RelationId, Status, UserId,
};
use testkit::build;

use testkit::subject::Subject;

pub async fn derivation_is_walked_both_ways(subject: Subject) {
    let turn = Node::Turn(subject.say("s1", "I moved to Irvine").await.id);
    let memory = Node::Memory(subject.add("Ada moved to Irvine").await.id);
    let block = Node::Block("hash-of-a-block".into());
    let derive = Change::Derive { child: memory.clone(), parents: vec![turn.clone()] };
    subject.write(derive.clone()).await;
    subject.write(derive).await;
    subject.write(Change::Derive { child: block.clone(), parents: vec![memory.clone(), turn.clone()] }).await;
    assert_eq!(
        subject.store.parents(&memory).await.expect("readable"),
        from_ref(&turn),
        "once, however often said"
    );
    let mut children = subject.store.children(&turn).await.expect("readable");
    children.sort();
    let mut expected = [memory.clone(), block.clone()];
    expected.sort();
    assert_eq!(children, expected);
    let mut parents = subject.store.parents(&block).await.expect("readable");
    parents.sort();
    let mut expected = [memory.clone(), turn];
    expected.sort();
    assert_eq!(parents, expected);
    assert_eq!(subject.store.children(&block).await.expect("readable"), []);
}

pub async fn links_are_found_from_both_ends(subject: Subject) {
    let (one, two, three) = (subject.add("one").await, subject.add("two").await, subject.add("three").await);
    let mut link = build::link(&subject.clock, &one.id, &two.id);
    link.kind = LinkKind::MergedFrom;
    subject.apply(subject.batch().insert(link.clone())).await;
    assert_eq!(subject.store.links_of(from_ref(&one.id)).await.expect("readable"), [link.clone()]);
    assert_eq!(subject.store.links_of(from_ref(&two.id)).await.expect("readable"), [link.clone()]);
    assert_eq!(subject.store.links_of(&[one.id, two.id]).await.expect("readable"), [link], "once");
    assert_eq!(subject.store.links_of(&[three.id]).await.expect("readable"), []);
}

pub async fn entities_are_found_by_any_name(subject: Subject) {
    let ada = build::entity(&subject.clock, "Ada Byron", &["Countess of Lovelace", "ÉMILE"]);
    let ben = build::entity(&subject.clock, "Ben", &[]);
    let relation = Relation {
        id: RelationId::from_uuid(subject.clock.uuid()),
        version: 1,
        owner: Owner::unnamed(),
        subject: ada.id.clone(),
        predicate: "KNOWS".into(),
        object: ben.id.clone(),
        confidence: 0.9,
        valid_from: None,
        valid_until: None,
        status: Status::Active,
        created_at: subject.clock.now(),
        updated_at: subject.clock.now(),
    };
    subject.apply(subject.batch().insert(ada.clone()).insert(ben.clone()).insert(relation.clone())).await;
    for name in ["ada byron", "COUNTESS OF LOVELACE", "émile"] {
        assert_eq!(subject.store.entities_named(name).await.expect("readable"), from_ref(&ada), "{name}");
    }
    assert_eq!(
        subject.store.entities_named("ada").await.expect("readable"),
        [],
        "a part of a name is no name"
    );
    for id in [&ada.id, &ben.id] {
        let relations = subject.store.relations_of(&[id.to_string()]).await.expect("readable");
        assert_eq!(relations, from_ref(&relation));
    }
    let mut renamed = ada.clone();
    (renamed.name, renamed.aliases) = ("Ada Lovelace".into(), Vec::new());
    subject.apply(subject.batch().replace(renamed)).await;
    assert_eq!(subject.store.entities_named("ada byron").await.expect("readable"), []);
    assert_eq!(subject.store.entities_named("Ada Lovelace").await.expect("readable").len(), 1);
    let remove = |kind, id: String| Change::Remove { of: RecordRef { kind, id }, expect: Expect::Any };
    subject.write(remove(RecordKind::Entity, ben.id.to_string())).await;
    subject.write(remove(RecordKind::Relation, relation.id.to_string())).await;
    assert_eq!(subject.store.entities_named("ben").await.expect("readable"), []);
    let page =
        subject.store.list_entities(&subject.current(), PageRequest::first(10)).await.expect("readable");
    assert_eq!((page.total, page.items[0].name.as_str()), (1, "Ada Lovelace"));
    assert_eq!(subject.store.relations_of(&[ada.id.to_string()]).await.expect("readable"), []);
}

pub async fn identity_and_agents_are_kept(subject: Subject) {
    let user: UserId = "ada".parse().expect("a name");
    for number in 1..=2 {
        let profile = ProfileVersion {
            id: ProfileId::from_uuid(subject.clock.uuid()),
            version: 1,
            user: user.clone(),
            number,
            text: format!("profile {number}"),
            difference: String::new(),
            sources: Vec::new(),
            edited: None,
            checked_at: None,
            origin: Origin::Model,
            created_at: subject.clock.tick(),
        };
        subject.apply(subject.batch().insert(profile)).await;
    }
    let newest = subject.store.profile(&user).await.expect("readable").expect("there is one");
    assert_eq!((newest.number, newest.text.as_str()), (2, "profile 2"));
    let versions = subject.store.profile_versions(&user).await.expect("readable");
    let mut numbers: Vec<u64> = versions.iter().map(|version| version.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2]);
    let says = Override {
        id: OverrideId::from_uuid(subject.clock.uuid()),
        version: 1,
        user: user.clone(),
        text: "call me Ada".into(),
        memory: None,
        origin: Origin::Person,
        created_at: subject.clock.now(),
    };
    let agent = Agent {
        id: "coach".parse().expect("a name"),
        version: 1,
        name: "Coach".into(),
        description: "encourages".into(),
        personality: serde_json::Map::new(),
        created_at: subject.clock.now(),
        updated_at: subject.clock.now(),
    };
    subject.apply(subject.batch().insert(says.clone()).insert(agent.clone())).await;
    assert_eq!(subject.store.overrides(&user).await.expect("readable"), [says]);
    assert_eq!(subject.store.overrides(&UserId::unnamed()).await.expect("readable"), []);
    assert_eq!(subject.store.agents().await.expect("readable"), [agent]);
    assert_eq!(subject.store.profile(&UserId::unnamed()).await.expect("readable"), None);
}
