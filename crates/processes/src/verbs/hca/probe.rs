//! A look at the responder of a queue pair: a duplicate packet from a queue pair of the driver.
//!
//! A working responder answers a duplicate with an acknowledgement for the peer, who has it already: the adapter has sent
//! two packets. Where the responder has failed, the adapter has sent one, and dropped one for an unknown queue pair.

use cluster::Duration;
use hca::contexts::{Attributes, Kind, PairState};
use hca::layout::{Operation, SEND_WQE_BYTES, SendWqe};
use hca::registers::{Doorbell, Register};

use super::adapter::Adapter;

/// The queue pair of the driver: that of management (IBA volume 1, section 3.9.1).
const PROBE: u8 = 1;
/// Attempts: other traffic changes the counters too, and then nothing is known.
const ATTEMPTS: usize = 3;
/// Time from the doorbell to the end of the packet at its own adapter, at most: a doorbell and a path through the switch.
const ROUND: Duration = Duration::from_us(20);

impl Adapter {
    /// Whether the responder of a queue pair has failed; false if other traffic hides it.
    pub(super) async fn is_dead(&mut self, number: u8) -> bool {
        let Ok(ring) = self.memory.allocate(SEND_WQE_BYTES.into()) else { return false };
        let wqe = SendWqe { operation: Operation::Send.code(), ..SendWqe::default() };
        let words: Vec<u8> = wqe.words().into_iter().flat_map(u64::to_le_bytes).collect();
        self.host().set_memory(ring, &words);
        let mut is_dead = false;
        for _ in 0..ATTEMPTS {
            let (sent, unknown) = self.probe(number, ring).await;
            is_dead = sent == 1 && unknown > 0;
            if is_dead || unknown == 0 {
                break;
            }
        }
        self.memory.free(ring);
        is_dead
    }

    /// Sends a duplicate to a queue pair; packets that the adapter has sent and dropped since.
    async fn probe(&mut self, number: u8, ring: u32) -> (u16, u16) {
        let Ok(pair) = self.pair(number) else { return (0, 0) };
        let row = pair.row();
        let own = Attributes {
            state: PairState::ReadyToSend.code(),
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
        self.host().write_row(Kind::Pair, PROBE, own).await;
        let before = self.counters().await;
        self.host().ring(Doorbell::SendBell, PROBE, 1).await;
        self.host().compute(ROUND).await;
        let after = self.counters().await;
        self.host().write_row(Kind::Pair, PROBE, Attributes::default()).await;
        (after.0.wrapping_sub(before.0), after.1.wrapping_sub(before.1))
    }

    /// Packets that the adapter has sent, and dropped for unknown queue pairs.
    async fn counters(&self) -> (u16, u16) {
        let sent = self.host().read_register(Register::Sent).await;
        let unknown = self.host().read_register(Register::UnknownQp).await;
        (sent as u16, unknown as u16)
    }
}
