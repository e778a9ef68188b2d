//! Memory port: connects local memory with the block that the arbiter has chosen; memory answers that block
//! alone.
//!
//! Combinational: all inputs to the outputs.

use hdl::{Bundle, Item, Package};

use crate::pins::MemoryOut;
use crate::{receive_ring, send_dma, send_queue};

hdl::bundle! {
    /// Requests of all blocks, the grant, and the answer of memory.
    pub struct In in memory_port_pkg {
        /// Receive message buffer 0.
        ring0: receive_ring::Out,
        /// Receive message buffer 1.
        ring1: receive_ring::Out,
        /// Request of the receive ring of DMA.
        ring2: receive_ring::Out,
        /// Request of send DMA.
        dma: send_dma::Out,
        /// Request of the kernel's queue.
        queue0: send_queue::Out,
        /// Request of the user's queue.
        queue1: send_queue::Out,
        /// From the arbiter: grants, a bit for each block, ring 0 lowest.
        grant: u8 : 6,
        /// From memory: a word is transferred in this cycle.
        ready: bool,
    }
}

hdl::bundle! {
    /// Pins of memory, and answers to the blocks.
    pub struct Out in memory_port_pkg {
        /// To memory: request of the granted block.
        memory: MemoryOut,
        /// To the arbiter: requests, a bit for each block.
        request: u8 : 6,
        /// To the blocks: memory has answered, a bit for each.
        ready: u8 : 6,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/memory_port_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl In {
    /// Requests in the order of the arbiter: receivers come before senders.
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
    // At most one block has the grant; of several, the last one would count.
    let owner = pins.grant.checked_ilog2().map(|owner| asked[owner as usize]);
    Out {
        memory: owner.filter(|owner| owner.request).unwrap_or_default(),
        request,
        ready: if pins.ready { pins.grant & request } else { 0 },
    }
}
