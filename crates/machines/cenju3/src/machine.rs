//! The machine: processor elements, and the multistage network between them (paper, section 3).

use cenju3::memory_map::{PACKET_WORDS, WORD_CYCLES};
use cenju3::pins::In;
use cluster::switch::{CutThrough, CutThroughTiming};
use cluster::{Clocks, Cpu, Duration, Link, LinkTiming, Machine, Station, Topology};

use crate::clocks::{CLOCKS, CORE};
use crate::{Cenju3, Port, Settings, Side, Word, cost};

/// Time of a word on a cable: 8 bytes at 40 MB/s (paper, section 3).
const WORD: Duration = Duration::from_ps(CLOCKS.domain(CORE).period.ps() * WORD_CYCLES as u64);

/// Latency of a switch from the first bit at an input to the first bit at an output: a word has to arrive, and a clock
/// passes for the arbitration (decision 0058; of the switches only their size is published).
const CUT_THROUGH: Duration = Duration::from_ps(2 * WORD.ps());

/// Words that an input holds: two packets, so that one arrives while the one before it leaves (decision 0058).
const INPUT_WORDS: usize = 2 * PACKET_WORDS as usize + 4;

impl Machine for Cenju3 {
    type Device = cenju3::Cenju3;
    type Side = Side;
    type Port = Port;
    type Switch = CutThrough<Word>;
    type Settings = Settings;

    const TITLE: &'static str = "Cenju-3";
    /// Four stages of 4x4 switches (paper, section 3).
    const MOST_NODES: usize = 256;
    const CLOCKS: Clocks = CLOCKS;
    const LINK_CLOCK: usize = CORE;

    const LINK: LinkTiming =
        LinkTiming { latency: cost::CABLE, unit: WORD, frame_overhead: Duration::ZERO, flow_control: true };

    const SWITCH: CutThroughTiming = CutThroughTiming {
        cut_through: CUT_THROUGH,
        unit: WORD,
        credit: WORD,
        input: INPUT_WORDS,
        longest: PACKET_WORDS as usize,
    };

    fn address(node: usize) -> u16 {
        node as u16
    }

    fn topology(nodes: usize) -> Topology {
        Topology::multistage(nodes)
    }

    fn link(_settings: &Settings) -> Link<Word> {
        Link::new(Self::LINK)
    }

    fn side(station: Station, settings: &Settings) -> Side {
        Side::new(station, settings)
    }

    fn pins(side: &Side) -> In {
        side.first_pins()
    }

    fn port(side: &Side, cpu: Cpu) -> Port {
        Port::new(side.host(cpu), side.deen().clone(), side.settings())
    }
}
