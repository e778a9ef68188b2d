//! VL, VLS and VLI from a host: own SO-DIMM into own Prefetch Window (thesis sections 4.5.2 and 4.6.3).

use dimmnet2::address::WINDOW_BYTES;
use dimmnet2::registers::{PrefetchWindowFlag, UserRegister};
use dimmnet2::{Lower, Primitive, Upper};

use super::Board;
use super::board::WINDOWS;

/// Which bytes of SO-DIMM are read; they arrive one after the other.
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
    /// VLI: elements where a list of 32-bit offsets says.
    Listed {
        /// What is added to each offset of the list.
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
    /// Size: 1 << dtype bytes, at least 4 (thesis table 4.5).
    pub dtype: u8,
    /// Number.
    pub count: u8,
}

impl Source {
    /// Lower of the command, and the offset read from.
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
    /// Reads SO-DIMM into a Prefetch Window, from its first byte on, and waits until all data is there. What does
    /// not fit in the window is not read.
    pub async fn vl(&self, window: u8, source: Source) {
        assert!(window < WINDOWS, "a process has Prefetch Windows 0 to {}", WINDOWS - 1);
        let (lower, srcoff) = source.command();
        let upper = Upper { srcoff, dstoff: u32::from(window) * WINDOW_BYTES };
        let host = self.host();
        host.store_uc(self.user(UserRegister::Command0Upper), upper.bits()).await;
        host.store_uc(self.user(UserRegister::Command0Lower), lower.bits()).await;
        host.mark("command issued");
        self.wait_prefetch_window(window).await;
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
