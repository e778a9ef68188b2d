// Generated from crates/devices/hca/src/retry_timer.rs by `make tables`; do not edit.
package retry_timer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the retry timer.
  typedef struct packed {
    logic active;  // The queue pair has an outstanding request.
    logic [7:0] pair;  // Queue pair of the turn.
    logic turn;  // A send queue has ended its turn.
  } in_t;

  // Output pins of the retry timer.
  typedef struct packed {
    logic [7:0] late;  // A queue pair with an outstanding request.
    logic due;  // The deadline of `late` is to be checked.
    logic [31:0] now;  // Time in ticks of 1.024 us; wraps.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
