//! Predefined datatypes by their representation in memory.

/// Representation of an element in memory. Several names of the standard may share one: `MPI_LONG` and
/// `MPI_INT64_T`, for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Uninterpreted byte (`MPI_BYTE`).
    Byte,
    /// Byte of packed data (`MPI_PACKED`).
    Packed,
    /// A character (`MPI_CHAR`, `MPI_CHARACTER`).
    Char,
    /// A wide character of 4 bytes (`MPI_WCHAR`).
    WideChar,
    /// An integer of 8 bits.
    Int8,
    /// An integer of 16 bits.
    Int16,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    /// An integer of 128 bits (`MPI_INTEGER16`).
    Int128,
    /// An unsigned integer of 8 bits.
    Uint8,
    /// An unsigned integer of 16 bits.
    Uint16,
    /// An unsigned integer of 32 bits.
    Uint32,
    /// An unsigned integer of 64 bits.
    Uint64,
    /// An address, an offset or a count of 64 bits (`MPI_AINT`, `MPI_OFFSET`, `MPI_COUNT`).
    Address,
    /// A floating-point number of 16 bits (`MPI_REAL2`).
    Float16,
    /// A floating-point number of 32 bits.
    Float32,
    /// A floating-point number of 64 bits.
    Float64,
    /// The 80 bits of an x87 in 16 bytes (`MPI_LONG_DOUBLE`).
    LongDouble,
    /// A floating-point number of 128 bits (`MPI_REAL16`).
    Float128,
    /// C `bool`, 1 byte (`MPI_C_BOOL`), and Fortran `LOGICAL(1)`.
    Bool,
    /// Fortran `LOGICAL(2)`.
    Logical16,
    /// Fortran `LOGICAL`, 4 bytes (`MPI_LOGICAL`).
    Logical,
    /// Fortran `LOGICAL(8)`.
    Logical64,
    /// Fortran `LOGICAL(16)`.
    Logical128,
    /// Two of `Float16`.
    Complex16,
    /// Two of `Float32`.
    Complex32,
    /// Two of `Float64`.
    Complex64,
    /// Two of `Float128`.
    Complex128,
    /// Two of `LongDouble`.
    LongDoubleComplex,
    /// `float` and `int` (`MPI_FLOAT_INT`).
    FloatInt,
    /// `double` and `int` (`MPI_DOUBLE_INT`).
    DoubleInt,
    /// `long` and `int` (`MPI_LONG_INT`).
    LongInt,
    /// `int` twice (`MPI_2INT`, `MPI_2INTEGER`).
    TwoInt,
    /// `short` and `int` (`MPI_SHORT_INT`).
    ShortInt,
    /// `long double` and `int` (`MPI_LONG_DOUBLE_INT`).
    LongDoubleInt,
    /// `float` twice (`MPI_2REAL`).
    TwoFloat,
    /// `double` twice (`MPI_2DOUBLE_PRECISION`).
    TwoDouble,
}

/// Class of a datatype, which decides on the operations allowed (MPI 4.1, section 6.9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Signed and unsigned integers.
    Integer,
    /// Addresses, offsets and counts.
    Multilanguage,
    /// Floating-point numbers.
    Floating,
    /// Logical values of C and Fortran.
    Logical,
    /// Complex numbers.
    Complex,
    /// Bytes.
    Byte,
    /// A value and an index.
    Pair,
    /// Datatypes without operations.
    Opaque,
}

impl Kind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Kind; 37] = [
        Kind::Byte,
        Kind::Packed,
        Kind::Char,
        Kind::WideChar,
        Kind::Int8,
        Kind::Int16,
        Kind::Int32,
        Kind::Int64,
        Kind::Int128,
        Kind::Uint8,
        Kind::Uint16,
        Kind::Uint32,
        Kind::Uint64,
        Kind::Address,
        Kind::Float16,
        Kind::Float32,
        Kind::Float64,
        Kind::LongDouble,
        Kind::Float128,
        Kind::Bool,
        Kind::Logical16,
        Kind::Logical,
        Kind::Logical64,
        Kind::Logical128,
        Kind::Complex16,
        Kind::Complex32,
        Kind::Complex64,
        Kind::Complex128,
        Kind::LongDoubleComplex,
        Kind::FloatInt,
        Kind::DoubleInt,
        Kind::LongInt,
        Kind::TwoInt,
        Kind::ShortInt,
        Kind::LongDoubleInt,
        Kind::TwoFloat,
        Kind::TwoDouble,
    ];

    /// Parts of a kind: value and index of a pair, otherwise the kind itself.
    pub const fn parts(self) -> (Kind, Option<Kind>) {
        match self {
            Kind::FloatInt => (Kind::Float32, Some(Kind::Int32)),
            Kind::DoubleInt => (Kind::Float64, Some(Kind::Int32)),
            Kind::LongInt => (Kind::Int64, Some(Kind::Int32)),
            Kind::TwoInt => (Kind::Int32, Some(Kind::Int32)),
            Kind::ShortInt => (Kind::Int16, Some(Kind::Int32)),
            Kind::LongDoubleInt => (Kind::LongDouble, Some(Kind::Int32)),
            Kind::TwoFloat => (Kind::Float32, Some(Kind::Float32)),
            Kind::TwoDouble => (Kind::Float64, Some(Kind::Float64)),
            other => (other, None),
        }
    }

    /// Bytes of data, gaps excluded.
    pub const fn size(self) -> usize {
        match self {
            Kind::Byte | Kind::Packed | Kind::Char | Kind::Int8 | Kind::Uint8 | Kind::Bool => 1,
            Kind::Int16 | Kind::Uint16 | Kind::Float16 | Kind::Logical16 => 2,
            Kind::WideChar | Kind::Int32 | Kind::Uint32 | Kind::Float32 | Kind::Logical | Kind::Complex16 => {
                4
            }
            Kind::Int64
            | Kind::Uint64
            | Kind::Address
            | Kind::Float64
            | Kind::Complex32
            | Kind::Logical64 => 8,
            Kind::LongDouble | Kind::Complex64 | Kind::Int128 | Kind::Float128 | Kind::Logical128 => 16,
            Kind::LongDoubleComplex | Kind::Complex128 => 32,
            pair => match pair.parts() {
                (value, Some(index)) => value.size() + index.size(),
                (value, None) => value.size(),
            },
        }
    }

    /// Alignment in bytes, after the x86-64 ABI.
    pub const fn alignment(self) -> usize {
        match self {
            Kind::Complex16 => 2,
            Kind::Complex32 => 4,
            Kind::Complex64 => 8,
            Kind::Complex128 | Kind::LongDoubleComplex => 16,
            pair => match pair.parts() {
                (value, Some(index)) if value.size() < index.size() => index.alignment(),
                (value, Some(_)) => value.alignment(),
                (value, None) => value.size(),
            },
        }
    }

    /// Bytes from one element to the next in memory.
    pub const fn extent(self) -> usize {
        match self.parts() {
            (_, Some(index)) => (self.index_offset() + index.size()).next_multiple_of(self.alignment()),
            _ => self.size(),
        }
    }

    /// Byte offset of the index of a pair.
    pub const fn index_offset(self) -> usize {
        match self.parts() {
            (value, Some(index)) => value.size().next_multiple_of(index.alignment()),
            _ => 0,
        }
    }

    /// Class that decides on the operations allowed.
    pub const fn class(self) -> Class {
        match self {
            Kind::Byte => Class::Byte,
            Kind::Packed | Kind::Char | Kind::WideChar => Class::Opaque,
            Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::Int128 => Class::Integer,
            Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 => Class::Integer,
            Kind::Address => Class::Multilanguage,
            Kind::Float16 | Kind::Float32 | Kind::Float64 | Kind::LongDouble | Kind::Float128 => {
                Class::Floating
            }
            Kind::Bool | Kind::Logical16 | Kind::Logical | Kind::Logical64 | Kind::Logical128 => {
                Class::Logical
            }
            Kind::Complex16 | Kind::Complex32 | Kind::Complex64 => Class::Complex,
            Kind::Complex128 | Kind::LongDoubleComplex => Class::Complex,
            _ => Class::Pair,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_laid_out_as_c_structures() {
        let of = |kind: Kind| (kind.size(), kind.index_offset(), kind.extent());
        assert_eq!(of(Kind::ShortInt), (6, 4, 8));
        assert_eq!(of(Kind::FloatInt), (8, 4, 8));
        assert_eq!(of(Kind::DoubleInt), (12, 8, 16));
        assert_eq!(of(Kind::LongDoubleInt), (20, 16, 32));
        assert_eq!(of(Kind::TwoDouble), (16, 8, 16));
    }

    #[test]
    fn extents_are_multiples_of_alignments() {
        for kind in Kind::ALL {
            assert_eq!(kind.extent() % kind.alignment(), 0, "{kind:?}");
            assert!(kind.size() <= kind.extent(), "{kind:?}");
        }
    }
}
