//! What the heuristic distiller makes of a file of conversations: how much, from where, and a sample to read by hand.
//!
//! ```text
//! cargo run --release -p memory --example distil_report -- FILE [--both] [--date DAY] [--sample N] [--seed N] [--list] [--episodes]
//! ```
//!
//! FILE has one conversation a line: `{id, sessions: [{id, date, turns: [{id, role, text}]}], questions: [{category,
//! evidence}]}`. `--both` reads both sides as people, for conversations between two. `--date` stands in where a session
//! has none. `--sample` prints that many memories, chosen by `--seed`; `--list` prints all of them;
//! `--episodes` prints the digest of each session.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use memory::learn::draft::{Candidate, Draft};
use memory::learn::heuristic::{SessionBackground, distil};
use memory::text::Analyser;
use memory::types::{Owner, Role, SessionKey, Time, Turn, TurnId};
use serde_json::Value;

type ReportError = Box<dyn std::error::Error>;

struct DistilReportOptions {
    path: String,
    both: bool,
    date: Time,
    sample: usize,
    seed: u64,
    list: bool,
    episodes: bool,
}

struct Made {
    conversation: String,
    turn: String,
    candidate: Candidate,
}

#[derive(Default)]
struct DistilFigures {
    made: Vec<Made>,
    turns: usize,
    sessions: usize,
    evidence: usize,
    covered: usize,
    slowest: Duration,
    took: Duration,
}

fn main() -> Result<(), ReportError> {
    let options = options()?;
    let mut figures = DistilFigures::default();
    for line in std::fs::read_to_string(&options.path)?.lines().filter(|line| !line.trim().is_empty()) {
        conversation(&serde_json::from_str(line)?, &options, &mut figures)?;
    }
    print_figures(&figures);
    let chosen = if options.list { (0..figures.made.len()).collect() } else { sample(&figures, &options) };
    for place in chosen {
        let made = &figures.made[place];
        let one = &made.candidate;
        let validity = match (one.valid_from, one.valid_until) {
            (None, None) => String::new(),
            (from, until) => format!(" [{}..{}]", day(from), day(until)),
        };
        println!(
            "{}\t{}\t{}\t{}\t{}{validity}\t{}",
            made.conversation,
            made.turn,
            one.made_by,
            one.kind,
            one.content,
            one.evidence.replace(['\n', '\t'], " ")
        );
    }
    Ok(())
}

fn options() -> Result<DistilReportOptions, ReportError> {
    let mut options = DistilReportOptions {
        path: String::new(),
        both: false,
        date: Time::MIN,
        sample: 0,
        seed: 1,
        list: false,
        episodes: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--both" => options.both = true,
            "--list" => options.list = true,
            "--episodes" => options.episodes = true,
            "--date" => options.date = value()?.parse()?,
            "--sample" => options.sample = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            _ => options.path = argument,
        }
    }
    if options.path.is_empty() {
        return Err("expected a file of conversations, one a line".into());
    }
    Ok(options)
}

/// Distils every session of a conversation and notes which evidence turns some memory rests on.
fn conversation(
    conversation: &Value,
    options: &DistilReportOptions,
    figures: &mut DistilFigures,
) -> Result<(), ReportError> {
    let analyser = Analyser::default();
    let id = text(conversation, "id");
    let mut named: HashSet<String> = HashSet::new();
    let mut present: HashSet<String> = HashSet::new();
    for session in list(conversation, "sessions") {
        let at = session["date"].as_str().and_then(|date| date.parse().ok()).unwrap_or(options.date);
        let (turns, names) = turns_of(session, at, options.both)?;
        let started = Instant::now();
        let draft = distil(&turns, SessionBackground::default(), &analyser);
        let took = started.elapsed();
        if options.episodes {
            print_episode(&id, &draft);
        }
        figures.sessions += 1;
        figures.turns += turns.iter().filter(|turn| turn.role == Role::User).count();
        figures.took += took;
        figures.slowest = figures.slowest.max(took);
        present.extend(names.values().cloned());
        for candidate in draft.candidates {
            named.extend(candidate.sources.iter().filter_map(|source| names.get(source).cloned()));
            let turn =
                candidate.sources.first().and_then(|source| names.get(source)).cloned().unwrap_or_default();
            figures.made.push(Made { conversation: id.clone(), turn, candidate });
        }
    }
    let mut evidence: HashSet<String> = HashSet::new();
    for question in
        list(conversation, "questions").filter(|question| text(question, "category") != "adversarial")
    {
        evidence.extend(list(question, "evidence").filter_map(|turn| turn.as_str().map(str::to_owned)));
    }
    evidence.retain(|turn| present.contains(turn));
    figures.evidence += evidence.len();
    figures.covered += evidence.intersection(&named).count();
    Ok(())
}

fn print_episode(conversation: &str, draft: &Draft) {
    let Some(episode) = &draft.episode else { return };
    let entities: Vec<String> =
        draft.entities.iter().map(|one| format!("{} ({})", one.name, one.entity_type)).collect();
    println!("{conversation}: {}", episode.summary);
    println!("  topics: {}", episode.topics.join("; "));
    println!("  dates: {}", episode.key_dates.join("; "));
    println!("  entities: {}\n", entities.join("; "));
}

fn turns_of(
    session: &Value,
    at: Time,
    both: bool,
) -> Result<(Vec<Turn>, HashMap<TurnId, String>), ReportError> {
    let key = SessionKey::new(&Owner::unnamed(), "one".parse()?);
    let mut turns = Vec::new();
    let mut names = HashMap::new();
    for (index, turn) in list(session, "turns").enumerate() {
        let id = TurnId::from_uuid(uuid::Uuid::from_u128(index as u128 + 1));
        names.insert(id.clone(), text(turn, "id"));
        let role = if both { Role::User } else { text(turn, "role").parse()? };
        turns.push(Turn {
            id,
            external_id: None,
            session: key.clone(),
            index: index as u64,
            role,
            speaker: None,
            text: text(turn, "text"),
            tokens: 0,
            at,
            partial: false,
        });
    }
    Ok((turns, names))
}

fn print_figures(figures: &DistilFigures) {
    let made = figures.made.len();
    println!("sessions: {}, turns read: {}", figures.sessions, figures.turns);
    println!("memories: {made}, per 100 turns: {:.1}", 100.0 * made as f64 / figures.turns.max(1) as f64);
    println!(
        "evidence turns that a memory names: {} of {} ({:.1} %)",
        figures.covered,
        figures.evidence,
        100.0 * figures.covered as f64 / figures.evidence.max(1) as f64
    );
    println!("time: {:.1?} in all, slowest session {:.1?}", figures.took, figures.slowest);
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for made in &figures.made {
        *by_rule.entry(made.candidate.made_by.as_str()).or_default() += 1;
    }
    let mut rules: Vec<(&str, usize)> = by_rule.into_iter().collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rules: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    println!("by rule: {}\n", rules.join(", "));
}

/// Places of a sample without repetition, the same for the same seed.
fn sample(figures: &DistilFigures, options: &DistilReportOptions) -> Vec<usize> {
    let mut places: Vec<usize> = (0..figures.made.len()).collect();
    let mut state = options.seed;
    for left in (1..places.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        places.swap(left, (state >> 33) as usize % (left + 1));
    }
    places.truncate(options.sample);
    places
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn day(time: Option<Time>) -> String {
    time.map(|time| time.date().to_string()).unwrap_or_default()
}
