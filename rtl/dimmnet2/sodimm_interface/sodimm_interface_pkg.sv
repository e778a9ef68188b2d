// Generated from crates/dimmnet2/src/sodimm_interface/pins.rs by `make tables`; do not edit.
package sodimm_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the SO-DIMM interface.
  typedef struct packed {
    struct packed { logic ready; } memory1;  // From SO-DIMM2.
    struct packed { logic ready; } memory0;  // From SO-DIMM1.
    logic sodimm_enabled;  // SO-DIMM access is enabled; while it is not, words go nowhere.
    // From Write Unit.
    struct packed { logic [7:0] byte_enable; logic [30:0] address; logic [63:0] data; } word;
    logic write_right_request;  // From Write Unit.
  } in_t;

  // Output pins of the SO-DIMM interface.
  typedef struct packed {
    // To SO-DIMM2.
    struct packed {
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory1;
    // To SO-DIMM1.
    struct packed {
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory0;
    // To Write Unit: all words of the cycles before are in the SO-DIMMs; says nothing of a word in
    // this cycle.
    logic idle;
    // To Write Unit: after a word in this cycle there may be room for fewer than four more.
    logic almost_full;
    logic write_right;  // To Write Unit: it has the right to write.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
