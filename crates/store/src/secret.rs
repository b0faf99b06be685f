//! What a key's secret looks like, and how it is kept.
//!
//! `rk_`, 32 random bytes in base 62, and four characters that check them, so that a mistyped key is told apart from one
//! that is not known. It is shown once and kept as SHA-256 with a salt of its own: a password needs a slow hash because
//! it can be guessed, 256 random bits cannot.

use std::fmt;

use memory::error::{StoreError, StoreResult};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What every secret begins with; any other token is somebody else's.
pub const SECRET_MARK: &str = "rk_";

const RANDOM_BYTES: usize = 32;
/// 62^43 is just above 2^256.
const RANDOM_CHARACTERS: usize = 43;
const CHECK_CHARACTERS: usize = 4;
/// Characters after the mark that are kept readable: 8 of 43, which leaves more than 200 bits secret.
const PREFIX_CHARACTERS: usize = 8;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key in full. Whoever holds it is let in, so it shows itself to nobody by accident.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeySecret(String);

impl KeySecret {
    /// Takes what a caller shows, whatever it is.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn random() -> StoreResult<Self> {
        let mut bytes = [0; RANDOM_BYTES];
        fill(&mut bytes)?;
        let body = base62(&bytes, RANDOM_CHARACTERS);
        let check = checksum(&body);
        Ok(Self(format!("{SECRET_MARK}{body}{check}")))
    }

    /// Whether somebody typed or copied it right.
    pub fn is_well_formed(&self) -> bool {
        let Some(rest) = self.0.strip_prefix(SECRET_MARK) else { return false };
        let whole = rest.len() == RANDOM_CHARACTERS + CHECK_CHARACTERS && rest.is_ascii();
        whole && rest[RANDOM_CHARACTERS..] == checksum(&rest[..RANDOM_CHARACTERS])
    }

    /// What of it may be shown; the whole where it is shorter than that.
    pub(crate) fn prefix(&self) -> &str {
        self.0.get(..SECRET_MARK.len() + PREFIX_CHARACTERS).unwrap_or(&self.0)
    }

    pub(crate) fn hash(&self, salt: &[u8]) -> [u8; 32] {
        Sha256::new().chain_update(salt).chain_update(self.0.as_bytes()).finalize().into()
    }
}

/// Whether a well-formed secret stands anywhere in these bytes.
pub fn holds_secret(bytes: &[u8]) -> bool {
    let length = SECRET_MARK.len() + RANDOM_CHARACTERS + CHECK_CHARACTERS;
    bytes.windows(length).any(|window| {
        let text = std::str::from_utf8(window).unwrap_or_default();
        text.starts_with(SECRET_MARK) && KeySecret::new(text).is_well_formed()
    })
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}

/// HMAC-SHA-256 (RFC 2104): who does not have the key can neither make nor check it.
pub fn keyed_hash(key: &[u8; 32], text: &str) -> [u8; 32] {
    const BLOCK: usize = 64;
    let padded = |with: u8| {
        let mut block = [with; BLOCK];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(padded(0x5C)).chain_update(inner).finalize().into()
}

pub(crate) fn fill(bytes: &mut [u8]) -> StoreResult<()> {
    getrandom::fill(bytes)
        .map_err(|error| StoreError::Failed(format!("the system gives no random bytes: {error}")))
}

/// Typing mistakes change this; it proves nothing else.
fn checksum(body: &str) -> String {
    let digest: [u8; 32] = Sha256::new().chain_update(b"recollect key ").chain_update(body).finalize().into();
    base62(&digest[..3], CHECK_CHARACTERS)
}

/// The bytes as one number in base 62, padded to a width that holds it.
fn base62(bytes: &[u8], width: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = vec![b'0'; width];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            rest = value % 62;
        }
        *digit = DIGITS[rest as usize];
    }
    String::from_utf8(digits).expect("the digits are ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_one_shape_and_typos_show() {
        let secret = KeySecret::random().expect("randomness");
        assert_eq!(secret.reveal().len(), 3 + RANDOM_CHARACTERS + CHECK_CHARACTERS);
        assert!(secret.is_well_formed());
        assert_ne!(secret, KeySecret::random().expect("randomness"));
        let text = secret.reveal();
        for place in 3..text.len() {
            let other = if text.as_bytes()[place] == b'x' { "y" } else { "x" };
            let typo = format!("{}{other}{}", &text[..place], &text[place + 1..]);
            assert!(!KeySecret::new(typo).is_well_formed(), "character {place}");
        }
        for bad in ["", "rk_", "rk_ä", "sk-1", &text[..text.len() - 1], &format!("{text}0")] {
            assert!(!KeySecret::new(bad).is_well_formed(), "{bad:?}");
        }
    }

    #[test]
    fn secrets_do_not_show_themselves() {
        let secret = KeySecret::random().expect("randomness");
        assert!(!format!("{secret:?}").contains(&secret.reveal()[3..]));
    }

    #[test]
    fn the_largest_number_fits() {
        assert_eq!(base62(&[0; RANDOM_BYTES], RANDOM_CHARACTERS), "0".repeat(RANDOM_CHARACTERS));
        assert_eq!(base62(&[61], 2), "0z");
        assert_eq!(base62(&[62], 2), "10");
        let most = base62(&[0xFF; RANDOM_BYTES], RANDOM_CHARACTERS);
        assert_ne!(most, base62(&[0xFE; RANDOM_BYTES], RANDOM_CHARACTERS));
        assert!(base62(&[0xFF; 3], CHECK_CHARACTERS).len() == CHECK_CHARACTERS);
    }

    /// Made with another implementation.
    #[test]
    fn a_keyed_hash_is_the_known_one() {
        let hash = keyed_hash(&[0x0B; 32], "Hi There");
        assert_eq!(
            memory::types::hex(&hash),
            "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7"
        );
    }

    #[test]
    fn a_salt_makes_equal_secrets_differ() {
        let secret = KeySecret::new("rk_same");
        assert_ne!(secret.hash(&[1; 16]), secret.hash(&[2; 16]));
        assert_eq!(secret.hash(&[1; 16]), secret.hash(&[1; 16]));
    }
}
