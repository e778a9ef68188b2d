//! Management datagrams of communication management (IBA volume 1, chapter 12): 256 bytes to queue pair 1.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use serde_bytes::ByteBuf;

use super::call::{Parameters, Service};

/// Bytes of a management datagram.
pub const MAD_BYTES: usize = 256;
/// Bytes of its common header.
const HEADER: usize = 24;
/// Bytes of the addresses in a request over IP (IBA annex A11).
const IP_HEADER: usize = 36;

/// Codes of attributes (IBA volume 1, section 12.6).
mod attribute {
    pub const REQ: u16 = 0x10;
    pub const MRA: u16 = 0x11;
    pub const REJ: u16 = 0x12;
    pub const REP: u16 = 0x13;
    pub const RTU: u16 = 0x14;
    pub const DREQ: u16 = 0x15;
    pub const DREP: u16 = 0x16;
    pub const SIDR_REQ: u16 = 0x17;
    pub const SIDR_REP: u16 = 0x18;
}

/// Place and bytes of private data by attribute.
const PRIVATE: [(u16, usize, usize); 7] = [
    (attribute::REQ, 140, 92),
    (attribute::REJ, 84, 148),
    (attribute::REP, 36, 196),
    (attribute::SIDR_REQ, 16, 216),
    (attribute::SIDR_REP, 96, 136),
    (attribute::DREQ, 12, 220),
    (attribute::DREP, 8, 224),
];

/// Reasons of a rejection (IBA volume 1, section 12.6.7.2).
pub mod reason {
    /// The handshake took too long, or was given up.
    pub const TIMEOUT: u16 = 4;
    /// The receiver knows no connection of this number.
    pub const INVALID_ID: u16 = 6;
    /// The port has no listener.
    pub const INVALID_SERVICE: u16 = 8;
    /// The consumer's own.
    pub const CONSUMER: u16 = 28;
}

/// Status of a SIDR REP (IBA volume 1, section 12.11.2).
pub mod sidr {
    /// Accepted.
    pub const ACCEPTED: u8 = 0;
    /// The port has no listener.
    pub const UNSUPPORTED: u8 = 1;
    /// Refused by the consumer.
    pub const REJECTED: u8 = 2;
}

/// Request for a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of the connection at the sender.
    pub own: u32,
    /// Addresses of sender and receiver.
    pub source: SocketAddr,
    /// Address of the receiver; its port is that of the service.
    pub destination: SocketAddr,
    /// First PSN of the sender.
    pub psn: u32,
    /// MTU as a code.
    pub mtu: u8,
    /// LIDs of sender and receiver.
    pub lids: [u16; 2],
    /// Parameters of the sender.
    pub parameters: Parameters,
}

/// A message of communication management.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Request for a connection.
    Request(Request),
    /// The receiver of a request needs time.
    Wait {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
    },
    /// A request, a reply or a connection is refused.
    Reject {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
        /// Code of [`reason`].
        reason: u16,
        /// Private data.
        data: ByteBuf,
    },
    /// A request is accepted.
    Reply {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
        /// First PSN of the sender.
        psn: u32,
        /// Parameters of the sender.
        parameters: Parameters,
    },
    /// The connection is made.
    Ready {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
    },
    /// The connection ends.
    Disconnect {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
        /// The receiver's queue pair.
        pair: u32,
    },
    /// It has ended.
    Disconnected {
        /// Number of the connection at the sender.
        own: u32,
        /// Number of the connection at the receiver.
        peer: u32,
    },
    /// Request for the number of a datagram queue pair.
    Resolve {
        /// Number of the request at the sender.
        own: u32,
        /// Address of the sender.
        source: SocketAddr,
        /// Address of the receiver.
        destination: SocketAddr,
        /// Private data.
        data: ByteBuf,
    },
    /// Its answer.
    Resolved {
        /// Number of the request at the receiver.
        peer: u32,
        /// Code of [`sidr`].
        status: u8,
        /// The queue pair.
        pair: u32,
        /// Q_Key of its datagrams.
        q_key: u32,
        /// Private data.
        data: ByteBuf,
    },
}

/// Bytes of private data that a program may add to a request of this service.
pub(super) fn most_request_data(service: Service) -> usize {
    match service {
        Service::Connection => 92 - IP_HEADER,
        Service::Datagram => 216 - IP_HEADER,
    }
}

/// Bytes of private data of an acceptance.
pub(super) fn most_reply_data(service: Service) -> usize {
    match service {
        Service::Connection => 196,
        Service::Datagram => 136,
    }
}

/// Bytes of private data of a rejection.
pub(super) fn most_reject_data(service: Service) -> usize {
    match service {
        Service::Connection => 148,
        Service::Datagram => 136,
    }
}

/// Service ID (IBA annex A11): port space and port.
fn service_id(service: Service, port: u16) -> u64 {
    let space: u64 = match service {
        Service::Connection => 0x0106,
        Service::Datagram => 0x0111,
    };
    space << 16 | u64::from(port)
}

/// Writes fields in network byte order behind the common header.
struct Writer([u8; MAD_BYTES]);

impl Writer {
    fn new(attribute: u16, transaction: u64) -> Self {
        let mut bytes = [0; MAD_BYTES];
        // Base version 1, class 7, class version 2, method Send.
        bytes[..4].copy_from_slice(&[1, 7, 2, 3]);
        bytes[8..16].copy_from_slice(&transaction.to_be_bytes());
        bytes[16..18].copy_from_slice(&attribute.to_be_bytes());
        Writer(bytes)
    }

    fn put(mut self, at: usize, field: &[u8]) -> Self {
        self.0[HEADER + at..HEADER + at + field.len()].copy_from_slice(field);
        self
    }

    fn word(self, at: usize, word: u32) -> Self {
        self.put(at, &word.to_be_bytes())
    }

    fn half(self, at: usize, half: u16) -> Self {
        self.put(at, &half.to_be_bytes())
    }

    fn byte(self, at: usize, byte: u8) -> Self {
        self.put(at, &[byte])
    }

    /// Private data; what is too long is cut.
    fn private(self, attribute: u16, data: &[u8]) -> Self {
        let (at, most) = private(attribute);
        self.put(at, &data[..data.len().min(most)])
    }

    fn ip(self, at: usize, source: SocketAddr, destination: SocketAddr) -> Self {
        let version = if source.ip().to_canonical().is_ipv4() { 4 } else { 6 };
        self.byte(at + 1, version << 4)
            .half(at + 2, source.port())
            .put(at + 4, &octets(source))
            .put(at + 20, &octets(destination))
    }
}

fn private(attribute: u16) -> (usize, usize) {
    let found = PRIVATE.iter().find(|(of, ..)| *of == attribute);
    found.map_or((0, 0), |(_, at, most)| (*at, *most))
}

/// Sixteen bytes of an address; those of IPv4 are the last four.
fn octets(address: SocketAddr) -> [u8; 16] {
    match address.ip().to_canonical() {
        IpAddr::V4(address) => {
            let mut all = [0; 16];
            all[12..].copy_from_slice(&address.octets());
            all
        }
        IpAddr::V6(address) => address.octets(),
    }
}

/// Reads fields behind the common header.
struct Reader<'a>(&'a [u8; MAD_BYTES]);

impl Reader<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|byte| self.0[HEADER + at + byte])
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.bytes(at))
    }

    fn half(&self, at: usize) -> u16 {
        u16::from_be_bytes(self.bytes(at))
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes::<1>(at)[0]
    }

    fn private(&self, attribute: u16, skip: usize) -> ByteBuf {
        let (at, most) = private(attribute);
        ByteBuf::from(&self.0[HEADER + at + skip..HEADER + at + most])
    }

    fn addresses(&self, at: usize, port: u16) -> (SocketAddr, SocketAddr) {
        let read = |at: usize| match self.bytes::<16>(at) {
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d] => IpAddr::from([a, b, c, d]),
            octets => Ipv6Addr::from(octets).into(),
        };
        (SocketAddr::new(read(at + 4), self.half(at + 2)), SocketAddr::new(read(at + 20), port))
    }
}

impl Message {
    /// The datagram of a message.
    pub fn encode(&self, transaction: u64) -> [u8; MAD_BYTES] {
        use attribute::*;
        let begin =
            |attribute, own: u32, peer: u32| Writer::new(attribute, transaction).word(0, own).word(4, peer);
        match self {
            Message::Request(request) => request.encode(transaction),
            Message::Wait { own, peer } => begin(MRA, *own, *peer).byte(9, SERVICE_TIMEOUT << 3),
            Message::Reject { own, peer, reason, data } => {
                begin(REJ, *own, *peer).half(10, *reason).private(REJ, data)
            }
            Message::Reply { own, peer, psn, parameters } => {
                let Parameters { pair, responder_resources, initiator_depth, .. } = parameters;
                let shared = u8::from(parameters.shares_receives) << 4;
                begin(REP, *own, *peer)
                    .word(12, pair << 8)
                    .word(20, psn << 8)
                    .put(24, &[*responder_resources, *initiator_depth, u8::from(parameters.flow_control)])
                    .byte(27, parameters.rnr_retries << 5 | shared)
                    .private(REP, &parameters.data)
            }
            Message::Ready { own, peer } => begin(RTU, *own, *peer),
            Message::Disconnect { own, peer, pair } => begin(DREQ, *own, *peer).word(8, pair << 8),
            Message::Disconnected { own, peer } => begin(DREP, *own, *peer),
            Message::Resolve { own, source, destination, data } => Writer::new(SIDR_REQ, transaction)
                .word(0, *own)
                .half(4, PARTITION)
                .put(8, &service_id(Service::Datagram, destination.port()).to_be_bytes())
                .ip(16, *source, *destination)
                .put(16 + IP_HEADER, &data[..data.len().min(216 - IP_HEADER)]),
            Message::Resolved { peer, status, pair, q_key, data } => Writer::new(SIDR_REP, transaction)
                .word(0, *peer)
                .byte(4, *status)
                .word(8, pair << 8)
                .word(20, *q_key)
                .private(SIDR_REP, data),
        }
        .0
    }

    /// The message of a datagram; none if it is no message of communication management that this side knows.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        use attribute::*;
        let bytes: &[u8; MAD_BYTES] = bytes.try_into().ok()?;
        if bytes[..4] != [1, 7, 2, 3] {
            return None;
        }
        let (attribute, reader) = (u16::from_be_bytes([bytes[16], bytes[17]]), Reader(bytes));
        let (own, peer) = (reader.word(0), reader.word(4));
        Some(match attribute {
            REQ => Message::Request(Request::decode(&reader)?),
            MRA => Message::Wait { own, peer },
            REJ => Message::Reject { own, peer, reason: reader.half(10), data: reader.private(REJ, 0) },
            REP => {
                let [responder_resources, initiator_depth, flags, retries] = reader.bytes(24);
                let parameters = Parameters {
                    pair: reader.word(12) >> 8,
                    q_key: 0,
                    data: reader.private(REP, 0),
                    shares_receives: retries >> 4 & 1 == 1,
                    responder_resources,
                    initiator_depth,
                    flow_control: flags & 1 == 1,
                    retries: 0,
                    rnr_retries: retries >> 5,
                };
                Message::Reply { own, peer, psn: reader.word(20) >> 8, parameters }
            }
            RTU => Message::Ready { own, peer },
            DREQ => Message::Disconnect { own, peer, pair: reader.word(8) >> 8 },
            DREP => Message::Disconnected { own, peer },
            SIDR_REQ => {
                let port = port_of(reader.bytes(8), Service::Datagram)?;
                let (source, destination) = reader.addresses(16, port);
                Message::Resolve { own, source, destination, data: reader.private(SIDR_REQ, IP_HEADER) }
            }
            SIDR_REP => Message::Resolved {
                peer: own,
                status: reader.byte(4),
                pair: reader.word(8) >> 8,
                q_key: reader.word(20),
                data: reader.private(SIDR_REP, 0),
            },
            _ => return None,
        })
    }
}

/// P_Key of the default partition.
const PARTITION: u16 = 0xffff;
/// Code of the time that an MRA asks for: 4.096 us times 2^20, 4.3 s (our choice).
pub(super) const SERVICE_TIMEOUT: u8 = 20;
/// Code of the time after which a message is sent again: 4.096 us times 2^12, 16.8 ms (our choice, that of connections).
pub(super) const RESPONSE_TIMEOUT: u8 = 12;
/// Number of times that a message is sent again; 4 bits.
pub(super) const RETRIES: u8 = 15;
/// Code of the local acknowledgement time-out of connections, 16.8 ms.
pub(super) const ACK_TIMEOUT: u8 = 12;

/// The port of a service ID; none if it is of another service.
fn port_of(id: [u8; 8], service: Service) -> Option<u16> {
    let id = u64::from_be_bytes(id);
    (id >> 16 == service_id(service, 0) >> 16).then_some(id as u16)
}

impl Request {
    fn encode(&self, transaction: u64) -> Writer {
        let Request { own, source, destination, psn, mtu, lids, parameters } = self;
        let Parameters { pair, responder_resources, initiator_depth, retries, rnr_retries, .. } = parameters;
        let (timeout, flow) = (u32::from(RESPONSE_TIMEOUT), u32::from(parameters.flow_control));
        let shared = u8::from(parameters.shares_receives);
        let data = &parameters.data[..parameters.data.len().min(92 - IP_HEADER)];
        Writer::new(attribute::REQ, transaction)
            .word(0, *own)
            .put(8, &service_id(Service::Connection, destination.port()).to_be_bytes())
            .word(32, pair << 8 | u32::from(*responder_resources))
            .word(36, u32::from(*initiator_depth))
            .word(40, timeout << 3 | flow)
            .word(44, psn << 8 | timeout << 3 | u32::from(retries & 7))
            .half(48, PARTITION)
            .byte(50, mtu << 4 | rnr_retries & 7)
            .byte(51, RETRIES << 4 | shared << 3)
            .half(52, lids[0])
            .half(54, lids[1])
            // The subnet is local; the time-out of acknowledgements.
            .put(94, &[1 << 3, ACK_TIMEOUT << 3])
            .ip(140, *source, *destination)
            .put(140 + IP_HEADER, data)
    }

    fn decode(reader: &Reader) -> Option<Self> {
        let port = port_of(reader.bytes(8), Service::Connection)?;
        let (source, destination) = reader.addresses(140, port);
        let (flags, psn) = (reader.word(40), reader.word(44));
        Some(Request {
            own: reader.word(0),
            source,
            destination,
            psn: psn >> 8,
            mtu: reader.byte(50) >> 4,
            lids: [reader.half(52), reader.half(54)],
            parameters: Parameters {
                pair: reader.word(32) >> 8,
                q_key: 0,
                data: reader.private(attribute::REQ, IP_HEADER),
                shares_receives: reader.byte(51) >> 3 & 1 == 1,
                responder_resources: reader.word(32) as u8,
                initiator_depth: reader.word(36) as u8,
                flow_control: flags & 1 == 1,
                retries: psn as u8 & 7,
                rnr_retries: reader.byte(50) & 7,
            },
        })
    }
}
