//! What the NIF tells when something went wrong. Its registers are the kernel's, which reads them in the handler of the interrupt and keeps them
//! for the task (decision 0058).

use cenju3::memory_map::Refusal;
use cenju3::registers::{Refused, Register, Status};
use mpi::Error;

use crate::Host;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An entry was refused, and nothing of it was sent. Of several, until the kernel has looked, it is the first.
    Entry {
        /// Why.
        why: Refusal,
        /// Where it was to go, after the mask.
        pe: u8,
        /// The address that the NIF names: where DMA would write, or the source of a message.
        address: u32,
    },
    /// A packet was dropped: it was for another PE, or no packet.
    Packet,
}

impl Fault {
    /// What Status tells of entries and packets, which it tells no more then. What it tells of accesses stays for who made them.
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

    /// The error of MPI among so many ranks.
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
