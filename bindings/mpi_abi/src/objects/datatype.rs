//! Datatypes, as a rank knows them; what they mean is the business of crate `mpi`.

use mpi::{Datatype, Kind};

use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A datatype.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its handle.
    pub handle: MPI_Datatype,
    /// Where its bytes are.
    pub layout: Datatype,
    /// It may be used in messages.
    pub committed: bool,
    /// Its name, if it was given one.
    pub name: Option<String>,
}

macro_rules! kinds {
    ($($name:ident $kind:ident)*) => {
        /// The kind of a predefined datatype.
        pub fn kind(handle: MPI_Datatype) -> Option<Kind> {
            $(if handle == $name {
                return Some(Kind::$kind);
            })*
            None
        }

        /// The name of a predefined datatype.
        pub fn name(handle: MPI_Datatype) -> Option<&'static str> {
            $(if handle == $name {
                return Some(stringify!($name));
            })*
            None
        }

        #[cfg(test)]
        const NAMES: &[(&str, MPI_Datatype)] = &[$((stringify!($name), $name)),*];
    };
}

kinds! {
    MPI_INT Int32 MPI_DOUBLE Float64 MPI_BYTE Byte MPI_CHAR Char MPI_FLOAT Float32 MPI_LONG Int64 MPI_PACKED Packed
    MPI_AINT Address MPI_COUNT Address MPI_OFFSET Address
    MPI_SHORT Int16 MPI_LONG_LONG Int64 MPI_UNSIGNED_SHORT Uint16 MPI_UNSIGNED Uint32 MPI_UNSIGNED_LONG Uint64
    MPI_UNSIGNED_LONG_LONG Uint64 MPI_SIGNED_CHAR Int8 MPI_UNSIGNED_CHAR Uint8 MPI_WCHAR WideChar
    MPI_LONG_DOUBLE LongDouble
    MPI_C_FLOAT_COMPLEX Complex32 MPI_C_DOUBLE_COMPLEX Complex64 MPI_C_LONG_DOUBLE_COMPLEX LongDoubleComplex
    MPI_CXX_FLOAT_COMPLEX Complex32 MPI_CXX_DOUBLE_COMPLEX Complex64 MPI_CXX_LONG_DOUBLE_COMPLEX LongDoubleComplex
    MPI_C_BOOL Bool MPI_CXX_BOOL Bool
    MPI_LOGICAL Logical MPI_INTEGER Int32 MPI_REAL Float32 MPI_COMPLEX Complex32 MPI_DOUBLE_PRECISION Float64
    MPI_DOUBLE_COMPLEX Complex64 MPI_CHARACTER Char
    MPI_FLOAT_INT FloatInt MPI_DOUBLE_INT DoubleInt MPI_LONG_INT LongInt MPI_2INT TwoInt MPI_SHORT_INT ShortInt
    MPI_LONG_DOUBLE_INT LongDoubleInt MPI_2REAL TwoFloat MPI_2DOUBLE_PRECISION TwoDouble MPI_2INTEGER TwoInt
    MPI_INT8_T Int8 MPI_UINT8_T Uint8 MPI_INT16_T Int16 MPI_UINT16_T Uint16 MPI_INT32_T Int32 MPI_UINT32_T Uint32
    MPI_INT64_T Int64 MPI_UINT64_T Uint64
    MPI_LOGICAL4 Logical MPI_INTEGER1 Int8 MPI_INTEGER2 Int16 MPI_INTEGER4 Int32 MPI_INTEGER8 Int64
    MPI_REAL4 Float32 MPI_REAL8 Float64 MPI_COMPLEX8 Complex32 MPI_COMPLEX16 Complex64
}

/// A predefined datatype.
pub fn predefined(handle: MPI_Datatype) -> Option<Type> {
    let layout = Datatype::named(kind(handle)?, handle.value() as u64);
    Some(Type { handle, layout, committed: true, name: None })
}

/// An error of crate `mpi` about a datatype.
pub fn fault(error: mpi::Error) -> Fault {
    Fault::new(rank::class(&error), error.to_string())
}

impl Type {
    /// Bytes of so many in a message.
    pub fn bytes(&self, count: usize) -> Outcome<usize> {
        let bytes = self.layout.size().checked_mul(count as u64).and_then(|bytes| usize::try_from(bytes).ok());
        bytes.ok_or_else(|| Fault::new(MPI_ERR_COUNT, "so many elements are more than memory holds"))
    }

    /// The bytes of so many.
    pub fn pack(&self, memory: Memory, count: usize) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        self.pack_to(memory, count, &mut bytes)?;
        Ok(bytes)
    }

    /// Adds the bytes of so many.
    pub fn pack_to(&self, memory: Memory, count: usize, bytes: &mut Vec<u8>) -> Outcome {
        self.check(memory, count)?;
        let size = self.bytes(count)?;
        bytes.try_reserve(size).map_err(|_| Fault::new(MPI_ERR_NO_MEM, "there is no memory for the message"))?;
        self.layout.runs(count as u64, |at, length| memory.read(at, length, bytes)).map_err(fault)
    }

    /// Puts bytes into the places of at most so many.
    pub fn unpack(&self, memory: Memory, count: usize, bytes: &[u8]) -> Outcome {
        let mut rest = bytes;
        if bytes.is_empty() {
            return Ok(());
        }
        self.check(memory, count)?;
        if bytes.len() > self.bytes(count)? {
            return Err(Fault::new(MPI_ERR_TRUNCATE, "more came than there is room for"));
        }
        let used = bytes.len().div_ceil(self.layout.size().max(1) as usize);
        let put = |at, length: usize| {
            let (run, behind) = rest.split_at(length.min(rest.len()));
            memory.write(at, run);
            rest = behind;
        };
        self.layout.runs(used as u64, put).map_err(fault)
    }

    /// A null pointer is a buffer only of datatypes that hold addresses themselves, or of nothing.
    fn check(&self, memory: Memory, count: usize) -> Outcome {
        let low = memory.address() <= MPI_BUFFER_AUTOMATIC;
        if low && count > 0 && self.layout.size() > 0 && self.layout.true_lower() < 4096 {
            return Err(Fault::new(MPI_ERR_BUFFER, "a buffer at a null pointer"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_sizes_are_those_that_the_handles_tell() {
        for (name, handle) in NAMES {
            // Bits 5 to 3 of types of a fixed size (MPI 5.0, section 20.3.2).
            if handle.value() >= 0x240 {
                let size = 1 << (handle.value() >> 3 & 7);
                assert_eq!(kind(*handle).unwrap().size(), size, "{name}");
            }
        }
    }
}
