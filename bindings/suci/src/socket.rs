//! A socket as in the paper: peers have numbers, and blocks are read one by one.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use suci::sync::{Error, Socket};
use suci::{Config, Event, Peer, Reason, Rules, SendError};

/// A peer of the address database.
struct Entry {
    address: SocketAddr,
    peer: Option<Peer>,
    /// Reason of its closure, until it is reported.
    closed: Option<Reason>,
}

/// Socket of a C program.
pub struct Datagrams {
    socket: Socket,
    entries: BTreeMap<u16, Entry>,
    destination: Option<u16>,
    /// Next block to read, with the ID of its sender.
    next: Option<(u16, Vec<u8>)>,
    /// ID of the sender of the last block.
    from: Option<u16>,
}

impl Datagrams {
    /// Binds a socket for the peers of the configuration.
    pub fn open(address: IpAddr, port: u16, config: Config) -> Result<Self, String> {
        let entry =
            |(address, id): &(SocketAddr, u16)| (*id, Entry { address: *address, peer: None, closed: None });
        let entries = config.database.iter().map(entry).collect();
        let connects = config.rules == Rules::Modern;
        let socket = Socket::bind((address, port), config).map_err(|error| error.to_string())?;
        let mut opened = Self { socket, entries, destination: None, next: None, from: None };
        if !connects {
            // With the rules of the paper there are no calls: every peer of the database exists.
            let ids: Vec<u16> = opened.entries.keys().copied().collect();
            ids.into_iter().try_for_each(|id| opened.peer(id).map(|_| ()))?;
        }
        Ok(opened)
    }

    /// Bound UDP port.
    pub fn port(&self) -> Result<u16, String> {
        self.socket.local_address().map(|address| address.port()).map_err(|error| error.to_string())
    }

    /// Selects the destination of writes, and calls it if necessary.
    pub fn choose(&mut self, id: u16) -> Result<(), String> {
        self.peer(id)?;
        self.destination = Some(id);
        Ok(())
    }

    /// Peer with this ID, called if necessary.
    fn peer(&mut self, id: u16) -> Result<Peer, String> {
        let entry =
            self.entries.get_mut(&id).ok_or(format!("there is no id {id} in the address database"))?;
        if let Some(reason) = entry.closed.take() {
            return Err(format!(
                "the peer {id} was closed ({reason:?}); what it had not acknowledged may be lost"
            ));
        }
        if let Some(peer) = entry.peer.filter(|peer| self.socket.endpoint().flow(*peer).is_some()) {
            return Ok(peer);
        }
        let peer = self.socket.connect(entry.address).map_err(|error| error.to_string())?;
        entry.peer = Some(peer);
        Ok(peer)
    }

    /// Sends a block to the selected destination. Returns false if the queue stays full for `wait`.
    pub fn write(&mut self, block: &[u8], wait: Duration) -> Result<bool, String> {
        let id = self.destination.ok_or("call datagram_destination first")?;
        let peer = self.peer(id)?;
        match self.socket.send(peer, 0, block, wait) {
            Ok(()) => Ok(true),
            Err(Error::Send(SendError::Full { .. })) => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Length of the next block to read; `None` if no block is complete within `wait`.
    pub fn ready(&mut self, wait: Duration) -> Result<Option<usize>, String> {
        let end = Instant::now() + wait;
        while self.next.is_none() {
            let left = end.saturating_duration_since(Instant::now());
            let event = self.socket.event(left).map_err(|error| error.to_string())?;
            match event {
                None => break,
                Some(Event::Connected { peer, address, .. }) => {
                    let known = self.entries.values_mut().find(|entry| entry.address == address);
                    match known {
                        Some(entry) => entry.peer = Some(peer),
                        // A peer outside the database has no ID.
                        None => self.socket.endpoint().close(peer),
                    }
                }
                Some(Event::Block { peer, block, .. }) => {
                    self.next = self.id(peer).map(|id| (id, block));
                }
                Some(Event::Closed { peer, reason }) => {
                    let entry = self.entries.values_mut().find(|entry| entry.peer == Some(peer));
                    if let Some(entry) = entry {
                        entry.peer = None;
                        entry.closed = Some(reason).filter(|reason| *reason != Reason::Restarted);
                    }
                }
                Some(_) => {}
            }
        }
        Ok(self.next.as_ref().map(|(_, block)| block.len()))
    }

    fn id(&self, peer: Peer) -> Option<u16> {
        self.entries.iter().find(|(_, entry)| entry.peer == Some(peer)).map(|(id, _)| *id)
    }

    /// Takes the next block if it is complete within `wait`; an error if it has more than `most` bytes.
    pub fn read(&mut self, most: usize, wait: Duration) -> Result<Option<Vec<u8>>, String> {
        let Some(length) = self.ready(wait)? else { return Ok(None) };
        if length > most {
            return Err(format!("the block has {length} bytes, and there is memory for {most}; it is kept"));
        }
        let next = self.next.take();
        self.from = next.as_ref().map(|(id, _)| *id);
        Ok(next.map(|(_, block)| block))
    }

    /// ID of the sender of the last block read.
    pub fn from(&self) -> Option<u16> {
        self.from
    }

    /// Whether a block of this length can be queued for a peer without waiting, within `wait`.
    pub fn wait(&mut self, size: usize, id: u16, wait: Duration) -> Result<bool, String> {
        let end = Instant::now() + wait;
        loop {
            let peer = self.peer(id)?;
            if self.socket.endpoint().flow(peer).is_some_and(|flow| size <= flow.room) {
                return Ok(true);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            self.socket.turn(left).map_err(|error| error.to_string())?;
        }
    }

    /// Number of unacknowledged blocks to a peer.
    pub fn queued(&mut self, id: u16) -> Result<usize, String> {
        let peer = self.peer(id)?;
        self.socket.turn(Duration::ZERO).map_err(|error| error.to_string())?;
        Ok(self.socket.endpoint().flow(peer).map_or(0, |flow| flow.queued_blocks))
    }

    /// Retransmits unacknowledged packets, with the rules that leave this to the program.
    pub fn again(&mut self, id: u16) -> Result<(), String> {
        let peer = self.peer(id)?;
        self.socket.endpoint().retransmit(peer);
        self.socket.turn(Duration::ZERO).map_err(|error| error.to_string())
    }

    /// Whether all blocks to a peer are acknowledged within `wait`.
    pub fn flush(&mut self, id: u16, wait: Duration) -> Result<bool, String> {
        let peer = self.peer(id)?;
        self.socket.flush(peer, wait).map_err(|error| error.to_string())
    }

    /// Closes all connections.
    pub fn close(&mut self) {
        let peers: Vec<Peer> = self.entries.values().filter_map(|entry| entry.peer).collect();
        peers.into_iter().for_each(|peer| self.socket.endpoint().close(peer));
        let _ = self.socket.turn(Duration::ZERO);
    }
}
