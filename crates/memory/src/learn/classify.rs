//! What memories are about that came by another door than a conversation: written over the wire, by a tool, by an import, or by an earlier version.
//!
//! What is learned from conversations has its category and its mark of privacy from the judge of speech as it is made. The rest gets both from the
//! same judge afterwards, some rows at a time ([`slice`]), behind everybody's back. Where somebody gave a category, nothing is asked;
//! nothing of what a person wrote changes, and a memory is judged once.

use std::sync::Arc;

use super::told::is_sensitive;
use super::{crisis, heuristic};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{SentenceReading, SpeechJudge, SpeechSort};
use crate::toolkit::Toolkit;
use crate::types::{Actor, Batch, Change, Memory};

/// Sentences of one memory that are read: what is longer is a document, whose beginning says what it is about.
const SENTENCES: usize = 12;

/// What a memory is about, and whether that is told only where a message calls for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matter {
    pub category: &'static str,
    pub sensitive: bool,
}

/// What became of some rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    pub memories: usize,
    /// The row after which the walk goes on.
    pub last: i64,
    /// Whether there is more behind it now.
    pub more: bool,
}

/// Gives the next active memories behind a row their category, where nobody gave them one.
pub async fn slice(tools: &Toolkit, after: i64) -> StoreResult<Classified> {
    let Some(judge) = tools.judge.clone() else {
        return Ok(Classified { memories: 0, last: after, more: false });
    };
    let rows = tools.store.memories_after(after, limits::CLASSIFIED_ROWS).await?;
    let last = rows.last().map_or(after, |(row, _)| *row);
    let more = rows.len() == limits::CLASSIFIED_ROWS;
    let mut batch = Batch::new(Actor::Heuristic, tools.clock.now());
    for (_, memory) in rows.iter().filter(|(_, memory)| memory.category.is_none()) {
        batch.changes.extend(change(&judge, memory));
    }
    let memories = batch.changes.len();
    if memories > 0 {
        tools.store.apply(batch).await?;
    }
    Ok(Classified { memories, last, more })
}

fn change(judge: &Arc<dyn SpeechJudge>, memory: &Memory) -> Option<Change> {
    let Matter { category, sensitive } = matter_of(&**judge, &memory.content)?;
    Some(Change::Classify {
        memory: memory.id.clone(),
        content_hash: memory.content_hash.clone(),
        category: category.to_owned(),
        sensitive,
    })
}

/// What a text is about: what its most lasting sentence is about. It is private where any of its sentences is.
pub fn matter_of(judge: &dyn SpeechJudge, content: &str) -> Option<Matter> {
    let mut sentences = heuristic::sentences_of(content, 0..content.len());
    sentences.truncate(SENTENCES);
    let texts: Vec<&str> = sentences.into_iter().map(|range| &content[range]).collect();
    if texts.is_empty() {
        return None;
    }
    let readings = judge.read(&texts, None);
    let lasting = |reading: &&SentenceReading| reading.chance(SpeechSort::Lasting);
    let telling = readings.iter().max_by(|a, b| lasting(a).total_cmp(&lasting(b)))?;
    let in_crisis = |(text, reading): (&&str, &SentenceReading)| {
        crisis::is_crisis(text, reading.chance(SpeechSort::Crisis))
    };
    let sensitive = readings.iter().any(is_sensitive) || texts.iter().zip(&readings).any(in_crisis);
    Some(Matter { category: telling.subject, sensitive })
}
