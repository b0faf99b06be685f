//! The one estimate of how many model tokens a text costs.
//!
//! Four characters to a token, rounded up. Real tokenizers differ by model and none is always at hand; a budget needs
//! one rule that every part shares, so that what the assembler measures is what the limit was written for.

/// Characters that count as one token.
pub const CHARACTERS_PER_TOKEN: usize = 4;

/// The estimated number of tokens: zero only for the empty text.
pub fn estimate(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_PER_TOKEN)
}

/// What a text costs more exactly: a letter of an alphabet a quarter of a token, a character of Chinese, Japanese or Korean one.
pub fn cost(text: &str) -> f64 {
    text.chars().map(|character| if is_wide(character) { 1.0 } else { 0.25 }).sum()
}

/// Where the scripts begin whose characters are words or syllables.
const FIRST_WIDE: char = '\u{2e80}';

/// Whether a character is about a word by itself, as those of Chinese and Japanese are.
pub fn is_wide(character: char) -> bool {
    character >= FIRST_WIDE
}

/// The longest beginning of the text that costs at most so many tokens, cut between characters.
pub fn cut_to_tokens(text: &str, tokens: usize) -> &str {
    let characters = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
    text.char_indices().nth(characters).map_or(text, |(position, _)| &text[..position])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn four_characters_are_a_token() {
        for (text, expected) in
            [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本語だ", 1), ("🎸🎸🎸🎸🎸", 2)]
        {
            assert_eq!(estimate(text), expected, "{text}");
        }
    }

    #[test]
    fn cuts_fall_between_characters() {
        let table = [
            ("", 3, ""),
            ("abcdef", 0, ""),
            ("abcdef", 1, "abcd"),
            ("abcdef", 9, "abcdef"),
            ("ééééé", 1, "éééé"),
        ];
        for (text, tokens, expected) in table {
            assert_eq!(cut_to_tokens(text, tokens), expected, "{text} to {tokens}");
        }
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in any::<String>(), tokens in 0_usize..40) {
            let cut = cut_to_tokens(&text, tokens);
            prop_assert!(estimate(cut) <= tokens);
            prop_assert!(text.starts_with(cut));
            prop_assert!(cut == text || estimate(cut) == tokens);
        }
    }
}
