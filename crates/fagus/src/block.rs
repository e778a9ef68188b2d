//! Data of an object: bytes that lie as numbers do.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// What can be shared: numbers, and structures of them that have no gaps.
pub trait Plain: FromBytes + IntoBytes + Immutable + Copy + 'static {}

impl<T: FromBytes + IntoBytes + Immutable + Copy + 'static> Plain for T {}

/// Bytes at an address that all [`Plain`] types of up to 8 bytes alignment can lie at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    words: Vec<u64>,
    bytes: usize,
}

impl Block {
    /// So many zeros.
    pub fn zeros(bytes: usize) -> Block {
        Block { words: vec![0; bytes.div_ceil(8)], bytes }
    }

    /// A copy of these bytes.
    pub fn of(bytes: &[u8]) -> Block {
        let mut block = Block::zeros(bytes.len());
        block.bytes_mut().copy_from_slice(bytes);
        block
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.words.as_bytes()[..self.bytes]
    }

    /// The bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.words.as_mut_bytes()[..self.bytes]
    }

    /// As numbers. The block holds a whole number of them: so it was declared.
    pub fn numbers<T: Plain>(&self) -> &[T] {
        <[T]>::ref_from_bytes(self.bytes()).expect("a block of numbers")
    }

    /// As numbers, to be written.
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
