//! What is different between the dialects on their way through: the address upstream, and who can answer.
//!
//! A request goes to the upstream that its model names, whatever that one speaks: many servers speak more than their kind.
//! Where none is named, one of the dialect's own kind is asked, the default where it is one.

use chat::Dialect;
use models::{Upstream, UpstreamWire, Upstreams};

use super::refusal::no_upstream;
use crate::problem::Problem;

/// What Anthropic's own addresses begin with, below an upstream's.
pub const MESSAGES_PATH: &str = "messages";

/// Where a dialect is spoken, below an upstream's address.
pub fn path(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Chat => "chat/completions",
        Dialect::Responses => "responses",
        Dialect::Messages => MESSAGES_PATH,
    }
}

/// Who answers, and what the model is called there.
pub fn choose<'u, 'm>(
    upstreams: &'u Upstreams,
    dialect: Dialect,
    model: &'m str,
) -> Result<(&'u Upstream, &'m str), Problem> {
    let kind = match dialect {
        // Servers of the other kind offer this one too.
        Dialect::Chat => return upstreams.choose(model).ok_or_else(|| no_upstream(dialect)),
        Dialect::Responses => UpstreamWire::OpenAi,
        Dialect::Messages => UpstreamWire::Anthropic,
    };
    let named = model.split_once('/').and_then(|(name, rest)| Some((upstreams.find(name)?, rest)));
    let usual =
        upstreams.default_one().into_iter().chain(upstreams.all()).find(|upstream| upstream.wire == kind);
    named.or(usual.map(|upstream| (upstream, model))).ok_or_else(|| no_upstream(dialect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_has_its_own_kind_unless_a_server_is_named() {
        let list = [
            ("a", UpstreamWire::OpenAi),
            ("b", UpstreamWire::Anthropic),
            ("c", UpstreamWire::OpenAi),
            ("d", UpstreamWire::Anthropic),
        ];
        let list: Vec<Upstream> =
            list.iter().map(|(name, wire)| Upstream::new(name, *wire, "http://x")).collect();
        let check = |default: &str, dialect, model, expected: (&str, &str)| {
            let upstreams = Upstreams::new(list.clone(), Some(default));
            let (upstream, name) = choose(&upstreams, dialect, model).expect("somebody answers");
            assert_eq!((upstream.name.as_str(), name), expected);
        };
        check("c", Dialect::Responses, "m", ("c", "m"));
        check("d", Dialect::Responses, "m", ("a", "m"));
        check("c", Dialect::Messages, "m", ("b", "m"));
        check("d", Dialect::Messages, "vendor/m", ("d", "vendor/m"));
        check("d", Dialect::Messages, "c/m", ("c", "m"));
        check("d", Dialect::Chat, "m", ("d", "m"));
        let none = Upstreams::new(vec![list[0].clone()], None);
        assert!(choose(&none, Dialect::Messages, "m").is_err());
        assert!(choose(&Upstreams::default(), Dialect::Responses, "m").is_err());
    }
}
