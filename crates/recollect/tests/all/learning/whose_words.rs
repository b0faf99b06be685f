//! Whose words a message is made of: a text that is handed over and a part that is played teach nothing, what is said beside a text does.

use memory::types::Role;

use super::Scene;

/// What is known after somebody said all of this, one turn behind the other.
async fn known_after(said: &[&str]) -> String {
    let scene = Scene::with_meaning();
    let mut talk = Vec::new();
    for turn in said {
        talk.extend([(Role::User, *turn), (Role::Assistant, "Okay.")]);
    }
    scene.talk("one", &talk).await;
    scene.known().await.join("\n").to_lowercase()
}

#[tokio::test]
async fn a_text_to_work_on_is_not_learned_and_what_stands_beside_it_is() {
    for (said, foreign, own) in [
        ("My aunt keeps a pub in Truro and I pour the ale. How do you say that in Dutch?", "truro", None),
        ("Traduce esto al polaco. Alquilo un cuarto en Cuenca y soy alérgico al polvo.", "cuenca", None),
        ("Riassumi: Tengo un forno a Matera da vent'anni. Mia moglie tiene i conti.", "matera", None),
        ("Przetłumacz ten tekst na francuski. Wynajmuję pokój w Pile i mam alergię na kurz.", "pile", None),
        ("Şunu özetle: Yirmi yıldır Sinop'ta fırın işletiyorum.", "sinop", None),
        ("我姨妈在柳州开酒吧，我是唯一的服务员。这句用法语怎么说？", "柳州", None),
        ("이걸 독일어로 번역해 주세요. 저는 여수에서 방을 빌려 살아요.", "여수", None),
        (
            "I'm a midwife in Bath. Could you proofread this: I lives in Ghent and has two son.",
            "ghent",
            Some("bath"),
        ),
        ("Ich bin Hebamme in Fulda. Korrigier bitte den Satz: Ich wohnen in Gent.", "gent", Some("fulda")),
    ] {
        let known = known_after(&[said]).await;
        assert!(!known.contains(foreign), "{said}: {known}");
        assert!(own.is_none_or(|own| known.contains(own)), "{said}: {known}");
    }
}

#[tokio::test]
async fn what_only_looks_like_a_request_for_work_takes_nothing_away() {
    for (said, own) in [
        ("Kurze Frage: Ich habe Zöliakie, darf ich Grünkern essen?", "zöliakie"),
        ("My niece can translate that for us. I live in Truro with two goats.", "truro"),
        ("Mi hermana puede traducir eso. Yo vivo en Cuenca y soy enfermera.", "cuenca"),
    ] {
        let known = known_after(&[said]).await;
        assert!(known.contains(own), "{said}: {known}");
    }
}

#[tokio::test]
async fn a_game_of_roles_ends_by_itself() {
    let turns = ["Let's do some roleplay."].into_iter().chain(["I'm Gordon and I live in Ghent."; 21]);
    let turns: Vec<&str> = turns.chain(["I'm vegetarian.", "I live in Truro with two goats."]).collect();
    let known = known_after(&turns).await;
    assert!(known.contains("truro"), "{known}");
}

#[tokio::test]
async fn a_part_that_is_played_is_not_learned_until_the_game_ends() {
    for (begins, played, word) in [
        (
            "Hagamos un juego de rol, tú eres el camarero y yo el cliente",
            "Hola, soy Gonzalo y soy diabético",
            "gonzalo",
        ),
        ("Zullen we een rollenspel doen?", "Hallo, ik heet Gijs en ik verdraag geen lactose", "gijs"),
        ("ロールプレイをしましょう。", "こんにちは、権田と申します。", "権田"),
        ("역할극 해보자", "안녕하세요, 제 이름은 고영수입니다", "고영수"),
    ] {
        let known = known_after(&[begins, played]).await;
        assert!(!known.contains(word), "{begins}: {known}");
    }
    let known = known_after(&[
        "Let's do some roleplay.",
        "I'm Gordon and I live in Ghent.",
        "End of role play. I live in Bath.",
    ])
    .await;
    assert!(!known.contains("ghent"), "{known}");
}

#[tokio::test]
async fn of_a_request_and_of_a_question_what_they_tell_is_kept() {
    for (said, told, asked) in [
        ("Don't forget that on Fridays I leave at noon.", "leave at noon", "forget"),
        ("No te olvides de que los viernes salgo a mediodía.", "salgo a mediodía", "olvides"),
        ("Не забудь, что по пятницам я ухожу в полдень.", "ухожу", "забудь"),
        ("Привет! Я с Пасхи не пью кофе, что можно пить по утрам?", "кофе", "что можно"),
        ("مرحبا! أنا لا أشرب القهوة منذ الربيع، ماذا أشرب في الصباح؟", "القهوة", "ماذا"),
        ("hey! I've been off coffee since Easter, so what could I drink?", "off coffee", "what could"),
    ] {
        let known = known_after(&[said]).await;
        assert!(known.contains(told) && !known.contains(asked), "{said}: {known}");
    }
}
