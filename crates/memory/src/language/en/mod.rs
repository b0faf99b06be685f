//! English.

mod distil;
mod endings;
mod feelings;
mod given;
pub(crate) mod stop_words;
pub(crate) mod time;
mod wishes;

use rust_stemmers::Algorithm;

use self::distil::LEXICON;
use self::feelings::FEELINGS;
use self::stop_words::STOP_WORDS;
use super::{WordScript, SearchTables, SecretWords, SpeechTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "en",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::English, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "act as ",
            "act like ",
            "pretend ",
            "you are a ",
            "you are an ",
            "you're a ",
            "you're an ",
            "you are now ",
            "roleplay",
            "role-play",
            "role play",
            "imagine you",
            "i want you to act",
            "i want you to pretend",
            "let's play a game",
            "play the role",
            "from now on you are ",
            "stay in character",
        ],
        memory_refusals: &[
            "don't remember",
            "do not remember",
            "don't save",
            "do not save",
            "don't store",
            "do not store",
            "forget this",
            "forget that",
            "forget everything",
            "forget what i",
            "off the record",
            "use incognito",
            "don't memorize",
            "do not memorize",
            "not be remembered",
        ],
        text_work: "translate rewrite proofread paraphrase summarize summarise edit correct improve fix \
            review rephrase polish analyze analyse shorten expand check classify explain",
        greetings: "hi hello hey thanks thank bye goodbye good",
        users: "user users",
        abbreviations: "dr mr mrs ms prof st mt ft jr sr vs e.g i.e eg ie approx dept no inc ltd co corp gen col \
            rev hon gov sen rep u.s u.k a.k.a",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "password, passcode, passwd, pwd",
    everyday_passwords: "",
    api_keys: "access key id, access key, account key, api key",
    verbs: "is was",
    attached_verbs: &["'s ", "’s "],
    changes: "to",
    connections: "for to of on at in there here",
    fillers: "now still just actually simply currently",
    harmless: "missing invalid valid wrong incorrect expired expiring weak strong secure insecure safe \
        unsafe short long simple easy hard different same unique good bad better old new broken \
        working stored saved hashed encrypted leaked stolen lost forgotten reset changed needed used \
        set sent shown asked case case-sensitive enough important being going written known too very \
        so not never always also only really pretty the a an my your our his her their this that it \
        something what in on at for to of with from by and or but because if when",
};
