//! The heap of this library, apart from that of the program.
//!
//! Programs send addresses of their memory, or numbers made of them (UCX does in its worker addresses). How often this
//! library allocates memory follows from this computer's clock where it waits for [processes outside](crate::outside),
//! so in the program's heap it would change what the program sends. A fork needs no care: threads of a program run one at
//! a time, so none other is at the heap.
#![allow(unsafe_code)]

use std::alloc::Layout;
use std::ptr::null_mut;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::base::Talc;
use talc::base::binning::Binning;
use talc::source::Source;

/// Bytes of a piece of memory at least: more than the library has ever needed, so that there is one.
const PIECE: usize = 64 << 20;

#[global_allocator]
static HEAP: TalcLock<RawSpinlock, Pages> = TalcLock::new(Pages);

/// Memory of the operating system, by system calls: programs put functions of their own in the place of those of libc.
#[derive(Debug)]
struct Pages;

// SAFETY: it allocates no memory by the heap, and gives it each piece once.
unsafe impl Source for Pages {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        let size = PIECE.max((layout.size() + layout.align()).checked_mul(2).ok_or(())?);
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: the kernel chooses an address that is free, and the piece stays mapped.
        unsafe {
            let piece = mmap_anonymous(null_mut(), size, ProtFlags::READ | ProtFlags::WRITE, flags);
            talc.claim(piece.map_err(|_| ())?.cast(), size).map(|_| ()).ok_or(())
        }
    }
}
