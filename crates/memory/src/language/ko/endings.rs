//! Korean: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "대신",
        "바꿨",
        "갈아탔",
        "더 이상",
        "더이상",
        "이제…안",
        "이제…않",
        "이제는…안",
        "그만뒀",
        "그만두",
        "그만둔",
        "끊었",
        "팔았",
        "취소",
        "퇴사",
        "은퇴",
        "퇴직",
        "접었",
        "포기했",
        "알고 보니…아니",
    ],
    unreal: &[
        "아직",
        "생각 중",
        "생각중",
        "만약",
    ],
    deaths: &["돌아가셨", "죽었", "세상을 떠났", "무지개다리"],
    partings: &[
        "헤어졌",
        "헤어진",
        "이혼",
    ],
    partners: "남자친구 여자친구 남친 여친 남편 아내 약혼자 와이프 결혼",
    negations: "아니라 아니고 아닌 말고 안",
};
