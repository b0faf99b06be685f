//! The listener: a transformer that lays two statements beside each other, word by word, and says what the later one does to the earlier.
//!
//! It is slower than the network of `net.rs` by far (some ten milliseconds for a pair) and hears better what is over and what a wish to forget
//! means. So it takes a second look, at what the quick one has chosen: when something is learned or is to be forgotten.
//! Its layers began as those of MiniLM and were taught fifteen languages; made anew by `xtask/python/train_listener.py`, whose arithmetic and
//! format this file follows.

use super::kernel;
use super::marks::PLAIN;
use super::net::{self, Encoded};

/// Widths, as the training has them.
const WIDTH: usize = 384;
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;
const UP: usize = 1536;
const ROW: usize = 256;
const OWN: usize = 64;
const THOUGHT: usize = 256;
const POSITIONS: usize = 176;
/// Numbers that are counted about two statements.
const COUNTED: usize = 5 + PLAIN;
/// Numbers about a sentence that its heads see; they are in the file and not used here.
const MARKS: usize = 20;
/// Pieces of a statement that are read.
const SIDE: usize = 48;

const MAGIC: &[u8; 8] = b"RCLLSTN1";

/// What stands at the beginning and behind each statement, as the file numbers it.
const BEGINNING: usize = 1;
const BEHIND: usize = 2;

/// Below this two numbers are taken for one when a row is brought to length 1 over its spread.
const SPREAD: f32 = 1e-12;

/// What a later statement does to an earlier one: the logarithms of the chances of nothing, the same, replaces, ends, asks to forget.
pub(super) type Verdict = [f32; 5];

/// A layer in signed bytes, with a scale for each row.
struct ByteLayer {
    bytes: &'static [u8],
    scales: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl ByteLayer {
    /// The rows from `first` on as numbers, as many as `into` has room for.
    fn rows(&self, first: usize, into: &mut [f32]) {
        let rows = self.bytes[first * self.inputs..].chunks_exact(self.inputs).zip(&self.scales[first..]);
        for (into, (bytes, scale)) in into.chunks_exact_mut(self.inputs).zip(rows) {
            for (value, &byte) in into.iter_mut().zip(bytes) {
                *value = f32::from(byte as i8) * scale;
            }
        }
    }

    /// What the layer makes of each of several inputs.
    fn apply(&self, inputs: &[f32], out: &mut [f32]) {
        let outputs = self.bias.len();
        let count = inputs.len() / self.inputs;
        let mut rows = vec![0.0; ROWS_AT_ONCE * self.inputs];
        for first in (0..outputs).step_by(ROWS_AT_ONCE) {
            let some = ROWS_AT_ONCE.min(outputs - first);
            let rows = &mut rows[..some * self.inputs];
            self.rows(first, rows);
            let bias = &self.bias[first..first + some];
            for at in 0..count {
                out[at * outputs + first..at * outputs + first + some].copy_from_slice(bias);
            }
            kernel::multiply(rows, inputs, self.inputs, out, outputs, first);
        }
    }
}

/// Rows of a layer that are turned into numbers together: they stay in the nearest cache while all inputs go by.
const ROWS_AT_ONCE: usize = 12;

/// Brings rows to one spread: their mean to nothing, their spread to one, then weighed.
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Norm {
    fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(WIDTH) {
            let mean = row.iter().sum::<f32>() / WIDTH as f32;
            let spread = row.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / WIDTH as f32;
            let by = 1.0 / (spread + SPREAD).sqrt();
            for ((value, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
                *value = (*value - mean) * by * weight + bias;
            }
        }
    }
}

struct ListenerBlock {
    query: ByteLayer,
    key: ByteLayer,
    value: ByteLayer,
    out: ByteLayer,
    up: ByteLayer,
    down: ByteLayer,
    first: Norm,
    second: Norm,
}

pub(super) struct StatementListener {
    /// Pieces with a row of their own, ascending.
    own: Vec<u32>,
    own_scales: Vec<f32>,
    own_bytes: &'static [u8],
    enter: ByteLayer,
    special: Vec<f32>,
    positions: Vec<f32>,
    sides: Vec<f32>,
    norm: Norm,
    blocks: Vec<ListenerBlock>,
    pair: ByteLayer,
    verdict: ByteLayer,
}

impl StatementListener {
    /// Reads the embedded bytes. They are part of the program, so what is wrong with them is a wrong build.
    pub fn parse(bytes: &'static [u8]) -> Self {
        let mut file = ByteReader { rest: bytes };
        assert_eq!(file.take(8), MAGIC, "the embedded listener must be of the format this code reads");
        let (blocks, pieces) = (file.count(), file.count());
        let own = file.take(pieces * 4).as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let own_scales = file.floats(pieces);
        let own_bytes = file.take(pieces * OWN);
        let enter = file.layer(WIDTH, ROW + OWN);
        let (special, positions, sides) =
            (file.floats(3 * WIDTH), file.floats(POSITIONS * WIDTH), file.floats(2 * WIDTH));
        let norm = file.norm();
        let blocks = (0..blocks).map(|_| file.block()).collect();
        // What hears a sentence by itself stands in the file; the network of `net.rs` does that here.
        file.layer(THOUGHT, 3 * WIDTH + MARKS);
        for outputs in [6, 14, 7] {
            file.layer(outputs, THOUGHT);
        }
        file.layer(1, WIDTH);
        let pair = file.layer(THOUGHT, 4 * WIDTH + COUNTED);
        let verdict = file.layer(5, THOUGHT);
        assert!(file.rest.is_empty(), "the embedded listener must end with its last weight");
        Self { own, own_scales, own_bytes, enter, special, positions, sides, norm, blocks, pair, verdict }
    }

    pub fn compare(&self, earlier: &Encoded, later: &Encoded, plain: &[f32; PLAIN]) -> Verdict {
        let sides = [earlier, later].map(|side| side.rows.len().min(SIDE));
        let rows = self.read(earlier, later, sides);
        let row = |at: usize| &rows[at * WIDTH..(at + 1) * WIDTH];
        let mean = |from: usize, count: usize| {
            let mut mean = [0.0; WIDTH];
            for at in from..from + count {
                mean.iter_mut().zip(row(at)).for_each(|(sum, value)| *sum += value / count as f32);
            }
            mean
        };
        let (a, b) = (mean(1, sides[0]), mean(sides[0] + 2, sides[1]));
        let mut input = row(0).to_vec();
        input.extend(a);
        input.extend(b);
        input.extend(a.iter().zip(&b).map(|(a, b)| (a - b).abs()));
        input.extend(net::counted_by_pieces(earlier, later, plain));
        let mut thought = vec![0.0; THOUGHT];
        self.pair.apply(&input, &mut thought);
        thought.iter_mut().for_each(|value| *value = gelu(*value));
        let mut out = [0.0; 5];
        self.verdict.apply(&thought, &mut out);
        let greatest = out.iter().copied().fold(f32::MIN, f32::max);
        let all = out.iter().map(|value| (value - greatest).exp()).sum::<f32>().ln() + greatest;
        out.map(|value| value - all)
    }

    /// Both statements one behind the other, as the layers leave them.
    fn read(&self, earlier: &Encoded, later: &Encoded, sides: [usize; 2]) -> Vec<f32> {
        let count = sides[0] + sides[1] + 3;
        let mut rows = Vec::with_capacity(count * WIDTH);
        rows.extend(self.special_row(BEGINNING));
        for (side, many) in [earlier, later].into_iter().zip(sides) {
            rows.extend(self.entered(side, many));
            rows.extend(self.special_row(BEHIND));
        }
        for (at, row) in rows.chunks_exact_mut(WIDTH).enumerate() {
            let side = usize::from(at >= sides[0] + 2);
            let place = &self.positions[at * WIDTH..][..WIDTH];
            for ((value, place), side) in row.iter_mut().zip(place).zip(&self.sides[side * WIDTH..][..WIDTH])
            {
                *value += place + side;
            }
        }
        self.norm.apply(&mut rows);
        let mut workspace = Workspace::of(count);
        for block in &self.blocks {
            block.apply(&mut rows, &mut workspace);
        }
        rows
    }

    fn special_row(&self, which: usize) -> &[f32] {
        &self.special[which * WIDTH..][..WIDTH]
    }

    /// The first pieces of a statement: the table's rows of length 1, with rows of their own where the training saw them often.
    fn entered(&self, side: &Encoded, many: usize) -> Vec<f32> {
        let mut inputs = vec![0.0; many * (ROW + OWN)];
        let pieces = side.rows.iter().zip(&side.table).zip(&side.lengths);
        for (input, ((piece, row), length)) in inputs.chunks_exact_mut(ROW + OWN).zip(pieces) {
            input[..ROW].iter_mut().zip(row).for_each(|(value, row)| *value = row / length);
            if let Ok(at) = self.own.binary_search(piece) {
                let bytes = &self.own_bytes[at * OWN..(at + 1) * OWN];
                for (value, &byte) in input[ROW..].iter_mut().zip(bytes) {
                    *value = f32::from(byte as i8) * self.own_scales[at];
                }
            }
        }
        let mut out = vec![0.0; many * WIDTH];
        self.enter.apply(&inputs, &mut out);
        out
    }
}

/// What the layers write into, made once for all of them.
struct Workspace {
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    seen: Vec<f32>,
    out: Vec<f32>,
    up: Vec<f32>,
}

impl Workspace {
    fn of(count: usize) -> Self {
        let wide = || vec![0.0; count * WIDTH];
        Self {
            query: wide(),
            key: wide(),
            value: wide(),
            seen: wide(),
            out: wide(),
            up: vec![0.0; count * UP],
        }
    }
}

impl ListenerBlock {
    fn apply(&self, rows: &mut [f32], space: &mut Workspace) {
        self.query.apply(rows, &mut space.query);
        self.key.apply(rows, &mut space.key);
        self.value.apply(rows, &mut space.value);
        attend(&space.query, &space.key, &space.value, &mut space.seen);
        self.out.apply(&space.seen, &mut space.out);
        rows.iter_mut().zip(&space.out).for_each(|(value, more)| *value += more);
        self.first.apply(rows);
        self.up.apply(rows, &mut space.up);
        space.up.iter_mut().for_each(|value| *value = gelu(*value));
        self.down.apply(&space.up, &mut space.out);
        rows.iter_mut().zip(&space.out).for_each(|(value, more)| *value += more);
        self.second.apply(rows);
    }
}

/// Each place sees all others, by head, as much as it asks for what they have.
fn attend(query: &[f32], key: &[f32], value: &[f32], seen: &mut [f32]) {
    let by = 1.0 / (HEAD as f32).sqrt();
    for (query, seen) in query.chunks_exact(WIDTH).zip(seen.chunks_exact_mut(WIDTH)) {
        for head in (0..WIDTH).step_by(HEAD) {
            let range = head..head + HEAD;
            let asked = &query[range.clone()];
            let near: Vec<f32> =
                key.chunks_exact(WIDTH).map(|key| kernel::dot(asked, &key[range.clone()]) * by).collect();
            let seen = &mut seen[range.clone()];
            seen.fill(0.0);
            for (share, value) in net::softmax(&near).iter().zip(value.chunks_exact(WIDTH)) {
                seen.iter_mut().zip(&value[range.clone()]).for_each(|(sum, value)| *sum += share * value);
            }
        }
    }
}

/// The gate of the layers in between: as much of a value as a normal spread has below it.
fn gelu(value: f32) -> f32 {
    0.5 * value * (1.0 + erf(value * std::f32::consts::FRAC_1_SQRT_2))
}

/// Abramowitz and Stegun 7.1.26, right to seven digits.
fn erf(value: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * value.abs());
    let series =
        ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_8) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - series * (-value * value).exp()).copysign(value)
}

struct ByteReader {
    rest: &'static [u8],
}

impl ByteReader {
    fn take(&mut self, count: usize) -> &'static [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().expect("four bytes")) as usize
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(count * 4).as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn layer(&mut self, outputs: usize, inputs: usize) -> ByteLayer {
        let scales = self.floats(outputs);
        let bytes = self.take(outputs * inputs);
        ByteLayer { bytes, scales, bias: self.floats(outputs), inputs }
    }

    fn norm(&mut self) -> Norm {
        Norm { weight: self.floats(WIDTH), bias: self.floats(WIDTH) }
    }

    fn block(&mut self) -> ListenerBlock {
        ListenerBlock {
            query: self.layer(WIDTH, WIDTH),
            key: self.layer(WIDTH, WIDTH),
            value: self.layer(WIDTH, WIDTH),
            out: self.layer(WIDTH, WIDTH),
            up: self.layer(UP, WIDTH),
            down: self.layer(WIDTH, UP),
            first: self.norm(),
            second: self.norm(),
        }
    }
}
