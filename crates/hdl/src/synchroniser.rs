//! Two flip-flops that carry a value into another clock domain, twin of `rtl/common/synchroniser.sv`.

use crate::{Bits, Visitor};

/// A two-stage synchroniser. The value must be Gray coded or quasi-static, because its bits may arrive in
/// different cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synchroniser<T> {
    /// First stage, which may be metastable in hardware.
    stage0: T,
    /// Second stage, stable.
    stage1: T,
}

impl<T: Bits> Synchroniser<T> {
    /// The value in the receiving domain.
    #[inline(always)]
    pub fn output(&self) -> T {
        self.stage1
    }

    /// One edge of the receiving clock.
    #[inline(always)]
    pub fn tick(&mut self, input: T) {
        *self = Self { stage0: input, stage1: self.stage0 };
    }

    /// An edge of the receiving clock during reset.
    #[inline(always)]
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether both stages hold `input`, so that further edges change nothing.
    #[inline(always)]
    pub fn settled(&self, input: T) -> bool {
        *self == Self { stage0: input, stage1: input }
    }

    /// Whether both stages are equal.
    #[inline(always)]
    pub fn steady(&self) -> bool {
        self.stage0 == self.stage1
    }

    /// The synchroniser with both stages converted by `code`.
    #[inline(always)]
    pub fn map<U: Bits>(&self, code: impl Fn(T) -> U) -> Synchroniser<U> {
        Synchroniser { stage0: code(self.stage0), stage1: code(self.stage1) }
    }

    /// Visits the stages as block `name`; only the parent knows the width.
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
    fn value_arrives_with_the_second_edge() {
        let mut synchroniser = Synchroniser::<u8>::default();
        synchroniser.tick(5);
        assert_eq!((synchroniser.output(), synchroniser.steady()), (0, false));
        synchroniser.tick(5);
        assert_eq!((synchroniser.output(), synchroniser.settled(5)), (5, true));
        synchroniser.reset();
        assert_eq!(synchroniser.output(), 0);
    }
}
