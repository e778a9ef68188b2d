//! Pseudorandom numbers of all kernels: a linear congruential generator (RNR-94-007, "A pseudorandom number
//! generator").

/// Generator x' = a x mod 2^46; a number is x 2^-46.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Multiplier a = 5^13.
const MULTIPLIER: u64 = 5_u64.pow(13);
/// Initial x.
const SEED: u64 = 314_159_265;

impl Random {
    /// Width of x in bits.
    pub const BITS: u32 = 46;

    /// Generator after the first `numbers` numbers.
    pub fn behind(numbers: u64) -> Random {
        Random::seeded(SEED, numbers)
    }

    /// Generator of another initial x, after the first `numbers` numbers.
    pub fn seeded(seed: u64, numbers: u64) -> Random {
        // Computes a^numbers by repeated squaring.
        let (mut power, mut square, mut left) = (1, MULTIPLIER, numbers);
        while left > 0 {
            if left & 1 == 1 {
                power = product(power, square);
            }
            square = product(square, square);
            left >>= 1;
        }
        Random(product(seed, power))
    }

    /// Next x, all 46 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = product(self.0, MULTIPLIER);
        self.0
    }

    /// Next number between 0 and 1.
    pub fn next_uniform(&mut self) -> f64 {
        // 46 bits fit into the mantissa of a double, so the result is exact.
        self.next_bits() as f64 / (1_u64 << Random::BITS) as f64
    }
}

/// Product modulo 2^46. It divides 2^64, so overflow does no harm.
fn product(a: u64, b: u64) -> u64 {
    a.wrapping_mul(b) & ((1 << Random::BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jump_equals_single_steps() {
        let mut steps = Random::behind(0);
        for numbers in 1..100 {
            let x = steps.next_bits();
            assert_eq!(Random::behind(numbers).0, x);
            assert_eq!(u128::from(x), u128::from(Random::behind(numbers - 1).0) * 5_u128.pow(13) % (1 << 46));
        }
    }

    #[test]
    fn numbers_lie_between_0_and_1_and_their_mean_is_a_half() {
        let mut random = Random::behind(0);
        let numbers: Vec<_> = (0..100_000).map(|_| random.next_uniform()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }
}
