//! What the judges' chances are worth: which text belongs in front of every conversation, and within a list which of several
//! earlier statements is over, which memory helps with a message, and whether the message calls for memory at all.
//!
//! The network knows the lives of its training by heart, so its chances promise more than they keep for everybody else. Four logistic
//! regressions over those chances and what can be counted about the texts were fitted to lives that the network had not seen
//! (`xtask/python/train_lists.py`); what they say is a chance that can be believed. The numbers and their order are those of
//! `xtask/python/judge_lists.py`.

use super::kernel;
use super::listener::Verdict;
use super::marks::PLAIN;
use super::net::{self, Encoded, HeadChances, TextSketch, Wanting, chance};
use super::weights::{FLAGS, SUBJECT_COUNT, Weights};

/// Letters of a text and how many of them count as one.
const LETTERS: (usize, f32) = (400, 100.0);

/// Texts of a list that make a difference, about as many as the lists of the fitting have on the mean, and how many of them count as one:
/// of what may be over, and of what may help. Lives in writing are shorter than lives.
const KNOWN_BEFORE: (usize, f32) = (12, 10.0);
const KNOWN_NOW: (usize, f32) = (16, 10.0);

/// Of a longer list only the likeliest are weighed: of many unlikely ones some would be likely by chance.
const WEIGHED: usize = 30;

/// A place in a list behind which all are the same.
const LAST_RANK: usize = 10;

/// Of the numbers about a pair, those that count more or less by what the others of the list have.
const RANKED: [usize; 4] = [0, 3, 14, 17];

/// The same of what a memory is to a message: what the network says, how alike they are, what of the message it has, and what the message needs of its subject.
const HELPFUL: [usize; 4] = [0, 1, 2, 12];

/// Numbers about a pair but for those of the list.
const ALONE: usize = 35 + 2 * SUBJECT_COUNT + 2;

/// Days behind which it makes no difference how long ago something was said.
const DAYS: f32 = 60.0;

/// Chances of the heads about a text, and what is counted about it beside them.
const OF_HEADS: usize = 6 + SUBJECT_COUNT + FLAGS;
const OF_TEXT: usize = 2 * OF_HEADS + 3;

/// Numbers about a pair that was looked at twice: what the listener says, what the heads say of both, what stands around them; and of those the
/// ones that count more or less by what the others of the list have.
const OF_SECOND: usize = 19 + 2 * SUBJECT_COUNT + 3;
const SECOND_RANKED: [usize; 2] = [0, 3];

/// What the listener says of two statements that have nothing to do with each other: what one that is known alone is compared with.
const UNRELATED: f32 = -5.0;

/// Numbers about a pair that both looks saw: what each of them says, what can be counted beside it (by its place among the numbers about a pair), and how far the
/// listener's word for it is ahead of the others.
const OF_LOOKS: usize = 8;
const COUNTED_BESIDE: [usize; 26] = [
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    17,
    19,
    21,
    22,
    23,
    24,
    28,
    29,
    31,
    32,
    33,
    34,
    ALONE - 2,
    ALONE - 1,
];
const LOOKS_RANKED: [usize; 2] = [2, 3];

const OF_PAIR: usize = ALONE + 1 + 2 * RANKED.len();
const OF_MEMORY: usize = 32;
const OF_MESSAGE: usize = 51;

/// A later statement with what its message says of it.
pub(super) struct Later<'a> {
    pub encoded: &'a Encoded,
    pub text: &'a str,
    pub lasting: f32,
    pub changes: f32,
}

/// An earlier statement and how surely it lasts.
pub(super) struct Earlier<'a> {
    pub encoded: &'a Encoded,
    pub text: &'a str,
    pub lasting: f32,
    /// Whether both were said in one conversation, and how many days lie between them.
    pub together: bool,
    pub days: f32,
    pub plain: [f32; PLAIN],
}

/// An earlier statement that was looked at twice: what the first look made of it, and what the listener says of the sentences and of what is kept of them.
pub(super) struct LookedAt<'a> {
    pub known: &'a Earlier<'a>,
    pub first: f32,
    pub of_sentences: Verdict,
    pub of_kept: Verdict,
}

/// A memory among those that are known, beside a message.
pub(super) struct Known<'a> {
    pub sketch: &'a TextSketch,
    pub text: &'a str,
    pub lasting: f32,
    pub newer: usize,
    pub plain: [f32; PLAIN],
    /// What the network says.
    pub relates: f32,
}

pub(super) struct Lists {
    core: Regression,
    pair: Regression,
    second: Regression,
    looks: Regression,
    help: Regression,
    call: Regression,
}

impl Lists {
    /// Reads the embedded weights. They are part of the program, so what is wrong with them is a wrong build.
    pub fn parse(text: &'static str) -> Self {
        let of = |which: &str, count: usize| {
            let values = text.lines().filter_map(|line| {
                let mut parts = line.split('\t');
                (parts.next() == Some(which)).then(|| parts.nth(1).and_then(|value| value.parse().ok()))?
            });
            let mut weights: Vec<f32> = values.collect();
            assert_eq!(
                weights.len(),
                count + 1,
                "the embedded lists must have what this code counts: {which}"
            );
            let bias = weights.pop().expect("the bias stands last");
            Regression { weights, bias }
        };
        Self {
            core: of("core", OF_TEXT),
            pair: of("pair", OF_PAIR),
            second: of("second", OF_SECOND + 2 * SECOND_RANKED.len()),
            looks: of("looks", OF_LOOKS + COUNTED_BESIDE.len() + 1 + LOOKS_RANKED.len()),
            help: of("help", OF_MEMORY + 1 + 2 * HELPFUL.len()),
            call: of("call", OF_MESSAGE),
        }
    }

    /// The chance of a text by itself, which lasts, to belong in front of every conversation.
    pub fn core_of(&self, alone: &HeadChances, text: &str) -> f32 {
        let mut all: Vec<f32> = alone.all().collect();
        all.extend(alone.all().map(narrow_odds));
        all.extend(of_text(text));
        self.core.chance(&all)
    }

    /// The chance of each of several earlier statements to be over by a later one.
    pub fn over(&self, weights: &Weights, later: &Later<'_>, earlier: &[Earlier<'_>]) -> Vec<f32> {
        let rows: Vec<[f32; ALONE]> = earlier.iter().map(|known| of_pair(weights, later, known)).collect();
        let ranked = RANKED.map(|column| Column::of(rows.iter().map(|row| row[column])));
        let likeliest = ranked[0].values.get(WEIGHED).copied().unwrap_or(f32::MIN);
        let weighed = rows.iter().map(|row| {
            if row[RANKED[0]] <= likeliest {
                return 0.0;
            }
            let mut all = row.to_vec();
            all.push(bounded(rows.len(), KNOWN_BEFORE));
            for (column, place) in ranked.iter().zip(RANKED) {
                all.extend(column.margin_and_rank(row[place]));
            }
            self.pair.chance(&all)
        });
        weighed.collect()
    }

    /// The chance of each of several earlier statements to be over, by both looks at them, of `count` altogether.
    pub fn over_by_both_looks(&self, later: &Later<'_>, looked: &[LookedAt<'_>], count: usize) -> Vec<f32> {
        let heard: Vec<(&Earlier<'_>, &Verdict)> =
            looked.iter().map(|one| (one.known, &one.of_sentences)).collect();
        let second = self.over_at_second_look(later, &heard, count);
        let rows = looked.iter().zip(second).map(|(one, second)| {
            let (said, kept) = (over(&one.of_sentences), over(&one.of_kept));
            let [nothing, same, replaces, ends, _] = one.of_sentences;
            let [nothing_kept, same_kept, ..] = one.of_kept;
            let mut row = vec![
                odds(one.first),
                odds(second),
                said,
                kept,
                said.max(kept),
                same - nothing,
                same_kept - nothing_kept,
                ends - replaces,
            ];
            let counted = counted_of_pair(later, one.known);
            row.extend(COUNTED_BESIDE.map(|place| counted[place]));
            row.push(bounded(count, KNOWN_BEFORE));
            row
        });
        let rows: Vec<Vec<f32>> = rows.collect();
        let ranked = LOOKS_RANKED.map(|column| Column::of(rows.iter().map(|row| row[column])));
        let weighed = rows.iter().map(|row| {
            let mut all = row.clone();
            for (column, place) in ranked.iter().zip(LOOKS_RANKED) {
                all.push(column.margin_and_rank_beside(row[place], UNRELATED)[0]);
            }
            self.looks.chance(&all)
        });
        weighed.collect()
    }

    /// The same of those that the listener has laid beside it too, by the sentences alone.
    fn over_at_second_look(
        &self,
        later: &Later<'_>,
        earlier: &[(&Earlier<'_>, &Verdict)],
        count: usize,
    ) -> Vec<f32> {
        let rows: Vec<[f32; OF_SECOND]> =
            earlier.iter().map(|(known, said)| of_second_look(later, known, said, count)).collect();
        let ranked = SECOND_RANKED.map(|column| Column::of(rows.iter().map(|row| row[column])));
        let weighed = rows.iter().map(|row| {
            let mut all = row.to_vec();
            for (column, place) in ranked.iter().zip(SECOND_RANKED) {
                all.extend(column.margin_and_rank_beside(row[place], UNRELATED));
            }
            self.second.chance(&all)
        });
        weighed.collect()
    }

    /// The chance of each of several memories to help with a message.
    pub fn helps(&self, message: &TextSketch, wanting: &Wanting, memories: &[Known<'_>]) -> Vec<f32> {
        let rows: Vec<[f32; OF_MEMORY]> =
            memories.iter().map(|memory| of_memory(message, wanting, memory)).collect();
        let ranked = HELPFUL.map(|column| Column::of(rows.iter().map(|row| row[column])));
        let weighed = rows.iter().map(|row| {
            let mut all = row.to_vec();
            all.push(bounded(rows.len(), KNOWN_NOW));
            for (column, place) in ranked.iter().zip(HELPFUL) {
                all.extend(column.margin_and_rank(row[place]));
            }
            self.help.chance(&all)
        });
        weighed.collect()
    }

    /// The chance that a message calls for memory, by what it is and what would help with it.
    pub fn calls(&self, message: &TextSketch, wanting: &Wanting, text: &str, helps: &[f32]) -> f32 {
        let mut best: Vec<f32> = helps.to_vec();
        best.sort_by(|a, b| b.total_cmp(a));
        let log = |chance: f32| chance.max(1e-4).ln();
        let at = |place: usize| log(best.get(place).or(best.last()).copied().unwrap_or_default());
        let mut all = vec![at(0), at(1), at(3), log(best.iter().sum())];
        all.extend(message.alone.sorts);
        all.extend(message.alone.subjects);
        all.extend(message.alone.flags);
        all.extend(wanting.needs);
        let has = |marks: &[char]| f32::from(u8::from(text.contains(marks)));
        all.extend([
            bounded(text.chars().count(), LETTERS),
            bounded(helps.len(), KNOWN_NOW),
            has(&['?', '？', '؟']),
            has(&[':', '：']),
            has(&['"', '“', '”', '„', '«', '»', '「', '」', '『', '』']),
            f32::from(u8::from(text.chars().any(char::is_numeric))),
        ]);
        self.call.chance(&all)
    }
}

struct Regression {
    weights: Vec<f32>,
    bias: f32,
}

impl Regression {
    fn chance(&self, numbers: &[f32]) -> f32 {
        chance(
            numbers.iter().zip(&self.weights).map(|(number, weight)| number * weight).sum::<f32>()
                + self.bias,
        )
    }
}

/// A column of a list, the greatest first.
struct Column {
    values: Vec<f32>,
}

impl Column {
    fn of(values: impl Iterator<Item = f32>) -> Self {
        let mut values: Vec<f32> = values.collect();
        values.sort_by(|a, b| b.total_cmp(a));
        Self { values }
    }

    /// How far a value is ahead of the second or behind the first, and how many are before it.
    fn margin_and_rank(&self, value: f32) -> [f32; 2] {
        self.margin_and_rank_beside(value, 0.0)
    }

    /// The same, where one that is alone is compared with `other`.
    fn margin_and_rank_beside(&self, value: f32, other: f32) -> [f32; 2] {
        let first = self.values.first().copied().unwrap_or_default();
        let second = self.values.get(1).copied().unwrap_or(other);
        let margin = if value >= first { value - second } else { value - first };
        let rank = self.values.iter().take(LAST_RANK).take_while(|other| **other > value).count();
        [margin, rank as f32]
    }
}

/// What is counted of a memory by itself beside a message.
fn of_memory(message: &TextSketch, wanting: &Wanting, memory: &Known<'_>) -> [f32; OF_MEMORY] {
    let subjects = &memory.sketch.alone.subjects;
    let mut numbers = [0.0; OF_MEMORY];
    numbers[..4].copy_from_slice(&[
        odds(memory.relates),
        message.likeness(memory.sketch),
        message.shared_with(memory.sketch),
        memory.sketch.shared_with(message),
    ]);
    numbers[4..12].copy_from_slice(&memory.plain);
    numbers[12..18].copy_from_slice(&[
        wanting.needs.iter().zip(subjects).map(|(need, is)| need * is).sum(),
        memory.sketch.alone.flags[0],
        memory.lasting,
        bounded(memory.newer, KNOWN_NOW),
        bounded(memory.text.chars().count(), LETTERS),
        wanting.needs.iter().copied().fold(0.0, f32::max),
    ]);
    numbers[18..].copy_from_slice(subjects);
    numbers
}

/// The numbers about a pair: what the quick network says of it, and what can be counted.
fn of_pair(weights: &Weights, later: &Later<'_>, earlier: &Earlier<'_>) -> [f32; ALONE] {
    let said = net::compare(weights, earlier.encoded, later.encoded, &earlier.plain);
    let log = |chance: f32| chance.max(1e-6).ln();
    let against_nothing = |place: usize| log(said[place]) - log(said[0]);
    let mut numbers = counted_of_pair(later, earlier);
    numbers[..3].copy_from_slice(&[2, 3, 1].map(against_nothing));
    numbers
}

/// What can be counted about a pair, in its places among the numbers about it.
fn counted_of_pair(later: &Later<'_>, earlier: &Earlier<'_>) -> [f32; ALONE] {
    let (new, known) = (&later.encoded.alone, &earlier.encoded.alone);
    let same_subject: f32 = new.subjects.iter().zip(&known.subjects).map(|(a, b)| a * b).sum();
    let one_subject = super::greatest(&new.subjects) == super::greatest(&known.subjects);
    let mut numbers = [0.0; ALONE];
    numbers[3..6].copy_from_slice(&[
        net::cosine(&earlier.encoded.table, &later.encoded.table),
        later.encoded.shared_with(earlier.encoded),
        earlier.encoded.shared_with(later.encoded),
    ]);
    numbers[6..6 + PLAIN].copy_from_slice(&earlier.plain);
    numbers[14..19].copy_from_slice(&links(earlier.encoded, later.encoded));
    numbers[19..35].copy_from_slice(&[
        same_subject,
        f32::from(u8::from(one_subject)),
        new.flags[3],
        later.changes,
        known.flags[3],
        new.flags[1],
        known.flags[1],
        new.flags[4],
        known.flags[4],
        new.flags[6],
        known.flags[6],
        new.sorts[1],
        later.lasting,
        earlier.lasting,
        bounded(later.text.chars().count(), LETTERS),
        bounded(earlier.text.chars().count(), LETTERS),
    ]);
    numbers[35..35 + SUBJECT_COUNT].copy_from_slice(&known.subjects);
    numbers[35 + SUBJECT_COUNT..35 + 2 * SUBJECT_COUNT].copy_from_slice(&new.subjects);
    numbers[ALONE - 2..]
        .copy_from_slice(&[f32::from(u8::from(earlier.together)), earlier.days.clamp(0.0, DAYS) / DAYS]);
    numbers
}

/// How much more likely the listener finds an earlier statement to be over by a later one than that both have nothing to do with each other.
fn over([nothing, _, replaces, ends, _]: &Verdict) -> f32 {
    replaces.max(*ends) + (1.0 + (-(replaces - ends).abs()).exp()).ln() - nothing
}

fn of_second_look(
    later: &Later<'_>,
    earlier: &Earlier<'_>,
    said: &Verdict,
    count: usize,
) -> [f32; OF_SECOND] {
    let [nothing, same, replaces, ends, forgets] = said;
    let (known, new) = (&earlier.encoded.alone, &later.encoded.alone);
    let same_subject: f32 = known.subjects.iter().zip(&new.subjects).map(|(a, b)| a * b).sum();
    let one_subject = super::greatest(&known.subjects) == super::greatest(&new.subjects);
    let mut numbers = [0.0; OF_SECOND];
    numbers[..19].copy_from_slice(&[
        over(said),
        replaces - nothing,
        ends - nothing,
        same - nothing,
        forgets - nothing,
        same_subject,
        f32::from(u8::from(one_subject)),
        later.changes,
        known.flags[3],
        new.flags[1],
        known.flags[1],
        new.flags[4],
        known.flags[4],
        new.flags[6],
        known.flags[6],
        later.lasting,
        earlier.lasting,
        bounded(later.text.chars().count(), LETTERS),
        bounded(earlier.text.chars().count(), LETTERS),
    ]);
    numbers[19..19 + SUBJECT_COUNT].copy_from_slice(&known.subjects);
    numbers[19 + SUBJECT_COUNT..19 + 2 * SUBJECT_COUNT].copy_from_slice(&new.subjects);
    numbers[OF_SECOND - 3..].copy_from_slice(&[
        f32::from(u8::from(earlier.together)),
        earlier.days.clamp(0.0, DAYS) / DAYS,
        bounded(count, KNOWN_BEFORE),
    ]);
    numbers
}

/// How alike the likest words are, by how much both mean: of the first, of the second, of the best three; and how much the two words mean
/// most that both texts have.
fn links(earlier: &Encoded, later: &Encoded) -> [f32; 5] {
    let near = earlier.table.iter().zip(&earlier.lengths).map(|(row, length)| {
        let to = later.table.iter().zip(&later.lengths);
        let alike = to.map(|(other, other_length)| {
            kernel::dot(row, other) / (length * other_length) * length.min(*other_length)
        });
        alike.fold(f32::MIN, f32::max)
    });
    let near = Column::of(near.filter(|alike| *alike > f32::MIN)).values;
    let shared = earlier.rows.iter().zip(&earlier.lengths).filter(|(row, _)| later.rows.contains(row));
    let exact = Column::of(shared.map(|(_, length)| *length)).values;
    let at = |values: &[f32], place: usize| values.get(place).copied().unwrap_or_default();
    [at(&near, 0), at(&near, 1), near.iter().take(3).sum(), at(&exact, 0), at(&exact, 1)]
}

fn bounded(count: usize, (most, unit): (usize, f32)) -> f32 {
    count.min(most) as f32 / unit
}

/// What is counted about a text: its letters, whether it asks, whether it has a number.
fn of_text(text: &str) -> [f32; 3] {
    let has = |found: bool| f32::from(u8::from(found));
    [
        bounded(text.chars().count(), LETTERS),
        has(text.contains(['?', '？', '؟'])),
        has(text.chars().any(char::is_numeric)),
    ]
}

fn narrow_odds(chance: f32) -> f32 {
    let chance = chance.clamp(1e-4, 1.0 - 1e-4);
    (chance / (1.0 - chance)).ln()
}

pub(super) fn odds(chance: f32) -> f32 {
    chance.max(1e-5).ln() - (1.0 - chance).max(1e-5).ln()
}
