//! The listener: a transformer that hears a message whole, and lays two statements beside each other, word by word, to say what the later one does to the
//! earlier.
//!
//! It is slower than the networks of `net.rs` by far (some milliseconds for a message or a pair) and hears better what lasts, what is over and what a
//! wish to forget means. So it is asked when something is learned or is to be forgotten, and takes a second look at the pairs that the quick one has chosen.
//! Its layers began as those of MiniLM and were taught fifteen languages; made anew by `xtask/python/train_listener.py`, whose arithmetic and
//! format this file follows.

use std::ops::Range;

use super::byte_kernel::{self, ByteInputs, ByteRows};
use super::kernel;
use super::marks::{MARKS, PLAIN};
use super::net::{self, Encoded, HeadChances};

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
/// Pieces of a statement that are read.
const SIDE: usize = 48;
/// Pieces of a message that are heard together, with what stands behind each sentence, and pieces of what was said before it.
const WINDOW: usize = 120;
const CONTEXT: usize = 24;

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
    /// What it makes of one input.
    fn made_of(&self, input: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.bias.len()];
        self.apply(input, &mut out);
        out
    }

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

/// Which sentences are heard together: as many as there is room for, by their pieces.
fn windows(pieces: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut used = 0;
    for (at, pieces) in pieces.enumerate() {
        let room = pieces.min(WINDOW - 1) + 1;
        match windows.last_mut() {
            Some(window) if used + room <= WINDOW => window.end = at + 1,
            _ => {
                windows.push(at..at + 1);
                used = 0;
            }
        }
        used += room;
    }
    windows
}

fn mean_of(rows: &[f32]) -> [f32; WIDTH] {
    let mut mean = [0.0; WIDTH];
    let count = (rows.len() / WIDTH) as f32;
    for row in rows.chunks_exact(WIDTH) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / count);
    }
    mean
}

/// By place the greatest of several rows; nothing where there are none.
fn greatest_of(rows: &[f32]) -> [f32; WIDTH] {
    let mut greatest = if rows.is_empty() { [0.0; WIDTH] } else { [f32::MIN; WIDTH] };
    for row in rows.chunks_exact(WIDTH) {
        greatest.iter_mut().zip(row).for_each(|(greatest, value)| *greatest = greatest.max(*value));
    }
    greatest
}

/// Rows of a layer that are turned into numbers together: they stay in the nearest cache while all inputs go by.
const ROWS_AT_ONCE: usize = 12;

struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Norm {
    fn apply(&self, rows: &mut [f32]) {
        byte_kernel::spread(rows, &self.weight, &self.bias, SPREAD);
    }
}

struct ListenerBlock {
    query: ByteRows,
    key: ByteRows,
    value: ByteRows,
    out: ByteRows,
    up: ByteRows,
    down: ByteRows,
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
    hidden: ByteLayer,
    sorts: ByteLayer,
    subjects: ByteLayer,
    flags: ByteLayer,
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
        let hidden = file.layer(THOUGHT, 3 * WIDTH + MARKS);
        let [sorts, subjects, flags] = [6, 14, 7].map(|outputs| file.layer(outputs, THOUGHT));
        // Which pieces tell it stands in the file; the network of `net.rs` says that here.
        file.layer(1, WIDTH);
        let pair = file.layer(THOUGHT, 4 * WIDTH + COUNTED);
        let verdict = file.layer(5, THOUGHT);
        assert!(file.rest.is_empty(), "the embedded listener must end with its last weight");
        Self {
            own,
            own_scales,
            own_bytes,
            enter,
            special,
            positions,
            sides,
            norm,
            blocks,
            hidden,
            sorts,
            subjects,
            flags,
            pair,
            verdict,
        }
    }

    /// What it hears in each sentence of a message, of which the marks stand beside them; and what was said before.
    pub fn hear(&self, message: &[(&Encoded, [f32; MARKS])], before: Option<&Encoded>) -> Vec<HeadChances> {
        let mut heard = Vec::with_capacity(message.len());
        for window in windows(message.iter().map(|(sentence, _)| sentence.rows.len())) {
            // Behind the first window the message's first sentence says what it is about.
            let context = if window.start == 0 { before } else { message.first().map(|(first, _)| *first) };
            self.hear_window(&message[window], context, &mut heard);
        }
        heard
    }

    fn hear_window(
        &self,
        window: &[(&Encoded, [f32; MARKS])],
        context: Option<&Encoded>,
        heard: &mut Vec<HeadChances>,
    ) {
        let mut rows = self.special_row(BEGINNING).to_vec();
        if let Some(context) = context.filter(|context| !context.rows.is_empty()) {
            rows.extend(self.entered(context, CONTEXT));
            rows.extend(self.special_row(BEHIND));
        }
        let second = rows.len() / WIDTH;
        let mut places = Vec::with_capacity(window.len());
        for (sentence, _) in window {
            let first = rows.len();
            rows.extend(self.entered(sentence, WINDOW - 1));
            places.push(first..rows.len());
            rows.extend(self.special_row(BEHIND));
        }
        self.attend(&mut rows, second);
        for ((_, marks), place) in window.iter().zip(places) {
            let pieces = &rows[place];
            let mut input = mean_of(pieces).to_vec();
            input.extend(greatest_of(pieces));
            input.extend(&rows[..WIDTH]);
            input.extend(marks);
            let mut thought = vec![0.0; THOUGHT];
            self.hidden.apply(&input, &mut thought);
            byte_kernel::gate(&mut thought);
            heard.push(HeadChances::of_odds(
                &self.sorts.made_of(&thought),
                &self.subjects.made_of(&thought),
                &self.flags.made_of(&thought),
            ));
        }
    }

    pub fn compare(&self, earlier: &Encoded, later: &Encoded, plain: &[f32; PLAIN]) -> Verdict {
        let mut rows = self.special_row(BEGINNING).to_vec();
        let places = [earlier, later].map(|side| {
            let first = rows.len();
            rows.extend(self.entered(side, SIDE));
            let place = first..rows.len();
            rows.extend(self.special_row(BEHIND));
            place
        });
        let second = places[1].start / WIDTH;
        self.attend(&mut rows, second);
        let [a, b] = places.map(|place| mean_of(&rows[place]));
        let mut input = rows[..WIDTH].to_vec();
        input.extend(a);
        input.extend(b);
        input.extend(a.iter().zip(&b).map(|(a, b)| (a - b).abs()));
        input.extend(net::counted_by_pieces(earlier, later, plain));
        let mut thought = vec![0.0; THOUGHT];
        self.pair.apply(&input, &mut thought);
        byte_kernel::gate(&mut thought);
        let mut out = [0.0; 5];
        self.verdict.apply(&thought, &mut out);
        let greatest = out.iter().copied().fold(f32::MIN, f32::max);
        let all = out.iter().map(|value| (value - greatest).exp()).sum::<f32>().ln() + greatest;
        out.map(|value| value - all)
    }

    /// Brings what entered through the layers; from the place `second` on it is what is listened to, and before that what was said earlier.
    fn attend(&self, rows: &mut [f32], second: usize) {
        for (at, row) in rows.chunks_exact_mut(WIDTH).enumerate() {
            let side = usize::from(at >= second);
            let place = &self.positions[at * WIDTH..][..WIDTH];
            for ((value, place), side) in row.iter_mut().zip(place).zip(&self.sides[side * WIDTH..][..WIDTH])
            {
                *value += place + side;
            }
        }
        self.norm.apply(rows);
        let mut workspace = Workspace::of(rows.len() / WIDTH);
        for block in &self.blocks {
            block.apply(rows, &mut workspace);
        }
    }

    fn special_row(&self, which: usize) -> &[f32] {
        &self.special[which * WIDTH..][..WIDTH]
    }

    /// The first pieces of a statement: the table's rows of length 1, with rows of their own where the training saw them often.
    fn entered(&self, side: &Encoded, at_most: usize) -> Vec<f32> {
        let many = side.rows.len().min(at_most);
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
    heads: HeadSpace,
}

impl Workspace {
    fn of(count: usize) -> Self {
        let wide = || vec![0.0; count * WIDTH];
        let heads = HeadSpace {
            keys: vec![0.0; HEAD * byte_kernel::in_columns(count)],
            values: vec![0.0; count * HEAD],
            near: vec![0.0; byte_kernel::in_columns(count)],
        };
        Self {
            query: wide(),
            key: wide(),
            value: wide(),
            seen: wide(),
            out: wide(),
            up: vec![0.0; count * UP],
            heads,
        }
    }
}

/// What one head sees: by number of a key all places side by side, the values of each place, and how near each is to one that asks.
struct HeadSpace {
    keys: Vec<f32>,
    values: Vec<f32>,
    near: Vec<f32>,
}

impl ListenerBlock {
    fn apply(&self, rows: &mut [f32], space: &mut Workspace) {
        let inputs = ByteInputs::of(rows, WIDTH);
        self.query.apply(&inputs, &mut space.query);
        self.key.apply(&inputs, &mut space.key);
        self.value.apply(&inputs, &mut space.value);
        let by = 1.0 / (HEAD as f32).sqrt();
        space.query.iter_mut().for_each(|value| *value *= by);
        attend(&space.query, &space.key, &space.value, &mut space.seen, &mut space.heads);
        self.out.apply(&ByteInputs::of(&space.seen, WIDTH), &mut space.out);
        rows.iter_mut().zip(&space.out).for_each(|(value, more)| *value += more);
        self.first.apply(rows);
        self.up.apply(&ByteInputs::of(rows, WIDTH), &mut space.up);
        byte_kernel::gate(&mut space.up);
        self.down.apply(&ByteInputs::of(&space.up, UP), &mut space.out);
        rows.iter_mut().zip(&space.out).for_each(|(value, more)| *value += more);
        self.second.apply(rows);
    }
}

/// Each place sees all others, by head, as much as it asks for what they have.
fn attend(query: &[f32], key: &[f32], value: &[f32], seen: &mut [f32], space: &mut HeadSpace) {
    let HeadSpace { keys, values, near } = space;
    let (count, wide) = (query.len() / WIDTH, near.len());
    for head in (0..WIDTH).step_by(HEAD) {
        for (at, (key, value)) in key.chunks_exact(WIDTH).zip(value.chunks_exact(WIDTH)).enumerate() {
            key[head..head + HEAD]
                .iter()
                .enumerate()
                .for_each(|(number, key)| keys[number * wide + at] = *key);
            values[at * HEAD..(at + 1) * HEAD].copy_from_slice(&value[head..head + HEAD]);
        }
        for (query, seen) in query.chunks_exact(WIDTH).zip(seen.chunks_exact_mut(WIDTH)) {
            byte_kernel::mix(&query[head..head + HEAD], keys, near);
            let near = &mut near[..count];
            byte_kernel::share_out(near);
            byte_kernel::mix(near, values, &mut seen[head..head + HEAD]);
        }
    }
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

    fn rows(&mut self, outputs: usize, inputs: usize) -> ByteRows {
        let scales = self.floats(outputs);
        let bytes = self.take(outputs * inputs);
        ByteRows::of(bytes, scales, self.floats(outputs), inputs)
    }

    fn norm(&mut self) -> Norm {
        Norm { weight: self.floats(WIDTH), bias: self.floats(WIDTH) }
    }

    fn block(&mut self) -> ListenerBlock {
        ListenerBlock {
            query: self.rows(WIDTH, WIDTH),
            key: self.rows(WIDTH, WIDTH),
            value: self.rows(WIDTH, WIDTH),
            out: self.rows(WIDTH, WIDTH),
            up: self.rows(UP, WIDTH),
            down: self.rows(WIDTH, UP),
            first: self.norm(),
            second: self.norm(),
        }
    }
}
