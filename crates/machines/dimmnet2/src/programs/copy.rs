//! Copies from SO-DIMM to SO-DIMM on one board: a VL with a VS as its second half (thesis section 4.6.8).
//!
//! Both halves may be contiguous or strided. The copy ends at the smaller of the two totals.

use dimmnet2::command::SODIMM_COPY;
use dimmnet2::registers::{PrimitiveCounter, UserRegister};
use dimmnet2::{Lower, Primitive, Upper};

use super::Board;
use super::board::WINDOWS;
use super::vl::Source;

/// Place of the copied bytes in SO-DIMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// VS: `size` bytes from `offset` on.
    Contiguous {
        /// Byte offset in the process's region, a multiple of 4.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// VSS: elements at equal distances.
    Strided(super::Elements),
}

impl Target {
    /// Lower of the command, and the destination offset.
    fn command(self) -> (Lower, u32) {
        match self {
            Target::Contiguous { offset, size } => (Lower::new(Primitive::Vs, size), offset),
            Target::Strided(to) => {
                let vss = Lower::new(Primitive::Vss, to.stride);
                (Lower { dtype: to.dtype, iteration: to.count, ..vss }, to.offset)
            }
        }
    }
}

impl Board {
    /// Copies from own SO-DIMM to own SO-DIMM and waits until all data is there. The source cannot be a list.
    ///
    /// The Primitive Counter shows the end, so no other primitive of the VS family may be in progress.
    pub async fn copy(&mut self, from: Source, to: Target) {
        let _call = self.host().processor().call("copy");
        assert!(!matches!(from, Source::Listed { .. }), "the first half of a copy is a VL or a VLS");
        for window in 0..WINDOWS {
            self.wait_store(window).await;
        }
        let (host, counter) = (self.host(), self.user(UserRegister::PrimitiveCounter));
        let stores = |value| PrimitiveCounter::from_bits(value).vs;
        let before = stores(host.load_uc(counter).await);
        let (load, srcoff) = from.command();
        let (store, dstoff) = to.command();
        for (lower, upper) in
            [(load, Upper { srcoff, dstoff: SODIMM_COPY }), (store, Upper { srcoff: SODIMM_COPY, dstoff })]
        {
            self.may_issue().await;
            host.store_uc(self.user(UserRegister::Command0Upper), upper.bits()).await;
            host.store_uc(self.user(UserRegister::Command0Lower), lower.bits()).await;
        }
        host.mark("command issued");
        host.poll("a copy", counter, |value| stores(value) != before).await;
        host.mark("data copied");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::Elements;

    #[test]
    fn commands_are_those_of_figure_4_13() {
        let (lower, dstoff) = Target::Contiguous { offset: 0x600, size: 0x200 }.command();
        assert_eq!((lower.bits(), dstoff), (0x0000_0200_0000_0008, 0x600));
        let to = Elements { offset: 4, stride: 0x40, dtype: 3, count: 16 };
        assert_eq!(Target::Strided(to).command().0.bits(), 0x0000_0040_0000_1069);
    }
}
