//! A long text in parts, each short enough for one memory, cut where a reader would pause.

/// Cuts a text into parts of at most so many bytes, which together are the text: before a heading where there is one in the second
/// half of what fits, else after a paragraph, a line, a word, and in a text without any of these wherever a character ends.
pub fn split(text: &str, most_bytes: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > most_bytes {
        let (part, others) = rest.split_at(place(rest, most_bytes));
        parts.push(part);
        rest = others;
    }
    parts.push(rest);
    parts
}

fn place(text: &str, most_bytes: usize) -> usize {
    let window = &text[..text.floor_char_boundary(most_bytes.max(4))];
    let second_half = |at: &usize| *at >= window.len() / 2;
    let heading = window.rfind("\n#").map(|at| at + 1).filter(second_half);
    let paragraph = || window.rfind("\n\n").map(|at| at + 2).filter(second_half);
    let line = || window.rfind('\n').map(|at| at + 1).filter(second_half);
    let word =
        || window.rfind(char::is_whitespace).map(|at| window.ceil_char_boundary(at + 1)).filter(second_half);
    heading.or_else(paragraph).or_else(line).or_else(word).unwrap_or(window.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_and_every_part_fits() {
        let paragraphs = "One sentence after another. ".repeat(30) + "\n\n";
        let texts = [
            "x".repeat(1_000),
            "語".repeat(500),
            paragraphs.repeat(5),
            "a\u{3000}".repeat(400),
            String::new(),
        ];
        for text in &texts {
            let parts = split(text, 100);
            assert_eq!(parts.concat(), *text);
            assert!(parts.iter().all(|part| part.len() <= 100));
        }
    }

    #[test]
    fn headings_come_first() {
        let text = format!("{}\n# Two\n{}", "a b\n\n".repeat(12), "c\n\n".repeat(20));
        let parts = split(&text, 80);
        assert!(parts[1].starts_with("# Two"), "{parts:?}");
    }
}
