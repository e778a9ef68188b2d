//! Operations of reductions, on bytes: all predefined ones on all kinds that have them, and those of programs.

use std::fmt;
use std::future::Future;
use std::ops::{BitAnd, BitOr, BitXor};
use std::pin::Pin;
use std::rc::Rc;

use rustc_apfloat::Float;
use rustc_apfloat::ieee::X87DoubleExtended;

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

/// An operation of a program. It is given the elements of the lower ranks and those of the higher ones, and returns as many bytes:
/// `lower[i] op higher[i]`.
pub type UserFunction = Rc<dyn Fn(Vec<u8>, Vec<u8>) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Error>>>>>;

/// An operation on elements.
#[derive(Clone)]
pub enum Operation {
    /// A predefined one, on a kind.
    Predefined(Predefined, Kind),
    /// One of a program.
    User {
        /// Whether operands may change places. They are always associative.
        commutative: bool,
        /// Bytes of an element; an operand has a whole number of them.
        element: usize,
        /// What it does.
        function: UserFunction,
    },
}

impl Operation {
    /// Whether operands may change places.
    pub fn is_commutative(&self) -> bool {
        match self {
            Operation::Predefined(..) => true,
            Operation::User { commutative, .. } => *commutative,
        }
    }

    /// Bytes of an element.
    pub fn element(&self) -> usize {
        match self {
            Operation::Predefined(_, kind) => kind.size(),
            Operation::User { element, .. } => *element,
        }
    }

    /// Whether it can be used on operands of so many bytes.
    pub fn check(&self, bytes: usize) -> Result<(), Error> {
        if let Operation::Predefined(operation, kind) = self {
            operation.check(*kind)?;
        }
        match self.element() {
            0 if bytes == 0 => Ok(()),
            element if element > 0 && bytes.is_multiple_of(element) => Ok(()),
            _ => Err(Error::Operation("an operand has a whole number of elements")),
        }
    }

    /// `lower op higher`, element by element.
    pub async fn combine(&self, lower: &[u8], mut higher: Vec<u8>) -> Result<Vec<u8>, Error> {
        match self {
            Operation::Predefined(operation, kind) => {
                operation.combine(*kind, lower, &mut higher)?;
                Ok(higher)
            }
            Operation::User { function, .. } => {
                let bytes = higher.len();
                let result = function(lower.to_vec(), higher).await?;
                if result.len() != bytes {
                    return Err(Error::Operation("an operation returns as many bytes as it is given"));
                }
                Ok(result)
            }
        }
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Predefined(operation, kind) => write!(f, "{operation:?} of {kind:?}"),
            Operation::User { commutative, element, .. } => {
                let commutes = if *commutative { "commutes" } else { "does not commute" };
                write!(f, "an operation on {element} bytes that {commutes}")
            }
        }
    }
}

impl Predefined {
    /// All of them.
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

    /// Whether a kind has this operation.
    pub fn check(self, kind: Kind) -> Result<(), Error> {
        use Class::*;
        let has = match self {
            Predefined::Max | Predefined::Min => &[Integer, Multilanguage, Floating][..],
            Predefined::Sum | Predefined::Product => &[Integer, Multilanguage, Floating, Complex],
            Predefined::LogicalAnd | Predefined::LogicalOr | Predefined::LogicalXor => &[Integer, Logical],
            Predefined::BitAnd | Predefined::BitOr | Predefined::BitXor => &[Integer, Multilanguage, Byte],
            Predefined::MaxLocation | Predefined::MinLocation => &[Pair],
            Predefined::Replace | Predefined::Nothing => return Ok(()),
        };
        match has.contains(&kind.class()) {
            true => Ok(()),
            false => Err(Error::Operation("the datatype does not have this operation")),
        }
    }

    /// `higher[i] = lower[i] op higher[i]` on packed elements, as many as are in both.
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
            Kind::Int8 => integers(self, lower, higher, i8::from_le_bytes, i8::to_le_bytes, INT8),
            Kind::Int16 => integers(self, lower, higher, i16::from_le_bytes, i16::to_le_bytes, INT16),
            Kind::Int32 => integers(self, lower, higher, i32::from_le_bytes, i32::to_le_bytes, INT32),
            Kind::Int64 | Kind::Address => {
                integers(self, lower, higher, i64::from_le_bytes, i64::to_le_bytes, INT64)
            }
            Kind::Byte | Kind::Uint8 => {
                integers(self, lower, higher, u8::from_le_bytes, u8::to_le_bytes, UINT8)
            }
            Kind::Uint16 => integers(self, lower, higher, u16::from_le_bytes, u16::to_le_bytes, UINT16),
            Kind::Uint32 => integers(self, lower, higher, u32::from_le_bytes, u32::to_le_bytes, UINT32),
            Kind::Uint64 => integers(self, lower, higher, u64::from_le_bytes, u64::to_le_bytes, UINT64),
            Kind::Bool => logicals(self, lower, higher, |[byte]| byte != 0, |truth| [truth.into()]),
            Kind::Logical => {
                let truth = |bytes| u32::from_le_bytes(bytes) != 0;
                logicals(self, lower, higher, truth, |truth| u32::from(truth).to_le_bytes());
            }
            Kind::Float32 => reals::<f32, 4>(self, lower, higher),
            Kind::Float64 => reals::<f64, 8>(self, lower, higher),
            Kind::LongDouble => reals::<X87DoubleExtended, 16>(self, lower, higher),
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
            Kind::Packed | Kind::Char | Kind::WideChar => {}
        }
        Ok(())
    }
}

/// Applies `operation` to elements of `N` bytes.
fn each<const N: usize>(lower: &[u8], higher: &mut [u8], operation: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let (lower, _) = lower.as_chunks::<N>();
    let (higher, _) = higher.as_chunks_mut::<N>();
    for (lower, higher) in lower.iter().zip(higher) {
        *higher = operation(*lower, *higher);
    }
}

/// Sum and product of an integer, which go round at their ends as they do in C without traps.
type Wrapping<T> = (fn(T, T) -> T, fn(T, T) -> T);

const INT8: Wrapping<i8> = (i8::wrapping_add, i8::wrapping_mul);
const INT16: Wrapping<i16> = (i16::wrapping_add, i16::wrapping_mul);
const INT32: Wrapping<i32> = (i32::wrapping_add, i32::wrapping_mul);
const INT64: Wrapping<i64> = (i64::wrapping_add, i64::wrapping_mul);
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

/// A value of `N` bytes that has an order.
trait Value<const N: usize>: Copy + PartialOrd {
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn to_bytes(self) -> [u8; N];
}

/// A value that has sums and products.
trait Real<const N: usize>: Value<N> {
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
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
        }
    )*};
}

values!(i16: 2, i32: 4, i64: 8, f32: 4, f64: 8);
reals!(f32: 4, f64: 8);

/// The 80 bits of an x87 stand in the first 10 of 16 bytes.
impl Value<16> for X87DoubleExtended {
    fn from_bytes(bytes: [u8; 16]) -> Self {
        X87DoubleExtended::from_bits(u128::from_le_bytes(bytes) & ((1 << 80) - 1))
    }

    fn to_bytes(self) -> [u8; 16] {
        self.to_bits().to_le_bytes()
    }
}

impl Real<16> for X87DoubleExtended {
    fn sum(self, other: Self) -> Self {
        (self + other).value
    }

    fn difference(self, other: Self) -> Self {
        (self - other).value
    }

    fn product(self, other: Self) -> Self {
        (self * other).value
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
