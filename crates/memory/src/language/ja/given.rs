//! Japanese: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "翻訳 訳して 要約 校正 書き直して 言い換えて 添削",
    amend: "直して 修正 チェック",
    say: "にして 言う 言い 言って で何",
    languages: "英語 スペイン語 フランス語 ドイツ語 イタリア語 ポルトガル語 オランダ語 ポーランド語 ロシア語 トルコ語 アラビア語 ヒンディー語 中国語 日本語 韓国語 タイ語 ベトナム語",
    this: "これ この それ 次の 以下 上の 下の",
    right: "この日本語は正しい 文法は正しい 自然ですか 合っていますか この文は正しい 間違いはありますか",
    goes_on: "続きを書いて 続けて 続きを",
    writes: "書いて 作って",
    texts: "物語 小説 詩 話 章 場面 歌 童話 独白 文章 段落 手紙",
    on_behalf: "のために に宛てた 宛の",
    play: "ロールプレイ ごっこ 役になって",
    invites: "しよう しましょう やろう やりましょう しませんか 練習したい",
    you_are: "あなたは あなたが 君が 君は お前が",
    i_am: "私は 私が 僕が 僕は 俺が",
    ends: "ロールプレイ終了 ロールプレイは終わり 遊びは終わり ロールプレイを終え",
    supposes: "と仮定して のふりをして",
};
