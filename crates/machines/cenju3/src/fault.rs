//! Faults that the NIF reports. Its registers are the kernel's, whose interrupt handler reads them and stores the
//! faults for the task (decision 0058).

use cenju3::memory_map::Refusal;
use cenju3::registers::{Refused, Register, Status};
use mpi::Error;

use crate::Host;

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An entry was refused, and no byte of it was sent. Of several, the first since the kernel's last read.
    Entry {
        /// Reason.
        why: Refusal,
        /// Destination PE, after the mask.
        pe: u8,
        /// The address in the NIF's report: destination of DMA, or source of a message.
        address: u32,
    },
    /// A packet was dropped: it was for another PE, or malformed.
    Packet,
}

impl Fault {
    /// Reads and clears the faults of entries and packets in Status. Faults of accesses stay for the program that made
    /// them.
    pub(crate) async fn read(host: &Host) -> Vec<Fault> {
        let status = Status::from_bits(host.read_register(Register::Status).await.into());
        let mut faults = Vec::new();
        if status.entry {
            let refused = Refused::from_bits(host.read_register(Register::RefusedEntry).await.into());
            let address = host.read_register(Register::RefusedAddress).await;
            let why = Refusal::from_code(refused.why).unwrap_or(Refusal::Nothing);
            faults.push(Fault::Entry { why, pe: refused.pe, address });
        }
        if status.packet {
            faults.push(Fault::Packet);
        }
        let told = Status { entry: status.entry, packet: status.packet, ..Status::default() };
        host.write_register(Register::Status, told.bits() as u32).await;
        faults
    }

    /// The error of MPI among `ranks` ranks.
    pub(crate) fn error(self, ranks: usize) -> Error {
        let Fault::Entry { why, pe, .. } = self else { return Error::Dropped };
        if usize::from(pe) >= ranks {
            return Error::Rank { rank: pe.into(), size: ranks };
        }
        Error::Refused(match why {
            Refusal::Nothing | Refusal::NoKind => "the NIF refused an entry that is neither message nor DMA",
            Refusal::Length => "the NIF refused an entry with no data, or with more than fits",
            Refusal::Source => "the NIF refused an entry whose data does not lie in memory",
            Refusal::Destination => "the NIF refused an entry whose data would not land in memory",
            Refusal::Window => "the NIF refused an entry whose data would leave the window",
        })
    }
}
