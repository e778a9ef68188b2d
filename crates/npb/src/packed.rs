//! Numbers as the bytes of messages, and back.

/// A number that messages carry.
pub trait Number: Copy {
    /// Its bytes.
    const BYTES: usize;
    /// Puts it at the end.
    fn put(self, bytes: &mut Vec<u8>);
    /// Out of as many bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($kind:ty)*) => {$(
        impl Number for $kind {
            const BYTES: usize = size_of::<$kind>();

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("chunks are as long as numbers"))
            }
        }
    )*};
}

number!(f64 u32 u64);

/// Numbers one after the other.
pub fn pack<N: Number>(numbers: &[N]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * N::BYTES);
    numbers.iter().for_each(|number| number.put(&mut bytes));
    bytes
}

/// The numbers that were packed.
pub fn unpack<N: Number>(bytes: &[u8]) -> Vec<N> {
    bytes.chunks_exact(N::BYTES).map(N::get).collect()
}
