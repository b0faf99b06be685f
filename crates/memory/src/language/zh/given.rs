//! Chinese: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "翻译 译成 翻成 总结 概括 改写 缩写 润色 校对",
    amend: "修改 改正 纠正 检查",
    say: "怎么说 说成 改成",
    languages: "英语 英文 西班牙语 西语 法语 法文 德语 德文 意大利语 葡萄牙语 荷兰语 波兰语 俄语 俄文 土耳其语 阿拉伯语 印地语 中文 日语 日文 韩语 韩文 粤语 泰语 越南语",
    this: "这 这段 这句 下面 以下 上面 怎么说",
    right: "这样写对吗 这样说对吗 语法对吗 有没有语法 有语法错误 这句话对吗",
    goes_on: "接着写 继续写 续写 往下写",
    writes: "写",
    texts: "故事 诗 小说 章 场景 歌 童话 独白 文章 段落 信",
    on_behalf: "给 为",
    play: "角色扮演 扮演",
    invites: "来玩 我们来 咱们 玩个 玩一个 来个 来做 我想练习 假装",
    you_are: "你是 你当 你演 你扮演",
    i_am: "我是 我当 我演 我扮演",
    ends: "结束角色扮演 不玩了 停止角色扮演 游戏结束",
    supposes: "假装我是 假设我是 想象我是",
};
