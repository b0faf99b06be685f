//! mem0's filters: clauses alone or under `AND`, each a field and what it must be.
//!
//! `OR` and `NOT` are refused, and so is a field that is unknown: a filter that is passed over matches too much.

use std::fmt::Display;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::fields::Fields;
use crate::mcp::desk::Desk;
use crate::ops::select::Selection;
use crate::problem::Problem;

const EXPECTED: &str = "expected user_id, agent_id, run_id or created_at, alone or in a list under AND";

/// What `filters` let through; whose memory it is stays that of the connection where they do not say.
pub fn selection(desk: &Desk, given: &Fields<'_>) -> Result<Selection, Problem> {
    let mut selection = Selection::default();
    match given.get("filters") {
        None => {}
        Some(Value::Object(filters)) => narrow(&mut selection, filters, 0)?,
        Some(_) => return Err(wrong(format!("they are no object; {EXPECTED}"))),
    }
    let usual = desk.selection();
    selection.user = selection.user.or(usual.user);
    selection.agent = selection.agent.or(usual.agent);
    Ok(selection)
}

pub fn refuse_application(given: Option<&Value>) -> Result<(), Problem> {
    match given {
        Some(value) if !value.is_null() => {
            let message =
                "`app_id`: applications are not told apart here; expected user_id, agent_id or run_id";
            Err(Problem::field("app_id", message))
        }
        _ => Ok(()),
    }
}

/// `AND` inside `AND` is as deep as anybody nests it.
const DEEPEST: usize = 2;

fn narrow(selection: &mut Selection, clauses: &Map<String, Value>, depth: usize) -> Result<(), Problem> {
    for (name, wanted) in clauses {
        match name.as_str() {
            "AND" if depth < DEEPEST => {
                let list = wanted.as_array().ok_or_else(|| wrong(format!("`AND` is no list; {EXPECTED}")))?;
                for clause in list {
                    let clause = clause
                        .as_object()
                        .ok_or_else(|| wrong(format!("a clause is no object; {EXPECTED}")))?;
                    narrow(selection, clause, depth + 1)?;
                }
            }
            "user_id" => selection.user = one(name, wanted)?,
            "agent_id" => selection.agent = one(name, wanted)?,
            "run_id" => selection.session = one(name, wanted)?,
            "created_at" => within(selection, wanted)?,
            "app_id" => refuse_application(Some(wanted))?,
            _ => {
                let shown = memory::error::shown(name);
                return Err(wrong(format!("`{shown}` is not supported; {EXPECTED}")));
            }
        }
    }
    Ok(())
}

/// A value, or `{"in": [value]}`; `*` means any.
fn one<T: FromStr<Err: Display>>(name: &str, wanted: &Value) -> Result<Option<T>, Problem> {
    let wanted = match wanted.get("in").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => only,
        Some(_) => return Err(wrong(format!("`{name}`: several are asked for at once; expected one"))),
        None => wanted,
    };
    match wanted {
        Value::String(text) if text == "*" => Ok(None),
        Value::String(text) => text.parse().map(Some).map_err(|error| wrong(format!("`{name}`: {error}"))),
        Value::Number(number) => {
            number.to_string().parse().map(Some).map_err(|error| wrong(format!("`{name}`: {error}")))
        }
        _ => Err(wrong(format!("`{name}`: expected text"))),
    }
}

/// `{"gte": …, "lt": …}`; what is at the very moment counts on both sides.
fn within(selection: &mut Selection, wanted: &Value) -> Result<(), Problem> {
    let bounds =
        wanted.as_object().ok_or_else(|| wrong("`created_at`: expected an object with gte or lt".into()))?;
    for (name, moment) in bounds {
        let text = moment.as_str().ok_or_else(|| wrong(format!("`created_at.{name}`: expected text")))?;
        let moment = text.parse().map_err(|error| wrong(format!("`created_at.{name}`: {error}")))?;
        match name.as_str() {
            "gte" | "gt" => selection.since = Some(moment),
            "lte" | "lt" => selection.until = Some(moment),
            _ => return Err(wrong("`created_at`: expected gte, gt, lte or lt".into())),
        }
    }
    Ok(())
}

fn wrong(message: String) -> Problem {
    Problem::field("filters", format!("`filters`: {message}"))
}
