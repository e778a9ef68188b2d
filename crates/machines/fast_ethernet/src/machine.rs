//! The machine: PCs on a switch of 100 Mbit/s Ethernet.

use std::rc::Rc;

use cluster::switch::{StoreForward, StoreForwardTiming};
use cluster::{Clocks, Cpu, Duration, Link, LinkTiming, Machine, Station};
use ethernet::{Host as _, Kernel, Symbol, Tcp, Udp};

use crate::FastEthernet;
use crate::card::{FastEthernetCard, In};
use crate::clocks::{ALL_CLOCKS, BYTE_CLOCK};
use crate::cost;
use crate::driver::{Driver, Host};
use crate::pm_ethernet::PmEthernet;
use crate::pm_port::PmPort;
use crate::settings::Settings;
use crate::side::Side;

/// Bytes of silence between frames (IEEE 802.3), without the one that ends a frame.
const GAP: u64 = 12 - 1;

/// A host as its programs see it: the kernel's sockets, and PM.
pub struct Port {
    host: Host,
    kernel: Rc<Kernel<Driver>>,
    pm: Rc<PmEthernet>,
}

impl Port {
    /// The host, for time and computing.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Sockets of UDP in the kernel.
    pub fn udp(&self) -> Udp<Driver> {
        Udp::new(self.host.clone(), self.kernel.clone())
    }

    /// Sockets of TCP in the kernel.
    pub fn tcp(&self) -> Tcp<Driver> {
        Tcp::new(self.host.clone(), self.kernel.clone())
    }

    /// PM, in the driver.
    pub fn pm(&self) -> PmPort {
        PmPort::new(self.host.processor().clone(), self.pm.clone())
    }
}

impl Machine for FastEthernet {
    type Device = FastEthernetCard;
    type Side = Side;
    type Port = Port;
    type Switch = StoreForward<Symbol>;
    type Settings = Settings;

    const TITLE: &'static str = "Fast Ethernet";
    /// Our choice: the kernel's addresses would distinguish 65,536 nodes.
    const MOST_NODES: usize = 1_024;
    const CLOCKS: Clocks = ALL_CLOCKS;
    const LINK_CLOCK: usize = 0;

    const LINK: LinkTiming = LinkTiming {
        latency: cost::CABLE,
        unit: cost::BYTE,
        frame_overhead: Duration::from_ps(cost::BYTE.ps() * GAP),
        flow_control: false,
    };

    const SWITCH: StoreForwardTiming =
        StoreForwardTiming { latency: cost::SWITCH, clock: BYTE_CLOCK, queue: cost::QUEUE };

    fn address(node: usize) -> u16 {
        node as u16
    }

    fn link(_settings: &Settings) -> Link<Symbol> {
        Link::new(Self::LINK)
    }

    fn side(station: Station, settings: &Settings) -> Side {
        Side::new(station, settings)
    }

    fn pins(_side: &Side) -> In {
        In::default()
    }

    fn port(side: &Side, cpu: Cpu) -> Port {
        Port { host: side.host(cpu), kernel: side.kernel(), pm: side.pm() }
    }
}
