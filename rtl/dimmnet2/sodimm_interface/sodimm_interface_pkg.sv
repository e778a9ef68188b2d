// Generated from crates/devices/dimmnet2/src/sodimm_interface/pins.rs by `make tables`; do not edit.
package sodimm_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the SO-DIMM interface.
  typedef struct packed {
    struct packed { logic [127:0] rdata; logic ready; } memory1;  // From SO-DIMM2.
    struct packed { logic [127:0] rdata; logic ready; } memory0;  // From SO-DIMM1.
    // SO-DIMM access is enabled; while it is not, words go nowhere and what is read is 0.
    logic sodimm_enabled;
    logic data_next1;  // From Prefetch Unit: takes a word that SO-DIMM2 has read.
    // From Prefetch Unit: takes a word that SO-DIMM1 has read; with `data_next1` both, or none.
    logic data_next0;
    struct packed { logic pair; logic enable; logic [30:0] address; } read;  // From Prefetch Unit.
    logic read_right_request;  // From Prefetch Unit.
    // From Write Unit.
    struct packed { logic [7:0] byte_enable; logic [30:0] address; logic [63:0] data; } word;
    logic write_right_request;  // From Write Unit.
  } in_t;

  // Output pins of the SO-DIMM interface.
  typedef struct packed {
    // To SO-DIMM2.
    struct packed {
      logic read;
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory1;
    // To SO-DIMM1.
    struct packed {
      logic read;
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory0;
    // To Prefetch Unit.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    // To both: all words of the cycles before are in the SO-DIMMs, or on their way back from there;
    // says nothing of a word in this cycle.
    logic idle;
    // To both: after a word in this cycle there may be room for fewer than four more.
    logic almost_full;
    logic read_right;  // To Prefetch Unit: it has the right to read.
    logic write_right;  // To Write Unit: it has the right to write.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
