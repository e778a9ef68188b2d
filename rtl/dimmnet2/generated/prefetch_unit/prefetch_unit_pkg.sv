// Generated from crates/devices/dimmnet2/src/prefetch_unit/pins.rs by `make tables`; do not edit.
package prefetch_unit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of a Prefetch Window; data beyond its end is not read.
  localparam logic [9:0] WindowBytes = 10'd512;

  // Lines in the packet buffer: two of the longest packets (decision 0019).
  localparam logic [10:0] PacketLines = 11'd1024;

  // Most lines in the packet buffer with which there is room for a part of a run.
  localparam logic [10:0] PacketRoom = 11'd744;

  // PacketRoom when both SO-DIMMs are read together.
  localparam logic [10:0] PacketRoomTogether = 11'd720;

  // Request of a module of the Request Executor (thesis figure 5.8: Vector Load Request).
  typedef struct packed {
    // Bytes available in the region, 0 to 512: from the source offset, or for the offsets that the
    // list has. Undefined with `to_packet`.
    logic [9:0] reach;
    // Bytes requested, clamped to the end of the window; undefined with `to_packet`.
    logic [9:0] wanted;
    // The request is the first half of a copy. This and the next two fields are computed a cycle
    // before the Prefetch Unit receives the request (decision 0052).
    logic first_half;
    logic [31:0] total;  // With `to_packet`: bytes to read, for all variants.
    logic to_packet;  // The data goes into the packet buffer instead of a Prefetch Window.
    // Destination offset in the process's Prefetch Windows; 0xffff_ffff marks the first half of a
    // copy (section 4.6.8).
    logic [31:0] dstoff;
    logic [31:0] srcoff;  // Source offset in the process's region.
    // Size in bytes, stride in bytes, or offset of the list, depending on the variant.
    logic [31:0] size_list_stride;
    logic [7:0] iteration;  // Number of elements.
    logic [2:0] dtype;  // Element size: 1 << dtype bytes.
    // Variant, code bits 1:0 of the primitive: 0 contiguous, 1 strided, 2 by list.
    logic [1:0] variant;
    logic wid;  // Issuing process.
  } vector_load_t;

  // A word to read, for the SO-DIMM interface.
  typedef struct packed {
    // The next word is read too; the first one is then in SO-DIMM1 and the next in SO-DIMM2.
    logic pair;
    logic enable;  // `address` is valid: the word is read.
    // Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
    logic [30:0] address;
  } memory_read_t;

  // Words read, from the SO-DIMM interface.
  typedef struct packed {
    logic empty1;  // SO-DIMM2 has no word to take.
    logic empty0;  // SO-DIMM1 has no word to take.
    logic [63:0] data1;  // The most recently taken word of SO-DIMM2.
    logic [63:0] data0;  // The most recently taken word of SO-DIMM1.
  } memory_data_t;

  // Request of the Write Unit for a list (decision 0022).
  typedef struct packed {
    logic [7:0] entries;  // Number of offsets, 4 bytes each.
    logic [31:0] offset;  // Offset of the list in the region.
    logic wid;  // Process whose region contains the list.
    logic request;  // Requests the list; all fields are held until `ready`.
  } list_request_t;

  // The list that the Write Unit requested.
  typedef struct packed {
    // Two offsets: the most recently read row. Rows are words of SO-DIMM, so the list may begin in
    // the upper half of row 0.
    logic [63:0] rdata;
    logic [7:0] entries;  // With `ready`: number of offsets before the end of the region.
    logic ready;  // The list is in its buffer; high for one cycle.
  } store_list_t;

  // Request of the VS module for the copy whose first half is parked (decision 0022).
  typedef struct packed {
    logic [4:0] row;  // Row of 16 bytes in the chunk.
    logic read_enable;  // Reads two lines of the chunk.
    logic wid;  // Process that issued the copy.
    logic end_copy;  // The copy is complete: the first half is discarded. High for one cycle.
    logic request;  // Requests the next chunk of at most 512 bytes; held until `ready`.
  } copy_request_t;

  // A chunk of a copy in the copy buffer.
  typedef struct packed {
    // With `ready`: bytes of the chunk. Fewer than 512 mean that it is the last one.
    logic [9:0] bytes;
    logic ready;  // The chunk is complete; high for one cycle.
  } copy_chunk_t;

  // Update of the Prefetch Window Flag of a process (thesis table A.3).
  typedef struct packed {
    logic wid;  // Process.
    logic [1:0] window;  // Window of the process, 0 to 3.
    // Quarters that the transfer will not touch, or has filled; bit 0 is the first 128 bytes.
    logic [3:0] quarters;
    // 1: a transfer begins and the bits of the window become `quarters`. 0: the bits of `quarters`
    // are set.
    logic opened;
  } window_flag_t;

  // Input pins of the Prefetch Unit.
  typedef struct packed {
    // Takes a line of the packet buffer; it is on `packet_data` in the next cycle. Ignored when the
    // buffer is empty.
    logic packet_next;
    copy_request_t copy_request;  // Request for a chunk of a copy, from Window Controller.
    logic [6:0] list_row;  // Row of 8 bytes in the list.
    logic list_read_enable;  // The Write Unit reads two offsets of its list.
    list_request_t list_request;  // List request, from Write Unit.
    // The Prefetch Window port is free for the Prefetch Unit in this cycle.
    logic prefetch_window_free;
    memory_data_t data;  // Words read, from SO-DIMM interface.
    logic sodimm_idle;  // All words requested are on the way back, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface has room for fewer than four more words.
    // The Prefetch Unit has the right to read, from SO-DIMM interface; answers
    // `read_right_request`.
    logic read_right;
    // Contiguous data for packets is read from both SO-DIMMs at once, from Configuration Register.
    logic read_together;
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // `vector_load` is valid; the request is accepted while no other one is executed.
    logic vector_load_start;
    vector_load_t vector_load;  // Request, from Window Controller.
  } in_t;

  // Output pins of the Prefetch Unit.
  typedef struct packed {
    logic [10:0] packet_lines;  // Lines in the packet buffer (Vector Load Status).
    logic [63:0] packet_data;  // The most recently taken line of the packet buffer.
    // State numbers, for Module State: ST_R 2:0, pu_ctl 4:3, FIFO 5, PW 6; 0 when all are idle.
    logic [6:0] state;
    window_flag_t flag;  // Update of the Prefetch Window Flag, to the registers.
    logic [127:0] copy_rdata;  // Two lines of the chunk, read most recently, to Write Unit.
    copy_chunk_t copy_chunk;  // Chunk of a copy, to Window Controller.
    store_list_t store_list;  // List, to Write Unit.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
    logic [15:0] prefetch_window_byte_enable;
    logic data_next1;  // Takes a word of SO-DIMM2; ignored when there is none.
    // Takes a word of SO-DIMM1; ignored when there is none. With `data_next1` either both words are
    // taken or none.
    logic data_next0;
    memory_read_t read;  // Word to read, to SO-DIMM interface.
    // Requests the right to read; held until all words are on the way back.
    logic read_right_request;
    logic busy;  // A request is executed, or a list is read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
