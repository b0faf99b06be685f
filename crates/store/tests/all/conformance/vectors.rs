//! Vectors, kept beside their documents under the signature of the model that made them.

use memory::error::StoreError;
use memory::ports::Store;
use memory::types::{Change, Corpus, Expect, Filter, Memory, RecordRef, Status};
use testkit::{build, items};

use testkit::subject::Subject;

const OLD: &str = "test:old:2";
const NEW: &str = "test:new:3";

fn vector(corpus: Corpus, id: impl ToString, signature: &str, vector: &[f32]) -> Change {
    Change::PutVector { corpus, id: id.to_string(), signature: signature.into(), vector: vector.to_vec() }
}

pub async fn they_are_kept_by_signature(subject: Subject) {
    let (one, two) = (subject.add("first one").await, subject.add("second one").await);
    let turn = subject.say("s1", "third one").await;
    let batch = subject
        .batch()
        .with(vector(Corpus::Memories, &one.id, OLD, &[1.0, 0.0]))
        .with(vector(Corpus::Memories, &two.id, OLD, &[0.0, 1.0]))
        .with(vector(Corpus::Memories, &two.id, NEW, &[0.5, -0.25, f32::MIN_POSITIVE]))
        .with(vector(Corpus::Turns, &turn.id, OLD, &[0.6, 0.8]));
    subject.apply(batch).await;
    let vectors = items::vectors(&*subject.store, Corpus::Memories, OLD).await;
    assert_eq!(vectors, [(one.id.to_string(), vec![1.0, 0.0]), (two.id.to_string(), vec![0.0, 1.0])]);
    let rows = subject.store.memories_after(0, 10).await.expect("readable");
    let rows: Vec<i64> = rows.into_iter().map(|(row, _)| row).collect();
    let at = subject.store.vectors_at(Corpus::Memories, NEW, &[rows[1], rows[0]]).await.expect("readable");
    assert_eq!((at.len(), &at[0].vector[..]), (1, &[0.5, -0.25, f32::MIN_POSITIVE][..]), "bit for bit");
    assert_eq!(items::vectors(&*subject.store, Corpus::Turns, OLD).await.len(), 1);
    assert_eq!(items::vectors(&*subject.store, Corpus::Turns, NEW).await, []);
    subject.write(vector(Corpus::Memories, &one.id, OLD, &[0.8, 0.6])).await;
    let replaced = subject.store.vectors_at(Corpus::Memories, OLD, &rows[..1]).await.expect("readable");
    assert_eq!(*replaced[0].vector, [0.8, 0.6]);
    assert_eq!(subject.store.census().await.expect("a census").vectors, 4, "a replaced one counts once");
    subject.purge(&two).await;
    assert_eq!(subject.store.census().await.expect("a census").vectors, 2);
}

pub async fn new_content_loses_the_old_vector(subject: Subject) {
    let memory = subject.add("likes coffee").await;
    subject.write(vector(Corpus::Memories, &memory.id, OLD, &[1.0, 0.0])).await;
    let memory = subject.edit(&memory, |memory| memory.salience = 0.9).await;
    assert_eq!(items::vectors(&*subject.store, Corpus::Memories, OLD).await.len(), 1);
    let memory = subject.edit(&memory, |memory| memory.content = "likes tea".into()).await;
    assert_eq!(items::vectors(&*subject.store, Corpus::Memories, OLD).await, []);
    let batch = subject.batch().with(vector(Corpus::Memories, &memory.id, OLD, &[0.0, 1.0]));
    subject.apply(batch).await;
    subject.edit(&memory, |memory| memory.status = Status::Deleted).await;
    assert_eq!(items::vectors(&*subject.store, Corpus::Memories, OLD).await, []);
}

pub async fn the_missing_are_listed(subject: Subject) {
    let (one, two) = (subject.add("first one").await, subject.add("second one").await);
    subject.say("s1", "said").await;
    subject.apply(subject.batch().insert(build::episode(&subject.clock, "s1", "summed up"))).await;
    subject.write(vector(Corpus::Memories, &one.id, OLD, &[1.0, 0.0])).await;
    let missing = subject.store.without_vector(Corpus::Memories, OLD, 10).await.expect("readable");
    assert_eq!(missing, [(two.id.to_string(), "second one".to_owned())]);
    assert_eq!(subject.store.without_vector(Corpus::Memories, NEW, 10).await.expect("readable").len(), 2);
    assert_eq!(subject.store.without_vector(Corpus::Memories, NEW, 1).await.expect("readable").len(), 1);
    assert_eq!(subject.store.without_vector(Corpus::Turns, OLD, 10).await.expect("readable")[0].1, "said");
    assert_eq!(
        subject.store.without_vector(Corpus::Episodes, OLD, 10).await.expect("readable")[0].1,
        "summed up"
    );
    subject.edit(&two, |memory| memory.status = Status::Deleted).await;
    let missing = subject.store.without_vector(Corpus::Memories, OLD, 10).await.expect("readable");
    assert_eq!(missing, [], "the deleted need none");
}

pub async fn a_vector_needs_its_document(subject: Subject) {
    let never = build::memory(&subject.clock, "was never written");
    let error =
        subject.refuse(subject.batch().with(vector(Corpus::Memories, &never.id, OLD, &[1.0, 0.0]))).await;
    assert!(matches!(error, StoreError::NotFound(_) | StoreError::Invalid(_)), "{error:?}");
    let memory = subject.add("is there").await;
    let error =
        subject.refuse(subject.batch().with(vector(Corpus::Memories, &memory.id, OLD, &[f32::NAN]))).await;
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}

/// Vectors on a circle, by their angle in degrees: nearness is the difference of angles.
fn at_angle(degrees: f32) -> Vec<f32> {
    vec![degrees.to_radians().cos(), degrees.to_radians().sin()]
}

async fn place(subject: &Subject, content: &str, degrees: f32) -> Memory {
    let memory = subject.add(content).await;
    subject.write(vector(Corpus::Memories, &memory.id, OLD, &at_angle(degrees))).await;
    memory
}

/// The contents nearest to an angle, as a store sees them.
async fn near(
    subject: &Subject,
    store: &dyn Store,
    degrees: f32,
    filter: &Filter,
    limit: usize,
) -> Vec<String> {
    let found = store.nominate_near(Corpus::Memories, OLD, &at_angle(degrees), filter, limit).await;
    let found = found.expect("searchable").expect("a few vectors are there at once");
    assert!(found.is_sorted_by(|left, right| left.1 >= right.1), "best first: {found:?}");
    let nominees: Vec<_> = found.into_iter().map(|(nominee, _)| nominee).collect();
    subject.contents(&nominees).await
}

pub async fn the_nearest_come_first(subject: Subject) {
    for (content, degrees) in [("east", 0.0), ("north", 90.0), ("north-east", 45.0), ("west", 180.0)] {
        place(&subject, content, degrees).await;
    }
    let current = subject.current();
    let store = subject.store.as_ref();
    assert_eq!(near(&subject, store, 10.0, &current, 10).await, ["east", "north-east", "north", "west"]);
    assert_eq!(near(&subject, store, 100.0, &current, 2).await, ["north", "north-east"]);
    let found = store.nominate_near(Corpus::Memories, OLD, &at_angle(30.0), &current, 1).await;
    let cosine = found.expect("searchable").expect("loaded")[0].1;
    assert!((cosine - 15_f32.to_radians().cos()).abs() < 1e-6, "the exact cosine: {cosine}");
    let nothing = store.nominate_near(Corpus::Memories, NEW, &[1.0, 0.0, 0.0], &current, 10).await;
    assert_eq!(nothing.expect("searchable").unwrap_or_default(), [], "no vector has this signature");
}

pub async fn filters_hold_for_nearness_too(subject: Subject) {
    for number in 0_u8..40 {
        let memory = place(&subject, &format!("deleted {number}"), 0.0).await;
        subject.edit(&memory, |memory| memory.status = Status::Superseded).await;
    }
    place(&subject, "far but mine", 120.0).await;
    let other = build::memory_of(&subject.clock, &build::owner("default", "ben"), "near but of ben");
    let other = subject.insert(other).await;
    subject.write(vector(Corpus::Memories, &other.id, OLD, &at_angle(1.0))).await;
    let store = subject.store.as_ref();
    assert_eq!(near(&subject, store, 0.0, &subject.current(), 5).await, ["near but of ben", "far but mine"]);
    let mut filter = subject.current();
    filter.user = Some("default".parse().expect("a name"));
    assert_eq!(near(&subject, store, 0.0, &filter, 5).await, ["far but mine"]);
}

/// Every kind of change is in the next answer, of the store that made it and of any other.
pub async fn nearness_is_never_stale(subject: Subject) {
    let second = subject.second().await;
    let memory = place(&subject, "first", 0.0).await;
    let other = place(&subject, "second", 30.0).await;
    let check = async |expected: &[&str]| {
        for store in [Some(&subject.store), second.as_ref()].into_iter().flatten() {
            assert_eq!(near(&subject, store.as_ref(), 0.0, &subject.current(), 10).await, expected);
        }
    };
    check(&["first", "second"]).await;
    subject.write(vector(Corpus::Memories, &memory.id, OLD, &at_angle(60.0))).await;
    check(&["second", "first"]).await;
    let third = place(&subject, "third", 5.0).await;
    check(&["third", "second", "first"]).await;
    subject.edit(&third, |memory| memory.content = "third, edited".into()).await;
    check(&["second", "first"]).await;
    subject.edit(&other, |memory| memory.status = Status::Deleted).await;
    check(&["first"]).await;
    subject.write(Change::Remove { of: RecordRef::memory(&memory.id), expect: Expect::Any }).await;
    check(&[]).await;
}
