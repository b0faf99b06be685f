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
use memory::recall::assemble::Line;
use memory::recall::assemble::judged::PORTRAIT;
use memory::recall::context::Context;
use memory::recall::gate::Section;
use memory::settings::{InjectionPlacement, Settings};
use memory::text::marks;
use memory::text::tokens;
use memory::types::{Block, EpisodeId, MemoryId, Role, TenantId, Time, TurnId};

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
        let key = message.within(&self.continuation.key).to_string();
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
        let told = PromptContents::of(self);
        let budget = u64::try_from(settings.session_budget_tokens).unwrap_or(0);
        let spent: u64 = self.all().map(|block| block.tokens.saturating_sub(block.standing_tokens)).sum();
        let mut left = budget.saturating_sub(spent).max(LEAST_TOKENS.min(budget));
        let (mut left_out, mut standing_tokens) = (0, 0);
        let kept = remaining(context, |line| {
            if told.covers(line) {
                return false;
            }
            let cost = tokens::estimate(&line.text) as u64;
            if line.standing {
                standing_tokens += cost;
                return true;
            }
            let fits = cost <= left;
            left -= if fits { cost } else { 0 };
            left_out += usize::from(!fits);
            fits
        });
        let Some((content, lines)) = kept else { return (None, left_out) };
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
    fn all(&self) -> impl Iterator<Item = &Block> {
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

/// What the prompt says already.
struct PromptContents<'a> {
    lines: BTreeSet<&'a str>,
    turns: BTreeSet<&'a TurnId>,
    episodes: BTreeSet<&'a EpisodeId>,
}

impl<'a> PromptContents<'a> {
    fn of(replay: &'a Replayed) -> Self {
        Self {
            lines: replay.all().flat_map(|block| block.text.lines()).collect(),
            turns: replay.all().flat_map(|block| &block.turns).collect(),
            episodes: replay.all().flat_map(|block| &block.episodes).collect(),
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

/// The context's block with only those lines, under their headings; nothing where none is left.
fn remaining(context: &Context, mut keep: impl FnMut(&Line) -> bool) -> Option<(String, Vec<&Line>)> {
    let mut content = String::new();
    let mut kept = Vec::new();
    let mut heading = None;
    let mut rest = context.block.as_str();
    for line in &context.lines {
        let at = rest.find(&line.text)?;
        let lead = rest[..at].trim_matches('\n');
        heading = (!lead.is_empty()).then_some(lead).or(heading);
        rest = &rest[at + line.text.len()..];
        if !keep(line) {
            continue;
        }
        if let Some(heading) = heading.take() {
            content.push_str(if content.is_empty() { "" } else { "\n\n" });
            content.push_str(heading);
        }
        content.push_str(if content.is_empty() { "" } else { "\n" });
        content.push_str(&line.text);
        kept.push(line);
    }
    (!kept.is_empty()).then_some((content, kept))
}

#[cfg(test)]
pub(crate) mod tests;
