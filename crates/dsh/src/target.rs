//! What a shell drives: a board as a process of its host reaches it.

use std::rc::Rc;

use dimmnet2_machine::Host;
use thiserror::Error;

/// One access of the host. Addresses are offsets from the base of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads 8 bytes of an Uncachable area.
    Load(u32),
    /// Reads lines of 64 bytes of a Write Back area.
    LoadLines {
        /// Of the first line, a multiple of 64.
        address: u32,
        /// How many.
        lines: u32,
    },
    /// Writes 8 bytes to an Uncachable area.
    Store(u32, u64),
    /// Writes 4 bytes to an Uncachable area.
    StoreHalf(u32, u32),
    /// Stores bytes into a Write Combining area.
    StoreCombining(u32, Vec<u8>),
    /// Waits until such bytes have left the processor.
    Fence,
}

/// Why a board could not be reached, or stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Model and RTL differ, or an assertion of the RTL failed.
    #[error("{0}")]
    Stopped(String),
    /// A break point ended the command before it was done.
    #[error("{0}")]
    Break(String),
}

/// A board in the hands of one process.
pub trait Target {
    /// Carries out accesses one after the other, as one program of the host, and returns what each has read.
    fn access(&mut self, accesses: &[Access]) -> Result<Vec<Vec<u8>>, TargetError>;

    /// Lets time pass until nothing happens any more; tells whether it came to that.
    fn settle(&mut self) -> Result<bool, TargetError>;
}

/// The program of a host that carries accesses out.
pub(crate) async fn carry_out(host: Host, accesses: Rc<[Access]>) -> Vec<Vec<u8>> {
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
