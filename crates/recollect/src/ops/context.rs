//! What a message would get to know: the gate's word on it, and the block that a prompt would receive.
//!
//! Agent, user and session are who looks, not filters. What is told for a message counts as used where the request says that one is served;
//! what stands there whatever the message is (who the user is, rules, overrides) is no use, and neither is a look.
//!
//! In a conversation that went through the proxy it is what the proxy would put before its next message: what stands in the prompt already is not said
//! again, and what is told for messages stays under the conversation's budget.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use chat::chain::ChainHash;
use chat::replay::{self, Beyond, has_portrait};
use memory::ports::{ChatModel, ReadStore};
use memory::recall::assemble::Line;
use memory::recall::context::{Aids, ContextRequest, Disclosure};
use memory::recall::gate::GateDecision;
use memory::text::{harness, tokens};
use memory::types::{
    AgentId, Block, EpisodeId, MemoryId, Owner, ProjectId, Role, SessionId, SessionKey, Time, TurnId, UserId,
    Viewer,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::ingest::given_id;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContextOperation {
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// What the user works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// What was true then, as far as is known today.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Time>,
    /// With the reason of each line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
    /// Whether a message is served, so that what is told for it counts as used. A person who looks uses nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counts_use: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Contextual {
    #[schema(value_type = crate::schema::Gate)]
    pub gate: GateDecision,
    /// Empty where there is nothing to say.
    pub block: String,
    pub tokens: usize,
    pub lines: Vec<ContextLine>,
}

/// One line of the block and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ContextLine {
    pub text: String,
    #[schema(value_type = Vec<String>)]
    pub memory_ids: Vec<MemoryId>,
    /// By the ids that their client gave them.
    pub turn_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub episode_ids: Vec<EpisodeId>,
    /// Why it is told, where that was asked for and is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How sure that is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
}

pub(super) async fn context(visit: &OpContext<'_>, request: ContextOperation) -> Result<Contextual, Problem> {
    if request.message.trim().is_empty() {
        return Err(Problem::field("message", "the message is empty; expected what somebody says"));
    }
    let is_named = request.user.is_some() || visit.caller.is_one_person();
    let owner = Owner {
        agent: request.agent.unwrap_or_else(AgentId::unnamed),
        user: request.user.unwrap_or_else(UserId::unnamed),
    };
    let stood = PromptBefore::of(visit, &owner, request.session.as_ref(), request.as_of.is_some()).await?;
    let agent_only = visit.caller.bounds().is_agent_only();
    let viewer = Viewer { owner, session: request.session, project: request.project, agent_only };
    let (message, _) = harness::strip(&request.message);
    let moment = request.as_of.unwrap_or(visit.now);
    let asked = ContextRequest::new(visit.tenant.id().clone(), message, viewer, moment);
    let recaller = visit.recaller().await?;
    let introduces = is_named || recaller.tools.settings.shared_memory;
    let asked = ContextRequest {
        first_turn: stood.is_new,
        introduces_anew: stood.gone && !stood.blocks.iter().any(has_portrait),
        in_view_from: (!stood.keys.is_empty()).then_some(0),
        stands: Arc::new(replay::stands(stood.blocks.iter())),
        as_of: request.as_of.is_some(),
        disclosure: Disclosure { introduces, ..Disclosure::default() },
        ..asked
    };
    let model = visit.house.gate_model(&visit.tenant, &recaller.tools.settings);
    let aids = Aids {
        learned: visit.house.gate.as_deref(),
        cache: Some(&visit.house.contexts),
        model: model.as_ref().map(|model| model as &dyn ChatModel),
    };
    let context = recaller.context(&asked, aids).await?;
    let Beyond { content: block, lines, .. } =
        replay::beyond(&context, stood.blocks.iter(), &recaller.tools.settings);
    if request.counts_use {
        let told = lines.iter().filter(|line| !line.standing).flat_map(|line| &line.memory_ids);
        let told: BTreeSet<MemoryId> = told.cloned().collect();
        visit.house.count_uses(visit.caller, told.into_iter().collect());
    }
    let lines = name_turns(visit, &lines, request.explain).await?;
    Ok(Contextual { gate: context.gate.clone(), tokens: tokens::estimate(&block), block, lines })
}

/// What stands in the prompt of a conversation before its next message.
struct PromptBefore {
    /// A session that has no turn yet is at its beginning, and so is a message that belongs to none.
    is_new: bool,
    /// What the blocks of its messages are stored under, where the proxy knows them.
    keys: Vec<String>,
    blocks: Vec<Block>,
    /// Whether any block is gone: something of it was forgotten, or the conversation has rested for long.
    gone: bool,
}

impl PromptBefore {
    async fn of(
        visit: &OpContext<'_>,
        owner: &Owner,
        session: Option<&SessionId>,
        as_of: bool,
    ) -> Result<PromptBefore, Problem> {
        let nothing = |is_new| PromptBefore { is_new, keys: Vec::new(), blocks: Vec::new(), gone: false };
        let Some(session) = session else { return Ok(nothing(true)) };
        let key = SessionKey::new(owner, session.clone());
        let Some(known) = visit.tenant.session(&key).await? else { return Ok(nothing(true)) };
        if as_of {
            return Ok(nothing(false));
        }
        let turns = visit.tenant.session_turns(&key, 0, memory::limits::PAGE_ROWS).await?;
        let users = turns.iter().filter(|turn| turn.role == Role::User);
        let messages = users.filter_map(|turn| turn.external_id.as_ref()?.parse::<ChainHash>().ok());
        let keys: Vec<String> = messages.map(|message| replay::block_key(&key, message)).collect();
        let mut blocks = if keys.is_empty() { Vec::new() } else { visit.tenant.blocks(&keys).await? };
        let rested = known.last_turn_at.plus_seconds(limits::PORTRAIT_REST_SECONDS) <= visit.now;
        let goes = |block: &Block| block.dropped || rested && has_portrait(block);
        let gone = blocks.iter().any(goes);
        blocks.retain(|block| !goes(block) && !block.text.is_empty());
        // In the order of their messages.
        blocks.sort_by_key(|block| keys.iter().position(|key| *key == block.hash));
        Ok(PromptBefore { is_new: false, keys, blocks, gone })
    }
}

async fn name_turns(
    visit: &OpContext<'_>,
    lines: &[&Line],
    explain: bool,
) -> Result<Vec<ContextLine>, Problem> {
    let ids: Vec<TurnId> = lines.iter().flat_map(|line| line.turn_ids.clone()).collect();
    let turns = if ids.is_empty() { Vec::new() } else { visit.tenant.turns(&ids).await? };
    let names: HashMap<&TurnId, String> = turns.iter().map(|turn| (&turn.id, given_id(turn))).collect();
    let name = |line: &Line| {
        let why = line.why.as_ref().filter(|_| explain);
        ContextLine {
            text: line.text.clone(),
            memory_ids: line.memory_ids.clone(),
            turn_ids: line.turn_ids.iter().filter_map(|id| names.get(id).cloned()).collect(),
            episode_ids: line.episode_ids.clone(),
            reason: why.map(|why| why.reason.clone()),
            probability: why.map(|why| why.probability),
        }
    };
    Ok(lines.iter().copied().map(name).collect())
}
