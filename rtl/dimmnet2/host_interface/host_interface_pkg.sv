// Generated from crates/devices/dimmnet2/src/host_interface/pins.rs by `make tables`; do not edit.
package host_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] WriteWindowArea = 4'd0;

  // Bit of an address in the area that is 1 in the part of WID 1.
  localparam logic [15:0] WriteWindowWid = 16'd8192;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] WriteWindowHole = 16'd55296;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] PrefetchWindowArea = 4'd1;

  // Bit of an address in the area that is 1 in the part of WID 1.
  localparam logic [15:0] PrefetchWindowWid = 16'd8192;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] PrefetchWindowHole = 16'd55296;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] LlcmArea = 4'd2;

  // Bit of an address in the area that is 1 in the part of WID 1.
  localparam logic [15:0] LlcmWid = 16'd32768;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] LlcmHole = 16'd0;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] LhBufferArea = 4'd3;

  // Bit of an address in the area that is 1 in the part of WID 1.
  localparam logic [15:0] LhBufferWid = 16'd32768;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] LhBufferHole = 16'd28672;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] UserRegisterArea = 4'd4;

  // Bit of an address in the area that is 1 in the part of WID 1.
  localparam logic [15:0] UserRegisterWid = 16'd4096;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] UserRegisterHole = 16'd57344;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] SystemRegisterArea = 4'd5;

  // Bits of an address in the area that are 0 but in its holes.
  localparam logic [15:0] SystemRegisterHole = 16'd61440;

  // User registers that configure the transaction side (thesis table 5.1).

  localparam logic [2:0] UserInvalid = 3'b000;  // No value is on its way.
  localparam logic [2:0] UserIpushAreaSize = 3'b010;  // IPUSH Area Size, for Receive Controller.
  // Status Initial Address, for Status Write Unit.
  localparam logic [2:0] UserStatusInitialAddress = 3'b101;
  localparam logic [2:0] UserStatusAreaSize = 3'b110;  // Status Area Size, for Status Write Unit.
  // Status Next Read Address, for Status Write Unit.
  localparam logic [2:0] UserStatusNextReadAddress = 3'b111;

  // System registers that configure the transaction side, all for Window Controller (thesis table
  // 5.1).

  localparam logic [2:0] SystemInvalid = 3'b000;  // No value is on its way.
  localparam logic [2:0] SystemSdimmCapacity = 3'b001;  // SO-DIMM Capacity.
  localparam logic [2:0] SystemMtu = 3'b010;  // MTU.
  localparam logic [2:0] SystemLid = 3'b011;  // LID.
  localparam logic [2:0] SystemPgid0 = 3'b100;  // PGID of WID 0.
  localparam logic [2:0] SystemPgid1 = 3'b101;  // PGID of WID 1.
  // Read Options; ours, the thesis has no such register (decision 0041).
  localparam logic [2:0] SystemReadOptions = 3'b110;

  // Who answers the host's last read.

  // Nobody: a hole, or an area that the host only writes. It reads 0.
  localparam logic [2:0] ReadNothing = 3'b000;
  localparam logic [2:0] ReadPrefetchWindow = 3'b001;  // Prefetch Window.
  localparam logic [2:0] ReadLlcm = 3'b010;  // LLCM.
  localparam logic [2:0] ReadLhBuffer = 3'b011;  // LH Buffer.
  localparam logic [2:0] ReadUserRegister0 = 3'b100;  // User Register page of WID 0.
  localparam logic [2:0] ReadUserRegister1 = 3'b101;  // User Register page of WID 1.
  localparam logic [2:0] ReadSystemRegister = 3'b110;  // System Register page.

  // A configuration value on its way, one core cycle after the host wrote it (thesis table 5.1).
  typedef struct packed {
    logic [2:0] system_code;  // Which system register, a `SystemCode`.
    logic [2:0] user_code;  // Which user register, a `UserCode`.
    logic wid;  // Process whose page was written; user registers only.
    logic [15:0] value;  // Value, as written, right-aligned.
  } configuration_t;

  // How a primitive of the VS family went.
  typedef struct packed {
    logic destination_clamped;  // The destination ran past the end of own SO-DIMM region.
    logic source_clamped;  // The source ran past the end of the window.
    logic copied;  // The data came from own SO-DIMM: no window is concerned.
    logic [1:0] window;  // Write Window that the data came from.
    logic wid;  // Process that issued it.
    logic done;  // It is complete; one cycle.
  } vs_result_t;

  // What the transaction side shows to the host in the registers of both processes.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status.
    logic [15:0] sma_lid;  // LID from the Subnet Manager.
    logic [6:0] prefetch_unit_state;  // State numbers of the Prefetch Unit.
    logic [1:0] ring_state;  // State number of the Write Unit's ring.
    logic [1:0] stride_state;  // State number of the Write Unit's stride.
    logic [2:0] write_control_state;  // State number of the Write Unit's write control.
    logic [1:0] read_control_state;  // State number of the Write Unit's read control.
    logic [1:0] packet_write_state;  // State number of its packet writer.
    logic [3:0] receive_state;  // State number of the Receive Controller.
    logic [2:0] executor_family;  // Family of the running module, code bits 4:2 of the primitive.
    logic [9:0] executor_state;  // State number of the running module of the Request Executor.
    logic [1:0] acceptor_state;  // State number of the Request Acceptor.
    logic receive_wid;  // Process that the three pulses above belong to.
    // Condition of the Receive Controller, nonzero for one cycle: 1 first line inside a packet, 2
    // header lines and hflag differ, 3 malformed RVL.
    logic [1:0] receive_condition;
    logic receive_overrun;  // Received data ran past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    // The same from Receive Controller.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } receive_flag;
    // The same from Window Controller: a remote read into a window is asked for.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } request_flag;
    // News for the Prefetch Window Flag, from Prefetch Unit.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic ipush_done_wid;  // Process whose IPUSH is complete.
    logic ipush_done;  // An IPUSH of this node is complete; one cycle.
    logic rvs_done_wid;  // Process whose RVS, RVSS or RVSI is complete.
    logic rvs_done;  // An RVS, RVSS or RVSI of this node is complete; one cycle.
    logic rvl_done_wid;  // Process whose RVL, RVLS or RVLI is complete.
    logic rvl_done;  // An RVL, RVLS or RVLI is complete, its request sent; one cycle.
    logic vl_done_wid;  // Process whose VL, VLS or VLI is complete.
    logic vl_done;  // A VL, VLS or VLI is complete; one cycle.
    vs_result_t vs_result;  // How a primitive of the VS family went.
    logic botf_done_wid;  // Process whose BOTF is complete.
    logic botf_done;  // A BOTF is complete; one cycle.
    logic request_fifo_almost_full;  // The host Request FIFO has little room left.
    logic [1:0] status_empty;  // Status ring empty, bit per WID.
    logic [1:0] status_full;  // Status ring full, bit per WID.
    logic [14:0] status_next_write_address1;  // Status ring of WID 1.
    // Status ring of WID 0: where the next status goes, a byte address in LLCM.
    logic [14:0] status_next_write_address0;
  } status_t;

  // Input pins of the host interface section.
  typedef struct packed {
    logic [12:0] amt_index;  // Sender whose entry it reads: CLID and, as bit 0, WID.
    logic amt_read_enable;  // The Receive Controller reads the AMT Address Table.
    logic lh_advance;  // The Tail of the LH Buffer moves on.
    logic [63:0] lh_wdata;  // Line for the LH Buffer.
    logic [1:0] lh_row;  // Row of 16 bytes in the entry at the Tail.
    logic [1:0] lh_write_enable;  // Banks of the LH Buffer to write; 0 writes nothing.
    logic lh_wid;  // Process whose entry of the LH Buffer the Receive Controller writes.
    logic [63:0] llcm_wdata;  // Data for LLCM.
    logic [12:0] llcm_address;  // Word of 8 bytes: WID, word in the process's 32 KB.
    // Bytes of an LLCM word to write, from Status Write Unit, Receive Controller or Write Unit; 0
    // writes nothing.
    logic [7:0] llcm_byte_enable;
    logic llcm_read_enable;  // The Write Unit reads an LLCM word.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write, from Receive Controller or Prefetch Unit; 0 writes
    // nothing.
    logic [15:0] prefetch_window_byte_enable;
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads 16 bytes of a Write Window, from Window Controller.
    // The host Request FIFO cannot take a request, from Window Controller.
    logic request_fifo_full;
    status_t status;  // For the registers.
    // From the host bus.
    struct packed {
      logic write;
      logic enable;
      logic [19:0] address;
      logic [15:0] byte_enable;
      logic [127:0] wdata;
    } host;
  } in_t;

  // Output pins of the host interface section.
  typedef struct packed {
    // Resets the controller; high for eight cycles, so that the network side sees it too.
    logic controller_reset;
    logic sodimm_enabled;  // SO-DIMM access is enabled.
    configuration_t configuration;  // Configuration values.
    // Writes the request; it is taken in a cycle in which the FIFO is not full.
    logic request_enable;
    logic [63:0] request_ex;  // Command Ex of the request; 0 unless enabled.
    // To the host Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    // To the Receive Controller: what the flags of a new entry are, bit per WID.
    logic [1:0] lh_polarity;
    // To the Receive Controller: the LH Buffer has no room for an entry, bit per WID.
    logic [1:0] lh_full;
    logic [11:0] amt_entry;  // To LLCM: the entry of the AMT Address Table read last.
    logic [63:0] llcm_rdata;  // To the Write Unit: the LLCM word read last.
    // To the Window Controller: two lines of the Write Window read last.
    logic [127:0] write_window_rdata;
    logic [127:0] rdata;  // To the host bus: data of the read one cycle earlier.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
