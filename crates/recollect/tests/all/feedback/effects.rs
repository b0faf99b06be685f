//! What judgements change: order, what is explained, recall, and what stays a person's own.

use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, JudgedBy, Judgement, MemoryId, SessionId, Status};
use recollect::ops::feedback::{Feedback, FeedbackTaken};
use recollect::ops::runs::Undo;
use recollect::ops::search::Search;
use recollect::ops::{OperationRequest, Services};
use serde_json::json;
use store::{Tenants, TenantsOptions};

use super::{learned, memory, said, tenant_of};

fn house() -> Services {
    Services::new(Tenants::in_memory(TenantsOptions::default()).expect("a store in memory"), None)
}

async fn ask<R: OperationRequest>(house: &Services, request: R) -> R::Answer {
    crate::scene::ask(house, request).await.expect("done")
}

async fn judge(
    house: &Services,
    id: &MemoryId,
    judgement: Judgement,
    by: JudgedBy,
    session: &str,
) -> FeedbackTaken {
    let session: SessionId = session.parse().expect("a session");
    let request = Feedback { session: Some(session), ..Feedback::of(vec![id.clone()], judgement, by) };
    ask(house, request).await
}

async fn found(house: &Services, query: &str) -> Vec<(String, f64, serde_json::Value)> {
    let search: Search =
        serde_json::from_value(json!({ "query": query, "explain": true })).expect("a search");
    let answer = serde_json::to_value(ask(house, search).await).expect("plain");
    let results = answer["results"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
    results
        .into_iter()
        .map(|row| {
            let text = row["content"].as_str().unwrap_or_else(|| panic!("{row}")).to_owned();
            (text, row["score"].as_f64().expect("a score"), row["scores"].clone())
        })
        .collect()
}

#[tokio::test]
async fn what_is_used_stands_above_its_equal_that_is_passed_over() {
    let house = house();
    // The one that will be passed over is the newer, and would stand first.
    let used = learned(&house, "Ada rehearses the quartet on Mondays").await;
    let passed = learned(&house, "Ada rehearses the quartet on Tuesdays").await;
    for number in 0..8 {
        judge(&house, &used, Judgement::Used, JudgedBy::Agent, &format!("s{number}")).await;
        judge(&house, &passed, Judgement::Ignored, JudgedBy::Agent, &format!("s{number}")).await;
    }
    let results = found(&house, "when does Ada rehearse the quartet").await;
    assert_eq!(results[0].0, "Ada rehearses the quartet on Mondays", "{results:#?}");
    let part = |place: usize| &results[place].2["feedback"];
    assert!(part(0)["value"].as_f64() > Some(0.5) && part(1)["value"].as_f64() < Some(-0.2), "{results:#?}");
    assert!(part(0)["contribution"].as_f64() > Some(0.0));
    for (_, score, parts) in &results {
        let sum: f64 =
            parts.as_object().expect("parts").values().filter_map(|part| part["contribution"].as_f64()).sum();
        assert!((sum - score).abs() < 1e-9, "what is explained adds up");
    }
}

#[tokio::test]
async fn agents_must_agree_that_something_is_wrong() {
    let house = house();
    let id = learned(&house, "Ada lives in Irvine").await;
    let first = judge(&house, &id, Judgement::Wrong, JudgedBy::Agent, "one").await;
    assert_eq!(
        (memory(&house, &id).await.status, memory(&house, &id).await.confidence),
        (Status::Active, 0.5)
    );
    assert!(first.run.is_some(), "a doubt can be taken back");
    let again = judge(&house, &id, Judgement::Wrong, JudgedBy::Agent, "one").await;
    assert_eq!(
        (again.run, memory(&house, &id).await.confidence),
        (None, 0.5),
        "said already in this conversation"
    );
    let second = judge(&house, &id, Judgement::Wrong, JudgedBy::Agent, "two").await;
    assert_eq!(second.judged[0].changed.as_deref(), Some("two replies found it wrong"));
    assert_eq!(memory(&house, &id).await.status, Status::Archived);
    assert_eq!(found(&house, "where does Ada live").await.len(), 0);
    let tenant = tenant_of(&house).await;
    let history = tenant.history(&memory::types::RecordRef::memory(&id)).await.expect("read");
    let last = history.last().expect("an event");
    assert_eq!((last.reason.as_deref(), last.by), (Some("two replies found it wrong"), Actor::Tool));
    ask(&house, Undo { run: second.run.expect("a run") }).await;
    assert_eq!(memory(&house, &id).await.status, Status::Active);
    assert_eq!(said(&house, &id).await.len(), 3, "what was said stays said");
}

#[tokio::test]
async fn a_persons_own_is_for_people_to_take_out() {
    let house = house();
    for what in ["written", "pinned", "changed"] {
        let id = learned(&house, &format!("Ada keeps {what} things")).await;
        let mut own = memory(&house, &id).await;
        match what {
            "written" => own.origin = memory::types::Origin::Person,
            "pinned" => own.pinned = true,
            _ => own.tags = vec!["own".into()],
        }
        let by = if what == "changed" { Actor::Person } else { Actor::Model };
        let batch = Batch::new(by, house.clock.now()).replace(own);
        tenant_of(&house).await.apply(batch).await.expect("written");
        let before = memory(&house, &id).await;
        for session in ["one", "two", "three"] {
            judge(&house, &id, Judgement::Wrong, JudgedBy::Agent, session).await;
        }
        assert_eq!(memory(&house, &id).await, before, "{what}");
        assert_eq!(said(&house, &id).await.len(), 3, "it is heard all the same");
        let gone = judge(&house, &id, Judgement::Wrong, JudgedBy::Person, "four").await;
        assert_eq!((memory(&house, &id).await.status, gone.judged[0].counters.wrong), (Status::Archived, 4));
        ask(&house, Undo { run: gone.run.expect("a run") }).await;
        assert_eq!(memory(&house, &id).await.status, Status::Active, "{what}");
    }
}
