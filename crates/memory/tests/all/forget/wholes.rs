//! Everything of a session, a user, an agent: all of theirs goes, nothing of others.

use memory::forget::PurgeTarget;
use memory::types::{Filter, MemoryId, Owner, SessionKey};
use testkit::{build, traces};

use super::{agent, everything, purge, scene};
use testkit::integrity;
use testkit::subject::{Subject, sqlite_file};

fn whole(filter: Filter) -> PurgeTarget {
    PurgeTarget { ids: Vec::<MemoryId>::new(), query: None, filter, identity: true }
}

/// What another owner has: a memory and a conversation.
async fn somebody_else(subject: &Subject, owner: &Owner) {
    let memory = build::memory_of(&subject.clock, owner, "Bo collects stamps77");
    subject.insert(memory).await;
    let key = SessionKey::new(owner, build::session_id("first"));
    let turn = build::turn_in(&subject.clock, &key, "I collect stamps77");
    subject.append(vec![turn]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_forgotten_whole() {
    let subject = sqlite_file().await;
    let database = subject.database().expect("a file");
    let first = scene(&subject, "quokkas9172", "bushbabies11", "first").await;
    scene(&subject, "quokkas9173", "bushbabies22", "second").await;
    let filter = Filter {
        agent: Some(first.session.agent.clone()),
        user: Some(first.session.user.clone()),
        session: Some(first.session.session.clone()),
        ..everything()
    };
    let purged = purge(&subject, &whole(filter), true).await;
    assert_eq!((purged.removed("turns"), purged.removed("sessions"), purged.removed("episodes")), (3, 1, 1));
    assert_eq!(subject.memory(&first.said.id).await, None);
    assert_eq!(subject.store.session(&first.session).await.expect("readable"), None);
    for gone in [
        "see quokkas9172",
        "weigh quokkas9172",
        "breed quokkas9172",
        "lovely, quokkas9172",
        "Oslo near first",
    ] {
        assert_eq!(traces::of(&database, gone), [""; 0], "{gone}");
    }
    let kettles = subject.turns_found("kettle", &Filter::ever()).await;
    assert_eq!(kettles.len(), 1, "the other session's");
    assert!(!traces::of(&database, "quokkas9173").is_empty());
    integrity::check(&database);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_and_an_agent() {
    for by_agent in [false, true] {
        let subject = sqlite_file().await;
        let database = subject.database().expect("a file");
        scene(&subject, "quokkas9172", "bushbabies11", "first").await;
        let other = match by_agent {
            true => Owner { agent: agent("other"), ..Owner::unnamed() },
            false => build::owner("default", "bo"),
        };
        somebody_else(&subject, &other).await;
        let unnamed = Owner::unnamed();
        let filter = match by_agent {
            true => Filter { agent: Some(unnamed.agent), ..everything() },
            false => Filter { user: Some(unnamed.user), ..everything() },
        };
        let purged = purge(&subject, &whole(filter), true).await;
        assert_eq!((purged.removed("turns"), purged.removed("sessions")), (3, 1), "{by_agent}");
        let left = traces::of(&database, "quokkas9172");
        if by_agent {
            // What a person said of themselves for all agents is not the agent's.
            let theirs = |place: &String| {
                ["profile.", "override.", "history.", "bytes"].iter().any(|start| place.starts_with(start))
                    || place.starts_with("processing.")
                    || place.contains("_fts_")
            };
            assert!(left.iter().all(theirs), "{left:#?}");
            assert!(
                !subject
                    .store
                    .overrides(&memory::types::UserId::unnamed())
                    .await
                    .expect("readable")
                    .is_empty()
            );
        } else {
            let left: Vec<_> = left
                .iter()
                .filter(|place| !place.starts_with("processing") && !place.starts_with("bytes"))
                .collect();
            assert!(left.is_empty(), "{left:#?}");
        }
        assert_eq!(subject.listed(&Filter::ever()).await, ["Bo collects stamps77"]);
        assert_eq!(subject.turns_found("stamps77", &Filter::ever()).await.len(), 1);
        integrity::check(&database);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_of_everybody() {
    let subject = sqlite_file().await;
    let database = subject.database().expect("a file");
    scene(&subject, "quokkas9172", "bushbabies11", "first").await;
    somebody_else(&subject, &build::owner("other", "bo")).await;
    purge(&subject, &whole(everything()), true).await;
    let census = subject.store.census().await.expect("a census");
    assert_eq!(
        (census.memories.values().sum::<u64>(), census.turns, census.sessions, census.episodes),
        (0, 0, 0, 0)
    );
    assert_eq!(
        (census.entities, census.relations, census.links, census.held, census.vectors),
        (0, 0, 0, 0, 0)
    );
    for gone in ["shed", "stamps77", "bushbabies11", "kettle"] {
        assert_eq!(traces::of(&database, gone), [""; 0], "{gone}");
    }
    integrity::check(&database);
}
