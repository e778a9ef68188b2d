//! Writes the calls of an endpoint to a file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::unknown::UnknownBlock;
use pcap_file::pcapng::{Block, PcapNgWriter};
use pcap_file::{DataLink, Endianness, PcapError, PcapResult};
use suci::record::{Call, Recorder};

use crate::frame::frame;
use crate::keys::Keys;
use crate::line::{Packet, line};
use crate::{CUSTOM_BLOCK, ENTERPRISE, MARK};

/// Time resolution of 10^-9 s.
const RESOLUTION: u8 = 9;
/// Packet flag of a received packet.
const INBOUND: u32 = 1;
/// Packet flag of a sent packet.
const OUTBOUND: u32 = 2;

/// A capture file, written while the endpoint runs, so that it survives a crash. It contains the
/// applications' data and the seed of connection IDs.
pub struct Capture {
    writer: PcapNgWriter<BufWriter<File>>,
    local: SocketAddr,
    keys: Keys,
    fault: Fault,
}

/// Error that has ended a capture early, if any.
#[derive(Clone, Debug, Default)]
pub struct Fault(Arc<OnceLock<io::Error>>);

impl Fault {
    /// The write error after which nothing more was recorded.
    pub fn get(&self) -> Option<&io::Error> {
        self.0.get()
    }
}

impl Capture {
    /// Begins a file for an endpoint at this address.
    pub fn create(path: &Path, local: SocketAddr, keys: Keys) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let mut writer = PcapNgWriter::with_endianness(file, Endianness::Little).map_err(plain)?;
        let options = vec![
            InterfaceDescriptionOption::IfName("suci".into()),
            InterfaceDescriptionOption::IfDescription(format!("an endpoint of Suci at {local}").into()),
            InterfaceDescriptionOption::IfTsResol(RESOLUTION),
        ];
        let interface = InterfaceDescriptionBlock { linktype: DataLink::RAW, snaplen: 0, options };
        writer.write_pcapng_block(interface).map_err(plain)?;
        Ok(Self { writer, local, keys, fault: Fault::default() })
    }

    /// Handle to check for write errors.
    pub fn fault(&self) -> Fault {
        self.fault.clone()
    }

    fn write(&mut self, call: &Call<'_>) -> PcapResult<()> {
        let (line, bytes, packet) = line(call, self.keys);
        match packet {
            Some(Packet::In(now, from)) => {
                self.packet(now, INBOUND, line, frame(from, self.local, &bytes))?
            }
            Some(Packet::Out(now, to)) => self.packet(now, OUTBOUND, line, frame(self.local, to, &bytes))?,
            None => self.custom(&line, &bytes)?,
        }
        // Nothing is left to send: a good time to flush the file.
        if matches!(call, Call::Transmit { transmit: None, .. } | Call::Made { .. }) {
            self.writer.get_mut().flush().map_err(PcapError::IoError)?;
        }
        Ok(())
    }

    fn packet(&mut self, now: suci::Instant, flags: u32, line: String, frame: Vec<u8>) -> PcapResult<()> {
        let block = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_nanos(now.nanos()),
            original_len: frame.len() as u32,
            data: Cow::Owned(frame),
            options: vec![EnhancedPacketOption::Comment(line.into()), EnhancedPacketOption::Flags(flags)],
        };
        self.writer.write_pcapng_block(block).map(drop)
    }

    fn custom(&mut self, line: &str, bytes: &[u8]) -> PcapResult<()> {
        let mut value = Vec::with_capacity(16 + line.len() + bytes.len());
        value.extend(ENTERPRISE.to_le_bytes());
        value.extend(MARK);
        value.extend((line.len() as u32).to_le_bytes());
        value.extend((bytes.len() as u32).to_le_bytes());
        value.extend(line.as_bytes());
        value.extend(bytes);
        let block = Block::Unknown(UnknownBlock::new(CUSTOM_BLOCK, 0, &value));
        self.writer.write_block(&block).map(drop)
    }
}

impl Recorder for Capture {
    fn keep(&mut self, call: Call<'_>) {
        if self.fault.get().is_none()
            && let Err(error) = self.write(&call)
        {
            // The slot was empty above, and only this function sets it.
            let _ = self.fault.0.set(plain(error));
        }
    }
}

/// The error of the operating system; the library reports all of them as read errors.
fn plain(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        error => io::Error::other(error),
    }
}
