// Generated from crates/devices/hca/src/line.rs by `make tables`; do not edit.
package line_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of a line.
  typedef struct packed {
    // The one in front leaves; only while `ready`. The next one is in front two cycles later.
    logic leaves;
    logic [7:0] pair;  // Its number; it is not in the line.
    logic joins;  // A queue pair joins the end.
  } in_t;

  // Output pins of a line.
  typedef struct packed {
    logic [7:0] front;  // Its number.
    logic ready;  // A queue pair is in front.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
