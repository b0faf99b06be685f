//! The lines that `recollect ingest` takes: a conversation each, as JSON.
//!
//! They are read by what reads them there, and messages without an id get the one that they get there, so that a file which was
//! ingested before is found known.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use memory::limits::BODY_BYTES;
use memory::types::{Owner, SessionKey};
use serde_json::{Map, Value};

use super::elements::Glimpse;
use super::incoming::{Broken, Conversation, Incoming, Piece, Pieces, Said};
use crate::conversation;
use crate::fields::Fields;
use crate::ops::ingest::{Ingest, made_id};

/// Whether a document's beginning is such a line.
pub fn recognise(seen: &Glimpse) -> bool {
    seen.has("conversation_id") && (seen.has("turns") || seen.has("messages"))
}

pub fn read(path: &Path) -> Result<Pieces, Broken> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let unreadable = |error| Broken { place: name.clone(), message: format!("it cannot be read: {error}") };
    let lines = BufReader::new(File::open(path).map_err(unreadable)?);
    Ok(Box::new(Lines { name, lines, number: 0, ended: false }))
}

struct Lines<R> {
    name: String,
    lines: R,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The next line that says something, or why it cannot be taken.
    fn line(&mut self) -> std::io::Result<Option<Result<Vec<u8>, String>>> {
        loop {
            let mut line = Vec::new();
            let most = BODY_BYTES as u64 + 1;
            if self.lines.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if line.last() != Some(&b'\n') && line.len() as u64 == most {
                self.lines.skip_until(b'\n')?;
                return Ok(Some(Err(format!("the line is longer than {BODY_BYTES} bytes"))));
            }
            let start =
                if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
            if !start.trim_ascii().is_empty() {
                return Ok(Some(Ok(start.to_vec())));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Piece, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.line() {
            Ok(None) => {
                self.ended = true;
                None
            }
            Ok(Some(line)) => {
                let what =
                    line.and_then(|line| taken(&line)).map(|read| Incoming::Conversation(Box::new(read)));
                Some(Ok(Piece { place: format!("line {}", self.number), what }))
            }
            Err(error) => {
                self.ended = true;
                let place = format!("{}, line {}", self.name, self.number + 1);
                Some(Err(Broken { place, message: format!("it cannot be read on: {error}") }))
            }
        }
    }
}

fn taken(line: &[u8]) -> Result<Conversation, String> {
    let read: Value =
        serde_json::from_slice(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    let request = Fields::of(&read).and_then(|fields| conversation::request(&fields));
    let request: Ingest = request.map_err(|problem| problem.message)?;
    let key = SessionKey::new(&Owner::unnamed(), request.session.clone());
    let said = |(place, message): (usize, crate::ops::ingest::Message)| {
        let id = message.id.clone().unwrap_or_else(|| made_id(&key, place, &message));
        Said { id, role: message.role, speaker: message.name, text: message.content, at: message.at }
    };
    let turns: Vec<Said> = request.messages.into_iter().enumerate().map(said).collect();
    let turns: Vec<Said> = turns.into_iter().filter(|turn| !turn.text.trim().is_empty()).collect();
    Ok(Conversation {
        id: request.session.to_string(),
        title: None,
        started_at: turns.first().and_then(|turn| turn.at),
        agent: request.agent,
        user: request.user,
        tags: Vec::new(),
        metadata: Map::new(),
        turns,
        document: false,
    })
}
