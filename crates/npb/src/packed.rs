//! Conversion between numbers and the bytes of messages, little endian.

use mpi::Kind;

/// A number in a message.
pub trait Number: Copy {
    /// Length in bytes.
    const BYTES: usize;
    /// Kind for operations of MPI.
    const KIND: Kind;
    /// Appends the number to `bytes`.
    fn put(self, bytes: &mut Vec<u8>);
    /// Decodes a number from `BYTES` bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($kind:ty: $mpi:ident)*) => {$(
        impl Number for $kind {
            const BYTES: usize = size_of::<$kind>();
            const KIND: Kind = Kind::$mpi;

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("chunks are as long as numbers"))
            }
        }
    )*};
}

number!(f64: Float64 u32: Uint32 u64: Uint64);

/// Encodes numbers one after the other.
pub fn pack<N: Number>(numbers: &[N]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * N::BYTES);
    numbers.iter().for_each(|number| number.put(&mut bytes));
    bytes
}

/// Decodes all numbers.
pub fn unpack<N: Number>(bytes: &[u8]) -> Vec<N> {
    bytes.chunks_exact(N::BYTES).map(N::get).collect()
}
