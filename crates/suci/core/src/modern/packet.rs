//! Packets of [`Rules::MODERN`](crate::Rules::MODERN). All of it is ours; numbers are in network byte order.
//!
//! | Packet | Fields after the first byte, which is version and kind |
//! |---|---|
//! | Initiate | caller's connection id 8, time of the cookie 8, cookie 16, hello |
//! | Retry | caller's connection id 8, time of the cookie 8, cookie 16 |
//! | Accept | caller's connection id 8, hello |
//! | Data | receiver's connection id 8, packet number 8 (62 bits), then sealed: time 4, frames |
//!
//! Of a Data packet bit 3 of the first byte is the phase of its key. A hello is: connection id of whoever says it 8, datagram that parts
//! are made for 2, largest datagram 2, bytes in flight without a permit 4, memory for blocks 4, largest block 4. With a key it is a
//! message of a Noise handshake.

use crate::counters::Dropped;

/// Version of the packets, in the upper four bits of the first byte.
const VERSION: u8 = 1;
/// Kind of a Data packet.
const DATA: u8 = 4;
/// Bit of the first byte of a Data packet: the key that sealed it is of an odd generation.
pub const PHASE: u8 = 8;
/// Packet numbers have 62 bits.
pub const MOST_NUMBER: u64 = (1 << 62) - 1;
/// Header of a Data packet, which is not sealed.
pub const DATA_HEADER: usize = 1 + 8 + 8;
/// Bytes of the time before the frames.
pub const TIME: usize = 4;
/// Bytes of a hello.
pub const HELLO: usize = 24;
/// Header of a part of a block.
pub const PART_HEADER: usize = 1 + 1 + 8 + 4 + 4 + 2;
/// Bytes of a cookie.
pub const COOKIE: usize = 16;
/// The smallest datagram that everything fits in.
pub const LEAST_DATAGRAM: usize = 600;

/// Proof of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cookie {
    /// When it was made, in nanoseconds of the maker's clock.
    pub made: u64,
    /// Keyed hash of time, address and connection id.
    pub hash: [u8; COOKIE],
}

/// What both sides have to know of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Connection id for packets to whoever says this.
    pub id: u64,
    /// Datagram that it makes parts for, in bytes; it takes those of this size in any case.
    pub datagram: u16,
    /// Largest datagram it takes, in bytes, if the path carries it.
    pub most: u16,
    /// Bytes that may be in flight to it without a permit.
    pub unscheduled: u32,
    /// Its memory for blocks of this peer, in bytes.
    pub window: u32,
    /// Largest block it takes, in bytes.
    pub largest_block: u32,
}

/// A packet whose frames are not looked at yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Asks for a connection.
    Initiate {
        /// Connection id of the caller.
        id: u64,
        /// Proof of its address, nothing but zeros at first.
        cookie: Cookie,
        /// What the caller says, by itself or as part of a handshake.
        hello: &'a [u8],
    },
    /// Asks the caller to prove its address.
    Retry {
        /// Connection id of the caller.
        id: u64,
        /// What to send back.
        cookie: Cookie,
    },
    /// Takes the connection.
    Accept {
        /// Connection id of the caller.
        id: u64,
        /// What the other side says.
        hello: &'a [u8],
    },
    /// All that follows.
    Data {
        /// Connection id of the receiver.
        id: u64,
        /// Number, never used again.
        number: u64,
        /// What comes before the body; authenticated, not sealed.
        header: &'a [u8],
        /// When it was sent and what is in it, sealed.
        body: &'a [u8],
    },
}

/// A part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Priority of the block.
    pub priority: u8,
    /// Number of the block among those of its priority, from 0.
    pub block: u64,
    /// Number of the part, from 0. All parts of a connection but the last of a block are of one size.
    pub index: u32,
}

/// What an acknowledgement says beside the ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Time in the packet with the highest number.
    pub echo: u32,
    /// Microseconds since that packet came.
    pub held: u32,
    /// Bytes that may be sent in blocks, counted from the start of the connection.
    pub limit: u64,
    /// Number of the permit, 0 for none.
    pub permit: u32,
    /// Bytes it permits to be in flight.
    pub bytes: u32,
    /// How long, in microseconds after the echoed time.
    pub life: u32,
    /// Packets that came with a mark of congestion (ECN), since the start.
    pub marked: u32,
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Wants an answer.
    Ping,
    /// An acknowledgement: ranges as pairs of lowest and highest, from the highest down.
    Ack(Answer, Ack<'a>),
    /// Part of a block of so many bytes.
    Part(Part, u32, &'a [u8]),
    /// The connection has ended.
    Close,
    /// Asks whoever is at this address to send the number back.
    Challenge(u64),
    /// The number of a challenge.
    Response(u64),
    /// Nothing, up to the end of the packet: so that it has the length that is to be tried.
    Padding,
}

/// Ranges of an acknowledgement, checked: they descend and do not touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack<'a>(&'a [u8]);

impl Ack<'_> {
    /// The ranges from the highest down, both ends included.
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

/// Takes fields from the front.
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
        let made = self.u64()?;
        let mut hash = [0; COOKIE];
        hash.copy_from_slice(self.bytes(COOKIE)?);
        Ok(Cookie { made, hash })
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

    /// All that is left, which is a hello or a longer message.
    fn said(&mut self) -> Result<&'a [u8], Dropped> {
        if self.0.len() < HELLO { Err(Dropped::Length) } else { self.bytes(self.0.len()) }
    }
}

/// Reads a datagram.
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

/// Reads a hello, and nothing after it.
pub fn parse_hello(bytes: &[u8]) -> Result<Hello, Dropped> {
    let mut reader = Reader(bytes);
    let hello = reader.hello()?;
    reader.end()?;
    Ok(hello)
}

/// Reads what was sealed: when it was sent, in microseconds of the sender's clock, and frames.
pub fn parse_body(body: &[u8]) -> Result<(u32, &[u8]), Dropped> {
    let mut reader = Reader(body);
    Ok((reader.u32()?, reader.0))
}

/// Takes the first frame off; none at the end.
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
    out.extend(cookie.made.to_be_bytes());
    out.extend(cookie.hash);
}

/// Appends a hello.
pub fn put_hello(out: &mut Vec<u8>, hello: &Hello) {
    out.extend(hello.id.to_be_bytes());
    out.extend(hello.datagram.to_be_bytes());
    out.extend(hello.most.to_be_bytes());
    out.extend(hello.unscheduled.to_be_bytes());
    out.extend(hello.window.to_be_bytes());
    out.extend(hello.largest_block.to_be_bytes());
}

/// Writes a whole Initiate.
pub fn put_initiate(out: &mut Vec<u8>, id: u64, cookie: &Cookie, hello: &[u8]) {
    begin(out, 1, id);
    put_cookie(out, cookie);
    out.extend_from_slice(hello);
}

/// Writes a whole Retry.
pub fn put_retry(out: &mut Vec<u8>, id: u64, cookie: &Cookie) {
    begin(out, 2, id);
    put_cookie(out, cookie);
}

/// Writes a whole Accept.
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

/// Appends a Ping.
pub fn put_ping(out: &mut Vec<u8>) {
    out.push(1);
}

/// Appends a Close.
pub fn put_close(out: &mut Vec<u8>) {
    out.push(4);
}

/// Appends a Challenge.
pub fn put_challenge(out: &mut Vec<u8>, number: u64) {
    out.push(5);
    out.extend(number.to_be_bytes());
}

/// Appends a Response.
pub fn put_response(out: &mut Vec<u8>, number: u64) {
    out.push(6);
    out.extend(number.to_be_bytes());
}

/// Appends Padding, up to so many bytes in all; at least one.
pub fn put_padding(out: &mut Vec<u8>, length: usize) {
    out.push(7);
    out.resize(length.max(out.len()), 0);
}

/// Appends an acknowledgement, with at most as many ranges as `Ranges` keeps.
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
    fn a_handshake_is_read_as_it_was_written_and_no_shorter() {
        let mut out = Vec::new();
        let cookie = Cookie { made: 5, hash: [9; COOKIE] };
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
    fn frames_are_read_as_they_were_written() {
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
    fn ranges_that_touch_or_ascend_are_malformed() {
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
        fn any_bytes_are_a_packet_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0u8..16) {
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
