//! The floor of appends: the same rows into the same tables by the same statements, and nothing else.
//!
//! One connection, one thread, no queue, no acknowledgement, no caller to wait for. Sentences are made and split into
//! words before the clock runs, so this is SQLite's own time. The statements are those of the store's `turns.rs` and
//! `index.rs`; [`StoreFloor::check_same_tables`] fails when the store has come to write other tables.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use memory::text::Analyser;
use memory::types::{Session, Turn};
use rusqlite::{Connection, params};
use testkit::{ManualClock, build};

use crate::text::Sentences;

pub struct StoreFloor {
    connection: Connection,
    analyser: Analyser,
    sentences: Sentences,
    session_row: i64,
    next_index: i64,
    number: i64,
}

/// A turn, ready to be written.
struct PreparedTurn {
    turn: Turn,
    at: String,
    surface: String,
    stems: String,
    length: i64,
}

impl StoreFloor {
    /// Opens a database that the store has made and left, with the store's own settings of it.
    pub fn open(database: &Path) -> anyhow::Result<Self> {
        let connection = Connection::open(database)?;
        connection.set_prepared_statement_cache_capacity(128);
        connection.execute_batch(
            "PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096; PRAGMA journal_size_limit = 67108864;",
        )?;
        let clock = ManualClock::seeded(u16::MAX);
        let key = build::session_key("session 0");
        let session = Session::new(&key.owner(), key.session.clone(), memory::ports::Clock::now(&clock));
        connection.execute(
            "INSERT INTO session (body) VALUES (?1)",
            [memory::types::Record::from(session).body()],
        )?;
        let session_row = connection.last_insert_rowid();
        let (analyser, sentences) = (Analyser::default(), Sentences::seeded(0));
        Ok(Self { connection, analyser, sentences, session_row, next_index: 0, number: 1 })
    }

    /// Appends for some time, so many in each transaction. Gives how many, and the time that was spent in SQLite.
    pub fn append_for(
        &mut self,
        time: Duration,
        batch: usize,
        clock: &ManualClock,
    ) -> anyhow::Result<(u64, Duration)> {
        let (mut spent, mut appended) = (Duration::ZERO, 0);
        let start = Instant::now();
        while start.elapsed() < time {
            let ready: Vec<PreparedTurn> = (0..batch).map(|_| self.prepare(clock)).collect();
            let written = Instant::now();
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            for turn in &ready {
                self.append(turn)?;
            }
            self.connection.execute_batch("COMMIT")?;
            spent += written.elapsed();
            appended += batch as u64;
        }
        Ok((appended, spent))
    }

    fn prepare(&mut self, clock: &ManualClock) -> PreparedTurn {
        clock.tick();
        let turn = build::turn(clock, "session 0", &self.sentences.turn());
        let analysed = self.analyser.analyse(&turn.text);
        PreparedTurn {
            at: turn.at.to_string(),
            surface: analysed.surface.join(" "),
            length: analysed.stems.len() as i64,
            stems: analysed.stems.join(" "),
            turn,
        }
    }

    fn append(&mut self, ready: &PreparedTurn) -> rusqlite::Result<()> {
        let PreparedTurn { turn, at, surface, stems, length } = ready;
        let execute = |sql: &str, parameters: &[&dyn rusqlite::ToSql]| {
            self.connection.prepare_cached(sql)?.execute(parameters).map(drop)
        };
        self.connection
            .prepare_cached(
                "INSERT INTO turn (id, session_row, idx, external_id, role, speaker, text, tokens, at, partial)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                turn.id.as_str(),
                self.session_row,
                self.next_index,
                turn.external_id,
                turn.role.as_str(),
                turn.speaker,
                turn.text,
                turn.tokens,
                at,
                turn.partial
            ])?;
        let row = self.connection.last_insert_rowid();
        let document = "INSERT INTO turn_doc (row, surface, stems, length) VALUES (?1, ?2, ?3, ?4)";
        execute(document, params![row, surface, stems, length])?;
        execute(
            "INSERT INTO turn_fts (rowid, surface, stems) VALUES (?1, ?2, ?3)",
            params![row, surface, stems],
        )?;
        let count = "UPDATE corpus SET documents = documents + 1, total_length = total_length + ?1 WHERE name = 'turn'";
        execute(count, params![length])?;
        let log = "INSERT INTO change_log (number, ordinal, kind, id, row) VALUES (?1, 0, 'turn', ?2, ?3)";
        execute(log, params![self.number, turn.id.as_str(), row])?;
        let place = "UPDATE session SET next_index = ?2, last_turn_at = ?3 WHERE row = ?1";
        execute(place, params![self.session_row, self.next_index + 1, at])?;
        self.next_index += 1;
        self.number += 1;
        Ok(())
    }

    /// Fails if the store writes other tables for a turn than this file does.
    pub fn check_same_tables(floor: &Path, store: &Path) -> anyhow::Result<()> {
        let (floor, store) = (rows_per_turn(floor)?, rows_per_turn(store)?);
        if floor != store {
            bail!(
                "the floor writes {floor:?} rows for each turn and the store {store:?}: bring floor.rs up to date"
            );
        }
        Ok(())
    }
}

/// Rows of each ordinary table for each turn, rounded: what sessions and settings add does not show.
fn rows_per_turn(database: &Path) -> anyhow::Result<BTreeMap<String, i64>> {
    let connection = Connection::open(database)?;
    let count = |table: &str| -> rusqlite::Result<i64> {
        connection.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0))
    };
    let turns = count("turn")?.max(1);
    let mut statement =
        connection.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut rows = BTreeMap::new();
    for name in names {
        let per_turn = (count(&name)? as f64 / turns as f64).round() as i64;
        if per_turn > 0 {
            rows.insert(name, per_turn);
        }
    }
    Ok(rows)
}
