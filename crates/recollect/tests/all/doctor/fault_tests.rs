//! Thirty-six faults, each found alone, repaired, gone, and, where records were changed, brought back by an undo.

use rusqlite::Connection;

use super::faults::{PLANTS, Plant};
use super::{DoctorScene, codes, copy, dump};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_found_in_a_healthy_store() {
    let scene = DoctorScene::on(copy());
    let diagnosis = scene.examine().await;
    assert_eq!(codes(&diagnosis), [] as [&str; 0], "{diagnosis:#?}");
    assert_eq!((diagnosis.score, diagnosis.sound), (100, true));
    assert!(diagnosis.areas.iter().all(|area| area.score == 100));
    let before = dump(&scene.database());
    let fixed = scene.fix().await;
    assert_eq!((fixed.run_id, fixed.repaired.len()), (None, 0), "nothing to repair is no run");
    assert_eq!(dump(&scene.database()), before);
    let learned = Connection::open(scene.database()).expect("opened");
    let count: i64 = learned
        .query_row(
            "SELECT count(*) FROM memory WHERE body ->> '$.origin' = 'heuristic' AND status = 'active'",
            [],
            |row| row.get(0),
        )
        .expect("counted");
    assert!(count >= 6, "the healthy store holds something: {count}");
}

/// Plants one fault and goes through its whole life.
async fn check(plant: &Plant) {
    let Plant { code, undoable, .. } = plant;
    let folder = copy();
    plant.in_folder(folder.path()).await;
    let scene = DoctorScene::on(folder);
    let found = scene.examine().await;
    assert_eq!(codes(&found), [*code], "{code} is found, and it alone: {:#?}", found.findings);
    assert!(
        found.score < 100 && found.findings[0].count >= 1 && !found.findings[0].examples.is_empty(),
        "{found:#?}"
    );
    let before = dump(&scene.database());
    let fixed = scene.fix().await;
    assert_eq!(codes(&fixed), [] as [&str; 0], "{code} is repaired: {:#?}", fixed.findings);
    assert_eq!(fixed.score, 100, "{code}");
    let repaired: Vec<&str> = fixed.repaired.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(repaired, [*code]);
    assert_eq!(codes(&scene.examine().await), [] as [&str; 0], "{code} stays away");
    whole(&scene.database(), code);
    if *undoable {
        assert_ne!(dump(&scene.database()), before, "{code}: the repair changed something");
        scene.undo(&fixed.run_id.expect("a run")).await;
        assert_eq!(dump(&scene.database()), before, "{code}: the undo brought it back");
        let again = scene.examine().await;
        assert_eq!(codes(&again), [*code], "{code} is there again");
    }
}

/// SQLite's own word that nothing was broken on the way.
fn whole(database: &std::path::Path, code: &str) {
    let connection = Connection::open(database).expect("opened");
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("checked");
    assert_eq!(verdict, "ok", "{code}");
    for index in ["memory_fts", "episode_fts", "turn_fts"] {
        let question = format!("INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)");
        connection.execute(&question, []).unwrap_or_else(|error| panic!("{code}: {index}: {error}"));
    }
}

macro_rules! planted {
    ($( $name:ident = $code:literal; )+) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                check(PLANTS.iter().find(|plant| plant.code == $code).expect("it is planted")).await;
            }
        )+

        #[test]
        fn every_plant_is_tried() {
            let tried = [$($code),+];
            assert!(PLANTS.iter().all(|plant| tried.contains(&plant.code)));
            assert!(PLANTS.len() >= 20 && tried.len() == PLANTS.len());
        }
    };
}

planted! {
    a_setting_out_of_its_range = "config.settings";
    an_index_that_lacks_a_row = "db.integrity";
    a_trigger_dropped = "schema.objects";
    a_record_that_cannot_be_read = "body.unreadable";
    a_hash_of_other_words = "hash.wrong";
    an_archived_text_that_was_changed = "archive.damaged";
    a_memory_without_words = "index.missing-words";
    words_without_a_memory = "index.stray-words";
    words_of_another_text = "index.wrong-words";
    a_full_text_index_that_lost_a_row = "index.damaged";
    a_memory_without_a_vector = "vectors.missing";
    a_vector_without_a_memory = "vectors.stray";
    a_vector_cut_short = "vectors.damaged";
    two_vectors_exchanged = "vectors.wrong";
    vectors_counted_wrong = "vectors.count";
    documents_counted_wrong = "statistics.corpus";
    a_conversation_that_forgot_its_place = "statistics.sessions";
    an_entity_without_a_name = "statistics.names";
    a_trail_from_nothing = "orphans.derived";
    a_link_to_nothing = "orphans.links";
    a_relation_to_nobody = "orphans.relations";
    uses_of_a_memory_that_is_gone = "orphans.counters";
    an_archived_text_of_a_memory_that_is_gone = "orphans.archive";
    a_turn_whose_conversation_is_gone = "orphans.turns";
    marks_of_turns_that_are_gone = "orphans.waiting";
    turns_that_wait_since_days = "pending.stuck";
    dead_letters = "pending.dead";
    a_conversation_given_up_by_a_model = "redo.dead";
    upkeep_that_never_came = "jobs.overdue";
    a_run_that_never_ended = "runs.unfinished";
    another_tenants_record = "isolation.rows";
    another_users_memory_in_a_prompt = "isolation.blocks";
    a_memory_that_says_what_another_says = "junk.duplicates";
    a_memory_learned_from_the_assistant = "junk.learned-back";
    two_homes_at_once = "junk.contradictions";
    a_memory_that_nobody_said = "junk.no-evidence";
}

/// All of them in one store: found together as far as they can be seen past each other, and gone after one repair.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_them_together() {
    let folder = copy();
    for plant in PLANTS {
        plant.in_folder(folder.path()).await;
    }
    let scene = DoctorScene::on(folder);
    let found = scene.examine().await;
    let found = codes(&found);
    for plant in PLANTS {
        // What cannot be read is not judged; a repair judges it when it can be.
        let hidden = plant.code.starts_with("junk.");
        assert!(hidden || found.contains(&plant.code), "{} is found among {found:?}", plant.code);
    }
    let fixed = scene.fix().await;
    assert_eq!(codes(&fixed), [] as [&str; 0], "{:#?}", fixed.findings);
    assert_eq!(fixed.score, 100);
    whole(&scene.database(), "all");
    assert!(fixed.aside.is_some(), "what could not stay was moved aside");
}
