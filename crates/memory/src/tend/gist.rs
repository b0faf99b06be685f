//! Long texts that are old and hardly used are shortened to what they begin with. What they said is archived first, with its
//! hash, in the same commit, and can be had back word for word ([`rehydrate`]).

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::Store;
use crate::strength;
use crate::text::{goes_on_behind_stop, tokens};
use crate::types::{Actor, Batch, Change, Memory, MemoryId, Time, content_hash};

/// What a shortened memory says of itself in its metadata.
pub const SHORTENED: &str = "gist";

const OLD_DAYS: f64 = 60.0;
const USES: u64 = 2;
const STRENGTH: f64 = 0.9;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    if !tender.tools.settings.gist_enabled {
        return Ok(StepSlice::skipped("switched off by gistEnabled"));
    }
    let mut page = tender.ours_after(cursor).await?;
    page.memories.retain(|(_, memory)| {
        let long = memory.content.chars().count() >= limits::GIST_FROM_CHARACTERS;
        long && look.now.days_since(memory.created_at) >= OLD_DAYS && !memory.metadata.contains_key(SHORTENED)
    });
    let counters = tender.counters_of(&page.memories).await?;
    let long = page.memories.into_iter().filter_map(|(_, memory)| {
        let counts = counters.get(&memory.id);
        let uses = counts.map_or(0, |counts| counts.use_count);
        let strength = strength::strength(&memory, counts, look.now);
        if uses >= USES || strength >= STRENGTH {
            return None;
        }
        let content = shortened(&memory.content)?;
        let reason = format!("{} characters, used {uses} times", memory.content.chars().count());
        let archive = Change::Archive { memory: memory.id.clone(), text: memory.content.clone() };
        let mut metadata = memory.metadata.clone();
        metadata.insert(SHORTENED.to_owned(), true.into());
        let content_hash = content_hash(&content);
        let short = Memory { content, content_hash, metadata, updated_at: look.now, ..memory };
        Some(Proposal::about(&[&short.id.clone()], reason).with(archive).replace(short))
    });
    Ok(StepSlice { proposed: long.collect(), next: page.next, skipped: None })
}

/// Its first sentences, as many as there is room for; of one that is too long by itself, its beginning.
fn shortened(text: &str) -> Option<String> {
    let text = text.trim();
    let room = tokens::cut_to_tokens(text, limits::GIST_TOKENS);
    if room.len() * 5 > text.len() * 4 {
        return None;
    }
    let ends = |at: usize, character: char| {
        let next = text[at + character.len_utf8()..].chars().next();
        let goes_on = || character == '.' && goes_on_behind_stop(&text[..at], &text[at + 1..]);
        matches!(character, '。' | '！' | '？' | '।' | '؟' | '۔')
            || matches!(character, '.' | '!' | '?' | '\n')
                && next.is_none_or(char::is_whitespace)
                && !goes_on()
    };
    let last = room.char_indices().rev().find(|(at, character)| ends(*at, *character));
    Some(match last {
        Some((at, character)) => text[..at + character.len_utf8()].trim().to_owned(),
        None => {
            let whole = room.rfind(char::is_whitespace).map_or(room, |at| &room[..at]);
            format!("{}…", whole.trim_end())
        }
    })
}

/// What a memory said before it was shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verbatim {
    pub text: String,
    pub archived_at: Time,
}

/// The archived text of a memory, if it is what its hash says; that somebody asked is written down either way.
pub async fn rehydrate(store: &dyn Store, memory: &MemoryId, now: Time) -> StoreResult<Option<Verbatim>> {
    let Some(archived) = store.archived_text(memory).await? else { return Ok(None) };
    let intact = content_hash(&archived.text) == archived.hash;
    let access = Change::LogAccess { memory: memory.clone(), intact };
    store.apply(Batch::new(Actor::Tool, now).with(access)).await?;
    Ok(intact.then_some(Verbatim { text: archived.text, archived_at: archived.archived_at }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sentences_are_left() {
        let sentence = "Ada keeps bees on the roof of the library and tells everybody about it. ";
        let short = shortened(&sentence.repeat(8)).expect("long");
        assert!(short.ends_with("about it.") && short.len() < sentence.len() * 4, "{short}");
        assert_eq!(shortened("short"), None);
        let endless = "bees ".repeat(200);
        let short = shortened(&endless).expect("long");
        assert!(short.ends_with("bees…") && short.len() < 300, "{short}");
        assert!(shortened(&"蜜蜂在图书馆的屋顶上。".repeat(40)).expect("long").ends_with('。'));
    }
}
