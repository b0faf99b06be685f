//! Short messages are understood by what the user said before them in the conversation.

use super::has;
use crate::scene::Scene;

#[tokio::test]
async fn a_follow_up_is_understood_by_what_came_before() {
    let scene = Scene::with_meaning();
    scene
        .day(
            "2026-11-02",
            &[
                "I swim on Thursdays at seven",
                "my sister Ana is allergic to hazelnuts",
                "my brother Luis is vegan",
                "The Kestrel project is written in Rust",
            ],
        )
        .await;
    for (before, message, told) in [
        ("Is Wednesday evening fine for the dinner with Tom?", "and on Thursday?", "thursdays"),
        ("What can I bake for my brother Luis?", "and for my sister?", "hazelnuts"),
        ("Can my sister Ana eat this praline?", "why not?", "hazelnuts"),
    ] {
        scene.day("2026-11-10", &[before]).await;
        scene.at("2026-11-10T10:05:00Z");
        let context = scene.told_in("2026-11-10", message).await;
        assert!(has(&context.block, &[told]), "{before} {message}: {:?} {}", context.gate, context.block);
    }
}
