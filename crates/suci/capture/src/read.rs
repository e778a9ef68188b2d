//! Reads captures call by call.

use pcap_file::PcapError;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::{Block, PcapNgParser};

use crate::{CUSTOM_BLOCK, ENTERPRISE, MARK, VERSION};

/// Reason why a file is not a complete capture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file is not pcapng.
    #[error("this is no pcapng file")]
    NoPcapng,
    /// A pcapng file without a capture of this version.
    #[error(
        "this pcapng file holds no endpoint of Suci, or one of another version: its first call is not '{VERSION}'"
    )]
    NoSuci,
    /// The file ends within a block.
    #[error("the file ends within block {0}, and is whole before it")]
    Cut(usize),
    /// A block is damaged.
    #[error("block {0} is damaged: {1}")]
    Damaged(usize, String),
}

/// A recorded call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Number of the block in the file, from 1.
    pub number: usize,
    /// The call and its result as text.
    pub line: String,
    /// Data of the call: a packet or a block of the application.
    pub bytes: Vec<u8>,
}

/// Iterator over the calls of a capture.
pub struct Reader<'a> {
    parser: PcapNgParser,
    rest: &'a [u8],
    number: usize,
    /// The creation of the endpoint.
    pub(crate) made: Kept,
}

impl<'a> Reader<'a> {
    /// Reader of the contents of a file.
    pub fn new(file: &'a [u8]) -> Result<Self, ReadError> {
        let (rest, parser) = PcapNgParser::new(file).map_err(|_| ReadError::NoPcapng)?;
        let mut reader = Self { parser, rest, number: 1, made: Kept::default() };
        match reader.next() {
            Some(Ok(made)) if made.line == VERSION => reader.made = made,
            Some(Err(error)) => return Err(error),
            _ => return Err(ReadError::NoSuci),
        }
        Ok(reader)
    }

    fn damaged(&self, why: impl ToString) -> ReadError {
        ReadError::Damaged(self.number, why.to_string())
    }

    /// The call in a block, if it contains one.
    fn kept(&self, block: &Block<'_>) -> Result<Option<Kept>, ReadError> {
        let (line, bytes) = match block {
            Block::EnhancedPacket(packet) => {
                let comment = packet.options.iter().find_map(|option| match option {
                    EnhancedPacketOption::Comment(line) => Some(line.to_string()),
                    _ => None,
                });
                let Some(line) = comment else { return Ok(None) };
                // `in TIME ADDRESS LENGTH due TIME`, `out TIME -> ADDRESS LENGTH`
                let place = if line.starts_with("in ") { 3 } else { 4 };
                let length = line.split(' ').nth(place).and_then(|word| word.parse().ok());
                let start = length.and_then(|length| packet.data.len().checked_sub(length));
                let bytes = start.map(|start| packet.data[start..].to_vec());
                (line, bytes.ok_or_else(|| self.damaged("its comment says more bytes than it has"))?)
            }
            Block::Unknown(custom) if custom.type_ == CUSTOM_BLOCK => {
                let value = custom.value.strip_prefix(&ENTERPRISE.to_le_bytes()[..]);
                let Some(value) = value.and_then(|value| value.strip_prefix(&MARK[..])) else {
                    return Ok(None);
                };
                let short = || self.damaged("it is shorter than it says");
                let (lengths, value) = value.split_first_chunk::<8>().ok_or_else(short)?;
                let length = |at: usize| {
                    u32::from_le_bytes([lengths[at], lengths[at + 1], lengths[at + 2], lengths[at + 3]])
                        as usize
                };
                let (line, value) = value.split_at_checked(length(0)).ok_or_else(short)?;
                let (bytes, _) = value.split_at_checked(length(4)).ok_or_else(short)?;
                let line = str::from_utf8(line).map_err(|error| self.damaged(error))?;
                (line.to_owned(), bytes.to_vec())
            }
            _ => return Ok(None),
        };
        Ok(Some(Kept { number: self.number, line, bytes }))
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Kept, ReadError>;

    /// The next call. There is none after an error.
    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            self.number += 1;
            let kept = match self.parser.next_block(self.rest) {
                Ok((rest, block)) => {
                    self.rest = rest;
                    self.kept(&block)
                }
                Err(PcapError::IncompleteBuffer) => Err(ReadError::Cut(self.number)),
                Err(error) => Err(self.damaged(error)),
            };
            match kept {
                Ok(None) => {}
                Ok(Some(kept)) => return Some(Ok(kept)),
                Err(error) => {
                    self.rest = &[];
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
