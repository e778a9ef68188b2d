//! Published figures, measured on the whole board from its pins (thesis sections 5.3, 5.4 and 7.1,
//! appendix C).

use dimmnet2::address::Area;
use dimmnet2::line::{LAST, Line, MIDDLE};
use dimmnet2::receive_controller::packet_control::State as Receive;
use dimmnet2::registers::{SystemRegister, UserRegister};
use dimmnet2::status_write_unit::State as StatusWrite;
use dimmnet2::window_controller::{
    botf::State as Botf, request_acceptor::State as Acceptor, rvl::State as Rvl, rvs::State as Rvs,
};
use dimmnet2::{FirstLine, Lower, Primitive, SecondLine, ThirdLine, Upper};
use hdl::{Clocked, Device};

use crate::bench::{Bench, LID, PEER, PGID, frame, ipush, packet, rvs, system, user};

/// States and output line of a sender in each core cycle, from the one in which the Acceptor sees
/// the request.
fn sending(bench: &mut Bench) -> Vec<(Acceptor, Botf, Option<Line>)> {
    let mut cycles = Vec::new();
    loop {
        let core = &bench.board().core_logic;
        let window = &core.window_controller;
        let acceptor = window.request_acceptor.state;
        let begun = !cycles.is_empty() || !window.host_request_fifo.outputs().empty;
        if begun {
            let out = core.outputs();
            cycles.push((acceptor, window.request_executor.botf.state, out.line_enable.then_some(out.line)));
        }
        if matches!(cycles.last(), Some((_, Botf::BotfEnd2, _))) {
            return cycles;
        }
        assert!(cycles.len() < 200, "a BOTF ends");
        bench.run(1);
    }
}

/// States of the Receive Controller and the Status Write Unit in each core cycle, from the one in
/// which the former sees a packet to the one in which the status is written.
fn receiving(bench: &mut Bench) -> Vec<(Receive, StatusWrite)> {
    let mut cycles = Vec::new();
    loop {
        let core = &bench.board().core_logic;
        let states = (core.receive_controller.packet_control.state, core.status_write_unit.state);
        if !cycles.is_empty() || bench.board().swif.outputs().packet_available {
            cycles.push(states);
        }
        if states.1 == StatusWrite::Write2 {
            return cycles;
        }
        assert!(cycles.len() < 200, "a status is written");
        bench.run(1);
    }
}

/// Lines of the packet in the frame sent last.
fn packet_on_the_link(bench: &Bench) -> Vec<Line> {
    bench.sent.last().expect("a frame left")[3..].to_vec()
}

#[test]
fn rvs_of_9_kb_at_mtu_2048_is_five_packets_with_one_status() {
    let mut bench = Bench::configured();
    let data: Vec<u8> = (0..9 * 1024u32).map(|i| (i * 7 + (i >> 8)) as u8).collect();
    bench.fill(0x1000_1000, data.iter().copied());
    // The command with DWID 1, DCLID 3 and eflag, SRCOff 0x1000 and DSTOff 0x2000, but for its
    // Size.
    let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvs, 9 * 1024) }.bits();
    assert_eq!(lower, 0x0000_2400_400d_0014);
    let upper = Upper { srcoff: 0x1000, dstoff: 0x2000 }.bits();
    bench.command(true, lower, upper);
    bench.settle();
    let eflags: Vec<_> = bench.sent.iter().map(|frame| FirstLine::from_bits(frame[3].data).eflag).collect();
    assert_eq!(eflags, [false, false, false, false, true]);
    let mut sent = vec![];
    for (k, frame) in bench.sent.iter().enumerate() {
        let lines = &frame[3..];
        let first = FirstLine::from_bits(lines[0].data);
        assert_eq!((first.pgid, first.swid, first.dwid, first.dlid), (PGID[1], true, true, 3));
        assert_eq!(SecondLine::from_bits(lines[1].data).dstoff, 0x2000 + 2024 * k as u32);
        assert_eq!(ThirdLine::from_bits(lines[2].data).total_transfer_size, 9 * 1024);
        let bytes = lines[3..].iter().flat_map(|line| line.data.to_le_bytes());
        sent.extend(bytes.take(usize::from(first.packet_size) - 24));
    }
    assert!(sent == data);
    assert_eq!(bench.read(user(true, UserRegister::PrimitiveCounter)), 1 << 40);
}

#[test]
fn rvs_of_8_bytes_is_a_packet_of_24_bytes_with_a_status() {
    let mut bench = Bench::configured();
    bench.fill(0x40, 0x1122_3344_5566_7788u64.to_le_bytes());
    let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvs, 8) }.bits();
    bench.command(false, lower, Upper { srcoff: 0x40, dstoff: 0x2000 }.bits());
    bench.settle();
    let expected = [
        Line { data: 0x1000_0003_1a51_4018, id: MIDDLE },
        Line { data: 0x0000_2000_0000_2000, id: MIDDLE },
        Line { data: 0x1122_3344_5566_7788, id: LAST },
    ];
    assert_eq!(packet_on_the_link(&bench), expected);
}

#[test]
fn rvs_sends_its_header_in_2_cycles_and_512_bytes_as_read() {
    let mut bench = Bench::configured();
    bench.fill(0x1000, (0..512).map(|byte| byte as u8));
    bench.command(false, Lower::new(Primitive::Rvs, 512).bits(), Upper { srcoff: 0x1000, dstoff: 0 }.bits());
    let (mut cycles, mut read) = (vec![], None);
    while cycles.last() != Some(&Rvs::RvsEnd) {
        let core = &bench.board().core_logic;
        let state = core.window_controller.request_executor.rvs.state;
        if state != Rvs::Prim {
            cycles.push(state);
        }
        if core.prefetch_unit.outputs().packet_lines != 0 {
            read = Some(cycles.len());
        }
        bench.run(1);
        assert!(cycles.len() < 200, "an RVS ends");
    }
    let spent = [Rvs::Rvs1, Rvs::Rvs3, Rvs::Rvs4, Rvs::Rvs5, Rvs::RvsEnd]
        .map(|state| cycles.iter().filter(|&&now| now == state).count());
    // The last line is in the packet buffer in cycle 83, and leaves in cycle 85.
    assert_eq!((spent, read), ([1, 18, 2, 64, 1], Some(83)));
    bench.settle();
    assert_eq!(packet_on_the_link(&bench).len(), 2 + 64);
}

#[test]
fn lhs_v2_of_figure_7_8_sends_its_window_and_then_sodimm() {
    let mut bench = Bench::configured();
    bench.image(false, 1, &[0x1234_2abc_dead_beef]);
    bench.fill(0x1000, (1..=20).map(|byte| byte as u8));
    let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::LhsV2, 28) }.bits();
    bench.command(false, lower, 0x0008_0008_0000_1000);
    bench.settle();
    // Packet Size 44, IPUSH, eflag, lflag; the message begins at 0.
    let expected = [
        Line { data: 0x5000_0003_1a51_802c, id: MIDDLE },
        Line { data: 0, id: MIDDLE },
        Line { data: 0x1234_2abc_dead_beef, id: MIDDLE },
        Line { data: 0x0807_0605_0403_0201, id: MIDDLE },
        Line { data: 0x100f_0e0d_0c0b_0a09, id: MIDDLE },
        Line { data: 0x1413_1211, id: LAST },
    ];
    assert_eq!(packet_on_the_link(&bench), expected);
    assert_eq!(bench.read(user(false, UserRegister::PrimitiveCounter)), 1 << 50);
}

#[test]
fn rvl_sends_4_lines_in_4_cycles_and_takes_5_in_all() {
    let mut bench = Bench::configured();
    let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvl, 0x40) }.bits();
    bench.command(false, lower, Upper { srcoff: 0x1000, dstoff: 0x2000 }.bits());
    let mut cycles = vec![];
    while cycles.last() != Some(&(Rvl::RvlEnd, true)) {
        let core = &bench.board().core_logic;
        let state = core.window_controller.request_executor.rvl.state;
        let taken = core.window_controller.request_acceptor.state == Acceptor::Wait;
        if taken || !cycles.is_empty() {
            cycles.push((state, core.outputs().line_enable));
        }
        bench.run(1);
        assert!(cycles.len() < 100, "an RVL ends");
    }
    let lines = [Rvl::Rvl1, Rvl::Rvl2, Rvl::Rvl3, Rvl::RvlEnd].map(|state| (state, true));
    assert_eq!(cycles, [&[(Rvl::Prim, false)], &lines[..]].concat());
    bench.settle();
    let expected = [
        Line { data: 0x3000_0003_1a51_0020, id: MIDDLE },
        Line { data: 0x0000_2000_0000_1000, id: MIDDLE },
        Line { data: 0x0000_0000_0000_0040, id: MIDDLE },
        Line { data: 0, id: LAST },
    ];
    assert_eq!(packet_on_the_link(&bench), expected);
    assert_eq!(bench.read(user(false, UserRegister::PrimitiveCounter)), 1 << 30);
}

#[test]
fn module_state_of_an_idle_board_is_that_of_figure_c_13() {
    let mut bench = Bench::configured();
    for wid in [false, true] {
        assert_eq!(bench.read(user(wid, UserRegister::ModuleState)), 0x0000_4222_0002_0001);
    }
}

#[test]
fn botf_of_24_bytes_takes_10_cycles_from_nop_to_end2() {
    let mut bench = Bench::configured();
    bench.image(false, 0, &packet(rvs(24), 0x1000, &[0x1122_3344_5566_7788]));
    bench.write(user(false, UserRegister::Command0Lower), 0x0000_0018_0000_0001);
    let cycles = sending(&mut bench);
    let states: Vec<_> = cycles.iter().map(|&(acceptor, botf, _)| (acceptor, botf)).collect();
    use Acceptor::{Nop, Req, ReqIn, Wait};
    use dimmnet2::window_controller::botf::State::*;
    assert_eq!(states[..4], [(Nop, Prim), (Req, Prim), (ReqIn, Prim), (Wait, Prim)]);
    let botf: Vec<_> = states[4..].iter().map(|&(_, botf)| botf).collect();
    assert_eq!(botf, [Botf1, Botf2, Botf3, Botf4, BotfEnd1, BotfEnd2]);
    assert_eq!(cycles.len(), 10);
    let ids: Vec<_> = cycles.iter().map(|(.., line)| line.map(|line| line.id)).collect();
    assert_eq!(ids[..6], [None; 6]);
    assert_eq!(ids[6..], [Some(0b01), Some(0b11), Some(0b10), None]);
    bench.settle();
    assert_eq!(bench.read(user(false, UserRegister::PrimitiveCounter)), 1);
}

#[test]
fn botf_of_512_bytes_takes_66_cycles_from_botf1_to_end1() {
    let mut bench = Bench::configured();
    let data: Vec<u64> = (0..62).collect();
    bench.image(false, 2, &packet(rvs(512), 0x1000, &data));
    bench.write(user(false, UserRegister::Command0Lower), 0x0000_0200_0000_0041);
    let cycles = sending(&mut bench);
    let count = cycles.iter().filter(|(_, botf, _)| !matches!(botf, Botf::Prim | Botf::BotfEnd2)).count();
    assert_eq!(count, 66);
    let lines: Vec<_> = cycles.iter().filter_map(|&(.., line)| line).collect();
    assert_eq!(lines.len(), 64);
    assert!(lines[2..].iter().zip(&data).all(|(line, &data)| line.data == data));
    bench.settle();
    let data = |lines: &[Line]| lines.iter().map(|line| line.data).collect::<Vec<_>>();
    assert_eq!(data(&packet_on_the_link(&bench)), data(&lines));
}

#[test]
fn status_of_a_24_byte_push_is_written_after_20_cycles() {
    let mut bench = Bench::configured();
    bench.arrive(frame(&packet(rvs(24), 0x1000, &[0x1122_3344_5566_7788])));
    let cycles = receiving(&mut bench);
    assert_eq!(cycles[0].0, Receive::Idle, "the packet is seen in cycle 0");
    assert_eq!(cycles[4].0, Receive::Decode, "the first header is decoded in cycle 4");
    assert_eq!(cycles.len() - 1, 20);
    bench.settle();
    assert_eq!(bench.memory(0x1000), Some(0x1122_3344_5566_7788));
    assert_eq!(bench.memory_bytes(), 8);
}

#[test]
fn status_of_a_24_byte_ipush_is_written_after_24_cycles() {
    let mut bench = Bench::configured();
    bench.ring(false, PEER, 0x60, 0x3_0000);
    bench.arrive(frame(&packet(ipush(24), 0, &[0x1122_3344_5566_7788])));
    let cycles = receiving(&mut bench);
    assert_eq!(cycles[0].0, Receive::Idle, "the packet is seen in cycle 0");
    assert_eq!(cycles[4].0, Receive::Decode, "the first header is decoded in cycle 4");
    assert_eq!(cycles.len() - 1, 24);
    bench.settle();
    assert_eq!(bench.memory(0x3_0000), Some(0x1122_3344_5566_7788));
    assert_eq!(bench.memory_bytes(), 8);
    // The status: IPUSH with eflag, 8 bytes, from WID 0 of CLID 7, at 0x3_0000.
    let status = bench.read(Area::Llcm.part(false));
    assert_eq!(status, 0x3_0000 << 64 | 0x0000_0008_401c_0018);
    assert_eq!(bench.entry(false, 0x60), (0x3_0000, 0x3_0008));
}

#[test]
fn amt_write_of_the_manual_gives_process_1_of_node_3_word_2() {
    let mut bench = Bench::configured();
    bench.write(user(false, UserRegister::IpushAreaSize), 1);
    bench.write(system(SystemRegister::AmtAddressTableInterface), 0x0000_0000_0000_d002);
    bench.write(user(false, UserRegister::StatusInitialAddress), 0x400);
    bench.write(Area::Llcm.part(false) + 0x10, 0x0005_0000_0005_0000);
    let first = FirstLine { swid: true, dlid: 3, ..ipush(24) };
    let mut frame = frame(&packet(first, 0, &[5]));
    // The sender's LID is that of the local route header.
    frame[0].data ^= u64::from((PEER ^ 3).swap_bytes()) << 48;
    bench.arrive(frame);
    bench.settle();
    assert_eq!((bench.memory(0x5_0000), bench.entry(false, 2)), (Some(5), (0x5_0000, 0x5_0008)));
}

#[test]
fn status_write_takes_3_cycles_with_8_between_statuses() {
    let mut bench = Bench::configured();
    // The fastest reception: one word into a Prefetch Window, repeated.
    for _ in 0..20 {
        bench.arrive(frame(&packet(FirstLine { rflag: true, ..rvs(24) }, 0, &[7])));
    }
    let mut writes = Vec::new();
    for cycle in 0..1_500 {
        bench.run(1);
        let core = &bench.board().core_logic;
        let asked = core.receive_controller.packet_control.state == Receive::Status;
        writes.push((asked, core.status_write_unit.state));
        if core.status_write_unit.state == StatusWrite::Write2 {
            let last: Vec<_> = writes[cycle - 2..].to_vec();
            use StatusWrite::{Nop, Write1, Write2};
            assert_eq!(last, [(true, Nop), (false, Write1), (false, Write2)]);
        }
    }
    let asked: Vec<_> = (0..writes.len()).filter(|&cycle| writes[cycle].0).collect();
    assert_eq!(asked.len(), 20);
    assert!(asked.windows(2).all(|pair| pair[1] - pair[0] >= 8), "{asked:?}");
    bench.settle();
    assert_eq!(bench.next_write_address(false), 20 * 16);
}

#[test]
fn first_line_has_the_process_group_and_the_command_size() {
    let mut bench = Bench::configured();
    bench.write(system(SystemRegister::Pgid0), 5);
    // RVS to LID 3 into LLCM, with all bits set in the two fields that are not the process's to
    // choose.
    let written = 0x4000_0003_0051_4018u64 | 0x0ff0_0fff;
    bench.image(false, 0, &[written, 0x0000_0040_0000_0040, 0xfeed]);
    bench.write(user(false, UserRegister::Command0Lower), 0x0000_0018_0000_0001);
    bench.settle();
    // On the link the frame's first line is the local route header, so the packet's lies in the
    // middle.
    let expected = [(0x4000_0003_0051_4018, MIDDLE), (0x0000_0040_0000_0040, MIDDLE), (0xfeed, LAST)];
    assert_eq!(packet_on_the_link(&bench), expected.map(|(data, id)| Line { data, id }));

    // The same packet comes back and is stored in LLCM.
    bench.arrive(bench.sent[0].clone());
    bench.settle();
    assert_eq!(bench.read(Area::Llcm.part(false) + 0x40) as u64, 0xfeed);
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (1, 0), "eflag is 0");
}

#[test]
fn packet_for_the_second_process_leaves_a_status_in_its_ring() {
    let mut bench = Bench::configured();
    bench.write(system(SystemRegister::Pgid1), 0xa5);
    bench.image(false, 0, &[0x1000_0003_1a51_4018, 0x0000_2000_0000_2000, 0x1234]);
    bench.write(user(false, UserRegister::Command0Lower), 0x0000_0018_0000_0001);
    bench.settle();
    assert_eq!(packet_on_the_link(&bench)[0].data, 0x1000_0003_1a51_4018);

    bench.arrive(bench.sent[0].clone());
    bench.settle();
    assert_eq!(bench.memory(0x1000_0000 + 0x2000), Some(0x1234), "WID 1 owns the upper half");
    // RVS with eflag, 8 bytes, from WID 0 of CLID 3, at 0x2000.
    let status = bench.read(Area::Llcm.part(true));
    assert_eq!(status as u64, 0x0000_0008_400c_0014);
    assert_eq!((status >> 64) as u64, 0x2000);
    assert_eq!((bench.packets(true), bench.next_write_address(true)), (1, 16));
    assert_eq!((bench.packets(false), bench.next_write_address(false)), (0, 0));
}

#[test]
fn sender_of_a_status_is_the_one_that_the_link_names() {
    let mut bench = Bench::configured();
    bench.arrive(frame(&packet(rvs(24), 0x1000, &[1])));
    bench.settle();
    let status = bench.read(Area::Llcm.part(false)) as u64;
    assert_eq!(status >> 18 & 0xfff, u64::from(PEER));
    assert_ne!(PEER, LID);
    assert_eq!(PGID[0], rvs(24).pgid);
}
