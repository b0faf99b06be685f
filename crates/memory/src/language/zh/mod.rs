//! Chinese.

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
    code: "zh",
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
        role_play: &["扮演", "你现在是", "现在你是", "假装你是", "假设你是", "你是一名", "你是一个", "你是一位", "角色扮演"],
        memory_refusals: &["不要记住", "请不要记住", "别记住", "不要保存", "忘掉这个", "忘记这个"],
        text_work: "翻译 润色 修改 总结 改写",
        greetings: "你好 您好 谢谢",
        users: "用户",
        abbreviations: "",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "密码, 密碼",
    everyday_passwords: "",
    api_keys: "",
    verbs: "",
    attached_verbs: &["是", "为", "為"],
    changes: "",
    connections: "",
    fillers: "",
    harmless: "错误 不对 过期 安全 太短 忘了 什么",
};
