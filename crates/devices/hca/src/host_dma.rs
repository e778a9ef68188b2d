//! Host DMA: moves bytes between host memory and the packet memories as bus master, from any byte to any byte.
//!
//! A word of host memory holds bytes of up to two words of the other side. The two words of the source that came last are kept; a word of the
//! destination has its upper bytes from one of them and its lower bytes from the one before. So a word moves in a cycle, whatever the
//! addresses are, and the bus is asked for each of its words once.

mod pins;

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor, byte_mask};

pub use pins::{In, Out, Transfer};

hdl::machine! {
    /// Host DMA.
    pub enum State in host_dma_pkg {
        /// Waits for a transfer.
        Idle => [Measure],
        /// Counts the words of both sides.
        Measure => [Request, Done],
        /// Waits for the bus.
        Request => [Read, Fetch],
        /// From the host: takes words.
        Read => [Flush, Done],
        /// From the host: the last bytes have come with the word before.
        Flush => [Done],
        /// To the host: reads a word of the packet.
        Fetch => [Take],
        /// To the host: puts the first word together.
        Take => [Fetch, Put],
        /// To the host: gives words to the bus.
        Put => [Done],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Registers of host DMA.
    pub struct HostDma in host_dma_pkg {
        /// State.
        state: State,
        /// The transfer; its address and offset go on.
        address: u32,
        /// Byte in the packet memory.
        offset: u16 : 13,
        /// Bytes.
        bytes: u16 : 12,
        /// To the host.
        to_host: bool,
        /// Words of the source left.
        sources: u16 : 10,
        /// Words of the destination left.
        dests: u16 : 10,
        /// Bytes by which those of the source go up.
        shift: u8 : 3,
        /// The first word of the source fills no word of the destination.
        prime: bool,
        /// The next word of the destination is the first one.
        first: bool,
        /// First byte of the first word of the destination.
        lane: u8 : 3,
        /// First byte behind the last one, in the last word; 0 for none.
        end: u8 : 3,
        /// The word of the source before the last one.
        held: u64,
        /// The last one that came.
        came: u64,
        /// Bytes of the word of the destination that are of the transfer; the others are 0.
        mask: u8,
        /// Its bytes that are written.
        byte_enable: u8,
        /// Word of the packet that it goes to.
        write_address: u16 : 10,
        /// Writes it.
        write: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/host_dma_pkg",
    source: file!(),
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(Transfer::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for HostDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            request: matches!(q.state, Request | Read | Fetch | Take | Put),
            transfer: matches!(q.state, Read | Put),
            write: q.to_host,
            address: q.address & !7,
            wdata: q.word(),
            byte_enable: q.byte_enable,
            read_address: q.offset >> 3,
            memory_read: q.state == Fetch || q.state == Take && !q.prime,
            memory_next: q.state == Put,
            write_address: q.write_address,
            memory_write: q.write,
            done: q.state == Done,
        }
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
        if self.state == State::Idle && !self.write { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl HostDma {
    /// The word of the destination: bytes of the two words of the source that came last, where those of the destination are.
    #[inline(always)]
    fn word(&self) -> u64 {
        let joined =
            (u128::from(self.came) << 64 | u128::from(self.held)) >> (8 * (8 - u32::from(self.shift)));
        joined as u64 & byte_mask(self.mask)
    }

    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // The word of the source that comes, and bytes of the word of the destination that are of the transfer.
        let source = if q.to_host { pins.memory_rdata } else { pins.rdata };
        let last = q.dests == 1;
        let from = if q.first { 0xffu8 << q.lane } else { 0xff };
        let to = if last && q.end != 0 { !(0xffu8 << q.end) } else { 0xff };
        // Where bytes begin on both sides.
        let (host, packet) = (q.address as u16 & 7, q.offset & 7);
        let (source_lane, dest_lane) = if q.to_host { (packet, host) } else { (host, packet) };

        d.write = false;
        match q.state {
            // Idle: a transfer is described by its registers.
            Idle => {
                if pins.start {
                    d.address = pins.transfer.address;
                    d.offset = pins.transfer.offset;
                    d.bytes = pins.transfer.bytes;
                    d.to_host = pins.transfer.to_host;
                    d.state = Measure;
                }
            }
            // Measure: a word more on a side where the bytes begin within one.
            Measure => {
                d.sources = (source_lane + q.bytes + 7) >> 3;
                d.dests = (dest_lane + q.bytes + 7) >> 3;
                d.shift = (dest_lane.wrapping_sub(source_lane) & 7) as u8;
                d.prime = dest_lane < source_lane;
                d.first = true;
                d.lane = dest_lane as u8;
                d.end = (dest_lane + q.bytes) as u8 & 7;
                d.state = if q.bytes == 0 { Done } else { Request };
            }
            // Request: waits to become master.
            Request => {
                if pins.grant {
                    d.state = if q.to_host { Fetch } else { Read };
                }
            }
            // Read: a word of the packet is whole with each word, but for the first one if it only begins it.
            Read => {
                if pins.ready {
                    d.address = q.address.wrapping_add(8);
                    d.sources = q.sources.wrapping_sub(1) & 0x3ff;
                    d.held = q.came;
                    d.came = source;
                    d.prime = false;
                    if !q.prime {
                        d.write = true;
                        d.mask = from & to;
                        // Behind the last byte there are zeros to the end of the word: padding (IBA volume 1, section 9.2).
                        d.byte_enable = from;
                        d.write_address = q.offset >> 3;
                        d.offset = (q.offset + 8) & 0x1fff;
                        d.dests = q.dests.wrapping_sub(1) & 0x3ff;
                        d.first = false;
                    }
                    if !q.prime && last {
                        d.state = Done;
                    } else if q.sources == 1 {
                        d.state = Flush;
                    }
                }
            }
            // Flush: what is left came with the word before.
            Flush => {
                d.held = q.came;
                d.write = true;
                d.mask = from & to;
                d.byte_enable = from;
                d.write_address = q.offset >> 3;
                d.state = Done;
            }
            // Fetch: the word comes in the next cycle.
            Fetch => {
                d.offset = (q.offset + 8) & 0x1fff;
                d.state = Take;
            }
            // Take: the next word is read meanwhile.
            Take => {
                d.held = q.came;
                d.came = source;
                d.prime = false;
                if q.prime {
                    // If there is no other word, the one that is there stays, and its bytes above do not count.
                    if q.sources != 1 {
                        d.state = Fetch;
                    }
                } else {
                    d.mask = from & to;
                    d.dests = q.dests.wrapping_sub(1) & 0x3ff;
                    d.byte_enable = from & to;
                    d.offset = (q.offset + 8) & 0x1fff;
                    d.first = false;
                    d.state = Put;
                }
            }
            // Put: the next word is put together when the bus takes this one.
            Put => {
                if pins.ready {
                    d.address = q.address.wrapping_add(8);
                    d.mask = from & to;
                    d.byte_enable = from & to;
                    d.dests = q.dests.wrapping_sub(1) & 0x3ff;
                    d.held = q.came;
                    d.came = source;
                    d.offset = (q.offset + 8) & 0x1fff;
                    if q.dests == 0 {
                        d.state = Done;
                    }
                }
            }
            // Done: the last word of a packet is written in this cycle.
            Done => d.state = Idle,
        }
    }
}

impl Probe for HostDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
