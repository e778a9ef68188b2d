//! A look at the responder of a queue pair: a duplicate packet from a queue pair of the driver.
//!
//! The adapter answers a duplicate at a working queue pair with an acknowledgement for the peer, who has it already, and
//! counts it as a packet for an unknown queue pair where the responder has failed.

use cluster::Duration;
use hca::contexts::{Attributes, Kind};
use hca::layout::{Operation, SEND_WQE_BYTES, SendWqe};
use hca::registers::{Doorbell, Register};

use super::adapter::Adapter;

/// The queue pair of the driver: that of management (IBA volume 1, section 3.9.1).
const PROBE: u8 = 1;
/// Time from the doorbell to the end of the packet at its own adapter, at most: a doorbell and a path through the switch.
const ROUND: Duration = Duration::from_us(20);

impl Adapter {
    /// Whether the responder of a queue pair has failed.
    pub(super) async fn is_dead(&mut self, number: u8) -> bool {
        let Ok(pair) = self.pair(number) else { return false };
        let row = pair.row();
        let Ok(ring) = self.memory.allocate(SEND_WQE_BYTES.into()) else { return false };
        let before = self.host().read_register(Register::UnknownQp).await;
        let own = Attributes {
            valid: true,
            connected: true,
            mtu: 1,
            send_base: ring,
            receive_base: ring,
            peer: number.into(),
            peer_lid: self.lid(),
            // The packet before the first one is a duplicate.
            send_psn: row.receive_psn.wrapping_sub(1) & 0xff_ffff,
            ..Attributes::default()
        };
        let wqe = SendWqe { operation: Operation::Send.code(), ..SendWqe::default() };
        let words: Vec<u8> = wqe.words().into_iter().flat_map(u64::to_le_bytes).collect();
        self.host().set_memory(ring, &words);
        self.host().write_row(Kind::Pair, PROBE, own).await;
        self.host().ring(Doorbell::SendBell, PROBE, 1).await;
        self.host().compute(ROUND).await;
        let after = self.host().read_register(Register::UnknownQp).await;
        self.host().write_row(Kind::Pair, PROBE, Attributes::default()).await;
        self.memory.free(ring);
        before != after
    }
}
