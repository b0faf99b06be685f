//! A request's reads on one thread: one hop there and back instead of one for each read.
//!
//! A read of the store must not hold up the asynchronous threads, so by itself each goes to a thread where it may block, and
//! its caller waits for that thread to wake, and then to be woken. A search makes a dozen reads of some microseconds each,
//! and most of its time went into those changes. Work that is taken aside as a whole runs on such a thread from the start,
//! and its reads happen right there. Whatever else it waits for (a model, a commit) it still waits for; so that those who
//! wait cannot take all threads, there are only so many, and who finds none free goes the ordinary way.

use std::cell::Cell;
use std::sync::LazyLock;
use std::time::Duration;

use memory::error::{StoreError, StoreResult};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};
use tracing::Instrument;

use crate::limits;

thread_local! {
    /// Whether this thread may block.
    static ASIDE: Cell<bool> = const { Cell::new(false) };
}

static THREADS: LazyLock<Semaphore> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Semaphore::new((cores * limits::ASIDE_PER_CORE).max(limits::ASIDE_AT_LEAST))
});

/// Whether the caller runs on a thread that may block, so that a read needs no other.
pub(crate) fn is_on_blocking_thread() -> bool {
    ASIDE.get()
}

/// Called before each read that happens right here: work that nobody waits for any longer ends before it.
pub(crate) async fn is_still_wanted() {
    tokio::task::yield_now().await;
}

/// Runs the work on a thread of its own where one is free soon. Dropping the future drops the work at its next read or wait.
pub async fn on_blocking_thread<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    if is_on_blocking_thread() {
        return work.await;
    }
    let free = match THREADS.try_acquire() {
        Ok(free) => Some(free),
        Err(_) => {
            let soon = Duration::from_millis(limits::ASIDE_WAIT_MS);
            tokio::time::timeout(soon, THREADS.acquire()).await.ok().and_then(Result::ok)
        }
    };
    let Some(free) = free else { return work.await };
    let (wanted, unwanted) = oneshot::channel::<()>();
    let (runtime, work) = (Handle::current(), Box::pin(work.in_current_span()));
    let done = tokio::task::spawn_blocking(move || {
        let _here = Here::begin();
        let result = runtime.block_on(async {
            tokio::select! {
                biased;
                _ = unwanted => None,
                result = work => Some(result),
            }
        });
        drop(free);
        result
    });
    let result = done.await;
    drop(wanted);
    match result {
        Ok(Some(result)) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The program is ending, and so is whoever waits here.
        Ok(None) | Err(_) => std::future::pending().await,
    }
}

/// Runs work of upkeep on a thread of its own that steps back for everybody else's. Dropping the future drops the work at its
/// next read or wait.
pub async fn at_low_priority<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> StoreResult<T> {
    let (wanted, unwanted) = oneshot::channel::<()>();
    let (told, done) = oneshot::channel();
    let (runtime, work) = (Handle::current(), Box::pin(work.in_current_span()));
    let run = move || {
        let _here = Here::begin();
        step_back();
        let result = runtime.block_on(async {
            tokio::select! {
                biased;
                _ = unwanted => None,
                result = work => Some(result),
            }
        });
        // Whoever asked may have left.
        let _ = told.send(result);
    };
    std::thread::Builder::new()
        .name("recollect-upkeep".into())
        .spawn(run)
        .map_err(|error| StoreError::Failed(format!("no thread could be started for upkeep: {error}")))?;
    let result = done.await;
    drop(wanted);
    result.ok().flatten().ok_or_else(|| StoreError::Failed("the work of upkeep ended before its end".into()))
}

/// Lets the scheduler prefer others. Not by all it can: others may wait for a lock that this thread holds.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        let this = Some(rustix::thread::gettid());
        if let Err(error) = rustix::process::setpriority_process(this, limits::UPKEEP_NICENESS) {
            tracing::debug!(%error, "upkeep runs at the priority of everything else");
        }
    }
}

/// Marks the thread for as long as it works for one caller: threads are used again.
struct Here;

impl Here {
    fn begin() -> Self {
        ASIDE.set(true);
        Here
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        ASIDE.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[tokio::test]
    async fn work_runs_on_a_thread_that_may_block_and_can_still_wait() {
        let here = std::thread::current().id();
        let (mark, there) = on_blocking_thread(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            // Work within work stays where it is.
            let nested =
                on_blocking_thread(async { (is_on_blocking_thread(), std::thread::current().id()) }).await;
            assert_eq!(nested.1, std::thread::current().id());
            nested
        })
        .await;
        assert!(mark && there != here && !is_on_blocking_thread());
        let again = tokio::task::spawn_blocking(is_on_blocking_thread).await.expect("it runs");
        assert!(!again, "a thread that goes back carries no mark");
    }

    #[tokio::test]
    async fn upkeep_steps_back_and_its_panic_fails_it_alone() {
        let (mark, name) = at_low_priority(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            (is_on_blocking_thread(), std::thread::current().name().map(str::to_owned))
        })
        .await
        .expect("it is done");
        assert!(mark && name.as_deref() == Some("recollect-upkeep"));
        #[cfg(target_os = "linux")]
        {
            let priority = at_low_priority(async {
                rustix::process::getpriority_process(Some(rustix::thread::gettid()))
            });
            let priority = priority.await.expect("it is done").expect("it can be asked");
            assert_eq!(priority, limits::UPKEEP_NICENESS);
        }
        assert!(at_low_priority(async { assert!(!is_on_blocking_thread(), "a panic") }).await.is_err());
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_ends() {
        struct Ends(Arc<AtomicBool>);
        impl Drop for Ends {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Release);
            }
        }
        let ended = Arc::new(AtomicBool::new(false));
        let mark = Ends(Arc::clone(&ended));
        let never = on_blocking_thread(async move {
            let _mark = mark;
            std::future::pending::<()>().await;
        });
        assert!(tokio::time::timeout(Duration::from_millis(20), never).await.is_err());
        for _ in 0..200 {
            if ended.load(Ordering::Acquire) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it goes on");
    }
}
