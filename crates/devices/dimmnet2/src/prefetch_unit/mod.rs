//! The Prefetch Unit: reads SO-DIMM into a Prefetch Window or into packets (thesis section 4.2, decisions
//! 0016 and 0019).
//!
//! ```text
//! Window Controller --vector_load--> pu_ctl --run--> pu_read --read--> SO-DIMM interface
//!                                      |                |                    |
//!                                      |              piece                 data
//!                                      |                v                    |
//!                                      +------------> pu_write <-------------+
//!                                                       |  +--> list buffer --> pu_read
//!                                                       +--> Prefetch Window
//!        Write Unit --list_request--> pu_list --read--> SO-DIMM interface --data--> store list buffer
//!                   <------------------store_list--------------------------------------+
//!                                                       +--> packet buffer --> Window Controller
//! ```
//!
//! First halves of copies from SO-DIMM to SO-DIMM wait in pu_copy, which makes pu_ctl read them chunk by
//! chunk into the copy buffer; the Write Unit takes each chunk from there.
//!
//! The source is contiguous, strided, or given by a list of offsets that is read from SO-DIMM first. Source
//! offsets are multiples of 4 and elements have 4 bytes or more; the result is contiguous in the Prefetch
//! Window. Contiguous data arrives at one word of 8 bytes per core cycle if the SO-DIMMs keep up. Data for
//! packets has any length and is contiguous in the packet buffer, which holds two of the longest packets; the
//! reader waits for room there. With `read_together` it arrives at 16 bytes per core cycle (decision 0041).
//! Independently of all this, pu_list reads the lists of the Write Unit.

pub mod packet_buffer;
pub mod pins;
pub mod pu_copy;
pub mod pu_ctl;
pub mod pu_list;
pub mod pu_read;
pub mod pu_write;

#[cfg(test)]
mod tests;

use hdl::{Bank, BankWrite, Clocked, Probe, Quiet, Ram, Role, Visitor};

use self::packet_buffer::PacketBuffer;
use self::pins::{CopyChunk, In, MemoryRead, Out, PACKET_ROOM, PACKET_ROOM_TOGETHER, StoreList, WindowFlag};
use self::pu_copy::PuCopy;
use self::pu_ctl::PuCtl;
use self::pu_list::PuList;
use self::pu_read::PuRead;
use self::pu_write::PuWrite;

/// Words of 8 bytes in the list buffer: room for 255 offsets, the largest Iteration.
pub const LIST_WORDS: usize = 128;

/// Words of 8 bytes in the store list buffer: room for 255 offsets at an odd multiple of 4.
pub const STORE_LIST_WORDS: usize = 128;

/// Rows of 16 bytes in the copy buffer, which holds one chunk.
pub const COPY_ROWS: usize = 32;

/// Control, reader, writer, list service and copy control with their buffers.
#[derive(Clone, Debug, Default)]
pub struct PrefetchUnit {
    /// Clamps requests and runs them.
    pub pu_ctl: PuCtl,
    /// Requests words from the SO-DIMM interface.
    pub pu_read: PuRead,
    /// Packs words and stores them.
    pub pu_write: PuWrite,
    /// Reads the lists of the Write Unit.
    pub pu_list: PuList,
    /// Holds the first halves of copies.
    pub pu_copy: PuCopy,
    /// Offsets of the list of a VLI or of packet data by list.
    pub list_buffer: Ram<u64, LIST_WORDS>,
    /// Words of the list that the Write Unit requested.
    pub store_list_buffer: Ram<u64, STORE_LIST_WORDS>,
    /// Even lines of a copy's chunk.
    pub copy_even: Bank<COPY_ROWS>,
    /// Odd lines of a copy's chunk.
    pub copy_odd: Bank<COPY_ROWS>,
    /// Lines of data for packets.
    pub packet_buffer: PacketBuffer,
}

impl Clocked for PrefetchUnit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let control = self.pu_ctl.outputs();
        let read = self.pu_read.outputs();
        let write = self.pu_write.outputs();
        let list = self.pu_list.outputs();
        let copy = self.pu_copy.outputs();
        let quarters = if control.opened { control.quarters } else { write.quarters };
        let packet = self.packet_buffer.outputs();
        Out {
            busy: control.busy || list.busy,
            read_right_request: read.read_right_request || list.owns,
            read: if list.owns { list.read } else { read.read },
            data_next0: write.data_next0 || list.data_next0,
            data_next1: write.data_next1 || list.data_next1,
            prefetch_window_byte_enable: if copy.owns { 0 } else { write.prefetch_window_byte_enable },
            prefetch_window_address: write.prefetch_window_address,
            prefetch_window_wdata: write.prefetch_window_wdata,
            store_list: StoreList {
                ready: list.ready,
                entries: list.entries,
                rdata: self.store_list_buffer.rdata(),
            },
            copy_chunk: copy.chunk,
            copy_rdata: u128::from(self.copy_odd.rdata()) << 64 | u128::from(self.copy_even.rdata()),
            flag: WindowFlag {
                opened: control.opened,
                quarters: if copy.owns { 0 } else { quarters },
                window: (control.destination >> 7 & 3) as u8,
                wid: control.destination >> 9 == 1,
            },
            state: u8::from(write.state == pu_write::State::Write && !write.to_packet) << 6
                | u8::from(write.state == pu_write::State::Write && write.to_packet) << 5
                | (control.state as u8) << 3
                | read.state as u8,
            packet_data: packet.rdata,
            packet_lines: packet.count,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        // An idle unit without a request does not change.
        let copy = &pins.copy_request;
        let copies = copy.request || copy.end_copy || copy.read_enable;
        let lists = pins.list_request.request || pins.list_read_enable;
        let asked = pins.vector_load_start || pins.packet_next || lists || copies;
        if !asked && self.quiescent() == Quiet::UntilInput {
            return;
        }
        let control = self.pu_ctl.outputs();
        let read = self.pu_read.outputs();
        let write = self.pu_write.outputs();
        let list = self.pu_list.outputs();
        let copy = self.pu_copy.outputs();

        self.pu_ctl.tick_if(pins.vector_load_start || copy.load_start, || pu_ctl::In {
            vector_load: pins.vector_load,
            start: pins.vector_load_start,
            copy_load: copy.load,
            copy_start: copy.load_start,
            read_together: pins.read_together,
            read_idle: read.idle,
            write_idle: write.idle,
        });
        self.tick_read(pins, &control, &write, list.owns);
        let writes = control.start || read.piece_enable;
        self.pu_write.tick_if(writes, || pu_write_inputs(pins, &control, &read, copy.owns));
        self.pu_copy.tick_if(copies || pins.vector_load_start, || pu_copy::In {
            vector_load: pins.vector_load,
            start: pins.vector_load_start,
            copy_request: pins.copy_request,
            capacity: pins.capacity,
            busy: control.busy,
            // A chunk has at most 512 bytes.
            run_bytes: control.run.bytes as u16 & 0x3ff,
            run_remaining: read.remaining as u16 & 0x3ff,
        });
        self.tick_copy_buffer(pins, &write, copy.owns);
        self.pu_list.tick_if(pins.list_request.request, || pu_list::In {
            list_request: pins.list_request,
            capacity: pins.capacity,
            reader_asks: read.read_right_request,
            writer_waits: write.waits,
            read_right: pins.read_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            data: pins.data,
        });
        self.tick_list_buffers(pins, control.start, &read, &write, &list);
        self.packet_buffer.tick(&packet_buffer::In {
            write_enable: write.packet_write_enable,
            wdata: write.packet_wdata,
            pair: write.packet_pair,
            second: write.packet_second,
            read_enable: pins.packet_next,
        });
    }

    fn reset(&mut self) {
        self.pu_ctl.reset();
        self.pu_read.reset();
        self.pu_write.reset();
        self.pu_list.reset();
        self.pu_copy.reset();
        self.list_buffer.reset();
        self.store_list_buffer.reset();
        self.copy_even.reset();
        self.copy_odd.reset();
        self.packet_buffer.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.pu_ctl
            .quiescent()
            .and(self.pu_read.quiescent())
            .and(self.pu_write.quiescent())
            .and(self.pu_list.quiescent())
            .and(self.pu_copy.quiescent())
    }
}

/// Inputs of the writer.
#[inline(always)]
fn pu_write_inputs(pins: &In, control: &pu_ctl::Out, read: &pu_read::Out, copy_owns: bool) -> pu_write::In {
    pu_write::In {
        start: control.start,
        to_list: control.to_list,
        to_packet: control.run.to_packet,
        destination: control.destination,
        piece: read.piece,
        piece_enable: read.piece_enable,
        ended: read.ended,
        data: pins.data,
        prefetch_window_free: pins.prefetch_window_free || copy_owns,
    }
}

impl PrefetchUnit {
    /// One clock edge of the reader.
    #[inline(always)]
    fn tick_read(&mut self, pins: &In, control: &pu_ctl::Out, write: &pu_write::Out, list_owns: bool) {
        let (list_rdata, buffered) = (self.list_buffer.rdata(), self.packet_buffer.outputs().count);
        self.pu_read.tick_if(control.start, || pu_read::In {
            start: control.start,
            run: control.run,
            capacity: pins.capacity,
            read_right: pins.read_right && !list_owns,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
            pieces_almost_full: write.pieces_almost_full,
            list_rdata,
            packet_room: buffered <= if control.run.together { PACKET_ROOM_TOGETHER } else { PACKET_ROOM },
        });
    }

    /// One clock edge of the copy buffer.
    #[inline(always)]
    fn tick_copy_buffer(&mut self, pins: &In, write: &pu_write::Out, copy_owns: bool) {
        let copy_enable = if copy_owns { write.prefetch_window_byte_enable } else { 0 };
        let address = usize::from(write.prefetch_window_address) % COPY_ROWS;
        let wdata = write.prefetch_window_wdata;
        let row = pins.copy_request.read_enable.then_some(pins.copy_request.row.into());
        self.copy_even.tick(row, BankWrite { byte_enable: copy_enable as u8, address, wdata: wdata as u64 });
        self.copy_odd.tick(
            row,
            BankWrite { byte_enable: (copy_enable >> 8) as u8, address, wdata: (wdata >> 64) as u64 },
        );
    }

    /// One clock edge of the buffers of lists: of the Write Unit, and of this unit.
    #[inline(always)]
    fn tick_list_buffers(
        &mut self,
        pins: &In,
        starts: bool,
        read: &pu_read::Out,
        write: &pu_write::Out,
        list: &pu_list::Out,
    ) {
        let list_word = if list.write_second { pins.data.data1 } else { pins.data.data0 };
        self.store_list_buffer.tick(
            pins.list_read_enable.then_some(pins.list_row.into()),
            list.write_enable.then_some((list.write_row.into(), list_word)),
        );
        self.list_buffer.tick(
            (starts || read.list_read_enable).then_some(read.list_row.into()),
            write.list_write_enable.then_some((write.list_row.into(), write.list_wdata)),
        );
    }

    /// The output pins while the unit rests; the constants let the compiler remove the logic that depends on
    /// them.
    #[inline(always)]
    pub fn outputs_at_rest(&self) -> Out {
        let out = self.outputs();
        let at_rest = Out {
            busy: false,
            read_right_request: false,
            read: MemoryRead { enable: false, ..out.read },
            prefetch_window_byte_enable: 0,
            store_list: StoreList { ready: false, ..out.store_list },
            copy_chunk: CopyChunk { ready: false, ..out.copy_chunk },
            flag: WindowFlag { opened: false, quarters: 0, ..out.flag },
            state: 0,
            ..out
        };
        debug_assert_eq!(at_rest, out, "a resting Prefetch Unit requests nothing");
        at_rest
    }
}

impl Probe for PrefetchUnit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("pu_ctl", &self.pu_ctl);
        visitor.block("pu_read", &self.pu_read);
        visitor.block("pu_write", &self.pu_write);
        visitor.block("pu_list", &self.pu_list);
        visitor.block("pu_copy", &self.pu_copy);
        visitor.block("list_buffer", &self.list_buffer);
        visitor.block("store_list_buffer", &self.store_list_buffer);
        visitor.block("copy_even", &self.copy_even);
        visitor.block("copy_odd", &self.copy_odd);
        visitor.block("packet_buffer", &self.packet_buffer);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
