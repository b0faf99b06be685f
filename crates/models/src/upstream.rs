//! The servers of models that somebody configured, and how one of them is chosen.

use std::time::Duration;

use memory::settings::InjectionPlacement;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use crate::ProviderSecret;
use crate::limits;

/// The version of Anthropic's interface that we speak.
pub const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Names that mean something else before the stroke of `provider/model`.
const RESERVED: &str = "recollect";

/// Headers that belong to the connection and not to whoever configures one.
const NOT_CONFIGURABLE: [&str; 5] =
    ["host", "content-length", "transfer-encoding", "connection", "content-type"];

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpstreamWire {
    /// `POST {base}/chat/completions`, which most servers offer.
    #[default]
    OpenAi,
    /// `POST {base}/messages`.
    Anthropic,
}

impl UpstreamWire {
    pub const ALLOWED: &'static str = "openai or anthropic";

    pub fn parse(word: &str) -> Option<UpstreamWire> {
        match word {
            "openai" => Some(UpstreamWire::OpenAi),
            "anthropic" => Some(UpstreamWire::Anthropic),
            _ => None,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            UpstreamWire::OpenAi => "openai",
            UpstreamWire::Anthropic => "anthropic",
        }
    }

    /// Where the maker of the wire serves it.
    pub fn home(self) -> &'static str {
        match self {
            UpstreamWire::OpenAi => "https://api.openai.com/v1",
            UpstreamWire::Anthropic => "https://api.anthropic.com/v1",
        }
    }
}

/// One server. Printing it shows no key and no header's value.
#[derive(Debug, Clone, PartialEq)]
pub struct Upstream {
    pub name: String,
    pub wire: UpstreamWire,
    /// Without a stroke at its end.
    pub base_url: String,
    pub key: Option<ProviderSecret>,
    /// The variable that was to hold the key, where one was named.
    pub key_variable: Option<String>,
    /// Whoever asks through us brings their own key.
    pub pass_key: bool,
    /// Sent with every request.
    pub headers: Vec<(String, ProviderSecret)>,
    pub default_model: Option<String>,
    /// Per million tokens, in whichever currency; 0 where nobody said.
    pub input_price: f64,
    pub output_price: f64,
    /// Whether the server may be asked to hold its answer to a JSON schema.
    pub schema: bool,
    /// How long an answer for ourselves may take in all.
    pub timeout: Duration,
    /// Where in its prompts memory goes, where that is said for this server.
    pub placement: Option<InjectionPlacement>,
    /// How much of what is remembered its prompts get.
    pub memory: MemoryShare,
}

/// How much of what is remembered a server is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoryShare {
    #[default]
    Full,
    /// What work needs: name, instructions, tools, preferences and the project, and nothing private.
    Work,
    /// Nothing.
    Off,
}

impl MemoryShare {
    pub const ALLOWED: &'static str = "full, work or off";

    pub fn parse(word: &str) -> Option<MemoryShare> {
        match word {
            "full" => Some(MemoryShare::Full),
            "work" => Some(MemoryShare::Work),
            "off" => Some(MemoryShare::Off),
            _ => None,
        }
    }
}

impl Upstream {
    /// A server with nothing said about it but where it is.
    pub fn new(name: &str, wire: UpstreamWire, base_url: &str) -> Upstream {
        Upstream {
            name: name.to_owned(),
            wire,
            base_url: base_url.trim_end_matches('/').to_owned(),
            key: None,
            key_variable: None,
            pass_key: true,
            headers: Vec::new(),
            default_model: None,
            input_price: 0.0,
            output_price: 0.0,
            schema: true,
            timeout: Duration::from_secs(limits::ANSWER_TIMEOUT_SECONDS),
            placement: None,
            memory: MemoryShare::Full,
        }
    }

    /// With a key, which is then sent instead of the asking client's own.
    pub fn with_key(mut self, key: ProviderSecret) -> Upstream {
        self.key = Some(key);
        self.pass_key = false;
        self
    }

    /// The address of a path such as `chat/completions`.
    pub fn url(&self, path: &str) -> String {
        format!("{}/{}", self.base_url, path.trim_start_matches('/'))
    }

    /// What a number of tokens costs.
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        (input_tokens as f64 * self.input_price + output_tokens as f64 * self.output_price) / 1_000_000.0
    }

    /// Puts the key, where there is one, and the configured headers into a request's headers, in place of what is there
    /// under those names. A value that no header can hold is left out; configuration refuses such values.
    pub fn dress(&self, headers: &mut HeaderMap) {
        if let Some(key) = &self.key {
            let (name, text) = match self.wire {
                UpstreamWire::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.expose())),
                UpstreamWire::Anthropic => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
            };
            if let Some(value) = hidden(&text) {
                headers.insert(name, value);
            }
        }
        if self.wire == UpstreamWire::Anthropic && !headers.contains_key("anthropic-version") {
            headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
        }
        for (name, value) in &self.headers {
            if let (Ok(name), Some(value)) = (HeaderName::try_from(name), hidden(value.expose())) {
                headers.insert(name, value);
            }
        }
    }
}

/// A header's value that libraries know not to print.
fn hidden(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// What is wrong with a name, or nothing.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        return Err("expected 1 to 64 letters, digits, `-`, `_` or `.`");
    }
    if name.eq_ignore_ascii_case(RESERVED) {
        return Err("that name is the built-in model's; expected another");
    }
    Ok(())
}

/// The address as it is used, or what is wrong with it.
pub fn check_base_url(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text.trim()).map_err(|_| "expected an address such as https://api.openai.com/v1")?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("expected an address that begins with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("expected an address without a name or password in it; keys belong into `apiKey`");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("expected an address without `?` or `#`");
    }
    Ok(text.trim().trim_end_matches('/').to_owned())
}

/// What is wrong with a header, or nothing.
pub fn check_header(name: &str, value: &str) -> Result<(), &'static str> {
    if HeaderName::try_from(name).is_err() {
        return Err("expected a header's name");
    }
    if NOT_CONFIGURABLE.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
        return Err("that header is set by the connection");
    }
    HeaderValue::from_str(value).map(drop).map_err(|_| "expected a value of one line")
}

/// All of them, in the order in which they were configured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Upstreams {
    list: Vec<Upstream>,
    default: usize,
}

impl Upstreams {
    /// The first is the default unless another name is given that is among them.
    pub fn new(list: Vec<Upstream>, default: Option<&str>) -> Upstreams {
        let named = default.and_then(|name| position(&list, name));
        Upstreams { list, default: named.unwrap_or(0) }
    }

    pub fn all(&self) -> &[Upstream] {
        &self.list
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn names(&self) -> Vec<&str> {
        self.list.iter().map(|upstream| upstream.name.as_str()).collect()
    }

    /// The one that serves when nobody names another.
    pub fn default_one(&self) -> Option<&Upstream> {
        self.list.get(self.default)
    }

    pub fn find(&self, name: &str) -> Option<&Upstream> {
        position(&self.list, name).map(|index| &self.list[index])
    }

    /// Who serves a model, and what it is called there: `provider/model` where the provider is one of ours, else the
    /// default with the name as it is, strokes included (some servers' names have them).
    pub fn choose<'m>(&self, model: &'m str) -> Option<(&Upstream, &'m str)> {
        if let Some((provider, rest)) = model.split_once('/')
            && let Some(upstream) = self.find(provider)
        {
            return Some((upstream, rest));
        }
        self.default_one().map(|upstream| (upstream, model))
    }
}

fn position(list: &[Upstream], name: &str) -> Option<usize> {
    list.iter().position(|upstream| upstream.name.eq_ignore_ascii_case(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_served_by_the_one_it_names_or_by_the_default() {
        let list = vec![
            Upstream::new("openai", UpstreamWire::OpenAi, "https://a/v1/"),
            Upstream::new("local", UpstreamWire::OpenAi, "http://b"),
        ];
        let check = |default: Option<&str>, model: &str, expected: (&str, &str)| {
            let upstreams = Upstreams::new(list.clone(), default);
            let (upstream, name) = upstreams.choose(model).expect("one is there");
            assert_eq!((upstream.name.as_str(), name), expected);
        };
        check(None, "gpt-x", ("openai", "gpt-x"));
        check(Some("local"), "gpt-x", ("local", "gpt-x"));
        check(None, "local/llama", ("local", "llama"));
        check(None, "LOCAL/meta/llama", ("local", "meta/llama"));
        check(None, "meta/llama", ("openai", "meta/llama"));
        assert_eq!(list[0].url("/models"), "https://a/v1/models");
        assert_eq!(Upstreams::default().choose("x"), None);
    }

    #[test]
    fn names_addresses_and_headers_are_checked() {
        for name in ["", "a b", "a/b", "Recollect", "é"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        assert!(check_name("open-router.2").is_ok());
        for url in [
            "",
            "api.openai.com",
            "ftp://x",
            "https://",
            "https://key@x/v1",
            "https://x/?a=b",
            "/v1",
            "http://x#a",
        ] {
            assert!(check_base_url(url).is_err(), "{url}");
        }
        assert_eq!(check_base_url(" http://[::1]:11434/v1/ ").as_deref(), Ok("http://[::1]:11434/v1"));
        assert!(check_header("x-a", "b").is_ok() && check_header("x a", "b").is_err());
        assert!(check_header("Host", "b").is_err() && check_header("x-a", "b\nc").is_err());
    }

    #[test]
    fn dressing_replaces_the_clients_key_and_hides_ours() {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer theirs"));
        let upstream =
            Upstream::new("a", UpstreamWire::OpenAi, "http://a").with_key(ProviderSecret::new("ours"));
        upstream.dress(&mut headers);
        assert_eq!(headers[AUTHORIZATION], "Bearer ours");
        assert!(!format!("{headers:?} {upstream:?}").contains("ours\""));
        let mut headers = HeaderMap::new();
        let mut upstream =
            Upstream::new("a", UpstreamWire::Anthropic, "http://a").with_key(ProviderSecret::new("ours"));
        upstream.headers.push(("X-Team".into(), ProviderSecret::new("seven")));
        upstream.dress(&mut headers);
        assert_eq!(headers["x-api-key"], "ours");
        assert_eq!(
            (&headers["anthropic-version"], &headers["x-team"]),
            (&"2023-06-01".parse().expect("v"), &"seven".parse().expect("v"))
        );
    }

    #[test]
    fn a_price_is_per_million_tokens() {
        let upstream = Upstream {
            input_price: 2.0,
            output_price: 8.0,
            ..Upstream::new("a", UpstreamWire::OpenAi, "http://a")
        };
        assert!((upstream.cost(500_000, 250_000) - 3.0).abs() < 1e-9);
    }
}
