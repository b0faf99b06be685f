//! The write path's pass over a real store: what one commit holds, and what others do meanwhile.
//!
//! The stories that need a clock, settings and surfaces are in the binary's tests; here is what only the store can show.

use std::sync::Arc;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::learn::session_pass::{Learner, PassReport, PassTrigger};
use memory::ports::{Clock, Embedder, Store};
use memory::recall::{Path, Recaller, SearchRequest};
use memory::settings::Settings;
use memory::toolkit::Toolkit;
use memory::types::{
    Actor, Batch, Change, Corpus, Filter, Memory, Node, PageRequest, SessionKey, Status, Turn,
};
use testkit::{ManualClock, build};

use testkit::subject::{Subject, sqlite_file, sqlite_memory};

const SAID: &str = "I have been thinking about the garden for weeks, and I prefer roses because they come back \
    every year without any work at all.";

/// A turn that waits to be distilled.
async fn wait(store: &dyn Store, clock: &ManualClock, session: &SessionKey, text: &str) -> Turn {
    clock.tick();
    let turn = build::turn_in(clock, session, text);
    let append = Change::AppendTurns { turns: vec![turn.clone()], pending: true };
    store.apply(Batch::new(Actor::Person, clock.now()).with(append)).await.expect("appended");
    turn
}

fn learner(subject: &Subject, embedder: Option<Arc<dyn Embedder>>) -> Learner {
    Learner { tools: Toolkit { embedder, ..subject.tools(Settings::default()) } }
}

async fn pass(subject: &Subject, key: &SessionKey, occasion: PassTrigger) -> PassReport {
    learner(subject, None).pass(key, occasion).await.expect("the pass goes through")
}

async fn memories(subject: &Subject, status: Status) -> Vec<Memory> {
    let filter = Filter { statuses: vec![status], ..Filter::ever() };
    subject.store.list_memories(&filter, PageRequest::first(100)).await.expect("listed").items
}

#[tokio::test]
async fn an_episode_and_its_marks_are_one_commit() {
    for subject in [sqlite_file().await, sqlite_memory().await] {
        let key = build::session_key("one");
        let turn = wait(&*subject.store, &subject.clock, &key, SAID).await;
        let before = subject.store.head().await.expect("a number");
        let report = pass(&subject, &key, PassTrigger::Debounce).await;
        assert_eq!(subject.store.head().await.expect("a number"), before + 1, "one commit for everything");
        assert_eq!(subject.store.pending_of(&key).await.expect("listed"), []);
        let episode = subject.store.episode_of(&key).await.expect("read").expect("there is one");
        assert_eq!(Some(&episode.id), report.episode.as_ref());
        let memory = memories(&subject, Status::Active).await.remove(0);
        for node in [Node::Episode(episode.id), Node::Memory(memory.id)] {
            let parents = subject.store.parents(&node).await.expect("read");
            assert_eq!(parents, [Node::Turn(turn.id.clone())], "{node}");
        }
    }
}

/// Stands where the pass embeds, and lets somebody do something at that very moment, once.
struct Meanwhile {
    store: Arc<dyn Store>,
    clock: ManualClock,
    what: Interference,
    done: std::sync::atomic::AtomicBool,
}

enum Interference {
    SayMore(SessionKey),
    Edit(Box<Memory>),
}

#[async_trait]
impl Embedder for Meanwhile {
    fn signature(&self) -> &str {
        "test:meanwhile:1"
    }

    fn dimensions(&self) -> usize {
        1
    }

    async fn embed(&self, _texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if !self.done.swap(true, std::sync::atomic::Ordering::SeqCst) {
            match &self.what {
                Interference::SayMore(key) => {
                    wait(&*self.store, &self.clock, key, "I also love my dog Rex.").await;
                }
                Interference::Edit(memory) => {
                    let mut edited = (**memory).clone();
                    edited.tags.push("edited".into());
                    let batch = Batch::new(Actor::Person, self.clock.tick()).replace(edited);
                    self.store.apply(batch).await.expect("edited");
                }
            }
        }
        Err(ModelError::Unavailable("it only interrupts".into()))
    }
}

fn meanwhile(subject: &Subject, what: Interference) -> Option<Arc<dyn Embedder>> {
    let (store, clock) = (Arc::clone(&subject.store), ManualClock::seeded(9));
    clock.set(subject.clock.now().plus_seconds(5));
    Some(Arc::new(Meanwhile { store, clock, what, done: false.into() }))
}

#[tokio::test]
async fn a_turn_that_comes_during_a_pass_stays_pending() {
    let subject = sqlite_file().await;
    let key = build::session_key("one");
    wait(&*subject.store, &subject.clock, &key, SAID).await;
    let learner = learner(&subject, meanwhile(&subject, Interference::SayMore(key.clone())));
    let report = learner.pass(&key, PassTrigger::Debounce).await.expect("passed");
    assert_eq!(report.turns, 1);
    let waiting = subject.store.pending_of(&key).await.expect("listed");
    assert_eq!(waiting.len(), 1, "what came in between waits");
    let turns = subject.store.turns(&[waiting[0].turn.clone()]).await.expect("read");
    assert!(turns[0].text.contains("Rex"));
    assert_eq!(pass(&subject, &key, PassTrigger::Debounce).await.turns, 1, "the next pass takes it");
    let episodes =
        subject.store.list_episodes(&subject.current(), PageRequest::first(9)).await.expect("listed");
    assert_eq!(episodes.total, 1, "into the same episode");
}

#[tokio::test]
async fn a_pass_that_lost_a_race_is_done_again() {
    let subject = sqlite_file().await;
    let (first, second) = (build::session_key("one"), build::session_key("two"));
    wait(&*subject.store, &subject.clock, &first, "I live in Los Angeles.").await;
    pass(&subject, &first, PassTrigger::End).await;
    let home = memories(&subject, Status::Active).await.remove(0);
    wait(&*subject.store, &subject.clock, &second, "I moved to Irvine.").await;
    let learner = learner(&subject, meanwhile(&subject, Interference::Edit(Box::new(home.clone()))));
    let report = learner.pass(&second, PassTrigger::End).await.expect("passed");
    assert_eq!(report.tally.superseded, 1);
    let past = memories(&subject, Status::Superseded).await;
    assert_eq!(
        (past.len(), past[0].tags.as_slice()),
        (1, ["edited".to_owned()].as_slice()),
        "on what stood then"
    );
    assert_eq!(memories(&subject, Status::Active).await.len(), 1);
}

#[tokio::test]
async fn what_a_person_wrote_is_not_replaced() {
    let subject = sqlite_file().await;
    let (first, second) = (build::session_key("one"), build::session_key("two"));
    wait(&*subject.store, &subject.clock, &first, "I live in Los Angeles.").await;
    pass(&subject, &first, PassTrigger::End).await;
    let home = memories(&subject, Status::Active).await.remove(0);
    subject.edit(&home, |memory| memory.pinned = true).await;
    wait(&*subject.store, &subject.clock, &second, "I moved to Irvine.").await;
    pass(&subject, &second, PassTrigger::End).await;
    let active = memories(&subject, Status::Active).await;
    assert_eq!(active.len(), 2, "both stand, for the person to settle");
    let why =
        active.iter().find(|memory| memory.id != home.id).and_then(|memory| memory.metadata["why"].as_str());
    assert!(why.is_some_and(|why| why.contains("person")), "{why:?}");
}

#[tokio::test]
async fn the_graph_knows_who_and_until_when() {
    let subject = sqlite_file().await;
    let (first, second) = (build::session_key("one"), build::session_key("two"));
    wait(
        &*subject.store,
        &subject.clock,
        &first,
        "My name is Ada. I live in Los Angeles. I work at Acme Corp.",
    )
    .await;
    pass(&subject, &first, PassTrigger::End).await;
    let user = subject.store.entities_named("ada").await.expect("read").remove(0);
    assert_eq!(user.name, "User", "the user's own name is the user");
    wait(&*subject.store, &subject.clock, &second, "I moved to Irvine.").await;
    pass(&subject, &second, PassTrigger::End).await;
    let relations = subject.store.relations_of(&[user.id.as_str().to_owned()]).await.expect("read");
    let homes: Vec<bool> = relations
        .iter()
        .filter(|relation| relation.predicate == "LIVES_IN")
        .map(|relation| relation.valid_until.is_some())
        .collect();
    assert_eq!(homes, [true, false], "the old one has ended");
    assert!(relations.iter().any(|relation| relation.predicate == "WORKS_AT"));
}

#[tokio::test]
async fn without_vectors_words_find_it_and_the_answer_says_so() {
    let subject = sqlite_file().await;
    let key = build::session_key("one");
    wait(&*subject.store, &subject.clock, &key, SAID).await;
    pass(&subject, &key, PassTrigger::End).await;
    let settings = Settings::default();
    let request = SearchRequest::new(
        "roses",
        vec![Corpus::Memories],
        subject.current(),
        &settings,
        subject.clock.now(),
    );
    let embedder = meanwhile(&subject, Interference::SayMore(build::session_key("other")));
    let recaller = Recaller { tools: Toolkit { embedder, ..subject.tools(settings) } };
    let found = recaller.search(&request).await.expect("words still work");
    assert_eq!((found.path, found.hits.len()), (Path::KeywordAfterEmbedError, 1));
}
