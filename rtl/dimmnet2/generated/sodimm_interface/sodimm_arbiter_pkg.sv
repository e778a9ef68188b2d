// Generated from crates/devices/dimmnet2/src/sodimm_interface/sodimm_arbiter.rs by `make tables`; do not edit.
package sodimm_arbiter_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Holder of the right to use the SO-DIMMs.
  typedef enum logic [1:0] {
    Free = 2'd0,  // No holder; a request gets the right.
    WriteUnit = 2'd1,  // The Write Unit, until its request falls.
    PrefetchUnit = 2'd2  // The Prefetch Unit, until its request falls.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from PrefetchUnit
    3'b001,  // from WriteUnit
    3'b110  // from Free
  };

  // Input pins of the SO-DIMM arbiter.
  typedef struct packed {
    logic read_right_request;  // Requests the right to read, from Prefetch Unit.
    logic write_right_request;  // Requests the right to write, from Write Unit.
  } in_t;

  // Output pins of the SO-DIMM arbiter.
  typedef struct packed {
    logic read_right;  // The Prefetch Unit has the right to read.
    logic write_right;  // The Write Unit has the right to write.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
