//! PCI DMA under random transfers on a bus that stalls.

use cosim::{BlockPair, LockstepError, Stimulus};
use gigae_pm::memory_map::SEND_AREA_BYTES;
use gigae_pm::pci_dma::{In, PciDma};
use hdl::{Clocked, Probe, Visitor};

use testbench_gigae_pm::walk;

#[test]
fn pci_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<PciDma>("pci_dma", 300_000, |stimulus, _| {
        let mut pins: In = stimulus.pins();
        // Most transfers are short, and near an end of the pinned area.
        if !stimulus.one_in(8) {
            pins.transfer.words = 1 + stimulus.below(20) as u16;
            let end = if stimulus.one_in(2) { SEND_AREA_BYTES } else { 0 };
            let offset = end.wrapping_add(stimulus.below(200) as u32).wrapping_sub(100);
            pins.transfer.host_address = pins.transfer.area.wrapping_add(offset);
        }
        pins
    });
}

/// PCI DMA that moves one word too many: what the next test must see.
#[derive(Clone, Default)]
struct Faulty(PciDma);

impl Clocked for Faulty {
    type In = In;
    type Out = <PciDma as Clocked>::Out;

    fn outputs(&self) -> Self::Out {
        self.0.outputs()
    }

    fn tick(&mut self, pins: &In) {
        let mut wrong = *pins;
        wrong.transfer.words += 1;
        self.0.tick(&wrong);
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

impl Probe for Faulty {
    fn probe(&self, visitor: &mut impl Visitor) {
        self.0.probe(visitor);
    }
}

#[test]
fn pci_dma_with_a_word_too_many_is_told_from_its_rtl() {
    let rtl = testbench_gigae_pm::open("pci_dma").expect("the block is verilated");
    let mut pair: BlockPair<Faulty> = testbench::pair(rtl, 1, "pci_dma_with");
    let mut stimulus = Stimulus::new(1);
    let told = (0..100).find_map(|_| {
        let mut pins: In = stimulus.pins();
        pins.transfer.words &= 0xff;
        pair.tick(&pins).err()
    });
    let Some(LockstepError::Divergence(divergence)) = told else { panic!("a divergence is told") };
    let names: Vec<_> = divergence.differences.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["words"], "{divergence}");
}
