//! Shortening a text to a bound, between characters and with a sign that something is missing.

/// The beginning of a text, of at most so many characters and the sign.
pub fn clip(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_between_characters_and_show() {
        for (text, characters, expected) in
            [("", 0, ""), ("héé", 3, "héé"), ("héé!", 3, "héé…"), ("a b", 2, "a…"), ("日本語", 1, "日…")]
        {
            assert_eq!(clip(text, characters), expected);
        }
    }
}
