//! Stride of the Write Unit: places the elements of a store or packet at a stride or by list (thesis section 4.2, dsh's wu_stride).
//!
//! Elements are taken from the lines in halves of 4 bytes, the granularity of SO-DIMM access, one half per cycle.
//! The first element goes to the offset, each other one a stride further on, modulo 4 GB. By list, each element goes
//! to the offset plus its own in the list; no half is taken until it is known, which costs a cycle per element. An
//! element that does not lie in the region as a whole, or whose offset does not, ends the store: it and all after it
//! are taken and not stored.
//!
//! Elements of 1 and 2 bytes are not supported by the thesis; they are placed as if they had 4 (decision 0017).

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::region::region;

hdl::bundle! {
    /// What the Write Unit begins to store, a store or a packet.
    pub struct Elements in stride_pkg {
        /// Something begins whose elements lie a stride apart; else the data is contiguous, or there is none.
        strided: bool,
        /// With `strided`: they lie where a list says instead.
        listed: bool,
        /// The data begins in the upper half of the first line.
        upper: bool,
        /// Offset of the first element in the process's SO-DIMM region; bits 1:0 are ignored.
        offset: u32,
        /// From one element to the next, in bytes, modulo 4 GB; bits 1:0 are ignored.
        stride: u32,
        /// An element has 1 << dtype bytes.
        dtype: u8 : 3,
    }
}

hdl::machine! {
    /// Stride machine of the Write Unit.
    pub enum State in stride_pkg {
        /// Waits for data at a stride or by list.
        Idle => [Store],
        /// Places halves.
        Store => [Idle, Drain],
        /// Takes what is left after an element beyond the region.
        Drain => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the stride.
    pub struct In in stride_pkg {
        /// Something begins to be stored; high for one cycle.
        begins: bool,
        /// What it is, in that cycle.
        elements: Elements,
        /// What began is stored.
        done: bool,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The half is taken.
        accept: bool,
        /// It holds data.
        data: bool,
        /// It is the last one.
        last: bool,
        /// By list: there is an offset, or none any more.
        listed_valid: bool,
        /// By list: the list has ended.
        listed_ended: bool,
        /// By list: offset of the next element.
        listed: u32,
    }
}

hdl::bundle! {
    /// Output pins of the stride.
    pub struct Out in stride_pkg {
        /// Data at a stride or by list is being stored.
        running: bool,
        /// By list.
        by_list: bool,
        /// Waits for the offset of the next element, and takes it as soon as it is there.
        locating: bool,
        /// The present half is the upper one of the line.
        upper: bool,
        /// Offset in the region to which it goes.
        place: u32,
        /// It may be stored.
        store: bool,
        /// Some element lies beyond the region.
        overrun: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the stride.
    pub struct Stride in stride_pkg {
        /// State.
        state: State,
        /// The present half is the upper one of the line.
        upper: bool,
        /// Offset of the present element in the region, a multiple of 4.
        element: u32,
        /// Offset of the present half.
        place: u32,
        /// Distance between elements, a multiple of 4.
        stride: u32,
        /// Halves of an element, less one.
        halves: u8 : 5,
        /// Halves of the present element after the present one.
        left: u8 : 5,
        /// The store is by list.
        by_list: bool,
        /// What is added to each offset of the list.
        base: u32,
        /// The place of the present element is not yet known.
        locating: bool,
        /// The present element lies in the region.
        fits: bool,
        /// An element did not.
        overrun: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/stride_pkg",
    source: "crates/dimmnet2/src/write_unit/stride.rs",
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(Elements::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Stride {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            running: q.state != Idle,
            by_list: q.by_list,
            locating: q.state == Store && q.locating,
            upper: q.upper,
            place: q.place,
            store: q.state == Store && q.fits,
            overrun: q.overrun,
            state: q.state,
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

/// Whether an element lies below the end of the region.
#[inline]
fn fits(element: u32, halves: u8, capacity: u8) -> bool {
    u64::from(element) + 4 * (u64::from(halves) + 1) <= region(capacity).limit
}

impl Stride {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: whether the last data ran past the region is known until the next begins.
            Idle => {
                let elements = &pins.elements;
                d.overrun = q.overrun && !pins.begins;
                if elements.strided {
                    let halves = ((1u16 << elements.dtype) >> 2).saturating_sub(1) as u8;
                    d.upper = elements.upper;
                    d.element = elements.offset & !3;
                    d.place = elements.offset & !3;
                    d.stride = elements.stride & !3;
                    d.halves = halves;
                    d.left = halves;
                    d.fits = fits(elements.offset & !3, halves, pins.capacity);
                    d.by_list = elements.listed;
                    d.base = elements.offset;
                    d.locating = elements.listed;
                    d.state = Store;
                }
            }
            // Store: the element after this one is placed and tested while the last half of this one leaves.
            Store => {
                if q.locating {
                    if pins.listed_valid {
                        let element = q.base.wrapping_add(pins.listed) & !3;
                        d.element = element;
                        d.place = element;
                        d.fits = !pins.listed_ended && fits(element, q.halves, pins.capacity);
                        d.locating = false;
                    }
                } else if pins.accept {
                    d.upper = !q.upper;
                    d.left = Self::WIDTHS.left.wrap(q.left.wrapping_sub(1));
                    d.place = q.place.wrapping_add(4);
                    if q.left == 0 {
                        let element = q.element.wrapping_add(q.stride);
                        d.element = element;
                        d.place = element;
                        d.left = q.halves;
                        d.fits = fits(element, q.halves, pins.capacity);
                        d.locating = q.by_list && q.fits && !pins.last;
                    }
                    d.overrun = !q.fits && pins.data;
                    d.state = if pins.last {
                        Idle
                    } else if !q.fits {
                        Drain
                    } else {
                        Store
                    };
                }
            }
            // Drain: the lines must be taken to the last one.
            Drain => {
                if pins.accept {
                    d.upper = !q.upper;
                    d.overrun = q.overrun || pins.data;
                    if pins.last {
                        d.state = Idle;
                    }
                }
            }
        }
        // A packet may end before its elements do, or have none.
        if pins.done {
            d.state = Idle;
        }
        d
    }
}

impl Probe for Stride {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of `halves` halves, and whether each is stored.
    fn placed(offset: u32, stride: u32, dtype: u8, halves: usize) -> (Vec<(u32, bool)>, bool) {
        let mut machine = Stride::default();
        let elements = Elements { offset, stride, dtype, strided: true, ..Elements::default() };
        machine.tick(&In { begins: true, elements, ..In::default() });
        let mut places = vec![];
        for half in 0..halves {
            let out = machine.outputs();
            places.push((out.place, out.store));
            // Nothing moves until the half is taken.
            machine.tick(&In::default());
            assert_eq!(machine.outputs(), out);
            machine.tick(&In { accept: true, data: true, last: half == halves - 1, ..In::default() });
        }
        assert_eq!(machine.state, State::Idle);
        (places, machine.overrun)
    }

    #[test]
    fn elements_lie_a_stride_apart() {
        let (places, overrun) = placed(0x102, 0x21, 3, 4);
        assert_eq!(places, [(0x100, true), (0x104, true), (0x120, true), (0x124, true)]);
        assert!(!overrun);
        for small in 0..3 {
            assert_eq!(placed(0, 8, small, 3).0, [(0, true), (8, true), (16, true)]);
        }
    }

    #[test]
    fn stride_counts_modulo_4_gb() {
        let (places, overrun) = placed(16, 0u32.wrapping_sub(8), 2, 3);
        assert_eq!((places, overrun), (vec![(16, true), (8, true), (0, true)], false));
    }

    #[test]
    fn store_done_early_returns_to_idle() {
        let mut machine = Stride::default();
        let elements = Elements { strided: true, dtype: 3, ..Elements::default() };
        machine.tick(&In { begins: true, elements, ..In::default() });
        assert_eq!(machine.state, State::Store);
        machine.tick(&In { done: true, ..In::default() });
        assert_eq!(machine.state, State::Idle);
    }

    #[test]
    fn half_beyond_the_region_without_data_is_no_overrun() {
        let end = 0x1000_0000;
        let elements =
            Elements { strided: true, dtype: 2, stride: 4, offset: end - 4, ..Elements::default() };
        for data in [false, true] {
            let mut machine = Stride::default();
            machine.tick(&In { begins: true, elements, ..In::default() });
            machine.tick(&In { accept: true, data: true, ..In::default() });
            machine.tick(&In { accept: true, data: false, ..In::default() });
            machine.tick(&In { accept: true, data, last: true, ..In::default() });
            assert_eq!((machine.state, machine.overrun), (State::Idle, data));
        }
    }

    #[test]
    fn element_beyond_the_region_ends_the_store() {
        let end = 0x1000_0000;
        // The second element sticks out by 4 bytes; the third would lie in the region again.
        let (places, overrun) = placed(end - 8, 4, 3, 6);
        assert_eq!(
            places.iter().map(|place| place.1).collect::<Vec<_>>(),
            [true, true, false, false, false, false]
        );
        assert!(overrun);
        let (places, overrun) = placed(end - 8, 4, 2, 2);
        assert_eq!((places, overrun), (vec![(end - 8, true), (end - 4, true)], false));
    }
}
