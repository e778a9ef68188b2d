//! Search for the next send queue with work, round-robin (decision 0107).
//!
//! While no queue pair has work, the first one that gets some is in front at once. Otherwise the next one is looked for
//! while another one has its turn: the lowest one above the last, or else the lowest of all. That takes up to three
//! cycles, in groups of 16 queue pairs.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::numbers::Numbers;

hdl::fsm! {
    /// Search.
    pub enum State in search_pkg {
        /// A queue pair is in front, or none has work.
        Rest => [Look: "turn, or work and none in front", Rest: "otherwise"],
        /// Takes the groups that have work, and the rest of the group of the last one.
        Look => [Choose],
        /// The next one is of that rest, or chooses a group.
        Choose => [Find: "no rest, a group has work", Rest: "otherwise"],
        /// The next one is the lowest of the group.
        Find => [Rest],
    }
}

hdl::bundle! {
    /// Input pins of the search.
    pub struct In in search_pkg {
        /// Queue pairs with work, that in front included.
        work: Numbers,
        /// Queue pair that was served last.
        last: u8,
        /// `gainer` gets work in this cycle.
        gains: bool,
        /// A queue pair.
        gainer: u8,
        /// The queue pair in front gets its turn; only while `ready`.
        serves: bool,
    }
}

hdl::bundle! {
    /// Output pins of the search.
    pub struct Out in search_pkg {
        /// A queue pair is in front.
        ready: bool,
        /// The queue pair in front.
        front: u8,
    }
}

hdl::bundle! {
    /// Registers of the search.
    pub struct Search in search_pkg {
        /// Step of the search.
        state: State,
        /// A queue pair is in front.
        ready: bool,
        /// The queue pair in front.
        front: u8,
        /// Queue pairs of the last one's group with work that are above it, a bit each.
        rest: u16,
        /// Groups with work, a bit each.
        groups: u16,
        /// Group of the next one.
        group: u8 : 4,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/search_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Search {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { ready: self.ready, front: self.front }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Rest { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Search {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;
        match q.state {
            Rest => {
                if pins.serves {
                    d.ready = false;
                    d.state = Look;
                } else if !q.ready && pins.gains {
                    d.front = pins.gainer;
                    d.ready = true;
                } else if !q.ready && !pins.work.is_empty() {
                    d.state = Look;
                }
            }
            Look => {
                d.rest = pins.work.group(pins.last >> 4) & 0xfffe << (pins.last & 0xf);
                d.groups = pins.work.groups();
                d.state = Choose;
            }
            Choose => {
                d.front = pins.last & 0xf0 | lowest(q.rest);
                d.ready = q.rest != 0;
                let above = q.groups & 0xfffe << (pins.last >> 4);
                d.group = lowest(if above != 0 { above } else { q.groups });
                d.state = if q.rest == 0 && q.groups != 0 { Find } else { Rest };
            }
            Find => {
                d.front = q.group << 4 | lowest(pins.work.group(q.group));
                d.ready = true;
                d.state = Rest;
            }
        }
    }
}

/// Number of the lowest set bit; 0 without one.
#[inline(always)]
const fn lowest(set: u16) -> u8 {
    set.trailing_zeros() as u8 & 0xf
}

impl Probe for Search {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles of the search after a turn of `last`, and the queue pair that it finds.
    fn search(last: u8, work: &[u8]) -> (usize, Option<u8>) {
        let work = work.iter().copied().collect();
        let mut search = Search { ready: true, front: last, ..Search::default() };
        let pins = In { work, last, ..In::default() };
        search.tick(&In { serves: true, ..pins });
        let mut cycles = 0;
        while search.state != State::Rest {
            assert!(!search.ready);
            search.tick(&pins);
            cycles += 1;
        }
        (cycles, search.ready.then_some(search.front))
    }

    #[test]
    fn next_one_in_the_round_is_found() {
        for last in 0..=u8::MAX {
            for work in [&[3][..], &[0, 255], &[7, 16, 31, 32, 33, 200], &[100, 101, 102, 103, 104, 111, 112]]
            {
                let next = (1..=256_u16).map(|step| last.wrapping_add(step as u8));
                let (cycles, found) = search(last, work);
                assert_eq!(found, next.into_iter().find(|pair| work.contains(pair)));
                let in_group = found.is_some_and(|pair| pair > last && pair >> 4 == last >> 4);
                assert_eq!(cycles, if in_group { 2 } else { 3 });
            }
            assert_eq!(search(last, &[]), (2, None));
        }
    }

    #[test]
    fn first_one_with_work_is_in_front_at_once() {
        let mut search = Search::default();
        let gains = In { gains: true, gainer: 200, ..In::default() };
        search.tick(&gains);
        assert_eq!(search.outputs(), Out { ready: true, front: 200 });
        // It stays there until it has its turn.
        search.tick(&In { gainer: 7, work: [7, 200].into_iter().collect(), ..gains });
        assert_eq!((search.outputs(), search.state), (Out { ready: true, front: 200 }, State::Rest));
        search.tick(&In { gainer: 9, serves: true, ..gains });
        assert_eq!((search.ready, search.state), (false, State::Look));
    }

    #[test]
    fn work_that_comes_during_a_search_is_found_later() {
        let mut search = Search { state: State::Choose, ..Search::default() };
        search.tick(&In { gains: true, gainer: 9, ..In::default() });
        assert_eq!((search.ready, search.state), (false, State::Rest));
        let pins = In { work: [9].into_iter().collect(), ..In::default() };
        (0..3).for_each(|_| search.tick(&pins));
        assert_eq!(search.outputs(), Out { ready: true, front: 9 });
    }
}
