//! Encoding and decoding of calls and answers.

use proptest::prelude::*;
use serde_bytes::ByteBuf;

use super::*;
use crate::{DecodeError, decode, encode};

fn bytes() -> impl Strategy<Value = ByteBuf> {
    prop::collection::vec(any::<u8>(), 0..300).prop_map(ByteBuf::from)
}

fn reduction() -> impl Strategy<Value = Reduction> {
    prop_oneof![
        any::<(u32, u32)>().prop_map(|(operation, datatype)| Reduction::Predefined { operation, datatype }),
        any::<(u32, u32, u64, bool)>().prop_map(|(operation, datatype, element, commutative)| {
            Reduction::User { operation, datatype, element, commutative }
        }),
    ]
}

fn root() -> impl Strategy<Value = Root> {
    prop_oneof![Just(Root::Here), Just(Root::Elsewhere), any::<u32>().prop_map(Root::from)]
}

fn collective() -> impl Strategy<Value = Collective> {
    let lengths = || prop::option::of(prop::collection::vec(any::<u64>(), 0..20));
    prop_oneof![
        Just(Collective::Barrier),
        (root(), bytes(), lengths(), any::<u64>())
            .prop_map(|(root, bytes, lengths, own)| Collective::Scatter { root, bytes, lengths, own }),
        (bytes(), lengths(), lengths())
            .prop_map(|(bytes, to, from)| Collective::Alltoall { bytes, lengths: to.zip(from) }),
        (prop::option::of(root()), bytes(), reduction())
            .prop_map(|(root, bytes, reduction)| Collective::Reduce { root, bytes, reduction }),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        Just(Call::Init),
        (any::<(u32, u32, u32, bool)>(), bytes()).prop_map(
            |((communicator, destination, tag, nonblocking), bytes)| {
                Call::Send { communicator, mode: SendMode::Ready, destination, tag, nonblocking, bytes }
            }
        ),
        any::<(u32, Option<u32>, Option<u32>, u64, bool)>().prop_map(
            |(communicator, source, tag, capacity, nonblocking)| {
                Call::Receive { communicator, source, tag, capacity, nonblocking }
            }
        ),
        prop::collection::vec(any::<u32>(), 0..50)
            .prop_map(|requests| Call::Complete { requests, mode: CompletionMode::TestSome }),
        (any::<u32>(), collective(), any::<bool>()).prop_map(|(communicator, operation, nonblocking)| {
            Call::Collective { communicator, operation, nonblocking }
        }),
        any::<(u32, u32, Option<(u32, u32)>, u32)>().prop_map(|(communicator, leader, peer, tag)| {
            Call::CreateIntercommunicator { communicator, leader, peer, tag }
        }),
        (any::<(u32, u32)>(), prop::collection::vec((bytes(), any::<u32>()), 0..3)).prop_map(
            |((communicator, root), programs)| {
                let program = |(word, processes): (ByteBuf, u32)| {
                    let (path, folder) = (None, Some(word.clone()));
                    SpawnedProgram { words: vec![word], processes, path, folder }
                };
                let programs = Some(programs.into_iter().map(program).collect());
                Call::Spawn { communicator, root, programs }
            }
        ),
        bytes().prop_map(Call::Reduced),
        ".{0,40}".prop_map(Call::Location),
    ]
}

/// Random bytes behind a head that selects the kind of call.
fn garbage(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let byte = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let mut bytes: Vec<u8> = (0..length).map(byte).collect();
    // An empty name, no time, no blocks, and the number of a call.
    let head = [0, 0, 0, seed as u8 % 20];
    let most = length.min(head.len());
    bytes[..most].copy_from_slice(&head[..most]);
    bytes
}

#[test]
fn random_bytes_of_every_length_are_decoded_or_refused() {
    for length in 0..2000 {
        for seed in 0..20 {
            let bytes = garbage(length, seed + 20 * length as u64);
            let _ = decode::<CallMessage>(&bytes);
            let _ = decode::<Answer>(&bytes[3.min(length)..]);
        }
    }
    // The announced length of a list allocates nothing.
    for kind in 0..20 {
        let longest = [&[0, 0, 0, kind][..], &[0xff; 9], &[1]].concat();
        assert!(decode::<CallMessage>(&longest).is_err());
    }
}

proptest! {
    #[test]
    fn decoding_inverts_encoding(function in "MPI_[A-Za-z_]{0,30}", computed_ps: u64, blocks: u64, call in call()) {
        let data = Some(Region { address: computed_ps, length: blocks });
        let places = vec![None, Some(Place::Nowhere), data.map(Place::At)];
        let looks = vec![1, blocks];
        let called = CallMessage { computed_ps, blocks, looks, data, places, ..CallMessage::new(function, call) };
        prop_assert_eq!(decode::<CallMessage>(&encode(&called)), Ok(called));
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = decode::<CallMessage>(&bytes);
        let _ = decode::<Answer>(&bytes);
    }

    #[test]
    fn call_with_a_changed_byte_is_decoded_or_refused(call in call(), at: prop::sample::Index, byte: u8) {
        let (function, looks) = ("MPI_Send".into(), Vec::new());
        let mut bytes = encode(&CallMessage { function, computed_ps: 0, blocks: 0, looks, thread: None, call, memory: None, data: None, places: vec![None, Some(Place::Nowhere)] });
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = decode::<CallMessage>(&bytes);
        let _ = decode::<CallMessage>(&bytes[..at]);
    }

    #[test]
    fn bytes_after_a_call_are_counted(call in call(), rest in 1..9usize) {
        let (function, looks) = (String::new(), Vec::new());
        let mut bytes = encode(&CallMessage { function, computed_ps: 1, blocks: 1, looks, thread: None, call, memory: None, data: None, places: vec![None, Some(Place::Nowhere)] });
        bytes.extend(vec![0; rest]);
        prop_assert_eq!(decode::<CallMessage>(&bytes), Err(DecodeError::TrailingBytes(rest)));
    }
}

#[test]
fn looks_are_calls_that_do_not_wait_for_an_event() {
    use CompletionMode::*;
    let complete = |mode| Call::Complete { requests: vec![1], mode };
    for mode in [TestAll, TestAny, TestSome] {
        assert!(complete(mode).is_look(), "{mode:?}");
    }
    for mode in [WaitAll, WaitAny, WaitSome] {
        assert!(!complete(mode).is_look(), "{mode:?}");
    }
    for blocking in [false, true] {
        let probe = Call::Probe { communicator: 0, source: None, tag: None, matched: false, blocking };
        assert_eq!(probe.is_look(), !blocking);
    }
    assert!(Call::IsComplete(1).is_look());
    assert!(!Call::Init.is_look() && !Call::FreeRequest(1).is_look());
}
