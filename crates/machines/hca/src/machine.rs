//! The machine: PCs with an adapter each, cables of 4X InfiniBand, and a switch.

use cluster::switch::{CutThrough, CutThroughTiming};
use cluster::{Clocks, Cpu, Duration, Link, LinkTiming, Machine, Station};
use hca::layout::MAX_UNITS;
use hca::pins::In;

use crate::clocks::{CLOCKS, CORE};
use crate::layout::MOST_HOSTS;
use crate::{Hca, Port, Settings, Side, Word};

/// Words of the longest packet.
const LONGEST: usize = MAX_UNITS as usize / 2;

/// Words that an input of a switch holds: four of the longest packets. Our choice (decision 0064).
const INPUT_WORDS: usize = 4 * LONGEST;

impl Machine for Hca {
    type Device = hca::Hca;
    type Side = Side;
    type Port = Port;
    type Switch = CutThrough<Word>;
    type Settings = Settings;

    const TITLE: &'static str = "the channel adapter";
    /// A queue pair for each other host, and one for datagrams.
    const MOST_NODES: usize = MOST_HOSTS;
    const CLOCKS: Clocks = CLOCKS;
    const LINK_CLOCK: usize = CORE;

    /// InfiniBand 4X over 2 m of copper, at 5 ns/m (decision 0013): four lanes of 2.5 Gbit/s with 8b/10b carry a byte
    /// in a nanosecond. Besides its words a packet has a VCRC of 2 bytes and two delimiters of a byte (IBA volume 1,
    /// chapter 7).
    const LINK: LinkTiming = LinkTiming {
        latency: Duration::from_ps(2 * 5_000),
        unit: Duration::from_ps(8_000),
        frame_overhead: Duration::from_ps((2 + 1 + 1) * 1_000),
        flow_control: true,
    };

    /// Latency from the first bit at an input to the first bit at an output: 0.385 us, which the thesis on DIMMnet-2
    /// cites for a Voltaire ISR6000 (section 6.2). For the switch of the paper on Fagus, also of Voltaire, no number is
    /// published.
    const SWITCH: CutThroughTiming = CutThroughTiming {
        cut_through: Duration::from_ns(385),
        unit: Self::LINK.unit,
        credit: Duration::from_ns(385),
        input: INPUT_WORDS,
        longest: LONGEST,
    };

    /// LID of a node, as a subnet manager assigns it.
    fn address(node: usize) -> u16 {
        node as u16 + 1
    }

    fn link(_settings: &Settings) -> Link<Word> {
        Link::new(Self::LINK)
    }

    fn side(station: Station, settings: &Settings) -> Side {
        Side::new(station, settings)
    }

    fn pins(_side: &Side) -> In {
        In::default()
    }

    fn port(side: &Side, cpu: Cpu) -> Port {
        Port::new(side.host(cpu), side.verbs().clone())
    }
}
