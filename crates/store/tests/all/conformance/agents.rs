//! Agents, with a record and without, and how much of a conversation waits.

use memory::ports::{AgentCount, Clock};
use memory::types::{Agent, Change, Status, Turn};
use testkit::build;

use testkit::subject::Subject;

pub async fn every_agent_is_counted(subject: Subject) {
    let started = subject.clock.now();
    let agent = Agent {
        id: "coach".parse().expect("an id"),
        version: 1,
        name: "Coach".into(),
        description: String::new(),
        personality: serde_json::Map::new(),
        created_at: started,
        updated_at: started,
    };
    subject.apply(subject.batch().insert(agent.clone())).await;
    assert_eq!(subject.store.agent(&agent.id).await.expect("readable"), Some(agent.clone()));
    assert_eq!(subject.store.agent(&"nobody".parse().expect("an id")).await.expect("readable"), None);

    for (owner, content) in
        [(("coach", "ada"), "likes tea"), (("coach", "bob"), "likes rye"), (("other", "ada"), "x")]
    {
        subject.clock.tick();
        subject.insert(build::memory_of(&subject.clock, &build::owner(owner.0, owner.1), content)).await;
    }
    let last = subject.clock.now();
    let archived = build::memory_of(&subject.clock, &build::owner("coach", "ada"), "liked coffee");
    subject.insert(memory::types::Memory { status: Status::Archived, ..archived }).await;
    let said = subject.say("s1", "hello").await;

    let counts = subject.store.agent_counts().await.expect("readable");
    let told: Vec<(&str, u64, u64)> =
        counts.iter().map(|count| (count.agent.as_str(), count.memories, count.sessions)).collect();
    let own = said.session.agent.as_str().to_owned();
    let mut expected = vec![("coach", 2, 0), ("other", 1, 0), (own.as_str(), 0, 1)];
    expected.sort_unstable();
    assert_eq!(told, expected, "active memories only, and those without a record too");
    let coach: &AgentCount = counts.iter().find(|count| count.agent == agent.id).expect("counted");
    assert_eq!((coach.first_at, coach.last_at), (started, last));
}

pub async fn waiting_tokens_are_summed(subject: Subject) {
    let turn = |text: &str, tokens: u32| Turn { tokens, ..build::turn(&subject.clock, "s1", text) };
    let turns = vec![turn("one", 10), turn("two", 20), turn("three", 30)];
    let ids: Vec<_> = turns.iter().map(|turn| turn.id.clone()).collect();
    let key = build::session_key("s1");
    assert_eq!(subject.store.pending_tokens(&key).await.expect("readable"), 0, "no such session");
    subject.write(Change::AppendTurns { turns, pending: true }).await;
    subject.say("s1", "already distilled").await;
    assert_eq!(subject.store.pending_tokens(&key).await.expect("readable"), 60);
    subject.write(Change::ClearPending { turns: vec![ids[0].clone()] }).await;
    let failed = Change::FailPending { turns: vec![ids[1].clone()], error: "no".into(), cap: 1 };
    subject.write(failed).await;
    assert_eq!(subject.store.pending_tokens(&key).await.expect("readable"), 30, "the dead do not wait");
    assert_eq!(subject.store.pending_tokens(&build::session_key("s2")).await.expect("readable"), 0);
}
