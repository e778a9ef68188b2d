//! Atomic operations: between two models, and between an adapter and a peer that obeys no rule.

use hca::contexts::{Attributes, Key};
use hca::layout::PacketKind::{self, *};
use hca::layout::{Operation, SendWqe, Status};
use hca::protocol::responder::{ACK, NAK};
use hca::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::Ends;
use crate::alone::{Alone, PSN};

/// The word on which operations work, not the first one of its area.
const WORD: u32 = WINDOW.0 + 0x48;

/// A change of a request.
type Change = fn(SendWqe) -> SendWqe;

/// Connection with a short time-out.
fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, faults, |attributes| Attributes { timeout: 1, ..attributes })
}

impl Ends {
    fn add(&mut self, value: u64) {
        self.programs[0].fetch_add(&mut self.pair.hosts[0], value, WORD);
    }

    fn swap(&mut self, compare: u64, swap: u64) {
        self.programs[0].compare_swap(&mut self.pair.hosts[0], compare, swap, WORD);
    }

    fn word(&self) -> u64 {
        self.pair.hosts[1].memory[WORD as usize / 8]
    }

    fn originals(&self) -> Vec<u64> {
        let value = |bytes: &Vec<u8>| u64::from_le_bytes(bytes[..].try_into().expect("eight bytes"));
        self.programs[0].read.iter().map(value).collect()
    }
}

impl Alone {
    /// A request of the peer for the word.
    fn atomic(kind: PacketKind, psn: u32, address: u64, key: u32, operands: [u64; 2]) -> Packet {
        Self::packet(kind, PSN.wrapping_add(psn)).atomic(address, key, operands)
    }

    fn add(psn: u32, value: u64) -> Packet {
        Self::atomic(FetchAddRequest, psn, WORD.into(), WINDOW_KEY, [value, 0])
    }

    fn word(&self) -> u64 {
        self.pair.hosts[1].memory[WORD as usize / 8]
    }

    /// PSNs from the first one of the original values that have left since the last call.
    fn originals(&mut self) -> Vec<u32> {
        let left = self.left().into_iter().filter(|left| left.kind == AtomicAcknowledge.code());
        left.map(|left| left.psn.wrapping_sub(PSN) & 0xff_ffff).collect()
    }

    fn failures(&self) -> Vec<u8> {
        self.program.errors.iter().map(|cqe| cqe.status).collect()
    }
}

#[test]
fn original_value_comes_back_and_the_new_one_stays() {
    let mut ends = ends(1, Faults::default());
    let around = |ends: &Ends| [-1, 1].map(|by| ends.pair.hosts[1].memory[(WORD as i64 / 8 + by) as usize]);
    for at in WORD - 8..WORD + 16 {
        ends.pair.hosts[1].store(at, &[at as u8]);
    }
    let (before, first) = (around(&ends), ends.word());
    ends.add(0x0102_0304_0506_0708);
    ends.run(30);
    let second = first + 0x0102_0304_0506_0708;
    assert_eq!(ends.word(), second);
    // A comparison that fails writes nothing.
    ends.swap(second + 1, 9);
    ends.run(30);
    assert_eq!(ends.word(), second);
    ends.swap(second, u64::MAX);
    ends.run(30);
    assert_eq!(ends.word(), u64::MAX);
    // A sum wraps.
    ends.add(2);
    ends.run(30);
    assert_eq!((ends.word(), around(&ends)), (1, before));
    assert_eq!(ends.originals(), [first, second, second, u64::MAX]);
    assert!(ends.programs.iter().all(|program| program.errors.is_empty() && program.received.is_empty()));
    // One packet each way for each operation.
    assert_eq!([0, 1].map(|wire: usize| ends.pair.wires[wire].sent.len()), [4, 4]);
}

#[test]
fn operation_is_executed_once_over_a_bad_cable() {
    for seed in 1..6 {
        let mut ends = ends(seed, Faults { lost: 8, damaged: 12, cut: 15 });
        for i in 0..12 {
            ends.add(1);
            // Other requests come between; a READ takes the place of a saved answer.
            match i % 3 {
                0 => ends.programs[0].read(&mut ends.pair.hosts[0], 8, WORD),
                1 => ends.swap(i + 1, i + 1),
                _ => {}
            }
            for _ in 0..200 {
                if ends.programs[0].waiting() != 0 {
                    ends.run(50);
                }
            }
            assert_eq!((ends.programs[0].waiting(), ends.word()), (0, i + 1), "seed {seed}");
        }
        let expected: Vec<_> =
            (0..12).flat_map(|i| if i % 3 == 2 { vec![i] } else { vec![i, i + 1] }).collect();
        assert_eq!(ends.originals(), expected, "seed {seed}");
        assert!(ends.programs.iter().all(|program| program.errors.is_empty()), "seed {seed}");
        assert!(ends.pair.wires.iter().all(|wire| wire.losses > 3), "seed {seed}");
    }
}

#[test]
fn duplicate_has_the_saved_answer_and_changes_nothing() {
    let mut alone = Alone::new(1, |attributes| attributes);
    for (psn, value) in [(0, 5), (1, 7)] {
        alone.inject(&Alone::add(psn, value));
        alone.run(10);
        assert_eq!(alone.originals(), [psn]);
        // The monitor compares the original value with the first one.
        for _ in 0..2 {
            alone.inject(&Alone::add(psn, value));
            alone.run(10);
            assert_eq!(alone.originals(), [psn]);
        }
    }
    assert_eq!(alone.word(), 12);
    // Duplicates that arrive together, the first one while the answer is not sent.
    (0..3).for_each(|_| alone.inject(&Alone::add(2, 1)));
    alone.run(20);
    assert!(alone.originals().iter().all(|psn| *psn == 2));
    assert_eq!(alone.word(), 13);
    // A later operation has taken the place of the earlier one, whose duplicate has no answer.
    alone.inject(&Alone::add(1, 7));
    alone.run(10);
    assert_eq!((alone.left(), alone.word()), (vec![], 13));
}

#[test]
fn duplicate_behind_a_read_has_no_answer() {
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&Alone::add(0, 5));
    alone.inject(&Alone::packet(ReadRequest, PSN + 1).remote(WORD.into(), WINDOW_KEY, 8));
    alone.run(20);
    assert_eq!(alone.left().len(), 2);
    alone.inject(&Alone::add(0, 5));
    alone.run(20);
    assert_eq!((alone.left(), alone.word()), (vec![], 5));
    // The connection works on.
    alone.inject(&Alone::add(2, 5));
    alone.run(20);
    assert_eq!((alone.originals(), alone.word()), (vec![2], 10));
}

#[test]
fn request_that_is_not_allowed_is_refused_and_changes_nothing() {
    let at = |address: u64, key: u32, kind| Alone::atomic(kind, 0, address, key, [1, 0]);
    let word = u64::from(WORD);
    let mut cases: Vec<(Packet, u8)> =
        (1..8).map(|by| (at(word + by, WINDOW_KEY, FetchAddRequest), NAK | 1)).collect();
    for kind in [FetchAddRequest, CompareSwapRequest] {
        cases.push((at(word, WINDOW_KEY ^ 0x1000, kind), NAK | 2));
        cases.push((at(word | 1 << 32, WINDOW_KEY, kind), NAK | 2));
        cases.push((at(u64::from(WINDOW.0) - 8, WINDOW_KEY, kind), NAK | 2));
        cases.push((at(u64::from(WINDOW.0 + WINDOW.1), WINDOW_KEY, kind), NAK | 2));
        // Within a message of several packets.
        cases.push((at(word, WINDOW_KEY, kind), NAK | 1));
    }
    for (number, (packet, syndrome)) in cases.into_iter().enumerate() {
        let mut alone = Alone::new(1, |attributes| attributes);
        let before = alone.pair.hosts[1].memory.clone();
        let within = number > 7 && syndrome == NAK | 1;
        if within {
            alone.post();
            alone.wait(2);
            alone.inject(&Alone::packet(SendFirst, PSN).data(&[0; 256]));
            alone.inject(&Packet { psn: PSN + 1, ..packet });
        } else {
            alone.inject(&packet);
        }
        alone.run(20);
        assert_eq!(alone.answers(), [(within.into(), syndrome, 0)], "case {number}");
        assert!(within || alone.pair.hosts[1].memory == before, "case {number}");
        assert_eq!(alone.word(), 0, "case {number}");
    }
}

#[test]
fn other_rights_are_no_right_to_atomic_operations() {
    let rights = Key { local_write: true, remote_atomic: false, ..Connection::window() };
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.host().set_key(WINDOW_KEY, rights);
    alone.wait(40);
    alone.inject(&Alone::add(0, 1));
    alone.run(10);
    assert_eq!((alone.answers(), alone.word()), (vec![(0, NAK | 2, 0)], 0));
    // And the other way round.
    let rights = Key { remote_read: false, remote_write: false, ..Connection::window() };
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.host().set_key(WINDOW_KEY, rights);
    alone.wait(40);
    alone.inject(&Alone::add(0, 1));
    alone.run(10);
    assert_eq!((alone.originals(), alone.word()), (vec![0], 1));
}

/// An adapter without time-outs, whose operation is outstanding.
fn outstanding(operation: Operation) -> Alone {
    let mut alone = Alone::new(1, |attributes| Attributes { timeout: 0, ..attributes });
    let wqe = alone.program.remote(operation, 8, WORD);
    alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
    alone.run(6);
    assert_eq!(alone.left().len(), 1);
    alone
}

#[test]
fn answer_of_another_operation_ends_the_request() {
    let original = || Alone::packet(AtomicAcknowledge, PSN).original(1, 77);
    let data = || Alone::packet(ReadOnly, PSN).answer(ACK, 1).data(&[1; 8]);
    let operations = [Operation::FetchAdd, Operation::CompareSwap, Operation::RdmaRead];
    for operation in operations {
        for (packet, fits) in
            [(original(), operation != Operation::RdmaRead), (data(), operation == Operation::RdmaRead)]
        {
            let mut alone = outstanding(operation);
            alone.inject(&packet);
            alone.run(10);
            let expected = if fits { vec![] } else { vec![Status::BadResponse.code()] };
            assert_eq!((alone.failures(), alone.program.waiting()), (expected, 0), "{operation:?}");
            assert_eq!(alone.program.read.len(), usize::from(fits), "{operation:?}");
        }
        // An acknowledgement brings no value, and a value of another PSN is not this one's.
        let mut alone = outstanding(operation);
        alone.inject(&Alone::acknowledge(PSN, ACK));
        alone.inject(&Alone::packet(AtomicAcknowledge, PSN + 1).original(1, 77));
        alone.run(10);
        assert_eq!((alone.failures(), alone.program.waiting()), (vec![], 1), "{operation:?}");
    }
    // Without a request, the answer is nothing.
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&original());
    alone.run(10);
    assert_eq!((alone.failures(), alone.left()), (vec![], vec![]));
}

#[test]
fn request_of_wrong_length_or_without_a_buffer_is_not_sent() {
    let wrong: [(Change, Status); 4] = [
        (|wqe| SendWqe { length: 7, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { length: 0, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { length: 16, ..wqe }, Status::LengthError),
        // The owner may not write there.
        (|wqe| SendWqe { address: WORD, l_key: WINDOW_KEY, ..wqe }, Status::ProtectionError),
    ];
    for operation in [Operation::FetchAdd, Operation::CompareSwap] {
        for (wrong, status) in wrong {
            let mut alone = Alone::new(1, |attributes| attributes);
            let wqe = wrong(alone.program.remote(operation, 8, WORD));
            alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
            alone.run(10);
            assert_eq!((alone.failures(), alone.left()), (vec![status.code()], vec![]), "{operation:?}");
        }
        // A datagram queue pair has no atomic operations.
        let mut alone = Alone::new(1, |attributes| Attributes { connected: false, ..attributes });
        let wqe = alone.program.remote(operation, 8, WORD);
        alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
        alone.run(10);
        assert_eq!((alone.failures(), alone.left()), (vec![Status::OperationError.code()], vec![]));
    }
}
