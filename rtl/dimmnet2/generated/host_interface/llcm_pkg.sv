// Generated from crates/devices/dimmnet2/src/host_interface/llcm.rs by `make tables`; do not edit.
package llcm_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of LLCM.
  typedef struct packed {
    logic [63:0] wdata;  // Data to write.
    // Word to read or write: WID, word in the process's 32 KB; bit 0 selects the bank.
    logic [12:0] address;
    // Bytes of a word to write, from Status Write Unit, Receive Controller or Write Unit; 0 writes
    // nothing.
    logic [7:0] byte_enable;
    logic read_enable;  // The transaction side reads a word; it is on `rdata` in the next cycle.
    logic [127:0] host_wdata;  // Data from the host.
    // Row that the host reads or writes: WID, row of 16 bytes in the process's 32 KB.
    logic [11:0] host_row;
    // Bytes that the host writes, bit 0 is the lowest address; 0 writes nothing.
    logic [15:0] host_byte_enable;
    logic host_read_enable;  // The host reads a row; it is on `host_rdata` in the next cycle.
  } in_t;

  // Output pins of LLCM.
  typedef struct packed {
    logic [63:0] rdata;  // Word that the transaction side read last.
    // Row that the host read last: the word of the Even bank is in bits 63:0.
    logic [127:0] host_rdata;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
