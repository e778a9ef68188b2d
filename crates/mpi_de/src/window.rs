//! What masks of the new NIF make of an entry of the user queue (s6.4).

/// Bits of an address that a user chooses (s6.4).
const USER: u32 = 0x3_ffff;

/// A task's window, in registers that the OS sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Window {
    /// Physical address of the window, 256 KB aligned; lower bits count for nothing.
    pub base: u32,
    /// The PEs that may be reached: these bits are fixed,
    pub pe_base: u8,
    /// and these are the user's.
    pub pe_mask: u8,
}

impl Window {
    /// The physical address that the NIF writes to. No address is refused: all are folded into the window (H7).
    pub fn address(self, entry: u32) -> u32 {
        self.base & !USER | entry & USER
    }

    /// The PE that it writes to.
    pub fn pe(self, entry: u8) -> u8 {
        self.pe_base & !self.pe_mask | entry & self.pe_mask
    }

    /// Whether the OS may put another task's window here now: entries in the queue have their window only when they are served.
    pub fn may_change(empties_queue: bool, entries: usize) -> bool {
        !empties_queue || entries == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_leaves_its_window() {
        let window = Window { base: 0x0123_4567, pe_base: 0x35, pe_mask: 0x03 };
        for entry in [0, 0x3_ffff, 0x4_0000, u32::MAX] {
            assert_eq!(window.address(entry) >> 18, 0x0123_4567 >> 18);
            assert_eq!(window.address(entry) & USER, entry & USER);
        }
        for entry in 0..=u8::MAX {
            assert!((0x34..=0x37).contains(&window.pe(entry)));
        }
    }
}
