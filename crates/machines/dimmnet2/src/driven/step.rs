//! Steps of a program as accesses of the host, by the memory types of thesis table 4.1.

use dimmnet2::address::{Area, MemoryType, Place};
use dimmnet2::registers::{SystemRegister, UserRegister};
use hdl::RegisterInfo;
use machine_api::{Accept, SECOND_PROCESS, Step, StepAnswer, StepResult};

use crate::Host;

/// Bytes of a line of a Write Back area.
const LINE: u32 = 64;

/// Offset of a register from the base of the board. User registers are those of WID 0, or of WID 1 with
/// [`SECOND_PROCESS`] before their names.
pub fn register_address(name: &str) -> Option<u32> {
    let (name, wid) = name.strip_prefix(SECOND_PROCESS).map_or((name, false), |name| (name, true));
    let named = |info: &&RegisterInfo| info.name == name;
    let of = |base: u32, info: &RegisterInfo| base + u32::from(info.offset);
    let user = UserRegister::TABLE.registers.iter().find(named);
    let system = SystemRegister::TABLE.registers.iter().find(named);
    user.map(|info| of(Area::UserRegister.part(wid), info))
        .or_else(|| system.filter(|_| !wid).map(|info| of(Area::SystemRegister.base(), info)))
}

/// Carries out a step. `Compute` is the caller's.
pub async fn step(host: &Host, step: &Step) -> StepResult {
    Ok(match step {
        Step::Load(address) => {
            word(*address)?;
            StepAnswer::Word(host.load_uc(*address).await)
        }
        Step::Poll(address, Accept { mask, value, equal }) => {
            word(*address)?;
            let accept = Accept { mask: *mask, value: *value, equal: *equal };
            StepAnswer::Word(host.poll("a value", *address, |value| accept.holds(value)).await)
        }
        Step::LoadBytes(address, bytes) => StepAnswer::Bytes(load(host, *address, *bytes).await?),
        Step::Store(address, value) => {
            word(*address)?;
            host.store_uc(*address, *value).await;
            StepAnswer::Done
        }
        Step::StoreBytes(address, data) => {
            store(host, *address, data).await?;
            StepAnswer::Done
        }
        Step::Fence => {
            host.sfence().await;
            StepAnswer::Done
        }
        Step::ReadMemory(..) => {
            return Err("the SO-DIMMs are behind the board; load a Prefetch Window or LLCM".to_string());
        }
        Step::Open | Step::Send(..) | Step::Receive => {
            return Err(
                "DIMMnet-2 has no messages of its own; store an image and issue a primitive".to_string()
            );
        }
        Step::Compute(_) => unreachable!("the caller computes"),
    })
}

/// Reads bytes: words of an Uncachable area, lines of a Write Back area.
async fn load(host: &Host, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
    match kind(address, bytes)? {
        MemoryType::Uncachable => {
            aligned(address, bytes, 8)?;
            let mut read = Vec::with_capacity(bytes as usize);
            for at in (address..address + bytes).step_by(8) {
                read.extend(host.load_uc(at).await.to_le_bytes());
            }
            Ok(read)
        }
        MemoryType::WriteBack => {
            aligned(address, bytes, LINE)?;
            Ok(host.load_lines(address, bytes / LINE).await)
        }
        MemoryType::WriteCombining => Err("Write Windows can only be written".to_string()),
    }
}

/// Writes bytes: words of an Uncachable area, or through the write-combining buffers.
async fn store(host: &Host, address: u32, data: &[u8]) -> Result<(), String> {
    let bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
    match kind(address, bytes)? {
        MemoryType::Uncachable => {
            aligned(address, bytes, 8)?;
            for (at, word) in (address..).step_by(8).zip(data.chunks_exact(8)) {
                let word = word.try_into().expect("a chunk has 8 bytes");
                host.store_uc(at, u64::from_le_bytes(word)).await;
            }
        }
        MemoryType::WriteCombining => host.store_wc(address, data).await,
        MemoryType::WriteBack => {
            return Err("Prefetch Windows and the LH Buffer can only be read".to_string());
        }
    }
    Ok(())
}

/// Checks the address of an 8-byte access to an Uncachable area.
fn word(address: u32) -> Result<(), String> {
    if kind(address, 8)? != MemoryType::Uncachable {
        return Err(format!("{address:#x} is not in an Uncachable area; load and store bytes there"));
    }
    aligned(address, 8, 8)
}

/// Memory type of an area that has all of these bytes.
fn kind(address: u32, bytes: u32) -> Result<MemoryType, String> {
    let place = Area::locate(address);
    match place {
        Some(Place { area, offset, .. }) if bytes <= area.part_bytes() - offset => Ok(area.memory_type()),
        _ => Err(format!("{bytes} bytes at {address:#x} are not within one area of the board")),
    }
}

fn aligned(address: u32, bytes: u32, unit: u32) -> Result<(), String> {
    if address.is_multiple_of(unit) && bytes.is_multiple_of(unit) {
        return Ok(());
    }
    Err(format!("{bytes} bytes at {address:#x}: address and size are multiples of {unit} here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_the_addresses_of_their_pages() {
        assert_eq!(register_address("SmaLid"), Some(0x50300));
        assert_eq!(register_address("PrimitiveCounter"), Some(0x40300));
        assert_eq!(register_address("Nothing"), None);
        let second = register_address("process1.PrimitiveCounter");
        assert_eq!(second, Some(Area::UserRegister.part(true) + 0x300));
        assert_eq!(register_address("process1.SmaLid"), None);
    }

    #[test]
    fn accesses_that_do_not_fit_are_refused() {
        assert_eq!(kind(0x10000, 64), Ok(MemoryType::WriteBack));
        assert_eq!(word(0x50300), Ok(()));
        assert!(word(0x50301).unwrap_err().contains("multiples of 8"));
        assert!(word(0x10000).unwrap_err().contains("not in an Uncachable area"));
        assert!(kind(0x00800, 8).unwrap_err().contains("not within one area"));
        assert!(kind(0x007f8, 16).unwrap_err().contains("not within one area"));
    }
}
