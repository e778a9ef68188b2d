//! Whether a key allows an access (IBA volume 1, section 10.6.3).
//!
//! The key must be that of the row, of the same protection domain and with the requested right, and all bytes
//! must lie in the area. An access of no bytes needs no key.
//!
//! Combinational: all inputs to the output.

use hdl::{Bundle, Item, Package};

use crate::contexts::{Area, KEY_ROW_BITS};

hdl::bundle! {
    /// An access to host memory.
    pub struct In in key_check_pkg {
        /// Row of the key.
        row: Area,
        /// Key of the access; bits 11:0 select the row.
        key: u32,
        /// Protection domain of the queue pair.
        domain: u8 : 4,
        /// Address of the first byte.
        address: u32,
        /// Bytes.
        length: u32,
        /// Address after the last byte; the engine adds it a cycle earlier.
        reach: u64 : 33,
        /// The access writes for the owner.
        local_write: bool,
        /// The access writes for a peer.
        remote_write: bool,
        /// The access reads for a peer.
        remote_read: bool,
        /// The access is an atomic operation of a peer.
        remote_atomic: bool,
    }
}

hdl::bundle! {
    /// Result of the check.
    pub struct Out in key_check_pkg {
        /// The access is allowed.
        allowed: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/key_check_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn check(pins: &In) -> Out {
    let row = &pins.row;
    let named = row.valid && pins.key >> KEY_ROW_BITS == u32::from(row.variant);
    let rights = (!pins.local_write || row.local_write)
        && (!pins.remote_write || row.remote_write)
        && (!pins.remote_read || row.remote_read)
        && (!pins.remote_atomic || row.remote_atomic);
    let contained = pins.reach <= row.limit && pins.address >= row.base;
    // An area that reaches beyond the address space would wrap to address 0.
    let ends = pins.reach <= 1 << 32;
    Out { allowed: pins.length == 0 || named && pins.domain == row.domain && rights && contained && ends }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contexts::Key;

    const ROW: Area = Area {
        valid: true,
        local_write: true,
        remote_write: false,
        remote_read: true,
        domain: 3,
        variant: 7,
        remote_atomic: false,
        base: 0x1000,
        limit: 0x1100,
    };
    const GOOD: In = In {
        row: ROW,
        key: Key::of(2, 7),
        domain: 3,
        address: 0x1000,
        length: 0x100,
        reach: 0,
        local_write: true,
        remote_write: false,
        remote_read: false,
        remote_atomic: false,
    };

    fn allowed(pins: In) -> bool {
        check(&In { reach: u64::from(pins.address) + u64::from(pins.length), ..pins }).allowed
    }

    #[test]
    fn access_is_allowed_with_the_key_in_the_area_and_nowhere_else() {
        assert!(allowed(GOOD) && allowed(In { address: 0x10ff, length: 1, ..GOOD }));
        let refused = [
            In { key: Key::of(2, 8), ..GOOD },
            In { key: 1 << 20 | GOOD.key, ..GOOD },
            In { domain: 2, ..GOOD },
            In { remote_write: true, ..GOOD },
            In { remote_atomic: true, ..GOOD },
            In { row: Area { valid: false, ..ROW }, ..GOOD },
            In { address: 0xfff, ..GOOD },
            In { address: 0x1001, ..GOOD },
            In { address: 0x1100, length: 1, ..GOOD },
            In { address: 0xffff_ffff, length: 2, ..GOOD },
            In { length: u32::MAX, ..GOOD },
        ];
        for pins in refused {
            assert!(!allowed(pins), "{pins:x?}");
        }
        assert!(allowed(In { key: 0, address: 0, length: 0, ..GOOD }));
        // The row is the one that the key has named.
        assert!(allowed(In { key: Key::of(0xfff, 7), ..GOOD }));
    }

    #[test]
    fn area_beyond_the_address_space_does_not_wrap() {
        let row = Area { base: 0xffff_f000, limit: 0x1_0000_1000, ..ROW };
        let access = In { row, address: 0xffff_fff0, length: 0x10, ..GOOD };
        assert!(allowed(access));
        assert!(!allowed(In { length: 0x11, ..access }));
    }
}
