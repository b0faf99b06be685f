//! Pieces of words as the first convolution takes them.
//!
//! What it makes of a piece depends on nothing but the piece and the place beside which it stands, and a language has few pieces that people use:
//! so it is kept, and most of a text's first layer is three additions a piece.

use std::sync::Arc;

use lru::LruCache;
use parking_lot::Mutex;

use super::kernel::{add_products, dot};
use super::weights::{HIDDEN, OWN, PROJECTED, TAPS, Weights};
use crate::StaticTable;
use crate::limits;

/// A piece: how much it means, and what it adds to the place behind it, to its own and to the one before it.
pub(super) struct ReadPiece {
    pub length: f32,
    pub taps: [[f32; HIDDEN]; TAPS],
}

/// The pieces that were read last.
pub(super) struct ReadPieces {
    kept: Mutex<LruCache<u32, Arc<ReadPiece>>>,
}

impl Default for ReadPieces {
    fn default() -> Self {
        Self { kept: Mutex::new(LruCache::new(limits::PIECES_KEPT)) }
    }
}

impl ReadPieces {
    /// These pieces, in their order.
    pub fn of(&self, weights: &Weights, table: &StaticTable, rows: &[u32]) -> Vec<Arc<ReadPiece>> {
        let mut kept = self.kept.lock();
        let piece = |&row: &u32| match kept.get(&row) {
            Some(known) => Arc::clone(known),
            None => {
                let piece = Arc::new(read(weights, &table.row(row), row));
                kept.put(row, Arc::clone(&piece));
                piece
            }
        };
        rows.iter().map(piece).collect()
    }
}

fn read(weights: &Weights, row: &[f32; 256], piece: u32) -> ReadPiece {
    let length = dot(row, row).sqrt().max(1e-9);
    let unit = row.map(|value| value / length);
    let mut input = [0.0; PROJECTED + OWN];
    weights.project.apply(&unit, &mut input[..PROJECTED]);
    if let Some(own) = weights.own.get(&piece) {
        input[PROJECTED..].copy_from_slice(own);
    }
    let mut taps = [[0.0; HIDDEN]; TAPS];
    let of_taps = weights.first.weights.chunks_exact(HIDDEN * weights.first.inputs);
    for (tap, weights) in taps.iter_mut().zip(of_taps) {
        add_products(weights, &input, tap);
    }
    ReadPiece { length, taps }
}

/// The first convolution: to each place what its pieces add, over the bias, and what is below nothing left out.
pub(super) fn first(weights: &Weights, pieces: &[Arc<ReadPiece>]) -> Vec<[f32; HIDDEN]> {
    let at = |place: usize| {
        let mut out = [0.0; HIDDEN];
        out.copy_from_slice(&weights.first.bias);
        for tap in 0..TAPS {
            let Some(near) = (place + tap).checked_sub(1).and_then(|near| pieces.get(near)) else { continue };
            out.iter_mut().zip(&near.taps[tap]).for_each(|(out, value)| *out += value);
        }
        out.map(|value| value.max(0.0))
    };
    (0..pieces.len()).map(at).collect()
}
