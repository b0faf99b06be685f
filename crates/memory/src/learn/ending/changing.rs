//! What a statement says to have changed, in words that name no end: people have moved, there is a new one of something, a number rose or came round.
//!
//! "My new GP is Dr Lindqvist" says of no doctor that he is over, and the judge of two statements that share so little hears nothing. The words are read here,
//! in all languages at once; whom they may touch is decided beside the judge ([`super::super::judged`]). That a brother gave something up is told apart here
//! too: he is named.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{HeardStatement, UNREAL, are_forms, is_negation};
use crate::text::{Analyser, fold};

/// How words begin, folded, and whole words; and what stands within scripts without spaces.
struct WordStems {
    spaced: Vec<String>,
    whole: HashSet<String>,
    unspaced: &'static [&'static str],
}

impl WordStems {
    fn of(spaced: &str, unspaced: &'static [&'static str]) -> Self {
        Self { spaced: spaced.split_whitespace().map(fold).collect(), whole: HashSet::new(), unspaced }
    }

    /// The same, and words of which others begin that mean something else: "son" is in no song.
    fn and_whole(self, words: &str) -> Self {
        Self { whole: folded_words(words), ..self }
    }

    fn stand_in(&self, statement: &HeardStatement<'_>) -> bool {
        let has = |word: &String| {
            self.whole.contains(word) || self.spaced.iter().any(|stem| word.starts_with(stem.as_str()))
        };
        let wide = |text: &String| self.unspaced.iter().any(|stem| text.contains(stem));
        statement.read.words.iter().any(has) || statement.read.wide.as_ref().is_some_and(wide)
    }
}

/// People who are close to somebody.
static RELATIVES: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "grandm grandpa grandfather granddad boyfriend girlfriend neighbo roommate flatmate classmate teammate workmate fiancé stepm stepf stepd nachbar mitbewohner schwager
        schwägerin großm großv enkelin enkelkind abuel vecin compañer cuñad suegr novio novia sobrin nieto nieta compañ voisin collègue colocataire belle-m beau-p vicina vicino collega coinquilin cognat
        suocer fidanzat vizinh colega cunhad sogr namorad sobrinh buurman buurvrouw schoonm schoonv kleinzoon kleindocht sąsiad szwagier szwagierk teściow wnuk wnuczk chłopak dziewczyn
        соседк сосед коллег бабушк дедушк племянни тёщ тещ свекров внук внучк приятел komşu kuzen teyze amca halam dayım dedem ninem babaann anneann yeğen eşim kayın جار جارت
        صاحبي صاحبتي زميل خالي خالتي عمي عمتي جدي جدتي حماتي خطيب पड़ोसी सहेली चाचा चाची मामा मामी मौसी दादा दादी नाना नानी सास ससुर brother sister cousin mother father daughter husband wife friend uncle aunt nephew niece colleague bruder schwester mutter vater sohn tochter ehemann ehefrau
        freund cousine onkel tante kolleg hermano hermana madre padre hijo hija marido esposa amigo amiga frère soeur sœur mère père fils fille femme copain copine fratello
        sorella figlio figlia moglie marito amico amica nonno nonna irmão irmã filho filha broer moeder vader zoon dochter vriend siostra siostr matka ojciec córka córk kolega
        kuzyn брат сестр мать отец дочь дочк подруг kardeş ablam annem babam oğlum kızım arkadaş أخي أختي أمي أبي ابني ابنتي زوجي زوجتي भाई बहन पिता बेटा बेटी पति पत्नी दोस्त",
        &[
            "弟弟", "哥哥", "姐姐", "妹妹", "妈妈", "爸爸", "儿子", "女儿", "老公", "老婆", "朋友", "弟は", "兄は", "姉は", "妹は", "母は", "父は", "息子", "娘は", "夫は", "妻は", "友達",
            "동생", "오빠", "누나", "언니", "엄마", "아빠", "아들", "남편", "아내", "친구", "我妈", "我爸", "我哥", "我姐", "我弟", "我妹", "邻居", "鄰居", "同事", "同学", "室友", "奶奶", "爷爷",
            "外婆", "外公", "隣の", "隣人", "同僚", "上司", "おばあ", "おじい", "彼氏", "彼女", "友人", "이웃", "옆집", "동료", "할머니", "할아버지", "형이", "형은", "룸메",
        ],
    )
    .and_whole(
        "dad mum mom son sons mate mates buddy boss ex partner mutti mama papa papi oma opa kumpel chef chefin mamá papá jefe jefa tío tía nonna nonno
        maman papy mamie pote potes oncle tante cousin patron patronne mamma babbo zio zia capo cugino cugina mãe pai avó avô tio tia chefe pai mama papa pap opa
        oom neef maat baas mama tata babcia dziadek ciocia wujek szef szefowa kumpel мама мамы маме папа папы жена жены жене жену женой муж мужа мужу мужем сын сына дед тётя тетя дядя друг друга босс шеф abim ablam
        kardeşim annem babam oğlum kızım kankam müdürüm patronum بابا ماما اخويا اختي ابويا امي جارنا مديري मम्मी पापा बॉस दीदी भैया",
    )
});

/// That a child is expected, and that one was born.
static EXPECTED: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "pregnan expecting schwanger embaraz enceinte incinta grávida gravida zwanger ciąż беременн hamile حامل गर्भवती प्रेग्नेंट प्रेगनेंट",
        &["怀孕", "懷孕", "妊娠", "임신"],
    )
});
static BORN: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "entbunden bevallen родил doğurdu ولدت اتولد وُلد पैदा",
        &["出生了", "生了", "生下", "産まれ", "生まれ", "出産し", "태어났", "낳았", "출산했"],
    )
    .and_whole(
        "born geboren nació nacio accouché nato nata nati nasceu geboren urodził urodziła urodził urodziło urodzil urodzila doğdu",
    )
});

/// That people have moved house.
static MOVED_HOUSE: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "déménagé emménagé umgezogen trasferiti trasferite traslocato verhuisd переехал taşındım taşındık انتقلنا",
        &[
            "搬家了",
            "引っ越した",
            "引っ越しました",
            "引っ越してき",
            "引越しました",
            "이사했",
            "이사왔",
            "이사 왔",
            "이사갔",
            "이사 갔",
        ],
    )
});

/// The same in two words that must both stand.
const MOVED_WITH: &[(&str, &str)] = &[
    ("mudé", "me"),
    ("mudamos", "nos"),
    ("mudado", "me"),
    ("mudado", "nos"),
    ("mudei", "me"),
    ("mudámo", "nos"),
    ("trasferito", "sono"),
    ("trasferita", "sono"),
    ("przeprowadził", "się"),
    ("शिफ्ट", "हो"),
];

static MOVED_TOGETHER: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| MOVED_WITH.iter().map(|(first, second)| (fold(first), fold(second))).collect());

/// The same in words that are said of meetings and files too.
static MOVED: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "moved relocated mudé mudamos mudado mudei przeniosłem przeniosłam przenieśliśmy انتقلت نقلنا शिफ्ट",
        &["搬到", "搬来", "搬進", "搬进", "搬去"],
    )
});

/// That a price or a dose is another one now.
static ROSE: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "upped raised increased bumped went risen dropped lowered reduced subió subie subid aument bajó bajaron bajado subiu subiram baixou baixaram passou augmenté augmente passé
        baissé monté gestiegen erhöht gesenkt angehoben raufgesetzt salito salita aumentat passato passata portato portata sceso scesa verhoogd gestegen omhoog omlaag verlaagd
        wzros podnieśli podniesi podwyższ spad obniż поднял повысил вырос подорож снизил упал çıktı yüksel düştü arttı indirdi ارتفع زاد رفع نزل صار बढ़ बढ़ी बढ़ा घट",
        &["涨", "漲", "升到", "降到", "加到", "减到", "上が", "下が", "増え", "値上", "올랐", "올라", "인상", "내렸"],
    )
});

/// That somebody is a year older.
static CAME_ROUND: LazyLock<WordStems> = LazyLock::new(|| {
    WordStems::of(
        "turned turns cumpl completou geworden wird compiut werd wordt skończył kończy исполнилось стукнуло girdi bastı أتم صار हुआ हुई गया गई",
        &["满", "滿", "歳になった", "歳になりました", "살이 됐", "살이 되었", "살 됐"],
    )
});

/// How much of another value one may be that rose or fell, and how many years somebody may be older.
const OF_ANOTHER_VALUE: std::ops::RangeInclusive<f64> = 0.4..=2.5;
const OLDER: std::ops::RangeInclusive<f64> = 1.0..=3.0;

/// What is said of something that came in the place of another one.
static NEW: LazyLock<HashSet<String>> = LazyLock::new(|| {
    folded_words(
        "new neu neue neuer neues neuen neuem nuevo nueva nuevos nuevas nouveau nouvel nouvelle nouveaux nouvelles nuovo nuova nuovi nuove novo nova novos novas nieuw nieuwe nowy
        nowa nowe nowego nowej nowym nową новый новая новое новые нового новой новым yeni جديد جديدة الجديد الجديدة नया नई नए नये",
    )
});

const NEW_IN_TURKISH: &str = "yeni";

/// The same in scripts without spaces, and letters of the word behind it that must be the same.
const NEW_UNSPACED: [&str; 6] = ["新しい", "新任", "新的", "我的新", "새로운", "우리 새"];
const NEW_LETTERS: usize = 2;

/// Whose something is.
static POSSESSIVES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    folded_words(
        "my our mein meine meiner meinen meinem unser unsere unserer unseren mi mis nuestro nuestra mon ma mes notre nos mio mia miei mie nostro nostra meu minha meus minhas nosso
        nossa mijn m'n onze ons moj moja moje mojego mojej nasz nasza nasze мой моя мое мои моего моей наш наша наше मेरा मेरी मेरे हमारा हमारी हमारे",
    )
});

/// Words between whose something is and what it is.
const OWNED_WITHIN: usize = 2;

/// Letters with which Turkish and Arabic say within a word whose it is.
static OWNED_ENDINGS: LazyLock<HashSet<String>> =
    LazyLock::new(|| folded_words("im ım um üm imiz ımız umuz ümüz ي نا"));

/// Letters of a word that can say within itself whose it is.
const OWNED_LETTERS: usize = 4;

fn folded_words(words: &str) -> HashSet<String> {
    words.split_whitespace().map(fold).collect()
}

fn is_of_somebody(word: &str) -> bool {
    POSSESSIVES.contains(word)
}

/// Whether a word of Turkish or Arabic says within itself whose it is: "doktorum". A museum is nobody's.
fn is_within(word: &str, turkish: bool) -> bool {
    let arabic = || word.chars().any(|letter| ('\u{0600}'..='\u{06FF}').contains(&letter));
    (turkish || arabic())
        && word.chars().count() >= OWNED_LETTERS
        && OWNED_ENDINGS.iter().any(|ending| word.ends_with(ending.as_str()))
}

/// The numbers of a text that are written in digits, as people write them: with a point or a comma before each three digits, or before the last ones.
fn numbers_of(text: &str) -> Vec<f64> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let runs = text.split(|letter: char| !is_digit(letter) && !matches!(letter, '.' | ','));
    runs.map(|run| run.trim_matches(['.', ','])).filter(|run| !run.is_empty()).filter_map(value_of).collect()
}

fn value_of(number: &str) -> Option<f64> {
    let parts: Vec<&str> = number.split(['.', ',']).collect();
    let thousands = parts.len() > 1 && parts[1..].iter().all(|part| part.len() == 3);
    if thousands { parts.concat().parse().ok() } else { number.replace(',', ".").parse().ok() }
}

/// Whether a text speaks of somebody close to the user.
pub(crate) fn speaks_of_a_relative(text: &str, analyser: &Analyser) -> bool {
    HeardStatement::of(text, analyser).names_a_relative()
}

impl HeardStatement<'_> {
    /// Whether it says that people have moved house: not that they will, nor that they have not. Words that are said of meetings and files too count only where
    /// it is known to be about a home.
    pub(in crate::learn) fn moves(&self, about_a_home: bool) -> bool {
        let words = &self.read.words;
        let together = |(first, second): &(String, String)| {
            words.iter().any(|word| word.starts_with(first.as_str())) && words.contains(second)
        };
        let said = || {
            MOVED_HOUSE.stand_in(self)
                || MOVED_TOGETHER.iter().any(together)
                || about_a_home && MOVED.stand_in(self)
        };
        said() && !words.iter().any(|word| is_negation(word)) && !UNREAL.stand_in(&self.read)
    }

    /// Whether it speaks of somebody close to the user.
    pub(in crate::learn) fn names_a_relative(&self) -> bool {
        RELATIVES.stand_in(self)
    }

    /// Whether it tells of the birth of a child that was expected.
    pub(in crate::learn) fn tells_of_the_birth_of_who_was_expected_in(&self, earlier: &Self) -> bool {
        BORN.stand_in(self)
            && !EXPECTED.stand_in(self)
            && EXPECTED.stand_in(earlier)
            && !BORN.stand_in(earlier)
    }

    /// Whether it gives one number for one of the same thing, and says that it rose, fell or came round: "the rent went up to 600", "Noa has turned four". What is another
    /// number by far is of something else: a fever of 38 is no age.
    pub(in crate::learn) fn counts_anew(&self, earlier: &Self) -> bool {
        let (counted, before) = (numbers_of(self.text), numbers_of(earlier.text));
        let ([now], [then]) = (counted.as_slice(), before.as_slice()) else { return false };
        let rises = OF_ANOTHER_VALUE.contains(&(now / then));
        let comes_round = OLDER.contains(&(now - then));
        now != then
            && (rises && ROSE.stand_in(self) || comes_round && CAME_ROUND.stand_in(self))
            && self.shared_with(earlier) > 0
    }

    /// Whether it names a new one of what an earlier statement names: "my new GP is Dr Lindqvist" where it was Dr Osei. What is new stands beside the word
    /// for it, and both say whose it is.
    pub(in crate::learn) fn names_a_new_one_of(&self, earlier: &Self) -> bool {
        let words = &self.read.words;
        let is_new = |word: &String| NEW.contains(word);
        let turkish = words.iter().any(|word| word == NEW_IN_TURKISH);
        let beside = (0..words.len()).filter(|&at| is_new(&words[at])).flat_map(|at| {
            let before = at.checked_sub(1);
            // Who names the new one says whose it is before or behind: "mi nuevo médico", "mon médecin".
            let owned = before.is_some_and(|at| is_of_somebody(&words[at]))
                || words.get(at + 1).is_some_and(|word| is_of_somebody(word));
            let near = [words.get(at + 1), before.and_then(|before| words.get(before))];
            near.into_iter().flatten().filter(move |word| owned || is_within(word, turkish))
        });
        let mut named =
            beside.filter(|word| word.chars().count() >= 2 && !is_new(word) && !is_of_somebody(word));
        let spaced = named.any(|thing| {
            let others = &earlier.read.words;
            let owned = |at: usize| {
                is_within(&others[at], turkish)
                    || (at.saturating_sub(OWNED_WITHIN)..at).any(|at| is_of_somebody(&others[at]))
            };
            let is_thing = |at: usize| are_forms(thing, &others[at]) && owned(at);
            (0..others.len()).any(is_thing) && !others.iter().any(is_new)
        });
        spaced || self.names_a_new_one_unspaced(earlier)
    }

    /// The same in scripts without spaces: 新しい主治医, 新房东, 새 주치의.
    fn names_a_new_one_unspaced(&self, earlier: &Self) -> bool {
        let (Some(now), Some(then)) = (&self.read.wide, &earlier.read.wide) else { return false };
        NEW_UNSPACED.iter().any(|new| {
            let rests = now.match_indices(new).map(|(at, new)| now[at + new.len()..].trim_start());
            let mut things = rests.map(|rest| {
                let letters = rest.chars().take_while(|letter| letter.is_alphanumeric());
                letters.take(NEW_LETTERS).collect::<String>()
            });
            things.any(|thing| {
                thing.chars().count() == NEW_LETTERS && then.contains(&thing) && !then.contains(new)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(
        later: &str,
        earlier: &str,
        read: impl Fn(&HeardStatement<'_>, &HeardStatement<'_>) -> T,
    ) -> T {
        let analyser = Analyser::default();
        read(&HeardStatement::of(later, &analyser), &HeardStatement::of(earlier, &analyser))
    }

    #[test]
    fn a_number_that_rose_is_of_the_same_thing_and_of_about_that_size() {
        for (later, earlier) in [
            ("The rent went up to 1,020.", "My rent is 950 a month."),
            ("Die Miete ist auf 1.020 Euro gestiegen", "Unsere Miete beträgt 950 Euro."),
            ("Noa acaba de cumplir 4.", "Mi hija Noa tiene 3 años."),
            ("they upped my levothyroxine to 75", "I'm on 50 micrograms of levothyroxine."),
        ] {
            assert!(with(later, earlier, |later, earlier| later.counts_anew(earlier)), "{later}");
        }
        for (later, earlier) in [
            ("Anna's fever dropped to 38", "Anna is 4 and goes to kindergarten"),
            ("The rent went up to 1,020.", "Rents in Leeds start at 300"),
            ("Noa acaba de cumplir 4.", "Noa tiene 12 libros"),
            ("I live at number 12 now", "I live at number 9"),
        ] {
            assert!(!with(later, earlier, |later, earlier| later.counts_anew(earlier)), "{later}");
        }
    }

    #[test]
    fn who_will_move_or_moves_something_else_has_not_moved() {
        for said in
            ["On a emménagé à Brest", "Wij zijn verhuisd", "Мы переехали в Омск", "Nos mudamos a Lugo"]
        {
            assert!(with(said, "", |said, _| said.moves(false)), "{said}");
        }
        for said in [
            "I moved the meeting to Friday",
            "We haven't moved to Kendal",
            "Wir sind noch nicht umgezogen",
            "mudei a palavra-passe",
            "我把沙发搬到客厅了",
        ] {
            assert!(!with(said, "", |said, _| said.moves(false)), "{said}");
        }
        for said in ["We moved to Kendal", "我们搬到厦门了"] {
            assert!(with(said, "", |said, _| said.moves(true)), "{said}");
        }
    }

    #[test]
    fn a_birth_ends_what_was_expected_and_no_denial_does() {
        let born = |later: &str, earlier: &str| {
            with(later, earlier, |later, earlier| later.tells_of_the_birth_of_who_was_expected_in(earlier))
        };
        assert!(born("Our daughter was born on Tuesday", "My wife is pregnant, due in May"));
        assert!(born("Unsere Tochter ist geboren", "Meine Frau ist schwanger"));
        assert!(born("ieri è nata Emma", "mia moglie è incinta"));
        assert!(!born("je ne suis pas immunisée contre la toxoplasmose", "je suis enceinte"));
        assert!(!born("l'accouchement est prévu le 22 mars", "je suis enceinte"));
        assert!(!born("a Natale andiamo da mia madre", "sono incinta"));
    }

    #[test]
    fn a_new_one_is_of_what_the_user_has() {
        for (later, earlier) in [
            ("My new dentist is Dr Falk.", "My dentist is Dr Amadi."),
            ("Mi nueva jefa se llama Noemí.", "Mi jefa se llama Pilar."),
            ("Yeni doktorum Selin Hanım", "Doktorum Ahmet Bey"),
            ("Mein neuer Hausarzt ist Dr. Brandis.", "Mein Hausarzt ist Dr. Ohlsen."),
        ] {
            assert!(with(later, earlier, |later, earlier| later.names_a_new_one_of(earlier)), "{later}");
        }
        for (later, earlier) in [
            ("There is a new dentist in town", "My dentist is Dr Amadi."),
            ("The new museum has opened", "I volunteer at the museum on Saturdays."),
            ("我新买的自行车很好骑", "我买的保险是平安的"),
            ("My new dentist is Dr Falk.", "The dentist was rude"),
        ] {
            assert!(!with(later, earlier, |later, earlier| later.names_a_new_one_of(earlier)), "{later}");
        }
    }
}
