//! Who sees what: statuses, scopes, expiry. Always inside the query, never after taking the best k.

use memory::types::{Corpus, Filter, Owner, RecordRef, Scope, Status, Viewer};
use testkit::build;

use crate::subject::Subject;

pub async fn the_deleted_is_hidden_everywhere(subject: Subject) {
    let memory = subject.add("the password is swordfish").await;
    let row = subject.row_of(Corpus::Memories, "swordfish").await;
    subject.edit(&memory, |memory| memory.status = Status::Deleted).await;
    let current = subject.current();
    assert_eq!(subject.listed(&current).await, [""; 0]);
    assert_eq!(subject.found("swordfish").await, [""; 0]);
    let words = ["swordfish".to_owned()];
    let like = subject.store.nominate_like(Corpus::Memories, &words, &current, 10).await.expect("searchable");
    assert_eq!(like, []);
    let recent = subject.store.nominate_recent(Corpus::Memories, &current, 10).await.expect("searchable");
    assert_eq!(recent, []);
    let admitted = subject.store.admit(Corpus::Memories, &[row], &current).await.expect("searchable");
    assert_eq!(admitted, []);
    let events = subject.store.history(&RecordRef::memory(&memory.id)).await.expect("readable");
    assert_eq!(events.len(), 2, "and can come back");
}

pub async fn statuses_can_be_asked_for(subject: Subject) {
    for &status in Status::ALL {
        subject.add_with(&format!("a note that is {status}"), |memory| memory.status = status).await;
    }
    assert_eq!(subject.found("note").await, ["a note that is active"]);
    for &status in Status::ALL {
        let mut filter = Filter::ever();
        filter.statuses = vec![status];
        let expected = [format!("a note that is {status}")];
        assert_eq!(subject.listed(&filter).await, expected);
        // What is deleted can still be listed, so that it can come back, but no search leads to it.
        let found = if status == Status::Deleted { &[] } else { &expected[..] };
        assert_eq!(subject.found_by("note", &filter, 10).await, found);
    }
    let mut filter = Filter::ever();
    filter.statuses = vec![Status::Held, Status::Archived];
    assert_eq!(subject.listed(&filter).await, ["a note that is held", "a note that is archived"]);
    assert_eq!(subject.listed(&Filter::ever()).await.len(), Status::ALL.len());
}

pub async fn inactive_hits_do_not_crowd_out_active_ones(subject: Subject) {
    for number in 0..20 {
        let content = format!("violin violin violin violin {number}");
        subject.add_with(&content, |memory| memory.status = Status::Superseded).await;
    }
    let mut expected = Vec::new();
    for number in 0..6 {
        let content = format!("practised the violin with a long story around it, take {number}");
        subject.add(&content).await;
        expected.push(content);
    }
    assert_eq!(subject.found_by("violin", &subject.current(), 5).await.len(), 5);
    let current = subject.current();
    let words = ["violin".to_owned()];
    let like = subject.store.nominate_like(Corpus::Memories, &words, &current, 5).await.expect("searchable");
    assert_eq!(like.len(), 5);
    let mut all = subject.found("violin").await;
    all.sort();
    assert_eq!(all, expected);
}

pub async fn scopes_decide_who_sees(subject: Subject) {
    let ada = build::owner("coach", "ada");
    for &scope in Scope::ALL {
        let mut memory = build::memory_of(&subject.clock, &ada, &format!("a {scope} secret"));
        memory.scope = scope;
        memory.session = Some(build::session_id("monday"));
        subject.insert(memory).await;
    }
    let table: [(&str, &str, &str, &[&str]); 5] = [
        ("coach", "ada", "monday", &["thread", "user", "persona", "organization"]),
        ("coach", "ada", "tuesday", &["user", "persona", "organization"]),
        ("coach", "ben", "monday", &["persona", "organization"]),
        ("clerk", "ada", "monday", &["organization"]),
        ("clerk", "ben", "friday", &["organization"]),
    ];
    for (agent, user, session, scopes) in table {
        let filter = seen_by(&subject, build::owner(agent, user), Some(session));
        let expected: Vec<String> = scopes.iter().map(|scope| format!("a {scope} secret")).collect();
        let viewer = format!("{agent}, {user}, {session}");
        assert_eq!(subject.listed(&filter).await, expected, "listed for {viewer}");
        assert_eq!(subject.found_by("secret", &filter, 10).await, expected, "found for {viewer}");
        let recent = subject.store.nominate_recent(Corpus::Memories, &filter, 10).await.expect("searchable");
        assert_eq!(recent.len(), expected.len(), "recent for {viewer}");
    }
    let mut filter = subject.current();
    filter.scopes = vec![Scope::Persona, Scope::Thread];
    assert_eq!(
        subject.listed(&filter).await,
        ["a thread secret", "a persona secret"],
        "without a viewer, all owners"
    );
}

pub async fn a_viewer_without_a_session_sees_no_thread(subject: Subject) {
    subject
        .add_with("only here", |memory| {
            memory.scope = Scope::Thread;
            memory.session = Some(build::session_id("monday"));
        })
        .await;
    subject.add_with("of no session", |memory| memory.scope = Scope::Thread).await;
    let filter = seen_by(&subject, Owner::unnamed(), None);
    assert_eq!(subject.listed(&filter).await, [""; 0]);
}

pub async fn the_expired_is_hidden(subject: Subject) {
    let memory = subject.add("the offer of today").await;
    let expires_at = subject.clock.tick().plus_seconds(60);
    subject.edit(&memory, |memory| memory.expires_at = Some(expires_at)).await;
    assert_eq!(subject.found("offer").await, ["the offer of today"]);
    for (now, expected) in
        [(expires_at.plus_seconds(-1), 1), (expires_at, 0), (expires_at.plus_seconds(1), 0)]
    {
        let filter = Filter::current(now);
        assert_eq!(subject.listed(&filter).await.len(), expected, "at {now}");
        assert_eq!(subject.found_by("offer", &filter, 10).await.len(), expected, "at {now}");
    }
    assert_eq!(subject.listed(&Filter::ever()).await.len(), 1);
}

fn seen_by(subject: &Subject, owner: Owner, session: Option<&str>) -> Filter {
    let mut filter = subject.current();
    filter.viewer = Some(Viewer { owner, session: session.map(build::session_id) });
    filter
}
