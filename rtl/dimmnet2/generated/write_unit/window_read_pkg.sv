// Generated from crates/devices/dimmnet2/src/write_unit/window_read.rs by `make tables`; do not edit.
package window_read_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Most rows in the FIFO and in flight together.
  localparam logic [2:0] Rows = 3'd4;

  // Input pins of the window read.
  typedef struct packed {
    logic take;  // The line is taken in this cycle.
    logic [127:0] write_window_rdata;  // Two lines of the Write Window, read most recently.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // The local store that begins, in the cycle of `begin_store`.
    struct packed {
      logic [31:0] stride;
      logic [2:0] dtype;
      logic copies;
      logic listed;
      logic strided;
      logic [31:0] offset;
      logic [9:0] bytes;
      logic [1:0] first;
      logic wid;
      logic request;
    } vector_store;
    logic begin_store;  // Begins a local store; high for one cycle.
  } in_t;

  // Output pins of the window read.
  typedef struct packed {
    logic overrun;  // Data in the lines taken so far extends past the region.
    logic empty;  // The store has no data; high for one cycle.
    logic [7:0] line_enable;  // Bytes of the line to store.
    logic line_ends_low;  // The data ends in the lower half of the line.
    logic line_valid;  // `line` holds a line that has not been taken.
    // Line of the window; the one with identifier 10 ends the data.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic row_next;  // Requests the next row.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
