//! Full stops that end no sentence: behind abbreviations, initials and numbers in order.
//!
//! "My GP is dr. Osei", "am 2. dezember", "ул. Садовая", "د. هالة". People type them in lower case, so that a capital behind the stop tells little, and a
//! small letter tells nothing. So the words are listed by what they stand before: a title before a name whatever its case, a measure before a number or
//! lower case. Everything that cuts a text into sentences asks here, so that what is learned, told and forgotten has the same edges.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::tokens::is_wide;
use crate::language::Language;

/// What stands before a name: titles, and words for streets and houses. Further ones stand in the tables of the languages.
const TITLES: &str =
    "dr dra drs dres mr mrs ms mx prof profa profª prof.ª profs hon rev capt sgt lt mt sr sra srta srs dña
    mme mlle mgr pr ste bd boul dipl dipl.-ing ing frl hr fam hl geb
    av avda avd pza mtro mtra lic arq gral vda excmo exmo exma eng engª enf trav
    dott dott.ssa dott.sse prof.ssa sig sig.ra sig.na sigg avv geom egr spett p.za c.so v.le p.le l.go
    mevr dhr mej ul św ks inż lek mec woj
    ул пер пр просп наб бул пос дер кв корп стр проф акад доц инж тов им св
    dt doç yrd uzm öğr hz أ.د د.م डॉ डा प्रो श्री श्रीमती सुश्री कु पं";

/// What goes on in lower case or with a number.
const MEASURES: &str = "a.m p.m etc ca approx appt apt ave rd blvd ln hwy bldg tel ext incl excl est min max avg wk mo oct nov dec jan feb aug sept
    ph.d m.d bzw usw ggf evtl inkl exkl vgl sog bspw zzgl mtl std stk str abt aprox núm nº tfno pág máx mín
    env tél chap vol pag enz bijv nrs jl mw np tzn itd itp tj godz zł mies tys tzw
    обл др руб тыс млн млрд мин сек см напр около рис тел vb vs bkz örn cad sok mah apto ap bl रु नं";

/// Words that are abbreviations behind a preposition alone: "na os. Słonecznym".
const NAMED_PLACES: &str = "os al pl im st";
const BEFORE_PLACES: &str = "na przy z w od do koło obok u";

/// Words that stand behind another title: "dr. med.", "dr hab.".
const BEHIND_TITLES: &str = "med hab rer nat phil jur dent vet habil oec h.c dr univ mult";

/// Abbreviations of several letters that are written apart too: "z. B.", "p. ej.", "т. е.", "EE. UU.".
const GROUPS: &str =
    "z.b d.h u.a o.ä s.o s.u v.a z.t u.u i.v n.chr v.chr m.e p.ej p.ex i.e e.g n.b t.j m.in j.w o.a d.w.z b.v
    т.е т.д т.п т.к н.э ee.uu";

/// Letters and words before one letter that stands for a street or a square: "in v. Roma", "en la c. Mayor", "u p. Nowak".
const STREETS: &str = "v p c r";
const BEFORE_STREETS: &str = "in en la na no alla dalla przy u";

/// Words before a letter that is a size or a grade: "taille m.".
const GRADES: &str = "size vitamin vitamine vitamina plan block hepatitis talla tamanho größe groesse taille taglia maat rozmiar group class
    gruppe klasse grupo groupe gruppo groep";

/// Words before a number that stands in an order, where those are written with a full stop: "im 3. Stock".
const BEFORE_ORDINALS: &str =
    "am im der die das den dem des zum zur vom beim ins ab bis seit jeder jede jedes unser unsere mein meine";

/// Words with which a sentence begins.
const OPENERS: &str = "i im i'm ive i've he she it we they my his her our their this that these there then but and so you your no yes what when why how
    ich er sie es wir mein meine unser dann danach und aber ein eine bitte kannst hast ist wie was wo bin hab habe wohne arbeite
    yo vivo tengo soy trabajo mi mis pero y hoy eu moro tenho sou meu minha mas e je j'ai j'habite il elle nous mon ma mes et mais
    io ho sono lavoro mio mia ma oggi ik mijn woon werk heb maar on ona mój moja mam jestem mieszkam pracuję ale i
    я он она мы мой моя но и живу работаю ben biz benim ama ve";

static ALWAYS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let of_languages = Language::spoken().flat_map(|(_, speech)| speech.abbreviations.split_whitespace());
    of_languages.chain(TITLES.split_whitespace()).collect()
});

/// Months in German, which are written with a capital; the first letters of each.
const MONTHS: [&str; 13] =
    ["Jan", "Jän", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"];

/// Letters of a number in order: "31", "2./3".
const ORDINAL_LETTERS: usize = 5;

/// Whether a full stop ends no sentence. `before` is what stands before it, `after` what follows.
pub fn goes_on_behind_stop(before: &str, after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\u{a0}', '\t']);
    let Some(next) = after.chars().next().filter(|next| *next != '\n') else { return false };
    let mut words = before.rsplit(|character: char| character.is_whitespace() || character == '(');
    let word = last_of_script(words.next().unwrap_or_default());
    let previous = words.find(|word| !word.is_empty()).unwrap_or_default();
    let stop = Stop { word, previous, before, after, is_small: next.is_lowercase() || next.is_ascii_digit() };
    match word.chars().count() {
        0 => false,
        _ if is_number(word) => stop.is_of_number(),
        1 => stop.is_of_letter(),
        _ => stop.is_of_word(next),
    }
}

/// A full stop with what stands around it.
struct Stop<'a> {
    word: &'a str,
    previous: &'a str,
    before: &'a str,
    after: &'a str,
    /// Whether a number or a small letter follows.
    is_small: bool,
}

impl Stop<'_> {
    fn is_of_word(&self, next: char) -> bool {
        let lower = bare(self.word);
        let is_capital = self.word.starts_with(char::is_uppercase);
        match lower.as_str() {
            "no" | "nr" | "num" => return next.is_ascii_digit(),
            "co" | "sen" | "rep" | "col" | "gen" | "fr" => return is_capital && !next.is_lowercase(),
            "st" if is_capital || !self.opens() && !self.previous.is_empty() => return true,
            _ => {}
        }
        let title = ALWAYS.contains(lower.as_str())
            || has(BEHIND_TITLES, &lower) && ALWAYS.contains(bare(self.previous).as_str())
            || has(NAMED_PLACES, &lower) && has(BEFORE_PLACES, &bare(self.previous))
            || is_arabic(self.word) && lower.contains('.');
        // "I emailed my prof. She said no."
        let group = self.ends_group() || begins_group(&lower, self.after);
        title && (is_capital || !self.begins_sentence())
            || group && !self.begins_sentence()
            || self.is_small && (has(MEASURES, &lower) || lower.contains('.') || lower.ends_with("str"))
    }

    /// An initial, a title, a street, or one letter of a longer abbreviation.
    fn is_of_letter(&self) -> bool {
        let letter = self.word.chars().next().unwrap_or_default();
        let numbered = is_number(self.previous);
        match letter {
            _ if is_arabic(self.word) => return !numbered,
            // "I" is somebody.
            _ if letter.is_uppercase() => return letter != 'I',
            // "в г. Туле", "д. 7", "в 1985 г. в Самаре"
            'г' | 'д' => return self.is_small || !numbered,
            'а'..='я' => return self.is_small && !self.opens() || begins_group(self.word, self.after),
            'm' if !numbered && !has(GRADES, &bare(self.previous)) => return true,
            // "w 1999 r. w Pile", "n. 40"
            'r' if numbered => return self.is_small,
            'n' => return self.after.starts_with(|next: char| next.is_ascii_digit()),
            _ => {}
        }
        let street = has(STREETS, self.word) && has(BEFORE_STREETS, &bare(self.previous));
        begins_group(self.word, self.after) || (self.ends_group() || street) && !self.opens()
    }

    /// "am 31. Dezember", "w 3. klasie", "im 3. Stock", "am 3. 12. um zehn"; not "im 31. i live in Hove".
    fn is_of_number(&self) -> bool {
        let digits = self.word.trim_matches(|character: char| !character.is_ascii_digit());
        let is_short = |part: &str| (1..=2).contains(&part.trim_end_matches('.').len());
        let short = digits.len() <= ORDINAL_LETTERS && digits.split(['/', '-', '–']).all(is_short);
        let goes_on = self.after.starts_with(char::is_lowercase) && !self.opens();
        if !short {
            // "3.12. um zehn"
            return goes_on && digits.contains('.');
        }
        let number: String = self.after.chars().take_while(char::is_ascii_digit).collect();
        let is_month = number.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month));
        let is_named =
            self.after.starts_with(char::is_uppercase) && has(BEFORE_ORDINALS, &bare(self.previous));
        goes_on
            || MONTHS.iter().any(|month| self.after.starts_with(month))
            || is_month && self.after[number.len()..].starts_with('.')
            || is_named && !self.opens()
    }

    /// Whether a sentence may begin behind the stop, by its first word.
    fn opens(&self) -> bool {
        let is_of_word = |character: char| character.is_alphanumeric() || matches!(character, '\'' | '’');
        let first = self.after.split(|character| !is_of_word(character)).next().unwrap_or_default();
        has(OPENERS, &first.to_lowercase().replace('’', "'"))
    }

    /// The same, where a capital says so too.
    fn begins_sentence(&self) -> bool {
        self.after.starts_with(char::is_uppercase) && self.opens()
    }

    /// Whether an abbreviation of several letters ends here: "z. B", "EE. UU".
    fn ends_group(&self) -> bool {
        let tail: Vec<&str> = self.before.rsplit(' ').take(GROUP_PARTS).collect();
        (1..=tail.len()).any(|count| {
            let joined: String = tail[..count].iter().rev().copied().collect();
            has(GROUPS, &bare(&joined))
        })
    }
}

/// Letters of an abbreviation that are written apart, at most.
const GROUP_PARTS: usize = 3;

/// Whether a word and the one behind the stop are of one abbreviation: "z. B.", "p. ej.".
fn begins_group(word: &str, after: &str) -> bool {
    let Some((next, _)) = after.split_once('.') else { return false };
    let beginning = format!("{}.{}", word.to_lowercase(), next.to_lowercase());
    !next.is_empty() && GROUPS.split_whitespace().any(|group| group.starts_with(&beginning))
}

/// The part of a word behind what is written without spaces, and behind an article that is written together with it: "叫Dr", "l'avv".
fn last_of_script(word: &str) -> &str {
    let word = word.rsplit(is_wide).next().unwrap_or_default();
    let behind = word.rsplit_once(['\'', '’']).filter(|(article, behind)| {
        !behind.is_empty() && has("l d c all dall dell nell sull un qu", &article.to_lowercase())
    });
    let word = behind.map_or(word, |(_, behind)| behind);
    word.trim_start_matches(|character: char| !character.is_alphanumeric())
}

/// A word without the marks around it, in lower case. Vowels that are written as marks are part of it.
fn bare(word: &str) -> String {
    let of_word = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}')
    };
    word.trim_matches(|letter| !of_word(letter)).to_lowercase()
}

fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | '/' | '-' | '–' | ','))
}

fn is_arabic(word: &str) -> bool {
    word.chars().all(|letter| matches!(letter, '\u{0600}'..='\u{06FF}' | '.'))
}

fn has(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::goes_on_behind_stop;

    /// The stop that is marked with `|` ends no sentence.
    fn check(texts: &[&str], expected: bool) {
        for text in texts {
            let (before, after) = text.split_once(".|").expect("a marked stop");
            assert_eq!(goes_on_behind_stop(before, after), expected, "{text}");
        }
    }

    #[test]
    fn titles_streets_and_numbers_in_order_go_on() {
        check(
            &[
                "my gp is dr.| shah",
                "born at st.| mary's",
                "at 7 a.m.| on mondays",
                "cambié de médica, ahora es la dra.| vega",
                "soy el Sr.| García",
                "frutos secos, p.| ej. nueces",
                "frutos secos, p. ej.| nueces",
                "nací en EE. UU.| y crecí en Vigo",
                "troquei de médico, agora é a dra.| souza",
                "moro na av.| paulista",
                "mon dentiste est m.| dupont",
                "chez M.| Dupont",
                "zahnarzt hab ich am 2.| dezember",
                "am 2./3.| Mai",
                "am 3.| 12. um zehn",
                "im 3.| Stock",
                "mein arzt ist dr. med.| kern",
                "Obst, z.| B. Äpfel",
                "Obst, z. B.| Äpfel",
                "in der bahnhofstr.| 4",
            ],
            true,
        );
        check(
            &[
                "il medico è la dott.ssa.| neri",
                "lavoro per l'avv.| Conti",
                "mijn arts is mevr.| de wit",
                "mieszkam przy ul.| długiej",
                "mieszkam na os.| Słonecznym",
                "dr hab.| Nowak",
                "живу на ул.| садовой, д. 5",
                "на ул. садовой, д.| 5",
                "в 1985 г.| в Самаре",
                "doktorum prof. dr.| kaya",
                "dişçim dt.| selin",
                "طبيبتي الآن د.| هالة",
                "अब डॉ.| मीरा",
                "我的医生是Dr.| Lin",
                "선생님은 Mr.| Brown",
            ],
            true,
        );
    }

    #[test]
    fn other_full_stops_end_a_sentence() {
        check(
            &[
                "im 31.| i live in hove",
                "I turned 40.| My wife is Irish",
                "Ich bin 31.| Mein Hund heißt Rex",
                "I emailed my prof.| She said no",
                "i take vitamin d.| it helps",
                "je fais du m.|\nDemain",
                "It is no.| Then",
                "mam 31 lat.| mój pies",
                "мне 31.| я живу в Туле",
                "tengo 33.| vivo en Vigo",
                "At 9 a.m.| I run",
                "عمري 31.| أسكن في صور",
            ],
            false,
        );
    }
}
