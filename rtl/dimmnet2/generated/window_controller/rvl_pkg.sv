// Generated from crates/devices/dimmnet2/src/window_controller/rvl.rs by `make tables`; do not edit.
package rvl_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Packet Size of a request: four header lines.
  localparam logic [11:0] RequestBytes = 12'd32;

  // RVL module of the Request Executor (figure 5.14).
  typedef enum logic [2:0] {
    Prim = 3'd0,  // Waits for an RVL, RVLS or RVLI.
    Wait = 3'd1,  // Waits for room in the SWIF FIFO.
    Rvl1 = 3'd2,  // The first line leaves.
    Rvl2 = 3'd3,  // The second line leaves.
    Rvl3 = 3'd4,  // The third line leaves.
    RvlEnd = 3'd5  // The fourth line leaves; resets the internal registers.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from RvlEnd
    6'b100000,  // from Rvl3
    6'b010000,  // from Rvl2
    6'b001000,  // from Rvl1
    6'b000100,  // from Wait
    6'b000110  // from Prim
  };

  // Input pins of the RVL module.
  typedef struct packed {
    logic swif_fifo_almost_full;  // The SWIF FIFO has less room than one packet needs.
    logic [7:0] pgid1;  // Process group of WID 1, from Configuration Register.
    logic [7:0] pgid0;  // Process group of WID 0, from Configuration Register.
    logic [63:0] ex;  // Command Ex of `request`.
    // The request to send.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    // The Request Executor dispatches an RVL, RVLS or RVLI; high for one cycle, only while `idle`.
    logic start;
  } in_t;

  // Output pins of the RVL module.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The module can accept a primitive.
    logic done_wid;  // Process whose primitive is complete.
    logic done;  // A primitive is complete: its request has been sent; high for one cycle.
    // Update of the Prefetch Window Flag.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
