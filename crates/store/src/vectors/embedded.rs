//! One corpus's vectors in memory, int8, scanned whole for every question.
//!
//! Exact on purpose: a pass over a hundred thousand vectors takes a few milliseconds, needs no building and no tuning,
//! and a filter makes it faster where it makes a graph index slower and worse. The scan works on int8; the best of it are
//! scored again with the stored 32-bit numbers by the caller, so that rounding decides nothing.
//!
//! With each vector stands what most filters ask for (owner, session, project, scope, layer, kind, status, time), in a few bytes, so
//! that a filter is decided inside the scan. What is not here (tags, validity) the caller checks in the database, and asks
//! for more if too few were left.

use std::collections::HashMap;

use memory::types::{Corpus, Filter, Scope, Status, Time, Validity};

use super::kernel::{Dot, fastest, quantise};

/// What is kept of a row, as the database gives it.
#[derive(Debug, Clone)]
pub struct VectorRow {
    pub row: i64,
    pub agent: String,
    pub user: String,
    pub session: Option<String>,
    pub project: Option<String>,
    pub scope: Option<String>,
    pub layer: Option<String>,
    pub kind: Option<String>,
    pub status: Option<String>,
    /// When it was created, said, or ended.
    pub at: String,
    pub vector: Vec<f32>,
}

/// The filterable part of a row: names as numbers, words as places in their lists.
#[derive(Debug, Clone, Copy)]
struct Marks {
    agent: u32,
    user: u32,
    session: u32,
    project: u32,
    scope: u8,
    layer: u8,
    kind: u8,
    status: u8,
    at: i64,
}

/// No name, or a name that no row has.
const NONE: u32 = u32::MAX;
const NO_WORD: u8 = u8::MAX;

/// The vectors of one corpus under one signature.
pub struct VectorIndex {
    corpus: Corpus,
    dimensions: usize,
    dot: Dot,
    rows: Vec<i64>,
    marks: Vec<Marks>,
    scales: Vec<f32>,
    bytes: Vec<i8>,
    places: HashMap<i64, usize>,
    names: HashMap<String, u32>,
}

impl VectorIndex {
    pub fn new(corpus: Corpus, dimensions: usize) -> Self {
        Self {
            corpus,
            dimensions,
            dot: fastest(),
            rows: Vec::new(),
            marks: Vec::new(),
            scales: Vec::new(),
            bytes: Vec::new(),
            places: HashMap::new(),
            names: HashMap::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Puts a row in, or in the place of what it was. A vector of another length or of zeros finds nothing and is left out.
    pub fn put(&mut self, row: &VectorRow) {
        self.remove(row.row);
        if row.vector.len() != self.dimensions || row.vector.iter().all(|number| *number == 0.0) {
            return;
        }
        let marks = self.marks_of(row);
        self.places.insert(row.row, self.rows.len());
        self.rows.push(row.row);
        self.marks.push(marks);
        let scale = quantise(&row.vector, &mut self.bytes);
        self.scales.push(scale);
    }

    /// Takes a row out; the last one moves into its place.
    pub fn remove(&mut self, row: i64) {
        let Some(place) = self.places.remove(&row) else { return };
        let last = self.rows.len() - 1;
        self.rows.swap_remove(place);
        self.marks.swap_remove(place);
        self.scales.swap_remove(place);
        if place != last {
            let (start, end) = (last * self.dimensions, (last + 1) * self.dimensions);
            self.bytes.copy_within(start..end, place * self.dimensions);
            self.places.insert(self.rows[place], place);
        }
        self.bytes.truncate(last * self.dimensions);
    }

    /// The rows nearest to the question that the filter lets through, best first, with their rounded cosine.
    pub fn nearest(&self, question: &[f32], filter: &Filter, limit: usize) -> Vec<(i64, f32)> {
        if question.len() != self.dimensions || limit == 0 {
            return Vec::new();
        }
        let mut rounded = Vec::with_capacity(self.dimensions);
        let scale = quantise(question, &mut rounded);
        let test = RowTest::new(self, filter);
        let mut best = Best::new(limit);
        for (place, vector) in self.bytes.chunks_exact(self.dimensions).enumerate() {
            if test.passes(&self.marks[place]) {
                let score = (self.dot)(vector, &rounded) as f32 * scale * self.scales[place];
                best.offer(score, place);
            }
        }
        best.into_sorted().into_iter().map(|(score, place)| (self.rows[place], score)).collect()
    }

    fn marks_of(&mut self, row: &VectorRow) -> Marks {
        Marks {
            agent: self.number(&row.agent),
            user: self.number(&row.user),
            session: row.session.as_ref().map_or(NONE, |session| self.number(session)),
            project: row.project.as_ref().map_or(NONE, |project| self.number(project)),
            scope: word(memory::types::Scope::ALL.iter().map(|word| word.as_str()), row.scope.as_deref()),
            layer: word(memory::types::Layer::ALL.iter().map(|word| word.as_str()), row.layer.as_deref()),
            kind: word(memory::types::Kind::ALL.iter().map(|word| word.as_str()), row.kind.as_deref()),
            status: word(memory::types::Status::ALL.iter().map(|word| word.as_str()), row.status.as_deref()),
            at: row.at.parse::<Time>().map_or(0, Time::microseconds),
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.insert(name.to_owned(), number);
        number
    }

    /// The number of a name that a filter gives; a name that no row has matches none.
    fn known(&self, name: &str) -> u32 {
        self.names.get(name).copied().unwrap_or(NONE - 1)
    }
}

fn word<'a>(mut list: impl Iterator<Item = &'a str>, given: Option<&str>) -> u8 {
    let place = given.and_then(|given| list.position(|word| word == given));
    place.map_or(NO_WORD, |place| place as u8)
}

/// A filter, ready to be asked a hundred thousand times.
struct RowTest {
    agent: Option<u32>,
    user: Option<u32>,
    with_everybodys: bool,
    session: Option<u32>,
    project: Option<u32>,
    viewer: Option<Looking>,
    /// User and agent of whose reach it is.
    reach: Option<(u32, u32)>,
    /// The agents and the user that the caller is bound to.
    agents: Vec<u32>,
    only_user: Option<u32>,
    shares_user: bool,
    scoped: bool,
    scopes: u64,
    layers: u64,
    kinds: u64,
    statuses: u64,
    from: i64,
    before: i64,
}

impl RowTest {
    fn new(index: &VectorIndex, filter: &Filter) -> Self {
        let scoped = index.corpus == Corpus::Memories;
        let statuses = match (index.corpus, filter.validity, filter.statuses.is_empty()) {
            (_, _, false) => filter.statuses.clone(),
            (Corpus::Memories, Validity::Current { .. }, _) => vec![Status::Active],
            (Corpus::Memories, Validity::AsOf { .. }, _) => vec![Status::Active, Status::Superseded],
            (Corpus::Episodes, Validity::Ever, _) | (Corpus::Memories | Corpus::Turns, _, _) => Vec::new(),
            (Corpus::Episodes, _, _) => vec![Status::Active],
        };
        let viewer = filter.viewer.as_ref().map(|viewer| Looking {
            agent: index.known(viewer.owner.agent.as_str()),
            user: index.known(viewer.owner.user.as_str()),
            session: viewer.session.as_ref().map_or(NONE - 1, |session| index.known(session.as_str())),
            project: viewer.project.as_ref().map_or(NONE - 1, |project| index.known(project.as_str())),
            agent_only: viewer.agent_only,
        });
        let reach = filter.in_reach_of.as_ref();
        let bounds = &filter.bounds;
        Self {
            agent: filter.agent.as_ref().map(|id| index.known(id.as_str())),
            user: filter.user.as_ref().map(|id| index.known(id.as_str())),
            with_everybodys: filter.with_everybodys,
            session: filter.session.as_ref().map(|id| index.known(id.as_str())),
            project: filter.project.as_ref().map(|id| index.known(id.as_str())),
            viewer,
            reach: reach.map(|owner| (index.known(owner.user.as_str()), index.known(owner.agent.as_str()))),
            agents: bounds.agents.iter().map(|agent| index.known(agent.as_str())).collect(),
            only_user: bounds.user.as_ref().map(|id| index.known(id.as_str())),
            shares_user: bounds.shares_user,
            scoped,
            scopes: mask(filter.scopes.iter().map(|word| *word as u8)),
            layers: mask(filter.layers.iter().map(|word| *word as u8)),
            kinds: mask(filter.kinds.iter().map(|word| *word as u8)),
            statuses: mask(statuses.iter().map(|word| *word as u8)),
            from: filter.since.map_or(i64::MIN, Time::microseconds),
            before: filter.until.map_or(i64::MAX, Time::microseconds),
        }
    }

    fn passes(&self, marks: &Marks) -> bool {
        let same = |wanted: Option<u32>, found: u32| wanted.is_none_or(|wanted| wanted == found);
        let among = |mask: u64, word: u8| mask == 0 || (word < 64 && mask & (1 << word) != 0);
        same(self.agent, marks.agent)
            && (same(self.user, marks.user) || self.is_everybodys(marks))
            && same(self.session, marks.session)
            && same(self.project, marks.project)
            && same(self.only_user, marks.user)
            && (self.agents.is_empty() || self.is_of_agents(marks))
            && self.reach.is_none_or(|reach| self.is_within(reach, marks))
            && self.viewer.as_ref().is_none_or(|viewer| self.sees(viewer, marks))
            && among(self.scopes, marks.scope)
            && among(self.layers, marks.layer)
            && among(self.kinds, marks.kind)
            && (marks.status == NO_WORD || among(self.statuses, marks.status))
            && (self.from..self.before).contains(&marks.at)
    }

    fn sees(&self, viewer: &Looking, marks: &Marks) -> bool {
        let (same_agent, same_user) = (marks.agent == viewer.agent, marks.user == viewer.user);
        if !self.scoped {
            return same_agent && same_user;
        }
        match scope_of(marks) {
            Some(Scope::Organization) => true,
            Some(Scope::Persona) => same_agent,
            Some(Scope::User) => same_user && !viewer.agent_only,
            Some(Scope::Agent) => same_user && same_agent,
            Some(Scope::Project) => same_user && marks.project == viewer.project && !viewer.agent_only,
            Some(Scope::Thread) => same_user && same_agent && marks.session == viewer.session,
            None => false,
        }
    }

    fn is_everybodys(&self, marks: &Marks) -> bool {
        self.with_everybodys && scope_of(marks) == Some(Scope::Organization)
    }

    fn is_of_agents(&self, marks: &Marks) -> bool {
        match scope_of(marks).filter(|scope| scope.is_shared_by_agents()) {
            Some(_) => self.shares_user,
            None => self.agents.contains(&marks.agent),
        }
    }

    fn is_within(&self, (user, agent): (u32, u32), marks: &Marks) -> bool {
        marks.user == user
            && match scope_of(marks) {
                Some(Scope::User) => true,
                Some(Scope::Project) => false,
                Some(_) | None => marks.agent == agent,
            }
    }
}

/// The memory's scope; what is no memory has none.
fn scope_of(marks: &Marks) -> Option<Scope> {
    Scope::ALL.get(usize::from(marks.scope)).copied()
}

/// Who looks.
struct Looking {
    agent: u32,
    user: u32,
    session: u32,
    project: u32,
    agent_only: bool,
}

fn mask(words: impl Iterator<Item = u8>) -> u64 {
    words.fold(0, |mask, word| mask | (1 << word))
}

/// The best so many, kept in a buffer of twice the size that is cut back when full: the scan compares with one number.
struct Best {
    limit: usize,
    floor: f32,
    found: Vec<(f32, usize)>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, floor: f32::NEG_INFINITY, found: Vec::with_capacity(limit * 2) }
    }

    fn offer(&mut self, score: f32, place: usize) {
        if score <= self.floor {
            return;
        }
        self.found.push((score, place));
        if self.found.len() >= self.limit * 2 {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.limit {
            self.found.select_nth_unstable_by(self.limit - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            self.found.truncate(self.limit);
            self.floor = self.found.iter().map(|(score, _)| *score).fold(f32::INFINITY, f32::min);
        }
    }

    fn into_sorted(mut self) -> Vec<(f32, usize)> {
        self.cut();
        self.found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: i64, user: &str, vector: Vec<f32>) -> VectorRow {
        VectorRow {
            row: number,
            agent: "default".into(),
            user: user.into(),
            session: None,
            project: None,
            scope: Some("agent".into()),
            layer: Some("semantic".into()),
            kind: Some("fact".into()),
            status: Some("active".into()),
            at: "2026-05-01T00:00:00.000000Z".into(),
            vector,
        }
    }

    fn unit(angle: f32) -> Vec<f32> {
        vec![angle.cos(), angle.sin(), 0.0, 0.0]
    }

    #[test]
    fn the_nearest_come_first_and_the_filter_is_inside() {
        let mut index = VectorIndex::new(Corpus::Memories, 4);
        for number in 0..50 {
            let user = if number % 2 == 0 { "even" } else { "odd" };
            index.put(&row(number, user, unit(number as f32 * 0.02)));
        }
        let mut filter = Filter::current(Time::MIN);
        filter.user = Some("odd".parse().expect("an id"));
        let found: Vec<i64> = index.nearest(&unit(0.0), &filter, 3).into_iter().map(|(row, _)| row).collect();
        assert_eq!(found, vec![1, 3, 5]);
        filter.user = Some("nobody".parse().expect("an id"));
        assert!(index.nearest(&unit(0.0), &filter, 3).is_empty());
    }

    #[test]
    fn rows_can_be_replaced_and_taken_out() {
        let mut index = VectorIndex::new(Corpus::Memories, 4);
        for number in 0..4 {
            index.put(&row(number, "ada", unit(number as f32)));
        }
        index.remove(0);
        index.put(&row(3, "ada", unit(0.0)));
        index.remove(77);
        let found: Vec<i64> =
            index.nearest(&unit(0.0), &Filter::ever(), 9).into_iter().map(|(row, _)| row).collect();
        assert_eq!(found, vec![3, 1, 2]);
        assert_eq!(index.len(), 3);
    }

    #[test]
    fn a_vector_that_says_nothing_is_not_found() {
        let mut index = VectorIndex::new(Corpus::Memories, 4);
        index.put(&row(1, "ada", vec![0.0; 4]));
        index.put(&row(2, "ada", vec![1.0; 3]));
        assert_eq!(index.len(), 0);
    }
}
