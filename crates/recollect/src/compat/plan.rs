//! How much of a filter the store can do by itself.
//!
//! A [`Plan`] is a few selections that together let through everything the filter lets through, and perhaps more. Where
//! it is exact the store's answer is the answer; where it is not, each memory is held against the filter once more.

use memory::types::Time;
use serde_json::Value;

use transfer::compat::mem0::filter::{Comparison, FilterTest, Is, Mem0Field};

use crate::limits;
use crate::ops::select::Selection;

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What any of these lets through; none means nothing.
    pub alternatives: Vec<Selection>,
    /// They let through nothing else.
    pub exact: bool,
}

impl Plan {
    pub fn of(test: &FilterTest) -> Self {
        match test {
            FilterTest::All(tests) => tests.iter().map(Plan::of).fold(Self::everything(true), Plan::and),
            FilterTest::Any(tests) => {
                let nothing = Self { alternatives: Vec::new(), exact: true };
                tests.iter().map(Plan::of).fold(nothing, Plan::or)
            }
            FilterTest::Is(field, is) => Self::of_field(field, is).unwrap_or(Self::everything(false)),
            FilterTest::Not(_) => Self::everything(false),
        }
    }

    fn everything(exact: bool) -> Self {
        Self { alternatives: vec![Selection::default()], exact }
    }

    fn of_field(field: &Mem0Field, is: &Is) -> Option<Self> {
        let alternatives = match (field, is) {
            (Mem0Field::User | Mem0Field::Agent | Mem0Field::Run, Is::OneOf(values)) => {
                values.iter().filter_map(|value| named(field, value)).collect()
            }
            (Mem0Field::Created, Is::Compared(bound, Value::String(at))) => {
                vec![within(*bound, at.parse().ok()?)]
            }
            _ => return None,
        };
        Some(Self { alternatives, exact: true }.bounded())
    }

    fn and(self, other: Self) -> Self {
        let both = |left: &Selection| {
            other.alternatives.iter().filter_map(|right| intersection(left, right)).collect::<Vec<_>>()
        };
        let alternatives = self.alternatives.iter().flat_map(both).collect();
        Self { alternatives, exact: self.exact && other.exact }.bounded()
    }

    fn or(mut self, other: Self) -> Self {
        for selection in other.alternatives {
            if !self.alternatives.contains(&selection) {
                self.alternatives.push(selection);
            }
        }
        Self { exact: self.exact && other.exact, ..self }.bounded()
    }

    /// Too many ways to ask are asked as one that is wider.
    fn bounded(self) -> Self {
        let wide = self.alternatives.contains(&Selection::default());
        let many = self.alternatives.len() > limits::FILTER_ALTERNATIVES;
        if many || (wide && self.alternatives.len() > 1) {
            return Self::everything(wide && self.exact);
        }
        self
    }
}

/// What cannot be a name lets nothing through.
fn named(field: &Mem0Field, value: &Value) -> Option<Selection> {
    let text = value.as_str()?;
    let mut selection = Selection::default();
    match field {
        Mem0Field::User => selection.user = Some(text.parse().ok()?),
        Mem0Field::Agent => selection.agent = Some(text.parse().ok()?),
        _ => selection.session = Some(text.parse().ok()?),
    }
    Some(selection)
}

fn within(bound: Comparison, at: Time) -> Selection {
    let next = Time::from_microseconds(at.microseconds() + 1);
    match bound {
        Comparison::AtLeast => Selection { since: Some(at), ..Selection::default() },
        Comparison::Above => Selection { since: Some(next), ..Selection::default() },
        Comparison::Below => Selection { until: Some(at), ..Selection::default() },
        Comparison::AtMost => Selection { until: Some(next), ..Selection::default() },
    }
}

fn intersection(left: &Selection, right: &Selection) -> Option<Selection> {
    fn same<T: PartialEq + Clone>(left: &Option<T>, right: &Option<T>) -> Option<Option<T>> {
        match (left, right) {
            (Some(one), Some(other)) if one != other => None,
            _ => Some(left.clone().or_else(|| right.clone())),
        }
    }
    let (since, until) = (left.since.max(right.since), earlier(left.until, right.until));
    Some(Selection {
        user: same(&left.user, &right.user)?,
        agent: same(&left.agent, &right.agent)?,
        session: same(&left.session, &right.session)?,
        since,
        until,
        ..Selection::default()
    })
}

fn earlier(left: Option<Time>, right: Option<Time>) -> Option<Time> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(filter: Value) -> Plan {
        Plan::of(&FilterTest::read("filters", &filter).expect("a sound filter"))
    }

    #[test]
    fn names_and_times_are_the_stores_work() {
        let of = |user: &str| Selection { user: Some(user.parse().expect("an id")), ..Selection::default() };
        assert_eq!(plan(json!({})), Plan { alternatives: vec![Selection::default()], exact: true });
        assert_eq!(plan(json!({ "user_id": "a" })), Plan { alternatives: vec![of("a")], exact: true });
        let either = json!({ "OR": [{ "user_id": "a" }, { "user_id": { "in": ["b", "a"] } }] });
        assert_eq!(plan(either), Plan { alternatives: vec![of("a"), of("b")], exact: true });
        let both = json!({ "AND": [{ "user_id": "a" }, { "user_id": "b" }] });
        assert_eq!(plan(both), Plan { alternatives: Vec::new(), exact: true });
        let narrowed = plan(json!({ "user_id": "a", "place": "Oslo" }));
        assert_eq!(narrowed, Plan { alternatives: vec![of("a")], exact: false });
        let window = plan(json!({ "created_at": { "gte": "2026-05-01", "lt": "2026-06-01" } }));
        assert!(
            window.exact && window.alternatives[0].since.is_some() && window.alternatives[0].until.is_some()
        );
        let wide = plan(json!({ "OR": [{ "user_id": "a" }, { "place": "Oslo" }] }));
        assert_eq!(wide, Plan { alternatives: vec![Selection::default()], exact: false });
    }
}
