// Generated from crates/devices/hca/src/scheduler.rs by `make tables`; do not edit.
package scheduler_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Scheduler.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Looks for work.
    Command = 2'd1,  // A command runs.
    Receive = 2'd2,  // The receive engine handles a packet.
    Send = 2'd3  // The send engine serves a send queue.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Send
    4'b0001,  // from Receive
    4'b0001,  // from Command
    4'b1110  // from Idle
  };

  // Input pins of the scheduler.
  typedef struct packed {
    logic done;  // The running engine is done.
    logic free;  // The transmitter has a free slot.
    logic packet;  // A packet is waiting.
    logic command;  // A command is waiting.
    logic again;  // The send queue that is served has more work.
    logic [63:0] mends;  // Queue pairs that are set up anew, a bit each.
    // Queue pairs that enter the error state, a bit each; their WQEs are to be flushed.
    logic [63:0] breaks;
    // Receive queues that get WQEs, a bit each; work for queue pairs in the error state alone.
    logic [63:0] refilled;
    logic [63:0] posted;  // Send queues that get work, a bit each.
    logic enable;  // The engines are enabled; commands run regardless.
  } in_t;

  // Output pins of the scheduler.
  typedef struct packed {
    logic [5:0] pair;  // Queue pair of the send queue; 0 to 63.
    logic send;  // The send engine serves a send queue.
    logic receive;  // Runs the receive engine.
    logic command;  // Runs a command.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
