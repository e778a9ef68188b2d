//! Data of an object: bytes aligned for numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Types that can be shared: numbers, and structures of numbers without padding.
pub trait Plain: FromBytes + IntoBytes + Immutable + Copy + 'static {}

impl<T: FromBytes + IntoBytes + Immutable + Copy + 'static> Plain for T {}

/// Bytes aligned to 8, so that all [`Plain`] types of up to this alignment can be accessed in place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    words: Vec<u64>,
    bytes: usize,
}

impl Block {
    /// Zero-initialized block of this length.
    pub fn zeros(bytes: usize) -> Block {
        Block { words: vec![0; bytes.div_ceil(8)], bytes }
    }

    /// Copies the bytes.
    pub fn of(bytes: &[u8]) -> Block {
        let mut block = Block::zeros(bytes.len());
        block.bytes_mut().copy_from_slice(bytes);
        block
    }

    /// Length as given, without the padding of the last word.
    pub fn bytes(&self) -> &[u8] {
        &self.words.as_bytes()[..self.bytes]
    }

    /// Mutable bytes, without the padding of the last word.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.words.as_mut_bytes()[..self.bytes]
    }

    /// Typed view. The declaration guarantees a whole number of elements.
    pub fn numbers<T: Plain>(&self) -> &[T] {
        <[T]>::ref_from_bytes(self.bytes()).expect("a block of numbers")
    }

    /// Mutable typed view.
    pub fn numbers_mut<T: Plain>(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(self.bytes_mut()).expect("a block of numbers")
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.bytes())
    }
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Block::of(&serde_bytes::ByteBuf::deserialize(deserializer)?))
    }
}
