//! What a review found unlearned, unended or misheard, line by line, and how the same is said in other languages.

use memory::types::{Role, Status};

use super::{Scene, contents, conversation};

const SECONDS_A_DAY: i64 = 86_400;

async fn says_on_days(said: &[&str]) -> Scene {
    let scene = Scene::new();
    for (day, text) in said.iter().enumerate() {
        scene.clock.advance_seconds(SECONDS_A_DAY);
        scene.says(&format!("day{day}"), text).await;
    }
    scene
}

fn tells(known: &[String], part: &str) -> bool {
    known.iter().any(|content| content.to_lowercase().contains(part))
}

#[tokio::test]
async fn b1_single_statements_are_learned() {
    for (said, parts) in [
        ("I'm vegan and so is Tom", &["vegan", "tom"][..]),
        ("Dev is allergic to nuts", &["dev"]),
        ("My wife is allergic to nuts", &["wife"]),
        ("I play the cello", &["cello"]),
        ("I take metformin for diabetes", &["metformin"]),
        ("my son starts school in september", &["school"]),
        ("got a new job at stripe!!", &["stripe"]),
        ("My doctor said I should avoid gluten", &["gluten"]),
        ("Always sign my emails as Mara B.", &["mara b"]),
        ("From now on never apologise", &["apologi"]),
        ("Don't use bullet points in your answers", &["bullet"]),
        ("Deadline for the thesis is 12 January.", &["thesis"]),
        ("I live in Oslo and work as a nurse", &["oslo", "nurse"]),
    ] {
        let known = says_on_days(&[said]).await.known().await;
        assert!(parts.iter().all(|part| tells(&known, part)), "{said}: {known:?}");
    }
    let known = says_on_days(&["I live in Oslo", "We moved to Postgres"]).await.known().await;
    assert!(tells(&known, "lives in oslo") && !tells(&known, "lives in postgres"), "{known:?}");
    let said = ["The lease starts on 1 March", "Actually the lease starts on 8 March, not the 1st"];
    let known = says_on_days(&said).await.known().await;
    assert!(tells(&known, "8 march") && !tells(&known, "on 1 march"), "{known:?}");
}

/// Who asks not to forget is learned from, before and behind it; so is who speaks of files.
#[tokio::test]
async fn b2_talk_of_forgetting_and_saving_silences_nothing() {
    for (before, said, behind, parts) in [
        (
            "My cat is called Miso.",
            "Don't forget that I'm allergic to penicillin",
            "I live in Oslo.",
            ["miso", "penicillin", "oslo"],
        ),
        (
            "Meine Katze heißt Miso.",
            "Vergiss nicht, dass ich gegen Penicillin allergisch bin",
            "Ich wohne in Oslo.",
            ["miso", "penicillin", "oslo"],
        ),
        (
            "A minha gata chama-se Miso.",
            "Não te esqueças que sou alérgica à penicilina",
            "Moro em Lisboa.",
            ["miso", "penicilina", "lisboa"],
        ),
        (
            "Мою кошку зовут Мисо.",
            "Не забудь, что у меня аллергия на пенициллин",
            "Я живу в Казани.",
            ["мисо", "пенициллин", "казани"],
        ),
        ("我的猫叫米索。", "别忘了我对青霉素过敏", "我住在苏州。", ["米索", "青霉素", "苏州"]),
        (
            "うちの猫の名前はミソです。",
            "ペニシリンアレルギーなのを忘れないでね",
            "仙台に住んでいます。",
            ["ミソ", "ペニシリン", "仙台"],
        ),
        (
            "My cat is called Miso.",
            "make git forget that file",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "Don't store them in localStorage",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "don't save the file yet",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "I don't save much",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
    ] {
        let scene = Scene::new();
        let answer = (Role::Assistant, "OK.");
        let talk = [(Role::User, before), answer, (Role::User, said), answer, (Role::User, behind), answer];
        scene.talk("talk", &talk).await;
        let known = scene.known().await;
        assert!(parts.iter().all(|part| tells(&known, part)), "{said}: {known:?}");
    }
}

#[tokio::test]
async fn b2_a_wish_about_one_thing_takes_that_thing() {
    let scene = Scene::new();
    let answer = (Role::Assistant, "OK.");
    let talk = [
        (Role::User, "My cat is called Miso."),
        answer,
        (Role::User, "I charge 400 euros per session."),
        answer,
        (Role::User, "Don't save the thing about my prices"),
        answer,
        (Role::User, "I live in Oslo."),
        answer,
    ];
    scene.talk("talk", &talk).await;
    let known = scene.known().await;
    assert!(tells(&known, "miso") && tells(&known, "oslo") && !tells(&known, "400"), "{known:?}");
}

#[tokio::test]
async fn b3_who_is_spoken_of_is_part_of_what_is_known() {
    for said in [
        &["My sister lives in Toronto", "My brother lives in Toronto"][..],
        &["My sister lives in Toronto and my brother lives in Toronto too."],
    ] {
        let known = says_on_days(said).await.known().await;
        assert!(tells(&known, "sister") && tells(&known, "brother"), "{known:?}");
    }
}

#[tokio::test]
async fn b3_what_ended_ends_and_stays_as_the_past() {
    for (before, after, gone) in [
        ("I work at Meta.", "I no longer work at Meta.", "user works at meta"),
        ("I work at Meta as an engineer.", "I quit my job at Meta.", "works at meta"),
        ("I work at Meta.", "I left Meta last week.", "user works at meta"),
        ("I live in Leeds.", "I don't live in Leeds anymore.", "user lives in leeds"),
        ("I'm vegan.", "I'm no longer vegan.", "user is vegan"),
        ("I'm married to Paul.", "Paul and I got divorced.", "married"),
        ("I'm allergic to nuts.", "Turns out I'm not allergic to nuts after all.", "is allergic"),
        ("Me gusta el café.", "Ya no me gusta el café.", "user likes el café"),
        ("My dog is called Biscuit.", "My dog Biscuit died.", "biscuit is user's dog"),
        ("I live in Porto.", "I moved from Porto to Lisbon.", "user lives in porto"),
    ] {
        let scene = says_on_days(&["My bike is green.", before, after]).await;
        let known = scene.known().await;
        assert!(!tells(&known, gone), "{after}: {known:?}");
        let past = contents(&scene.with_status(Status::Superseded).await);
        assert_eq!(past.len(), 1, "{after}: {past:?}");
    }
}

#[tokio::test]
async fn b3_what_changed_does_not_stand_beside_what_was() {
    for (before, after, gone, there) in [
        ("I take 10 mg of lisinopril.", "I take 20 mg of lisinopril now.", "10 mg", "20 mg"),
        ("We use MySQL for the backend.", "We switched from MySQL to Postgres.", "uses mysql", "postgres"),
        ("My partner is Anna.", "My partner is Julia now.", "is anna", "julia"),
        ("My brother lives in Toronto.", "My brother moved to Ottawa.", "in toronto", "ottawa"),
        ("I use Python 3.11.", "Actually 3.12, not 3.11.", "3.11", "uses python 3.12"),
        ("My office is on the third floor.", "My office is on the fifth floor.", "third", "fifth"),
    ] {
        let known = says_on_days(&["My bike is green.", before, after]).await.known().await;
        assert!(!tells(&known, gone) && tells(&known, there), "{after}: {known:?}");
    }
}

/// How endings are said in each language that is claimed. What stands beside stays.
#[tokio::test]
async fn b3_what_ended_ends_in_every_language() {
    for (stays, before, after, gone) in [
        (
            "Ich bin Vegetarierin.",
            "Mein Freund heißt Jonas.",
            "Jonas und ich haben uns getrennt.",
            "freund heißt",
        ),
        (
            "Soy vegetariana.",
            "Juego al tenis todos los jueves.",
            "Dejé el tenis por la rodilla.",
            "todos los jueves",
        ),
        ("Je suis végétarienne.", "Mon copain s'appelle Jonas.", "Jonas et moi, on s'est séparés.", "copain"),
        (
            "Vivo a Torino con la mia gatta Miso.",
            "Sono vegetariana.",
            "Non sono più vegetariana.",
            "sono vegetariana",
        ),
        (
            "Sou vegetariana.",
            "Jogo ténis todas as quintas.",
            "Deixei o ténis por causa do joelho.",
            "todas as quintas",
        ),
        (
            "Ik woon in Utrecht.",
            "Ik ben vegetariër.",
            "Ik ben geen vegetariër meer, ik eet weer vis.",
            "ik ben vegetariër",
        ),
        (
            "Mieszkam w Łodzi.",
            "Gram w tenisa w każdy czwartek.",
            "Przestałam grać w tenisa przez kolano.",
            "każdy czwartek",
        ),
        (
            "Я вегетарианка.",
            "Каждый четверг играю в теннис.",
            "Бросила теннис из-за колена.",
            "каждый четверг",
        ),
        ("Vejetaryenim.", "Her perşembe tenis oynuyorum.", "Dizim yüzünden tenisi bıraktım.", "her perşembe"),
        ("أسكن في الإسكندرية.", "أنا نباتية.", "لم أعد نباتية، رجعت آكل السمك واللحم.", "أنا نباتية"),
        ("मैं पुणे में रहती हूँ।", "मैं शाकाहारी हूँ।", "मैं अब शाकाहारी नहीं हूँ, मछली और मांस खाती हूँ।", "मैं शाकाहारी"),
        ("我住在苏州。", "我男朋友叫陈浩。", "我和陈浩分手了。", "男朋友"),
        (
            "私はベジタリアンです。",
            "毎週木曜日にテニスをしています。",
            "膝のせいでテニスはやめました。",
            "毎週木曜",
        ),
        (
            "저는 채식주의자예요.",
            "매주 목요일에 테니스를 쳐요.",
            "무릎 때문에 테니스는 그만뒀어요.",
            "매주 목요일",
        ),
    ] {
        let scene = says_on_days(&[stays, before]).await;
        let told = scene.known().await;
        assert!(tells(&told, gone), "{before}: {told:?}");
        scene.clock.advance_seconds(SECONDS_A_DAY);
        scene.says("later", after).await;
        let known = scene.known().await;
        assert!(!tells(&known, gone), "{after}: {known:?}");
        assert!(known.contains(&told[0]), "{after}: {known:?}");
    }
}

/// What an import brings is as old as its turns, and ends when it was said to end.
#[tokio::test]
async fn b6_what_is_learned_is_dated_by_what_was_said() {
    let scene = says_on_days(&["I live in Porto."]).await;
    let said = scene.with_status(Status::Active).await.remove(0);
    assert_eq!(said.valid_from, Some(said.created_at), "{said:?}");
    let mut talk = conversation("old", &[(Role::User, "I play the cello in a quartet.")]);
    talk.messages[0].at = Some("2024-05-03T10:00:00Z".parse().expect("a time"));
    scene.ask(talk).await.expect("it is taken");
    let known = scene.with_status(Status::Active).await;
    let cello = known.iter().find(|memory| memory.content.contains("cello")).expect("it is learned");
    assert_eq!(cello.created_at.to_string().get(..10), Some("2024-05-03"), "{cello:?}");
    assert!(cello.updated_at > cello.created_at, "{cello:?}");
}

/// What is imported late and was said early is the past of what is known, and no news.
#[tokio::test]
async fn b6_an_older_conversation_replaces_nothing() {
    let scene = says_on_days(&["I live in Porto."]).await;
    let mut talk = conversation("old", &[(Role::User, "I live in Ghent.")]);
    talk.messages[0].at = Some("2024-05-03T10:00:00Z".parse().expect("a time"));
    scene.ask(talk).await.expect("it is taken");
    let known = scene.with_status(Status::Active).await;
    let contents: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
    assert!(contents.len() == 1 && contents[0].contains("Porto"), "{contents:?}");
    let past = scene.with_status(Status::Superseded).await.remove(0);
    assert!(past.content.contains("Ghent"), "{past:?}");
    assert_eq!(past.superseded_by.as_ref(), Some(&known[0].id));
    assert_eq!(past.valid_until, known[0].valid_from);
    let again = conversation("older", &[(Role::User, "I live in Ghent.")]);
    let mut again = again;
    again.messages[0].at = Some("2024-05-04T10:00:00Z".parse().expect("a time"));
    scene.ask(again).await.expect("it is taken");
    assert_eq!(scene.with_status(Status::Superseded).await.len(), 1, "it is past once");
}
