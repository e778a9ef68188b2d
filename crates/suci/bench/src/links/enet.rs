//! ENet: reliable packets on one channel.

use std::collections::VecDeque;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use rusty_enet::{Event, Host, HostSettings, Packet, PeerID};

use super::{Link, Protocol, Result, Serve, patient, wait};

pub const ENET: Protocol =
    Protocol { name: "enet", sealed: false, relayed: true, reliable: true, serve, call };

struct End {
    /// Clone of the host's socket, for polling.
    socket: UdpSocket,
    host: Host<UdpSocket>,
    peer: Option<PeerID>,
    come: VecDeque<Packet>,
}

fn end(socket: UdpSocket) -> Result<End> {
    let settings = HostSettings { peer_limit: 1, channel_limit: 1, ..HostSettings::default() };
    let host = Host::new(socket.try_clone()?, settings).map_err(|error| error.to_string())?;
    Ok(End { socket, host, peer: None, come: VecDeque::new() })
}

fn serve() -> Result<(SocketAddr, Serve)> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    // A host must stay on the thread that created it.
    let accept = move || -> Result<Box<dyn Link>> {
        let mut end = end(socket)?;
        end.connected()?;
        Ok(Box::new(end))
    };
    Ok((address, Box::new(accept)))
}

fn call(to: SocketAddr) -> Result<Box<dyn Link>> {
    let mut end = end(UdpSocket::bind("127.0.0.1:0")?)?;
    end.host.connect(to, 1, 0).map_err(|error| error.to_string())?;
    end.connected()?;
    Ok(Box::new(end))
}

impl End {
    /// Handles received packets. Returns whether there were any.
    fn service(&mut self) -> Result<bool> {
        let mut any = false;
        while let Some(event) = self.host.service()? {
            any = true;
            match event {
                Event::Connect { peer, .. } => self.peer = Some(peer.id()),
                Event::Disconnect { .. } => return Err("disconnected".into()),
                Event::Receive { packet, .. } => self.come.push_back(packet),
            }
        }
        Ok(any)
    }

    fn connected(&mut self) -> Result<()> {
        let begin = Instant::now();
        while self.peer.is_none() {
            self.turn()?;
            patient(begin)?;
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<()> {
        if !self.service()? && wait(&self.socket, Duration::from_millis(1)) {
            self.service()?;
        }
        Ok(())
    }
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        let peer = self.peer.ok_or("nobody has called")?;
        self.host.peer_mut(peer).send(0, &Packet::reliable(message)).map_err(|error| error.to_string().into())
    }

    fn flush(&mut self) -> Result<()> {
        self.host.flush();
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        let begin = Instant::now();
        loop {
            if let Some(packet) = self.come.pop_front() {
                into.clear();
                into.extend_from_slice(packet.data());
                return Ok(());
            }
            self.turn()?;
            patient(begin)?;
        }
    }

    fn linger(&mut self, time: Duration) {
        let begin = Instant::now();
        while begin.elapsed() < time && self.turn().is_ok() {}
    }
}
