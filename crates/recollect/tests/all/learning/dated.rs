//! When what was told is over: an appointment with its day, a state with the day it lasts until, in the time zone of who told it.

use memory::ports::Clock;
use memory::types::{Filter, Memory, Role, Time};
use recollect::ops::ingest::Ingest;
use serde_json::json;

use super::{Scene, contents};
use crate::scene::conversation;

/// What is told at noon of Sunday, 15 November 2026, where the user is.
async fn told_in(zone: &str, said: &str) -> Scene {
    let scene = Scene::new();
    scene.at("2026-11-15T12:00:00Z");
    scene.set("timeZone", json!(zone)).await;
    scene.says("one", said).await;
    scene
}

/// What holds at a moment.
async fn holding(scene: &Scene, at: &str) -> Vec<Memory> {
    scene.at(at);
    scene.matching(&Filter::current(scene.clock.now())).await
}

fn tells(memories: &[Memory], word: &str) -> bool {
    contents(memories).iter().any(|content| content.to_lowercase().contains(word))
}

#[tokio::test]
async fn b4_an_appointment_holds_until_its_day_is_over() {
    for (said, word, during, after) in [
        (
            "I have a dentist appointment on Friday the 20th.",
            "dentist",
            "2026-11-20T20:00:00Z",
            "2026-11-21T08:00:00Z",
        ),
        (
            "My job interview is on Tuesday 24 November.",
            "interview",
            "2026-11-24T20:00:00Z",
            "2026-11-25T08:00:00Z",
        ),
        (
            "My sister's wedding is on Saturday 5 December.",
            "wedding",
            "2026-12-05T20:00:00Z",
            "2026-12-06T08:00:00Z",
        ),
        (
            "Ich habe am Freitag, den 20. November, einen Zahnarzttermin.",
            "zahnarzt",
            "2026-11-20T20:00:00Z",
            "2026-11-21T08:00:00Z",
        ),
        (
            "Tengo cita con el dentista el viernes 20 de noviembre.",
            "dentista",
            "2026-11-20T20:00:00Z",
            "2026-11-21T08:00:00Z",
        ),
    ] {
        let scene = told_in("UTC", said).await;
        assert!(
            tells(&holding(&scene, "2026-11-15T13:00:00Z").await, word),
            "{said}: what will be is known now"
        );
        assert!(tells(&holding(&scene, during).await, word), "{said}: not over yet");
        let left = holding(&scene, after).await;
        assert!(!tells(&left, word), "{said}: {:?}", contents(&left));
    }
}

#[tokio::test]
async fn b4_what_recurs_does_not_end() {
    for (said, word) in [
        ("I have physiotherapy every Tuesday.", "physio"),
        ("Our book club meets on the first Monday of the month.", "book club"),
    ] {
        let scene = told_in("UTC", said).await;
        assert!(tells(&holding(&scene, "2027-03-01T08:00:00Z").await, word), "{said}");
    }
}

/// At noon in UTC it is already Monday on the Line Islands: tomorrow is Tuesday there.
#[tokio::test]
async fn tomorrow_is_the_users_tomorrow() {
    let said = "I have a dentist appointment tomorrow at nine.";
    for (zone, until) in [("UTC", "2026-11-17T00:00:00Z"), ("Pacific/Kiritimati", "2026-11-17T10:00:00Z")] {
        let scene = told_in(zone, said).await;
        let known = scene.matching(&Filter::current(scene.clock.now())).await;
        let ends: Vec<Option<Time>> = known.iter().map(|memory| memory.valid_until).collect();
        let until: Time = until.parse().expect("a time");
        assert!(ends.contains(&Some(until)), "{zone}: {ends:?} of {:?}", contents(&known));
    }
}

/// Two users of one server, one of whom is where it is Monday already; each is read by their own calendar.
#[tokio::test]
async fn tomorrow_is_each_users_own() {
    let scene = Scene::new();
    scene.at("2026-11-15T12:00:00Z");
    scene.set("timeZone", json!("UTC")).await;
    scene.set("timeZones", json!({ "mara": "Pacific/Kiritimati" })).await;
    for user in ["mara", "otto"] {
        let said = [(Role::User, "I have a dentist appointment tomorrow at nine.")];
        let told = Ingest { user: Some(user.parse().expect("a user")), ..conversation(user, &said) };
        scene.ask(told).await.expect("told");
    }
    for (user, until) in [("mara", "2026-11-17T10:00:00Z"), ("otto", "2026-11-17T00:00:00Z")] {
        let user = Some(user.parse().expect("a user"));
        let known = scene.matching(&Filter { user, ..Filter::current(scene.clock.now()) }).await;
        let ends: Vec<Option<Time>> = known.iter().map(|memory| memory.valid_until).collect();
        let until: Time = until.parse().expect("a time");
        assert!(ends.contains(&Some(until)), "{ends:?} of {:?}", contents(&known));
    }
}

#[tokio::test]
async fn a_time_zone_must_exist() {
    let scene = Scene::new();
    let set = recollect::ops::settings::SettingsSet {
        name: "timeZone".to_owned(),
        value: json!("Mars/Olympus"),
        everywhere: false,
    };
    let refused = scene.ask(set).await.expect_err("there is no such zone");
    assert!(format!("{refused:?}").contains("a time zone such as Europe/Berlin"), "{refused:?}");
}
