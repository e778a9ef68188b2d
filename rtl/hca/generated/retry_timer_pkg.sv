// Generated from crates/devices/hca/src/retry_timer.rs by `make tables`; do not edit.
package retry_timer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the retry timer.
  typedef struct packed {
    logic active;  // It has a request under way.
    logic [3:0] pair;  // Which one.
    logic turn;  // The send queue of a queue pair had its turn.
  } in_t;

  // Output pins of the retry timer.
  typedef struct packed {
    logic [15:0] due;  // Send queues that shall look at their deadline, a bit each.
    logic [31:0] now;  // Time in ticks.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
