//! Calls and answers as bytes. Decoding any bytes gives a message or an error, and allocates no more memory than the
//! bytes occupy.

use serde::Serialize;
use serde::de::DeserializeOwned;

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

/// Decodes a message that takes all of the bytes.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(DecodeError::TrailingBytes(rest.len())),
        Err(_) => Err(DecodeError::Malformed),
    }
}
