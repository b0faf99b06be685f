//! `recollect doctor FILE`: a mem0 export, judged as it streams by and not taken in.
//!
//! The score is the share of memories with which nothing is wrong. Exit codes: 0 where that is all of them, 4 where there is junk.

use std::collections::BTreeMap;
use std::path::Path;

use memory::checkup::foreign::{Auditor, SORTS};
use memory::text::Analyser;
use serde::Serialize;

use super::JUNK;
use crate::cli::CommandEnd;
use crate::cli::output::{BOLD, CommandFailure, DIM, Output, one_line, styled};
use crate::cli::receipts::counted;
use crate::limits;
use crate::problem::{Code, Problem};
use transfer::import_model::{ImportedMemory, ImportedRecord, UnreadableFile};
use transfer::mem0;

/// What an export is worth.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Audited {
    memories: u64,
    /// Those with which something is wrong.
    junk: u64,
    /// Of a hundred, those with which nothing is wrong.
    score: u8,
    findings: Vec<AuditFinding>,
    /// Records that could not be read.
    errors: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditFinding {
    sort: &'static str,
    means: &'static str,
    count: u64,
    /// Where the first of them stand, and the earlier memory that it is too many beside.
    examples: Vec<AuditExample>,
}

#[derive(Debug, Serialize)]
struct AuditExample {
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<String>,
    /// For a person's eyes.
    #[serde(skip)]
    line: String,
}

pub fn run(file: &Path, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
    let audited = audit(file)?;
    if out.wants_json() {
        out.answer(&audited)?;
    } else {
        print(&audited, out)?;
    }
    Ok(if audited.junk == 0 { CommandEnd::Well } else { CommandEnd::Found(JUNK) })
}

fn audit(file: &Path) -> Result<Audited, Problem> {
    let analyser = Analyser::default();
    let mut auditor = Auditor::new(&analyser);
    let mut audited = Audited::default();
    let mut sorts: BTreeMap<&'static str, AuditFinding> = BTreeMap::new();
    for piece in mem0::read(file).map_err(broken)? {
        let piece = piece.map_err(broken)?;
        let note = match piece.what {
            Ok(ImportedRecord::Memory(note)) => note,
            // The graph of an export holds names and not sentences.
            Ok(_) => continue,
            Err(_) => {
                audited.errors += 1;
                continue;
            }
        };
        audited.memories += 1;
        let number = u32::try_from(audited.memories).unwrap_or(u32::MAX);
        let wrong = auditor.judge(number, &owner(&note), &note.content);
        audited.junk += u64::from(!wrong.is_empty());
        for (name, beside) in wrong {
            let known = sorts.entry(name).or_insert_with(|| sort(name));
            known.count += 1;
            if known.examples.len() < memory::limits::CHECKUP_EXAMPLES {
                let beside = beside.map(|number| format!("memory {number}"));
                known.examples.push(AuditExample {
                    place: piece.place.clone(),
                    beside,
                    line: one_line(&note.content),
                });
            }
        }
    }
    audited.findings = sorts.into_values().collect();
    audited.findings.sort_by_key(|sort| std::cmp::Reverse(sort.count));
    let clean = audited.memories - audited.junk;
    audited.score = (clean * 100).checked_div(audited.memories).map_or(100, |share| share as u8);
    Ok(audited)
}

fn sort(name: &'static str) -> AuditFinding {
    let means = SORTS.iter().find(|(sort, _)| *sort == name).map_or("", |(_, means)| means);
    AuditFinding { sort: name, means, count: 0, examples: Vec::new() }
}

/// Whose it is; memories of different owners are compared with their own alone.
fn owner(note: &ImportedMemory) -> String {
    let parts = [
        note.user.as_ref().map(|id| id.as_str()),
        note.agent.as_ref().map(|id| id.as_str()),
        note.session.as_ref().map(|id| id.as_str()),
    ];
    let named: Vec<&str> = parts.into_iter().flatten().collect();
    named.join("\u{1f}")
}

fn broken(broken: UnreadableFile) -> Problem {
    Problem::new(Code::InvalidInput, format!("the file cannot be read as a mem0 export: {broken}"))
        .hint("expected JSON with a list of memories, or an object with `results` or `memories`")
}

fn print(audited: &Audited, out: &mut Output) -> Result<(), CommandFailure> {
    for sort in &audited.findings {
        out.line(format!(
            "{}  {} of {}  {}",
            styled(BOLD, sort.sort),
            sort.count,
            audited.memories,
            sort.means
        ))?;
        for example in sort.examples.iter().take(limits::EXAMPLES_SHOWN) {
            let beside =
                example.beside.as_ref().map(|beside| format!(" (beside {beside})")).unwrap_or_default();
            out.line(format!("  {}{beside}  {}", styled(DIM, &example.place), example.line))?;
        }
    }
    if audited.errors > 0 {
        out.talk(format!("could not be read: {}", counted("records", audited.errors)));
    }
    out.line(format!(
        "score {} of 100: worth taking in are {} of {}",
        styled(BOLD, audited.score),
        audited.memories - audited.junk,
        counted("memories", audited.memories)
    ))
}
