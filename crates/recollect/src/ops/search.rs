//! Find what is remembered about something: memories, episodes and what was said, by words and by meaning.
//!
//! The work is the core's ([`memory::recall`]). Here the request is checked and completed from the settings, and each
//! result is told where it comes from: the conversation, and the turns by the ids that their client gave them.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use memory::limits::{QUERY_BYTES, SEARCH_RESULTS};
use memory::ports::{ReadStore, RequestView};
use memory::recall::{self, Fusion, HitSource, Path, SearchRequest, Strategy};
use memory::types::{
    AgentId, Corpus, Filter, Kind, Layer, Memory, Node, Owner, Role, Scope, SessionId, Time, Turn, TurnId,
    UnknownWord, UserId, Validity,
};
use serde::{Deserialize, Serialize};

use super::explain::Scores;
use super::ingest::given_id;
use super::select::Selection;
use super::{OpContext, explain};
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    pub query: String,
    pub place: SearchPlace,
    /// How many results at most; the setting `recallTopK` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<usize>,
    /// The setting `searchStrategy` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The setting `fusion` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<Fusion>,
    pub filter: Selection,
    /// Say what each score is made of.
    pub explain: bool,
    /// Give found memories whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_records: bool,
    /// Only what is the named user's own, without what is everybody's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_own: bool,
    /// Whether a message is served, so that found memories count as used. A person who looks uses nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counts_use: bool,
}

/// Where to look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchPlace {
    Pinned,
    Episodes,
    Transcript,
    /// The relations around what the query names. Not part of `all`: a relation is told by the memory it came from.
    Graph,
    #[default]
    All,
}

impl SearchPlace {
    fn corpora(self) -> Vec<Corpus> {
        match self {
            SearchPlace::Pinned => vec![Corpus::Memories],
            SearchPlace::Episodes => vec![Corpus::Episodes],
            SearchPlace::Transcript => vec![Corpus::Turns],
            SearchPlace::Graph => Vec::new(),
            SearchPlace::All => Corpus::ALL.to_vec(),
        }
    }

    fn of(corpus: Corpus) -> Self {
        match corpus {
            Corpus::Memories => SearchPlace::Pinned,
            Corpus::Episodes => SearchPlace::Episodes,
            Corpus::Turns => SearchPlace::Transcript,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            SearchPlace::Pinned => "pinned",
            SearchPlace::Episodes => "episodes",
            SearchPlace::Transcript => "transcript",
            SearchPlace::Graph => "graph",
            SearchPlace::All => "all",
        }
    }
}

impl fmt::Display for SearchPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// Our words, and those of the systems we unify.
impl FromStr for SearchPlace {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text.trim().to_ascii_lowercase().as_str() {
            "pinned" | "memories" => Ok(SearchPlace::Pinned),
            "episodes" | "summaries" => Ok(SearchPlace::Episodes),
            "transcript" | "turns" | "conversations" => Ok(SearchPlace::Transcript),
            "graph" => Ok(SearchPlace::Graph),
            "all" => Ok(SearchPlace::All),
            _ => Err(UnknownWord {
                what: "scope of a search",
                given: memory::error::shown(text),
                expected: "pinned, episodes, transcript, graph, all".to_owned(),
            }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SearchResults {
    /// Best first.
    pub results: Vec<SearchHit>,
    /// Which way the answer came.
    #[schema(value_type = crate::schema::PathWord)]
    pub path: Path,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SearchHit {
    pub id: String,
    /// Where it was found.
    pub scope: SearchPlace,
    pub content: String,
    /// Comparable from query to query; more is better.
    pub score: f64,
    /// When it was written, when the conversation ended, or when it was said.
    #[schema(value_type = crate::schema::MomentSchema)]
    pub created_at: Time,
    #[schema(value_type = String)]
    pub agent_id: AgentId,
    #[schema(value_type = String)]
    pub user_id: UserId,
    /// Of a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::schema::KindWord>)]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::schema::LayerWord>)]
    pub layer: Option<Layer>,
    /// Who sees a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::schema::ScopeWord>)]
    pub visibility: Option<Scope>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Of a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::schema::RoleWord>)]
    pub role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    pub source: HitProvenance,
    /// What the score is made of, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, super::explain::PartScore>>)]
    pub scores: Option<Scores>,
    /// A found memory with all that it has, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub memory: Option<Box<Memory>>,
}

impl SearchHit {
    /// With nothing that only one sort of result has, and no score yet.
    pub fn bare(id: String, scope: SearchPlace, content: String, created_at: Time, owner: Owner) -> Self {
        Self {
            id,
            scope,
            content,
            score: 0.0,
            created_at,
            agent_id: owner.agent,
            user_id: owner.user,
            kind: None,
            layer: None,
            visibility: None,
            tags: Vec::new(),
            role: None,
            speaker: None,
            source: HitProvenance::default(),
            scores: None,
            memory: None,
        }
    }
}

/// Where a result comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct HitProvenance {
    #[schema(value_type = Option<String>)]
    pub conversation_id: Option<SessionId>,
    /// The turn that was found, or the turns that a memory or an episode was made from.
    pub turn_ids: Vec<String>,
    /// The turns around a found turn, without itself.
    pub window_ids: Vec<String>,
}

pub(super) async fn search(visit: &OpContext<'_>, request: Search) -> Result<SearchResults, Problem> {
    let text = checked_query(&request.query)?;
    // What is everybody's is the user's too.
    let filter = Filter { with_everybodys: !request.only_own, ..request.filter.filter(visit.now)? };
    let recaller = visit.recaller().await?;
    if request.place == SearchPlace::Graph {
        let top_k = resolve_top_k(request.top_k, recaller.tools.settings.recall_top_k.max(1) as usize)?;
        return super::graph::find(visit, text, &request.filter, top_k).await;
    }
    let reference = match filter.validity {
        Validity::AsOf { then } | Validity::KnownAt { then } => then,
        Validity::Current { .. } | Validity::Ever => visit.now,
    };
    let mut asked =
        SearchRequest::new(text, request.place.corpora(), filter, &recaller.tools.settings, reference);
    asked.top_k = resolve_top_k(request.top_k, super::agents::usual_results(visit, &asked).await?)?;
    asked.strategy = request.strategy.unwrap_or(asked.strategy);
    asked.fusion = request.fusion.unwrap_or(asked.fusion);
    let found = recaller.search(&asked).await?;
    let behind = turns_behind(&visit.tenant.view(), &found.hits).await?;
    let mut results = Vec::with_capacity(found.hits.len());
    for hit in &found.hits {
        let scores = request.explain.then(|| explain::scores(hit));
        let memory = record(hit).filter(|_| request.with_records).map(|memory| Box::new(memory.clone()));
        results.push(SearchHit { scores, memory, ..to_wire(hit, provenance(hit, &behind)) });
    }
    visit.house.tallies.searched(visit.tenant.id(), !results.is_empty());
    if request.counts_use {
        let served = found.hits.iter().filter_map(record).map(|memory| memory.id.clone()).collect();
        visit.house.count_uses(visit.caller, served);
    }
    Ok(SearchResults { results, path: found.path })
}

/// The part of a query that is looked at.
pub(super) fn checked_query(query: &str) -> Result<&str, Problem> {
    let query = query.trim();
    if query.is_empty() {
        return Err(Problem::field("query", "the query is empty; expected words to look for"));
    }
    Ok(&query[..query.floor_char_boundary(QUERY_BYTES)])
}

fn resolve_top_k(asked: Option<usize>, usual: usize) -> Result<usize, Problem> {
    match asked {
        None => Ok(usual),
        Some(wanted) if (1..=SEARCH_RESULTS).contains(&wanted) => Ok(wanted),
        Some(wanted) => {
            let message = format!("{wanted} results are asked for; expected from 1 to {SEARCH_RESULTS}");
            Err(Problem::field("top_k", message))
        }
    }
}

fn to_wire(hit: &recall::Hit, source: HitProvenance) -> SearchHit {
    let owner = match &hit.source {
        HitSource::Memory(memory) => memory.owner(),
        HitSource::Episode(episode) => episode.session.owner(),
        HitSource::Turn(turn) => turn.session.owner(),
    };
    let (id, content) = (hit.id().to_owned(), hit.content().to_owned());
    let bare = SearchHit::bare(id, SearchPlace::of(hit.corpus()), content, hit.at(), owner);
    let mut told = SearchHit { score: hit.score, source, ..bare };
    match &hit.source {
        HitSource::Memory(memory) => {
            (told.kind, told.layer, told.visibility) =
                (Some(memory.kind), Some(memory.layer), Some(memory.scope));
            told.tags.clone_from(&memory.tags);
        }
        HitSource::Turn(turn) => (told.role, told.speaker) = (Some(turn.role), turn.speaker.clone()),
        HitSource::Episode(_) => {}
    }
    told
}

fn record(hit: &recall::Hit) -> Option<&Memory> {
    match &hit.source {
        HitSource::Memory(memory) => Some(memory),
        HitSource::Episode(_) | HitSource::Turn(_) => None,
    }
}

fn provenance(hit: &recall::Hit, behind: &HashMap<Node, Vec<Turn>>) -> HitProvenance {
    let conversation = match &hit.source {
        HitSource::Turn(turn) => {
            let around = hit.window.iter().filter(|near| near.id != turn.id);
            return HitProvenance {
                conversation_id: Some(turn.session.session.clone()),
                turn_ids: vec![given_id(turn)],
                window_ids: around.map(given_id).collect(),
            };
        }
        HitSource::Memory(memory) => memory.session.clone(),
        HitSource::Episode(episode) => Some(episode.session.session.clone()),
    };
    let turns = made(hit).and_then(|node| behind.get(&node)).map_or(&[][..], Vec::as_slice);
    let said_in = || turns.first().map(|turn| turn.session.session.clone());
    let conversation_id = conversation.or_else(said_in);
    HitProvenance { conversation_id, turn_ids: turns.iter().map(given_id).collect(), window_ids: Vec::new() }
}

/// What was found, where it was made from something.
fn made(hit: &recall::Hit) -> Option<Node> {
    match &hit.source {
        HitSource::Turn(_) => None,
        HitSource::Memory(memory) => Some(Node::Memory(memory.id.clone())),
        HitSource::Episode(episode) => Some(Node::Episode(episode.id.clone())),
    }
}

/// The turns that each of the hits was made from: two reads for all of them, of one moment.
async fn turns_behind(view: &RequestView, hits: &[recall::Hit]) -> Result<HashMap<Node, Vec<Turn>>, Problem> {
    let nodes: Vec<Node> = hits.iter().filter_map(made).collect();
    if nodes.is_empty() {
        return Ok(HashMap::new());
    }
    let said = |(child, parent)| if let Node::Turn(id) = parent { Some((child, id)) } else { None };
    let edges: Vec<(Node, TurnId)> = view.parents_of(&nodes).await?.into_iter().filter_map(said).collect();
    if edges.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: BTreeSet<&TurnId> = edges.iter().map(|(_, id)| id).collect();
    let turns = view.turns(&ids.into_iter().cloned().collect::<Vec<_>>()).await?;
    let turns: HashMap<&TurnId, &Turn> = turns.iter().map(|turn| (&turn.id, turn)).collect();
    let mut behind: HashMap<Node, Vec<Turn>> = HashMap::new();
    for (child, id) in &edges {
        if let Some(turn) = turns.get(id) {
            behind.entry(child.clone()).or_default().push((*turn).clone());
        }
    }
    Ok(behind)
}
