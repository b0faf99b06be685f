//! What a sentence asks a memory to do, by the forms of its words: to forget something, to keep nothing, or nothing at all, though it speaks of
//! forgetting.
//!
//! "Marta dimentica sempre le chiavi" and "dimentica Marta" have the same words, and a judge of meaning takes the one for the other now and then. They
//! differ in who forgets and where the verb stands, and that is read here, over the tables of all languages ([`WishWords`]). What asks by its form is
//! then heard by the judge, who needs to be the less sure the plainer it asks; what speaks of forgetting and asks nothing is never a wish.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::decide::plain;
use crate::language::{Language, WishWords};
use crate::text::tokens::is_wide;

/// Words between the parts of a form, or letters of a script without spaces.
const GAP_WORDS: usize = 6;
const GAP_LETTERS: usize = 16;

/// Words between a request and the verb that it asks for; in the same clause of a language whose verbs come last.
const ASKED_WITHIN: usize = 3;
const ASKED_WITHIN_A_CLAUSE: usize = 9;

/// Words that offer something else in the place of what is to be forgotten, folded: then it was a plan or a place, and no memory.
const INSTEAD: &str = "instead better лучше lieber stattdessen besser mejor plutôt plutot mieux piuttosto meglio melhor liever beter lepiej daha yerine";

/// What ends a clause, and what says that the next one is somebody's message.
const CLAUSE_ENDS: &[char] = &[
    ',', ';', ':', '.', '!', '?', '(', ')', '–', '—', '…', '\n', '"', '“', '”', '„', '«', '»', '「', '」',
    '，', '、', '。', '；', '：', '！', '？', '।', '،', '؛', '؟', '¿', '¡', '|',
];
const MESSAGE_BEGINS: &[char] = &[':', '：', '"', '“', '„', '«', '「'];

/// What a sentence that speaks of forgetting does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WishForm {
    /// Nothing in it is of a wish.
    Nothing,
    /// It speaks of forgetting or deleting, and asks a memory for neither.
    Ordinary,
    /// The same, and it speaks of what was told or of a memory too.
    Near,
    /// It orders or asks for it.
    Asked(Plainness),
}

/// How plainly a memory is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plainness {
    /// In an order that goes on with something else: "forget Leeds, the rents are mad".
    GoesOn,
    /// In an order that can be meant for something else than a memory.
    Order,
    /// To delete what was told.
    Deletion,
    /// In a request, in what names the memory or what was told to it, or in what asks for nothing else.
    Surely,
}

/// What a sentence asks for, by its form.
pub(super) fn form_of(sentence: &str) -> WishForm {
    let read = SentenceWords::of(sentence);
    let forms = TABLES.iter().map(|table| table.read(&read));
    forms.reduce(stronger).unwrap_or(WishForm::Nothing)
}

/// What asks in one language asks, whatever it looks like in another.
fn stronger(one: WishForm, other: WishForm) -> WishForm {
    match (one, other) {
        (WishForm::Asked(one), WishForm::Asked(other)) => WishForm::Asked(one.max(other)),
        (asked @ WishForm::Asked(_), _) | (_, asked @ WishForm::Asked(_)) => asked,
        (WishForm::Near, _) | (_, WishForm::Near) => WishForm::Near,
        (WishForm::Ordinary, _) | (_, WishForm::Ordinary) => WishForm::Ordinary,
        _ => WishForm::Nothing,
    }
}

/// What stands behind the words by which a sentence asks that nothing at all be kept; nothing where it does not ask so.
pub(super) fn behind_silence(sentence: &str) -> Option<String> {
    let read = SentenceWords::of(sentence);
    TABLES.iter().find_map(|table| {
        let at = first(&table.silences, &read, table)?;
        Some(read.behind(at.end, table.spaced))
    })
}

/// A sentence as forms are looked for in it.
struct SentenceWords {
    /// Its words, with the number of the clause that each stands in.
    words: Vec<(String, usize)>,
    /// Its letters without spaces, with the same.
    letters: Vec<(char, usize)>,
    /// Whether a clause begins somebody's message.
    begins_message: Vec<bool>,
}

impl SentenceWords {
    fn of(sentence: &str) -> Self {
        let mut read = Self { words: Vec::new(), letters: Vec::new(), begins_message: Vec::new() };
        let mut from = 0;
        let mut begins = false;
        let mut add = |part: &str, begins: bool| {
            let folded = plain(part);
            if folded.is_empty() {
                return false;
            }
            let clause = read.begins_message.len();
            read.begins_message.push(begins);
            read.letters
                .extend(folded.chars().filter(|letter| *letter != ' ').map(|letter| (letter, clause)));
            read.words.extend(folded.split(' ').map(|word| (word.to_owned(), clause)));
            true
        };
        for (at, end) in sentence.match_indices(CLAUSE_ENDS) {
            let added = add(&sentence[from..at], begins);
            begins = end.contains(MESSAGE_BEGINS) || begins && !added;
            from = at + end.len();
        }
        add(&sentence[from..], begins);
        read
    }

    fn clause_at(&self, at: usize, spaced: bool) -> usize {
        match spaced {
            true => self.words[at].1,
            false => self.letters[at].1,
        }
    }

    fn behind(&self, at: usize, spaced: bool) -> String {
        match spaced {
            true => self.words[at..].iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" "),
            false => self.letters[at..].iter().map(|(letter, _)| letter).collect(),
        }
    }

    fn offers_something_else(&self) -> bool {
        self.words.iter().any(|(word, _)| INSTEAD.split(' ').any(|instead| instead == word))
    }

    /// Whether all that is said behind a clause could still belong to what is asked: nothing, or a word or two beside those that are only polite.
    fn ends_with(&self, clause: usize, polite: impl Fn(&str) -> bool) -> bool {
        let behind = self.words.iter().filter(|(word, of)| *of > clause && !polite(word)).count();
        let wide = self.letters.iter().filter(|(letter, of)| *of > clause && is_wide(*letter)).count();
        behind <= LITTLE_BEHIND && wide <= LITTLE_BEHIND * 2
    }
}

/// Words behind an order that do not go on with something else: "ok?", "if you don't mind".
const LITTLE_BEHIND: usize = 2;

/// A form of a table, in the parts between which something may stand.
#[derive(Debug)]
struct Form {
    parts: Vec<Vec<FormWord>>,
    begins: bool,
    ends: bool,
}

/// A word of a form: whole, or the beginning of one. In scripts without spaces it is a run of letters.
#[derive(Debug)]
struct FormWord {
    word: String,
    letters: Vec<char>,
    only_begins: bool,
}

impl FormWord {
    fn is(&self, word: &str) -> bool {
        if self.only_begins { word.starts_with(&self.word) } else { word == self.word }
    }
}

impl Form {
    fn of(form: &str, spaced: bool) -> Self {
        let (begins, ends) = (form.starts_with('^'), form.ends_with('$'));
        let form = form.trim_matches(['^', '$', ' ']);
        let word = |word: &str| {
            let folded = plain(word);
            let letters = folded.chars().filter(|letter| *letter != ' ').collect();
            FormWord { word: folded, letters, only_begins: word.ends_with('*') }
        };
        let words = |part: &str| match spaced {
            // Marks that a fold takes for the end of a word make two words of one here too.
            true => part.split_whitespace().flat_map(pieces).map(|one| word(&one)).collect(),
            false => vec![word(part)],
        };
        Self { parts: form.split('…').map(words).collect(), begins, ends }
    }

    /// Where the form stands first, from a place on.
    fn find(&self, read: &SentenceWords, from: usize, table: &Table) -> Option<Range<usize>> {
        let all = if table.spaced { read.words.len() } else { read.letters.len() };
        (from..all).find_map(|at| {
            let end = self.end_from(read, at, 0, table.spaced)?;
            let clause = |at: usize| read.clause_at(at, table.spaced);
            let begins = !self.begins || table.opens(read, clause(at), at);
            let ends = !self.ends || table.closes(read, clause(end - 1), end);
            (begins && ends).then_some(at..end)
        })
    }

    /// Where the form ends that begins at a place with one of its parts.
    fn end_from(&self, read: &SentenceWords, at: usize, part: usize, spaced: bool) -> Option<usize> {
        let words = self.parts.get(part)?;
        let long = if spaced { words.len() } else { words.first()?.letters.len() };
        let fits = match spaced {
            true => {
                at + long <= read.words.len()
                    && words.iter().zip(&read.words[at..]).all(|(form, (word, _))| form.is(word))
            }
            false => {
                at + long <= read.letters.len()
                    && words[0]
                        .letters
                        .iter()
                        .zip(&read.letters[at..])
                        .all(|(form, (letter, _))| form == letter)
            }
        };
        if !fits || long == 0 {
            return None;
        }
        let end = at + long;
        if part + 1 == self.parts.len() {
            return Some(end);
        }
        let gap = if spaced { GAP_WORDS } else { GAP_LETTERS };
        (end..=end + gap).find_map(|next| self.end_from(read, next, part + 1, spaced))
    }
}

/// The pieces that a fold makes of one word of a form; the mark of a beginning stays with the last.
fn pieces(word: &str) -> Vec<String> {
    let folded = plain(word);
    let mut pieces: Vec<String> = folded.split(' ').map(str::to_owned).collect();
    if let Some(last) = pieces.last_mut().filter(|_| word.ends_with('*')) {
        last.push('*');
    }
    pieces
}

/// The forms of one language, as they are compared.
struct Table {
    language: Language,
    /// Whether its words stand apart.
    spaced: bool,
    /// Whether an order stands at the end, with what it is about before it; whether a verb that is asked for does.
    verb_last: bool,
    verb_far: bool,
    orders: Vec<Form>,
    deletions: Vec<Form>,
    removals: Vec<Form>,
    requests: Vec<Form>,
    forgetting: Vec<Form>,
    deleting: Vec<Form>,
    refusals: Vec<Form>,
    pretences: Vec<Form>,
    memory: Vec<Form>,
    told: Vec<Form>,
    ordinary: Vec<Form>,
    dismissals: Vec<Form>,
    passed_on: Vec<Form>,
    silences: Vec<Form>,
    openers: HashSet<String>,
    closers: HashSet<String>,
}

static TABLES: LazyLock<Vec<Table>> =
    LazyLock::new(|| Language::wishing().map(|(language, words)| Table::of(language, words)).collect());

/// Where the first of some forms stands that stands in a sentence.
fn first(forms: &[Form], read: &SentenceWords, table: &Table) -> Option<Range<usize>> {
    forms.iter().find_map(|form| form.find(read, 0, table))
}

fn stands(forms: &[Form], read: &SentenceWords, table: &Table) -> bool {
    first(forms, read, table).is_some()
}

impl Table {
    fn of(language: Language, words: &WishWords) -> Self {
        let spaced = !words.forgetting.iter().any(|form| form.chars().any(is_wide));
        let forms =
            |forms: &[&str]| -> Vec<Form> { forms.iter().map(|form| Form::of(form, spaced)).collect() };
        let set = |words: &str| {
            plain(words).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        // "Forget it" alone is said of whatever was talked of.
        let (dismissals, ordinary): (Vec<Form>, Vec<Form>) =
            forms(words.ordinary).into_iter().partition(|form| form.begins && form.ends);
        Self {
            language,
            spaced,
            verb_last: !words.closers.is_empty(),
            verb_far: words.verb_far,
            orders: forms(words.orders),
            deletions: forms(words.deletions),
            removals: forms(words.removals),
            requests: forms(words.requests),
            forgetting: forms(words.forgetting),
            deleting: forms(words.deleting),
            refusals: forms(words.refusals),
            pretences: forms(words.pretences),
            memory: forms(words.memory),
            told: forms(words.told),
            ordinary,
            dismissals,
            passed_on: forms(words.passed_on),
            silences: forms(words.silences),
            openers: set(words.openers),
            closers: set(words.closers),
        }
    }

    /// The forms that ask, and those that say what is to be forgotten.
    fn all(&self) -> impl Iterator<Item = &Vec<Form>> {
        let asking =
            [&self.orders, &self.deletions, &self.removals, &self.requests, &self.forgetting, &self.deleting];
        asking.into_iter().chain([&self.refusals, &self.pretences, &self.memory, &self.told, &self.silences])
    }

    /// Whether nothing stands before a place in its clause but words that open one.
    fn opens(&self, read: &SentenceWords, clause: usize, at: usize) -> bool {
        match self.spaced {
            true => {
                let before = read.words[..at].iter().filter(|(_, of)| *of == clause);
                before.into_iter().all(|(word, _)| self.openers.contains(word))
            }
            false => at == 0 || read.letters[at - 1].1 != clause,
        }
    }

    /// Whether nothing stands behind a place in its clause but words that close one.
    fn closes(&self, read: &SentenceWords, clause: usize, end: usize) -> bool {
        match self.spaced {
            true => {
                let behind = read.words[end..].iter().filter(|(_, of)| *of == clause);
                behind.into_iter().all(|(word, _)| self.closers.contains(word))
            }
            false => {
                let behind = read.letters[end..].iter().filter(|(_, of)| *of == clause);
                let behind: String = behind.map(|(letter, _)| letter).collect();
                behind.is_empty() || self.closers.contains(&behind)
            }
        }
    }

    fn read(&self, read: &SentenceWords) -> WishForm {
        let passed_on = |at: usize| self.is_passed_on(read, at);
        let whole = [&self.refusals, &self.pretences].into_iter();
        if whole.filter_map(|forms| first(forms, read, self)).any(|at| !passed_on(at.start)) {
            return WishForm::Asked(Plainness::Surely);
        }
        let speaks = stands(&self.forgetting, read, self) || stands(&self.orders, read, self);
        let deletes = stands(&self.deleting, read, self) || stands(&self.deletions, read, self);
        let of_memory = stands(&self.memory, read, self);
        let removes = of_memory && stands(&self.removals, read, self);
        if !speaks && !deletes && !removes {
            return if stands(&self.ordinary, read, self) { WishForm::Ordinary } else { WishForm::Nothing };
        }
        let of_told = of_memory || stands(&self.told, read, self);
        let nowhere = 0..0;
        let free = |at: &Range<usize>| {
            !passed_on(at.start)
                && !self.is_ordinary(read, at, &nowhere)
                && (of_told || !self.dismisses(read, at))
        };
        let requested = |verbs: &[Form]| {
            let mut asked = self.requested(read, verbs).into_iter();
            asked.any(|(request, verb)| !passed_on(verb.start) && !self.is_ordinary(read, &verb, &request))
        };
        let ordered =
            |forms: &[Form]| forms.iter().filter_map(|form| form.find(read, 0, self)).find(|at| free(at));
        if speaks {
            if requested(&self.forgetting) {
                return WishForm::Asked(Plainness::Surely);
            }
            if let Some(at) = ordered(&self.orders) {
                let ends = read.ends_with(read.clause_at(at.start, self.spaced), |word| self.is_polite(word));
                return WishForm::Asked(match () {
                    () if of_told => Plainness::Surely,
                    () if read.offers_something_else() => return WishForm::Ordinary,
                    () if ends || self.verb_last => Plainness::Order,
                    () => Plainness::GoesOn,
                });
            }
        }
        if removes && (requested(&self.removals) || ordered(&self.removals).is_some()) {
            return WishForm::Asked(Plainness::Surely);
        }
        if deletes && of_told && (requested(&self.deleting) || ordered(&self.deletions).is_some()) {
            return WishForm::Asked(if of_memory { Plainness::Surely } else { Plainness::Deletion });
        }
        let passed_on = stands(&self.passed_on, read, self);
        let ordinary = self.ordinary.iter().any(|form| form.find(read, 0, self).is_some());
        if of_told && !passed_on && !ordinary { WishForm::Near } else { WishForm::Ordinary }
    }

    /// The places of requests, and of the verbs behind them that they ask for.
    fn requested(&self, read: &SentenceWords, verbs: &[Form]) -> Vec<(Range<usize>, Range<usize>)> {
        let requests = self.requests.iter().filter_map(|form| form.find(read, 0, self));
        let mut found = Vec::new();
        for request in requests {
            let clause = |at: usize| read.clause_at(at, self.spaced);
            let near = |verb: &Range<usize>| {
                let between = verb.start - request.end;
                let same = clause(verb.start) == clause(request.end - 1);
                match self.spaced {
                    true => {
                        between <= ASKED_WITHIN || self.verb_far && same && between <= ASKED_WITHIN_A_CLAUSE
                    }
                    false => between <= GAP_LETTERS,
                }
            };
            let verb = verbs.iter().filter_map(|verb| verb.find(read, request.end, self));
            found.extend(verb.filter(near).map(|verb| (request.clone(), verb)));
        }
        found
    }

    /// Whether the clause of a verb says who forgets, how often, or that something is not to be forgotten.
    /// Where it is requested, the request says who: "I'd like it if you forgot" is no "you forgot".
    fn is_ordinary(&self, read: &SentenceWords, verb: &Range<usize>, request: &Range<usize>) -> bool {
        let clause = read.clause_at(verb.start, self.spaced);
        let of_request = |at: &Range<usize>| {
            !request.is_empty()
                && (at == verb && self.spaced
                    || (request.start..=request.end).contains(&at.start) && at.end > request.end)
        };
        let in_it = |form: &Form| {
            let all = if self.spaced { read.words.len() } else { read.letters.len() };
            let mut from = 0;
            while let Some(at) = form.find(read, from, self).filter(|_| from < all) {
                let of = |at: usize| read.clause_at(at, self.spaced);
                if of(at.start) == clause && of(at.end - 1) == clause && !of_request(&at) {
                    return true;
                }
                from = at.start + 1;
            }
            false
        };
        self.ordinary.iter().any(in_it)
    }

    /// Whether a verb stands alone in its clause, or with a word that points, and goes on with something else: "forget it, I'll do it myself". Who says
    /// please means it.
    fn dismisses(&self, read: &SentenceWords, verb: &Range<usize>) -> bool {
        let clause = |at: usize| read.clause_at(at, self.spaced);
        let of = clause(verb.start);
        let begins = verb.start == 0 || clause(verb.start - 1) != of;
        let mut next = read.words.iter().filter(|(_, clause)| *clause == of + 1).peekable();
        let polite = next.peek().is_some() && next.all(|(word, _)| self.is_polite(word));
        let alone = |form: &Form| form.find(read, verb.start, self).is_some_and(|at| at.start == verb.start);
        begins && !polite && self.dismissals.iter().any(alone)
    }

    fn is_polite(&self, word: &str) -> bool {
        self.openers.contains(word) || self.closers.contains(word)
    }

    /// Whether a place stands in a message to somebody else: behind the words for it in the same clause, or behind a colon or a quotation mark. Where
    /// verbs come last, those words may come last too.
    fn is_passed_on(&self, read: &SentenceWords, at: usize) -> bool {
        let of = |at: usize| read.clause_at(at, self.spaced);
        let mut earliest = of(at);
        while earliest > 0 && read.begins_message[earliest] {
            earliest -= 1;
        }
        self.passed_on.iter().any(|form| {
            let found = form.find(read, 0, self);
            found.is_some_and(|found| self.verb_last || found.start < at && of(found.start) >= earliest)
        })
    }
}

/// The languages in which a sentence asks for something to be forgotten.
pub(crate) fn asked_in(sentence: &str) -> Vec<Language> {
    let read = SentenceWords::of(sentence);
    let asks = |table: &&Table| matches!(table.read(&read), WishForm::Asked(_));
    TABLES.iter().filter(asks).map(|table| table.language).collect()
}

/// Whether a folded word is one of those by which people ask for it.
pub(crate) fn is_word_of_wishing(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let of = |table: &'static Table| table.all().flatten().flat_map(|form| form.parts.iter().flatten());
        TABLES.iter().flat_map(of).map(|word| word.word.clone()).collect()
    });
    WORDS.contains(word)
}

/// A text of a script without spaces in which a stop stands for each form by which people ask for something to be forgotten.
pub(crate) fn without_words_of_wishing(text: &str) -> String {
    static FORMS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let unspaced = TABLES.iter().filter(|table| !table.spaced);
        let words =
            unspaced.flat_map(|table| table.all().flatten().flat_map(|form| form.parts.iter().flatten()));
        let mut forms: Vec<String> =
            words.map(|word| word.word.clone()).filter(|form| !form.is_empty()).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms
    });
    FORMS.iter().fold(crate::text::fold(text), |text, form| text.replace(form.as_str(), "。"))
}

#[cfg(test)]
mod tests;
