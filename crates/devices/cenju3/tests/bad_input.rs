use cenju3::Cenju3;
use cenju3::memory_map::{Kind, MEMORY_BYTES, Refusal};
use cenju3::pins::LinkWord;
use cenju3::registers::{Refused, Register, Status, cause};
use cenju3::traffic::bad_input::{entries, message, packets, receive};
use cenju3::traffic::element::Entry;
use cenju3::traffic::layout::{DATA, SOURCE, WINDOW};
use hdl::Model;

use crate::{pair, read, run, until};

/// Sends an invalid entry; returns reason, destination and address from the registers.
fn refused(queue: usize, new_rom: bool, entry: Entry) -> (Option<Refusal>, u8, u32) {
    let mut pair = pair(new_rom);
    pair.elements[0].send(queue, Entry::new(Kind::Message0, 1, 8, SOURCE, 0));
    pair.elements[0].send(queue, entry);
    pair.elements[0].send(queue, Entry::new(Kind::Message0, 1, 16, SOURCE, 0));
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 2);
    assert_eq!(read(&mut pair, 0, Register::Status), 1);
    let refused = Refused::from_bits(read(&mut pair, 0, Register::RefusedEntry).into());
    assert_eq!((refused.user, refused.entry), (queue == 1, 1));
    assert_eq!(read(&mut pair, 0, Register::InterruptCause), u32::from(cause::FAULT));
    let address = read(&mut pair, 0, Register::RefusedAddress);
    (Refusal::from_code(refused.why), refused.pe, address)
}

#[test]
fn refused_entry_reports_destination_and_address() {
    for (entry, why, address) in entries() {
        let pe = entry.control.pe;
        assert_eq!(refused(0, true, entry), (Some(why), pe, address), "{entry:?}");
        assert_eq!(refused(1, false, entry), (Some(why), pe, address), "old ROM: {entry:?}");
    }
}

#[test]
fn user_dma_that_crosses_the_end_of_the_window_is_refused() {
    let entry = Entry::new(Kind::Dma, 3, 9, SOURCE, 0x3_fff8);
    assert_eq!(refused(1, true, entry), (Some(Refusal::Window), 1, WINDOW + 0x3_fff8));
}

#[test]
fn masks_do_not_change_while_the_user_queue_is_not_empty() {
    let mut pair = pair(true);
    for _ in 0..20 {
        pair.elements[0].send(1, Entry::new(Kind::Dma, 1, 2048, SOURCE, 0));
    }
    run(&mut pair, 1_000);
    for (register, value) in [(Register::AddressBase, 0xc_0000), (Register::PeBase, 4), (Register::PeMask, 9)]
    {
        pair.elements[0].set(Register::Status, 0x7f);
        pair.elements[0].set(register, value);
        assert!(Status::from_bits(read(&mut pair, 0, Register::Status).into()).mask, "{register:?}");
        assert_ne!(read(&mut pair, 0, register), value);
    }
    until(&mut pair, |pair| pair.elements[0].is_sent());
    pair.elements[0].set(Register::AddressBase, 0xc_0000);
    assert_eq!(read(&mut pair, 0, Register::AddressBase), 0xc_0000);
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 20);
    assert!(pair.elements[1].arrivals.iter().all(|arrival| arrival.address == WINDOW));
}

#[test]
fn masks_stay_locked_until_the_entry_is_done() {
    let mut pair = pair(true);
    pair.elements[0].send(1, Entry::new(Kind::Dma, 1, 2048, SOURCE, 0));
    run(&mut pair, 1_000);
    assert_eq!(read(&mut pair, 0, Register::QueueWrite1), 1);
    pair.elements[0].set(Register::QueueWrite1, 0);
    pair.elements[0].set(Register::AddressBase, 0xc_0000);
    assert!(Status::from_bits(read(&mut pair, 0, Register::Status).into()).mask);
    assert_eq!(read(&mut pair, 0, Register::AddressBase), WINDOW);
}

#[test]
fn bases_change_only_while_the_nif_is_stopped() {
    let mut pair = pair(true);
    let access = |status: u32| Status::from_bits(status.into()).access;
    for (stopped, value, taken) in [
        (false, 0xa000, false),
        (true, 0xa000, true),
        (true, 0xa800, false),
        (true, MEMORY_BYTES, false),
        (true, !0, false),
    ] {
        pair.elements[0].set(Register::Control, u32::from(!stopped));
        pair.elements[0].set(Register::Status, 0x7f);
        for register in [Register::QueueBase0, Register::HeaderBase2, Register::DataBase1] {
            pair.elements[0].set(register, value);
            assert_eq!(read(&mut pair, 0, register) == value, taken, "{register:?} {value:#x}");
        }
        assert_eq!(access(read(&mut pair, 0, Register::Status)), !taken);
    }
}

#[test]
fn access_to_no_register_reads_0_and_sets_the_status() {
    let mut pair = pair(true);
    pair.elements[0].access(0xffc, None);
    pair.elements[0].access(Register::QueueRead1.info().offset, Some(9));
    let status = read(&mut pair, 0, Register::Status);
    assert_eq!(pair.elements[0].answers[0], (0xffc, 0));
    assert_eq!(status, 1 << 2);
    assert_eq!(pair.nifs[0].device().send_queue_1.read, 0);
}

#[test]
fn invalid_packets_are_dropped_and_counted() {
    let after = |words: &[LinkWord]| {
        let mut nif = Model::new(Cenju3::default());
        let element = receive(&mut nif, words).unwrap();
        (nif.device().register_file.dropped, nif.device().register_file.status, element.arrivals)
    };
    let (dropped, status, arrivals) = after(&message());
    assert_eq!((dropped, status, arrivals.len()), (0, 0, 1));
    assert_eq!(arrivals[0].library, [1, 2, 3, 4]);
    for words in packets() {
        let (dropped, status, arrivals) = after(&[words.clone(), message()].concat());
        assert_eq!((dropped, status, arrivals.len()), (1, 1 << 3, 1), "{words:x?}");
        assert_eq!(arrivals[0].address, DATA[0], "the ring did not move");
    }
}
