//! Calls and answers as bytes, and back. Reading any bytes gives a message or an error, and reserves no more memory than the bytes take.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why bytes are no message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// They are not of this form.
    #[error("the bytes in the slot are no message")]
    Form,
    /// There are more of them.
    #[error("{0} bytes follow the message in the slot")]
    Rest(usize),
}

/// A message as bytes.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_stdvec(message).expect("memory takes everything")
}

/// The message that bytes are.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(DecodeError::Rest(rest.len())),
        Err(_) => Err(DecodeError::Form),
    }
}

#[cfg(all(test, feature = "mpi"))]
mod tests {
    use proptest::prelude::*;
    use serde_bytes::ByteBuf;

    use super::*;
    use crate::mpi::call::*;

    fn bytes() -> impl Strategy<Value = ByteBuf> {
        prop::collection::vec(any::<u8>(), 0..300).prop_map(ByteBuf::from)
    }

    fn how() -> impl Strategy<Value = Combination> {
        prop_oneof![
            any::<(u32, u32)>()
                .prop_map(|(operation, datatype)| Combination::Standard { operation, datatype }),
            any::<(u32, u32, u64, bool)>().prop_map(|(operation, datatype, element, commutative)| {
                Combination::Program { operation, datatype, element, commutative }
            }),
        ]
    }

    fn collective() -> impl Strategy<Value = Collective> {
        let lengths = || prop::option::of(prop::collection::vec(any::<u64>(), 0..20));
        prop_oneof![
            Just(Collective::Barrier),
            (any::<u32>(), bytes(), lengths(), any::<u64>())
                .prop_map(|(root, bytes, lengths, own)| Collective::Scatter { root, bytes, lengths, own }),
            (bytes(), lengths(), lengths())
                .prop_map(|(bytes, to, from)| Collective::ToAll { bytes, lengths: to.zip(from) }),
            (any::<Option<u32>>(), bytes(), how()).prop_map(|(root, bytes, how)| Collective::Reduce {
                root,
                bytes,
                how
            }),
        ]
    }

    fn call() -> impl Strategy<Value = Call> {
        prop_oneof![
            Just(Call::Begin),
            (any::<(u32, u32, u32, bool)>(), bytes()).prop_map(|((on, to, tag, later), bytes)| Call::Send {
                on,
                mode: Mode::Ready,
                to,
                tag,
                later,
                bytes
            }),
            any::<(u32, Option<u32>, Option<u32>, u64, bool)>()
                .prop_map(|(on, from, tag, most, later)| Call::Receive { on, from, tag, most, later }),
            prop::collection::vec(any::<u32>(), 0..50)
                .prop_map(|requests| Call::Ends { requests, of: Of::SomeIfThere }),
            (any::<u32>(), collective(), any::<bool>()).prop_map(|(on, what, later)| Call::Collective {
                on,
                what,
                later
            }),
            bytes().prop_map(Call::Combined),
            ".{0,40}".prop_map(Call::Stands),
        ]
    }

    /// Bytes that mean nothing; the first ones choose what is read, so all kinds of calls come.
    fn garbage(length: usize, seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let byte = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        let mut bytes: Vec<u8> = (0..length).map(byte).collect();
        // An empty name, no time, no blocks: then the number of a call.
        let head = [0, 0, 0, seed as u8 % 20];
        let most = length.min(head.len());
        bytes[..most].copy_from_slice(&head[..most]);
        bytes
    }

    #[test]
    fn garbage_of_every_length_is_read_without_harm() {
        for length in 0..2000 {
            for seed in 0..20 {
                let bytes = garbage(length, seed + 20 * length as u64);
                let _ = decode::<Called>(&bytes);
                let _ = decode::<Answer>(&bytes[3.min(length)..]);
            }
        }
        // A list that says that it is as long as can be reserves nothing.
        for kind in 0..20 {
            let longest = [&[0, 0, 0, kind][..], &[0xff; 9], &[1]].concat();
            assert!(decode::<Called>(&longest).is_err());
        }
    }

    proptest! {
        #[test]
        fn a_call_is_read_as_it_was_written(function in "MPI_[A-Za-z_]{0,30}", computed_ps: u64, blocks: u64, call in call()) {
            let called = Called { function, computed_ps, blocks, call };
            prop_assert_eq!(decode::<Called>(&encode(&called)), Ok(called));
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = decode::<Called>(&bytes);
            let _ = decode::<Answer>(&bytes);
        }

        #[test]
        fn a_call_with_changed_bytes_is_read_without_harm(call in call(), at: prop::sample::Index, byte: u8) {
            let mut bytes = encode(&Called { function: "MPI_Send".into(), computed_ps: 0, blocks: 0, call });
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = decode::<Called>(&bytes);
            let _ = decode::<Called>(&bytes[..at]);
        }

        #[test]
        fn what_follows_a_call_is_told(call in call(), rest in 1..9usize) {
            let mut bytes = encode(&Called { function: String::new(), computed_ps: 1, blocks: 1, call });
            bytes.extend(vec![0; rest]);
            prop_assert_eq!(decode::<Called>(&bytes), Err(DecodeError::Rest(rest)));
        }
    }
}
