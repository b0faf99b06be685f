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
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width + 2 - length(cell)));
            }
            self.line(line.trim_end())?;
        }
        Ok(())
    }
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
    fn a_cell_is_as_wide_as_a_terminal_shows_it() {
        for (cell, width) in [("word", 4), ("東京", 4), ("e\u{301}te\u{301}", 3)] {
            assert_eq!(length(cell), width, "{cell}");
            assert_eq!(length(&styled(BOLD, cell)), width, "colours take no room");
        }
    }
}
