//! Invalid entries and malformed packets in lockstep: they end in a status, and valid ones still pass.

use cenju3::Cenju3;
use cenju3::memory_map::{Kind, Refusal};
use cenju3::registers::{Refused, Register, Status};
use cenju3::traffic::bad_input::{entries, message, packets, receive};
use cenju3::traffic::element::Entry;
use cenju3::traffic::layout::{SOURCE, WINDOW};
use cenju3::traffic::pair::Pair;
use cosim::Lockstep;
use hdl::Model;

use crate::board::nif;

type Nifs = Pair<Lockstep<Model<Cenju3>>>;

fn pair(test: &str, new_rom: bool) -> Nifs {
    let mut pair = Pair::new([0, 1].map(|_| nif(1, test)), 1, new_rom);
    until(&mut pair, |pair| pair.cycles == 40);
    pair
}

fn until(pair: &mut Nifs, condition: impl FnMut(&Nifs) -> bool) {
    let ran = pair.run_until(1_000_000, condition).unwrap_or_else(|error| panic!("{error}"));
    ran.expect("it comes within a million cycles");
}

/// Value of Status in element 0.
fn status(pair: &Nifs) -> u8 {
    pair.nifs[0].model().device().register_file.status
}

/// A valid message, the entry and another valid message: both messages arrive, and the registers report the
/// entry.
fn is_refused(test: &str, queue: usize, new_rom: bool, entry: Entry) -> Option<Refusal> {
    let mut pair = pair(test, new_rom);
    pair.elements[0].send(queue, Entry::new(Kind::Message0, 1, 8, SOURCE, 0));
    pair.elements[0].send(queue, entry);
    pair.elements[0].send(queue, Entry::new(Kind::Message0, 1, 16, SOURCE, 0));
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 2);
    pair.nifs.iter_mut().for_each(|nif| nif.compare_memories().unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(status(&pair), Status { entry: true, ..Status::default() }.bits() as u8, "{entry:?}");
    let registers = &pair.nifs[0].model().device().register_file;
    Refusal::from_code(Refused::from_bits(registers.refused_entry.into()).why)
}

#[test]
fn entry_that_may_not_be_sent_is_refused_alike() {
    for (entry, why, _) in entries() {
        assert_eq!(is_refused("entry_that_may_not", 0, true, entry), Some(why), "{entry:?}");
        assert_eq!(is_refused("entry_that_may_not", 1, false, entry), Some(why), "old ROM: {entry:?}");
    }
}

#[test]
fn user_dma_that_crosses_the_end_of_the_window_is_refused_alike() {
    let entry = Entry::new(Kind::Dma, 3, 9, SOURCE, 0x3_fff8);
    assert_eq!(is_refused("user_dma_that_crosses", 1, true, entry), Some(Refusal::Window));
}

#[test]
fn masks_written_while_the_user_queue_is_not_empty_stay_alike() {
    let mut pair = pair("masks_written", true);
    for _ in 0..20 {
        pair.elements[0].send(1, Entry::new(Kind::Dma, 1, 2048, SOURCE, 0));
    }
    until(&mut pair, |pair| pair.cycles == 1_000);
    for register in [Register::AddressBase, Register::PeBase, Register::PeMask] {
        pair.elements[0].set(register, 0xff_ffff);
    }
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 20);
    assert!(pair.elements[1].arrivals.iter().all(|arrival| arrival.address == WINDOW));
    assert!(Status::from_bits(status(&pair).into()).mask, "the writes are told");
}

#[test]
fn access_to_no_register_reads_0_alike() {
    let mut pair = pair("access_to_no_register", true);
    pair.elements[0].access(0xffc, None);
    pair.elements[0].access(Register::QueueRead1.info().offset, Some(9));
    until(&mut pair, |pair| pair.cycles == 200);
    assert_eq!(pair.elements[0].answers[0], (0xffc, 0));
    assert!(Status::from_bits(status(&pair).into()).access);
}

#[test]
fn invalid_packets_are_dropped_by_model_and_rtl() {
    for words in packets() {
        let mut nif = nif(1, "invalid_packets_are_dropped");
        let element = receive(&mut nif, &[words.clone(), message()].concat());
        let element = element.unwrap_or_else(|error| panic!("{error}"));
        nif.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(nif.model().device().register_file.dropped, 1, "{words:x?}");
        assert_eq!(element.arrivals.len(), 1, "{words:x?}");
    }
}
