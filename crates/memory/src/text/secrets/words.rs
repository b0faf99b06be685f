//! What secrets are called, and which words stand where a secret could stand without being one.
//!
//! The words come from the folders of the languages; here they are put together, with those that are the same everywhere.
//! Words are in lower case; a space in a cue also stands for `_`, `-` or nothing, so that `api key` is found in `API_KEY`
//! and `apiKey`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::SecretKind;
use crate::language::{Language, SecretWords};

/// What a value must look like to be taken for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// Anything that is not one of the harmless words.
    Word,
    /// So many bytes at least with a digit among them, or very many without: the cue is also an everyday word.
    Made(usize),
    /// So many digits at least and nothing else.
    Digits(usize),
    /// Several words, to the end of the sentence.
    Phrase,
}

/// A word that says that a secret follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cue {
    pub word: &'static str,
    pub kind: SecretKind,
    pub proof: Proof,
}

const fn cue(word: &'static str, kind: SecretKind, proof: Proof) -> Cue {
    Cue { word, kind, proof }
}

/// Names that programs and settings use, which are English everywhere, and those of languages that have no folder.
const TECHNICAL: &[Cue] = &[
    cue("authorization", SecretKind::Token, Proof::Word),
    cue("client secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("cvv", SecretKind::Card, Proof::Digits(3)),
    cue("cvc", SecretKind::Card, Proof::Digits(3)),
    cue("passphrase", SecretKind::Password, Proof::Phrase),
    cue("pin code", SecretKind::Password, Proof::Digits(4)),
    cue("pass", SecretKind::Password, Proof::Made(6)),
    cue("pin", SecretKind::Password, Proof::Digits(4)),
    cue("recovery phrase", SecretKind::Password, Proof::Phrase),
    cue("secret access key", SecretKind::ApiKey, Proof::Made(8)),
    cue("seed phrase", SecretKind::Password, Proof::Phrase),
    cue("secret key", SecretKind::ApiKey, Proof::Made(8)),
    cue("secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("token", SecretKind::Token, Proof::Made(8)),
    cue("wachtwoord", SecretKind::Password, Proof::Word),
    cue("비밀번호", SecretKind::Password, Proof::Word),
];

/// By first byte, so that they are found quickly; longer ones before those they begin with.
static CUES: LazyLock<[Vec<Cue>; 256]> = LazyLock::new(|| {
    let mut cues = [const { Vec::new() }; 256];
    let spoken = Language::spoken().flat_map(|(_, speech)| spoken_cues(&speech.secrets));
    for cue in TECHNICAL.iter().copied().chain(spoken) {
        cues[usize::from(cue.word.as_bytes()[0])].push(cue);
    }
    for cues in &mut cues {
        cues.sort_by_key(|cue: &Cue| std::cmp::Reverse(cue.word.len()));
    }
    cues
});

/// The cues of one language.
fn spoken_cues(words: &'static SecretWords) -> impl Iterator<Item = Cue> {
    let kinds = [
        (words.passwords, SecretKind::Password, Proof::Word),
        (words.everyday_passwords, SecretKind::Password, Proof::Made(4)),
        (words.api_keys, SecretKind::ApiKey, Proof::Made(8)),
    ];
    kinds.into_iter().flat_map(|(names, kind, proof)| {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        names.map(move |name| cue(name, kind, proof))
    })
}

/// The cues that may begin with this byte, small or capital. Most bytes begin none, so this must be quick.
pub(super) fn cues(first: u8) -> &'static [Cue] {
    &CUES[usize::from(first.to_ascii_lowercase())]
}

/// One list of every language, with what is written everywhere.
fn everywhere(list: impl Fn(&SecretWords) -> &'static str, further: &'static str) -> HashSet<&'static str> {
    let lists = Language::spoken().map(|(_, speech)| list(&speech.secrets)).chain([further]);
    lists.flat_map(str::split_whitespace).collect()
}

/// "my password IS …". The verbs that name the value.
pub(super) static VERBS: LazyLock<HashSet<&str>> = LazyLock::new(|| everywhere(|words| words.verbs, "= — -"));

/// Verbs and particles that follow a cue without a space.
pub(super) static ATTACHED_VERBS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let spoken = Language::spoken().flat_map(|(_, speech)| speech.secrets.attached_verbs.iter().copied());
    spoken.chain(["는 ", "："]).collect()
});

/// "changed my password TO …". They name a value only where the value is plainly none of the language's words.
pub(super) static CHANGES: LazyLock<HashSet<&str>> = LazyLock::new(|| everywhere(|words| words.changes, ""));

/// "my password FOR the router is …". What may begin the words between cue and verb.
pub(super) static CONNECTIONS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| everywhere(|words| words.connections, ""));

/// "my password is NOW …". Between the verb and the value.
pub(super) static FILLERS: LazyLock<HashSet<&str>> = LazyLock::new(|| everywhere(|words| words.fillers, ""));

/// What follows a cue and is not a secret: answers, states, types, function words.
static HARMLESS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let technical = "\
        true false null none nil undefined string str &str text varchar bool boolean int number any optional required \
        redacted hidden masked empty password passwort secret token field input basic bearer";
    everywhere(|words| words.harmless, technical)
});

pub(super) fn is_harmless(value: &str) -> bool {
    is_one_of(&HARMLESS, value)
}

/// Whether a list of words has this one, whatever its case.
pub(super) fn is_one_of(words: &HashSet<&str>, wanted: &str) -> bool {
    words.contains(wanted.to_lowercase().as_str())
}

/// Stands where a secret will stand: `${DB_PASSWORD}`, `$TOKEN`, `<your password>`, `{{secret}}`, `****`, `your-api-key`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let opens = ["${", "$(", "{{", "<", "%("];
    let is_variable = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    opens.iter().any(|open| value.starts_with(open))
        || value.strip_prefix('$').is_some_and(is_variable)
        || ["your_", "your-", "YOUR_", "YOUR-"].iter().any(|start| value.starts_with(start))
        || value.chars().all(|c| matches!(c, '*' | '.' | '•' | 'x' | 'X' | '_' | '-' | '?' | '…'))
}

/// The right side of an assignment in a program that names the secret instead of spelling it out.
pub(super) fn is_code(value: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let call = value
        .split_once('(')
        .is_some_and(|(name, rest)| !name.is_empty() && name.chars().all(is_name) && rest.contains(')'));
    let lower = value.to_ascii_lowercase();
    let names_a_secret = ["pass", "secret", "token", "key", "env"].iter().any(|part| lower.contains(part));
    call || (names_a_secret && value.contains(['.', '[']) && !value.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cue_is_found_before_those_it_begins_with() {
        for cue in CUES.iter().flatten() {
            let same = cues(cue.word.as_bytes()[0]);
            let place = same.iter().position(|other| other.word == cue.word).expect("under its letter");
            assert!(!same[..place].iter().any(|other| cue.word.starts_with(other.word)), "{}", cue.word);
            assert_eq!(cue.word.to_lowercase(), cue.word);
        }
    }
}
