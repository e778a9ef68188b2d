//! QUIC with one bidirectional stream and a length before each message.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use quinn::{ClientConfig, Connection, Endpoint, RecvStream, SendStream, ServerConfig};
use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::{Link, PATIENCE, Protocol, Result, Serve};

pub const QUINN: Protocol =
    Protocol { name: "quinn", sealed: true, relayed: true, reliable: true, serve, call };

const BUFFER: usize = 64 << 10;

/// Certificate of this process, trusted by both ends.
static CERTIFICATE: std::sync::OnceLock<(CertificateDer<'static>, Vec<u8>)> = std::sync::OnceLock::new();

fn certificate() -> &'static (CertificateDer<'static>, Vec<u8>) {
    CERTIFICATE.get_or_init(|| {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).expect("a name is one");
        (made.cert.der().clone(), made.signing_key.serialize_der())
    })
}

struct End {
    runtime: Runtime,
    _endpoint: Endpoint,
    _connection: Connection,
    out: SendStream,
    buffer: Vec<u8>,
    from: RecvStream,
    come: Vec<u8>,
    read: usize,
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

fn serve() -> Result<(SocketAddr, Serve)> {
    let runtime = runtime()?;
    let (certificate, key) = certificate();
    let key = PrivatePkcs8KeyDer::from(key.clone()).into();
    let config = ServerConfig::with_single_cert(vec![certificate.clone()], key)?;
    let bound = runtime.block_on(async { Endpoint::server(config, ([127, 0, 0, 1], 0).into()) })?;
    let address = bound.local_addr()?;
    let accept = move || -> Result<Box<dyn Link>> {
        let (connection, (out, from)) = runtime.block_on(async {
            let connection = bound.accept().await.ok_or("the endpoint is closed")?.await?;
            let streams = connection.accept_bi().await?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>((connection, streams))
        })?;
        Ok(end(runtime, bound, connection, out, from))
    };
    Ok((address, Box::new(accept)))
}

fn call(to: SocketAddr) -> Result<Box<dyn Link>> {
    let runtime = runtime()?;
    let mut roots = RootCertStore::empty();
    roots.add(certificate().0.clone())?;
    let config = ClientConfig::with_root_certificates(Arc::new(roots))?;
    let (bound, connection, (out, from)) = runtime.block_on(async {
        let mut bound = Endpoint::client(([127, 0, 0, 1], 0).into())?;
        bound.set_default_client_config(config);
        let connection = bound.connect(to, "localhost")?.await?;
        let streams = connection.open_bi().await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>((bound, connection, streams))
    })?;
    Ok(end(runtime, bound, connection, out, from))
}

fn end(
    runtime: Runtime,
    endpoint: Endpoint,
    connection: Connection,
    out: SendStream,
    from: RecvStream,
) -> Box<dyn Link> {
    let (buffer, come) = (Vec::with_capacity(2 * BUFFER), Vec::new());
    Box::new(End { runtime, _endpoint: endpoint, _connection: connection, out, buffer, from, come, read: 0 })
}

impl Link for End {
    fn send(&mut self, message: &[u8]) -> Result<()> {
        self.buffer.extend((message.len() as u32).to_be_bytes());
        self.buffer.extend(message);
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.runtime.block_on(self.out.write_all(&self.buffer))?;
        self.buffer.clear();
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()> {
        loop {
            let come = &self.come[self.read..];
            if let Some((length, rest)) = come.split_first_chunk::<4>() {
                let length = u32::from_be_bytes(*length) as usize;
                if let Some(message) = rest.get(..length) {
                    into.clear();
                    into.extend_from_slice(message);
                    self.read += 4 + length;
                    return Ok(());
                }
            }
            self.come.drain(..self.read);
            self.read = 0;
            let chunk = self
                .runtime
                .block_on(async { timeout(PATIENCE, self.from.read_chunk(BUFFER, true)).await })??;
            self.come.extend_from_slice(&chunk.ok_or("the stream is closed")?.bytes);
        }
    }

    fn linger(&mut self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}
