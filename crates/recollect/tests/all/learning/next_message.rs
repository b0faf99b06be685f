//! What is understood only with the message before it: a correction, and an answer to what the assistant asked.

use memory::types::Role;

use super::{Scene, tells};

const REPLY: &str = "Sure, here you go.";

async fn known_after(said: &[(Role, &str)]) -> Vec<String> {
    let scene = Scene::new();
    scene.talk("one", said).await;
    scene.known().await
}

#[tokio::test]
async fn what_the_next_message_puts_right_is_learned_as_it_was_meant() {
    for (said, correction, wrong, right) in [
        ("the dentist is on 3 december at 3pm", "sorry, 4pm", "3pm", "4pm"),
        ("unsere miete ist 1200 im monat", "ich mein 1250", "1200", "1250"),
        ("tengo dentista el 3 de diciembre a las 15", "perdón, a las 16", "las 15", "las 16"),
        ("ho il dentista il 3 dicembre alle 15", "scusa, alle 16", "alle 15", "alle 16"),
        ("стоматолог 3 декабря в 15", "ой, в 16", "в 15", "в 16"),
        ("3 दिसंबर को 3 बजे डेंटिस्ट है", "सॉरी 4 बजे", "3 बजे", "4 बजे"),
        ("12月3日15時に歯医者", "ごめん16時", "15時", "16時"),
        ("my daughter's called lena, write her a story", "oops lina not lena", "lena", "lina"),
        ("kızımın adı lena, ona masal yaz", "pardon lina, lena değil", "lena", "lina"),
    ] {
        let talk = [
            (Role::User, said),
            (Role::Assistant, REPLY),
            (Role::User, correction),
            (Role::Assistant, REPLY),
        ];
        let known = known_after(&talk).await;
        assert!(tells(&known, right) && !tells(&known, wrong), "{said} / {correction}: {known:?}");
    }
}

/// The value is of what was said right before, and no other fact takes it.
#[tokio::test]
async fn a_correction_changes_no_other_fact() {
    let talk = [
        (Role::User, "dentist is on the 2nd of december at 9"),
        (Role::Assistant, REPLY),
        (Role::User, "my sister's birthday is 8 january. wait no, 9 january"),
        (Role::Assistant, REPLY),
        (Role::User, "thanks, that's not all. sorry, I also have a cat called Miso"),
        (Role::Assistant, REPLY),
    ];
    let known = known_after(&talk).await;
    assert!(tells(&known, "december at 9"), "{known:?}");
    assert!(tells(&known, "9 january") && !tells(&known, "8 january"), "{known:?}");
}

#[tokio::test]
async fn a_short_answer_is_kept_with_its_question_where_that_is_about_the_user() {
    for (question, answer, part) in [
        ("Happy to help! Which city are you in?", "leeds", "leeds"),
        ("Hast du Allergien?", "ja nüsse", "nüsse"),
        ("¿Tienes alguna alergia?", "sí, nueces", "nueces"),
        ("Какой у вас размер обуви?", "42", "42"),
        ("アレルギーはありますか？", "ナッツ", "ナッツ"),
        ("你在哪个城市？", "长沙", "长沙"),
    ] {
        let talk = [
            (Role::User, "help me please"),
            (Role::Assistant, question),
            (Role::User, answer),
            (Role::Assistant, REPLY),
        ];
        let known = known_after(&talk).await;
        let told = known.iter().any(|content| content.contains(part) && content.contains(['?', '？']));
        assert!(told, "{question} {answer}: {known:?}");
    }
    for (question, answer) in
        [("Should it be formal or casual?", "casual"), ("Which format would you like?", "a table")]
    {
        let talk = [
            (Role::User, "write an email for me"),
            (Role::Assistant, question),
            (Role::User, answer),
            (Role::Assistant, REPLY),
        ];
        assert_eq!(known_after(&talk).await, Vec::<String>::new(), "{question} {answer}");
    }
}

/// "No" to what the assistant asked takes nothing back, and neither does who is sorry about something else.
#[tokio::test]
async fn an_answer_puts_nothing_right() {
    for (said, asked, answer, stays) in [
        (
            "I'm allergic to nuts, suggest a dinner",
            "How about curry. Want a dessert too?",
            "No, thanks.",
            "nuts",
        ),
        ("We have 4 kids and live in Leeds.", "Shall I list 5 parks?", "No, 3.", "4 kids"),
        ("Ich wohne in Kassel.", "Schön. Noch etwas?", "Nein, danke.", "kassel"),
        ("We have 4 kids and live in Leeds.", "Lovely.", "Sorry, I have to go.", "4 kids"),
    ] {
        let talk =
            [(Role::User, said), (Role::Assistant, asked), (Role::User, answer), (Role::Assistant, REPLY)];
        let known = known_after(&talk).await;
        let mangled = known.iter().any(|content| content.contains(answer.trim_end_matches('.')));
        assert!(tells(&known, stays) && !mangled, "{said} / {answer}: {known:?}");
    }
}
