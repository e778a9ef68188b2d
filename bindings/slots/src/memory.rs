//! Anonymous pages, mapped by two processes.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::io::{Errno, FdFlags};

/// Words of 64 bits behind the first one, which holds the turn.
pub const WORDS: usize = BYTES / 8 - 1;

/// Bytes of a slot: 1 MiB and one page. Pages that are not used take no memory.
const BYTES: usize = 257 * 4096;

/// Name of the memory of a slot, in `/proc/PID/maps` of the processes that have it.
pub const NAME: &str = "memonet-slot";

/// The size is fixed, so no access is beyond the end of the memory.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

/// The shared memory of a slot.
#[derive(Debug)]
pub struct Memory {
    file: OwnedFd,
    map: MmapRaw,
}

/// Why memory cannot be attached.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The descriptor is not open, or not one of sealed memory of this size.
    #[error("the descriptor is not that of a slot")]
    NotASlot,
    /// The operating system refused the mapping.
    #[error("the slot cannot be mapped")]
    System(#[source] io::Error),
}

impl Memory {
    /// New memory, all zeros. Executed programs do not inherit it, unless they are [tied](crate::tie) to it.
    pub fn create() -> io::Result<Self> {
        let file = rustix::fs::memfd_create(NAME, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&file, BYTES as u64)?;
        rustix::fs::fcntl_add_seals(&file, SEALS)?;
        Ok(Memory { map: MmapOptions::new().len(BYTES).map_raw(&file)?, file })
    }

    /// Attaches the memory of a descriptor that this process has inherited. Programs that it executes inherit it too.
    pub fn inherited(descriptor: i32) -> Result<Self, AttachError> {
        if descriptor < 0 {
            return Err(AttachError::NotASlot);
        }
        // SAFETY: the descriptor is borrowed for this call alone, which fails if it is not open.
        Self::attach(unsafe { BorrowedFd::borrow_raw(descriptor) })
    }

    /// Attaches the memory of a descriptor of another process of this user.
    pub fn of_process(process: u32, descriptor: i32) -> Result<Self, AttachError> {
        let path = format!("/proc/{process}/fd/{descriptor}");
        let file = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        Self::attach(file.map_err(|_| AttachError::NotASlot)?.as_fd())
    }

    fn attach(file: BorrowedFd) -> Result<Self, AttachError> {
        let system = |error: Errno| AttachError::System(error.into());
        let seals = rustix::fs::fcntl_get_seals(file).map_err(|_| AttachError::NotASlot)?;
        let size = rustix::fs::fstat(file).map_err(system)?.st_size;
        if !seals.contains(SEALS) || size != BYTES as i64 {
            return Err(AttachError::NotASlot);
        }
        let file = rustix::io::fcntl_dupfd_cloexec(file, 0).map_err(system)?;
        let map = MmapOptions::new().len(BYTES).map_raw(&file).map_err(AttachError::System)?;
        Ok(Memory { file, map })
    }

    /// Stops programs that this process executes from inheriting the descriptor.
    pub fn close_on_exec(descriptor: i32) -> io::Result<()> {
        // SAFETY: the descriptor is borrowed for this call alone, which fails if it is not open.
        Ok(rustix::io::fcntl_setfd(unsafe { BorrowedFd::borrow_raw(descriptor) }, FdFlags::CLOEXEC)?)
    }

    /// The futex word: which side may write.
    pub fn turn(&self) -> &AtomicU32 {
        // SAFETY: the mapping is page-aligned, writable, sealed against shrinking, and lives as long as `self`.
        unsafe { AtomicU32::from_ptr(self.map.as_mut_ptr().cast()) }
    }

    /// All words behind that of the turn.
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: as above; the words are aligned, inside the mapping, and atomic in both processes.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast::<AtomicU64>().add(1), WORDS) }
    }
}

impl AsFd for Memory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn both_sides_see_the_same_words() {
        let here = Memory::create().unwrap();
        let there = Memory::inherited(here.as_fd().as_raw_fd()).unwrap();
        here.turn().store(7, Relaxed);
        here.words()[WORDS - 1].store(9, Relaxed);
        assert_eq!((there.turn().load(Relaxed), there.words()[WORDS - 1].load(Relaxed)), (7, 9));
        assert_eq!(there.words()[0].load(Relaxed), 0);
    }

    #[test]
    fn memory_of_a_process_is_found_by_its_descriptor() {
        let here = Memory::create().unwrap();
        let there = Memory::of_process(std::process::id(), here.as_fd().as_raw_fd()).unwrap();
        here.words()[3].store(5, Relaxed);
        assert_eq!(there.words()[3].load(Relaxed), 5);
        assert!(Memory::of_process(std::process::id(), -1).is_err());
    }

    #[test]
    fn descriptor_of_another_file_is_refused() {
        let file = std::fs::File::open("/dev/null").unwrap();
        for descriptor in [-1, file.as_raw_fd(), 100_000] {
            assert!(matches!(Memory::inherited(descriptor), Err(AttachError::NotASlot)), "{descriptor}");
        }
    }

    #[test]
    fn memory_cannot_be_truncated() {
        let memory = Memory::create().unwrap();
        assert!(rustix::fs::ftruncate(&memory, 0).is_err());
    }
}
