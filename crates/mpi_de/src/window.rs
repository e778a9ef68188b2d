//! Address and PE masks of the new NIF, applied to entries of the user queue (s6.4).

/// Address bits within the window, which the user controls (s6.4).
const USER: u32 = 0x3_ffff;

/// Window of a task, in registers that the operating system sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Window {
    /// Physical address of the window; the lower 18 bits are ignored.
    pub base: u32,
    /// Fixed bits of the destination PE.
    pub pe_base: u8,
    /// Bits of the destination PE that the user controls.
    pub pe_mask: u8,
}

impl Window {
    /// Physical address that the NIF accesses. Every address is folded into the window (H7).
    pub fn address(self, entry: u32) -> u32 {
        self.base & !USER | entry & USER
    }

    /// Destination PE of an entry.
    pub fn pe(self, entry: u8) -> u8 {
        self.pe_base & !self.pe_mask | entry & self.pe_mask
    }

    /// Whether the operating system may change the window now. Entries are masked only when the NIF processes
    /// them.
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
            assert_eq!(window.pe(entry), 0x34 + entry % 4, "the user controls two bits");
        }
    }

    #[test]
    fn window_changes_while_no_entry_waits() {
        let may = [(true, 0), (true, 1), (false, 0), (false, 1)];
        let may = may.map(|(empties, entries)| Window::may_change(empties, entries));
        assert_eq!(may, [true, false, true, true]);
    }
}
