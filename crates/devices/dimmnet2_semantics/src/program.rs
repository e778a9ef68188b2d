//! Random programs: primitives of all processes of two nodes, often at the limits of their parameters.
//!
//! Programs shrink to a few short primitives and print them.

use std::fmt;

use dimmnet2::command::SODIMM_COPY;
use dimmnet2::{BotfLower, Ex, Family, FirstLine, LhsUpper, Lower, Primitive, SecondLine, ThirdLine, Upper};
use hdl::Stimulus;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{Union, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::access::Who;
use crate::oracle::{Command, window, window_part};

/// Number of nodes of a program.
pub(crate) const NODES: usize = 2;

/// Word of LLCM with the first AMT entry of the senders. Programs store neither here nor in the ring of
/// receive statuses.
pub(crate) const AMT: u16 = 0x5000 / 8;

/// Start of the LLCM area in which programs store.
const LLCM: u32 = 0x1000;

/// Start of the lists of offsets in SO-DIMM.
pub(crate) const LISTS: u32 = 0x4000;

/// End of the lists of offsets.
pub(crate) const LISTS_END: u32 = 0x5000;

/// First IPUSH ring in SO-DIMM; each sender has one.
const RINGS: u32 = 0x10_0000;

/// Configuration of both nodes.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Process groups by node and WID.
    pub pgids: [[u8; 2]; NODES],
    /// Code of the MTU of each node (thesis table 4.11).
    pub mtu: [u8; NODES],
    /// Code of SO-DIMM Capacity (thesis table 4.10).
    pub capacity: u8,
    /// IPUSH Area Size of each node.
    pub ipush_area: [u16; NODES],
    /// Read Options of each node; they do not affect results.
    pub read_options: [u8; NODES],
    /// Lines between the initial Tail of the rings and their end.
    pub ring: u16,
    /// Seed of the initial contents of the SO-DIMMs.
    pub seed: u64,
}

/// Bytes that the host writes into its Write Windows.
#[derive(Clone, PartialEq, Eq)]
pub struct Fill {
    /// Offset in its four Write Windows, a multiple of 4.
    pub offset: u32,
    /// Bytes to write, at most 512.
    pub bytes: Vec<u8>,
}

/// A primitive with the data that the host writes before it.
#[derive(Clone, PartialEq, Eq)]
pub struct Action {
    /// Bytes to write before the primitive.
    pub fill: Option<Fill>,
    /// The primitive to issue.
    pub command: Command,
}

/// An action of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Process that acts.
    pub who: Who,
    /// The primitive, after the data that the host writes.
    pub action: Action,
}

/// A configuration with primitives for all processes.
#[derive(Clone)]
pub struct Program {
    /// Configuration of the nodes.
    pub configuration: Configuration,
    /// Primitives, in the order in which the oracle executes them.
    pub steps: Vec<Step>,
}

impl Configuration {
    /// Bytes of each process's region.
    pub fn region(&self) -> u64 {
        u64::from(dimmnet2::registers::code::sdimm_capacity_megabytes(self.capacity)) << 20
    }

    /// Word of LLCM with the AMT entry of a sender; the same for all receivers.
    pub fn amt_entry(sender: Who) -> u16 {
        AMT + 2 * sender.node as u16 + u16::from(sender.wid)
    }

    /// AMT entry of a sender's ring: empty, Tail near the end.
    pub fn ring(&self, sender: Who) -> u64 {
        let ring = RINGS + 0x10_0000 * u32::from(Self::amt_entry(sender) - AMT);
        let tail = ring + 0x1_0000 - 8 * u32::from(self.ring);
        u64::from(tail) << 32 | u64::from(tail)
    }
}

impl Action {
    /// Write Windows that the primitive reads, or whose bits in Controller Status it clears.
    pub fn windows(&self) -> Vec<usize> {
        let (lower, upper) = (Lower::from_bits(self.command.lower), Upper::from_bits(self.command.upper));
        match lower.otype {
            otype if otype == Primitive::Botf.code() => {
                vec![BotfLower::from_bits(self.command.lower).window.into()]
            }
            // The unassigned code of the family reads nothing, but clears the bits of its window.
            otype if otype >> 2 == Primitive::Vs.code() >> 2 && upper.srcoff != SODIMM_COPY => {
                vec![window(upper.srcoff)]
            }
            _ => match window_part(&self.command) {
                Some((start, bytes)) if bytes > 0 => {
                    let (first, last) = (window(start as u32), window((start + bytes - 1) as u32));
                    if first == last { vec![first] } else { vec![first, last] }
                }
                _ => vec![],
            },
        }
    }

    fn new(primitive: Primitive, lower: Lower, srcoff: u32, dstoff: u32) -> Self {
        let lower = Lower { otype: primitive.code(), ..lower };
        let command =
            Command { lower: lower.bits(), upper: Upper { srcoff, dstoff }.bits(), ..Command::default() };
        Self { fill: None, command }
    }
}

/// A program of at most `steps` primitives.
pub fn program(steps: usize) -> impl Strategy<Value = Program> {
    let steps = move |configuration: Configuration| {
        let region = configuration.region() as u32;
        let step = (0..NODES, any::<bool>(), action(region))
            .prop_map(|(node, wid, action)| Step { who: Who { node, wid }, action });
        (Just(configuration), proptest::collection::vec(step, 1..=steps))
    };
    configuration().prop_flat_map(steps).prop_map(|(configuration, steps)| Program { configuration, steps })
}

impl Program {
    /// The program of `seed`; the same on every machine.
    pub fn random(seed: u64, steps: usize) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), random);
        let tree = program(steps).new_tree(&mut runner);
        tree.expect("every program is one").current()
    }
}

fn configuration() -> impl Strategy<Value = Configuration> {
    // Mostly one group, so that packets are accepted.
    let pgid = || prop_oneof![9 => Just(7u8), 1 => Just(9u8)];
    let mtu = || prop_oneof![Just(0u8), Just(1), Just(2), Just(4), Just(16)];
    let capacity = prop_oneof![3 => Just(0u8), 1 => Just(2)];
    let area = || prop_oneof![4 => Just(1u16), 1 => Just(3), 1 => Just(0)];
    (
        [[pgid(), pgid()], [pgid(), pgid()]],
        [mtu(), mtu()],
        capacity,
        [area(), area()],
        prop_oneof![1..80u16, Just(8192)],
        any::<u64>(),
    )
        .prop_map(|(pgids, mtu, capacity, ipush_area, ring, seed)| Configuration {
            pgids,
            mtu,
            capacity,
            ipush_area,
            ring,
            seed,
            read_options: [seed as u8 & 3, (seed >> 2) as u8 & 3],
        })
}

/// A random action.
fn action(region: u32) -> impl Strategy<Value = Action> {
    let strategies = [
        (4, store(region).boxed()),
        (4, load(region).boxed()),
        (3, copy_half(region).boxed()),
        (6, botf(region).boxed()),
        (3, remote_transfer([Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi], region).boxed()),
        (3, remote_transfer([Primitive::Rvl, Primitive::Rvls, Primitive::Rvli], region).boxed()),
        (3, push(region).boxed()),
        (1, nothing().boxed()),
    ];
    Union::new_weighted(strategies.into())
}

/// Bytes that differ between actions.
fn noise(seed: u64, bytes: usize) -> Vec<u8> {
    let mut random = Stimulus::new(seed);
    (0..bytes).map(|_| random.word() as u8).collect()
}

/// An offset in SO-DIMM: in the data, in the lists, or at the end of the region; sometimes not a multiple of
/// 4.
fn sodimm(region: u32) -> impl Strategy<Value = u32> {
    let offset = prop_oneof![
        6 => (0..0x800u32).prop_map(|word| 4 * word),
        2 => (0..0x100u32).prop_map(move |word| region - 0x400 + 4 * word),
        1 => (0..0x40u32).prop_map(|word| LISTS + 4 * word),
        1 => Just(region),
        1 => (0..0x40u32).prop_map(|word| (4 * word).wrapping_sub(0x80)),
    ];
    (offset, prop_oneof![9 => Just(0u32), 1 => 0..4u32]).prop_map(|(offset, low)| match offset | low {
        // The offset that marks a copy is excluded.
        SODIMM_COPY => 0,
        offset => offset,
    })
}

/// Size of an access: short, about a window, or much too long.
fn size() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..80u32, 3 => 0..600u32, 1 => any::<u32>()]
}

/// DTYPE and number of elements.
fn elements() -> impl Strategy<Value = (u8, u8)> {
    (prop_oneof![9 => 2..8u8, 1 => 0..2u8], prop_oneof![3 => 0..20u8, 1 => any::<u8>()])
}

/// A primitive of a family with the fields of its access: contiguous, strided or listed.
fn vector(primitives: [Primitive; 3], region: u32) -> impl Strategy<Value = (Primitive, Lower)> {
    let [contiguous, strided, listed] = primitives;
    let stride = prop_oneof![
        4 => (0..100u32).prop_map(|words| 4 * words),
        1 => (0..16u32).prop_map(move |k| region / 16 * k),
        1 => any::<u32>(),
    ];
    let list = prop_oneof![
        6 => (LISTS / 4..LISTS_END / 4).prop_map(|word| 4 * word),
        1 => (0..16u32).prop_map(move |word| region - 4 * word),
    ];
    prop_oneof![
        size().prop_map(move |size| (contiguous, Lower::new(contiguous, size))),
        (elements(), stride).prop_map(move |((dtype, iteration), stride)| {
            (strided, Lower { dtype, iteration, ..Lower::new(strided, stride) })
        }),
        (elements(), list).prop_map(move |((dtype, iteration), list)| {
            (listed, Lower { dtype, iteration, ..Lower::new(listed, list) })
        }),
    ]
}

fn store(region: u32) -> impl Strategy<Value = Action> {
    let primitives = [Primitive::Vs, Primitive::Vss, Primitive::Vsi];
    let source = prop_oneof![4 => (0..512u32).prop_map(|word| 4 * word), 1 => 0..0x1_0000u32];
    (vector(primitives, region), source, sodimm(region), any::<u64>(), any::<bool>()).prop_map(
        |((primitive, lower), srcoff, dstoff, seed, fill)| {
            let window = srcoff & 0x600;
            let action = Action::new(primitive, lower, srcoff, dstoff);
            let fill = fill.then(|| Fill { offset: window, bytes: noise(seed, 512) });
            Action { fill, ..action }
        },
    )
}

fn load(region: u32) -> impl Strategy<Value = Action> {
    let primitives = [Primitive::Vl, Primitive::Vls, Primitive::Vli];
    let target = prop_oneof![4 => (0..512u32).prop_map(|word| 4 * word), 1 => 0..0x1_0000u32];
    (vector(primitives, region), sodimm(region), target, any::<bool>()).prop_map(
        |((primitive, lower), srcoff, dstoff, command1)| {
            let mut action = Action::new(primitive, lower, srcoff, dstoff);
            action.command.to_prefetch_window = command1;
            action
        },
    )
}

/// Either half of a copy, mostly of moderate length.
fn copy_half(region: u32) -> impl Strategy<Value = Action> {
    let loads = vector([Primitive::Vl, Primitive::Vls, Primitive::Vli], region);
    let stores = vector([Primitive::Vs, Primitive::Vss, Primitive::Vsi], region);
    let bound = |lower: Lower, primitive| match primitive {
        Primitive::Vl | Primitive::Vs => Lower { size_list_stride: lower.size_list_stride % 3000, ..lower },
        _ => lower,
    };
    prop_oneof![
        (loads, sodimm(region)).prop_map(move |((primitive, lower), srcoff)| {
            Action::new(primitive, bound(lower, primitive), srcoff, SODIMM_COPY)
        }),
        (stores, sodimm(region)).prop_map(move |((primitive, lower), dstoff)| {
            Action::new(primitive, bound(lower, primitive), SODIMM_COPY, dstoff)
        }),
    ]
}

/// RVS and RVL families: to or from any process, into SO-DIMM or a Prefetch Window, sometimes with Command
/// Ex.
fn remote_transfer(primitives: [Primitive; 3], region: u32) -> impl Strategy<Value = Action> {
    let ex = vector(primitives, region).prop_map(|(_, lower)| Ex {
        // Only bits 1:0 matter, and 3 means contiguous.
        otype: if lower.iteration & 7 == 7 { 3 } else { lower.otype },
        dtype: lower.dtype,
        iteration: lower.iteration,
        size_list_stride: lower.size_list_stride,
    });
    let to = (1..=NODES as u16, any::<bool>(), any::<bool>());
    let window = 0..0x1000u32;
    let places = (
        sodimm(region),
        prop_oneof![sodimm(region).prop_map(|at| (at, false)), window.prop_map(|at| (at, true))],
    );
    (vector(primitives, region), to, places, proptest::option::weighted(0.3, ex)).prop_map(
        |((primitive, lower), (dclid, dwid, eflag), (srcoff, (dstoff, to_prefetch_window)), ex)| {
            let size_list_stride = match primitive {
                // Some packets of maximum length, but no gigabytes.
                Primitive::Rvs | Primitive::Rvl => lower.size_list_stride % 9000,
                _ => lower.size_list_stride,
            };
            let lower = Lower { size_list_stride, dclid, dwid, eflag, ..lower };
            let mut action = Action::new(primitive, lower, srcoff, dstoff);
            action.command.to_prefetch_window = to_prefetch_window;
            action.command.ex = ex.map(Ex::bits);
            action
        },
    )
}

/// IPUSH, LHSv1 and LHSv2: to any process, sometimes with Command Ex; heads from anywhere in the Write
/// Windows.
fn push(region: u32) -> impl Strategy<Value = Action> {
    let primitives = [Primitive::Ipush, Primitive::LhsV1, Primitive::LhsV2];
    let ex = vector([Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi], region).prop_map(|(_, lower)| Ex {
        otype: lower.otype,
        dtype: lower.dtype,
        iteration: lower.iteration,
        size_list_stride: lower.size_list_stride,
    });
    let size = prop_oneof![2 => 0..70u32, 2 => size().prop_map(|size| size % 3000), 1 => 0..9000u32];
    let to = (1..=NODES as u16, any::<bool>(), any::<bool>(), any::<bool>());
    let window = (
        prop_oneof![3 => (0..256u16).prop_map(|line| 8 * line), 1 => 0..4096u16],
        prop_oneof![2 => Just(8u16), 2 => (0..70u16).prop_map(|line| 8 * line), 1 => 0..1024u16],
        any::<u64>(),
        any::<bool>(),
    );
    (select(primitives.to_vec()), size, to, sodimm(region), window, proptest::option::weighted(0.3, ex))
        .prop_map(|(primitive, size, to, srcoff, (window_srcoff, window_size, seed, fill), ex)| {
            let (dclid, dwid, eflag, to_prefetch_window) = to;
            let lower = Lower { dclid, dwid, eflag, ..Lower::new(primitive, size) };
            let upper = LhsUpper { srcoff, window_size, window_srcoff }.bits();
            let command = Command { lower: lower.bits(), upper, ex: ex.map(Ex::bits), to_prefetch_window };
            let offset = u32::from(window_srcoff & 0x600);
            let fill =
                (fill && primitive == Primitive::LhsV2).then(|| Fill { offset, bytes: noise(seed, 512) });
            Action { fill, command }
        })
}

/// Destination of a packet: TYPE, rflag, lflag and DSTOff.
fn destination(region: u32) -> impl Strategy<Value = (Primitive, bool, bool, u32)> {
    let llcm = prop_oneof![
        3 => (0..0x200u32).prop_map(|word| LLCM + 4 * word),
        1 => (0..0x100u32).prop_map(|word| 0x8000 - 0x200 + 4 * word),
    ];
    let window = 0..0x800u32;
    let vectors = [Primitive::Rvss, Primitive::Rvsi, Primitive::Rvl, Primitive::Rvls, Primitive::Rvli];
    let pushes = select(vec![Primitive::Ipush, Primitive::LhsV1, Primitive::LhsV2]);
    let pushes = (pushes, any::<bool>(), any::<bool>(), 0..0x1000u32);
    let vectors = (select(vectors.to_vec()), any::<bool>(), sodimm(region));
    prop_oneof![
        3 => sodimm(region).prop_map(|offset| (Primitive::Rvs, false, false, offset)),
        3 => window.prop_map(|offset| (Primitive::Rvs, true, false, offset)),
        2 => (llcm, any::<bool>()).prop_map(|(offset, rflag)| (Primitive::Rvs, rflag, true, offset)),
        5 => pushes,
        3 => vectors.prop_map(|(primitive, rflag, offset)| match (primitive, rflag) {
            (primitive, false) => (primitive, false, false, offset),
            (primitive, true) => (primitive, true, false, offset & 0x7ff),
        }),
    ]
}

/// A packet sent by BOTF, mostly a valid one.
fn botf(region: u32) -> impl Strategy<Value = Action> {
    let size = prop_oneof![2 => 1..40usize, 2 => 0..497usize, 1 => Just(496usize)];
    let to = (0..NODES, any::<bool>(), destination(region));
    let flags = (any::<bool>(), proptest::bool::weighted(0.2), any::<bool>());
    let odd = prop_oneof![
        12 => Just(Odd::None),
        1 => (0..1024u16).prop_map(Odd::Size),
        1 => any::<u64>().prop_map(Odd::First),
        2 => (0..600u32).prop_map(Odd::Later),
    ];
    (to, flags, size, 0..4u8, any::<u64>(), odd).prop_map(
        |((node, dwid, destination), (eflag, hflag, swid), size, window, seed, odd)| {
            let dlid = node as u16 + 1;
            let first = FirstLine { dwid, swid, dlid, eflag, hflag, ..FirstLine::default() };
            let mut image = packet(first, destination, size, seed, odd);
            let size = if let Odd::Size(size) = odd { size } else { image.len() as u16 };
            // The host writes whole 32-bit words.
            image.resize(image.len().next_multiple_of(4), 0);
            let fill = Some(Fill { offset: u32::from(window) * 512, bytes: image });
            let command = Command { lower: BotfLower::new(window, size).bits(), ..Command::default() };
            Action { fill, command }
        },
    )
}

/// Packet with `size` bytes of data, at most 512 bytes in all. `first` has its addresses and flags.
fn packet(
    first: FirstLine,
    (otype, rflag, lflag, dstoff): (Primitive, bool, bool, u32),
    size: usize,
    seed: u64,
    odd: Odd,
) -> Vec<u8> {
    let mut random = Stimulus::new(seed);
    let (request, variant) = (otype.family() == Family::FamilyRvl, otype.code() & 3);
    let third_needed = request || otype.family() == Family::FamilyRvs && variant != 0;
    let hflag = first.hflag || third_needed && !random.one_in(16);
    // Ignored for some packets, but visible in the status.
    let dtype = random.below(8) as u8;
    let iteration = match variant {
        2 if !random.one_in(4) => size.div_ceil(1 << dtype).min(255) as u8,
        _ => random.word() as u8,
    };
    let first = FirstLine { otype: otype.code(), dtype, iteration, rflag, hflag, lflag, ..first };
    let first = match odd {
        Odd::First(noise) => first.bits() ^ noise & noise.rotate_left(7) & 0x7fff_0000_ffff_ffff,
        _ => first.bits(),
    };
    let initial = if let Odd::Later(sent) = odd { dstoff.wrapping_sub(sent) } else { dstoff };
    // For a request of the RVL family this is the source offset of the data.
    let initial = if request { random.below(0x800) as u32 * 4 } else { initial };
    let third = third_line(&mut random, variant, size);
    // A request has at most four lines.
    let size = if request && !random.one_in(8) { 8 * random.below(2) as usize } else { size };
    let mut words = vec![first, SecondLine::writing(dstoff, initial).bits()];
    words.extend(hflag.then_some(third.bits()));
    let mut image: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    image.extend(noise(seed, size));
    image.truncate(512);
    // Data that is taken for a third line must not announce gigabytes.
    image.iter_mut().skip(18).take(2).for_each(|byte| *byte = 0);
    image
}

/// Third line of a packet with `size` bytes of data, with the stride or list of its variant.
fn third_line(random: &mut Stimulus, variant: u8, size: usize) -> ThirdLine {
    let total_transfer_size = size as u32 + random.below(2) as u32 * 100;
    let lists = u64::from(LISTS_END - LISTS);
    let stride_list = match variant {
        1 => 4 * random.below(80) as u32,
        2 => LISTS + (random.below(lists) as u32 & !3),
        _ => random.word() as u32,
    };
    ThirdLine { total_transfer_size, stride_list }
}

/// Irregularity of a packet.
#[derive(Clone, Copy, Debug)]
enum Odd {
    None,
    /// Size of the BOTF differs from that of the packet.
    Size(u16),
    /// Bits of the first line are flipped, except in DLID, so that only one node receives the packet.
    First(u64),
    /// The packet is not the first one of its transfer.
    Later(u32),
}

/// NOP and unassigned codes.
fn nothing() -> impl Strategy<Value = Action> {
    (prop_oneof![Just(0u8), Just(2), Just(7), Just(11), Just(12), Just(28), Just(31)], any::<[u64; 2]>())
        .prop_map(|(otype, [lower, upper])| {
            let lower = Lower { otype, ..Lower::from_bits(lower) };
            Action { fill: None, command: Command { lower: lower.bits(), upper, ..Command::default() } }
        })
}

impl fmt::Debug for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes at {:#05x}", self.bytes.len(), self.offset)
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Command { lower, upper, ex, to_prefetch_window } = self.command;
        let fields = Lower::from_bits(lower);
        let name = Primitive::from_code(fields.otype).map_or("unassigned", Primitive::mnemonic);
        write!(f, "{name}")?;
        if fields.otype == Primitive::Botf.code() {
            write!(f, " {:?}", BotfLower::from_bits(lower))?;
            if let Some(fill) = &self.fill {
                let word = |line: &[u8]| u64::from_le_bytes(line.try_into().expect("a line has 8 bytes"));
                let lines: Vec<u64> = fill.bytes.chunks_exact(8).take(4).map(word).collect();
                write!(f, " {:x?}, lines {lines:x?}", lines.first().copied().map(FirstLine::from_bits))?;
            }
        } else {
            let Lower { dtype, iteration, dwid, dclid, eflag, size_list_stride, .. } = fields;
            let Upper { srcoff, dstoff } = Upper::from_bits(upper);
            let command = u8::from(to_prefetch_window);
            write!(f, " dt={dtype} it={iteration} dw={} dl={dclid} ef={}", dwid as u8, eflag as u8)?;
            write!(f, " size={size_list_stride:#x} src={srcoff:#x} dst={dstoff:#x} command={command}")?;
        }
        if let Some(ex) = ex {
            write!(f, " {:?}", Ex::from_bits(ex))?;
        }
        self.fill.iter().try_for_each(|fill| write!(f, ", after {fill:?}"))
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.configuration)?;
        self.steps.iter().try_for_each(|Step { who, action }| {
            writeln!(f, "  node {} WID {}: {action:?}", who.node, u8::from(who.wid))
        })
    }
}
