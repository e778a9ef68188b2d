//! Two flip-flops that carry a value into another clock domain, twin of `rtl/common/synchroniser.sv`.

use crate::{Bits, Visitor};

/// A two-stage synchroniser. The value must be Gray coded or quasi-static: its bits arrive one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synchroniser<T> {
    /// First stage, which may be metastable in hardware.
    stage0: T,
    /// Second stage.
    stage1: T,
}

impl<T: Bits> Synchroniser<T> {
    /// The value as the receiving domain sees it.
    #[inline(always)]
    pub fn output(&self) -> T {
        self.stage1
    }

    /// One edge of the receiving clock.
    #[inline(always)]
    pub fn tick(&mut self, input: T) {
        *self = Self { stage0: input, stage1: self.stage0 };
    }

    /// One edge of the receiving clock under reset.
    #[inline(always)]
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether both stages hold `input`, so that further edges change nothing.
    #[inline(always)]
    pub fn settled(&self, input: T) -> bool {
        *self == Self { stage0: input, stage1: input }
    }

    /// Whether both stages are the same.
    #[inline(always)]
    pub fn steady(&self) -> bool {
        self.stage0 == self.stage1
    }

    /// The same with another code for both stages.
    #[inline(always)]
    pub fn map<U: Bits>(&self, code: impl Fn(T) -> U) -> Synchroniser<U> {
        Synchroniser { stage0: code(self.stage0), stage1: code(self.stage1) }
    }

    /// Shows the stages as the block `name`; the width is known to the parent only.
    #[inline(always)]
    pub fn probe(&self, name: &'static str, width: u32, visitor: &mut impl Visitor) {
        visitor.enter(name);
        visitor.register("stage0", width, self.stage0);
        visitor.register("stage1", width, self.stage1);
        visitor.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_arrives_with_the_second_edge() {
        let mut synchroniser = Synchroniser::<u8>::default();
        synchroniser.tick(5);
        assert_eq!((synchroniser.output(), synchroniser.steady()), (0, false));
        synchroniser.tick(5);
        assert_eq!((synchroniser.output(), synchroniser.settled(5)), (5, true));
        synchroniser.reset();
        assert_eq!(synchroniser.output(), 0);
    }
}
