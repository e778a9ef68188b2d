// Generated from crates/devices/gigae_pm/src/firmware/dispatcher.rs by `make tables`; do not edit.
package dispatcher_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // What the firmware is at.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for work.
    Receive = 2'd1,  // Deals with a received frame.
    Send = 2'd2,  // Deals with a send descriptor.
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
    logic scan_done;  // The work is done.
    logic send_done;  // The work is done.
    logic receive_done;  // The work is done.
    logic scan_wanted;  // A control structure is to be visited.
    logic send_wanted;  // A send descriptor waits.
    logic receive_wanted;  // A received frame waits.
    logic enable;  // The firmware works.
  } in_t;

  // Output pins of the Dispatcher.
  typedef struct packed {
    logic scan_start;  // A visit is the work.
    logic send_start;  // A send descriptor is the work.
    logic receive_start;  // A received frame is the work.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
