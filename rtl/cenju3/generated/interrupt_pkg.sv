// Generated from crates/devices/cenju3/src/interrupt.rs by `make tables`; do not edit.
package interrupt_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the interrupt.
  typedef struct packed {
    logic [3:0] enable;  // Causes that request an interrupt, a bit each.
    logic [3:0] clear;  // Causes that the host clears, a bit each.
    logic [3:0] raise;  // Causes raised in this cycle, a bit each.
  } in_t;

  // Output pins of the interrupt.
  typedef struct packed {
    logic request;  // An enabled cause was pending in the cycle before.
    logic [3:0] cause;  // Pending causes, a bit each.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
