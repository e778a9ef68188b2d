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
    Request = 3'd2,  // Requests the right to read.
    Element = 3'd3,  // Computes the location of the next element.
    Read = 3'd4,  // Requests the words of the element.
    Finish = 3'd5  // Waits until all words are on the way back.
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

  // The bytes of a word that belong to the data.
  typedef struct packed {
    logic pair;  // Two words, of SO-DIMM1 and of SO-DIMM2, of 8 bytes each.
    logic absent;  // The bytes are 0, and no word is read for them.
    logic [3:0] bytes;  // Number of bytes, 1 to 8.
    logic upper;  // The bytes begin in the upper half of the word.
    logic second;  // The word comes from SO-DIMM2.
  } piece_t;

  // Input pins of the reader.
  typedef struct packed {
    logic packet_room;  // The packet buffer has room for a part of a run.
    logic [63:0] list_rdata;  // Two offsets of the list, from the list buffer.
    logic pieces_almost_full;  // The writer has room for few more pieces.
    logic sodimm_idle;  // All words requested are on the way back, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface is almost full.
    logic read_right;  // The Prefetch Unit has the right to read.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // The run, from the control.
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
    logic start;  // Starts a run, from the control; high for one cycle.
  } in_t;

  // Output pins of the reader.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The reader is idle.
    logic [31:0] remaining;  // Bytes of the run that were not requested; held until the next run.
    logic ended;  // All pieces of the run have been sent.
    logic [6:0] list_row;  // Row of two offsets in the list buffer.
    // Reads the offset of the element after this one; the first offset is read when the run starts.
    logic list_read_enable;
    logic piece_enable;  // `piece` is valid.
    piece_t piece;  // Piece of the requested word, to the writer.
    // Word to read, to SO-DIMM interface.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    // Requests the right to read; held until the part of the run is on the way back.
    logic read_right_request;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
