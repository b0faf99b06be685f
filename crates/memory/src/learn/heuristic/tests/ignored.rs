//! What says nothing about the user.

use super::{check_nothing, distilled, turn};
use crate::learn::heuristic::{SessionBackground, distil};
use crate::text::Analyser;
use crate::types::Role;

#[test]
fn other_roles_give_nothing() {
    let text = "I prefer TypeScript. I'll use Postgres for this project. I always commit before pushing. I don't like Python.";
    for role in [Role::Assistant, Role::System, Role::Tool] {
        let draft = distil(&[turn(0, role, text)], SessionBackground::default(), &Analyser::default());
        assert!(
            draft.candidates.is_empty() && draft.episode.is_none() && draft.entities.is_empty(),
            "{role}"
        );
    }
}

#[test]
fn what_is_only_supposed_is_not_learned() {
    check_nothing(&[
        "If I lived in Paris, I'd be happy.",
        "Imagine I live in Rome.",
        "Suppose I prefer tea.",
        "Let's say I work at Acme.",
        "I would like to know more.",
        "If I get the job I'll use Postgres.",
    ]);
}

#[test]
fn what_is_asked_is_not_learned() {
    check_nothing(&[
        "Do I live in Rome?",
        "Should I use Postgres?",
        "What if I prefer tea?",
        "Would I like Berlin?",
        "I live in Rome?",
        "How do I know what I like?",
    ]);
}

#[test]
fn what_others_said_is_not_learned() {
    check_nothing(&[
        "He said \"I love Python\".",
        "He said 'I love Python' again.",
        "My boss told me I need to call the bank by Friday.",
        "She said, I live in Rome.",
        "“I prefer tea”, wrote the king.",
        "> I love Python",
    ]);
}

#[test]
fn roles_and_games() {
    check_nothing(&[
        "Act as a pirate. I love rum.",
        "You are a travel agent. I live in Rome.",
        "Pretend I'm a nurse.",
        "*smiles* I love you and I live in Rome",
    ]);
    let game = distilled(&[
        "Let's roleplay a story.",
        "I live in a castle.",
        "End of role-play.",
        "I live in Rome.",
    ]);
    let found: Vec<&str> = game.candidates.iter().map(|candidate| candidate.content.as_str()).collect();
    assert_eq!(found, ["User lives in Rome"]);
}

#[test]
fn code_and_pasted_text() {
    check_nothing(&[
        "```\nI prefer tea\n```",
        "Translate this: I live in Rome and I love it.",
        "Fix the grammar of the following text:\nMy name is Sasha. I live in Rome.",
        "Here is my draft:\nI am a nurse. I live in Rome.",
        "From: a\nSubject: b\n> My name is Sasha",
        "Dear Sir,\nMy name is Sasha and I live in Rome.",
        "const x = i.like(tea);",
    ]);
}

#[test]
fn requests_and_fillers() {
    check_nothing(&[
        "I want you to write a poem.",
        "I need you to fix this.",
        "I'd like you to answer.",
        "I need help with my essay.",
        "I want a function that sorts a list.",
        "I think so.",
        "I mean, sure.",
        "I like that idea.",
        "I love it!",
        "I like your suggestion.",
        "I want to sort a list, can you help me?",
        "I'm trying to fix this bug.",
        "Never mind.",
        "Never give up!",
        "I'm not sure.",
        "I guess it works.",
    ]);
}

#[test]
fn exercises_and_memory_control() {
    check_nothing(&[
        "I have 3 apples and I buy 2 more. How many do I have?",
        "I live in Rome. Don't remember this.",
        "My name is Sasha, please don't save that.",
    ]);
}
