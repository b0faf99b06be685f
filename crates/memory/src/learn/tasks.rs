//! One piece of work that is asked for: "escribe mi bio", "自己紹介書いて". It is no standing order, however much it sounds like one.
//!
//! An order holds for every answer, a task for one. Both are imperatives, so the judge takes one for the other now and then, and a task that is kept as
//! an order stands in front of every conversation. What shows a task is its object: one text of a certain kind, which nobody asks for every time. What is
//! told beside it ("my daughter's called Lena, write her a story") is a fact and stays one.

use std::sync::LazyLock;

use super::decide::says_for_good;
use super::draft::{Candidate, Draft};
use super::told::is_verbatim;
use crate::text::fold;
use crate::text::tokens::is_wide;
use crate::types::{Kind, StatementDurability};

/// How people ask for a text to be made, and what they ask for, by language. Behind a star a word may go on.
const TASKS: &[(&str, &str)] = &[
    (
        "write writing draft compose make create prepare generate do",
        "bio message text email mail letter poem story card speech toast song essay post caption cv resume invitation note review haiku limerick",
    ),
    (
        "escribe escribeme escribele redacta redactame haz hazme hazle prepara preparame ayudame",
        "bio biografia mensaje correo carta poema cuento historia tarjeta discurso cancion post curriculum cv invitacion nota postal mail",
    ),
    (
        "escreve escreva escreve-me redige redija faz faca faz-me prepara ajuda-me me_ajuda",
        "bio biografia mensagem email carta poema conto historia cartao discurso cancao post curriculo cv convite bilhete texto",
    ),
    (
        "ecris ecrivez ecris-moi redige redigez fais fais-moi prepare aide-moi",
        "bio biographie message mail lettre poeme histoire carte discours chanson post cv invitation mot texte conte",
    ),
    (
        "schreib schreibe schreiben_sie verfass verfasse entwirf mach mache erstell erstelle hilf",
        "bio nachricht mail email brief gedicht geschichte karte rede lied post lebenslauf einladung text anschreiben bewerbung trauerkarte",
    ),
    (
        "scrivi scrivimi scriva componi prepara preparami fai fammi aiutami",
        "bio biografia messaggio mail lettera poesia storia racconto biglietto discorso canzone post cv curriculum invito testo",
    ),
    (
        "schrijf schrijf_me maak stel_op verzin help",
        "bio bericht mail brief gedicht verhaal verhaaltje kaart kaartje toespraak speech lied liedje post cv uitnodiging tekst appje",
    ),
    (
        "napisz napisz_mi przygotuj stworz zrob uloz pomoz",
        "bio wiadomosc maila mail list wiersz opowiadanie kartke przemowe przemowienie piosenke post cv zaproszenie tekst bajke historyjke",
    ),
    (
        "напиши напишите составь сочини придумай сделай помоги подготовь",
        "био биографию сообщение письмо стих стихотворение рассказ сказку открытку речь песню пост резюме приглашение текст историю",
    ),
    (
        "yaz yazar_misin yazsana hazirla olustur yardim",
        "biyografi biyografimi mesaj mesaji mail maili mektup mektubu siir hikaye hikayesi kart konusma sarki gonderi cv davetiye metin masal",
    ),
    (
        "اكتب اكتبي اكتبلي حضر جهز اعمل ساعدني",
        "نبذة رسالة ايميل إيميل بريد قصيدة قصة بطاقة خطاب كلمة اغنية أغنية منشور سيرة دعوة نص",
    ),
    (
        "लिखो लिख_दो लिखिए लिख_दीजिए बनाओ बना_दो तैयार",
        "बायो संदेश मैसेज मेसेज ईमेल मेल चिट्ठी पत्र कविता कहानी कार्ड भाषण गाना पोस्ट सीवी निमंत्रण",
    ),
    ("写 帮我写 做 拟", "简介 自我介绍 短信 消息 邮件 信 诗 故事 贺卡 讲话 演讲稿 歌 帖子 简历 请柬 微信"),
    (
        "書いて 書いてくれ 書いてほしい 作って",
        "自己紹介 メッセージ メール 手紙 詩 物語 カード スピーチ 歌 投稿 履歴書 招待状 作文 挨拶文 話",
    ),
    (
        "써줘 써_줘 써주세요 써_주세요 작성해 만들어",
        "자기소개 메시지 문자 메일 이메일 편지 시를 이야기 카드 연설 노래 게시글 이력서 초대장 카톡",
    ),
];

/// What makes an order of such words all the same: when it holds, and how it is to be done.
const ORDERS: &str = "when whenever if every each all any without only not dont no keep use
    cuando si cada todos todas sin solo no nunca usa quando se todos todas sem so nao use quand si chaque tous sans seulement pas
    wenn falls jede jeden jedes alle ohne nur nicht kein keine bitte_immer quando se ogni tutti senza solo non
    als elke alle zonder alleen niet geen kiedy gdy jesli kazdy kazda wszystkie bez tylko nie когда если каждый каждую все без только не
    eger zaman tum sadece olmadan olmasin إذا لما كل بدون فقط لا जब अगर हर सब बिना सिर्फ मत";
const ORDERS_WIDE: &[&str] = &[
    "时",
    "如果",
    "都",
    "别",
    "不要",
    "每",
    "只",
    "要用",
    "とき",
    "時は",
    "なら",
    "すべて",
    "全部",
    "だけ",
    "ないで",
    "で書いて",
    "に書いて",
    "体で",
    "語で",
    "때",
    "면",
    "모두",
    "모든",
    "말고",
    "만 ",
    "로 써",
    "게 써",
    "마다",
];

/// Words between the verb of a task and what it makes.
const NEAR_WORDS: usize = 6;

/// Letters behind a thing's name that are its ending or what belongs to it.
const TELLING_WORDS: usize = 2;
const TELLING_WIDE_LETTERS: usize = 5;

struct Task {
    verbs: Vec<Vec<String>>,
    things: Vec<String>,
    wide: bool,
}

static TABLE: LazyLock<Vec<Task>> = LazyLock::new(|| {
    let of = |(verbs, things): &(&str, &str)| {
        let words = |list: &str| -> Vec<String> {
            list.split_whitespace().map(|word| fold(&word.replace('_', " "))).collect()
        };
        let verbs: Vec<String> = words(verbs);
        let wide = verbs.iter().any(|verb| verb.chars().any(is_wide));
        let verbs = verbs.iter().map(|verb| words_of(verb)).collect();
        Task { verbs, things: words(things), wide }
    };
    TASKS.iter().map(of).collect()
});

static ORDER_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| ORDERS.split_whitespace().map(fold).collect());

/// Makes a fact of what is told beside one piece of work that is asked for, and leaves the work itself out.
pub(super) fn take_out(draft: &mut Draft) {
    let is_order = |one: &Candidate| {
        one.kind == Kind::Rule && is_verbatim(one) && one.durability != StatementDurability::Explicit
    };
    let told = |one: &Candidate| told_beside(&one.evidence).map(str::to_owned);
    let mut gone = Vec::new();
    for candidate in draft.candidates.iter_mut().filter(|one| is_order(one)) {
        if !is_one_task(&candidate.evidence) || says_for_good(&candidate.evidence) {
            continue;
        }
        match told(candidate) {
            Some(told) => {
                candidate.kind = Kind::Fact;
                candidate.layer = Kind::Fact.usual_layer();
                candidate.category = "fact".to_owned();
                candidate.matter = None;
                candidate.core = None;
                candidate.content = told;
            }
            None => gone.push(candidate.content.clone()),
        }
    }
    draft.candidates.retain(|one| !(is_order(one) && gone.contains(&one.content)));
}

/// Whether a sentence asks for one text to be made.
pub(super) fn is_one_task(text: &str) -> bool {
    clauses_of(text).into_iter().any(asks_for_one_text)
}

fn asks_for_one_text(clause: &str) -> bool {
    let folded = fold(clause);
    let words = words_of(&folded);
    if words.iter().any(|word| ORDER_WORDS.contains(word))
        || ORDERS_WIDE.iter().any(|order| folded.contains(order))
    {
        return false;
    }
    TABLE.iter().any(|task| {
        if task.wide {
            let verb = task.verbs.iter().filter_map(|verb| folded.find(&verb.join(" "))).max();
            return verb.is_some() && task.things.iter().any(|thing| folded.contains(thing.as_str()));
        }
        let begins = |place: &usize| task.verbs.iter().any(|verb| words[*place..].starts_with(verb));
        (0..words.len()).filter(begins).any(|verb| {
            let near = words.iter().enumerate().filter(|(place, _)| place.abs_diff(verb) <= NEAR_WORDS);
            near.into_iter().any(|(_, word)| task.things.contains(word))
        })
    })
}

/// What a sentence tells beside the work that it asks for.
fn told_beside(text: &str) -> Option<&str> {
    let clauses = clauses_of(text);
    let place = clauses.iter().position(|clause| asks_for_one_text(clause))?;
    let told = |clause: &str| {
        let wide = clause.chars().filter(|&letter| is_wide(letter)).count();
        clause.split_whitespace().count() > TELLING_WORDS || wide >= TELLING_WIDE_LETTERS
    };
    let start = |clause: &str| clause.as_ptr() as usize - text.as_ptr() as usize;
    let before = text[..start(clauses[place])].trim_end_matches(is_loose);
    let behind = clauses.get(place + 1).map(|clause| text[start(clause)..].trim_end_matches(is_loose));
    behind.filter(|clause| told(clause)).or(Some(before).filter(|clause| told(clause)))
}

fn clauses_of(text: &str) -> Vec<&str> {
    let parts = text.split([',', ';', ':', '，', '、', '；', '：', '،', '\n', '–', '—', '(', ')']);
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn is_loose(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | ';' | ':' | '.' | '，' | '、' | '；' | '：' | '،' | '。')
}

fn words_of(folded: &str) -> Vec<String> {
    let is_mark = |letter: char| matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}');
    let part_of_word =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '\'') || is_mark(letter);
    let words = folded.split(|letter: char| !part_of_word(letter));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_one_task, told_beside};

    #[test]
    fn one_text_that_is_asked_for_is_a_task() {
        for text in [
            "write my bio",
            "escribe mi bio",
            "escreve uma mensagem para a minha chefe",
            "écris un mot pour la maîtresse",
            "schreib mir ne nachricht an meine chefin",
            "scrivi un biglietto per mia figlia",
            "schrijf een kaartje voor mijn oma",
            "napisz maila do szefa",
            "напиши поздравление и письмо бабушке",
            "patronuma mesaj yaz",
            "اكتب رسالة لمديري",
            "मेरे बॉस को मैसेज लिखो",
            "帮我写一封邮件给老板",
            "自己紹介書いて",
            "手紙書いて",
            "이마트 점장님한테 메시지 써줘, 나 거기 매니저야",
        ] {
            assert!(is_one_task(text), "{text}");
        }
        for text in [
            "write emails in British spelling",
            "sign every letter with my initials",
            "when you write a letter for me, sign it Xenia",
            "no emojis in a message, please",
            "メールは敬語で書いて",
            "편지는 존댓말로 써줘",
            "写邮件都用敬语",
        ] {
            assert!(!is_one_task(text), "{text}");
        }
    }

    #[test]
    fn what_is_told_beside_a_task_is_kept() {
        for (text, told) in [
            ("이마트 점장님한테 메시지 써줘, 나 거기 매니저야", Some("나 거기 매니저야")),
            ("딸 이름은 레나, 이야기 써줘", Some("딸 이름은 레나")),
            ("my daughter's called lena, write her a story", Some("my daughter's called lena")),
            ("escribe mi bio", None),
        ] {
            assert_eq!(told_beside(text), told, "{text}");
        }
    }

    /// Of what is labelled as a standing order few are taken for a task.
    const ORDERS_LEAST: usize = 2_500;
    const TAKEN_MOST: usize = 15;

    #[test]
    fn standing_orders_are_seldom_taken_for_tasks() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/told");
        let (mut orders, mut taken) = (0, Vec::new());
        for file in std::fs::read_dir(folder).expect("the corpus").filter_map(Result::ok) {
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            for line in text.lines().filter(|line| line.starts_with('+')) {
                let Some((mark, said)) = line.split_once(" | ") else { continue };
                if !mark.split(' ').any(|word| word == "instruction") {
                    continue;
                }
                let said = said.split(" || ").next().unwrap_or(said);
                orders += 1;
                if is_one_task(said) && !super::says_for_good(said) {
                    taken.push(said.to_owned());
                }
            }
        }
        assert!(orders > ORDERS_LEAST, "{orders}: the corpus is not read");
        assert!(taken.len() <= TAKEN_MOST, "{} of {orders}: {taken:#?}", taken.len());
    }
}
