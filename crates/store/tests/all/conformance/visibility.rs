//! Who sees what: statuses, scopes, expiry. Always inside the query, never after taking the best k.

use memory::ports::Clock;
use memory::types::{
    Change, Corpus, Filter, KeyBounds, Owner, PageRequest, ProjectId, RecordRef, Scope, Status, Validity,
    Viewer,
};
use testkit::build;

use testkit::subject::Subject;

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

/// The newest of what somebody sees are found by whose they are; a page that is counted looks among everybody's.
pub async fn the_newest_a_viewer_sees_are_the_first_of_all(subject: Subject) {
    let scopes = Scope::ALL;
    for number in 0..120_usize {
        let (user, agent) = (["ann", "bob"][number % 2], ["helper", "coder"][number / 2 % 2]);
        subject
            .add_with(&format!("note {number}"), |memory| {
                (memory.user, memory.agent) = (user.parse().expect("a name"), agent.parse().expect("a name"));
                memory.scope = scopes[number % scopes.len()];
                memory.session = Some(["s1", "s2"][number / 3 % 2].parse().expect("a name"));
                memory.project = Some(["p1", "p2"][number / 5 % 2].parse().expect("a name"));
                memory.status = Status::ALL[number / 7 % Status::ALL.len()];
                let later = memory.created_at.plus_seconds(1_000_000);
                memory.valid_until = (number % 13 == 0).then_some(memory.created_at.plus_seconds(1));
                memory.valid_from = (number % 13 == 1).then_some(later);
            })
            .await;
    }
    let now = subject.clock.now();
    for (user, agent, session) in
        [("ann", "helper", Some("s1")), ("bob", "coder", None), ("eve", "helper", None)]
    {
        let session = session.map(|name| name.parse().expect("a name"));
        let project: ProjectId = "p1".parse().expect("a name");
        let viewer = Viewer::new(build::owner(agent, user), session.clone());
        let viewers = [
            viewer.clone(),
            Viewer { project: Some(project), ..viewer.clone() },
            Viewer { agent_only: true, ..viewer },
        ];
        for viewer in viewers {
            let bare = [Filter::current(now), Filter::ever(), Filter::at(Validity::AsOf { then: now })];
            let threads = Filter { session: session.clone(), scopes: vec![Scope::Thread], ..Filter::ever() };
            for filter in bare.into_iter().chain([threads]) {
                let filter = Filter { viewer: Some(viewer.clone()), ..filter };
                for limit in [3, 500] {
                    let list = async |page: PageRequest| {
                        subject.store.list_memories(&filter, page).await.expect("readable").items
                    };
                    let (newest, first) =
                        (list(PageRequest::newest(limit)).await, list(PageRequest::first(limit)).await);
                    assert_eq!(newest, first, "{filter:?}");
                    let onward = list(PageRequest { offset: 2, ..PageRequest::newest(limit) }).await;
                    let all = list(PageRequest::first(500)).await;
                    assert!(onward.iter().eq(all.iter().skip(2).take(limit)), "{filter:?}");
                }
            }
        }
    }
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
        memory.project = Some(project("garden"));
        subject.insert(memory).await;
    }
    let table: [(&str, &str, &str, &[&str]); 5] = [
        ("coach", "ada", "monday", &["thread", "agent", "user", "persona", "organization"]),
        ("coach", "ada", "tuesday", &["agent", "user", "persona", "organization"]),
        ("coach", "ben", "monday", &["persona", "organization"]),
        ("clerk", "ada", "monday", &["user", "organization"]),
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

fn project(name: &str) -> ProjectId {
    name.parse().expect("a project's name")
}

/// The six scopes of one owner, by every way to a memory, for viewers in and out of a project and for those who see nothing
/// that the user has with any agent.
pub async fn projects_and_agents_alone_decide_who_sees(subject: Subject) {
    let ada = build::owner("coach", "ada");
    for &scope in Scope::ALL {
        let mut memory = build::memory_of(&subject.clock, &ada, &format!("a {scope} secret"));
        (memory.scope, memory.session) = (scope, Some(build::session_id("monday")));
        memory.project = Some(project("garden"));
        memory.category = Some(scope.to_string());
        subject.insert(memory.clone()).await;
        let vector = vec![0.6, 0.8];
        let (corpus, signature) = (Corpus::Memories, "test:model:2".to_owned());
        subject.write(Change::PutVector { corpus, id: memory.id.to_string(), signature, vector }).await;
    }
    /// Agent, user, project, whether the agent alone is meant, and the scopes that are seen.
    type Case = (&'static str, &'static str, Option<&'static str>, bool, &'static [&'static str]);
    let table: [Case; 7] = [
        ("coach", "ada", Some("garden"), false, &["project", "agent", "user", "persona", "organization"]),
        ("clerk", "ada", Some("garden"), false, &["project", "user", "organization"]),
        ("clerk", "ada", Some("kitchen"), false, &["user", "organization"]),
        ("clerk", "ben", Some("garden"), false, &["organization"]),
        ("coach", "ada", Some("garden"), true, &["agent", "persona", "organization"]),
        ("clerk", "ada", Some("garden"), true, &["organization"]),
        ("coach", "ben", None, true, &["persona", "organization"]),
    ];
    for (agent, user, named, agent_only, scopes) in table {
        let mut filter = subject.current();
        let viewer = Viewer::new(build::owner(agent, user), None);
        filter.viewer = Some(Viewer { project: named.map(project), agent_only, ..viewer });
        check_every_way(&subject, &filter, scopes).await;
    }
    let bounds = |agents: &[&str], user: Option<&str>, shares_user| KeyBounds {
        agents: agents.iter().map(|agent| agent.parse().expect("an agent's name")).collect(),
        user: user.map(|user| user.parse().expect("a user's name")),
        shares_user,
    };
    let table: [(KeyBounds, &[&str]); 6] = [
        (bounds(&["coach"], None, false), &["thread", "agent", "persona", "organization"]),
        (bounds(&["coach", "clerk"], Some("ada"), false), &["thread", "agent", "persona", "organization"]),
        (bounds(&["coach"], Some("ben"), true), &[]),
        (bounds(&["clerk"], None, false), &[]),
        (bounds(&["clerk"], Some("ada"), true), &["project", "user"]),
        (bounds(&[], Some("ada"), false), &["thread", "project", "agent", "user", "persona", "organization"]),
    ];
    for (bounds, scopes) in table {
        check_every_way(&subject, &Filter { bounds, ..subject.current() }, scopes).await;
    }
    let in_reach_of = Some(build::owner("clerk", "ada"));
    check_every_way(&subject, &Filter { in_reach_of, ..subject.current() }, &["user"]).await;
    let in_reach_of = Some(ada);
    let reached = ["thread", "agent", "user", "persona", "organization"];
    check_every_way(&subject, &Filter { in_reach_of, ..subject.current() }, &reached).await;
    let of_category = Filter { categories: vec!["user".into(), "agent".into()], ..subject.current() };
    check_every_way(&subject, &of_category, &["agent", "user"]).await;
    let of_project = Filter { project: Some(project("kitchen")), ..subject.current() };
    check_every_way(&subject, &of_project, &[]).await;
}

/// By a list, by words, by meaning, by letters, by age, and as the books stood.
async fn check_every_way(subject: &Subject, filter: &Filter, scopes: &[&str]) {
    let expected: Vec<String> = scopes.iter().map(|scope| format!("a {scope} secret")).collect();
    assert_eq!(subject.listed(filter).await, expected, "listed by {filter:?}");
    assert_eq!(subject.found_by("secret", filter, 10).await, expected, "found by {filter:?}");
    let near = subject.store.nominate_near(Corpus::Memories, "test:model:2", &[0.6, 0.8], filter, 10).await;
    if let Some(near) = near.expect("searchable") {
        assert_eq!(near.len(), expected.len(), "near by {filter:?}");
    }
    let words = ["secret".to_owned()];
    let like = subject.store.nominate_like(Corpus::Memories, &words, filter, 10).await.expect("searchable");
    assert_eq!(like.len(), expected.len(), "like by {filter:?}");
    let recent = subject.store.nominate_recent(Corpus::Memories, filter, 10).await.expect("searchable");
    assert_eq!(recent.len(), expected.len(), "recent by {filter:?}");
    let then = subject.clock.tick();
    let known = Filter { validity: Validity::KnownAt { then }, ..filter.clone() };
    assert_eq!(subject.listed(&known).await, expected, "known by {filter:?}");
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
    filter.viewer = Some(Viewer::new(owner, session.map(build::session_id)));
    filter
}
