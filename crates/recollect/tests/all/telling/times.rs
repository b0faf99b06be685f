//! A message's days choose among what is known and what was said.

use recollect::ops::context::ContextOperation;

use super::has;
use crate::scene::Scene;

async fn appointments() -> Scene {
    let scene = Scene::with_meaning();
    let said = [
        "I have the dentist on Wednesday 18 November at half past eight",
        "choir practice is every Thursday evening",
        "my sister's wedding is on 12 December",
        "the car goes to the garage on Monday 23 November",
    ];
    scene.day("2026-11-10", &said).await;
    scene.at("2026-11-16T08:00:00Z");
    scene
}

#[tokio::test]
async fn what_is_due_is_told_by_its_day() {
    let scene = appointments().await;
    for (message, told, other) in [
        ("what do I have this week?", &["dentist", "choir"][..], &["garage", "wedding"][..]),
        ("what's on next week?", &["garage", "choir"], &["dentist", "wedding"]),
        ("Am I free on Wednesday?", &["dentist"], &["garage", "wedding"]),
        ("what do I have before Christmas?", &["dentist", "wedding", "garage"], &[]),
    ] {
        let request =
            ContextOperation { message: message.to_owned(), explain: true, ..ContextOperation::default() };
        let lines = scene.ask(request).await.expect("a context").lines;
        let due = |word: &str| {
            let on_day = Some("is on a day that the message speaks of");
            lines.iter().any(|line| has(&line.text, &[word]) && line.reason.as_deref() == on_day)
        };
        for word in told {
            let told = lines.iter().any(|line| has(&line.text, &[word]));
            assert!(told, "{message}: {word}: {lines:#?}");
        }
        assert!(told.iter().any(|word| due(word)), "{message}: {lines:#?}");
        assert!(!other.iter().any(|word| due(word)), "{message}: {lines:#?}");
    }
}

#[tokio::test]
async fn what_is_coming_up_is_listed_in_every_language() {
    let scene = appointments().await;
    for message in [
        "what's coming up?",
        "Was steht diese Woche an?",
        "¿qué tengo esta semana?",
        "qu'est-ce que j'ai de prévu cette semaine ?",
        "cosa ho in programma questa settimana?",
        "o que tenho marcado para esta semana?",
        "wat staat er deze week op de agenda?",
        "co mam zaplanowane w tym tygodniu?",
        "что у меня запланировано на эту неделю?",
        "bu hafta ne var takvimimde?",
        "ماذا لدي هذا الأسبوع؟",
        "इस हफ्ते का शेड्यूल क्या है?",
        "我这周有什么安排？",
        "今週の予定は？",
        "이번 주 일정 뭐 있어?",
    ] {
        let context = scene.told(message).await;
        assert!(
            has(&context.block, &["dentist", "choir"]),
            "{message}: {:?}: {}",
            context.gate,
            context.block
        );
    }
}

#[tokio::test]
async fn what_was_said_is_chosen_by_its_day() {
    let scene = Scene::with_meaning();
    scene.day("2026-10-14", &["We painted the fence green", "the paint was awfully runny"]).await;
    scene.day("2026-11-04", &["I repotted the lemon tree today", "it had outgrown its pot"]).await;
    scene.day("2026-11-11", &["We compared two tents for the trip", "the small tent leaks"]).await;
    scene.at("2026-11-16T08:00:00Z");
    for (message, told, not_told) in [
        ("What did we talk about last week?", "tent", &["fence", "lemon"]),
        ("what did I tell you in October?", "fence", &["tent", "lemon"]),
        ("What did we discuss on 4 November?", "lemon", &["fence", "tent"]),
        ("Worüber haben wir letzte Woche gesprochen?", "tent", &["fence", "lemon"]),
    ] {
        let block = scene.told(message).await.block;
        assert!(has(&block, &[told]), "{message}: {block}");
        for word in not_told {
            assert!(!has(&block, &[word]), "{message}: {word}: {block}");
        }
    }
}

#[tokio::test]
async fn days_are_those_of_where_the_user_is() {
    let scene = Scene::with_meaning();
    scene.set("timeZone", serde_json::json!("Asia/Tokyo")).await;
    scene.day("2026-11-10", &["I have the dentist on Tuesday 17 November at half past eight"]).await;
    // Sunday evening in Greenwich, Monday morning in Tokyo.
    scene.at("2026-11-15T22:00:00Z");
    let block = scene.told("do I have anything tomorrow?").await.block;
    assert!(block.contains("Today is Monday, 2026-11-16."), "{block}");
    assert!(has(&block, &["dentist"]), "{block}");
}

#[tokio::test]
async fn a_habit_is_due_on_its_day_of_every_week() {
    let scene = Scene::with_meaning();
    scene.day("2026-10-20", &["Tuesday evenings I sing in a choir"]).await;
    scene.at("2026-11-16T08:00:00Z");
    let block = scene.told("what do I have on Tuesday?").await.block;
    assert!(has(&block, &["choir"]), "{block}");
}

#[tokio::test]
async fn a_relative_day_is_told_with_its_date() {
    let scene = Scene::with_meaning();
    let said = ["my driving test is tomorrow at ten", "morgen habe ich ein Vorstellungsgespräch bei Bosch"];
    scene.day("2026-11-17", &said).await;
    for (now, message) in [
        ("2026-11-17T18:00:00Z", "hello"),
        ("2026-11-18T08:00:00Z", "hello"),
        ("2026-11-18T08:00:00Z", "what do I have today?"),
    ] {
        scene.at(now);
        let block = scene.told(message).await.block;
        let relative = block.lines().filter(|line| has(line, &["tomorrow"]) || has(line, &["morgen"]));
        let lines: Vec<&str> = relative.collect();
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.contains("[2026-11-1")),
            "{message}: {block}"
        );
    }
}
