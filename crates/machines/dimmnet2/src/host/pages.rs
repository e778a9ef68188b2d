//! Pages of the board that a program has (thesis section 4.4, figure 4.7).

use dimmnet2::address::{Area, Place};

/// Pages that the operating system maps for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pages {
    /// The whole board: a privileged process.
    All,
    /// The parts of a process slot: a user's process.
    User {
        /// WID of the slot.
        wid: bool,
    },
}

impl Pages {
    /// Whether `address` is on one of the pages.
    pub fn hold(self, address: u32) -> bool {
        match (self, Area::locate(address)) {
            (Pages::All, _) => true,
            (_, None | Some(Place { area: Area::SystemRegister, .. })) => false,
            (Pages::User { wid: own }, Some(Place { wid, .. })) => wid == own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_has_the_parts_of_its_slot_only() {
        for wid in [false, true] {
            let pages = Pages::User { wid };
            for area in Area::ALL {
                let system = area == Area::SystemRegister;
                assert_eq!(pages.hold(area.part(wid)), !system, "{area:?}");
                assert!(!pages.hold(area.part(!wid)), "{area:?}");
                assert!(Pages::All.hold(area.part(!wid)));
            }
        }
    }
}
