// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_list.rs by `make tables`; do not edit.
package pu_list_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Words that may be on their way: no more than the FIFO of one SO-DIMM holds.
  localparam logic [4:0] UnderWay = 5'd16;

  // List service of the Prefetch Unit.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a request.
    Wait = 3'd1,  // Waits until the reader is out of the way.
    Request = 3'd2,  // Asks for the right to read.
    Read = 3'd3,  // Asks for words.
    Finish = 3'd4,  // Waits for the last word.
    Done = 3'd5  // The list can be read.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Done
    6'b100000,  // from Finish
    6'b010000,  // from Read
    6'b001000,  // from Request
    6'b000100,  // from Wait
    6'b100010  // from Idle
  };

  // Input pins of the list service.
  typedef struct packed {
    // From SO-DIMM interface.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    logic sodimm_almost_full;  // The SO-DIMM interface has little room.
    logic read_right;  // The Prefetch Unit has the right to read.
    logic writer_waits;  // The writer waits for words.
    logic reader_asks;  // The reader asks for the right to read.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // From Write Unit.
    struct packed {
      logic [7:0] entries;
      logic [31:0] offset;
      logic wid;
      logic request;
    } list_request;
  } in_t;

  // Output pins of the list service.
  typedef struct packed {
    logic [7:0] entries;  // With `ready`: offsets in it.
    logic ready;  // The list can be read; high for one cycle.
    logic [6:0] write_row;  // Row of 8 bytes.
    logic write_second;  // It comes from SO-DIMM2.
    logic write_enable;  // Writes the word taken last into the buffer.
    logic data_next1;  // Takes a word of SO-DIMM2.
    logic data_next0;  // Takes a word of SO-DIMM1.
    // To SO-DIMM interface.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    logic owns;  // The right to read, and words that come, are for the list.
    logic busy;  // A list is being read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
