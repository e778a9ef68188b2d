//! Any calls in any order are answered: the library makes few of them, but a process can make all.

mod edges;
mod shared;
mod skipping;

use std::cell::RefCell;
use std::rc::Rc;

use cluster::Duration;
use hca_machine::windows::ProcessPages;
use hca_machine::{AnyNic, Cluster, Settings};
use hdl::Model;
use proptest::prelude::*;
use serde_bytes::ByteBuf;

use super::adapter::Adapter;
use crate::verbs::call::{
    Answer, Attachment, Binding, Buffer, Call, CallMessage, Completion, Destination, MemoryAddress,
    QueuePairAttributes, QueuePairInit, SendOperation, SendRequest, Service, mask,
};
use crate::{decode, encode};

/// Number and first address of the process that the tests have.
const PROCESS: u32 = 7;
const MEMORY: u64 = 0x7000_0000_0000;
/// Bytes of its memory.
const BYTES: usize = 0x4000;

/// Memory of a process; other addresses cannot be accessed.
struct Pages(RefCell<Vec<u8>>);

impl ProcessPages for Pages {
    fn read(&self, address: u64, into: &mut [u8]) -> bool {
        let begin = address.wrapping_sub(MEMORY) as usize;
        let bytes = self.0.borrow();
        let found = begin.checked_add(into.len()).and_then(|end| bytes.get(begin..end));
        found.map(|found| into.copy_from_slice(found)).is_some()
    }

    fn write(&self, address: u64, bytes: &[u8]) -> bool {
        let begin = address.wrapping_sub(MEMORY) as usize;
        let mut all = self.0.borrow_mut();
        let found = begin.checked_add(bytes.len()).and_then(|end| all.get_mut(begin..end));
        found.map(|found| found.copy_from_slice(bytes)).is_some()
    }
}

/// The result of work on the adapter of host 0 of two, and the memory of its process at the end.
fn on_adapter<T: 'static>(
    memory: Vec<u8>,
    work: impl AsyncFnOnce(&mut Adapter) -> T + 'static,
) -> (T, Vec<u8>) {
    on_cluster(&mut cluster(&Settings::default()), memory, work)
}

/// Two hosts.
fn cluster(settings: &Settings) -> Cluster {
    let nic = || Box::new(Model::new(hca::Hca::default())) as Box<AnyNic>;
    Cluster::with_switch(vec![nic(), nic()], settings)
}

/// The same on host 0 of this cluster.
fn on_cluster<T: 'static>(
    cluster: &mut Cluster,
    memory: Vec<u8>,
    work: impl AsyncFnOnce(&mut Adapter) -> T + 'static,
) -> (T, Vec<u8>) {
    let pages = Rc::new(Pages(RefCell::new(memory)));
    let found = pages.clone();
    let result = cluster.spawn(0, "program", |port| async move {
        let mut adapter = Adapter::load(port, Rc::default()).await;
        adapter.find_pages =
            Box::new(move |process| (process == PROCESS).then(|| found.clone() as Rc<dyn ProcessPages>));
        work(&mut adapter).await
    });
    cluster.run(Duration::from_us(1_000_000)).expect("the program ends");
    let memory = pages.0.borrow().clone();
    (result.take().expect("it has ended"), memory)
}

/// Carries out calls about the memory at offset 3.
async fn carry_out(adapter: &mut Adapter, calls: Vec<Call>) -> Vec<Result<Answer, i32>> {
    let mut answers = Vec::new();
    for call in calls {
        let place = MemoryAddress { process: PROCESS, address: MEMORY + 3 };
        answers.push(adapter.carry_out(call, Some(place)).await);
        adapter.host().synchronize_windows();
    }
    answers
}

/// Answers to these calls, and the memory at the end.
fn answers(calls: Vec<Call>, memory: Vec<u8>) -> (Vec<Result<Answer, i32>>, Vec<u8>) {
    on_adapter(memory, async move |adapter| carry_out(adapter, calls).await)
}

fn buffer() -> impl Strategy<Value = Buffer> {
    (prop_oneof![Just(0x1000), any::<u32>()], prop_oneof![0..200_u64, any::<u64>()], 0..100_u32)
        .prop_map(|(key, offset, length)| Buffer { key, offset, length })
}

fn attributes() -> impl Strategy<Value = QueuePairAttributes> {
    let steps = prop_oneof![
        Just(mask::STATE | mask::PARTITION | mask::PORT | mask::Q_KEY),
        Just(mask::STATE | mask::PARTITION | mask::PORT | mask::ACCESS),
        Just(mask::STATE),
        Just(mask::STATE | mask::SEND_PSN),
        0..1_u32 << 21,
    ];
    (steps, 0..8_u32, any::<[u8; 8]>()).prop_map(|(mask, state, [a, b, c, d, e, f, g, h])| {
        QueuePairAttributes {
            mask,
            state,
            port: 1,
            q_key: a.into(),
            access: u32::from(a & 7),
            mtu: u32::from(b) % 6,
            peer: c.into(),
            peer_lid: d.into(),
            receive_psn: u32::from(e) << 20,
            send_psn: f.into(),
            rnr_timer: g & 31,
            timeout: h & 31,
            retries: a & 7,
            rnr_retries: b & 7,
            reads: c & 1,
            ..QueuePairAttributes::default()
        }
    })
}

fn send() -> impl Strategy<Value = SendRequest> {
    let operation = prop_oneof![
        Just(SendOperation::Send),
        Just(SendOperation::Write),
        Just(SendOperation::Read),
        Just(SendOperation::CompareSwap),
        Just(SendOperation::FetchAdd)
    ];
    let pieces = prop::collection::vec(buffer(), 0..4);
    let inline = prop::option::of(0..200_usize);
    (operation, pieces, inline, any::<bool>(), prop::option::of(any::<(u16, u32, u32)>())).prop_map(
        |(operation, pieces, inline, flag, to)| SendRequest {
            id: 7,
            operation,
            pieces,
            inline: inline.map(|bytes| ByteBuf::from(vec![1; bytes])),
            signalled: flag,
            solicited: !flag,
            immediate: flag.then_some(5),
            remote_key: 0x10000,
            swap: 1,
            compare: 2,
            destination: to.map(|(lid, pair, q_key)| Destination { lid, pair, q_key }),
        },
    )
}

fn call() -> impl Strategy<Value = Call> {
    let small = || 0..4_u8;
    let service = prop_oneof![
        Just(Service::ReliableConnection),
        Just(Service::UnreliableConnection),
        Just(Service::Datagram)
    ];
    let init = (service, small(), small(), small(), 0..2_000_u32, any::<u32>());
    prop_oneof![
        Just(Call::Open),
        Just(Call::AllocateDomain),
        any::<u8>().prop_map(Call::DeallocateDomain),
        (small(), prop_oneof![0..300_u64, any::<u64>()], prop_oneof![Just(7), any::<u32>()], any::<u64>())
            .prop_map(|(domain, length, access, shift)| Call::RegisterMemory {
                domain,
                length,
                access,
                shift
            }),
        (Just(0x1000), prop::option::of(small()), prop::option::of(0..300_u64), prop::option::of(0..8_u32))
            .prop_map(|(key, domain, length, access)| Call::ReregisterMemory { key, domain, length, access }),
        prop_oneof![Just(0x1000), any::<u32>()].prop_map(Call::DeregisterMemory),
        prop_oneof![1..100_u32, any::<u32>()].prop_map(Call::CreateCompletionQueue),
        (small(), prop_oneof![1..100_u32, any::<u32>()])
            .prop_map(|(queue, entries)| Call::ResizeCompletionQueue { queue, entries }),
        any::<u8>().prop_map(Call::DestroyCompletionQueue),
        init.prop_map(|(service, domain, send_queue, receive_queue, sends, receives)| {
            let (receives, send_pieces, inline) = (receives % 20_000, receives % 5, receives % 300);
            let receive_pieces = send_pieces;
            Call::CreateQueuePair(QueuePairInit {
                service,
                domain,
                send_queue,
                receive_queue,
                sends,
                receives,
                send_pieces,
                receive_pieces,
                inline,
            })
        }),
        (small(), attributes()).prop_map(|(pair, attributes)| Call::ModifyQueuePair { pair, attributes }),
        small().prop_map(Call::QueryQueuePair),
        any::<u8>().prop_map(Call::DestroyQueuePair),
        (small(), send()).prop_map(|(pair, request)| Call::PostSend { pair, request }),
        (small(), any::<u64>(), prop::collection::vec(buffer(), 0..4))
            .prop_map(|(pair, id, pieces)| Call::PostReceive { pair, id, pieces }),
        Just(Call::TakeAsyncEvent { waits: false }),
        (small(), any::<u32>()).prop_map(|(queue, most)| Call::Poll { queue, most }),
        small().prop_map(Call::RequestNotification),
        shared_call(),
        window_call(),
        group_call(),
        Just(Call::Sleep(1)),
    ]
}

fn shared_call() -> impl Strategy<Value = Call> {
    let small = || 0..4_u8;
    let service = prop_oneof![Just(Service::ReliableConnection), Just(Service::Datagram)];
    prop_oneof![
        (small(), prop_oneof![0..40_u32, any::<u32>()], 0..40_u32)
            .prop_map(|(domain, requests, pieces)| Call::CreateSharedQueue { domain, requests, pieces }),
        (small(), 0..40_u32).prop_map(|(queue, least)| Call::SetLimit { queue, least }),
        small().prop_map(Call::QueryLimit),
        small().prop_map(Call::DestroySharedQueue),
        (small(), any::<u64>(), prop::collection::vec(buffer(), 0..4))
            .prop_map(|(queue, id, pieces)| Call::PostShared { queue, id, pieces }),
        (service, small(), small()).prop_map(|(service, domain, shared)| {
            let init = QueuePairInit { service, domain, sends: 4, ..QueuePairInit::default() };
            Call::CreateSharingPair(init, shared)
        }),
    ]
}

fn window_call() -> impl Strategy<Value = Call> {
    let binding = (any::<u64>(), any::<bool>(), prop::option::of(buffer()), 0..16_u32);
    let key = || prop_oneof![0x1000..0x1006_u32, any::<u32>()];
    prop_oneof![
        (0..4_u8).prop_map(|domain| Call::AllocateWindow { domain }),
        key().prop_map(Call::FreeWindow),
        (0..4_u8, key(), binding).prop_map(|(pair, window, (id, signalled, buffer, access))| {
            Call::BindWindow { pair, window, binding: Binding { id, signalled, buffer, access } }
        }),
    ]
}

fn group_call() -> impl Strategy<Value = Call> {
    let lid = prop_oneof![0xbfff..0xc012_u16, any::<u16>()];
    let attachment = (0..4_u8, lid, prop_oneof![Just(0xff), any::<u8>()], any::<bool>());
    attachment.prop_map(|(pair, lid, first, attaches)| {
        let attachment = Attachment { pair, lid, gid: [first; 16] };
        if attaches { Call::AttachGroup(attachment) } else { Call::DetachGroup(attachment) }
    })
}

/// A domain, a completion queue, a region of 100 bytes and a datagram queue pair.
fn objects() -> [Call; 4] {
    let init = QueuePairInit {
        domain: 1,
        sends: 4,
        receives: 4,
        send_pieces: 4,
        receive_pieces: 4,
        inline: 100,
        ..QueuePairInit::default()
    };
    [
        Call::AllocateDomain,
        Call::CreateCompletionQueue(10),
        Call::RegisterMemory { domain: 1, length: 100, access: 1, shift: 0 },
        Call::CreateQueuePair(init),
    ]
}

/// Completions of these calls, none of which fails.
fn completions(calls: Vec<Call>, memory: Vec<u8>) -> (Vec<Completion>, Vec<u8>) {
    let (answers, memory) = answers(calls, memory);
    let completions = answers.into_iter().filter_map(|answer| match answer {
        Ok(Answer::Completions(completions)) => Some(completions),
        Ok(_) => None,
        Err(errno) => panic!("error {errno}"),
    });
    (completions.flatten().collect(), memory)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_calls_in_any_order_are_answered(mut calls in prop::collection::vec(call(), 0..60)) {
        // Objects that the random calls can use.
        calls.splice(0..0, objects());
        let count = calls.len();
        prop_assert_eq!(answers(calls, vec![0; BYTES]).0.len(), count);
    }

    #[test]
    fn any_bytes_are_a_call_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(called) = decode::<CallMessage>(&bytes) {
            prop_assert_eq!(decode::<CallMessage>(&encode(&called)).unwrap(), called);
        }
    }
}

/// Changes that bring a datagram queue pair to the state in which it sends.
fn steps() -> [Call; 3] {
    let steps = [(1, mask::PARTITION | mask::PORT | mask::Q_KEY), (2, 0), (3, mask::SEND_PSN)];
    steps.map(|(state, mask)| Call::ModifyQueuePair {
        pair: 2,
        attributes: QueuePairAttributes {
            mask: mask | mask::STATE,
            state,
            port: 1,
            q_key: 9,
            send_psn: 3,
            ..QueuePairAttributes::default()
        },
    })
}

#[test]
fn datagram_to_the_own_queue_pair_arrives_with_its_data() {
    let source = Buffer { key: 0x1000, offset: 1, length: 5 };
    // The place of a route header and two buffers for the data.
    let targets = [(10, 40), (60, 2), (70, 20)];
    let pieces = targets.map(|(offset, length)| Buffer { key: 0x1000, offset, length }).to_vec();
    let request = SendRequest {
        id: 70,
        pieces: vec![source],
        signalled: true,
        immediate: Some(0x1234),
        destination: Some(Destination { lid: 1, pair: 2, q_key: 9 }),
        ..SendRequest::default()
    };
    let mut memory = vec![0; BYTES];
    memory[4..9].copy_from_slice(b"words");
    let mut calls = objects().to_vec();
    calls.extend(steps());
    calls.extend([Call::PostReceive { pair: 2, id: 80, pieces }, Call::PostSend { pair: 2, request }]);
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 40]);
    let (completions, memory) = completions(calls, memory);
    let [sent, received] = completions.as_slice() else { panic!("{completions:?}") };
    assert_eq!((sent.id, sent.status, sent.operation.is_receive()), (70, 0, false));
    assert_eq!(
        (received.id, received.bytes, received.immediate, received.source, received.source_lid),
        (80, 45, Some(0x1234), 2, 1)
    );
    assert_eq!((&memory[63..65], &memory[73..76]), (&b"wo"[..], &b"rds"[..]));
}

#[test]
fn requests_of_a_queue_pair_in_the_error_state_are_flushed() {
    let fail = QueuePairAttributes { mask: mask::STATE, state: 6, ..QueuePairAttributes::default() };
    let receive = |id| Call::PostReceive { pair: 2, id, pieces: Vec::new() };
    let mut calls = objects().to_vec();
    calls.extend(steps());
    calls.extend([receive(1), receive(2), Call::ModifyQueuePair { pair: 2, attributes: fail }, receive(3)]);
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 4]);
    let (completions, _) = completions(calls, vec![0; BYTES]);
    let found: Vec<_> = completions.iter().map(|completion| (completion.id, completion.status)).collect();
    assert_eq!(found, [(1, 5), (2, 5), (3, 5)]);
}
