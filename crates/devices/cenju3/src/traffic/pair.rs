//! Two NIFs with their processor elements and a cable: elements 0 and 1.

use hdl::{Nic, NicError};

use super::element::Element;
use crate::clocks;
use crate::pins::{In, Out};

/// Two NIFs, models or other implementations.
#[derive(Clone, Debug)]
pub struct Pair<N> {
    /// NIFs, that of element 0 first.
    pub nifs: [N; 2],
    /// Processor elements of the NIFs.
    pub elements: [Element; 2],
    /// New ROM, for each NIF.
    pub new_rom: bool,
    /// Cycles that have passed.
    pub cycles: u64,
}

impl<N: Nic<In = In, Out = Out>> Pair<N> {
    /// Two NIFs after reset; `seed` decides all that is random.
    pub fn new(nifs: [N; 2], seed: u64, new_rom: bool) -> Self {
        let elements = [0, 1].map(|pe| Element::new(pe, seed + u64::from(pe)));
        Self { nifs, elements, new_rom, cycles: 0 }
    }

    /// Advances by one cycle.
    pub fn step(&mut self) -> Result<(), NicError> {
        let outs: [Out; 2] = [*self.nifs[0].outputs(), *self.nifs[1].outputs()];
        for i in [0, 1] {
            let (host, memory) = self.elements[i].pins(&outs[i]);
            let other = &outs[1 - i];
            let pins = In {
                new_rom: self.new_rom,
                host,
                memory,
                receive_valid: other.transmit_valid,
                receive: other.transmit,
                transmit_ready: other.receive_ready,
            };
            self.nifs[i].edge(clocks::CORE, &pins)?;
        }
        self.cycles += 1;
        Ok(())
    }

    /// Steps until the condition holds; returns the cycles, or none beyond the limit.
    pub fn run_until(
        &mut self,
        limit: u64,
        mut condition: impl FnMut(&Self) -> bool,
    ) -> Result<Option<u64>, NicError> {
        let start = self.cycles;
        while !condition(self) {
            self.step()?;
            if self.cycles - start > limit {
                return Ok(None);
            }
        }
        Ok(Some(self.cycles - start))
    }
}
