//! Pins of the host interface section (thesis sections 5.1 and 5.2): windows, LLCM, LH Buffer and registers behind one decoder.

use hdl::{Bundle, Item, Package};

use crate::pins::HostIn;
use crate::request::Request;

hdl::bundle! {
    /// A configuration value on its way, one core cycle after the host wrote it (thesis table 5.1).
    pub struct Configuration in host_interface_pkg {
        /// Value, as written, right-aligned.
        value: u16,
        /// Process whose page was written; user registers only.
        wid: bool,
        /// Which user register: 2 IPUSH Area Size, 5 Status Initial Address, 6 Status Area Size, 7 Status Next Read Address, 0 none.
        user_code: u8 : 3,
        /// Which system register: 1 SO-DIMM Capacity, 2 MTU, 3 LID, 4 PGID of WID 0, 5 PGID of WID 1, 0 none.
        system_code: u8 : 3,
    }
}

hdl::bundle! {
    /// What the transaction side shows to the host in the registers of both processes.
    pub struct Status in host_interface_pkg {
        /// Status ring of WID 0: where the next status goes, a byte address in LLCM.
        status_next_write_address0: u16 : 15,
        /// Status ring of WID 1.
        status_next_write_address1: u16 : 15,
        /// Status ring full, bit per WID.
        status_full: u8 : 2,
        /// Status ring empty, bit per WID.
        status_empty: u8 : 2,
        /// The host Request FIFO has little room left.
        request_fifo_almost_full: bool,
        /// A BOTF is complete; one cycle.
        botf_done: bool,
        /// Process whose BOTF is complete.
        botf_done_wid: bool,
        /// A packet was accepted; one cycle.
        packet_received: bool,
        /// Received data ran past its area; one cycle.
        receive_overrun: bool,
        /// Condition of the Receive Controller, nonzero for one cycle: 1 first line inside a packet, 2 header lines and hflag differ, 3 malformed RVL.
        receive_condition: u8 : 2,
        /// Process that the three pulses above belong to.
        receive_wid: bool,
        /// State number of the Request Acceptor.
        acceptor_state: u8 : 2,
        /// State number of the running module of the Request Executor.
        executor_state: u16 : 10,
        /// Family of the running module, code bits 4:2 of the primitive.
        executor_family: u8 : 3,
        /// State number of the Receive Controller.
        receive_state: u8 : 4,
        /// State number of its packet writer.
        packet_write_state: u8 : 2,
        /// State number of the Write Unit's read control.
        read_control_state: u8 : 2,
        /// State number of the Write Unit's write control.
        write_control_state: u8 : 3,
        /// LID from the Subnet Manager.
        sma_lid: u16,
        /// SWIF status.
        link_status: u8 : 2,
    }
}

hdl::bundle! {
    /// Input pins of the host interface section.
    pub struct In in host_interface_pkg {
        /// From the host bus.
        host: HostIn,
        /// For the registers.
        status: Status,
        /// The host Request FIFO cannot take a request, from Window Controller.
        request_fifo_full: bool,
        /// Reads 16 bytes of a Write Window, from Window Controller.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// Bytes of a Prefetch Window to write, from Receive Controller; 0 writes nothing.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// Bytes of an LLCM word to write, from Status Write Unit or Receive Controller; 0 writes nothing.
        llcm_byte_enable: u8,
        /// Word of 8 bytes: WID, word in the process's 32 KB.
        llcm_address: u16 : 13,
        /// Data for LLCM.
        llcm_wdata: u64,
    }
}

hdl::bundle! {
    /// Output pins of the host interface section.
    pub struct Out in host_interface_pkg {
        /// To the host bus: data of the read one cycle earlier.
        rdata: u128,
        /// To the Window Controller: two lines of the Write Window read last.
        write_window_rdata: u128,
        /// To the host Request FIFO.
        request: Request,
        /// Command Ex of the request; 0 unless enabled.
        request_ex: u64,
        /// Writes the request; it is taken in a cycle in which the FIFO is not full.
        request_enable: bool,
        /// Configuration values.
        configuration: Configuration,
        /// SO-DIMM access is enabled.
        sodimm_enabled: bool,
        /// Resets the controller; high for eight cycles, so that the network side sees it too.
        controller_reset: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/host_interface_pkg",
    source: "crates/dimmnet2/src/host_interface/pins.rs",
    items: &[
        Item::Bundle(Configuration::TABLE),
        Item::Bundle(Status::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
