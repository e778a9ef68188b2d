//! Calls and answers as bytes. Decoding any bytes gives a message or an error, and allocates no more memory than the
//! bytes occupy.

use postcard::experimental::serialized_size;
use postcard::ser_flavors::Flavor;
use postcard::serialize_with_flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::Xxh3;

/// Why bytes cannot be decoded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// They do not have the form of this type.
    #[error("the bytes in the slot are no message")]
    Malformed,
    /// Bytes follow the message.
    #[error("{0} bytes follow the message in the slot")]
    TrailingBytes(usize),
}

/// Encodes a message; every value of a message type can be encoded.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_stdvec(message).expect("memory takes everything")
}

/// Hashes an encoded message, after its length.
pub(crate) fn hash_encoded(message: &[u8], hash: &mut Xxh3) {
    hash.update(&(message.len() as u64).to_le_bytes());
    hash.update(message);
}

/// Hashes a long message as [`hash_encoded`], but does not store it encoded.
pub(crate) fn hash_long<T: Serialize>(message: &T, hash: &mut Xxh3) {
    let length = serialized_size(message).expect("every value has a size") as u64;
    hash.update(&length.to_le_bytes());
    serialize_with_flavor(message, Hashing(hash)).expect("a hash takes everything");
}

/// Takes the bytes of a message into a hash.
struct Hashing<'a>(&'a mut Xxh3);

impl Flavor for Hashing<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.update(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.update(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Decodes a message that takes all of the bytes.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(DecodeError::TrailingBytes(rest.len())),
        Err(_) => Err(DecodeError::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use serde_bytes::ByteBuf;

    use super::*;

    #[test]
    fn long_messages_hash_as_their_encoding() {
        for length in [0, 1, 127, 128, 300, 70_000] {
            let message = (7u16, ByteBuf::from(vec![length as u8; length]), Some("text".to_owned()));
            let (mut stored, mut passed) = (Xxh3::new(), Xxh3::new());
            hash_encoded(&encode(&message), &mut stored);
            hash_long(&message, &mut passed);
            assert_eq!(stored.digest128(), passed.digest128(), "{length}");
        }
    }
}
