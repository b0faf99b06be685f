//! How far a run of upkeep is, as its steps know it.
//!
//! A stored [`Run`] is anybody's (an import, a purge), so its job, its place and its counts are text and JSON there. What
//! upkeep writes into them is said here and nowhere else; rows of earlier versions read the same.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::JOB;
use crate::types::{Run, Step};

/// Which steps a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    Whole,
    One(Step),
}

impl Course {
    /// Of a run's job; nothing where the run is no upkeep.
    pub fn of(job: &str) -> Option<Self> {
        match job.strip_prefix(JOB)? {
            "" => Some(Self::Whole),
            one => one.strip_prefix(' ')?.parse().ok().map(Self::One),
        }
    }

    pub(super) fn first(self) -> Waypoint {
        match self {
            Self::Whole => Waypoint::begin(Step::ALL[0]),
            Self::One(step) => Waypoint::begin(step),
        }
    }

    /// The step after this one.
    fn after(self, step: Step) -> Option<Step> {
        match self {
            Self::One(_) => None,
            Self::Whole => Step::ALL.iter().copied().find(|other| *other > step),
        }
    }
}

impl From<Option<Step>> for Course {
    fn from(only: Option<Step>) -> Self {
        only.map_or(Self::Whole, Self::One)
    }
}

impl fmt::Display for Course {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => out.write_str(JOB),
            Self::One(step) => write!(out, "{JOB} {step}"),
        }
    }
}

/// The step that a run takes next, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waypoint {
    pub step: Step,
    /// In the step's own words; empty at its beginning.
    pub cursor: String,
}

impl Waypoint {
    fn begin(step: Step) -> Self {
        Self { step, cursor: String::new() }
    }

    /// Of a run; none where it is over.
    pub fn of(run: &Run) -> Option<Self> {
        let (step, cursor) = run.cursor.as_deref()?.split_once(' ')?;
        Some(Self { step: step.parse().ok()?, cursor: cursor.to_owned() })
    }

    /// Where a run goes on after a portion: in the same step, or at the beginning of the next.
    pub(super) fn after(run: &Run, step: Step, next: Option<String>) -> Option<Self> {
        match next {
            Some(cursor) => Some(Self { step, cursor }),
            None => Course::of(&run.job)?.after(step).map(Self::begin),
        }
    }
}

impl fmt::Display for Waypoint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.step, self.cursor)
    }
}

/// What the steps of a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepTally {
    pub done: BTreeMap<Step, u64>,
    /// Why a step did nothing at all.
    pub skipped: BTreeMap<Step, String>,
}

/// The name under which a run keeps why steps did nothing, beside the steps' own.
const SKIPPED: &str = "skipped";

impl StepTally {
    pub fn of(run: &Run) -> Self {
        let done = run.counts.iter().filter_map(|(name, count)| Some((name.parse().ok()?, count.as_u64()?)));
        let reasons = run.counts.get(SKIPPED).and_then(Value::as_object);
        let reason = |(name, why): (&String, &Value)| Some((name.parse().ok()?, why.as_str()?.to_owned()));
        let skipped = reasons.into_iter().flatten().filter_map(reason);
        Self { done: done.collect(), skipped: skipped.collect() }
    }

    pub(super) fn add(&mut self, step: Step, weight: u64, skipped: Option<&str>) {
        *self.done.entry(step).or_default() += weight;
        self.skipped.extend(skipped.map(|why| (step, why.to_owned())));
    }

    /// As a run keeps it.
    pub(super) fn counts(&self) -> Map<String, Value> {
        let mut counts: Map<String, Value> =
            self.done.iter().map(|(step, count)| (step.to_string(), (*count).into())).collect();
        if !self.skipped.is_empty() {
            let reasons = self.skipped.iter().map(|(step, why)| (step.to_string(), why.as_str().into()));
            counts.insert(SKIPPED.to_owned(), Value::Object(reasons.collect()));
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// As the versions before wrote it.
    fn stored(job: &str, cursor: Option<&str>, counts: Value) -> Run {
        let run = json!({ "id": "ru_018f2a00-0000-7000-8000-000000000001", "version": 3, "job": job, "state": "running",
            "cursor": cursor, "counts": counts, "started_at": "2026-05-01T12:00:00Z" });
        serde_json::from_value(run).expect("a run")
    }

    #[test]
    fn what_earlier_versions_stored_is_read_and_written_the_same() {
        let counts = json!({ "expire": 2, "merge": 5, "skipped": { "derive": "there is no model" } });
        let run = stored("tend", Some("merge 123"), counts.clone());
        let tally = StepTally::of(&run);
        assert_eq!(tally.done, [(Step::Expire, 2), (Step::Merge, 5)].into());
        assert_eq!(tally.skipped, [(Step::Derive, "there is no model".to_owned())].into());
        assert_eq!(Value::Object(tally.counts()), counts);
        let at = Waypoint::of(&run).expect("it goes on");
        assert_eq!((at.step, at.cursor.as_str(), at.to_string().as_str()), (Step::Merge, "123", "merge 123"));
    }

    #[test]
    fn a_whole_pass_goes_on_with_the_next_step_and_a_single_one_ends() {
        let whole = stored("tend", Some("merge "), json!({}));
        let next = Waypoint::after(&whole, Step::Merge, None).expect("more steps");
        assert!(next.step > Step::Merge && next.cursor.is_empty());
        let single = stored("tend merge", Some("merge "), json!({}));
        assert_eq!(Waypoint::after(&single, Step::Merge, None), None);
        assert!(Waypoint::after(&single, Step::Merge, Some("9".into())).is_some_and(|at| at.cursor == "9"));
    }

    #[test]
    fn a_job_says_which_steps_it_takes() {
        for course in [Course::Whole, Course::One(Step::Merge), Course::One(Step::Index)] {
            assert_eq!(Course::of(&course.to_string()), Some(course));
        }
        assert_eq!(["import", "tending", "tend nothing"].map(Course::of), [None, None, None]);
    }
}
