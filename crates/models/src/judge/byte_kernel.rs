//! Products of rows of signed bytes, in whole numbers, with the widest instructions that the processor has, chosen when the program runs.
//!
//! Whole numbers have no order of adding: every way gives the same result to the last bit. And what a vectorising compiler makes of the listener's
//! other loops, with the same instructions. Like `kernel.rs`, this file may be unsafe; its callers may not.

/// Rows of a layer that are multiplied together: their bytes stand side by side, four of each row at a time, as the instructions take them.
const GROUP: usize = 16;

/// Bytes of each row that one instruction takes.
const FOUR: usize = 4;

/// What an input's bytes are raised by, so that none is below nothing: the instructions take one side signed and the other not.
const RAISED: i32 = 128;

/// The greatest byte of an input.
const GREATEST: f32 = 127.0;

/// A layer in signed bytes with a scale for each row, in groups of rows.
pub(super) struct ByteRows {
    bytes: Vec<i8>,
    /// By row, the sum of its bytes: what the raising of the input added, by as much.
    sums: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
    width: usize,
}

impl ByteRows {
    /// Of rows one behind the other, whose count sixteens fill and whose width fours fill.
    pub fn of(rows: &[u8], scales: Vec<f32>, bias: Vec<f32>, width: usize) -> Self {
        let signed = |byte: &u8| *byte as i8;
        assert!(width.is_multiple_of(FOUR) && scales.len().is_multiple_of(GROUP));
        assert!(rows.len() == width * scales.len() && bias.len() == scales.len());
        let mut bytes = Vec::with_capacity(rows.len());
        for group in rows.chunks_exact(width * GROUP) {
            for at in (0..width).step_by(FOUR) {
                for row in group.chunks_exact(width) {
                    bytes.extend(row[at..at + FOUR].iter().map(signed));
                }
            }
        }
        let sum = |row: &[u8]| row.iter().map(|byte| i32::from(signed(byte))).sum();
        let sums = rows.chunks_exact(width).map(sum).collect();
        Self { bytes, sums, scales, bias, width }
    }

    /// What the layer makes of each of several inputs.
    pub fn apply(&self, inputs: &ByteInputs, out: &mut [f32]) {
        self.apply_by(widest(), inputs, out);
    }

    fn apply_by(&self, way: Way, inputs: &ByteInputs, out: &mut [f32]) {
        let outputs = self.bias.len();
        assert!(inputs.width == self.width && out.len() == inputs.scales.len() * outputs);
        let mut sums = [[0_i32; GROUP]; AT_ONCE];
        for (number, group) in self.bytes.chunks_exact(self.width * GROUP).enumerate() {
            let first = number * GROUP;
            let rows = first..first + GROUP;
            let several = inputs.bytes.chunks(self.width * AT_ONCE).zip(inputs.scales.chunks(AT_ONCE));
            for (some, (inputs, by)) in several.enumerate() {
                let sums = &mut sums[..by.len()];
                multiply(way, group, inputs, sums);
                for (place, (sums, by)) in sums.iter().zip(by).enumerate() {
                    let at = (some * AT_ONCE + place) * outputs + first;
                    let weighed = self.sums[rows.clone()].iter().zip(&self.scales[rows.clone()]);
                    let out = out[at..at + GROUP].iter_mut().zip(&self.bias[rows.clone()]);
                    for (((out, bias), sum), (raised, scale)) in out.zip(sums).zip(weighed) {
                        *out = (sum - RAISED * raised) as f32 * (scale * by) + bias;
                    }
                }
            }
        }
    }
}

/// Inputs of a layer in bytes, with a scale for each.
pub(super) struct ByteInputs {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    width: usize,
}

impl ByteInputs {
    pub fn of(values: &[f32], width: usize) -> Self {
        let count = values.len() / width;
        let mut inputs = Self { bytes: vec![0; count * width], scales: vec![0.0; count], width };
        widely(|| inputs.fill(values));
        inputs
    }

    #[inline(always)]
    fn fill(&mut self, values: &[f32]) {
        let rows = values.chunks_exact(self.width).zip(self.bytes.chunks_exact_mut(self.width));
        for ((values, bytes), scale) in rows.zip(&mut self.scales) {
            // Numbers above nothing are ordered as their bits are, and whole numbers are compared side by side.
            let greatest = values.iter().fold(0, |greatest, value| greatest.max(value.abs().to_bits()));
            *scale = f32::from_bits(greatest).max(f32::MIN_POSITIVE * GREATEST) / GREATEST;
            let by = 1.0 / *scale;
            for (byte, value) in bytes.iter_mut().zip(values) {
                *byte = (rounded(value * by) as u8).wrapping_add(RAISED as u8);
            }
        }
    }
}

/// Inputs that are multiplied before their products are written.
const AT_ONCE: usize = 8;

/// A way to multiply bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Sixteen sums of four products each in one instruction.
    #[cfg(target_arch = "x86_64")]
    Widest,
    /// Eight of them.
    #[cfg(target_arch = "x86_64")]
    Wider,
    #[cfg(target_arch = "x86_64")]
    Wide,
    Plain,
}

/// The ways that this processor has, the quickest first.
fn ways() -> impl Iterator<Item = Way> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let widest = has!("avx512f") && has!("avx512vnni");
        let ways = [
            (Way::Widest, widest),
            (Way::Wider, has!("avx2") && has!("avxvnni")),
            (Way::Wide, has!("avx2")),
            (Way::Plain, true),
        ];
        ways.into_iter().filter(|(_, there)| *there).map(|(way, _)| way)
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::iter::once(Way::Plain)
}

fn widest() -> Way {
    ways().next().unwrap_or(Way::Plain)
}

/// The sums of the products of a group's rows with each of several inputs.
fn multiply(way: Way, group: &[i8], inputs: &[u8], sums: &mut [[i32; GROUP]]) {
    let width = group.len() / GROUP;
    let rest = (inputs, sums);
    match way {
        // SAFETY: a way is among `ways` only where what it needs was detected.
        #[cfg(target_arch = "x86_64")]
        Way::Widest => {
            let rest = in_tiles::<8>(rest, width, |inputs| unsafe { wide::widest(group, inputs) });
            let rest = in_tiles::<4>(rest, width, |inputs| unsafe { wide::widest(group, inputs) });
            in_tiles::<1>(rest, width, |inputs| unsafe { wide::widest(group, inputs) });
        }
        #[cfg(target_arch = "x86_64")]
        Way::Wider => {
            let rest = in_tiles::<4>(rest, width, |inputs| unsafe { wide::wider(group, inputs) });
            in_tiles::<1>(rest, width, |inputs| unsafe { wide::wider(group, inputs) });
        }
        #[cfg(target_arch = "x86_64")]
        Way::Wide => {
            let rest = in_tiles::<2>(rest, width, |inputs| unsafe { wide::wide(group, inputs) });
            in_tiles::<1>(rest, width, |inputs| unsafe { wide::wide(group, inputs) });
        }
        Way::Plain => {
            in_tiles::<1>(rest, width, |inputs| plain(group, inputs));
        }
    }
}

/// Several inputs after each other, and where their sums go.
type Several<'a> = (&'a [u8], &'a mut [[i32; GROUP]]);

/// Multiplies as many inputs together as the type says, as long as there are as many; the rest is given back.
fn in_tiles<'a, const MANY: usize>(
    (inputs, sums): Several<'a>,
    width: usize,
    tile: impl Fn(&[u8]) -> [[i32; GROUP]; MANY],
) -> Several<'a> {
    let whole = sums.len() / MANY * MANY;
    let ((inputs, rest), (sums, rest_sums)) = (inputs.split_at(whole * width), sums.split_at_mut(whole));
    for (inputs, sums) in inputs.chunks_exact(width * MANY).zip(sums.as_chunks_mut::<MANY>().0) {
        *sums = tile(inputs);
    }
    (rest, rest_sums)
}

fn plain<const MANY: usize>(group: &[i8], inputs: &[u8]) -> [[i32; GROUP]; MANY] {
    let width = group.len() / GROUP;
    std::array::from_fn(|number| {
        let input = &inputs[number * width..(number + 1) * width];
        let mut sums = [0; GROUP];
        for (block, four) in group.chunks_exact(GROUP * FOUR).zip(input.as_chunks::<FOUR>().0) {
            for (sum, weights) in sums.iter_mut().zip(block.as_chunks::<FOUR>().0) {
                let products =
                    weights.iter().zip(four).map(|(weight, value)| i32::from(*weight) * i32::from(*value));
                *sum += products.sum::<i32>();
            }
        }
        sums
    })
}

/// Does work with the widest instructions that the compiler can make of it.
fn widely<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: what it needs was detected just above.
        return unsafe { wide::work(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{FOUR, GROUP};
    use std::arch::x86_64::{
        __m256i, _mm_loadu_si128, _mm_set1_epi32, _mm256_add_epi32, _mm256_cvtepi8_epi16,
        _mm256_cvtepu8_epi16, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256, _mm512_dpbusd_epi32,
        _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    };

    #[target_feature(enable = "avx2")]
    pub fn work<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    /// How wide inputs are, of which there must be as many as asked for.
    fn width_of<const MANY: usize>(group: &[i8], inputs: &[u8]) -> usize {
        let width = group.len() / GROUP;
        assert!(width.is_multiple_of(FOUR) && group.len() == width * GROUP && inputs.len() == width * MANY);
        width
    }

    /// Four bytes of an input as one number.
    ///
    /// # Safety
    /// Four bytes must stand from `at` on.
    #[inline(always)]
    unsafe fn four(inputs: &[u8], at: usize) -> i32 {
        // SAFETY: as the caller says.
        unsafe { inputs.as_ptr().add(at).cast::<i32>().read_unaligned() }
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    pub fn widest<const MANY: usize>(group: &[i8], inputs: &[u8]) -> [[i32; GROUP]; MANY] {
        let width = width_of::<MANY>(group, inputs);
        let mut sums = [_mm512_setzero_si512(); MANY];
        for at in (0..width).step_by(FOUR) {
            // SAFETY: the group has sixteen bytes for each byte of its width, and each input is of that width, as was checked.
            unsafe {
                let weights = _mm512_loadu_si512(group.as_ptr().add(at * GROUP).cast());
                for (number, sum) in sums.iter_mut().enumerate() {
                    let input = _mm512_set1_epi32(four(inputs, number * width + at));
                    *sum = _mm512_dpbusd_epi32(*sum, input, weights);
                }
            }
        }
        sums.map(|sums| {
            let mut out = [0; GROUP];
            // SAFETY: sixteen numbers stand there.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), sums) };
            out
        })
    }

    #[target_feature(enable = "avx2,avxvnni")]
    pub fn wider<const MANY: usize>(group: &[i8], inputs: &[u8]) -> [[i32; GROUP]; MANY] {
        let width = width_of::<MANY>(group, inputs);
        let mut sums = [[_mm256_setzero_si256(); 2]; MANY];
        for at in (0..width).step_by(FOUR) {
            // SAFETY: the group has sixteen bytes for each byte of its width, and each input is of that width, as was checked.
            unsafe {
                let weights = group.as_ptr().add(at * GROUP).cast::<__m256i>();
                let weights = [_mm256_loadu_si256(weights), _mm256_loadu_si256(weights.add(1))];
                for (number, sums) in sums.iter_mut().enumerate() {
                    let input = _mm256_set1_epi32(four(inputs, number * width + at));
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = _mm256_dpbusd_avx_epi32(*sum, input, weights);
                    }
                }
            }
        }
        sums.map(|halves| {
            let mut out = [0; GROUP];
            for (out, half) in out.as_chunks_mut::<8>().0.iter_mut().zip(halves) {
                // SAFETY: eight numbers stand there.
                unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), half) };
            }
            out
        })
    }

    /// In numbers of sixteen bits: what bytes are multiplied with by one instruction stops at the greatest of those, and would not be right.
    #[target_feature(enable = "avx2")]
    pub fn wide<const MANY: usize>(group: &[i8], inputs: &[u8]) -> [[i32; GROUP]; MANY] {
        let width = width_of::<MANY>(group, inputs);
        let mut sums = [[_mm256_setzero_si256(); 4]; MANY];
        for at in (0..width).step_by(FOUR) {
            // SAFETY: the group has sixteen bytes for each byte of its width, and each input is of that width, as was checked.
            unsafe {
                let weights = group.as_ptr().add(at * GROUP);
                for (number, sums) in sums.iter_mut().enumerate() {
                    let input = _mm256_cvtepu8_epi16(_mm_set1_epi32(four(inputs, number * width + at)));
                    for (quarter, sum) in sums.iter_mut().enumerate() {
                        let weights = _mm_loadu_si128(weights.add(quarter * 16).cast());
                        *sum =
                            _mm256_add_epi32(*sum, _mm256_madd_epi16(_mm256_cvtepi8_epi16(weights), input));
                    }
                }
            }
        }
        sums.map(|quarters| {
            let mut out = [0; GROUP];
            for (out, quarter) in out.as_chunks_mut::<4>().0.iter_mut().zip(quarters) {
                let mut twos = [0; 8];
                // SAFETY: eight numbers stand there.
                unsafe { _mm256_storeu_si256(twos.as_mut_ptr().cast(), quarter) };
                for (out, [a, b]) in out.iter_mut().zip(twos.as_chunks::<2>().0) {
                    *out = a + b;
                }
            }
            out
        })
    }
}

/// Numbers whose last bit is worth one: to add it rounds to a whole number, which then stands in the last bits.
const ROUNDING: f32 = 12_582_912.0;

/// The bits of a number near nothing, rounded, in the last places.
#[inline(always)]
fn rounded(value: f32) -> u32 {
    (value + ROUNDING).to_bits()
}

/// Columns that are summed at once.
const COLUMNS: usize = 32;

/// The next width that whole blocks of columns fill.
pub(super) fn in_columns(width: usize) -> usize {
    width.next_multiple_of(COLUMNS)
}

/// The sum of rows, each as often as its share says. Blocks of columns must fill the rows.
pub(super) fn mix(shares: &[f32], rows: &[f32], out: &mut [f32]) {
    let width = out.len();
    assert!(width.is_multiple_of(COLUMNS) && rows.len() == shares.len() * width);
    widely(
        #[inline(always)]
        || {
            for (at, out) in (0..width).step_by(COLUMNS).zip(out.as_chunks_mut::<COLUMNS>().0) {
                let mut sums = [0.0; COLUMNS];
                for (share, row) in shares.iter().zip(rows.chunks_exact(width)) {
                    for (sum, value) in sums.iter_mut().zip(&row[at..at + COLUMNS]) {
                        *sum += share * value;
                    }
                }
                *out = sums;
            }
        },
    );
}

/// Makes shares of one of numbers: the powers of the numbers, by their sum.
pub(super) fn share_out(values: &mut [f32]) {
    widely(
        #[inline(always)]
        || {
            let greatest = values.iter().copied().fold(f32::MIN, f32::max);
            values.iter_mut().for_each(|value| *value = power(*value - greatest));
            let by = 1.0 / summed(values);
            values.iter_mut().for_each(|value| *value *= by);
        },
    );
}

/// The gate of the layers in between: as much of each value as a normal spread has below it.
pub(super) fn gate(values: &mut [f32]) {
    widely(
        #[inline(always)]
        || {
            for value in values {
                *value *= 0.5 + 0.5 * erf(*value * std::f32::consts::FRAC_1_SQRT_2);
            }
        },
    );
}

/// Brings rows to one spread: their mean to nothing, their spread to one, then weighed. `least` is what a spread is taken for at least.
pub(super) fn spread(rows: &mut [f32], weight: &[f32], bias: &[f32], least: f32) {
    let width = weight.len();
    widely(
        #[inline(always)]
        || {
            for row in rows.chunks_exact_mut(width) {
                let mean = summed(row) / width as f32;
                row.iter_mut().for_each(|value| *value -= mean);
                let by = 1.0 / (squares(row) / width as f32 + least).sqrt();
                for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                    *value = *value * by * weight + bias;
                }
            }
        },
    );
}

/// Sums side by side, as wide instructions keep them.
const LANES: usize = 16;

#[inline(always)]
fn summed(values: &[f32]) -> f32 {
    let (whole, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for values in whole {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

#[inline(always)]
fn squares(values: &[f32]) -> f32 {
    let (whole, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for values in whole {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * value);
    }
    sums.iter().sum::<f32>() + rest.iter().map(|value| value * value).sum::<f32>()
}

/// The power of a number that is not above nothing, right to six digits, without a branch.
#[inline(always)]
fn power(value: f32) -> f32 {
    let value = value.max(-87.0);
    let whole = value * std::f32::consts::LOG2_E + ROUNDING;
    let rest = value - (whole - ROUNDING) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0 + rest * (0.5 + rest * (1.666_666_7e-1 + rest * (4.166_665_8e-2 + rest * 8.333_452e-3))));
    // The exponent's bits begin behind 23 of the fraction.
    series * f32::from_bits((whole.to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
}

/// Abramowitz and Stegun 7.1.28, right to six digits.
#[inline(always)]
fn erf(value: f32) -> f32 {
    let x = value.abs().min(4.0);
    let series = 1.0
        + x * (0.070_523_08
            + x * (0.042_282_01
                + x * (0.009_270_527 + x * (0.000_152_014_3 + x * (0.000_276_567_2 + x * 0.000_043_063_8)))));
    let square = series * series;
    let fourth = square * square;
    let eighth = fourth * fourth;
    (1.0 - 1.0 / (eighth * eighth)).copysign(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(count: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // No layer has the byte that has no opposite.
            ((state >> 16) as u8).max(if state >> 24 == 128 { 129 } else { 0 })
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn bytes_are_multiplied_alike_in_every_way() {
        for (width, outputs, count) in [(4, 16, 1), (384, 48, 15), (1536, 32, 13), (320, 16, 6)] {
            let rows = bytes(width * outputs, 3);
            let (scales, bias) = (vec![0.013; outputs], (0..outputs).map(|at| at as f32).collect::<Vec<_>>());
            let layer = ByteRows::of(&rows, scales, bias, width);
            // The greatest there is on both sides, too.
            let values =
                bytes(width * count, 5).iter().map(|byte| f32::from(*byte as i8) / 9.0).collect::<Vec<_>>();
            let inputs = ByteInputs::of(&values, width);
            let expected: Vec<f32> = (0..count * outputs)
                .map(|at| {
                    let (input, row) = (at / outputs, at % outputs);
                    let products = (0..width).map(|k| {
                        let weight = i32::from(rows[row * width + k] as i8);
                        weight * (i32::from(inputs.bytes[input * width + k]) - RAISED)
                    });
                    products.sum::<i32>() as f32 * (0.013 * inputs.scales[input]) + row as f32
                })
                .collect();
            for way in ways() {
                let mut out = vec![f32::NAN; count * outputs];
                layer.apply_by(way, &inputs, &mut out);
                assert_eq!(out, expected, "{way:?}: {count} of {width} to {outputs}");
            }
        }
    }

    #[test]
    fn an_input_keeps_its_size_in_bytes() {
        let inputs = ByteInputs::of(&[0.0, 0.0, 0.0, 0.0, -2.0, 1.0, 0.5, 2.0], 4);
        assert_eq!(inputs.bytes, [128, 128, 128, 128, 1, 192, 160, 255]);
        assert!((inputs.scales[1] - 2.0 / 127.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_reckoned_quickly_is_right() {
        for step in -600..=600 {
            let value = step as f32 / 100.0;
            let mut gated = [value];
            gate(&mut gated);
            let below = 0.5 * (1.0 + libm_erf(f64::from(value) / std::f64::consts::SQRT_2));
            assert!((f64::from(gated[0]) - f64::from(value) * below).abs() < 2e-6, "{value}: {}", gated[0]);
            let exact = f64::from(-value.abs() * 10.0).exp();
            assert!((f64::from(power(-value.abs() * 10.0)) / exact - 1.0).abs() < 1e-5, "{value}");
        }
        let mut shares = [0.0, -1000.0, 2.0];
        share_out(&mut shares);
        assert!((shares[2] - 0.880_797).abs() < 1e-5 && shares[1] < 1e-30, "{shares:?}");
    }

    /// By its series, which is exact and slow.
    fn libm_erf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            let n = f64::from(n);
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }
}
