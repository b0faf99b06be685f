//! Sessions, turns, and what waits to be learned from them.

use memory::error::StoreError;
use memory::ports::Clock;
use memory::types::{Change, Corpus, PageRequest, PendingTurn, RecordRef, SessionKey, Turn};
use testkit::build;

use testkit::subject::Subject;

pub async fn turns_get_their_places(subject: Subject) {
    let mut turns: Vec<Turn> =
        ["one", "two", "three"].map(|text| build::turn(&subject.clock, "s1", text)).into();
    turns[1].index = 77;
    turns[1].speaker = Some("Ada".into());
    turns.push(build::turn(&subject.clock, "s2", "elsewhere"));
    turns.push(build::turn(&subject.clock, "s1", "four"));
    let stored = subject.append(turns.clone()).await;
    assert_eq!(stored.iter().map(|turn| turn.index).collect::<Vec<_>>(), [0, 1, 2, 0, 3], "the store counts");
    subject.say("s1", "five").await;

    let key = build::session_key("s1");
    let all = subject.store.session_turns(&key, 0, 100).await.expect("turns can be read");
    assert_eq!(texts(&all), ["one", "two", "three", "four", "five"]);
    turns[1].index = 1;
    assert_eq!(all[1], turns[1], "every field but the index comes back as given");
    let some = subject.store.session_turns(&key, 1, 2).await.expect("turns can be read");
    assert_eq!(texts(&some), ["two", "three"]);
    let session = subject.store.session(&key).await.expect("readable").expect("the session was made");
    assert_eq!((session.started_at, session.last_turn_at), (all[0].at, all[4].at));
    let page =
        subject.store.list_sessions(&subject.current(), PageRequest::first(10)).await.expect("readable");
    assert_eq!(page.total, 2);
    let asked = [all[4].id.clone(), all[0].id.clone()];
    let read = subject.store.turns(&asked).await.expect("turns can be read");
    assert_eq!(texts(&read), ["five", "one"], "in the order asked for");
}

pub async fn a_resent_turn_is_stored_once(subject: Subject) {
    let named = |name: &str, text: &str| {
        let mut turn = build::turn(&subject.clock, "s1", text);
        turn.external_id = Some(name.into());
        turn
    };
    let turns = vec![named("m1", "hello"), named("m2", "how are you?"), named("m1", "hello again")];
    let first = subject.write(Change::AppendTurns { turns, pending: true }).await;
    assert_eq!((first.turns.len(), first.known_turns), (2, 1));
    let resent = vec![named("m1", "hello"), named("m2", "how are you?"), named("m3", "fine")];
    let second = subject.write(Change::AppendTurns { turns: resent.clone(), pending: true }).await;
    assert_eq!((second.turns.len(), second.known_turns), (1, 2));
    let mut session =
        subject.store.session(&build::session_key("s1")).await.expect("readable").expect("made");
    session.ended_at = Some(subject.clock.now());
    let ended = subject.apply(subject.batch().replace(session)).await;
    let third = subject.write(Change::AppendTurns { turns: resent, pending: true }).await;
    assert_eq!((third.turns.len(), third.known_turns, third.number), (0, 3, ended.number), "nothing changed");
    let session = subject.store.session(&build::session_key("s1")).await.expect("readable").expect("made");
    assert!(session.ended_at.is_some(), "what is already known does not reopen a session");
    let all =
        subject.store.session_turns(&build::session_key("s1"), 0, 100).await.expect("turns can be read");
    assert_eq!(texts(&all), ["hello", "how are you?", "fine"]);
    assert_eq!(all.iter().map(|turn| turn.index).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(subject.store.pending(100).await.expect("readable").len(), 3);
    let mut elsewhere = named("m1", "another session");
    elsewhere.session = build::session_key("s2");
    assert_eq!(
        subject.append(vec![elsewhere]).await.len(),
        1,
        "the same name in another session is another turn"
    );
}

pub async fn the_same_name_is_another_session_for_another_user(subject: Subject) {
    let keys = [("default", "ada"), ("default", "ben"), ("coach", "ada")]
        .map(|(agent, user)| SessionKey::new(&build::owner(agent, user), build::session_id("1")));
    for key in &keys {
        subject
            .append(vec![build::turn_in(&subject.clock, key, &format!("{} to {}", key.user, key.agent))])
            .await;
    }
    for key in &keys {
        let turns = subject.store.session_turns(key, 0, 10).await.expect("turns can be read");
        assert_eq!(texts(&turns), [format!("{} to {}", key.user, key.agent)]);
        assert_eq!(turns[0].index, 0);
    }
}

pub async fn a_new_turn_reopens_the_session(subject: Subject) {
    subject.say("s1", "goodbye").await;
    let key = build::session_key("s1");
    let mut session = subject.store.session(&key).await.expect("readable").expect("the session was made");
    session.ended_at = Some(subject.clock.now());
    session.title = Some("A farewell".into());
    subject.apply(subject.batch().replace(session)).await;
    let ended = subject.store.session(&key).await.expect("readable").expect("it is there");
    assert!(ended.ended_at.is_some());
    let turn = subject.say("s1", "one more thing").await;
    let reopened = subject.store.session(&key).await.expect("readable").expect("it is there");
    assert_eq!((reopened.ended_at, reopened.last_turn_at), (None, turn.at));
    assert_eq!((reopened.title, turn.index), (Some("A farewell".into()), 1));
    assert!(reopened.version > ended.version);
}

pub async fn neighbours_stay_inside_the_session(subject: Subject) {
    for number in 0..6 {
        subject.say("s1", &format!("apple{number}")).await;
        subject.say("s2", &format!("pear{number}")).await;
    }
    let places = async |words: &[&str], radius: u64| -> Vec<(String, u64)> {
        let mut rows = Vec::new();
        for word in words {
            rows.push(subject.row_of(Corpus::Turns, word).await);
        }
        let places = subject.store.neighbours(&rows, radius).await.expect("neighbours can be read");
        let mut places: Vec<_> =
            places.into_iter().map(|place| (place.session.session.to_string(), place.index)).collect();
        places.sort();
        places
    };
    let at = |session: &str, indexes: &[u64]| -> Vec<(String, u64)> {
        indexes.iter().map(|&index| (session.to_owned(), index)).collect()
    };
    assert_eq!(places(&["apple2"], 1).await, at("s1", &[1, 2, 3]));
    assert_eq!(places(&["apple0"], 2).await, at("s1", &[0, 1, 2]));
    assert_eq!(places(&["apple5"], 1).await, at("s1", &[4, 5]));
    assert_eq!(places(&["apple3"], 0).await, at("s1", &[3]));
    assert_eq!(places(&["apple2", "apple3"], 1).await, at("s1", &[1, 2, 3, 4]), "each place once");
    assert_eq!(places(&["apple1", "pear4"], 1).await, [at("s1", &[0, 1, 2]), at("s2", &[3, 4, 5])].concat());
}

pub async fn pending_turns_fail_and_die_and_revive(subject: Subject) {
    let turns: Vec<Turn> =
        (0..3).map(|number| build::turn(&subject.clock, "s1", &format!("turn {number}"))).collect();
    let ids: Vec<_> = turns.iter().map(|turn| turn.id.clone()).collect();
    subject.write(Change::AppendTurns { turns, pending: true }).await;
    subject.say("s1", "already distilled").await;
    let waiting = subject.store.pending(100).await.expect("readable");
    assert_eq!(waiting.iter().map(|entry| entry.turn.clone()).collect::<Vec<_>>(), ids, "oldest first");
    assert_eq!(subject.store.pending(2).await.expect("readable").len(), 2);

    let fail = |turns: &[memory::types::TurnId]| Change::FailPending {
        turns: turns.to_vec(),
        error: "timed out".into(),
        cap: 2,
    };
    subject.write(fail(&ids[..2])).await;
    subject.write(fail(&ids[..1])).await;
    subject.write(Change::ClearPending { turns: vec![ids[2].clone()] }).await;
    let census = subject.store.census().await.expect("a census");
    assert_eq!((census.pending, census.dead_letters), (1, 1));
    let waiting = alive(&subject).await;
    assert_eq!(waiting.len(), 1);
    assert_eq!((&waiting[0].turn, waiting[0].failures), (&ids[1], 1));
    assert_eq!(waiting[0].last_error.as_deref(), Some("timed out"));

    subject.write(Change::RevivePending { session: build::session_key("s1") }).await;
    let waiting = alive(&subject).await;
    assert_eq!(waiting.iter().map(|entry| entry.turn.clone()).collect::<Vec<_>>(), ids[..2]);
    assert_eq!(waiting[0].failures, 0, "a dead letter gets all its tries again");
}

async fn alive(subject: &Subject) -> Vec<PendingTurn> {
    let entries = subject.store.pending(100).await.expect("readable");
    entries.into_iter().filter(|entry| !entry.dead).collect()
}

pub async fn redo_entries_come_and_go(subject: Subject) {
    for session in ["s1", "s2"] {
        subject.say(session, "hello").await;
        let since = subject.clock.now();
        subject.write(Change::PutRedo { session: build::session_key(session), since, error: None }).await;
    }
    let redo = subject.store.redo(10).await.expect("readable");
    let sessions: Vec<_> = redo.iter().map(|entry| entry.session.clone()).collect();
    assert_eq!(sessions, [build::session_key("s1"), build::session_key("s2")], "oldest first");
    subject.write(Change::ClearRedo { session: build::session_key("s1") }).await;
    let redo = subject.store.redo(10).await.expect("readable");
    assert_eq!((redo.len(), &redo[0].session), (1, &build::session_key("s2")));
}

pub async fn held_candidates_survive_a_restart(mut subject: Subject) {
    let (one, two) =
        (build::held(&subject.clock, "s1", "may like jazz"), build::held(&subject.clock, "s2", "may move"));
    subject.apply(subject.batch().insert(one.clone()).insert(two)).await;
    let key = build::session_key("s1");
    assert_eq!(subject.found("jazz").await, [""; 0], "what is held is not remembered yet");
    subject.restart().await;
    let held = subject.store.held(&key).await.expect("readable");
    assert_eq!(held, std::slice::from_ref(&one));
    let of = RecordRef { kind: memory::types::RecordKind::Held, id: one.id.to_string() };
    let remove = Change::Remove { of, expect: memory::types::Expect::Version(1) };
    subject.apply(subject.batch().insert(one.memory).with(remove)).await;
    assert_eq!(subject.store.held(&key).await.expect("readable"), []);
    assert_eq!(subject.found("jazz").await, ["may like jazz"]);
}

pub async fn a_session_has_one_active_episode(subject: Subject) {
    let first = build::episode(&subject.clock, "s1", "talked about the move");
    subject.apply(subject.batch().insert(first.clone())).await;
    let second = build::episode(&subject.clock, "s1", "talked about the move and the cat");
    let error = subject.refuse(subject.batch().insert(second.clone())).await;
    assert!(
        matches!(error, StoreError::Conflict { .. } | StoreError::Invalid(_)),
        "not our failure: {error:?}"
    );
    let mut superseded = first.clone();
    superseded.status = memory::types::Status::Superseded;
    subject.apply(subject.batch().replace(superseded).insert(second.clone())).await;
    let active = subject.store.episode_of(&build::session_key("s1")).await.expect("readable");
    assert_eq!(active, Some(second));
    assert_eq!(subject.store.episode_of(&build::session_key("s2")).await.expect("readable"), None);
}

pub async fn purged_turns_are_gone(subject: Subject) {
    let kept = subject.say("s1", "keep this").await;
    let mut turn = build::turn(&subject.clock, "s1", "my number is quokka");
    turn.external_id = Some("m1".into());
    let secret = turn.id.clone();
    subject.write(Change::AppendTurns { turns: vec![turn.clone()], pending: true }).await;
    let purge = Change::PurgeTurns { turns: vec![secret.clone()] };
    assert_eq!(subject.write(purge.clone()).await.removed, 1);
    assert_eq!(subject.store.turns(std::slice::from_ref(&secret)).await.expect("readable"), []);
    assert_eq!(subject.turns_found("quokka", &subject.current()).await, [""; 0]);
    assert_eq!(subject.store.pending(10).await.expect("readable"), []);
    assert_eq!(subject.write(purge).await.removed, 0);
    let next = subject.say("s1", "go on").await;
    assert!(next.index > kept.index, "places are not given twice");
    if let Some(database) = subject.database() {
        assert!(!testkit::integrity::index_holds(&database, "turn_fts", "quokka"));
        testkit::integrity::check(&database);
    }
}

fn texts(turns: &[Turn]) -> Vec<&str> {
    turns.iter().map(|turn| turn.text.as_str()).collect()
}
