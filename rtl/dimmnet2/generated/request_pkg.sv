// Generated from crates/devices/dimmnet2/src/request.rs by `make tables`; do not edit.
package request_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A command together with what its register and page imply: 130 bits (thesis section 5.3, figure
  // 5.7).
  typedef struct packed {
    logic wid;  // WID of the issuer, given by the page that was written.
    // Destination of received data: 0 SO-DIMM (Command0), 1 Prefetch Window (Command1). Local
    // primitives ignore it.
    logic to_prefetch_window;
    logic [63:0] upper;  // Command Upper.
    logic [63:0] lower;  // Command Lower.
  } request_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
