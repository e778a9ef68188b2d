// Generated from crates/devices/dimmnet2/src/host_interface/pins.rs by `make tables`; do not edit.
package host_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] WriteWindowArea = 4'd0;

  // Address bit that is 1 in the part of WID 1.
  localparam logic [15:0] WriteWindowWid = 16'd8192;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] WriteWindowHole = 16'd55296;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] PrefetchWindowArea = 4'd1;

  // Address bit that is 1 in the part of WID 1.
  localparam logic [15:0] PrefetchWindowWid = 16'd8192;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] PrefetchWindowHole = 16'd55296;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] LlcmArea = 4'd2;

  // Address bit that is 1 in the part of WID 1.
  localparam logic [15:0] LlcmWid = 16'd32768;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] LlcmHole = 16'd0;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] LhBufferArea = 4'd3;

  // Address bit that is 1 in the part of WID 1.
  localparam logic [15:0] LhBufferWid = 16'd32768;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] LhBufferHole = 16'd28672;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] UserRegisterArea = 4'd4;

  // Address bit that is 1 in the part of WID 1.
  localparam logic [15:0] UserRegisterWid = 16'd4096;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] UserRegisterHole = 16'd57344;

  // Bits 19:16 of an address in the area.
  localparam logic [3:0] SystemRegisterArea = 4'd5;

  // Address bits that are 0 except in holes of the area.
  localparam logic [15:0] SystemRegisterHole = 16'd61440;

  // User registers that configure the transaction side (thesis table 5.1).

  localparam logic [2:0] UserInvalid = 3'b000;  // No value is sent.
  localparam logic [2:0] UserIpushAreaSize = 3'b010;  // IPUSH Area Size, for Receive Controller.
  // Status Initial Address, for Status Write Unit.
  localparam logic [2:0] UserStatusInitialAddress = 3'b101;
  localparam logic [2:0] UserStatusAreaSize = 3'b110;  // Status Area Size, for Status Write Unit.
  // Status Next Read Address, for Status Write Unit.
  localparam logic [2:0] UserStatusNextReadAddress = 3'b111;

  // System registers that configure the transaction side, all for Window Controller (thesis table
  // 5.1).

  localparam logic [2:0] SystemInvalid = 3'b000;  // No value is sent.
  localparam logic [2:0] SystemSdimmCapacity = 3'b001;  // SO-DIMM Capacity.
  localparam logic [2:0] SystemMtu = 3'b010;  // MTU: payload of an InfiniBand packet.
  localparam logic [2:0] SystemLid = 3'b011;  // LID of this node.
  localparam logic [2:0] SystemPgid0 = 3'b100;  // PGID of WID 0.
  localparam logic [2:0] SystemPgid1 = 3'b101;  // PGID of WID 1.
  // Read Options; not in the thesis (decision 0041).
  localparam logic [2:0] SystemReadOptions = 3'b110;

  // Source of the host's last read.

  localparam logic [2:0] ReadNothing = 3'b000;  // None: a hole, or a write-only area. Reads 0.
  localparam logic [2:0] ReadPrefetchWindow = 3'b001;  // Prefetch Window, either process.
  localparam logic [2:0] ReadLlcm = 3'b010;  // LLCM, either process.
  localparam logic [2:0] ReadLhBuffer = 3'b011;  // LH Buffer, either process.
  localparam logic [2:0] ReadUserRegister0 = 3'b100;  // User Register page of WID 0.
  localparam logic [2:0] ReadUserRegister1 = 3'b101;  // User Register page of WID 1.
  localparam logic [2:0] ReadSystemRegister = 3'b110;  // System Register page.

  // A configuration value, sent one core cycle after the host wrote it (thesis table 5.1).
  typedef struct packed {
    logic [2:0] system_code;  // System register that was written, a `SystemCode`.
    logic [2:0] user_code;  // User register that was written, a `UserCode`.
    logic wid;  // Process whose page was written; user registers only.
    logic [15:0] value;  // Value, as written, right-aligned.
  } configuration_t;

  // Result of a primitive of the VS family.
  typedef struct packed {
    logic destination_clamped;  // The destination extended past the end of own SO-DIMM region.
    logic source_clamped;  // The source extended past the end of the window.
    logic copied;  // The data came from own SO-DIMM; no window is involved.
    logic [1:0] window;  // Source Write Window.
    logic wid;  // Process that issued the primitive.
    logic done;  // The primitive is complete; one cycle.
  } vs_result_t;

  // Status of the transaction side, for the registers of both processes.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status, 2'b11 when the link is usable.
    logic [15:0] sma_lid;  // LID from the Subnet Manager.
    logic [6:0] prefetch_unit_state;  // State numbers of the Prefetch Unit, as in Module State.
    logic [1:0] ring_state;  // State number of the Write Unit's ring.
    logic [1:0] stride_state;  // State number of the Write Unit's stride.
    logic [2:0] write_control_state;  // State number of the Write Unit's write control.
    logic [1:0] read_control_state;  // State number of the Write Unit's read control.
    // State number of PWrite, the Receive Controller's packet writer.
    logic [1:0] packet_write_state;
    logic [3:0] receive_state;  // State number of the Receive Controller.
    logic [2:0] executor_family;  // Family of the running module, code bits 4:2 of the primitive.
    logic [9:0] executor_state;  // State number of the running module of the Request Executor.
    logic [1:0] acceptor_state;  // State number of the Request Acceptor.
    // Process to which `packet_received`, `receive_overrun` and `receive_condition` belong.
    logic receive_wid;
    // Error of the Receive Controller, a `ReceiveCondition`, nonzero for one cycle.
    logic [1:0] receive_condition;
    logic receive_overrun;  // Received data extended past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    // Update of the Prefetch Window Flag, from Receive Controller.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } receive_flag;
    // Update of the Prefetch Window Flag, from Window Controller: a remote read into a window is
    // issued.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } request_flag;
    // Update of the Prefetch Window Flag, from Prefetch Unit.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic ipush_done_wid;  // Process whose IPUSH is complete.
    logic ipush_done;  // An IPUSH of this node is complete; one cycle.
    logic rvs_done_wid;  // Process whose RVS, RVSS or RVSI is complete.
    logic rvs_done;  // An RVS, RVSS or RVSI of this node is complete; one cycle.
    logic rvl_done_wid;  // Process whose RVL, RVLS or RVLI has been sent.
    logic rvl_done;  // The request of an RVL, RVLS or RVLI has been sent; one cycle.
    logic vl_done_wid;  // Process whose VL, VLS or VLI is complete.
    logic vl_done;  // A VL, VLS or VLI is complete; one cycle.
    vs_result_t vs_result;  // Result of a primitive of the VS family.
    logic botf_done_wid;  // Process whose BOTF is complete.
    logic botf_done;  // A BOTF is complete; one cycle.
    logic request_fifo_almost_full;  // The host Request FIFO is almost full.
    logic [1:0] status_empty;  // Status ring empty, bit per WID.
    logic [1:0] status_full;  // Status ring full, bit per WID.
    // Status ring of WID 1: LLCM byte address of the next status.
    logic [14:0] status_next_write_address1;
    // Status ring of WID 0: LLCM byte address of the next status.
    logic [14:0] status_next_write_address0;
  } status_t;

  // Input pins of the host interface section.
  typedef struct packed {
    logic [12:0] amt_index;  // Sender whose entry is read: CLID and, as bit 0, WID.
    logic amt_read_enable;  // The Receive Controller reads the AMT Address Table.
    logic lh_advance;  // Advances the Tail of the LH Buffer.
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
    logic request_fifo_full;  // The host Request FIFO is full, from Window Controller.
    status_t status;  // Status of the transaction side, for the registers.
    // Beat on the host bus.
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
    // Resets the controller; high for eight cycles, so that the slower network clock samples it.
    logic controller_reset;
    logic sodimm_enabled;  // SO-DIMM access is enabled.
    configuration_t configuration;  // Configuration value sent in this cycle, if any.
    // Writes the request; it is accepted in a cycle in which the FIFO is not full.
    logic request_enable;
    logic [63:0] request_ex;  // Command Ex of the request; 0 unless enabled.
    // To the host Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    // To the Receive Controller: value of the flags of a new entry, bit per WID.
    logic [1:0] lh_polarity;
    // To the Receive Controller: the LH Buffer has no free entry, bit per WID.
    logic [1:0] lh_full;
    logic [11:0] amt_entry;  // To LLCM: the entry of the AMT Address Table read most recently.
    logic [63:0] llcm_rdata;  // To the Write Unit: the LLCM word read most recently.
    // To the Window Controller: two lines of the Write Window, read most recently.
    logic [127:0] write_window_rdata;
    logic [127:0] rdata;  // To the host bus: data of the read one cycle earlier.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
