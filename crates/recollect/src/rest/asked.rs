//! What a request's address says: the parameters behind `?`, and the name inside the path.
//!
//! A parameter that is empty says nothing. One that a route does not know is passed over; one that it knows and that is
//! wrong is a 400 that names it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;

use crate::app::AppState;
use crate::limits;
use crate::problem::{Code, Problem};

/// The parameters behind `?`.
pub struct Asked(BTreeMap<String, String>);

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pages {
    pub limit: usize,
    pub offset: usize,
}

impl Asked {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.trim().is_empty())
    }

    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        self.text(name).map(|text| text.parse().map_err(|error| wrong(name, error))).transpose()
    }

    pub fn whole(&self, name: &str) -> Result<Option<usize>, Problem> {
        let number = |text: &str| text.parse().map_err(|_| wrong(name, "expected a whole number"));
        self.text(name).map(number).transpose()
    }

    pub fn switch(&self, name: &str) -> Result<Option<bool>, Problem> {
        match self.text(name) {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(_) => Err(wrong(name, "expected true or false")),
        }
    }

    /// `limit` with `offset`, or with `page` from 1.
    pub fn pages(&self) -> Result<Pages, Problem> {
        let limit = self.whole("limit")?.unwrap_or(limits::PAGE_USUAL_ROWS);
        if !(1..=limits::PAGE_MOST_ROWS).contains(&limit) {
            let message = format!("it is {limit}; expected from 1 to {}", limits::PAGE_MOST_ROWS);
            return Err(wrong("limit", message));
        }
        let bounded = |name: &str| match self.whole(name)? {
            Some(number) if number > limits::PAGE_FARTHEST => {
                let message = format!("it is {number}; expected at most {}", limits::PAGE_FARTHEST);
                Err(wrong(name, message))
            }
            number => Ok(number),
        };
        let offset = match (bounded("offset")?, bounded("page")?) {
            (Some(offset), _) => offset,
            (None, Some(0)) => return Err(wrong("page", "it is 0; expected 1 for the first")),
            (None, Some(page)) => (page - 1).saturating_mul(limit),
            (None, None) => 0,
        };
        Ok(Pages { limit, offset })
    }
}

impl Pages {
    /// From 1.
    pub fn page(self) -> usize {
        self.offset / self.limit + 1
    }

    pub fn count(self, total: u64) -> u64 {
        total.div_ceil(self.limit as u64)
    }
}

impl FromRequestParts<AppState> for Asked {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let Query(pairs) = query.map_err(|_| Problem::invalid("the parameters cannot be read"))?;
        // Of a parameter that is given twice, the last counts.
        Ok(Self(pairs.into_iter().collect()))
    }
}

/// The one name in a path, as it was meant: what cannot be a name of anything names nothing.
pub struct Named(pub String);

impl Named {
    /// As an id of something, which the 404 names.
    pub fn of<T: FromStr>(&self, what: &str) -> Result<T, Problem> {
        self.0.parse().map_err(|_| nothing(what, &self.0))
    }
}

impl FromRequestParts<AppState> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Self(name)),
            Err(_) => Err(Problem::new(Code::NotFound, "nothing can have this name")),
        }
    }
}

/// There is no such thing.
pub fn nothing(what: &str, name: &str) -> Problem {
    let name: String = name.chars().filter(|character| !character.is_control()).take(60).collect();
    Problem::new(Code::NotFound, format!("there is no {what} {name}"))
}

/// A parameter that is to blame.
pub fn wrong(name: &str, message: impl Display) -> Problem {
    Problem::field(name, format!("`{name}`: {message}"))
}
