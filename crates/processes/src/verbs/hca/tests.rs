//! Any calls in any order are answered: the library makes few of them, but a process can make all.

use cluster::Duration;
use hca_machine::{AnyNic, Cluster, Settings};
use hdl::Model;
use proptest::prelude::*;
use serde_bytes::ByteBuf;

use super::adapter::Adapter;
use crate::verbs::call::{
    Answer, Buffer, Call, CallMessage, Destination, QueuePairAttributes, QueuePairInit, SendRequest,
};
use crate::{decode, encode};

/// Answers to these calls on host 0 of two.
fn answers(calls: Vec<Call>) -> Vec<Result<Answer, i32>> {
    let nic = || Box::new(Model::new(hca::Hca::default())) as Box<AnyNic>;
    let mut cluster = Cluster::with_switch(vec![nic(), nic()], &Settings::default());
    let all = cluster.spawn(0, "program", |port| async move {
        let mut adapter = Adapter::load(port).await;
        let mut answers = Vec::new();
        for call in calls {
            answers.push(adapter.carry_out(call).await);
        }
        answers
    });
    cluster.run(Duration::from_us(1_000_000)).expect("the program ends");
    all.take().expect("it has ended")
}

fn buffer() -> impl Strategy<Value = Buffer> {
    (prop_oneof![Just(0x100), any::<u32>()], prop_oneof![0..200_u64, any::<u64>()], 0..100_u32)
        .prop_map(|(key, offset, length)| Buffer { key, offset, length })
}

fn attributes() -> impl Strategy<Value = QueuePairAttributes> {
    (prop::option::of(0..8_u32), any::<[u8; 8]>()).prop_map(|(state, [a, b, c, d, e, f, g, h])| {
        QueuePairAttributes {
            state,
            q_key: Some(a.into()),
            mtu: Some(u32::from(b) % 6),
            peer: Some(c.into()),
            peer_lid: Some(d.into()),
            receive_psn: Some(u32::from(e) << 20),
            send_psn: Some(f.into()),
            rnr_timer: Some(g),
            timeout: Some(h),
            retries: Some(a),
            rnr_retries: Some(b),
        }
    })
}

fn send() -> impl Strategy<Value = SendRequest> {
    (buffer(), any::<bool>(), prop::option::of(any::<(u16, u32, u32)>()), 0..200_usize).prop_map(
        |(buffer, flag, to, bytes)| SendRequest {
            id: 7,
            buffer,
            data: ByteBuf::from(vec![1; bytes]),
            signalled: flag,
            solicited: !flag,
            immediate: flag.then_some(5),
            destination: to.map(|(lid, pair, q_key)| Destination { lid, pair, q_key }),
        },
    )
}

fn call() -> impl Strategy<Value = Call> {
    let small = || 0..4_u8;
    let init = (any::<bool>(), small(), small(), small(), 0..2_000_u32, any::<u32>());
    prop_oneof![
        Just(Call::Open),
        Just(Call::AllocateDomain),
        any::<u8>().prop_map(Call::DeallocateDomain),
        (small(), prop_oneof![0..300_u64, any::<u64>()], any::<u8>(), prop_oneof![Just(1), any::<u32>()])
            .prop_map(|(domain, length, alignment, access)| Call::RegisterMemory {
                domain,
                length,
                alignment,
                access
            }),
        prop_oneof![Just(0x100), any::<u32>()].prop_map(Call::DeregisterMemory),
        prop_oneof![1..100_u32, any::<u32>()].prop_map(Call::CreateCompletionQueue),
        any::<u8>().prop_map(Call::DestroyCompletionQueue),
        init.prop_map(|(connected, domain, send_queue, receive_queue, sends, receives)| {
            let receives = receives % 20_000;
            Call::CreateQueuePair(QueuePairInit {
                connected,
                domain,
                send_queue,
                receive_queue,
                sends,
                receives,
            })
        }),
        (small(), attributes()).prop_map(|(pair, attributes)| Call::ModifyQueuePair { pair, attributes }),
        any::<u8>().prop_map(Call::DestroyQueuePair),
        (small(), send()).prop_map(|(pair, request)| Call::PostSend { pair, request }),
        (small(), any::<u64>(), buffer()).prop_map(|(pair, id, buffer)| Call::PostReceive {
            pair,
            id,
            buffer
        }),
        (small(), any::<u32>()).prop_map(|(queue, most)| Call::Poll { queue, most }),
        small().prop_map(Call::RequestNotification),
        Just(Call::Sleep(1)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_calls_in_any_order_are_answered(mut calls in prop::collection::vec(call(), 0..60)) {
        // Objects that the random calls can use.
        let init = QueuePairInit { connected: false, domain: 1, send_queue: 0, receive_queue: 0, sends: 4, receives: 4 };
        let objects = [Call::AllocateDomain, Call::CreateCompletionQueue(10), Call::RegisterMemory { domain: 1, length: 100, alignment: 0, access: 1 }, Call::CreateQueuePair(init)];
        calls.splice(0..0, objects);
        prop_assert_eq!(answers(calls.clone()).len(), calls.len());
    }

    #[test]
    fn any_bytes_are_a_call_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(called) = decode::<CallMessage>(&bytes) {
            prop_assert_eq!(decode::<CallMessage>(&encode(&called)).unwrap(), called);
        }
    }
}

#[test]
fn datagram_to_the_own_queue_pair_arrives_with_its_data() {
    let init =
        QueuePairInit { connected: false, domain: 1, send_queue: 0, receive_queue: 0, sends: 4, receives: 4 };
    let state = |state| QueuePairAttributes {
        state: Some(state),
        q_key: Some(9),
        send_psn: Some(3),
        ..QueuePairAttributes::default()
    };
    let (source, target) =
        (Buffer { key: 0x100, offset: 1, length: 5 }, Buffer { key: 0x100, offset: 10, length: 60 });
    let request = SendRequest {
        id: 70,
        buffer: source,
        data: ByteBuf::from(b"words".to_vec()),
        signalled: true,
        solicited: false,
        immediate: Some(0x1234),
        destination: Some(Destination { lid: 1, pair: 2, q_key: 9 }),
    };
    let mut calls = vec![
        Call::AllocateDomain,
        Call::CreateCompletionQueue(10),
        Call::RegisterMemory { domain: 1, length: 100, alignment: 3, access: 1 },
        Call::CreateQueuePair(init),
    ];
    calls.extend([1, 2, 3].map(|to| Call::ModifyQueuePair { pair: 2, attributes: state(to) }));
    calls
        .extend([Call::PostReceive { pair: 2, id: 80, buffer: target }, Call::PostSend { pair: 2, request }]);
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 40]);
    let completions: Vec<_> = answers(calls)
        .into_iter()
        .filter_map(|answer| match answer {
            Ok(Answer::Completions(completions)) => Some(completions),
            Ok(_) => None,
            Err(errno) => panic!("error {errno}"),
        })
        .flatten()
        .collect();
    let [sent, received] = completions.as_slice() else { panic!("{completions:?}") };
    assert_eq!((sent.id, sent.status, sent.received.is_none()), (70, 0, true));
    let (buffer, bytes) = received.received.as_ref().expect("it is a receive");
    assert_eq!(
        (received.id, received.bytes, received.immediate, received.source, received.source_lid),
        (80, 45, Some(0x1234), 2, 1)
    );
    assert_eq!((buffer.offset, &bytes[40..]), (10, &b"words"[..]));
}
