//! TCP: smoltcp between frames and sockets, with parameters of Linux 2.1.131. It takes no virtual time.

mod timeout;

use std::collections::{BTreeMap, VecDeque};

use cluster::NodeId;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp::{CongestionControl, RecvError, Socket, SocketBuffer, State};
use smoltcp::time::{Duration as TcpDuration, Instant};
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};

use crate::frame::{self, MTU, MacAddress, ip_address, node_at};
use cluster::Time;
use timeout::PeerTimeout;

/// Bytes of a connection's send buffer, and of its receive buffer: Linux 2.1.131 (paper, table 3: 128 (N - 1) KB each).
pub const BUFFER_BYTES: usize = 128 * 1024;

/// Bytes of a connection's control structure in Linux 2.1.131, `tcp_opt`: 0.274 KB (paper, table 3).
pub const CONTROL_BYTES: usize = 281;

/// Bytes of data in a receive buffer: half of it is overhead of packets, and a window without scaling ends here.
const WINDOW_BYTES: usize = BUFFER_BYTES / 2 - 1;

/// Bytes of data in a send buffer. Decision 0037.
pub const SEND_BYTES: usize = BUFFER_BYTES / 4;

/// Bytes of data in a packet.
pub const SEGMENT_BYTES: usize = MTU - 40;

/// First ephemeral port (IANA: dynamic ports).
const FIRST_PORT: u16 = 49_152;

/// Rate of smoltcp's clock: with it, smoltcp's shortest retransmission timeout, 1 s, is the 200 ms of Linux.
const CLOCK_RATE: u64 = 5;

/// Delay of an ACK, by that clock: 20 ms, the shortest of Linux.
const ACK_DELAY: TcpDuration = TcpDuration::from_millis(20 * CLOCK_RATE);

/// Time without an answer to data after which a peer is given up, by that clock: 3 s. Linux waits longer; our choice.
/// Probes of a closed window are up to 12 s apart, so a peer whose program reads rarely needs a longer one.
const PEER_TIMEOUT: TcpDuration = TcpDuration::from_millis(3_000 * CLOCK_RATE);

/// Time without an answer to the first packet after which connecting fails, by that clock: 1 s, for three packets. Our
/// choice.
const CONNECT_TIMEOUT: TcpDuration = TcpDuration::from_millis(1_000 * CLOCK_RATE);

/// State of a socket, for its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The connection is being opened.
    Waits,
    /// The connection is open.
    Connected,
    /// There is no connection, or it has ended.
    Closed,
}

/// TCP of one host.
pub struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    queues: Queues,
    node: NodeId,
    mac: MacAddress,
    next_port: u16,
    /// Sockets without a program; they are removed when their connection is closed.
    orphans: Vec<SocketHandle>,
    timeouts: BTreeMap<SocketHandle, PeerTimeout>,
}

impl Stack {
    pub fn new(node: NodeId, mac: MacAddress) -> Self {
        let mut queues = Queues::default();
        let mut config = Config::new(HardwareAddress::Ip);
        config.random_seed = node.0.into();
        let mut interface = Interface::new(config, &mut queues, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            let address = IpCidr::new(ip_address(node).into(), 8);
            addresses.push(address).expect("there is room for one");
        });
        let sockets = SocketSet::new(Vec::new());
        let (next_port, orphans, timeouts) = (FIRST_PORT, Vec::new(), BTreeMap::new());
        Stack { interface, sockets, queues, node, mac, next_port, orphans, timeouts }
    }

    /// Handles a frame that has arrived.
    pub fn receive(&mut self, now: Time, frame: &[u8]) {
        if let Some(packet) = frame::packet(frame) {
            self.queues.received = Some(packet.to_vec());
            self.interface.poll_ingress_single(instant(now), &mut self.queues, &mut self.sockets);
            for &handle in &self.orphans {
                reset_if_unread(self.sockets.get_mut(handle));
            }
        }
    }

    /// The next frame to send, if there is one.
    pub fn transmit(&mut self, now: Time) -> Option<Vec<u8>> {
        if self.queues.sent.is_empty() {
            self.apply_timeouts(instant(now));
            self.interface.poll_egress(instant(now), &mut self.queues, &mut self.sockets);
        }
        let packet = self.queues.sent.pop_front()?;
        Some(frame::frame(self.mac, self.node, &packet))
    }

    /// Next instant with a frame to send if none arrives, once no frame is left to send now.
    pub fn next_timer(&mut self, now: Time) -> Option<Time> {
        self.orphans.retain(|&handle| {
            let socket = self.sockets.get::<Socket>(handle);
            // A socket that resets its connection keeps its peer until the reset is sent.
            let needed = socket.is_open() || socket.remote_endpoint().is_some();
            if !needed {
                self.sockets.remove(handle);
                self.timeouts.remove(&handle);
            }
            needed
        });
        let end = self.timeouts.values().filter_map(PeerTimeout::expires).min();
        let at = self.interface.poll_at(instant(now), &self.sockets).into_iter().chain(end).min()?;
        Some(Time::from_ps(at.total_micros() as u64 * 1_000_000 / CLOCK_RATE))
    }

    /// Opens a listening socket.
    pub fn listen(&mut self, port: u16) -> SocketHandle {
        let mut socket = socket();
        socket.listen(port).expect("the port is not 0 and the socket is new");
        self.add(socket, PEER_TIMEOUT)
    }

    /// Opens a socket and starts to connect.
    pub fn connect(&mut self, to: NodeId, port: u16) -> SocketHandle {
        let mut socket = socket();
        let local = self.next_port;
        self.next_port = local.checked_add(1).unwrap_or(FIRST_PORT);
        socket
            .connect(self.interface.context(), (ip_address(to), port), local)
            .expect("the port is not 0 and the socket is new");
        self.add(socket, CONNECT_TIMEOUT)
    }

    fn add(&mut self, socket: Socket<'static>, timeout: TcpDuration) -> SocketHandle {
        let handle = self.sockets.add(socket);
        self.timeouts.insert(handle, PeerTimeout::new(timeout));
        handle
    }

    /// State of a socket, for its program.
    pub fn progress(&self, handle: SocketHandle) -> Progress {
        match self.sockets.get::<Socket>(handle).state() {
            State::Listen | State::SynSent | State::SynReceived => Progress::Waits,
            State::Closed | State::TimeWait => Progress::Closed,
            _ => Progress::Connected,
        }
    }

    /// A connection is open: the longer timeout applies from now on.
    pub fn connected(&mut self, handle: SocketHandle) {
        self.set_timeout(handle, PEER_TIMEOUT);
    }

    /// The node at the other end of a connection.
    pub fn peer(&self, handle: SocketHandle) -> Option<NodeId> {
        let IpAddress::Ipv4(address) = self.sockets.get::<Socket>(handle).remote_endpoint()?.addr;
        Some(node_at(address))
    }

    /// Disables Nagle's algorithm from now on.
    pub fn set_no_delay(&mut self, handle: SocketHandle) {
        self.sockets.get_mut::<Socket>(handle).set_nagle_enabled(false);
    }

    /// Sets the time without an acknowledgement after which the peer is given up.
    pub fn set_peer_timeout(&mut self, handle: SocketHandle, timeout: cluster::Duration) {
        self.set_timeout(handle, TcpDuration::from_micros(timeout.ps() / 1_000_000 * CLOCK_RATE));
    }

    fn set_timeout(&mut self, handle: SocketHandle, timeout: TcpDuration) {
        self.timeouts.get_mut(&handle).expect("each socket has a timeout").set(timeout);
    }

    fn apply_timeouts(&mut self, now: Instant) {
        for (&handle, timeout) in &mut self.timeouts {
            timeout.apply(self.sockets.get_mut(handle), self.orphans.contains(&handle), now);
        }
    }

    /// Whether the connection can still send.
    pub fn may_send(&self, handle: SocketHandle) -> bool {
        self.sockets.get::<Socket>(handle).may_send()
    }

    /// Free bytes of the send buffer.
    pub fn room(&self, handle: SocketHandle) -> usize {
        let socket = self.sockets.get::<Socket>(handle);
        socket.send_capacity() - socket.send_queue()
    }

    /// Puts bytes into the send buffer, which has room for them.
    pub fn write(&mut self, handle: SocketHandle, bytes: &[u8]) {
        let written = self.sockets.get_mut::<Socket>(handle).send_slice(bytes);
        debug_assert!(written == Ok(bytes.len()) || !self.may_send(handle), "there is room");
    }

    /// Number of bytes in the receive buffer, or why there will be no more.
    pub fn arrived(&mut self, handle: SocketHandle) -> Result<usize, RecvError> {
        let socket = self.sockets.get_mut::<Socket>(handle);
        match socket.recv_queue() {
            0 => socket.peek(0).map(<[u8]>::len),
            bytes => Ok(bytes),
        }
    }

    /// Takes bytes that are in the receive buffer.
    pub fn read(&mut self, handle: SocketHandle, bytes: usize) -> Vec<u8> {
        let mut taken = vec![0; bytes];
        let read = self.sockets.get_mut::<Socket>(handle).recv_slice(&mut taken);
        taken.truncate(read.unwrap_or(0));
        taken
    }

    /// Delays ACKs from now on.
    pub fn delay_acks(&mut self, handle: SocketHandle) {
        self.sockets.get_mut::<Socket>(handle).set_ack_delay(Some(ACK_DELAY));
    }

    /// Closes the sending side.
    pub fn shut_down(&mut self, handle: SocketHandle) {
        self.sockets.get_mut::<Socket>(handle).close();
    }

    /// Releases a socket of a program.
    pub fn leave(&mut self, handle: SocketHandle) {
        self.shut_down(handle);
        reset_if_unread(self.sockets.get_mut(handle));
        self.orphans.push(handle);
    }
}

/// smoltcp's instant.
fn instant(now: Time) -> Instant {
    Instant::from_micros((now.ps() * CLOCK_RATE / 1_000_000) as i64)
}

/// Resets a connection with data that no program will read, as Linux does.
fn reset_if_unread(socket: &mut Socket) {
    if socket.recv_queue() > 0 {
        socket.abort();
    }
}

fn socket() -> Socket<'static> {
    let buffer = |bytes| SocketBuffer::new(vec![0; bytes]);
    let mut socket = Socket::new(buffer(WINDOW_BYTES), buffer(SEND_BYTES));
    socket.set_congestion_control(CongestionControl::Reno);
    socket.set_ack_delay(None);
    socket
}

/// Packets between the stack and the kernel.
#[derive(Default)]
struct Queues {
    received: Option<Vec<u8>>,
    sent: VecDeque<Vec<u8>>,
}

impl Device for Queues {
    type RxToken<'a> = Packet;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Packet, Room<'_>)> {
        Some((Packet(self.received.take()?), Room(&mut self.sent)))
    }

    /// One at a time, because each has a cost.
    fn transmit(&mut self, _now: Instant) -> Option<Room<'_>> {
        self.sent.is_empty().then_some(Room(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = MTU;
        capabilities
    }
}

struct Packet(Vec<u8>);

impl RxToken for Packet {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, take: F) -> R {
        take(&self.0)
    }
}

struct Room<'a>(&'a mut VecDeque<Vec<u8>>);

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, bytes: usize, fill: F) -> R {
        let mut packet = vec![0; bytes];
        let result = fill(&mut packet);
        self.0.push_back(packet);
        result
    }
}

#[cfg(test)]
mod tests;
