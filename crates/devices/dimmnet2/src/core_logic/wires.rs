//! Wires between the units of the Core Logic in one cycle: the outputs of all units, and the inputs that
//! they form.

use super::{In, Out};
use crate::address::lid_to_clid;
use crate::host_interface::amt_address_table::index;
use crate::packet::FirstLine;
use crate::{
    host_interface, prefetch_unit, receive_controller, request_separator, status_write_unit,
    window_controller, write_unit,
};

/// Outputs of the units before a clock edge.
pub struct Wires {
    pub(super) host: host_interface::pins::Out,
    pub(super) window: window_controller::pins::Out,
    pub(super) receive: receive_controller::pins::Out,
    pub(super) write: write_unit::pins::Out,
    pub(super) prefetch: prefetch_unit::pins::Out,
    pub(super) status: status_write_unit::Out,
    pub(super) separated: request_separator::Out,
}

impl Wires {
    /// Output pins of the Core Logic.
    #[inline(always)]
    pub(crate) fn outputs(&self) -> Out {
        let Wires { host, window, receive, write, prefetch, .. } = self;
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

    #[inline(always)]
    pub(super) fn host_interface_inputs(&self, pins: &In) -> host_interface::pins::In {
        // The first header line, in the cycle in which the Receive Controller examines it.
        let first = FirstLine::from_bits(pins.line.data);
        let (prefetch_window_byte_enable, prefetch_window_address, prefetch_window_wdata) =
            self.prefetch_window_write();
        let (llcm_address, llcm_wdata) = self.llcm_access();
        host_interface::pins::In {
            host: pins.host,
            status: self.reported_status(pins),
            request_fifo_full: self.window.host_fifo_full,
            write_window_read_enable: self.window.write_window_read_enable,
            write_window_address: self.window.write_window_address,
            prefetch_window_byte_enable,
            prefetch_window_address,
            prefetch_window_wdata,
            // At most one of the three uses the port in a cycle, so their enables are combined without
            // arbitration.
            llcm_read_enable: self.write.llcm_read_enable,
            llcm_byte_enable: self.status.llcm_byte_enable
                | self.write.llcm_byte_enable
                | self.receive.llcm_byte_enable,
            llcm_address,
            llcm_wdata,
            lh_wid: self.receive.write_request.wid,
            lh_write_enable: self.receive.lh_write_enable,
            lh_row: self.receive.lh_row,
            lh_wdata: self.receive.lh_wdata,
            lh_advance: self.receive.lh_advance,
            amt_read_enable: self.receive.amt_read_enable,
            amt_index: index(lid_to_clid(first.dlid), first.swid),
        }
    }

    /// Events and states that the host reads in its registers.
    #[inline(always)]
    fn reported_status(&self, pins: &In) -> host_interface::pins::Status {
        host_interface::pins::Status {
            status_next_write_address0: self.status.next_write_address0,
            status_next_write_address1: self.status.next_write_address1,
            status_full: self.status.full,
            status_empty: self.status.empty,
            request_fifo_almost_full: self.window.host_fifo_almost_full,
            botf_done: self.window.botf_done,
            botf_done_wid: self.window.botf_done_wid,
            vs_result: self.window.vs_result,
            vl_done: self.window.vl_done,
            vl_done_wid: self.window.vl_done_wid,
            rvl_done: self.window.rvl_done,
            rvl_done_wid: self.window.rvl_done_wid,
            rvs_done: self.window.rvs_done,
            rvs_done_wid: self.window.rvs_done_wid,
            ipush_done: self.window.ipush_done,
            ipush_done_wid: self.window.ipush_done_wid,
            flag: self.prefetch.flag,
            request_flag: self.window.flag,
            receive_flag: self.receive.flag,
            packet_received: self.receive.packet_received,
            receive_overrun: self.receive.overrun,
            receive_condition: self.receive.condition,
            receive_wid: self.receive.wid,
            acceptor_state: self.window.acceptor_state,
            executor_state: self.window.executor_state,
            executor_family: self.window.executor_family,
            receive_state: self.receive.state,
            packet_write_state: self.receive.packet_write_state,
            read_control_state: self.write.read_control_state,
            write_control_state: self.write.write_control_state,
            stride_state: self.write.stride_state,
            ring_state: self.write.ring_state,
            prefetch_unit_state: self.prefetch.state,
            sma_lid: pins.sma_lid,
            link_status: pins.link_status,
        }
    }

    /// Whether the Receive Controller writes a Prefetch Window in this cycle.
    #[inline(always)]
    fn receive_writes_window(&self) -> bool {
        self.receive.prefetch_window_byte_enable != 0
    }

    /// Write to the Prefetch Windows: byte enables, address and data. The Receive Controller has no wait
    /// state for the Prefetch Window, so it wins the port.
    #[inline(always)]
    fn prefetch_window_write(&self) -> (u16, u8, u128) {
        let (receive, prefetch) = (&self.receive, &self.prefetch);
        if self.receive_writes_window() {
            (
                receive.prefetch_window_byte_enable,
                receive.prefetch_window_address,
                receive.prefetch_window_wdata,
            )
        } else {
            (
                prefetch.prefetch_window_byte_enable,
                prefetch.prefetch_window_address,
                prefetch.prefetch_window_wdata,
            )
        }
    }

    /// Address and write data of the LLCM port.
    #[inline(always)]
    fn llcm_access(&self) -> (u16, u64) {
        let (status, write, receive) = (&self.status, &self.write, &self.receive);
        let status_writes = status.llcm_byte_enable != 0;
        let ring_accesses = write.llcm_read_enable || write.llcm_byte_enable != 0;
        debug_assert!(
            status_writes as u8 + ring_accesses as u8 + (receive.llcm_byte_enable != 0) as u8 <= 1,
            "a packet's status is written before the next packet's header is read"
        );
        if status_writes {
            (status.llcm_address, status.llcm_wdata)
        } else if ring_accesses {
            ((receive.write_request.wid as u16) << 12 | write.llcm_entry, write.llcm_wdata)
        } else {
            (receive.llcm_address, receive.llcm_wdata)
        }
    }

    #[inline(always)]
    pub(super) fn window_controller_inputs(&self, pins: &In) -> window_controller::pins::In {
        window_controller::pins::In {
            write_window_rdata: self.host.write_window_rdata,
            host_request: self.host.request,
            host_ex: self.host.request_ex,
            host_request_enable: self.host.request_enable,
            remote_request: self.separated.request,
            remote_ex: self.separated.ex,
            remote_request_enable: self.separated.remote_request_enable,
            configuration: self.host.configuration,
            swif_fifo_free: pins.swif_fifo_free,
            vector_store_status: self.write.vector_store_status,
            prefetch_unit_busy: self.prefetch.busy,
            copy_chunk: self.prefetch.copy_chunk,
            packet_data: self.prefetch.packet_data,
            packet_lines: self.prefetch.packet_lines,
            vl_hold: self.receive.vl_hold,
        }
    }

    #[inline(always)]
    pub(super) fn prefetch_unit_inputs(&self, pins: &In) -> prefetch_unit::pins::In {
        prefetch_unit::pins::In {
            vector_load: self.window.vector_load,
            vector_load_start: self.window.vector_load_start,
            capacity: self.window.configured.capacity,
            read_together: self.window.configured.read_together,
            read_right: pins.read_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
            data: pins.data,
            prefetch_window_free: !self.receive_writes_window(),
            list_request: self.write.list_request,
            list_read_enable: self.write.list_read_enable,
            list_row: self.write.list_row,
            copy_request: self.window.copy_request,
            packet_next: self.window.packet_next,
        }
    }

    #[inline(always)]
    pub(super) fn receive_controller_inputs(&self, pins: &In) -> receive_controller::pins::In {
        receive_controller::pins::In {
            line: pins.line,
            packet_available: pins.packet_available,
            pgid0: self.window.configured.pgid0,
            pgid1: self.window.configured.pgid1,
            configuration: self.host.configuration,
            write_unit_done: self.write.done,
            write_unit_overrun: self.write.overrun,
            write_unit_refused: self.write.refused,
            write_unit_broken: self.write.broken,
            write_unit_bytes: self.write.bytes,
            write_unit_first_address: self.write.first_address,
            ring_room: self.write.ring_room,
            lh_full: self.host.lh_full,
            lh_polarity: self.host.lh_polarity,
            status_busy: self.status.status_busy,
            remote_fifo_full: self.window.remote_fifo_full,
        }
    }

    #[inline(always)]
    pub(super) fn write_unit_inputs(&self, pins: &In) -> write_unit::pins::In {
        write_unit::pins::In {
            write_request: self.receive.write_request,
            ring_request: self.receive.ring_request,
            llcm_rdata: self.host.llcm_rdata,
            amt_entry: self.host.amt_entry,
            head_done: self.receive.head_done,
            head_broken: self.receive.head_broken,
            line: pins.line,
            capacity: self.window.configured.capacity,
            write_right: pins.write_right,
            sodimm_almost_full: pins.sodimm_almost_full,
            sodimm_idle: pins.sodimm_idle,
            vector_store: self.window.vector_store,
            write_window_rdata: self.host.write_window_rdata,
            store_list: self.prefetch.store_list,
            copy_rdata: self.prefetch.copy_rdata,
        }
    }

    #[inline(always)]
    pub(super) fn status_write_unit_inputs(&self) -> status_write_unit::In {
        status_write_unit::In {
            status: self.separated.request,
            status_enable: self.separated.status_enable,
            configuration: self.host.configuration,
        }
    }
}
