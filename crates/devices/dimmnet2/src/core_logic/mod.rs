//! The Core Logic: everything in the clock domain of the host bus (thesis section 4.2, figure 4.2).
//!
//! A structural block: it holds its children and the wires between them, in the order in which a packet
//! passes them.

pub mod pins;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use crate::address::lid_to_clid;
use crate::host_interface::amt_address_table::index;
use crate::host_interface::{self, HostInterface};
use crate::packet::FirstLine;
use crate::prefetch_unit::{self, PrefetchUnit};
use crate::receive_controller::{self, ReceiveController};
use crate::request_separator::separate;
use crate::status_write_unit::{self, StatusWriteUnit};
use crate::window_controller::{self, WindowController};
use crate::write_unit::{self, WriteUnit};
pub use pins::{In, Out};

/// All units at 100 MHz except the SO-DIMM interface.
#[derive(Clone, Debug, Default)]
pub struct CoreLogic {
    /// Windows, LLCM, LH Buffer and registers.
    pub host_interface: HostInterface,
    /// Takes requests and sends packets.
    pub window_controller: WindowController,
    /// Parses received packets.
    pub receive_controller: ReceiveController,
    /// Stores received data in SO-DIMM.
    pub write_unit: WriteUnit,
    /// Reads SO-DIMM into a Prefetch Window or a packet.
    pub prefetch_unit: PrefetchUnit,
    /// Writes receive statuses into LLCM.
    pub status_write_unit: StatusWriteUnit,
}

impl Clocked for CoreLogic {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        self.outputs_of::<true, true>()
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.tick_of::<true, true>(pins);
    }

    fn reset(&mut self) {
        self.host_interface.reset();
        self.window_controller.reset();
        self.receive_controller.reset();
        self.write_unit.reset();
        self.prefetch_unit.reset();
        self.status_write_unit.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let units = self.sending();
        if units == Quiet::Busy {
            return Quiet::Busy;
        }
        let units = units.and(self.receiving());
        if units == Quiet::Busy { Quiet::Busy } else { units.and(self.host_interface.quiescent()) }
    }

    fn skip(&mut self, cycles: u64) {
        self.host_interface.skip(cycles);
    }
}

/// Specialised versions for a Core Logic of which a half may rest; `SENDS` and `RECEIVES` name the halves
/// that do not. A board in a cluster mostly either sends or receives, and does neither while its host polls;
/// the compiler removes the logic of a resting half.
impl CoreLogic {
    /// Whether each half has work at the next edge: the sending half (Window Controller, Prefetch Unit) and
    /// the receiving half (Receive Controller, Write Unit, Status Write Unit). A half without work rests, and
    /// no other block requests anything of it.
    #[inline(always)]
    pub fn awake(&self, packet_available: bool) -> (bool, bool) {
        let host = self.host_interface.outputs();
        if host.controller_reset || host.configuration.user_code != 0 || host.configuration.system_code != 0 {
            return (true, true);
        }
        let sends = host.request_enable || self.sending() != Quiet::UntilInput;
        let receives = packet_available || self.receiving() != Quiet::UntilInput;
        (sends || receives && self.asks_to_send(), receives || sends && self.asks_to_receive())
    }

    /// Whether the receiving half requests something of the sending half: a reply to send or a list to read.
    #[inline(always)]
    fn asks_to_send(&self) -> bool {
        let write = self.write_unit.outputs();
        let separated = separate(&self.receive_controller.outputs().result);
        separated.remote_request_enable || write.list_request.request || write.list_read_enable
    }

    /// Whether the sending half requests something of the receiving half: data to store.
    #[inline(always)]
    fn asks_to_receive(&self) -> bool {
        self.window_controller.outputs().vector_store.request
    }

    /// How long the sending half stays unchanged.
    #[inline(always)]
    fn sending(&self) -> Quiet {
        self.window_controller.quiescent().and(self.prefetch_unit.quiescent())
    }

    /// How long the receiving half stays unchanged.
    #[inline(always)]
    fn receiving(&self) -> Quiet {
        let units = self.receive_controller.quiescent().and(self.write_unit.quiescent());
        units.and(self.status_write_unit.quiescent())
    }

    #[inline(always)]
    fn window<const SENDS: bool>(&self) -> window_controller::pins::Out {
        if SENDS { self.window_controller.outputs() } else { self.window_controller.outputs_at_rest() }
    }

    #[inline(always)]
    fn prefetch<const SENDS: bool>(&self) -> prefetch_unit::pins::Out {
        if SENDS { self.prefetch_unit.outputs() } else { self.prefetch_unit.outputs_at_rest() }
    }

    #[inline(always)]
    fn receive<const RECEIVES: bool>(&self) -> receive_controller::pins::Out {
        if RECEIVES { self.receive_controller.outputs() } else { self.receive_controller.outputs_at_rest() }
    }

    #[inline(always)]
    fn write<const RECEIVES: bool>(&self) -> write_unit::pins::Out {
        if RECEIVES { self.write_unit.outputs() } else { self.write_unit.outputs_at_rest() }
    }

    #[inline(always)]
    fn status<const RECEIVES: bool>(&self) -> status_write_unit::Out {
        if RECEIVES { self.status_write_unit.outputs() } else { self.status_write_unit.outputs_at_rest() }
    }

    /// Output pins, given which halves do not rest.
    #[inline(always)]
    pub fn outputs_of<const SENDS: bool, const RECEIVES: bool>(&self) -> Out {
        let host = self.host_interface.outputs();
        let window = self.window::<SENDS>();
        let receive = self.receive::<RECEIVES>();
        let write = self.write::<RECEIVES>();
        let prefetch = self.prefetch::<SENDS>();
        Out {
            rdata: host.rdata,
            line: window.line,
            line_enable: window.line_enable,
            packet_start: receive.packet_start,
            line_next: receive.line_next || write.line_next,
            write_right_request: write.write_right_request,
            word: write.word,
            read_right_request: prefetch.read_right_request,
            read: prefetch.read,
            data_next0: prefetch.data_next0,
            data_next1: prefetch.data_next1,
            sodimm_enabled: host.sodimm_enabled,
            controller_reset: host.controller_reset,
        }
    }

    /// One clock edge, given which halves do not rest.
    #[inline(always)]
    pub fn tick_of<const SENDS: bool, const RECEIVES: bool>(&mut self, pins: &In) {
        let host = self.host_interface.outputs();
        let window = self.window::<SENDS>();
        let receive = self.receive::<RECEIVES>();
        let write = self.write::<RECEIVES>();
        let prefetch = self.prefetch::<SENDS>();
        let status = self.status::<RECEIVES>();
        let separated = separate(&receive.result);
        let status_writes_llcm = status.llcm_byte_enable != 0;
        let ring_wants_llcm = write.llcm_read_enable || write.llcm_byte_enable != 0;
        debug_assert!(
            status_writes_llcm as u8 + ring_wants_llcm as u8 + (receive.llcm_byte_enable != 0) as u8 <= 1,
            "a packet's status is written before the next packet's header is read"
        );
        // The first header line, in the cycle in which the Receive Controller examines it.
        let first = FirstLine::from_bits(pins.line.data);
        let receive_writes_window = receive.prefetch_window_byte_enable != 0;

        self.host_interface.tick(&host_interface::pins::In {
            host: pins.host,
            status: host_interface::pins::Status {
                status_next_write_address0: status.next_write_address0,
                status_next_write_address1: status.next_write_address1,
                status_full: status.full,
                status_empty: status.empty,
                request_fifo_almost_full: window.host_fifo_almost_full,
                botf_done: window.botf_done,
                botf_done_wid: window.botf_done_wid,
                vs_result: window.vs_result,
                vl_done: window.vl_done,
                vl_done_wid: window.vl_done_wid,
                rvl_done: window.rvl_done,
                rvl_done_wid: window.rvl_done_wid,
                rvs_done: window.rvs_done,
                rvs_done_wid: window.rvs_done_wid,
                ipush_done: window.ipush_done,
                ipush_done_wid: window.ipush_done_wid,
                flag: prefetch.flag,
                request_flag: window.flag,
                receive_flag: receive.flag,
                packet_received: receive.packet_received,
                receive_overrun: receive.overrun,
                receive_condition: receive.condition,
                receive_wid: receive.wid,
                acceptor_state: window.acceptor_state,
                executor_state: window.executor_state,
                executor_family: window.executor_family,
                receive_state: receive.state,
                packet_write_state: receive.packet_write_state,
                read_control_state: write.read_control_state,
                write_control_state: write.write_control_state,
                stride_state: write.stride_state,
                ring_state: write.ring_state,
                prefetch_unit_state: prefetch.state,
                sma_lid: pins.sma_lid,
                link_status: pins.link_status,
            },
            request_fifo_full: window.host_fifo_full,
            write_window_read_enable: window.write_window_read_enable,
            write_window_address: window.write_window_address,
            // The Receive Controller has no wait state for the Prefetch Window, so it wins the port.
            prefetch_window_byte_enable: if receive_writes_window {
                receive.prefetch_window_byte_enable
            } else {
                prefetch.prefetch_window_byte_enable
            },
            prefetch_window_address: if receive_writes_window {
                receive.prefetch_window_address
            } else {
                prefetch.prefetch_window_address
            },
            prefetch_window_wdata: if receive_writes_window {
                receive.prefetch_window_wdata
            } else {
                prefetch.prefetch_window_wdata
            },
            // At most one of the three uses the port in a cycle, so their enables are combined without
            // arbitration.
            llcm_read_enable: write.llcm_read_enable,
            llcm_byte_enable: status.llcm_byte_enable | write.llcm_byte_enable | receive.llcm_byte_enable,
            llcm_address: if status_writes_llcm {
                status.llcm_address
            } else if ring_wants_llcm {
                (receive.write_request.wid as u16) << 12 | write.llcm_entry
            } else {
                receive.llcm_address
            },
            llcm_wdata: if status_writes_llcm {
                status.llcm_wdata
            } else if ring_wants_llcm {
                write.llcm_wdata
            } else {
                receive.llcm_wdata
            },
            lh_wid: receive.write_request.wid,
            lh_write_enable: receive.lh_write_enable,
            lh_row: receive.lh_row,
            lh_wdata: receive.lh_wdata,
            lh_advance: receive.lh_advance,
            amt_read_enable: receive.amt_read_enable,
            amt_index: index(lid_to_clid(first.dlid), first.swid),
        });

        if host.controller_reset {
            self.window_controller.reset();
            self.receive_controller.reset();
            self.write_unit.reset();
            self.prefetch_unit.reset();
            self.status_write_unit.reset();
            return;
        }

        if SENDS {
            self.window_controller.tick(&window_controller::pins::In {
                write_window_rdata: host.write_window_rdata,
                host_request: host.request,
                host_ex: host.request_ex,
                host_request_enable: host.request_enable,
                remote_request: separated.request,
                remote_ex: separated.ex,
                remote_request_enable: separated.remote_request_enable,
                configuration: host.configuration,
                swif_fifo_free: pins.swif_fifo_free,
                vector_store_status: write.vector_store_status,
                prefetch_unit_busy: prefetch.busy,
                copy_chunk: prefetch.copy_chunk,
                packet_data: prefetch.packet_data,
                packet_lines: prefetch.packet_lines,
                vl_hold: receive.vl_hold,
            });
            self.prefetch_unit.tick(&prefetch_unit::pins::In {
                vector_load: window.vector_load,
                vector_load_start: window.vector_load_start,
                capacity: window.configured.capacity,
                read_together: window.configured.read_together,
                read_right: pins.read_right,
                sodimm_almost_full: pins.sodimm_almost_full,
                sodimm_idle: pins.sodimm_idle,
                data: pins.data,
                prefetch_window_free: !receive_writes_window,
                list_request: write.list_request,
                list_read_enable: write.list_read_enable,
                list_row: write.list_row,
                copy_request: window.copy_request,
                packet_next: window.packet_next,
            });
        }
        if RECEIVES {
            self.receive_controller.tick(&receive_controller::pins::In {
                line: pins.line,
                packet_available: pins.packet_available,
                pgid0: window.configured.pgid0,
                pgid1: window.configured.pgid1,
                configuration: host.configuration,
                write_unit_done: write.done,
                write_unit_overrun: write.overrun,
                write_unit_refused: write.refused,
                write_unit_broken: write.broken,
                write_unit_bytes: write.bytes,
                write_unit_first_address: write.first_address,
                ring_room: write.ring_room,
                lh_full: host.lh_full,
                lh_polarity: host.lh_polarity,
                status_busy: status.status_busy,
                remote_fifo_full: window.remote_fifo_full,
            });
            self.write_unit.tick(&write_unit::pins::In {
                write_request: receive.write_request,
                ring_request: receive.ring_request,
                llcm_rdata: host.llcm_rdata,
                amt_entry: host.amt_entry,
                head_done: receive.head_done,
                head_broken: receive.head_broken,
                line: pins.line,
                capacity: window.configured.capacity,
                write_right: pins.write_right,
                sodimm_almost_full: pins.sodimm_almost_full,
                sodimm_idle: pins.sodimm_idle,
                vector_store: window.vector_store,
                write_window_rdata: host.write_window_rdata,
                store_list: prefetch.store_list,
                copy_rdata: prefetch.copy_rdata,
            });
            self.status_write_unit.tick(&status_write_unit::In {
                status: separated.request,
                status_enable: separated.status_enable,
                configuration: host.configuration,
            });
        }
    }
}

impl Probe for CoreLogic {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("host_interface", &self.host_interface);
        visitor.block("window_controller", &self.window_controller);
        visitor.block("receive_controller", &self.receive_controller);
        visitor.block("write_unit", &self.write_unit);
        visitor.block("prefetch_unit", &self.prefetch_unit);
        visitor.block("status_write_unit", &self.status_write_unit);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
