//! `recollect search`.

use std::str::FromStr;

use clap::Args;
use memory::recall::{Fusion, Path, Strategy};
use memory::types::{Scope, UnknownWord};

use super::arguments::{self, Clocks, FilterArguments};
use super::output::{BOLD, CommandFailure, DIM, minute, one_line, styled};
use super::words::{self, WordParser};
use super::{CommandContext, CommandEnd};
use crate::ops::explain::Scores;
use crate::ops::search::{Search, SearchHit, SearchPlace};
use crate::problem::Problem;

/// Find what is remembered about something, by words and by meaning
#[derive(Debug, Args)]
#[command(after_help = "\
Any text is a query. Plain words are alternatives, the best matches come first. These mean more:
  \"in a row\"      the words in this order
  tea AND milk    both; OR: one of them; NOT: without the next
  irv*            words that begin so

Examples:
  recollect search irvine
  recollect search --top-k 3 --kind preference what do I like to drink
  recollect search --scope transcript --explain what did Ada say about tea
  recollect search --as-of 2025-12-31 '\"where I live\" OR home'")]
pub struct SearchCommand {
    /// What to look for; `-` reads it from stdin
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// How many results at most [default: the setting recallTopK]
    #[arg(long, short = 'k', value_name = "NUMBER")]
    top_k: Option<usize>,
    /// Where to look: pinned (memories), episodes, transcript, graph or all [default: all]; or only memories that are for
    /// thread, user, persona or organization; repeat it for several of these
    #[arg(long = "scope", value_name = "SCOPE", value_parser = Where::parser(), hide_possible_values = true)]
    scopes: Vec<Where>,
    /// hybrid (words and meaning), semantic (meaning alone) or recent (the newest first)
    /// [default: the setting searchStrategy]
    #[arg(long, value_name = "STRATEGY", value_parser = words::strategies(), hide_possible_values = true)]
    strategy: Option<Strategy>,
    /// How words and meaning become one score: weighted or rrf [default: the setting fusion]
    #[arg(long, value_name = "FUSION", value_parser = words::fusions(), hide_possible_values = true)]
    fusion: Option<Fusion>,
    /// Show what each score is made of
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    filters: FilterArguments,
    #[command(flatten)]
    clocks: Clocks,
}

/// A word after `--scope`: where to look, or for whom the memories are. No word means both.
#[derive(Debug, Clone, Copy)]
enum Where {
    Place(SearchPlace),
    Scope(Scope),
}

impl Where {
    fn parser() -> WordParser<Where> {
        let places = ["pinned", "episodes", "transcript", "graph", "all"];
        WordParser::of(places.into_iter().chain(Scope::ALL.iter().map(|scope| scope.as_str())))
    }
}

impl FromStr for Where {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let scope = text.parse().map(Where::Scope);
        let place = || text.parse().map(Where::Place);
        scope.or_else(|_: UnknownWord| place()).map_err(|unknown: UnknownWord| {
            let scopes = Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
            UnknownWord { expected: format!("{}, or {scopes}", unknown.expected), ..unknown }
        })
    }
}

impl SearchCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let query = arguments::text(&self.query)?;
        let (place, scopes) = places(&self.scopes)?;
        let filter = self.filters.selection(&desk.who, scopes, self.clocks);
        let request = Search {
            query,
            place,
            top_k: self.top_k,
            strategy: self.strategy,
            fusion: self.fusion,
            filter,
            explain: self.explain,
            with_records: false,
            only_own: false,
            counts_use: false,
        };
        let found = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&found)?;
            return Ok(CommandEnd::Well);
        }
        for hit in &found.results {
            print(desk, hit)?;
        }
        match (found.results.is_empty(), found.path) {
            (true, Path::SkippedEmptyStore) => {
                desk.out.talk("nothing is remembered yet; `recollect add TEXT` changes that")
            }
            (true, _) => desk.out.talk("nothing found"),
            (false, Path::Like) => desk.out.talk("found by the letters of the text, not by its words"),
            (false, Path::KeywordAfterEmbedError) => {
                desk.out.talk("found by words alone: the embedding model failed")
            }
            (false, _) => {}
        }
        Ok(CommandEnd::Well)
    }
}

fn places(given: &[Where]) -> Result<(SearchPlace, Vec<Scope>), Problem> {
    let mut place = None;
    let mut scopes = Vec::new();
    for word in given {
        match word {
            Where::Scope(scope) => scopes.push(*scope),
            Where::Place(named) if place.is_none_or(|place| place == *named) => place = Some(*named),
            Where::Place(_) => {
                let message = "two places to look in are given; expected pinned, episodes, transcript or all";
                return Err(Problem::invalid(message));
            }
        }
    }
    Ok((place.unwrap_or_default(), scopes))
}

fn print(desk: &mut CommandContext, hit: &SearchHit) -> Result<(), CommandFailure> {
    desk.out.line(format!("{}  {}", styled(BOLD, format!("{:.2}", hit.score)), one_line(&hit.content)))?;
    desk.out.line(format!("      {}", styled(DIM, about(hit))))?;
    if let Some(scores) = &hit.scores {
        let rows: Vec<Vec<String>> = parts(scores);
        desk.out.table(&rows)?;
    }
    Ok(())
}

/// The second line of a result: what it is, from when, and whose words they are.
fn about(hit: &SearchHit) -> String {
    let what = hit.kind.map_or_else(|| hit.scope.to_string(), |kind| kind.to_string());
    let mut about = format!("{}  {what}  {}", hit.id, minute(hit.created_at));
    let speaker = hit.speaker.clone().or_else(|| hit.role.map(|role| role.to_string()));
    let conversation = hit.source.conversation_id.as_ref().filter(|_| hit.kind.is_none());
    let conversation = conversation.map(ToString::to_string);
    for word in [speaker, conversation].into_iter().flatten() {
        about.push_str(&format!("  {}", one_line(&word)));
    }
    for tag in &hit.tags {
        about.push_str(&format!("  #{}", one_line(tag)));
    }
    about
}

/// The parts that count for something, the largest first.
fn parts(scores: &Scores) -> Vec<Vec<String>> {
    let mut parts: Vec<_> = scores.iter().filter(|(_, part)| part.contribution != 0.0).collect();
    parts.sort_by(|left, right| right.1.contribution.abs().total_cmp(&left.1.contribution.abs()));
    let row = |(name, part): (&String, &crate::ops::explain::PartScore)| {
        let number = |number: f64| format!("{number:>6.3}");
        vec![
            format!("      {name}"),
            number(part.value),
            styled(DIM, "×"),
            number(part.weight),
            styled(DIM, "="),
            number(part.contribution),
        ]
    };
    parts.into_iter().map(row).collect()
}
