//! What secrets are called, and which words stand where a secret could stand without being one.
//!
//! A language is a few entries in each list. Words are in lower case; a space in a cue also stands for `_`, `-` or nothing,
//! so that `api key` is found in `API_KEY` and `apiKey`.

use super::SecretKind;

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

/// By first letter, so that they are found quickly; longer ones before those they begin with.
const CUES: &[Cue] = &[
    cue("access key id", SecretKind::ApiKey, Proof::Made(8)),
    cue("api schlüssel", SecretKind::ApiKey, Proof::Made(8)),
    cue("authorization", SecretKind::Token, Proof::Word),
    cue("account key", SecretKind::ApiKey, Proof::Made(8)),
    cue("access key", SecretKind::ApiKey, Proof::Made(8)),
    cue("api key", SecretKind::ApiKey, Proof::Made(8)),
    cue("client secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("contraseña", SecretKind::Password, Proof::Word),
    cue("contrasena", SecretKind::Password, Proof::Word),
    cue("clave api", SecretKind::ApiKey, Proof::Made(8)),
    cue("clé api", SecretKind::ApiKey, Proof::Made(8)),
    cue("clave", SecretKind::Password, Proof::Made(4)),
    cue("cvv", SecretKind::Card, Proof::Digits(3)),
    cue("cvc", SecretKind::Card, Proof::Digits(3)),
    cue("kennwort", SecretKind::Password, Proof::Word),
    cue("mot de passe", SecretKind::Password, Proof::Word),
    cue("mdp", SecretKind::Password, Proof::Word),
    cue("passphrase", SecretKind::Password, Proof::Phrase),
    cue("password", SecretKind::Password, Proof::Word),
    cue("passcode", SecretKind::Password, Proof::Word),
    cue("passwort", SecretKind::Password, Proof::Word),
    cue("pin code", SecretKind::Password, Proof::Digits(4)),
    cue("passwd", SecretKind::Password, Proof::Word),
    cue("pass", SecretKind::Password, Proof::Made(6)),
    cue("pwd", SecretKind::Password, Proof::Word),
    cue("pin", SecretKind::Password, Proof::Digits(4)),
    cue("recovery phrase", SecretKind::Password, Proof::Phrase),
    cue("secret access key", SecretKind::ApiKey, Proof::Made(8)),
    cue("seed phrase", SecretKind::Password, Proof::Phrase),
    cue("secret key", SecretKind::ApiKey, Proof::Made(8)),
    cue("secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("senha", SecretKind::Password, Proof::Word),
    cue("token", SecretKind::Token, Proof::Made(8)),
    cue("wachtwoord", SecretKind::Password, Proof::Word),
    cue("пароль", SecretKind::Password, Proof::Word),
    cue("パスワード", SecretKind::Password, Proof::Word),
    cue("密码", SecretKind::Password, Proof::Word),
    cue("密碼", SecretKind::Password, Proof::Word),
    cue("비밀번호", SecretKind::Password, Proof::Word),
];

/// For each byte, from where to where the cues stand that begin with it.
const PLACES: [(usize, usize); 256] = places();

const fn places() -> [(usize, usize); 256] {
    let mut places = [(0, 0); 256];
    let mut at = 0;
    while at < CUES.len() {
        let first = CUES[at].word.as_bytes()[0] as usize;
        let start = if places[first].1 == 0 { at } else { places[first].0 };
        places[first] = (start, at + 1);
        at += 1;
    }
    places
}

/// The cues that may begin with this byte, small or capital. Most bytes begin none, so this must be quick.
pub(super) fn cues(first: u8) -> &'static [Cue] {
    let (start, end) = PLACES[usize::from(first.to_ascii_lowercase())];
    &CUES[start..end]
}

/// "my password IS …". The verbs that name the value.
pub(super) const VERBS: &str = "\
    is was = ist lautet war es era est était é è это — -";

/// Verbs and particles that follow a cue without a space.
pub(super) const ATTACHED_VERBS: &[&str] = &["'s ", "’s ", "是", "为", "為", "は", "는 ", "："];

/// "changed my password TO …". They name a value only where the value is plainly none of the language's words.
pub(super) const CHANGES: &str = "\
    to auf zu a por en par à для на";

/// "my password FOR the router is …". What may begin the words between cue and verb.
pub(super) const CONNECTIONS: &str = "\
    for to of on at in there here für vom von zum zur im am beim dort de del para en pour du des sur d'accès \
    do da от для к";

/// "my password is NOW …". Between the verb and the value.
pub(super) const FILLERS: &str = "\
    now still just actually simply currently jetzt nun noch einfach ahora todavía simplemente maintenant \
    toujours simplement agora теперь";

/// What follows a cue and is not a secret: answers, states, types, function words.
const HARMLESS: &str = "\
    true false null none nil undefined string str &str text varchar bool boolean int number any optional \
    required redacted hidden masked empty missing invalid valid wrong incorrect expired expiring weak strong \
    secure insecure safe unsafe short long simple easy hard different same unique good bad better old new \
    broken working stored saved hashed encrypted leaked stolen lost forgotten reset changed needed used set \
    sent shown asked case case-sensitive enough important being going written known too very so not never \
    always also only really pretty the a an my your our his her their this that it something what in on at \
    for to of with from by and or but because if when password passwort secret token field input basic \
    bearer falsch richtig abgelaufen sicher unsicher schwach stark kurz lang einfach gleich anders nicht nie \
    immer auch zu sehr der die das ein eine mein dein unser im auf für vergessen geändert incorrecta segura \
    débil fuerte larga corta igual diferente muy demasiado no nunca siempre la el los las un una mi tu su \
    que de incorrect expiré faible fort court trop très pas jamais toujours le les une mon ton son dans sur \
    oublié";

/// The longest of them, in bytes.
const HARMLESS_BYTES: usize = 16;

pub(super) fn is_harmless(value: &str) -> bool {
    value.len() <= HARMLESS_BYTES && is_one_of(HARMLESS, value)
}

/// Whether a list of words has this one, whatever its case.
pub(super) fn is_one_of(words: &str, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    words.split(' ').any(|word| word == wanted)
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
        for cue in CUES {
            let same = cues(cue.word.as_bytes()[0]);
            let place = same.iter().position(|other| other.word == cue.word).expect("under its letter");
            assert!(!same[..place].iter().any(|other| cue.word.starts_with(other.word)), "{}", cue.word);
            assert_eq!(cue.word.to_lowercase(), cue.word);
        }
        assert!(HARMLESS.split(' ').all(|word| word.len() <= HARMLESS_BYTES));
    }
}
