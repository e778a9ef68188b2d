//! Regions and queue pairs of all hosts, which the drivers of a run share.
//!
//! The adapter of decision 0060 has addresses of 32 bits, and no access flags of queue pairs. So the driver of the
//! requester translates a remote address, and names an address of no region where the responder has to refuse.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::verbs::connections::{Groups, Listeners};

/// An address that no region contains.
pub(super) const NOWHERE: u32 = 0;

/// A region, as its peers name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemoteRegion {
    /// Address of the first byte, as programs name it.
    pub address: u64,
    /// Bytes.
    pub length: u32,
    /// Bus address of the first byte.
    pub base: u32,
}

/// Regions by LID and key, and access flags of queue pairs by LID and number.
#[derive(Debug, Default)]
pub struct Directory {
    regions: RefCell<BTreeMap<(u16, u32), RemoteRegion>>,
    access: RefCell<BTreeMap<(u16, u32), u32>>,
    listeners: Rc<Listeners>,
    groups: Rc<Groups>,
}

impl Directory {
    /// Listening ids of the connection managers.
    pub(super) fn listeners(&self) -> Rc<Listeners> {
        Rc::clone(&self.listeners)
    }

    /// Multicast groups of the connection managers.
    pub(super) fn groups(&self) -> Rc<Groups> {
        Rc::clone(&self.groups)
    }

    pub(super) fn add_region(&self, lid: u16, key: u32, region: RemoteRegion) {
        self.regions.borrow_mut().insert((lid, key), region);
    }

    pub(super) fn remove_region(&self, lid: u16, key: u32) {
        self.regions.borrow_mut().remove(&(lid, key));
    }

    pub(super) fn set_access(&self, lid: u16, pair: u8, access: u32) {
        self.access.borrow_mut().insert((lid, pair.into()), access);
    }

    /// Removes everything of a host.
    pub(super) fn remove_host(&self, lid: u16) {
        self.regions.borrow_mut().retain(|(of, _), _| *of != lid);
        self.access.borrow_mut().retain(|(of, _), _| *of != lid);
    }

    /// Bus address of `length` bytes at an address of the peer; [`NOWHERE`] if the peer has to refuse the access.
    pub(super) fn translate(
        &self,
        (lid, pair): (u16, u32),
        access: u32,
        key: u32,
        address: u64,
        length: u32,
    ) -> u32 {
        let allowed = self.access.borrow().get(&(lid, pair)).is_some_and(|flags| flags & access != 0);
        let region = self.regions.borrow().get(&(lid, key)).copied().filter(|_| allowed);
        let place = region.and_then(|region| {
            let offset = address.wrapping_sub(region.address);
            let end = offset.checked_add(length.into())?;
            (end <= region.length.into()).then(|| region.base + offset as u32)
        });
        place.unwrap_or(NOWHERE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::call::access::{REMOTE_READ, REMOTE_WRITE};

    #[test]
    fn address_is_translated_where_queue_pair_and_region_allow_it() {
        let directory = Directory::default();
        let region = RemoteRegion { address: 0x7fff_0000_0100, length: 0x80, base: 0x2000_0100 };
        directory.add_region(2, 0x100, region);
        directory.set_access(2, 5, REMOTE_WRITE);
        let translate =
            |pair, access, address, length| directory.translate((2, pair), access, 0x100, address, length);
        assert_eq!(translate(5, REMOTE_WRITE, 0x7fff_0000_0170, 0x10), 0x2000_0170);
        assert_eq!(translate(5, REMOTE_WRITE, 0x7fff_0000_0171, 0x10), NOWHERE, "beyond its end");
        assert_eq!(translate(5, REMOTE_WRITE, 0x7ffe_0000_0170, 0x10), NOWHERE, "another upper half");
        assert_eq!(translate(5, REMOTE_READ, 0x7fff_0000_0170, 0x10), NOWHERE);
        assert_eq!(translate(6, REMOTE_WRITE, 0x7fff_0000_0170, 0x10), NOWHERE);
        directory.remove_host(2);
        assert_eq!(translate(5, REMOTE_WRITE, 0x7fff_0000_0170, 0x10), NOWHERE);
    }
}
