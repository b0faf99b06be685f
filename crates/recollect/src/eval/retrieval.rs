//! Retrieval, measured: conversations go through the real store, questions through the real path.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use memory::ports::{Clock, Embedder, WriteStore};
use memory::recall::{Fusion, HitSource, Recaller, SearchRequest, Strategy};
use memory::settings::Settings;
use memory::text::tokens;
use memory::toolkit::Toolkit;
use memory::types::{Actor, Batch, Change, Corpus, Filter, Owner, Role, SessionKey, Time, Turn, TurnId};
use serde::Serialize;
use store::{Credential, Tenant, Tenants, TenantsOptions, WriteDurability};

use super::data::{LabelledConversation, SessionData};
use super::metrics::{Means, QuestionFigures, Ranked, figures, means};

/// Results asked for: enough to fill a block of 2,000 tokens with short turns.
const RESULTS: usize = 120;

/// Turns written in one batch.
const BATCH_TURNS: usize = 500;

/// A way to retrieve, by the name it has in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Ours,
    Keyword,
    Dense,
    Rrf,
}

impl Method {
    pub const BASELINES: [Method; 3] = [Method::Keyword, Method::Dense, Method::Rrf];

    pub fn name(self) -> &'static str {
        match self {
            Method::Ours => "recollect",
            Method::Keyword => "keyword",
            Method::Dense => "dense",
            Method::Rrf => "rrf",
        }
    }

    /// The settings under which the method runs: keyword is plain BM25, without windows, neighbours or sessions.
    fn settings(self, base: &Settings) -> Settings {
        let mut settings = base.clone();
        if self == Method::Keyword {
            settings.weight_window = 0.0;
            settings.weight_dense = 0.0;
            settings.weight_dense_window = 0.0;
            settings.weight_neighbours = 0.0;
            settings.weight_session = 0.0;
            settings.weight_speaker = 0.0;
            settings.weight_role = 0.0;
            settings.weight_time = 0.0;
        }
        settings
    }
}

/// The figures of one file.
#[derive(Debug, Clone, Serialize)]
pub struct SetReport {
    pub name: String,
    #[serde(flatten)]
    pub means: Means,
    pub by_category: BTreeMap<String, Means>,
    pub ms_per_query: f64,
    pub baselines: BTreeMap<String, Means>,
}

/// A conversation in a store of its own.
pub struct ScratchStore {
    pub tenant: Tenant,
    pub embedder: Arc<dyn Embedder>,
    /// The moment the questions are asked: the day of the last session.
    pub reference: Time,
    _folder: Option<tempfile::TempDir>,
    tenants: Tenants,
}

/// Writes a conversation into a fresh store on disk.
pub async fn ingest(
    conversation: &LabelledConversation,
    embedder: Arc<dyn Embedder>,
) -> anyhow::Result<ScratchStore> {
    let folder = tempfile::tempdir().context("no place for a scratch store")?;
    let options = TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(Arc::clone(&embedder)),
        ..TenantsOptions::default()
    };
    let tenants = Tenants::open_folder(folder.path(), options)?;
    let pass = tenants.authenticate(Credential::Loopback).await?;
    let tenant = tenants.open(&pass).await?;
    let mut at = Time::from_date(jiff::civil::date(2024, 1, 1));
    let mut latest = at;
    let mut turns = Vec::new();
    for session in &conversation.sessions {
        at = session.date.as_ref().and_then(|date| date.parse().ok()).unwrap_or(at);
        turns.extend(session_turns(session, at, &*tenants.clock()));
        at = at.plus_seconds(86_400);
        latest = turns.last().map_or(latest, |turn: &Turn| latest.max(turn.at));
    }
    for some in turns.chunks(BATCH_TURNS) {
        let change = Change::AppendTurns { turns: some.to_vec(), pending: false };
        tenant.apply(Batch::new(Actor::Import, latest).with(change)).await?;
    }
    tenant.load_vectors().await?;
    Ok(ScratchStore { tenant, embedder, reference: latest, _folder: Some(folder), tenants })
}

fn session_turns(session: &SessionData, at: Time, clock: &dyn Clock) -> Vec<Turn> {
    let name = session.id.parse().unwrap_or_else(|_| memory::types::SessionId::unnamed());
    let key = SessionKey::new(&Owner::unnamed(), name);
    let turn = |(place, turn): (usize, &super::data::TurnData)| Turn {
        id: TurnId::from_uuid(clock.uuid()),
        external_id: Some(turn.id.clone()),
        session: key.clone(),
        index: 0,
        role: turn.role.parse().unwrap_or(Role::User),
        speaker: turn.name.clone(),
        text: turn.text.clone(),
        tokens: tokens::estimate(&turn.text) as u32,
        at: at.plus_seconds(place as i64),
        partial: false,
    };
    session.turns.iter().enumerate().map(turn).collect()
}

impl ScratchStore {
    /// Asks one question and returns the turns in their order.
    pub async fn ask(
        &self,
        question: &str,
        method: Method,
        settings: &Settings,
    ) -> anyhow::Result<Vec<Ranked>> {
        let settings = method.settings(settings);
        let filter = Filter::current(self.reference);
        let mut request =
            SearchRequest::new(question, vec![Corpus::Turns], filter, &settings, self.reference);
        request.top_k = RESULTS;
        request.operators = false;
        request.window = 0;
        match method {
            Method::Dense => request.strategy = Strategy::Semantic,
            Method::Rrf => request.fusion = Fusion::Rrf,
            Method::Ours | Method::Keyword => {}
        }
        let embedder = (method != Method::Keyword).then(|| Arc::clone(&self.embedder));
        let tools = self.tenant.tools(settings, self.tenants.clock());
        let result = Recaller { tools: Toolkit { embedder, ..tools } }.search(&request).await?;
        let ranked = result.hits.iter().filter_map(|hit| match &hit.source {
            HitSource::Turn(turn) => Some(Ranked::new(turn.external_id.clone()?, &line(turn))),
            _ => None,
        });
        Ok(ranked.collect())
    }
}

fn line(turn: &Turn) -> String {
    let speaker = turn.speaker.as_deref().unwrap_or(turn.role.as_str());
    format!("{speaker}: {}", turn.text)
}

/// Measures a file's conversations. `progress` is told after each question.
pub async fn measure(
    name: &str,
    conversations: &[LabelledConversation],
    categories: &[String],
    settings: &Settings,
    embedder: &Arc<dyn Embedder>,
    mut progress: impl FnMut(),
) -> anyhow::Result<SetReport> {
    let mut ours: Vec<(String, QuestionFigures)> = Vec::new();
    let mut baselines: BTreeMap<String, Vec<QuestionFigures>> = BTreeMap::new();
    let mut spent = std::time::Duration::ZERO;
    for conversation in conversations {
        let ingested = ingest(conversation, Arc::clone(embedder)).await?;
        for question in
            conversation.questions.iter().filter(|question| wanted(categories, &question.category))
        {
            let started = Instant::now();
            let ranked = ingested.ask(&question.question, Method::Ours, settings).await?;
            spent += started.elapsed();
            ours.push((question.category.clone(), figures(&ranked, &question.evidence)));
            for method in Method::BASELINES {
                let ranked = ingested.ask(&question.question, method, settings).await?;
                baselines.entry(method.name().into()).or_default().push(figures(&ranked, &question.evidence));
            }
            progress();
        }
    }
    let mut by_category: BTreeMap<String, Vec<&QuestionFigures>> = BTreeMap::new();
    for (category, figures) in &ours {
        by_category.entry(category.clone()).or_default().push(figures);
    }
    Ok(SetReport {
        name: name.to_owned(),
        means: means(ours.iter().map(|(_, figures)| figures)),
        by_category: by_category.into_iter().map(|(category, figures)| (category, means(figures))).collect(),
        ms_per_query: spent.as_secs_f64() * 1000.0 / ours.len().max(1) as f64,
        baselines: baselines.iter().map(|(name, figures)| (name.clone(), means(figures))).collect(),
    })
}

/// Adversarial questions ask for what was never said, so they have nothing to find, unless asked for by name.
pub fn wanted(categories: &[String], category: &str) -> bool {
    if categories.is_empty() {
        category != "adversarial"
    } else {
        categories.iter().any(|wanted| wanted == category)
    }
}
