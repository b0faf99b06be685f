//! Upkeep as the binary does it: when it comes, that it comes once, and the commands and routes about it.
//!
//! The scheduler is stepped: a test makes its turns and looks at its whole state in between. Most run in this process on a
//! clock that the test moves.

mod surfaces;

use std::sync::Arc;

use memory::ports::{Clock, WriteStore};
use memory::types::{Actor, Batch, Memory, Origin, TenantId, Time};
use recollect::ops::settings::SettingsSet;
use recollect::ops::tend::{Tend, TendState};
use recollect::ops::{self, House, Request};
use recollect::problem::Problem;
use recollect::tending::Pass;
use recollect::tending::scheduler::{Scheduler, Turn};
use store::{Credential, Durability, Options, Tenant, Tenants};
use tempfile::TempDir;
use testkit::{ManualClock, build};

const DAY: i64 = 86_400;

struct Scene {
    house: House,
    clock: Arc<ManualClock>,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::on(testkit::folder::scratch(), Arc::new(ManualClock::default()))
    }

    fn on(folder: TempDir, clock: Arc<ManualClock>) -> Self {
        let options = Options { durability: Durability::Normal, ..Options::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let house = House { clock: clock.clone(), ..House::new(tenants, None) };
        Self { house, clock, folder }
    }

    async fn restarted(self) -> Self {
        self.house.tenants.close().await;
        let Scene { folder, clock, house } = self;
        drop(house);
        Self::on(folder, clock)
    }

    async fn ask<R: Request>(&self, request: R) -> Result<R::Answer, Problem> {
        let caller = self.house.admit(Credential::Operator { tenant: TenantId::local() }).await?;
        let outcome = ops::execute(&self.house, &caller, request.into()).await?;
        Ok(R::answer(outcome).expect("the answer belongs to the question"))
    }

    async fn tenant(&self) -> Tenant {
        let credential = Credential::Operator { tenant: TenantId::local() };
        let caller = self.house.admit(credential).await.expect("the operator may");
        self.house.open(&caller).await.expect("the tenant opens")
    }

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
async fn rest(scheduler: &mut Scheduler) -> Vec<Turn> {
    let mut turns = Vec::new();
    while turns.len() < 100 {
        turns.push(scheduler.turn().await);
        if turns.last() == Some(&Turn::Resting) {
            return turns;
        }
    }
    panic!("it never rests: {turns:?}");
}

fn begun(turns: &[Turn]) -> usize {
    turns.iter().filter(|turn| matches!(turn, Turn::Began(_))).count()
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
    while !matches!(scheduler.turn().await, Turn::Began(_)) {}
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
    let mut pass =
        Pass::begin(&scene.house, &scene.tenant().await, None).await.expect("begun").expect("nobody else");
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
    let pass =
        Pass::begin(&scene.house, &scene.tenant().await, None).await.expect("begun").expect("nobody else");
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
