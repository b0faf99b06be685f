//! The built-in judge of speech: which sentences last, whose words they are, and what one does to another.
//!
//! Two small networks over the pieces of the built-in table, whose rows every piece brings along, so that what was learned in one language
//! holds in the others. The first reads a sentence: three convolutions of three over its pieces, the last with a look at the whole, the greatest and the mean of what
//! they find, and heads that also see the sentences around it. The second lays two sentences beside each other, piece by piece. Weights,
//! data and figures: `assets/judges/card.md`; what a chance is worth within a list of what is known: `lists.rs`; made anew by `cargo xtask train-judges`.

mod byte_kernel;
mod kernel;
mod listener;
mod lists;
mod marks;
mod net;
mod pieces;
mod weights;
mod words;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use lru::LruCache;
use memory::ports::{
    KnownText, MemoryWorth, MessageNeeds, NewStatement, PairReading, SUBJECTS, SentenceReading, SpeechJudge,
    SpeechSort, StatedClause,
};
use memory::text::goes_on_behind_stop;
use parking_lot::Mutex;

use self::listener::{StatementListener, Verdict};
use self::lists::{Earlier, Known, Later, Lists, LookedAt};
use self::marks::PLAIN;
use self::net::{Encoded, HeadChances, TextSketch, Wanting};
use self::weights::Weights;
use self::words::TellingWords;
use crate::StaticTable;
use crate::limits;

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_bytes!("../../../../assets/judges/weights.bin")));

static LISTENER: LazyLock<StatementListener> =
    LazyLock::new(|| StatementListener::parse(include_bytes!("../../../../assets/judges/listener.bin")));

static LISTS: LazyLock<Lists> =
    LazyLock::new(|| Lists::parse(include_str!("../../../../assets/judges/lists.tsv")));

/// The judge that is always there.
#[derive(Clone)]
pub struct BuiltinJudge {
    encoded: Arc<Mutex<HashMap<String, Arc<Encoded>>>>,
    sketched: Arc<Mutex<LruCache<String, Arc<TextSketch>>>>,
    /// By the sentences and what stands before them.
    read: Arc<Mutex<LruCache<String, Arc<[SentenceReading]>>>>,
    /// The same of what the listener heard.
    heard: Arc<Mutex<LruCache<String, Arc<[SentenceReading]>>>>,
    /// By the later statement and the earlier one.
    listened: Arc<Mutex<LruCache<(String, String), Verdict>>>,
}

/// Earlier statements that the listener lays beside a later one, those that are over most likely, unlikely ones among them, because what it says of one counts
/// by how far that is ahead of the others; and the chance that one must have before any is looked at.
const SECOND_LOOKS: usize = 6;
const WORTH_A_LOOK: f32 = 0.004;

/// The most that what nobody looked at twice can count for.
const NOT_LOOKED_AT: f32 = 0.1;

/// How much what the listener hears in a sentence counts beside what the quick network reads in it.
const HEARD_SHARE: f32 = 0.8;

/// Statements that the listener lays beside a wish to forget, the likeliest: somebody may wait for the answer.
const HEEDED: usize = 5;

impl Default for BuiltinJudge {
    fn default() -> Self {
        Self {
            encoded: Arc::default(),
            sketched: Arc::new(Mutex::new(LruCache::new(limits::SKETCHES_KEPT))),
            read: Arc::new(Mutex::new(LruCache::new(limits::READINGS_KEPT))),
            heard: Arc::new(Mutex::new(LruCache::new(limits::HEARINGS_KEPT))),
            listened: Arc::new(Mutex::new(LruCache::new(limits::VERDICTS_KEPT))),
        }
    }
}

impl BuiltinJudge {
    /// Of the whole of what is known, so that encodings are not kept: those are for what is compared just now.
    fn sketches(&self, texts: &[KnownText<'_>]) -> Vec<Arc<TextSketch>> {
        let kept: Vec<Option<Arc<TextSketch>>> = {
            let mut sketched = self.sketched.lock();
            texts.iter().map(|known| sketched.get(bounded(known.text)).cloned()).collect()
        };
        let sketch = |text: &str| {
            let encoded = self.encoded.lock().get(text).cloned();
            let encoded =
                encoded.unwrap_or_else(|| Arc::new(net::encode(&WEIGHTS, StaticTable::builtin(), text)));
            let sketch = Arc::new(TextSketch::of(&WEIGHTS, text, &encoded));
            self.sketched.lock().put(text.to_owned(), Arc::clone(&sketch));
            sketch
        };
        let all = texts.iter().zip(kept);
        all.map(|(known, kept)| kept.unwrap_or_else(|| sketch(bounded(known.text)))).collect()
    }

    /// How surely a part of a statement tells something by itself: as its words say it, and as somebody would hear it.
    fn lasts_alone(&self, part: &str) -> (f32, f32) {
        let part = part.trim_matches(|character: char| !character.is_alphanumeric());
        let wide = part.chars().any(|character| character >= '\u{2E80}');
        let letters = part.chars().filter(|character| character.is_alphabetic()).count();
        if letters < if wide { PART_WIDE_LETTERS } else { PART_LETTERS } {
            return (0.0, 0.0);
        }
        let alone = self.encode(part).alone.sorts[1];
        (alone, alone.max(self.read(&[part], None)[0].chance(SpeechSort::Lasting)))
    }

    /// A later statement and earlier ones as the lists count them.
    fn beside(
        &self,
        later: &NewStatement<'_>,
        earlier: &[KnownText<'_>],
        ask: impl FnOnce(&Later<'_>, &[Earlier<'_>]) -> Vec<f32>,
    ) -> Vec<f32> {
        let new = self.encode(later.text);
        let encoded: Vec<Arc<Encoded>> = earlier.iter().map(|known| self.encode(known.text)).collect();
        let text = bounded(later.text);
        let later = Later { encoded: &new, text, lasting: later.lasting, changes: later.changes };
        let known = earlier.iter().zip(&encoded).map(|(known, encoded)| Earlier {
            encoded,
            text: bounded(known.text),
            lasting: known.lasting,
            together: known.together,
            days: known.days,
            plain: marks::of_pair(bounded(known.text), text),
        });
        ask(&later, &known.collect::<Vec<_>>())
    }

    /// What the listener says of two statements.
    fn lay_beside(
        &self,
        earlier: &str,
        later: &str,
        encoded: [&Encoded; 2],
        plain: &[f32; PLAIN],
    ) -> Verdict {
        let key = (later.to_owned(), earlier.to_owned());
        if let Some(known) = self.listened.lock().get(&key) {
            return *known;
        }
        let verdict = LISTENER.compare(encoded[0], encoded[1], plain);
        self.listened.lock().put(key, verdict);
        verdict
    }

    /// The chances of earlier statements to be over, after a second look at those that are over most likely: at the sentences, and at what is kept of
    /// them, which has whom a sentence is about where that stands in another one, and nothing of what else it says.
    fn looked_at_twice(
        &self,
        later: &Later<'_>,
        known: &[Earlier<'_>],
        kept: (&str, &[KnownText<'_>]),
        first: Vec<f32>,
    ) -> Vec<f32> {
        if first.iter().all(|chance| *chance < WORTH_A_LOOK) {
            return first;
        }
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(|&a, &b| first[b].total_cmp(&first[a]));
        order.truncate(SECOND_LOOKS);
        let verdicts = order.iter().map(|&at| {
            let earlier = &known[at];
            self.lay_beside(earlier.text, later.text, [earlier.encoded, later.encoded], &earlier.plain)
        });
        let verdicts: Vec<Verdict> = verdicts.collect();
        let of_kept = order.iter().zip(&verdicts).map(|(&at, &of_sentences)| {
            let (new, old) = (bounded(kept.0), bounded(kept.1[at].kept));
            match new == later.text && old == known[at].text {
                true => of_sentences,
                false => {
                    let encoded = [self.encode(old), self.encode(new)];
                    self.lay_beside(old, new, [&encoded[0], &encoded[1]], &marks::of_pair(old, new))
                }
            }
        });
        let of_kept: Vec<Verdict> = of_kept.collect();
        let looked = order.iter().zip(verdicts.iter().zip(&of_kept));
        let looked = looked.map(|(&at, (&of_sentences, &of_kept))| LookedAt {
            known: &known[at],
            first: first[at],
            of_sentences,
            of_kept,
        });
        let looked: Vec<LookedAt<'_>> = looked.collect();
        let weighed = LISTS.over_by_both_looks(later, &looked, known.len());
        let mut chances: Vec<f32> = first.iter().map(|chance| chance.min(NOT_LOOKED_AT)).collect();
        order.iter().zip(weighed).for_each(|(&at, chance)| chances[at] = chance);
        chances
    }

    fn encode_message(
        &self,
        message: &[&str],
        before: Option<&str>,
    ) -> (Vec<Arc<Encoded>>, Option<Arc<Encoded>>) {
        (message.iter().map(|text| self.encode(text)).collect(), before.map(|text| self.encode(text)))
    }

    /// What the quick network reads in each sentence of a message.
    fn read_in_passing(
        &self,
        message: &[&str],
        encoded: &[Arc<Encoded>],
        before: Option<&Encoded>,
    ) -> Vec<HeadChances> {
        let read = (0..message.len()).map(|place| {
            let near = |at: Option<usize>| at.and_then(|at| encoded.get(at)).map(|near| &**near);
            let around = [
                near(place.checked_sub(1)),
                near(Some(place + 1)),
                near(Some(0).filter(|_| place > 0)),
                before,
            ];
            net::judge(&WEIGHTS, &encoded[place], around, &marks::of_sentence(message, place))
        });
        read.collect()
    }

    fn encode(&self, text: &str) -> Arc<Encoded> {
        let text = bounded(text);
        if let Some(known) = self.encoded.lock().get(text) {
            return Arc::clone(known);
        }
        let encoded = Arc::new(net::encode(&WEIGHTS, StaticTable::builtin(), text));
        let mut kept = self.encoded.lock();
        if kept.len() >= limits::ENCODINGS_KEPT {
            kept.clear();
        }
        kept.insert(text.to_owned(), Arc::clone(&encoded));
        encoded
    }
}

impl SpeechJudge for BuiltinJudge {
    fn read(&self, message: &[&str], before: Option<&str>) -> Vec<SentenceReading> {
        kept_or(&self.read, message, before, || {
            let (encoded, before) = self.encode_message(message, before);
            let there = self.read_in_passing(message, &encoded, before.as_deref());
            readings(message, &encoded, &there)
        })
    }

    fn listen(&self, message: &[&str], before: Option<&str>) -> Vec<SentenceReading> {
        kept_or(&self.heard, message, before, || {
            let (encoded, before) = self.encode_message(message, before);
            let read = self.read_in_passing(message, &encoded, before.as_deref());
            let marked = encoded.iter().enumerate();
            let marked = marked.map(|(place, encoded)| (&**encoded, marks::of_sentence(message, place)));
            let heard = LISTENER.hear(&marked.collect::<Vec<_>>(), before.as_deref());
            let mixed = read.iter().zip(&heard).map(|(read, heard)| read.mixed_with(heard, HEARD_SHARE));
            readings(message, &encoded, &mixed.collect::<Vec<_>>())
        })
    }

    fn compare(&self, later: &str, earlier: &[&str]) -> Vec<PairReading> {
        let new = self.encode(later);
        let compared = earlier.iter().map(|text| {
            let known = self.encode(text);
            let plain = marks::of_pair(bounded(text), bounded(later));
            let chances = net::compare(&WEIGHTS, &known, &new, &plain);
            PairReading {
                same: chances[1],
                replaces: chances[2],
                ends: chances[3],
                forgets: chances[4],
                alike: net::cosine(&known.table, &new.table),
            }
        });
        compared.collect()
    }

    fn clauses(&self, statement: &str) -> Vec<StatedClause> {
        let statement = bounded(statement);
        let halves = halves_of(statement).into_iter();
        let clauses = halves.map(|range| {
            let (alone, heard) = self.lasts_alone(&statement[range.clone()]);
            StatedClause { range, stands: heard >= PART_LASTING, stands_surely: alone >= PART_LASTING_SURELY }
        });
        clauses.collect()
    }

    fn over(&self, later: &NewStatement<'_>, earlier: &[KnownText<'_>]) -> Vec<f32> {
        self.beside(later, earlier, |later, known| LISTS.over(&WEIGHTS, later, known))
    }

    fn over_on_second_look(&self, later: &NewStatement<'_>, earlier: &[KnownText<'_>]) -> Vec<f32> {
        let kept = later.kept;
        self.beside(later, earlier, |later, known| {
            let first = LISTS.over(&WEIGHTS, later, known);
            self.looked_at_twice(later, known, (kept, earlier), first)
        })
    }

    fn heed(&self, wish: &str, earlier: &[&str]) -> Vec<PairReading> {
        let mut readings = self.compare(wish, earlier);
        let mut order: Vec<usize> = (0..earlier.len()).collect();
        order.sort_by(|&a, &b| readings[b].forgets.total_cmp(&readings[a].forgets));
        let new = self.encode(wish);
        for (rank, at) in order.into_iter().enumerate() {
            let reading = &mut readings[at];
            if rank >= HEEDED {
                reading.forgets *= NOT_LOOKED_AT;
                continue;
            }
            let text = bounded(earlier[at]);
            let plain = marks::of_pair(text, bounded(wish));
            let said = self.lay_beside(text, bounded(wish), [&self.encode(text), &new], &plain).map(f32::exp);
            let [_, same, replaces, ends, forgets] = said;
            *reading = PairReading { same, replaces, ends, forgets, alike: reading.alike };
        }
        readings
    }

    fn weigh(&self, message: &str, memories: &[KnownText<'_>]) -> MessageNeeds {
        let message = bounded(message);
        let encoded = self.encode(message);
        let asked = TextSketch::of(&WEIGHTS, message, &encoded);
        let wanting = Wanting::of(&WEIGHTS, &encoded);
        let sketches = self.sketches(memories);
        let beside = memories.iter().zip(&sketches).map(|(known, sketch)| {
            let text = bounded(known.text);
            let plain = sketch.marks.beside(&asked.marks);
            let relates = net::helps(&WEIGHTS, &wanting, &asked, sketch, &plain);
            Known { sketch, text, lasting: known.lasting, newer: known.newer, plain, relates }
        });
        let beside: Vec<Known<'_>> = beside.collect();
        let helps = LISTS.helps(&asked, &wanting, &beside);
        let named = words::named(
            &TellingWords::of_message(message),
            &sketches.iter().map(|sketch| &sketch.words).collect::<Vec<_>>(),
        );
        let worth = helps.iter().zip(named);
        let weighed = memories.iter().zip(&beside).zip(worth).map(|((known, memory), (&helps, named))| {
            let alone = &memory.sketch.alone;
            MemoryWorth {
                helps,
                named,
                relates: memory.relates,
                core: core_of(known.core, LISTS.core_of(alone, memory.text)),
                subject: SUBJECTS[greatest(&alone.subjects)],
            }
        });
        let memories: Vec<MemoryWorth> = weighed.collect();
        MessageNeeds {
            calls: LISTS.calls(&asked, &wanting, message, &helps),
            subjects: wanting.needs,
            memories,
        }
    }
}

/// The chance to belong in front of every conversation: what was heard within the message and what the text says by itself, as two that know the
/// same thing from two sides.
fn core_of(heard: Option<f32>, alone: f32) -> f32 {
    let Some(heard) = heard else { return alone };
    let odds = |chance: f32| (chance.clamp(0.01, 0.99) / (1.0 - chance.clamp(0.01, 0.99))).ln();
    net::chance((odds(heard) + odds(alone)) / 2.0)
}

/// What was made of a message before, or what is made of it now.
fn kept_or(
    kept: &Mutex<LruCache<String, Arc<[SentenceReading]>>>,
    message: &[&str],
    before: Option<&str>,
    make: impl FnOnce() -> Vec<SentenceReading>,
) -> Vec<SentenceReading> {
    let key = read_key(message, before);
    if let Some(known) = kept.lock().get(&key).filter(|known| known.len() == message.len()) {
        return known.to_vec();
    }
    let readings = make();
    if key.len() <= limits::READING_BYTES {
        kept.lock().put(key, readings.clone().into());
    }
    readings
}

/// Sentences that are read together, as one key.
fn read_key(message: &[&str], before: Option<&str>) -> String {
    // With the length of each, so that no text can be taken for two.
    let mut key = String::with_capacity(message.iter().map(|text| text.len() + 5).sum());
    for text in message {
        key.push_str(&text.len().to_string());
        key.push(':');
        key.push_str(text);
    }
    if let Some(before) = before {
        key.push('|');
        key.push_str(bounded(before));
    }
    key
}

fn greatest(chances: &[f32]) -> usize {
    (0..chances.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b])).unwrap_or_default()
}

/// As much of a text as is read. The mark at the end of a Hindi sentence is left off: in what the judges learned from those who talk left it out, and
/// what they pasted had it.
fn bounded(text: &str) -> &str {
    text[..text.floor_char_boundary(limits::SENTENCE_BYTES)].trim_end().trim_end_matches('।')
}

fn readings(message: &[&str], encoded: &[Arc<Encoded>], there: &[HeadChances]) -> Vec<SentenceReading> {
    let all = message.iter().zip(encoded).zip(there);
    all.map(|((text, encoded), there)| reading(text, encoded, there)).collect()
}

fn reading(text: &str, encoded: &Encoded, there: &HeadChances) -> SentenceReading {
    let [core, past, asked_to_keep, changes, of_another, subject_elsewhere, dated] = there.flags;
    SentenceReading {
        sorts: there.sorts,
        subject: SUBJECTS[greatest(&there.subjects)],
        core,
        past,
        asked_to_keep,
        changes,
        of_another,
        subject_elsewhere,
        dated,
        clause: clause(text, &encoded.spans),
    }
}

/// Letters of a part that can stand by itself, and the same of scripts whose letters are words.
const PART_LETTERS: usize = 6;
const PART_WIDE_LETTERS: usize = 3;

/// How surely a part must last to stand by itself.
const PART_LASTING: f32 = 0.6;
const PART_LASTING_SURELY: f32 = 0.7;

/// How sure it must be that a part of a sentence tells what is to be kept, before the rest is left out.
const PART: f32 = 0.7;

/// The parts beside it that may belong to it stay with it: too long is better than not to be understood.
const BELONGS: f32 = 0.15;

/// The parts of a sentence, between its marks, that tell what is to be kept: the best of them and its neighbours that tell it too. The whole
/// sentence where none stands out.
fn clause(text: &str, spans: &[f32]) -> Range<usize> {
    let whole = 0..text.len();
    let table = StaticTable::builtin();
    let mut parts: Vec<(Range<usize>, f32)> = Vec::new();
    let mut at = 0;
    for part in parts_of(text) {
        let count = table.pieces(&text[part.clone()], limits::SENTENCE_PIECES).len();
        let inside = &spans[at.min(spans.len())..(at + count).min(spans.len())];
        at += count;
        let mean = if inside.is_empty() { 0.0 } else { inside.iter().sum::<f32>() / inside.len() as f32 };
        parts.push((part, mean));
    }
    let Some(best) = (0..parts.len()).max_by(|&a, &b| parts[a].1.total_cmp(&parts[b].1)) else {
        return whole;
    };
    if parts.len() < 2 || parts[best].1 < PART {
        return whole;
    }
    let (mut first, mut last) = (best, best);
    while first > 0 && parts[first - 1].1 >= BELONGS {
        first -= 1;
    }
    while last + 1 < parts.len() && parts[last + 1].1 >= BELONGS {
        last += 1;
    }
    let slice = &text[parts[first].0.start..parts[last].0.end];
    let is_loose =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—' | '，' | '、');
    let behind = slice.trim_start_matches(is_loose);
    let start = parts[last].0.end - behind.len();
    start..start + behind.trim_end_matches(is_loose).len()
}

/// What joins two statements in the languages that write words apart.
const ANDS: [&str; 13] = ["and", "und", "y", "e", "et", "en", "i", "и", "а", "ve", "और", "och", "but"];

/// Words on both sides of an "and" that joins two statements: "in Bilbao" has the Dutch word for it, and "Celery and Redis" are two of a list.
const HALF_WORDS: usize = 2;

/// The same parts, cut at each "and" too: which of them stand by themselves is another question.
fn halves_of(text: &str) -> Vec<Range<usize>> {
    let mut halves = Vec::new();
    for part in parts_of(text) {
        let mut start = part.start;
        let mut at = start;
        let words: Vec<&str> = text[part.clone()].split_inclusive(' ').collect();
        let is_joint = |word: &str| ANDS.contains(&word.trim_end());
        let mut since = 0;
        for (place, word) in words.iter().enumerate() {
            let behind = words[place + 1..].iter().take_while(|word| !is_joint(word)).count();
            if is_joint(word) && since >= HALF_WORDS && behind >= HALF_WORDS {
                halves.push(start..at);
                start = at + word.len();
                since = 0;
            } else {
                since += usize::from(!word.trim().is_empty());
            }
            at += word.len();
        }
        halves.push(start..part.end);
    }
    halves.retain(|half| text[half.clone()].contains(char::is_alphanumeric));
    halves
}

/// The parts between commas, brackets, dashes and sentence ends.
fn parts_of(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let after = at + character.len_utf8();
        let spaced = text[after..].chars().next().is_none_or(char::is_whitespace);
        let ends = match character {
            '.' => spaced && !goes_on_behind_stop(&text[start..at], &text[after..]),
            ',' | ';' | '!' | '?' | ':' => spaced,
            '，' | '。' | '、' | '！' | '？' | '；' | '،' | '؟' | '।' | '(' | ')' | '（' | '）' | '…' => {
                true
            }
            '-' | '–' | '—' => spaced && text[..at].ends_with(char::is_whitespace),
            _ => false,
        };
        if ends {
            parts.push(start..after);
            start = after;
        }
    }
    if start < text.len() {
        parts.push(start..text.len());
    }
    parts
}
