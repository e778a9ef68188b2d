//! Host DMA: moves bytes between host memory and the packet memories as bus master, with any alignment on
//! both sides.
//!
//! A word of the destination holds bytes of up to two words of the source. The block keeps the two latest
//! words of the source and takes the upper bytes from the later one, the lower bytes from the earlier one. So
//! a word moves in every cycle, whatever the alignment is, and each word crosses the bus once.

mod pins;

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor, byte_mask};

pub use pins::{In, Out, Transfer};

hdl::fsm! {
    /// Host DMA.
    pub enum State in host_dma_pkg {
        /// Waits for a transfer.
        Idle => [Measure: "start", Idle: "otherwise"],
        /// Counts the words on both sides.
        Measure => [Request: "bytes != 0", Done: "bytes = 0"],
        /// Waits for the bus.
        Request => [
            Read: "bus granted, from the host",
            Fetch: "bus granted, to the host",
            Request: "otherwise",
        ],
        /// From the host: reads words from the bus.
        Read => [
            Flush: "last word read, bytes left",
            Done: "last word of the packet complete",
            Read: "otherwise",
        ],
        /// From the host: writes the last bytes, which came with the word before.
        Flush => [Done],
        /// To the host: reads the first word of the packet.
        Fetch => [Take],
        /// To the host: assembles the first word.
        Take => [
            Fetch: "first word too short, more follow",
            Put: "word assembled",
            Take: "first word too short, none follow",
        ],
        /// To the host: writes words to the bus.
        Put => [Done: "bus takes the last word", Put: "otherwise"],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Registers of host DMA.
    pub struct HostDma in host_dma_pkg {
        /// Step of the transfer; `Idle` between transfers.
        state: State,
        /// Byte address in host memory; advances with each word.
        address: u32,
        /// Byte address in the packet memory; advances with each word.
        offset: u16 : 13,
        /// Bytes of the transfer; 0 to 4,095.
        bytes: u16 : 12,
        /// Direction: to host memory.
        to_host: bool,
        /// Words of 8 bytes of the source still to be read.
        sources: u16 : 10,
        /// Words of 8 bytes of the destination still to be written.
        dests: u16 : 10,
        /// Bytes by which the source is shifted up in the destination; 0 to 7.
        shift: u8 : 3,
        /// The first word of the source alone completes no word of the destination.
        prime: bool,
        /// The next word of the destination is the first one of the transfer.
        first: bool,
        /// First byte of the transfer in the first word of the destination.
        lane: u8 : 3,
        /// Bytes of the transfer in the last word of the destination; 0 for all 8.
        end: u8 : 3,
        /// Word of the source before the latest one.
        held: u64,
        /// Latest word of the source.
        came: u64,
        /// Bytes of the destination word that belong to the transfer, a bit each; the others are 0.
        mask: u8,
        /// Bytes of the destination word that are written, a bit each.
        byte_enable: u8,
        /// Word of the packet memory to write.
        write_address: u16 : 10,
        /// Writes the destination word to the packet memory.
        write: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/host_dma_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
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
    /// Whether nothing happens until the bus is granted or moves a word.
    pub fn waits_for_bus(&self) -> bool {
        matches!(self.state, State::Request | State::Read | State::Put) && !self.write
    }

    /// Destination word: bytes of the two latest words of the source, shifted to their places.
    #[inline(always)]
    fn word(&self) -> u64 {
        let joined =
            (u128::from(self.came) << 64 | u128::from(self.held)) >> (8 * (8 - u32::from(self.shift)));
        joined as u64 & byte_mask(self.mask)
    }

    /// Alignment of the transfer, from the byte in a word where each side begins.
    #[inline(always)]
    fn align(&mut self, source_lane: u16, dest_lane: u16) {
        self.shift = (dest_lane.wrapping_sub(source_lane) & 7) as u8;
        self.lane = dest_lane as u8;
        self.end = (dest_lane + self.bytes) as u8 & 7;
    }

    /// Keeps the two latest words of the source.
    #[inline(always)]
    fn shift_in(&mut self, word: u64) {
        self.held = self.came;
        self.came = word;
    }

    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // Arriving word of the source, and bytes of the destination word that belong to the transfer.
        let source = if q.to_host { pins.memory_rdata } else { pins.rdata };
        let last = q.dests == 1;
        let from = if q.first { 0xffu8 << q.lane } else { 0xff };
        let to = if last && q.end != 0 { !(0xffu8 << q.end) } else { 0xff };
        // Alignment of the first byte on both sides.
        let (host, packet) = (q.address as u16 & 7, q.offset & 7);
        let (source_lane, dest_lane) = if q.to_host { (packet, host) } else { (host, packet) };

        d.write = false;
        match q.state {
            // Idle: takes the transfer.
            Idle => {
                if pins.start {
                    d.address = pins.transfer.address;
                    d.offset = pins.transfer.offset;
                    d.bytes = pins.transfer.bytes;
                    d.to_host = pins.transfer.to_host;
                    d.state = Measure;
                }
            }
            // Measure: an unaligned start takes one more word on its side.
            Measure => {
                d.sources = (source_lane + q.bytes + 7) >> 3;
                d.dests = (dest_lane + q.bytes + 7) >> 3;
                d.prime = dest_lane < source_lane;
                d.first = true;
                d.align(source_lane, dest_lane);
                d.state = if q.bytes == 0 { Done } else { Request };
            }
            // Request: waits for the bus grant.
            Request => {
                if pins.grant {
                    d.state = if q.to_host { Fetch } else { Read };
                }
            }
            // Read: each word completes a word of the packet, but the first one does not where it alone is
            // too short.
            Read => {
                if pins.ready {
                    d.address = q.address.wrapping_add(8);
                    d.sources = Self::WIDTHS.sources.wrap(q.sources.wrapping_sub(1));
                    d.shift_in(source);
                    d.prime = false;
                    if !q.prime {
                        d.write = true;
                        d.mask = from & to;
                        // Zeros fill the word after the last byte: they are the pad bytes (IBA volume 1,
                        // section 9.2).
                        d.byte_enable = from;
                        d.write_address = q.offset >> 3;
                        d.offset = Self::WIDTHS.offset.wrap(q.offset + 8);
                        d.dests = Self::WIDTHS.dests.wrap(q.dests.wrapping_sub(1));
                        d.first = false;
                    }
                    if !q.prime && last {
                        d.state = Done;
                    } else if q.sources == 1 {
                        d.state = Flush;
                    }
                }
            }
            // Flush: the last bytes came with the word before.
            Flush => {
                d.held = q.came;
                d.write = true;
                d.mask = from & to;
                d.byte_enable = from;
                d.write_address = q.offset >> 3;
                d.state = Done;
            }
            // Fetch: the word arrives in the next cycle.
            Fetch => {
                d.offset = Self::WIDTHS.offset.wrap(q.offset + 8);
                d.state = Take;
            }
            // Take: the next word is read in the same cycle.
            Take => {
                d.shift_in(source);
                d.prime = false;
                if q.prime {
                    // Without another word the latest one stays; the mask discards its upper bytes.
                    if q.sources != 1 {
                        d.state = Fetch;
                    }
                } else {
                    d.mask = from & to;
                    d.dests = Self::WIDTHS.dests.wrap(q.dests.wrapping_sub(1));
                    d.byte_enable = from & to;
                    d.offset = Self::WIDTHS.offset.wrap(q.offset + 8);
                    d.first = false;
                    d.state = Put;
                }
            }
            // Put: the next word is assembled when the bus takes this one.
            Put => {
                if pins.ready {
                    d.address = q.address.wrapping_add(8);
                    d.mask = from & to;
                    d.byte_enable = from & to;
                    d.dests = Self::WIDTHS.dests.wrap(q.dests.wrapping_sub(1));
                    d.shift_in(source);
                    d.offset = Self::WIDTHS.offset.wrap(q.offset + 8);
                    if q.dests == 0 {
                        d.state = Done;
                    }
                }
            }
            // Done: the last word of the packet memory is written in this cycle.
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
