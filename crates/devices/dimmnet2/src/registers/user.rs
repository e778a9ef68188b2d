//! User Register page, one per WID (thesis figure 4.12, table 4.8, appendix A).

use hdl::{Item, Package};

hdl::registers! {
    /// User Register page, one per WID (thesis figure 4.12, table 4.8, appendix A).
    pub enum UserRegister in user_register_pkg {
        /// Lower word of Command0, whose received data goes to SO-DIMM. Writing it issues the command (thesis
        /// figure 4.13).
        Command0Lower = 0x000 Write, width 64, reset 0;
        /// Upper word of Command0; keeps its value from command to command.
        Command0Upper = 0x010 Write, width 64, reset 0;
        /// Access parameters of the local side, for Command0 and Command1 alike; used if Command Ex Flag is
        /// 1.
        CommandEx = 0x020 Write, width 64, reset 0;
        /// Lower word of Command1, whose received data goes to the Prefetch Window. Writing it issues the command.
        Command1Lower = 0x100 Write, width 64, reset 0;
        /// Upper word of Command1.
        Command1Upper = 0x110 Write, width 64, reset 0;
        /// Progress and errors of the controller (thesis table A.1). After reset the Status Area is empty, so
        /// bit 4 reads 1.
        ControllerStatus = 0x200 Read, width 20, reset 0x10, layout ControllerStatus;
        /// Any data clears the Primitive Counter.
        PrimitiveCounterReset = 0x300 Write, width 64, reset 0;
        /// Completed primitives by family (thesis table A.2).
        PrimitiveCounter = 0x300 Read, width 60, reset 0, layout PrimitiveCounter;
        /// Which quarters of each Prefetch Window hold their data (thesis table A.3).
        PrefetchWindowFlag = 0x400 Read, width 16, reset 0, layout PrefetchWindowFlag;
        /// Any data clears the Packet Counter.
        PacketCounterReset = 0x500 Write, width 64, reset 0;
        /// Packets received for this process.
        PacketCounter = 0x500 Read, width 64, reset 0;
        /// Size of every ring in SO-DIMM that receives IPUSH. The unit is not published.
        IpushAreaSize = 0x600 Write, width 16, reset 0;
        /// Head of the LH Buffer, moved by the host.
        LhBufferNextReadAddress = 0x700 Write, width 12, reset 0, layout LhBufferPointer;
        /// Tail of the LH Buffer, moved by the controller.
        LhBufferNextWriteAddress = 0x700 Read, width 12, reset 0, layout LhBufferPointer;
        /// State machines of the controller, for debugging (thesis table A.4). The reset value is that of an
        /// idle controller (thesis figure C.13).
        ModuleState = 0x800 Read, width 58, reset 0x0000_4222_0002_0001, layout ModuleState;
        /// Start of the ring of receive statuses in the process's LLCM.
        StatusInitialAddress = 0x900 Write, width 15, reset 0, layout StatusPointer;
        /// Code of the size of the ring of receive statuses (thesis table A.5). 0 selects 1024 bytes.
        StatusAreaSize = 0xa00 Write, width 7, reset 0;
        /// Head of the ring of receive statuses, moved by the host.
        StatusNextReadAddress = 0xb00 Write, width 15, reset 0, layout StatusPointer;
        /// Tail of the ring of receive statuses, moved by the controller.
        StatusNextWriteAddress = 0xb00 Read, width 15, reset 0, layout StatusPointer;
        /// 1: commands have 192 bits, Command Ex included. 0: Command Ex is ignored.
        CommandExFlag = 0xc00 Write, width 1, reset 0;
    }
}

hdl::fields! {
    /// Controller Status (thesis table A.1). Three bits per Write Window report the result of the last
    /// VS-family primitive from that window.
    pub struct ControllerStatus in user_register_pkg {
        /// A written command is not yet in the Request FIFO.
        [0] request_waiting: bool,
        /// SO-DIMM initialisation is done.
        [1] sdimm_initialized: bool,
        /// The Request FIFO has little room.
        [2] request_fifo_almost_full: bool,
        /// The ring of receive statuses is full.
        [3] status_area_full: bool,
        /// The ring of receive statuses is empty.
        [4] status_area_empty: bool,
        /// VS from Write Window 0: the data is in SO-DIMM.
        [5] window0_complete: bool,
        /// VS from Write Window 0: the source extended past the end of the window.
        [6] window0_source_clamped: bool,
        /// VS from Write Window 0: the destination extended past the end of own SO-DIMM region.
        [7] window0_destination_clamped: bool,
        /// VS from Write Window 1: the data is in SO-DIMM.
        [8] window1_complete: bool,
        /// VS from Write Window 1: the source extended past the end of the window.
        [9] window1_source_clamped: bool,
        /// VS from Write Window 1: the destination extended past the end of own SO-DIMM region.
        [10] window1_destination_clamped: bool,
        /// VS from Write Window 2: the data is in SO-DIMM.
        [11] window2_complete: bool,
        /// VS from Write Window 2: the source extended past the end of the window.
        [12] window2_source_clamped: bool,
        /// VS from Write Window 2: the destination extended past the end of own SO-DIMM region.
        [13] window2_destination_clamped: bool,
        /// VS from Write Window 3: the data is in SO-DIMM.
        [14] window3_complete: bool,
        /// VS from Write Window 3: the source extended past the end of the window.
        [15] window3_source_clamped: bool,
        /// VS from Write Window 3: the destination extended past the end of own SO-DIMM region.
        [16] window3_destination_clamped: bool,
        /// Received data extended past the end of the receive area.
        [17] receive_overrun: bool,
        /// Receive Controller condition, a ReceiveCondition code.
        [19:18] receive_condition: u8,
    }
}

hdl::codes! {
    /// Receive Controller condition in Controller Status (thesis table A.1).
    pub enum ReceiveCondition in user_register_pkg, width 2 {
        /// No error.
        ReceiveNormal = 0b00,
        /// The first line of a packet arrived before the last line of the packet before it.
        ReceiveOverlap = 0b01,
        /// hflag does not match the number of header lines.
        ReceiveHeaderMismatch = 0b10,
        /// A packet of the RVL family is malformed, for example carries data.
        ReceiveMalformedRvl = 0b11,
    }
}

hdl::fields! {
    /// Primitive Counter (thesis table A.2). Each counter wraps at 1024.
    pub struct PrimitiveCounter in user_register_pkg {
        /// BOTF.
        [9:0] botf: u16,
        /// VL, VLS, VLI.
        [19:10] vl: u16,
        /// VS, VSS, VSI.
        [29:20] vs: u16,
        /// RVL, RVLS, RVLI: requests sent.
        [39:30] rvl: u16,
        /// RVS, RVSS, RVSI.
        [49:40] rvs: u16,
        /// IPUSH with and without LHS.
        [59:50] ipush: u16,
    }
}

hdl::fields! {
    /// Prefetch Window Flag (thesis table A.3): one bit for each 128-byte quarter of a window. The bits of a
    /// window are cleared when a read into it is issued; 4'b1111 means that all data has arrived.
    pub struct PrefetchWindowFlag in user_register_pkg {
        /// Quarters of Prefetch Window 0.
        [3:0] window0: u8,
        /// Quarters of Prefetch Window 1.
        [7:4] window1: u8,
        /// Quarters of Prefetch Window 2.
        [11:8] window2: u8,
        /// Quarters of Prefetch Window 3.
        [15:12] window3: u8,
    }
}

hdl::fields! {
    /// Module State (thesis table A.4). The thesis publishes four parts: Window Controller 16:0, Receive
    /// Controller 36:17, Write Unit 50:37, Prefetch Unit 57:51. The layout inside a part is inferred from the
    /// idle value that dsh decodes in thesis figure C.13.
    pub struct ModuleState in user_register_pkg {
        /// Window Controller, Request Acceptor: one bit per state, bit 0 is NOP.
        [3:0] acceptor: u8,
        /// Window Controller, Request Executor: family running in 12:10, its state in 9:0; dsh calls 0 P_BOTF_WAIT.
        [16:4] executor: u16,
        /// Receive Controller, main state machine: one bit per state, bit 0 is IDLE.
        [32:17] receive_controller: u16,
        /// Receive Controller, PWrite: one bit per state, bit 0 is IDLE.
        [36:33] prefetch_window_write: u8,
        /// Write Unit: rctl_stat one-hot in 3:0, wctl_stat one-hot in 8:4, wu_stride one-hot in 11:9, wu_ipush in 13:12.
        [50:37] write_unit: u16,
        /// Prefetch Unit: four state machines, all 0 when idle.
        [57:51] prefetch_unit: u8,
    }
}

hdl::fields! {
    /// Address in the ring of receive statuses; a status takes 16 bytes.
    pub struct StatusPointer in user_register_pkg {
        /// Byte offset in the process's 32 KB of LLCM.
        [14:0] address: u16,
    }
}

hdl::fields! {
    /// Address in the LH Buffer; an entry takes 64 bytes.
    pub struct LhBufferPointer in user_register_pkg {
        /// Byte offset in the process's 4 KB of LH Buffer.
        [11:0] address: u16,
    }
}

/// Status of one Write Window, a part of Controller Status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowStatus {
    /// The data of the last VS-family primitive is in SO-DIMM.
    pub complete: bool,
    /// The source extended past the end of the window.
    pub source_clamped: bool,
    /// The destination extended past the end of own SO-DIMM region.
    pub destination_clamped: bool,
}

impl ControllerStatus {
    /// The three bits of Write Window `window` (0 to 3).
    pub fn window(self, window: u8) -> WindowStatus {
        assert!(window < 4, "a process has Write Windows 0 to 3, not {window}");
        let bits = self.bits() >> (5 + 3 * window);
        WindowStatus {
            complete: bits & 1 == 1,
            source_clamped: bits >> 1 & 1 == 1,
            destination_clamped: bits >> 2 & 1 == 1,
        }
    }

    /// The Receive Controller condition.
    pub fn condition(self) -> ReceiveCondition {
        ReceiveCondition::from_code(self.receive_condition & 3).expect("every 2-bit code has a condition")
    }
}

/// The generated package.
pub const USER_PACKAGE: Package = Package {
    path: "dimmnet2/registers/user_register_pkg",
    source: file!(),
    items: &[
        Item::Registers(UserRegister::TABLE),
        Item::Fields(ControllerStatus::TABLE),
        Item::Codes(ReceiveCondition::TABLE),
        Item::Fields(PrimitiveCounter::TABLE),
        Item::Fields(PrefetchWindowFlag::TABLE),
        Item::Fields(ModuleState::TABLE),
        Item::Fields(StatusPointer::TABLE),
        Item::Fields(LhBufferPointer::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controller_status_of_figure_c_12() {
        let status = ControllerStatus::from_bits(0x832);
        let expected = ControllerStatus {
            sdimm_initialized: true,
            status_area_empty: true,
            window0_complete: true,
            window2_complete: true,
            ..Default::default()
        };
        assert_eq!(status, expected);
        let complete: Vec<_> = (0..4).map(|window| status.window(window).complete).collect();
        assert_eq!(complete, [true, false, true, false]);
        assert_eq!(status.condition(), ReceiveCondition::ReceiveNormal);
    }

    #[test]
    fn controller_status_tells_the_windows_apart() {
        let status = ControllerStatus { window3_destination_clamped: true, ..Default::default() };
        assert_eq!(status.bits(), 1 << 16);
        assert!(status.window(3).destination_clamped);
        let status = ControllerStatus { window1_source_clamped: true, ..Default::default() };
        assert_eq!(status.bits(), 1 << 9);
        assert!(status.window(1).source_clamped);
    }

    #[test]
    fn primitive_counter_of_figure_c_14() {
        let counter = PrimitiveCounter::from_bits(0x0000_0000_0010_0001);
        assert_eq!(counter, PrimitiveCounter { botf: 1, vs: 1, ..Default::default() });
    }

    #[test]
    fn module_state_of_an_idle_controller_is_that_of_figure_c_13() {
        let idle = ModuleState {
            acceptor: 1,
            executor: 0,
            receive_controller: 1,
            prefetch_window_write: 1,
            write_unit: 1 << 9 | 1 << 4 | 1,
            prefetch_unit: 0,
        };
        assert_eq!(idle.bits(), 0x0000_4222_0002_0001);
        assert_eq!(UserRegister::ModuleState.info().reset, idle.bits());
    }

    #[test]
    fn controller_status_resets_to_an_empty_status_area() {
        let reset = ControllerStatus::from_bits(UserRegister::ControllerStatus.info().reset);
        assert_eq!(reset, ControllerStatus { status_area_empty: true, ..Default::default() });
    }

    #[test]
    fn every_register_is_in_the_even_bank_and_ascends() {
        let infos: Vec<_> = UserRegister::ALL.iter().map(|register| register.info()).collect();
        assert!(infos.iter().all(|info| info.offset % 16 == 0));
        assert!(infos.windows(2).all(|pair| pair[0].offset <= pair[1].offset));
    }

    #[test]
    fn layouts_fit_the_widths_of_their_registers() {
        for info in UserRegister::ALL.iter().map(|register| register.info()) {
            let meaningful = u64::MAX >> (64 - info.width);
            assert_eq!(info.reset & !meaningful, 0, "{}", info.name);
            if let Some(layout) = info.layout {
                assert_eq!(layout.mask(), meaningful, "{}", info.name);
            }
        }
    }

    #[test]
    fn shared_offsets_are_decoded_by_direction() {
        use UserRegister::*;
        assert_eq!(UserRegister::read(0x300), Some(PrimitiveCounter));
        assert_eq!(UserRegister::write(0x300), Some(PrimitiveCounterReset));
        assert_eq!(UserRegister::read(0xb00), Some(StatusNextWriteAddress));
        assert_eq!(UserRegister::write(0xb00), Some(StatusNextReadAddress));
        assert_eq!(UserRegister::write(0x200), None);
    }
}
