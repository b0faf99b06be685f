//! Group commit: many callers' batches in one transaction.
//!
//! A batch is put into its tenant's queue. If no thread is at work for that tenant, the tenant is handed to the writer
//! threads; one of them takes everything that waits, does it in one transaction, and answers each caller after the
//! commit is on the disk. While the disk works, the next callers queue up, so the group grows with the load and a lone
//! caller never waits for company. A batch that fails fails its caller alone: the group is then done again, a savepoint each.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use memory::error::{StoreError, StoreResult};
use memory::types::Written;
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::apply::{Prepared, apply};
use super::{TenantInner, failed};
use crate::limits;

/// What a caller waits for.
enum WriteJob {
    Batch(Box<Prepared>, oneshot::Sender<StoreResult<Written>>),
    Scrub(oneshot::Sender<StoreResult<()>>),
}

/// The writer threads of one data folder. Cheap to clone; the threads end when the last clone is gone.
#[derive(Clone)]
pub struct Writers {
    shared: Arc<WriterState>,
    sender: Sender<Arc<TenantInner>>,
}

struct WriterState {
    /// The threads take turns to wait here.
    work: Mutex<Receiver<Arc<TenantInner>>>,
    threads: AtomicUsize,
    queued: AtomicUsize,
    commits: AtomicU64,
    batches: AtomicU64,
}

/// One tenant's line.
pub struct Queue {
    jobs: Mutex<VecDeque<WriteJob>>,
    /// A thread is at work for this tenant, or about to be.
    scheduled: AtomicBool,
}

impl Queue {
    pub fn new() -> Self {
        Self { jobs: Mutex::new(VecDeque::new()), scheduled: AtomicBool::new(false) }
    }

    pub fn is_empty(&self) -> bool {
        !self.scheduled.load(Ordering::Acquire) && self.jobs.lock().is_empty()
    }
}

impl Writers {
    pub fn new() -> Self {
        let (sender, receiver) = channel();
        let shared = WriterState {
            work: Mutex::new(receiver),
            threads: AtomicUsize::new(0),
            queued: AtomicUsize::new(0),
            commits: AtomicU64::new(0),
            batches: AtomicU64::new(0),
        };
        Self { shared: Arc::new(shared), sender }
    }

    /// Batches waiting, commits made, batches committed.
    pub fn counts(&self) -> (usize, u64, u64) {
        let shared = &self.shared;
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (shared.queued.load(Ordering::Relaxed), count(&shared.commits), count(&shared.batches))
    }

    /// Puts a batch into its tenant's queue and waits until it is on the disk.
    pub async fn write(&self, tenant: &Arc<TenantInner>, prepared: Prepared) -> StoreResult<Written> {
        let (answer, answered) = oneshot::channel();
        self.enqueue(tenant, WriteJob::Batch(Box::new(prepared), answer))?;
        answered.await.map_err(|_| StoreError::Failed("the writer ended before it answered".into()))?
    }

    /// Empties the log into the database, after everything that waits already.
    pub async fn scrub(&self, tenant: &Arc<TenantInner>) -> StoreResult<()> {
        let (answer, answered) = oneshot::channel();
        self.enqueue(tenant, WriteJob::Scrub(answer))?;
        answered.await.map_err(|_| StoreError::Failed("the writer ended before it answered".into()))?
    }

    fn enqueue(&self, tenant: &Arc<TenantInner>, job: WriteJob) -> StoreResult<()> {
        {
            let mut jobs = tenant.queue.jobs.lock();
            if jobs.len() >= limits::WRITE_QUEUE_BATCHES {
                return Err(StoreError::Busy(format!("{} writes are waiting already", jobs.len())));
            }
            jobs.push_back(job);
            self.shared.queued.fetch_add(1, Ordering::Relaxed);
        }
        if !tenant.queue.scheduled.swap(true, Ordering::AcqRel) {
            let scheduled = self.schedule(Arc::clone(tenant));
            if scheduled.is_err() {
                // The next caller tries again; the job stays in the queue until then.
                tenant.queue.scheduled.store(false, Ordering::Release);
            }
            return scheduled;
        }
        Ok(())
    }

    fn schedule(&self, tenant: Arc<TenantInner>) -> StoreResult<()> {
        self.start_a_thread()?;
        self.sender.send(tenant).map_err(|_| StoreError::Failed("the writers have ended".into()))
    }

    /// Threads are started as they are needed: a command that writes once needs one.
    fn start_a_thread(&self) -> StoreResult<()> {
        let threads = &self.shared.threads;
        if threads.load(Ordering::Relaxed) >= limits::WRITER_THREADS {
            return Ok(());
        }
        if threads.fetch_add(1, Ordering::Relaxed) >= limits::WRITER_THREADS {
            threads.fetch_sub(1, Ordering::Relaxed);
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        // The thread holds no sender of its own while it waits, or the channel would never close.
        let work = move || {
            loop {
                let next = shared.work.lock().recv();
                let Ok(tenant) = next else { return };
                serve(&shared, &tenant);
            }
        };
        std::thread::Builder::new().name("recollect-writer".into()).spawn(work).map(drop).map_err(|error| {
            threads.fetch_sub(1, Ordering::Relaxed);
            StoreError::Failed(format!("no writer thread could be started: {error}"))
        })
    }
}

/// Works for a tenant until its queue is empty, one group after the other.
fn serve(shared: &WriterState, tenant: &Arc<TenantInner>) {
    loop {
        let jobs = take_group(&tenant.queue);
        if jobs.is_empty() {
            tenant.queue.scheduled.store(false, Ordering::Release);
            // Somebody may have queued between the look and the flag, and seen the flag still set.
            let more = !tenant.queue.jobs.lock().is_empty();
            if !more || tenant.queue.scheduled.swap(true, Ordering::AcqRel) {
                return;
            }
            continue;
        }
        let count = jobs.len();
        let mut connection = tenant.writer.lock();
        run_group(shared, tenant, &mut connection, jobs);
        drop(connection);
        shared.queued.fetch_sub(count, Ordering::Relaxed);
        if count >= limits::GATHER_BATCHES {
            std::thread::sleep(Duration::from_micros(limits::GATHER_MICROSECONDS));
        }
    }
}

/// Up to a group's worth of jobs. A scrub is a group of its own.
fn take_group(queue: &Queue) -> Vec<WriteJob> {
    let mut jobs = queue.jobs.lock();
    let batches = jobs
        .iter()
        .take(limits::GROUP_COMMIT_BATCHES)
        .take_while(|job| matches!(job, WriteJob::Batch(..)))
        .count();
    let count = batches.max(1).min(jobs.len());
    jobs.drain(..count).collect()
}

fn run_group(shared: &WriterState, tenant: &TenantInner, connection: &mut Connection, jobs: Vec<WriteJob>) {
    let mut batches = Vec::with_capacity(jobs.len());
    for job in jobs {
        match job {
            WriteJob::Batch(prepared, answer) => batches.push((prepared, answer)),
            WriteJob::Scrub(answer) => {
                let _ = answer.send(scrub(connection));
            }
        }
    }
    if batches.is_empty() {
        return;
    }
    let (prepared, answers): (Vec<_>, Vec<_>) = batches.into_iter().unzip();
    let results = commit_group(tenant, connection, &prepared);
    shared.commits.fetch_add(1, Ordering::Relaxed);
    match results {
        Ok(results) => {
            shared.batches.fetch_add(results.len() as u64, Ordering::Relaxed);
            for (answer, result) in answers.into_iter().zip(results) {
                // A caller that went away does not mind.
                let _ = answer.send(result);
            }
        }
        Err(error) => {
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            tracing::error!(%error, batches = answers.len(), "a group of writes failed");
            for answer in answers {
                let _ = answer.send(Err(same_error(&error)));
            }
        }
    }
}

/// One transaction for all. A savepoint for each makes FTS5 write out what it holds at every one of them, which costs a third
/// of the throughput, and batches hardly ever fail; so the group is first tried without, and only if one of it fails is it
/// rolled back and done again with a savepoint each, so that the one fails alone.
fn commit_group(
    tenant: &TenantInner,
    connection: &mut Connection,
    batches: &[Box<Prepared>],
) -> StoreResult<Vec<StoreResult<Written>>> {
    if let Some(results) = try_plain(tenant, connection, batches)? {
        return Ok(results);
    }
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let mut results = Vec::with_capacity(batches.len());
    for prepared in batches {
        connection.execute_batch("SAVEPOINT caller").map_err(failed)?;
        let result = applied(tenant, connection, prepared);
        let ending = if result.is_ok() { "RELEASE caller" } else { "ROLLBACK TO caller; RELEASE caller" };
        connection.execute_batch(ending).map_err(failed)?;
        results.push(result);
    }
    connection.execute_batch("COMMIT").map_err(failed)?;
    Ok(results)
}

/// The group without savepoints; `None`, and nothing done, if one of it fails. A lone batch needs no second try: rolling the
/// transaction back is rolling it back.
fn try_plain(
    tenant: &TenantInner,
    connection: &mut Connection,
    batches: &[Box<Prepared>],
) -> StoreResult<Option<Vec<StoreResult<Written>>>> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let mut results = Vec::with_capacity(batches.len());
    for prepared in batches {
        let result = applied(tenant, connection, prepared);
        if result.is_err() {
            connection.execute_batch("ROLLBACK").map_err(failed)?;
            return Ok((batches.len() == 1).then(|| vec![result]));
        }
        results.push(result);
    }
    connection.execute_batch("COMMIT").map_err(failed)?;
    Ok(Some(results))
}

/// A batch whose bug panics fails like any other, alone.
fn applied(tenant: &TenantInner, connection: &Connection, prepared: &Prepared) -> StoreResult<Written> {
    let done = catch_unwind(AssertUnwindSafe(|| apply(tenant, connection, prepared)));
    done.unwrap_or_else(|_| Err(StoreError::Failed("a write panicked".into())))
}

/// Moves the log into the database and cuts it to nothing, so that what was purged is in no file any more.
pub fn scrub(connection: &Connection) -> StoreResult<()> {
    let busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(failed)?;
    if busy != 0 {
        return Err(StoreError::Busy("a reader held the log open; scrub again".into()));
    }
    Ok(())
}

/// Everybody in a group that failed as a whole is told the same.
fn same_error(error: &StoreError) -> StoreError {
    match error {
        StoreError::Busy(message) => StoreError::Busy(message.clone()),
        other => StoreError::Failed(other.to_string()),
    }
}
