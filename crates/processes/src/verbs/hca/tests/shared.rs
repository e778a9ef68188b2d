//! Shared receive queues: whose requests they are, and when they come back.

use super::*;
use crate::verbs::call::AsyncEvent;
use crate::verbs::hca::errno::{EBUSY, EINVAL, ENOMEM, EOPNOTSUPP};

const CREATE: Call = Call::CreateSharedQueue { domain: 1, requests: 16, pieces: 2 };

/// A datagram queue pair, number 2, with shared receive queue 0.
fn sharing() -> Vec<Call> {
    let init = QueuePairInit { domain: 1, sends: 4, ..QueuePairInit::default() };
    vec![
        Call::AllocateDomain,
        Call::CreateCompletionQueue(10),
        Call::RegisterMemory { domain: 1, length: 100, access: 1, shift: 0 },
        CREATE,
        Call::CreateSharingPair(init, 0),
    ]
}

/// Answers to calls after those of [`sharing`].
fn answers_after(calls: Vec<Call>) -> Vec<Result<Answer, i32>> {
    let before = sharing();
    let skipped = before.len();
    answers([before, calls].concat(), vec![0; BYTES]).0.split_off(skipped)
}

fn post(id: u64) -> Call {
    Call::PostShared { queue: 0, id, pieces: vec![Buffer { key: 0x1000, offset: 0, length: 60 }] }
}

#[test]
fn queue_is_kept_for_its_queue_pairs_and_has_its_sizes() {
    let piece = Buffer::default();
    let mut calls = vec![
        Call::DestroySharedQueue(0),
        Call::PostReceive { pair: 2, id: 1, pieces: Vec::new() },
        Call::PostShared { queue: 0, id: 1, pieces: vec![piece; 3] },
        Call::SetLimit { queue: 0, least: 17 },
    ];
    calls.extend((0..17).map(post));
    calls.extend([Call::DestroyQueuePair(2), Call::DeregisterMemory(0x1000), Call::DeallocateDomain(1)]);
    calls.extend([Call::DestroySharedQueue(0), Call::DeallocateDomain(1)]);
    let answers = answers_after(calls);
    assert_eq!(answers[..4], [Err(EBUSY), Err(EINVAL), Err(EINVAL), Err(EINVAL)]);
    assert!(answers[4..20].iter().all(Result::is_ok));
    let done = || Ok(Answer::Done);
    assert_eq!(answers[20..], [Err(ENOMEM), done(), done(), Err(EBUSY), done(), done()]);
}

#[test]
fn queue_pair_of_another_domain_or_service_is_refused() {
    let pair = |service, domain| {
        Call::CreateSharingPair(QueuePairInit { service, domain, ..QueuePairInit::default() }, 0)
    };
    let answers = answers_after(vec![
        Call::AllocateDomain,
        pair(Service::ReliableConnection, 2),
        pair(Service::UnreliableConnection, 1),
        Call::CreateSharingPair(QueuePairInit { domain: 1, ..QueuePairInit::default() }, 1),
    ]);
    assert_eq!(answers[1..], [Err(EINVAL), Err(EOPNOTSUPP), Err(EINVAL)]);
}

#[test]
fn requests_survive_the_error_of_their_queue_pair() {
    let fail = QueuePairAttributes { mask: mask::STATE, state: 6, ..QueuePairAttributes::default() };
    let reset = QueuePairAttributes { state: 0, ..fail };
    let change = |attributes| Call::ModifyQueuePair { pair: 2, attributes };
    let mut calls = steps().to_vec();
    calls.extend([post(80), edges::datagram(None), change(fail)]);
    calls.push(Call::TakeAsyncEvent { waits: true });
    calls.extend([post(81), change(reset)]);
    calls.extend(steps());
    calls.push(edges::datagram(None));
    calls.extend(vec![Call::Poll { queue: 0, most: 4 }; 40]);
    let answers = answers_after(calls);
    assert_eq!(answers[6], Ok(Answer::AsyncEvent(AsyncEvent::LastRequest(2))));
    let completions: Vec<_> = answers
        .iter()
        .filter_map(|answer| match answer {
            Ok(Answer::Completions(completions)) => Some(completions.clone()),
            _ => None,
        })
        .flatten()
        .filter(|completion| completion.operation.is_receive())
        .map(|completion| (completion.id, completion.status))
        .collect();
    assert_eq!(completions, [(80, 0)], "the queue pair failed before the datagram arrived");
}

#[test]
fn limit_is_reported_once_when_fewer_requests_are_left() {
    let mut calls = steps().to_vec();
    calls.extend([post(1), post(2), Call::SetLimit { queue: 0, least: 2 }, Call::QueryLimit(0)]);
    calls.extend([edges::datagram(None), Call::TakeAsyncEvent { waits: true }, Call::QueryLimit(0)]);
    // One is left already.
    calls.extend([Call::SetLimit { queue: 0, least: 2 }, Call::TakeAsyncEvent { waits: false }]);
    let answers = answers_after(calls);
    let event = || Ok(Answer::AsyncEvent(AsyncEvent::Limit(0)));
    let number = |number| Ok(Answer::Number(number));
    assert_eq!(
        answers[5..],
        [Ok(Answer::Done), number(2), Ok(Answer::Done), event(), number(0), Ok(Answer::Done), event()]
    );
}
