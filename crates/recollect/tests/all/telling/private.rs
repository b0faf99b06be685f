//! What is private stands before no message that does not call for it, by whichever door it came; what everybody must heed always stands there.

use recollect::ops::add::Add;
use serde_json::json;

use super::has;
use crate::scene::Scene;

/// What somebody says that is theirs alone, and what is for everybody's safety.
const SAID: [(&str, &[&str], &[&str]); 15] = [
    (
        "en",
        &[
            "I was diagnosed with bipolar disorder in 2019",
            "I take 20 mg of escitalopram every morning",
            "My wife has breast cancer",
            "my brother has schizophrenia",
            "I have 40,000 euros of debt",
            "I feel worthless since the divorce",
        ],
        &["I'm allergic to penicillin", "My daughter has coeliac disease"],
    ),
    (
        "de",
        &["Ich bin HIV-positiv", "Mein Bruder hat Schizophrenie"],
        &["Ich bin allergisch gegen Penicillin"],
    ),
    (
        "es",
        &["Me diagnosticaron trastorno bipolar en 2019", "Mi hermano tiene esquizofrenia"],
        &["Mi hija es celíaca"],
    ),
    (
        "fr",
        &["Je suis séropositif", "Ma femme a un cancer du sein"],
        &["Je suis allergique à la pénicilline"],
    ),
    ("it", &["Sono sieropositivo", "Prendo 20 mg di escitalopram ogni mattina"], &["Sono incinta"]),
    (
        "pt",
        &["A minha mulher tem cancro da mama", "O meu irmão tem esquizofrenia"],
        &["Sou intolerante à lactose"],
    ),
    ("nl", &["Ik ben hiv-positief", "Mijn vrouw heeft borstkanker"], &["Ik ben allergisch voor penicilline"]),
    (
        "pl",
        &["Moja żona ma raka piersi", "Biorę 20 mg escitalopramu co rano"],
        &["Mam alergię na penicylinę"],
    ),
    ("ru", &["У меня ВИЧ", "У моей жены рак груди"], &["У меня аллергия на пенициллин"]),
    ("tr", &["HIV pozitifim", "Eşimde meme kanseri var"], &["Penisiline alerjim var"]),
    ("ar", &["أنا مصاب بفيروس نقص المناعة", "زوجتي مصابة بسرطان الثدي"], &["لدي حساسية من البنسلين"]),
    ("hi", &["मैं एचआईवी पॉजिटिव हूँ", "मेरी पत्नी को स्तन कैंसर है"], &["मुझे पेनिसिलिन से एलर्जी है"]),
    ("zh", &["我是HIV阳性", "我妻子得了乳腺癌"], &["我对青霉素过敏"]),
    ("ja", &["私はHIV陽性です", "妻は乳がんです"], &["ペニシリンアレルギーがあります"]),
    ("ko", &["저는 HIV 양성이에요", "아내가 유방암이에요"], &["페니실린 알레르기가 있어요"]),
];

async fn remember(scene: &Scene, content: &str, pinned: bool) {
    let add: Add = serde_json::from_value(json!({ "content": content, "pinned": pinned })).expect("an add");
    scene.ask(add).await.expect("kept");
}

#[tokio::test]
async fn private_things_stand_in_no_portrait_and_what_all_must_heed_does() {
    for (language, private, heeded) in SAID {
        let scene = Scene::with_meaning();
        scene.at("2026-11-15T12:00:00Z");
        scene.set("portraitTokens", json!(1_000)).await;
        for said in private.iter().chain(heeded) {
            remember(&scene, said, false).await;
        }
        let hello = scene.told("hello").await.block;
        for said in private {
            assert!(!hello.contains(said), "{language}: {said}: {hello}");
        }
        for said in heeded {
            assert!(hello.contains(said), "{language}: {said}: {hello}");
        }
    }
}

#[tokio::test]
async fn private_things_that_were_said_are_told_where_a_message_calls_for_them() {
    let scene = Scene::with_meaning();
    let (_, private, _) = SAID[0];
    for (day, said) in (1..).zip(private) {
        scene.day(&format!("2026-10-{day:02}"), &[said]).await;
    }
    scene.at("2026-11-15T12:00:00Z");
    let hello = scene.told("hello").await.block;
    for word in ["bipolar", "escitalopram", "cancer", "schizophrenia", "40,000", "worthless"] {
        assert!(!has(&hello, &[word]), "{word}: {hello}");
    }
    for (message, told) in [
        ("Which medicine do I take in the morning?", "escitalopram"),
        ("What was I diagnosed with?", "bipolar"),
        ("How much debt do I have?", "40,000"),
        ("What illness does my wife have?", "cancer"),
    ] {
        let block = scene.told(message).await.block;
        assert!(has(&block, &[told]), "{message}: {block}");
    }
}

#[tokio::test]
async fn of_a_statement_what_is_open_is_told_and_what_a_person_pinned_always() {
    let scene = Scene::with_meaning();
    scene.at("2026-11-15T12:00:00Z");
    remember(&scene, "I work as a nurse in Leeds, and I take lithium for my bipolar disorder", false).await;
    remember(&scene, "I have type 1 diabetes", true).await;
    let hello = scene.told("hello").await.block;
    assert!(has(&hello, &["nurse", "type 1 diabetes"]) && !has(&hello, &["lithium"]), "{hello}");
    let asked = scene.told("Which medicine do I take for my bipolar disorder?").await.block;
    assert!(has(&asked, &["lithium"]), "{asked}");
}
