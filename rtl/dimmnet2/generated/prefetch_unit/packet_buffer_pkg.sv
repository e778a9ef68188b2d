// Generated from crates/devices/dimmnet2/src/prefetch_unit/packet_buffer.rs by `make tables`; do not edit.
package packet_buffer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the packet buffer.
  typedef struct packed {
    // Takes the oldest line; it is on `rdata` one cycle later. Ignored when empty.
    logic read_enable;
    logic [63:0] second;  // The line after `wdata`.
    // With `write_enable`: stores `second` after `wdata`. Without room for two lines neither is
    // stored.
    logic pair;
    logic [63:0] wdata;  // Line to store.
    logic write_enable;  // Stores `wdata`; ignored when the buffer is full.
  } in_t;

  // Output pins of the packet buffer.
  typedef struct packed {
    logic [10:0] count;  // Lines stored.
    logic [63:0] rdata;  // The line taken by the last read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
