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
    /// Requests in the order of the arbiter, a bit each: receivers come before senders.
    #[inline(always)]
    fn requests(&self) -> u8 {
        u8::from(self.ring0.memory_request)
            | u8::from(self.ring1.memory_request) << 1
            | u8::from(self.ring2.memory_request) << 2
            | u8::from(self.dma.memory_request) << 3
            | u8::from(self.queue0.memory_request) << 4
            | u8::from(self.queue1.memory_request) << 5
    }

    /// Request of the block that has the grant.
    #[inline(always)]
    fn granted(&self) -> MemoryOut {
        let queue = |queue: &send_queue::Out| {
            MemoryOut::read(queue.memory_request, queue.memory_address, queue.memory_left)
        };
        // At most one block has the grant; of several, the last one would count.
        match self.grant.checked_ilog2() {
            None => MemoryOut::default(),
            Some(0) => self.ring0.memory(),
            Some(1) => self.ring1.memory(),
            Some(2) => self.ring2.memory(),
            Some(3) => {
                MemoryOut::read(self.dma.memory_request, self.dma.memory_address, self.dma.memory_left)
            }
            Some(4) => queue(&self.queue0),
            Some(_) => queue(&self.queue1),
        }
    }
}

/// Output pins for the input pins of the same cycle.
#[inline(always)]
pub fn connect(pins: &In) -> Out {
    let request = pins.requests();
    let granted = pins.granted();
    Out {
        memory: if granted.request { granted } else { MemoryOut::default() },
        request,
        ready: if pins.ready { pins.grant & request } else { 0 },
    }
}
