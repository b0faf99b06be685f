//! The two clocks: what was true then, and what was known then.

use memory::ports::Clock;
use memory::types::{Change, Expect, Filter, RecordRef, Status, Time, Validity};

use testkit::subject::Subject;

pub async fn as_of_tells_what_was_true_then(subject: Subject) {
    let (may, june, july) = (date("2026-05-01"), date("2026-06-01"), date("2026-07-01"));
    let rome = subject
        .add_with("lives in Rome", |memory| {
            (memory.valid_from, memory.valid_until) = (Some(may), Some(june));
            memory.status = Status::Superseded;
        })
        .await;
    subject.add_with("lives in Oslo", |memory| memory.valid_from = Some(june)).await;
    subject.add("likes tea").await;
    subject
        .add_with("was never meant", |memory| {
            memory.valid_from = Some(may);
            memory.status = Status::Deleted;
        })
        .await;
    let table: [(Time, &[&str]); 3] = [
        (may.plus_seconds(-1), &["likes tea"]),
        (may.plus_seconds(86_400), &["lives in Rome", "likes tea"]),
        (july, &["lives in Oslo", "likes tea"]),
    ];
    for (then, expected) in table {
        let filter = Filter::at(Validity::AsOf { then });
        assert_eq!(subject.listed(&filter).await, expected, "as of {then}");
    }
    let filter = Filter::at(Validity::AsOf { then: may.plus_seconds(1) });
    assert_eq!(subject.found_by("lives", &filter, 10).await, [rome.content]);
    assert_eq!(subject.found_by("lives", &Filter::current(july), 10).await, ["lives in Oslo"]);
    assert_eq!(subject.listed(&Filter::current(may)).await, ["likes tea"], "not valid yet, or superseded");
}

pub async fn an_interval_ends_where_the_next_begins(subject: Subject) {
    let change = date("2026-06-01");
    subject
        .add_with("works at a bank", |memory| {
            memory.valid_until = Some(change);
            memory.status = Status::Superseded;
        })
        .await;
    subject.add_with("works at a school", |memory| memory.valid_from = Some(change)).await;
    for (then, expected) in [(change.plus_seconds(-1), "works at a bank"), (change, "works at a school")] {
        assert_eq!(subject.listed(&Filter::at(Validity::AsOf { then })).await, [expected], "as of {then}");
    }
}

pub async fn known_at_tells_what_the_books_said(subject: Subject) {
    let start = subject.clock.now();
    let memory = subject.add("the door code is 1234").await;
    let after_add = subject.clock.now();
    let edited = subject.edit(&memory, |memory| memory.content = "the door code is 5678".into()).await;
    let after_edit = subject.clock.now();
    subject.edit(&edited, |memory| memory.status = Status::Deleted).await;
    let after_delete = subject.clock.now();
    let remove = Change::Remove { of: RecordRef::memory(&memory.id), expect: Expect::Any };
    subject.write(remove).await;
    subject.add("the door has a new lock").await;
    let now = subject.clock.now();
    let table: [(Time, &[&str]); 5] = [
        (start, &[]),
        (after_add, &["the door code is 1234"]),
        (after_edit, &["the door code is 5678"]),
        (after_delete, &[]),
        (now, &["the door has a new lock"]),
    ];
    for (then, expected) in table {
        assert_eq!(
            subject.listed(&Filter::at(Validity::KnownAt { then })).await,
            expected,
            "known at {then}"
        );
    }
}

pub async fn known_at_can_be_searched(subject: Subject) {
    let memory = subject.add("the concert is in Lisbon").await;
    let then = subject.clock.now();
    subject.edit(&memory, |memory| memory.content = "the concert is in Porto".into()).await;
    let other = subject.add("a trip to Lisbon").await;
    let filter = Filter::at(Validity::KnownAt { then });
    let ids = |nominees: Vec<memory::ports::Nominee>| -> Vec<String> {
        nominees.into_iter().map(|n| n.id).collect()
    };
    let found = ids(subject.nominate(memory::types::Corpus::Memories, "lisbon", &filter, 10).await);
    assert_eq!(found, [memory.id.to_string()], "by the words it had then, and nothing that came later");
    assert_eq!(subject.found_by("porto", &filter, 10).await, [""; 0]);
    assert_eq!(subject.found("lisbon").await, [other.content]);
}

fn date(text: &str) -> Time {
    text.parse().expect("a date")
}
