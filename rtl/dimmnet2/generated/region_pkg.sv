// Generated from crates/devices/dimmnet2/src/region.rs by `make tables`; do not edit.
package region_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the region decoder.
  typedef struct packed {
    logic [2:0] capacity;  // Capacity code of one SO-DIMM.
  } in_t;

  // Output pins of the region decoder.
  typedef struct packed {
    logic [30:0] words;  // First 8-byte word of the region of WID 1.
    // Bytes of a region that a 32-bit offset can reach: the whole region, but at most 4 GB.
    logic [32:0] limit;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
