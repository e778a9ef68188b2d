//! A carrier that is watched: packets are counted, and it is noticed when nothing can go on any more.

use mpi::Host;
use mpi::carrier::{Carrier, Packet, Sent};

use crate::run::Run;

/// The carrier of a rank of a run.
///
/// On machines whose hosts poll, time never stands still: ranks that wait for each other poll for ever. All is over when every rank is in
/// a call that waits, no packet is on its way, and each library has looked once more since the last one came and found nothing to do.
pub struct Watched<C> {
    carrier: C,
    run: Run,
}

impl<C: Carrier> Watched<C> {
    /// Watches a carrier.
    pub fn new(carrier: C, run: Run) -> Self {
        Watched { carrier, run }
    }
}

impl<C: Carrier> Carrier for Watched<C> {
    fn rank(&self) -> usize {
        self.carrier.rank()
    }

    fn ranks(&self) -> usize {
        self.carrier.ranks()
    }

    fn most_bytes(&self) -> usize {
        self.carrier.most_bytes()
    }

    fn slots(&self) -> Option<usize> {
        self.carrier.slots()
    }

    fn host(&self) -> Host {
        self.carrier.host()
    }

    async fn send(&mut self, to: usize, packet: &[u8]) -> Sent {
        self.run.busy(self.rank());
        let sent = self.carrier.send(to, packet).await;
        self.run.sent(self.rank(), sent);
        sent
    }

    async fn receive(&mut self) -> Option<Packet> {
        let packet = self.carrier.receive().await;
        if packet.is_some() {
            self.run.received();
        }
        packet
    }

    async fn pause(&mut self) {
        self.run.paused(self.rank());
        self.carrier.pause().await;
    }
}
