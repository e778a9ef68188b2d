//! pcapng files of the frames of a network, for Wireshark and tshark.
//!
//! A file has each frame once, as its node sends it: a second copy from the other side of the switch would look
//! like a retransmission of TCP. There is an interface for each node, and the flags of a frame say that it is
//! outbound. Timestamps are nanoseconds of virtual time at the end of a frame. Frames include their check
//! sequences; those of InfiniBand that are added outside of the model are added here. An injected fault, which happens on the wire from a node, is the comment of its frame.

mod infiniband;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use cluster::{Captured, Cluster, Direction, Fault, Machine, Unit, UnitOf};
use files::WholeFile;
use machine_api::{FrameFormat, Frames, Working};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::{DataLink, Endianness, PcapError};

/// Decimal exponent of the timestamp unit: 10^-9 s.
const RESOLUTION: u8 = 9;
/// Length of the frame check sequence in bits.
const FCS_BITS: u8 = 32;
/// Flags of a frame (pcapng, section 4.3.1): bits 0 and 1 are 2 for an outbound one.
const OUTBOUND: u32 = 2;

/// A file under construction.
pub struct Capture<M: Machine> {
    path: PathBuf,
    frames: Frames<M>,
    writer: PcapNgWriter<WholeFile>,
    count: u64,
}

impl<M: Machine> Capture<M> {
    /// Creates a file for the wires from `nodes` nodes to a switch.
    pub fn create(path: &Path, nodes: usize, frames: Frames<M>) -> anyhow::Result<Self> {
        let about = || format!("writing {}", path.display());
        let file = WholeFile::create(path).with_context(about)?;
        let writer =
            PcapNgWriter::with_endianness(file, Endianness::Little).map_err(plain).with_context(about)?;
        let mut capture = Capture { path: path.to_owned(), frames, writer, count: 0 };
        for node in 0..nodes {
            capture.interface(format!("node{node}-out"), format!("from node {node} to the switch"))?;
        }
        Ok(capture)
    }

    /// A file if one is wanted and analysers of networks know the frames of the machine.
    pub fn wanted(path: Option<&Path>, nodes: usize) -> anyhow::Result<Option<Self>>
    where
        M: Working,
    {
        path.zip(M::FRAMES).map(|(path, frames)| Self::create(path, nodes, frames)).transpose()
    }

    /// Captures what the nodes of a cluster send from now on, if a file is wanted.
    pub fn begin(cluster: &mut Cluster<M>, path: Option<&Path>) -> anyhow::Result<Option<Self>>
    where
        M: Working,
    {
        let capture = Self::wanted(path, cluster.nodes().len())?;
        if capture.is_some() {
            cluster.capture();
        }
        Ok(capture)
    }

    /// Writes what was captured since [`begin`](Self::begin), and completes the file.
    pub fn end(mut self, cluster: &mut Cluster<M>) -> anyhow::Result<()> {
        self.write(&cluster.take_captured())?;
        self.finish().map(drop)
    }

    fn interface(&mut self, name: String, description: String) -> anyhow::Result<()> {
        use InterfaceDescriptionOption::*;
        let bits_per_second = u64::from(UnitOf::<M>::BITS) * 1_000_000_000_000 / M::LINK.unit.ps();
        let mut options = vec![
            IfName(name.into()),
            IfDescription(description.into()),
            IfSpeed(bits_per_second),
            IfTsResol(RESOLUTION),
        ];
        let linktype = match self.frames.format {
            FrameFormat::Ethernet => {
                options.push(IfFcsLen(FCS_BITS));
                DataLink::ETHERNET
            }
            FrameFormat::InfiniBand | FrameFormat::InfiniBandWithoutIcrc => {
                DataLink::from(infiniband::LINK_TYPE)
            }
        };
        self.put(InterfaceDescriptionBlock { linktype, snaplen: 0, options })
    }

    /// Appends those frames that nodes have sent.
    pub fn write(&mut self, frames: &[Captured<UnitOf<M>>]) -> anyhow::Result<()> {
        for frame in frames {
            let Direction::From(interface) = frame.direction else { continue };
            let comment = frame.fault.map(|fault| match fault {
                Fault::Drop => "lost on this wire",
                Fault::Repeat => "repeated by this wire",
                Fault::Delay => "delayed by this wire",
                Fault::Corrupt(_) => "damaged on this wire",
                Fault::Cut(_) => "cut on this wire",
            });
            let bytes = self.bytes(frame);
            let comment = comment.map(|text| EnhancedPacketOption::Comment(text.into()));
            let options = comment.into_iter().chain([EnhancedPacketOption::Flags(OUTBOUND)]).collect();
            self.put(EnhancedPacketBlock {
                interface_id: interface as u32,
                timestamp: Duration::from_nanos(frame.time.ps() / 1_000),
                original_len: bytes.len() as u32,
                data: Cow::Owned(bytes),
                options,
            })?;
            self.count += 1;
        }
        Ok(())
    }

    /// The bytes of a frame with its check sequences.
    fn bytes(&self, frame: &Captured<UnitOf<M>>) -> Vec<u8> {
        let mut bytes = (self.frames.bytes)(&frame.units);
        match self.frames.format {
            FrameFormat::Ethernet => return bytes,
            FrameFormat::InfiniBand => {}
            FrameFormat::InfiniBandWithoutIcrc => infiniband::add_icrc(&mut bytes),
        }
        infiniband::add_vcrc(&mut bytes);
        infiniband::record(frame.time, &bytes)
    }

    fn put<'a>(&mut self, block: impl pcap_file::pcapng::PcapNgBlock<'a>) -> anyhow::Result<()> {
        let written = self.writer.write_pcapng_block(block).map(drop).map_err(plain);
        written.with_context(|| format!("writing {}", self.path.display()))
    }

    /// Completes the file and returns the number of its frames.
    pub fn finish(self) -> anyhow::Result<u64> {
        let finished = self.writer.into_inner().finish();
        finished.with_context(|| format!("writing {}", self.path.display()))?;
        Ok(self.count)
    }
}

/// The operating system's error: the library reports all of them as read errors.
fn plain(error: PcapError) -> anyhow::Error {
    match error {
        PcapError::IoError(error) => error.into(),
        error => error.into(),
    }
}

#[cfg(test)]
pub mod tests {
    use std::fs::File;

    use cluster::Time;
    use pcap_file::pcapng::{Block, PcapNgReader};

    use super::*;
    use gigae_pm_machine::{GigaePm, PREAMBLE, Symbol, frame_bytes};

    /// A frame in a file.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Packet {
        pub interface: u32,
        pub ns: u128,
        pub bytes: Vec<u8>,
        pub comments: usize,
        pub outbound: bool,
    }

    /// All frames of a file.
    pub fn read(path: &Path) -> Vec<Packet> {
        let mut reader = PcapNgReader::new(File::open(path).unwrap()).unwrap();
        let mut packets = Vec::new();
        while let Some(block) = reader.next_block() {
            if let Block::EnhancedPacket(packet) = block.unwrap() {
                let count = |is: &dyn Fn(&EnhancedPacketOption) -> bool| {
                    packet.options.iter().filter(|option| is(option)).count()
                };
                packets.push(Packet {
                    interface: packet.interface_id,
                    ns: packet.timestamp.as_nanos(),
                    bytes: packet.data.to_vec(),
                    comments: count(&|option| matches!(option, EnhancedPacketOption::Comment(_))),
                    outbound: count(&|option| matches!(option, EnhancedPacketOption::Flags(OUTBOUND))) == 1,
                });
            }
        }
        packets
    }

    #[test]
    fn file_contains_each_frame_once_as_it_was_sent() {
        let captured = |direction, ns: u64, fault, bytes: Vec<u8>| {
            let time = Time::from_ps(1_000 * ns);
            let preamble = [0x55; PREAMBLE].into_iter();
            let bytes = preamble.chain(bytes).map(Symbol::Byte).chain([Symbol::Silence]);
            Captured { direction, time, fault, units: bytes.collect() }
        };
        let frames = [
            captured(Direction::From(1), 8, None, (0..64).collect()),
            captured(Direction::To(0), 16, None, (0..64).collect()),
            captured(Direction::From(1), 5_000_000_000, Some(Fault::Drop), vec![7; 1518]),
            captured(Direction::From(0), 5_000_000_008, Some(Fault::Corrupt(72)), vec![1; 65]),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames.pcapng");
        let mut capture = Capture::<GigaePm>::wanted(Some(&path), 2).unwrap().unwrap();
        capture.write(&frames[..1]).unwrap();
        capture.write(&frames[1..]).unwrap();
        assert_eq!(capture.finish().unwrap(), 3);

        let sent = frames.iter().filter(|frame| matches!(frame.direction, Direction::From(_)));
        let expected = [(1, 0), (1, 1), (0, 1)].into_iter().zip(sent);
        let expected: Vec<_> = expected
            .map(|((interface, comments), frame)| {
                let ns = u128::from(frame.time.ps() / 1_000);
                Packet { interface, ns, bytes: frame_bytes(&frame.units), comments, outbound: true }
            })
            .collect();
        assert_eq!(read(&path), expected);
    }

    #[test]
    fn file_that_cannot_be_written_is_named() {
        let error = Capture::<GigaePm>::wanted(Some(Path::new("/no/such/folder/frames")), 2).err().unwrap();
        assert!(format!("{error:#}").contains("/no/such/folder/frames"), "{error:#}");
    }
}
