use dimmnet2::command::SODIMM_COPY;
use dimmnet2::registers::WindowStatus;
use dimmnet2::{BotfLower, FirstLine, LhsUpper, Lower, Primitive, SecondLine, Upper};
use dimmnet2_semantics::{Command, Oracle, Who};

const ME: Who = Who { node: 0, wid: false };
const YOU: Who = Who { node: 1, wid: true };

fn command(lower: Lower, srcoff: u32, dstoff: u32) -> Command {
    Command { lower: lower.bits(), upper: Upper { srcoff, dstoff }.bits(), ..Command::default() }
}

fn sodimm(oracle: &Oracle, who: Who, offset: u64, bytes: u64) -> Vec<u8> {
    let node = &oracle.nodes[who.node];
    (offset..offset + bytes).map(|at| node.sodimm.get(node.address(who.wid, at))).collect()
}

/// Two nodes; the Write Windows of the first process contain ascending bytes.
fn oracle() -> Oracle {
    let mut oracle = Oracle::new(2);
    let bytes: Vec<u8> = (0..2048u32).map(|n| (n + n / 256) as u8).collect();
    oracle.fill(ME, 0, &bytes);
    oracle
}

#[test]
fn vs_of_figure_c_7_stores_a_window() {
    let mut oracle = oracle();
    let vs = Command { lower: 0x0000_0200_0000_0008, upper: 0x0000_0600_0000_0400, ..Command::default() };
    oracle.issue(ME, &vs);
    let window = oracle.process(ME).write_windows[0x400..0x600].to_vec();
    assert_eq!(sodimm(&oracle, ME, 0x600, 512), window);
    assert_eq!(sodimm(&oracle, Who { wid: true, ..ME }, 0x600, 512), [0; 512]);
    let complete = WindowStatus { complete: true, ..WindowStatus::default() };
    assert_eq!(oracle.process(ME).windows[2], complete);
    assert_eq!(oracle.process(ME).counter.vs, 1);
}

#[test]
fn vls_inverts_vss_of_the_same_stride() {
    let mut oracle = oracle();
    let elements = Lower { dtype: 3, iteration: 5, ..Lower::new(Primitive::Vss, 20) };
    oracle.issue(ME, &command(elements, 8, 0x100));
    assert_eq!(sodimm(&oracle, ME, 0x100 + 4 * 20, 12), [40, 41, 42, 43, 44, 45, 46, 47, 0, 0, 0, 0]);
    oracle.issue(ME, &command(Lower { otype: Primitive::Vls.code(), ..elements }, 0x100, 0x610));
    let window: Vec<Option<u8>> = (8..48).map(Some).collect();
    assert_eq!(oracle.process(ME).prefetch_windows[0x610..0x638], window);
    assert_eq!(oracle.process(ME).flag, 0xf000);
}

#[test]
fn store_beyond_the_region_is_cut_and_reported() {
    let mut oracle = oracle();
    let end = 256 << 20;
    oracle.issue(ME, &command(Lower::new(Primitive::Vs, 600), 0x1f0, end - 8));
    let status = WindowStatus { complete: true, source_clamped: true, destination_clamped: true };
    assert_eq!(oracle.process(ME).windows[0], status);
    assert_eq!(sodimm(&oracle, ME, u64::from(end) - 8, 16)[7..9], [0xf8, 0]);
}

#[test]
fn copy_ends_with_the_smaller_half() {
    let mut oracle = oracle();
    oracle.issue(ME, &command(Lower::new(Primitive::Vs, 64), 0, 0));
    oracle.issue(ME, &command(Lower::new(Primitive::Vl, 10), 4, SODIMM_COPY));
    let vss = Lower { dtype: 2, iteration: 9, ..Lower::new(Primitive::Vss, 8) };
    oracle.issue(ME, &command(vss, SODIMM_COPY, 0x1000));
    assert_eq!(
        sodimm(&oracle, ME, 0x1000, 20),
        [4, 5, 6, 7, 0, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 0, 12, 13, 0, 0]
    );
    // No first half is parked.
    oracle.issue(ME, &command(vss, SODIMM_COPY, 0x2000));
    assert_eq!(sodimm(&oracle, ME, 0x2000, 36), [0; 36]);
}

#[test]
fn botf_stores_in_remote_memory_and_leaves_a_status() {
    let mut oracle = oracle();
    for who in [ME, YOU] {
        oracle.process(who).pgid = 5;
    }
    let first =
        FirstLine { otype: Primitive::Rvs.code(), dlid: 2, dwid: true, eflag: true, ..FirstLine::default() };
    let lines = [first.bits(), SecondLine::writing(0x44, 0x40).bits(), 0x0807_0605_0403_0201];
    oracle.fill(ME, 0x200, &lines.map(u64::to_le_bytes).concat());
    oracle.issue(ME, &Command { lower: BotfLower::new(1, 23).bits(), ..Command::default() });
    assert_eq!(sodimm(&oracle, YOU, 0x44, 8), [1, 2, 3, 4, 5, 6, 7, 0]);
    // Size counts from Initial DSTOff; the sender is CLID 1, WID 0.
    let statuses = oracle.process(YOU).statuses.clone();
    assert_eq!(
        statuses.iter().map(|s| (s.1, s.2)).collect::<Vec<_>>(),
        [(11 << 32 | 1 << 30 | 1 << 18 | 0x14, 0x40)]
    );
    // A process of another group receives nothing.
    oracle.process(YOU).pgid = 6;
    oracle.issue(ME, &Command { lower: BotfLower::new(1, 24).bits(), ..Command::default() });
    assert_eq!((oracle.process(YOU).packets, oracle.process(ME).counter.botf), (1, 2));
}

/// The first process sends a message to the second.
fn push(oracle: &mut Oracle, primitive: Primitive, size: u32, window: (u16, u16)) -> bool {
    let lower = Lower { dclid: 2, dwid: true, eflag: true, ..Lower::new(primitive, size) };
    let upper = LhsUpper { srcoff: 0x1000, window_size: window.1, window_srcoff: window.0 };
    let command = Command { lower: lower.bits(), upper: upper.bits(), ..Command::default() };
    oracle.issue(ME, &command).is_some()
}

/// The first process has data in SO-DIMM, line n of which contains n; the second has a ring of 64 KB for it.
fn oracle_with_ring() -> Oracle {
    let mut oracle = oracle();
    let address = oracle.nodes[0].address(ME.wid, 0x1000);
    (0..1024u64).for_each(|at| oracle.nodes[0].sodimm.set(address + at, (at / 8) as u8));
    oracle.nodes[1].amt[2] = 0x10;
    let process = oracle.process(YOU);
    process.ipush_area = 1;
    process.llcm[0x80..0x88].copy_from_slice(&0x0002_0000_0002_0000u64.to_le_bytes());
    oracle
}

#[test]
fn lhs_v2_leaves_a_head_and_a_rest() {
    let mut oracle = oracle_with_ring();
    // 16 bytes that wrap at the end of the windows, then 64 of SO-DIMM.
    push(&mut oracle, Primitive::LhsV2, 80, (0x7f8, 16));
    let process = oracle.process(YOU).clone();
    let line = |n: usize| u64::from_le_bytes(process.lh_buffer[8 * n..][..8].try_into().unwrap());
    // The last 8 bytes of the window, with both flags in place of bits 47:46.
    assert_eq!(line(0), 0x0605_c403_0201_00ff & !(0b11 << 46) | 0b11 << 46);
    assert_eq!(line(1), 0x0002_0000_0000_0048);
    assert_eq!([line(2), line(3), line(7)], [0x0706_0504_0302_0100, 0, 0x0404_0404_0404_0404]);
    assert_eq!(
        sodimm(&oracle, YOU, 0x2_0000, 32)[7..26],
        [vec![5], vec![6; 8], vec![7; 8], vec![0; 2]].concat()
    );
    assert_eq!(process.llcm[0x80..0x84], 0x0002_0018u32.to_le_bytes());
    assert_eq!(process.statuses.iter().map(|s| (s.1 >> 32, s.2)).collect::<Vec<_>>(), [(80, 0x2_0000)]);
    assert_eq!((process.lh_tail(), process.packets, oracle.process(ME).counter.ipush), (64, 1, 1));
}

#[test]
fn sixty_three_heads_fill_the_lh_buffer_and_flags_invert() {
    let mut oracle = oracle_with_ring();
    let flags = |oracle: &mut Oracle, entry: usize| oracle.process(YOU).lh_buffer[64 * entry + 5] >> 6;
    for entry in 0..63 {
        assert!(push(&mut oracle, Primitive::LhsV1, 56, (0, 0)));
        assert_eq!(flags(&mut oracle, entry), 0b11);
    }
    let full = oracle.clone();
    assert!(!push(&mut oracle, Primitive::LhsV1, 8, (0, 0)), "it waits");
    assert_eq!((oracle.process(YOU).packets, oracle.process(YOU).heads), (63, 63));
    oracle = full;
    for expected in [(63, 0b11), (0, 0), (1, 0)] {
        oracle.read_head(YOU);
        assert!(push(&mut oracle, Primitive::LhsV1, 8, (0, 0)));
        assert_eq!((expected.0, flags(&mut oracle, expected.0)), expected);
    }
}

#[test]
fn ipush_is_stored_only_in_a_ring() {
    let mut oracle = oracle_with_ring();
    push(&mut oracle, Primitive::Ipush, 20, (8, 8));
    assert_eq!(sodimm(&oracle, YOU, 0x2_0000, 24), [vec![0; 8], vec![1; 8], vec![2; 4], vec![0; 4]].concat());
    assert_eq!((oracle.process(YOU).packets, oracle.process(YOU).heads), (1, 0));
    oracle.process(YOU).ipush_area = 0;
    push(&mut oracle, Primitive::Ipush, 20, (0, 0));
    // Short messages need no ring.
    push(&mut oracle, Primitive::LhsV1, 56, (0, 0));
    assert_eq!((oracle.process(YOU).packets, oracle.process(YOU).overrun), (2, true));
    assert_eq!(oracle.process(ME).counter.ipush, 3);
}
