//! Japanese.

mod distil;
mod endings;
mod feelings;
mod given;
mod time;
mod wishes;

use self::distil::LEXICON;
use self::feelings::FEELINGS;
use super::{WordScript, SecretWords, SpeechTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "ja",
    script: WordScript::Other,
    search: None,
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &["ロールプレイ", "あなたは今から", "なりきって"],
        memory_refusals: &["覚えないで", "これは覚えないで", "記憶しないで", "保存しないで"],
        text_work: "翻訳 添削 要約 校正 書き直して",
        greetings: "こんにちは ありがとう",
        users: "ユーザー",
        abbreviations: "",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "パスワード",
    everyday_passwords: "",
    api_keys: "",
    verbs: "",
    attached_verbs: &["は"],
    changes: "",
    connections: "",
    fillers: "",
    harmless: "間違い 無効 期限切れ 安全 何",
};
