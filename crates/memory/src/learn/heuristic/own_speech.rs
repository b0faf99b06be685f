//! What of a turn is the user's own speech.
//!
//! People paste: code, logs, letters, lists, texts to translate. They play roles, and set exercises whose "I" is nobody.
//! None of that says anything about them. What is left is a list of parts, in which the sentences are looked for. Where
//! it is unclear, the text is not read: a missing memory can be told again, a wrong one is believed.

use std::ops::Range;
use std::sync::LazyLock;

use super::lexer::is_unspaced;
use crate::language::Language;
use crate::learn::given;
use crate::limits;
use crate::types::{Time, Turn};

/// Bytes of one line that are read: nobody tells more without a break, and what is dictated or written at length is told all the same.
const LINE_BYTES_MAXIMUM: usize = 16 * 1024;

/// Lines of a turn that somebody writes by hand; of longer turns only the first and the last are read.
const LINES_MAXIMUM: usize = 40;

/// Bytes of a turn that are looked at.
const TURN_BYTES_MAXIMUM: usize = 64 * 1024;

/// The user's own speech in a turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OwnSpeech {
    pub parts: Vec<Range<usize>>,
    pub shows_code: bool,
}

/// Why nothing in a turn is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    RolePlay,
    /// "don't remember this": the decision is made later, for the whole session; here nothing is learned from the turn.
    MemoryControl,
    Exercise,
}

/// Verbs that ask to work on a text which then follows, of every language.
static TEXT_WORK: LazyLock<Vec<&str>> = LazyLock::new(|| {
    Language::spoken().flat_map(|(_, speech)| speech.text_work.split_whitespace()).collect()
});

/// What people announce before they paste it.
const PASTED: [&str; 30] = [
    "draft",
    "text",
    "essay",
    "letter",
    "email",
    "e-mail",
    "paragraph",
    "story",
    "article",
    "log",
    "output",
    "error",
    "code",
    "poem",
    "message",
    "transcript",
    "bio",
    "resume",
    "résumé",
    "summary",
    "statement",
    "introduction",
    "intro",
    "snippet",
    "version",
    "sentence",
    "example",
    "schedule",
    "following",
    "plan",
];

/// The parts of a turn to read, or why there are none.
pub(super) fn listen(text: &str) -> Result<OwnSpeech, Silence> {
    let text = &text[..text.floor_char_boundary(TURN_BYTES_MAXIMUM)];
    let opening = text.trim_start();
    let opening = plain(&opening[..opening.floor_char_boundary(200)]);
    if plays_role(&opening) || given::supposes_speaker(text) {
        return Err(Silence::RolePlay);
    }
    let lower = plain(text);
    if Language::spoken()
        .any(|(_, speech)| speech.memory_refusals.iter().any(|phrase| controls_memory(&lower, phrase)))
    {
        return Err(Silence::MemoryControl);
    }
    if is_exercise(&lower) {
        return Err(Silence::Exercise);
    }
    let mut speech = own_lines(text);
    let given = given::given_text(text).parts;
    speech.parts = speech.parts.into_iter().flat_map(|part| without(part, &given)).collect();
    Ok(speech)
}

/// A game of roles that goes on through the turns behind the one that began it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoleGame {
    turns: usize,
    last: Time,
}

/// What a turn is to a game of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Played {
    /// There is no game.
    No,
    /// It begins the game, which is itself no part that is played.
    Begins,
    Yes,
    /// It ends the game in so many words.
    Ends,
}

impl RoleGame {
    /// What a turn of the user's is to the game that goes on, and whether one goes on behind it. A game ends by itself too, after many turns or a long
    /// pause: people turn to something else and do not say that they do.
    pub(super) fn step(game: &mut Option<Self>, turn: &Turn) -> Played {
        let paused = |game: &Self| {
            turn.at.microseconds() - game.last.microseconds() > limits::ROLE_GAME_PAUSE_SECONDS * 1_000_000
        };
        let going = game.filter(|game| game.turns < limits::ROLE_GAME_TURNS && !paused(game));
        let (next, played) = match going {
            Some(_) if given::ends_play(&turn.text) => (None, Played::Ends),
            Some(game) => (Some(Self { turns: game.turns + 1, last: turn.at }), Played::Yes),
            None if begins_play(&turn.text) => (Some(Self { turns: 0, last: turn.at }), Played::Begins),
            None => (None, Played::No),
        };
        *game = next;
        played
    }
}

/// Whether the user begins a game of roles that goes on in the turns behind.
fn begins_play(text: &str) -> bool {
    given::begins_play(text) || plain(text).contains("stay in character")
}

fn plays_role(opening: &str) -> bool {
    let first = opening.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '*');
    let first = first.strip_prefix("please ").unwrap_or(first);
    // "*smiles and waves*" is a stage direction; "**Note**" is not.
    let stage = first.strip_prefix('*').is_some_and(|rest| !rest.starts_with('*') && rest.contains("* "));
    let sets_up = |phrase: &&str| first.starts_with(phrase);
    stage || Language::spoken().any(|(_, speech)| speech.role_play.iter().any(sets_up)) || begins_play(first)
}

/// "I don't remember the details" asks for nothing; "forget that" does where it is a sentence's beginning.
fn controls_memory(lower: &str, phrase: &str) -> bool {
    let stands_first = |at: usize| {
        let before = lower[..at].trim_end();
        let before = before.strip_suffix("please").unwrap_or(before).trim_end();
        before.is_empty()
            || before.ends_with(['.', '!', '?', ',', ';', ':', '—', '-', '。', '！', '？', '，', '、'])
            || before.ends_with("and")
    };
    lower.match_indices(phrase).any(|(at, _)| stands_first(at) || phrase == "off the record")
}

/// A word problem: a first person with numbers, and a question about how many.
fn is_exercise(lower: &str) -> bool {
    let numbers =
        lower.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let asks = [
        "how many",
        "how much",
        "what is the total",
        "what's the total",
        "what is the probability",
        "what fraction",
    ];
    let ends = [
        "left",
        "total",
        "altogether",
        "do i have",
        "remain",
        "in all",
        "probability",
        "fraction",
        "are there",
        "now have",
    ];
    let Some(question) = asks.iter().filter_map(|phrase| lower.find(phrase)).min() else { return false };
    numbers >= 1
        && lower.len() < 800
        && ends.iter().any(|word| lower[question..].contains(word))
        && ["i have ", "i had ", "i buy ", "i bought ", "i pick ", "i roll ", "i draw "]
            .iter()
            .any(|own| lower.contains(own))
}

/// A part of a text without what is handed over in it.
fn without(part: Range<usize>, given: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = vec![part];
    for gone in given {
        left = left
            .into_iter()
            .flat_map(|part| [part.start..gone.start.min(part.end), gone.end.max(part.start)..part.end])
            .filter(|part| part.start < part.end)
            .collect();
    }
    left
}

fn own_lines(text: &str) -> OwnSpeech {
    let mut speech = OwnSpeech { parts: Vec::new(), shows_code: text.contains("```") };
    let mut fenced = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let trimmed = line.trim();
        let fences = trimmed.matches("```").count() + usize::from(trimmed.starts_with("~~~"));
        if fences > 0 {
            let before = trimmed.find("```").filter(|at| *at > 0 && !fenced);
            if let Some(length) = before {
                let indent = line.len() - line.trim_start().len();
                push(text, range.start..range.start + indent + length, &mut speech.parts);
            }
            fenced ^= fences % 2 == 1;
            continue;
        }
        if fenced || is_foreign(trimmed) {
            continue;
        }
        if looks_like_code(trimmed) {
            speech.shows_code = true;
            continue;
        }
        if begins_letter(trimmed) {
            break;
        }
        if let Some(colon) = announces_text(line) {
            push(text, range.start..range.start + colon, &mut speech.parts);
            break;
        }
        push(text, range, &mut speech.parts);
    }
    if speech.parts.len() > LINES_MAXIMUM {
        let last = speech.parts.pop();
        speech.parts.truncate(1);
        speech.parts.extend(last);
    }
    join_wrapped(text, &mut speech.parts);
    speech
}

fn push(text: &str, range: Range<usize>, parts: &mut Vec<Range<usize>>) {
    if !text[range.clone()].trim().is_empty() {
        parts.push(range);
    }
}

/// Lines that touch become one part, so that a sentence may go on in the next line.
fn join_wrapped(text: &str, parts: &mut Vec<Range<usize>>) {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for part in parts.drain(..) {
        match joined.last_mut() {
            Some(last) if last.end == part.start && text[last.clone()].ends_with('\n') => last.end = part.end,
            _ => joined.push(part),
        }
    }
    *parts = joined;
}

/// Quotations, lists, tables, headings, mail headers and pasted paragraphs.
fn is_foreign(line: &str) -> bool {
    let bulleted = line.starts_with(['>', '|', '#', '•', '+'])
        || line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("**");
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered =
        digits > 0 && line[digits..].starts_with(['.', ')']) && line[digits + 1..].starts_with(' ');
    let header =
        ["From:", "To:", "Subject:", "Sent:", "Date:", "Cc:"].iter().any(|name| line.starts_with(name));
    bulleted || numbered || header || line.len() > LINE_BYTES_MAXIMUM
}

fn begins_letter(line: &str) -> bool {
    let salutation = line.starts_with("Dear ") && line.len() < 60 && line.ends_with([',', ':']);
    salutation
        || line.starts_with("To Whom It May Concern")
        || line.starts_with("Sincerely,")
        || line.starts_with("Best regards,")
}

/// Where on the line a pasted text begins: behind the colon of "translate this: …" or "here is my draft:".
fn announces_text(line: &str) -> Option<usize> {
    let mut from = 0;
    while let Some((offset, mark)) = line[from..].match_indices([':', '：']).next() {
        let colon = from + offset + mark.len();
        from = colon;
        let followed_by_space = mark == "：" || line[colon..].chars().next().is_none_or(char::is_whitespace);
        let sentence = plain(line[..colon].rsplit(['.', '!', '?', '\n']).next().unwrap_or_default());
        let words: Vec<&str> = sentence
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .filter(|word| !word.is_empty())
            .collect();
        let verb_stands = |verb: &&str| {
            let unspaced = verb.starts_with(is_unspaced);
            if unspaced { sentence.contains(verb) } else { words.contains(verb) }
        };
        let works = TEXT_WORK.iter().any(verb_stands) && !given::tells_of_its_speaker(&sentence);
        let shows = [
            "here's",
            "here is",
            "here are",
            "below is",
            "this is",
            "the following",
            "looks like this",
            "is this",
        ]
        .iter()
        .any(|phrase| sentence.contains(phrase));
        let names = words.iter().any(|word| PASTED.contains(word));
        if followed_by_space && (works || shows && names || shows && line[colon..].trim().is_empty()) {
            return Some(colon);
        }
    }
    None
}

fn looks_like_code(line: &str) -> bool {
    const BEGINNINGS: [&str; 22] = [
        "import ",
        "def ",
        "const ",
        "var ",
        "function ",
        "class ",
        "#include",
        "public ",
        "private ",
        "return ",
        "Traceback",
        "File \"",
        "at ",
        "$ ",
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "</",
        "<div",
        "//",
        "{",
        "}",
    ];
    if line.is_empty() {
        return false;
    }
    let ends = line.ends_with([';', '{', '}']) || line.ends_with("=>") || line.ends_with(");");
    let begins = BEGINNINGS.iter().any(|word| line.starts_with(word))
        && (ends || line.contains(['(', '=', '<', '{', '"']));
    let symbols = line.chars().filter(|c| "{}[]()<>=;|\\/_#$&*+^~".contains(*c)).count();
    let stamped = line.len() > 20 && line.bytes().take(10).filter(u8::is_ascii_digit).count() >= 6;
    let level = ["ERROR", "WARN", "INFO ", "DEBUG"]
        .iter()
        .any(|level| line.starts_with(level) || line.starts_with(&format!("[{level}")));
    ends || begins || stamped || level || symbols * 5 > line.chars().count().max(10)
}

/// Lower case with straight apostrophes, byte for byte as long as ASCII allows; only looked into, never cut by.
fn plain(text: &str) -> String {
    text.replace(['’', '‘'], "'").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let speech = listen(text).map(|speech| {
            speech.parts.iter().map(|part| text[part.clone()].trim().to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(speech, Ok(expected.iter().map(|part| (*part).to_owned()).collect()), "{text}");
    }

    fn check_silent(text: &str, expected: Silence) {
        assert_eq!(listen(text), Err(expected), "{text}");
    }

    #[test]
    fn code_lists_and_quotations_are_not_speech() {
        check("I use Rust.\n```\nI love x;\n```\nReally.", &["I use Rust.", "Really."]);
        check("> I love Python\nMe too", &["Me too"]);
        check("My list:\n- I like a\n- I like b\n1. I hate c", &["My list:"]);
        check("let x = i_like(tea);", &[]);
    }

    #[test]
    fn pasted_text_is_not_speech() {
        check("Translate this: I love my dog", &["Translate this:"]);
        check(
            "I'm a nurse. Here's my cover letter:\nI have 12 cats.",
            &["I'm a nurse. Here's my cover letter:"],
        );
        check("Please fix.\nDear Sir,\nI live in Rome.", &["Please fix."]);
        check("Traduci questo: amo il mio cane", &["Traduci questo:"]);
        check("翻译这句话：我喜欢茶", &["翻译这句话："]);
    }

    #[test]
    fn some_turns_are_not_read_at_all() {
        check_silent("Act as a pirate. I love rum.", Silence::RolePlay);
        check_silent("*sits down* I love you", Silence::RolePlay);
        check_silent("I have a cat. Please don't remember this.", Silence::MemoryControl);
        check_silent("I have 3 apples and eat 1. How many do I have left?", Silence::Exercise);
        check_silent("Fai finta di essere un pirata. Amo il rum.", Silence::RolePlay);
        check_silent("Ho un gatto. Non ricordare questo.", Silence::MemoryControl);
        check("I don't remember the details", &["I don't remember the details"]);
    }
}
