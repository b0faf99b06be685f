//! The record of access decisions: who was let in to what, and who was not and why. Never what it was about.
//!
//! A request must neither wait for its row nor fail because of it. So rows go into a bounded queue, from which one thread
//! writes them, those of a moment at once, over a connection of its own; a queue that is full loses rows, counts them, and says so
//! in the record itself. The thread begins with the first row and ends with the last handle, which waits for it: whoever let go of
//! a store may move its files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memory::error::{StoreError, StoreResult};
use memory::types::{TenantId, Time};
use parking_lot::Mutex;
use rusqlite::{Connection, Row, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::WriteDurability;
use crate::keys::{maybe, parsed};
use crate::limits;
use crate::sqlite::{DatabasePlace, connect};
use crate::tenants::Tenants;

/// What was decided about one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessDecision {
    pub at: Time,
    /// The request's id, which its log lines carry too.
    pub request: Option<String>,
    /// A key's id, `loopback`, `operator`, or `unknown`.
    pub caller: String,
    /// The tenant that the caller belongs to, where that is known.
    pub tenant: Option<TenantId>,
    /// What was asked for.
    pub operation: String,
    pub allowed: bool,
    /// Why not, as one word of a closed list.
    pub reason: Option<String>,
}

/// A decision as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    pub number: i64,
    #[serde(flatten)]
    pub decision: AccessDecision,
}

/// The queue's end that requests hold. Cheap to clone.
#[derive(Clone)]
pub struct Log(Arc<AuditInner>);

struct AuditInner {
    book: Book,
    sender: OnceLock<SyncSender<AuditMessage>>,
    /// Who writes, where the system had a thread to spare.
    writer: OnceLock<JoinHandle<()>>,
    lost: Arc<AtomicU64>,
}

impl Drop for AuditInner {
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(writer) = self.writer.take()
            && writer.join().is_err()
        {
            tracing::error!("the thread that records access decisions failed");
        }
    }
}

/// Where rows are written.
#[derive(Clone)]
pub enum Book {
    /// Over a connection of its own, so that requests do not wait for the one they share.
    File(PathBuf),
    /// A database in memory has one connection.
    Shared(Arc<Mutex<Connection>>),
}

enum AuditMessage {
    Row(AccessDecision),
    /// Answered when everything before it is written.
    Flush(oneshot::Sender<()>),
}

impl Log {
    pub fn new(book: Book) -> Self {
        Self(Arc::new(AuditInner {
            book,
            sender: OnceLock::new(),
            writer: OnceLock::new(),
            lost: Arc::default(),
        }))
    }

    /// Never waits and never fails.
    fn write(&self, decision: AccessDecision) {
        let full = matches!(self.sender().try_send(AuditMessage::Row(decision)), Err(TrySendError::Full(_)));
        if full {
            self.0.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub async fn flush(&self) {
        let Some(sender) = self.0.sender.get().cloned() else { return };
        let (done, written) = oneshot::channel();
        // A full queue is waited for, away from the asynchronous threads.
        let sent = tokio::task::spawn_blocking(move || sender.send(AuditMessage::Flush(done)).is_ok());
        if matches!(sent.await, Ok(true)) {
            let _ = written.await;
        }
    }

    fn sender(&self) -> &SyncSender<AuditMessage> {
        self.0.sender.get_or_init(|| {
            let (sender, receiver) = sync_channel(limits::AUDIT_QUEUE);
            let writer = Writer { book: self.0.book.clone(), own: None, lost: Arc::clone(&self.0.lost) };
            let started =
                std::thread::Builder::new().name("audit".to_owned()).spawn(move || writer.run(&receiver));
            match started {
                Ok(writer) => drop(self.0.writer.set(writer)),
                Err(error) => tracing::error!(%error, "access decisions are not recorded"),
            }
            sender
        })
    }
}

struct Writer {
    book: Book,
    own: Option<Connection>,
    lost: Arc<AtomicU64>,
}

impl Writer {
    fn run(mut self, receiver: &Receiver<AuditMessage>) {
        while let Ok(first) = receiver.recv() {
            let (rows, waiting) = gather(first, receiver);
            if let Err(error) = self.write(rows) {
                self.own = None;
                tracing::error!(%error, "access decisions were not recorded");
            }
            for done in waiting {
                // Whoever asked may have left.
                let _ = done.send(());
            }
        }
    }

    fn write(&mut self, mut rows: Vec<AccessDecision>) -> StoreResult<()> {
        let Some(last) = rows.last() else { return Ok(()) };
        let lost = self.lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(lost, "access decisions came faster than they can be recorded");
            rows.push(gap(last.at, lost));
        }
        let written = match &self.book {
            Book::Shared(connection) => put(&mut connection.lock(), &rows),
            Book::File(path) => {
                let own = match self.own.take() {
                    Some(own) => own,
                    // A power cut may take the last rows; a sync each would wear the disk for little.
                    None => connect(&DatabasePlace::File(path.clone()), WriteDurability::Normal)?,
                };
                put(self.own.insert(own), &rows)
            }
        };
        written.map_err(crate::sqlite::failed)
    }
}

/// What comes within a moment of the first; who waits for it to be written is not kept waiting.
fn gather(
    first: AuditMessage,
    receiver: &Receiver<AuditMessage>,
) -> (Vec<AccessDecision>, Vec<oneshot::Sender<()>>) {
    let until = Instant::now() + Duration::from_millis(limits::AUDIT_GATHER_MS);
    let (mut rows, mut waiting) = (Vec::new(), Vec::new());
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            AuditMessage::Row(row) => rows.push(row),
            AuditMessage::Flush(done) => waiting.push(done),
        }
        let left = match waiting.is_empty() {
            true => until.saturating_duration_since(Instant::now()),
            false => Duration::ZERO,
        };
        let more = rows.len() + waiting.len() < limits::AUDIT_BATCH;
        next = if more { receiver.recv_timeout(left).ok() } else { None };
    }
    (rows, waiting)
}

/// The row that stands for those that were lost.
fn gap(at: Time, lost: u64) -> AccessDecision {
    AccessDecision {
        at,
        request: None,
        caller: "unknown".to_owned(),
        tenant: None,
        operation: format!("{lost} decisions"),
        allowed: false,
        reason: Some("not_recorded".to_owned()),
    }
}

fn put(connection: &mut Connection, rows: &[AccessDecision]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insert = transaction.prepare_cached(
            "INSERT INTO audit (at, request, caller, tenant, operation, allowed, reason)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        for row in rows {
            insert.execute(params![
                row.at.to_string(),
                row.request,
                row.caller,
                row.tenant.as_ref().map(TenantId::as_str),
                row.operation,
                row.allowed,
                row.reason,
            ])?;
        }
        note_uses(&transaction, rows)?;
        transaction
            .prepare_cached("DELETE FROM audit WHERE number <= (SELECT max(number) FROM audit) - ?1")?
            .execute([limits::AUDIT_ROWS])?;
    }
    transaction.commit()
}

/// When keys were last of use, from the same rows.
fn note_uses(connection: &Connection, rows: &[AccessDecision]) -> rusqlite::Result<()> {
    let allowed = rows.iter().filter(|row| row.allowed);
    let latest: BTreeMap<&str, Time> = allowed.map(|row| (row.caller.as_str(), row.at)).collect();
    let mut statement = connection.prepare_cached(
        "UPDATE api_key SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at <= ?3)",
    )?;
    for (caller, at) in latest.into_iter().filter(|(caller, _)| caller.starts_with("key_")) {
        let worth = at.plus_seconds(-limits::KEY_USE_SECONDS);
        statement.execute(params![caller, at.to_string(), worth.to_string()])?;
    }
    Ok(())
}

fn row(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    let decision = AccessDecision {
        at: parsed(row, 1)?,
        request: row.get(2)?,
        caller: row.get(3)?,
        tenant: maybe(row, 4)?,
        operation: row.get(5)?,
        allowed: row.get(6)?,
        reason: row.get(7)?,
    };
    Ok(AuditRow { number: row.get(0)?, decision })
}

impl Tenants {
    /// Records a decision, some moments later.
    pub fn audit(&self, decision: AccessDecision) {
        self.control().log.write(decision);
    }

    /// The newest decisions, about all tenants or about one; newest first. Those of this process are all among them.
    pub async fn decisions(&self, tenant: Option<&TenantId>, limit: usize) -> StoreResult<Vec<AuditRow>> {
        self.control().log.flush().await;
        let tenant = tenant.map(|tenant| tenant.as_str().to_owned());
        let limit = i64::try_from(limit).map_err(|_| StoreError::Failed("a limit that large".into()))?;
        self.control()
            .with(move |connection| {
                let sql = match tenant {
                    Some(_) => "SELECT * FROM audit WHERE tenant = ?1 ORDER BY number DESC LIMIT ?2",
                    None => "SELECT * FROM audit WHERE ?1 IS NULL ORDER BY number DESC LIMIT ?2",
                };
                connection.prepare_cached(sql)?.query_map(params![tenant, limit], row)?.collect()
            })
            .await
    }

    /// How many decisions about a tenant are kept, all of this process's among them.
    pub async fn count_decisions(&self, tenant: &TenantId) -> StoreResult<u64> {
        self.control().log.flush().await;
        let tenant = tenant.as_str().to_owned();
        let sql = "SELECT count(*) FROM audit WHERE tenant = ?1";
        let count = move |connection: &Connection| {
            connection.prepare_cached(sql)?.query_row([tenant], |row| row.get::<_, i64>(0))
        };
        Ok(self.control().with(count).await?.max(0) as u64)
    }
}
