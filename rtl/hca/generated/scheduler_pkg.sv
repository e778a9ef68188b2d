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
    logic [7:0] late;  // Its queue pair.
    logic due;  // The deadline of `late` is to be checked.
    logic [7:0] pair;  // Queue pair of the engine or command that runs.
    logic mends;  // `pair` is set up anew.
    logic breaks;  // `pair` enters the error state; its WQEs are to be flushed.
    // The receive engine or a command gives the send queue of `pair` work. It counts a cycle later,
    // as all of `pair`.
    logic wakes;
    logic again;  // The send queue that is served has more work; with `done`.
    logic [7:0] rung;  // Queue pair of the doorbell.
    // The doorbell is that of the receive queue: work for a queue pair in the error state alone.
    logic refills;
    logic rings;  // The host rings the doorbell of a send queue or of a receive queue.
    logic enable;  // The engines are enabled; commands run regardless.
  } in_t;

  // Output pins of the scheduler.
  typedef struct packed {
    logic [7:0] pair;  // Queue pair of the send queue.
    logic send;  // The send engine serves a send queue.
    logic receive;  // Runs the receive engine.
    logic command;  // Runs a command.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
