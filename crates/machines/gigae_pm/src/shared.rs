//! Shared memory on this machine: over the carriers of MPI, or over UDP of the kernel.

use cluster::Duration;
use ethernet::{DATAGRAM_BYTES, Udp};
use fagus::carrier::machine::Station;
use machine_api::{Datagrams, Shared, SharedLibrary, StationOpening};

use crate::machine::kernel;
use crate::tcp::OverUdp;
use crate::{Cluster, GigaePm, Settings};

impl Shared for GigaePm {
    const DATAGRAMS: &'static [Datagrams<Self>] = &[Datagrams {
        name: "udp",
        doc: "datagrams of UDP, through the kernel; Fagus acknowledges them and sends them again",
        bytes: DATAGRAM_BYTES,
        most_nodes: ethernet::MOST_RANKS,
        open: over_udp,
    }];

    fn library(settings: &Settings) -> SharedLibrary {
        let instruction = settings.costs.instruction;
        SharedLibrary { cost: settings.library, message: Duration::ZERO, instruction }
    }
}

fn over_udp(cluster: &mut Cluster, node: usize) -> StationOpening<GigaePm> {
    let kernel = kernel(cluster, node);
    Box::new(move |port| {
        Box::pin(async move {
            port.driver().up(port.host()).await;
            let udp = Udp::new(port.host().clone(), kernel);
            let station: Box<dyn Station> = Box::new(OverUdp::open(udp).await);
            station
        })
    })
}
