//! Streams for programs: connect, listen, accept, write, read. Each is a system call.

use std::rc::Rc;

use cluster::NodeId;
use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp::RecvError;
use thiserror::Error;

use crate::card::{Card, Host};
use crate::kernel::Kernel;
use crate::stack::{Progress, SEGMENT_BYTES};
use cluster::Duration;

/// Bytes that a new connection acknowledges at once, so that its peer's window opens (Linux: quick ACKs), unless it
/// answers them.
const QUICK_BYTES: usize = 16 * SEGMENT_BYTES;

/// Why a connection is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ConnectError {
    /// The network has no such node.
    #[error("there is no node {0} to connect to")]
    NoSuchNode(u16),
    /// Port 0 is reserved.
    #[error("port 0 is nobody's")]
    NoSuchPort,
    /// The node refuses, or does not answer.
    #[error("the node refuses the connection, or does not answer")]
    Refused,
}

/// Why a listener is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ListenError {
    /// Port 0 is reserved.
    #[error("port 0 is nobody's")]
    NoSuchPort,
}

/// Why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StreamError {
    /// The peer closed the connection, or does not answer any more.
    #[error("the connection is closed")]
    Closed,
}

/// TCP/IP of a host, for programs.
pub struct Tcp<C: Card> {
    host: C::Host,
    kernel: Rc<Kernel<C>>,
}

impl<C: Card> Clone for Tcp<C> {
    fn clone(&self) -> Self {
        Tcp { host: self.host.clone(), kernel: self.kernel.clone() }
    }
}

impl<C: Card> Tcp<C> {
    /// TCP/IP for programs on this host, with this kernel.
    pub fn new(host: C::Host, kernel: Rc<Kernel<C>>) -> Self {
        Tcp { host, kernel }
    }

    /// The host, for time and marks.
    pub fn host(&self) -> &C::Host {
        &self.host
    }

    /// Number of this node.
    pub fn node(&self) -> NodeId {
        self.kernel.card.node()
    }

    /// A system call without effect.
    pub async fn call(&self) {
        self.kernel.system_call(&self.host).await;
    }

    /// Looks at sockets in one system call, with a turn of a loop for each. `ready` tests for the awaited state and
    /// takes no time itself.
    pub async fn select(&self, sockets: usize, mut ready: impl FnMut() -> bool) -> bool {
        self.kernel.select(&self.host, sockets).await;
        ready()
    }

    /// Sleeps until `ready` returns true. The wake-up is free.
    pub async fn sleep(&self, mut ready: impl FnMut() -> bool) {
        while !ready() {
            self.kernel.wait(&self.host, "a socket").await;
        }
    }

    /// Opens a connection to a port of a node.
    pub async fn connect(&self, to: NodeId, port: u16) -> Result<TcpStream<C>, ConnectError> {
        self.kernel.system_call(&self.host).await;
        if !self.kernel.card.reaches(to) {
            return Err(ConnectError::NoSuchNode(to.0));
        }
        if port == 0 {
            return Err(ConnectError::NoSuchPort);
        }
        let stream = TcpStream::new(self.clone(), self.kernel.stack().connect(to, port));
        self.kernel.send_as_process(&self.host).await;
        loop {
            match stream.progress() {
                Progress::Connected => {
                    self.kernel.stack().connected(stream.socket);
                    return Ok(stream);
                }
                Progress::Closed => return Err(ConnectError::Refused),
                Progress::Waits => self.kernel.wait(&self.host, "a connection").await,
            }
        }
    }

    /// Listens on a port; `backlog` connections may wait until they are accepted.
    pub async fn listen(&self, port: u16, backlog: usize) -> Result<TcpListener<C>, ListenError> {
        self.kernel.system_call(&self.host).await;
        if port == 0 {
            return Err(ListenError::NoSuchPort);
        }
        let mut stack = self.kernel.stack();
        let sockets = std::iter::repeat_with(|| TcpStream::new(self.clone(), stack.listen(port)));
        Ok(TcpListener { tcp: self.clone(), port, sockets: sockets.take(backlog).collect() })
    }
}

/// A port on which connections are accepted.
pub struct TcpListener<C: Card> {
    tcp: Tcp<C>,
    port: u16,
    /// Sockets that wait for a connection, or have one that was not accepted.
    sockets: Vec<TcpStream<C>>,
}

impl<C: Card> TcpListener<C> {
    /// The next connection.
    pub async fn accept(&mut self) -> TcpStream<C> {
        let Tcp { host, kernel } = self.tcp.clone();
        kernel.system_call(&host).await;
        loop {
            if let Some(stream) = self.take() {
                return stream;
            }
            kernel.wait(&host, "a connection").await;
        }
    }

    /// The next connection, if there is one.
    pub async fn try_accept(&mut self) -> Option<TcpStream<C>> {
        self.tcp.call().await;
        self.take()
    }

    /// Whether a connection waits to be accepted. Takes no time.
    pub fn is_ready(&self) -> bool {
        self.sockets.iter().any(|stream| stream.progress() == Progress::Connected)
    }

    fn take(&mut self) -> Option<TcpStream<C>> {
        for stream in &mut self.sockets {
            let progress = stream.progress();
            if progress != Progress::Waits {
                let socket = self.tcp.kernel.stack().listen(self.port);
                let ready = std::mem::replace(stream, TcpStream::new(self.tcp.clone(), socket));
                // A connection that was closed before it was accepted is dropped.
                if progress == Progress::Connected {
                    return Some(ready);
                }
            }
        }
        None
    }
}

/// A connection, which closes when it is dropped.
pub struct TcpStream<C: Card> {
    tcp: Tcp<C>,
    socket: SocketHandle,
    /// Bytes to read until ACKs are delayed, unless they are already.
    quick: usize,
}

impl<C: Card> TcpStream<C> {
    fn new(tcp: Tcp<C>, socket: SocketHandle) -> Self {
        TcpStream { tcp, socket, quick: QUICK_BYTES }
    }

    /// The node at the other end; `None` after the end of the connection.
    pub fn peer(&self) -> Option<NodeId> {
        self.tcp.kernel.stack().peer(self.socket)
    }

    /// Disables Nagle's algorithm: the option TCP_NODELAY.
    pub async fn set_no_delay(&self) {
        self.tcp.call().await;
        self.tcp.kernel.stack().set_no_delay(self.socket);
    }

    /// Sets the time after which a peer that does not acknowledge data is given up. No system call: kernels have one
    /// value.
    pub fn set_timeout(&self, timeout: Duration) {
        self.tcp.kernel.stack().set_peer_timeout(self.socket, timeout);
    }

    /// Whether there are bytes to read, or the peer has closed. Takes no time.
    pub fn is_readable(&self) -> bool {
        self.tcp.kernel.stack().arrived(self.socket) != Ok(0)
    }

    /// Free bytes of the send buffer; unlimited once the connection cannot send. Takes no time.
    pub fn room(&self) -> usize {
        let stack = self.tcp.kernel.stack();
        if stack.may_send(self.socket) { stack.room(self.socket) } else { usize::MAX }
    }

    /// Number of bytes that have arrived, of which one is read without being removed; 0 when the peer has closed.
    pub async fn peek(&self) -> Result<usize, StreamError> {
        self.tcp.call().await;
        self.tcp.kernel.copy_out(&self.tcp.host, 1).await;
        match self.tcp.kernel.stack().arrived(self.socket) {
            Ok(bytes) => Ok(bytes),
            Err(RecvError::Finished) => Ok(0),
            Err(RecvError::InvalidState) => Err(StreamError::Closed),
        }
    }

    /// Writes bytes; returns when the kernel has copied all of them.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let Tcp { host, kernel } = &self.tcp;
        kernel.system_call(host).await;
        kernel.stack().delay_acks(self.socket);
        for segment in bytes.chunks(SEGMENT_BYTES) {
            while self.may_send()? && kernel.stack().room(self.socket) < segment.len() {
                kernel.wait(host, "room in a send buffer").await;
            }
            kernel.copy_in(host, segment.len()).await;
            self.may_send()?;
            kernel.stack().write(self.socket, segment);
            kernel.send_as_process(host).await;
        }
        Ok(())
    }

    /// Reads the bytes that have arrived, at most `most`, once there are any; none when the peer has closed.
    pub async fn read(&mut self, most: usize) -> Result<Vec<u8>, StreamError> {
        let Tcp { host, kernel } = &self.tcp;
        kernel.system_call(host).await;
        loop {
            let arrived = kernel.stack().arrived(self.socket);
            match arrived {
                Ok(0) => kernel.wait(host, "bytes of a stream").await,
                Ok(bytes) => {
                    let bytes = bytes.min(most);
                    kernel.copy_out(host, bytes).await;
                    let taken = kernel.stack().read(self.socket, bytes);
                    self.quick = self.quick.saturating_sub(bytes);
                    if self.quick == 0 {
                        kernel.stack().delay_acks(self.socket);
                    }
                    // The window may have grown enough for an update to the peer.
                    kernel.send_as_process(host).await;
                    return Ok(taken);
                }
                Err(RecvError::Finished) => return Ok(Vec::new()),
                Err(RecvError::InvalidState) => return Err(StreamError::Closed),
            }
        }
    }

    /// Reads exactly `bytes` bytes, in several calls if necessary.
    pub async fn read_exact(&mut self, bytes: usize) -> Result<Vec<u8>, StreamError> {
        let mut all = Vec::with_capacity(bytes);
        while all.len() < bytes {
            let piece = self.read(bytes - all.len()).await?;
            if piece.is_empty() {
                return Err(StreamError::Closed);
            }
            all.extend(piece);
        }
        Ok(all)
    }

    /// Closes the sending side.
    pub async fn shut_down(&mut self) {
        let Tcp { host, kernel } = &self.tcp;
        kernel.system_call(host).await;
        kernel.stack().shut_down(self.socket);
        kernel.send_as_process(host).await;
    }

    fn progress(&self) -> Progress {
        self.tcp.kernel.stack().progress(self.socket)
    }

    fn may_send(&self) -> Result<bool, StreamError> {
        if self.tcp.kernel.stack().may_send(self.socket) { Ok(true) } else { Err(StreamError::Closed) }
    }
}

impl<C: Card> Drop for TcpStream<C> {
    fn drop(&mut self) {
        let Tcp { host, kernel } = &self.tcp;
        kernel.stack().leave(self.socket);
        // The bottom half sends the FIN.
        kernel.changed.raise(host.processor());
    }
}
