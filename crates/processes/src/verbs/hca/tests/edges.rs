//! Calls on both sides of the conditions on which they depend.

use super::*;
use crate::verbs::call::AsyncEvent;
use crate::verbs::hca::errno::{EAGAIN, EBUSY, ENOMEM};

const REGISTER: Call = Call::RegisterMemory { domain: 1, length: 100, access: 1, shift: 0 };

/// A send request without data from queue pair 2 to itself.
pub(super) fn datagram(inline: Option<usize>) -> Call {
    let request = SendRequest {
        inline: inline.map(|bytes| ByteBuf::from(vec![1; bytes])),
        signalled: true,
        destination: Some(Destination { lid: 1, pair: 2, q_key: 9 }),
        ..SendRequest::default()
    };
    Call::PostSend { pair: 2, request }
}

/// Answers to calls with a datagram queue pair that can send.
fn answers_ready(calls: Vec<Call>) -> Vec<Result<Answer, i32>> {
    let before: Vec<Call> = objects().into_iter().chain(steps()).collect();
    let skipped = before.len();
    answers([before, calls].concat(), vec![0; BYTES]).0.split_off(skipped)
}

#[test]
fn protection_domain_in_use_is_not_deallocated() {
    let end = Call::DeallocateDomain;
    let calls = vec![
        Call::AllocateDomain,
        end(2),
        Call::DeregisterMemory(0x1000),
        end(1),
        Call::DestroyQueuePair(2),
        REGISTER,
        end(1),
        Call::DeregisterMemory(0x2000),
        end(1),
    ];
    let done = || Ok(Answer::Done);
    let expected = [
        Ok(Answer::Number(2)),
        done(),
        done(),
        Err(EBUSY),
        done(),
        Ok(Answer::Number(0x2000)),
        Err(EBUSY),
        done(),
        done(),
    ];
    assert_eq!(answers_ready(calls), expected);
}

#[test]
fn inline_data_of_no_bytes_need_no_key() {
    // Memory windows take rows of keys without a word to the adapter.
    let windows = vec![Call::AllocateWindow { domain: 1 }; hca::contexts::KEYS - 1];
    let count = windows.len();
    let answers = answers_ready([windows, vec![datagram(Some(0)), datagram(Some(1))]].concat());
    assert!(answers[..count].iter().all(Result::is_ok));
    assert_eq!(answers[count..], [Ok(Answer::Done), Err(ENOMEM)]);
}

#[test]
fn datagram_without_immediate_data_has_none_on_arrival() {
    let pieces = vec![Buffer { key: 0x1000, offset: 0, length: 60 }];
    let mut calls = objects().to_vec();
    calls.extend(steps());
    calls.extend([Call::PostReceive { pair: 2, id: 80, pieces }, datagram(None)]);
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 40]);
    let (completions, _) = completions(calls, vec![0; BYTES]);
    let [_, received] = completions.as_slice() else { panic!("{completions:?}") };
    assert_eq!((received.id, received.status, received.immediate), (80, 0, None));
}

#[test]
fn send_queue_is_draining_until_its_requests_are_complete() {
    let drain = QueuePairAttributes { mask: mask::STATE, state: 4, ..QueuePairAttributes::default() };
    let drain = Call::ModifyQueuePair { pair: 2, attributes: drain };
    let poll = vec![Call::Poll { queue: 0, most: 4 }; 40];
    let query = || vec![Call::QueryQueuePair(2)];
    let answers = answers_ready([vec![datagram(None), drain], query(), poll, query()].concat());
    let state = |is_draining| Ok(Answer::QueuePairState { state: 4, is_draining });
    assert_eq!((&answers[2], answers.last().unwrap()), (&state(true), &state(false)));
}

#[test]
fn simulation_goes_ahead_of_a_program_that_polls_again() {
    let mut calls = objects().to_vec();
    calls.extend(vec![Call::Poll { queue: 0, most: 1 }; 2]);
    let work = async move |adapter: &mut Adapter| {
        let answers = carry_out(adapter, calls).await;
        (answers, adapter.host().doorbell_lead().ps())
    };
    let ((answers, lead), _) = on_adapter(vec![0; BYTES], work);
    let [.., Ok(Answer::Empty { until_ps: first, .. }), Ok(Answer::Empty { until_ps: second, .. })] =
        answers.as_slice()
    else {
        panic!("{answers:?}")
    };
    assert!(second - first >= lead, "{first} {second} {lead}");
}

/// A new queue of this number overflows with completions of a new queue pair; then the program waits for the events.
pub(super) fn overflow(queue: u8, pair: u8) -> Vec<Call> {
    let init = QueuePairInit {
        domain: 1,
        send_queue: queue,
        receive_queue: queue,
        sends: 256,
        ..QueuePairInit::default()
    };
    let mut calls = vec![Call::CreateCompletionQueue(64), Call::CreateQueuePair(init)];
    calls.extend(steps().map(|step| match step {
        Call::ModifyQueuePair { attributes, .. } => Call::ModifyQueuePair { pair, attributes },
        other => other,
    }));
    let destination = Some(Destination { lid: 1, pair: 9, q_key: 9 });
    let request = SendRequest { signalled: true, destination, ..SendRequest::default() };
    calls.extend(vec![Call::PostSend { pair, request }; 130]);
    calls.extend(vec![Call::TakeAsyncEvent { waits: true }; 2]);
    calls
}

#[test]
fn overflow_of_a_completion_queue_is_reported_once() {
    let mut calls = vec![Call::AllocateDomain];
    calls.extend([(0, 2), (1, 3)].into_iter().flat_map(|(queue, pair)| overflow(queue, pair)));
    calls.push(Call::TakeAsyncEvent { waits: false });
    let (answers, _) = answers(calls, vec![0; BYTES]);
    let events: Vec<AsyncEvent> = answers
        .iter()
        .filter_map(|answer| match answer {
            Ok(Answer::AsyncEvent(event)) => Some(*event),
            _ => None,
        })
        .collect();
    let expected = [
        AsyncEvent::QueueError(0),
        AsyncEvent::PairFatal(2),
        AsyncEvent::QueueError(1),
        AsyncEvent::PairFatal(3),
    ];
    assert_eq!(events, expected);
    assert_eq!(answers.last(), Some(&Err(EAGAIN)));
}
