// Generated from crates/devices/dimmnet2/src/registers/user.rs by `make tables`; do not edit.
package user_register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // User Register page, one per WID (thesis figure 4.12, table 4.8, appendix A).

  // write: Lower word of Command0, whose received data goes to SO-DIMM. Writing it issues the
  // command (thesis figure 4.13).
  localparam logic [11:0] Command0Lower = 12'h000;
  // write: Upper word of Command0; keeps its value from command to command.
  localparam logic [11:0] Command0Upper = 12'h010;
  // write: Access parameters of the local side, for Command0 and Command1 alike; used if Command Ex
  // Flag is 1.
  localparam logic [11:0] CommandEx = 12'h020;
  // write: Lower word of Command1, whose received data goes to the Prefetch Window. Writing it
  // issues the command.
  localparam logic [11:0] Command1Lower = 12'h100;
  localparam logic [11:0] Command1Upper = 12'h110;  // write: Upper word of Command1.
  // read: Progress and errors of the controller (thesis table A.1). After reset the Status Area is
  // empty, so bit 4 reads 1.
  localparam logic [11:0] ControllerStatus = 12'h200;
  // write: Any data clears the Primitive Counter.
  localparam logic [11:0] PrimitiveCounterReset = 12'h300;
  // read: Completed primitives by family (thesis table A.2).
  localparam logic [11:0] PrimitiveCounter = 12'h300;
  // read: Which quarters of each Prefetch Window hold their data (thesis table A.3).
  localparam logic [11:0] PrefetchWindowFlag = 12'h400;
  // write: Any data clears the Packet Counter.
  localparam logic [11:0] PacketCounterReset = 12'h500;
  localparam logic [11:0] PacketCounter = 12'h500;  // read: Packets received for this process.
  // write: Size of every ring in SO-DIMM that receives IPUSH. The unit is not published.
  localparam logic [11:0] IpushAreaSize = 12'h600;
  // write: Head of the LH Buffer, moved by the host.
  localparam logic [11:0] LhBufferNextReadAddress = 12'h700;
  // read: Tail of the LH Buffer, moved by the controller.
  localparam logic [11:0] LhBufferNextWriteAddress = 12'h700;
  // read: State machines of the controller, for debugging (thesis table A.4). The reset value is
  // that of an idle controller (thesis figure C.13).
  localparam logic [11:0] ModuleState = 12'h800;
  // write: Start of the ring of receive statuses in the process's LLCM.
  localparam logic [11:0] StatusInitialAddress = 12'h900;
  // write: Code of the size of the ring of receive statuses (thesis table A.5). 0 selects 1024
  // bytes.
  localparam logic [11:0] StatusAreaSize = 12'ha00;
  // write: Head of the ring of receive statuses, moved by the host.
  localparam logic [11:0] StatusNextReadAddress = 12'hb00;
  // read: Tail of the ring of receive statuses, moved by the controller.
  localparam logic [11:0] StatusNextWriteAddress = 12'hb00;
  // write: 1: commands have 192 bits, Command Ex included. 0: Command Ex is ignored.
  localparam logic [11:0] CommandExFlag = 12'hc00;

  // What the host reads from ControllerStatus after reset.
  localparam logic [19:0] ControllerStatusAtReset = 20'h10;

  // What the host reads from ModuleState after reset.
  localparam logic [57:0] ModuleStateAtReset = 58'h422200020001;

  // Controller Status (thesis table A.1). Three bits per Write Window report the result of the last
  // VS-family primitive from that window.
  typedef struct packed {
    logic [43:0] reserved_20;
    // [19:18] Receive Controller condition, a ReceiveCondition code.
    logic [1:0] receive_condition;
    logic receive_overrun;  // [17] Received data extended past the end of the receive area.
    // [16] VS from Write Window 3: the destination extended past the end of own SO-DIMM region.
    logic window3_destination_clamped;
    // [15] VS from Write Window 3: the source extended past the end of the window.
    logic window3_source_clamped;
    logic window3_complete;  // [14] VS from Write Window 3: the data is in SO-DIMM.
    // [13] VS from Write Window 2: the destination extended past the end of own SO-DIMM region.
    logic window2_destination_clamped;
    // [12] VS from Write Window 2: the source extended past the end of the window.
    logic window2_source_clamped;
    logic window2_complete;  // [11] VS from Write Window 2: the data is in SO-DIMM.
    // [10] VS from Write Window 1: the destination extended past the end of own SO-DIMM region.
    logic window1_destination_clamped;
    // [9] VS from Write Window 1: the source extended past the end of the window.
    logic window1_source_clamped;
    logic window1_complete;  // [8] VS from Write Window 1: the data is in SO-DIMM.
    // [7] VS from Write Window 0: the destination extended past the end of own SO-DIMM region.
    logic window0_destination_clamped;
    // [6] VS from Write Window 0: the source extended past the end of the window.
    logic window0_source_clamped;
    logic window0_complete;  // [5] VS from Write Window 0: the data is in SO-DIMM.
    logic status_area_empty;  // [4] The ring of receive statuses is empty.
    logic status_area_full;  // [3] The ring of receive statuses is full.
    logic request_fifo_almost_full;  // [2] The Request FIFO has little room.
    logic sdimm_initialized;  // [1] SO-DIMM initialisation is done.
    logic request_waiting;  // [0] A written command is not yet in the Request FIFO.
  } controller_status_t;

  // Receive Controller condition in Controller Status (thesis table A.1).

  localparam logic [1:0] ReceiveNormal = 2'b00;  // No error.
  // The first line of a packet arrived before the last line of the packet before it.
  localparam logic [1:0] ReceiveOverlap = 2'b01;
  // hflag does not match the number of header lines.
  localparam logic [1:0] ReceiveHeaderMismatch = 2'b10;
  // A packet of the RVL family is malformed, for example carries data.
  localparam logic [1:0] ReceiveMalformedRvl = 2'b11;

  // Primitive Counter (thesis table A.2). Each counter wraps at 1024.
  typedef struct packed {
    logic [3:0] reserved_60;
    logic [9:0] ipush;  // [59:50] IPUSH with and without LHS.
    logic [9:0] rvs;  // [49:40] RVS, RVSS, RVSI.
    logic [9:0] rvl;  // [39:30] RVL, RVLS, RVLI: requests sent.
    logic [9:0] vs;  // [29:20] VS, VSS, VSI.
    logic [9:0] vl;  // [19:10] VL, VLS, VLI.
    logic [9:0] botf;  // [9:0] BOTF.
  } primitive_counter_t;

  // Prefetch Window Flag (thesis table A.3): one bit for each 128-byte quarter of a window. The
  // bits of a window are cleared when a read into it is issued; 4'b1111 means that all data has
  // arrived.
  typedef struct packed {
    logic [47:0] reserved_16;
    logic [3:0] window3;  // [15:12] Quarters of Prefetch Window 3.
    logic [3:0] window2;  // [11:8] Quarters of Prefetch Window 2.
    logic [3:0] window1;  // [7:4] Quarters of Prefetch Window 1.
    logic [3:0] window0;  // [3:0] Quarters of Prefetch Window 0.
  } prefetch_window_flag_t;

  // Module State (thesis table A.4). The thesis publishes four parts: Window Controller 16:0,
  // Receive Controller 36:17, Write Unit 50:37, Prefetch Unit 57:51. The layout inside a part is
  // inferred from the idle value that dsh decodes in thesis figure C.13.
  typedef struct packed {
    logic [5:0] reserved_58;
    logic [6:0] prefetch_unit;  // [57:51] Prefetch Unit: four state machines, all 0 when idle.
    // [50:37] Write Unit: rctl_stat one-hot in 3:0, wctl_stat one-hot in 8:4, wu_stride one-hot in
    // 11:9, wu_ipush in 13:12.
    logic [13:0] write_unit;
    // [36:33] Receive Controller, PWrite: one bit per state, bit 0 is IDLE.
    logic [3:0] prefetch_window_write;
    // [32:17] Receive Controller, main state machine: one bit per state, bit 0 is IDLE.
    logic [15:0] receive_controller;
    // [16:4] Window Controller, Request Executor: family running in 12:10, its state in 9:0; dsh
    // calls 0 P_BOTF_WAIT.
    logic [12:0] executor;
    // [3:0] Window Controller, Request Acceptor: one bit per state, bit 0 is NOP.
    logic [3:0] acceptor;
  } module_state_t;

  // Address in the ring of receive statuses; a status takes 16 bytes.
  typedef struct packed {
    logic [48:0] reserved_15;
    logic [14:0] address;  // [14:0] Byte offset in the process's 32 KB of LLCM.
  } status_pointer_t;

  // Address in the LH Buffer; an entry takes 64 bytes.
  typedef struct packed {
    logic [51:0] reserved_12;
    logic [11:0] address;  // [11:0] Byte offset in the process's 4 KB of LH Buffer.
  } lh_buffer_pointer_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
