//! Products of rows, with the widest instructions that the processor has, chosen when the program runs.
//!
//! Both ways do the same arithmetic in the same order, eight sums side by side, and multiply and add with one rounding, so that a text is judged
//! alike on every machine; only where a processor cannot do that in one step the last digit may differ. All unsafe code of the judges is in this
//! file and in `byte_kernel.rs`.

use super::weights::HIDDEN;

/// An input that is not nothing, and its place.
pub(super) type SparseValue = (usize, f32);

/// What of a row is not nothing.
pub(super) fn sparse(row: &[f32; HIDDEN]) -> Vec<SparseValue> {
    row.iter().copied().enumerate().filter(|(_, value)| *value != 0.0).collect()
}

/// Adds to `out` the row of each value's place, as often as the value says.
pub(super) fn add_rows(rows: &[[f32; HIDDEN]], values: &[SparseValue], out: &mut [f32; HIDDEN]) {
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: what it needs was detected just above.
        unsafe { wide::add_rows(rows, values, out) };
        return;
    }
    for &(place, value) in values {
        for (out, weight) in out.iter_mut().zip(&rows[place]) {
            *out = fused(*weight, value, *out);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// `a * b + c` with one rounding, where that takes no longer than with two.
fn fused(a: f32, b: f32, c: f32) -> f32 {
    match cfg!(any(test, target_arch = "aarch64", target_feature = "fma")) {
        true => a.mul_add(b, c),
        false => a * b + c,
    }
}

/// Adds the product of each row of `weights` with `input` to what stands in `out`; there are as many rows as `out` has places.
pub(super) fn add_products(weights: &[f32], input: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: what it needs was detected just above.
        unsafe { wide::add_products(weights, input, out) };
        return;
    }
    add_products_plainly(weights, input, out);
}

/// Adds to `out` the product of each of several rows of weights with each of several inputs, all of them `width` long: the rows of one input stand side by
/// side in `out`, from `first` on, and those of the next input `outputs` further.
pub(super) fn multiply(
    weights: &[f32],
    inputs: &[f32],
    width: usize,
    out: &mut [f32],
    outputs: usize,
    first: usize,
) {
    let rows = weights.len() / width;
    #[cfg(target_arch = "x86_64")]
    if is_wide() && width.is_multiple_of(8) {
        let by_three = inputs.chunks(width * 3).zip(out.chunks_mut(outputs * 3));
        for (inputs, out) in by_three {
            for (four, weights) in weights.chunks(width * 4).enumerate() {
                if let (Some(weights), Some(inputs)) =
                    (wide::Rows::of(weights, width), wide::Rows::of(inputs, width))
                {
                    // SAFETY: what it needs was detected just above.
                    let sums: [[f32; 3]; 4] = unsafe { wide::tile(weights, inputs) };
                    for (row, sums) in sums.iter().enumerate() {
                        for (input, sum) in sums.iter().enumerate() {
                            out[input * outputs + first + four * 4 + row] += sum;
                        }
                    }
                } else {
                    for (input, out) in inputs.chunks_exact(width).zip(out.chunks_mut(outputs)) {
                        let at = first + four * 4;
                        add_products(weights, input, &mut out[at..at + weights.len() / width]);
                    }
                }
            }
        }
        return;
    }
    for (input, out) in inputs.chunks_exact(width).zip(out.chunks_mut(outputs)) {
        add_products(weights, input, &mut out[first..first + rows]);
    }
}

/// The sum of the products of two rows of equal length.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: what it needs was detected just above.
        return unsafe { wide::dot(a, b) };
    }
    dot_plainly(a, b)
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{HIDDEN, SparseValue};
    use std::arch::x86_64::{
        __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehl_ps, _mm_shuffle_ps, _mm256_castps256_ps128,
        _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps,
        _mm256_storeu_ps,
    };

    #[target_feature(enable = "avx2,fma")]
    pub fn add_products(weights: &[f32], input: &[f32], out: &mut [f32]) {
        let inputs = input.len();
        assert!(inputs > 0 && weights.len() == inputs * out.len());
        let (fours, rest) = out.as_chunks_mut::<4>();
        let mut rows = weights.chunks_exact(inputs * 4);
        for (four, out) in rows.by_ref().zip(fours) {
            // Four rows at once, so that the input is read once.
            let mut sums = [_mm256_setzero_ps(); 4];
            let (chunks, tail) = input.as_chunks::<8>();
            for (place, chunk) in chunks.iter().enumerate() {
                // SAFETY: eight numbers stand in the chunk, and as many from there on in each of the four rows; unaligned loads are allowed.
                unsafe {
                    let input = _mm256_loadu_ps(chunk.as_ptr());
                    let row = four.as_ptr().add(place * 8);
                    sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(row), input, sums[0]);
                    sums[1] = _mm256_fmadd_ps(_mm256_loadu_ps(row.add(inputs)), input, sums[1]);
                    sums[2] = _mm256_fmadd_ps(_mm256_loadu_ps(row.add(inputs * 2)), input, sums[2]);
                    sums[3] = _mm256_fmadd_ps(_mm256_loadu_ps(row.add(inputs * 3)), input, sums[3]);
                }
            }
            let done = inputs - tail.len();
            for ((out, sums), row) in out.iter_mut().zip(sums).zip(four.chunks_exact(inputs)) {
                *out += summed(sums) + super::rest_of(&row[done..], tail);
            }
        }
        for (out, row) in rest.iter_mut().zip(rows.remainder().chunks_exact(inputs)) {
            *out += dot(row, input);
        }
    }

    #[target_feature(enable = "avx2,fma")]
    pub fn dot(a: &[f32], b: &[f32]) -> f32 {
        let ((a8, a_rest), (b8, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        let mut sums = _mm256_setzero_ps();
        for (a, b) in a8.iter().zip(b8) {
            // SAFETY: eight numbers stand in each; unaligned loads are allowed.
            unsafe {
                sums = _mm256_fmadd_ps(_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr()), sums);
            }
        }
        summed(sums) + super::rest_of(a_rest, b_rest)
    }

    /// Outputs that are summed at once: as many as half of the registers hold, the rest being for what is read.
    const AT_ONCE: usize = 64;

    #[target_feature(enable = "avx2,fma")]
    pub fn add_rows(rows: &[[f32; HIDDEN]], values: &[SparseValue], out: &mut [f32; HIDDEN]) {
        const { assert!(HIDDEN.is_multiple_of(AT_ONCE)) };
        for (from, out) in (0..HIDDEN).step_by(AT_ONCE).zip(out.as_chunks_mut::<AT_ONCE>().0) {
            let mut sums = [_mm256_setzero_ps(); AT_ONCE / 8];
            // SAFETY: `AT_ONCE` numbers stand in `out`, and as many from `from` on in each row; unaligned loads are allowed.
            unsafe {
                for (at, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm256_loadu_ps(out.as_ptr().add(at * 8));
                }
                for &(place, value) in values {
                    let (row, value) = (rows[place].as_ptr().add(from), _mm256_set1_ps(value));
                    for (at, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm256_fmadd_ps(_mm256_loadu_ps(row.add(at * 8)), value, *sum);
                    }
                }
                for (at, sum) in sums.iter().enumerate() {
                    _mm256_storeu_ps(out.as_mut_ptr().add(at * 8), *sum);
                }
            }
        }
    }

    /// As many rows as a tile takes, one behind the other, each of a length that eights fill.
    #[derive(Clone, Copy)]
    pub struct Rows<'a, const COUNT: usize> {
        values: &'a [f32],
        width: usize,
    }

    impl<'a, const COUNT: usize> Rows<'a, COUNT> {
        /// Nothing where there are fewer.
        pub fn of(values: &'a [f32], width: usize) -> Option<Self> {
            (width.is_multiple_of(8) && values.len() == width * COUNT).then_some(Self { values, width })
        }
    }

    /// Four rows of weights with three inputs at once: each number that is read is used three or four times.
    #[target_feature(enable = "avx2,fma")]
    pub fn tile(weights: Rows<'_, 4>, inputs: Rows<'_, 3>) -> [[f32; 3]; 4] {
        assert_eq!(weights.width, inputs.width);
        let width = weights.width;
        let mut sums = [[_mm256_setzero_ps(); 3]; 4];
        for at in (0..width).step_by(8) {
            // SAFETY: `Rows` are as many as its type says, each `width` long, which eights fill; unaligned loads are allowed.
            unsafe {
                let load =
                    |values: &[f32], row: usize| _mm256_loadu_ps(values.as_ptr().add(row * width + at));
                let input = [load(inputs.values, 0), load(inputs.values, 1), load(inputs.values, 2)];
                for (row, sums) in sums.iter_mut().enumerate() {
                    let weight = load(weights.values, row);
                    for (sum, input) in sums.iter_mut().zip(input) {
                        *sum = _mm256_fmadd_ps(weight, input, *sum);
                    }
                }
            }
        }
        sums.map(|row| row.map(|sum| summed(sum)))
    }

    #[target_feature(enable = "avx2,fma")]
    fn summed(sums: __m256) -> f32 {
        let four = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps::<1>(sums));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
    }
}

fn add_products_plainly(weights: &[f32], input: &[f32], out: &mut [f32]) {
    for (out, row) in out.iter_mut().zip(weights.chunks_exact(input.len())) {
        *out += dot_plainly(row, input);
    }
}

fn dot_plainly(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for lane in 0..8 {
            sums[lane] = fused(a[lane], b[lane], sums[lane]);
        }
    }
    sum_of(&sums) + rest_of(a_rest, b_rest)
}

/// The eight sums as one, half with half.
fn sum_of(sums: &[f32; 8]) -> f32 {
    let four: [f32; 4] = std::array::from_fn(|at| sums[at] + sums[at + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// What does not fill eight.
#[inline(always)]
fn rest_of(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of many sizes, so that another order of adding them would show.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 1_000.0 - 8_000.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn rows_are_added_alike_in_every_way() {
        let of = |seed: u32| -> [f32; HIDDEN] {
            numbers(HIDDEN, seed).try_into().expect("as many numbers as asked for")
        };
        let rows: Vec<[f32; HIDDEN]> = (1..=20).map(of).collect();
        let mut input = of(31);
        input.iter_mut().skip(20).for_each(|value| *value = 0.0);
        input.iter_mut().step_by(3).for_each(|value| *value = 0.0);
        let values = sparse(&input);
        assert_eq!(values.len(), 13);
        let (mut quick, mut plain) = (of(41), of(41));
        add_rows(&rows, &values, &mut quick);
        for (row, value) in rows.iter().zip(&input) {
            for (out, weight) in plain.iter_mut().zip(row) {
                *out = weight.mul_add(*value, *out);
            }
        }
        assert_eq!(quick, plain);
    }

    #[test]
    fn several_inputs_at_once_give_the_same_bits() {
        for (width, rows, count, outputs) in
            [(8, 4, 3, 4), (384, 12, 7, 30), (1549, 12, 1, 12), (256, 5, 2, 5)]
        {
            let (weights, inputs) = (numbers(width * rows, 5), numbers(width * count, 6));
            let first = outputs - rows;
            let (mut quick, mut plain) = (numbers(outputs * count, 4), numbers(outputs * count, 4));
            multiply(&weights, &inputs, width, &mut quick, outputs, first);
            for (input, out) in inputs.chunks_exact(width).zip(plain.chunks_exact_mut(outputs)) {
                add_products_plainly(&weights, input, &mut out[first..]);
            }
            assert_eq!(quick, plain, "{rows} rows of {width} with {count} inputs");
        }
    }

    #[test]
    fn every_way_gives_the_same_bits() {
        for (inputs, outputs) in [(1, 1), (7, 3), (8, 4), (27, 9), (155, 48), (256, 96), (384, 128)] {
            let (weights, input) = (numbers(inputs * outputs, 7), numbers(inputs, 9));
            let (mut quick, mut plain) = (numbers(outputs, 3), numbers(outputs, 3));
            add_products(&weights, &input, &mut quick);
            for (out, row) in plain.iter_mut().zip(weights.chunks_exact(inputs)) {
                *out += dot_plainly(row, &input);
            }
            assert_eq!(quick, plain, "{inputs} to {outputs}");
            assert_eq!(dot(&weights[..inputs], &input), dot_plainly(&weights[..inputs], &input));
        }
    }
}
