//! What a guest's library never asks for, and what any process could: any calls in any order end in answers.

use cluster::Duration;
use hca_machine::{AnyNic, Cluster, Settings};
use hdl::Model;
use proptest::prelude::*;
use serde_bytes::ByteBuf;

use super::adapter::Adapter;
use crate::verbs::call::{Answer, Call, Called, Change, Destination, PairWanted, Place, Send};

/// Carries out calls on host 0 of two; the answers.
fn answers(calls: Vec<Call>) -> Vec<Result<Answer, i32>> {
    let nic = || Box::new(Model::new(hca::Hca::default())) as Box<AnyNic>;
    let mut cluster = Cluster::with_switch(vec![nic(), nic()], &Settings::default());
    let all = cluster.spawn(0, "guest", |port| async move {
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

fn place() -> impl Strategy<Value = Place> {
    (prop_oneof![Just(0x100), any::<u32>()], prop_oneof![0..200_u64, any::<u64>()], 0..100_u32)
        .prop_map(|(key, offset, length)| Place { key, offset, length })
}

fn change() -> impl Strategy<Value = Change> {
    (prop::option::of(0..8_u32), any::<[u8; 8]>()).prop_map(|(state, [a, b, c, d, e, f, g, h])| Change {
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
    })
}

fn send() -> impl Strategy<Value = Send> {
    (place(), any::<bool>(), prop::option::of(any::<(u16, u32, u32)>()), 0..200_usize).prop_map(
        |(place, flag, to, bytes)| Send {
            id: 7,
            place,
            data: ByteBuf::from(vec![1; bytes]),
            signalled: flag,
            solicited: !flag,
            immediate: flag.then_some(5),
            to: to.map(|(lid, pair, q_key)| Destination { lid, pair, q_key }),
        },
    )
}

fn call() -> impl Strategy<Value = Call> {
    let small = || 0..4_u8;
    let wanted = (any::<bool>(), small(), small(), small(), 0..2_000_u32, any::<u32>());
    prop_oneof![
        Just(Call::Open),
        Just(Call::MakeDomain),
        any::<u8>().prop_map(Call::EndDomain),
        (small(), prop_oneof![0..300_u64, any::<u64>()], any::<u8>(), prop_oneof![Just(1), any::<u32>()])
            .prop_map(|(domain, length, alignment, access)| Call::Register {
                domain,
                length,
                alignment,
                access
            }),
        prop_oneof![Just(0x100), any::<u32>()].prop_map(Call::Deregister),
        prop_oneof![1..100_u32, any::<u32>()].prop_map(Call::MakeQueue),
        any::<u8>().prop_map(Call::EndQueue),
        wanted.prop_map(|(connected, domain, send_queue, receive_queue, sends, receives)| {
            let receives = receives % 20_000;
            Call::MakePair(PairWanted { connected, domain, send_queue, receive_queue, sends, receives })
        }),
        (small(), change()).prop_map(|(pair, change)| Call::Modify { pair, change }),
        any::<u8>().prop_map(Call::EndPair),
        (small(), send()).prop_map(|(pair, request)| Call::Send { pair, request }),
        (small(), any::<u64>(), place()).prop_map(|(pair, id, place)| Call::Receive { pair, id, place }),
        (small(), any::<u32>()).prop_map(|(queue, most)| Call::Poll { queue, most }),
        small().prop_map(Call::Arm),
        Just(Call::Sleep(1)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_calls_in_any_order_are_answered(mut calls in prop::collection::vec(call(), 0..60)) {
        // So that some of them go far.
        let wanted = PairWanted { connected: false, domain: 1, send_queue: 0, receive_queue: 0, sends: 4, receives: 4 };
        let begin = [Call::MakeDomain, Call::MakeQueue(10), Call::Register { domain: 1, length: 100, alignment: 0, access: 1 }, Call::MakePair(wanted)];
        calls.splice(0..0, begin);
        prop_assert_eq!(answers(calls.clone()).len(), calls.len());
    }

    #[test]
    fn any_bytes_are_a_call_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(called) = crate::decode::<Called>(&bytes) {
            prop_assert_eq!(crate::decode::<Called>(&crate::encode(&called)).unwrap(), called);
        }
    }
}

#[test]
fn datagram_to_itself_comes_with_what_was_sent_and_where_it_goes() {
    let wanted =
        PairWanted { connected: false, domain: 1, send_queue: 0, receive_queue: 0, sends: 4, receives: 4 };
    let state = |state| Change { state: Some(state), q_key: Some(9), send_psn: Some(3), ..Change::default() };
    let (source, target) =
        (Place { key: 0x100, offset: 1, length: 5 }, Place { key: 0x100, offset: 10, length: 60 });
    let request = Send {
        id: 70,
        place: source,
        data: ByteBuf::from(b"words".to_vec()),
        signalled: true,
        solicited: false,
        immediate: Some(0x1234),
        to: Some(Destination { lid: 1, pair: 2, q_key: 9 }),
    };
    let mut calls = vec![
        Call::MakeDomain,
        Call::MakeQueue(10),
        Call::Register { domain: 1, length: 100, alignment: 3, access: 1 },
        Call::MakePair(wanted),
    ];
    calls.extend([1, 2, 3].map(|to| Call::Modify { pair: 2, change: state(to) }));
    calls.extend([Call::Receive { pair: 2, id: 80, place: target }, Call::Send { pair: 2, request }]);
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 40]);
    let found: Vec<_> = answers(calls)
        .into_iter()
        .filter_map(|answer| match answer {
            Ok(Answer::Completions(found)) => Some(found),
            Ok(_) => None,
            Err(errno) => panic!("error {errno}"),
        })
        .flatten()
        .collect();
    let [sent, came] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((sent.id, sent.status, sent.received.is_none()), (70, 0, true));
    let (place, bytes) = came.received.as_ref().expect("it came");
    assert_eq!(
        (came.id, came.bytes, came.immediate, came.source, came.source_lid),
        (80, 45, Some(0x1234), 2, 1)
    );
    assert_eq!((place.offset, &bytes[40..]), (10, &b"words"[..]));
}
