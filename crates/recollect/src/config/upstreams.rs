//! The servers of models: `[upstreams.NAME]` tables of a file or, where there are none, the variables that other tools use.
//!
//! Read by hand like the rest of a file, so that each mistake is named with its line and with what was expected. A key's
//! value is in no message.

use std::time::Duration;

use models::{MemoryShare, ProviderSecret, Upstream, UpstreamWire, upstream};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{ConfigReader, camel};
use super::{ValueSource, nearest};
use crate::environment::{self, Environment};
use crate::problem::{Code, Problem};

/// What a table may hold, with what is allowed.
static FIELDS: &[(&str, &str)] = &[
    ("kind", UpstreamWire::ALLOWED),
    ("baseUrl", "an address such as https://api.openai.com/v1"),
    ("apiKey", "a key on one line"),
    ("apiKeyVariable", "the name of an environment variable that holds the key"),
    ("headers", "a table of texts, such as { X-Team = \"seven\" }"),
    ("defaultModel", "the name of a model"),
    ("inputPrice", "the price of a million tokens, 0 or more"),
    ("outputPrice", "the price of a million tokens, 0 or more"),
    ("jsonSchema", "true or false"),
    ("timeoutSeconds", "a whole number from 1 to 600"),
    ("injectionPlacement", "beforeLastUser, systemFirst, systemAppend or lastUser"),
    ("memory", MemoryShare::ALLOWED),
];

/// A server as a file describes it.
pub struct UpstreamEntry {
    pub upstream: Upstream,
    pub line: usize,
}

/// The tables under `upstreams`, in the order of the file.
pub fn read(
    reader: &ConfigReader<'_>,
    start: usize,
    value: &DeValue<'_>,
) -> Result<Vec<UpstreamEntry>, Problem> {
    let names = || FIELDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let section = || {
        let expected = format!("`upstreams` is a section; expected [upstreams.NAME] with {}", names());
        reader.refuse(start, &expected)
    };
    let DeValue::Table(tables) = value else { return Err(section()) };
    let mut entries: Vec<UpstreamEntry> = Vec::new();
    let mut tables: Vec<_> = tables.iter().collect();
    tables.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in tables {
        let (start, text) = (name.span().start, name.get_ref().as_ref());
        let DeValue::Table(table) = value.get_ref() else { return Err(section()) };
        upstream::check_name(text)
            .map_err(|why| reader.refuse(start, &format!("`{text}` cannot name an upstream; {why}")))?;
        if let Some(twin) = entries.iter().find(|entry| entry.upstream.name.eq_ignore_ascii_case(text)) {
            let twin = format!(
                "`upstreams.{text}` stands twice; the other is `{}` in line {}",
                twin.upstream.name, twin.line
            );
            return Err(reader.refuse(start, &twin));
        }
        entries.push(UpstreamEntry {
            upstream: table_of(reader, text, start, table)?,
            line: reader.line(start),
        });
    }
    Ok(entries)
}

fn table_of(
    reader: &ConfigReader<'_>,
    name: &str,
    start: usize,
    table: &DeTable<'_>,
) -> Result<Upstream, Problem> {
    let mut draft = UpstreamDraft {
        upstream: Upstream::new(name, UpstreamWire::OpenAi, ""),
        kind: UpstreamWire::parse(name),
    };
    let mut seen: Vec<&str> = Vec::new();
    for (key, value) in table {
        let (place, written) = (key.span().start, key.get_ref().as_ref());
        let Some((field, expected)) = FIELDS.iter().find(|(field, _)| *field == camel(written)) else {
            return Err(unknown(reader, name, place, written));
        };
        let full = format!("upstreams.{name}.{field}");
        if seen.contains(field) {
            return Err(reader.refuse(place, &format!("`{full}` stands twice")));
        }
        seen.push(field);
        draft.take(field, value).map_err(|why| {
            let why = why.unwrap_or_else(|| format!("expected {expected}"));
            let given = if matches!(*field, "apiKey" | "headers") {
                "that".to_owned()
            } else {
                super::file::raw(value).to_string()
            };
            reader.refuse(value.span().start, &format!("`{full}` cannot be {given}; {why}"))
        })?;
    }
    draft.done().map_err(|why| reader.refuse(start, &format!("`upstreams.{name}` {why}")))
}

fn unknown(reader: &ConfigReader<'_>, name: &str, place: usize, written: &str) -> Problem {
    let names = || FIELDS.iter().map(|(field, _)| *field);
    let hint = match nearest(&camel(written), names()) {
        Some(near) => format!("did you mean `upstreams.{name}.{near}`?"),
        None => format!("known keys are {}", names().collect::<Vec<_>>().join(", ")),
    };
    reader.refuse(place, &format!("unknown key `upstreams.{name}.{written}`")).hint(hint)
}

/// A server whose description is being read.
struct UpstreamDraft {
    upstream: Upstream,
    /// What it speaks, once that is clear.
    kind: Option<UpstreamWire>,
}

impl UpstreamDraft {
    /// Takes one value; on failure, more than what the table of fields says, where there is more to say.
    fn take(&mut self, field: &str, value: &Spanned<DeValue<'_>>) -> Result<(), Option<String>> {
        let text = || value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty()).ok_or(None);
        let upstream = &mut self.upstream;
        match field {
            "kind" => self.kind = Some(UpstreamWire::parse(text()?).ok_or(None)?),
            "baseUrl" => upstream.base_url = upstream::check_base_url(text()?).map_err(said)?,
            "apiKey" => {
                upstream::check_header("x-key", text()?).map_err(|_| None)?;
                upstream.key = Some(ProviderSecret::new(text()?));
            }
            "apiKeyVariable" => upstream.key_variable = Some(text()?.to_owned()),
            "headers" => upstream.headers = headers(value.get_ref())?,
            "defaultModel" => upstream.default_model = Some(text()?.to_owned()),
            "inputPrice" => upstream.input_price = price(value.get_ref()).ok_or(None)?,
            "outputPrice" => upstream.output_price = price(value.get_ref()).ok_or(None)?,
            "jsonSchema" => upstream.schema = value.get_ref().as_bool().ok_or(None)?,
            "timeoutSeconds" => {
                let seconds =
                    price(value.get_ref()).filter(|s| s.fract() == 0.0 && (1.0..=600.0).contains(s));
                upstream.timeout = Duration::from_secs_f64(seconds.ok_or(None)?);
            }
            "injectionPlacement" => upstream.placement = Some(text()?.parse().map_err(|_| None)?),
            "memory" => upstream.memory = MemoryShare::parse(text()?).ok_or(None)?,
            other => unreachable!("{other} is not in the table"),
        }
        Ok(())
    }

    /// The whole, or why it is none.
    fn done(mut self) -> Result<Upstream, &'static str> {
        if self.upstream.base_url.is_empty() {
            // Without either, a key might go to somebody it does not belong to.
            let kind = self.kind.ok_or("needs `baseUrl`, or a `kind` whose maker serves it")?;
            self.upstream.base_url = kind.home().to_owned();
        }
        if self.upstream.key.is_some() && self.upstream.key_variable.is_some() {
            return Err("has `apiKey` and `apiKeyVariable`; expected one of them");
        }
        self.upstream.wire = self.kind.unwrap_or_default();
        self.upstream.pass_key = self.upstream.key.is_none() && self.upstream.key_variable.is_none();
        Ok(self.upstream)
    }
}

fn said(why: &str) -> Option<String> {
    Some(why.to_owned())
}

fn price(value: &DeValue<'_>) -> Option<f64> {
    let number: f64 = match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok()? as f64,
        DeValue::Float(number) => number.as_str().parse().ok()?,
        _ => return None,
    };
    (number.is_finite() && number >= 0.0).then_some(number)
}

fn headers(value: &DeValue<'_>) -> Result<Vec<(String, ProviderSecret)>, Option<String>> {
    let DeValue::Table(table) = value else { return Err(None) };
    let mut headers = Vec::new();
    for (name, value) in table {
        let (name, text) = (name.get_ref(), value.get_ref().as_str().ok_or(None)?);
        upstream::check_header(name, text).map_err(|why| Some(format!("`{name}`: {why}")))?;
        headers.push((name.to_string(), ProviderSecret::new(text)));
    }
    Ok(headers)
}

/// Puts the keys in whose variables were named. One that is not set stays open, and a call says so: commands that need
/// no model must not fail over it.
pub fn resolve(upstream: &mut Upstream, environment: &Environment) {
    if let Some(variable) = &upstream.key_variable {
        upstream.key = environment.other(variable).cloned();
    }
}

/// What the variables say that other tools use too.
pub fn of_environment(environment: &Environment) -> Result<Vec<(Upstream, ValueSource)>, Problem> {
    let openai = (UpstreamWire::OpenAi, environment::OPENAI_API_KEY, environment::OPENAI_BASE_URL);
    let anthropic =
        (UpstreamWire::Anthropic, environment::ANTHROPIC_API_KEY, environment::ANTHROPIC_BASE_URL);
    let mut found = Vec::new();
    for (wire, key_variable, address_variable) in [openai, anthropic] {
        let (key, address) = (environment.other(key_variable), environment.other(address_variable));
        let variable = match (key, address) {
            (Some(_), _) => key_variable,
            // OpenAI's wire is spoken by servers that want no key; Anthropic's only by those that do.
            (None, Some(_)) if wire == UpstreamWire::OpenAi => address_variable,
            _ => continue,
        };
        let address = address.map_or(wire.home(), ProviderSecret::expose);
        let address = upstream::check_base_url(address).map_err(|why| {
            let message = format!("the value of {address_variable} in the environment cannot be used; {why}");
            Problem::new(Code::InvalidConfiguration, message)
        })?;
        // Anthropic's own clients name the server alone in this variable.
        let is_bare = wire == UpstreamWire::Anthropic
            && !address.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
        let address = if is_bare { format!("{address}/v1") } else { address };
        let mut upstream = Upstream::new(wire.word(), wire, &address);
        if let Some(key) = key {
            upstream = upstream.with_key(ProviderSecret::new(key.expose().trim()));
        }
        found.push((upstream, ValueSource::Variable(variable)));
    }
    Ok(found)
}

/// How the key comes about, for people.
pub fn key_shown(upstream: &Upstream) -> String {
    match (&upstream.key, &upstream.key_variable) {
        (Some(key), Some(variable)) => format!("key {key} from {variable}"),
        (Some(key), None) => format!("key {key}"),
        (None, Some(variable)) => format!("no key: {variable} is not set"),
        (None, None) => "the client's own key".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Flags};

    fn load(file: &str, variables: &[(&str, &str)]) -> Result<Config, Problem> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, file).expect("written");
        let pairs = variables.iter().map(|(name, value)| (name.into(), value.into()));
        let environment = Environment::from_pairs(pairs).expect("known variables");
        Config::load(&Flags { file: Some(path), ..Flags::default() }, &environment)
    }

    /// What is refused, with its line, and the hint where there is one.
    fn check(file: &str, message: &str, hint: Option<&str>) {
        let problem = load(file, &[]).expect_err(file);
        let (_, said) = problem.message.split_once("mine.toml").expect("the file is named");
        assert_eq!((said, problem.hint.as_deref()), (message, hint));
    }

    #[test]
    fn a_table_is_read_in_both_spellings() {
        let camel = "[upstreams.b]\nkind = \"anthropic\"\nbaseUrl = \"http://b/v1/\"\napiKey = \"k\"\n\
                     headers = { X-Team = \"seven\" }\ndefaultModel = \"m\"\ninputPrice = 1\noutputPrice = 2.5\n\
                     jsonSchema = false\ntimeoutSeconds = 5\ninjectionPlacement = \"lastUser\"\nmemory = \"work\"\n[upstreams.a]\nbaseUrl = \"http://a\"\n";
        let snake = camel
            .replace("baseUrl", "base_url")
            .replace("apiKey", "api_key")
            .replace("defaultModel", "default_model")
            .replace("Price", "_price")
            .replace("jsonSchema", "json_schema")
            .replace("timeoutSeconds", "timeout_seconds")
            .replace("injectionPlacement", "injection_placement");
        for file in [camel, &snake] {
            let upstreams = load(file, &[]).expect("sound").upstreams;
            let expected = Upstream {
                headers: vec![("X-Team".into(), ProviderSecret::new("seven"))],
                default_model: Some("m".into()),
                input_price: 1.0,
                output_price: 2.5,
                schema: false,
                timeout: Duration::from_secs(5),
                placement: Some(memory::settings::InjectionPlacement::LastUser),
                memory: MemoryShare::Work,
                ..Upstream::new("b", UpstreamWire::Anthropic, "http://b/v1")
                    .with_key(ProviderSecret::new("k"))
            };
            assert_eq!(upstreams.all(), [expected, Upstream::new("a", UpstreamWire::OpenAi, "http://a")]);
            assert_eq!(
                upstreams.default_one().map(|upstream| upstream.name.as_str()),
                Some("b"),
                "the first"
            );
            assert!(upstreams.all()[1].pass_key);
        }
    }

    #[test]
    fn the_kind_and_the_address_follow_from_each_other_only_where_that_is_safe() {
        let wire_of = |file: &str| {
            let config = load(file, &[]).expect("sound");
            let upstream = &config.upstreams.all()[0];
            (upstream.wire, upstream.base_url.clone())
        };
        assert_eq!(wire_of("[upstreams.openai]"), (UpstreamWire::OpenAi, "https://api.openai.com/v1".into()));
        assert_eq!(
            wire_of("[upstreams.anthropic]"),
            (UpstreamWire::Anthropic, "https://api.anthropic.com/v1".into())
        );
        assert_eq!(wire_of("[upstreams.x]\nkind = \"anthropic\"").1, "https://api.anthropic.com/v1");
        check(
            "\n[upstreams.x]\napiKey = \"k\"",
            ":2: `upstreams.x` needs `baseUrl`, or a `kind` whose maker serves it",
            None,
        );
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_without_keys() {
        let all = "known keys are kind, baseUrl, apiKey, apiKeyVariable, headers, defaultModel, inputPrice, \
                   outputPrice, jsonSchema, timeoutSeconds, injectionPlacement, memory";
        check(
            "[upstreams.a]\nbaseURLs = \"x\"",
            ":2: unknown key `upstreams.a.baseURLs`",
            Some("did you mean `upstreams.a.baseUrl`?"),
        );
        check("[upstreams.a]\nzzzzzzzzzzz = 1", ":2: unknown key `upstreams.a.zzzzzzzzzzz`", Some(all));
        check(
            "[upstreams.a]\n\nkind = \"cohere\"",
            ":3: `upstreams.a.kind` cannot be \"cohere\"; expected openai or anthropic",
            None,
        );
        check(
            "[upstreams.a]\nbaseUrl = \"api.a.com\"",
            ":2: `upstreams.a.baseUrl` cannot be \"api.a.com\"; expected an address such as https://api.openai.com/v1",
            None,
        );
        check(
            "[upstreams.a]\napiKey = 7",
            ":2: `upstreams.a.apiKey` cannot be that; expected a key on one line",
            None,
        );
        check(
            "[upstreams.a]\ninputPrice = -1",
            ":2: `upstreams.a.inputPrice` cannot be -1; expected the price of a million tokens, 0 or more",
            None,
        );
        check(
            "[upstreams.a]\nheaders = { Host = \"x\" }",
            ":2: `upstreams.a.headers` cannot be that; `Host`: that header is set by the connection",
            None,
        );
        check(
            "[upstreams.openai]\napiKey = \"a\"\napi_key = \"b\"",
            ":3: `upstreams.openai.apiKey` stands twice",
            None,
        );
        check(
            "[upstreams.openai]\napiKey = \"a\"\napiKeyVariable = \"B\"",
            ":1: `upstreams.openai` has `apiKey` and `apiKeyVariable`; expected one of them",
            None,
        );
        check(
            "[upstreams.A]\nbaseUrl = \"http://a\"\n[upstreams.a]\n",
            ":3: `upstreams.a` stands twice; the other is `A` in line 1",
            None,
        );
        check(
            "[upstreams.\"a/b\"]",
            ":1: `a/b` cannot name an upstream; expected 1 to 64 letters, digits, `-`, `_` or `.`",
            None,
        );
        check(
            "[upstreams.recollect]",
            ":1: `recollect` cannot name an upstream; that name is the built-in model's; expected another",
            None,
        );
        let section = ":1: `upstreams` is a section; expected [upstreams.NAME] with";
        for file in ["upstreams = 3", "[[upstreams]]\nname = \"a\"", "[upstreams]\na = 3"] {
            assert!(load(file, &[]).expect_err(file).message.contains(section), "{file}");
        }
        check("[upstream.a]", ":1: unknown key `upstream`", Some("did you mean `upstreams`?"));
        assert!(load("[upstreams.a]\n[upstreams.a]", &[]).is_err());
    }

    #[test]
    fn the_default_must_be_one_of_them() {
        let file = "default_upstream = \"b\"\n[upstreams.a]\nbaseUrl = \"http://a\"\n[upstreams.bee]\nbaseUrl = \"http://b\"\n";
        let problem = load(file, &[]).expect_err("no such");
        assert!(
            problem.message.contains("`defaultUpstream` cannot be \"b\"")
                && problem.message.contains("mine.toml:1")
        );
        assert_eq!(problem.hint.as_deref(), Some("did you mean `a`?"));
        let config = load(file, &[(environment::DEFAULT_UPSTREAM, "bee")]).expect("the variable is stronger");
        assert_eq!(config.upstreams.default_one().map(|upstream| upstream.name.as_str()), Some("bee"));
        let hint = load("defaultUpstream = \"x\"", &[]).expect_err("none").hint;
        assert_eq!(hint.as_deref(), Some("none is configured; describe one as [upstreams.NAME]"));
    }

    #[test]
    fn variables_of_others_serve_where_the_file_names_none() {
        let shown = |file: &str, variables: &[(&str, &str)]| -> Vec<String> {
            let config = load(file, variables).expect("sound");
            let line = |(upstream, _): &(Upstream, ValueSource)| {
                format!(
                    "{} {} {} {}",
                    upstream.name,
                    upstream.wire.word(),
                    upstream.base_url,
                    key_shown(upstream)
                )
            };
            config.described_upstreams().iter().map(line).collect()
        };
        assert!(shown("", &[]).is_empty());
        let both = [("OPENAI_API_KEY", "sk-1"), ("ANTHROPIC_API_KEY", "sk-2")];
        assert_eq!(
            shown("", &both),
            [
                "openai openai https://api.openai.com/v1 key (hidden)",
                "anthropic anthropic https://api.anthropic.com/v1 key (hidden)"
            ]
        );
        for address in ["http://127.0.0.1:1", "http://127.0.0.1:1/", "http://127.0.0.1:1/v1"] {
            let variables = [("ANTHROPIC_API_KEY", "sk-2"), ("ANTHROPIC_BASE_URL", address)];
            assert_eq!(shown("", &variables), ["anthropic anthropic http://127.0.0.1:1/v1 key (hidden)"]);
        }
        let local = [("OPENAI_BASE_URL", "http://127.0.0.1:1/v1/")];
        assert_eq!(shown("", &local), ["openai openai http://127.0.0.1:1/v1 the client's own key"]);
        assert!(
            shown("", &[("ANTHROPIC_BASE_URL", "http://x")]).is_empty(),
            "an address alone is none of Anthropic's"
        );
        let named = "[upstreams.mine]\nbaseUrl = \"http://m\"\napiKeyVariable = \"MINE\"";
        assert_eq!(shown(named, &both), ["mine openai http://m no key: MINE is not set"]);
        assert_eq!(shown(named, &[("MINE", "k")]), ["mine openai http://m key (hidden) from MINE"]);
        let problem = load("", &[("OPENAI_BASE_URL", "nowhere")]).expect_err("no address");
        assert!(
            problem.message.starts_with("the value of OPENAI_BASE_URL in the environment"),
            "{}",
            problem.message
        );
    }

    #[test]
    fn nothing_that_is_printed_shows_a_key() {
        let file = "[upstreams.openai]\napiKey = \"sk-secret\"\nheaders = { X-K = \"sk-secret\" }";
        let config = load(file, &[("ANY", "sk-secret")]).expect("sound");
        assert!(!format!("{config:?}").contains("sk-secret"));
        let environment = Environment::from_pairs([("ANY".into(), "sk-secret".into())]).expect("sound");
        assert!(!format!("{environment:?}").contains("sk-secret"));
    }
}
