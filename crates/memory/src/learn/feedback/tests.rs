//! What a reply made use of, as data.

use std::collections::HashMap;

use super::*;
use crate::language::Language;
use crate::types::{Kind, Owner, TenantId, Time};

fn memory(content: &str) -> Memory {
    let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
    Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content.to_owned(), Time::MIN)
}

fn judged_in(
    analyser: &Analyser,
    statistics: &Statistics,
    question: &str,
    content: &str,
    reply: &str,
) -> &'static str {
    let judged = judge(&[memory(content)], Exchange { question, reply }, statistics, analyser);
    judged.first().map_or("untold", |(_, judgement)| judgement.as_str())
}

/// In a store of a thousand memories that all speak of liking.
fn check(question: &str, content: &str, reply: &str, expected: &str) {
    let frequencies = HashMap::from([("like".to_owned(), 400), ("prefer".to_owned(), 300)]);
    let statistics = Statistics { documents: 1_000, mean_length: 5.0, frequencies };
    let found = judged_in(&Analyser::default(), &statistics, question, content, reply);
    assert_eq!(found, expected, "{question} / {content} / {reply}");
}

#[test]
fn what_a_reply_says_of_a_memory_was_used() {
    let dog = "Biscuit is allergic to chicken";
    check("What should I feed my dog?", dog, "Nothing with chicken in it: Biscuit is allergic.", "used");
    check("What should I feed my dog?", dog, "Something without chicken, as Biscuit cannot have it.", "used");
    check("What should I feed my dog?", dog, "Most dogs do well on a mix of meat and rice.", "ignored");
    check("What do I drink?", "User likes green tea", "You like green tea.", "used");
    check("What do I drink?", "User likes green tea", "A pot of tea, I would say: green.", "used");
    check("What do I drink?", "User likes green tea", "I do not know what you like to drink.", "ignored");
    check("Dinner?", "Ada is a vegetarian and allergic to nuts", "A vegetarian curry, without nuts.", "used");
}

#[test]
fn a_word_of_the_question_shows_nothing() {
    let walks = "Does Biscuit like walks?";
    check(walks, "Biscuit is allergic to chicken", "Biscuit surely likes walks, as all dogs do.", "ignored");
    check("Do I like green tea?", "User likes green tea", "Yes, you do like green tea.", "untold");
    check(
        "Plan a trip to Lisbon",
        "User was in Lisbon in 2019",
        "Lisbon is best in spring; Lisbon has hills.",
        "ignored",
    );
    check("Plan a trip to Lisbon", "User was in Lisbon in 2019", "You saw Lisbon in 2019 already.", "used");
}

#[test]
fn a_denial_of_the_words_is_a_use_of_them() {
    let coffee = "User does not drink coffee after noon";
    check("Suggest an afternoon treat", coffee, "Cake, but no coffee: it is past noon.", "used");
    check("Suggest an afternoon treat", coffee, "A slice of cake and a short walk.", "ignored");
}

#[test]
fn numbers_must_be_the_memorys_own() {
    let cats = "Ada has 12 cats in Lisbon";
    check("How many pets are there?", cats, "There are 12 cats.", "used");
    check("How many pets are there?", cats, "There are 30 cats in that house.", "ignored");
    check("When is the party?", "The party is on 24 June", "On 24 June, as far as I know.", "used");
    check("When is the party?", "The party is on 24 June", "1. Pick a day\n2. Invite people", "ignored");
    check("Which version do we run?", "Production runs version 3.14", "It is 3.14 there.", "used");
}

#[test]
fn a_little_of_it_tells_nothing() {
    let nurse = "Ada works as a nurse in Irvine at night";
    check("Recommend me a novel", nurse, "A novel about a nurse in wartime.", "untold");
    check("Recommend me a novel", nurse, "Something with a nurse who is in Irvine too.", "used");
}

#[test]
fn words_that_are_far_apart_are_an_accident() {
    let viola = "Ada restores old violas in a workshop";
    let long =
        format!("Some restore furniture. {} A workshop helps.", "And so on it goes with it. ".repeat(40));
    check("What can one do at home?", viola, &long, "untold");
    check("What can one do at home?", viola, "Ada restores violas in her workshop.", "used");
}

#[test]
fn a_long_memory_need_not_be_repeated_whole() {
    let long = format!(
        "The deployment uses Docker Compose on a small Hetzner machine behind Caddy. {}",
        "Backups, dashboards, alerts, certificates, mirrors, staging, runbooks, rotations and audits follow. "
            .repeat(2)
    );
    let reply = "Run Docker Compose on the Hetzner machine behind Caddy.";
    check("How do we ship?", &long, reply, "used");
}

#[test]
fn common_words_count_little() {
    let likes = "User likes jazz";
    check("Tell me something", likes, "I like that people like things.", "ignored");
    check("Tell me something", likes, "Jazz began in New Orleans.", "used");
}

#[test]
fn other_scripts_are_read_too() {
    check("我应该喝什么？", "用户喜欢绿茶", "来一杯绿茶怎么样？", "used");
    check("我应该喝什么？", "用户喜欢绿茶", "今天天气很好，适合散步。", "ignored");
    check("我喜欢绿茶吗？", "用户喜欢绿茶", "是的，您喜欢绿茶。", "untold");
    check("何を飲めばいいですか", "ユーザーは緑茶が好きです", "緑茶はいかがですか。", "used");
    check("何を飲めばいいですか", "ユーザーは緑茶が好きです", "今日はいい天気ですね。", "ignored");
    check("Что мне выпить?", "Пользователь любит зелёный чай", "Попробуйте зелёного чая.", "used");
    check("Что мне выпить?", "Пользователь любит зелёный чай", "Сегодня хорошая погода.", "ignored");
    check("¿Qué ceno?", "La usuaria es alérgica a los cacahuetes", "Nada con cacahuetes.", "used");
    check("무엇을 마실까요?", "사용자는 녹차를 좋아한다", "녹차를 드셔 보세요.", "used");
}

#[test]
fn the_configured_language_is_the_one_that_stems() {
    let german = Analyser::new(&[Language::German]);
    let statistics = Statistics { documents: 1, ..Statistics::default() };
    let found = judged_in(
        &german,
        &statistics,
        "Was essen wir?",
        "Ada mag keine Pilze und keine Zwiebeln",
        "Etwas ohne Pilz und Zwiebel.",
    );
    assert_eq!(found, "used");
}

#[test]
fn a_reply_of_any_length_and_kind_is_taken() {
    let statistics = Statistics::default();
    for reply in ["", "…", "\u{0}\u{FFFF}", &"ab ".repeat(200_000), &"茶".repeat(100_000)] {
        judged_in(&Analyser::default(), &statistics, "", "Ada drinks tea", reply);
    }
    let nothing = judged_in(&Analyser::default(), &statistics, "?", "?!", "anything");
    assert_eq!(nothing, "untold");
}
