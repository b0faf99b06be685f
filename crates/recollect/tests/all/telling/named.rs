//! What somebody is called stands in front of every conversation, and a word that few memories have finds them whatever else a message says.

use super::has;
use crate::scene::Scene;

#[tokio::test]
async fn a_name_said_in_passing_stands_in_front_of_every_conversation() {
    for (said, name) in [
        ("I'm Aoife by the way.", "Aoife"),
        ("I bin der Korbinian und wohn in Isny.", "Korbinian"),
        ("soy Jimena, jime para todos.", "Jimena"),
        ("Ik ben Sanne, kraamverzorgende in Zwolle.", "Sanne"),
        ("Cześć, jestem Kasia i prowadzę tramwaj.", "Kasia"),
        ("Привет, я Марина, живу в Перми.", "Марина"),
    ] {
        let scene = Scene::with_meaning();
        scene.day("2026-11-02", &[said, "How do I convert miles into kilometres?"]).await;
        let context = scene.told("Thanks!").await;
        assert!(has(&context.block, &["About the user", name]), "{said}: {}", context.block);
    }
}

#[tokio::test]
async fn a_word_that_few_memories_have_finds_them() {
    let scene = Scene::with_meaning();
    let life = [
        "there is 1.88 m of headroom in the saloon",
        "my partner Joss works as a ranger",
        "we sleep in the aft cabin",
        "I'm learning to weld on Saturdays",
        "Kacper jest uczulony na orzechy",
        "плитку в ванную мы взяли синюю",
    ];
    scene.day("2026-11-02", &life).await;
    for (message, told) in [
        ("will a wardrobe of two metres go in the saloon?", "1.88"),
        ("Wymyśl coś do upieczenia na kiermasz klasowy Kacpra", "orzechy"),
        ("Какого цвета коврик к нашей плитке?", "синюю"),
    ] {
        let context = scene.told(message).await;
        assert!(has(&context.block, &[told]), "{message}: {:?} {}", context.gate, context.block);
    }
}

#[tokio::test]
async fn the_users_own_words_are_quoted_and_dated_where_time_matters() {
    let scene = Scene::with_meaning();
    scene.day("2026-11-02", &["the vet wants to see Biscuit again on the 24th of November at nine"]).await;
    let context = scene.told("when is Biscuit's appointment at the vet?").await;
    let line = context.block.lines().find(|line| line.contains("Biscuit")).expect("it is told");
    assert!(line.starts_with("- \"") && line.contains('"'), "{line}");
    assert!(!context.block.contains("User said"), "{}", context.block);
}
