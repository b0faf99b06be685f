//! What a view answers: each question of the port, by the file of its subject.
//!
//! Every read is a function of a connection and a question. `rows` holds what they share; a view runs them in its snapshot.

mod conversations;
mod counts;
mod items;
mod log;
mod nominations;
mod records;
mod rows;
mod vectors;
mod waiting;

use std::sync::Arc;

use async_trait::async_trait;
use memory::error::StoreResult;
use memory::ports::{
    ItemQuestion, KnownBy, KnownTurn, LogEntry, Nominated, Nomination, Records, References, Snapshot,
    Tallied, Totals, TurnPlace, Turns, Unindexed, UnindexedRow, View, Views, WaitingSession,
};
use memory::types::{
    Extent, Filter, HistoryEvent, Item, Job, Page, PageRequest, PastChange, Record, RecordKind, RecordRef,
    Role, Turn, UserId,
};

pub(super) use conversations::{TURN_COLUMNS, turn};
pub(super) use rows::{all, bodies, given, id_list, session_key};
pub use vectors::embeddable_after;

use super::view::TenantView;
use super::{Tenant, history, jobs, lookup, purge, scan, search, snapshot, transcript};

#[async_trait]
impl Views for Tenant {
    fn open_view(&self) -> Arc<dyn View> {
        Arc::new(TenantView::new(self))
    }

    async fn snapshot(&self, extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
        snapshot::take(self, extent).await
    }
}

#[async_trait]
impl View for TenantView {
    async fn number(&self) -> StoreResult<u64> {
        self.read(|connection, _| history::head(connection)).await
    }

    async fn log_after(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>> {
        self.read(move |connection, _| log::changes_since(connection, number, limit)).await
    }

    async fn nominations(&self, asked: Vec<Nomination>) -> StoreResult<Vec<Nominated>> {
        self.read(move |connection, inner| {
            asked.iter().map(|asked| nominations::nominated(connection, inner, asked)).collect()
        })
        .await
    }

    async fn records(&self, which: Records) -> StoreResult<Vec<(i64, Record)>> {
        self.read(move |connection, _| records::records(connection, &which)).await
    }

    async fn record_page(
        &self,
        kind: RecordKind,
        filter: Filter,
        page: PageRequest,
    ) -> StoreResult<Page<Record>> {
        self.read(move |connection, _| records::page_of(connection, kind, &filter, page)).await
    }

    async fn turn_rows(&self, which: Turns) -> StoreResult<Vec<(i64, Turn)>> {
        self.read(move |connection, _| conversations::turns(connection, &which)).await
    }

    async fn turn_page(
        &self,
        filter: Filter,
        role: Option<Role>,
        page: PageRequest,
    ) -> StoreResult<Page<Turn>> {
        self.read(move |connection, _| transcript::page(connection, &filter, role, page)).await
    }

    async fn turns_around(&self, rows: Vec<i64>, radius: u64) -> StoreResult<Vec<TurnPlace>> {
        let rows = search::json_list(&rows);
        self.read(move |connection, _| conversations::neighbours(connection, &rows, radius)).await
    }

    async fn turns_known(&self, by: KnownBy) -> StoreResult<Vec<KnownTurn>> {
        self.read(move |connection, _| lookup::turns(connection, &by)).await
    }

    async fn items(&self, which: ItemQuestion) -> StoreResult<Vec<Item>> {
        self.read(move |connection, inner| items::items(connection, inner, &which)).await
    }

    async fn history_of(&self, of: RecordRef) -> StoreResult<Vec<HistoryEvent>> {
        self.read(move |connection, _| history::of_record(connection, &of)).await
    }

    async fn history_after(&self, after: (u64, u32), limit: usize) -> StoreResult<Vec<PastChange>> {
        self.read(move |connection, _| purge::past_after(connection, after, limit)).await
    }

    async fn references(&self, which: References) -> StoreResult<Vec<RecordRef>> {
        self.read(move |connection, _| scan::references(connection, &which)).await
    }

    async fn user_ids_after(&self, after: Option<UserId>, limit: usize) -> StoreResult<Vec<UserId>> {
        self.read(move |connection, _| scan::users_after(connection, after.as_ref(), limit)).await
    }

    async fn sessions_waiting(&self, limit: usize) -> StoreResult<Vec<WaitingSession>> {
        self.read(move |connection, _| waiting::waiting_sessions(connection, limit)).await
    }

    async fn job_named(&self, name: String) -> StoreResult<Option<Job>> {
        self.read(move |connection, _| jobs::read(connection, &name)).await
    }

    async fn totals(&self, of: Tallied) -> StoreResult<Totals> {
        self.read(move |connection, _| counts::totals(connection, &of)).await
    }

    async fn unindexed(&self, what: Unindexed) -> StoreResult<Vec<UnindexedRow>> {
        self.read(move |connection, _| vectors::unindexed(connection, &what)).await
    }
}
