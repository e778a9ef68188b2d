//! KCP with its fastest settings: no congestion control, retransmission after two duplicates, immediate
//! acknowledgements.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use kcp::Kcp;

use super::{Link, Protocol, Result, Serve, patient, wait};

pub const KCP: Protocol = Protocol { name: "kcp", sealed: false, relayed: true, reliable: true, serve, call };

/// Window in packets.
const WINDOW: u16 = 512;

/// Output of datagrams.
struct Out {
    socket: UdpSocket,
    to: SocketAddr,
}

impl io::Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A datagram that does not fit the socket buffer is lost.
        Ok(self.socket.send_to(bytes, self.to).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct End {
    socket: UdpSocket,
    kcp: Kcp<Out>,
    begin: Instant,
    buffer: Vec<u8>,
}

fn end(socket: UdpSocket, to: SocketAddr) -> Result<End> {
    socket.set_nonblocking(true)?;
    let mut kcp = Kcp::new(1, Out { socket: socket.try_clone()?, to });
    kcp.set_nodelay(true, 10, 2, true);
    kcp.set_wndsize(WINDOW, WINDOW);
    kcp.update(0)?;
    Ok(End { socket, kcp, begin: Instant::now(), buffer: vec![0; 65_536] })
}

fn serve() -> Result<(SocketAddr, Serve)> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    let accept = move || -> Result<Box<dyn Link>> {
        let (_, from) = socket.peek_from(&mut [0; 1])?;
        Ok(Box::new(end(socket, from)?))
    };
    Ok((address, Box::new(accept)))
}

fn call(to: SocketAddr) -> Result<Box<dyn Link>> {
    Ok(Box::new(end(UdpSocket::bind("127.0.0.1:0")?, to)?))
}

impl End {
    fn turn(&mut self, most: Duration) -> Result<()> {
        let now = self.begin.elapsed().as_millis() as u32;
        let due = Duration::from_millis(self.kcp.check(now).into()).min(most);
        let mut came = false;
        if wait(&self.socket, due) {
            while let Ok((length, _)) = self.socket.recv_from(&mut self.buffer) {
                // Unusable datagrams are dropped.
                let _ = self.kcp.input(&self.buffer[..length]);
                came = true;
            }
        }
        self.kcp.update(self.begin.elapsed().as_millis() as u32)?;
        if came {
            self.kcp.flush()?;
        }
        Ok(())
    }
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        let begin = Instant::now();
        while self.kcp.wait_snd() > 2 * usize::from(WINDOW) {
            self.turn(Duration::from_millis(10))?;
            patient(begin)?;
        }
        self.kcp.send(message)?;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.kcp.flush()?)
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        let begin = Instant::now();
        loop {
            if let Ok(length) = self.kcp.peeksize() {
                into.resize(length, 0);
                self.kcp.recv(into)?;
                return Ok(());
            }
            self.turn(Duration::from_millis(10))?;
            patient(begin)?;
        }
    }

    fn linger(&mut self, time: Duration) {
        let begin = Instant::now();
        while begin.elapsed() < time && self.turn(Duration::from_millis(1)).is_ok() {}
    }
}
