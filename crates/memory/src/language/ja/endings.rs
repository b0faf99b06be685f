//! Japanese: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "代わりに",
        "変えた",
        "変えました",
        "乗り換え",
        "切り替え",
        "に変更",
        "もう…ない",
        "もう…ません",
        "もう…なかった",
        "なくなった",
        "なくなりました",
        "辞め",
        "やめた",
        "やめました",
        "やめまし",
        "別れた",
        "別れました",
        "別れて",
        "売った",
        "売りました",
        "売却",
        "キャンセル",
        "中止",
        "退職",
        "引退",
        "卒業し",
        "やっぱり…ない",
        "やっぱ…ない",
        "解約",
    ],
    deaths: &["亡くな", "死んだ", "死にました", "死んじゃ"],
    partings: &[
        "別れ",
        "離婚",
    ],
    partners: "彼氏 彼女 夫 妻 旦那 主人 婚約者 パートナー 結婚",
    negations: "じゃなく ではなく じゃない ではない ない",
};
