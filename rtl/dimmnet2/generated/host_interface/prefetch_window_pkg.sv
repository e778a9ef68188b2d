// Generated from crates/devices/dimmnet2/src/host_interface/prefetch_window.rs by `make tables`; do not edit.
package prefetch_window_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the Prefetch Window.
  typedef struct packed {
    logic [127:0] wdata;  // Data to write.
    logic [7:0] row;  // Row to write: WID, window, row in the window.
    // Bytes to write, from Receive Controller or Prefetch Unit, bit 0 is the lowest address; 0
    // writes nothing.
    logic [15:0] byte_enable;
    logic [7:0] host_row;  // Row that the host reads: WID, window, row of 16 bytes in the window.
    logic host_read_enable;  // The host reads a row; it is on `host_rdata` in the next cycle.
  } in_t;

  // Output pins of the Prefetch Window.
  typedef struct packed {
    // Row that the host read most recently: the word of the Even bank is in bits 63:0.
    logic [127:0] host_rdata;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
