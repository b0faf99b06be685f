//! The arithmetic of the judges.

use super::marks::{MARKS, PLAIN};
use super::weights::{ASKED, COUNTED, HIDDEN, Layer, OWN, PROJECTED, SENTENCE, WEIGHED, Weights};
use crate::StaticTable;

/// Pieces of a sentence that are read.
pub(super) const PIECES: usize = 72;

/// A sentence as the first network sees it.
pub(super) struct Encoded {
    rows: Vec<u32>,
    /// The table's rows, as they are.
    table: Vec<[f32; 256]>,
    /// By piece, how long its row is: how much it means.
    lengths: Vec<f32>,
    /// By piece, what the convolutions find at it.
    found: Vec<[f32; HIDDEN]>,
    /// The greatest and the mean of that.
    pub vector: [f32; SENTENCE],
    /// By piece, the chance that it belongs to what is told.
    pub spans: Vec<f32>,
}

/// What the heads say, before it becomes chances.
pub(super) struct Heads {
    pub label: Vec<f32>,
    pub category: Vec<f32>,
    pub flags: Vec<f32>,
}

pub(super) fn encode(weights: &Weights, table: &StaticTable, text: &str) -> Encoded {
    let rows = table.pieces(text, PIECES);
    let raw: Vec<[f32; 256]> = rows.iter().map(|&row| table.row(row)).collect();
    let lengths: Vec<f32> = raw.iter().map(|row| dot(row, row).sqrt().max(1e-9)).collect();
    let mut inputs: Vec<[f32; PROJECTED + OWN]> = Vec::with_capacity(rows.len());
    for ((row, length), piece) in raw.iter().zip(&lengths).zip(&rows) {
        let unit = row.map(|value| value / length);
        let mut input = [0.0; PROJECTED + OWN];
        weights.project.apply(&unit, &mut input[..PROJECTED]);
        if let Some(own) = weights.own.get(piece) {
            input[PROJECTED..].copy_from_slice(own);
        }
        inputs.push(input);
    }
    let first: Vec<[f32; HIDDEN]> = weights.first.convolve(&inputs);
    let mut found: Vec<[f32; HIDDEN]> = weights.second.convolve(&first);
    for (second, first) in found.iter_mut().zip(&first) {
        for (value, before) in second.iter_mut().zip(first) {
            *value += before;
        }
    }
    let mut vector = [0.0; SENTENCE];
    pool(&found, &mut vector);
    let spans = found.iter().map(|at| {
        let mut value = [0.0];
        weights.span.apply(at, &mut value);
        1.0 / (1.0 + (-value[0]).exp())
    });
    let spans = spans.collect();
    Encoded { rows, table: raw, lengths, found, vector, spans }
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
) -> Heads {
    heads(weights, &sentence.vector, around.map(|near| near.map(|near| &near.vector)), marks)
}

fn heads(
    weights: &Weights,
    vector: &[f32; SENTENCE],
    around: [Option<&[f32; SENTENCE]>; 4],
    marks: &[f32; MARKS],
) -> Heads {
    let mut input = vector.to_vec();
    for near in around {
        let mut seen = vec![0.0; weights.around.bias.len()];
        weights.around.apply(near.unwrap_or(&[0.0; SENTENCE]), &mut seen);
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
    input.extend(counted(weights, earlier, later, plain));
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

/// What can be counted about two sentences, and what the heads say of each by itself.
fn counted(weights: &Weights, earlier: &Encoded, later: &Encoded, plain: &[f32; PLAIN]) -> [f32; COUNTED] {
    let alone = |one: &Encoded| heads(weights, &one.vector, [None; 4], &[0.0; MARKS]);
    let (a, b) = (alone(earlier), alone(later));
    let (sorts, subjects_a, subjects_b) = (softmax(&b.label), softmax(&a.category), softmax(&b.category));
    let chance = |value: f32| 1.0 / (1.0 + (-value).exp());
    let flag = |of: &Heads, at: usize| chance(of.flags[at]);
    let same_subject = subjects_a.iter().zip(&subjects_b).map(|(a, b)| a * b).sum();
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
    let has = |rows: &[u32], row: &u32| f32::from(u8::from(rows.contains(row)));
    let mut numbers = [0.0; COUNTED];
    numbers[0] = cosine(&earlier.table, &later.table);
    numbers[1] = weighted(&best_of_later, &later.lengths);
    numbers[2] = weighted(&best_of_earlier, &earlier.lengths);
    let shared: Vec<f32> = later.rows.iter().map(|row| has(&earlier.rows, row)).collect();
    numbers[3] = weighted(&shared, &later.lengths);
    let shared: Vec<f32> = earlier.rows.iter().map(|row| has(&later.rows, row)).collect();
    numbers[4] = weighted(&shared, &earlier.lengths);
    numbers[5..5 + PLAIN].copy_from_slice(plain);
    numbers[5 + PLAIN..].copy_from_slice(&[
        same_subject,
        flag(&b, 3),
        flag(&b, 1),
        flag(&a, 1),
        flag(&a, 4) * flag(&b, 4),
        (flag(&a, 4) - flag(&b, 4)).abs(),
        sorts[1],
        sorts[4],
        flag(&b, 6),
        flag(&a, 6),
    ]);
    numbers
}

fn weighted(values: &[f32], by: &[f32]) -> f32 {
    let sum: f32 = by.iter().sum();
    values.iter().zip(by).map(|(value, weight)| value * weight).sum::<f32>() / sum.max(1e-9)
}

/// Of the sums of two lists of rows.
fn cosine(one: &[[f32; 256]], other: &[[f32; 256]]) -> f32 {
    let sum = |rows: &[[f32; 256]]| {
        let mut sum = [0.0; 256];
        for row in rows {
            for (total, value) in sum.iter_mut().zip(row) {
                *total += value;
            }
        }
        sum
    };
    let (a, b) = (sum(one), sum(other));
    dot(&a, &b) / (dot(&a, &a).sqrt() * dot(&b, &b).sqrt()).max(1e-8)
}

impl Layer {
    fn apply(&self, input: &[f32], out: &mut [f32]) {
        debug_assert_eq!(input.len(), self.inputs);
        for ((out, bias), row) in out.iter_mut().zip(&self.bias).zip(self.weights.chunks_exact(self.inputs)) {
            *out = bias + dot(row, input);
        }
    }

    /// A convolution of three pieces with nothing beyond the ends, and what is below nothing left out.
    fn convolve<const IN: usize, const OUT: usize>(&self, input: &[[f32; IN]]) -> Vec<[f32; OUT]> {
        let tap = OUT * self.inputs;
        let at = |place: usize| {
            let mut out = [0.0; OUT];
            out.copy_from_slice(&self.bias);
            for (offset, weights) in self.weights.chunks_exact(tap).enumerate() {
                let Some(near) = (place + offset).checked_sub(1).and_then(|near| input.get(near)) else {
                    continue;
                };
                for (out, row) in out.iter_mut().zip(weights.chunks_exact(self.inputs)) {
                    *out += dot(row, near);
                }
            }
            relu(&mut out);
            out
        };
        (0..input.len()).map(at).collect()
    }
}

/// Eight sums side by side, which the compiler makes one instruction of.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
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
