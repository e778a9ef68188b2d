// Generated from crates/devices/dimmnet2/src/host_interface/amt_address_table.rs by `make tables`; do not edit.
package amt_address_table_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Location of a sender's AMT entry.
  typedef struct packed {
    logic [11:0] word;  // Number of an 8-byte word in LLCM.
  } entry_t;

  // Input pins of the AMT Address Table.
  typedef struct packed {
    logic [12:0] read_index;  // Sender whose entry is read.
    logic read_enable;  // The Receive Controller reads an entry.
    entry_t wdata;  // New value of the entry.
    logic [12:0] write_index;  // Sender whose entry is written: CLID and, as bit 0, WID.
    logic write_enable;  // The host writes an entry.
  } in_t;

  // Output pins of the AMT Address Table.
  typedef struct packed {
    entry_t rdata;  // The entry read most recently.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
