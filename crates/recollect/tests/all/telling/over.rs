//! What is over is told by no turn, digest or reply that repeats it.

use memory::types::{MemoryId, Role};
use recollect::ops::context::ContextOperation;
use recollect::ops::forget::Forget;

use super::has;
use crate::scene::Scene;

const ASKED: [&str; 4] = [
    "when is mum's operation?",
    "What did I tell you about mum's knee op, when is it?",
    "do you remember when my mum has her op?",
    "what exactly did I say about mum's op?",
];

#[tokio::test]
async fn a_day_that_was_moved_is_told_by_nothing_that_said_it() {
    let scene = Scene::with_meaning();
    let old = "My mum has her knee op on 3 December";
    scene
        .talked("2026-11-01", &[(Role::User, old), (Role::Assistant, "Noted, the knee op is on 3 December.")])
        .await;
    scene.day("2026-11-09", &["mum's op was moved to the 10th of December"]).await;
    scene.at("2026-11-15T12:00:00Z");
    for message in ASKED {
        let context = scene.told(message).await;
        assert!(has(&context.block, &["10th"]), "{message}: {}", context.block);
        assert!(!has(&context.block, &["3 december"]), "{message}: {}", context.block);
    }
}

#[tokio::test]
async fn what_replaced_it_is_all_that_is_told_in_other_languages_too() {
    for (old, new, gone, stays, message) in [
        (
            "Meine Mutter wird am 3. Dezember am Knie operiert.",
            "Die Knie-OP von Mama ist auf den 10. Dezember verschoben worden.",
            "3. Dezember",
            "10. Dezember",
            "Weißt du noch, wann Mama operiert wird?",
        ),
        (
            "Vivo en Rosario, cerca del río.",
            "Nos mudamos, ahora vivo en Funes.",
            "Rosario",
            "Funes",
            "¿te acordás dónde vivo?",
        ),
    ] {
        let scene = Scene::with_meaning();
        scene.day("2026-10-01", &[old]).await;
        scene.day("2026-11-09", &[new]).await;
        scene.at("2026-11-15T12:00:00Z");
        let context = scene.told(message).await;
        assert!(has(&context.block, &[stays]), "{message}: {}", context.block);
        let gone_alone = context.block.lines().any(|line| line.contains(gone) && !line.contains(stays));
        assert!(!gone_alone, "{message}: {}", context.block);
    }
}

#[tokio::test]
async fn an_appointment_that_has_passed_is_not_told_as_coming() {
    let scene = Scene::with_meaning();
    scene.day("2026-11-02", &["I have the dentist on Friday 6 November at nine"]).await;
    scene.at("2026-11-03T12:00:00Z");
    assert!(has(&scene.told("do you remember when I have the dentist?").await.block, &["dentist"]));
    scene.at("2026-11-15T12:00:00Z");
    let context = scene.told("do you remember when I have the dentist?").await;
    assert!(!has(&context.block, &["at nine"]), "{}", context.block);
}

#[tokio::test]
async fn what_is_deleted_does_not_come_back_by_what_was_said() {
    let scene = Scene::with_meaning();
    scene.day("2026-11-02", &["I'm allergic to shellfish, by the way."]).await;
    let told = scene.told("do you remember what I am allergic to?").await;
    assert!(has(&told.block, &["shellfish"]), "{}", told.block);
    let ids: Vec<MemoryId> = told.lines.iter().flat_map(|line| line.memory_ids.clone()).collect();
    scene.ask(Forget { ids, confirmed: true, ..Forget::default() }).await.expect("forgotten");
    let told = scene.told("do you remember what I am allergic to?").await;
    assert!(!has(&told.block, &["shellfish"]), "{}", told.block);
}

#[tokio::test]
async fn who_asks_for_the_past_is_told_it_as_past() {
    let scene = Scene::with_meaning();
    scene.day("2026-03-10", &["I live in Los Angeles"]).await;
    scene.day("2026-05-20", &["I moved to Irvine last week"]).await;
    scene.at("2026-11-15T12:00:00Z");
    for message in
        ["where did I live before?", "Where did I use to live?", "which city was I in before I moved?"]
    {
        let block = scene.told(message).await.block;
        let line = block.lines().find(|line| line.contains("Los Angeles"));
        let line = line.unwrap_or_else(|| panic!("{message}: {block}"));
        assert!(line.contains("no longer so"), "{message}: {block}");
    }
    let block = scene.told("where do I live?").await.block;
    assert!(has(&block, &["irvine"]) && !has(&block, &["los angeles"]), "{block}");
    let then = Some("2026-04-15".parse().expect("a day"));
    let request = ContextOperation {
        message: "where do I live?".to_owned(),
        as_of: then,
        ..ContextOperation::default()
    };
    let block = scene.ask(request).await.expect("a context").block;
    assert!(has(&block, &["los angeles"]) && !has(&block, &["irvine"]), "{block}");
}

#[tokio::test]
async fn questions_acknowledgements_and_wishes_are_nothing_to_tell() {
    let scene = Scene::with_meaning();
    for day in 1..=9 {
        let talk = [
            (Role::User, "what is the code of the garage again?"),
            (Role::Assistant, "Got it, I'll remember that for the garage code."),
        ];
        scene.talked(&format!("2026-10-0{day}"), &talk).await;
    }
    scene
        .talked(
            "2026-10-20",
            &[(Role::User, "the garage door squeaks, the code pad is fine"), (Role::Assistant, "OK.")],
        )
        .await;
    scene.at("2026-11-15T12:00:00Z");
    for message in ["what did we say about the garage code?", "do you remember the code of the garage?"] {
        let block = scene.told(message).await.block;
        assert!(has(&block, &["code pad is fine"]), "{message}: {block}");
        for never in ["again?", "Got it", "OK."] {
            assert!(!block.contains(never), "{message}: {block}");
        }
    }
}

#[tokio::test]
async fn one_fact_is_one_line() {
    let scene = Scene::with_meaning();
    scene.day("2026-10-01", &["My sister Ana lives in Porto and has two cats."]).await;
    scene.at("2026-11-15T12:00:00Z");
    let block = scene.told("do you remember where my sister lives?").await.block;
    assert_eq!(block.matches("Porto").count(), 1, "{block}");
}

#[tokio::test]
async fn a_fact_that_was_told_in_few_words_stands_in_the_portrait_once() {
    for (said, told) in [("Ich bin nach Kiel gezogen", "Kiel"), ("I moved to Irvine", "Irvine")] {
        let scene = Scene::with_meaning();
        scene.day("2026-10-01", &[said]).await;
        scene.at("2026-11-15T12:00:00Z");
        for message in ["hello", "where do I live?"] {
            let block = scene.told(message).await.block;
            assert_eq!(block.matches(told).count(), 1, "{message}: {block}");
        }
    }
}

#[tokio::test]
async fn the_answer_may_stand_beside_what_was_found() {
    let scene = Scene::with_meaning();
    let talk = [
        (Role::User, "I found the treasure map of my uncle Silvio in the attic"),
        (Role::Assistant, "How exciting! Tell me more."),
        (Role::User, "It is under the big oak behind the chapel, three steps north"),
        (Role::Assistant, "What a find."),
    ];
    scene.talked("2026-10-01", &talk).await;
    scene.at("2026-11-15T12:00:00Z");
    let block = scene.told("what did I tell you about the treasure map of my uncle Silvio?").await.block;
    assert!(has(&block, &["silvio", "big oak"]), "{block}");
}

#[tokio::test]
async fn what_is_private_is_told_where_a_message_calls_for_it() {
    let scene = Scene::with_meaning();
    scene
        .day("2026-10-01", &["My rent is 1200 euros a month.", "I'm allergic to peanuts, keep that in mind."])
        .await;
    scene.at("2026-11-15T12:00:00Z");
    let hello = scene.told("hello").await.block;
    assert!(!has(&hello, &["1200"]) && has(&hello, &["peanuts"]), "{hello}");
    let asked = scene.told("how much rent do I pay?").await.block;
    assert!(has(&asked, &["1200"]), "{asked}");
}
