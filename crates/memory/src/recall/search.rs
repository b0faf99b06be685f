//! Search: embed the question, let engines nominate, score, see to variety, read what was found.

use super::context::ContextCache;
use super::fuse::{self, Scored};
use super::mmr::{self, MmrCandidate};
use super::request::{Fusion, Hit, HitSource, Path, ScoreParts, SearchRequest, Strategy};
use super::retrieve::{self, Candidates, Engines, Question};
use super::weights::PartWeights;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{Nomination, Nominee, ReadStore, RequestView};
use crate::text::{query, time};
use crate::toolkit::Toolkit;
use crate::types::{Corpus, Role, Turn, Validity};

/// The read path of one tenant.
pub struct Recaller {
    pub tools: Toolkit,
}

/// The answer, and which way it came.
#[derive(Debug, Clone)]
pub struct SearchResult {
    pub hits: Vec<Hit>,
    pub path: Path,
}

/// What the words of a text count at least that an expression with operators selected: a beginning of a word has no
/// frequency to be weighed by.
pub(super) const SELECTED: f64 = 0.25;

/// Closeness in meaning below which a text that shares no word with the question has nothing to do with it.
const NEAR: f64 = 0.2;

impl Recaller {
    /// Everything that the search reads is of one moment. The question is embedded before: a view waits for no model.
    pub async fn search(&self, request: &SearchRequest) -> StoreResult<SearchResult> {
        let (question, embed_failed) = question(&self.tools, request).await;
        self.now().answer(request, &question, embed_failed).await
    }

    /// The tenant as it stands at this moment, for one request.
    pub(super) fn now(&self) -> Glance<'_> {
        Glance { tools: &self.tools, view: self.tools.store.view(), cache: None }
    }
}

/// What the user asked before counts for this share of what tells something: it is nearest to the question, and no answer to it.
const ASKED_BEFORE: f64 = 0.5;

/// Whether a hit is something that the user asked, and told nothing beside it.
fn only_asks(hit: &Hit) -> bool {
    let HitSource::Turn(turn) = &hit.source else { return false };
    let text = turn.text.trim();
    let tells = [". ", "! ", ", ", "\n", "。", "！", "，", "、"].iter().any(|end| text.contains(end));
    turn.role == Role::User && text.ends_with(['?', '？', '؟']) && !tells
}

/// The read path over one view of the store.
pub(super) struct Glance<'a> {
    pub(super) tools: &'a Toolkit,
    pub(super) view: RequestView,
    /// What is kept between requests, where somebody keeps it.
    pub(super) cache: Option<&'a ContextCache>,
}

impl<'a> Glance<'a> {
    /// The same with what is kept between requests.
    pub(super) fn keeping(self, cache: Option<&'a ContextCache>) -> Self {
        Self { cache, ..self }
    }
}

impl Glance<'_> {
    /// The same search within a moment that is held already. The question must have been embedded before, so that the
    /// embedder answers from memory.
    pub(super) async fn search(&self, request: &SearchRequest) -> StoreResult<SearchResult> {
        let (question, embed_failed) = question(self.tools, request).await;
        self.answer(request, &question, embed_failed).await
    }

    async fn answer(
        &self,
        request: &SearchRequest,
        question: &Question,
        embed_failed: bool,
    ) -> StoreResult<SearchResult> {
        let top_k = request.top_k.clamp(1, limits::SEARCH_RESULTS);
        match request.strategy {
            Strategy::Recent => return self.recent(request, question, top_k).await,
            // Nobody's message stands in a memory word for word.
            Strategy::Exact if !request.operators || question.text.trim().is_empty() => {
                return self.recent(request, question, top_k).await;
            }
            Strategy::Exact => return self.exact(request, question, top_k).await,
            Strategy::Hybrid | Strategy::Semantic => {}
        }
        let (mut hits, by_meaning) = self.hits(request, question, top_k).await?;
        // Only an answer that found nothing needs to know whether there was anything.
        if hits.is_empty() && !asks_the_past(request) && self.is_empty(&request.corpora).await? {
            return Ok(SearchResult { hits, path: Path::SkippedEmptyStore });
        }
        let path = match (request.strategy, by_meaning, embed_failed) {
            (Strategy::Semantic, true, _) => Path::Semantic,
            (_, true, _) => Path::Hybrid,
            (_, false, true) => Path::KeywordAfterEmbedError,
            (_, false, false) => Path::Keyword,
        };
        // A chat asks in words, and what has none of them does not answer it.
        if hits.is_empty() && !question.selects() && request.operators {
            let hits = self.like(request, question, top_k).await?;
            let path = if hits.is_empty() { path } else { Path::Like };
            return Ok(SearchResult { hits, path });
        }
        for hit in hits.iter_mut().filter(|hit| request.operators && only_asks(hit)) {
            hit.weights = hit.weights.scaled(ASKED_BEFORE);
            hit.score = hit.parts.weighed_by(&hit.weights);
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(top_k);
        self.expand(&mut hits, request.window).await?;
        Ok(SearchResult { hits, path })
    }

    async fn is_empty(&self, corpora: &[Corpus]) -> StoreResult<bool> {
        for &corpus in corpora {
            if self.view.statistics(corpus, &[]).await?.documents > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The best of every corpus, and whether meaning had a say. All corpora are asked in one read.
    async fn hits(
        &self,
        request: &SearchRequest,
        question: &Question,
        top_k: usize,
    ) -> StoreResult<(Vec<Hit>, bool)> {
        // Operators select; what merely means something similar was not asked for.
        let selects = question.selects();
        let semantic = request.strategy == Strategy::Semantic && question.vector.is_some() && !selects;
        let engines = Engines { words: !semantic, meaning: !selects };
        let today = |corpus: &&Corpus| **corpus != Corpus::Memories || !asks_the_past(request);
        let asked: Vec<Nomination> = request
            .corpora
            .iter()
            .filter(today)
            .map(|corpus| self.nomination(*corpus, question, request, engines, top_k))
            .collect();
        let mut answers = self.view.nominations(asked.clone()).await?.into_iter();
        let mut nominated = asked.iter().filter_map(|asked| Some(Candidates::of(asked, answers.next()?)));
        let (mut hits, mut by_meaning) = (Vec::new(), false);
        for &corpus in &request.corpora {
            if corpus == Corpus::Memories && asks_the_past(request) {
                let analyser = &self.tools.analyser;
                hits.extend(super::past::search(&self.view, analyser, question, request, top_k).await?);
                continue;
            }
            let Some(candidates) = nominated.next() else { continue };
            by_meaning |= candidates.by_meaning;
            hits.extend(self.chosen(corpus, candidates, question, request, semantic, top_k).await?);
        }
        Ok((hits, by_meaning))
    }

    /// The best of one corpus. Where meaning alone was asked and has no answer, words answer.
    async fn chosen(
        &self,
        corpus: Corpus,
        mut candidates: Candidates,
        question: &Question,
        request: &SearchRequest,
        semantic: bool,
        top_k: usize,
    ) -> StoreResult<Vec<Hit>> {
        let semantic_alone = semantic && candidates.by_meaning;
        if semantic && !candidates.by_meaning {
            let words = Engines { words: true, meaning: false };
            let asked = self.nomination(corpus, question, request, words, top_k);
            candidates = Candidates::of(&asked, self.view.nominated(asked.clone()).await?);
        }
        let (scored, weights) = self.score(corpus, &candidates, question, request, semantic_alone).await?;
        let chosen = self.choose(corpus, &candidates, scored, top_k);
        self.read(corpus, chosen, weights, &candidates).await
    }

    fn nomination(
        &self,
        corpus: Corpus,
        question: &Question,
        request: &SearchRequest,
        engines: Engines,
        top_k: usize,
    ) -> Nomination {
        let signature = self.tools.embedder.as_ref().map(|embedder| embedder.signature());
        let most = (self.tools.settings.candidates_per_engine.max(1) as usize).max(top_k);
        // A turn may be lifted from far below by its neighbours and its session; a single sentence stands for itself, and
        // four times what is wanted leaves variety enough to choose from.
        let per_engine = match corpus {
            Corpus::Turns => most,
            Corpus::Memories | Corpus::Episodes => (top_k * 4).clamp(40.min(most), most),
        };
        retrieve::nomination(corpus, question, &request.filter, engines, signature, per_engine)
    }

    async fn score(
        &self,
        corpus: Corpus,
        candidates: &Candidates,
        question: &Question,
        request: &SearchRequest,
        semantic: bool,
    ) -> StoreResult<(Vec<Scored>, PartWeights)> {
        let weights = PartWeights::of(corpus, &self.tools.settings, question.coverage);
        let mut scored = match corpus {
            Corpus::Turns => {
                let mut scored = fuse::turns(candidates, question, &self.tools.settings);
                scored.retain(|scored| candidates.is_admitted(scored.row));
                scored
            }
            Corpus::Memories | Corpus::Episodes => {
                let standing = self.standing(candidates, question, &request.filter).await?;
                fuse::records(candidates, question, &self.tools.settings, &standing, &weights)
            }
        };
        if question.selects() {
            scored.retain(|scored| candidates.is_nominated(scored.row));
            scored = fuse::best_first(scored.iter().map(|scored| lifted(scored, &weights)).collect());
        } else {
            scored.retain(|scored| is_related(scored, question.coverage));
        }
        if request.fusion == Fusion::Rrf && !semantic {
            scored = fuse::with_ranks(&scored, self.tools.settings.rrf_k as f64);
        }
        Ok(match PartWeights::instead(request.fusion, semantic) {
            Some(instead) => (fuse::reweighed(scored, &instead), instead),
            None => (scored, weights),
        })
    }

    /// The best `top_k`, with variety where the corpus is made of single sentences.
    fn choose(
        &self,
        corpus: Corpus,
        candidates: &Candidates,
        mut scored: Vec<Scored>,
        top_k: usize,
    ) -> Vec<Scored> {
        if corpus == Corpus::Turns || self.tools.settings.mmr_lambda >= 1.0 {
            scored.truncate(top_k);
            return scored;
        }
        let considered = (top_k as f64 * self.tools.settings.mmr_fetch_multiplier).ceil() as usize;
        scored.truncate(considered.max(top_k));
        let contender = |scored: &Scored| {
            let document = candidates.row(scored.row).and_then(|known| known.document.as_ref());
            MmrCandidate::new(scored.score, document.map_or(&[], |document| &document.numbers))
        };
        let contenders: Vec<MmrCandidate> = scored.iter().map(contender).collect();
        let order = mmr::choose(&contenders, top_k, self.tools.settings.mmr_lambda);
        order.into_iter().map(|place| scored[place].clone()).collect()
    }

    /// The newest first.
    async fn recent(
        &self,
        request: &SearchRequest,
        question: &Question,
        top_k: usize,
    ) -> StoreResult<SearchResult> {
        let mut hits = Vec::new();
        for &corpus in &request.corpora {
            if corpus == Corpus::Memories && asks_the_past(request) {
                hits.extend(super::past::recent(&self.view, request, top_k).await?);
                continue;
            }
            let nominees = self.view.nominate_recent(corpus, &request.filter, top_k).await?;
            hits.extend(self.unscored(corpus, nominees).await?);
        }
        let weights = PartWeights::recency();
        let half_life = self.tools.settings.temporal_decay_half_life_days.max(1) as f64;
        for hit in &mut hits {
            hit.parts.recency = 0.5_f64.powf(question.reference.days_since(hit.at()).max(0.0) / half_life);
            (hit.score, hit.weights) = (hit.parts.weighed_by(&weights), weights);
        }
        hits.sort_by(|a, b| b.at().cmp(&a.at()).then(b.row.cmp(&a.row)));
        hits.truncate(top_k);
        self.expand(&mut hits, request.window).await?;
        if hits.is_empty() && !asks_the_past(request) && self.is_empty(&request.corpora).await? {
            return Ok(SearchResult { hits, path: Path::SkippedEmptyStore });
        }
        Ok(SearchResult { hits, path: Path::Recent })
    }

    /// What has every word as it is written, the newest first.
    async fn exact(
        &self,
        request: &SearchRequest,
        question: &Question,
        top_k: usize,
    ) -> StoreResult<SearchResult> {
        let words: Vec<String> = question.text.split_whitespace().map(str::to_lowercase).collect();
        let longest = words.iter().max_by_key(|word| word.chars().count()).cloned();
        let longest: Vec<String> = longest.into_iter().collect();
        let mut hits = Vec::new();
        for &corpus in &request.corpora {
            let most = limits::SEARCH_RESULTS;
            let nominees = self.view.nominate_like(corpus, &longest, &request.filter, most).await?;
            hits.extend(self.unscored(corpus, nominees).await?);
        }
        let has_all = |hit: &Hit| {
            let text = hit.content().to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        hits.retain(has_all);
        let weights = PartWeights::words();
        for hit in &mut hits {
            hit.parts.text = 1.0;
            (hit.score, hit.weights) = (hit.parts.weighed_by(&weights), weights);
        }
        hits.sort_by(|a, b| b.at().cmp(&a.at()).then(b.row.cmp(&a.row)));
        hits.truncate(top_k);
        self.expand(&mut hits, request.window).await?;
        Ok(SearchResult { hits, path: Path::Like })
    }

    /// The last tier: texts that contain odd strings as they are written, or the parts of words that a search of a word or two consists of.
    async fn like(
        &self,
        request: &SearchRequest,
        question: &Question,
        top_k: usize,
    ) -> StoreResult<Vec<Hit>> {
        let said: Vec<&str> = question.text.split_whitespace().take(limits::LIKE_WORDS).collect();
        let is_sign =
            |character: char| !character.is_alphanumeric() && !"'’-.,;:?!()\"“”„«»¿¡".contains(character);
        let is_odd = |word: &str| word.contains(is_sign) || self.tools.analyser.words(word).is_empty();
        let parts_of_words = said.len() <= limits::LIKE_PARTS;
        let words: Vec<String> = said
            .iter()
            .filter(|word| parts_of_words || is_odd(word))
            .map(|word| (*word).to_owned())
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut hits = Vec::new();
        for &corpus in &request.corpora {
            if corpus == Corpus::Memories && asks_the_past(request) {
                continue;
            }
            let nominees = self.view.nominate_like(corpus, &words, &request.filter, top_k).await?;
            hits.extend(self.unscored(corpus, nominees).await?);
        }
        let weights = PartWeights::words();
        for hit in &mut hits {
            let text = hit.content().to_lowercase();
            let there = words.iter().filter(|word| text.contains(&word.to_lowercase())).count();
            hit.parts.text = there as f64 / words.len().max(1) as f64;
            (hit.score, hit.weights) = (hit.parts.weighed_by(&weights), weights);
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(top_k);
        self.expand(&mut hits, request.window).await?;
        Ok(hits)
    }

    async fn unscored(&self, corpus: Corpus, nominees: Vec<Nominee>) -> StoreResult<Vec<Hit>> {
        let none = PartWeights::default();
        let plain = |nominee: Nominee| Scored::new(nominee.row, ScoreParts::default(), &none);
        self.read(corpus, nominees.into_iter().map(plain).collect(), none, &Candidates::default()).await
    }

    /// Gives each found turn the turns around it.
    pub(super) async fn expand(&self, hits: &mut [Hit], radius: u64) -> StoreResult<()> {
        let rows: Vec<i64> =
            hits.iter().filter(|hit| hit.corpus() == Corpus::Turns).map(|hit| hit.row).collect();
        if rows.is_empty() || radius == 0 {
            return Ok(());
        }
        let places = self.view.neighbours(&rows, radius).await?;
        let around: Vec<i64> = places.iter().map(|place| place.row).collect();
        let turns: Vec<Turn> = self.view.turns_at(&around).await?.into_iter().map(|(_, turn)| turn).collect();
        for hit in hits {
            let HitSource::Turn(found) = &hit.source else { continue };
            let near =
                |turn: &&Turn| turn.session == found.session && turn.index.abs_diff(found.index) <= radius;
            hit.window = turns.iter().filter(near).cloned().collect();
            hit.window.sort_by_key(|turn| turn.index);
        }
        Ok(())
    }
}

/// What an expression selected counts for something, whether its words can be weighed or not.
fn lifted(scored: &Scored, weights: &PartWeights) -> Scored {
    let text = scored.parts.text.max(SELECTED);
    Scored::new(scored.row, ScoreParts { text, ..scored.parts }, weights)
}

/// The question as the steps need it, and whether the embedder failed on it.
async fn question(tools: &Toolkit, request: &SearchRequest) -> (Question, bool) {
    let text = asked_text(&request.text);
    let analyser = &tools.analyser;
    let query = if request.operators { query::parse(text, analyser) } else { query::plain(text, analyser) };
    let mut failed = false;
    let mut vector = None;
    let mut coverage = 0.0;
    if let Some(embedder) = &tools.embedder {
        match embedder.embed(&[text.to_owned()]).await {
            Ok(vectors) => {
                let known = |vector: &Vec<f32>| vector.iter().any(|number| *number != 0.0);
                vector = vectors.into_iter().next().filter(known);
                coverage = f64::from(embedder.coverage(text)).clamp(0.0, 1.0);
            }
            Err(_) => failed = true,
        }
    }
    let spans = time::find(text, request.reference.date_in(&request.zone));
    let text = text.to_owned();
    let (reference, zone) = (request.reference, request.zone.clone());
    (Question { text, query, vector, coverage, spans, reference, zone }, failed)
}

/// Rows say how memories stand today; how they stood once is read from history.
fn asks_the_past(request: &SearchRequest) -> bool {
    matches!(request.filter.validity, Validity::KnownAt { .. })
}

/// Shares a word with the question, itself or in its window, or is close to it in meaning.
fn is_related(scored: &Scored, coverage: f64) -> bool {
    let parts = &scored.parts;
    parts.text > 0.0 || parts.window > 0.0 || coverage * parts.dense.max(parts.dense_window) >= NEAR
}

/// As much of a text as a question may be.
pub(super) fn asked_text(text: &str) -> &str {
    cut(text, limits::QUERY_BYTES)
}

/// The first bytes of a text, cut at a character.
fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
