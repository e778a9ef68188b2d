//! Local memory in the hands of the one that the arbiter has chosen: his pins are the NIF's, and memory answers him alone.
//!
//! Combinational: all inputs to the outputs.

use hdl::{Bundle, Item, Package};

use crate::pins::MemoryOut;
use crate::{receive_ring, send_dma, send_queue};

hdl::bundle! {
    /// What all ask of memory, who has it, and its answer.
    pub struct In in memory_port_pkg {
        /// Receive message buffer 0.
        ring0: receive_ring::Out,
        /// Receive message buffer 1.
        ring1: receive_ring::Out,
        /// DMA that arrives.
        ring2: receive_ring::Out,
        /// The transfer that is sent.
        dma: send_dma::Out,
        /// The kernel's queue.
        queue0: send_queue::Out,
        /// The user's queue.
        queue1: send_queue::Out,
        /// From the arbiter: who has memory, a bit for each, ring 0 lowest.
        grant: u8 : 6,
        /// From memory: it has taken the word, or has one.
        ready: bool,
    }
}

hdl::bundle! {
    /// What memory and those who ask get to see.
    pub struct Out in memory_port_pkg {
        /// To memory.
        memory: MemoryOut,
        /// To the arbiter: who asks.
        request: u8 : 6,
        /// To those who ask: memory has answered, a bit for each.
        ready: u8 : 6,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/memory_port_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl In {
    /// What each asks of memory, in the order of the arbiter: what arrives goes before what leaves.
    #[inline(always)]
    fn asked(&self) -> [MemoryOut; 6] {
        let [ring0, ring1, ring2] = [self.ring0, self.ring1, self.ring2].map(|ring| ring.memory());
        let dma = MemoryOut::read(self.dma.memory_request, self.dma.memory_address, self.dma.memory_left);
        let [queue0, queue1] = [self.queue0, self.queue1]
            .map(|queue| MemoryOut::read(queue.memory_request, queue.memory_address, queue.memory_left));
        [ring0, ring1, ring2, dma, queue0, queue1]
    }
}

/// Output pins for the input pins of the same cycle.
#[inline(always)]
pub fn connect(pins: &In) -> Out {
    let asked = pins.asked();
    let request = (0..6).map(|i| u8::from(asked[i].request) << i).sum::<u8>();
    // One has it at most; of several it would be the last.
    let owner = pins.grant.checked_ilog2().map(|owner| asked[owner as usize]);
    Out {
        memory: owner.filter(|owner| owner.request).unwrap_or_default(),
        request,
        ready: if pins.ready { pins.grant & request } else { 0 },
    }
}
