//! What searches keep in memory says what the database says, whoever changed it.
//!
//! One tenant is asked after every change, so that most of its answers come from memory; beside it the same folder is opened anew each
//! time and keeps nothing, so that all of its answers are read. Both must be the same to the last place.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{
    Clock, Embedder, Nominated, Nomination, Nominee, Proposer, ReadStore, ScoringNeeds, WriteStore,
};
use memory::text::query;
use memory::types::{
    Actor, Batch, Change, Corpus, Filter, HiddenText, KeyBounds, Kind, Layer, Memory, Scope, SessionKey,
    Status, Turn, Validity, Veil, VeilId, Viewer,
};
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
            assert_eq!(ours.admitted, theirs.admitted, "after step {step}");
            assert_eq!(ours.material, theirs.material, "after step {step}");
        }
        assert!(step < 4 || ours.iter().any(|found| found.material.rows.len() > 2));
    }
}

/// Hides a turn whole, or its first word.
fn veil(clock: &ManualClock, turn: &Turn, whole: bool) -> Veil {
    let end = if whole { turn.text.len() } else { turn.text.find(' ').unwrap_or(turn.text.len()) };
    let hidden = vec![HiddenText::new(&turn.id, &(0..end))];
    let (id, created_at) = (VeilId::from_uuid(clock.uuid()), clock.now());
    Veil { id, version: 1, session: turn.session.clone(), hidden, created_at }
}

/// A few numbers that follow from a seed.
fn number(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

fn memories(clock: &ManualClock, seed: &mut u64) -> Vec<Memory> {
    let memory = |count: usize, seed: &mut u64| {
        let owner = build::owner(["default", "coach"][number(seed, 2)], ["ada", "ben"][number(seed, 2)]);
        let mut memory = build::memory_of(clock, &owner, &format!("{} fact{count}", WORDS[count % 6]));
        clock.tick();
        memory.scope = Scope::ALL[number(seed, Scope::ALL.len())];
        memory.layer = Layer::ALL[number(seed, Layer::ALL.len())];
        memory.kind = Kind::ALL[number(seed, 3)];
        memory.status = Status::ALL[number(seed, Status::ALL.len())];
        memory.category = [None, Some("home".to_owned())][number(seed, 2)].clone();
        memory.session = [None, Some(build::session_id("talk-1"))][number(seed, 2)].clone();
        memory.project = [None, Some("boat".parse().expect("an id"))][number(seed, 2)].clone();
        memory.tags = [vec![], vec!["red".to_owned()]][number(seed, 2)].clone();
        let near = |seed: &mut u64| {
            let seconds = number(seed, 80) as i64 - 40;
            (number(seed, 2) == 0).then(|| clock.now().plus_seconds(seconds))
        };
        (memory.valid_from, memory.expires_at) = (near(seed), near(seed));
        let until = near(seed);
        memory.valid_until = until.filter(|until| memory.valid_from.is_none_or(|from| from < *until));
        memory
    };
    (0..120).map(|count| memory(count, seed)).collect()
}

fn filter(clock: &ManualClock, seed: &mut u64) -> Filter {
    let now = clock.now().plus_seconds(number(seed, 60) as i64 - 40);
    let mut filter = match number(seed, 4) {
        0 => Filter::ever(),
        1 => Filter::at(Validity::AsOf { then: now }),
        _ => Filter::current(now),
    };
    let owner = build::owner("default", "ada");
    let viewer = Viewer {
        project: [None, Some("boat".parse().expect("an id"))][number(seed, 2)].clone(),
        agent_only: number(seed, 3) == 0,
        ..Viewer::new(owner.clone(), [None, Some(build::session_id("talk-1"))][number(seed, 2)].clone())
    };
    let often = |seed: &mut u64| number(seed, 4) == 0;
    filter.viewer = often(seed).then_some(viewer);
    filter.in_reach_of = often(seed).then(|| owner.clone());
    filter.agent = often(seed).then(|| owner.agent.clone());
    filter.user = often(seed).then(|| owner.user.clone());
    filter.with_everybodys = often(seed);
    filter.session = often(seed).then(|| build::session_id("talk-1"));
    filter.bounds = KeyBounds {
        agents: if often(seed) { vec![owner.agent] } else { Vec::new() },
        user: often(seed).then_some(owner.user),
        shares_user: often(seed),
    };
    filter.statuses = if often(seed) { vec![Status::Superseded, Status::Active] } else { Vec::new() };
    filter.since = often(seed).then(|| now.plus_seconds(-60));
    filter.until = often(seed).then(|| now.plus_seconds(-10));
    // What conversations do not have leaves nothing of them, so it is asked for rarely.
    match number(seed, 12) {
        0 => filter.scopes = vec![Scope::User, Scope::Agent],
        1 => filter.layers = vec![Layer::ALL[0]],
        2 => filter.kinds = vec![Kind::ALL[0]],
        3 => filter.categories = vec!["home".to_owned()],
        4 => filter.tags = vec!["red".to_owned()],
        5 => filter.project = Some("boat".parse().expect("an id")),
        _ => {}
    }
    filter
}

/// Rows in order.
fn rows(found: &[(Nominee, f32)]) -> Vec<i64> {
    let mut rows: Vec<i64> = found.iter().map(|(nominee, _)| nominee.row).collect();
    rows.sort_unstable();
    rows
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_see_what_is_decided_in_memory_as_the_database_decides_it() {
    let (folder, clock) = (folder::scratch(), ManualClock::default());
    let tenants = open(folder.path(), DECK_BYTES);
    let tenant = subject::open_tenant(&tenants, "local").await;
    let seed = &mut 7;
    let mut batch = memories(&clock, seed)
        .into_iter()
        .fold(Batch::new(Actor::Person, clock.tick()), |batch, memory| batch.insert(memory));
    for count in 0..60 {
        let owner = build::owner(["default", "coach"][number(seed, 2)], ["ada", "ben"][number(seed, 2)]);
        let session = SessionKey::new(&owner, build::session_id(&format!("talk-{}", count % 30)));
        clock.tick();
        let turns = vec![build::turn_in(&clock, &session, &format!("{} turn{count}", WORDS[count % 6]))];
        batch = batch.with(Change::AppendTurns { turns, pending: false });
        let mut episode = build::episode(&clock, "talk", &format!("{} episode{count}", WORDS[count % 6]));
        (episode.session, episode.status) =
            (session, Status::ALL[(count / 30 + number(seed, 2) * 2) % Status::ALL.len()]);
        batch = batch.insert(episode);
    }
    tenant.apply(batch).await.expect("in order");
    let signature = Letters.signature().to_owned();
    let question = Letters.embed(&["kettle".to_owned()]).await.expect("it embeds").remove(0);
    let near = async |corpus: Corpus, filter: &Filter| {
        let near = Proposer::Near { signature: signature.clone(), question: question.clone(), limit: 500 };
        tenant.proposed(corpus, filter, near).await.expect("readable").expect("it answers")
    };
    let mut seen = [0; 3];
    for _ in 0..400 {
        let filter = filter(&clock, seed);
        for (corpus, seen) in [Corpus::Memories, Corpus::Episodes, Corpus::Turns].into_iter().zip(&mut seen) {
            // What was deleted has no vector.
            let asked = Proposer::Rows(rows(&near(corpus, &Filter::ever()).await));
            let ours = near(corpus, &filter).await;
            let theirs =
                tenant.proposed(corpus, &filter, asked).await.expect("readable").expect("it answers");
            assert_eq!(rows(&ours), rows(&theirs), "{corpus} by {filter:?}");
            *seen += ours.len();
        }
    }
    assert!(seen.iter().all(|seen| *seen > 200), "{seen:?}");
}
