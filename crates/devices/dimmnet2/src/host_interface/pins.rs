//! Pins of the host interface section (thesis sections 5.1 and 5.2): windows, LLCM, LH Buffer and registers behind one decoder.

use hdl::{Bundle, Item, Package};

use crate::address::Area;
use crate::pins::HostIn;
use crate::prefetch_unit::pins::WindowFlag;
use crate::request::Request;

hdl::codes! {
    /// User registers that configure the transaction side (thesis table 5.1).
    pub enum UserCode in host_interface_pkg, width 3 {
        /// No value is sent.
        UserInvalid = 0b000,
        /// IPUSH Area Size, for Receive Controller.
        UserIpushAreaSize = 0b010,
        /// Status Initial Address, for Status Write Unit.
        UserStatusInitialAddress = 0b101,
        /// Status Area Size, for Status Write Unit.
        UserStatusAreaSize = 0b110,
        /// Status Next Read Address, for Status Write Unit.
        UserStatusNextReadAddress = 0b111,
    }
}

hdl::codes! {
    /// System registers that configure the transaction side, all for Window Controller (thesis table 5.1).
    pub enum SystemCode in host_interface_pkg, width 3 {
        /// No value is sent.
        SystemInvalid = 0b000,
        /// SO-DIMM Capacity.
        SystemSdimmCapacity = 0b001,
        /// MTU: payload of an InfiniBand packet.
        SystemMtu = 0b010,
        /// LID of this node.
        SystemLid = 0b011,
        /// PGID of WID 0.
        SystemPgid0 = 0b100,
        /// PGID of WID 1.
        SystemPgid1 = 0b101,
        /// Read Options; not in the thesis (decision 0041).
        SystemReadOptions = 0b110,
    }
}

hdl::codes! {
    /// Source of the host's last read.
    pub enum ReadSource in host_interface_pkg, width 3 {
        /// None: a hole, or a write-only area. Reads 0.
        ReadNothing = 0,
        /// Prefetch Window, either process.
        ReadPrefetchWindow = 1,
        /// LLCM, either process.
        ReadLlcm = 2,
        /// LH Buffer, either process.
        ReadLhBuffer = 3,
        /// User Register page of WID 0.
        ReadUserRegister0 = 4,
        /// User Register page of WID 1.
        ReadUserRegister1 = 5,
        /// System Register page.
        ReadSystemRegister = 6,
    }
}

hdl::bundle! {
    /// A configuration value, sent one core cycle after the host wrote it (thesis table 5.1).
    pub struct Configuration in host_interface_pkg {
        /// Value, as written, right-aligned.
        value: u16,
        /// Process whose page was written; user registers only.
        wid: bool,
        /// User register that was written, a `UserCode`.
        user_code: u8 : 3,
        /// System register that was written, a `SystemCode`.
        system_code: u8 : 3,
    }
}

hdl::bundle! {
    /// Result of a primitive of the VS family.
    pub struct VsResult in host_interface_pkg {
        /// The primitive is complete; one cycle.
        done: bool,
        /// Process that issued the primitive.
        wid: bool,
        /// Source Write Window.
        window: u8 : 2,
        /// The data came from own SO-DIMM; no window is involved.
        copied: bool,
        /// The source extended past the end of the window.
        source_clamped: bool,
        /// The destination extended past the end of own SO-DIMM region.
        destination_clamped: bool,
    }
}

hdl::bundle! {
    /// Status of the transaction side, for the registers of both processes.
    pub struct Status in host_interface_pkg {
        /// Status ring of WID 0: LLCM byte address of the next status.
        status_next_write_address0: u16 : 15,
        /// Status ring of WID 1: LLCM byte address of the next status.
        status_next_write_address1: u16 : 15,
        /// Status ring full, bit per WID.
        status_full: u8 : 2,
        /// Status ring empty, bit per WID.
        status_empty: u8 : 2,
        /// The host Request FIFO is almost full.
        request_fifo_almost_full: bool,
        /// A BOTF is complete; one cycle.
        botf_done: bool,
        /// Process whose BOTF is complete.
        botf_done_wid: bool,
        /// Result of a primitive of the VS family.
        vs_result: VsResult,
        /// A VL, VLS or VLI is complete; one cycle.
        vl_done: bool,
        /// Process whose VL, VLS or VLI is complete.
        vl_done_wid: bool,
        /// The request of an RVL, RVLS or RVLI has been sent; one cycle.
        rvl_done: bool,
        /// Process whose RVL, RVLS or RVLI has been sent.
        rvl_done_wid: bool,
        /// An RVS, RVSS or RVSI of this node is complete; one cycle.
        rvs_done: bool,
        /// Process whose RVS, RVSS or RVSI is complete.
        rvs_done_wid: bool,
        /// An IPUSH of this node is complete; one cycle.
        ipush_done: bool,
        /// Process whose IPUSH is complete.
        ipush_done_wid: bool,
        /// Update of the Prefetch Window Flag, from Prefetch Unit.
        flag: WindowFlag,
        /// Update of the Prefetch Window Flag, from Window Controller: a remote read into a window is issued.
        request_flag: WindowFlag,
        /// Update of the Prefetch Window Flag, from Receive Controller.
        receive_flag: WindowFlag,
        /// A packet was accepted; one cycle.
        packet_received: bool,
        /// Received data extended past its area; one cycle.
        receive_overrun: bool,
        /// Error of the Receive Controller, a `ReceiveCondition`, nonzero for one cycle.
        receive_condition: u8 : 2,
        /// Process to which `packet_received`, `receive_overrun` and `receive_condition` belong.
        receive_wid: bool,
        /// State number of the Request Acceptor.
        acceptor_state: u8 : 2,
        /// State number of the running module of the Request Executor.
        executor_state: u16 : 10,
        /// Family of the running module, code bits 4:2 of the primitive.
        executor_family: u8 : 3,
        /// State number of the Receive Controller.
        receive_state: u8 : 4,
        /// State number of PWrite, the Receive Controller's packet writer.
        packet_write_state: u8 : 2,
        /// State number of the Write Unit's read control.
        read_control_state: u8 : 2,
        /// State number of the Write Unit's write control.
        write_control_state: u8 : 3,
        /// State number of the Write Unit's stride.
        stride_state: u8 : 2,
        /// State number of the Write Unit's ring.
        ring_state: u8 : 2,
        /// State numbers of the Prefetch Unit, as in Module State.
        prefetch_unit_state: u8 : 7,
        /// LID from the Subnet Manager.
        sma_lid: u16,
        /// SWIF status, 2'b11 when the link is usable.
        link_status: u8 : 2,
    }
}

hdl::bundle! {
    /// Input pins of the host interface section.
    pub struct In in host_interface_pkg {
        /// Beat on the host bus.
        host: HostIn,
        /// Status of the transaction side, for the registers.
        status: Status,
        /// The host Request FIFO is full, from Window Controller.
        request_fifo_full: bool,
        /// Reads 16 bytes of a Write Window, from Window Controller.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// Bytes of a Prefetch Window to write, from Receive Controller or Prefetch Unit; 0 writes nothing.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// The Write Unit reads an LLCM word.
        llcm_read_enable: bool,
        /// Bytes of an LLCM word to write, from Status Write Unit, Receive Controller or Write Unit; 0 writes nothing.
        llcm_byte_enable: u8,
        /// Word of 8 bytes: WID, word in the process's 32 KB.
        llcm_address: u16 : 13,
        /// Data for LLCM.
        llcm_wdata: u64,
        /// Process whose entry of the LH Buffer the Receive Controller writes.
        lh_wid: bool,
        /// Banks of the LH Buffer to write; 0 writes nothing.
        lh_write_enable: u8 : 2,
        /// Row of 16 bytes in the entry at the Tail.
        lh_row: u8 : 2,
        /// Line for the LH Buffer.
        lh_wdata: u64,
        /// Advances the Tail of the LH Buffer.
        lh_advance: bool,
        /// The Receive Controller reads the AMT Address Table.
        amt_read_enable: bool,
        /// Sender whose entry is read: CLID and, as bit 0, WID.
        amt_index: u16 : 13,
    }
}

hdl::bundle! {
    /// Output pins of the host interface section.
    pub struct Out in host_interface_pkg {
        /// To the host bus: data of the read one cycle earlier.
        rdata: u128,
        /// To the Window Controller: two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// To the Write Unit: the LLCM word read most recently.
        llcm_rdata: u64,
        /// To LLCM: the entry of the AMT Address Table read most recently.
        amt_entry: u16 : 12,
        /// To the Receive Controller: the LH Buffer has no free entry, bit per WID.
        lh_full: u8 : 2,
        /// To the Receive Controller: value of the flags of a new entry, bit per WID.
        lh_polarity: u8 : 2,
        /// To the host Request FIFO.
        request: Request,
        /// Command Ex of the request; 0 unless enabled.
        request_ex: u64,
        /// Writes the request; it is accepted in a cycle in which the FIFO is not full.
        request_enable: bool,
        /// Configuration value sent in this cycle, if any.
        configuration: Configuration,
        /// SO-DIMM access is enabled.
        sodimm_enabled: bool,
        /// Resets the controller; high for eight cycles, so that the slower network clock samples it.
        controller_reset: bool,
    }
}

/// Number of an area: bits 19:16 of a host address.
const fn number(name: &'static str, area: Area) -> Item {
    Item::Constant {
        name,
        width: 4,
        value: area.base() as u64 >> 16,
        doc: "Bits 19:16 of an address in the area.",
    }
}

/// Address bit that distinguishes the parts of the two processes; 0 in an area that both share.
const fn wid(name: &'static str, area: Area) -> Item {
    let value = (area.part(true) - area.part(false)) as u64;
    Item::Constant { name, width: 16, value, doc: "Address bit that is 1 in the part of WID 1." }
}

/// Address bits that are 0 in the parts of an area: any of them set means a hole.
const fn hole(name: &'static str, area: Area) -> Item {
    let wid = area.part(true) - area.part(false);
    let value = (0xffff & !wid & !(area.part_bytes() - 1)) as u64;
    Item::Constant { name, width: 16, value, doc: "Address bits that are 0 except in holes of the area." }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/host_interface_pkg",
    source: file!(),
    items: &[
        number("WriteWindowArea", Area::WriteWindow),
        wid("WriteWindowWid", Area::WriteWindow),
        hole("WriteWindowHole", Area::WriteWindow),
        number("PrefetchWindowArea", Area::PrefetchWindow),
        wid("PrefetchWindowWid", Area::PrefetchWindow),
        hole("PrefetchWindowHole", Area::PrefetchWindow),
        number("LlcmArea", Area::Llcm),
        wid("LlcmWid", Area::Llcm),
        hole("LlcmHole", Area::Llcm),
        number("LhBufferArea", Area::LhBuffer),
        wid("LhBufferWid", Area::LhBuffer),
        hole("LhBufferHole", Area::LhBuffer),
        number("UserRegisterArea", Area::UserRegister),
        wid("UserRegisterWid", Area::UserRegister),
        hole("UserRegisterHole", Area::UserRegister),
        number("SystemRegisterArea", Area::SystemRegister),
        hole("SystemRegisterHole", Area::SystemRegister),
        Item::Codes(UserCode::TABLE),
        Item::Codes(SystemCode::TABLE),
        Item::Codes(ReadSource::TABLE),
        Item::Bundle(Configuration::TABLE),
        Item::Bundle(VsResult::TABLE),
        Item::Bundle(Status::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
