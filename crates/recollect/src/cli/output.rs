//! What a command says: answers on stdout, talk on stderr, aligned, and coloured only where somebody looks.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use memory::error::Invalid;
use memory::types::Time;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::limits;
use crate::problem::Problem;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default().bold();

pub struct Output {
    json: bool,
    quiet: bool,
}

impl Output {
    pub fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether answers are wanted as JSON.
    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// One line of an answer.
    pub fn line(&mut self, line: impl Display) -> Result<(), CommandFailure> {
        Ok(writeln!(anstream::stdout(), "{line}")?)
    }

    /// A whole answer, over several lines for a person and on one for a program.
    pub fn answer(&mut self, answer: &impl Serialize) -> Result<(), CommandFailure> {
        let written = match io::stdout().is_terminal() {
            true => serde_json::to_string_pretty(answer),
            false => serde_json::to_string(answer),
        };
        self.line(written.expect("answers are plain data"))
    }

    /// Something that is not the answer.
    pub fn talk(&mut self, text: impl Display) {
        if !self.quiet && !self.json {
            // Nobody may be listening, and that is their right.
            let _ = writeln!(anstream::stderr(), "{text}");
        }
    }

    /// Columns as wide as their widest cell; the last is left ragged.
    pub fn table(&mut self, rows: &[Vec<String>]) -> Result<(), CommandFailure> {
        self.lines(aligned(rows))
    }

    /// A table of things that commands take by their ids, which are so long that a terminal would break every line: there each id
    /// stands under its row. Programs get it first on the line.
    pub fn table_of_ids(&mut self, rows: Vec<IdRow>) -> Result<(), CommandFailure> {
        self.lines(with_ids(rows, io::stdout().is_terminal()))
    }

    /// A table with a sentence under each row for a person at a terminal; programs get the rows alone.
    pub fn explained_table(&mut self, rows: Vec<ExplainedRow>) -> Result<(), CommandFailure> {
        self.lines(with_notes(rows, io::stdout().is_terminal()))
    }

    fn lines(&mut self, lines: Vec<String>) -> Result<(), CommandFailure> {
        lines.into_iter().try_for_each(|line| self.line(line))
    }
}

/// A row of a list, and the id by which commands take what it shows.
pub struct IdRow {
    pub id: String,
    pub cells: Vec<String>,
}

/// A row of a list, and what there is to say about it.
pub struct ExplainedRow {
    pub cells: Vec<String>,
    pub note: String,
}

/// How far what stands under a row is indented.
const UNDER_A_ROW: &str = "      ";

fn with_ids(rows: Vec<IdRow>, on_terminal: bool) -> Vec<String> {
    if on_terminal {
        let noted = rows.into_iter().map(|row| ExplainedRow { cells: row.cells, note: row.id });
        return with_notes(noted.collect(), true);
    }
    let first = |row: IdRow| [vec![styled(DIM, row.id)], row.cells].concat();
    aligned(&rows.into_iter().map(first).collect::<Vec<_>>())
}

fn with_notes(rows: Vec<ExplainedRow>, on_terminal: bool) -> Vec<String> {
    let (cells, notes): (Vec<Vec<String>>, Vec<String>) =
        rows.into_iter().map(|row| (row.cells, row.note)).unzip();
    let rows = aligned(&cells);
    if !on_terminal {
        return rows;
    }
    let under = |note: String| format!("{UNDER_A_ROW}{}", styled(DIM, note));
    rows.into_iter().zip(notes).flat_map(|(row, note)| [row, under(note)]).collect()
}

/// Rows as lines whose columns stand under each other.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - length(cell)));
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

/// A cell in a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Columns of a terminal that a text takes up: a Chinese sign takes two, a colour none.
fn length(cell: &str) -> usize {
    anstream::adapter::strip_str(cell).to_string().width()
}

/// A text whose control characters cannot take over the terminal; line breaks stay.
pub fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

/// A memory on one line: breaks become blanks, and what is too long is cut.
pub fn one_line(text: &str) -> String {
    let mut line = harmless(text).replace('\n', " ");
    if let Some((end, _)) = line.char_indices().nth(limits::LINE_CHARACTERS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// A time to the minute.
pub fn minute(time: Time) -> String {
    let text = time.to_string();
    format!("{} {}Z", &text[..10], &text[11..16])
}

/// Why a command did not end well.
#[derive(Debug)]
pub enum CommandFailure {
    Problem(Problem),
    /// The answer could not be written.
    Output(io::Error),
}

impl From<Problem> for CommandFailure {
    fn from(problem: Problem) -> Self {
        CommandFailure::Problem(problem)
    }
}

impl From<Invalid> for CommandFailure {
    fn from(invalid: Invalid) -> Self {
        CommandFailure::Problem(invalid.into())
    }
}

impl From<io::Error> for CommandFailure {
    fn from(error: io::Error) -> Self {
        CommandFailure::Output(error)
    }
}

impl CommandFailure {
    /// Says it, and gives the exit code. A reader that has seen enough (`| head`) is no failure.
    pub fn report(self, json: bool) -> ExitCode {
        let problem = match self {
            CommandFailure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            CommandFailure::Output(error) => {
                Problem::ours(format!("the answer could not be written: {error}"))
            }
            CommandFailure::Problem(problem) => problem,
        };
        match json {
            // Nobody may be listening, and that is their right.
            true => drop(writeln!(anstream::stderr(), "{}", problem.body())),
            false => explained(&problem),
        }
        ExitCode::from(problem.code.exit())
    }
}

/// Says what is wrong and what to do about it, to a person.
pub fn explained(problem: &Problem) {
    let hint = problem.hint.as_ref().map(|hint| format!("\n{CYAN}hint:{CYAN:#} {hint}")).unwrap_or_default();
    let _ = writeln!(anstream::stderr(), "{RED}error:{RED:#} {}{hint}", problem.message);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_fits_a_line() {
        assert_eq!(one_line("a\nb\tc"), "a b c");
        assert_eq!(harmless("a\nb\u{1b}[31m"), "a\nb [31m");
        let long = "ä".repeat(limits::LINE_CHARACTERS + 1);
        assert_eq!(one_line(&long).chars().count(), limits::LINE_CHARACTERS + 1);
        assert!(one_line(&long).ends_with('…'));
    }

    #[test]
    fn times_are_short() {
        let time: Time = "2026-05-01T10:02:03Z".parse().expect("a time");
        assert_eq!(minute(time), "2026-05-01 10:02Z");
    }

    #[test]
    fn ids_stand_under_what_a_person_reads_and_before_what_a_program_reads() {
        let rows = || {
            let row = |id: &str, kind: &str, text: &str| IdRow {
                id: id.to_owned(),
                cells: vec![kind.to_owned(), text.to_owned()],
            };
            vec![row("mt_1", "fact", "Ada sails"), row("mt_2", "preference", "Tea")]
        };
        let shown = |on_terminal: bool| {
            let lines = with_ids(rows(), on_terminal).join("\n");
            anstream::adapter::strip_str(&lines).to_string()
        };
        assert_eq!(shown(true), "fact        Ada sails\n      mt_1\npreference  Tea\n      mt_2");
        assert_eq!(shown(false), "mt_1  fact        Ada sails\nmt_2  preference  Tea");
    }

    #[test]
    fn what_is_explained_to_people_is_not_to_programs() {
        let rows = || {
            let (cells, note) = (vec!["recallTopK".to_owned(), "10".to_owned()], "How many.".to_owned());
            vec![ExplainedRow { cells, note }]
        };
        let shown = |on_terminal: bool| {
            let lines = with_notes(rows(), on_terminal).join("\n");
            anstream::adapter::strip_str(&lines).to_string()
        };
        assert_eq!(shown(true), "recallTopK  10\n      How many.");
        assert_eq!(shown(false), "recallTopK  10");
    }

    #[test]
    fn a_cell_is_as_wide_as_a_terminal_shows_it() {
        for (cell, width) in [("word", 4), ("東京", 4), ("e\u{301}te\u{301}", 3)] {
            assert_eq!(length(cell), width, "{cell}");
            assert_eq!(length(&styled(BOLD, cell)), width, "colours take no room");
        }
    }
}
