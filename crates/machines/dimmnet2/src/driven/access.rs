//! Accesses of a process of a host to its board.

use std::rc::Rc;

use crate::Host;

/// One access of the host. Addresses are offsets from the base of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads 8 bytes of an Uncachable area.
    Load(u32),
    /// Reads lines of 64 bytes of a Write Back area.
    LoadLines {
        /// Address of the first line, a multiple of 64.
        address: u32,
        /// Number of lines.
        lines: u32,
    },
    /// Writes 8 bytes to an Uncachable area.
    Store(u32, u64),
    /// Writes 4 bytes to an Uncachable area.
    StoreHalf(u32, u32),
    /// Stores bytes into a Write Combining area.
    StoreCombining(u32, Vec<u8>),
    /// Waits until the bytes stored before have left the processor.
    Fence,
}

/// The program of a host that carries out accesses.
pub async fn carry_out(host: Host, accesses: Rc<[Access]>) -> Vec<Vec<u8>> {
    let mut read = Vec::with_capacity(accesses.len());
    for access in accesses.iter() {
        read.push(match access {
            Access::Load(address) => host.load_uc(*address).await.to_le_bytes().to_vec(),
            Access::LoadLines { address, lines } => host.load_lines(*address, *lines).await,
            Access::Store(address, value) => {
                host.store_uc(*address, *value).await;
                vec![]
            }
            Access::StoreHalf(address, value) => {
                host.store_uc32(*address, *value).await;
                vec![]
            }
            Access::StoreCombining(address, bytes) => {
                host.store_wc(*address, bytes).await;
                vec![]
            }
            Access::Fence => {
                host.sfence().await;
                vec![]
            }
        });
    }
    read
}
