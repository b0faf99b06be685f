//! A text that nobody may read by accident.

use std::fmt;

/// A key or a token. Printing it, in whichever way, prints that there is one; [`ProviderSecret::expose`] is the only way in, so
/// that a search for the word finds every place where one leaves.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderSecret(String);

impl ProviderSecret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(hidden)")
    }
}

impl fmt::Debug for ProviderSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_shows_nothing() {
        let secret = ProviderSecret::new("sk-123");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "(hidden) (hidden) Some((hidden))");
        assert_eq!(secret.expose(), "sk-123");
    }
}
