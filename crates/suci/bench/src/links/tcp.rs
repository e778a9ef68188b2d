//! TCP of the operating system with a length before each message and a write buffer of 64 KiB, as programs
//! use it.

use std::io::{BufReader, BufWriter, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use super::{Link, PATIENCE, Protocol, Result, Serve};

pub const TCP: Protocol =
    Protocol { name: "tcp", sealed: false, relayed: false, reliable: true, serve, call };

const BUFFER: usize = 64 << 10;

struct End {
    out: BufWriter<TcpStream>,
    from: BufReader<TcpStream>,
}

fn end(stream: TcpStream) -> Result<Box<dyn Link>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let from = BufReader::with_capacity(BUFFER, stream.try_clone()?);
    Ok(Box::new(End { out: BufWriter::with_capacity(BUFFER, stream), from }))
}

fn serve() -> Result<(SocketAddr, Serve)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    Ok((address, Box::new(move || end(listener.accept()?.0))))
}

fn call(to: SocketAddr) -> Result<Box<dyn Link>> {
    end(TcpStream::connect(to)?)
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        self.out.write_all(&(message.len() as u32).to_be_bytes())?;
        Ok(self.out.write_all(message)?)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        let mut length = [0; 4];
        self.from.read_exact(&mut length)?;
        into.resize(u32::from_be_bytes(length) as usize, 0);
        Ok(self.from.read_exact(into)?)
    }

    fn linger(&mut self, _: Duration) {}
}
