//! The driver as a card of the kernel.

use cluster::Cpu;
use cluster::host::{Level, Preemption};
use ethernet::{Card, Costs, Host};
use pm::NodeId;

use crate::{BusHost, Driver, TransmitError, mac_address};

impl Host for BusHost {
    fn processor(&self) -> &Cpu {
        BusHost::processor(self)
    }

    fn kernel_costs(&self) -> Costs {
        let crate::cost::Costs { system_call, turn, copy, copy_cached, checksum, packet, .. } = *self.costs();
        Costs { system_call, turn, copy, copy_cached, checksum, packet }
    }
}

impl Card for Driver {
    type Host = BusHost;

    fn mac_address(node: NodeId) -> [u8; 6] {
        mac_address(node.0)
    }

    fn node(&self) -> NodeId {
        Driver::node(self)
    }

    fn reaches(&self, node: NodeId) -> bool {
        Driver::reaches(self, node)
    }

    async fn transmit(&self, host: &BusHost, frame: &[u8]) -> bool {
        let done = Driver::transmit(self, host, frame).await;
        assert!(
            matches!(done, Ok(()) | Err(TransmitError::Full)),
            "the interface is up, and packets fit into frames"
        );
        done.is_ok()
    }

    /// The card does not report that it has room: the kernel tries again at once.
    async fn pause(&self, host: &BusHost, preemption: &Preemption, level: Level) {
        preemption.work(host.processor(), level, host.costs().turn).await;
    }

    async fn next_frame(&self, host: &BusHost) -> Vec<u8> {
        Driver::next_frame(self, host).await
    }
}
