// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_write.rs by `make tables`; do not edit.
package pu_write_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Pieces in the FIFO from which no more are requested; one may still be in flight.
  localparam logic [4:0] AlmostFull = 5'd12;

  // Writer of the Prefetch Unit: PW.
  typedef enum logic [0:0] {
    Idle = 1'd0,  // Waits for a run.
    Write = 1'd1  // Stores words to the end of the run.
  } state_e;

  // Declared arcs of state_e: bit [from * 2 + to].
  localparam logic [3:0] StateArcs = {
    2'b01,  // from Write
    2'b10  // from Idle
  };

  // Input pins of the writer.
  typedef struct packed {
    logic prefetch_window_free;  // The Prefetch Window port is free in this cycle.
    // Words read, from SO-DIMM interface.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    logic ended;  // All pieces of the run have been sent.
    logic piece_enable;  // `piece` is valid.
    // Piece, from the reader.
    struct packed { logic pair; logic absent; logic [3:0] bytes; logic upper; logic second; } piece;
    // Destination in the Prefetch Windows in units of 4 bytes: WID, window, half word.
    logic [9:0] destination;
    logic to_packet;  // The run goes into the packet buffer.
    logic to_list;  // The run goes into the list buffer.
    logic start;  // Starts a run, from the control; high for one cycle.
  } in_t;

  // Output pins of the writer.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The writer is idle.
    logic to_packet;  // The present or the last run goes into the packet buffer.
    // Quarters of the window that have been stored, each for one cycle; all of them at the end of
    // the run.
    logic [3:0] quarters;
    logic [63:0] packet_second;  // The next line of a packet.
    logic packet_pair;  // Writes `packet_second` after `packet_wdata`.
    logic [63:0] packet_wdata;  // Line of a packet.
    logic packet_write_enable;  // Writes `packet_wdata` into the packet buffer.
    logic [63:0] list_wdata;  // Two offsets.
    logic [6:0] list_row;  // Row of 8 bytes in the list buffer.
    logic list_write_enable;  // Writes `list_wdata` into the list buffer.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
    logic [15:0] prefetch_window_byte_enable;
    logic data_next1;  // Takes a word of SO-DIMM2.
    logic data_next0;  // Takes a word of SO-DIMM1.
    logic waits;  // Waits for words, or holds the most recently taken one.
    logic pieces_almost_full;  // The FIFO has room for few more pieces.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
