//! Host interface: decodes host beats and multiplexes read data (thesis sections 5.1 and 5.2, table 4.3).
//!
//! Bits 19:16 of an address select the area. Addresses between the parts of an area, beyond its last part or
//! beyond the last area are holes. Accesses to holes, reads of a Write Window, and writes to a Prefetch
//! Window or the LH Buffer read 0 and change nothing. A register is written only by a beat that carries all
//! its 64 bits. Read data is valid one cycle after the beat and stays until the next read.
//!
//! If both processes have a request, the one that was not served last goes first, so neither can starve the
//! other (decision 0007).
//!
//! Controller Reset resets the registers that configure and count; memories, SO-DIMM Init and the decoder
//! keep working during it.

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use super::amt_address_table::{self, AmtAddressTable, index};
use super::configuration_distribution::{self, ConfigurationDistribution};
use super::lh_buffer::{self, LhBuffer};
use super::llcm::{self, Llcm};
use super::pins::{In, Out, ReadSource, Status, VsResult};
use super::prefetch_window::{self, PrefetchWindow};
use super::system_register::{self, SystemRegisterPage};
use super::user_register::{self, UserRegisterPage};
use super::write_window::{self, WriteWindow};
use crate::address::{Area, Place, lid_to_clid};
use crate::pins::HostIn;
use crate::prefetch_unit::pins::WindowFlag;
use crate::registers::{AmtAddressTableInterface, ModuleState, SystemRegister, UserRegister};
use crate::request::Request;

/// The host interface section of the Core Logic.
#[derive(Clone, Debug)]
pub struct HostInterface {
    /// Source of the data of the last read.
    pub read_source: ReadSource,
    /// Process that goes first if both have a request; 0 is WID 0.
    pub request_turn: bool,
    /// Sources of BOTF, VS and LHSv2.
    pub write_window: WriteWindow,
    /// Destinations of VL, RVL and RVS packets.
    pub prefetch_window: PrefetchWindow,
    /// Memory that host and transaction side share.
    pub llcm: Llcm,
    /// Ring of message heads, written by the Receive Controller.
    pub lh_buffer: LhBuffer,
    /// User Register page of WID 0.
    pub user_register0: UserRegisterPage,
    /// User Register page of WID 1.
    pub user_register1: UserRegisterPage,
    /// System Register page, shared by both processes.
    pub system_register: SystemRegisterPage,
    /// Sends configuration values to the transaction side.
    pub configuration_distribution: ConfigurationDistribution,
    /// Location of each sender's AMT entry.
    pub amt_address_table: AmtAddressTable,
}

impl Default for HostInterface {
    fn default() -> Self {
        Self {
            read_source: ReadSource::ReadNothing,
            request_turn: false,
            write_window: WriteWindow::default(),
            prefetch_window: PrefetchWindow::default(),
            llcm: Llcm::default(),
            lh_buffer: LhBuffer::default(),
            user_register0: UserRegisterPage::default(),
            user_register1: UserRegisterPage::default(),
            system_register: SystemRegisterPage::default(),
            configuration_distribution: ConfigurationDistribution::default(),
            amt_address_table: AmtAddressTable::default(),
        }
    }
}

impl Clocked for HostInterface {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let wid = self.request_wid();
        let user = if wid { self.user_register1.outputs() } else { self.user_register0.outputs() };
        let system = self.system_register.outputs();
        Out {
            rdata: self.rdata(),
            write_window_rdata: self.write_window.outputs().rdata,
            llcm_rdata: self.llcm.outputs().rdata,
            amt_entry: self.amt_address_table.outputs().rdata.word,
            lh_full: self.lh_buffer.outputs().full,
            lh_polarity: self.lh_buffer.outputs().polarity,
            request: Request {
                lower: user.lower,
                upper: user.upper,
                to_prefetch_window: user.to_prefetch_window,
                wid,
            },
            request_ex: user.ex,
            request_enable: self.request_enable(),
            configuration: self.configuration_distribution.outputs().configuration,
            sodimm_enabled: system.sodimm_enabled,
            controller_reset: system.controller_reset,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let beat = Beat::decode(pins.host);
        let system = self.system_register.outputs();
        let lh = self.lh_buffer.outputs();
        // Only a read changes the source of read data.
        if beat.host.enable && !beat.host.write {
            self.read_source = read_source(beat.place);
        }
        self.tick_memories(pins, &beat, system.controller_reset);
        self.tick_system_registers(pins, &beat);
        if system.controller_reset {
            self.request_turn = false;
            self.user_register0.reset();
            self.user_register1.reset();
            self.configuration_distribution.reset();
        } else {
            self.tick_user_registers(pins, &beat, &system, &lh);
        }
    }

    fn reset(&mut self) {
        self.read_source = ReadSource::ReadNothing;
        self.request_turn = false;
        self.write_window.reset();
        self.prefetch_window.reset();
        self.llcm.reset();
        self.lh_buffer.reset();
        self.user_register0.reset();
        self.user_register1.reset();
        self.system_register.reset();
        self.configuration_distribution.reset();
        self.amt_address_table.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.user_register0
            .quiescent()
            .and(self.user_register1.quiescent())
            .and(self.system_register.quiescent())
            .and(self.configuration_distribution.quiescent())
            .and(self.lh_buffer.quiescent())
            .and(self.llcm.quiescent())
    }

    fn skip(&mut self, cycles: u64) {
        self.lh_buffer.skip(cycles);
    }
}

impl HostInterface {
    /// Data of the read one cycle earlier.
    #[inline(always)]
    pub(crate) fn rdata(&self) -> u128 {
        match self.read_source {
            ReadSource::ReadNothing => 0,
            ReadSource::ReadPrefetchWindow => self.prefetch_window.outputs().host_rdata,
            ReadSource::ReadLlcm => self.llcm.outputs().host_rdata,
            ReadSource::ReadLhBuffer => self.lh_buffer.outputs().host_rdata,
            ReadSource::ReadUserRegister0 => self.user_register0.outputs().rdata.into(),
            ReadSource::ReadUserRegister1 => self.user_register1.outputs().rdata.into(),
            ReadSource::ReadSystemRegister => self.system_register.outputs().rdata.into(),
        }
    }

    /// Process whose request is sent first.
    #[inline(always)]
    fn request_wid(&self) -> bool {
        self.user_register1.request_waiting && (!self.user_register0.request_waiting || self.request_turn)
    }

    #[inline(always)]
    fn request_enable(&self) -> bool {
        self.user_register0.request_waiting || self.user_register1.request_waiting
    }

    /// One clock edge of the memories that the host reads or writes.
    #[inline(always)]
    fn tick_memories(&mut self, pins: &In, beat: &Beat, controller_reset: bool) {
        let head_write = beat.writes_register(Area::UserRegister)
            && UserRegister::write(beat.offset()) == Some(UserRegister::LhBufferNextReadAddress);
        self.write_window.tick(&write_window::In {
            host_byte_enable: beat.byte_enable(Area::WriteWindow),
            host_row: (beat.wid() as u8) << 7 | beat.row(Area::WriteWindow) as u8,
            host_wdata: beat.host.wdata,
            read_enable: pins.write_window_read_enable,
            row: pins.write_window_address,
        });
        self.prefetch_window.tick(&prefetch_window::In {
            host_read_enable: beat.reads(Area::PrefetchWindow),
            host_row: (beat.wid() as u8) << 7 | beat.row(Area::PrefetchWindow) as u8,
            byte_enable: pins.prefetch_window_byte_enable,
            row: pins.prefetch_window_address,
            wdata: pins.prefetch_window_wdata,
        });
        let asked = beat.is_in(Area::Llcm) || pins.llcm_read_enable || pins.llcm_byte_enable != 0;
        self.llcm.tick_if(asked, || llcm::In {
            host_read_enable: beat.reads(Area::Llcm),
            host_byte_enable: beat.byte_enable(Area::Llcm),
            host_row: (beat.wid() as u16) << 11 | beat.row(Area::Llcm),
            host_wdata: beat.host.wdata,
            read_enable: pins.llcm_read_enable,
            byte_enable: pins.llcm_byte_enable,
            address: pins.llcm_address,
            wdata: pins.llcm_wdata,
        });
        let stores = pins.lh_write_enable != 0 || pins.lh_advance;
        let asked = beat.is_in(Area::LhBuffer) || head_write || stores || controller_reset;
        self.lh_buffer.tick_if(asked, || lh_buffer::In {
            host_read_enable: beat.reads(Area::LhBuffer),
            host_row: (beat.wid() as u16) << 8 | beat.row(Area::LhBuffer),
            head_enable: (head_write as u8) << beat.wid() as u8,
            head: beat.host.wdata as u16 & 0xfff,
            controller_reset,
            wid: pins.lh_wid,
            write_enable: pins.lh_write_enable,
            row: pins.lh_row,
            wdata: pins.lh_wdata,
            advance: pins.lh_advance,
        });
    }

    /// One clock edge of the System Registers and of the AMT Address Table, which they write.
    #[inline(always)]
    fn tick_system_registers(&mut self, pins: &In, beat: &Beat) {
        let sender = AmtAddressTableInterface::from_bits(beat.word());
        self.amt_address_table.tick(&amt_address_table::In {
            write_enable: beat.writes_register(Area::SystemRegister)
                && SystemRegister::write(beat.offset()) == Some(SystemRegister::AmtAddressTableInterface),
            write_index: index(lid_to_clid(sender.lid), sender.wid),
            wdata: amt_address_table::Entry { word: sender.value },
            read_enable: pins.amt_read_enable,
            read_index: pins.amt_index,
        });
        self.system_register.tick_if(beat.is_in(Area::SystemRegister), || system_register::In {
            offset: beat.offset(),
            write: beat.writes_register(Area::SystemRegister),
            touch: beat.byte_enable(Area::SystemRegister) as u8 != 0,
            read: beat.reads(Area::SystemRegister),
            wdata: beat.host.wdata & 1 == 1,
            sma_lid: pins.status.sma_lid,
            link_status: pins.status.link_status,
        });
    }

    /// One clock edge of the User Registers and of what sends their configuration on.
    #[inline(always)]
    fn tick_user_registers(
        &mut self,
        pins: &In,
        beat: &Beat,
        system: &system_register::Out,
        lh: &lh_buffer::Out,
    ) {
        let status = &pins.status;
        let request_wid = self.request_wid();
        let request_taken = self.request_enable() && !pins.request_fifo_full;
        if request_taken {
            self.request_turn = !request_wid;
        }
        let (wid, offset) = (beat.wid(), beat.offset());
        let user_write = beat.writes_register(Area::UserRegister);
        let system_write = beat.writes_register(Area::SystemRegister);
        if beat.is_in(Area::UserRegister) || request_taken || reports(status) {
            let read = beat.reads(Area::UserRegister);
            let both = user_register::In {
                offset,
                wdata: beat.word(),
                sdimm_initialized: system.sodimm_enabled,
                request_fifo_almost_full: status.request_fifo_almost_full,
                // Costly, and of no account but to a read.
                module_state: if read { module_state(status).bits() } else { 0 },
                ..user_register::In::default()
            };
            let page = |own: bool| user_register::In {
                write: user_write && wid == own,
                read: read && wid == own,
                request_taken: request_taken && request_wid == own,
                lh_next_write_address: if own { lh.tail1 } else { lh.tail0 },
                ..with_events(both, status, own)
            };
            self.user_register0.tick(&page(false));
            self.user_register1.tick(&page(true));
        }
        self.configuration_distribution.tick_if(user_write || system_write, || {
            let wdata = beat.word() as u16;
            configuration_distribution::In { wdata, offset, user_write, wid, system_write }
        });
    }
}

/// A beat of the host and the part of an area that it addresses.
struct Beat {
    host: HostIn,
    /// Part of an area; none without a beat and for a hole.
    place: Option<Place>,
}

impl Beat {
    /// Decodes the address, which selects 16 bytes; its low 4 bits are ignored.
    #[inline(always)]
    fn decode(host: HostIn) -> Self {
        Self { host, place: if host.enable { Area::locate(host.address & !0xf) } else { None } }
    }

    #[inline(always)]
    fn is_in(&self, area: Area) -> bool {
        self.place.is_some_and(|place| place.area == area)
    }

    /// Process whose part of the area is addressed.
    #[inline(always)]
    fn wid(&self) -> bool {
        self.place.is_some_and(|place| place.wid)
    }

    /// Row of 16 bytes in the part of `area`; 0 for a beat to another area.
    #[inline(always)]
    fn row(&self, area: Area) -> u16 {
        self.place.filter(|place| place.area == area).map_or(0, |place| place.offset >> 4) as u16
    }

    #[inline(always)]
    fn reads(&self, area: Area) -> bool {
        self.is_in(area) && !self.host.write
    }

    /// Bytes to write in `area`, a bit each; 0 for a read or another area.
    #[inline(always)]
    fn byte_enable(&self, area: Area) -> u16 {
        if self.is_in(area) && self.host.write { self.host.byte_enable } else { 0 }
    }

    /// Byte offset of a register in its page. Registers lie in the Even bank, so only the low 8 byte enables
    /// apply.
    #[inline(always)]
    fn offset(&self) -> u16 {
        self.host.address as u16 & 0xff0
    }

    /// Data for a register.
    #[inline(always)]
    fn word(&self) -> u64 {
        self.host.wdata as u64
    }

    /// Whether the beat writes all 64 bits of a register in `area`.
    #[inline(always)]
    fn writes_register(&self, area: Area) -> bool {
        self.is_in(area) && self.host.write && self.host.byte_enable as u8 == 0xff
    }
}

/// Source of the data for a read of `place`.
#[inline(always)]
fn read_source(place: Option<Place>) -> ReadSource {
    let Some(place) = place else { return ReadSource::ReadNothing };
    match place.area {
        Area::WriteWindow => ReadSource::ReadNothing,
        Area::PrefetchWindow => ReadSource::ReadPrefetchWindow,
        Area::Llcm => ReadSource::ReadLlcm,
        Area::LhBuffer => ReadSource::ReadLhBuffer,
        Area::UserRegister if place.wid => ReadSource::ReadUserRegister1,
        Area::UserRegister => ReadSource::ReadUserRegister0,
        Area::SystemRegister => ReadSource::ReadSystemRegister,
    }
}

/// Inputs of the page of process `own`: `both` with the events of that process.
#[inline(always)]
fn with_events(both: user_register::In, status: &Status, own: bool) -> user_register::In {
    let event = |pulse: bool, wid: bool| pulse && wid == own;
    let flag = |flag: WindowFlag| WindowFlag {
        opened: event(flag.opened, flag.wid),
        quarters: if flag.wid == own { flag.quarters } else { 0 },
        ..flag
    };
    let vs = status.vs_result;
    user_register::In {
        status_area_full: status.status_full >> own as u8 & 1 == 1,
        status_area_empty: status.status_empty >> own as u8 & 1 == 1,
        status_next_write_address: if own {
            status.status_next_write_address1
        } else {
            status.status_next_write_address0
        },
        botf_done: event(status.botf_done, status.botf_done_wid),
        vl_done: event(status.vl_done, status.vl_done_wid),
        rvl_done: event(status.rvl_done, status.rvl_done_wid),
        rvs_done: event(status.rvs_done, status.rvs_done_wid),
        ipush_done: event(status.ipush_done, status.ipush_done_wid),
        vs_result: VsResult { done: event(vs.done, vs.wid), ..vs },
        flag: flag(status.flag),
        request_flag: flag(status.request_flag),
        receive_flag: flag(status.receive_flag),
        packet_received: event(status.packet_received, status.receive_wid),
        receive_overrun: event(status.receive_overrun, status.receive_wid),
        receive_condition: if status.receive_wid == own { status.receive_condition } else { 0 },
        ..both
    }
}

/// Whether any status pin reports an event to the User Registers.
#[inline(always)]
fn reports(status: &Status) -> bool {
    let news = |flag: WindowFlag| flag.opened || flag.quarters != 0;
    status.botf_done
        || status.vs_result.done
        || status.vl_done
        || status.rvl_done
        || status.rvs_done
        || status.ipush_done
        || news(status.flag)
        || news(status.request_flag)
        || news(status.receive_flag)
        || status.packet_received
        || status.receive_overrun
        || status.receive_condition != 0
}

/// Module State from the state numbers: one-hot, except for Request Executor, Prefetch Unit and ring.
#[inline(always)]
fn module_state(status: &Status) -> ModuleState {
    let write_unit = 1 << status.read_control_state
        | (1 << status.write_control_state & 0x1f) << 4
        | (1 << status.stride_state & 7) << 9
        | u16::from(status.ring_state) << 12;
    ModuleState {
        acceptor: 1 << status.acceptor_state,
        executor: u16::from(status.executor_family) << 10 | status.executor_state,
        receive_controller: 1 << status.receive_state,
        prefetch_window_write: 1 << status.packet_write_state,
        write_unit,
        prefetch_unit: status.prefetch_unit_state,
    }
}

impl Probe for HostInterface {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("read_source", 3, self.read_source.code());
        visitor.register("request_turn", 1, self.request_turn);
        visitor.block("write_window", &self.write_window);
        visitor.block("prefetch_window", &self.prefetch_window);
        visitor.block("llcm", &self.llcm);
        visitor.block("lh_buffer", &self.lh_buffer);
        visitor.block("user_register0", &self.user_register0);
        visitor.block("user_register1", &self.user_register1);
        visitor.block("system_register", &self.system_register);
        visitor.block("configuration_distribution", &self.configuration_distribution);
        visitor.block("amt_address_table", &self.amt_address_table);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
