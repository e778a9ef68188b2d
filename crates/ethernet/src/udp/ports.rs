//! Sockets in the kernel: datagrams that have arrived or wait for the card, and their memory.

use std::collections::{BTreeMap, VecDeque};

use cluster::NodeId;

use super::datagram::{self, End};
use crate::frame::MacAddress;

/// A datagram that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Sending node.
    pub from: NodeId,
    /// Port of the sender.
    pub port: u16,
    /// Contents of the datagram.
    pub bytes: Vec<u8>,
}

/// Memory of a socket, in bytes that `charge` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpSettings {
    /// For datagrams that were not received by the program (SO_RCVBUF).
    pub receive_buffer: usize,
    /// For datagrams that the card has not taken (SO_SNDBUF).
    pub send_buffer: usize,
}

impl Default for UdpSettings {
    /// 65,535 bytes each, as in Linux 2.4 on machines of this size (`net.core.rmem_default`; decision 0053).
    fn default() -> Self {
        Self { receive_buffer: 65_535, send_buffer: 65_535 }
    }
}

/// Bytes of Linux's overhead for each packet, its `sk_buff` (decision 0053).
const HEAD_BYTES: usize = 160;
/// Largest frame that is copied into memory of its own size; longer ones keep the buffer that the driver gave the card
/// (eepro100: `rx_copybreak`).
const COPIED: usize = 200;
/// Bytes of that buffer: a full frame, rounded up to a power of two.
const FRAME_ROOM: usize = 2_048;

/// Bytes of a socket's buffer that a frame of `frame` bytes occupies. Linux charges memory, not payload: some 30 full
/// frames fill 64 KB (hazard H18 of Suci; decision 0053).
pub const fn charge(frame: usize) -> usize {
    HEAD_BYTES + if frame <= COPIED { frame.next_power_of_two() } else { FRAME_ROOM }
}

/// Counters of a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UdpCounters {
    /// Datagrams sent.
    pub sent: u64,
    /// Datagrams that arrived and were not dropped.
    pub received: u64,
    /// Datagrams dropped because the buffer was full. The sender is not told.
    pub dropped: u64,
    /// Most bytes of the buffer in use at a time.
    pub most_charged: u64,
}

#[derive(Debug)]
struct Socket {
    settings: UdpSettings,
    arrived: VecDeque<(Arrived, usize)>,
    charged: usize,
    /// Bytes of datagrams that the card has not taken.
    to_send: usize,
    counters: UdpCounters,
}

/// All sockets of a host.
#[derive(Debug)]
pub struct Ports {
    node: NodeId,
    mac: MacAddress,
    sockets: BTreeMap<u16, Socket>,
    outgoing: VecDeque<(u16, Vec<u8>)>,
}

impl Ports {
    pub fn new(node: NodeId, mac: MacAddress) -> Self {
        Self { node, mac, sockets: BTreeMap::new(), outgoing: VecDeque::new() }
    }

    /// Opens a socket; returns false if the port is in use.
    pub fn open(&mut self, port: u16, settings: UdpSettings) -> bool {
        let free = !self.sockets.contains_key(&port);
        if free {
            let (arrived, counters) = (VecDeque::new(), UdpCounters::default());
            self.sockets.insert(port, Socket { settings, arrived, charged: 0, to_send: 0, counters });
        }
        free
    }

    /// Closes a socket. Its queued datagrams are still sent.
    pub fn close(&mut self, port: u16) {
        self.sockets.remove(&port);
    }

    /// Handles a frame; returns false if it holds no datagram. A datagram for a closed port is dropped without an
    /// answer.
    pub fn receive(&mut self, frame: &[u8]) -> bool {
        let Some((from, port, bytes)) = datagram::parse(frame) else { return false };
        let Some(socket) = self.sockets.get_mut(&port) else { return true };
        let memory = charge(frame.len());
        if socket.charged + memory > socket.settings.receive_buffer {
            socket.counters.dropped += 1;
            return true;
        }
        socket.charged += memory;
        socket.counters.received += 1;
        socket.counters.most_charged = socket.counters.most_charged.max(socket.charged as u64);
        socket.arrived.push_back((Arrived { from: from.node, port: from.port, bytes }, memory));
        true
    }

    /// Size of the oldest datagram that was not received.
    pub fn next_bytes(&self, port: u16) -> Option<usize> {
        self.sockets.get(&port)?.arrived.front().map(|(arrived, _)| arrived.bytes.len())
    }

    /// Takes the oldest datagram.
    pub fn take(&mut self, port: u16) -> Option<Arrived> {
        let socket = self.sockets.get_mut(&port)?;
        let (arrived, memory) = socket.arrived.pop_front()?;
        socket.charged -= memory;
        Some(arrived)
    }

    /// Whether a socket has memory for one more datagram to send. An empty socket always has.
    pub fn has_room(&self, port: u16, bytes: usize) -> bool {
        let room = |socket: &Socket| {
            socket.to_send == 0 || socket.to_send + charge(bytes) <= socket.settings.send_buffer
        };
        self.sockets.get(&port).is_some_and(room)
    }

    /// Queues a datagram.
    pub fn send(&mut self, port: u16, to: NodeId, to_port: u16, bytes: &[u8]) {
        let (from, to) = (End { node: self.node, port }, End { node: to, port: to_port });
        self.outgoing.push_back((port, datagram::build(self.mac, from, to, bytes)));
        if let Some(socket) = self.sockets.get_mut(&port) {
            socket.to_send += charge(bytes.len());
            socket.counters.sent += 1;
        }
    }

    /// The next frame for the card.
    pub fn transmit(&mut self) -> Option<Vec<u8>> {
        let (port, frame) = self.outgoing.pop_front()?;
        if let Some(socket) = self.sockets.get_mut(&port) {
            let bytes = frame.len().saturating_sub(super::HEADS);
            socket.to_send = socket.to_send.saturating_sub(charge(bytes));
        }
        Some(frame)
    }

    /// Counters of a socket.
    pub fn counters(&self, port: u16) -> UdpCounters {
        self.sockets.get(&port).map(|socket| socket.counters).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mac(node: NodeId) -> [u8; 6] {
        [2, 0, 0, 0, 0, node.0 as u8]
    }

    fn frame_for(port: u16, bytes: usize) -> Vec<u8> {
        let mut sender = Ports::new(NodeId(1), mac);
        sender.open(5, UdpSettings::default());
        sender.send(5, NodeId(2), port, &vec![0; bytes]);
        sender.transmit().unwrap()
    }

    #[test]
    fn thirty_full_frames_fill_a_buffer_of_64_kb() {
        let mut ports = Ports::new(NodeId(2), mac);
        assert!(ports.open(7, UdpSettings::default()));
        for _ in 0..40 {
            assert!(ports.receive(&frame_for(7, 1_472)));
        }
        let UdpCounters { received, dropped, most_charged, .. } = ports.counters(7);
        assert_eq!((received, dropped, most_charged), (29, 11, 29 * 2_208));
        assert!(ports.take(7).is_some());
        ports.receive(&frame_for(7, 1_472));
        assert_eq!(ports.counters(7).received, 30, "what is taken makes room");
    }

    #[test]
    fn short_frames_take_less_memory_but_more_than_their_bytes() {
        let mut ports = Ports::new(NodeId(2), mac);
        ports.open(7, UdpSettings::default());
        for _ in 0..400 {
            ports.receive(&frame_for(7, 4));
        }
        assert_eq!(ports.counters(7).received, 65_535 / (160 + 64));
    }

    #[test]
    fn a_datagram_for_nobody_is_taken_and_forgotten() {
        let mut ports = Ports::new(NodeId(2), mac);
        assert!(ports.receive(&frame_for(7, 4)));
        assert!(!ports.receive(&[0; 60]), "this is no datagram");
        assert_eq!(ports.take(7), None);
    }

    #[test]
    fn sent_datagrams_take_memory_until_the_card_has_them() {
        let mut ports = Ports::new(NodeId(2), mac);
        let settings = UdpSettings { send_buffer: 5_000, ..UdpSettings::default() };
        assert!(ports.open(7, settings) && !ports.open(7, settings));
        for _ in 0..2 {
            assert!(ports.has_room(7, 1_000));
            ports.send(7, NodeId(3), 7, &[0; 1_000]);
        }
        assert!(!ports.has_room(7, 1_000));
        ports.transmit();
        assert!(ports.has_room(7, 1_000));
    }

    #[test]
    fn buffers_may_be_filled_to_the_last_byte() {
        let bytes = charge(14 + 20 + 8 + 100);
        for (receive_buffer, received) in [(2 * bytes - 1, 1), (2 * bytes, 2)] {
            let mut ports = Ports::new(NodeId(2), mac);
            ports.open(7, UdpSettings { receive_buffer, ..UdpSettings::default() });
            (0..3).for_each(|_| assert!(ports.receive(&frame_for(7, 100))));
            let counters = ports.counters(7);
            assert_eq!((counters.received, counters.dropped), (received, 3 - received));
        }
        for (send_buffer, fits) in [(2 * charge(100) - 1, false), (2 * charge(100), true)] {
            let mut ports = Ports::new(NodeId(2), mac);
            ports.open(7, UdpSettings { send_buffer, ..UdpSettings::default() });
            ports.send(7, NodeId(3), 7, &[0; 100]);
            assert_eq!(ports.has_room(7, 100), fits);
        }
    }

    #[test]
    fn empty_socket_sends_a_datagram_of_any_length() {
        let mut ports = Ports::new(NodeId(2), mac);
        assert!(!ports.has_room(7, 0), "there is no socket");
        ports.open(7, UdpSettings { send_buffer: 1, ..UdpSettings::default() });
        assert!(ports.has_room(7, 1_000));
        ports.send(7, NodeId(3), 7, &[0; 1_000]);
        assert!(!ports.has_room(7, 0));
        assert!(ports.transmit().is_some());
        assert!(ports.has_room(7, 1_000));
    }

    #[test]
    fn sent_datagram_gives_back_the_memory_that_it_took() {
        // With its headers, the frame is charged as a full one.
        let mut ports = Ports::new(NodeId(2), mac);
        ports.open(7, UdpSettings { send_buffer: 3 * charge(190), ..UdpSettings::default() });
        (0..3).for_each(|_| ports.send(7, NodeId(3), 7, &[0; 190]));
        ports.transmit();
        assert!(ports.has_room(7, 190));
        ports.send(7, NodeId(3), 7, &[0; 190]);
        assert!(!ports.has_room(7, 190), "three wait");
        assert_eq!(ports.counters(7).sent, 4);
    }

    #[test]
    fn closed_socket_forgets_its_datagrams() {
        let mut ports = Ports::new(NodeId(2), mac);
        ports.open(7, UdpSettings::default());
        ports.receive(&frame_for(7, 4));
        assert_eq!(ports.next_bytes(7), Some(4));
        ports.close(7);
        assert_eq!((ports.next_bytes(7), ports.counters(7)), (None, UdpCounters::default()));
        assert!(ports.open(7, UdpSettings::default()));
        assert_eq!(ports.take(7), None);
    }
}
