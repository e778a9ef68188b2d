// Generated from crates/devices/cenju3/src/arbiter.rs by `make tables`; do not edit.
package arbiter_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the arbiter.
  typedef struct packed {
    logic [5:0] request;  // Who asks, a bit for each; it falls behind a burst for at least a cycle.
  } in_t;

  // Output pins of the arbiter.
  typedef struct packed {
    logic [5:0] grant;  // Who has memory: one at most.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
