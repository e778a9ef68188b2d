// Generated from crates/devices/dimmnet2/src/prefetch_unit/pins.rs by `make tables`; do not edit.
package prefetch_unit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of a Prefetch Window; what does not fit is not read.
  localparam logic [9:0] WindowBytes = 10'd512;

  // Lines in the packet buffer: two of the longest packets (decision 0019).
  localparam logic [10:0] PacketLines = 11'd1024;

  // Lines in the packet buffer up to which it has room for a part of a run.
  localparam logic [10:0] PacketRoom = 11'd744;

  // The same where the SO-DIMMs are read together.
  localparam logic [10:0] PacketRoomTogether = 11'd720;

  // What a module of the Request Executor asks for (thesis figure 5.8: Vector Load Request).
  typedef struct packed {
    // Bytes of data that the region has: from where it begins, or as far as the list has offsets;
    // up to 512.
    logic [9:0] reach;
    // Bytes that are asked for, as far as they fit in the window. Without meaning with `to_packet`,
    // and so is the next.
    logic [9:0] wanted;
    // It is the first half of a copy. This and what follows are known a cycle before the Prefetch
    // Unit hears of it (decision 0052).
    logic first_half;
    logic [31:0] total;  // With `to_packet`: bytes wanted, whatever the variant says.
    // The data is for packets and goes into the packet buffer, not into a Prefetch Window.
    logic to_packet;
    // Offset written to in the process's Prefetch Windows; 0xffff_ffff is the first half of a copy
    // (section 4.6.8).
    logic [31:0] dstoff;
    logic [31:0] srcoff;  // Offset read from in the process's region.
    // Size in bytes, stride in bytes, or offset of the list, as the variant demands.
    logic [31:0] size_list_stride;
    logic [7:0] iteration;  // Number of elements.
    logic [2:0] dtype;  // Element size: 1 << dtype bytes.
    // Variant, code bits 1:0 of the primitive: 0 contiguous, 1 strided, 2 by list.
    logic [1:0] variant;
    logic wid;  // Issuing process.
  } vector_load_t;

  // A word to read, for the SO-DIMM interface.
  typedef struct packed {
    // The word behind it is read too; the first one is of SO-DIMM1 then, and this one of SO-DIMM2.
    logic pair;
    logic enable;  // There is a word to read in this cycle.
    // Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
    logic [30:0] address;
  } memory_read_t;

  // Words read, from the SO-DIMM interface.
  typedef struct packed {
    logic empty1;  // SO-DIMM2 has no word to take.
    logic empty0;  // SO-DIMM1 has no word to take.
    logic [63:0] data1;  // The word of SO-DIMM2 that was taken last.
    logic [63:0] data0;  // The word of SO-DIMM1 that was taken last.
  } memory_data_t;

  // A list that the Write Unit wants to have read (decision 0022).
  typedef struct packed {
    logic [7:0] entries;  // Offsets of 4 bytes in it.
    logic [31:0] offset;  // Offset of the list in the region.
    logic wid;  // Process whose region holds it.
    logic request;  // Asks for the list; all is held until `ready`.
  } list_request_t;

  // The list that the Write Unit asked for.
  typedef struct packed {
    // Two offsets: the row read last. Rows are words of SO-DIMM, so the list may begin in the upper
    // half of row 0.
    logic [63:0] rdata;
    logic [7:0] entries;  // With `ready`: offsets in it, up to the end of the region.
    logic ready;  // It can be read; high for one cycle.
  } store_list_t;

  // What the VS module wants of the copy whose first half is parked (decision 0022).
  typedef struct packed {
    logic [4:0] row;  // Row of 16 bytes in the chunk.
    logic read_enable;  // Reads two lines of the chunk.
    logic wid;  // Process.
    logic end_copy;  // The copy is over: the first half is forgotten. High for one cycle.
    logic request;  // Asks for the next chunk of at most 512 bytes; held until `ready`.
  } copy_request_t;

  // A chunk of a copy, in the copy buffer.
  typedef struct packed {
    logic [9:0] bytes;  // With `ready`: its bytes. Fewer than 512 are the last ones.
    logic ready;  // It is there; high for one cycle.
  } copy_chunk_t;

  // News for the Prefetch Window Flag of a process (thesis table A.3).
  typedef struct packed {
    logic wid;  // Process.
    logic [1:0] window;  // Window of the process.
    // Quarters that the transfer will not touch, or that it has filled; bit 0 is the first 128
    // bytes.
    logic [3:0] quarters;
    // A transfer begins: the bits of the window become `quarters`; otherwise they are set only.
    logic opened;
  } window_flag_t;

  // Input pins of the Prefetch Unit.
  typedef struct packed {
    // Takes a line of the packet buffer; it is on `packet_data` in the next cycle. Ignored while
    // there is none.
    logic packet_next;
    copy_request_t copy_request;  // From Window Controller.
    logic [6:0] list_row;  // Row of 8 bytes in the list.
    logic list_read_enable;  // The Write Unit reads two offsets of its list.
    list_request_t list_request;  // From Write Unit.
    // The Prefetch Window port is free for the Prefetch Unit in this cycle.
    logic prefetch_window_free;
    memory_data_t data;  // From SO-DIMM interface.
    logic sodimm_idle;  // All words handed over are on their way back, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface has room for fewer than four more words.
    // The Prefetch Unit has the right to read, from SO-DIMM interface; answers
    // `read_right_request`.
    logic read_right;
    // Contiguous data for packets is read from both SO-DIMMs at once, from Configuration Register.
    logic read_together;
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // There is a request in this cycle; it is taken while no other one is being executed.
    logic vector_load_start;
    vector_load_t vector_load;  // From Window Controller.
  } in_t;

  // Output pins of the Prefetch Unit.
  typedef struct packed {
    logic [10:0] packet_lines;  // Lines in the packet buffer (Vector Load Status).
    logic [63:0] packet_data;  // The line of the packet buffer that was taken last.
    // State numbers, for Module State: ST_R 2:0, pu_ctl 4:3, FIFO 5, PW 6; 0 when all are idle.
    logic [6:0] state;
    window_flag_t flag;  // To the registers.
    logic [127:0] copy_rdata;  // To Write Unit: two lines of the chunk, read last.
    copy_chunk_t copy_chunk;  // To Window Controller.
    store_list_t store_list;  // To Write Unit.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
    logic [15:0] prefetch_window_byte_enable;
    logic data_next1;  // Takes a word of SO-DIMM2; ignored while there is none.
    // Takes a word of SO-DIMM1; ignored while there is none. With `data_next1` both words are
    // taken, or none.
    logic data_next0;
    memory_read_t read;  // To SO-DIMM interface.
    // Asks for the right to read; held until all words are on their way back.
    logic read_right_request;
    logic busy;  // A request is being executed, or a list is being read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
