//! Window Controller: accepts requests and builds packets (thesis section 5.3, figure 5.8).
//!
//! Structural: Configuration Register, two Request FIFOs, Request Acceptor and Request Executor with the
//! wires between them. A 24-byte BOTF takes 10 cycles from the one in which the FIFO first holds its request
//! to the end of the state machine.

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use super::configuration_register::{self, ConfigurationRegister};
use super::pins::{In, Out, VectorStore};
use super::request_acceptor::{self, RequestAcceptor};
use super::request_executor::{self, RequestExecutor};
use super::request_fifo::{self, RequestFifo};
use crate::host_interface::pins::VsResult;
use crate::prefetch_unit::pins::{CopyRequest, WindowFlag};

/// Configuration Register, Request FIFOs, Request Acceptor and Request Executor.
#[derive(Clone, Debug, Default)]
pub struct WindowController {
    /// Keeps and decodes configuration values.
    pub configuration_register: ConfigurationRegister,
    /// Requests of both processes.
    pub host_request_fifo: RequestFifo,
    /// Requests of remote nodes.
    pub remote_request_fifo: RequestFifo,
    /// Fetches requests and computes their sizes.
    pub request_acceptor: RequestAcceptor,
    /// Executes requests, one at a time.
    pub request_executor: RequestExecutor,
}

impl Clocked for WindowController {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let configuration = self.configuration_register.outputs();
        let host = self.host_request_fifo.outputs();
        let remote = self.remote_request_fifo.outputs();
        let acceptor = self.request_acceptor.outputs();
        let executor = self.request_executor.outputs();
        Out {
            line: executor.line,
            line_enable: executor.line_enable,
            write_window_read_enable: executor.write_window_read_enable,
            write_window_address: executor.write_window_address,
            host_fifo_full: host.full,
            host_fifo_almost_full: host.almost_full,
            remote_fifo_full: remote.full,
            botf_done: executor.botf_done,
            botf_done_wid: executor.botf_done_wid,
            vs_result: executor.vs_result,
            vector_store: executor.vector_store,
            copy_request: executor.copy_request,
            vl_done: executor.vl_done,
            vl_done_wid: executor.vl_done_wid,
            rvl_done: executor.rvl_done,
            rvl_done_wid: executor.rvl_done_wid,
            flag: executor.flag,
            rvs_done: executor.rvs_done,
            rvs_done_wid: executor.rvs_done_wid,
            ipush_done: executor.ipush_done,
            ipush_done_wid: executor.ipush_done_wid,
            vector_load: executor.vector_load,
            vector_load_start: executor.vector_load_start,
            packet_next: executor.packet_next,
            acceptor_state: acceptor.state as u8,
            executor_state: executor.state,
            executor_family: executor.family,
            configured: configuration.configured,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let configured = self.configuration_register.outputs().configured;
        let host = self.host_request_fifo.outputs();
        let remote = self.remote_request_fifo.outputs();
        let acceptor = self.request_acceptor.outputs();
        let executor = self.request_executor.outputs();

        self.configuration_register.tick(&configuration_register::In { configuration: pins.configuration });
        self.host_request_fifo.tick(&request_fifo::In {
            request: pins.host_request,
            ex: pins.host_ex,
            write_enable: pins.host_request_enable,
            read_enable: acceptor.host_read_enable,
        });
        self.remote_request_fifo.tick(&request_fifo::In {
            request: pins.remote_request,
            ex: pins.remote_ex,
            write_enable: pins.remote_request_enable,
            read_enable: acceptor.remote_read_enable,
        });
        let asked = match acceptor.state {
            request_acceptor::State::Wait => executor.ready,
            _ => !host.empty || !remote.empty,
        };
        self.request_acceptor.tick_if(asked, || request_acceptor::In {
            host_empty: host.empty,
            host_request: host.request,
            host_ex: host.ex,
            remote_empty: remote.empty,
            remote_request: remote.request,
            remote_ex: remote.ex,
            executor_ready: executor.ready,
        });
        self.request_executor.tick(&request_executor::In {
            write_window_rdata: pins.write_window_rdata,
            request: acceptor.request,
            ex: acceptor.ex,
            sizes: acceptor.sizes,
            remote: acceptor.remote,
            request_enable: acceptor.request_enable,
            pgid0: configured.pgid0,
            pgid1: configured.pgid1,
            mtu: configured.mtu,
            data_awaited: configured.data_awaited,
            swif_fifo_free: pins.swif_fifo_free,
            vector_store_status: pins.vector_store_status,
            prefetch_unit_busy: pins.prefetch_unit_busy,
            copy_chunk: pins.copy_chunk,
            packet_data: pins.packet_data,
            packet_lines: pins.packet_lines,
            vl_hold: pins.vl_hold,
            capacity: configured.capacity,
        });
    }

    fn reset(&mut self) {
        self.configuration_register.reset();
        self.host_request_fifo.reset();
        self.remote_request_fifo.reset();
        self.request_acceptor.reset();
        self.request_executor.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        self.configuration_register
            .quiescent()
            .and(self.host_request_fifo.quiescent())
            .and(self.remote_request_fifo.quiescent())
            .and(self.request_acceptor.quiescent())
            .and(self.request_executor.quiescent())
    }
}

impl WindowController {
    /// The output pins while the unit rests; the constants let the compiler remove the logic that depends on
    /// them.
    #[inline(always)]
    pub fn outputs_at_rest(&self) -> Out {
        let out = self.outputs();
        let at_rest = Out {
            line_enable: false,
            write_window_read_enable: false,
            botf_done: false,
            vs_result: VsResult { done: false, ..out.vs_result },
            vl_done: false,
            rvl_done: false,
            flag: WindowFlag { opened: false, quarters: 0, ..out.flag },
            rvs_done: false,
            ipush_done: false,
            vector_load_start: false,
            packet_next: false,
            vector_store: VectorStore { request: false, ..out.vector_store },
            copy_request: CopyRequest {
                request: false,
                end_copy: false,
                read_enable: false,
                ..out.copy_request
            },
            ..out
        };
        debug_assert_eq!(at_rest, out, "a resting Window Controller requests nothing");
        at_rest
    }
}

impl Probe for WindowController {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("configuration_register", &self.configuration_register);
        visitor.block("host_request_fifo", &self.host_request_fifo);
        visitor.block("remote_request_fifo", &self.remote_request_fifo);
        visitor.block("request_acceptor", &self.request_acceptor);
        visitor.block("request_executor", &self.request_executor);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
