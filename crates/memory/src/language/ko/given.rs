//! Korean: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "번역 요약 교정해 교정_좀 교정_부탁 교정_봐 다시_써 바꿔_써",
    amend: "고쳐 수정 다듬어 검토",
    say: "해_줘 해줘 말해 뭐라고 하면 라고_해 써_줘",
    languages: "영어 스페인어 프랑스어 독일어 이탈리아어 포르투갈어 네덜란드어 폴란드어 러시아어 터키어 아랍어 힌디어 중국어 일본어 한국어 태국어 베트남어",
    this: "이거 이걸 이것 그걸 그거 다음 아래 이 문장",
    right: "이_문장_맞아 문법이_맞 자연스러워 맞는_표현 틀린_곳",
    goes_on: "이어_써 이어서_써 이어_줘 계속_써 이어_쓰",
    writes: "써_줘 써줘 지어_줘 만들어",
    texts: "이야기 소설 시를 시_한 장면 노래 동화 독백 글 문단 편지",
    on_behalf: "위해 에게 위한",
    play: "역할극 롤플레이 역할_놀이 상황극",
    invites: "하자 해보자 할래 해_보자 합시다 할까 연습하고_싶",
    you_are: "너는 네가 당신은 넌 당신이",
    i_am: "나는 내가 저는 제가 난",
    ends: "역할극_끝 역할극은_끝 역할극_그만 롤플레이_끝 그만하자_역할극",
    supposes: "라고_가정 라고_치자 이라고_상상 인_척해",
};
