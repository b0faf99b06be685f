//! Upkeep as the binary does it: when it comes, that it comes once, and the commands and routes about it.
//!
//! The scheduler is stepped: a test makes its turns and looks at its whole state in between. Most run in this process on a
//! clock that the test moves.
//!
//! What the systems that come together here say about upkeep, and the tests that hold us to it. `steps`, `bounds`, `judged`,
//! `undoing` and `crash` are files of `crates/memory/tests/all/tend`, `conformance` a folder of `crates/store/tests/all`; `held` and `surfaces`
//! are here, the others are folders and files beside this one.
//!
//! | behaviour | test |
//! |---|---|
//! | **Osaurus** decay counts from the last use and never twice for the same days | `steps::time_alone_rewrites_nothing`, `held::a_restart_leaves_decay_where_it_was` |
//! | digests of one agent with shingle Jaccard of .9 become one | `steps::digests_that_say_the_same_become_one` |
//! | three conversations of the last 60 days that overlap promote by .05, once | `steps::what_keeps_coming_up_is_promoted_once`, `bounds::three_conversations_of_the_last_sixty_days_promote` |
//! | evict below the floor and after 30 idle days, as an archive | `steps::what_faded_is_archived_and_nothing_else`, `bounds::only_all_three_conditions_together_evict` |
//! | a trigger while one runs is skipped | `a_second_trigger_returns_at_once_with_zeros` |
//! | a restart puts off no pass that is due | `a_restart_neither_puts_a_pass_off_nor_repeats_it` |
//! | what was surfaced counts each time, a preview never (5) | `feedback::overlap::every_wire_tells_what_its_reply_used`, `proxy::prefix`, `learning::buffering::a_preview_counts_nothing` |
//! | memory that is disabled does nothing (9) | `held::memory_that_is_switched_off_is_not_kept_up` |
//! | a cap per agent archives the least recently used | `learning::judgement` |
//! | **AgentOS** S(t) = S0 · e^(-Δt / stability); an ordinary fact lives for months, a pinned one for ever | `memory::strength`, `steps::what_faded_is_archived_and_nothing_else` |
//! | a retrieval that helps makes it more stable, less each time | `memory::strength`, `judged::what_is_used_outlives_its_equal_that_is_passed_over` |
//! | merge at cosine .95 and the same words, or an equal hash: tags united, links re-pointed, counts summed | `steps::memories_that_say_the_same_become_one`, `steps::the_one_that_says_less_goes`, `judged::judgements_are_summed_when_memories_become_one_and_go_back` |
//! | co-activated pairs are strengthened: those that the reply used | `judged::only_what_the_reply_used_together_is_linked`, `steps::what_is_recalled_together_is_linked_and_each_block_counts_once` |
//! | insights from clusters of five, with a model, and supports named | `steps::an_insight_names_what_it_rests_on_and_needs_a_model` |
//! | episodic, seven days old, used three times, becomes semantic | `steps::an_event_that_is_asked_for_becomes_a_fact` |
//! | gist at 60 days, below two uses, strength below .9; the text archived first | `bounds::a_text_is_shortened_at_sixty_days_below_two_uses_and_when_it_fades` |
//! | rehydrate checks the hash and logs the access; a mismatch gives null and is logged | `steps::a_long_text_is_shortened_and_can_be_had_back` |
//! | archived texts stay 365 days from the last access | `bounds::an_archived_text_is_kept_for_a_year_from_when_it_was_asked_for` |
//! | memory_reflect gives counts; while one runs, zeros at once | `mcp::tools`, `held::a_reflection_while_one_runs_comes_back_with_zeros` |
//! | merging fewer than two active is a clear error | `rest::upkeep::what_cannot_be_merged`, `rest::upkeep::several_become_one` |
//! | reindex, and a log of what was done | `steps::the_index_is_brought_in_step`, `surfaces::a_bulk_deletion_is_taken_back_by_command` |
//! | **OmniRoute** summarise what is older than N days; what is pinned stays | `rest::upkeep::summaries_take_what_is_old_and_nobodys_own`, `steps::old_memories_are_taken_together_only_where_that_is_switched_on` |
//! | a dry run leaves the database untouched (8) | `rest::upkeep::summaries_take_what_is_old_and_nobodys_own`, `steps::a_rehearsal_names_everything_and_changes_nothing` |
//! | counting a use writes no index anew (its 685 MiB) | `bounds::a_use_is_no_change_of_the_memory`, `conformance::history` |
//! | clear takes all that matches, not fifty | `rest::memories::more_than_one_batch_is_cleared` |
//! | **OpenCouch** rule 21 archives the oldest, with why (9) | `learning::judgement::rule_twenty_one_archives_the_oldest` |
//! | feedback is positive, negative or skip, with a source, about a conversation | `feedback::surfaces::other_systems_words_mean_the_same`, `feedback::surfaces::a_conversation_is_judged_by_what_its_replies_used` |
//! | feedback has its own retention and is counted in the status | `conformance::feedback`, `feedback::surfaces::a_judgement_is_taken_kept_and_counted` |
//! | one bad item in a batch and none of it (2) | `feedback::surfaces::mistakes_name_the_field` |
//! | **Others' users** sources stay until what replaces them is found; every run can be undone (Hindsight #3876) | `steps::old_memories_are_taken_together_only_where_that_is_switched_on`, `undoing`, `crash` |
//! | value updates survive de-duplication (mem0 #5850) | `memory::tend::merge` |
//! | a scoped delete counts first and has a window to undo (mem0 #3928) | `forgetting`, `surfaces::a_bulk_deletion_is_taken_back_by_command`, `held::a_run_can_be_undone_within_the_days_that_are_set` |
//! | what a person did is never undone by a machine | `steps::nothing_of_a_persons_is_ever_touched`, `undoing`, `feedback::effects::a_persons_own_is_for_people_to_take_out` |

mod held;
mod surfaces;

use memory::ports::{Clock, WriteStore};
use memory::types::{Actor, Batch, Memory, Origin, Time};
use recollect::ops::settings::SettingsSet;
use recollect::ops::tend::{Tend, TendState};
use recollect::tending::UpkeepRun;
use recollect::tending::scheduler::{Scheduler, SchedulerStep};
use testkit::build;

use crate::scene::Scene;

const DAY: i64 = 86_400;

impl Scene {
    /// What a model learned some days ago.
    async fn learned(&self, content: &str, days: i64) -> Memory {
        let mut memory = build::memory(&self.clock, content);
        memory.origin = Origin::Model;
        let at: Time = self.clock.now().plus_seconds(-days * DAY);
        (memory.created_at, memory.updated_at) = (at, at);
        let batch = Batch::new(Actor::Model, self.clock.now()).insert(memory.clone());
        self.tenant().await.apply(batch).await.expect("in order");
        memory
    }
}

/// Makes turns until nothing is due, at most so many.
async fn rest(scheduler: &mut Scheduler) -> Vec<SchedulerStep> {
    let mut turns = Vec::new();
    while turns.len() < 100 {
        turns.push(scheduler.turn().await);
        if turns.last() == Some(&SchedulerStep::Resting) {
            return turns;
        }
    }
    panic!("it never rests: {turns:?}");
}

fn begun(turns: &[SchedulerStep]) -> usize {
    turns.iter().filter(|turn| matches!(turn, SchedulerStep::Began(_))).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_of_the_scheduler_step_by_step() {
    let scene = Scene::new();
    scene.learned("Ada plays the viola", 5).await;
    scene.learned("Ada plays the viola", 3).await;
    let mut scheduler = Scheduler::new(scene.house.clone());
    let mut story = String::new();
    let tell = async |story: &mut String, what: &str, scheduler: &Scheduler| {
        story.push_str(&format!("{what}\n{}\n", scheduler.render().await.expect("rendered")));
    };
    rest(&mut scheduler).await;
    tell(&mut story, "first look", &scheduler).await;
    scene.clock.advance_seconds(DAY);
    while !matches!(scheduler.turn().await, SchedulerStep::Began(_)) {}
    tell(&mut story, "begun a day later", &scheduler).await;
    for _ in 0..3 {
        scheduler.turn().await;
    }
    tell(&mut story, "three portions on", &scheduler).await;
    assert_eq!(begun(&rest(&mut scheduler).await), 0);
    tell(&mut story, "at rest", &scheduler).await;
    insta::assert_snapshot!("day", story);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_neither_puts_a_pass_off_nor_repeats_it() {
    let scene = Scene::new();
    scene.learned("Ada plays the viola", 5).await;
    rest(&mut Scheduler::new(scene.house.clone())).await;
    scene.clock.advance_seconds(DAY / 2);
    let scene = scene.restarted().await;
    assert_eq!(begun(&rest(&mut Scheduler::new(scene.house.clone())).await), 0, "half a day is too soon");
    scene.clock.advance_seconds(DAY / 2);
    let scene = scene.restarted().await;
    assert_eq!(
        begun(&rest(&mut Scheduler::new(scene.house.clone())).await),
        1,
        "due, however often it restarted"
    );
    let scene = scene.restarted().await;
    assert_eq!(begun(&rest(&mut Scheduler::new(scene.house.clone())).await), 0, "and once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_left_in_the_middle_goes_on_at_once() {
    let scene = Scene::new();
    let faded = scene.learned("Ada once had a cold", 600).await;
    let mut pass = UpkeepRun::begin(&scene.house, &scene.tenant().await, None)
        .await
        .expect("begun")
        .expect("nobody else");
    pass.advance().await.expect("advanced");
    let run = pass.run().id.clone();
    drop(pass);
    let scene = scene.restarted().await;
    scene.clock.advance_seconds(60);
    assert_eq!(begun(&rest(&mut Scheduler::new(scene.house.clone())).await), 1);
    use memory::ports::ReadStore;
    let tenant = scene.tenant().await;
    let runs = tenant.runs(10).await.expect("read");
    assert_eq!((runs.len(), &runs[0].id, runs[0].state.as_str()), (1, &run, "done"));
    assert_eq!(tenant.memories(&[faded.id]).await.expect("read")[0].status, memory::types::Status::Archived);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_trigger_returns_at_once_with_zeros() {
    let scene = Scene::new();
    scene.learned("Ada once had a cold", 600).await;
    let pass = UpkeepRun::begin(&scene.house, &scene.tenant().await, None)
        .await
        .expect("begun")
        .expect("nobody else");
    let second = scene.ask(Tend::default()).await.expect("answered");
    assert_eq!(
        (second.state, second.pruned, second.merged, second.run_id.as_deref()),
        (TendState::Busy, 0, 0, None)
    );
    let run = pass.complete().await.expect("done");
    assert_eq!(run.counts["evict"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interval_that_is_shortened_holds_at_the_next_look() {
    let scene = Scene::new();
    scene.learned("Ada plays the viola", 5).await;
    scene.ask(Tend::default()).await.expect("tended");
    let mut scheduler = Scheduler::new(scene.house.clone());
    rest(&mut scheduler).await;
    let (name, value) = ("consolidationIntervalHours".to_owned(), 2.into());
    scene.ask(SettingsSet { name, value, everywhere: false }).await.expect("set");
    scene.clock.advance_seconds(2 * 3_600);
    assert_eq!(begun(&rest(&mut scheduler).await), 1);
}
