//! Areas of the memory map (thesis tables 4.1 and 4.3, figures 4.7 to 4.12).

/// Bytes of one Write Window or Prefetch Window.
pub const WINDOW_BYTES: u32 = 0x200;

/// Distance between areas. Thesis figure 4.7 prints 0x1000, but table 4.3 and the addresses printed by dsh
/// say 0x10000.
const AREA_PITCH: u32 = 0x10000;

/// An area of the board's memory map, as the host sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Four 512-byte windows per process; source of primitives.
    WriteWindow,
    /// Four 512-byte windows per process; destination of primitives.
    PrefetchWindow,
    /// Low Latency Common Memory: receive statuses, the AMT, short messages.
    Llcm,
    /// Ring of message heads: 64 entries of 64 bytes per process.
    LhBuffer,
    /// User Register page, one per process.
    UserRegister,
    /// System Register page, shared by both processes.
    SystemRegister,
}

/// Memory type that the host assigns to the pages of an area (thesis table 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryType {
    /// Every access goes to the bus immediately.
    Uncachable,
    /// Writes are combined into lines.
    WriteCombining,
    /// Lines are cached; the host must flush them before the controller writes the area.
    WriteBack,
}

/// Host access rights of an area (thesis table 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAccess {
    /// Host writes are ignored.
    ReadOnly,
    /// Host reads return 0.
    WriteOnly,
    /// Host may read and write.
    ReadWrite,
}

/// Location of a host address: area, process and offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Area that contains the address.
    pub area: Area,
    /// WID of the process; false in the System Register page, which both processes share.
    pub wid: bool,
    /// Byte offset in the process's part.
    pub offset: u32,
}

impl Area {
    /// All areas in ascending order of address.
    pub const ALL: [Area; 6] = {
        use Area::*;
        [WriteWindow, PrefetchWindow, Llcm, LhBuffer, UserRegister, SystemRegister]
    };

    /// Byte offset of the area from the base of the board (thesis table 4.3).
    pub const fn base(self) -> u32 {
        self as u32 * AREA_PITCH
    }

    /// Byte offset of a process's part from the base of the board. Each part starts on a page of its own, for
    /// protection.
    pub const fn part(self, wid: bool) -> u32 {
        self.base() + if wid { self.part_pitch() } else { 0 }
    }

    /// Bytes of one process's part.
    pub const fn part_bytes(self) -> u32 {
        match self {
            Area::WriteWindow | Area::PrefetchWindow => 4 * WINDOW_BYTES,
            Area::Llcm => 0x8000,
            Area::LhBuffer | Area::UserRegister | Area::SystemRegister => 0x1000,
        }
    }

    /// Byte offset of window `window` (0 to 3) of a process from the base of the board.
    ///
    /// # Panics
    /// If the area has no windows.
    pub const fn window(self, wid: bool, window: u8) -> u32 {
        assert!(matches!(self, Area::WriteWindow | Area::PrefetchWindow), "only two areas have windows");
        assert!(window < 4, "a process has windows 0 to 3");
        self.part(wid) + window as u32 * WINDOW_BYTES
    }

    /// Memory type that the host assigns to the area.
    pub const fn memory_type(self) -> MemoryType {
        match self {
            Area::WriteWindow => MemoryType::WriteCombining,
            Area::PrefetchWindow | Area::LhBuffer => MemoryType::WriteBack,
            Area::Llcm | Area::UserRegister | Area::SystemRegister => MemoryType::Uncachable,
        }
    }

    /// Host access rights of the area.
    pub const fn host_access(self) -> HostAccess {
        match self {
            Area::WriteWindow => HostAccess::WriteOnly,
            Area::PrefetchWindow | Area::LhBuffer => HostAccess::ReadOnly,
            Area::Llcm | Area::UserRegister | Area::SystemRegister => HostAccess::ReadWrite,
        }
    }

    /// Location of `address`, an offset from the base of the board; `None` between the parts.
    pub fn locate(address: u32) -> Option<Place> {
        let area = *Self::ALL.get((address / AREA_PITCH) as usize)?;
        let within = address % AREA_PITCH;
        let shared = matches!(area, Area::SystemRegister);
        let (wid, offset) = match within.checked_sub(area.part_pitch()) {
            Some(offset) if !shared => (true, offset),
            _ => (false, within),
        };
        (offset < area.part_bytes()).then_some(Place { area, wid, offset })
    }

    /// Distance between the parts of the two processes.
    const fn part_pitch(self) -> u32 {
        match self {
            Area::WriteWindow | Area::PrefetchWindow => 0x2000,
            Area::Llcm | Area::LhBuffer => 0x8000,
            Area::UserRegister => 0x1000,
            Area::SystemRegister => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_match_table_4_3() {
        let parts: Vec<_> = Area::ALL.iter().map(|area| (area.part(false), area.part(true))).collect();
        assert_eq!(
            parts,
            [
                (0x00000, 0x02000),
                (0x10000, 0x12000),
                (0x20000, 0x28000),
                (0x30000, 0x38000),
                (0x40000, 0x41000),
                (0x50000, 0x50000),
            ]
        );
    }

    #[test]
    fn distances_match_the_addresses_printed_by_dsh() {
        let base = 0x4213_c000;
        let areas =
            [Area::PrefetchWindow, Area::Llcm, Area::LhBuffer, Area::UserRegister, Area::SystemRegister];
        let printed = [0x4214_c000, 0x4215_c000, 0x4216_c000, 0x4217_c000, 0x4218_c000];
        assert_eq!(areas.map(|area| base + area.base()), printed);
    }

    #[test]
    fn windows_are_512_bytes_apart() {
        assert_eq!(Area::WriteWindow.window(false, 3), 0x00600);
        assert_eq!(Area::WriteWindow.window(true, 3), 0x02600);
        assert_eq!(Area::PrefetchWindow.window(true, 0), 0x12000);
    }

    #[test]
    fn locate_inverts_part_and_rejects_the_gaps() {
        for area in Area::ALL {
            for wid in [false, true] {
                let shared = area == Area::SystemRegister;
                for offset in [0, area.part_bytes() - 1] {
                    let place = Place { area, wid: wid && !shared, offset };
                    assert_eq!(Area::locate(area.part(wid) + offset), Some(place));
                }
            }
        }
        for address in [0x00800, 0x02800, 0x12800, 0x31000, 0x39000, 0x42000, 0x51000, 0x60000] {
            assert_eq!(Area::locate(address), None, "{address:#x}");
        }
    }

    #[test]
    fn each_part_starts_on_its_own_page() {
        assert!(Area::ALL.iter().all(|area| area.part(true) % 0x1000 == 0));
    }
}
