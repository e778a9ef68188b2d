//! Packets of [`Rules::MODERN`](crate::Rules::MODERN), designed for this library. Numbers are in network byte
//! order.
//!
//! | Packet | Fields after the first byte, which is version and kind |
//! |---|---|
//! | Initiate | caller's connection id 8, time of the cookie 8, cookie 16, hello |
//! | Retry | caller's connection id 8, time of the cookie 8, cookie 16 |
//! | Accept | caller's connection id 8, hello |
//! | Data | receiver's connection id 8, packet number 8 (62 bits), then sealed: time 4, frames |
//!
//! Bit 3 of the first byte of a Data packet is its key phase. A hello has the transport parameters of its
//! sender: connection ID 8, datagram for parts 2, largest datagram 2, bytes in flight without a permit 4,
//! receive window 4, largest block 4. With protection it is sealed in a message of the Noise handshake.

use crate::counters::Dropped;

/// Protocol version, in the upper four bits of the first byte.
const VERSION: u8 = 1;
/// Kind of a Data packet.
const DATA: u8 = 4;
/// Key phase bit in the first byte of a Data packet: set for keys of odd generations.
pub const PHASE: u8 = 8;
/// Largest packet number; packet numbers have 62 bits.
pub const MOST_NUMBER: u64 = (1 << 62) - 1;
/// Length of the unsealed header of a Data packet.
pub const DATA_HEADER: usize = 1 + 8 + 8;
/// Length of the time before the frames.
pub const TIME: usize = 4;
/// Length of a hello.
pub const HELLO: usize = 24;
/// Length of the header of a Part frame.
pub const PART_HEADER: usize = 1 + 1 + 8 + 4 + 4 + 2;
/// Length of a cookie's hash.
pub const COOKIE: usize = 16;
/// Smallest permitted datagram in bytes; every packet fits it.
pub const LEAST_DATAGRAM: usize = 600;

/// Proof of a caller's address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cookie {
    /// Time of creation in nanoseconds of the creator's clock.
    pub created: u64,
    /// Keyed hash of time, address and connection ID.
    pub hash: [u8; COOKIE],
}

/// Transport parameters of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Connection ID in packets to the sender of the hello.
    pub id: u64,
    /// Datagram size in bytes by which the sender divides blocks and which it always accepts.
    pub datagram: u16,
    /// Largest datagram in bytes that the sender accepts if the path carries it.
    pub most: u16,
    /// Bytes in flight to the sender without a permit.
    pub unscheduled: u32,
    /// Receive window of the sender in bytes.
    pub window: u32,
    /// Largest block in bytes that the sender accepts.
    pub largest_block: u32,
}

/// A packet with unparsed frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Calls a peer.
    Initiate {
        /// Connection ID of the caller.
        id: u64,
        /// Cookie of a Retry, all zeros at first.
        cookie: Cookie,
        /// Hello of the caller, or the handshake message that contains it.
        hello: &'a [u8],
    },
    /// Demands proof of the caller's address.
    Retry {
        /// Connection ID of the caller.
        id: u64,
        /// Cookie for the next Initiate.
        cookie: Cookie,
    },
    /// Accepts a call.
    Accept {
        /// Connection ID of the caller.
        id: u64,
        /// Hello of the called side, or the handshake message that contains it.
        hello: &'a [u8],
    },
    /// All packets after the handshake.
    Data {
        /// Connection ID of the receiver.
        id: u64,
        /// Packet number, never reused.
        number: u64,
        /// Authenticated, unsealed header.
        header: &'a [u8],
        /// Sealed time and frames.
        body: &'a [u8],
    },
}

/// Identifies a part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Priority of the block.
    pub priority: u8,
    /// Number of the block within its priority, from 0.
    pub block: u64,
    /// Number of the part, from 0. All parts of a connection have the same length except the last of a block.
    pub index: u32,
}

/// Fields of an acknowledgement except its ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Sending time in the acknowledged packet with the highest number.
    pub echo: u32,
    /// Microseconds from the arrival of that packet to the acknowledgement.
    pub held: u32,
    /// Flow control limit: cost of blocks since the start of the connection.
    pub limit: u64,
    /// Number of the permit; 0 for none.
    pub permit: u32,
    /// Bytes in flight that the permit allows.
    pub bytes: u32,
    /// Lifetime of the permit in microseconds after the echoed time.
    pub life: u32,
    /// Packets received with a congestion mark (ECN CE) since the start.
    pub marked: u32,
}

/// A frame of a Data packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Elicits an acknowledgement.
    Ping,
    /// Acknowledgement with packet number ranges in descending order.
    Ack(Answer, Ack<'a>),
    /// Part of a block: part, length of the block, and bytes.
    Part(Part, u32, &'a [u8]),
    /// Closes the connection.
    Close,
    /// Challenge of a new address, to be returned from there.
    Challenge(u64),
    /// Number of a received challenge.
    Response(u64),
    /// Padding to the end of the packet, for MTU probes.
    Padding,
}

/// Validated ranges of an acknowledgement: descending and not adjacent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack<'a>(&'a [u8]);

impl Ack<'_> {
    /// Ranges in descending order, with both ends included.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.chunks_exact(16).map(|pair| {
            let (low, high) = pair.split_at(8);
            (number(low), number(high))
        })
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads fields from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Dropped> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(Dropped::Length)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn u8(&mut self) -> Result<u8, Dropped> {
        Ok(self.bytes(1)?[0])
    }

    fn u16(&mut self) -> Result<u16, Dropped> {
        Ok(number(self.bytes(2)?) as u16)
    }

    fn u32(&mut self) -> Result<u32, Dropped> {
        Ok(number(self.bytes(4)?) as u32)
    }

    fn u64(&mut self) -> Result<u64, Dropped> {
        Ok(number(self.bytes(8)?))
    }

    fn cookie(&mut self) -> Result<Cookie, Dropped> {
        let created = self.u64()?;
        let mut hash = [0; COOKIE];
        hash.copy_from_slice(self.bytes(COOKIE)?);
        Ok(Cookie { created, hash })
    }

    fn hello(&mut self) -> Result<Hello, Dropped> {
        let hello = Hello {
            id: self.u64()?,
            datagram: self.u16()?,
            most: self.u16()?,
            unscheduled: self.u32()?,
            window: self.u32()?,
            largest_block: self.u32()?,
        };
        let sizes = usize::from(hello.datagram) >= LEAST_DATAGRAM && hello.most >= hello.datagram;
        let possible = sizes && hello.largest_block > 0;
        if possible { Ok(hello) } else { Err(Dropped::Malformed) }
    }

    fn end(&self) -> Result<(), Dropped> {
        if self.0.is_empty() { Ok(()) } else { Err(Dropped::Length) }
    }

    /// All remaining bytes: a hello or a longer handshake message.
    fn said(&mut self) -> Result<&'a [u8], Dropped> {
        if self.0.len() < HELLO { Err(Dropped::Length) } else { self.bytes(self.0.len()) }
    }
}

/// Parses a datagram up to its frames.
pub fn parse(datagram: &[u8]) -> Result<Packet<'_>, Dropped> {
    let mut reader = Reader(datagram);
    let first = reader.u8()?;
    if first >> 4 != VERSION {
        return Err(Dropped::Kind);
    }
    if first & 15 & !PHASE == DATA {
        let (id, number) = (reader.u64()?, reader.u64()?);
        let header = &datagram[..DATA_HEADER];
        let possible = number <= MOST_NUMBER;
        return if possible {
            Ok(Packet::Data { id, number, header, body: reader.0 })
        } else {
            Err(Dropped::Malformed)
        };
    }
    let packet = match first & 15 {
        1 => Packet::Initiate { id: reader.u64()?, cookie: reader.cookie()?, hello: reader.said()? },
        2 => Packet::Retry { id: reader.u64()?, cookie: reader.cookie()? },
        3 => Packet::Accept { id: reader.u64()?, hello: reader.said()? },
        _ => return Err(Dropped::Kind),
    };
    reader.end()?;
    Ok(packet)
}

/// Parses a hello without trailing bytes.
pub fn parse_hello(bytes: &[u8]) -> Result<Hello, Dropped> {
    let mut reader = Reader(bytes);
    let hello = reader.hello()?;
    reader.end()?;
    Ok(hello)
}

/// Parses an opened body: sending time in microseconds of the sender's clock, and frames.
pub fn parse_body(body: &[u8]) -> Result<(u32, &[u8]), Dropped> {
    let mut reader = Reader(body);
    Ok((reader.u32()?, reader.0))
}

/// Takes the first frame; `None` at the end.
pub fn next_frame<'a>(frames: &mut &'a [u8]) -> Result<Option<Frame<'a>>, Dropped> {
    if frames.is_empty() {
        return Ok(None);
    }
    let mut reader = Reader(frames);
    let frame = match reader.u8()? {
        1 => Frame::Ping,
        2 => {
            let answer = Answer {
                echo: reader.u32()?,
                held: reader.u32()?,
                limit: reader.u64()?,
                permit: reader.u32()?,
                bytes: reader.u32()?,
                life: reader.u32()?,
                marked: reader.u32()?,
            };
            let count = usize::from(reader.u8()?);
            let ack = Ack(reader.bytes(count * 16)?);
            let mut above = u64::MAX;
            for (low, high) in ack.ranges() {
                if low > high || high.checked_add(1).is_none_or(|next| next >= above) {
                    return Err(Dropped::Malformed);
                }
                above = low;
            }
            if count == 0 {
                return Err(Dropped::Malformed);
            }
            Frame::Ack(answer, ack)
        }
        3 => {
            let part = Part { priority: reader.u8()?, block: reader.u64()?, index: reader.u32()? };
            let (total, length) = (reader.u32()?, reader.u16()?);
            if usize::from(part.priority) >= crate::PRIORITIES || length == 0 {
                return Err(Dropped::Malformed);
            }
            Frame::Part(part, total, reader.bytes(usize::from(length))?)
        }
        4 => Frame::Close,
        5 => Frame::Challenge(reader.u64()?),
        6 => Frame::Response(reader.u64()?),
        7 => {
            reader.0 = &[];
            Frame::Padding
        }
        _ => return Err(Dropped::Kind),
    };
    *frames = reader.0;
    Ok(Some(frame))
}

fn begin(out: &mut Vec<u8>, kind: u8, id: u64) {
    out.clear();
    out.push(VERSION << 4 | kind);
    out.extend(id.to_be_bytes());
}

fn put_cookie(out: &mut Vec<u8>, cookie: &Cookie) {
    out.extend(cookie.created.to_be_bytes());
    out.extend(cookie.hash);
}

/// Appends transport parameters.
pub fn put_hello(out: &mut Vec<u8>, hello: &Hello) {
    out.extend(hello.id.to_be_bytes());
    out.extend(hello.datagram.to_be_bytes());
    out.extend(hello.most.to_be_bytes());
    out.extend(hello.unscheduled.to_be_bytes());
    out.extend(hello.window.to_be_bytes());
    out.extend(hello.largest_block.to_be_bytes());
}

/// Writes an Initiate packet.
pub fn put_initiate(out: &mut Vec<u8>, id: u64, cookie: &Cookie, hello: &[u8]) {
    begin(out, 1, id);
    put_cookie(out, cookie);
    out.extend_from_slice(hello);
}

/// Writes a Retry packet.
pub fn put_retry(out: &mut Vec<u8>, id: u64, cookie: &Cookie) {
    begin(out, 2, id);
    put_cookie(out, cookie);
}

/// Writes an Accept packet.
pub fn put_accept(out: &mut Vec<u8>, id: u64, hello: &[u8]) {
    begin(out, 3, id);
    out.extend_from_slice(hello);
}

/// Writes a Data packet up to its frames.
pub fn put_data(out: &mut Vec<u8>, id: u64, number: u64, time: u32) {
    begin(out, DATA, id);
    out.extend(number.to_be_bytes());
    out.extend(time.to_be_bytes());
}

/// Appends a Ping frame.
pub fn put_ping(out: &mut Vec<u8>) {
    out.push(1);
}

/// Appends a Close frame.
pub fn put_close(out: &mut Vec<u8>) {
    out.push(4);
}

/// Appends a Challenge frame.
pub fn put_challenge(out: &mut Vec<u8>, number: u64) {
    out.push(5);
    out.extend(number.to_be_bytes());
}

/// Appends a Response frame.
pub fn put_response(out: &mut Vec<u8>, number: u64) {
    out.push(6);
    out.extend(number.to_be_bytes());
}

/// Appends at least one byte of padding, up to a packet of `length` bytes.
pub fn put_padding(out: &mut Vec<u8>, length: usize) {
    out.push(7);
    out.resize(length.max(out.len()), 0);
}

/// Appends an acknowledgement with at most as many ranges as `Ranges` holds.
pub fn put_ack(out: &mut Vec<u8>, answer: &Answer, ranges: impl ExactSizeIterator<Item = (u64, u64)>) {
    out.push(2);
    out.extend(answer.echo.to_be_bytes());
    out.extend(answer.held.to_be_bytes());
    out.extend(answer.limit.to_be_bytes());
    out.extend(answer.permit.to_be_bytes());
    out.extend(answer.bytes.to_be_bytes());
    out.extend(answer.life.to_be_bytes());
    out.extend(answer.marked.to_be_bytes());
    out.push(ranges.len() as u8);
    for (low, high) in ranges {
        out.extend(low.to_be_bytes());
        out.extend(high.to_be_bytes());
    }
}

/// Appends a part of a block of `total` bytes.
pub fn put_part(out: &mut Vec<u8>, part: &Part, total: u32, bytes: &[u8]) {
    out.extend([3, part.priority]);
    out.extend(part.block.to_be_bytes());
    out.extend(part.index.to_be_bytes());
    out.extend(total.to_be_bytes());
    out.extend((bytes.len() as u16).to_be_bytes());
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SAID: Hello = Hello {
        id: 7,
        datagram: 1200,
        most: 1472,
        unscheduled: 2400,
        window: 1 << 20,
        largest_block: 1 << 18,
    };

    #[test]
    fn handshake_packets_round_trip() {
        let mut out = Vec::new();
        let cookie = Cookie { created: 5, hash: [9; COOKIE] };
        let mut hello = Vec::new();
        put_hello(&mut hello, &SAID);
        assert_eq!(parse_hello(&hello), Ok(SAID));
        assert_eq!(parse_hello(&hello[1..]), Err(Dropped::Length));
        put_initiate(&mut out, 7, &cookie, &hello);
        assert_eq!(parse(&out), Ok(Packet::Initiate { id: 7, cookie, hello: &hello }));
        let question = out.len();
        for length in 0..out.len() {
            assert_eq!(parse(&out[..length]), Err(Dropped::Length));
        }
        put_retry(&mut out, 7, &cookie);
        assert!(out.len() <= question, "an unproven address is answered no more than it sent");
        assert_eq!(parse(&out), Ok(Packet::Retry { id: 7, cookie }));
        out.push(0);
        assert_eq!(parse(&out), Err(Dropped::Length));
        put_accept(&mut out, 3, &hello);
        assert_eq!(parse(&out), Ok(Packet::Accept { id: 3, hello: &hello }));
    }

    #[test]
    fn frames_round_trip() {
        let mut out = Vec::new();
        let answer = Answer { echo: 1, held: 2, limit: 3, permit: 4, bytes: 5, life: 6, marked: 7 };
        let part = Part { priority: 2, block: 3, index: 4 };
        put_ping(&mut out);
        put_ack(&mut out, &answer, [(7, 9), (1, 2)].into_iter());
        put_part(&mut out, &part, 5_000, b"abc");
        put_close(&mut out);
        put_challenge(&mut out, 8);
        put_response(&mut out, 9);
        let length = out.len() + 5;
        put_padding(&mut out, length);
        assert_eq!(out.len(), length);
        let mut frames = &out[..];
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Ping)));
        let Ok(Some(Frame::Ack(read, ack))) = next_frame(&mut frames) else { panic!() };
        assert_eq!((read, ack.ranges().collect::<Vec<_>>()), (answer, vec![(7, 9), (1, 2)]));
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Part(part, 5_000, b"abc"))));
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Close)));
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Challenge(8))));
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Response(9))));
        assert_eq!(next_frame(&mut frames), Ok(Some(Frame::Padding)));
        assert_eq!(next_frame(&mut frames), Ok(None));
    }

    #[test]
    fn adjacent_and_ascending_ranges_are_malformed() {
        let answer = Answer { echo: 1, held: 2, limit: 3, permit: 4, bytes: 5, life: 6, marked: 7 };
        for ranges in [vec![(1, 2), (7, 9)], vec![(3, 9), (1, 2)], vec![(9, 3)], vec![], vec![(0, u64::MAX)]]
        {
            let mut out = Vec::new();
            put_ack(&mut out, &answer, ranges.into_iter());
            assert_eq!(next_frame(&mut &out[..]), Err(Dropped::Malformed));
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0u8..16) {
            let _ = parse(&bytes);
            let mut bytes = bytes;
            bytes.insert(0, VERSION << 4 | kind);
            if let Ok(Packet::Data { body, .. }) = parse(&bytes)
                && let Ok((_, mut frames)) = parse_body(body)
            {
                while let Ok(Some(_)) = next_frame(&mut frames) {}
            }
        }
    }
}
