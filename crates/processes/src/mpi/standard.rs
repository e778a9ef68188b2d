//! Numbers of the standard ABI: error classes, operations and datatypes (MPI 5.0, section 20.3).

use mpi::{Error, Kind, Predefined};

/// `MPI_ERR_BUFFER`.
pub(super) const ERR_BUFFER: i32 = 1;
/// `MPI_ERR_COUNT`.
pub(super) const ERR_COUNT: i32 = 2;
/// `MPI_ERR_COMM`.
pub(super) const ERR_COMM: i32 = 5;
/// `MPI_ERR_REQUEST`.
pub(super) const ERR_REQUEST: i32 = 7;
/// `MPI_ERR_ROOT`.
pub(super) const ERR_ROOT: i32 = 8;
/// `MPI_ERR_OP`.
pub(super) const ERR_OP: i32 = 10;
/// `MPI_ERR_ARG`.
pub(super) const ERR_ARG: i32 = 13;
/// `MPI_ERR_OTHER`.
pub(super) const ERR_OTHER: i32 = 16;
/// `MPI_ERR_WIN`.
pub(super) const ERR_WIN: i32 = 56;
/// `MPI_ERR_INTERN`.
pub(super) const ERR_INTERN: i32 = 17;

/// `MPI_ERR_NAME`.
pub(super) const ERR_NAME: i32 = 38;
/// `MPI_ERR_PORT`.
pub(super) const ERR_PORT: i32 = 43;
/// `MPI_ERR_SERVICE`.
pub(super) const ERR_SERVICE: i32 = 51;
/// `MPI_ERR_SPAWN`.
pub(super) const ERR_SPAWN: i32 = 53;

/// Error class of an error, as the standard ABI numbers it.
pub fn class(error: &Error) -> i32 {
    match error {
        Error::Buffer { .. } => 1,
        Error::Count(_) => ERR_COUNT,
        Error::Type(_) => 3,
        Error::Communicator(_) => ERR_COMM,
        Error::Rank { .. } => 6,
        Error::Request => ERR_REQUEST,
        Error::Root { .. } | Error::NoRank => ERR_ROOT,
        Error::Group(_) => 9,
        Error::Operation(_) => ERR_OP,
        Error::Topology => 11,
        Error::Dimensions(_) => 12,
        Error::Argument(_) => ERR_ARG,
        Error::Truncated { .. } => 15,
        Error::Refused(_) | Error::Exhausted(_) => ERR_INTERN,
        Error::Unreachable(_) | Error::Dropped => ERR_OTHER,
        Error::Displacement(_) => 26,
        Error::RmaAttach(_) => 46,
        Error::RmaConflict(_) => 47,
        Error::RmaRange { .. } | Error::RmaMemory => 48,
        Error::RmaSync(_) => 50,
        Error::RmaFlavor(_) => 57,
        Error::User(code) => *code,
    }
}

/// A predefined operation and the kind of a predefined datatype, by their numbers; an error if they do not go together.
pub fn standard(operation: u32, datatype: u32) -> Result<(Predefined, Kind), Error> {
    let operation = match operation {
        0x21 => Predefined::Sum,
        0x22 => Predefined::Min,
        0x23 => Predefined::Max,
        0x24 => Predefined::Product,
        0x28 => Predefined::BitAnd,
        0x29 => Predefined::BitOr,
        0x2a => Predefined::BitXor,
        0x30 => Predefined::LogicalAnd,
        0x31 => Predefined::LogicalOr,
        0x32 => Predefined::LogicalXor,
        0x38 => Predefined::MinLocation,
        0x39 => Predefined::MaxLocation,
        0x3c => Predefined::Replace,
        0x3d => Predefined::Nothing,
        _ => return Err(Error::Operation("there is no such operation")),
    };
    let kind = kind(datatype).ok_or(Error::Type("there is no such datatype"))?;
    operation.check(kind)?;
    Ok((operation, kind))
}

macro_rules! kinds {
    ($($name:ident $number:literal $kind:ident)*) => {
        /// The kind of the predefined datatype with this number.
        pub fn kind(number: u32) -> Option<Kind> {
            match number {
                $($number => Some(Kind::$kind),)*
                _ => None,
            }
        }

        /// The name of the predefined datatype with this number: `MPI_INT`.
        pub fn kind_name(number: u32) -> Option<&'static str> {
            match number {
                $($number => Some(stringify!($name)),)*
                _ => None,
            }
        }

        /// Names and numbers of all predefined datatypes.
        pub const KINDS: &[(&str, u32)] = &[$((stringify!($name), $number)),*];
    };
}

kinds! {
    MPI_AINT 0x201 Address MPI_COUNT 0x202 Address MPI_OFFSET 0x203 Address MPI_PACKED 0x207 Packed
    MPI_SHORT 0x208 Int16 MPI_INT 0x209 Int32 MPI_LONG 0x20a Int64 MPI_LONG_LONG 0x20b Int64
    MPI_UNSIGNED_SHORT 0x20c Uint16 MPI_UNSIGNED 0x20d Uint32 MPI_UNSIGNED_LONG 0x20e Uint64
    MPI_UNSIGNED_LONG_LONG 0x20f Uint64 MPI_FLOAT 0x210 Float32 MPI_C_FLOAT_COMPLEX 0x212 Complex32
    MPI_CXX_FLOAT_COMPLEX 0x213 Complex32 MPI_DOUBLE 0x214 Float64 MPI_C_DOUBLE_COMPLEX 0x216 Complex64
    MPI_CXX_DOUBLE_COMPLEX 0x217 Complex64 MPI_LOGICAL 0x218 Logical MPI_INTEGER 0x219 Int32 MPI_REAL 0x21a Float32
    MPI_COMPLEX 0x21b Complex32 MPI_DOUBLE_PRECISION 0x21c Float64 MPI_DOUBLE_COMPLEX 0x21d Complex64
    MPI_CHARACTER 0x21e Char MPI_LONG_DOUBLE 0x220 LongDouble MPI_C_LONG_DOUBLE_COMPLEX 0x224 LongDoubleComplex
    MPI_CXX_LONG_DOUBLE_COMPLEX 0x225 LongDoubleComplex MPI_FLOAT_INT 0x228 FloatInt MPI_DOUBLE_INT 0x229 DoubleInt
    MPI_LONG_INT 0x22a LongInt MPI_2INT 0x22b TwoInt MPI_SHORT_INT 0x22c ShortInt
    MPI_LONG_DOUBLE_INT 0x22d LongDoubleInt MPI_2REAL 0x230 TwoFloat MPI_2DOUBLE_PRECISION 0x231 TwoDouble
    MPI_2INTEGER 0x232 TwoInt MPI_C_BOOL 0x238 Bool MPI_CXX_BOOL 0x239 Bool MPI_WCHAR 0x23c WideChar
    MPI_INT8_T 0x240 Int8 MPI_UINT8_T 0x241 Uint8 MPI_CHAR 0x243 Char MPI_SIGNED_CHAR 0x244 Int8
    MPI_UNSIGNED_CHAR 0x245 Uint8 MPI_BYTE 0x247 Byte MPI_INT16_T 0x248 Int16 MPI_UINT16_T 0x249 Uint16
    MPI_INT32_T 0x250 Int32 MPI_UINT32_T 0x251 Uint32 MPI_INT64_T 0x258 Int64 MPI_UINT64_T 0x259 Uint64
    MPI_INTEGER1 0x2c1 Int8 MPI_INTEGER2 0x2c9 Int16 MPI_LOGICAL4 0x2d0 Logical MPI_INTEGER4 0x2d1 Int32
    MPI_REAL4 0x2d2 Float32 MPI_INTEGER8 0x2d9 Int64 MPI_REAL8 0x2da Float64 MPI_COMPLEX8 0x2db Complex32
    MPI_COMPLEX16 0x2e3 Complex64 MPI_LOGICAL1 0x2c0 Bool MPI_LOGICAL2 0x2c8 Logical16 MPI_LOGICAL8 0x2d8 Logical64
    MPI_LOGICAL16 0x2e0 Logical128 MPI_INTEGER16 0x2e1 Int128 MPI_REAL2 0x2ca Float16 MPI_REAL16 0x2e2 Float128
    MPI_COMPLEX4 0x2d3 Complex16 MPI_COMPLEX32 0x2eb Complex128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_the_numbers_of_the_standard() {
        use Predefined::*;
        // MPI 5.0, appendix A.1.1: MPI_SUM to MPI_NO_OP. 0x209 is MPI_INT, 0x22b MPI_2INT.
        for (number, operation, datatype) in [
            (0x21, Sum, 0x209),
            (0x22, Min, 0x209),
            (0x23, Max, 0x209),
            (0x24, Product, 0x209),
            (0x28, BitAnd, 0x209),
            (0x29, BitOr, 0x209),
            (0x2a, BitXor, 0x209),
            (0x30, LogicalAnd, 0x209),
            (0x31, LogicalOr, 0x209),
            (0x32, LogicalXor, 0x209),
            (0x38, MinLocation, 0x22b),
            (0x39, MaxLocation, 0x22b),
            (0x3c, Replace, 0x209),
            (0x3d, Nothing, 0x209),
        ] {
            let found = standard(number, datatype).map(|(operation, _)| operation);
            assert_eq!(found.ok(), Some(operation), "{number:x}");
        }
        for (number, datatype) in [(0x20, 0x209), (0x25, 0x209), (0x3e, 0x209), (0x21, 0x200), (0x38, 0x209)]
        {
            assert!(standard(number, datatype).is_err(), "{number:x} {datatype:x}");
        }
    }
}
