//! The built-in embedding model from outside: what a vector promises.

use models::StaticTable;

fn cosine(left: &str, right: &str) -> f32 {
    let table = StaticTable::builtin();
    table.embed(left).iter().zip(table.embed(right)).map(|(a, b)| a * b).sum()
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|value| value * value).sum::<f32>().sqrt()
}

#[test]
fn a_vector_has_the_promised_width_and_length_one() {
    let table = StaticTable::builtin();
    assert_eq!(table.dimensions(), 256);
    assert!(table.signature().ends_with(":256"), "{}", table.signature());
    for text in ["I moved to Lisbon.", "a", "42", "¿Dónde está?", "naïve café 🎉", "Привет", "我喜欢咖啡"]
    {
        let vector = table.embed(text);
        assert_eq!(vector.len(), table.dimensions());
        assert!((length(&vector) - 1.0).abs() < 1e-4, "{text:?} has length {}", length(&vector));
    }
}

#[test]
fn the_same_text_gives_the_same_vector() {
    let table = StaticTable::builtin();
    assert_eq!(table.embed("She plays the cello."), table.embed("She plays the cello."));
    assert_eq!(table.embed("She plays the cello."), table.embed("  she PLAYS the cello . "));
}

#[test]
fn what_means_alike_is_nearer_than_what_does_not() {
    let cases = [
        (
            "What instrument do I play?",
            "She practises the cello every evening.",
            "The invoice is due on Friday.",
        ),
        ("Where do I live?", "I rent a flat in Lisbon.", "The test suite takes nine minutes."),
        ("Which pet do I have?", "We adopted a kitten from the shelter.", "The database index was corrupt."),
        ("the build is broken", "compilation fails with an error", "grandma baked an apple pie"),
        ("my doctor's appointment", "I have to see the dentist on Monday.", "He bought a used motorcycle."),
    ];
    for (question, near, far) in cases {
        let (near_score, far_score) = (cosine(question, near), cosine(question, far));
        assert!(near_score > far_score, "{question:?}: {near:?} {near_score} against {far:?} {far_score}");
    }
}

#[test]
fn nothing_known_is_the_zero_vector() {
    let table = StaticTable::builtin();
    for text in ["", " \n\t", "\0\0\0", "🎉🎉", "𓀀𓀁"] {
        let embedded = table.embed_with_share(text);
        assert!(embedded.vector.iter().all(|&value| value == 0.0), "{text:?}");
        assert_eq!(embedded.known_share, 0.0, "{text:?}");
    }
}

#[test]
fn unknown_words_do_not_move_a_vector() {
    let table = StaticTable::builtin();
    assert_eq!(table.embed("a kitten 🦤 from the shelter"), table.embed("a kitten from the shelter"));
    assert_eq!(table.embed("a kit\0ten"), table.embed("a kitten"));
}

#[test]
fn the_known_share_tells_languages_it_knows_from_others() {
    let table = StaticTable::builtin();
    assert!(table.known_share("Where did I park the car yesterday?") > 0.95);
    assert!(table.known_share("¿Dónde aparqué el coche ayer?") > 0.8);
    assert!(table.known_share("Где я вчера припарковал машину?") > 0.8);
    assert!(table.known_share("我昨天把车停在哪里了?") > 0.8);
    assert!(table.known_share("איפה החניתי את המכונית אתמול") < 0.1);
    let mixed = table.known_share("איפה החניתי editor is Helix");
    assert!(mixed > 0.2 && mixed < 0.8, "{mixed}");
}

#[test]
fn long_text_is_read_up_to_the_bound_and_not_thrown_away() {
    let table = StaticTable::builtin();
    let sentence = "The violin lesson with Marta is every Thursday at six. ";
    let long = sentence.repeat(100_000 / sentence.len() + 1);
    let vector = table.embed(&long);
    assert!((length(&vector) - 1.0).abs() < 1e-4);
    assert!(cosine(&long, sentence) > 0.99);
    assert_eq!(vector, table.embed(&sentence.repeat(1_000_000 / sentence.len())));

    let one_word = "x".repeat(100_000);
    assert_eq!(length(&table.embed(&one_word)), 0.0);
    assert_eq!(length(&table.embed(&" ".repeat(1 << 20))), 0.0);
}
