// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_list.rs by `make tables`; do not edit.
package pu_list_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Most words in flight: the capacity of the FIFO of one SO-DIMM.
  localparam logic [4:0] UnderWay = 5'd16;

  // List service of the Prefetch Unit.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a request.
    Wait = 3'd1,  // Waits until the reader is inactive.
    Request = 3'd2,  // Requests the right to read.
    Read = 3'd3,  // Requests words.
    Finish = 3'd4,  // Waits for the last word.
    Done = 3'd5  // The list is in its buffer.
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
    // Words read, from SO-DIMM interface.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    logic sodimm_almost_full;  // The SO-DIMM interface is almost full.
    logic read_right;  // The Prefetch Unit has the right to read.
    logic writer_waits;  // The writer waits for words.
    logic reader_asks;  // The reader requests the right to read.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // List request, from Write Unit.
    struct packed {
      logic [7:0] entries;
      logic [31:0] offset;
      logic wid;
      logic request;
    } list_request;
  } in_t;

  // Output pins of the list service.
  typedef struct packed {
    logic [7:0] entries;  // With `ready`: number of offsets.
    logic ready;  // The list is in its buffer; high for one cycle.
    logic [6:0] write_row;  // Row of 8 bytes in the buffer.
    logic write_second;  // The word to write is from SO-DIMM2.
    logic write_enable;  // Writes the most recently taken word into the buffer.
    logic data_next1;  // Takes a word of SO-DIMM2.
    logic data_next0;  // Takes a word of SO-DIMM1.
    // Word to read, to SO-DIMM interface.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    logic owns;  // The right to read and arriving words belong to the list.
    logic busy;  // A list is being read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
