use dimmnet2::command::SODIMM_COPY;
use dimmnet2::registers::WindowStatus;
use dimmnet2::{BotfLower, FirstLine, Lower, Primitive, SecondLine, Upper};
use oracle::{Command, Oracle, Who};

const ME: Who = Who { node: 0, wid: false };
const YOU: Who = Who { node: 1, wid: true };

fn command(lower: Lower, srcoff: u32, dstoff: u32) -> Command {
    Command { lower: lower.bits(), upper: Upper { srcoff, dstoff }.bits(), ..Command::default() }
}

fn sodimm(oracle: &Oracle, who: Who, offset: u64, bytes: u64) -> Vec<u8> {
    let node = &oracle.nodes[who.node];
    (offset..offset + bytes).map(|at| node.sodimm.get(node.address(who.wid, at))).collect()
}

/// Two nodes; the Write Windows of the first process count up.
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
fn vss_and_vls_of_one_stride_are_each_others_reverse() {
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
    // The slot is empty.
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
    // Another group hears nothing.
    oracle.process(YOU).pgid = 6;
    oracle.issue(ME, &Command { lower: BotfLower::new(1, 24).bits(), ..Command::default() });
    assert_eq!((oracle.process(YOU).packets, oracle.process(ME).counter.botf), (1, 2));
}
