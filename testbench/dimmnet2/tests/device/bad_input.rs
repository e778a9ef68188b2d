//! Bad input on the whole board: each kind ends in the state or status bit of its rule, as read by
//! the host.

use dimmnet2::address::Area;
use dimmnet2::line::{FIRST, Line};
use dimmnet2::pins::HostIn;
use dimmnet2::receive_controller::head_write::State as HeadWrite;
use dimmnet2::registers::{ReceiveCondition::*, SystemRegister, UserRegister};
use dimmnet2::window_controller::vl::State as Vl;
use dimmnet2::{BotfLower, FirstLine, Lower, Primitive, SecondLine, ThirdLine, Upper};

use crate::bench::{Bench, LID, PEER, PGID, frame, ipush, packet, rvs, system, user};

/// Module State of an idle board (thesis figure C.13).
const IDLE: u128 = 0x0000_4222_0002_0001;

/// Checks that a good packet still arrives and that the board is idle after it.
fn still_works(bench: &mut Bench) {
    let before = (bench.packets(false), bench.next_write_address(false));
    bench.arrive(frame(&packet(rvs(24), 0x7000, &[0x600d])));
    bench.settle();
    assert_eq!(bench.memory(0x7000), Some(0x600d));
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (before.0 + 1, before.1 + 16));
    assert_eq!(bench.read(user(false, UserRegister::ModuleState)), IDLE);
    let sent = bench.sent.len();
    bench.image(false, 3, &packet(rvs(24), 0, &[1]));
    bench.botf(false, 3, 24);
    bench.settle();
    assert_eq!(bench.sent.len(), sent + 1);
}

/// Checks that nothing was received: no data, no status, no count, and no condition but
/// `condition`.
fn nothing_received(bench: &mut Bench, condition: u8) {
    for wid in [false, true] {
        assert_eq!((bench.packets(wid), bench.next_write_address(wid)), (0, 0));
        assert_eq!(bench.condition(wid), if wid { 0 } else { condition });
        assert!(!bench.status(wid).receive_overrun);
    }
    assert_eq!(bench.memory_bytes(), 0);
    assert!(bench.sent.is_empty());
}

// Commands.

#[test]
fn botf_of_size_0_ends_at_once_and_is_not_counted() {
    let mut bench = Bench::configured();
    bench.image(false, 0, &packet(rvs(24), 0, &[1]));
    bench.botf(false, 0, 0);
    bench.settle();
    assert!(bench.sent.is_empty());
    assert_eq!(bench.botfs(false), 0);
    assert!(!bench.status(false).request_waiting);
    still_works(&mut bench);
}

#[test]
fn botf_of_more_than_512_bytes_sends_512() {
    for size in [513, 1023] {
        let mut bench = Bench::configured();
        let data: Vec<u64> = (0..62).collect();
        bench.image(false, 0, &packet(rvs(24), 0, &data));
        bench.botf(false, 0, size);
        bench.settle();
        assert_eq!(bench.sent[0].len(), 3 + 64);
        assert_eq!(bench.sent[0][3].data & 0xfff, 512);
        assert_eq!(bench.botfs(false), 1);
        still_works(&mut bench);
    }
}

#[test]
fn otypes_without_packets_send_nothing_from_both_commands() {
    let mut bench = Bench::configured();
    let sends = |otype: u64| otype == 1 || [0b100, 0b101, 0b110].contains(&(otype >> 2)) && otype & 3 != 3;
    for otype in (0..32).filter(|&otype| !sends(otype)) {
        for register in [UserRegister::Command0Lower, UserRegister::Command1Lower] {
            bench.write(user(false, register), 0x200 << 32 | otype);
            bench.settle();
            assert!(!bench.status(false).request_waiting, "{otype:#x}");
            assert_eq!(bench.read(user(false, UserRegister::ModuleState)), IDLE, "{otype:#x}");
        }
    }
    assert!(bench.sent.is_empty());
    // The VL and VS families are local and are executed from both command registers.
    assert_eq!(bench.read(user(false, UserRegister::PrimitiveCounter)), 6 << 20 | 6 << 10);
    still_works(&mut bench);
}

#[test]
fn full_request_fifo_keeps_the_flag_up_and_loses_no_request() {
    let mut bench = Bench::configured();
    bench.image(false, 0, &packet(rvs(24), 0, &[1]));
    bench.image(false, 1, &packet(rvs(32), 0, &[1, 2]));
    bench.link_takes(false);
    let (mut taken, mut almost_full) = (0u64, None);
    // A flag that is up for 20 cycles stays up: the SWIF FIFO is almost full and drains no lines.
    while !bench.status(false).request_waiting {
        bench.botf(false, 0, 24);
        bench.run(20);
        taken += 1;
        if bench.status(false).request_fifo_almost_full {
            almost_full.get_or_insert(taken);
        }
        assert!(taken < 2_000, "the Request FIFO has an end");
    }
    // 512 requests in the FIFO, one each in Acceptor and Executor, one in its slot; almost full
    // with room for 3 (decision 0008).
    let almost_full = almost_full.expect("almost full comes before full");
    assert_eq!(taken - almost_full, 4, "{taken} {almost_full}");
    // Another command while the flag is up is ignored (decision 0007).
    bench.botf(false, 1, 32);
    bench.run(20);
    assert!(bench.status(false).request_waiting);

    bench.link_takes(true);
    bench.settle();
    assert!(!bench.status(false).request_waiting);
    assert!(!bench.status(false).request_fifo_almost_full);
    assert_eq!(u64::from(bench.botfs(false)), taken % 1024);
    assert_eq!(bench.sent.len() as u64, taken);
    assert!(bench.sent.iter().all(|frame| frame.len() == 6 && frame[3].data & 0xfff == 24));
}

// The host port.

#[test]
fn holes_and_wrong_directions_read_0_and_change_nothing() {
    let mut bench = Bench::configured();
    // Visible data in every area.
    bench.image(false, 0, &[0x77; 64]);
    bench.arrive(frame(&packet(FirstLine { rflag: true, ..rvs(32) }, 0, &[0x1111, 0x2222])));
    bench.settle();
    let held = 0x2222u128 << 64 | 0x1111;
    assert_eq!(bench.read(Area::PrefetchWindow.window(false, 0)), held);

    let all = |address| HostIn { wdata: u128::MAX, byte_enable: 0xffff, address, enable: true, write: true };
    // A Write Window is not read, a Prefetch Window and the LH Buffer are not written.
    assert_eq!(bench.read(Area::WriteWindow.window(false, 0)), 0);
    bench.cycle(all(Area::PrefetchWindow.window(false, 0)));
    assert_eq!(bench.read(Area::PrefetchWindow.window(false, 0)), held);
    bench.cycle(all(Area::LhBuffer.part(true)));
    assert_eq!(bench.read(Area::LhBuffer.part(true)), 0);
    // Between the parts, beyond the last part, and beyond the last area.
    for address in [0x00800, 0x02800, 0x10800, 0x12800, 0x31000, 0x39000, 0x42000, 0x51000, 0x60000, 0xffff0]
    {
        bench.cycle(all(address));
        assert_eq!(bench.read(address), 0, "{address:#x}");
    }
    // Every offset of the register pages without a register.
    for offset in (0u16..0x1000).step_by(16) {
        if UserRegister::write(offset).is_none() {
            bench.cycle(all(Area::UserRegister.part(false) + u32::from(offset)));
        }
        if UserRegister::read(offset).is_none() {
            assert_eq!(bench.read(Area::UserRegister.part(false) + u32::from(offset)), 0, "{offset:#x}");
        }
        if SystemRegister::write(offset).is_none() {
            bench.cycle(all(Area::SystemRegister.base() + u32::from(offset)));
        }
        if SystemRegister::read(offset).is_none() {
            assert_eq!(bench.read(Area::SystemRegister.base() + u32::from(offset)), 0, "{offset:#x}");
        }
    }
    bench.settle();
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 16));
    assert_eq!((bench.botfs(false), bench.sent.len()), (0, 0));
    still_works(&mut bench);
}

#[test]
fn part_of_a_register_is_not_written() {
    let mut bench = Bench::configured();
    bench.image(false, 0, &packet(rvs(24), 0, &[1]));
    let lower = BotfLower::new(0, 24).bits();
    for byte_enable in (0..8).map(|byte| !(1u16 << byte)).chain([0x000f, 0x00f0, 0xff00, 0]) {
        bench.write_part(user(false, UserRegister::Command0Lower), lower, byte_enable);
        bench.write_part(system(SystemRegister::Pgid0), 0x11, byte_enable);
        bench.write_part(user(false, UserRegister::StatusInitialAddress), 0x100, byte_enable);
        bench.settle();
    }
    assert!(bench.sent.is_empty());
    assert_eq!(bench.next_write_address(false), 0);
    still_works(&mut bench);
    assert_eq!(bench.sent[0][3].data >> 20 & 0xff, u64::from(PGID[0]));
    // Part of the counter's reset does not reset it, all of it does.
    bench.write_part(user(false, UserRegister::PrimitiveCounterReset), 0, 0x7f);
    assert_eq!(bench.botfs(false), 1);
    bench.write(user(false, UserRegister::PrimitiveCounterReset), 0);
    assert_eq!(bench.botfs(false), 0);
}

#[test]
fn controller_reset_is_reached_by_a_byte_and_ends_a_condition() {
    let mut bench = Bench::configured();
    bench.arrive(frame(&[rvs(8).bits()]));
    bench.settle();
    assert_eq!(bench.condition(false), ReceiveHeaderMismatch as u8);
    bench.write_part(system(SystemRegister::ControllerReset), 0, 0x10);
    bench.run(12);
    assert_eq!(bench.condition(false), ReceiveNormal as u8);
    assert!(bench.status(false).sdimm_initialized, "SO-DIMM Init is spared");
    bench.configure();
    still_works(&mut bench);
}

// The network.

#[test]
fn frame_cut_by_another_is_an_overlap_and_both_are_lost() {
    // After a header line, after the header, within the data.
    for cut in [1, 2, 4] {
        let mut bench = Bench::configured();
        let broken = frame(&packet(rvs(16 + 80), 0x1000, &[3; 10]));
        bench.arrive(broken[..3 + cut].to_vec());
        bench.arrive(frame(&packet(rvs(24), 0x2000, &[4])));
        bench.settle();
        assert_eq!(bench.condition(false), ReceiveOverlap as u8);
        assert_eq!((bench.packets(false), bench.next_write_address(false)), (0, 0));
        assert_eq!(bench.memory(0x2000), None);
        assert_eq!(bench.memory_bytes(), 8 * (cut - 1).saturating_sub(1), "data before the cut is kept");
        still_works(&mut bench);
    }
}

#[test]
fn frame_cut_short_by_silence_is_closed_and_an_overlap() {
    let mut bench = Bench::configured();
    bench.arrive(frame(&packet(rvs(24), 0x1000, &[3]))[..5].to_vec());
    bench.settle();
    nothing_received(&mut bench, ReceiveOverlap as u8);
    still_works(&mut bench);
}

#[test]
fn header_that_is_shorter_than_hflag_says_is_a_mismatch() {
    let hflag = FirstLine { hflag: true, ..rvs(16) };
    let rvl = FirstLine { otype: Primitive::Rvl as u8, ..rvs(24) };
    let rvss = FirstLine { otype: Primitive::Rvss as u8, ..rvs(32) };
    let rvsi = FirstLine { otype: Primitive::Rvsi as u8, rflag: true, ..rvs(32) };
    for words in [
        vec![rvs(8).bits()],
        packet(hflag, 0x1000, &[]),
        packet(rvl, 0x1000, &[1]),
        packet(rvss, 0x1000, &[1, 2]),
        packet(rvsi, 0x100, &[1, 2]),
    ] {
        let mut bench = Bench::configured();
        bench.arrive(frame(&words));
        bench.settle();
        nothing_received(&mut bench, ReceiveHeaderMismatch as u8);
        still_works(&mut bench);
    }
}

#[test]
fn remote_read_with_data_is_malformed() {
    let mut bench = Bench::configured();
    let rvl = FirstLine { otype: Primitive::Rvl as u8, hflag: true, ..rvs(40) };
    bench.arrive(frame(&packet(rvl, 0x1000, &[64, 0, 5])));
    bench.settle();
    nothing_received(&mut bench, ReceiveMalformedRvl as u8);
    still_works(&mut bench);
}

#[test]
fn remote_read_of_three_or_four_lines_is_counted_and_answered() {
    for lines in [3, 4] {
        let mut bench = Bench::configured();
        let rvl = FirstLine { otype: Primitive::Rvl as u8, hflag: true, ..rvs(8 * lines) };
        let third = ThirdLine { total_transfer_size: 64, stride_list: 0 }.bits();
        bench.arrive(frame(&packet(rvl, 0x1000, &[third, 0][..usize::from(lines) - 2])));
        bench.settle();
        assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 0));
        assert_eq!(bench.condition(false), ReceiveNormal as u8);
        // A request and its reply; neither counts as a primitive.
        assert_eq!(bench.sent.len(), 1);
        let first = FirstLine::from_bits(bench.sent[0][3].data);
        let expected = FirstLine { packet_size: 80, dlid: PEER, ..rvs(80) };
        assert_eq!(first, expected);
        assert_eq!(bench.read(user(false, UserRegister::PrimitiveCounter)), 0);
        still_works(&mut bench);
    }
}

#[test]
fn packets_of_other_groups_nodes_and_types_are_not_reported() {
    let foreign = |pgid| packet(FirstLine { pgid, ..rvs(24) }, 0x1000, &[1]);
    let mut bench = Bench::configured();
    // The group of the other process is foreign too; further errors of such a packet are not
    // reported.
    for words in [foreign(PGID[1]), foreign(0), packet(FirstLine { pgid: 0, hflag: true, ..rvs(16) }, 0, &[])]
    {
        bench.arrive(frame(&words));
    }
    let mut other_node = frame(&packet(rvs(24), 0x1000, &[1]));
    other_node[0].data ^= u64::from((LID ^ 9).swap_bytes()) << 16;
    bench.arrive(other_node);
    for otype in 0..32u8 {
        if ![0b100, 0b101, 0b110].contains(&(otype >> 2)) || otype & 3 == 3 {
            bench.arrive(frame(&packet(FirstLine { otype, ..rvs(24) }, 0x1000, &[1])));
        }
    }
    bench.settle();
    nothing_received(&mut bench, ReceiveNormal as u8);
    still_works(&mut bench);
}

#[test]
fn data_beyond_its_area_is_cut_and_sets_the_overrun_bit() {
    let window = FirstLine { rflag: true, ..rvs(32) };
    let llcm = FirstLine { lflag: true, ..rvs(32) };
    for (first, offset, at) in [
        (window, 0x1f8, Some(Area::PrefetchWindow.part(false) + 0x1f0)),
        (llcm, 0x7ff8, Some(Area::Llcm.part(false) + 0x7ff0)),
        (rvs(32), (256 << 20) - 8, None),
    ] {
        let mut bench = Bench::configured();
        bench.arrive(frame(&packet(first, offset, &[0x1111, 0x2222])));
        bench.settle();
        assert!(bench.status(false).receive_overrun);
        assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 16));
        match at {
            Some(address) => assert_eq!(bench.read(address) >> 64, 0x1111),
            None => assert_eq!(bench.memory(u64::from(offset)), Some(0x1111)),
        }
        assert_eq!(bench.memory_bytes(), if at.is_none() { 8 } else { 0 });
        still_works(&mut bench);
    }
}

#[test]
fn packet_size_and_lines_that_disagree_store_the_smaller() {
    for (size, bytes) in [(16, 0), (8, 0), (0, 0), (24, 8), (20, 4), (0xfff, 24)] {
        let mut bench = Bench::configured();
        bench.arrive(frame(&packet(rvs(size), 0x1000, &[1, 2, 3])));
        bench.settle();
        assert_eq!(bench.memory_bytes(), bytes, "Packet Size {size}");
        assert_eq!(bench.packets(false), 1);
        let status = bench.read(Area::Llcm.part(false)) as u64;
        assert_eq!(status >> 32, bytes as u64, "the status says how many");
        still_works(&mut bench);
    }
}

#[test]
fn first_condition_stays_until_reset() {
    let mut bench = Bench::configured();
    bench.arrive(frame(&[rvs(8).bits()]));
    let rvl = FirstLine { otype: Primitive::Rvl as u8, hflag: true, ..rvs(40) };
    bench.arrive(frame(&packet(rvl, 0x1000, &[64, 0, 5])));
    bench.settle();
    nothing_received(&mut bench, ReceiveHeaderMismatch as u8);
}

#[test]
fn lines_outside_a_frame_go_nowhere() {
    let mut bench = Bench::configured();
    let stray = frame(&packet(rvs(24), 0x1000, &[1]));
    bench.arrive(stray[1..].to_vec());
    bench.arrive((0..100).map(|data| Line { data, id: 0 }));
    bench.settle();
    nothing_received(&mut bench, ReceiveNormal as u8);
    // A frame of its first line alone has no packet.
    bench.arrive([Line { id: FIRST, ..stray[0] }]);
    bench.run(600);
    nothing_received(&mut bench, ReceiveNormal as u8);
    still_works(&mut bench);
}

#[test]
fn full_status_ring_holds_packets_back_and_loses_none() {
    const PACKETS: u64 = 40;
    let mut bench = Bench::configured();
    // 64 bytes: four slots, of which three are usable.
    bench.write(user(false, UserRegister::StatusAreaSize), 1);
    for n in 0..PACKETS {
        bench.arrive(frame(&packet(rvs(24), 0x100 * n as u32, &[n])));
    }
    bench.run(4_000);
    assert!(bench.status(false).status_area_full);
    assert!(!bench.status(false).status_area_empty);
    assert_eq!(bench.next_write_address(false), 48);
    // The fourth packet is stored; its status and all later packets wait.
    assert_eq!(bench.packets(false), 4);
    assert_eq!(bench.memory(0x300), Some(3));
    assert_eq!(bench.memory(0x400), None);

    let mut head = 0;
    for n in 0..PACKETS {
        let status = bench.read(Area::Llcm.part(false) + head);
        assert_eq!((status >> 64) as u64, 0x100 * n, "statuses come in order");
        head = (head + 16) % 64;
        bench.write(user(false, UserRegister::StatusNextReadAddress), head.into());
        bench.run(200);
    }
    bench.settle();
    assert!(bench.status(false).status_area_empty);
    assert_eq!(bench.packets(false), PACKETS);
    assert!((0..PACKETS).all(|n| bench.memory(0x100 * n) == Some(n)));
}

#[test]
fn sdimm_access_that_is_not_enabled_blocks_no_packet() {
    let mut bench = Bench::new();
    bench.write(system(SystemRegister::Pgid0), PGID[0].into());
    bench.arrive(frame(&packet(rvs(24), 0x1000, &[1])));
    bench.settle();
    assert!(!bench.status(false).sdimm_initialized);
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 16));
    assert_eq!(bench.memory_bytes(), 0);
}

#[test]
fn status_of_a_later_packet_has_the_size_from_initial_offset() {
    let mut bench = Bench::configured();
    let words = [rvs(24).bits(), SecondLine::writing(0x1100, 0x1000).bits(), 9];
    bench.arrive(frame(&words));
    bench.settle();
    let status = bench.read(Area::Llcm.part(false));
    assert_eq!((status as u64 >> 32, (status >> 64) as u64), (0x108, 0x1000));
}

// IPUSH.

#[test]
fn ipush_without_a_ring_is_refused_and_sets_the_overrun_bit() {
    // No IPUSH Area Size; a ring beyond the region, for an unknown sender.
    for (size, head_and_tail) in [(0, 0), (1, 0xffff_fff8)] {
        let mut bench = Bench::configured();
        bench.write(user(false, UserRegister::IpushAreaSize), size);
        bench.write(user(false, UserRegister::StatusInitialAddress), 0x400);
        bench.set_entry(false, 0, head_and_tail, head_and_tail);
        bench.arrive(frame(&packet(ipush(40), 0, &[1, 2, 3])));
        bench.settle();
        assert!(bench.status(false).receive_overrun);
        assert_eq!((bench.packets(false), bench.next_write_address(false)), (0, 0x400));
        assert_eq!((bench.memory_bytes(), bench.entry(false, 0)), (0, (head_and_tail, head_and_tail)));
        still_works(&mut bench);
    }
}

#[test]
fn ipush_waits_for_a_full_ring_while_local_stores_continue() {
    let mut bench = Bench::configured();
    bench.ring(false, PEER, 0x60, 0x3_0000);
    bench.set_entry(false, 0x60, 0x3_0008, 0x3_0000);
    bench.arrive(frame(&packet(ipush(24), 0, &[0x77])));
    bench.run(500);
    assert_eq!((bench.packets(false), bench.memory_bytes()), (0, 0));
    bench.image(false, 1, &[0xaa, 0xbb]);
    bench.write(user(false, UserRegister::Command0Upper), Upper { srcoff: 0x200, dstoff: 0x8000 }.bits());
    bench.write(user(false, UserRegister::Command0Lower), Lower::new(Primitive::Vs, 16).bits());
    bench.run(200);
    assert!(bench.status(false).window1_complete);
    assert_eq!((bench.memory(0x8000), bench.memory(0x8008)), (Some(0xaa), Some(0xbb)));
    assert_eq!(bench.packets(false), 0, "it still waits");
    bench.set_entry(false, 0x60, 0x3_0000, 0x3_0000);
    bench.settle();
    assert_eq!((bench.packets(false), bench.memory(0x3_0000)), (1, Some(0x77)));
    assert_eq!(bench.entry(false, 0x60), (0x3_0000, 0x3_0008));
}

#[test]
fn area_size_of_no_power_of_two_means_the_one_below() {
    let mut bench = Bench::configured();
    bench.ring(false, PEER, 0x60, 0x5_fff8);
    bench.write(user(false, UserRegister::IpushAreaSize), 3);
    bench.arrive(frame(&packet(ipush(32), 0, &[1, 2])));
    bench.settle();
    // The ring of 128 KB that ends at 0x6_0000 wraps.
    assert_eq!((bench.memory(0x5_fff8), bench.memory(0x4_0000)), (Some(1), Some(2)));
}

// LHS.

/// The first line of an LHS packet to WID 0.
fn lhs(packet_size: u16) -> FirstLine {
    FirstLine { otype: Primitive::LhsV1 as u8, lflag: true, ..ipush(packet_size) }
}

/// A line of the LH Buffer of WID 0.
fn lh_line(bench: &mut Bench, entry: u32, line: u32) -> u64 {
    let row = bench.read(Area::LhBuffer.part(false) + 64 * entry + 8 * (line & !1));
    (row >> (64 * (line & 1))) as u64
}

#[test]
fn messages_beyond_63_wait_for_a_new_head_and_are_complete_then() {
    let mut bench = Bench::configured();
    bench.run(130);
    bench.write(user(false, UserRegister::StatusAreaSize), 0x40);
    for n in 0..65 {
        bench.arrive(frame(&packet(lhs(32), 0, &[n, n])));
        bench.run(60);
    }
    assert_eq!(bench.read(user(false, UserRegister::LhBufferNextWriteAddress)), 63 * 64);
    assert_eq!(bench.packets(false), 63);
    assert_eq!(lh_line(&mut bench, 62, 0), 62 | 3 << 46);
    assert_eq!(lh_line(&mut bench, 63, 0), 0, "its flags are as they were");
    bench.write(user(false, UserRegister::LhBufferNextReadAddress), 63 * 64);
    bench.settle();
    assert_eq!(bench.read(user(false, UserRegister::LhBufferNextWriteAddress)), 64);
    assert_eq!(lh_line(&mut bench, 63, 0), 63 | 3 << 46);
    assert_eq!(
        (lh_line(&mut bench, 0, 0), lh_line(&mut bench, 0, 1)),
        (64, 8),
        "the second pass inverts the flags"
    );
    bench.write(system(SystemRegister::ControllerReset), 1);
    bench.run(8 + 128);
    assert_eq!((lh_line(&mut bench, 1, 0), lh_line(&mut bench, 63, 0)), (0, 0), "the reset clears the flags");
}

#[test]
fn lhs_without_data_or_ring_leaves_no_head() {
    let mut bench = Bench::configured();
    bench.run(130);
    let long: Vec<u64> = (1..=8).collect();
    bench.arrive(frame(&packet(lhs(16), 0, &[])));
    bench.arrive(frame(&packet(lhs(16 + 64), 0, &long)));
    bench.settle();
    // The first is an empty message, the second finds no ring for its rest.
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 16));
    assert!(bench.status(false).receive_overrun);
    assert_eq!(bench.read(user(false, UserRegister::LhBufferNextWriteAddress)), 0);
    assert_eq!((lh_line(&mut bench, 0, 0), bench.memory_bytes()), (0, 0));
    let before = bench.packets(false);
    bench.arrive(frame(&packet(lhs(24), 0, &[0x77])));
    bench.settle();
    assert_eq!((bench.packets(false), lh_line(&mut bench, 0, 0)), (before + 1, 0x77 | 3 << 46));
}

#[test]
fn vl_of_a_rest_in_flight_begins_after_its_arrival() {
    let mut bench = Bench::configured();
    bench.run(130);
    bench.ring(false, PEER, 0x100, 0x3_0000);
    let data: Vec<u64> = (1..=60).collect();
    let mut held = 0;
    for delay in 0..80 {
        let at = 0x3_0000 + 424 * delay;
        bench.arrive(frame(&packet(lhs(16 + 480), 0, &data)));
        let mut cycles = 0;
        while bench.board().core_logic.receive_controller.head_write.state != HeadWrite::Valid {
            cycles += 1;
            assert!(
                cycles < 1000,
                "{delay}: {:?}",
                bench.board().core_logic.receive_controller.packet_control
            );
            bench.run(1);
        }
        bench.run(delay.into());
        bench.write(user(false, UserRegister::Command0Upper), Upper { srcoff: at, dstoff: 0 }.bits());
        bench.write(user(false, UserRegister::Command0Lower), Lower::new(Primitive::Vl, 424).bits());
        let mut cycles = 0;
        while bench.board().core_logic.window_controller.request_executor.vl.state != Vl::Vl1 {
            cycles += 1;
            assert!(
                cycles < 1000,
                "{delay}: {:?}",
                bench.board().core_logic.window_controller.request_executor.vl
            );
            held += bench.board().core_logic.receive_controller.packet_control.hold as u32;
            bench.run(1);
        }
        let stored: Vec<_> = (0..53).map(|word| bench.memory(u64::from(at) + 8 * word)).collect();
        assert_eq!(stored, (8..61).map(Some).collect::<Vec<_>>(), "{delay}");
        bench.settle();
        bench.write(user(false, UserRegister::LhBufferNextReadAddress), u64::from(delay + 1) % 64 * 64);
        bench.write(user(false, UserRegister::StatusNextReadAddress), u64::from(delay + 1) % 64 * 16);
    }
    assert!(held > 1000, "it waits often: {held}");
}
