//! What of a sentence is only asked: "don't forget that", "remember:", "…, so which beers could I bring?".
//!
//! What is kept is what the sentence tells. The words that ask for it to be kept are of no use a week later, and neither is a question that was answered on
//! the day. So a request is cut off at its end, and of a question what was stated before its last part is heard by itself.

/// How people ask that what follows be kept, in lower case.
const LEADS: &[&str] = &[
    "don't you forget",
    "don't forget",
    "dont forget",
    "do not forget",
    "never forget",
    "remember",
    "keep in mind",
    "bear in mind",
    "make a note",
    "note for later",
    "note to self",
    "note",
    "for the record",
    "for future reference",
    "just so you know",
    "no olvides",
    "no te olvides de",
    "no te olvides",
    "no olvide",
    "recuerda",
    "recuerde",
    "acuérdate de",
    "acuérdate",
    "ten en cuenta",
    "apunta",
    "anota",
    "não te esqueças de",
    "não te esqueças",
    "não esqueças",
    "não se esqueça de",
    "não se esqueça",
    "não esqueça",
    "não esquece",
    "lembra-te de",
    "lembra-te",
    "lembre-se de",
    "lembre-se",
    "lembra",
    "anota",
    "anote",
    "n'oublie pas",
    "n'oubliez pas",
    "souviens-toi",
    "souvenez-vous",
    "retiens bien",
    "retiens",
    "retenez",
    "note bien",
    "rappelle-toi",
    "vergiss bitte nicht",
    "vergiss nicht",
    "vergessen sie nicht",
    "merk dir bitte",
    "merk dir",
    "merke dir",
    "merken sie sich",
    "denk dran",
    "denk daran",
    "notier dir",
    "notiere",
    "non dimenticarti",
    "non dimenticare",
    "non scordare",
    "non scordarti",
    "ricordati",
    "ricorda",
    "ricordatevi",
    "tieni presente",
    "segnati",
    "annota",
    "vergeet niet",
    "vergeet alsjeblieft niet",
    "onthoud",
    "onthou",
    "denk eraan",
    "noteer",
    "nie zapomnij",
    "nie zapominaj",
    "zapamiętaj sobie",
    "zapamiętaj",
    "pamiętaj",
    "zapisz sobie",
    "zanotuj",
    "не забудь",
    "не забывай",
    "не забудьте",
    "запомни",
    "запомните",
    "имей в виду",
    "учти",
    "помни",
    "unutma",
    "unutmayın",
    "aklında olsun",
    "aklında tut",
    "not al",
    "hatırla",
    "لا تنسَ",
    "لا تنس",
    "لا تنسى",
    "لا تنسي",
    "تذكر",
    "تذكري",
    "احفظ",
    "ضع في بالك",
    "سجل عندك",
    "मत भूलना",
    "भूलना मत",
    "मत भूलो",
    "याद रखना",
    "याद रखो",
    "याद रखें",
    "ध्यान रखना",
    "नोट कर लो",
    "请别忘了",
    "请别忘",
    "别忘了",
    "别忘记",
    "别忘",
    "不要忘了",
    "不要忘记",
    "请记住",
    "记住",
    "记得",
    "记一下",
    "忘れないで",
    "覚えておいて",
    "覚えといて",
    "メモして",
    "잊지 마세요",
    "잊지 마",
    "기억해 줘",
    "기억해줘",
    "기억해 주세요",
    "메모해 줘",
];

/// Those of them that begin a statement too: "note taking is how I learn", "احفظ القرآن" ("I know it by heart"), "lembra o meu avô".
const TELLS_TOO: &[&str] = &[
    "note",
    "remember",
    "apunta",
    "anota",
    "annota",
    "lembra",
    "recuerda",
    "ricorda",
    "retiens",
    "احفظ",
    "تذكر",
    "تذكري",
    "记得",
];

/// Words in which one speaks of oneself right behind an order.
const OF_ONESELF: &str = "i i'm im i've ive my we our soy yo mi mis tengo no eu sou meu minha tenho não je j'ai mon ma mes io sono ho mio mia non
    أنا اني أني عندي انا 我 我们";

/// Whether what stands behind such a word is what it orders to keep: behind a mark, or a word that leads to it, or of oneself.
fn orders(behind: &str) -> bool {
    let told = behind.trim_start();
    told.starts_with([',', ':', '-', '–', '—', '，', '：', '、', '\n'])
        || LINKS.iter().any(|link| behind_words(told, link).is_some())
        || OF_ONESELF.split_whitespace().any(|word| behind_words(told, word).is_some())
}

/// The same behind what is to be kept.
const TRAILS: &[&str] = &[
    "don't forget",
    "don't forget that",
    "remember that",
    "please remember",
    "please remember that",
    "no lo olvides",
    "no te olvides",
    "recuérdalo",
    "não te esqueças",
    "não se esqueça",
    "n'oublie pas",
    "retiens-le",
    "retiens ça",
    "vergiss das nicht",
    "merk dir das",
    "merk dir das bitte",
    "non dimenticarlo",
    "ricordatelo",
    "vergeet dat niet",
    "onthoud dat",
    "nie zapomnij",
    "zapamiętaj to",
    "pamiętaj",
    "не забудь",
    "запомни это",
    "запомни",
    "bunu unutma",
    "unutma",
    "unutmayın",
    "aklında olsun",
    "aklında tut",
    "hatırla",
    "لا تنس",
    "لا تنسى",
    "تذكر ذلك",
    "मत भूलना",
    "भूलना मत",
    "याद रखना",
    "याद रखो",
    "यह याद रखना",
    "别忘了",
    "别忘记",
    "记住",
    "请记住",
    "のを忘れないで",
    "ことを忘れないで",
    "を忘れないで",
    "忘れないで",
    "忘れないでね",
    "ことを忘れないでね",
    "忘れないでください",
    "ことを忘れないでください",
    "ことを覚えておいて",
    "のを覚えておいて",
    "と覚えておいて",
    "って覚えておいて",
    "を覚えておいて",
    "覚えておいて",
    "覚えておいてね",
    "覚えておいてください",
    "ことを覚えておいてください",
    "잊지 마",
    "잊지 마세요",
    "잊지 말아 줘",
    "기억해 줘",
    "기억해줘",
    "기억해 주세요",
    "기억해 둬",
    "라는 걸 잊지 마",
    "라는 거 잊지 마",
    "라는 걸 기억해 줘",
    "라는 것을 기억해 줘",
    "라는 거 기억해 줘",
];

/// Politeness before a request, and what joins it to what is to be kept.
const POLITE: &[&str] = &[
    "please",
    "hey",
    "oh",
    "and",
    "also",
    "btw",
    "so",
    "por favor",
    "porfa",
    "s'il te plaît",
    "stp",
    "bitte",
    "per favore",
    "alsjeblieft",
    "proszę",
    "пожалуйста",
    "lütfen",
    "من فضلك",
    "कृपया",
    "请",
    "ah",
    "ok",
    "okay",
    "ach",
    "und",
    "y",
    "e",
    "et",
    "en",
    "и",
];
const LINKS: &[&str] = &[
    "that", "que", "qu'", "dass", "daß", "dat", "che", "że", "iż", "что", "ki", "أن", "أنّ", "بأن", "कि",
    "said",
];

/// Words and letters without spaces of what tells something by itself.
const TELLING_WORDS: usize = 2;
const TELLING_WIDE_LETTERS: usize = 4;

/// The same of what is stated before a question.
const STATED_WORDS: usize = 3;
const STATED_WIDE_LETTERS: usize = 6;

const MARKS: [char; 13] = [',', ':', '-', '–', '—', ' ', '，', '：', '、', '\n', '；', ';', '.'];

/// A sentence without the words that ask for it to be kept.
pub(super) fn without_request(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some(behind) = POLITE.iter().find_map(|word| behind_words(rest, word)) {
        rest = behind.trim_start_matches(MARKS);
    }
    let behind =
        |lead: &&str| behind_words(rest, lead).filter(|behind| !TELLS_TOO.contains(lead) || orders(behind));
    let asked = LEADS.iter().filter_map(behind).min_by_key(|behind| behind.len());
    let told = match asked {
        Some(behind) => {
            let behind = behind.trim_start_matches(MARKS);
            LINKS
                .iter()
                .find_map(|link| behind_words(behind, link))
                .unwrap_or(behind)
                .trim_start_matches(MARKS)
        }
        None => without_trail(text.trim()),
    };
    let told = told.trim();
    if tells(told, TELLING_WORDS, TELLING_WIDE_LETTERS) { told } else { text }
}

/// A sentence without a request at its end; its full stop goes with it.
fn without_trail(text: &str) -> &str {
    let bare = text.trim_end_matches(['.', '!', '。', '！', '।', '…', ' ', '~', 'ね', 'よ']);
    let ends = |trail: &&&str| {
        let letters = bare.chars().count().checked_sub(trail.chars().count())?;
        let at = bare.char_indices().nth(letters).map(|(at, _)| at)?;
        let before = &bare[..at];
        // "채식주의자라는 걸 잊지 마": an ending is written together with its word.
        let apart = before.ends_with(MARKS) || is_wide(trail) || trail.starts_with("라는 ");
        (lower(&bare[at..]) == **trail && apart).then_some(at)
    };
    let cut = TRAILS.iter().filter_map(|trail| ends(&trail)).min();
    cut.map_or(text, |at| bare[..at].trim_end_matches(MARKS))
}

/// What stands behind some words at the beginning of a text, where they end a word there.
fn behind_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let at = text.char_indices().nth(words.chars().count()).map_or(text.len(), |(at, _)| at);
    let (before, behind) = text.split_at(at);
    let ends = words.ends_with('\'')
        || is_wide(words)
        || behind.chars().next().is_none_or(|next| !next.is_alphanumeric());
    (lower(before) == words && ends).then_some(behind)
}

fn lower(text: &str) -> String {
    text.replace('’', "'").to_lowercase()
}

fn is_wide(text: &str) -> bool {
    text.chars().any(|character| ('\u{2E80}'..='\u{9FFF}').contains(&character))
}

fn tells(text: &str, words: usize, letters: usize) -> bool {
    let wide = text.chars().filter(|&character| crate::text::tokens::is_wide(character)).count();
    text.split_whitespace().count() >= words || wide >= letters
}

/// Words with which the asking part of a sentence begins, behind one that joins it or without.
const ASKING: &str =
    "what which who how where when why whose can could should would do does did is are any what's
    qué cuál cuáles quién cómo dónde cuándo cuánto cuánta puedo puedes podría podrías debería hay
    que qual quais quem como onde quando quanto posso podes pode devo há
    quoi quel quelle quels quelles qui comment où quand combien est-ce puis-je peux-tu dois-je
    was welche welcher welches welchen wer wie wo wann warum kann kannst soll sollte könnte könntest gibt
    cosa che quale quali chi come dove quando quanto posso puoi dovrei
    wat welke wie hoe waar wanneer waarom kan kun kunt moet zou
    co jaki jaka jakie które który kto jak gdzie kiedy dlaczego czy mogę możesz
    что какой какая какие какое кто как где когда почему можно могу можешь стоит посоветуй
    ne nasıl hangi kim nerede nereye kaç
    ما ماذا أي من كيف أين متى لماذا هل
    क्या कौन कौन-सा कौनसा कौनसी कैसे कहाँ कब क्यों कितना";
const JOINING: &str = "so and but then y así_que entonces e então et donc alors und also dann e quindi allora en dus i więc no_to и так_что ve o_zaman ف و तो और";

/// What is stated in a sentence before its last part asks something; nothing where it asks throughout.
pub(super) fn stated_before_question(text: &str) -> Option<&str> {
    if !text.trim_end().ends_with(['?', '？', '؟']) {
        return None;
    }
    let commas: Vec<(usize, usize)> = text
        .char_indices()
        .filter(|(_, character)| matches!(character, ',' | '，' | '、' | '،' | ';' | '–' | '—'))
        .map(|(at, character)| (at, at + character.len_utf8()))
        .collect();
    let asks = |(_, behind): &&(usize, usize)| begins_question(&text[*behind..]);
    let (at, _) = commas.iter().find(asks).or(commas.last())?;
    let stated = text[..*at].trim();
    (!begins_question(stated) && tells(stated, STATED_WORDS, STATED_WIDE_LETTERS)).then_some(stated)
}

fn begins_question(text: &str) -> bool {
    let lower = lower(text);
    let words = lower.split(|character: char| {
        !character.is_alphanumeric() && !matches!(character, '\'' | '-') && !is_mark(character)
    });
    let mut words = words.filter(|word| !word.is_empty()).skip_while(|word| has(JOINING, word));
    words.next().is_some_and(|word| has(ASKING, word))
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{0652}')
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::{LEADS, TRAILS, stated_before_question, without_request};

    #[test]
    fn every_entry_is_reached() {
        let told = "Ana Lee 42 看看书看看书";
        for lead in LEADS {
            let asked = format!("{lead}: {told}");
            assert_eq!(without_request(&asked), told, "{lead}");
        }
        for trail in TRAILS {
            let joint = if trail.starts_with(['라', 'の', 'こ', 'を', 'と', 'っ']) { "" } else { ", " };
            let asked = format!("{told}{joint}{trail}");
            assert_eq!(without_request(&asked), told, "{trail}");
        }
    }

    #[test]
    fn what_is_kept_is_what_was_told_and_not_that_it_was_asked_for() {
        for (text, told) in [
            ("Don't forget that Tuesdays I'm never free.", "Tuesdays I'm never free."),
            ("please don't forget I'm allergic to kiwis", "I'm allergic to kiwis"),
            ("Note for later: the spare key is at Nadia's", "the spare key is at Nadia's"),
            ("No olvides que los martes no puedo.", "los martes no puedo."),
            ("Não te esqueças de que sou vegetariana.", "sou vegetariana."),
            ("N'oublie pas que je suis libre le jeudi.", "je suis libre le jeudi."),
            ("Vergiss bitte nicht, dass ich Nüsse meide.", "ich Nüsse meide."),
            ("Ricordati che odio il sedano.", "odio il sedano."),
            ("Vergeet niet dat ik maandag vrij ben.", "ik maandag vrij ben."),
            ("Pamiętaj, że nie jem ryb.", "nie jem ryb."),
            ("Запомни, что по средам я занят.", "по средам я занят."),
            ("Unutma, fıstığa alerjim var.", "fıstığa alerjim var."),
            ("لا تنس أن عندي حساسية من الفول.", "عندي حساسية من الفول."),
            ("याद रखना कि मैं शाकाहारी हूँ।", "मैं शाकाहारी हूँ।"),
            ("别忘了我周三没空。", "我周三没空。"),
            ("エビが食べられないことを忘れないでね。", "エビが食べられない"),
            ("저는 새우를 못 먹어요, 잊지 마세요.", "저는 새우를 못 먹어요"),
            ("I remember my first day at school.", "I remember my first day at school."),
            ("Remember me?", "Remember me?"),
            ("Note taking is how I learn.", "Note taking is how I learn."),
            ("note: my plate is KX 12", "my plate is KX 12"),
            ("Remember I'm vegan these days.", "I'm vegan these days."),
            ("احفظ القرآن منذ صغري", "احفظ القرآن منذ صغري"),
            ("احفظ أن عندي حساسية من الفول", "عندي حساسية من الفول"),
            ("记得小时候我们住在无锡", "记得小时候我们住在无锡"),
            ("记得我周三没空", "我周三没空"),
            ("내가 채식주의자라는 걸 잊지 마", "내가 채식주의자"),
            ("I live in Deal and keep bees.", "I live in Deal and keep bees."),
        ] {
            assert_eq!(without_request(text), told, "{text}");
        }
    }

    #[test]
    fn what_is_stated_before_a_question_is_told() {
        for (text, stated) in [
            (
                "I've been gluten free since spring, so which beers could I bring to a barbecue?",
                Some("I've been gluten free since spring"),
            ),
            ("Soy celíaca, ¿qué cerveza puedo llevar?", None),
            ("Soy celíaca desde niña, ¿qué cerveza puedo llevar?", Some("Soy celíaca desde niña")),
            ("У меня аллергия на орехи, что мне взять?", Some("У меня аллергия на орехи")),
            ("저는 견과류 알레르기가 있는데, 뭘 먹을까요?", Some("저는 견과류 알레르기가 있는데")),
            ("عندي حساسية من المكسرات، ماذا آكل؟", Some("عندي حساسية من المكسرات")),
            ("मुझे मूँगफली से एलर्जी है, क्या खाऊँ?", Some("मुझे मूँगफली से एलर्जी है")),
            ("What can I cook with rice, beans and peas?", None),
            ("Could you, please, help me?", None),
        ] {
            assert_eq!(stated_before_question(text), stated, "{text}");
        }
    }
}
