// Generated from crates/devices/dimmnet2/src/write_unit/window_read.rs by `make tables`; do not edit.
package window_read_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Rows in the FIFO, and rows under way, together.
  localparam logic [2:0] Rows = 3'd4;

  // Input pins of the window read.
  typedef struct packed {
    logic take;  // The line is taken.
    logic [127:0] write_window_rdata;  // Two lines of the Write Window read last.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // What is to be stored, in that cycle.
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
    logic overrun;  // Some of the bytes taken lie beyond the region.
    logic empty;  // There is nothing to store; high for one cycle.
    logic [7:0] line_enable;  // Bytes of the line to store.
    // The data goes to the end of the lower half of the line, or not even so far.
    logic line_ends_low;
    logic line_valid;  // There is a line.
    // Line of the window; the one with identifier 10 ends the data.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic row_next;  // Asks for the next row.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
