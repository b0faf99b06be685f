//! Whether every document has its vector, of the right length and the right text, and nothing else has one.

use std::collections::HashMap;
use std::sync::Arc;

use memory::checkup::Finding;
use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::ports::{Embedder, ReadStore};
use memory::types::Corpus;
use rusqlite::params;

use super::{CheckupContext, TABLES, count, rows};
use crate::sqlite::apply::Applying;
use crate::sqlite::{Tenant, corpus_table, failed, read};

/// How close a vector must lie to the one that its text has now: rounding apart, they are the same.
const SAME: f32 = 0.99;

pub fn missing(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let Some((signature, _)) = &look.signature else { return Ok(Vec::new()) };
    let mut finding = Finding::new("vectors.missing", 0);
    for table in TABLES {
        finding.of += count(look.connection, &format!("{table}_doc"))?;
        let sql = format!(
            "SELECT r.id FROM {table} r JOIN {table}_doc d ON d.row = r.row
             WHERE NOT EXISTS (SELECT 1 FROM signature s JOIN {table}_vector v
                 ON v.place = r.row * 256 + s.id WHERE s.name = ?1)"
        );
        for id in rows(look.connection, &sql, [signature], |row| row.get::<_, String>(0))? {
            finding.add(id);
        }
    }
    Ok(finding.found().into_iter().collect())
}

/// Vectors whose document or whose model is not there.
fn stray_condition(table: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM {table}_doc d WHERE d.row = place >> 8)
         OR NOT EXISTS (SELECT 1 FROM signature s WHERE s.id = place & 255)"
    )
}

pub fn stray(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("vectors.stray", 0);
    for table in TABLES {
        finding.of += count(look.connection, &format!("{table}_vector"))?;
        let sql = format!("SELECT place >> 8 FROM {table}_vector WHERE {}", stray_condition(table));
        for row in rows(look.connection, &sql, [], |row| row.get::<_, i64>(0))? {
            finding.add(format!("{table} row {row}"));
        }
    }
    Ok(finding.found().into_iter().collect())
}

pub fn damaged(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("vectors.damaged", 0);
    for table in TABLES {
        finding.of += count(look.connection, &format!("{table}_vector"))?;
        for place in damaged_places(look.connection, table)? {
            finding.add(format!("{table} row {}", place >> 8));
        }
    }
    Ok(finding.found().into_iter().collect())
}

/// Places of vectors whose bytes are no numbers, or not as many as their model's name says.
fn damaged_places(connection: &rusqlite::Connection, table: &str) -> StoreResult<Vec<i64>> {
    let names = rows(connection, "SELECT id, name FROM signature", [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    })?;
    let dimensions = |(id, name): (i64, String)| Some((id, name.split(':').nth(2)?.parse::<usize>().ok()?));
    let dimensions: HashMap<i64, usize> = names.into_iter().filter_map(dimensions).collect();
    let mut statement =
        connection.prepare(&format!("SELECT place, bytes FROM {table}_vector")).map_err(failed)?;
    let mut all = statement.query([]).map_err(failed)?;
    let mut damaged = Vec::new();
    while let Some(row) = all.next().map_err(failed)? {
        let place: i64 = row.get(0).map_err(failed)?;
        let bytes = row.get_ref(1).map_err(failed)?.as_bytes().unwrap_or_default();
        let fits = match dimensions.get(&(place & 255)) {
            Some(dimensions) => bytes.len() == dimensions * 4,
            None => bytes.len() % 4 == 0,
        };
        let numbers =
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        if !fits || numbers.into_iter().any(|number| !number.is_finite()) {
            damaged.push(place);
        }
    }
    Ok(damaged)
}

/// Vectors that are not those of their texts.
pub struct WrongVectors {
    pub finding: Option<Finding>,
    /// Tables and rows.
    pub rows: Vec<(&'static str, i64)>,
}

impl Tenant {
    /// Embeds every text again and compares. Only for the built-in model: another's would cost a call for each.
    pub async fn wrong_vectors(&self, embedder: &Arc<dyn Embedder>) -> StoreResult<WrongVectors> {
        let mut wrong = WrongVectors { finding: None, rows: Vec::new() };
        if !embedder.signature().starts_with("static:") {
            return Ok(wrong);
        }
        let mut finding = Finding::new("vectors.wrong", 0);
        for corpus in Corpus::ALL {
            let mut after = 0;
            while let Some((last, texts)) = self.texts_after(*corpus, after).await? {
                after = last;
                let rows: Vec<i64> = texts.iter().map(|(row, _, _)| *row).collect();
                let stored = self.vectors_at(*corpus, embedder.signature(), &rows).await?;
                let stored: HashMap<i64, Arc<[f32]>> =
                    stored.into_iter().map(|one| (one.row, one.vector)).collect();
                let said: Vec<String> = texts.iter().map(|(_, _, text)| text.clone()).collect();
                let made =
                    embedder.embed(&said).await.map_err(|error| StoreError::Failed(error.to_string()))?;
                for ((row, id, _), made) in texts.into_iter().zip(made) {
                    let Some(stored) = stored.get(&row) else { continue };
                    finding.of += 1;
                    // One that is damaged is another check's.
                    if stored.len() == made.len()
                        && stored.iter().all(|n| n.is_finite())
                        && !same(stored, &made)
                    {
                        finding.add(id);
                        wrong.rows.push((corpus_table(*corpus), row));
                    }
                }
            }
        }
        wrong.finding = finding.found();
        Ok(wrong)
    }

    async fn texts_after(
        &self,
        corpus: Corpus,
        after: i64,
    ) -> StoreResult<Option<(i64, Vec<(i64, String, String)>)>> {
        let read = self.read(move |connection, _| {
            read::embeddable_after(connection, corpus, after, limits::EMBED_TEXTS)
        });
        // A record that cannot be read is found by another check, and hides those behind it from this one until it is mended.
        let texts = read.await.unwrap_or_default();
        Ok(texts.last().map(|(last, _, _)| *last).map(|last| (last, texts)))
    }
}

fn same(left: &[f32], right: &[f32]) -> bool {
    let dot = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    let (left_length, right_length) = (dot(left, left).sqrt(), dot(right, right).sqrt());
    match (left_length > 0.0, right_length > 0.0) {
        (true, true) => dot(left, right) / (left_length * right_length) >= SAME,
        (false, false) => true,
        _ => false,
    }
}

/// Takes away what is stray or damaged.
pub fn mend_vectors(applying: &mut Applying<'_>) -> StoreResult<()> {
    for table in TABLES {
        let sql = format!("SELECT place FROM {table}_vector WHERE {}", stray_condition(table));
        let mut places = rows(applying.connection, &sql, [], |row| row.get::<_, i64>(0))?;
        places.extend(damaged_places(applying.connection, table)?);
        for place in places {
            applying.execute(&format!("DELETE FROM {table}_vector WHERE place = ?1"), params![place])?;
            applying.log_row(table, "", Some(place >> 8))?;
        }
    }
    Ok(())
}

pub fn drop_vectors(applying: &mut Applying<'_>, table: &str, rows: &[i64]) -> StoreResult<()> {
    // The name goes into a statement, so only one of ours may.
    let Some(table) = TABLES.into_iter().find(|known| *known == table) else { return Ok(()) };
    for row in rows {
        applying.drop_vectors(table, *row)?;
        applying.log_row(table, "", Some(*row))?;
    }
    Ok(())
}
