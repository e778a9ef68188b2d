//! Values with a width in bits that can be packed into words.

use std::marker::PhantomData;

use crate::{BundleTable, StateMachineTable};

/// Structure of a value, from which the emitters derive its SystemVerilog type.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A plain vector of bits.
    Vector,
    /// A code of the table, `ceil(log2(states))` bits wide.
    StateMachine(&'static StateMachineTable),
    /// A nested bundle.
    Bundle(&'static BundleTable),
}

/// A value of fixed width that can be packed into 64-bit words, bit 0 first.
///
/// Offsets are constants after inlining, so packing compiles to shifts by constants.
pub trait Bits: Copy + Default + PartialEq + std::fmt::Debug {
    /// Width in bits.
    const WIDTH: u32;
    /// Structure of the bits.
    const KIND: Kind;

    /// Packs the low `width` bits of the value into `words` from bit `at` on, where all bits must be 0.
    fn put(self, words: &mut [u64], at: u32, width: u32);

    /// Unpacks the value that [`Bits::put`] has packed.
    fn take(words: &[u64], at: u32, width: u32) -> Self;
}

/// Width of a field of a [`bundle!`](crate::bundle), which may be narrower than its type `T`.
///
/// ```
/// hdl::bundle! {
///     /// Registers of a counter.
///     pub struct Counter in counter_pkg {
///         /// Cycles; wraps after 511.
///         cycles: u16 : 9,
///     }
/// }
/// assert_eq!(Counter::WIDTHS.cycles.wrap(511u16 + 1), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Width<T> {
    bits: u32,
    of: PhantomData<T>,
}

impl<T: Bits> Width<T> {
    /// A width of `bits`, 1 to 64.
    pub const fn new(bits: u32) -> Self {
        Self { bits, of: PhantomData }
    }

    /// Low bits of `value`, as many as the field has: an assignment in SystemVerilog truncates in the same way.
    #[inline(always)]
    pub fn wrap(self, value: impl Into<u64>) -> T {
        T::take(&[value.into()], 0, self.bits)
    }
}

/// Number of 64-bit words that hold `width` bits.
pub const fn words_for(width: u32) -> usize {
    width.div_ceil(64) as usize
}

#[inline(always)]
fn put_u64(value: u64, words: &mut [u64], at: u32, width: u32) {
    debug_assert!(width == 64 || value >> width == 0, "value {value:#x} does not fit in {width} bits");
    let (word, shift) = ((at / 64) as usize, at % 64);
    words[word] |= value << shift;
    if shift + width > 64 {
        words[word + 1] |= value >> (64 - shift);
    }
}

#[inline(always)]
fn take_u64(words: &[u64], at: u32, width: u32) -> u64 {
    let (word, shift) = ((at / 64) as usize, at % 64);
    let mut value = words[word] >> shift;
    if shift + width > 64 {
        value |= words[word + 1] << (64 - shift);
    }
    if width == 64 { value } else { value & ((1 << width) - 1) }
}

macro_rules! vector {
    ($($ty:ty)*) => {$(
        impl Bits for $ty {
            const WIDTH: u32 = <$ty>::BITS;
            const KIND: Kind = Kind::Vector;

            #[inline(always)]
            fn put(self, words: &mut [u64], at: u32, width: u32) {
                put_u64(self as u64, words, at, width);
            }

            #[inline(always)]
            fn take(words: &[u64], at: u32, width: u32) -> Self {
                take_u64(words, at, width) as $ty
            }
        }
    )*};
}

vector!(u8 u16 u32 u64);

impl Bits for bool {
    const WIDTH: u32 = 1;
    const KIND: Kind = Kind::Vector;

    #[inline(always)]
    fn put(self, words: &mut [u64], at: u32, _width: u32) {
        words[(at / 64) as usize] |= (self as u64) << (at % 64);
    }

    #[inline(always)]
    fn take(words: &[u64], at: u32, _width: u32) -> Self {
        words[(at / 64) as usize] >> (at % 64) & 1 == 1
    }
}

impl Bits for u128 {
    const WIDTH: u32 = 128;
    const KIND: Kind = Kind::Vector;

    #[inline(always)]
    fn put(self, words: &mut [u64], at: u32, width: u32) {
        put_u64(self as u64, words, at, width.min(64));
        if width > 64 {
            put_u64((self >> 64) as u64, words, at + 64, width - 64);
        }
    }

    #[inline(always)]
    fn take(words: &[u64], at: u32, width: u32) -> Self {
        let low = take_u64(words, at, width.min(64)) as u128;
        let high = if width > 64 { take_u64(words, at + 64, width - 64) as u128 } else { 0 };
        low | high << 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn put_and_take_cross_a_word() {
        let mut words = [0; 3];
        0x3ffu16.put(&mut words, 60, 10);
        (0x0023_4567_89ab_cdef_u128 << 64 | 0xfedc).put(&mut words, 70, 120);
        assert_eq!(u16::take(&words, 60, 10), 0x3ff);
        assert_eq!(u128::take(&words, 70, 120), 0x0023_4567_89ab_cdef_u128 << 64 | 0xfedc);
    }
}
