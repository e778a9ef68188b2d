//! Packets that cross the pins of a device, a word at a time.

use crate::look::Event;
use crate::machine::Station;
use crate::time::Time;

/// Observes the first and last words of packets in both directions, and keeps the last packet sent.
#[derive(Clone, Debug, Default)]
pub struct PacketTrace {
    sending: bool,
    receiving: bool,
    last_packet: Vec<u64>,
}

impl PacketTrace {
    /// Observes an outgoing word.
    pub fn transmit(&mut self, station: &Station, now: Time, word: u64, last: bool) {
        if !self.sending {
            self.last_packet.clear();
            station.observe(now, Event::TransmitFirst);
        }
        self.last_packet.push(word);
        if last {
            station.observe(now, Event::TransmitLast);
        }
        self.sending = !last;
    }

    /// Observes a word that the device accepts.
    pub fn receive(&mut self, station: &Station, now: Time, last: bool) {
        if !self.receiving {
            station.observe(now, Event::ReceiveFirst);
        }
        if last {
            station.observe(now, Event::ReceiveLast);
        }
        self.receiving = !last;
    }

    /// Words of the last packet sent, up to the present one; empty before the first packet.
    pub fn last_packet(&self) -> &[u64] {
        &self.last_packet
    }
}
