//! What a new statement does to the little that is known of a new user, and to what is known of others: it ends what it means, and nothing else.

use memory::types::Role;

use super::{Scene, conversation, tells};

/// Of each pair the first is gone, by its word, and the second is known.
async fn check_changes(pairs: &[(&str, &str, &str, &str)]) {
    for (before, after, gone, now) in pairs {
        let known = Scene::of_days(&[before, after]).await.known().await;
        assert!(!tells(&known, gone), "{before} / {after}: {known:?}");
        assert!(tells(&known, now), "{before} / {after}: {known:?}");
    }
}

/// Of each pair both are known, by a word.
async fn check_beside(pairs: &[(&str, &str, &str, &str)]) {
    for (before, after, first, second) in pairs {
        let known = Scene::of_days(&[before, after]).await.known().await;
        assert!(tells(&known, first) && tells(&known, second), "{before} / {after}: {known:?}");
    }
}

#[tokio::test]
async fn b3_who_moves_lives_where_they_moved_to() {
    check_changes(&[
        ("We live in Whitby.", "We moved to Kendal at the weekend.", "whitby", "kendal"),
        ("Wij wonen in Hoorn.", "We zijn naar Assen verhuisd.", "hoorn", "assen"),
        ("Wir wohnen in Celle.", "Wir sind letzte Woche nach Husum umgezogen.", "celle", "husum"),
        ("Мы живём в Туле.", "Мы в субботу переехали в Омск.", "туле", "омск"),
        ("Bolu'da yaşıyoruz.", "Geçen hafta Sinop'a taşındık.", "bolu", "sinop"),
        ("我们住在洛阳。", "我们上周搬到厦门了。", "洛阳", "厦门"),
    ])
    .await;
}

#[tokio::test]
async fn b3_the_new_one_takes_the_place_of_the_old_one() {
    check_changes(&[
        ("My dentist is Dr Amadi.", "My new dentist is Dr Falk.", "amadi", "falk"),
        ("Mi jefa se llama Pilar.", "Mi nueva jefa se llama Noemí.", "pilar", "noemí"),
    ])
    .await;
}

#[tokio::test]
async fn b3_what_rose_fell_or_came_round_has_another_number() {
    check_changes(&[
        ("My rent is 870 a month.", "The rent went up to 915.", "870", "915"),
        ("Unsere Miete beträgt 940 Euro.", "Die Miete ist auf 985 Euro gestiegen.", "940", "985"),
        ("Pago 620 euros de alquiler.", "El alquiler subió a 680.", "620", "680"),
        ("Pago 510 euros de renda.", "A renda subiu para 560.", "510", "560"),
        ("Je paie 690 euros de loyer.", "Mon loyer est passé à 725.", "690", "725"),
    ])
    .await;
}

#[tokio::test]
async fn b3_somebody_elses_ending_is_not_the_users() {
    check_beside(&[
        ("I play badminton on Mondays.", "My cousin doesn't play badminton any more.", "mondays", "cousin"),
        ("Je suis végétarienne.", "Mon frère n'est plus végétarien.", "je suis", "frère"),
    ])
    .await;
}

/// A teacher may be diabetic: what somebody is has many respects.
#[tokio::test]
async fn b3_a_job_ends_no_condition() {
    check_beside(&[
        ("I'm diabetic.", "I'm a teacher in Hull.", "diabetic", "teacher"),
        ("I'm deaf.", "I'm an accountant in Bath.", "deaf", "accountant"),
    ])
    .await;
}

#[tokio::test]
async fn b1_more_is_kept_of_a_relative_than_who_it_is() {
    for (said, part) in [
        ("My dad Frank has dementia.", "dementia"),
        ("My sister Ines is a vet.", "vet"),
        ("My brother Olly is in rehab.", "rehab"),
        ("My cat Pixel is deaf.", "deaf"),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert!(tells(&known, part), "{said}: {known:?}");
    }
}

/// Who tells their name and their job in one breath, and takes another job, is called the same.
#[tokio::test]
async fn a_name_outlives_what_was_told_with_it() {
    for (before, after, name) in [
        (
            "I'm Rosalind, I drive trams.",
            "I no longer drive trams, I started as a baker on Monday.",
            "rosalind",
        ),
        (
            "Sono Ottavio, faccio il postino a Trani.",
            "Non faccio più il postino, ora ho un chiosco.",
            "ottavio",
        ),
    ] {
        let known = Scene::of_days(&[before, after]).await.known().await;
        assert!(tells(&known, name), "{before} / {after}: {known:?}");
    }
}

/// What is imported late and was said before what ended it is no news.
#[tokio::test]
async fn b6_what_was_over_before_it_was_imported_is_kept_as_the_past() {
    for (later, older, gone) in [
        (
            "Our tortoise Sheldon passed away last night.",
            "We have a tortoise called Sheldon.",
            "called sheldon",
        ),
        ("I quit smoking.", "I smoke ten a day.", "ten a day"),
        ("Ich habe mit dem Klavier aufgehört.", "Ich spiele jeden Abend Klavier.", "jeden abend"),
    ] {
        let scene = Scene::new();
        scene.says("new", later).await;
        let mut talk = conversation("old", &[(Role::User, older)]);
        talk.messages[0].at = Some("2024-05-03T10:00:00Z".parse().expect("a time"));
        scene.ask(talk).await.expect("it is taken");
        let known: Vec<String> = scene.known().await.iter().map(|content| content.to_lowercase()).collect();
        assert!(!tells(&known, gone), "{later} / {older}: {known:?}");
    }
}

/// Of two things that one sentence lists the one that ended goes, and the other is known as it was.
#[tokio::test]
async fn b3_of_two_things_in_one_sentence_one_ends() {
    check_changes(&[
        ("i take ramipril 5mg and omeprazole", "stopped the omeprazole", "and omeprazole", "ramipril"),
        (
            "i do yoga on mondays and running on thursdays",
            "I've given up running, my knees are bad",
            "thursdays",
            "yoga",
        ),
    ])
    .await;
}

#[tokio::test]
async fn b3_a_birth_ends_a_pregnancy() {
    check_changes(&[(
        "my wife is pregnant, due in may",
        "our daughter was born on tuesday, she's called ivy",
        "pregnant",
        "ivy",
    )])
    .await;
}

#[tokio::test]
async fn b3_a_neighbours_dog_is_not_the_users() {
    for (before, after, kept) in [
        ("i have a dog called bruno", "my neighbours dog died yesterday", "bruno"),
        ("Our cat Milo is 14.", "Yesterday I put down a deposit on a flat and I am so happy.", "milo"),
        (
            "I'm vegetarian and I live in Leeds.",
            "Our cat Milo died in March and I still miss him.",
            "vegetarian",
        ),
    ] {
        let known = Scene::of_days(&[before, after]).await.known().await;
        assert!(tells(&known, kept), "{before} / {after}: {known:?}");
    }
}
