//! Filters: each narrows, together they narrow further, and they mean the same to lists and to searches.

use memory::types::{Corpus, Filter, Kind, Layer, Order, PageRequest};
use testkit::build;

use testkit::subject::Subject;

/// Lists and searches with a filter must agree; every content here has the word `note`.
async fn check(subject: &Subject, narrow: impl FnOnce(&mut Filter), expected: &[&str]) {
    let mut filter = subject.current();
    narrow(&mut filter);
    assert_eq!(subject.listed(&filter).await, expected, "listed with {filter:?}");
    let mut found = subject.found_by("note", &filter, 100).await;
    found.sort();
    let mut sorted = expected.to_vec();
    sorted.sort_unstable();
    assert_eq!(found, sorted, "found with {filter:?}");
}

pub async fn owners_and_sessions(subject: Subject) {
    for (agent, user, session) in [("coach", "ada", "one"), ("coach", "ben", "one"), ("clerk", "ada", "two")]
    {
        let content = format!("note by {user} for {agent}");
        let mut memory = build::memory_of(&subject.clock, &build::owner(agent, user), &content);
        memory.session = Some(build::session_id(session));
        subject.insert(memory).await;
    }
    check(
        &subject,
        |filter| filter.agent = Some("coach".parse().expect("a name")),
        &["note by ada for coach", "note by ben for coach"],
    )
    .await;
    check(
        &subject,
        |filter| filter.user = Some("ada".parse().expect("a name")),
        &["note by ada for coach", "note by ada for clerk"],
    )
    .await;
    check(&subject, |filter| filter.session = Some(build::session_id("two")), &["note by ada for clerk"])
        .await;
    let both = |filter: &mut Filter| {
        filter.agent = Some("coach".parse().expect("a name"));
        filter.user = Some("ada".parse().expect("a name"));
    };
    check(&subject, both, &["note by ada for coach"]).await;
    check(&subject, |filter| filter.user = Some("nobody".parse().expect("a name")), &[]).await;
}

pub async fn kinds_and_layers(subject: Subject) {
    for &kind in Kind::ALL {
        subject
            .add_with(&format!("{kind} note"), |memory| {
                memory.kind = kind;
                memory.layer = kind.usual_layer();
            })
            .await;
    }
    check(&subject, |filter| filter.kinds = vec![Kind::Rule], &["rule note"]).await;
    check(&subject, |filter| filter.kinds = vec![Kind::Goal, Kind::Fact], &["fact note", "goal note"]).await;
    check(&subject, |filter| filter.layers = vec![Layer::Prospective], &["commitment note", "goal note"])
        .await;
    let both = |filter: &mut Filter| {
        filter.layers = vec![Layer::Prospective, Layer::Procedural];
        filter.kinds = vec![Kind::Goal, Kind::Fact];
    };
    check(&subject, both, &["goal note"]).await;
}

pub async fn all_tags_must_be_there(subject: Subject) {
    for tags in [&["work"][..], &["work", "urgent"], &["urgent", "home"], &[], &["wor", "%", "it's"]] {
        let content = format!("note tagged {}", tags.join(" "));
        subject
            .add_with(&content, |memory| memory.tags = tags.iter().map(|&tag| tag.to_owned()).collect())
            .await;
    }
    let tagged = |tags: &[&str]| -> Vec<String> { tags.iter().map(|&tag| tag.to_owned()).collect() };
    check(
        &subject,
        |filter| filter.tags = tagged(&["work"]),
        &["note tagged work", "note tagged work urgent"],
    )
    .await;
    check(&subject, |filter| filter.tags = tagged(&["urgent", "work"]), &["note tagged work urgent"]).await;
    check(&subject, |filter| filter.tags = tagged(&["home", "work"]), &[]).await;
    check(&subject, |filter| filter.tags = tagged(&["it's", "%"]), &["note tagged wor % it's"]).await;
}

pub async fn since_and_until(subject: Subject) {
    let mut times = Vec::new();
    for number in 0..4 {
        times.push(subject.add(&format!("note {number}")).await.created_at);
    }
    check(&subject, |filter| filter.since = Some(times[2]), &["note 2", "note 3"]).await;
    check(&subject, |filter| filter.until = Some(times[2]), &["note 0", "note 1"]).await;
    let between = |filter: &mut Filter| (filter.since, filter.until) = (Some(times[1]), Some(times[3]));
    check(&subject, between, &["note 1", "note 2"]).await;
}

pub async fn filters_hold_for_turns_and_episodes(subject: Subject) {
    let ada = memory::types::SessionKey::new(&build::owner("coach", "ada"), build::session_id("one"));
    let early = subject.say("one", "an early note").await;
    subject.clock.advance_seconds(3_600);
    subject.append(vec![build::turn_in(&subject.clock, &ada, "a note by ada")]).await;
    let late = subject.say("two", "a late note").await;

    let mut filter = subject.current();
    filter.user = Some("ada".parse().expect("a name"));
    assert_eq!(subject.turns_found("note", &filter).await, ["a note by ada"]);
    let mut filter = subject.current();
    filter.session = Some(build::session_id("two"));
    assert_eq!(subject.turns_found("note", &filter).await, ["a late note"]);
    let mut filter = subject.current();
    (filter.since, filter.until) = (Some(early.at.plus_seconds(1)), Some(late.at));
    assert_eq!(subject.turns_found("note", &filter).await, ["a note by ada"]);

    let (first, second) = (build::episode(&subject.clock, "one", "a note of one"), {
        subject.clock.tick();
        build::episode(&subject.clock, "two", "a note of two")
    });
    subject.apply(subject.batch().insert(first.clone()).insert(second.clone())).await;
    let mut filter = subject.current();
    filter.since = Some(second.ended_at);
    let page =
        subject.store.list_episodes(&filter, PageRequest::first(10)).await.expect("episodes can be listed");
    assert_eq!(page.items, [second]);
    let mut filter = subject.current();
    filter.session = Some(build::session_id("one"));
    let nominees = subject.nominate(Corpus::Episodes, "note", &filter, 10).await;
    assert_eq!(nominees.iter().map(|nominee| nominee.id.as_str()).collect::<Vec<_>>(), [first.id.as_str()]);
}

pub async fn pages_of_a_list(subject: Subject) {
    for number in 0..7 {
        subject.add(&format!("note {number}")).await;
    }
    let table: [(usize, usize, Order, &[&str]); 5] = [
        (3, 0, Order::Oldest, &["note 0", "note 1", "note 2"]),
        (3, 6, Order::Oldest, &["note 6"]),
        (3, 7, Order::Oldest, &[]),
        (2, 0, Order::Newest, &["note 6", "note 5"]),
        (2, 4, Order::Newest, &["note 2", "note 1"]),
    ];
    for (limit, offset, order, expected) in table {
        let request = PageRequest { limit, offset, order, counted: true };
        let page =
            subject.store.list_memories(&subject.current(), request).await.expect("memories can be listed");
        let contents: Vec<String> = page.items.into_iter().map(|memory| memory.content).collect();
        assert_eq!(contents, expected, "{request:?}");
        assert_eq!(page.total, 7, "{request:?}");
    }
}
