//! The machine: a PC with a card on its PCI bus, Ethernet cables and switches.

use std::future::Future;
use std::rc::Rc;

use cluster::switch::{StoreForward, StoreForwardTiming};
use cluster::{Clocks, Cpu, Duration, Link, LinkTiming, Machine, Output, Station};
use gigae_pm::memory_map::NODES;
use gigae_pm::pins::In;

use crate::clocks::{CLOCKS, NETWORK};
use crate::tcp::{Kernel, Tcp};
use crate::{BusHost, Cluster, Driver, GigaePm, Port, Settings, Side, Symbol, cost};

/// Bytes of silence between frames (IEEE 802.3, section 4), without the one that ends a frame.
const GAP: u64 = 12 - 1;

/// Frames that an output of a switch holds before it drops more (decision 0033).
const QUEUE: usize = 256;

impl Machine for GigaePm {
    type Device = gigae_pm::GigaePm;
    type Side = Side;
    type Port = Port;
    type Switch = StoreForward<Symbol>;
    type Settings = Settings;

    const TITLE: &'static str = "GigaE PM";
    const MOST_NODES: usize = NODES as usize;
    const CLOCKS: Clocks = CLOCKS;
    const LINK_CLOCK: usize = NETWORK;

    /// Gigabit Ethernet: 125 MB/s (paper section 1).
    const LINK: LinkTiming = LinkTiming {
        latency: cost::CABLE,
        unit: CLOCKS.domain(NETWORK).period,
        frame_overhead: Duration::from_ps(CLOCKS.domain(NETWORK).period.ps() * GAP),
        flow_control: false,
    };

    const SWITCH: StoreForwardTiming =
        StoreForwardTiming { latency: cost::SWITCH, clock: CLOCKS.domain(NETWORK), queue: QUEUE };

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
        Port::new(side.host(cpu), side.driver().clone())
    }
}

/// Programs of TCP/IP and of the kernel.
pub trait Programs {
    /// Starts a program that uses the card and the driver itself.
    fn spawn_kernel<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(BusHost, Rc<Driver>) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static;

    /// Starts a program of TCP/IP on a node; the first one also starts the kernel's bottom half.
    fn spawn_tcp<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(Tcp) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static;
}

impl Programs for Cluster {
    fn spawn_kernel<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(BusHost, Rc<Driver>) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.spawn_beside(node, name, |side, cpu| program(side.host(cpu), side.driver().clone()))
    }

    fn spawn_tcp<F, T>(
        &mut self,
        node: usize,
        name: &'static str,
        program: impl FnOnce(Tcp) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let kernel = kernel(self, node);
        self.spawn_kernel(node, name, |host, driver| {
            let program = program(Tcp::new(host.clone(), kernel));
            async move {
                driver.up(&host).await;
                program.await
            }
        })
    }
}

/// TCP/IP in the kernel of a node; the first use starts its bottom half.
pub(crate) fn kernel(cluster: &mut Cluster, node: usize) -> Rc<Kernel> {
    let (kernel, new) = cluster.node_mut(node).side_mut().kernel();
    if new {
        let bottom = kernel.clone();
        cluster.serve(node, "bottom half", |side, cpu| {
            let host = side.host(cpu);
            async move { bottom.bottom_half(host).await }
        });
    }
    kernel
}
