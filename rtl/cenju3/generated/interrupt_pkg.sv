// Generated from crates/devices/cenju3/src/interrupt.rs by `make tables`; do not edit.
package interrupt_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the interrupt.
  typedef struct packed {
    logic [3:0] enable;  // Causes that interrupt the host.
    logic [3:0] clear;  // Causes that the host clears.
    logic [3:0] raise;  // Causes, each high for one cycle.
  } in_t;

  // Output pins of the interrupt.
  typedef struct packed {
    logic request;  // To the host.
    logic [3:0] cause;  // Causes.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
