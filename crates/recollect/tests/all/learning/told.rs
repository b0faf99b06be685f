//! What people tell in their own words: what lasts is kept, what is over goes, and requests about memory mean what they say.

use memory::types::{Role, Status};
use recollect::ops::add::Add;

use super::{SECONDS_A_DAY, Scene, contents};

fn tells(known: &[String], words: &[&str]) -> bool {
    known.iter().any(|content| words.iter().all(|word| content.to_lowercase().contains(word)))
}

#[tokio::test]
async fn b1_what_no_pattern_reads_is_kept_in_the_users_words() {
    for (said, words) in [
        ("my wife is allergic to nuts", &["wife", "nuts"][..]),
        ("I play the cello in an amateur orchestra", &["cello"]),
        ("I take metformin for my diabetes", &["metformin"]),
        ("got a new job at stripe!!", &["stripe"]),
        ("mi hija Lucía empieza el colegio en septiembre", &["lucía"]),
        ("wir haben zwei Katzen, Minka und Leo", &["minka"]),
        ("мой муж работает водителем автобуса", &["водител"]),
        ("我妈妈住在绵阳，有高血压", &["绵阳"]),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert!(tells(&known, words), "{said}: {known:?}");
    }
}

#[tokio::test]
async fn b2_to_be_asked_not_to_forget_is_not_to_be_asked_to_forget() {
    for said in [
        "Don't forget that I'm allergic to penicillin.",
        "Vergiss nicht: ich bin gegen Penicillin allergisch.",
    ] {
        let scene = Scene::of_days(&[said, "My sister Ana lives in Porto."]).await;
        let known = scene.known().await;
        assert!(tells(&known, &["peni"]), "{said}: {known:?}");
        assert!(tells(&known, &["porto"]), "{said}: {known:?}");
    }
}

#[tokio::test]
async fn b2_ordinary_talk_of_saving_and_forgetting_means_nothing() {
    for said in
        ["how do I make git forget that file?", "don't save the file yet", "I always forget my umbrella"]
    {
        let scene = Scene::new();
        let talk = [(Role::User, "I live in Oslo."), (Role::Assistant, "I see."), (Role::User, said)];
        scene.talk("one", &talk).await;
        assert!(tells(&scene.known().await, &["oslo"]), "{said}: {:?}", scene.known().await);
    }
}

#[tokio::test]
async fn b3_a_sisters_city_is_not_a_brothers() {
    let scene = Scene::of_days(&["my sister lives in Toronto", "my brother lives in Ottawa"]).await;
    let known = scene.known().await;
    assert!(tells(&known, &["sister", "toronto"]) && tells(&known, &["brother", "ottawa"]), "{known:?}");
}

#[tokio::test]
async fn b3_what_changed_takes_the_place_of_what_was() {
    for (before, after, gone, there) in [
        (
            "I take 10 mg of ramipril every morning",
            "the doctor put me up to 20 mg of ramipril",
            "10 mg",
            "20 mg",
        ),
        ("we pay 890 euros of rent a month", "the rent went up to 940 euros", "890", "940"),
        (
            "je travaille chez Kelpia comme développeuse",
            "j'ai démissionné de Kelpia, je suis chez Marégraphe maintenant",
            "chez kelpia comme",
            "marégraphe",
        ),
    ] {
        let scene = Scene::of_days(&[before, after]).await;
        let known = scene.known().await;
        assert!(tells(&known, &[there]), "{known:?}");
        assert!(!tells(&known, &[gone]), "{known:?}");
        let past = contents(&scene.with_status(Status::Superseded).await);
        assert!(tells(&past, &[gone]), "the past stays as the past: {past:?}");
    }
}

#[tokio::test]
async fn c_a_wish_to_forget_takes_what_it_names_and_nothing_else() {
    let scene = Scene::of_days(&[
        "my friend Clara is getting divorced",
        "I'm allergic to peanuts",
        "please forget what I told you about Clara",
    ])
    .await;
    let known = scene.known().await;
    assert!(!tells(&known, &["clara"]), "{known:?}");
    assert!(tells(&known, &["peanuts"]), "{known:?}");
}

/// What somebody told over several conversations goes altogether, and what stands beside the wish is learned all the same.
#[tokio::test]
async fn a_wish_for_everything_about_a_matter_takes_all_of_it_and_nothing_else() {
    for (told, gone) in [
        (
            [
                "my friend Clara is getting divorced",
                "Clara lost her job at Bosch",
                "forget everything I told you about Clara, all of it",
            ],
            "clara",
        ),
        (
            [
                "physio for the knee is every Tuesday",
                "the knee still swells after runs",
                "please forget all of that knee stuff",
            ],
            "knee",
        ),
        (
            [
                "Jana zieht nach Köln",
                "Meine Schwester Jana lässt sich scheiden",
                "vergiss bitte alles, was ich dir über Jana erzählt habe",
            ],
            "jana",
        ),
    ] {
        let [first, second, wish] = told;
        let scene = Scene::of_days(&["I live in Oslo.", first, second]).await;
        let before = scene.known().await;
        let about = |known: &[String]| known.iter().filter(|one| one.to_lowercase().contains(gone)).count();
        assert!(about(&before) >= 2, "{before:?}");
        let talk = [
            (Role::User, wish),
            (Role::Assistant, "Done."),
            (Role::User, "I work as a nurse in a children's hospital."),
        ];
        scene.clock.advance_seconds(SECONDS_A_DAY);
        scene.talk("wish", &talk).await;
        let after = scene.known().await;
        assert_eq!(about(&after), 0, "{wish}: {after:?}");
        assert!(tells(&after, &["oslo"]) && tells(&after, &["nurse"]), "{wish}: {after:?}");
    }
}

/// However much was learned since, a wish finds what it names.
#[tokio::test]
async fn a_wish_reaches_what_was_told_long_ago() {
    let scene = Scene::of_days(&[
        "my friend Clara is getting divorced",
        "Clara lost her job at Bosch",
        "physio for the knee is every Tuesday",
    ])
    .await;
    for n in 0..300 {
        let content = format!("The user read volume {n} of the encyclopaedia in the library.");
        let add: Add = serde_json::from_value(serde_json::json!({ "content": content, "kind": "fact" }))
            .expect("an addition");
        scene.ask(add).await.expect("it is added");
    }
    scene.says("wish", "forget everything I told you about Clara, all of it").await;
    let known = scene.known().await;
    assert!(!tells(&known, &["clara"]), "{:?}", &known[..6]);
    assert!(tells(&known, &["knee"]), "{:?}", &known[..6]);
    scene.says("another", "please forget the physio for my knee").await;
    let known = scene.known().await;
    assert!(!tells(&known, &["knee"]), "{:?}", &known[..6]);
    assert_eq!(known.iter().filter(|one| one.contains("encyclopaedia")).count(), 300);
}

#[tokio::test]
async fn whose_words_a_text_to_work_on_is_not_the_users() {
    let said = "Please proofread this for a colleague:\nI live in Swansea with my two boys and I am allergic to kiwis.\nThanks!";
    let known = Scene::of_days(&[said]).await.known().await;
    assert!(!tells(&known, &["swansea"]) && !tells(&known, &["kiwi"]), "{known:?}");
}

#[tokio::test]
async fn a_matter_has_its_category() {
    let scene = Scene::of_days(&["I'm lactose intolerant so no cream for me"]).await;
    let known = scene.with_status(Status::Active).await;
    let category = known[0].category.as_deref().expect("the judge says what it is about");
    assert!(["diet", "health"].contains(&category), "{category}");
}

#[tokio::test]
async fn b7_a_pause_never_empties_what_was_decided_and_promised() {
    let scene = Scene::new();
    scene.says("move", "We went with the oak floor for the hall. I have to call the carpenter on Friday about the delivery.").await;
    let first = scene.episodes().await.remove(0);
    assert!(!first.decisions.is_empty() && !first.action_items.is_empty(), "{first:?}");
    for more in [
        "What is a good wood oil for a floor like that in a hall with a dog?",
        "Thanks, that helps me a lot today.",
    ] {
        scene.clock.advance_seconds(300);
        scene.says("move", more).await;
        let later = scene.episodes().await.remove(0);
        assert_eq!(
            (&later.decisions, &later.action_items),
            (&first.decisions, &first.action_items),
            "{more}"
        );
    }
    scene.says("move", "We decided on white walls.").await;
    let last = scene.episodes().await.remove(0);
    assert_eq!(last.decisions.len(), first.decisions.len() + 1, "{last:?}");
}

#[tokio::test]
async fn b10_a_long_line_teaches_too() {
    let story = "then we drove on and it rained and the radio played old songs, ".repeat(40);
    let said = format!("So we had quite a trip, {story} and in the end we were home. I live in Tromsø.");
    assert!(said.len() > 2_000);
    let known = Scene::of_days(&[&said]).await.known().await;
    assert!(tells(&known, &["tromsø"]), "{known:?}");
}

#[tokio::test]
async fn of_a_statement_that_is_over_in_part_the_rest_goes_on() {
    let scene = Scene::new();
    scene.says("first", "My name is Tom, I work at a bakery in Leeds.").await;
    scene.says("later", "I quit the bakery on Friday.").await;
    let known = scene.known().await;
    assert!(known.iter().any(|content| content.contains("Tom")), "{known:?}");
    assert!(!known.iter().any(|content| content.contains("work at a bakery")), "{known:?}");
}

/// What leaned on the part that is over goes with it, and what stood before it stays.
#[tokio::test]
async fn the_rest_of_a_statement_can_be_understood() {
    let scene = Scene::new();
    scene.says("first", "My name is Wies, I work as a nurse at Lakeside, for nineteen years.").await;
    scene.says("later", "I quit my job at Lakeside on Friday.").await;
    let known = scene.known().await;
    assert!(known.iter().any(|content| content.contains("Wies")), "{known:?}");
    assert!(!known.iter().any(|content| content.starts_with("for nineteen")), "{known:?}");
}

/// A word of the wish itself is no matter of it.
#[tokio::test]
async fn a_wish_takes_nothing_for_sharing_its_own_words() {
    let scene = Scene::of_days(&[
        "The doctor told me to walk an hour a day.",
        "My sister Ana told me everything about her new job in Porto.",
        "forget everything I told you about Ana",
    ])
    .await;
    let known = scene.known().await;
    assert!(!tells(&known, &["porto"]), "{known:?}");
    assert!(tells(&known, &["hour"]), "{known:?}");
}

/// However little is known, a wish takes only what it has to do with.
#[tokio::test]
async fn a_wish_about_something_unknown_takes_nothing() {
    for wish in
        ["forget what I told you about the blood test please", "forget what I told you about the scan please"]
    {
        let scene = Scene::new();
        scene.says("first", "My rent is 895 a month. My cat is called Moss.").await;
        let before = scene.known().await;
        assert!(tells(&before, &["895"]), "{before:?}");
        scene.says("later", wish).await;
        let after = scene.known().await;
        assert!(tells(&after, &["895"]) && tells(&after, &["moss"]), "{wish}: {after:?}");
    }
}

#[tokio::test]
async fn what_only_stands_beside_a_change_stays() {
    let scene = Scene::new();
    scene.says("first", "I take metformin 500 twice a day and my knee's dodgy so no long hikes.").await;
    scene.says("later", "I'm on metformin 850 once a day now.").await;
    let known = scene.known().await;
    assert!(tells(&known, &["850"]) && tells(&known, &["knee"]), "{known:?}");
    assert!(!tells(&known, &["500"]), "{known:?}");
}

#[tokio::test]
async fn who_introduces_themselves_is_heard() {
    for (said, words) in [
        ("Hi, I'm Tom, I live in Leeds and work as a plumber.", &["leeds", "plumber"][..]),
        ("Hallo, ich bin die Anke, wohne in Kassel und arbeite als Hebamme.", &["kassel", "hebamme"]),
        ("Bonjour, moi c'est Léa, j'habite à Lille et je suis infirmière.", &["lille"]),
        ("Hola, soy Marta, vivo en Gijón y soy fontanera.", &["gijón"]),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert!(tells(&known, words), "{said}: {known:?}");
    }
}

#[tokio::test]
async fn a_habit_outlives_its_day_and_an_appointment_does_not() {
    let habits = [
        "Il lunedì dalle 16 alle 18 faccio acquerello al circolo",
        "los viernes ensayo con la banda, toco el bajo",
        "mercredi soir j'ai toujours chorale",
        "Mittwochabend ist bei mir immer Chorprobe",
        "Tuesday evenings I sing in a choir",
    ];
    for said in habits {
        let known = Scene::of_days(&[said]).await.with_status(Status::Active).await;
        assert!(
            !known.is_empty() && known.iter().all(|memory| memory.valid_until.is_none()),
            "{said}: {known:?}"
        );
    }
    for said in ["the plumber comes on Thursday at 8", "Am Freitag hab ich um neun einen Zahnarzttermin"] {
        let known = Scene::of_days(&[said]).await.with_status(Status::Active).await;
        assert!(
            !known.is_empty() && known.iter().all(|memory| memory.valid_until.is_some()),
            "{said}: {known:?}"
        );
    }
}

#[tokio::test]
async fn what_is_quoted_or_asked_for_is_nobodys_introduction() {
    for said in [
        "Translate 'I live in Leeds and work as a plumber' into French",
        "How do I say I live in Berlin in French?",
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert_eq!(known, Vec::<String>::new(), "{said}");
    }
}

#[tokio::test]
async fn h1_a_quoted_mail_teaches_nothing_wherever_it_stands() {
    let mail = "Reply to this for me: 'Hey Priya, it's Marcus. I'm moving to Berlin in November. My mobile is 07700 900123. \
                My daughter Elsa starts school.'";
    for quoted in [mail.to_owned(), mail.replacen('\'', "\"", 1).replace(".'", ".\"")] {
        let scene = Scene::new();
        let talk = [
            (Role::User, "can you review this commit message for me?"),
            (Role::Assistant, "Okay."),
            (Role::User, &quoted),
        ];
        scene.talk("one", &talk).await;
        let known = scene.known().await;
        for word in ["berlin", "07700", "elsa"] {
            assert!(!tells(&known, &[word]), "{quoted}: {known:?}");
        }
    }
}

#[tokio::test]
async fn what_is_no_introduction_names_nobody() {
    for said in [
        "In which film does he say \"Hello, my name is Inigo Montoya\"?",
        "\"I'm Elena,\" she said, closing the door behind her.",
        "Dear hiring team, my name is [Your Name], and I apply for the job.",
        "Translate into German: my name is Peter and I come from Leeds.",
        "我叫什么名字？",
        "Ich bin der Meinung, dass das reicht.",
    ] {
        let scene = Scene::of_days(&[said]).await;
        let named =
            scene.with_status(Status::Active).await.into_iter().filter(|memory| memory.own_name().is_some());
        let named: Vec<String> = named.map(|memory| memory.content).collect();
        assert_eq!(named, [] as [String; 0], "{said}");
    }
}

#[tokio::test]
async fn c_a_wish_about_something_unknown_takes_nothing_that_was_said_before_it() {
    let scene =
        Scene::of_days(&["well the dog gets me up, Biscuit, he's a 13 year old border terrier"]).await;
    scene.clock.advance_seconds(SECONDS_A_DAY);
    let talk = [
        (Role::User, "we lost Biscuit on Thursday, he died in his sleep."),
        (Role::Assistant, "I'm so sorry."),
        (Role::User, "and please forget what I said about Denise"),
    ];
    scene.talk("later", &talk).await;
    let known = scene.known().await;
    assert!(tells(&known, &["lost", "biscuit"]), "{known:?}");
    assert!(!tells(&known, &["border terrier"]), "{known:?}");
}

#[tokio::test]
async fn b3_of_two_values_the_one_that_is_corrected_changes() {
    let said = [
        "mamy dwie córki, Zosię i Hanię, Zosia ma 9 lat, Hania 5",
        "sorki, pomyliłem się w tamtej rozmowie, Hania ma 6 lat, nie 5",
    ];
    let known = Scene::of_days(&said).await.known().await;
    assert!(tells(&known, &["zosia ma 9", "hania 6"]), "{known:?}");
    assert!(!tells(&known, &["hania 5"]), "{known:?}");
}

#[tokio::test]
async fn c_what_is_not_to_be_forgotten_is_kept_and_errands_are_not() {
    let known = Scene::of_days(&["don't forget about my peanut allergy"]).await.known().await;
    assert!(tells(&known, &["peanut"]), "{known:?}");
    for errand in ["don't forget to buy milk", "don't forget to escape the quotes in this string"] {
        let known = Scene::of_days(&[errand]).await.known().await;
        assert!(known.is_empty(), "{known:?}");
    }
}

#[tokio::test]
async fn b3_who_quits_works_there_no_more_in_any_wording() {
    let said = ["Ich arbeite bei Siemens als Ingenieur.", "Ich habe bei Siemens gekündigt."];
    let known = Scene::of_days(&said).await.known().await;
    assert!(tells(&known, &["gekündigt"]), "{known:?}");
    assert!(!tells(&known, &["ingenieur"]), "{known:?}");
}

#[tokio::test]
async fn c_a_wish_takes_its_clause_and_leaves_the_rest() {
    for (said, wish, gone, stays) in [
        (
            "I'm lactose intolerant, so Freya eats all the cheese in our house.",
            "please forget about Freya",
            "freya",
            "lactose",
        ),
        (
            "My son Theo is allergic to sesame and loves dinosaurs.",
            "forget what I said about dinosaurs",
            "dinosaur",
            "sesame",
        ),
        (
            "Ich habe eine Erdnussallergie, und mein Kollege Jens ist schwul.",
            "Vergiss bitte, was ich über Jens gesagt habe",
            "jens",
            "erdnussallergie",
        ),
        (
            "Mio fratello Luca è in prigione e io vivo a Parma.",
            "dimentica quello che ho detto di Luca",
            "luca",
            "parma",
        ),
        (
            "Ben çölyak hastasıyım, eşim Elif de yeni işten atıldı.",
            "Elif'le ilgili söylediğimi unut lütfen",
            "elif",
            "çölyak",
        ),
        ("我对花生过敏，我妹妹小雨最近离婚了。", "请忘掉我说的小雨的事", "小雨", "花生"),
    ] {
        let known = Scene::of_days(&[said, wish]).await.known().await;
        assert!(!tells(&known, &[gone]), "{wish}: {known:?}");
        assert!(tells(&known, &[stays]), "{wish}: {known:?}");
    }
}

#[tokio::test]
async fn b3_one_value_of_several_changes_and_the_rest_goes_on() {
    for (said, later, gone, stays) in [
        (
            "I'm building a booking service in Rust with axum and Postgres 16.",
            "we upgraded to Postgres 17 last night",
            "postgres 16",
            ["axum", "postgres 17"],
        ),
        (
            "We have two kids, Lena is 7 and Max is 4.",
            "Max turned 5 yesterday!",
            "max is 4",
            ["lena is 7", "max is 5"],
        ),
        (
            "Our stack is Django 4.2, Celery and Redis, deployed on Fly.",
            "we moved the deployment from Fly to Hetzner",
            "deployed on fly",
            ["celery", "deployed on hetzner"],
        ),
        (
            "Je vis à Nantes avec ma femme Claire et notre chien Oslo.",
            "Oslo est mort la semaine dernière",
            "chien oslo",
            ["nantes", "claire"],
        ),
        (
            "Ich arbeite bei Siemens als Ingenieur.",
            "Ich habe bei Siemens gekündigt.",
            "works at siemens",
            ["siemens", "gekündigt"],
        ),
    ] {
        let known = Scene::of_days(&[said, later]).await.known().await;
        assert!(!tells(&known, &[gone]), "{later}: {known:?}");
        assert!(tells(&known, &stays), "{later}: {known:?}");
    }
}

#[tokio::test]
async fn b3_a_correction_is_heard_wherever_it_stands() {
    for (said, between, later, wanted) in [
        (
            "My team at work has five people.",
            "what's a good way to run a retro?",
            "oh, correction: the team is six, not five",
            "six people",
        ),
        (
            "Mein Zahnarzttermin ist am 12. März.",
            "Was kostet eine Zahnreinigung?",
            "Korrektur: nicht am 12., sondern am 14. März.",
            "14. märz",
        ),
        ("Mi hija tiene 8 años.", "dame ideas de regalos", "perdón, tiene 9, no 8", "tiene 9"),
        ("मेरी बेटी ८ साल की है।", "उसके लिए तोहफ़ा बताओ", "माफ़ करना, वह ९ साल की है, ८ नहीं", "९ साल"),
        (
            "I run on Python 3.11 at work",
            "how do I profile a script?",
            "sorry, I meant 3.12, not 3.11",
            "python 3.12",
        ),
    ] {
        let scene = Scene::new();
        let talk = [said, between, later].map(|text| [(Role::User, text), (Role::Assistant, "Okay.")]);
        scene.talk("one", &talk.concat()).await;
        let known = scene.known().await;
        assert!(tells(&known, &[wanted]) && known.len() == 1, "{later}: {known:?}");
    }
}
