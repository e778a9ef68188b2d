//! Bare UDP without retransmission: the lower bound of a round trip.

use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use super::{Link, PATIENCE, Protocol, Result, Serve};

pub const UDP: Protocol =
    Protocol { name: "udp", sealed: false, relayed: true, reliable: false, serve, call };

struct End {
    socket: UdpSocket,
    to: Option<SocketAddr>,
}

fn serve() -> Result<(SocketAddr, Serve)> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let address = socket.local_addr()?;
    Ok((address, Box::new(move || Ok(Box::new(End { socket, to: None }) as Box<dyn Link>))))
}

fn call(to: SocketAddr) -> Result<Box<dyn Link>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(Box::new(End { socket, to: Some(to) }))
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        self.socket.send_to(message, self.to.ok_or("nobody has called")?)?;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        into.resize(65_536, 0);
        let (length, from) = self.socket.recv_from(into)?;
        into.truncate(length);
        self.to = Some(from);
        Ok(())
    }

    fn linger(&mut self, _: Duration) {}
}
