// Generated from crates/devices/dimmnet2/src/region.rs by `make tables`; do not edit.
package region_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins.
  typedef struct packed {
    logic [2:0] capacity;  // Capacity code of an SO-DIMM.
  } in_t;

  // Output pins.
  typedef struct packed {
    logic [30:0] words;  // First word of 8 bytes of the region of WID 1.
    // Bytes of a region that an offset of 32 bits reaches: all but the upper half of 8 GB.
    logic [32:0] limit;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
