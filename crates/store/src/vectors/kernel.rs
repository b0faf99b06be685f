//! Dot products of int8 vectors, as fast as the machine has instructions for, chosen when the program runs.
//!
//! All unsafe code of the vector index is in this file. Each accelerated kernel is only called after the processor said
//! that it has the instructions, and reads whole lanes inside both slices; what is left over is done plainly.
//! Numbers lie in -127..=127, so the sum of two products (32,258) fits the 16-bit lanes that AVX2 adds in.

/// A dot product of two int8 slices of equal length.
pub type Dot = fn(&[i8], &[i8]) -> i32;

/// The fastest kernel that this processor can run.
pub fn fastest() -> Dot {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return |left, right| {
            assert_eq!(left.len(), right.len());
            // SAFETY: AVX2 was detected just above, and the lengths are equal.
            unsafe { avx2(left, right) }
        };
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        return |left, right| {
            assert_eq!(left.len(), right.len());
            // SAFETY: NEON was detected just above, and the lengths are equal.
            unsafe { neon(left, right) }
        };
    }
    portable
}

/// Works everywhere, and is what the others are tested against.
pub fn portable(left: &[i8], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(left: &[i8], right: &[i8]) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_abs_epi8, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
    };
    let lanes = left.len() / 32;
    let ones = _mm256_set1_epi16(1);
    let mut sum = _mm256_setzero_si256();
    for lane in 0..lanes {
        // SAFETY: lane * 32 + 32 <= len for both slices; unaligned loads are allowed.
        let (a, b) = unsafe {
            (
                _mm256_loadu_si256(left.as_ptr().add(lane * 32).cast()),
                _mm256_loadu_si256(right.as_ptr().add(lane * 32).cast()),
            )
        };
        // maddubs multiplies unsigned by signed: take the size of `a`, and give its sign to `b`.
        let products = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, ones));
    }
    let halves = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b0100_1110>(halves));
    let total = _mm_add_epi32(quarters, _mm_shuffle_epi32::<0b1011_0001>(quarters));
    _mm_cvtsi128_si32(total) + portable(&left[lanes * 32..], &right[lanes * 32..])
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
unsafe fn neon(left: &[i8], right: &[i8]) -> i32 {
    use std::arch::aarch64::{
        vaddvq_s32, vdupq_n_s32, vget_high_s8, vget_low_s8, vld1q_s8, vmull_s8, vpadalq_s16,
    };
    let lanes = left.len() / 16;
    let mut sum = vdupq_n_s32(0);
    for lane in 0..lanes {
        // SAFETY: lane * 16 + 16 <= len for both slices.
        let (a, b) =
            unsafe { (vld1q_s8(left.as_ptr().add(lane * 16)), vld1q_s8(right.as_ptr().add(lane * 16))) };
        sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(a), vget_low_s8(b)));
        sum = vpadalq_s16(sum, vmull_s8(vget_high_s8(a), vget_high_s8(b)));
    }
    vaddvq_s32(sum) + portable(&left[lanes * 16..], &right[lanes * 16..])
}

/// A vector as int8 with one scale: `number ≈ int8 · scale`. A vector of zeros has scale zero.
pub fn quantise(vector: &[f32], into: &mut Vec<i8>) -> f32 {
    let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    if largest == 0.0 {
        into.extend(std::iter::repeat_n(0, vector.len()));
        return 0.0;
    }
    let scale = largest / 127.0;
    into.extend(vector.iter().map(|number| (number / scale).round().clamp(-127.0, 127.0) as i8));
    scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator, so that a failure can be repeated from its seed.
    fn numbers(seed: u64, count: usize) -> Vec<i8> {
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state % 255) as i16 - 127) as i8
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_kernel_agrees_with_the_plain_one() {
        let fast = fastest();
        for length in [0, 1, 15, 16, 31, 32, 33, 64, 255, 256, 384, 1000] {
            for seed in 1..20 {
                let (left, right) = (numbers(seed, length), numbers(seed * 7919, length));
                assert_eq!(fast(&left, &right), portable(&left, &right), "length {length}, seed {seed}");
            }
        }
        let extreme = [vec![127_i8; 256], vec![-127_i8; 256]];
        for left in &extreme {
            for right in &extreme {
                assert_eq!(fast(left, right), portable(left, right));
            }
        }
    }

    #[test]
    fn quantising_keeps_the_direction() {
        let vector: Vec<f32> = numbers(3, 256).iter().map(|n| f32::from(*n) / 1000.0).collect();
        let mut bytes = Vec::new();
        let scale = quantise(&vector, &mut bytes);
        for (number, byte) in vector.iter().zip(&bytes) {
            assert!((number - f32::from(*byte) * scale).abs() <= scale / 2.0 + 1e-6);
        }
        let mut zeros = Vec::new();
        assert_eq!(quantise(&[0.0; 8], &mut zeros), 0.0);
        assert_eq!(zeros, vec![0; 8]);
    }
}
