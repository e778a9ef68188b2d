// Generated from crates/devices/cenju3/src/arbiter.rs by `make tables`; do not edit.
package arbiter_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the arbiter.
  typedef struct packed {
    // Requests, a bit for each block; a request falls for at least a cycle after a burst.
    logic [5:0] request;
  } in_t;

  // Output pins of the arbiter.
  typedef struct packed {
    logic [5:0] grant;  // Grants, a bit for each block; at most one is set.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
