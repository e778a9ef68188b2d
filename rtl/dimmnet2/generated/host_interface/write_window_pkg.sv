// Generated from crates/devices/dimmnet2/src/host_interface/write_window.rs by `make tables`; do not edit.
package write_window_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the Write Window.
  typedef struct packed {
    logic [7:0] row;  // Row to read: WID, window, row in the window.
    logic read_enable;  // Reads a row, from Window Controller; it is on `rdata` in the next cycle.
    logic [127:0] host_wdata;  // Data from the host.
    logic [7:0] host_row;  // Row that the host writes: WID, window, row of 16 bytes in the window.
    // Bytes that the host writes, bit 0 is the lowest address, in units of 32 bits; 0 writes
    // nothing.
    logic [15:0] host_byte_enable;
  } in_t;

  // Output pins of the Write Window.
  typedef struct packed {
    // Row read most recently, to Window Controller: the line of the Even bank is in bits 63:0.
    logic [127:0] rdata;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
