//! Stride block of the Write Unit: computes the locations of strided and listed elements (thesis section 4.2,
//! dsh's wu_stride).
//!
//! Elements are taken from the lines in halves of 4 bytes, the granularity of SO-DIMM access, one half per
//! cycle. The first element goes to the offset, each further one a stride beyond the one before, modulo 4 GB.
//! A listed element goes to the sum of the offset and its own list offset; no half is taken until the list
//! offset is known, which costs a cycle per element. An element that is not entirely within the region ends
//! the store: it and all elements after it are taken and not stored.
//!
//! Elements of 1 and 2 bytes are not supported by the thesis; they are stored as elements of 4 bytes
//! (decision 0017).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::region::region;

hdl::bundle! {
    /// Layout of the elements that the Write Unit begins to store, of a local store or a packet.
    pub struct Elements in stride_pkg {
        /// Strided or listed data begins; otherwise the data is contiguous, or there is none.
        strided: bool,
        /// With `strided`: the locations are listed.
        listed: bool,
        /// The data begins in the upper half of the first line.
        upper: bool,
        /// Offset of the first element in the process's SO-DIMM region; bits 1:0 are ignored.
        offset: u32,
        /// Distance between consecutive elements in bytes, modulo 4 GB; bits 1:0 are ignored.
        stride: u32,
        /// Elements have 1 << dtype bytes.
        dtype: u8 : 3,
    }
}

hdl::fsm! {
    /// State of the stride block.
    pub enum State in stride_pkg {
        /// Waits for strided or listed data.
        Idle => [Store: "strided or listed data", Idle: "otherwise"],
        /// Computes the location of each half.
        Store => [
            Idle: "last half taken, or store complete",
            Drain: "element beyond the region",
            Store: "otherwise",
        ],
        /// Takes the rest after an element beyond the region.
        Drain => [Idle: "last half taken, or store complete", Drain: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the stride.
    pub struct In in stride_pkg {
        /// A store begins; high for one cycle.
        begins: bool,
        /// Layout of the elements, in the cycle of `begins`.
        elements: Elements,
        /// The store is complete.
        done: bool,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The half is taken in this cycle.
        accept: bool,
        /// The half holds data.
        data: bool,
        /// The half is the last one of the store.
        last: bool,
        /// Listed elements: an offset is available, or the list has ended.
        listed_valid: bool,
        /// Listed elements: the list has ended.
        listed_ended: bool,
        /// Listed elements: offset of the next one.
        listed: u32,
    }
}

hdl::bundle! {
    /// Output pins of the stride.
    pub struct Out in stride_pkg {
        /// Strided or listed data is being stored.
        running: bool,
        /// The store in progress is listed.
        by_list: bool,
        /// Waits for the offset of the next element, and takes it as soon as it is available.
        locating: bool,
        /// The present half is the upper one of the line.
        upper: bool,
        /// Location of the present half, an offset in the region.
        place: u32,
        /// The present half may be stored.
        store: bool,
        /// An element lies beyond the region.
        overrun: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the stride.
    pub struct Stride in stride_pkg {
        /// State of the state machine.
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
        /// The store is listed.
        by_list: bool,
        /// Base that is added to each offset of the list.
        base: u32,
        /// The location of the present element is not known yet.
        locating: bool,
        /// The present element is within the region.
        fits: bool,
        /// An earlier element was not within the region.
        overrun: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/stride_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
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

/// Whether an element ends within the region.
#[inline]
fn fits(element: u32, halves: u8, capacity: u8) -> bool {
    u64::from(element) + 4 * (u64::from(halves) + 1) <= region(capacity).limit
}

impl Stride {
    /// Takes the layout of the elements.
    #[inline(always)]
    fn begin(&mut self, elements: &Elements, capacity: u8) {
        self.halves = ((1u16 << elements.dtype) >> 2).saturating_sub(1) as u8;
        self.left = self.halves;
        self.upper = elements.upper;
        self.stride = elements.stride & !3;
        self.by_list = elements.listed;
        self.base = elements.offset;
        self.locating = elements.listed;
        self.locate(elements.offset & !3, capacity);
    }

    /// Places the next element at offset `element`, if it is within the region.
    #[inline(always)]
    fn locate(&mut self, element: u32, capacity: u8) {
        self.element = element;
        self.place = element;
        self.fits = fits(element, self.halves, capacity);
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: `overrun` of the last store is kept until the next one begins.
            Idle => {
                let elements = &pins.elements;
                d.overrun = q.overrun && !pins.begins;
                if elements.strided {
                    d.begin(elements, pins.capacity);
                    d.state = Store;
                }
            }
            // Store: the next element is located and tested while the last half of this one is taken.
            Store => {
                if q.locating {
                    if pins.listed_valid {
                        d.locate(q.base.wrapping_add(pins.listed) & !3, pins.capacity);
                        d.fits &= !pins.listed_ended;
                        d.locating = false;
                    }
                } else if pins.accept {
                    d.upper = !q.upper;
                    d.left = Self::WIDTHS.left.wrap(q.left.wrapping_sub(1));
                    d.place = q.place.wrapping_add(4);
                    if q.left == 0 {
                        d.locate(q.element.wrapping_add(q.stride), pins.capacity);
                        d.left = q.halves;
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
            // Drain: all lines must be taken up to the last one.
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
        // A packet may end before its elements do, or contain none.
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

    /// Locations of `halves` halves, whether each is stored, and `overrun`.
    fn placed(offset: u32, stride: u32, dtype: u8, halves: usize) -> (Vec<(u32, bool)>, bool) {
        let mut machine = Stride::default();
        let elements = Elements { offset, stride, dtype, strided: true, ..Elements::default() };
        machine.tick(&In { begins: true, elements, ..In::default() });
        let mut places = vec![];
        for half in 0..halves {
            let out = machine.outputs();
            places.push((out.place, out.store));
            // Outputs do not change until the half is taken.
            machine.tick(&In::default());
            assert_eq!(machine.outputs(), out);
            machine.tick(&In { accept: true, data: true, last: half == halves - 1, ..In::default() });
        }
        assert_eq!(machine.state, State::Idle);
        (places, machine.overrun)
    }

    #[test]
    fn elements_are_a_stride_apart() {
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
        // The second element extends past the region by 4 bytes; the third would be within the region again.
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
