//! What is said of memories that were recalled: counted once a reply, kept apart, and gone with its memory.

use memory::ports::Clock;
use memory::types::{
    Actor, Batch, Change, Counters, FeedbackEntry, JudgedBy, Judgement, Judgements, Kept, Memory, RecordRef,
    RunId, TurnId,
};
use testkit::build;

use testkit::subject::Subject;

fn entry(subject: &Subject, memory: &Memory, judgement: Judgement, turn: Option<&TurnId>) -> FeedbackEntry {
    FeedbackEntry {
        memory: memory.id.clone(),
        judgement,
        by: JudgedBy::Overlap,
        session: Some(build::session_key("s1")),
        turn: turn.cloned(),
        at: subject.clock.tick(),
    }
}

async fn judge(subject: &Subject, entry: &FeedbackEntry) {
    subject.write(Change::Judge { entry: entry.clone() }).await;
}

async fn counts(subject: &Subject, memory: &Memory) -> (u64, u64, u64) {
    let ids = [memory.id.clone()];
    let counters =
        subject.store.counters(&ids).await.expect("readable").remove(&memory.id).unwrap_or_default();
    (counters.used, counters.ignored, counters.wrong)
}

pub async fn a_reply_is_judged_once_by_each(subject: Subject) {
    let memory = subject.add("likes figs").await;
    let (one, two) = (TurnId::from_uuid(subject.clock.uuid()), TurnId::from_uuid(subject.clock.uuid()));
    judge(&subject, &entry(&subject, &memory, Judgement::Ignored, Some(&one))).await;
    assert_eq!(counts(&subject, &memory).await, (0, 1, 0));
    judge(&subject, &entry(&subject, &memory, Judgement::Used, Some(&one))).await;
    assert_eq!(counts(&subject, &memory).await, (1, 0, 0), "the last word counts");
    judge(&subject, &entry(&subject, &memory, Judgement::Used, Some(&two))).await;
    let person =
        FeedbackEntry { by: JudgedBy::Person, ..entry(&subject, &memory, Judgement::Wrong, Some(&one)) };
    judge(&subject, &person).await;
    assert_eq!(counts(&subject, &memory).await, (2, 0, 1), "another reply, and somebody else");
    for _ in 0..2 {
        judge(&subject, &entry(&subject, &memory, Judgement::Ignored, None)).await;
    }
    assert_eq!(counts(&subject, &memory).await, (2, 2, 1), "of no reply in particular, each time");
    let said = subject.store.feedback_of(std::slice::from_ref(&memory.id), 10).await.expect("readable");
    assert_eq!(said.len(), 5);
    assert_eq!(said[2], person, "the latest first");
    assert_eq!(
        subject.store.feedback_of(std::slice::from_ref(&memory.id), 2).await.expect("readable").len(),
        2
    );
    let gone = build::memory(&subject.clock, "never stored");
    judge(&subject, &entry(&subject, &gone, Judgement::Used, None)).await;
    assert_eq!(counts(&subject, &gone).await, (0, 0, 0), "what is not there is not judged");
}

pub async fn what_was_said_is_found_again(subject: Subject) {
    let (one, two) = (subject.add("likes figs").await, subject.add("likes plums").await);
    let turn = TurnId::from_uuid(subject.clock.uuid());
    let first = entry(&subject, &one, Judgement::Used, Some(&turn));
    let second = entry(&subject, &two, Judgement::Ignored, None);
    for entry in [&first, &second] {
        judge(&subject, entry).await;
    }
    let ids = [one.id.clone(), two.id.clone()];
    let since = async |at, limit| subject.store.feedback_since(&ids, at, limit).await.expect("readable");
    assert_eq!(since(first.at, 10).await, [first.clone(), second.clone()], "the oldest first");
    assert_eq!(since(second.at, 10).await, std::slice::from_ref(&second));
    assert_eq!(since(first.at, 1).await, std::slice::from_ref(&first));
    let within = async |session: &str, turn: Option<&TurnId>| {
        subject.store.feedback_in(&build::session_key(session), turn, 10).await.expect("readable")
    };
    assert_eq!(within("s1", None).await, [second.clone(), first.clone()], "the latest first");
    assert_eq!(within("s1", Some(&turn)).await, [first]);
    assert_eq!(within("s2", None).await, []);
    let all = subject.store.feedback_tally(None, None).await.expect("readable");
    assert_eq!((all, all.total()), (Judgements { used: 1, ignored: 1, wrong: 0 }, 2));
    let bo = "bo".parse().expect("a user");
    assert_eq!(subject.store.feedback_tally(None, Some(&bo)).await.expect("readable").total(), 0);
    assert_eq!(subject.store.feedback_tally(Some(&one.agent), Some(&one.user)).await.expect("readable"), all);
}

pub async fn what_was_said_goes_with_its_memory(subject: Subject) {
    let (one, two) = (subject.add("likes figs").await, subject.add("likes plums").await);
    let turn = build::turn(&subject.clock, "s1", "I like figs");
    subject.write(Change::AppendTurns { turns: vec![turn.clone()], pending: false }).await;
    for memory in [&one, &two] {
        judge(&subject, &entry(&subject, memory, Judgement::Used, Some(&turn.id))).await;
    }
    subject.purge(&one).await;
    let ids = [one.id.clone(), two.id.clone()];
    let left = subject.store.feedback_of(&ids, 10).await.expect("readable");
    assert_eq!(left.iter().map(|entry| &entry.memory).collect::<Vec<_>>(), [&two.id]);
    let of = RecordRef::session(&build::session_key("s1"));
    subject.write(Change::Purge { of }).await;
    let left = subject.store.feedback_of(&ids, 10).await.expect("readable").remove(0);
    assert_eq!((left.session, left.turn), (None, None), "where it was said goes with the conversation");
    assert_eq!(counts(&subject, &two).await, (1, 0, 0));
}

pub async fn judgements_are_taken_over_and_back(subject: Subject) {
    let memory = subject.add("likes figs").await;
    judge(&subject, &entry(&subject, &memory, Judgement::Used, None)).await;
    let run = RunId::from_uuid(subject.clock.uuid());
    let counts_of_another = Counters { used: 3, ignored: 2, wrong: 1, ..Counters::default() };
    let add = Change::AddCounts { memory: memory.id.clone(), counts: counts_of_another };
    let batch = Batch::new(Actor::Tend, subject.clock.tick()).in_run(run.clone());
    subject.apply(batch.with(add.clone()).with(add)).await;
    assert_eq!(counts(&subject, &memory).await, (7, 4, 2));
    judge(&subject, &entry(&subject, &memory, Judgement::Ignored, None)).await;
    subject.write(Change::TakeBack { run }).await;
    assert_eq!(counts(&subject, &memory).await, (1, 1, 0), "what came since stays");
}

pub async fn old_judgements_are_pruned_and_stay_counted(subject: Subject) {
    let memory = subject.add("likes figs").await;
    judge(&subject, &entry(&subject, &memory, Judgement::Used, None)).await;
    let later = subject.clock.tick();
    judge(&subject, &entry(&subject, &memory, Judgement::Wrong, None)).await;
    assert_eq!(subject.store.older_than(Kept::Logs, later).await.expect("readable"), 1);
    subject.write(Change::Prune { what: Kept::Logs, before: later, limit: 10 }).await;
    let left = subject.store.feedback_of(std::slice::from_ref(&memory.id), 10).await.expect("readable");
    assert_eq!(left.iter().map(|entry| entry.judgement).collect::<Vec<_>>(), [Judgement::Wrong]);
    assert_eq!(counts(&subject, &memory).await, (1, 0, 1));
}
