//! Words of closed lists as arguments: read by their own reader, which takes other spellings too, and told to shells for completion.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use memory::recall::{Fusion, Strategy};
use memory::types::{JudgedBy, Judgement, Kind, Layer, Scope, Status, Step};
use store::Role;
use transfer::TransferFormat;

/// Reads a word of a list.
#[derive(Debug, Clone)]
pub struct WordParser<T> {
    words: Vec<&'static str>,
    of: PhantomData<fn() -> T>,
}

impl<T> WordParser<T> {
    pub fn of(words: impl IntoIterator<Item = &'static str>) -> Self {
        Self { words: words.into_iter().collect(), of: PhantomData }
    }
}

impl<T> TypedValueParser for WordParser<T>
where
    T: FromStr<Err: Into<Box<dyn std::error::Error + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let read: fn(&str) -> Result<T, T::Err> = T::from_str;
        TypedValueParser::parse_ref(&read, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}

pub fn kinds() -> WordParser<Kind> {
    WordParser::of(Kind::ALL.iter().map(|word| word.as_str()))
}

pub fn layers() -> WordParser<Layer> {
    WordParser::of(Layer::ALL.iter().map(|word| word.as_str()))
}

pub fn scopes() -> WordParser<Scope> {
    WordParser::of(Scope::ALL.iter().map(|word| word.as_str()))
}

pub fn statuses() -> WordParser<Status> {
    WordParser::of(Status::ALL.iter().map(|word| word.as_str()))
}

pub fn steps() -> WordParser<Step> {
    WordParser::of(Step::ALL.iter().map(|word| word.as_str()))
}

pub fn judgements() -> WordParser<Judgement> {
    WordParser::of(Judgement::ALL.iter().map(|word| word.as_str()))
}

pub fn judges() -> WordParser<JudgedBy> {
    WordParser::of(["person", "agent"])
}

pub fn strategies() -> WordParser<Strategy> {
    WordParser::of(["hybrid", "semantic", "recent"])
}

pub fn fusions() -> WordParser<Fusion> {
    WordParser::of(["weighted", "rrf"])
}

pub fn roles() -> WordParser<Role> {
    WordParser::of(["read", "memory", "admin"])
}

pub fn formats() -> WordParser<TransferFormat> {
    WordParser::of(TransferFormat::ALL.iter().map(|word| word.as_str()))
}

pub fn written_formats() -> WordParser<TransferFormat> {
    let written = TransferFormat::ALL.iter().filter(|format| format.is_exported());
    WordParser::of(written.map(|word| word.as_str()))
}
