//! Predefined operations on the bytes of predefined datatypes.

use std::ops::{BitAnd, BitOr, BitXor};

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Half, Quad, X87DoubleExtended};

use crate::datatype::{Class, Kind};
use crate::error::Error;

/// A predefined operation (MPI 4.1, sections 6.9.2 and 6.9.4, and for one-sided communication 12.3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predefined {
    /// `MPI_MAX`.
    Max,
    /// `MPI_MIN`.
    Min,
    /// `MPI_SUM`.
    Sum,
    /// `MPI_PROD`.
    Product,
    /// `MPI_LAND`.
    LogicalAnd,
    /// `MPI_BAND`.
    BitAnd,
    /// `MPI_LOR`.
    LogicalOr,
    /// `MPI_BOR`.
    BitOr,
    /// `MPI_LXOR`.
    LogicalXor,
    /// `MPI_BXOR`.
    BitXor,
    /// `MPI_MAXLOC`.
    MaxLocation,
    /// `MPI_MINLOC`.
    MinLocation,
    /// `MPI_REPLACE`.
    Replace,
    /// `MPI_NO_OP`.
    Nothing,
}

impl Predefined {
    /// All operations, in the order of their declaration.
    pub const ALL: [Predefined; 14] = [
        Predefined::Max,
        Predefined::Min,
        Predefined::Sum,
        Predefined::Product,
        Predefined::LogicalAnd,
        Predefined::BitAnd,
        Predefined::LogicalOr,
        Predefined::BitOr,
        Predefined::LogicalXor,
        Predefined::BitXor,
        Predefined::MaxLocation,
        Predefined::MinLocation,
        Predefined::Replace,
        Predefined::Nothing,
    ];

    /// Whether the standard defines the operation for a kind.
    pub fn is_standard(self, kind: Kind) -> bool {
        use Class::*;
        let has = match self {
            Predefined::Max | Predefined::Min => &[Integer, Multilanguage, Floating][..],
            Predefined::Sum | Predefined::Product => &[Integer, Multilanguage, Floating, Complex],
            Predefined::LogicalAnd | Predefined::LogicalOr | Predefined::LogicalXor => &[Integer, Logical],
            Predefined::BitAnd | Predefined::BitOr | Predefined::BitXor => &[Integer, Multilanguage, Byte],
            Predefined::MaxLocation | Predefined::MinLocation => &[Pair],
            Predefined::Replace | Predefined::Nothing => return true,
        };
        has.contains(&kind.class())
    }

    /// Checks that the operation can be computed for a kind: the standard defines it, or MPICH and Open MPI
    /// compute it as well. They treat characters as integers of 8 bits, and numbers other than 0 as true.
    pub fn check(self, kind: Kind) -> Result<(), Error> {
        use Predefined::*;
        let is_extension = match kind.class() {
            Class::Opaque => kind == Kind::Char && !matches!(self, MaxLocation | MinLocation),
            Class::Floating | Class::Multilanguage => matches!(self, LogicalAnd | LogicalOr | LogicalXor),
            _ => false,
        };
        match is_extension || self.is_standard(kind) {
            true => Ok(()),
            false => Err(Error::Operation("the datatype does not have this operation")),
        }
    }

    /// Computes `higher[i] = lower[i] op higher[i]` on packed elements, as many as both operands have.
    pub fn combine(self, kind: Kind, lower: &[u8], higher: &mut [u8]) -> Result<(), Error> {
        self.check(kind)?;
        match self {
            Predefined::Replace => return Ok(()),
            Predefined::Nothing => {
                let bytes = lower.len().min(higher.len());
                higher[..bytes].copy_from_slice(&lower[..bytes]);
                return Ok(());
            }
            _ => {}
        }
        match kind {
            Kind::Int8 | Kind::Char => {
                integers(self, lower, higher, i8::from_le_bytes, i8::to_le_bytes, INT8)
            }
            Kind::Int16 => integers(self, lower, higher, i16::from_le_bytes, i16::to_le_bytes, INT16),
            Kind::Int32 => integers(self, lower, higher, i32::from_le_bytes, i32::to_le_bytes, INT32),
            Kind::Int64 | Kind::Address => {
                integers(self, lower, higher, i64::from_le_bytes, i64::to_le_bytes, INT64)
            }
            Kind::Int128 => integers(self, lower, higher, i128::from_le_bytes, i128::to_le_bytes, INT128),
            Kind::Byte | Kind::Uint8 => {
                integers(self, lower, higher, u8::from_le_bytes, u8::to_le_bytes, UINT8)
            }
            Kind::Uint16 => integers(self, lower, higher, u16::from_le_bytes, u16::to_le_bytes, UINT16),
            Kind::Uint32 => integers(self, lower, higher, u32::from_le_bytes, u32::to_le_bytes, UINT32),
            Kind::Uint64 => integers(self, lower, higher, u64::from_le_bytes, u64::to_le_bytes, UINT64),
            Kind::Bool => logicals(self, lower, higher, |[byte]| byte != 0, |truth| [truth.into()]),
            Kind::Logical16 => logical_integers::<2>(self, lower, higher),
            Kind::Logical => logical_integers::<4>(self, lower, higher),
            Kind::Logical64 => logical_integers::<8>(self, lower, higher),
            Kind::Logical128 => logical_integers::<16>(self, lower, higher),
            Kind::Float16 => reals::<Half, 2>(self, lower, higher),
            Kind::Float32 => reals::<f32, 4>(self, lower, higher),
            Kind::Float64 => reals::<f64, 8>(self, lower, higher),
            Kind::LongDouble => reals::<X87DoubleExtended, 16>(self, lower, higher),
            Kind::Float128 => reals::<Quad, 16>(self, lower, higher),
            Kind::Complex16 => complexes::<Half, 2, 4>(self, lower, higher),
            Kind::Complex128 => complexes::<Quad, 16, 32>(self, lower, higher),
            Kind::Complex32 => complexes::<f32, 4, 8>(self, lower, higher),
            Kind::Complex64 => complexes::<f64, 8, 16>(self, lower, higher),
            Kind::LongDoubleComplex => complexes::<X87DoubleExtended, 16, 32>(self, lower, higher),
            Kind::FloatInt => locations::<f32, i32, 4, 4, 8>(self, lower, higher),
            Kind::DoubleInt => locations::<f64, i32, 8, 4, 12>(self, lower, higher),
            Kind::LongInt => locations::<i64, i32, 8, 4, 12>(self, lower, higher),
            Kind::TwoInt => locations::<i32, i32, 4, 4, 8>(self, lower, higher),
            Kind::ShortInt => locations::<i16, i32, 2, 4, 6>(self, lower, higher),
            Kind::LongDoubleInt => locations::<X87DoubleExtended, i32, 16, 4, 20>(self, lower, higher),
            Kind::TwoFloat => locations::<f32, f32, 4, 4, 8>(self, lower, higher),
            Kind::TwoDouble => locations::<f64, f64, 8, 8, 16>(self, lower, higher),
            Kind::Packed | Kind::WideChar => {}
        }
        Ok(())
    }
}

/// Applies `operation` to all elements of `N` bytes.
fn each<const N: usize>(lower: &[u8], higher: &mut [u8], operation: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let (lower, _) = lower.as_chunks::<N>();
    let (higher, _) = higher.as_chunks_mut::<N>();
    for (lower, higher) in lower.iter().zip(higher) {
        *higher = operation(*lower, *higher);
    }
}

/// Sum and product of an integer type, which wrap around on overflow.
type Wrapping<T> = (fn(T, T) -> T, fn(T, T) -> T);

const INT8: Wrapping<i8> = (i8::wrapping_add, i8::wrapping_mul);
const INT16: Wrapping<i16> = (i16::wrapping_add, i16::wrapping_mul);
const INT32: Wrapping<i32> = (i32::wrapping_add, i32::wrapping_mul);
const INT64: Wrapping<i64> = (i64::wrapping_add, i64::wrapping_mul);
const INT128: Wrapping<i128> = (i128::wrapping_add, i128::wrapping_mul);
const UINT8: Wrapping<u8> = (u8::wrapping_add, u8::wrapping_mul);
const UINT16: Wrapping<u16> = (u16::wrapping_add, u16::wrapping_mul);
const UINT32: Wrapping<u32> = (u32::wrapping_add, u32::wrapping_mul);
const UINT64: Wrapping<u64> = (u64::wrapping_add, u64::wrapping_mul);

fn integers<T, const N: usize>(
    operation: Predefined,
    lower: &[u8],
    higher: &mut [u8],
    from: fn([u8; N]) -> T,
    to: fn(T) -> [u8; N],
    (sum, product): Wrapping<T>,
) where
    T: Copy + Ord + Default + From<bool> + BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
{
    let truth = |value: T| value != T::default();
    each(lower, higher, |lower, higher| {
        let (lower, higher) = (from(lower), from(higher));
        to(match operation {
            Predefined::Max => lower.max(higher),
            Predefined::Min => lower.min(higher),
            Predefined::Sum => sum(lower, higher),
            Predefined::Product => product(lower, higher),
            Predefined::LogicalAnd => T::from(truth(lower) && truth(higher)),
            Predefined::LogicalOr => T::from(truth(lower) || truth(higher)),
            Predefined::LogicalXor => T::from(truth(lower) != truth(higher)),
            Predefined::BitAnd => lower & higher,
            Predefined::BitOr => lower | higher,
            Predefined::BitXor => lower ^ higher,
            _ => higher,
        })
    });
}

fn logicals<const N: usize>(
    operation: Predefined,
    lower: &[u8],
    higher: &mut [u8],
    from: impl Fn([u8; N]) -> bool,
    to: impl Fn(bool) -> [u8; N],
) {
    each(lower, higher, |lower, higher| {
        let (lower, higher) = (from(lower), from(higher));
        to(match operation {
            Predefined::LogicalAnd => lower && higher,
            Predefined::LogicalOr => lower || higher,
            Predefined::LogicalXor => lower != higher,
            _ => higher,
        })
    });
}

/// Logical values of Fortran in `N` bytes: 0 is false, and true is 1.
fn logical_integers<const N: usize>(operation: Predefined, lower: &[u8], higher: &mut [u8]) {
    let to = |truth: bool| {
        let mut bytes = [0; N];
        bytes[0] = truth.into();
        bytes
    };
    logicals(operation, lower, higher, |bytes: [u8; N]| bytes != [0; N], to);
}

/// An ordered value of `N` bytes.
trait Value<const N: usize>: Copy + PartialOrd {
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn to_bytes(self) -> [u8; N];
}

/// A value with sum, difference and product.
trait Real<const N: usize>: Value<N> {
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn truth(self) -> bool;
    fn of_truth(truth: bool) -> Self;
}

macro_rules! values {
    ($($type:ty: $bytes:literal),*) => {$(
        impl Value<$bytes> for $type {
            fn from_bytes(bytes: [u8; $bytes]) -> Self {
                <$type>::from_le_bytes(bytes)
            }

            fn to_bytes(self) -> [u8; $bytes] {
                self.to_le_bytes()
            }
        }
    )*};
}

macro_rules! reals {
    ($($type:ty: $bytes:literal),*) => {$(
        impl Real<$bytes> for $type {
            fn sum(self, other: Self) -> Self {
                self + other
            }

            fn difference(self, other: Self) -> Self {
                self - other
            }

            fn product(self, other: Self) -> Self {
                self * other
            }

            fn truth(self) -> bool {
                self != 0.0
            }

            fn of_truth(truth: bool) -> Self {
                truth.into()
            }
        }
    )*};
}

values!(i16: 2, i32: 4, i64: 8, f32: 4, f64: 8);
reals!(f32: 4, f64: 8);

/// The 80 bits of an x87 number occupy the first 10 of 16 bytes.
impl Value<16> for X87DoubleExtended {
    fn from_bytes(bytes: [u8; 16]) -> Self {
        X87DoubleExtended::from_bits(u128::from_le_bytes(bytes) & ((1 << 80) - 1))
    }

    fn to_bytes(self) -> [u8; 16] {
        self.to_bits().to_le_bytes()
    }
}

macro_rules! emulated {
    ($($type:ty: $bytes:literal),*) => {$(
        impl Real<$bytes> for $type {
            fn sum(self, other: Self) -> Self {
                (self + other).value
            }

            fn difference(self, other: Self) -> Self {
                (self - other).value
            }

            fn product(self, other: Self) -> Self {
                (self * other).value
            }

            fn truth(self) -> bool {
                !self.is_zero()
            }

            fn of_truth(truth: bool) -> Self {
                <$type>::from_u128(truth.into()).value
            }
        }
    )*};
}

emulated!(Half: 2, X87DoubleExtended: 16, Quad: 16);

impl Value<2> for Half {
    fn from_bytes(bytes: [u8; 2]) -> Self {
        Half::from_bits(u16::from_le_bytes(bytes).into())
    }

    fn to_bytes(self) -> [u8; 2] {
        (self.to_bits() as u16).to_le_bytes()
    }
}

impl Value<16> for Quad {
    fn from_bytes(bytes: [u8; 16]) -> Self {
        Quad::from_bits(u128::from_le_bytes(bytes))
    }

    fn to_bytes(self) -> [u8; 16] {
        self.to_bits().to_le_bytes()
    }
}

fn reals<T: Real<N>, const N: usize>(operation: Predefined, lower: &[u8], higher: &mut [u8]) {
    each(lower, higher, |lower, higher| {
        let (lower, higher) = (T::from_bytes(lower), T::from_bytes(higher));
        let result = match operation {
            Predefined::Max if lower > higher => lower,
            Predefined::Min if lower < higher => lower,
            Predefined::Sum => lower.sum(higher),
            Predefined::Product => lower.product(higher),
            Predefined::LogicalAnd => T::of_truth(lower.truth() && higher.truth()),
            Predefined::LogicalOr => T::of_truth(lower.truth() || higher.truth()),
            Predefined::LogicalXor => T::of_truth(lower.truth() != higher.truth()),
            _ => higher,
        };
        result.to_bytes()
    });
}

fn complexes<T: Real<N>, const N: usize, const BOTH: usize>(
    operation: Predefined,
    lower: &[u8],
    higher: &mut [u8],
) {
    each::<BOTH>(lower, higher, |lower, higher| {
        let ((a, b), (c, d)) = (two::<T, T, N, N>(&lower), two::<T, T, N, N>(&higher));
        let (real, imaginary) = match operation {
            Predefined::Sum => (a.sum(c), b.sum(d)),
            Predefined::Product => (a.product(c).difference(b.product(d)), a.product(d).sum(b.product(c))),
            _ => (c, d),
        };
        joined(real.to_bytes(), imaginary.to_bytes())
    });
}

/// The larger or smaller value with its index; of equal values the smaller index.
fn locations<T: Value<N>, I: Value<M>, const N: usize, const M: usize, const BOTH: usize>(
    operation: Predefined,
    lower: &[u8],
    higher: &mut [u8],
) {
    each::<BOTH>(lower, higher, |lower, higher| {
        let ((value, index), (other, at)) = (two::<T, I, N, M>(&lower), two::<T, I, N, M>(&higher));
        let before = match operation {
            Predefined::MaxLocation => value > other,
            _ => value < other,
        };
        if before || (value == other && index < at) { lower } else { higher }
    });
}

fn two<T: Value<N>, U: Value<M>, const N: usize, const M: usize>(bytes: &[u8]) -> (T, U) {
    let first = bytes.first_chunk().expect("an element has both parts");
    let second = bytes.last_chunk().expect("an element has both parts");
    (T::from_bytes(*first), U::from_bytes(*second))
}

fn joined<const N: usize, const BOTH: usize>(first: [u8; N], second: [u8; N]) -> [u8; BOTH] {
    let mut both = [0; BOTH];
    both[..N].copy_from_slice(&first);
    both[N..].copy_from_slice(&second);
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined(operation: Predefined, kind: Kind, lower: &[u8], higher: &[u8]) -> Vec<u8> {
        let mut higher = higher.to_vec();
        operation.combine(kind, lower, &mut higher).unwrap();
        higher
    }

    #[test]
    fn each_class_has_its_operations_and_no_other() {
        let count =
            |kind: Kind| Predefined::ALL.iter().filter(|operation| operation.is_standard(kind)).count();
        let counts = Kind::ALL.map(|kind| (kind.class(), count(kind)));
        for (class, count) in counts {
            let expected = match class {
                Class::Integer => 12,
                Class::Multilanguage => 9,
                Class::Floating => 6,
                Class::Logical | Class::Byte => 5,
                Class::Complex | Class::Pair => 4,
                Class::Opaque => 2,
            };
            assert_eq!(count, expected, "{class:?}");
        }
    }

    #[test]
    fn integers_of_all_widths_wrap_around() {
        macro_rules! check {
            ($($type:ty: $kind:ident),*) => {$({
                let [lower, higher] = [<$type>::MAX - 2, 5];
                let result = |operation| {
                    let bytes = combined(operation, Kind::$kind, &lower.to_le_bytes(), &higher.to_le_bytes());
                    <$type>::from_le_bytes(bytes.try_into().unwrap())
                };
                assert_eq!(result(Predefined::Sum), lower.wrapping_add(higher));
                assert_eq!(result(Predefined::Product), lower.wrapping_mul(higher));
                assert_eq!((result(Predefined::Max), result(Predefined::Min)), (lower, higher));
                assert_eq!(result(Predefined::BitAnd), lower & higher);
                assert_eq!(result(Predefined::BitOr), lower | higher);
                assert_eq!(result(Predefined::BitXor), lower ^ higher);
                assert_eq!(result(Predefined::LogicalAnd), 1);
                assert_eq!(result(Predefined::LogicalXor), 0);
                assert_eq!(result(Predefined::Replace), higher);
                assert_eq!(result(Predefined::Nothing), lower);
            })*};
        }
        check!(i8: Int8, i8: Char, i16: Int16, i32: Int32, i64: Int64, i128: Int128, u8: Uint8, u16: Uint16, u32: Uint32, u64: Uint64);
    }

    #[test]
    fn signed_and_unsigned_order_differ() {
        let minus = (-1i32).to_le_bytes();
        assert_eq!(combined(Predefined::Max, Kind::Int32, &minus, &[0; 4]), [0; 4]);
        assert_eq!(combined(Predefined::Max, Kind::Uint32, &minus, &[0; 4]), minus);
    }

    #[test]
    fn any_set_bit_is_true_and_the_result_is_one() {
        assert_eq!(combined(Predefined::LogicalAnd, Kind::Bool, &[2, 0, 0], &[4, 1, 0]), [1, 0, 0]);
        let two = 2u32.to_le_bytes();
        assert_eq!(combined(Predefined::LogicalXor, Kind::Logical, &two, &[0; 4]), 1u32.to_le_bytes());
        assert_eq!(combined(Predefined::LogicalOr, Kind::Logical, &two, &two), 1u32.to_le_bytes());
    }

    #[test]
    fn reals_and_complex_numbers_have_sums_and_products() {
        let double = |value: f64| value.to_le_bytes();
        assert_eq!(combined(Predefined::Sum, Kind::Float64, &double(0.1), &double(0.2)), double(0.1 + 0.2));
        assert_eq!(combined(Predefined::Min, Kind::Float64, &double(-1.0), &double(2.0)), double(-1.0));
        let complex = |real: f32, imaginary: f32| [real.to_le_bytes(), imaginary.to_le_bytes()].concat();
        let product = combined(Predefined::Product, Kind::Complex32, &complex(1.0, 2.0), &complex(3.0, 4.0));
        assert_eq!(product, complex(-5.0, 10.0));
    }

    #[test]
    fn extensions_are_those_of_other_libraries() {
        let extended = |kind: Kind| {
            let extends =
                |operation: &&Predefined| operation.check(kind).is_ok() && !operation.is_standard(kind);
            Predefined::ALL.iter().filter(extends).count()
        };
        let kinds = [Kind::Char, Kind::Float64, Kind::Address, Kind::Byte, Kind::WideChar];
        assert_eq!(kinds.map(extended), [10, 3, 3, 0, 0]);
        let double = |value: f64| value.to_le_bytes();
        assert_eq!(combined(Predefined::LogicalAnd, Kind::Float64, &double(0.5), &double(-2.0)), double(1.0));
        assert_eq!(combined(Predefined::LogicalXor, Kind::Float64, &double(0.5), &double(-2.0)), double(0.0));
    }

    #[test]
    fn halves_and_quads_are_rounded_to_their_precision() {
        let half = |bits: u16| bits.to_le_bytes();
        // 1 + 2^-11 is a tie and rounds to even.
        assert_eq!(combined(Predefined::Sum, Kind::Float16, &half(0x3c00), &half(0x1000)), half(0x3c00));
        assert_eq!(combined(Predefined::Sum, Kind::Float16, &half(0x3c00), &half(0x1400)), half(0x3c01));
        let quad = |exponent: u128, fraction: u128| (exponent << 112 | fraction).to_le_bytes();
        let (one, least) = (quad(0x3fff, 0), quad(0x3fff - 112, 0));
        assert_eq!(combined(Predefined::Sum, Kind::Float128, &one, &least), quad(0x3fff, 1));
        let both = [one, least].concat();
        assert_eq!(combined(Predefined::Sum, Kind::Complex128, &both, &[[0; 16]; 2].concat()), both);
    }

    /// 1 and 2^-63 as x87 numbers: sign and exponent above a mantissa with an explicit leading bit.
    #[test]
    fn long_doubles_have_64_bits_of_mantissa() {
        let x87 = |exponent: u128, mantissa: u128| (exponent << 64 | mantissa).to_le_bytes();
        let (one, least) = (x87(0x3fff, 1 << 63), x87(0x3fff - 63, 1 << 63));
        assert_eq!(combined(Predefined::Sum, Kind::LongDouble, &one, &least), x87(0x3fff, 1 << 63 | 1));
        let dirt: Vec<u8> =
            one.iter().enumerate().map(|(i, byte)| if i < 10 { *byte } else { 0xaa }).collect();
        assert_eq!(combined(Predefined::Product, Kind::LongDouble, &dirt, &least), least);
        assert_eq!(combined(Predefined::Max, Kind::LongDouble, &one, &least), one);
        let both = [one, least].concat();
        let squared = combined(Predefined::Product, Kind::LongDoubleComplex, &both, &[one, [0; 16]].concat());
        assert_eq!(squared, both);
    }

    #[test]
    fn location_of_equal_values_is_the_smallest() {
        let pair = |value: f64, index: i32| [&value.to_le_bytes()[..], &index.to_le_bytes()].concat();
        let of = |operation, lower: &[u8], higher: &[u8]| combined(operation, Kind::DoubleInt, lower, higher);
        assert_eq!(of(Predefined::MaxLocation, &pair(1.0, 5), &pair(2.0, 3)), pair(2.0, 3));
        assert_eq!(of(Predefined::MinLocation, &pair(1.0, 5), &pair(2.0, 3)), pair(1.0, 5));
        for (lower, higher) in [(5, 3), (3, 5)] {
            assert_eq!(of(Predefined::MaxLocation, &pair(1.0, lower), &pair(1.0, higher)), pair(1.0, 3));
        }
        for kind in Kind::ALL.into_iter().filter(|kind| kind.class() == Class::Pair) {
            let zeros = vec![0; kind.size()];
            assert_eq!(combined(Predefined::MinLocation, kind, &zeros, &zeros), zeros, "{kind:?}");
        }
    }

    #[test]
    fn smaller_operand_is_the_minimum_on_either_side() {
        let [one, two] = [1i32, 2].map(i32::to_le_bytes);
        assert_eq!(combined(Predefined::Min, Kind::Int32, &one, &two), one);
        assert_eq!(combined(Predefined::Min, Kind::Int32, &two, &one), one);
    }

    #[test]
    fn replacement_is_kept_bit_by_bit() {
        assert_eq!(combined(Predefined::Replace, Kind::Bool, &[0], &[4]), [4]);
    }
}
