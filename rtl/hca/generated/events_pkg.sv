// Generated from crates/devices/hca/src/events.rs by `make tables`; do not edit.
package events_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A CQE has come into a queue that was armed.
  localparam logic [8:0] Completion = 9'd1;

  // A queue pair has failed.
  localparam logic [8:0] QueuePair = 9'd2;

  // A completion queue has overflowed.
  localparam logic [8:0] Overflow = 9'd4;

  // An access was refused.
  localparam logic [8:0] Access = 9'd8;

  // A command is done.
  localparam logic [8:0] Command = 9'd16;

  // Shared receive queue 0 has fewer WQEs than its limit.
  localparam logic [8:0] Limit = 9'd32;

  // Input pins of the events.
  typedef struct packed {
    logic [7:0] ring;  // A completion queue.
    logic completed;  // The completion queue `ring` got a CQE.
    logic [7:0] armed;  // A completion queue.
    logic arm;  // The host arms the completion queue `armed`.
    logic [8:0] enable;  // Causes that request an interrupt.
    // Causes that the host clears; one that is raised in the same cycle stays set.
    logic [8:0] clear;
    logic [8:0] raise;  // Causes raised in this cycle, a bit each.
  } in_t;

  // Output pins of the events.
  typedef struct packed {
    logic request;  // An enabled cause was pending in the cycle before.
    logic [8:0] causes;  // Pending causes, a bit each.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
