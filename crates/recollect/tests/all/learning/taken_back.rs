//! What somebody takes back in the same breath was never so, and what is over or forgotten is told by no sentence that was kept beside it.

use super::Scene;

#[tokio::test]
async fn what_is_taken_back_in_the_same_breath_is_told_with_what_puts_it_right_or_not_at_all() {
    for (said, wrong, right) in [
        ("My exam is on the 3rd. No hang on, the 8th, the 3rd is the dentist.", "exam is on the 3rd", "8th"),
        ("Die Taufe ist am 12. Mai in Husum. Ach Quatsch, am 19., am 12. hab ich Dienst.", "12. mai", "19."),
        (
            "Le déménagement est prévu le 4 juin. Ah non pardon, c'est le 11 juin, le 4 c'est le dentiste.",
            "prévu le 4 juin",
            "11 juin",
        ),
        (
            "El bautizo de mi sobrina es el sábado 9. No, espera. El bautizo es el domingo 10, el sábado tenemos la boda de Inés.",
            "bautizo de mi sobrina es el sábado 9",
            "domingo 10",
        ),
        (
            "Il corso di ceramica è il lunedì sera. Anzi no, il martedì, il lunedì c'è yoga.",
            "lunedì sera",
            "martedì",
        ),
        ("Pago 410 euros de renda. Minto, 430, que subiu.", "410 euros", "430"),
        ("Mijn zus trouwt op 14 mei. Nee wacht, op 21 mei, de 14e is mijn tentamen.", "14 mei", "21 mei"),
        ("妈妈的生日是3月6号。不对，是3月9号，6号是交房租的日子。", "3月6号", "3月9号"),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        let told: Vec<String> = known.iter().map(|content| content.to_lowercase()).collect();
        assert!(told.iter().any(|content| content.contains(right)), "{said}: {known:?}");
        let alone = |content: &&String| content.contains(wrong) && !content.contains(right);
        assert_eq!(told.iter().find(alone), None, "{said}");
    }
}

#[tokio::test]
async fn who_says_no_to_one_thing_more_takes_nothing_back() {
    for (said, kept) in [
        ("I don't eat meat. No, not even bacon, people always ask.", "meat"),
        ("No tengo coche. No conduzco de noche porque veo mal.", "coche"),
        ("Nie jem mięsa od dziesięciu lat. Nie piję też alkoholu.", "mięsa"),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert!(known.iter().any(|content| content.to_lowercase().contains(kept)), "{said}: {known:?}");
    }
}

/// "He is six" is kept with the sentence that says who; when that is over, it is not told by its copy.
#[tokio::test]
async fn what_is_over_is_not_told_by_what_was_kept_with_it() {
    let scene = Scene::of_days(&[
        "On Thursdays I look after my grandson Sem. He is allergic to cow's milk, so no butter.",
        "I don't look after Sem on Thursdays any more, he's with me on Fridays now.",
    ])
    .await;
    let known = scene.known().await;
    assert!(known.iter().any(|content| content.contains("Fridays")), "{known:?}");
    assert!(known.iter().any(|content| content.contains("milk")), "{known:?}");
    assert!(!known.iter().any(|content| content.contains("On Thursdays I look after")), "{known:?}");
}

#[tokio::test]
async fn a_wish_that_points_at_the_sentence_before_it_means_what_that_names() {
    for (told, wish, gone) in [
        (
            "My brother Piers lost eleven thousand pounds on betting apps.",
            "What I said about Piers wasn't mine to tell. Please forget that.",
            "piers",
        ),
        (
            "Meine Schwester Denise lässt sich scheiden, weiß noch keiner.",
            "Was ich über Denise erzählt hab, ging dich nichts an. Vergiss das bitte.",
            "denise",
        ),
    ] {
        let scene = Scene::of_days(&["I'm allergic to peanuts.", told, wish]).await;
        let known = scene.known().await;
        assert!(!known.iter().any(|content| content.to_lowercase().contains(gone)), "{wish}: {known:?}");
        assert!(known.iter().any(|content| content.contains("peanuts")), "{wish}: {known:?}");
    }
}
