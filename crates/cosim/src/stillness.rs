//! Rest of a lockstep pair: a state that all clocks have been seen to keep.

use hdl::Edges;

/// The clocks that have risen with equal pins since a signal changed.
///
/// All registers of the RTL are compared, so a state that an edge of every clock keeps is a fixed point of model and
/// RTL for these pins: further edges keep it too.
#[derive(Debug, Default)]
pub(crate) struct Stillness {
    kept: Edges,
    /// Packed input pins of these edges.
    pins_i: Vec<u64>,
}

impl Stillness {
    /// Notes an instant that changed a signal.
    #[inline]
    pub fn end(&mut self) {
        self.kept = Edges::NONE;
    }

    /// Notes an instant that changed no signal.
    pub fn keep(&mut self, edges: Edges, pins_i: &[u64]) {
        if self.kept.is_empty() || self.pins_i != pins_i {
            self.kept = Edges::NONE;
            self.pins_i.clear();
            self.pins_i.extend_from_slice(pins_i);
        }
        self.kept = self.kept.with(edges);
    }

    /// Whether an edge of each of these clocks has kept the state.
    pub fn covers(&self, clocks: Edges) -> bool {
        clocks.without(self.kept).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_still_after_an_edge_of_every_clock_with_equal_pins() {
        let (both, second) = (Edges::all(2), Edges::of(1));
        let mut stillness = Stillness::default();
        stillness.keep(Edges::FIRST, &[1]);
        assert!(!stillness.covers(both));
        stillness.keep(second, &[2]);
        assert!(!stillness.covers(both), "the pins differ");
        stillness.keep(Edges::FIRST, &[2]);
        assert!(stillness.covers(both));
        stillness.end();
        assert!(!stillness.covers(second));
    }
}
