//! The contract of `memory::ports`, case by case, on every kind of store.
//!
//! A case is a function that takes a fresh [`Subject`] and knows nothing of what is behind it. The list below names
//! each case once, and each kind of store is one line under it; a case that is not listed is dead code, which the
//! compiler reports.

mod agents;
mod conversation;
mod feedback;
mod filters;
mod forgetting;
mod graph;
mod history;
mod known;
mod search;
mod statistics;
mod time;
mod upkeep;
mod vectors;
mod visibility;
mod writing;

/// Makes a test of each case for the kind of store that `$start` starts.
macro_rules! every_case {
    ($start:path) => {
        every_case! { $start =>
            writing: a_write_is_read_back, a_write_is_seen_by_a_second_opener, a_write_survives_a_restart,
                reading_many_keeps_the_order_asked_for, a_version_that_was_overtaken_is_refused,
                an_id_that_exists_cannot_be_inserted_again, a_batch_with_one_bad_change_writes_nothing,
                what_is_too_large_is_refused, a_session_and_a_memory_go_in_together,
                an_upsert_by_key_replaces_and_merges, an_upsert_of_the_deleted_makes_a_new_one,
                a_key_belongs_to_its_owner, a_key_of_the_user_is_every_agents,
                what_the_agent_had_becomes_the_users_when_it_is_restated, a_live_key_is_not_given_twice, removing_twice_removes_once;
            history: each_change_leaves_an_event, a_run_is_found_by_its_id, the_change_log_counts_changing_batches,
                the_change_log_can_be_paged_without_a_gap, the_hybrid_clock_never_goes_back, counting_uses_changes_nothing_else;
            visibility: the_deleted_is_hidden_everywhere, statuses_can_be_asked_for,
                inactive_hits_do_not_crowd_out_active_ones, the_newest_a_viewer_sees_are_the_first_of_all, scopes_decide_who_sees, projects_and_agents_alone_decide_who_sees, a_viewer_without_a_session_sees_no_thread,
                the_expired_is_hidden;
            time: as_of_tells_what_was_true_then, an_interval_ends_where_the_next_begins,
                known_at_tells_what_the_books_said, known_at_can_be_searched;
            filters: owners_and_sessions, kinds_and_layers, all_tags_must_be_there, since_and_until,
                filters_hold_for_turns_and_episodes, pages_of_a_list;
            search: any_text_may_be_a_query, operators_select, words_are_found_by_their_stem,
                every_script_is_found, ties_keep_the_order_of_insertion, the_limit_is_kept,
                the_last_tier_takes_words_literally, the_newest_come_first_when_nothing_is_asked,
                rows_from_outside_are_admitted_by_the_filter, an_edit_is_found_by_its_new_words_only,
                episodes_are_searched_too;
            statistics: they_equal_a_count_by_hand, documents_are_as_indexed;
            conversation: turns_get_their_places, a_resent_turn_is_stored_once, the_same_name_is_another_session_for_another_user,
                a_new_turn_reopens_the_session, neighbours_stay_inside_the_session, pending_turns_fail_and_die_and_revive,
                redo_entries_come_and_go, held_candidates_survive_a_restart, a_session_has_one_active_episode,
                purged_turns_are_gone;
            known: a_block_comes_back_as_it_was, a_block_comes_too_late_for_what_was_forgotten, a_block_goes_with_an_override_it_says, a_block_goes_with_what_it_rests_on, a_block_goes_with_a_purged_session,
                a_refused_batch_leaves_the_block, turns_are_known_by_their_external_ids, replies_are_known_by_their_text,
                what_models_took_is_summed, what_was_learned_of_a_user, a_redo_that_fails_dies_at_the_cap;
            forgetting: a_purge_leaves_nothing, a_purge_is_for_good, purging_what_is_not_there,
                a_scrub_takes_the_bytes_out_of_the_files;
            graph: derivation_is_walked_both_ways, links_are_found_from_both_ends, entities_are_found_by_any_name,
                identity_and_agents_are_kept;
            vectors: they_are_kept_by_signature, new_content_loses_the_old_vector, the_missing_are_listed,
                a_vector_needs_its_document, the_nearest_come_first, filters_hold_for_nearness_too,
                nearness_is_never_stale;
            feedback: a_reply_is_judged_once_by_each, what_was_said_is_found_again, what_was_said_goes_with_its_memory,
                judgements_are_taken_over_and_back, old_judgements_are_pruned_and_stay_counted;
            agents: every_agent_is_counted, waiting_tokens_are_summed;
            upkeep: settings_are_seen_at_once, the_census_counts, a_job_survives_a_restart, an_archived_text_is_kept_once_and_goes_with_its_memory,
                what_a_run_added_is_taken_back, a_walk_sees_every_active_row_once, people_are_told_from_machines, what_is_old_is_pruned;
        }
    };
    ($start:path => $($module:ident: $($case:ident),+;)+) => { $(
        mod $module { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                crate::conformance::$module::$case($start().await).await;
            }
        )+ }
    )+ };
}

mod sqlite_file {
    every_case!(testkit::subject::sqlite_file);
}

mod sqlite_memory {
    every_case!(testkit::subject::sqlite_memory);
}
