// Generated from crates/devices/dimmnet2/src/host_interface/user_register.rs by `make tables`; do not edit.
package user_register_block_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the User Register.
  typedef struct packed {
    logic [1:0] receive_condition;  // Receive Controller condition, nonzero for one cycle.
    logic receive_overrun;  // Received data ran past the receive area of this process; one cycle.
    logic packet_received;  // A packet for this process was accepted; one cycle.
    // The same, from Receive Controller.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } receive_flag;
    // The same, from Window Controller.
    struct packed {
      logic wid;
      logic [1:0] window;
      logic [3:0] quarters;
      logic opened;
    } request_flag;
    // News for Prefetch Window Flag of this process, from Prefetch Unit; `wid` does not count.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic ipush_done;  // An IPUSH of this process is complete; one cycle.
    logic rvs_done;  // An RVS, RVSS or RVSI of this process is complete; one cycle.
    logic rvl_done;  // An RVL, RVLS or RVLI of this process is complete; one cycle.
    logic vl_done;  // A VL, VLS or VLI of this process is complete; one cycle.
    // How a primitive of the VS family of this process went.
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
    logic [11:0] lh_next_write_address;  // Where the next message head goes, from LH Buffer.
    // Where the next receive status goes, from Status Write Unit.
    logic [14:0] status_next_write_address;
    logic status_area_empty;  // The ring of receive statuses is empty, from Status Write Unit.
    logic status_area_full;  // The ring of receive statuses is full, from Status Write Unit.
    logic request_fifo_almost_full;  // The Request FIFO has little room, from Window Controller.
    logic sdimm_initialized;  // SO-DIMM initialisation is done, from System Register.
    logic request_taken;  // The request is in the Request FIFO after this cycle.
    logic [63:0] wdata;  // Data from the host.
    logic read;  // The host reads the register at `offset`; it is on `rdata` in the next cycle.
    logic write;  // The host writes all 64 bits of the register at `offset`.
    logic [11:0] offset;  // Byte offset in the page.
  } in_t;

  // Output pins of the User Register.
  typedef struct packed {
    logic to_prefetch_window;  // The command is Command1.
    logic [63:0] ex;  // Command Ex; 0 unless Command Ex Flag is 1.
    logic [63:0] upper;  // Command Upper of the same command.
    logic [63:0] lower;  // Command Lower.
    logic request_waiting;  // The slot holds a request.
    logic [63:0] rdata;  // Register that the host read last.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
