use cenju3::Cenju3;
use cenju3::clocks::CORE;
use cenju3::memory_map::{Header, Kind, MEMORY_BYTES, Refusal};
use cenju3::pins::{In, LinkWord};
use cenju3::registers::{Refused, Register, Status, cause};
use cenju3::traffic::element::{Element, Entry};
use cenju3::traffic::layout::{DATA, SOURCE, WINDOW};
use hdl::{Model, Nic};

use crate::{pair, read, run, until};

/// Sends an entry that is refused: why, its destination and its address as the registers say.
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
fn each_entry_that_may_not_be_sent_is_refused_with_its_destination_and_address_and_the_next_one_is_sent() {
    let message = |length, source| Entry::new(Kind::Message1, 77, length, source, 0);
    let dma = |length, source, destination| Entry::new(Kind::Dma, 1, length, source, destination);
    let mut none = message(8, SOURCE);
    none.control.kind = 3;
    let end = MEMORY_BYTES - 8;
    for (entry, why, address) in [
        (none, Refusal::NoKind, SOURCE),
        (message(0, SOURCE), Refusal::Length, SOURCE),
        (message(129, SOURCE), Refusal::Length, SOURCE),
        (dma(0, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (dma(MEMORY_BYTES, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (dma(u32::MAX, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (message(8, SOURCE + 4), Refusal::Source, SOURCE + 4),
        (message(9, end), Refusal::Source, end),
        (message(8, MEMORY_BYTES), Refusal::Source, MEMORY_BYTES),
        (message(8, 0xffff_fff8), Refusal::Source, 0xffff_fff8),
        (dma(8, SOURCE, WINDOW + 1), Refusal::Destination, WINDOW + 1),
        (dma(9, SOURCE, end), Refusal::Destination, end),
        (dma(8, SOURCE, MEMORY_BYTES), Refusal::Destination, MEMORY_BYTES),
    ] {
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
fn user_who_takes_his_position_back_does_not_free_the_masks_before_the_entry_is_done() {
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
fn bases_change_only_while_the_nif_is_stopped_and_only_to_what_lies_in_memory() {
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

/// Gives words to a NIF of number 1: the packets that it dropped, and its element.
fn receive(words: &[(u64, bool)]) -> (u16, Element, Model<Cenju3>) {
    let mut nif = Model::new(Cenju3::default());
    let mut element = Element::new(1, 1);
    let mut words = words.iter();
    for cycle in 0..3_000 {
        let (host, memory) = element.pins(nif.outputs());
        let word = if cycle > 100 && cycle % 15 == 0 { words.next() } else { None };
        let receive = word.map_or(LinkWord::default(), |&(data, last)| LinkWord { data, last });
        let pins = In {
            host,
            memory,
            receive_valid: word.is_some(),
            receive,
            transmit_ready: true,
            ..In::default()
        };
        nif.edge(CORE, &pins).unwrap();
    }
    (nif.device().register_file.dropped, element, nif)
}

/// A good message of 8 bytes.
fn good() -> Vec<(u64, bool)> {
    let header = Header { kind: 0, last: true, pe: 1, source: 9, bytes: 7, address: 0 };
    let mut words = vec![(header.bits(), false), (0x1122, false), (0x0000_0008_0000_0900, false)];
    words.extend([0, 1, 2, 3, 4].map(|word| (word, word == 4)));
    words
}

#[test]
fn what_is_no_packet_is_dropped_and_counted_and_the_next_message_arrives() {
    let (dropped, element, _) = receive(&good());
    assert_eq!((dropped, element.arrivals.len()), (0, 1));
    assert_eq!(element.arrivals[0].library, [1, 2, 3, 4]);
    let header = |header: Header| vec![(header.bits(), false), (0, false), (0, true)];
    let message = Header { kind: 0, last: true, pe: 1, source: 9, bytes: 7, address: 0 };
    let mut bad = vec![
        header(Header { pe: 2, ..message }),
        header(Header { kind: 3, ..message }),
        header(Header { last: false, ..message }),
        header(Header { bytes: 128, ..message }),
        header(Header { kind: 2, address: 4, ..message }),
        header(Header { kind: 2, address: MEMORY_BYTES, ..message }),
        header(Header { kind: 2, address: MEMORY_BYTES - 8, bytes: 8, ..message }),
        vec![(message.bits(), true)],
    ];
    // A packet that ends too early, at each of its words, and one that does not end where it should.
    for end in 1..7 {
        let mut words = good();
        words.truncate(end);
        words[end - 1].1 = true;
        bad.push(words);
    }
    let mut long = good();
    long[7].1 = false;
    long.extend([(0, false), (0, true)]);
    bad.push(long);
    bad.push(vec![
        (Header { kind: 2, last: false, address: WINDOW, ..message }.bits(), false),
        (0, false),
        (0, true),
    ]);
    for words in bad {
        let (dropped, element, nif) = receive(&[words.clone(), good()].concat());
        assert_eq!((dropped, element.arrivals.len()), (1, 1), "{words:x?}");
        assert_eq!(element.arrivals[0].address, DATA[0], "the ring did not move");
        assert_eq!(nif.device().register_file.status, 1 << 3);
    }
}
