//! What is learned from English.

use super::{candidates, check, day};
use crate::types::Kind::{
    Commitment, Correction, Decision, Event, Fact, Goal, Preference, Relationship, Rule, Skill,
};
use crate::types::StatementDurability;

#[test]
fn the_four_of_the_seed() {
    check(
        "I prefer TypeScript. I'll use Postgres for this project. I always commit before pushing. I don't like Python.",
        &[
            (Preference, "User prefers TypeScript", "preference:typescript"),
            (Decision, "User will use Postgres for this project", "decision:postgres_for_this_project"),
            (Fact, "User always commits before pushing", "pattern:commit_before_pushing"),
            (Preference, "User does not like Python", "preference:python"),
        ],
    );
    let predicates: Vec<String> = candidates("I don't like Python. I like Rust.")
        .into_iter()
        .filter_map(|candidate| candidate.predicate)
        .collect();
    assert_eq!(predicates, ["DISLIKES", "LIKES"]);
}

#[test]
fn likes_and_dislikes() {
    check("I can't stand cilantro.", &[(Preference, "User can't stand cilantro", "preference:cilantro")]);
    check("I can’t stand cilantro", &[(Preference, "User can't stand cilantro", "preference:cilantro")]);
    check(
        "I prefer tabs over spaces",
        &[(Preference, "User prefers tabs over spaces", "preference:tabs_over_spaces")],
    );
    check(
        "I really love Node.js because it's fast.",
        &[(Preference, "User loves Node.js", "preference:node_js")],
    );
    check(
        "My favourite editor is Helix.",
        &[(Preference, "User's favourite editor is Helix", "favourite:editor")],
    );
    check("my favorite color is blue", &[(Preference, "User's favourite color is blue", "favourite:color")]);
    check(
        "Helix is my favorite editor.",
        &[(Preference, "User's favourite editor is Helix", "favourite:editor")],
    );
    check("I'm a big fan of jazz.", &[(Preference, "User is a fan of jazz", "preference:jazz")]);
    check(
        "I hate my commute, but I love my job.",
        &[
            (Preference, "User hates their commute", "preference:my_commute"),
            (Preference, "User loves their job", "preference:my_job"),
        ],
    );
    check(
        "I prefer simple, minimal dependencies, how can I keep it so?",
        &[(
            Preference,
            "User prefers simple, minimal dependencies",
            "preference:simple_minimal_dependencies",
        )],
    );
}

#[test]
fn who_somebody_is() {
    check("My name is Sasha.", &[(Fact, "User's name is Sasha", "identity:name")]);
    check(
        "Hi, I'm Sasha and I work at Acme.",
        &[(Fact, "User's name is Sasha", "identity:name"), (Fact, "User works at Acme", "work:employer")],
    );
    check(
        "Call me Sasha",
        &[
            (Fact, "User goes by Sasha", "identity:preferred_name"),
            (Rule, "Call the user Sasha", "rule:form_of_address"),
        ],
    );
    check("I'm 35 and live in Oslo.", &[(Fact, "User is 35 years old", "identity:age")]);
    check("I live in Los Angeles", &[(Fact, "User lives in Los Angeles", "home:city")]);
    check("I'm based in Portland, Oregon.", &[(Fact, "User lives in Portland, Oregon", "home:city")]);
    check("I'm a nurse at St. Jude.", &[(Fact, "User is a nurse at St. Jude", "work:role")]);
    check(
        "As a freelance illustrator, I draw a lot.",
        &[(Fact, "User is a freelance illustrator", "work:role")],
    );
    check("I work as a data scientist.", &[(Fact, "User works as a data scientist", "work:role")]);
    check("I'm originally from Brazil", &[(Fact, "User is from Brazil", "identity:origin")]);
    check("I have two cats.", &[(Fact, "User has two cats", "fact:two_cats")]);
    check("I am married.", &[(Fact, "User is married", "identity:marital_status")]);
}

#[test]
fn health_and_skills() {
    check("I'm allergic to peanuts.", &[(Fact, "User is allergic to peanuts", "health:peanuts")]);
    check("I take fluoxetine daily", &[(Fact, "User takes fluoxetine daily", "health:fluoxetine")]);
    check(
        "I was diagnosed with asthma last year.",
        &[(Fact, "User was diagnosed with asthma in 2022", "health:asthma_last_year")],
    );
    check(
        "I'm lactose intolerant, so no milk.",
        &[(Fact, "User is lactose intolerant", "health:lactose_intolerant")],
    );
    check(
        "I've got 12 years of experience with Java.",
        &[(Skill, "User has 12 years of experience with Java", "skill:experience_with_java")],
    );
    check("I can play the cello", &[(Skill, "User can play the cello", "skill:the_cello")]);
    check(
        "I speak Spanish and Catalan.",
        &[(Skill, "User speaks Spanish and Catalan", "skill:spanish_and_catalan")],
    );
}

#[test]
fn people_and_pets() {
    check(
        "Should I ask my sister Ana?",
        &[(Relationship, "Ana is User's sister", "relationship:sister_ana")],
    );
    check("My dog Rex is great.", &[(Relationship, "Rex is User's dog", "relationship:dog_rex")]);
    check("My boss is Maria.", &[(Relationship, "Maria is User's boss", "relationship:boss_maria")]);
    check(
        "Alice is my tech lead.",
        &[(Relationship, "Alice is User's tech lead", "relationship:tech_lead_alice")],
    );
    check("My sister's name is Ana.", &[(Relationship, "Ana is User's sister", "relationship:sister_ana")]);
    check(
        "Alice is the tech lead on Project Nova.",
        &[(Relationship, "Alice is the tech lead on Project Nova", "relationship:tech_lead_alice")],
    );
    check(
        "My sister Ana lives in Oslo.",
        &[
            (Fact, "User's sister Ana lives in Oslo", "fact:in_oslo"),
            (Relationship, "Ana is User's sister", "relationship:sister_ana"),
        ],
    );
}

#[test]
fn decisions_plans_and_wishes() {
    check("I will use Helix.", &[(Decision, "User will use Helix", "decision:helix")]);
    check("We went with Postgres.", &[(Decision, "User went with Postgres", "decision:postgres")]);
    check(
        "I've decided to adopt Rust for the backend",
        &[(Decision, "User decided to adopt Rust for the backend", "decision:adopt_rust_for_the_backend")],
    );
    check("Let's go with option B.", &[(Decision, "User decided to go with option B", "decision:option_b")]);
    check(
        "I need to send the report by Friday.",
        &[(
            Commitment,
            "User needs to send the report by 2023-05-26",
            "commitment:send_the_report_by_friday",
        )],
    );
    check(
        "I promised my sister I'd paint the fence on Sunday.",
        &[(
            Commitment,
            "User promised their sister to paint the fence on 2023-05-21",
            "commitment:paint_the_fence_on_sunday",
        )],
    );
    check(
        "Remind me to call the dentist",
        &[(Commitment, "User wants to be reminded to call the dentist", "commitment:call_the_dentist")],
    );
    check("I want to run a marathon.", &[(Goal, "User wants to run a marathon", "goal:run_a_marathon")]);
    check(
        "My goal is to learn Japanese this year.",
        &[(Goal, "User's goal is to learn Japanese in 2023", "goal:learn_japanese_this_year")],
    );
}

#[test]
fn habits_and_changes() {
    check(
        "Every morning I meditate for ten minutes.",
        &[(Fact, "User meditates for ten minutes every morning", "pattern:meditate_for_ten_minutes")],
    );
    check(
        "I usually go to bed late and read my mail.",
        &[(
            Fact,
            "User usually goes to bed late and reads their mail",
            "pattern:go_to_bed_late_and_read_my_mail",
        )],
    );
    check(
        "I used to smoke but now I run.",
        &[(Fact, "User used to smoke", "fact:smoke"), (Fact, "User runs", "pattern:run")],
    );
    check("I no longer eat meat.", &[(Fact, "User no longer eats meat", "fact:eat_meat")]);
    let old = candidates("I used to smoke but now I run.").remove(0);
    assert_eq!(day(old.valid_until), "2023-05-20");
}

#[test]
fn corrections_are_learned_as_such() {
    check("No, I meant Postgres.", &[(Correction, "User meant Postgres", "correction:postgres")]);
    check(
        "Actually, it's Berlin, not Munich.",
        &[(Correction, "Correction: it is Berlin, not Munich", "correction:berlin")],
    );
    let fact = candidates("Actually, I live in Berlin.").remove(0);
    assert_eq!(
        (fact.content.as_str(), fact.tags.as_slice()),
        ("User lives in Berlin", &["correction".to_owned()][..])
    );
}

#[test]
fn standing_instructions_become_rules() {
    check("From now on answer in Spanish.", &[(Rule, "Answer in Spanish", "rule:answer_language")]);
    check("Always answer briefly.", &[(Rule, "Be briefly", "rule:answer_length")]);
    check("Please don't use emojis", &[(Rule, "Do not use emojis", "rule:do_not_use_emojis")]);
    check(
        "Always use metric units when I ask about recipes.",
        &[(
            Rule,
            "Always use metric units when the user asks about recipes",
            "rule:always_use_metric_units_when_the_user_asks",
        )],
    );
    check(
        "Whenever I ask for code, include tests.",
        &[(
            Rule,
            "Whenever the user asks for code, include tests",
            "rule:whenever_the_user_asks_for_code_include_tests",
        )],
    );
}

#[test]
fn what_lasts_and_what_does_not() {
    let table = [
        ("From now on answer in Spanish.", StatementDurability::Explicit),
        ("Remember that I'm vegetarian.", StatementDurability::Explicit),
        ("I prefer tea.", StatementDurability::Lasting),
        ("I went to the cinema yesterday.", StatementDurability::Session),
        ("For now I prefer tea.", StatementDurability::Turn),
    ];
    for (text, expected) in table {
        let found = candidates(text);
        assert_eq!(found.first().map(|candidate| candidate.durability), Some(expected), "{text}");
    }
}

#[test]
fn relative_dates_are_resolved() {
    let table = [
        ("I moved to Irvine last week.", "User lives in Irvine", "2023-05-08", ""),
        ("Last week I moved to Irvine", "User lives in Irvine", "2023-05-08", ""),
        ("I went to the cinema yesterday.", "User went to the cinema on 2023-05-19", "2023-05-19", ""),
        ("I live in Rome until June.", "User lives in Rome", "", "2023-07-01"),
        ("I've been studying Latin since 2020.", "User has been studying Latin since 2020", "2020-01-01", ""),
        (
            "I have to hand in my thesis by June 3.",
            "User has to hand in their thesis by June 3",
            "",
            "2023-06-04",
        ),
    ];
    for (text, content, from, until) in table {
        let one = candidates(text).into_iter().next();
        let found = one.map(|one| (one.content, day(one.valid_from), day(one.valid_until)));
        assert_eq!(found, Some((content.to_owned(), from.to_owned(), until.to_owned())), "{text}");
    }
}

#[test]
fn a_fact_and_a_request_in_one_breath() {
    check(
        "I'm kinda worried, I'm 65, can you help me with that?",
        &[(Fact, "User is 65 years old", "identity:age")],
    );
    check("How can I learn to cook, considering I'm 35?", &[(Fact, "User is 35 years old", "identity:age")]);
    check(
        "Can you help me with this, I'm using Rust 1.90 and Postgres?",
        &[(Fact, "User is using Rust 1.90 and Postgres", "fact:rust_1_90_and_postgres")],
    );
    check(
        "I attended the May 8 workshop, how can I apply it?",
        &[(Event, "User attended the May 8 workshop", "event:the_may_8_workshop")],
    );
}
