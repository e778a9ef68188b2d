// Generated from crates/dimmnet2/src/sodimm_interface/sodimm_arbiter.rs by `make tables`; do not edit.
package sodimm_arbiter_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Holder of the right to use the SO-DIMMs.
  typedef enum logic [0:0] {
    Free = 1'd0,  // Nobody; a request gets the right.
    WriteUnit = 1'd1  // The Write Unit, until its request falls.
  } state_e;

  // Declared arcs of state_e: bit [from * 2 + to].
  localparam logic [3:0] StateArcs = {
    2'b01,  // from WriteUnit
    2'b10  // from Free
  };

  // Input pins of the SO-DIMM arbiter.
  typedef struct packed {
    logic write_right_request;  // From Write Unit.
  } in_t;

  // Output pins of the SO-DIMM arbiter.
  typedef struct packed {
    logic write_right;  // To Write Unit: it has the right to write.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
