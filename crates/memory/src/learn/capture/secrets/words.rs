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

/// Longer ones before those they begin with.
pub(super) const CUES: &[Cue] = &[
    cue("passphrase", SecretKind::Password, Proof::Phrase),
    cue("seed phrase", SecretKind::Password, Proof::Phrase),
    cue("recovery phrase", SecretKind::Password, Proof::Phrase),
    cue("password", SecretKind::Password, Proof::Word),
    cue("passcode", SecretKind::Password, Proof::Word),
    cue("passwd", SecretKind::Password, Proof::Word),
    cue("passwort", SecretKind::Password, Proof::Word),
    cue("kennwort", SecretKind::Password, Proof::Word),
    cue("contraseña", SecretKind::Password, Proof::Word),
    cue("contrasena", SecretKind::Password, Proof::Word),
    cue("mot de passe", SecretKind::Password, Proof::Word),
    cue("senha", SecretKind::Password, Proof::Word),
    cue("wachtwoord", SecretKind::Password, Proof::Word),
    cue("пароль", SecretKind::Password, Proof::Word),
    cue("密码", SecretKind::Password, Proof::Word),
    cue("密碼", SecretKind::Password, Proof::Word),
    cue("パスワード", SecretKind::Password, Proof::Word),
    cue("비밀번호", SecretKind::Password, Proof::Word),
    cue("pwd", SecretKind::Password, Proof::Word),
    cue("mdp", SecretKind::Password, Proof::Word),
    cue("pass", SecretKind::Password, Proof::Made(4)),
    cue("pin code", SecretKind::Password, Proof::Made(4)),
    cue("pin", SecretKind::Password, Proof::Made(4)),
    cue("clave", SecretKind::Password, Proof::Made(4)),
    cue("api key", SecretKind::ApiKey, Proof::Made(8)),
    cue("access key id", SecretKind::ApiKey, Proof::Made(8)),
    cue("access key", SecretKind::ApiKey, Proof::Made(8)),
    cue("secret access key", SecretKind::ApiKey, Proof::Made(8)),
    cue("secret key", SecretKind::ApiKey, Proof::Made(8)),
    cue("account key", SecretKind::ApiKey, Proof::Made(8)),
    cue("api schlüssel", SecretKind::ApiKey, Proof::Made(8)),
    cue("clave api", SecretKind::ApiKey, Proof::Made(8)),
    cue("clé api", SecretKind::ApiKey, Proof::Made(8)),
    cue("client secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("secret", SecretKind::ApiKey, Proof::Made(6)),
    cue("token", SecretKind::Token, Proof::Made(8)),
    cue("authorization", SecretKind::Token, Proof::Word),
    cue("cvv", SecretKind::Card, Proof::Made(3)),
    cue("cvc", SecretKind::Card, Proof::Made(3)),
];

/// "my password IS …". The verbs that name the value.
pub(super) const VERBS: &[&str] =
    &["is", "was", "=", "ist", "lautet", "war", "es", "era", "est", "était", "é", "è", "это", "—", "-", "là"];

/// Verbs and particles that follow a cue without a space.
pub(super) const ATTACHED_VERBS: &[&str] = &["'s ", "’s ", "是", "为", "為", "は", "는 ", "："];

/// "changed my password TO …". They name a value only where the value is plainly none of the language's words.
pub(super) const CHANGES: &[&str] = &["to", "auf", "zu", "a", "por", "en", "par", "à", "для", "на"];

/// "my password FOR the router is …". What may begin the words between cue and verb.
pub(super) const CONNECTIONS: &[&str] = &[
    "for", "to", "of", "on", "at", "in", "there", "here", "für", "vom", "von", "zum", "zur", "im", "am", "beim", "dort",
    "de", "del", "para", "en", "pour", "du", "des", "sur", "d'accès", "do", "da", "от", "для", "к",
];

/// "my password is NOW …". Between the verb and the value.
pub(super) const FILLERS: &[&str] = &[
    "now", "still", "just", "actually", "simply", "currently", "jetzt", "nun", "noch", "einfach", "ahora", "todavía",
    "simplemente", "maintenant", "toujours", "simplement", "agora", "теперь",
];

/// What follows a cue and is not a secret: answers, states, types, function words.
const HARMLESS: &[&str] = &[
    "true", "false", "null", "none", "nil", "undefined", "string", "str", "&str", "text", "varchar", "bool", "boolean",
    "int", "number", "any", "optional", "required", "redacted", "hidden", "masked", "empty", "missing", "invalid",
    "valid", "wrong", "incorrect", "expired", "expiring", "weak", "strong", "secure", "insecure", "safe", "unsafe",
    "short", "long", "simple", "easy", "hard", "different", "same", "unique", "good", "bad", "better", "old", "new",
    "broken", "working", "stored", "saved", "hashed", "encrypted", "leaked", "stolen", "lost", "forgotten", "reset",
    "changed", "needed", "used", "set", "sent", "shown", "asked", "case", "case-sensitive", "enough", "important",
    "being", "going", "written", "known", "too", "very", "so", "not", "never", "always", "also", "only", "really",
    "pretty", "the", "a", "an", "my", "your", "our", "his", "her", "their", "this", "that", "it", "something", "what",
    "in", "on", "at", "for", "to", "of", "with", "from", "by", "and", "or", "but", "because", "if", "when", "password",
    "passwort", "secret", "token", "field", "input", "basic", "bearer", "falsch", "richtig", "abgelaufen", "sicher",
    "unsicher", "schwach", "stark", "kurz", "lang", "einfach", "gleich", "anders", "nicht", "nie", "immer", "auch",
    "zu", "sehr", "der", "die", "das", "ein", "eine", "mein", "dein", "unser", "im", "auf", "für", "vergessen",
    "geändert", "incorrecta", "correcta", "segura", "débil", "fuerte", "larga", "corta", "igual", "diferente", "muy",
    "demasiado", "no", "nunca", "siempre", "la", "el", "los", "las", "un", "una", "mi", "tu", "su", "que", "de",
    "incorrect", "correct", "expiré", "faible", "fort", "court", "trop", "très", "pas", "jamais", "toujours", "le",
    "les", "une", "mon", "ton", "son", "dans", "sur", "oublié",
];

pub(super) fn is_harmless(value: &str) -> bool {
    let value = value.to_lowercase();
    HARMLESS.contains(&value.as_str())
}

/// Stands where a secret will stand: `${DB_PASSWORD}`, `$TOKEN`, `<your password>`, `{{secret}}`, `****`, `your-api-key`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let opens = ["${", "$(", "{{", "<", "%("];
    let is_variable = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    opens.iter().any(|open| value.starts_with(open))
        || value.strip_prefix('$').is_some_and(is_variable)
        || value.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("your"))
        || value.chars().all(|c| matches!(c, '*' | '.' | '•' | 'x' | 'X' | '_' | '-' | '?' | '…'))
}

/// The right side of an assignment in a program that names the secret instead of spelling it out.
pub(super) fn is_code(value: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let call = value.split_once('(').is_some_and(|(name, rest)| {
        !name.is_empty() && name.chars().all(is_name) && rest.contains(')')
    });
    let lower = value.to_ascii_lowercase();
    let names_a_secret = ["pass", "secret", "token", "key", "env"].iter().any(|part| lower.contains(part));
    call || (names_a_secret && value.contains(['.', '[']) && !value.contains(|c: char| c.is_ascii_digit()))
}
