// Generated from crates/devices/hca/src/scheduler.rs by `make tables`; do not edit.
package scheduler_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Scheduler.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Looks for something to do.
    Command = 2'd1,  // A command is carried out.
    Receive = 2'd2,  // A packet is received.
    Send = 2'd3  // A send queue has its turn.
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
    logic done;  // The one that works is done.
    logic free;  // A slot of the transmitter is free.
    logic packet;  // A packet waits.
    logic command;  // A command waits.
    logic again;  // The send queue whose turn it is has more to do.
    logic [15:0] posted;  // Send queues that get something to do, a bit each.
    logic enable;  // The adapter may work; commands are carried out without.
  } in_t;

  // Output pins of the scheduler.
  typedef struct packed {
    logic [3:0] pair;  // Which one.
    logic send;  // A send queue has its turn.
    logic receive;  // A packet may be received.
    logic command;  // A command may be carried out.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
