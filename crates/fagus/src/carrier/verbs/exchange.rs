//! Exchange of queue pair addresses over UDP, before the first packet and as long as a peer asks.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | key | of the run, 8 bytes; datagrams with another key are ignored |
//! | 8 | from | number of the sender, little-endian; must match the source address |
//! | 10 | kind | 0: address of the sender; 1: the same, and a request for the receiver's |
//! | 11 | pair | number of the queue pair, 4 bytes |
//! | 15 | LID | local identifier of its port, 2 bytes; 0 on Ethernet |
//! | 17 | MTU | bytes of a packet at its port, 2 bytes |
//! | 19 | GID | global identifier of its port, 16 bytes |
//!
//! Datagrams may be lost; a node repeats its request until it has all answers.

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use super::super::udp::{Peers, Seat, system};
use crate::error::Error;
use crate::reassembly::{LEAST, PACKET};

/// Length of a datagram in bytes.
const BYTES: usize = 35;
const TELLS: u8 = 0;
const ASKS: u8 = 1;
/// Interval between requests.
const PAUSE: Duration = Duration::from_millis(20);

/// Address of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// Queue pair number, 24 bits.
    pub pair: u32,
    /// Local identifier of the port; 0 on Ethernet.
    pub lid: u16,
    /// Largest packet of the port in bytes.
    pub mtu: u16,
    /// Global identifier of the port.
    pub gid: [u8; 16],
}

/// Q_Key of a run: its key folded to 31 bits. Keys with the highest bit set are reserved for privileged use.
pub fn q_key(key: u64) -> u32 {
    (key ^ key >> 32) as u32 & 0x7fff_ffff
}

/// Largest packet in bytes that all ports carry, limited by the paper's size.
pub fn packet(cards: &[Card]) -> Result<usize, Error> {
    let narrowest = cards.iter().map(|card| card.mtu.into()).enumerate().min_by_key(|(_, mtu)| *mtu);
    match narrowest {
        Some((node, bytes)) if bytes < LEAST => Err(Error::System(format!(
            "the port of node {node} carries packets of {bytes} bytes, and {LEAST} are needed; raise the MTU of its network interface"
        ))),
        narrowest => Ok(narrowest.map_or(PACKET, |(_, bytes)| PACKET.min(bytes))),
    }
}

/// Addresses of the peers as far as they are known.
#[derive(Debug)]
pub struct Exchange {
    socket: UdpSocket,
    peers: Peers,
    cards: Vec<Option<Card>>,
    strangers: u64,
}

impl Exchange {
    /// A node that has sent nothing yet. `peers.node` must be an index of the addresses.
    pub fn new(seat: Seat, peers: Peers, card: Card) -> Result<Exchange, Error> {
        // The socket does not block: [`meet`](Self::meet) waits on its own, and `answer` only polls.
        seat.0.set_nonblocking(true).map_err(|error| system(&error))?;
        let mut cards = vec![None; peers.addresses.len()];
        cards[peers.node] = Some(card);
        Ok(Exchange { socket: seat.0, peers, cards, strangers: 0 })
    }

    /// Asks until all peers have answered, at most for `patience`.
    pub fn meet(&mut self, patience: Duration) -> Result<Vec<Card>, Error> {
        let start = Instant::now();
        loop {
            self.answer();
            let missing: Vec<_> = (0..self.cards.len()).filter(|node| self.cards[*node].is_none()).collect();
            let Some(first) = missing.first() else { break };
            if start.elapsed() >= patience {
                return Err(Error::Dead { node: *first as u16, lost: vec![] });
            }
            for node in missing {
                self.tell(node, ASKS);
            }
            std::thread::sleep(PAUSE);
        }
        Ok(self.cards.iter().flatten().copied().collect())
    }

    /// Processes received datagrams without waiting and answers requests.
    pub fn answer(&mut self) {
        let mut bytes = [0; BYTES + 1];
        // An error means an empty socket, or an ICMP error of an absent peer, after which there may be more
        // datagrams.
        loop {
            match self.socket.recv_from(&mut bytes) {
                Ok((length, source)) => match self.known(&bytes[..length], source) {
                    Some((node, ASKS)) => self.tell(node, TELLS),
                    Some(_) => (),
                    None => self.strangers += 1,
                },
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => (),
                Err(_) => break,
            }
        }
    }

    /// Datagrams of unknown senders received so far.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    /// Sender and kind of a datagram, or `None` if the sender is unknown; stores the address. A peer whose
    /// address has changed is unknown: it is a new process with the address and key of a former one.
    fn known(&mut self, bytes: &[u8], source: SocketAddr) -> Option<(usize, u8)> {
        let bytes: &[u8; BYTES] = bytes.try_into().ok()?;
        let two = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let node = usize::from(two(8));
        let here = self.peers.addresses.get(node) == Some(&source) && node != self.peers.node;
        let kind = bytes[10];
        if !here || bytes[..8] != self.peers.key.to_le_bytes() || kind > ASKS {
            return None;
        }
        let pair = u32::from_le_bytes(bytes[11..15].try_into().expect("four bytes"));
        let gid = bytes[19..].try_into().expect("16 bytes");
        let card = Card { pair, lid: two(15), mtu: two(17), gid };
        (*self.cards[node].get_or_insert(card) == card).then_some((node, kind))
    }

    fn tell(&self, node: usize, kind: u8) {
        let Peers { node: me, addresses, key } = &self.peers;
        let Some(card) = &self.cards[*me] else { return };
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(key.to_le_bytes());
        bytes.extend((*me as u16).to_le_bytes());
        bytes.push(kind);
        bytes.extend(card.pair.to_le_bytes());
        bytes.extend([card.lid, card.mtu].map(u16::to_le_bytes).as_flattened());
        bytes.extend(card.gid);
        // A send error counts as a lost datagram, which is requested again.
        let _ = self.socket.send_to(&bytes, addresses[node]);
    }
}
