//! The judges' weights as `xtask/python/train_judges.py` writes them.

use std::collections::HashMap;

use super::marks::{MARKS, PLAIN};

/// Widths of the networks, as the training has them.
pub(super) const ROW: usize = 256;
pub(super) const PROJECTED: usize = 96;
pub(super) const OWN: usize = 32;
pub(super) const HIDDEN: usize = 128;
pub(super) const AROUND: usize = 48;
pub(super) const THOUGHT: usize = 160;
/// Places of a convolution: before, at and behind a piece.
pub(super) const TAPS: usize = 3;
pub(super) const ASKED: usize = 32;
pub(super) const WEIGHED: usize = 64;
pub(super) const PAIRED: usize = 96;
pub(super) const SENTENCE: usize = 2 * HIDDEN;
pub(super) const WANTED: usize = 64;
pub(super) const HELPED: usize = 48;
pub(super) const SUBJECT_COUNT: usize = 14;
pub(super) const FLAGS: usize = 7;
/// Numbers that are counted about a message and a memory, those of the heads among them.
pub(super) const BESIDE: usize = 3 + PLAIN + SUBJECT_COUNT + 2;
/// Numbers that are counted about a pair, those of the pieces and those of the heads among them.
pub(super) const COUNTED: usize = 5 + PLAIN + 10;

const MAGIC: &[u8; 8] = b"RCLJUDG3";

/// A layer: for each output a row of weights, and a bias.
pub(super) struct Layer {
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
    pub inputs: usize,
}

/// A convolution of three places: for each place and each input a row with what it adds to every output.
///
/// What goes in is what another layer left over after leaving out all that is below nothing, so most inputs add nothing and their rows are not
/// looked at.
pub(super) struct Convolution {
    pub taps: [Vec<[f32; HIDDEN]>; TAPS],
    pub bias: [f32; HIDDEN],
}

impl Convolution {
    fn of(layer: &Layer) -> Self {
        let mut taps = layer.weights.chunks_exact(HIDDEN * layer.inputs);
        let turned = |tap: &[f32]| {
            let input = |at: usize| std::array::from_fn(|output| tap[output * layer.inputs + at]);
            (0..layer.inputs).map(input).collect()
        };
        Self {
            taps: std::array::from_fn(|_| turned(taps.next().expect("three taps"))),
            bias: layer.bias.as_slice().try_into().expect("a bias for each output"),
        }
    }
}

pub(super) struct Weights {
    /// Rows of their own for pieces that the training saw often, by the piece's row in the table.
    pub own: HashMap<u32, [f32; OWN]>,
    pub project: Layer,
    /// Each of three taps in turn.
    pub first: Layer,
    pub second: Convolution,
    pub third: Convolution,
    /// What the pieces say together, for each of them.
    pub whole: Layer,
    pub around: Layer,
    pub hidden: Layer,
    pub label: Layer,
    pub category: Layer,
    pub flags: Layer,
    pub span: Layer,
    pub ask: Layer,
    pub key: Layer,
    pub weigh: Layer,
    pub pair: Layer,
    pub verdict: Layer,
    pub need: Layer,
    pub want: Layer,
    pub give: Layer,
    pub help: Layer,
    pub helps: Layer,
}

impl Weights {
    /// Reads the embedded bytes. They are part of the program, so what is wrong with them is a wrong build.
    pub fn parse(bytes: &'static [u8]) -> Self {
        let mut reader = WeightReader { rest: bytes };
        assert_eq!(reader.take(8), MAGIC, "the embedded judges must be of the format this code reads");
        let count = u32::from_le_bytes(reader.take(4).try_into().expect("four bytes")) as usize;
        let pieces: Vec<u32> =
            reader.take(count * 4).as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let scales = reader.floats(count);
        let values = reader.take(count * OWN).as_chunks::<OWN>().0;
        let own = pieces
            .iter()
            .zip(&scales)
            .zip(values)
            .map(|((&piece, &scale), row)| (piece, row.map(|value| f32::from(value as i8) * scale)));
        let own = own.collect();
        let weights = Self {
            own,
            project: reader.layer(PROJECTED, ROW, 1),
            first: reader.layer(HIDDEN, PROJECTED + OWN, TAPS),
            second: Convolution::of(&reader.layer(HIDDEN, HIDDEN, TAPS)),
            third: Convolution::of(&reader.layer(HIDDEN, HIDDEN, TAPS)),
            whole: reader.layer(HIDDEN, HIDDEN, 1),
            around: reader.layer(AROUND, SENTENCE, 1),
            hidden: reader.layer(THOUGHT, SENTENCE + 4 * AROUND + MARKS, 1),
            label: reader.layer(6, THOUGHT, 1),
            category: reader.layer(SUBJECT_COUNT, THOUGHT, 1),
            flags: reader.layer(FLAGS, THOUGHT, 1),
            span: reader.layer(1, HIDDEN, 1),
            ask: reader.layer(ASKED, HIDDEN, 1),
            key: reader.layer(ASKED, HIDDEN, 1),
            weigh: reader.layer(WEIGHED, 4 * HIDDEN, 1),
            pair: reader.layer(PAIRED, 4 * WEIGHED + 2 * SENTENCE + COUNTED, 1),
            verdict: reader.layer(5, PAIRED, 1),
            need: reader.layer(SUBJECT_COUNT, SENTENCE, 1),
            want: reader.layer(WANTED, SENTENCE, 1),
            give: reader.layer(WANTED, SENTENCE, 1),
            help: reader.layer(HELPED, 2 * WANTED + BESIDE, 1),
            helps: reader.layer(1, HELPED, 1),
        };
        assert!(reader.rest.is_empty(), "the embedded judges must end with their last weight");
        weights
    }
}

struct WeightReader {
    rest: &'static [u8],
}

impl WeightReader {
    fn take(&mut self, count: usize) -> &'static [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(count * 4).as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn layer(&mut self, outputs: usize, inputs: usize, taps: usize) -> Layer {
        let weights = self.floats(outputs * inputs * taps);
        Layer { weights, bias: self.floats(outputs), inputs }
    }
}
