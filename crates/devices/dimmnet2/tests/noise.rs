//! Noise on all pins: the board does not panic for any host writes and received lines, and becomes idle
//! when they stop and the status rings are read.
//!
//! Debug assertions are part of the test, so it checks little with `--release`.

use dimmnet2::Dimmnet2;
use dimmnet2::address::Area;
use dimmnet2::clocks;
use dimmnet2::line::Line;
use dimmnet2::packet::FirstLine;
use dimmnet2::pins::{HostIn, In};
use dimmnet2::registers::UserRegister;
use hdl::{Model, Nic, Quiet};
use proptest::prelude::*;

/// Inputs of one cycle of both clocks.
#[derive(Clone, Debug, Default)]
struct Noise {
    host: HostIn,
    line: Option<Line>,
    /// Whether SO-DIMM1, SO-DIMM2 and the link accept what is offered.
    ready: [bool; 3],
}

/// An address: anywhere, or on a register page.
fn address() -> impl Strategy<Value = u32> {
    prop_oneof![
        0..1u32 << 20,
        (0..256u32).prop_map(|row| 0x40000 + 16 * row),
        (0..256u32).prop_map(|row| {
            let area = if row % 2 == 0 { 0x41000 } else { 0x50000 };
            area + 16 * row
        })
    ]
}

fn host() -> impl Strategy<Value = HostIn> {
    let byte_enable = prop_oneof![Just(0xffffu16), Just(0x00ff), any::<u16>()];
    // BOTFs of all sizes, small values for configuration registers, and arbitrary words.
    let botf = (0..4u64, 0..1024u64).prop_map(|(window, size)| size << 32 | window << 5 | 1);
    // Sizes stay below 2 KB: a transfer of gigabytes would outlast the test.
    let word = prop_oneof![0..64u64, any::<u64>().prop_map(|word| word & 0x0000_07ff_ffff_ffff), botf];
    (any::<bool>(), any::<bool>(), address(), byte_enable, word, any::<u64>()).prop_map(
        |(enable, write, address, byte_enable, even, odd)| {
            let wdata = u128::from(odd) << 64 | u128::from(even);
            HostIn { wdata, byte_enable, address, enable, write }
        },
    )
}

/// The first line of a packet of group 0, which a freshly reset board accepts.
fn first_line() -> impl Strategy<Value = u64> {
    let otype = prop_oneof![0x10..0x18u8, Just(0x14)];
    (any::<u64>(), otype, 0..600u16).prop_map(|(noise, otype, packet_size)| {
        FirstLine { pgid: 0, otype, packet_size, ..FirstLine::from_bits(noise) }.bits()
    })
}

/// A line that requests at most 2 KB if it is taken as the third line of a remote read.
fn short() -> impl Strategy<Value = u64> {
    any::<u64>().prop_map(|word| word & 0xffff_ffff_0000_07ff)
}

/// A line with any identifier: noise, a local route header for LID 0, or a first line.
fn line() -> impl Strategy<Value = Line> {
    let data = prop_oneof![short(), Just(0), first_line()];
    (data, 0..4u8).prop_map(|(data, id)| Line { data, id })
}

/// A frame that a freshly reset board accepts, sometimes truncated.
fn frame() -> impl Strategy<Value = Vec<Line>> {
    (first_line(), proptest::collection::vec(short(), 0..40), proptest::bool::weighted(0.8)).prop_map(
        |(first, words, whole)| {
            let mut lines = vec![Line { data: 0, id: 1 }];
            let words = [0, 0, first].into_iter().chain(words);
            lines.extend(words.map(|data| Line { data, id: 3 }));
            lines.last_mut().expect("a frame has a header").id = if whole { 2 } else { 3 };
            lines
        },
    )
}

fn noise() -> impl Strategy<Value = Vec<Noise>> {
    let ready = || proptest::array::uniform3(proptest::bool::weighted(0.8));
    let cycle = (host(), proptest::option::weighted(0.7, line()), ready())
        .prop_map(|(host, line, ready)| vec![Noise { host, line, ready }]);
    let frame = (frame(), ready()).prop_map(|(lines, ready)| {
        let cycle = |line| Noise { line: Some(line), ready, ..Noise::default() };
        lines.into_iter().map(cycle).collect()
    });
    prop_oneof![9 => cycle, 1 => frame]
}

/// The board and its input pins.
struct Bench {
    board: Model<Dimmnet2>,
    pins: In,
}

impl Bench {
    fn cycle(&mut self, noise: &Noise) {
        self.pins.host = noise.host;
        self.pins.network.rx_line = noise.line.unwrap_or_default();
        self.pins.network.rx_valid = noise.line.is_some();
        self.pins.memory0.ready = noise.ready[0];
        self.pins.memory1.ready = noise.ready[1];
        self.pins.network.tx_ready = noise.ready[2];
        self.board.edge(clocks::BOTH, &self.pins).expect("a model never fails");
    }

    fn calm(&mut self, host: HostIn) {
        self.cycle(&Noise { host, line: None, ready: [true; 3] });
    }

    /// Empties a status ring.
    fn drain(&mut self, wid: bool) {
        let page = Area::UserRegister.part(wid);
        let tail = page + u32::from(UserRegister::StatusNextWriteAddress.info().offset);
        self.calm(HostIn { address: tail, enable: true, ..HostIn::default() });
        let wdata = self.board.outputs().host.rdata;
        let head = page + u32::from(UserRegister::StatusNextReadAddress.info().offset);
        self.calm(HostIn { address: head, wdata, byte_enable: 0x00ff, enable: true, write: true });
    }
}

/// Bound of the cycles until the board rests: 1,024 received lines as packets of one line, 21 cycles each
/// with a status, and the transfers that noise can request, 255 elements each. Far more than ever observed.
const REST: usize = 1_000_000;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn board_is_idle_after_noise_on_all_pins(noise in proptest::collection::vec(noise(), 1..800)) {
        let mut bench = Bench { board: Model::new(Dimmnet2::default()), pins: In::default() };
        noise.iter().flatten().for_each(|noise| bench.cycle(noise));
        let mut cycles = 0;
        while bench.board.quiescent() != Quiet::UntilInput {
            // A first line taken as a size requests megabytes, whose transfer takes too long.
            let executor = &bench.board.device().core_logic.window_controller.request_executor;
            prop_assume!(executor.rvs.vector_load.total < 1 << 20);
            prop_assert!(cycles < REST, "the board does not come to rest");
            bench.calm(HostIn::default());
            cycles += 1;
            if cycles % 8 == 0 {
                bench.drain(cycles % 16 == 0);
            }
        }
    }
}
