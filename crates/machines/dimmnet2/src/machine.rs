//! The machine: a PC with a board, InfiniBand cables and switches.

use cluster::switch::{CutThrough, CutThroughTiming};
use cluster::{Clocks, Cpu, Duration, Link, LinkTiming, Machine, RunError, Station};
use dimmnet2::address::clid_to_lid;
use dimmnet2::pins::In;

use crate::clocks::{CLOCKS, NETWORK};
use crate::line::CableLine;
use crate::settings::Settings;
use crate::{Cluster, Dimmnet2, Host, Side};

/// Lines that an input of a switch holds: three of the longest frames and the lines in flight (decision 0013).
pub const INPUT_LINES: usize = 2048;

/// Lines of the longest frame: MTU 4096, and up to 64 bytes of InfiniBand headers.
const LONGEST_FRAME: usize = (4096 + 64) / 8;

impl Machine for Dimmnet2 {
    type Device = dimmnet2::Dimmnet2;
    type Side = Side;
    type Port = Host;
    type Switch = CutThrough<CableLine>;
    type Settings = Settings;

    const TITLE: &'static str = "DIMMnet-2";
    /// One for each CLID of a unicast LID (decision 0006).
    const MOST_NODES: usize = 3071;
    const CLOCKS: Clocks = CLOCKS;
    const LINK_CLOCK: usize = NETWORK;

    /// InfiniBand 4X over 2 m of copper (thesis table 6.1).
    ///
    /// * latency: 2 m at 5 ns/m, a wave at two thirds of the speed of light, as in most copper cables
    ///   (decision 0013; the thesis gives the length alone);
    /// * unit, a line: 4 lanes of 2.5 Gbps with 8B10B carry 1 byte per ns;
    /// * frame overhead: ICRC 4 bytes, VCRC 2 bytes, a start and an end delimiter of one symbol each
    ///   (InfiniBand Architecture, volume 1 chapter 7 and volume 2, packet formats), less the 4 bytes by which
    ///   the last line of the base transport header is shorter than the others (decision 0010).
    const LINK: LinkTiming = LinkTiming {
        latency: Duration::from_ps(2 * 5_000),
        unit: Duration::from_ps(8_000),
        frame_overhead: Duration::from_ps((4 + 2 + 1 + 1 - 4) * 1_000),
        flow_control: true,
    };

    /// Latency from the first bit at an input to the first bit at an output: 0.385 us (thesis section 6.2, cited there
    /// for the Voltaire ISR6000). Credits take as long (decision 0038).
    const SWITCH: CutThroughTiming = CutThroughTiming {
        cut_through: Duration::from_ns(385),
        unit: Self::LINK.unit,
        credit: Duration::from_ns(385),
        input: INPUT_LINES,
        longest: LONGEST_FRAME,
    };

    fn address(node: usize) -> u16 {
        lid(node)
    }

    fn link(settings: &Settings) -> Link<CableLine> {
        let mut link = Link::new(Self::LINK);
        // A receiver detects a wrong CRC, and the frame is sent again.
        link.faults_mut().checked = settings.retransmission;
        link
    }

    fn side(station: Station, settings: &Settings) -> Side {
        Side::new(station, settings)
    }

    fn pins(side: &Side) -> In {
        side.first_pins()
    }

    fn port(side: &Side, cpu: Cpu) -> Host {
        side.host(cpu)
    }
}

/// LID of a node, as a subnet manager assigns it: that of CLID `node + 1`. Other LIDs are never assigned (decision
/// 0006).
///
/// # Panics
/// If there are fewer LIDs than nodes.
pub fn lid(node: usize) -> u16 {
    assert!(node < Dimmnet2::MOST_NODES, "there are LIDs for {} nodes", Dimmnet2::MOST_NODES);
    clid_to_lid(node as u16 + 1)
}

/// The sweep of a subnet manager: node n gets LID `lids[n]`, which its board shows in register SMA LID, its link
/// becomes usable, and the switches get routes to all LIDs.
///
/// # Panics
/// If there is not one LID for each node.
pub fn sweep(cluster: &mut Cluster, lids: &[u16]) -> Result<(), RunError> {
    assert_eq!(lids.len(), cluster.nodes().len(), "every node has one LID");
    cluster.set_routes(lids.iter().copied());
    let now = cluster.now();
    for (node, lid) in lids.iter().enumerate() {
        cluster.disturb(node, |side, pins| side.join_subnet(now, *lid, lids, pins))?;
    }
    Ok(())
}
