//! A socket as the paper has it: peers have numbers, and blocks are read one by one.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use suci::sync::{Error, Socket};
use suci::{Config, Event, Peer, Reason, Rules, SendError};

/// A peer of the address database.
struct Entry {
    address: SocketAddr,
    peer: Option<Peer>,
    /// Why it was closed, until somebody is told.
    closed: Option<Reason>,
}

/// What a program holds.
pub struct Datagrams {
    socket: Socket,
    entries: BTreeMap<u16, Entry>,
    destination: Option<u16>,
    /// The block that is read next, and whose it is.
    next: Option<(u16, Vec<u8>)>,
    /// Whose the last one was.
    from: Option<u16>,
}

impl Datagrams {
    /// Opens a socket.
    pub fn open(address: IpAddr, port: u16, config: Config) -> Result<Self, String> {
        let entry =
            |(address, id): &(SocketAddr, u16)| (*id, Entry { address: *address, peer: None, closed: None });
        let entries = config.database.iter().map(entry).collect();
        let connects = config.rules == Rules::Modern;
        let socket = Socket::bind((address, port), config).map_err(|error| error.to_string())?;
        let mut opened = Self { socket, entries, destination: None, next: None, from: None };
        if !connects {
            // With the rules of the paper nobody is called: whoever is in the database is there.
            let ids: Vec<u16> = opened.entries.keys().copied().collect();
            ids.into_iter().try_for_each(|id| opened.peer(id).map(|_| ()))?;
        }
        Ok(opened)
    }

    /// Where it is.
    pub fn port(&self) -> Result<u16, String> {
        self.socket.local_address().map(|address| address.port()).map_err(|error| error.to_string())
    }

    /// Chooses to whom is written, and calls it.
    pub fn choose(&mut self, id: u16) -> Result<(), String> {
        self.peer(id)?;
        self.destination = Some(id);
        Ok(())
    }

    /// A peer, called if it is not there.
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

    /// Sends a block to whom was chosen; false if there was no room in that time.
    pub fn write(&mut self, block: &[u8], wait: Duration) -> Result<bool, String> {
        let id = self.destination.ok_or("call datagram_destination first")?;
        let peer = self.peer(id)?;
        match self.socket.send(peer, 0, block, wait) {
            Ok(()) => Ok(true),
            Err(Error::Send(SendError::Full { .. })) => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Length of the block that is read next; none if none is whole in that time.
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
                        // Whoever is not in the database has no number to be named by.
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

    /// Takes the next block, if one is whole in that time and has at most so many bytes.
    pub fn read(&mut self, most: usize, wait: Duration) -> Result<Option<Vec<u8>>, String> {
        let Some(length) = self.ready(wait)? else { return Ok(None) };
        if length > most {
            return Err(format!("the block has {length} bytes, and there is memory for {most}; it is kept"));
        }
        let next = self.next.take();
        self.from = next.as_ref().map(|(id, _)| *id);
        Ok(next.map(|(_, block)| block))
    }

    /// Whose block was read last.
    pub fn from(&self) -> Option<u16> {
        self.from
    }

    /// Whether a block of this length can be written to a peer without waiting, now or in that time.
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

    /// Blocks to a peer that are not acknowledged.
    pub fn queued(&mut self, id: u16) -> Result<usize, String> {
        let peer = self.peer(id)?;
        self.socket.turn(Duration::ZERO).map_err(|error| error.to_string())?;
        Ok(self.socket.endpoint().flow(peer).map_or(0, |flow| flow.queued_blocks))
    }

    /// Sends again what is not acknowledged, if the rules leave that to the program.
    pub fn again(&mut self, id: u16) -> Result<(), String> {
        let peer = self.peer(id)?;
        self.socket.endpoint().retransmit(peer);
        self.socket.turn(Duration::ZERO).map_err(|error| error.to_string())
    }

    /// Whether all blocks to a peer are acknowledged, now or in that time.
    pub fn flush(&mut self, id: u16, wait: Duration) -> Result<bool, String> {
        let peer = self.peer(id)?;
        self.socket.flush(peer, wait).map_err(|error| error.to_string())
    }

    /// Tells all peers that it is over.
    pub fn close(&mut self) {
        let peers: Vec<Peer> = self.entries.values().filter_map(|entry| entry.peer).collect();
        peers.into_iter().for_each(|peer| self.socket.endpoint().close(peer));
        let _ = self.socket.turn(Duration::ZERO);
    }
}
