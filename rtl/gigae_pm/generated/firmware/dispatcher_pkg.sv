// Generated from crates/devices/gigae_pm/src/firmware/dispatcher.rs by `make tables`; do not edit.
package dispatcher_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Work in progress.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for work.
    Receive = 2'd1,  // Processes a received frame.
    Send = 2'd2,  // Processes a send descriptor.
    Scan = 2'd3  // Visits a control structure.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Scan
    4'b0001,  // from Send
    4'b0001,  // from Receive
    4'b1110  // from Idle
  };

  // Input pins of the Dispatcher.
  typedef struct packed {
    logic scan_done;  // The visit is over; high for one cycle.
    logic send_done;  // The send descriptor is processed; high for one cycle.
    logic receive_done;  // The received frame is processed; high for one cycle.
    logic scan_wanted;  // A visit of a control structure is due.
    logic send_wanted;  // A send descriptor waits.
    logic receive_wanted;  // A received frame waits.
    logic enable;  // The firmware is enabled.
  } in_t;

  // Output pins of the Dispatcher.
  typedef struct packed {
    logic scan_start;  // Visits a control structure.
    logic send_start;  // Processes a send descriptor.
    logic receive_start;  // Processes a received frame.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
