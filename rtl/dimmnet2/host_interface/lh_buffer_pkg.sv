// Generated from crates/dimmnet2/src/host_interface/lh_buffer.rs by `make tables`; do not edit.
package lh_buffer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the LH Buffer.
  typedef struct packed {
    logic [127:0] wdata;  // Lines to write: that of the Even bank is in bits 63:0.
    logic [8:0] row;  // Row to write: WID, row in the process's 4 KB.
    logic [1:0] write_enable;  // Lines to write, bit per bank; 0 writes nothing.
    logic controller_reset;  // Both Heads return to 0.
    logic [11:0] head;  // New Head, a byte offset in the process's 4 KB.
    logic [1:0] head_enable;  // The host moves a Head, bit per WID.
    logic [8:0] host_row;  // Row that the host reads: WID, row of 16 bytes in the process's 4 KB.
    logic host_read_enable;  // The host reads a row; it is on `host_rdata` in the next cycle.
  } in_t;

  // Output pins of the LH Buffer.
  typedef struct packed {
    logic [11:0] head1;  // Head of WID 1.
    logic [11:0] head0;  // Head of WID 0.
    // Row that the host read last: the line of the Even bank is in bits 63:0.
    logic [127:0] host_rdata;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
