//! A packet on the wire, decoded by the figures of the specification (IBA volume 1, sections 7.7, 7.8, 9.2 to 9.4).

use crate::layout::{PARTITION_KEY, RouteHeader, SequenceHeader, TransportHeader};

/// Operation codes of unreliable connections: those of SENDs and RDMA WRITEs of reliable ones, and this.
const UNRELIABLE: u8 = 0x20;

/// Bytes of data of the longest packet.
const MOST_BYTES: usize = 2_048;

/// Kind of a packet, by its operation code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Send,
    Write,
    ReadRequest,
    ReadData,
    CompareSwap,
    FetchAdd,
    Original,
    Acknowledge,
    Datagram,
}

/// An operation code, decoded (IBA volume 1, table 38).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub family: Family,
    /// First packet of its message.
    pub first: bool,
    /// Last packet of its message.
    pub last: bool,
    pub immediate: bool,
    /// The packet is of an unreliable connection.
    pub unreliable: bool,
}

impl Form {
    fn of(kind: u8) -> Option<Self> {
        let form =
            |family, first, last, immediate| Some(Self { family, first, last, immediate, unreliable: false });
        match kind {
            0x20..=0x2b => Self::of(kind - UNRELIABLE).map(|form| Self { unreliable: true, ..form }),
            0x00 => form(Family::Send, true, false, false),
            0x01 => form(Family::Send, false, false, false),
            0x02 | 0x03 => form(Family::Send, false, true, kind == 0x03),
            0x04 | 0x05 => form(Family::Send, true, true, kind == 0x05),
            0x06 => form(Family::Write, true, false, false),
            0x07 => form(Family::Write, false, false, false),
            0x08 | 0x09 => form(Family::Write, false, true, kind == 0x09),
            0x0a | 0x0b => form(Family::Write, true, true, kind == 0x0b),
            0x0c => form(Family::ReadRequest, true, true, false),
            0x0d => form(Family::ReadData, true, false, false),
            0x0e => form(Family::ReadData, false, false, false),
            0x0f => form(Family::ReadData, false, true, false),
            0x10 => form(Family::ReadData, true, true, false),
            0x11 => form(Family::Acknowledge, true, true, false),
            0x12 => form(Family::Original, true, true, false),
            0x13 => form(Family::CompareSwap, true, true, false),
            0x14 => form(Family::FetchAdd, true, true, false),
            0x64 | 0x65 => form(Family::Datagram, true, true, kind == 0x65),
            _ => None,
        }
    }

    fn has_reth(self) -> bool {
        self.family == Family::ReadRequest || self.family == Family::Write && self.first
    }

    fn has_aeth(self) -> bool {
        matches!(self.family, Family::Acknowledge | Family::Original)
            || self.family == Family::ReadData && (self.first || self.last)
    }

    /// The packet requests an atomic operation, and has an AtomicETH.
    pub fn is_atomic(self) -> bool {
        matches!(self.family, Family::CompareSwap | Family::FetchAdd)
    }

    /// Data answer the request, not an acknowledgement.
    pub fn reads(self) -> bool {
        self.family == Family::ReadRequest || self.is_atomic()
    }

    /// The packet of a connection needs a receive WQE.
    pub fn takes_wqe(self) -> bool {
        if self.family == Family::Send { self.first } else { self.immediate }
    }

    /// The packet belongs to a request of a connection.
    pub fn is_request(self) -> bool {
        matches!(self.family, Family::Send | Family::Write) || self.reads()
    }
}

/// RETH: destination or source of an RDMA request; the place of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Remote {
    pub address: u64,
    pub key: u32,
    pub length: u32,
}

/// A well-formed packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub source_lid: u16,
    pub destination_lid: u16,
    pub level: u8,
    pub partition_key: u16,
    pub solicited: bool,
    pub form: Form,
    pub destination: u32,
    pub psn: u32,
    pub asks: bool,
    pub remote: Option<Remote>,
    /// Both values of an AtomicETH.
    pub operands: Option<[u64; 2]>,
    /// Value of an AtomicAckETH.
    pub original: Option<u64>,
    /// Syndrome and MSN of an AETH.
    pub answer: Option<(u8, u32)>,
    /// Source queue pair of a DETH.
    pub source: Option<u32>,
    pub immediate: Option<u32>,
    /// Bytes of data, without pad bytes.
    pub bytes: usize,
    /// Pad bytes fill the last unit and are 0, and reserved fields are 0.
    pub is_tidy: bool,
}

impl Frame {
    /// Decodes the words of a packet, whose lowest byte is first on the wire; the reason if a receiver has to
    /// drop it.
    pub fn decode(words: &[u64]) -> Result<Self, &'static str> {
        let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let word = |at: usize| -> Option<u64> { Some(u64::from_be_bytes(*all[at..].first_chunk()?)) };
        let short = "its length is below that of headers and ICRC";
        let (Some(route), Some(transport)) = (word(0), word(8)) else { return Err(short) };
        let route = RouteHeader::from_bits(route);
        let units = usize::from(route.units);
        if units.div_ceil(2) != words.len() || units < 6 {
            return Err("its length differs from PktLen");
        }
        let (body, icrc) = all[..4 * units].split_at(4 * (units - 1));
        if crc32(body) != u32::from_le_bytes(*icrc.first_chunk().expect("four bytes")) {
            return Err("its ICRC is wrong");
        }
        let transport = TransportHeader::from_bits(transport);
        let Some(form) = Form::of(transport.kind) else { return Err("its operation code is unknown") };
        if route.version != 0 || route.next_header != 2 || transport.version != 0 {
            return Err("its versions or its next header are unknown");
        }
        Self::fields(route, transport, form, &all[..4 * units])
    }

    /// Reads the headers behind the base transport header, and the data, of a packet with its ICRC.
    fn fields(
        route: RouteHeader,
        transport: TransportHeader,
        form: Form,
        packet: &[u8],
    ) -> Result<Self, &'static str> {
        let word = |at: usize| -> Option<u64> { Some(u64::from_be_bytes(*packet.get(at..)?.first_chunk()?)) };
        let unit = |at: usize| -> Option<u32> { Some(u32::from_be_bytes(*packet.get(at..)?.first_chunk()?)) };
        let body = &packet[..packet.len() - 4];
        let short = "its length is below that of headers and ICRC";
        let mut at = 20;
        let mut take = |bytes: usize| {
            at += bytes;
            at - bytes
        };
        let is_datagram = form.family == Family::Datagram;
        let deth = is_datagram.then(|| take(8));
        let reth = form.has_reth().then(|| take(16));
        let atomic = form.is_atomic().then(|| take(28));
        let aeth = form.has_aeth().then(|| take(4));
        let original = (form.family == Family::Original).then(|| take(8));
        let immediate = form.immediate.then(|| take(4));
        let pad = usize::from(transport.pad);
        let Some(room) = body.len().checked_sub(at) else { return Err(short) };
        let Some(bytes) = room.checked_sub(pad) else { return Err("it has more pad bytes than data") };
        let empty = form.reads() || matches!(form.family, Family::Acknowledge | Family::Original);
        if room > MOST_BYTES || empty && room != 0 {
            return Err("it has more data than its kind may have");
        }
        let Some(sequence) = word(16) else { return Err(short) };
        let sequence = SequenceHeader::from_bits(sequence);
        let long = |at: usize| word(at).ok_or(short);
        let short_of = |at: usize| unit(at).ok_or(short);
        Ok(Self {
            source_lid: route.source_lid,
            destination_lid: route.destination_lid,
            level: route.level,
            partition_key: transport.partition_key,
            solicited: transport.solicited,
            form,
            destination: transport.destination,
            psn: sequence.psn,
            asks: sequence.asks,
            remote: match (reth, atomic) {
                (Some(at), _) => {
                    let (address, rest) = (long(at)?, long(at + 8)?);
                    Some(Remote { address, key: (rest >> 32) as u32, length: rest as u32 })
                }
                (None, Some(at)) => Some(Remote { address: long(at)?, key: short_of(at + 8)?, length: 8 }),
                (None, None) => None,
            },
            operands: match atomic {
                Some(at) => Some([long(at + 12)?, long(at + 20)?]),
                None => None,
            },
            original: match original {
                Some(at) => Some(long(at)?),
                None => None,
            },
            answer: match aeth {
                Some(at) => Some(short_of(at).map(|unit| ((unit >> 24) as u8, unit & 0xff_ffff))?),
                None => None,
            },
            source: match deth {
                Some(at) => Some(short_of(at + 4)? & 0xff_ffff),
                None => None,
            },
            immediate: match immediate {
                Some(at) => Some(short_of(at)?),
                None => None,
            },
            bytes,
            is_tidy: has_zeros(body, deth)
                && bytes + pad == bytes.next_multiple_of(4)
                && body[at + bytes..].iter().all(|&b| b == 0),
        })
    }

    /// A fixed field of a packet that leaves an adapter and has another value than it must have.
    pub fn fault_of_sender(&self) -> Option<&'static str> {
        let Form { family, last, unreliable, .. } = self.form;
        let connected = family != Family::Datagram;
        if self.partition_key != PARTITION_KEY {
            Some("its P_Key is not the default one")
        } else if !self.is_tidy {
            Some("reserved fields or pad bytes are not 0, or pad bytes do not fill the last unit")
        } else if self.asks != (last && !unreliable && matches!(family, Family::Send | Family::Write)) {
            Some(
                "it asks for an acknowledgement, or does not: only the last packet of a reliable SEND or WRITE has to",
            )
        } else if self.solicited && !(last && (self.form.is_request() || !connected)) {
            Some("its solicited event is set, which only the last packet of a request may have")
        } else if connected && self.level != 0 {
            Some("its service level is not 0, as that of a connection has to be")
        } else {
            None
        }
    }
}

/// Whether the reserved fields are 0, also that of a DETH at `deth`.
fn has_zeros(body: &[u8], deth: Option<usize>) -> bool {
    let masks = [(0, 0xff), (1, 0x0c), (4, 0xf8), (9, 0x40), (12, 0xff), (16, 0x7f)];
    masks.iter().all(|&(at, mask)| body[at] & mask == 0) && deth.is_none_or(|at| body[at + 4] == 0)
}

/// ICRC, bit by bit: CRC-32 with ones in the virtual lane and in the reserved byte of the BTH (section 7.8.1).
fn crc32(packet: &[u8]) -> u32 {
    let masked = packet.iter().enumerate().map(|(at, &byte)| match at {
        0 => byte | 0xf0,
        12 => 0xff,
        _ => byte,
    });
    !masked.fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
