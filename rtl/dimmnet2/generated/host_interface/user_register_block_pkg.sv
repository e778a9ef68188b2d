// Generated from crates/devices/dimmnet2/src/host_interface/user_register.rs by `make tables`; do not edit.
package user_register_block_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the User Register.
  typedef struct packed {
    // Error of the Receive Controller, a `ReceiveCondition`, nonzero for one cycle.
    logic [1:0] receive_condition;
    // Received data extended past the receive area of this process; one cycle.
    logic receive_overrun;
    logic packet_received;  // A packet for this process was accepted; one cycle.
    // Update of the Prefetch Window Flag, from Receive Controller; `wid` is ignored.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } receive_flag;
    // Update of the Prefetch Window Flag, from Window Controller; `wid` is ignored.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } request_flag;
    // Update of this process's Prefetch Window Flag, from Prefetch Unit; `wid` is ignored.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic ipush_done;  // An IPUSH of this process is complete; one cycle.
    logic rvs_done;  // An RVS, RVSS or RVSI of this process is complete; one cycle.
    logic rvl_done;  // An RVL, RVLS or RVLI of this process is complete; one cycle.
    logic vl_done;  // A VL, VLS or VLI of this process is complete; one cycle.
    // Result of a VS-family primitive of this process.
    struct packed {
      logic destination_clamped;
      logic source_clamped;
      logic copied;
      logic [1:0] window;
      logic wid;
      logic done;
    } vs_result;
    logic botf_done;  // A BOTF of this process is complete; one cycle.
    logic [57:0] module_state;  // Module State, the same for both processes.
    logic [11:0] lh_next_write_address;  // Byte offset of the next message head, from LH Buffer.
    // LLCM byte address of the next receive status, from Status Write Unit.
    logic [14:0] status_next_write_address;
    logic status_area_empty;  // The ring of receive statuses is empty, from Status Write Unit.
    logic status_area_full;  // The ring of receive statuses is full, from Status Write Unit.
    logic request_fifo_almost_full;  // The Request FIFO is almost full, from Window Controller.
    logic sdimm_initialized;  // SO-DIMM initialisation is done, from System Register.
    logic request_taken;  // The Request FIFO accepts the request in this cycle.
    logic [63:0] wdata;  // Data from the host.
    logic read;  // The host reads the register at `offset`; it is on `rdata` in the next cycle.
    logic write;  // The host writes all 64 bits of the register at `offset`.
    logic [11:0] offset;  // Byte offset in the page.
  } in_t;

  // Output pins of the User Register.
  typedef struct packed {
    logic to_prefetch_window;  // The command in the slot is Command1.
    logic [63:0] ex;  // Command Ex; 0 unless Command Ex Flag is 1.
    logic [63:0] upper;  // Upper of the command in the slot.
    logic [63:0] lower;  // Command Lower.
    logic request_waiting;  // The slot holds a request.
    logic [63:0] rdata;  // Register that the host read most recently.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
