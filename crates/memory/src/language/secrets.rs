//! What a language's folder says of secrets: what they are called, and which words stand where a secret could stand
//! without being one.
//!
//! Names of secrets are separated by commas, since some are several words; everything else by white space. All are in
//! lower case. A space inside a name also stands for `_`, `-` or nothing, so that `api key` is found in `API_KEY`.

#[derive(Debug)]
pub(crate) struct SecretWords {
    /// "password": whatever follows is taken for one unless it is a harmless word.
    pub passwords: &'static str,
    /// Words for a password that are everyday words too: what follows must look made up.
    pub everyday_passwords: &'static str,
    pub api_keys: &'static str,
    /// "my password IS …". The verbs that name the value.
    pub verbs: &'static str,
    /// Verbs and particles that follow a name without a space.
    pub attached_verbs: &'static [&'static str],
    /// "changed my password TO …". They name a value only where the value is plainly none of the language's words.
    pub changes: &'static str,
    /// "my password FOR the router is …". What may begin the words between name and verb.
    pub connections: &'static str,
    /// "my password is NOW …". Between the verb and the value.
    pub fillers: &'static str,
    /// What follows a name and is not a secret: answers, states, function words.
    pub harmless: &'static str,
}
