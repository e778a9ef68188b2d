// Generated from crates/devices/dimmnet2/src/host_interface/lh_buffer.rs by `make tables`; do not edit.
package lh_buffer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Entries of both processes.
  localparam logic [7:0] Entries = 8'd128;

  // Input pins of the LH Buffer.
  typedef struct packed {
    logic advance;  // Advances the Tail; high for one cycle.
    logic [63:0] wdata;  // Line to write.
    logic [1:0] row;  // Row of 16 bytes in the entry at the Tail.
    logic [1:0] write_enable;  // Banks to write, bit 0 Even; 0 writes nothing.
    logic wid;  // Process whose entry is written, or whose Tail moves.
    logic controller_reset;  // Resets the pointers and clears all flags.
    logic [11:0] head;  // New Head, a byte offset in the process's 4 KB.
    logic [1:0] head_enable;  // The host moves a Head, bit per WID.
    logic [8:0] host_row;  // Row that the host reads: WID, row of 16 bytes in the process's 4 KB.
    logic host_read_enable;  // The host reads a row; it is on `host_rdata` in the next cycle.
  } in_t;

  // Output pins of the LH Buffer.
  typedef struct packed {
    logic [1:0] polarity;  // Value of the flags of a new entry, bit per WID.
    logic [1:0] full;  // The ring has no free entry, bit per WID.
    logic [11:0] tail1;  // Tail of WID 1, a byte offset in its 4 KB.
    logic [11:0] tail0;  // Tail of WID 0, a byte offset in its 4 KB.
    // Row that the host read last: the line of the Even bank is in bits 63:0.
    logic [127:0] host_rdata;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
