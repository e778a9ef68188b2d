//! List read of the Write Unit: fetches the offsets of a listed store or packet (thesis section 4.6.4,
//! decision 0022).
//!
//! The Prefetch Unit reads the list from SO-DIMM before the Write Unit requests the write right, so neither
//! waits for a resource that the other holds. The list stays in the Prefetch Unit, which delivers two offsets
//! at a time, one cycle after the request. An offset is held until it is taken; after the last one, `ended`
//! is set.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::prefetch_unit::pins::{ListRequest, StoreList};

hdl::fsm! {
    /// List read of the Write Unit.
    pub enum State in list_read_pkg {
        /// Waits for a listed store or packet.
        Idle => [Request: "listed store or packet", Idle: "otherwise"],
        /// Waits until the Prefetch Unit has read the list.
        Request => [Fetch: "list ready", Request: "otherwise"],
        /// Requests the row of the next offset.
        Fetch => [Give],
        /// Holds the offset until it is taken.
        Give => [Fetch: "offset taken", Idle: "store complete", Give: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the list read.
    pub struct In in list_read_pkg {
        /// A listed store or packet begins; ignored while one is in progress.
        begins: bool,
        /// Process whose region contains the list, in the cycle of `begins`.
        wid: bool,
        /// Offset of the list, in the cycle of `begins`.
        offset: u32,
        /// Number of elements, in the cycle of `begins`.
        entries: u8,
        /// The list, from Prefetch Unit.
        store_list: StoreList,
        /// The offset is taken in this cycle.
        take: bool,
        /// The store is in progress.
        running: bool,
    }
}

hdl::bundle! {
    /// Output pins of the list read.
    pub struct Out in list_read_pkg {
        /// List request, to Prefetch Unit.
        request: ListRequest,
        /// Reads two offsets of the list.
        read_enable: bool,
        /// Row of 8 bytes in the list.
        row: u8 : 7,
        /// The offset is available, or the list has ended.
        valid: bool,
        /// With `valid`: the list has ended.
        ended: bool,
        /// The offset is the second one of the row.
        upper: bool,
    }
}

hdl::bundle! {
    /// Registers of the list read.
    pub struct ListRead in list_read_pkg {
        /// State of the state machine.
        state: State,
        /// Process whose region contains the list.
        wid: bool,
        /// Offset of the list.
        list: u32,
        /// Offsets of the list still to take; in `Request`, the number requested.
        entries: u8,
        /// Location of the next offset: row, half.
        index: u8,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/list_read_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for ListRead {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            request: ListRequest {
                request: q.state == Request,
                wid: q.wid,
                offset: q.list,
                entries: q.entries,
            },
            read_enable: q.state == Fetch,
            // Also valid one cycle before the row is read, so that the memory can be read ahead.
            row: if q.state == Give { q.index.wrapping_add(1) >> 1 } else { q.index >> 1 },
            valid: q.state == Give,
            ended: q.entries == 0,
            upper: q.index & 1 == 1,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ListRead {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: the Prefetch Unit may still be working for the Window Controller.
            Idle => {
                if pins.begins {
                    d.wid = pins.wid;
                    d.list = pins.offset;
                    d.entries = pins.entries;
                    d.index = (pins.offset >> 2 & 1) as u8;
                    d.state = Request;
                }
            }
            // Request: the list may have fewer offsets than there are elements.
            Request => {
                if pins.store_list.ready {
                    d.entries = pins.store_list.entries;
                    d.state = Fetch;
                }
            }
            // Fetch: the row is valid in the next cycle.
            Fetch => d.state = Give,
            // Give: a finished store takes no more offsets.
            Give => {
                if !pins.running {
                    d.state = Idle;
                } else if pins.take {
                    d.entries = q.entries.saturating_sub(1);
                    d.index = q.index.wrapping_add(1);
                    d.state = Fetch;
                }
            }
        }
        d
    }
}

impl Probe for ListRead {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::State::*;
    use super::*;

    fn list_read_in_request(offset: u32, entries: u8) -> ListRead {
        let mut list_read = ListRead::default();
        list_read.tick(&In { begins: true, wid: true, offset, entries, ..In::default() });
        list_read
    }

    const RUNNING: In = In {
        begins: false,
        wid: false,
        offset: 0,
        entries: 0,
        store_list: StoreList { ready: false, entries: 0, rdata: 0 },
        take: false,
        running: true,
    };

    #[test]
    fn request_is_held_until_the_list_is_ready() {
        let mut list_read = list_read_in_request(0x100, 3);
        let request = ListRequest { request: true, wid: true, offset: 0x100, entries: 3 };
        for _ in 0..5 {
            assert_eq!(list_read.outputs().request, request);
            list_read.tick(&RUNNING);
        }
        let store_list = StoreList { ready: true, entries: 2, rdata: 0 };
        list_read.tick(&In { store_list, ..RUNNING });
        assert!(!list_read.outputs().request.request);
        assert_eq!((list_read.state, list_read.entries), (Fetch, 2));
    }

    #[test]
    fn give_delivers_offsets_in_order_and_then_ended() {
        for (offset, expected) in [
            (0x100, [(0, false, false), (0, true, false), (1, false, true)]),
            (0x104, [(0, true, false), (1, false, false), (1, true, true)]),
        ] {
            let mut list_read = list_read_in_request(offset, 3);
            let store_list = StoreList { ready: true, entries: 2, rdata: 0 };
            list_read.tick(&In { store_list, ..RUNNING });
            let mut given = vec![];
            for _ in 0..3 {
                let fetch = list_read.outputs();
                assert!(fetch.read_enable && !fetch.valid);
                list_read.tick(&RUNNING);
                list_read.tick(&RUNNING);
                let give = list_read.outputs();
                assert!(give.valid && !give.read_enable);
                given.push((fetch.row, give.upper, give.ended));
                list_read.tick(&In { take: true, ..RUNNING });
            }
            assert_eq!(given, expected);
            list_read.tick(&In { running: false, ..RUNNING });
            list_read.tick(&In { running: false, ..RUNNING });
            assert_eq!(list_read.state, Idle);
        }
    }
}
