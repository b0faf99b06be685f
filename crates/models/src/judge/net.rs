//! The arithmetic of the judges.

use std::sync::LazyLock;

use super::kernel::{self, SparseValue, add_products, dot};
use super::marks::{MARKS, PLAIN, PlainMarks};
use super::pieces::{self, ReadPieces};
use super::weights::{
    ASKED, BESIDE, COUNTED, Convolution, FLAGS, HELPED, HIDDEN, Layer, SENTENCE, SUBJECT_COUNT, WANTED,
    WEIGHED, Weights,
};
use super::words::TellingWords;
use crate::StaticTable;
use crate::limits;

static PIECES: LazyLock<ReadPieces> = LazyLock::new(ReadPieces::default);

/// A sentence as the first network sees it.
pub(super) struct Encoded {
    pub rows: Vec<u32>,
    /// The table's rows, as they are.
    pub table: Vec<[f32; 256]>,
    /// By piece, how long its row is: how much it means.
    pub lengths: Vec<f32>,
    /// By piece, what the convolutions find at it.
    found: Vec<[f32; HIDDEN]>,
    /// The greatest and the mean of that.
    pub vector: [f32; SENTENCE],
    /// By piece, the chance that it belongs to what is told.
    pub spans: Vec<f32>,
    pub alone: HeadChances,
}

impl Encoded {
    /// The share of what this says, by weight, that the other has too.
    pub fn shared_with(&self, other: &Encoded) -> f32 {
        let shared: Vec<f32> =
            self.rows.iter().map(|row| f32::from(u8::from(other.rows.contains(row)))).collect();
        weighted(&shared, &self.lengths)
    }
}

/// What the heads say of a sentence, as chances.
#[derive(Clone)]
pub(super) struct HeadChances {
    pub sorts: [f32; 6],
    pub subjects: [f32; SUBJECT_COUNT],
    pub flags: [f32; FLAGS],
}

impl HeadChances {
    /// Of a sentence of which nothing else is known.
    fn alone(weights: &Weights, vector: &[f32; SENTENCE]) -> Self {
        Self::of(&heads(weights, vector, [None; 4], &[0.0; MARKS]))
    }

    fn of(heads: &Heads) -> Self {
        Self::of_odds(&heads.label, &heads.category, &heads.flags)
    }

    /// Of what the heads say before it becomes chances.
    pub fn of_odds(sorts: &[f32], subjects: &[f32], flags: &[f32]) -> Self {
        let (sorts, subjects) = (softmax(sorts), softmax(subjects));
        Self {
            sorts: sorts.try_into().expect("the head has one value for each sort"),
            subjects: subjects.try_into().expect("the head has one value for each subject"),
            flags: std::array::from_fn(|at| chance(flags[at])),
        }
    }

    /// What two who heard the same say together, the second as much as its share says: the means of their odds.
    pub fn mixed_with(&self, other: &Self, share: f32) -> Self {
        let mix = |a: f32, b: f32| log_of(a) * (1.0 - share) + log_of(b) * share;
        let odds = |chance: f32| log_of(chance) - log_of(1.0 - chance);
        let mixed = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| mix(*a, *b)).collect::<Vec<_>>();
        let flags = self.flags.iter().zip(&other.flags);
        let flags = flags.map(|(a, b)| odds(*a) * (1.0 - share) + odds(*b) * share);
        Self::of_odds(
            &mixed(&self.sorts, &other.sorts),
            &mixed(&self.subjects, &other.subjects),
            &flags.collect::<Vec<_>>(),
        )
    }

    pub fn all(&self) -> impl Iterator<Item = f32> {
        self.sorts.into_iter().chain(self.subjects).chain(self.flags)
    }
}

/// What the heads say, before it becomes chances.
struct Heads {
    label: Vec<f32>,
    category: Vec<f32>,
    flags: Vec<f32>,
}

pub(super) fn encode(weights: &Weights, table: &StaticTable, text: &str) -> Encoded {
    let rows = table.pieces(text, limits::SENTENCE_PIECES);
    let raw: Vec<[f32; 256]> = rows.iter().map(|&row| table.row(row)).collect();
    let pieces = PIECES.of(weights, table, &rows);
    let lengths: Vec<f32> = pieces.iter().map(|piece| piece.length).collect();
    let first = pieces::first(weights, &pieces);
    let second = beside(weights.second.over(&first, &weights.second.bias), &first);
    let mut mean = [0.0; 2 * HIDDEN];
    pool(&second, &mut mean);
    let mut whole = [0.0; HIDDEN];
    weights.whole.apply(&mean[HIDDEN..], &mut whole);
    whole.iter_mut().zip(&weights.third.bias).for_each(|(value, bias)| *value += bias);
    let found = beside(weights.third.over(&second, &whole), &second);
    let mut vector = [0.0; SENTENCE];
    pool(&found, &mut vector);
    let spans = found.iter().map(|at| {
        let mut value = [0.0];
        weights.span.apply(at, &mut value);
        chance(value[0])
    });
    let spans = spans.collect();
    let alone = HeadChances::alone(weights, &vector);
    Encoded { rows, table: raw, lengths, found, vector, spans, alone }
}

/// What a convolution found, with what it was made from.
fn beside(mut found: Vec<[f32; HIDDEN]>, before: &[[f32; HIDDEN]]) -> Vec<[f32; HIDDEN]> {
    for (found, before) in found.iter_mut().zip(before) {
        for (value, before) in found.iter_mut().zip(before) {
            *value += before;
        }
    }
    found
}

/// The greatest and then the mean of each column; nothing where there are no rows.
fn pool<const WIDTH: usize>(rows: &[[f32; WIDTH]], into: &mut [f32]) {
    let (greatest, mean) = into.split_at_mut(WIDTH);
    for row in rows {
        for ((top, sum), value) in greatest.iter_mut().zip(mean.iter_mut()).zip(row) {
            *top = top.max(*value);
            *sum += value;
        }
    }
    let count = rows.len().max(1) as f32;
    mean.iter_mut().for_each(|sum| *sum /= count);
}

pub(super) fn judge(
    weights: &Weights,
    sentence: &Encoded,
    around: [Option<&Encoded>; 4],
    marks: &[f32; MARKS],
) -> HeadChances {
    HeadChances::of(&heads(
        weights,
        &sentence.vector,
        around.map(|near| near.map(|near| &near.vector)),
        marks,
    ))
}

fn heads(
    weights: &Weights,
    vector: &[f32; SENTENCE],
    around: [Option<&[f32; SENTENCE]>; 4],
    marks: &[f32; MARKS],
) -> Heads {
    let mut input = vector.to_vec();
    for near in around {
        // Nothing there is zeros, of which only the bias is left.
        let mut seen = weights.around.bias.clone();
        if let Some(near) = near {
            weights.around.apply(near, &mut seen);
        }
        relu(&mut seen);
        input.extend(seen);
    }
    input.extend(marks);
    let mut hidden = vec![0.0; weights.hidden.bias.len()];
    weights.hidden.apply(&input, &mut hidden);
    relu(&mut hidden);
    let head = |layer: &Layer| {
        let mut out = vec![0.0; layer.bias.len()];
        layer.apply(&hidden, &mut out);
        out
    };
    Heads { label: head(&weights.label), category: head(&weights.category), flags: head(&weights.flags) }
}

/// The chances of what a later sentence does to an earlier one.
pub(super) fn compare(
    weights: &Weights,
    earlier: &Encoded,
    later: &Encoded,
    plain: &[f32; PLAIN],
) -> Vec<f32> {
    let mut input = vec![0.0; 4 * WEIGHED];
    aligned(weights, earlier, later, &mut input[..2 * WEIGHED]);
    aligned(weights, later, earlier, &mut input[2 * WEIGHED..]);
    let both = || earlier.vector.iter().zip(&later.vector);
    input.extend(both().map(|(a, b)| a * b));
    input.extend(both().map(|(a, b)| (a - b).abs()));
    input.extend(counted(earlier, later, plain));
    let mut hidden = vec![0.0; weights.pair.bias.len()];
    weights.pair.apply(&input, &mut hidden);
    relu(&mut hidden);
    let mut out = vec![0.0; weights.verdict.bias.len()];
    weights.verdict.apply(&hidden, &mut out);
    softmax(&out)
}

/// Each piece of one sentence beside what the other says of it.
fn aligned(weights: &Weights, one: &Encoded, other: &Encoded, into: &mut [f32]) {
    let layer = |layer: &Layer, at: &[f32; HIDDEN]| {
        let mut out = [0.0; ASKED];
        layer.apply(at, &mut out);
        out
    };
    let keys: Vec<[f32; ASKED]> = other.found.iter().map(|at| layer(&weights.key, at)).collect();
    let weighed: Vec<[f32; WEIGHED]> = one
        .found
        .iter()
        .map(|at| {
            let asked = layer(&weights.ask, at);
            let near: Vec<f32> = keys.iter().map(|key| dot(&asked, key) / (ASKED as f32).sqrt()).collect();
            let mut beside = [0.0; HIDDEN];
            for (share, there) in softmax(&near).iter().zip(&other.found) {
                for (sum, value) in beside.iter_mut().zip(there) {
                    *sum += share * value;
                }
            }
            let mut input = [0.0; 4 * HIDDEN];
            input[..HIDDEN].copy_from_slice(at);
            input[HIDDEN..2 * HIDDEN].copy_from_slice(&beside);
            for (place, (a, b)) in at.iter().zip(&beside).enumerate() {
                input[2 * HIDDEN + place] = (a - b).abs();
                input[3 * HIDDEN + place] = a * b;
            }
            let mut out = [0.0; WEIGHED];
            weights.weigh.apply(&input, &mut out);
            relu(&mut out);
            out
        })
        .collect();
    pool(&weighed, into);
}

/// A memory or a message, as far as weighing one against the other needs it.
pub(super) struct TextSketch {
    /// Its pieces in their order, and how much each means.
    rows: Vec<(u32, f32)>,
    /// The sum of the table's rows, of length 1.
    direction: [f32; 256],
    give: [f32; WANTED],
    pub alone: HeadChances,
    pub marks: PlainMarks,
    pub words: TellingWords,
}

impl TextSketch {
    pub fn of(weights: &Weights, text: &str, encoded: &Encoded) -> Self {
        let mut give = [0.0; WANTED];
        weights.give.apply(&encoded.vector, &mut give);
        let mut rows: Vec<(u32, f32)> =
            encoded.rows.iter().copied().zip(encoded.lengths.iter().copied()).collect();
        rows.sort_unstable_by_key(|(row, _)| *row);
        let sum = sum_of(&encoded.table);
        let length = dot(&sum, &sum).sqrt().max(1e-8);
        Self {
            rows,
            direction: sum.map(|value| value / length),
            give,
            alone: encoded.alone.clone(),
            marks: PlainMarks::of(text),
            words: TellingWords::of(text),
        }
    }

    /// The cosine of the two.
    pub fn likeness(&self, other: &TextSketch) -> f32 {
        dot(&self.direction, &other.direction)
    }

    /// The share of what this says, by weight, that the other has too.
    pub fn shared_with(&self, other: &TextSketch) -> f32 {
        let has = |row: u32| other.rows.binary_search_by_key(&row, |(row, _)| *row).is_ok();
        let all: f32 = self.rows.iter().map(|(_, weight)| weight).sum();
        let shared: f32 = self.rows.iter().filter(|(row, _)| has(*row)).map(|(_, weight)| weight).sum();
        shared / all.max(1e-9)
    }
}

/// A message as memories are weighed for it.
pub(super) struct Wanting {
    want: [f32; WANTED],
    /// By subject, the chance that the message calls for it.
    pub needs: [f32; SUBJECT_COUNT],
}

impl Wanting {
    pub fn of(weights: &Weights, message: &Encoded) -> Self {
        let (mut want, mut needs) = ([0.0; WANTED], [0.0; SUBJECT_COUNT]);
        weights.want.apply(&message.vector, &mut want);
        weights.need.apply(&message.vector, &mut needs);
        Self { want, needs: needs.map(chance) }
    }
}

/// The chance that a memory helps with a message.
pub(super) fn helps(
    weights: &Weights,
    wanting: &Wanting,
    message: &TextSketch,
    memory: &TextSketch,
    plain: &[f32; PLAIN],
) -> f32 {
    let mut input = [0.0; 2 * WANTED + BESIDE];
    for (place, (want, give)) in wanting.want.iter().zip(&memory.give).enumerate() {
        input[place] = want * give;
        input[WANTED + place] = (want - give).abs();
    }
    let beside = &mut input[2 * WANTED..];
    beside[0] = message.likeness(memory);
    beside[1] = message.shared_with(memory);
    beside[2] = memory.shared_with(message);
    beside[3..3 + PLAIN].copy_from_slice(plain);
    beside[3 + PLAIN..3 + PLAIN + SUBJECT_COUNT].copy_from_slice(&memory.alone.subjects);
    beside[BESIDE - 2] = wanting.needs.iter().zip(&memory.alone.subjects).map(|(need, is)| need * is).sum();
    beside[BESIDE - 1] = memory.alone.flags[0];
    let mut hidden = [0.0; HELPED];
    weights.help.apply(&input, &mut hidden);
    relu(&mut hidden);
    let mut out = [0.0];
    weights.helps.apply(&hidden, &mut out);
    chance(out[0])
}

/// The logarithm of a chance, which is never quite nothing.
fn log_of(chance: f32) -> f32 {
    chance.max(1e-6).ln()
}

pub(super) fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// What can be counted about two sentences by their pieces, their numbers and their names.
pub(super) fn counted_by_pieces(
    earlier: &Encoded,
    later: &Encoded,
    plain: &[f32; PLAIN],
) -> [f32; 5 + PLAIN] {
    let near: Vec<Vec<f32>> = later
        .table
        .iter()
        .zip(&later.lengths)
        .map(|(row, length)| {
            let to = earlier.table.iter().zip(&earlier.lengths);
            to.map(|(known, known_length)| dot(row, known) / (length * known_length)).collect()
        })
        .collect();
    let best_of_later: Vec<f32> = near.iter().map(|to| to.iter().copied().fold(0.0, f32::max)).collect();
    let best_of_earlier: Vec<f32> =
        (0..earlier.rows.len()).map(|at| near.iter().map(|to| to[at]).fold(0.0, f32::max)).collect();
    let mut numbers = [0.0; 5 + PLAIN];
    numbers[0] = cosine(&earlier.table, &later.table);
    numbers[1] = weighted(&best_of_later, &later.lengths);
    numbers[2] = weighted(&best_of_earlier, &earlier.lengths);
    numbers[3] = later.shared_with(earlier);
    numbers[4] = earlier.shared_with(later);
    numbers[5..].copy_from_slice(plain);
    numbers
}

/// The same, and what the heads say of each by itself.
fn counted(earlier: &Encoded, later: &Encoded, plain: &[f32; PLAIN]) -> [f32; COUNTED] {
    let (a, b) = (&earlier.alone, &later.alone);
    let same_subject = a.subjects.iter().zip(&b.subjects).map(|(a, b)| a * b).sum();
    let mut numbers = [0.0; COUNTED];
    numbers[..5 + PLAIN].copy_from_slice(&counted_by_pieces(earlier, later, plain));
    numbers[5 + PLAIN..].copy_from_slice(&[
        same_subject,
        b.flags[3],
        b.flags[1],
        a.flags[1],
        a.flags[4] * b.flags[4],
        (a.flags[4] - b.flags[4]).abs(),
        b.sorts[1],
        b.sorts[4],
        b.flags[6],
        a.flags[6],
    ]);
    numbers
}

fn weighted(values: &[f32], by: &[f32]) -> f32 {
    let sum: f32 = by.iter().sum();
    values.iter().zip(by).map(|(value, weight)| value * weight).sum::<f32>() / sum.max(1e-9)
}

/// Of the sums of two lists of rows.
pub(super) fn cosine(one: &[[f32; 256]], other: &[[f32; 256]]) -> f32 {
    let (a, b) = (sum_of(one), sum_of(other));
    dot(&a, &b) / (dot(&a, &a).sqrt() * dot(&b, &b).sqrt()).max(1e-8)
}

fn sum_of(rows: &[[f32; 256]]) -> [f32; 256] {
    let mut sum = [0.0; 256];
    for row in rows {
        for (total, value) in sum.iter_mut().zip(row) {
            *total += value;
        }
    }
    sum
}

impl Layer {
    pub fn apply(&self, input: &[f32], out: &mut [f32]) {
        debug_assert_eq!(input.len(), self.inputs);
        out.copy_from_slice(&self.bias);
        add_products(&self.weights, input, out);
    }
}

impl Convolution {
    /// Three pieces at a time with nothing beyond the ends, over a bias, and what is below nothing left out.
    fn over(&self, input: &[[f32; HIDDEN]], bias: &[f32; HIDDEN]) -> Vec<[f32; HIDDEN]> {
        let input: Vec<Vec<SparseValue>> = input.iter().map(kernel::sparse).collect();
        let at = |place: usize| {
            let mut out = *bias;
            for (offset, rows) in self.taps.iter().enumerate() {
                let near = (place + offset).checked_sub(1).and_then(|near| input.get(near));
                if let Some(near) = near {
                    kernel::add_rows(rows, near, &mut out);
                }
            }
            relu(&mut out);
            out
        };
        (0..input.len()).map(at).collect()
    }
}

fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

pub(super) fn softmax(values: &[f32]) -> Vec<f32> {
    let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = values.iter().map(|value| (value - greatest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}
