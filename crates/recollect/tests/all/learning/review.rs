//! What a review found unlearned, unended or misheard, line by line, and how the same is said in other languages.
//!
//! Every numbered line of the review's parts B (what is learned and kept true), C (forgetting), E (around it) and F (with a capable model), and the
//! tests that hold us to it. `told`, `crisis`, `dated`, `worker`, `relearning` and `classified` stand beside this file; `session` is a file of the heuristic's own
//! tests in `crates/memory`; the other folders and files are neighbours of `learning`.
//!
//! | line | test |
//! |---|---|
//! | **B1** coverage of statements and instructions | `review::b1_single_statements_are_learned`, `told::b1_what_no_pattern_reads_is_kept_in_the_users_words`, `changed::b1_more_is_kept_of_a_relative_than_who_it_is` |
//! | **B2** "don't forget that …" switches nothing off | `review::b2_talk_of_forgetting_and_saving_silences_nothing`, `review::b2_a_wish_about_one_thing_takes_that_thing`, `told::b2_to_be_asked_not_to_forget_is_not_to_be_asked_to_forget`, `told::b2_ordinary_talk_of_saving_and_forgetting_means_nothing`, `proxy::forgotten::a_silenced_conversation_is_told_so` |
//! | **B3** the subject is part of every key | `review::b3_who_is_spoken_of_is_part_of_what_is_known`, `told::b3_a_sisters_city_is_not_a_brothers` |
//! | **B3** what ended ends | `review::b3_what_ended_ends_and_stays_as_the_past`, `review::b3_what_ended_ends_in_every_language`, `told::b3_who_quits_works_there_no_more_in_any_wording`, `changed::b3_who_moves_lives_where_they_moved_to`, `changed::b3_somebody_elses_ending_is_not_the_users`, `changed::b3_a_neighbours_dog_is_not_the_users`, `changed::b3_a_job_ends_no_condition` |
//! | **B3** what changed does not coexist | `review::b3_what_changed_does_not_stand_beside_what_was`, `told::b3_what_changed_takes_the_place_of_what_was`, `told::b3_of_two_values_the_one_that_is_corrected_changes`, `told::b3_one_value_of_several_changes_and_the_rest_goes_on`, `told::b3_a_correction_is_heard_wherever_it_stands`, `changed::b3_the_new_one_takes_the_place_of_the_old_one`, `changed::b3_what_rose_fell_or_came_round_has_another_number`, `changed::b3_of_two_things_in_one_sentence_one_ends`, `changed::b3_a_birth_ends_a_pregnancy`, `next_message::what_the_next_message_puts_right_is_learned_as_it_was_meant`, `taken_back::what_is_taken_back_in_the_same_breath_is_told_with_what_puts_it_right_or_not_at_all` |
//! | **B4** a weekday with its date, in the user's time zone | `dated::b4_an_appointment_holds_until_its_day_is_over`, `dated::b4_what_recurs_does_not_end`, `zones::tomorrow_is_where_the_client_says_that_its_user_is` |
//! | **B5** a crisis is no memory, and no order stands against help | `crisis::b5_statements_of_self_harm_are_no_memories`, `crisis::b5_orders_against_help_are_refused_by_their_meaning`, `crisis::b5_what_only_sounds_like_it_is_kept`, `crisis::b5_ordinary_orders_are_kept_in_every_language`, `crisis::it_is_heard_in_a_turn_of_any_length` |
//! | **B6** one clock: when it was said | `review::b6_what_is_learned_is_dated_by_what_was_said`, `review::b6_an_older_conversation_replaces_nothing`, `changed::b6_what_was_over_before_it_was_imported_is_kept_as_the_past` |
//! | **B7** a pause empties no digest; topics are words that matter | `told::b7_a_pause_never_empties_what_was_decided_and_promised`, `session::topics_are_words_that_matter_in_fifteen_languages` |
//! | **B8** with a model: short talks too, failures told, nothing read again unasked, no misspelt provider | `model::unread`, `model::failures::whatever_fails_nothing_is_lost`, `model::redoing`, `settings::a_core_model_of_nobody_is_refused_with_the_names_that_are_there` |
//! | **B9** a summary keeps every fact, whoever wrote it | `rest::upkeep::b9_a_summary_keeps_a_line_of_every_fact_whoever_wrote_it`, `model::judging::b9_a_models_summary_is_compared_with_what_it_would_replace` |
//! | **B10** long lines, another conversation, switches, thresholds | `told::b10_a_long_line_teaches_too`, `worker::b10_whoever_opens_another_conversation_is_done_with_the_one_before`, `worker::b10_switching_within_the_pause_loses_nothing`, `personality::turns::b10_an_agents_thresholds_act_in_every_mode` |
//! | **B11** entities have the right types, and relatives are the user's in every language | `session::entities_have_the_right_types`, `session::relatives_by_name_are_the_users_in_every_language`, `named::a_month_is_no_place`, `named::a_pet_is_no_person` |
//! | **C** by words: turns, quotations and digests too | `proxy::forgotten::by_words_that_stand_in_turns_too`, `proxy::forgotten::words_that_only_turns_have_are_found` |
//! | **C** by id, and the reply that repeated it | `proxy::forgotten::by_id_and_brought_back`, `proxy::forgotten::for_good_by_id_and_no_reply_keeps_it` |
//! | **C** mem0's calls | `proxy::forgotten::by_mem0s_calls` |
//! | **C** in a chat, and what it takes | `proxy::forgotten::by_a_wish_in_a_chat_that_can_be_undone`, `told::c_a_wish_to_forget_takes_what_it_names_and_nothing_else`, `told::c_a_wish_about_something_unknown_takes_nothing_that_was_said_before_it`, `told::c_what_is_not_to_be_forgotten_is_kept_and_errands_are_not`, `told::c_a_wish_takes_its_clause_and_leaves_the_rest`, `taken_back::a_wish_that_points_at_the_sentence_before_it_means_what_that_names` |
//! | **C** the graph, topics and exports | `forgetting::neighbours::by_id_softly`, `forgetting::neighbours::by_id_for_good`, `forgetting::neighbours::by_words`, `forgetting::neighbours::by_session` |
//! | **C** what is forgotten softly goes for good in the end | `tend::steps::what_was_forgotten_long_ago_goes_for_good` |
//! | **E** a request that comes round, and a server that is its own upstream | `proxy::doors::a_request_that_comes_round_is_refused_in_the_clients_dialect`, `proxy::doors::a_server_that_is_its_own_upstream_does_not_start` |
//! | **E** what memory has no part in passes | `proxy::doors::what_memory_has_no_part_in_goes_to_the_upstream_as_it_is` |
//! | **E** the seeds' settings and examples | `seeds::settings_of_all_are_taken_as_they_stand`, `seeds::memories_are_written_listed_previewed_and_summarised` |
//! | **E** progress of a rebuild, no undo of what was pruned, folders are their owner's | `rest::engine::a_forced_rebuild_says_how_far_it_is`, `cli::tend::no_undo_is_promised_of_what_was_pruned`, `serving::a_data_folder_that_was_there_becomes_its_owners_alone` |
//! | **E** the address that `serve` prints, lists, errors and completions | `serving::it_says_who_answers_and_its_address_leads_somewhere`, `cli::output`, `mistakes::mistakes_in_arguments_are_json_where_json_is_asked_for`, `terminal` |
//! | **E** the papers name commands that exist | `references::every_command_that_the_papers_name_exists` |
//! | **F1** a message that needs memory gets it | `needed::a1_what_needs_memory_gets_it` |
//! | **F2** "don't forget" silences nobody | as B2 |
//! | **F3** `replaces` comes before "the same" | `model::truth::a_changed_value_takes_the_place_of_the_old_one` |
//! | **F4** what will happen is known now | `model::truth::what_is_coming_is_known_now`, `model::truth::what_begins_later_by_hand_can_be_named_too` |
//! | **F5** events that were said to happen are kept | `model::judging::guards_stand_above_the_model`, `model::truth::what_is_coming_is_known_now` |
//! | **F6** the model can forget | `model::truth::the_model_forgets_what_the_user_asks_to_be_forgotten` |
//! | **F7** one fact a memory; what is known and held can be named | `model::truth::of_a_compound_memory_the_rest_goes_on`, `model::truth::what_is_held_can_be_named_and_is_kept_when_it_comes_again`, `model::truth::who_the_user_is_never_contradicts_what_is_known` |
//! | **F8** no copy tells what is over | `model::truth::no_digest_tells_what_is_over`, `telling::over::a_day_that_was_moved_is_told_by_nothing_that_said_it` |
//! | **F9** a lean answer | `model::truth::a_lean_answer_is_enough` |
//! | **16.2** whose words they are | `whose_words::a_text_to_work_on_is_not_learned_and_what_stands_beside_it_is`, `whose_words::a_part_that_is_played_is_not_learned_until_the_game_ends` |
//! | **16.3** every other door gets its category | `classified::what_comes_by_every_other_door_gets_its_category_by_itself` |

use memory::types::{Role, Status};

use super::{SECONDS_A_DAY, Scene, contents, conversation, tells};

#[tokio::test]
async fn b1_single_statements_are_learned() {
    for (said, parts) in [
        ("I'm vegan and so is Tom", &["vegan", "tom"][..]),
        ("Dev is allergic to nuts", &["dev"]),
        ("My wife is allergic to nuts", &["wife"]),
        ("I play the cello", &["cello"]),
        ("I take metformin for diabetes", &["metformin"]),
        ("my son starts school in september", &["school"]),
        ("got a new job at stripe!!", &["stripe"]),
        ("My doctor said I should avoid gluten", &["gluten"]),
        ("Always sign my emails as Mara B.", &["mara b"]),
        ("From now on never apologise", &["apologi"]),
        ("Don't use bullet points in your answers", &["bullet"]),
        ("Deadline for the thesis is 12 January.", &["thesis"]),
        ("I live in Oslo and work as a nurse", &["oslo", "nurse"]),
    ] {
        let known = Scene::of_days(&[said]).await.known().await;
        assert!(parts.iter().all(|part| tells(&known, part)), "{said}: {known:?}");
    }
    let known = Scene::of_days(&["I live in Oslo", "We moved to Postgres"]).await.known().await;
    assert!(tells(&known, "lives in oslo") && !tells(&known, "lives in postgres"), "{known:?}");
    let said = ["The lease starts on 1 March", "Actually the lease starts on 8 March, not the 1st"];
    let known = Scene::of_days(&said).await.known().await;
    assert!(tells(&known, "8 march") && !tells(&known, "on 1 march"), "{known:?}");
}

/// Who asks not to forget is learned from, before and behind it; so is who speaks of files.
#[tokio::test]
async fn b2_talk_of_forgetting_and_saving_silences_nothing() {
    for (before, said, behind, parts) in [
        (
            "My cat is called Miso.",
            "Don't forget that I'm allergic to penicillin",
            "I live in Oslo.",
            ["miso", "penicillin", "oslo"],
        ),
        (
            "Meine Katze heißt Miso.",
            "Vergiss nicht, dass ich gegen Penicillin allergisch bin",
            "Ich wohne in Oslo.",
            ["miso", "penicillin", "oslo"],
        ),
        (
            "A minha gata chama-se Miso.",
            "Não te esqueças que sou alérgica à penicilina",
            "Moro em Lisboa.",
            ["miso", "penicilina", "lisboa"],
        ),
        (
            "Мою кошку зовут Мисо.",
            "Не забудь, что у меня аллергия на пенициллин",
            "Я живу в Казани.",
            ["мисо", "пенициллин", "казани"],
        ),
        ("我的猫叫米索。", "别忘了我对青霉素过敏", "我住在苏州。", ["米索", "青霉素", "苏州"]),
        (
            "うちの猫の名前はミソです。",
            "ペニシリンアレルギーなのを忘れないでね",
            "仙台に住んでいます。",
            ["ミソ", "ペニシリン", "仙台"],
        ),
        (
            "My cat is called Miso.",
            "make git forget that file",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "Don't store them in localStorage",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "don't save the file yet",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
        (
            "My cat is called Miso.",
            "I don't save much",
            "I live in Oslo. I work as a nurse.",
            ["miso", "oslo", "nurse"],
        ),
    ] {
        let scene = Scene::new();
        let answer = (Role::Assistant, "OK.");
        let talk = [(Role::User, before), answer, (Role::User, said), answer, (Role::User, behind), answer];
        scene.talk("talk", &talk).await;
        let known = scene.known().await;
        assert!(parts.iter().all(|part| tells(&known, part)), "{said}: {known:?}");
    }
}

#[tokio::test]
async fn b2_a_wish_about_one_thing_takes_that_thing() {
    let scene = Scene::new();
    let answer = (Role::Assistant, "OK.");
    let talk = [
        (Role::User, "My cat is called Miso."),
        answer,
        (Role::User, "I charge 400 euros per session."),
        answer,
        (Role::User, "Don't save the thing about my prices"),
        answer,
        (Role::User, "I live in Oslo."),
        answer,
    ];
    scene.talk("talk", &talk).await;
    let known = scene.known().await;
    assert!(tells(&known, "miso") && tells(&known, "oslo") && !tells(&known, "400"), "{known:?}");
}

#[tokio::test]
async fn b3_who_is_spoken_of_is_part_of_what_is_known() {
    for said in [
        &["My sister lives in Toronto", "My brother lives in Toronto"][..],
        &["My sister lives in Toronto and my brother lives in Toronto too."],
    ] {
        let known = Scene::of_days(said).await.known().await;
        assert!(tells(&known, "sister") && tells(&known, "brother"), "{known:?}");
    }
}

#[tokio::test]
async fn b3_what_ended_ends_and_stays_as_the_past() {
    for (before, after, gone) in [
        ("I work at Meta.", "I no longer work at Meta.", "user works at meta"),
        ("I work at Meta as an engineer.", "I quit my job at Meta.", "works at meta"),
        ("I work at Meta.", "I left Meta last week.", "user works at meta"),
        ("I live in Leeds.", "I don't live in Leeds anymore.", "user lives in leeds"),
        ("I'm vegan.", "I'm no longer vegan.", "user is vegan"),
        ("I'm married to Paul.", "Paul and I got divorced.", "married"),
        ("I'm allergic to nuts.", "Turns out I'm not allergic to nuts after all.", "is allergic"),
        ("Me gusta el café.", "Ya no me gusta el café.", "user likes el café"),
        ("My dog is called Biscuit.", "My dog Biscuit died.", "biscuit is user's dog"),
        ("I live in Porto.", "I moved from Porto to Lisbon.", "user lives in porto"),
    ] {
        let scene = Scene::of_days(&["My bike is green.", before, after]).await;
        let known = scene.known().await;
        assert!(!tells(&known, gone), "{after}: {known:?}");
        let past = contents(&scene.with_status(Status::Superseded).await);
        assert_eq!(past.len(), 1, "{after}: {past:?}");
    }
}

#[tokio::test]
async fn b3_what_changed_does_not_stand_beside_what_was() {
    for (before, after, gone, there) in [
        ("I take 10 mg of lisinopril.", "I take 20 mg of lisinopril now.", "10 mg", "20 mg"),
        ("We use MySQL for the backend.", "We switched from MySQL to Postgres.", "uses mysql", "postgres"),
        ("My partner is Anna.", "My partner is Julia now.", "is anna", "julia"),
        ("My brother lives in Toronto.", "My brother moved to Ottawa.", "in toronto", "ottawa"),
        ("I use Python 3.11.", "Actually 3.12, not 3.11.", "3.11", "uses python 3.12"),
        ("My office is on the third floor.", "My office is on the fifth floor.", "third", "fifth"),
    ] {
        let known = Scene::of_days(&["My bike is green.", before, after]).await.known().await;
        assert!(!tells(&known, gone) && tells(&known, there), "{after}: {known:?}");
    }
}

/// How endings are said in each language that is claimed. What stands beside stays.
#[tokio::test]
async fn b3_what_ended_ends_in_every_language() {
    for (stays, before, after, gone) in [
        (
            "Ich bin Vegetarierin.",
            "Mein Freund heißt Jonas.",
            "Jonas und ich haben uns getrennt.",
            "freund heißt",
        ),
        (
            "Soy vegetariana.",
            "Juego al tenis todos los jueves.",
            "Dejé el tenis por la rodilla.",
            "todos los jueves",
        ),
        ("Je suis végétarienne.", "Mon copain s'appelle Jonas.", "Jonas et moi, on s'est séparés.", "copain"),
        (
            "Vivo a Torino con la mia gatta Miso.",
            "Sono vegetariana.",
            "Non sono più vegetariana.",
            "sono vegetariana",
        ),
        (
            "Sou vegetariana.",
            "Jogo ténis todas as quintas.",
            "Deixei o ténis por causa do joelho.",
            "todas as quintas",
        ),
        (
            "Ik woon in Utrecht.",
            "Ik ben vegetariër.",
            "Ik ben geen vegetariër meer, ik eet weer vis.",
            "ik ben vegetariër",
        ),
        (
            "Mieszkam w Łodzi.",
            "Gram w tenisa w każdy czwartek.",
            "Przestałam grać w tenisa przez kolano.",
            "każdy czwartek",
        ),
        (
            "Я вегетарианка.",
            "Каждый четверг играю в теннис.",
            "Бросила теннис из-за колена.",
            "каждый четверг",
        ),
        ("Vejetaryenim.", "Her perşembe tenis oynuyorum.", "Dizim yüzünden tenisi bıraktım.", "her perşembe"),
        ("أسكن في الإسكندرية.", "أنا نباتية.", "لم أعد نباتية، رجعت آكل السمك واللحم.", "أنا نباتية"),
        ("मैं पुणे में रहती हूँ।", "मैं शाकाहारी हूँ।", "मैं अब शाकाहारी नहीं हूँ, मछली और मांस खाती हूँ।", "मैं शाकाहारी"),
        ("我住在苏州。", "我男朋友叫陈浩。", "我和陈浩分手了。", "男朋友"),
        (
            "저는 채식주의자예요.",
            "매주 목요일에 테니스를 쳐요.",
            "무릎 때문에 테니스는 그만뒀어요.",
            "매주 목요일",
        ),
    ] {
        let scene = Scene::of_days(&[stays, before]).await;
        let told = scene.known().await;
        assert!(tells(&told, gone), "{before}: {told:?}");
        scene.clock.advance_seconds(SECONDS_A_DAY);
        scene.says("later", after).await;
        let known = scene.known().await;
        assert!(!tells(&known, gone), "{after}: {known:?}");
        assert!(known.contains(&told[0]), "{after}: {known:?}");
    }
}

/// What an import brings is as old as its turns, and ends when it was said to end.
#[tokio::test]
async fn b6_what_is_learned_is_dated_by_what_was_said() {
    let scene = Scene::of_days(&["I live in Porto."]).await;
    let said = scene.with_status(Status::Active).await.remove(0);
    assert_eq!(said.valid_from, Some(said.created_at), "{said:?}");
    let mut talk = conversation("old", &[(Role::User, "I play the cello in a quartet.")]);
    talk.messages[0].at = Some("2024-05-03T10:00:00Z".parse().expect("a time"));
    scene.ask(talk).await.expect("it is taken");
    let known = scene.with_status(Status::Active).await;
    let cello = known.iter().find(|memory| memory.content.contains("cello")).expect("it is learned");
    assert_eq!(cello.created_at.to_string().get(..10), Some("2024-05-03"), "{cello:?}");
    assert!(cello.updated_at > cello.created_at, "{cello:?}");
}

/// What is imported late and was said early is the past of what is known, and no news.
#[tokio::test]
async fn b6_an_older_conversation_replaces_nothing() {
    let scene = Scene::of_days(&["I live in Porto."]).await;
    let mut talk = conversation("old", &[(Role::User, "I live in Ghent.")]);
    talk.messages[0].at = Some("2024-05-03T10:00:00Z".parse().expect("a time"));
    scene.ask(talk).await.expect("it is taken");
    let known = scene.with_status(Status::Active).await;
    let contents: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
    assert!(contents.len() == 1 && contents[0].contains("Porto"), "{contents:?}");
    let past = scene.with_status(Status::Superseded).await.remove(0);
    assert!(past.content.contains("Ghent"), "{past:?}");
    assert_eq!(past.superseded_by.as_ref(), Some(&known[0].id));
    assert_eq!(past.valid_until, known[0].valid_from);
    let again = conversation("older", &[(Role::User, "I live in Ghent.")]);
    let mut again = again;
    again.messages[0].at = Some("2024-05-04T10:00:00Z".parse().expect("a time"));
    scene.ask(again).await.expect("it is taken");
    assert_eq!(scene.with_status(Status::Superseded).await.len(), 1, "it is past once");
}
