//! What stood before earlier messages stands there again, and what is new comes once.
//!
//! A provider keeps the beginning of a prompt and charges a fraction for it the next time, if it is the same to the byte.
//! So a block, once put before a message, is put there again with every request of that conversation, as it was. It is
//! known by the message's identity in its session. Whether a message gets one is decided once ([`InjectionDecisions`]): asked
//! again, or while tools are called for it, it keeps what it has, be that nothing. A block whose sources were forgotten
//! is gone for good; that costs the cache once, and is counted.
//!
//! What the replayed blocks say already is not said again, and what is told for messages stays under one budget: near its end blocks get shorter,
//! and are never absent for it. Who the user is and what always comes along stand outside of it. After a long rest no provider has kept the
//! beginning, so who the user is is told anew ([`Replayed::lacks_portrait`]).

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;

use super::placement::{self, Placed, Placement, PlacementManner};
use super::wire::{self, ChatBody, Splice};
use crate::chain::ChainHash;
use crate::continuity::Continuation;
use crate::limits;
use lru::LruCache;
use memory::recall::assemble::judged::PORTRAIT;
use memory::recall::assemble::{Line, full};
use memory::recall::context::{Context, PromptMemories};
use memory::recall::gate::Section;
use memory::settings::{InjectionPlacement, Settings};
use memory::text::marks;
use memory::text::tokens;
use memory::types::{Block, EpisodeId, MemoryId, Role, SessionKey, TenantId, Time, TurnId};

/// Tokens that a message may be told however little is left of the budget, as long as there is one.
const LEAST_TOKENS: u64 = 60;

/// Hexadecimal digits of a message's identity that name its block in the prompt.
const FENCE_ID_DIGITS: usize = 12;

/// A request whose conversation is recognised. The blocks that stood in it are read under [`Recognised::block_keys`] next,
/// and make it a [`Replayed`]; nothing can be put into the request before.
#[derive(Debug, Clone)]
pub struct Recognised {
    pub tenant: TenantId,
    pub chat: Arc<ChatBody>,
    pub continuation: Continuation,
    /// Whoever answers is told what work needs alone. Blocks are kept apart by that: what others were told is not put back here.
    pub work_only: bool,
}

impl Recognised {
    /// What the blocks of this request are stored under; to be read with `ReadStore::blocks`.
    pub fn block_keys(&self) -> Vec<String> {
        self.users().map(|message| self.block_key(message)).collect()
    }

    /// With what the store has under [`Recognised::block_keys`], and with the blocks that stand in the prompt without being
    /// part of the request.
    pub fn replayed(
        self,
        stored: Vec<Block>,
        elsewhere: Vec<Block>,
        decisions: &InjectionDecisions,
    ) -> Replayed {
        let mut stored: HashMap<String, Block> =
            stored.into_iter().map(|block| (block.hash.clone(), block)).collect();
        let (mut blocks, mut misses, mut gone) = (Vec::new(), 0, false);
        for message in self.users() {
            match stored.remove(&self.block_key(message)) {
                Some(block) if block.dropped => {
                    gone = true;
                    misses += usize::from(decisions.sees_gone(&self.tenant, &block.hash));
                }
                Some(block) if !block.text.is_empty() => blocks.push((message, block)),
                _ => {}
            }
        }
        Replayed { recognised: self, blocks, elsewhere, misses, gone }
    }

    /// With no look at what stood in the prompt: for requests into which nothing is put.
    pub fn unread(self) -> Replayed {
        Replayed { recognised: self, blocks: Vec::new(), elsewhere: Vec::new(), misses: 0, gone: false }
    }

    fn users(&self) -> impl Iterator<Item = usize> {
        let known = self.continuation.hashes.len().min(self.chat.messages.len());
        (0..known).filter(|message| self.chat.messages[*message].role == Role::User)
    }

    fn block_key(&self, message: usize) -> String {
        self.block_key_of(self.continuation.hashes[message])
    }

    /// What the block of a message of the session is stored under, whether or not the message is in the request.
    pub fn block_key_of(&self, message: ChainHash) -> String {
        let key = block_key(&self.continuation.key, message);
        if self.work_only { format!("{key}-work") } else { key }
    }

    /// The block's name in the prompt. Of the message alone: the same question with the same answer is the same bytes.
    fn fence_id(&self, message: usize) -> String {
        let mut id = self.continuation.hashes[message].to_string();
        id.truncate(FENCE_ID_DIGITS);
        id
    }
}

/// Which messages were decided on, and which blocks were seen to be gone, of late and for all tenants.
///
/// A decision is also known from the store, where the user's message is a turn already; this is for the time before, and
/// for two requests at once. Only hashes are kept.
#[derive(Debug)]
pub struct InjectionDecisions {
    /// Shared by all requests of the process; held for a look, never across a read.
    state: Mutex<DecisionsState>,
}

#[derive(Debug)]
struct DecisionsState {
    decided: LruCache<(TenantId, String), ()>,
    seen_gone: LruCache<(TenantId, String), ()>,
}

impl Default for InjectionDecisions {
    fn default() -> Self {
        let (decided, seen_gone) =
            (LruCache::new(limits::RECENT_DECISIONS), LruCache::new(limits::RECENT_DECISIONS));
        Self { state: Mutex::new(DecisionsState { decided, seen_gone }) }
    }
}

impl InjectionDecisions {
    /// Whether the caller is the one to decide. From here on it counts as decided, whatever comes of it: a context that
    /// failed or was late is a decision for nothing.
    fn begin(&self, tenant: &TenantId, block_key: &str) -> bool {
        first_time(&mut self.state.lock().decided, tenant, block_key)
    }

    fn sees_gone(&self, tenant: &TenantId, block_key: &str) -> bool {
        first_time(&mut self.state.lock().seen_gone, tenant, block_key)
    }
}

fn first_time(seen: &mut LruCache<(TenantId, String), ()>, tenant: &TenantId, key: &str) -> bool {
    seen.put((tenant.clone(), key.to_owned()), ()).is_none()
}

/// A recognised request with the blocks that stood in its conversation before.
#[derive(Debug, Clone)]
pub struct Replayed {
    recognised: Recognised,
    /// Each with the message that it is for, in their order.
    pub blocks: Vec<(usize, Block)>,
    /// What stands in the prompt without being part of the request: the upstream keeps the conversation.
    elsewhere: Vec<Block>,
    /// Blocks that are gone since the last request: the prompt is not what it was.
    misses: usize,
    /// Whether any block of the conversation is gone.
    gone: bool,
}

/// How the request goes out.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The client's bytes.
    pub body: &'a [u8],
    /// The upstream's name, where one is chosen: some take no system message.
    pub provider: Option<&'a str>,
    /// What the upstream calls the model.
    pub model: &'a str,
    /// Where that is not what the client wrote, the change.
    pub renamed: Option<&'a Splice>,
    pub settings: &'a Settings,
    /// Where memory goes with this upstream, where somebody said so.
    pub placement: Option<InjectionPlacement>,
    /// Where the upstream would not have memory of late.
    pub refused: &'a [Placement],
}

impl Replayed {
    pub fn chat(&self) -> &ChatBody {
        &self.recognised.chat
    }

    pub fn continuation(&self) -> &Continuation {
        &self.recognised.continuation
    }

    /// Whether who the user is stood in the prompt and does no longer.
    pub fn lacks_portrait(&self) -> bool {
        self.gone && !self.all().any(has_portrait)
    }

    /// What the blocks in the prompt tell.
    pub fn stands(&self) -> PromptMemories {
        stands(self.all())
    }

    /// Whether the user's latest message may get a new block and whoever asks is the first to decide on it. Only who is told
    /// yes looks for a context.
    pub fn decides(&self, decisions: &InjectionDecisions) -> bool {
        self.undecided().is_some_and(|key| decisions.begin(&self.recognised.tenant, &key))
    }

    /// The user's latest message, if it may get a new block and is not known to have been decided on.
    fn undecided(&self) -> Option<String> {
        let Recognised { chat, continuation, .. } = &self.recognised;
        let user = placement::open(chat).filter(|_| !continuation.user_message_known)?;
        (user < continuation.hashes.len()).then(|| self.recognised.block_key(user))
    }

    /// Puts the old blocks back and, where there is a context with something new in it, the new one before the user's latest
    /// message. Without either the body is the client's, to the byte, but for the model's name.
    pub fn inject(&self, target: &Target<'_>, context: Option<&Context>, now: Time) -> Injection {
        let wanted = match target.placement {
            Some(said) => PlacementManner::as_said(said, self.chat()),
            None => PlacementManner::of(target.settings, target.provider, target.model, self.chat()),
        };
        let Some(manner) = wanted.unless(target.refused) else { return self.withheld(target) };
        let (new, left_out) = match context {
            Some(context) => self.new_block(target.settings, context, now),
            None => (None, 0),
        };
        let mut placed: Vec<Placed<'_>> = self
            .blocks
            .iter()
            .map(|(message, block)| Placed { message: *message, text: &block.text })
            .collect();
        if let Some((message, block)) = &new {
            placed.push(Placed { message: *message, text: &block.text });
        }
        let mut splices = placement::splices(self.chat(), manner, &placed);
        splices.extend(target.renamed.cloned());
        let body = wire::apply(target.body, splices);
        let block = new.map(|(_, block)| block);
        let new_tokens = block.as_ref().map_or(0, |block| block.tokens);
        Injection {
            body,
            tokens: self.tokens() + new_tokens,
            new_tokens,
            memories: block.as_ref().map_or(0, |block| block.memories.len()),
            section: context.map(|context| context.gate.section),
            prefix_hits: self.blocks.len(),
            prefix_misses: self.misses,
            placement: Some(manner.placement),
            left_out,
            block,
        }
    }

    /// The request as the client sent it, but for the model's name: the upstream takes memory nowhere.
    fn withheld(&self, target: &Target<'_>) -> Injection {
        Injection {
            body: wire::apply(target.body, target.renamed.cloned().into_iter().collect()),
            block: None,
            tokens: 0,
            new_tokens: 0,
            memories: 0,
            section: None,
            prefix_hits: 0,
            prefix_misses: 0,
            placement: None,
            left_out: 0,
        }
    }

    /// What the context says that the replayed blocks do not, fenced, as far as the budget goes, and how many lines it leaves out; nothing where there is
    /// nothing to say.
    fn new_block(
        &self,
        settings: &Settings,
        context: &Context,
        now: Time,
    ) -> (Option<(usize, Block)>, usize) {
        let Recognised { chat, continuation, .. } = &self.recognised;
        let open = placement::open(chat).filter(|message| *message < continuation.hashes.len());
        let Some(message) = open else { return (None, 0) };
        let Beyond { content, lines, standing_tokens, left_out } = beyond(context, self.all(), settings);
        if lines.is_empty() {
            return (None, left_out);
        }
        let text = marks::fence(&content, &self.recognised.fence_id(message));
        let block = Block {
            hash: self.recognised.block_key(message),
            session: continuation.key.clone(),
            tokens: tokens::estimate(&text) as u64,
            text,
            memories: ids(&lines, |line| &line.memory_ids),
            standing: standing(&lines),
            standing_tokens,
            turns: ids(&lines, |line| &line.turn_ids),
            episodes: ids(&lines, |line| &line.episode_ids),
            at: now,
            dropped: false,
        };
        (Some((message, block)), left_out)
    }

    fn tokens(&self) -> u64 {
        self.all().map(|block| block.tokens).sum()
    }

    /// Every block in the prompt.
    fn all(&self) -> impl Iterator<Item = &Block> + Clone {
        self.blocks.iter().map(|(_, block)| block).chain(&self.elsewhere)
    }
}

/// A request with memory in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Injection {
    /// What goes upstream.
    pub body: Vec<u8>,
    /// What is new in it, to be stored with the user's message.
    pub block: Option<Block>,
    /// Tokens of all blocks in the prompt, and of the new one.
    pub tokens: u64,
    pub new_tokens: u64,
    /// Memories in the new block.
    pub memories: usize,
    /// What the gate chose; nothing where it was not asked.
    pub section: Option<Section>,
    /// Where the blocks are; nothing where the upstream takes none.
    pub placement: Option<Placement>,
    /// Lines for which the budget of the conversation has no room.
    pub left_out: usize,
    pub prefix_hits: usize,
    pub prefix_misses: usize,
}

/// Whether a block tells who the user is.
pub fn has_portrait(block: &Block) -> bool {
    let heading = format!("## {PORTRAIT}");
    block.text.lines().any(|line| line == heading)
}

/// Each id once.
fn ids<Id: Ord + Clone>(lines: &[&Line], of: impl Fn(&Line) -> &Vec<Id>) -> Vec<Id> {
    let ids: BTreeSet<&Id> = lines.iter().flat_map(|line| of(line)).collect();
    ids.into_iter().cloned().collect()
}

/// The memories that stand there whatever the message is, and are told for it by no other line.
fn standing(lines: &[&Line]) -> Vec<MemoryId> {
    let served: BTreeSet<&MemoryId> =
        lines.iter().filter(|line| !line.standing).flat_map(|line| &line.memory_ids).collect();
    let mut all = ids(lines, |line| &line.memory_ids);
    all.retain(|id| !served.contains(id));
    all
}

/// What a block of a session's message is stored under, where whoever answers is told everything.
pub fn block_key(session: &SessionKey, message: ChainHash) -> String {
    message.within(session).to_string()
}

/// What blocks tell.
pub fn stands<'a>(blocks: impl Iterator<Item = &'a Block>) -> PromptMemories {
    let mut stands = PromptMemories::default();
    for block in blocks {
        stands.add(&block.text, &block.memories, block.at);
    }
    stands
}

/// What a context says beyond the blocks of its conversation.
pub struct Beyond<'a> {
    /// Under its headings; empty where there is nothing to say.
    pub content: String,
    pub lines: Vec<&'a Line>,
    /// Tokens of the lines that count against no budget.
    pub standing_tokens: u64,
    /// Lines for which the budget of the conversation has no room.
    pub left_out: usize,
}

/// What of a context the blocks of its conversation do not say, as far as the conversation's budget goes. Of a full context what matches the message
/// has the first of what is left.
pub fn beyond<'a, 'b>(
    context: &'a Context,
    blocks: impl Iterator<Item = &'b Block> + Clone,
    settings: &Settings,
) -> Beyond<'a> {
    let budget = u64::try_from(settings.session_budget_tokens).unwrap_or(0);
    let spent: u64 = blocks.clone().map(|block| block.tokens.saturating_sub(block.standing_tokens)).sum();
    let mut left = budget.saturating_sub(spent).max(LEAST_TOKENS.min(budget));
    let told = PromptContents::of(blocks);
    let placed = placed(context);
    let matches =
        |line: &PlacedLine<'_>| full::RELEVANT.iter().any(|heading| line.heading == format!("## {heading}"));
    let mut kept = vec![false; placed.len()];
    let (mut standing_tokens, mut left_out) = (0, 0);
    for first in [true, false] {
        for (place, line) in placed.iter().enumerate().filter(|(_, line)| matches(line) == first) {
            if told.covers(line.line) {
                continue;
            }
            let cost = tokens::estimate(&line.line.text) as u64;
            kept[place] = line.line.standing || cost <= left;
            match (line.line.standing, kept[place]) {
                (true, _) => standing_tokens += cost,
                (false, true) => left -= cost,
                (false, false) => left_out += 1,
            }
        }
    }
    let kept = placed.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(line, _)| line);
    let (mut content, mut lines, mut under) = (String::new(), Vec::new(), "");
    for PlacedLine { heading, line } in kept {
        if heading != under {
            content.push_str(if content.is_empty() { "" } else { "\n\n" });
            content.push_str(heading);
            under = heading;
        }
        content.push_str(if content.is_empty() { "" } else { "\n" });
        content.push_str(&line.text);
        lines.push(line);
    }
    Beyond { content, lines, standing_tokens, left_out }
}

/// What the prompt says already.
struct PromptContents<'a> {
    lines: BTreeSet<&'a str>,
    turns: BTreeSet<&'a TurnId>,
    episodes: BTreeSet<&'a EpisodeId>,
}

impl<'a> PromptContents<'a> {
    fn of(blocks: impl Iterator<Item = &'a Block> + Clone) -> Self {
        Self {
            lines: blocks.clone().flat_map(|block| block.text.lines()).collect(),
            turns: blocks.clone().flat_map(|block| &block.turns).collect(),
            episodes: blocks.flat_map(|block| &block.episodes).collect(),
        }
    }

    /// A line that stands there, or a turn or an episode that does, whichever part of it is shown. A memory is known by its
    /// words: one whose words have changed since is news.
    fn covers(&self, line: &Line) -> bool {
        let stands = self.lines.contains(marks::escape(&line.text).as_str());
        let has_sources = !line.turn_ids.is_empty() || !line.episode_ids.is_empty();
        let by_sources = line.memory_ids.is_empty()
            && has_sources
            && line.turn_ids.iter().all(|id| self.turns.contains(id))
            && line.episode_ids.iter().all(|id| self.episodes.contains(id));
        stands || by_sources
    }
}

/// A line with the heading that it stands under.
struct PlacedLine<'a> {
    heading: &'a str,
    line: &'a Line,
}

/// The lines of a context's block with their headings, as far as they are found in it.
fn placed(context: &Context) -> Vec<PlacedLine<'_>> {
    let (mut placed, mut heading, mut rest) = (Vec::new(), "", context.block.as_str());
    for line in &context.lines {
        let Some(at) = rest.find(&line.text) else { break };
        let lead = rest[..at].trim_matches('\n');
        heading = if lead.is_empty() { heading } else { lead };
        rest = &rest[at + line.text.len()..];
        placed.push(PlacedLine { heading, line });
    }
    placed
}

#[cfg(test)]
pub(crate) mod tests;
