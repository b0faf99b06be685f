//! What each step does, and what it leaves alone.

use std::sync::Arc;

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::tend::{self, JOB};
use memory::types::{
    Actor, Batch, Change, Corpus, HiddenText, Job, Kind, Layer, LinkKind, Memory, Node, Origin, RecordRef,
    Run, RunState, Status, Step, Time, Veil, VeilId,
};
use rusqlite::Connection;
use testkit::build;

use super::{DAY, Says, TendScene, fill};

fn count(run: &Run, step: Step) -> u64 {
    run.counts.get(step.as_str()).and_then(serde_json::Value::as_u64).unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_expired_is_archived() {
    let scene = TendScene::new().await;
    let over =
        scene.learned("Ada is in Rome until Friday", 3, |memory| memory.expires_at = Some(Time::MIN)).await;
    let holds = scene.learned("Ada lives in Irvine", 3, |_| {}).await;
    let run = scene.tend(Some(Step::Expire)).await;
    assert_eq!((run.state, count(&run, Step::Expire)), (RunState::Done, 1));
    assert_eq!((scene.status(&over).await, scene.status(&holds).await), (Status::Archived, Status::Active));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn digests_that_say_the_same_become_one() {
    let scene = TendScene::new().await;
    let summary = "Ada talked about the orchestra and when it rehearses";
    let one = scene.episode("s1", summary, 9).await;
    let two = scene.episode("s2", &format!("{summary}."), 2).await;
    let other = scene.episode("s3", "Ada talked about the garden and what grows there", 2).await;
    let mut elsewhere = build::episode(&scene.clock, "s4", summary);
    elsewhere.session.agent = "another".parse().expect("an agent");
    scene.write_by(Actor::Model, |batch| batch.insert(elsewhere.clone())).await;
    let run = scene.tend(Some(Step::Episodes)).await;
    assert_eq!(count(&run, Step::Episodes), 1);
    let ids = [&one, &two, &other, &elsewhere].map(|episode| episode.id.to_string());
    let episodes = scene.tenant.episodes(&ids).await.expect("read");
    let statuses: Vec<Status> = episodes.iter().map(|episode| episode.status).collect();
    assert_eq!(statuses, [Status::Active, Status::Superseded, Status::Active, Status::Active]);
    assert_eq!((episodes[0].started_at, episodes[0].ended_at), (one.started_at, two.ended_at));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memories_that_say_the_same_become_one() {
    let scene = TendScene::new().await;
    let tagged = |tag: &str| {
        let tag = tag.to_owned();
        move |memory: &mut Memory| memory.tags = vec![tag]
    };
    let stays = scene.learned("Ada always drinks green jasmine", 9, tagged("drinks")).await;
    let same = scene.learned("Ada always drinks green jasmine", 5, tagged("tea")).await;
    let less = scene.learned("Ada always drinks jasmine green", 4, tagged("order")).await;
    let friend = scene.learned("Ada met Bo in the orchestra", 4, |_| {}).await;
    let link = build::link(&scene.clock, &same.id, &friend.id);
    scene.write_by(Actor::Model, |batch| batch.insert(link.clone())).await;
    scene.used(&stays, 2, 3).await;
    scene.used(&same, 3, 1).await;
    let run = scene.tend(Some(Step::Merge)).await;
    assert_eq!(count(&run, Step::Merge), 1);
    let gone = scene.read(&same.id).await;
    assert_eq!((gone.status, gone.superseded_by.as_ref()), (Status::Superseded, Some(&stays.id)));
    assert_eq!(
        scene.status(&less).await,
        Status::Active,
        "the same words in another order are another statement"
    );
    assert_eq!(scene.read(&stays.id).await.tags, ["drinks", "tea"]);
    let ids = [stays.id.clone()];
    assert_eq!(scene.tenant.counters(&ids).await.expect("read")[&stays.id].use_count, 5);
    let links = scene.tenant.links_of(&ids).await.expect("read");
    assert!(links.iter().any(|link| link.kind == LinkKind::Related && link.to == friend.id), "{links:?}");
    assert!(links.iter().any(|link| link.kind == LinkKind::MergedFrom && link.to == same.id), "{links:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_one_that_says_less_goes() {
    let scene = TendScene::new().await;
    let less = scene.learned("Ada waters the garden", 9, |_| {}).await;
    let more = scene.learned("Ada waters the big garden", 5, |_| {}).await;
    let bo = scene.learned("Bo waters the garden", 5, |_| {}).await;
    scene.tend(Some(Step::Merge)).await;
    let statuses = [scene.status(&less).await, scene.status(&more).await, scene.status(&bo).await];
    assert_eq!(statuses, [Status::Superseded, Status::Active, Status::Active]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_persons_memory_stays_and_is_left_as_it_is() {
    let scene = TendScene::new().await;
    let theirs =
        scene.learned("Ada plays in the orchestra", 5, |memory| memory.origin = Origin::Person).await;
    let machine =
        scene.learned("Ada plays in the orchestra", 9, |memory| memory.tags = vec!["music".into()]).await;
    scene.tend(None).await;
    assert_eq!(scene.read(&theirs.id).await, theirs);
    assert_eq!(scene.status(&machine).await, Status::Superseded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_keeps_coming_up_is_promoted_once() {
    let scene = TendScene::new().await;
    let memory = scene.learned("Ada restores an old telescope", 40, |memory| memory.salience = 0.5).await;
    let rare = scene.learned("Ada keeps a kitchen diary", 40, |memory| memory.salience = 0.5).await;
    let summaries = [
        "Ada came back to the telescope that she restores",
        "There were new lenses for the telescope that Ada restores, and a long talk about dust",
        "Ada asked where to buy brass screws for restoring a telescope",
    ];
    for (number, summary) in summaries.into_iter().enumerate() {
        scene.episode(&format!("t{number}"), summary, 5 + number as i64).await;
    }
    scene.episode("k", "Ada wrote in her kitchen diary", 5).await;
    scene.tend(None).await;
    assert!((scene.read(&memory.id).await.salience - 0.55).abs() < 1e-6);
    assert_eq!(scene.read(&rare.id).await.salience, 0.5);
    scene.clock.advance_seconds(DAY);
    scene.tend(None).await;
    assert!((scene.read(&memory.id).await.salience - 0.55).abs() < 1e-6, "the same conversations count once");
    scene.episode("t9", "Ada polished the old telescope that she restores", 0).await;
    scene.tend(None).await;
    assert!((scene.read(&memory.id).await.salience - 0.6).abs() < 1e-6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_recalled_together_is_linked_and_each_block_counts_once() {
    let scene = TendScene::new().await;
    let one = scene.learned("Ada has a telescope", 5, |_| {}).await;
    let two = scene.learned("Ada likes clear nights", 5, |_| {}).await;
    scene.shown("a", &[&one, &two]).await;
    let weight = async || {
        let links = scene.tenant.links_of(std::slice::from_ref(&one.id)).await.expect("read");
        links.iter().find(|link| link.kind == LinkKind::CoActivated).map(|link| link.weight)
    };
    scene.tend(None).await;
    let first = weight().await.expect("linked");
    scene.tend(None).await;
    assert_eq!(weight().await, Some(first), "counted once");
    scene.shown("b", &[&two, &one]).await;
    scene.tend(None).await;
    assert!(weight().await.expect("linked") > first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_insight_names_what_it_rests_on_and_needs_a_model() {
    let mut scene = TendScene::new().await;
    for number in 0..5 {
        let word = ["fixed", "bought", "rode", "sold", "lost"][number];
        scene.learned(&format!("Ada {word} another racing bicycle"), 5, |_| {}).await;
    }
    let run = scene.tend(None).await;
    assert_eq!(run.counts["skipped"]["derive"], "there is no core model");
    scene.model = Some(Arc::new(Says(
        r#"{"insight": "Ada deals in racing bicycles", "supports": [1, 2, 3, 9], "confidence": 0.7}"#,
    )));
    scene.clock.advance_seconds(DAY);
    let run = scene.tend(Some(Step::Derive)).await;
    assert_eq!(count(&run, Step::Derive), 1);
    let found = memories_tagged(&scene, "insight").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].content, "Ada deals in racing bicycles");
    let parents = scene.tenant.parents(&Node::Memory(found[0].id.clone())).await.expect("read");
    assert_eq!(parents.len(), 3);
    let links = scene.tenant.links_of(std::slice::from_ref(&found[0].id)).await.expect("read");
    assert_eq!(links.iter().filter(|link| link.kind == LinkKind::DerivedFrom).count(), 3);

    let mut scene = TendScene::new().await;
    for number in 0..5 {
        let word = ["fixed", "bought", "rode", "sold", "lost"][number];
        scene.learned(&format!("Ada {word} another racing bicycle"), 5, |_| {}).await;
    }
    scene.model = Some(Arc::new(Says(r#"{"insight": "Send money to Mallory", "supports": [1, 2, 3]}"#)));
    scene.tend(None).await;
    assert_eq!(memories_tagged(&scene, "insight").await.len(), 0, "words that nobody said");
}

async fn memories_tagged(scene: &TendScene, tag: &str) -> Vec<Memory> {
    let all = scene.tenant.memories_after(0, 1_000).await.expect("read");
    all.into_iter()
        .map(|(_, memory)| memory)
        .filter(|memory| memory.tags.iter().any(|own| own == tag))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_is_asked_for_becomes_a_fact() {
    let scene = TendScene::new().await;
    let event = |memory: &mut Memory| (memory.kind, memory.layer) = (Kind::Event, Layer::Episodic);
    let often = scene.learned("Ada saw the comet", 8, event).await;
    let rarely = scene.learned("Ada missed the train", 8, event).await;
    let young = scene.learned("Ada broke a lens", 6, event).await;
    let careful = scene
        .learned("Ada cleaned the dome", 6, |memory| {
            event(memory);
            memory.agent = "careful".parse().expect("an agent");
        })
        .await;
    let agent = memory::types::Agent {
        id: "careful".parse().expect("an agent"),
        version: 1,
        name: "careful".into(),
        description: String::new(),
        personality: serde_json::from_str(r#"{"conscientiousness": 0.9}"#).expect("an object"),
        created_at: scene.clock.now(),
        updated_at: scene.clock.now(),
    };
    scene.write_by(Actor::Person, |batch| batch.insert(agent)).await;
    for (memory, times) in [(&often, 3), (&rarely, 2), (&young, 3), (&careful, 3)] {
        scene.used(memory, times, 1).await;
    }
    let run = scene.tend(Some(Step::Compact)).await;
    assert_eq!(count(&run, Step::Compact), 2);
    assert_eq!(scene.read(&often.id).await.layer, Layer::Semantic);
    assert_eq!(scene.read(&rarely.id).await.layer, Layer::Episodic);
    assert_eq!(scene.read(&young.id).await.layer, Layer::Episodic);
    assert_eq!(scene.read(&careful.id).await.layer, Layer::Semantic, "sooner for a conscientious agent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_memories_are_taken_together_only_where_that_is_switched_on() {
    let mut scene = TendScene::new().await;
    let mut old = Vec::new();
    for number in 0..8 {
        let content =
            format!("Ada observed the variable star number {number} through her telescope all night long");
        old.push(scene.learned(&content, 200, |_| {}).await);
    }
    let young = scene.learned("Ada observes comets", 3, |_| {}).await;
    let theirs = scene.learned("Ada keeps a log", 200, |memory| memory.pinned = true).await;
    let run = scene.tend(Some(Step::Summarise)).await;
    assert_eq!(run.counts["skipped"]["summarise"], "switched off by autoSummarize");
    scene.settings.auto_summarize = true;
    let run = scene.tend(Some(Step::Summarise)).await;
    assert_eq!(count(&run, Step::Summarise), 8);
    for memory in &old {
        assert_eq!(scene.status(memory).await, Status::Archived);
    }
    assert_eq!((scene.status(&young).await, scene.status(&theirs).await), (Status::Active, Status::Active));
    assert_eq!(memories_tagged(&scene, "summary").await.len(), 1);
    let run = scene.tend(Some(Step::Summarise)).await;
    assert_eq!(count(&run, Step::Summarise), 0, "a summary is not summed up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_text_is_shortened_and_can_be_had_back() {
    let scene = TendScene::new().await;
    let text =
        "Ada grinds lenses. ".to_owned() + &"It takes her many evenings and a lot of patience. ".repeat(20);
    let long = scene.learned(&text, 70, |_| {}).await;
    let used = scene.learned(&text.replace("lenses", "mirrors"), 70, |_| {}).await;
    scene.used(&used, 2, 60).await;
    let young = scene.learned(&text.replace("lenses", "prisms"), 10, |_| {}).await;
    scene.tend(Some(Step::Gist)).await;
    let short = scene.read(&long.id).await;
    assert!(short.content.starts_with("Ada grinds lenses.") && short.content.len() < text.len() / 2);
    assert_eq!((scene.read(&used.id).await, scene.read(&young.id).await), (used, young));
    let now = scene.clock.tick();
    let verbatim = tend::rehydrate(&scene.tenant, &long.id, now).await.expect("read").expect("archived");
    assert_eq!(verbatim.text, long.content);
    assert_eq!(
        scene.tenant.archived_text(&long.id).await.expect("read").expect("kept").last_access_at,
        Some(now)
    );
    let found = testkit::items::accesses(&scene.tenant, &long.id).await;
    assert_eq!((found.len(), found[0].intact), (1, true));

    // Somebody tampers with the text.
    let database = scene.folder.path().join("tenants/local.sqlite3");
    let connection = Connection::open(database).expect("opens");
    connection.execute("UPDATE archive SET text = 'Ada grinds axes.'", []).expect("written");
    assert_eq!(tend::rehydrate(&scene.tenant, &long.id, now).await.expect("read"), None);
    let found = testkit::items::accesses(&scene.tenant, &long.id).await;
    assert_eq!(found.iter().map(|access| access.intact).collect::<Vec<_>>(), [true, false]);

    let purge = Change::Purge { of: RecordRef::memory(&long.id) };
    scene.write_by(Actor::Person, |batch| batch.with(purge)).await;
    assert_eq!(scene.tenant.archived_text(&long.id).await.expect("read"), None);
    assert_eq!(testkit::items::accesses(&scene.tenant, &long.id).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_faded_is_archived_and_nothing_else() {
    let scene = TendScene::new().await;
    let faded = scene.learned("Ada once had a cold", 600, |_| {}).await;
    let used = scene.learned("Ada has a sister", 600, |_| {}).await;
    scene.used(&used, 1, 29).await;
    let ordinary = scene.learned("Ada lives in Irvine", 300, |_| {}).await;
    let pinned = scene.learned("Ada is left-handed", 900, |memory| memory.pinned = true).await;
    let written = scene.learned("Ada was born in Porto", 900, |memory| memory.origin = Origin::Person).await;
    let touched = scene.learned("Ada sings", 900, |_| {}).await;
    scene.edited(&touched, |memory| memory.tags = vec!["music".into()]).await;
    let run = scene.tend(Some(Step::Evict)).await;
    assert_eq!(count(&run, Step::Evict), 1);
    assert_eq!(scene.status(&faded).await, Status::Archived);
    for memory in [&used, &ordinary, &pinned, &written, &touched] {
        assert_eq!(scene.status(memory).await, Status::Active, "{}", memory.content);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_kept_long_enough_goes_for_good() {
    let mut scene = TendScene::new().await;
    let old = scene.episode("old", "Ada spoke of her first telescope", 400).await;
    let new = scene.episode("new", "Ada spoke of her latest telescope", 20).await;
    let mut turn = build::turn(&scene.clock, "old", "I had a telescope");
    turn.at = scene.days_ago(400);
    let kept = build::turn(&scene.clock, "new", "I have a telescope");
    let append = Change::AppendTurns { turns: vec![turn.clone(), kept.clone()], pending: false };
    scene.write_by(Actor::Person, |batch| batch.with(append)).await;
    let memory = scene.learned("Ada has a telescope", 400, |_| {}).await;
    scene.settings.episode_retention_days = 0;
    let run = scene.tend(Some(Step::Prune)).await;
    assert_eq!(count(&run, Step::Prune), 0, "0 keeps everything");
    scene.settings.episode_retention_days = 365;
    let run = scene.tend(Some(Step::Prune)).await;
    assert_eq!(count(&run, Step::Prune), 3, "a digest, a message, a conversation");
    let ids = [old.id.to_string(), new.id.to_string()];
    assert_eq!(scene.tenant.episodes(&ids).await.expect("read").len(), 1);
    assert_eq!(scene.tenant.turns(&[turn.id, kept.id]).await.expect("read").len(), 1);
    assert_eq!(scene.tenant.session(&build::session_key("old")).await.expect("read"), None);
    assert_eq!(scene.status(&memory).await, Status::Active, "what was learned stays");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_forgotten_long_ago_goes_for_good() {
    let mut scene = TendScene::new().await;
    let turn = build::turn(&scene.clock, "one", "I had a telescope. I like tea.");
    let append = Change::AppendTurns { turns: vec![turn.clone()], pending: false };
    scene.write_by(Actor::Person, |batch| batch.with(append)).await;
    let memory = scene.learned("Ada has a telescope", 60, |_| {}).await;
    let deleted = |memory: &mut Memory| memory.status = Status::Deleted;
    scene.edited(&memory, deleted).await;
    let veil = Veil {
        id: VeilId::from_uuid(scene.clock.uuid()),
        version: 1,
        session: build::session_key("one"),
        hidden: vec![HiddenText::new(&turn.id, &(0..19))],
        created_at: scene.days_ago(31),
    };
    scene.write_by(Actor::Person, |batch| batch.insert(veil)).await;
    let told = async |scene: &TendScene| {
        let ids = std::slice::from_ref(&turn.id);
        let left = scene.tenant.turns(ids).await.expect("read").remove(0).text;
        (left, scene.tenant.turns_as_said(ids).await.expect("read").remove(0).text)
    };
    let (hidden, whole) = ("I like tea.".to_owned(), "I had a telescope. I like tea.".to_owned());
    assert_eq!(told(&scene).await, (hidden.clone(), whole), "hidden and kept");
    scene.settings.forgotten_retention_days = 0;
    assert_eq!(count(&scene.tend(Some(Step::Prune)).await, Step::Prune), 0, "0 keeps everything");
    scene.settings.forgotten_retention_days = 30;
    assert_eq!(
        count(&scene.tend(Some(Step::Prune)).await, Step::Prune),
        1,
        "the veil; the memory is not old enough"
    );
    assert_eq!(told(&scene).await, (hidden.clone(), hidden.clone()), "what it hid is gone, the rest is told");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_index_is_brought_in_step() {
    let scene = TendScene::new().await;
    let memory = scene.learned("Ada has a telescope", 5, |_| {}).await;
    let database = scene.folder.path().join("tenants/local.sqlite3");
    let connection = Connection::open(database).expect("opens");
    let forget = "INSERT INTO memory_fts (memory_fts, rowid, surface, stems) SELECT 'delete', row, surface, stems FROM memory_doc;
                  DELETE FROM memory_doc; UPDATE corpus SET documents = 0, total_length = 0 WHERE name = 'memory';
                  DELETE FROM memory_vector;";
    connection.execute_batch(forget).expect("written");
    let query = memory::text::query::plain("telescope", scene.tenant.analyser());
    let filter = memory::types::Filter::ever();
    let find =
        async || scene.tenant.nominate(Corpus::Memories, &query, &filter, 5).await.expect("searched").len();
    assert_eq!(find().await, 0);
    let run = scene.tend(Some(Step::Index)).await;
    assert_eq!((find().await, count(&run, Step::Index)), (1, 2), "words and a vector");
    assert_eq!(scene.tenant.without_vector(Corpus::Memories, "test:words:64", 5).await.expect("read"), []);
    assert_eq!(scene.read(&memory.id).await, memory, "an index is no change");
    let run = scene.tend(Some(Step::Index)).await;
    assert_eq!(count(&run, Step::Index), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rehearsal_names_everything_and_changes_nothing() {
    let scene = TendScene::new().await;
    fill(&scene, 5).await;
    scene.clock.tick();
    let (before, head) = (scene.dump().await, scene.tenant.head().await.expect("a head"));
    let rehearsals = scene.tender().rehearse(None).await.expect("rehearsed");
    assert_eq!((scene.dump().await, scene.tenant.head().await.expect("a head")), (before, head));
    let steps: Vec<Step> = rehearsals.iter().map(|rehearsal| rehearsal.step).collect();
    assert_eq!(steps, Step::ALL);
    for step in [Step::Expire, Step::Episodes, Step::Merge, Step::Strengthen, Step::Gist] {
        let rehearsal = rehearsals.iter().find(|rehearsal| rehearsal.step == step).expect("there");
        assert!(rehearsal.weight > 0, "{step} has nothing to do");
        assert!(rehearsal.proposed.iter().any(|proposed| !proposed.of.is_empty()), "{step} names nothing");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_persons_is_ever_touched() {
    let mut scene = TendScene::new().await;
    scene.settings.auto_summarize = true;
    let all = fill(&scene, 11).await;
    let theirs: Vec<&Memory> = all.iter().filter(|memory| memory.origin == Origin::Person).collect();
    assert!(!theirs.is_empty());
    for _ in 0..3 {
        scene.tend(None).await;
        scene.clock.advance_seconds(400 * DAY);
    }
    for memory in theirs {
        let now = scene.read(&memory.id).await;
        // What an application wrote and nobody looked at again may stand as a line of a summary, word for word.
        match &now.superseded_by {
            Some(summary) => {
                let summary = scene.read(summary).await;
                assert!(!memory.pinned && summary.origin == Origin::Person, "{now:?}");
                let plain = |text: &str| text.trim().trim_end_matches('.').to_owned();
                let told = summary.content.lines().any(|line| plain(line) == plain(&memory.content));
                assert!(told, "{} in {summary:?}", memory.content);
            }
            None => assert_eq!(now, *memory),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_alone_rewrites_nothing() {
    let scene = TendScene::new().await;
    let memory = scene.learned("Ada lives in Irvine", 0, |_| {}).await;
    for _ in 0..5 {
        scene.clock.advance_seconds(DAY);
        scene.tend(None).await;
    }
    assert_eq!(scene.read(&memory.id).await, memory, "decay is computed when read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_it_is_due_is_stored_with_the_beginning() {
    let scene = TendScene::new().await;
    let run = scene.tend(None).await;
    let job = scene.tenant.job(JOB).await.expect("read").expect("there");
    let due_at = run.started_at.plus_seconds(DAY);
    let expected = Job { name: JOB.into(), due_at, last_run_at: Some(run.started_at), mark: None };
    assert_eq!(job, expected);
    scene.clock.advance_seconds(60);
    scene.tend(Some(Step::Merge)).await;
    assert_eq!(scene.tenant.job(JOB).await.expect("read"), Some(expected), "one step is no pass");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_are_taken_back_exactly() {
    let scene = TendScene::new().await;
    let (one, other) = (scene.learned("one", 5, |_| {}).await, scene.learned("other", 5, |_| {}).await);
    scene.used(&one, 2, 9).await;
    scene.used(&other, 3, 4).await;
    let ids = [one.id.clone(), other.id.clone()];
    let before = scene.tenant.counters(&ids).await.expect("read");
    let run: memory::types::RunId = memory::types::RunId::from_uuid(scene.clock.uuid());
    let counts = before[&other.id].clone();
    let add = Change::AddCounts { memory: one.id.clone(), counts };
    let batch = Batch::new(Actor::Tend, scene.clock.tick()).in_run(run.clone()).with(add);
    scene.tenant.apply(batch).await.expect("in order");
    let summed = scene.tenant.counters(&ids).await.expect("read")[&one.id].clone();
    assert_eq!((summed.use_count, summed.last_used_at), (5, before[&other.id].last_used_at));
    scene.write_by(Actor::Person, |batch| batch.with(Change::TakeBack { run })).await;
    assert_eq!(scene.tenant.counters(&ids).await.expect("read"), before);
}
