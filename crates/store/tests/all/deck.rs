//! What searches keep in memory says what the database says, whoever changed it.
//!
//! One tenant is asked after every change, so that most of its answers come from memory; beside it the same folder is opened anew each
//! time and keeps nothing, so that all of its answers are read. Both must be the same to the last place.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{Clock, Embedder, Nominated, Nomination, Proposer, ReadStore, ScoringNeeds, WriteStore};
use memory::text::query;
use memory::types::{Actor, Batch, Change, Corpus, Filter, HiddenText, Turn, Veil, VeilId, Viewer};
use store::limits::DECK_BYTES;
use store::{Tenant, Tenants, TenantsOptions};
use testkit::{ManualClock, build, folder, subject};

/// A vector by how often some letters occur.
struct Letters;

#[async_trait]
impl Embedder for Letters {
    fn signature(&self) -> &str {
        "test:letters:4"
    }

    fn dimensions(&self) -> usize {
        4
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let count = |text: &str, letter: char| text.chars().filter(|own| *own == letter).count() as f32 + 0.1;
        let vector = |text: &String| ['a', 'e', 'n', 't'].map(|letter| count(text, letter)).to_vec();
        Ok(texts.iter().map(vector).collect())
    }
}

fn open(folder: &Path, deck_bytes: usize) -> Tenants {
    let options =
        TenantsOptions { embedder: Some(Arc::new(Letters)), deck_bytes, ..TenantsOptions::default() };
    Tenants::open_folder(folder, options).expect("the folder opens")
}

const WORDS: [&str; 6] = ["kettle", "garden", "lantern", "meadow", "ticket", "pepper"];

async fn answers(tenant: &Tenant, filters: &[Filter]) -> Vec<Nominated> {
    let mut answers = Vec::new();
    for (number, filter) in filters.iter().enumerate() {
        for corpus in [Corpus::Turns, Corpus::Memories] {
            for word in WORDS {
                let query = query::plain(word, tenant.analyser());
                let question = Letters.embed(&[word.to_owned()]).await.expect("it embeds").remove(0);
                let (signature, limit) = (Letters.signature().to_owned(), 3 + number);
                let scoring = ScoringNeeds {
                    terms: query.terms.clone(),
                    signature: Some(signature.clone()),
                    neighbours: true,
                    rows: Vec::new(),
                };
                let proposers =
                    vec![Proposer::Words { query, limit }, Proposer::Near { signature, question, limit }];
                let asked = Nomination { corpus, filter: filter.clone(), proposers, scoring: Some(scoring) };
                answers.push(tenant.nominated(asked).await.expect("readable"));
            }
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_kept_in_memory_is_what_stands_in_the_database() {
    let (folder, clock) = (folder::scratch(), ManualClock::default());
    let (tenants, others) = (open(folder.path(), DECK_BYTES), open(folder.path(), 6_000));
    let tenant = subject::open_tenant(&tenants, "local").await;
    let other = subject::open_tenant(&others, "local").await;
    let say = |session: &str, number: usize| {
        let text = format!("{} and {} number{number}", WORDS[number % 6], WORDS[(number * number + 1) % 6]);
        build::turn(&clock, session, &text)
    };
    let mut said: Vec<Turn> = Vec::new();
    for step in 0..40 {
        let session = format!("talk-{}", step % 3);
        let who = if step % 2 == 0 { &tenant } else { &other };
        let mut batch = Batch::new(Actor::Person, clock.tick());
        match step % 8 {
            5 if said.len() > 4 => {
                let gone = said.remove(step % said.len());
                batch = batch.with(Change::PurgeTurns { turns: vec![gone.id] });
            }
            6 if said.len() > 4 => {
                batch = batch.insert(veil(&clock, &said[step % said.len()], step % 16 == 6))
            }
            7 => {
                let vector = vec![0.9, 0.1, 0.2, 0.3];
                let (id, signature) = (said[0].id.to_string(), Letters.signature().to_owned());
                batch = batch.with(Change::PutVector { corpus: Corpus::Turns, id, signature, vector });
            }
            _ => {
                let turns = vec![say(&session, step), say(&session, step + 7)];
                said.extend(turns.iter().cloned());
                batch = batch.with(Change::AppendTurns { turns, pending: false });
                batch = batch.insert(build::memory(&clock, &format!("{} fact{step}", WORDS[step % 6])));
            }
        }
        who.apply(batch).await.expect("in order");
        let viewer = Viewer::new(build::session_key(&session).owner(), None);
        let since = Some(clock.now().plus_seconds(-20));
        let filters = [
            Filter::ever(),
            Filter { viewer: Some(viewer), ..Filter::current(clock.now()) },
            Filter { session: Some(build::session_key(&session).session), since, ..Filter::ever() },
        ];
        // Whoever opens it fills in the vectors that are missing.
        let (ours, theirs) = loop {
            let head = tenant.head().await.expect("readable");
            let anew = open(folder.path(), 0);
            let theirs = answers(&subject::open_tenant(&anew, "local").await, &filters).await;
            anew.close().await;
            let (ours, small) = (answers(&tenant, &filters).await, answers(&other, &filters).await);
            assert_eq!(ours, small, "one with room for a few rows");
            if tenant.head().await.expect("readable") == head {
                break (ours, theirs);
            }
        };
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours.proposed, theirs.proposed, "after step {step}");
            assert_eq!(ours.places, theirs.places, "after step {step}");
            assert_eq!(ours.admitted, theirs.admitted, "after step {step}");
            assert_eq!(ours.material, theirs.material, "after step {step}");
        }
        assert!(step < 4 || ours.iter().any(|found| found.places.len() > 2));
    }
}

/// Hides a turn whole, or its first word.
fn veil(clock: &ManualClock, turn: &Turn, whole: bool) -> Veil {
    let end = if whole { turn.text.len() } else { turn.text.find(' ').unwrap_or(turn.text.len()) };
    let hidden = vec![HiddenText::new(&turn.id, &(0..end))];
    let (id, created_at) = (VeilId::from_uuid(clock.uuid()), clock.now());
    Veil { id, version: 1, session: turn.session.clone(), hidden, created_at }
}
