// Generated from crates/devices/hca/src/events.rs by `make tables`; do not edit.
package events_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A CQE has come into a queue that was armed.
  localparam logic [4:0] Completion = 5'd1;

  // A queue pair has failed.
  localparam logic [4:0] QueuePair = 5'd2;

  // A completion queue has overflowed.
  localparam logic [4:0] Overflow = 5'd4;

  // An access was refused.
  localparam logic [4:0] Access = 5'd8;

  // A command is done.
  localparam logic [4:0] Command = 5'd16;

  // Input pins of the events.
  typedef struct packed {
    logic [3:0] completed;  // Queues into which a CQE has come.
    logic [3:0] arm;  // Queues that are armed, a bit each.
    logic [4:0] enable;  // Causes that interrupt.
    logic [4:0] clear;  // Causes that the host clears; one that comes up in this cycle stays.
    logic [4:0] raise;  // Causes that come up.
  } in_t;

  // Output pins of the events.
  typedef struct packed {
    logic request;  // An interrupt is requested.
    logic [4:0] causes;  // Causes.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
