//! VS, VSS and VSI: own Write Window into own SO-DIMM (thesis section 4.6.4).

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::{ControllerStatus, UserRegister, WindowStatus};
use dimmnet2::{Lower, Primitive, Upper};

use super::Board;
use super::board::WINDOWS;

/// Elements in SO-DIMM that a VSS stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Byte offset of the first element in own SO-DIMM region.
    pub offset: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
    /// An element has 1 << dtype bytes, at least 4 (dtype 2).
    pub dtype: u8,
    /// Number of elements.
    pub count: u8,
}

/// Elements that a VSI stores at the 32-bit offsets of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Base that is added to each offset.
    pub offset: u32,
    /// Byte offset of the list in own SO-DIMM region, a multiple of 4.
    pub list: u32,
    /// An element has 1 << dtype bytes, at least 4 (dtype 2).
    pub dtype: u8,
    /// Number of elements.
    pub count: u8,
}

impl Board {
    /// VS: stores `size` bytes of a Write Window, from byte `from` on, at `offset` in own SO-DIMM region.
    pub async fn vs(&mut self, window: u8, from: u16, offset: u32, size: u32) {
        let _call = self.host().processor().call("VS");
        self.store(window, from, offset, Lower::new(Primitive::Vs, size)).await;
    }

    /// VSS: stores the bytes of a Write Window from `from` on in elements of own SO-DIMM region.
    pub async fn vss(&mut self, window: u8, from: u16, to: Elements) {
        let lower = Lower { dtype: to.dtype, iteration: to.count, ..Lower::new(Primitive::Vss, to.stride) };
        self.store(window, from, to.offset, lower).await;
    }

    /// VSI: stores the bytes of a Write Window from `from` on in the elements of a list.
    pub async fn vsi(&mut self, window: u8, from: u16, to: Listed) {
        let lower = Lower { dtype: to.dtype, iteration: to.count, ..Lower::new(Primitive::Vsi, to.list) };
        self.store(window, from, to.offset, lower).await;
    }

    /// Issues a VS, VSS or VSI by Command0, once the last one from the window is complete: Controller Status shows one
    /// at a time.
    async fn store(&mut self, window: u8, from: u16, offset: u32, lower: Lower) {
        assert!(window < WINDOWS, "a process has Write Windows 0 to 3, not {window}");
        self.wait_store(window).await;
        self.may_issue().await;
        let srcoff = u32::from(window) * WINDOW_BYTES + u32::from(from) % WINDOW_BYTES;
        let upper = Upper { srcoff, dstoff: offset }.bits();
        self.host().store_uc(self.user(UserRegister::Command0Upper), upper).await;
        self.host().store_uc(self.user(UserRegister::Command0Lower), lower.bits()).await;
        self.stores[usize::from(window)] = true;
        self.host().mark("command issued");
    }

    /// Waits until the last VS, VSS or VSI from a Write Window is complete and returns its status; `None` if none was
    /// in progress.
    pub async fn wait_store(&mut self, window: u8) -> Option<WindowStatus> {
        let _call = self.host().processor().call("wait for a vector store");
        if !std::mem::take(&mut self.stores[usize::from(window)]) {
            return None;
        }
        let complete = |value| ControllerStatus::from_bits(value).window(window);
        let address = self.user(UserRegister::ControllerStatus);
        let value = self.host().poll("a vector store", address, |value| complete(value).complete).await;
        Some(complete(value))
    }

    /// Writes any number of bytes to SO-DIMM, through all Write Windows: while one is stored, the others are filled.
    /// Waits until all is there. Bytes up to the next multiple of 4 may be overwritten.
    pub async fn write_sodimm(&mut self, offset: u32, bytes: &[u8]) {
        let pieces = bytes.chunks(WINDOW_BYTES as usize);
        for ((piece, offset), window) in
            pieces.zip((offset..).step_by(WINDOW_BYTES as usize)).zip((0..WINDOWS).cycle())
        {
            self.wait_window(window).await;
            let address = Area::WriteWindow.window(self.process().wid, window);
            self.host().store_wc(address, piece).await;
            self.host().sfence().await;
            self.vs(window, 0, offset, piece.len().next_multiple_of(4) as u32).await;
        }
        for window in 0..WINDOWS {
            self.wait_store(window).await;
        }
        self.host().mark("data written");
    }
}
