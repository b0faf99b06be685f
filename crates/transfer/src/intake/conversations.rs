//! Conversations that were held elsewhere: each a session with its turns, or, where that is wished, a memory for each question with
//! its answer.
//!
//! What was said comes in as capture would take it: recalled spans out, secrets masked. Nothing else is lost: a text that is too long for
//! one turn goes on in the next. Turns are known again by the ids that their source has for them.

use memory::limits::{GIVEN_ID_BYTES, METADATA_BYTES, TURN_TEXT_BYTES};
use memory::ports::ReadStore;
use memory::text::tokens;
use memory::text::{harness, marks};
use memory::types::{Change, Kind, Layer, Role, Session, SessionId, SessionKey, Time, Turn, TurnId};
use serde_json::{Map, Value};

use super::{ImportRun, LearnedFrom};
use crate::error::Error;
use crate::import_model::{ImportedConversation, ImportedMemory, ImportedMessage};
use crate::lenient;
use crate::limits;

impl ImportRun<'_> {
    pub(super) async fn conversation(
        &mut self,
        place: String,
        mut talk: ImportedConversation,
    ) -> Result<(), Error> {
        // What came before in the file is in the store before what may refer to it.
        self.flush_items().await?;
        let owner = match self.whose.owner(talk.agent.as_ref(), talk.user.as_ref()) {
            Ok(owner) => owner,
            Err(message) => {
                self.report.trouble(place, message);
                return Ok(());
            }
        };
        let turns = std::mem::take(&mut talk.turns);
        let mut said = Vec::with_capacity(turns.len());
        for turn in turns {
            said.extend(self.clean(turn));
        }
        if said.is_empty() {
            self.report.count("session", false);
            return Ok(());
        }
        if self.options.as_memories && !talk.document {
            return self.pairs(place, talk, said).await;
        }
        let Ok(session) = lenient::id(&talk.id).parse::<SessionId>() else {
            self.report.trouble(place, "it has no id that a conversation could have here");
            return Ok(());
        };
        let key = SessionKey::new(&owner, session);
        let start = talk.started_at.or_else(|| said.iter().find_map(|said| said.at));
        let turns = self.turns(&key, said, start.unwrap_or(self.run.started_at));
        self.session(place, key, talk, turns).await
    }

    /// A message without what was recalled into it and without secrets; nothing where nothing is left.
    fn clean(&mut self, mut said: ImportedMessage) -> Option<ImportedMessage> {
        let (text, _) = match said.role {
            Role::User => marks::strip(&harness::strip(&said.text).0),
            _ => marks::strip(&said.text),
        };
        let masked = self.masker.mask(&text);
        self.report.secrets_masked += masked.counts.values().map(|count| *count as u64).sum::<u64>();
        said.text = masked.text;
        (!said.text.trim().is_empty()).then_some(said)
    }

    fn turns(&self, key: &SessionKey, said: Vec<ImportedMessage>, start: Time) -> Vec<Turn> {
        let mut turns = Vec::with_capacity(said.len());
        let mut at = start;
        for said in said {
            // What has no time was said when the one before was.
            at = said.at.unwrap_or(at);
            let id = lenient::id(&said.id);
            for (number, text) in split(&said.text, TURN_TEXT_BYTES).into_iter().enumerate() {
                let external_id = if number == 0 { id.clone() } else { format!("{id}#{}", number + 1) };
                turns.push(Turn {
                    id: TurnId::from_uuid(self.clock.uuid()),
                    external_id: Some(external_id),
                    session: key.clone(),
                    index: 0,
                    role: said.role,
                    speaker: said
                        .speaker
                        .as_deref()
                        .map(|name| lenient::cut(name, GIVEN_ID_BYTES).to_owned()),
                    tokens: u32::try_from(tokens::estimate(text)).unwrap_or(u32::MAX),
                    text: text.to_owned(),
                    at,
                    partial: false,
                });
            }
        }
        turns
    }

    async fn session(
        &mut self,
        place: String,
        key: SessionKey,
        talk: ImportedConversation,
        turns: Vec<Turn>,
    ) -> Result<(), Error> {
        let standing = self.tenant.session(&key).await?;
        let mut batch = self.batch();
        if standing.is_none() {
            batch = batch.insert(self.new_session(&key, talk, &turns));
        }
        let (mut new, mut known, mut bytes) = (0, 0, 0);
        for turn in turns {
            let waits = self.options.distil && matches!(turn.role, Role::User | Role::Assistant);
            bytes += turn.text.len();
            match batch.changes.last_mut() {
                Some(Change::AppendTurns { turns, pending }) if *pending == waits => turns.push(turn),
                _ => batch.changes.push(Change::AppendTurns { turns: vec![turn], pending: waits }),
            }
            if bytes >= limits::IMPORT_BYTES {
                let full = std::mem::replace(&mut batch, self.batch());
                let written = self.apply(full).await?;
                new += written.turns.len() as u64;
                known += written.known_turns;
                bytes = 0;
            }
        }
        if !batch.changes.is_empty() {
            let written = self.apply(batch).await?;
            new += written.turns.len() as u64;
            known += written.known_turns;
        }
        self.report.count("session", new > 0);
        for (count, is_new) in [(new, true), (known, false)] {
            let tallied = self.report.kinds.entry("turn".to_owned()).or_default();
            *(if is_new { &mut tallied.imported } else { &mut tallied.skipped }) += count;
        }
        if self.options.distil && !self.options.dry_run {
            self.distil(place, &key).await?;
        }
        Ok(())
    }

    /// The conversation as its source knew it. It is over, unless something is to be learned from it first.
    fn new_session(&self, key: &SessionKey, talk: ImportedConversation, turns: &[Turn]) -> Session {
        let first = turns.first().map_or(self.run.started_at, |turn| turn.at);
        let last = turns.iter().map(|turn| turn.at).max().unwrap_or(first);
        let started_at = talk.started_at.unwrap_or(first).min(first);
        let title = titled(talk.title.as_deref());
        let mut tags = talk.tags;
        tags.extend(title.clone().filter(|title| !tags.contains(title)));
        let mut metadata = talk.metadata;
        metadata.insert("source".to_owned(), self.format.as_str().into());
        if talk.document {
            metadata.insert("document".to_owned(), true.into());
        }
        if !tags.is_empty() {
            metadata.insert("tags".to_owned(), tags.into());
        }
        let mut session = Session::new(&key.owner(), key.session.clone(), started_at);
        session.title = title;
        session.last_turn_at = last;
        session.ended_at = (!self.options.distil).then_some(last);
        session.metadata = bounded(metadata);
        session
    }

    async fn distil(&mut self, place: String, key: &SessionKey) -> Result<(), Error> {
        if self.tenant.pending_of(key).await?.iter().all(|turn| turn.dead) {
            return Ok(());
        }
        match self.distiller.distil(self.tenant, key).await.map_err(Error::Distilling)? {
            LearnedFrom::Memories(count) => {
                self.report.kinds.entry("learned".to_owned()).or_default().imported += count;
            }
            LearnedFrom::Nothing(why) => {
                self.report.trouble(place, format!("it is here, and nothing was learned from it: {why}"));
            }
        }
        Ok(())
    }

    /// Each question with its answer becomes an episodic memory, under the conversation's title.
    async fn pairs(
        &mut self,
        place: String,
        talk: ImportedConversation,
        said: Vec<ImportedMessage>,
    ) -> Result<(), Error> {
        let title = titled(talk.title.as_deref());
        let mut tags: Vec<String> = title.into_iter().collect();
        tags.extend(talk.tags);
        let mut at = talk.started_at;
        for (number, (text, when)) in paired(&said).into_iter().enumerate() {
            at = when.or(at);
            let mut metadata = Map::new();
            metadata.insert("conversation".to_owned(), talk.id.as_str().into());
            metadata.insert("source".to_owned(), self.format.as_str().into());
            let note = ImportedMemory {
                content: text,
                layer: Some(Layer::Episodic),
                kind: Some(Kind::Event),
                tags: tags.clone(),
                metadata,
                agent: talk.agent.clone(),
                user: talk.user.clone(),
                created_at: at,
                ..ImportedMemory::default()
            };
            self.note(format!("{place}, pair {}", number + 1), note).await?;
        }
        Ok(())
    }
}

/// What the user said and what was answered, together, with when it was said. What a tool or the system says is left out.
fn paired(said: &[ImportedMessage]) -> Vec<(String, Option<Time>)> {
    let mut pairs: Vec<(String, Option<Time>)> = Vec::new();
    let mut open = false;
    let mut last = None;
    for said in said.iter().filter(|said| matches!(said.role, Role::User | Role::Assistant)) {
        let line =
            format!("{}: {}", if said.role == Role::User { "User" } else { "Assistant" }, said.text.trim());
        let goes_on = open && (said.role == Role::Assistant || last == Some(Role::User));
        match pairs.last_mut().filter(|_| goes_on) {
            Some((text, _)) => {
                text.push('\n');
                text.push_str(&line);
            }
            None => pairs.push((line, said.at)),
        }
        open = true;
        last = Some(said.role);
    }
    pairs
}

fn titled(title: Option<&str>) -> Option<String> {
    let title = title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))?;
    (!title.is_empty()).then(|| lenient::cut(&title, limits::TITLE_BYTES).to_owned())
}

/// A text in parts of so many bytes, cut between characters.
pub(super) fn split(text: &str, bytes: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > bytes {
        let (part, left) = rest.split_at(rest.floor_char_boundary(bytes));
        parts.push(part);
        rest = left;
    }
    parts.push(rest);
    parts
}

/// Metadata that fits: the largest values go first where it does not.
pub(super) fn bounded(mut metadata: Map<String, Value>) -> Map<String, Value> {
    let size = |metadata: &Map<String, Value>| serde_json::to_string(metadata).map_or(0, |text| text.len());
    while size(&metadata) > METADATA_BYTES {
        let largest =
            metadata.iter().max_by_key(|(_, value)| value.to_string().len()).map(|(name, _)| name.clone());
        match largest {
            Some(name) => metadata.remove(&name),
            None => break,
        };
    }
    metadata
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(role: Role, text: &str) -> ImportedMessage {
        ImportedMessage { id: text.to_owned(), role, speaker: None, text: text.to_owned(), at: None }
    }

    #[test]
    fn questions_stand_with_their_answers() {
        let talk = [
            said(Role::System, "be kind"),
            said(Role::User, "one"),
            said(Role::User, "and more"),
            said(Role::Tool, "looked up"),
            said(Role::Assistant, "yes"),
            said(Role::Assistant, "indeed"),
            said(Role::User, "two"),
        ];
        let pairs: Vec<String> = paired(&talk).into_iter().map(|(text, _)| text).collect();
        assert_eq!(pairs, ["User: one\nUser: and more\nAssistant: yes\nAssistant: indeed", "User: two"]);
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_loses_nothing() {
        let text = "aä🎉".repeat(10);
        let parts = split(&text, 8);
        assert!(parts.iter().all(|part| part.len() <= 8));
        assert_eq!(parts.concat(), text);
    }

    #[test]
    fn metadata_is_cut_to_what_fits() {
        let mut metadata = Map::new();
        metadata.insert("long".to_owned(), "x".repeat(METADATA_BYTES).into());
        metadata.insert("short".to_owned(), "y".into());
        assert_eq!(bounded(metadata).keys().collect::<Vec<_>>(), ["short"]);
    }
}
