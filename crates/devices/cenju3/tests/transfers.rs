use cenju3::memory_map::{Kind, SEGMENT_BYTES, WORD_CYCLES};
use cenju3::registers::{Register, Status, cause};
use cenju3::traffic::element::Entry;
use cenju3::traffic::layout::{DATA, HEADERS, SOURCE, WINDOW};
use hdl::Nic;

use crate::{pair, read, run, until};

/// Bytes that encode their address.
fn bytes(length: u32) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256 + 1) as u8).collect()
}

#[test]
fn messages_of_all_lengths_arrive_in_both_buffers() {
    for (queue, kind) in [(0, Kind::Message0), (1, Kind::Message1)] {
        let mut pair = pair(true);
        for length in 1..=128 {
            pair.elements[0].put(SOURCE + 128 * length, &bytes(length));
            let entry = Entry::new(kind, 1, length, SOURCE + 128 * length, 0);
            pair.elements[0].send(queue, Entry { library: [length.into(), 2, 3, u64::MAX], ..entry });
        }
        until(&mut pair, |pair| pair.elements[1].arrivals.len() == 128);
        for (i, arrival) in pair.elements[1].arrivals.iter().enumerate() {
            let length = i as u32 + 1;
            assert_eq!((arrival.ring, arrival.source), (kind.code(), 0));
            assert_eq!(arrival.address, DATA[queue] + i as u32 % 64 * 128);
            assert_eq!(arrival.bytes, bytes(length));
            assert_eq!(arrival.library, [length.into(), 2, 3, u64::MAX]);
        }
    }
}

#[test]
fn dma_of_8_kb_arrives_in_segments_at_link_speed() {
    let mut pair = pair(true);
    pair.elements.iter_mut().for_each(|element| element.stalls = 0);
    pair.elements[0].put(SOURCE, &bytes(8192));
    pair.elements[0].send(0, Entry::new(Kind::Dma, 1, 8192, SOURCE, WINDOW + 64));
    let cycles = until(&mut pair, |pair| !pair.elements[1].arrivals.is_empty());
    let arrival = &pair.elements[1].arrivals[0];
    assert_eq!((arrival.ring, arrival.address), (2, WINDOW + 64));
    assert!(arrival.bytes == bytes(8192));
    let words = u64::from(8192 / SEGMENT_BYTES + 8192 / 8 + 6);
    let link = words * u64::from(WORD_CYCLES);
    assert!((link..link + 300).contains(&cycles), "{cycles} cycles for {link} of the link");
}

#[test]
fn dma_writes_its_bytes_and_no_other() {
    for length in [1, 7, 8, 9, 255, 256, 257, 511, 513] {
        let mut pair = pair(true);
        pair.elements[0].put(SOURCE, &vec![0xaa; 1024]);
        pair.elements[1].put(WINDOW, &[0x55; 1024]);
        pair.elements[0].send(1, Entry::new(Kind::Dma, 1, length, SOURCE, WINDOW + 16));
        until(&mut pair, |pair| !pair.elements[1].arrivals.is_empty());
        let after = pair.elements[1].bytes(WINDOW, 1024);
        let own = 16..16 + length as usize;
        assert!(after.iter().enumerate().all(|(i, &b)| b == if own.contains(&i) { 0xaa } else { 0x55 }));
    }
}

#[test]
fn full_ring_holds_the_link_and_loses_nothing() {
    let mut pair = pair(true);
    pair.elements[1].reads_rings = false;
    for i in 0..150 {
        let entry = Entry::new(Kind::Message0, 1, 8, SOURCE, 0);
        pair.elements[0].send(1, Entry { library: [i, 0, 0, 0], ..entry });
    }
    run(&mut pair, 60_000);
    let status = Status::from_bits(read(&mut pair, 1, Register::Status).into());
    assert_eq!((status.held, status.packet), (0b001, false));
    assert!(!pair.nifs[1].outputs().receive_ready, "the FIFO is full, too");
    assert_eq!(pair.nifs[1].device().receive_ring_0.write, 63, "one stays free");
    pair.elements[1].reads_rings = true;
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 150);
    let numbers = pair.elements[1].arrivals.iter().map(|arrival| arrival.library[0]);
    assert!(numbers.eq(0..150));
}

#[test]
fn data_header_position_and_cause_are_written_in_order() {
    let mut pair = pair(true);
    pair.elements[0].put(SOURCE, &bytes(100));
    pair.elements[0].send(0, Entry::new(Kind::Message1, 1, 100, SOURCE, 0));
    let mut order = Vec::new();
    while order.last() != Some(&"cause") {
        let out = *pair.nifs[1].outputs();
        let nif = pair.nifs[1].device();
        let seen = if nif.interrupt.cause & cause::RING1 != 0 {
            "cause"
        } else if nif.receive_ring_1.write == 1 {
            "position"
        } else if out.memory.request && out.memory.write {
            if out.memory.address >= DATA[1] { "data" } else { "header" }
        } else {
            order.last().copied().unwrap_or("nothing")
        };
        if order.last() != Some(&seen) {
            order.push(seen);
        }
        pair.step().unwrap();
    }
    assert_eq!(order, ["nothing", "data", "header", "position", "cause"]);
    assert_eq!(read(&mut pair, 1, Register::InterruptCause), u32::from(cause::RING1));
    assert!(pair.nifs[1].outputs().host.interrupt_request);
    assert_eq!(pair.elements[1].bytes(HEADERS[1] + 8, 4), DATA[1].to_le_bytes());
}

#[test]
fn next_read_position_moves_after_the_last_word() {
    let mut pair = pair(true);
    pair.elements[0].send(1, Entry::new(Kind::Dma, 1, 1024, SOURCE, WINDOW));
    let mut last_read = false;
    while pair.nifs[0].device().send_queue_1.read == 0 {
        let memory = pair.nifs[0].outputs().memory;
        last_read |= memory.request && !memory.write && memory.address == SOURCE + 1024 - 8;
        pair.step().unwrap();
    }
    assert!(last_read);
}

#[test]
fn kernel_queue_goes_before_the_user_queue() {
    let mut pair = pair(true);
    for i in 0..20 {
        for queue in [0, 1] {
            let entry = Entry::new(Kind::Message0, 1, 8, SOURCE, 0);
            pair.elements[0].send(queue as usize, Entry { library: [queue, i, 0, 0], ..entry });
        }
    }
    until(&mut pair, |pair| pair.elements[1].arrivals.len() == 40);
    let queues: Vec<_> = pair.elements[1].arrivals.iter().map(|arrival| arrival.library[0]).collect();
    // Two entries of the user may be in flight before those of the kernel are queued.
    assert!(queues[..22].iter().filter(|&&queue| queue == 0).count() == 20, "{queues:?}");
}

#[test]
fn mask_limits_the_user_and_the_old_rom_does_not() {
    // Destination and address are outside the window; the mask leaves one bit of the destination to the user.
    for (new_rom, pe, destination, arrives) in [
        (true, 0xff, 0xfff0_0100, WINDOW + 0x100),
        (true, 0x81, 0x2_0100, WINDOW + 0x2_0100),
        (false, 1, 0x2_0100, 0x2_0100),
    ] {
        let mut pair = pair(new_rom);
        pair.elements[0].send(1, Entry::new(Kind::Dma, pe, 8, SOURCE, destination));
        until(&mut pair, |pair| !pair.elements[1].arrivals.is_empty());
        assert_eq!(pair.elements[1].arrivals[0].address, arrives);
    }
}

#[test]
fn words_of_a_packet_leave_one_each_15_cycles() {
    let mut pair = pair(true);
    pair.elements[0].send(0, Entry::new(Kind::Dma, 1, 2048, SOURCE, WINDOW));
    until(&mut pair, |pair| pair.nifs[0].outputs().transmit_valid);
    let mut taken = Vec::new();
    for cycle in 0..3000 {
        if pair.nifs[0].outputs().transmit_valid {
            taken.push(cycle);
        }
        pair.step().unwrap();
    }
    assert_eq!(taken.len(), 200);
    assert!(taken.windows(2).all(|two| two[1] - two[0] == 15), "{taken:?}");
}
