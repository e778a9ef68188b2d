//! VL, VLS and VLI: own SO-DIMM into own Prefetch Window (thesis sections 4.5.2 and 4.6.3).

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::{PrefetchWindowFlag, UserRegister};
use dimmnet2::{Lower, Primitive, Upper};

use super::Board;
use super::board::WINDOWS;

/// Bytes of SO-DIMM that are read; they arrive contiguously.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// VL: `size` bytes from `offset` on.
    Contiguous {
        /// Byte offset in the process's region, a multiple of 4.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// VLS: elements at equal distances.
    Strided {
        /// Byte offset of the first element, a multiple of 4.
        offset: u32,
        /// Bytes from one element to the next, a multiple of 4.
        stride: u32,
        /// Size and number of elements.
        elements: Elements,
    },
    /// VLI: elements at the 32-bit offsets of a list.
    Listed {
        /// Base that is added to each offset.
        offset: u32,
        /// Byte offset of the list, a multiple of 4.
        list: u32,
        /// Size and number of elements.
        elements: Elements,
    },
}

/// Elements of a strided or listed access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Code of the size: 1 << dtype bytes, at least 4 (thesis table 4.5).
    pub dtype: u8,
    /// Number of elements.
    pub count: u8,
}

impl Source {
    /// Lower of the command, and the source offset.
    pub(super) fn command(self) -> (Lower, u32) {
        let vector = |primitive, third, elements: Elements| Lower {
            dtype: elements.dtype,
            iteration: elements.count,
            ..Lower::new(primitive, third)
        };
        match self {
            Source::Contiguous { offset, size } => (Lower::new(Primitive::Vl, size), offset),
            Source::Strided { offset, stride, elements } => {
                (vector(Primitive::Vls, stride, elements), offset)
            }
            Source::Listed { offset, list, elements } => (vector(Primitive::Vli, list, elements), offset),
        }
    }
}

impl Board {
    /// Reads SO-DIMM into a Prefetch Window, from its first byte on, and waits until all data is there. Bytes beyond
    /// the window are not read.
    pub async fn vl(&self, window: u8, source: Source) {
        let _call = self.host().processor().call("VL");
        self.issue_vl(window, source).await;
        self.wait_prefetch_window(window).await;
    }

    /// Like [`Board::vl`], but does not wait.
    pub async fn issue_vl(&self, window: u8, source: Source) {
        assert!(window < WINDOWS, "a process has Prefetch Windows 0 to {}", WINDOWS - 1);
        self.may_issue().await;
        let (lower, srcoff) = source.command();
        let upper = Upper { srcoff, dstoff: u32::from(window) * WINDOW_BYTES };
        let host = self.host();
        host.store_uc(self.user(UserRegister::Command0Upper), upper.bits()).await;
        host.store_uc(self.user(UserRegister::Command0Lower), lower.bits()).await;
        host.mark("command issued");
    }

    /// Reads any number of bytes of SO-DIMM, through all Prefetch Windows: while one is read, VLs fill the others.
    /// `take` gets the bytes piece by piece, each with its offset from the first.
    ///
    /// Lines are flushed before a VL fills their window, so that no stale data is read (thesis section 4.2.1).
    pub async fn read_sodimm(&self, offset: u32, bytes: usize, take: impl AsyncFnMut(usize, &[u8])) {
        self.read_sodimm_through(WINDOWS, offset, bytes, take).await;
    }

    /// Like [`Board::read_sodimm`], through the first `windows` Prefetch Windows alone.
    pub async fn read_sodimm_through(
        &self,
        windows: u8,
        offset: u32,
        bytes: usize,
        mut take: impl AsyncFnMut(usize, &[u8]),
    ) {
        let pieces = bytes.div_ceil(WINDOW_BYTES as usize);
        let size = |piece: usize| (bytes - piece * WINDOW_BYTES as usize).min(WINDOW_BYTES as usize);
        let window = |piece: usize| (piece % usize::from(windows)) as u8;
        let begin = async |piece: usize| {
            let lines = size(piece).div_ceil(64) as u32;
            self.host().flush_lines(self.prefetch_window(window(piece)), lines).await;
            let offset = offset + piece as u32 * WINDOW_BYTES;
            self.issue_vl(window(piece), Source::Contiguous { offset, size: size(piece) as u32 }).await;
        };
        for piece in 0..pieces.min(windows.into()) {
            begin(piece).await;
        }
        for piece in 0..pieces {
            self.wait_prefetch_window(window(piece)).await;
            let address = self.prefetch_window(window(piece));
            let data = self.host().load_cached_lines(address, size(piece).div_ceil(64) as u32).await;
            take(piece * WINDOW_BYTES as usize, &data[..size(piece)]).await;
            if piece + usize::from(windows) < pieces {
                begin(piece + usize::from(windows)).await;
            }
        }
        self.host().mark("data read");
    }

    fn prefetch_window(&self, window: u8) -> u32 {
        Area::PrefetchWindow.window(self.process().wid, window)
    }

    /// Waits until all data of a transfer into a Prefetch Window is there.
    pub(super) async fn wait_prefetch_window(&self, window: u8) {
        let flag = self.user(UserRegister::PrefetchWindowFlag);
        self.host().poll("a Prefetch Window", flag, |value| complete(value, window)).await;
        self.host().mark("data prefetched");
    }
}

/// Whether all quarters of a window hold their data.
fn complete(value: u64, window: u8) -> bool {
    let flag = PrefetchWindowFlag::from_bits(value);
    [flag.window0, flag.window1, flag.window2, flag.window3][usize::from(window)] == 0b1111
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_figure_4_13() {
        let elements = Elements { dtype: 3, count: 16 };
        let (lower, srcoff) = Source::Strided { offset: 0x1000, stride: 0x40, elements }.command();
        assert_eq!((lower.bits(), srcoff), (0x0000_0040_0000_1065, 0x1000));
        let (lower, srcoff) = Source::Listed { offset: 4, list: 0x800, elements }.command();
        assert_eq!((lower.bits(), srcoff), (0x0000_0800_0000_1066, 4));
        let (lower, _) = Source::Contiguous { offset: 0, size: 512 }.command();
        assert_eq!(lower.bits(), 0x0000_0200_0000_0004);
    }

    #[test]
    fn window_is_complete_when_its_four_bits_are_set() {
        assert!(complete(0x0f00, 2) && !complete(0x0f00, 1) && !complete(0xb000, 3));
    }
}
