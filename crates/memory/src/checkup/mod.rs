//! The check-up: what can be wrong with a store, by stable codes, and how well it is.
//!
//! [`table`] lists every check. The store looks at what only it sees (integrity, words, vectors, counts, orphans), [`junk`] judges what
//! is remembered, and the surface adds the machine around them. All of them speak in [`Finding`]s: how many, which, never what they
//! say. [`score`] makes one number of them. [`foreign`] judges memories of other systems before anybody takes them in.

pub mod foreign;
pub mod junk;
pub mod score;
mod slots;
mod table;

use serde::{Deserialize, Serialize};

pub use table::{CHECKS, Check, Repair};

use crate::limits;

/// Where a check looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    Configuration,
    Disk,
    Database,
    Index,
    Vectors,
    Statistics,
    Orphans,
    Waiting,
    Isolation,
    Junk,
}

impl Area {
    pub const ALL: &'static [Area] = &[
        Area::Configuration,
        Area::Disk,
        Area::Database,
        Area::Index,
        Area::Vectors,
        Area::Statistics,
        Area::Orphans,
        Area::Waiting,
        Area::Isolation,
        Area::Junk,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Area::Configuration => "configuration",
            Area::Disk => "disk",
            Area::Database => "database",
            Area::Index => "index",
            Area::Vectors => "vectors",
            Area::Statistics => "statistics",
            Area::Orphans => "orphans",
            Area::Waiting => "waiting",
            Area::Isolation => "isolation",
            Area::Junk => "junk",
        }
    }
}

/// How grave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is wrong with what is remembered.
    Notice,
    /// The store is sound, and what it remembers is poor.
    Junk,
    /// Something does not work, or will not.
    Fault,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Notice => "notice",
            Severity::Junk => "junk",
            Severity::Fault => "fault",
        }
    }
}

/// What a check found: how many, and which. Never what they say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub code: String,
    pub count: u64,
    /// How many there are of what it looked at.
    pub of: u64,
    /// The first of them, by id or name.
    pub examples: Vec<String>,
    /// Those among them that a person wrote, pinned or changed: they are left to the person.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_to_people: u64,
    /// What is wrong in particular, where the code does not say it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Finding {
    /// Nothing found yet, of so many.
    pub fn new(code: &str, of: u64) -> Self {
        debug_assert!(find(code).is_some(), "{code} is in the table");
        Self { code: code.to_owned(), count: 0, of, examples: Vec::new(), left_to_people: 0, detail: None }
    }

    /// One thing that was found.
    pub fn one(code: &str, example: impl Into<String>) -> Self {
        let mut finding = Self::new(code, 1);
        finding.add(example);
        finding
    }

    pub fn add(&mut self, example: impl Into<String>) {
        self.count += 1;
        if self.examples.len() < limits::CHECKUP_EXAMPLES {
            self.examples.push(example.into());
        }
    }

    #[must_use]
    pub fn because(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Itself, where anything was found.
    pub fn found(self) -> Option<Self> {
        (self.count > 0).then_some(self)
    }

    pub fn check(&self) -> &'static Check {
        find(&self.code).unwrap_or(&UNKNOWN)
    }
}

/// What another version found: it is told, and nothing is done about it.
const UNKNOWN: Check = Check {
    code: "unknown",
    area: Area::Database,
    severity: Severity::Notice,
    means: "another version of this program knows what it means",
    repair: Repair::None("use that version"),
};

/// The check of a code.
pub fn find(code: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.code == code)
}

/// Which checks are asked for: all, or those whose codes are named, or begin with a name and a dot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckSelection(Option<Vec<String>>);

impl CheckSelection {
    /// The names that mean no check are given back.
    pub fn of(names: &[String]) -> Result<Self, Vec<String>> {
        if names.is_empty() {
            return Ok(Self(None));
        }
        let unknown = names.iter().filter(|name| !CHECKS.iter().any(|check| is_named(check, name)));
        let unknown: Vec<String> = unknown.cloned().collect();
        if unknown.is_empty() { Ok(Self(Some(names.to_vec()))) } else { Err(unknown) }
    }

    pub fn has(&self, code: &str) -> bool {
        let Some(names) = &self.0 else { return true };
        find(code).is_some_and(|check| names.iter().any(|name| is_named(check, name)))
    }

    pub fn has_any(&self, codes: &[&str]) -> bool {
        codes.iter().any(|code| self.has(code))
    }
}

fn is_named(check: &Check, name: &str) -> bool {
    check.code == name
        || check.area.as_str() == name
        || check.code.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_grouped_by_area() {
        let mut codes: Vec<&str> = CHECKS.iter().map(|check| check.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), CHECKS.len());
        assert!(CHECKS.is_sorted_by_key(|check| check.area));
    }

    #[test]
    fn a_choice_is_by_code_by_area_or_by_beginning() {
        let choice = |name: &str| CheckSelection::of(&[name.to_owned()]);
        assert!(choice("junk").expect("an area").has("junk.duplicates"));
        assert!(choice("pending").expect("a beginning").has("pending.dead"));
        let one = choice("index.damaged").expect("a code");
        assert!(one.has("index.damaged") && !one.has("index.stray-words"));
        assert_eq!(choice("polish"), Err(vec!["polish".to_owned()]));
        assert!(CheckSelection::default().has("junk.duplicates"));
    }
}
