// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_read.rs by `make tables`; do not edit.
package pu_read_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Words in a part of a run into the packet buffer.
  localparam logic [8:0] PartWords = 9'd256;

  // Reader of the Prefetch Unit.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a run.
    Room = 3'd1,  // Waits until the packet buffer has room for a part of the run.
    Request = 3'd2,  // Asks for the right to read.
    Element = 3'd3,  // Computes where the next element lies.
    Read = 3'd4,  // Asks for the words of the element.
    Finish = 3'd5  // Waits until all words are on their way back.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000011,  // from Finish
    6'b101000,  // from Read
    6'b110000,  // from Element
    6'b011000,  // from Request
    6'b000100,  // from Room
    6'b000110  // from Idle
  };

  // Which bytes of a word belong to the data.
  typedef struct packed {
    logic pair;  // Two words, of SO-DIMM1 and of SO-DIMM2, with 8 bytes each.
    logic absent;  // No word is read for them: they are 0.
    logic [3:0] bytes;  // Bytes, 1 to 8.
    logic upper;  // The bytes begin in the upper half of the word.
    logic second;  // The word comes from SO-DIMM2.
  } piece_t;

  // Input pins of the reader.
  typedef struct packed {
    logic packet_room;  // The packet buffer has room for a part of a run.
    logic [63:0] list_rdata;  // Two offsets of the list, from the list buffer.
    logic pieces_almost_full;  // The writer has little room for pieces.
    logic sodimm_idle;  // All words handed over are on their way back, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface has little room.
    logic read_right;  // The Prefetch Unit has the right to read.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // From the control.
    struct packed {
      logic together;
      logic to_packet;
      logic padded;
      logic listed;
      logic [31:0] bytes;
      logic [31:0] element_bytes;
      logic [31:0] stride;
      logic [31:0] offset;
      logic wid;
    } run;
    logic start;  // From the control; high for one cycle.
  } in_t;

  // Output pins of the reader.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The reader is idle.
    logic [31:0] remaining;  // Bytes of the run that were not asked for; stays until the next run.
    logic ended;  // No piece follows.
    logic [6:0] list_row;  // Row of two offsets in the list buffer.
    // Reads the offset of the element after this one; that of the first one is read when the run
    // starts.
    logic list_read_enable;
    logic piece_enable;  // There is a piece in this cycle.
    piece_t piece;  // To the writer, with every word that is asked for.
    // To SO-DIMM interface.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    logic read_right_request;  // Asks for the right to read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
