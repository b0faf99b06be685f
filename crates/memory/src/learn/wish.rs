//! What a sentence asks a memory to do, by the forms of its words: to forget something, to keep nothing, or nothing at all, though it speaks of
//! forgetting.
//!
//! "Marta dimentica sempre le chiavi" and "dimentica Marta" have the same words, and a judge of meaning takes the one for the other now and then. They
//! differ in who forgets and where the verb stands, and that is read here, over the tables of all languages ([`WishWords`]). What asks by its form is
//! then heard by the judge, who needs to be the less sure the plainer it asks; what speaks of forgetting and asks nothing is never a wish.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::decide::plain;
use crate::language::{Language, WishWords};
use crate::limits;
use crate::text::script::is_han_kana_or_hangul;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WishForm {
    /// Nothing in it is of a wish.
    Nothing,
    /// It speaks of forgetting or deleting, and asks a memory for neither.
    Ordinary,
    /// It speaks of it in words of which nothing is known: neither does it ask by its form, nor is it ordinary talk by it.
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

/// What a sentence asks for, by its form. What asks in one language asks, whatever it looks like in another.
pub(super) fn form_of(sentence: &str) -> WishForm {
    let Some(read) = SentenceWords::of_talk(sentence) else { return WishForm::Nothing };
    let forms = TABLES.iter().map(|table| table.read(&read));
    forms.max().unwrap_or(WishForm::Nothing)
}

/// How a sentence asks that nothing at all be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AskedSilence {
    /// It does not say of what: "don't save anything".
    OfAnything,
    /// It names the conversation, or what is said in it.
    OfThisConversation,
}

/// Whether a sentence asks that nothing at all be kept. Who says what it is about ("nothing that I told you about Olly") asks for something else: that is a
/// wish, and nothing else of the conversation goes with it.
pub(super) fn silence_of(sentence: &str) -> Option<AskedSilence> {
    let read = SentenceWords::of_talk(sentence)?;
    TABLES.iter().filter_map(|table| table.silence(&read)).max()
}

/// A sentence as forms are looked for in it.
struct SentenceWords {
    /// Its words, with the number of the clause that each stands in.
    words: Vec<(String, usize)>,
    /// Its letters without spaces, with the same.
    letters: Vec<(char, usize)>,
    /// The same as a text.
    run: String,
    /// Whether a clause begins somebody's message.
    begins_message: Vec<bool>,
}

impl SentenceWords {
    /// A sentence of talk: what is longer is a text, and asks for nothing.
    fn of_talk(sentence: &str) -> Option<Self> {
        sentence.chars().nth(limits::WISH_LETTERS).is_none().then(|| Self::of(sentence))
    }

    fn of(sentence: &str) -> Self {
        let mut read =
            Self { words: Vec::new(), letters: Vec::new(), run: String::new(), begins_message: Vec::new() };
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
        read.run = read.letters.iter().map(|(letter, _)| letter).collect();
        read
    }

    fn clause_at(&self, at: usize, spaced: bool) -> usize {
        match spaced {
            true => self.words[at].1,
            false => self.letters[at].1,
        }
    }

    /// The words of a clause from a place on.
    fn clause_from(&self, from: usize) -> impl Iterator<Item = &str> {
        let clause = self.words.get(from).map(|(_, clause)| *clause);
        let all = self.words[from.min(self.words.len())..].iter();
        all.take_while(move |(_, of)| Some(*of) == clause).map(|(word, _)| word.as_str())
    }

    /// Where the clause of a place begins.
    fn clause_start(&self, at: usize, spaced: bool) -> usize {
        let clause = self.clause_at(at, spaced);
        (0..at).rev().take_while(|&before| self.clause_at(before, spaced) == clause).last().unwrap_or(at)
    }

    /// The letters of a clause.
    fn letters_of(&self, clause: usize) -> String {
        self.letters.iter().filter(|(_, of)| *of == clause).map(|(letter, _)| letter).collect()
    }

    fn offers_something_else(&self) -> bool {
        self.words.iter().any(|(word, _)| INSTEAD.split(' ').any(|instead| instead == word))
    }

    /// Whether all that is said behind a clause could still belong to what is asked: nothing, or a word or two beside those that are only polite.
    fn ends_with(&self, clause: usize, polite: impl Fn(&str) -> bool) -> bool {
        let behind = self.words.iter().filter(|(word, of)| *of > clause && !polite(word)).count();
        let wide =
            self.letters.iter().filter(|(letter, of)| *of > clause && is_han_kana_or_hangul(*letter)).count();
        behind <= LITTLE_BEHIND && wide <= LITTLE_BEHIND * 2
    }
}

/// How words begin for things that are worked on in a conversation and are not the conversation.
const THINGS: &[&str] = &[
    "list",
    "lijst",
    "спис",
    "file",
    "datei",
    "archivo",
    "fichier",
    "bestand",
    "plik",
    "файл",
    "draft",
    "entwurf",
    "borrador",
    "brouillon",
    "bozza",
    "rascunho",
    "table",
    "tabel",
    "tabla",
    "spreadsheet",
    "document",
    "dokument",
    "code",
    "codice",
    "codigo",
    "recip",
    "ricett",
    "receta",
    "rezept",
    "recept",
    "text",
    "testo",
    "email",
    "mail",
    "letter",
    "lettera",
    "carta",
];

/// How words begin that say that something is kept later on: then it was nothing that was told.
const YET: &[&str] = &[
    "yet",
    "fridge",
    "todavia",
    "ainda",
    "encore",
    "ancora",
    "jeszcze",
    "пока",
    "henuz",
    "daha",
    "अभी",
    "まだ",
    "上書",
    "아직",
    "先",
    "文件",
    "要不要",
    "الحين",
];

/// Letters of an English word that ends in "ing" because it is done.
const LONG_ENDING: usize = 5;

fn is_hangul(letter: char) -> bool {
    ('\u{AC00}'..='\u{D7A3}').contains(&letter)
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

/// The forms that one with alternatives stands for: "dont save|keep any*" for two.
fn alternatives(form: &str) -> Vec<String> {
    form.split_whitespace().fold(vec![String::new()], |before, word| {
        let goes_on = |before: &String| {
            let words = word.split('|').map(|one| one.replace('_', " "));
            words.map(|word| format!("{before} {word}")).collect::<Vec<_>>()
        };
        before.iter().flat_map(goes_on).collect()
    })
}

impl Form {
    fn of(form: &str, spaced: bool) -> Self {
        let form = form.trim();
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
    keepings: Vec<Form>,
    pretences: Vec<Form>,
    memory: Vec<Form>,
    told: Vec<Form>,
    own: Vec<Form>,
    ordinary: Vec<Form>,
    dismissals: Vec<Form>,
    passed_on: Vec<Form>,
    silences: Vec<Form>,
    here: Vec<Form>,
    about: Vec<Form>,
    about_behind: Vec<Form>,
    openers: HashSet<String>,
    closers: HashSet<String>,
    pointing: HashSet<String>,
    /// The words of which every sentence that asks for something has one, the longest of each form: whole ones, and those that words begin with. In scripts
    /// without spaces they are runs of letters.
    asking: HashSet<String>,
    asking_begins: Vec<String>,
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
        let spaced = !words.forgetting.iter().any(|form| form.chars().any(is_han_kana_or_hangul));
        let forms = |forms: &[&str]| -> Vec<Form> {
            forms.iter().flat_map(|form| alternatives(form)).map(|form| Form::of(&form, spaced)).collect()
        };
        let set = |words: &str| {
            plain(words).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        // "Forget it" alone is said of whatever was talked of.
        let (dismissals, ordinary): (Vec<Form>, Vec<Form>) =
            forms(words.ordinary).into_iter().partition(|form| form.begins && form.ends);
        let mut table = Self {
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
            keepings: forms(words.keepings),
            pretences: forms(words.pretences),
            memory: forms(words.memory),
            told: forms(words.told),
            own: forms(words.own),
            ordinary,
            dismissals,
            passed_on: forms(words.passed_on),
            silences: forms(words.silences),
            here: forms(words.here),
            about: forms(words.about),
            about_behind: forms(words.about_behind),
            openers: set(words.openers),
            closers: set(words.closers),
            pointing: set(words.pointing),
            asking: HashSet::new(),
            asking_begins: Vec::new(),
        };
        let (begins, whole): (Vec<_>, Vec<_>) =
            table.words_of_asking().into_iter().partition(|(_, only_begins)| *only_begins || !spaced);
        table.asking = whole.into_iter().map(|(word, _)| word).collect();
        table.asking_begins = begins.into_iter().map(|(word, _)| word).collect();
        table
    }

    /// The longest word of each form that asks or is ordinary talk, once, and whether a word need only begin with it.
    fn words_of_asking(&self) -> BTreeSet<(String, bool)> {
        let asking = [&self.orders, &self.deletions, &self.removals, &self.forgetting, &self.deleting];
        let all = asking.into_iter().chain([
            &self.refusals,
            &self.keepings,
            &self.pretences,
            &self.silences,
            &self.ordinary,
        ]);
        let longest = |form: &Form| {
            let word = form.parts.iter().flatten().max_by_key(|word| word.letters.len())?;
            Some((word.letters.iter().collect(), word.only_begins))
        };
        all.flatten().filter_map(longest).collect()
    }

    /// Whether a sentence has a word of asking, or of ordinary talk of it, at all; without one, no form stands in it.
    fn may_ask(&self, read: &SentenceWords) -> bool {
        match self.spaced {
            true => read.words.iter().any(|(word, _)| {
                self.asking.contains(word)
                    || self.asking_begins.iter().any(|begins| word.starts_with(begins.as_str()))
            }),
            false => self.asking_begins.iter().any(|run| read.run.contains(run.as_str())),
        }
    }

    /// The forms that ask, and those that say what is to be forgotten.
    fn all(&self) -> impl Iterator<Item = &Vec<Form>> {
        let asking =
            [&self.orders, &self.deletions, &self.removals, &self.requests, &self.forgetting, &self.deleting];
        let named = [&self.memory, &self.told, &self.silences];
        asking.into_iter().chain([&self.refusals, &self.keepings, &self.pretences]).chain(named)
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
                behind.into_iter().all(|(word, _)| self.is_polite(word))
            }
            false => {
                let behind = read.letters[end..].iter().filter(|(_, of)| *of == clause);
                let behind: String = behind.map(|(letter, _)| letter).collect();
                behind.is_empty() || self.closers.contains(&behind)
            }
        }
    }

    fn read(&self, read: &SentenceWords) -> WishForm {
        if !self.may_ask(read) {
            return WishForm::Nothing;
        }
        let passed_on = |at: usize| self.is_passed_on(read, at);
        let whole = [&self.refusals, &self.pretences].into_iter();
        if whole.filter_map(|forms| first(forms, read, self)).any(|at| !passed_on(at.start)) {
            return WishForm::Asked(Plainness::Surely);
        }
        if first(&self.silences, read, self)
            .is_some_and(|at| !passed_on(at.start) && self.names_a_matter(read, &at))
        {
            return WishForm::Asked(Plainness::Surely);
        }
        let kept = self.keepings.iter().filter_map(|form| Some((form.find(read, 0, self)?, form)));
        let kept = kept.filter(|(at, _)| !passed_on(at.start) && !self.is_ordinary(read, at, &(0..0)));
        let kept = kept.map(|(at, form)| self.keeps(read, &at, form)).max();
        self.read_forgetting(read).max(kept.unwrap_or(WishForm::Nothing))
    }

    /// What a sentence asks that has the words for not keeping something. What can be kept elsewhere than in a memory is meant only where it is what was
    /// told, or where the sentence points at it: "don't save that" and "don't save my address", but not "don't save the file".
    fn keeps(&self, read: &SentenceWords, at: &Range<usize>, form: &Form) -> WishForm {
        let clause = read.clause_at(at.start, self.spaced);
        let start = read.clause_start(at.start, self.spaced);
        let opens =
            |at: usize| at == 0 || read.clause_at(at - 1, self.spaced) != read.clause_at(at, self.spaced);
        let near = |found: &Range<usize>| match read.clause_at(found.start, self.spaced) {
            of if of == clause => true,
            of => of == clause + 1 && opens(found.start),
        };
        let named = || [&self.memory, &self.told, &self.own].into_iter().flatten();
        if named().filter_map(|form| form.find(read, start, self)).any(|found| near(&found)) {
            return WishForm::Asked(Plainness::Surely);
        }
        let named_before = || {
            let places = named().filter_map(|form| form.find(read, 0, self));
            places.into_iter().any(|found| read.clause_at(found.start, self.spaced) + 1 == clause)
        };
        let start = if self.verb_last { start } else { at.start };
        let (other, points, worked_on) = match self.spaced {
            true => {
                let words: Vec<&str> = read.clause_from(start).collect();
                let is_of_form = |word: &&str| form.parts.iter().flatten().any(|part| part.is(word));
                let points = |word: &&str| !is_of_form(word) && self.pointing.contains(*word);
                let other = |word: &&str| {
                    !is_of_form(word) && !self.pointing.contains(*word) && !self.is_polite(word)
                };
                let worked_on = words.iter().any(|word| self.is_worked_on(word));
                (words.iter().any(other), words.iter().any(points), worked_on)
            }
            false => {
                let parts = form.parts.iter().flatten().map(|part| part.letters.iter().collect::<String>());
                let rest = parts.fold(read.letters_of(clause), |rest, part| rest.replacen(&part, " ", 1));
                let mut pointing: Vec<&String> = self.pointing.iter().chain(&self.closers).collect();
                pointing.sort_by_key(|word| std::cmp::Reverse(word.len()));
                let left = pointing.iter().fold(rest.clone(), |left, word| left.replace(word.as_str(), " "));
                let points = self.pointing.iter().any(|word| rest.contains(word.as_str()));
                let worked_on = YET.iter().any(|yet| left.contains(yet));
                (left.chars().any(char::is_alphanumeric), points, worked_on)
            }
        };
        match (other, points) {
            // "Don't save the file yet", "don't keep suggesting meat".
            (true, _) if worked_on => WishForm::Near,
            (true, true) if self.names_a_matter(read, at) => WishForm::Asked(Plainness::Surely),
            (true, _) => WishForm::Asked(Plainness::GoesOn),
            (false, true) => WishForm::Asked(Plainness::Surely),
            (false, false) if named_before() => WishForm::Asked(Plainness::Surely),
            (false, false) => WishForm::Asked(Plainness::Order),
        }
    }

    /// Whether a word is of something that is worked on or done, and of no memory.
    fn is_worked_on(&self, word: &str) -> bool {
        let goes_on = self.language == Language::English && word.len() > LONG_ENDING && word.ends_with("ing");
        let named = [THINGS, YET].into_iter().flatten().any(|stem| word.starts_with(stem));
        !self.pointing.contains(word)
            && (goes_on && !matches!(word, "thing" | "everything" | "anything") || named)
    }

    /// How a sentence asks that nothing at all be kept.
    fn silence(&self, read: &SentenceWords) -> Option<AskedSilence> {
        if !self.may_ask(read) {
            return None;
        }
        let at = first(&self.silences, read, self)
            .filter(|at| !self.is_passed_on(read, at.start) && !self.names_a_matter(read, at))?;
        let clause = read.clause_at(at.start, self.spaced);
        // What is worked on in a conversation is not the conversation.
        let of_a_thing = self.spaced && read.clause_from(at.start).any(|word| self.is_worked_on(word));
        let here = self.here.iter().filter_map(|form| form.find(read, 0, self));
        let of_this = here.into_iter().any(|at| read.clause_at(at.start, self.spaced) <= clause + 1);
        match (of_a_thing, of_this) {
            (true, _) => None,
            (false, true) => Some(AskedSilence::OfThisConversation),
            (false, false) => Some(AskedSilence::OfAnything),
        }
    }

    /// Whether a clause that asks for nothing to be kept says what it is about, by more than words that point at what is being said.
    fn names_a_matter(&self, read: &SentenceWords, silence: &Range<usize>) -> bool {
        let of = |at: usize| read.clause_at(at, self.spaced);
        let (begins, ends) = (of(silence.start), of(silence.end - 1));
        // "Merk dir nichts von dem, was ich zu Anke gesagt habe": the next clause says of what.
        let told = self.told.iter().filter_map(|form| form.find(read, silence.end, self));
        let goes_on = told.into_iter().any(|at| of(at.start) == ends + 1 && of(at.start - 1) == ends);
        let within = |at: &Range<usize>| {
            let until = ends + usize::from(goes_on);
            of(at.start) >= begins
                && of(at.end - 1) <= until
                && (self.verb_last || !self.spaced || at.start > silence.start)
        };
        let points = |word: &str| self.pointing.contains(word) || self.is_polite(word);
        // A particle of one letter is the end of many a name.
        let says_something = |word: &&String| !(word.chars().count() == 1 && word.chars().all(is_hangul));
        let pointing = || self.pointing.iter().filter(says_something);
        let named = |at: &Range<usize>| match self.spaced {
            true => {
                let clause = read.words.get(at.end).map(|(_, clause)| *clause);
                let behind = read.words.iter().enumerate().skip(at.end);
                let mut behind = behind.take_while(|(_, (_, of))| Some(*of) == clause);
                behind.any(|(place, (word, _))| place + 1 != silence.end && !points(word))
            }
            false => {
                let behind: String = read.letters[at.end..].iter().map(|(letter, _)| letter).collect();
                !behind.is_empty() && !pointing().any(|word| behind.starts_with(word.as_str()))
            }
        };
        let named_before = |at: &Range<usize>| {
            let start = read.clause_start(at.start, self.spaced);
            match self.spaced {
                true => read.words[start..at.start].iter().any(|(word, _)| !points(word)),
                false => {
                    let before: String =
                        read.letters[start..at.start].iter().map(|(letter, _)| letter).collect();
                    !before.is_empty() && !pointing().any(|word| before.ends_with(word.as_str()))
                }
            }
        };
        let places = |forms: &[Form]| -> Vec<Range<usize>> {
            forms.iter().filter_map(|form| form.find(read, 0, self)).filter(|at| within(at)).collect()
        };
        places(&self.about).iter().any(named) || places(&self.about_behind).iter().any(named_before)
    }

    fn read_forgetting(&self, read: &SentenceWords) -> WishForm {
        let passed_on = |at: usize| self.is_passed_on(read, at);
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
            asked.find(|(request, verb)| !passed_on(verb.start) && !self.is_ordinary(read, verb, request))
        };
        let ordered =
            |forms: &[Form]| forms.iter().filter_map(|form| form.find(read, 0, self)).find(|at| free(at));
        if speaks {
            // Who is asked for something else is asked in the same words: "can you forget the pasta".
            if let Some((request, verb)) = requested(&self.forgetting) {
                let polite = self.spaced && read.words[request].iter().all(|(word, _)| self.is_polite(word));
                let points = self.spaced
                    && read
                        .clause_from(verb.end)
                        .all(|word| self.pointing.contains(word) || self.is_polite(word))
                    && read.clause_from(verb.end).any(|word| self.pointing.contains(word));
                return WishForm::Asked(if of_told || points || polite {
                    Plainness::Surely
                } else {
                    Plainness::Order
                });
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
        if removes && (requested(&self.removals).is_some() || ordered(&self.removals).is_some()) {
            return WishForm::Asked(Plainness::Surely);
        }
        let of_own = stands(&self.own, read, self);
        let deletion = deletes && (requested(&self.deleting).is_some() || ordered(&self.deletions).is_some());
        if deletion && (of_told || of_own) {
            return WishForm::Asked(if of_memory { Plainness::Surely } else { Plainness::Deletion });
        }
        let passed_on = stands(&self.passed_on, read, self);
        let ordinary = [&self.ordinary, &self.dismissals].into_iter().any(|forms| stands(forms, read, self));
        // No list of forms knows how everybody talks: what none of them takes for ordinary is the judge's.
        if !passed_on && !ordinary { WishForm::Near } else { WishForm::Ordinary }
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
                    true if self.verb_far => same && between <= ASKED_WITHIN_A_CLAUSE || between == 0,
                    true => between <= ASKED_WITHIN && (same || between == 0),
                    false => same && between <= GAP_LETTERS,
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
        // "Forget that I always forget my meds": what stands behind the words for what was told is what was told.
        let told =
            self.told.iter().filter_map(|form| form.find(read, verb.start, self)).map(|at| at.end).min();
        let of_told = |at: &Range<usize>| {
            !self.verb_last && at.start >= verb.start && told.is_some_and(|told| at.end > told)
        };
        let in_it = |form: &Form| {
            let all = if self.spaced { read.words.len() } else { read.letters.len() };
            let mut from = 0;
            while let Some(at) = form.find(read, from, self).filter(|_| from < all) {
                let of = |at: usize| read.clause_at(at, self.spaced);
                if of(at.start) == clause && of(at.end - 1) == clause && !of_request(&at) && !of_told(&at) {
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
            let of_it = |found: &Range<usize>| of(found.start) >= earliest && of(found.start) <= of(at);
            found.is_some_and(|found| {
                self.verb_last && of(found.start) >= earliest || found.start < at && of_it(&found)
            })
        })
    }
}

/// The languages in which a sentence asks for something to be forgotten.
pub(crate) fn asked_in(sentence: &str) -> Vec<Language> {
    let Some(read) = SentenceWords::of_talk(sentence) else { return Vec::new() };
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

/// The letters of a text of a script without spaces in which a stop stands for each form by which it asks for something to be forgotten, and for each end of
/// a clause. A single letter of a form may be one of a name.
pub(crate) fn without_words_of_wishing(text: &str) -> String {
    let read = SentenceWords::of(text);
    let mut gone = vec![false; read.letters.len()];
    for table in TABLES.iter().filter(|table| !table.spaced) {
        for part in table.all().flatten().flat_map(|form| form.parts.iter().flatten()) {
            let long = part.letters.len();
            let stands = |at: &usize| {
                read.letters[*at..].iter().map(|(letter, _)| letter).take(long).eq(&part.letters)
            };
            if long >= 2 {
                let places = (0..=read.letters.len().saturating_sub(long)).filter(stands);
                places.for_each(|at| gone[at..at + long].fill(true));
            }
        }
    }
    let mut left = String::new();
    for (at, (letter, clause)) in read.letters.iter().enumerate() {
        if at > 0 && read.letters[at - 1].1 != *clause {
            left.push('。');
        }
        left.push(if gone[at] { '。' } else { *letter });
    }
    left
}

#[cfg(test)]
mod tests;
