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
            rdata: match self.read_source {
                ReadSource::ReadNothing => 0,
                ReadSource::ReadPrefetchWindow => self.prefetch_window.outputs().host_rdata,
                ReadSource::ReadLlcm => self.llcm.outputs().host_rdata,
                ReadSource::ReadLhBuffer => self.lh_buffer.outputs().host_rdata,
                ReadSource::ReadUserRegister0 => self.user_register0.outputs().rdata.into(),
                ReadSource::ReadUserRegister1 => self.user_register1.outputs().rdata.into(),
                ReadSource::ReadSystemRegister => system.rdata.into(),
            },
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
        // Wires: the beat. An address selects 16 bytes; its low 4 bits are ignored.
        let host = &pins.host;
        let place = if host.enable { Area::locate(host.address & !0xf) } else { None };
        let beat = |area: Area| place.filter(|place| place.area == area);
        let row = |place: Option<Place>| place.map_or(0, |place| place.offset >> 4) as u16;
        let read = |place: Option<Place>| place.is_some() && !host.write;
        let bytes = |place: Option<Place>| if place.is_some() && host.write { host.byte_enable } else { 0 };

        let write_window = beat(Area::WriteWindow);
        let prefetch_window = beat(Area::PrefetchWindow);
        let llcm = beat(Area::Llcm);
        let lh_buffer = beat(Area::LhBuffer);
        let user_register = beat(Area::UserRegister);
        let system_register = beat(Area::SystemRegister);
        let wid = place.is_some_and(|place| place.wid);

        // Wires: registers. They lie in the Even bank, so only the low 8 byte enables apply.
        let offset = host.address as u16 & 0xff0;
        let wdata = host.wdata as u64;
        let whole = host.byte_enable as u8 == 0xff;
        let user_write = user_register.is_some() && host.write && whole;
        let system_write = system_register.is_some() && host.write && whole;
        let system_touch = bytes(system_register) as u8 != 0;

        // Wires: the request that goes to the Request FIFO.
        let request_wid = self.request_wid();
        let request_taken = self.request_enable() && !pins.request_fifo_full;
        let system = self.system_register.outputs();
        let status = &pins.status;
        let lh = self.lh_buffer.outputs();
        let head_write =
            user_write && UserRegister::write(offset) == Some(UserRegister::LhBufferNextReadAddress);

        // The edge. Only a read changes the source of read data.
        if host.enable && !host.write {
            self.read_source = read_source(place);
        }
        self.write_window.tick(&write_window::In {
            host_byte_enable: bytes(write_window),
            host_row: (wid as u8) << 7 | row(write_window) as u8,
            host_wdata: host.wdata,
            read_enable: pins.write_window_read_enable,
            row: pins.write_window_address,
        });
        self.prefetch_window.tick(&prefetch_window::In {
            host_read_enable: read(prefetch_window),
            host_row: (wid as u8) << 7 | row(prefetch_window) as u8,
            byte_enable: pins.prefetch_window_byte_enable,
            row: pins.prefetch_window_address,
            wdata: pins.prefetch_window_wdata,
        });
        self.llcm.tick(&llcm::In {
            host_read_enable: read(llcm),
            host_byte_enable: bytes(llcm),
            host_row: (wid as u16) << 11 | row(llcm),
            host_wdata: host.wdata,
            read_enable: pins.llcm_read_enable,
            byte_enable: pins.llcm_byte_enable,
            address: pins.llcm_address,
            wdata: pins.llcm_wdata,
        });
        self.lh_buffer.tick(&lh_buffer::In {
            host_read_enable: read(lh_buffer),
            host_row: (wid as u16) << 8 | row(lh_buffer),
            head_enable: (head_write as u8) << wid as u8,
            head: wdata as u16 & 0xfff,
            controller_reset: system.controller_reset,
            wid: pins.lh_wid,
            write_enable: pins.lh_write_enable,
            row: pins.lh_row,
            wdata: pins.lh_wdata,
            advance: pins.lh_advance,
        });
        let sender = AmtAddressTableInterface::from_bits(wdata);
        self.amt_address_table.tick(&amt_address_table::In {
            write_enable: system_write
                && SystemRegister::write(offset) == Some(SystemRegister::AmtAddressTableInterface),
            write_index: index(lid_to_clid(sender.lid), sender.wid),
            wdata: amt_address_table::Entry { word: sender.value },
            read_enable: pins.amt_read_enable,
            read_index: pins.amt_index,
        });
        self.system_register.tick_if(system_register.is_some(), || system_register::In {
            offset,
            write: system_write,
            touch: system_touch,
            read: read(system_register),
            wdata: wdata & 1 == 1,
            sma_lid: status.sma_lid,
            link_status: status.link_status,
        });
        if system.controller_reset {
            self.request_turn = false;
            self.user_register0.reset();
            self.user_register1.reset();
            self.configuration_distribution.reset();
        } else {
            if request_taken {
                self.request_turn = !request_wid;
            }
            if user_register.is_some() || request_taken || reports(status) {
                let both = user_register::In {
                    offset,
                    wdata,
                    sdimm_initialized: system.sodimm_enabled,
                    request_fifo_almost_full: status.request_fifo_almost_full,
                    // Costly, and of no account but to a read.
                    module_state: if read(user_register) { module_state(status).bits() } else { 0 },
                    ..user_register::In::default()
                };
                let page = |own: bool| user_register::In {
                    write: user_write && wid == own,
                    read: read(user_register) && wid == own,
                    request_taken: request_taken && request_wid == own,
                    lh_next_write_address: if own { lh.tail1 } else { lh.tail0 },
                    ..with_events(both, status, own)
                };
                self.user_register0.tick(&page(false));
                self.user_register1.tick(&page(true));
            }
            self.configuration_distribution.tick_if(user_write || system_write, || {
                configuration_distribution::In { wdata: wdata as u16, offset, user_write, wid, system_write }
            });
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
    /// Process whose request is sent first.
    #[inline(always)]
    fn request_wid(&self) -> bool {
        self.user_register1.request_waiting && (!self.user_register0.request_waiting || self.request_turn)
    }

    #[inline(always)]
    fn request_enable(&self) -> bool {
        self.user_register0.request_waiting || self.user_register1.request_waiting
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
