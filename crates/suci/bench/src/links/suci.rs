//! Suci with a shared key and without protection.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use suci::sync::Socket;
use suci::{Config, Event, Peer, Rules, Security};

use super::{Link, PATIENCE, Protocol, Result, Serve, patient};

pub const SEALED: Protocol = Protocol {
    name: "suci",
    sealed: true,
    relayed: true,
    reliable: true,
    serve: || serve(Security::SharedKey([7; 32])),
    call: |to| call(to, Security::SharedKey([7; 32])),
};

pub const TRUSTED: Protocol = Protocol {
    name: "suci-trusted",
    sealed: false,
    serve: || serve(Security::Trusted),
    call: |to| call(to, Security::Trusted),
    ..SEALED
};

struct End {
    socket: Socket,
    peer: Peer,
}

/// Default settings with larger buffers for bursts, like those of TCP.
fn config(security: Security) -> Config {
    Config { window: 4 << 20, queue: 4 << 20, ..Config::new(Rules::MODERN, security) }
}

fn serve(security: Security) -> Result<(SocketAddr, Serve)> {
    let mut socket = Socket::bind("127.0.0.1:0", config(security))?;
    let address = socket.local_address()?;
    let accept = move || -> Result<Box<dyn Link>> {
        let begin = Instant::now();
        loop {
            if let Some(Event::Connected { peer, .. }) = socket.event(Duration::from_secs(1))? {
                return Ok(Box::new(End { socket, peer }));
            }
            patient(begin)?;
        }
    };
    Ok((address, Box::new(accept)))
}

fn call(to: SocketAddr, security: Security) -> Result<Box<dyn Link>> {
    let mut socket = Socket::bind("127.0.0.1:0", config(security))?;
    let peer = socket.connect(to)?;
    Ok(Box::new(End { socket, peer }))
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        Ok(self.socket.post(self.peer, 0, message, PATIENCE)?)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.socket.push()?)
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        loop {
            match self.socket.event(PATIENCE)? {
                Some(Event::Block { block, .. }) => {
                    *into = block;
                    return Ok(());
                }
                Some(Event::Closed { reason, .. }) => return Err(format!("closed: {reason:?}").into()),
                Some(_) => {}
                None => return Err(format!("nothing came for {PATIENCE:?}").into()),
            }
        }
    }

    fn linger(&mut self, time: Duration) {
        let begin = Instant::now();
        while begin.elapsed() < time && self.socket.turn(Duration::from_millis(1)).is_ok() {}
    }
}
