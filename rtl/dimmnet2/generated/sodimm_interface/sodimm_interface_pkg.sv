// Generated from crates/devices/dimmnet2/src/sodimm_interface/pins.rs by `make tables`; do not edit.
package sodimm_interface_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the SO-DIMM interface.
  typedef struct packed {
    struct packed { logic [127:0] rdata; logic ready; } memory1;  // SO-DIMM2 slot.
    struct packed { logic [127:0] rdata; logic ready; } memory0;  // SO-DIMM1 slot.
    // SO-DIMM access is enabled; otherwise writes are discarded and reads return 0.
    logic sodimm_enabled;
    logic data_next1;  // Takes a word read from SO-DIMM2, from Prefetch Unit.
    // Takes a word read from SO-DIMM1, from Prefetch Unit; with `data_next1` both words or none.
    logic data_next0;
    // Word to read, from Prefetch Unit.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    logic read_right_request;  // Requests the right to read, from Prefetch Unit.
    // Word to write, from Write Unit.
    struct packed { logic [7:0] byte_enable; logic [30:0] address; logic [63:0] data; } word;
    logic write_right_request;  // Requests the right to write, from Write Unit.
  } in_t;

  // Output pins of the SO-DIMM interface.
  typedef struct packed {
    // SO-DIMM2 slot.
    struct packed {
      logic read;
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory1;
    // SO-DIMM1 slot.
    struct packed {
      logic read;
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory0;
    // Words read, to Prefetch Unit.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    // All words of earlier cycles are in the SO-DIMMs or on the way back from them; a word in this
    // cycle is not covered.
    logic idle;
    logic almost_full;  // After a word in this cycle there may be room for fewer than four more.
    logic read_right;  // The Prefetch Unit has the right to read.
    logic write_right;  // The Write Unit has the right to write.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
