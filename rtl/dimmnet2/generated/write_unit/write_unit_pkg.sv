// Generated from crates/devices/dimmnet2/src/write_unit/pins.rs by `make tables`; do not edit.
package write_unit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the Write Unit.
  typedef struct packed {
    // Two lines of the copy buffer, read most recently, from Prefetch Unit.
    logic [127:0] copy_rdata;
    // List of offsets, from Prefetch Unit.
    struct packed { logic [63:0] rdata; logic [7:0] entries; logic ready; } store_list;
    logic [127:0] write_window_rdata;  // Two lines of the Write Window, read most recently.
    // Local store, from Window Controller.
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
    logic sodimm_idle;  // All words sent are in the SO-DIMMs, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface has room for fewer than four more words.
    // The Write Unit has the right to write, from SO-DIMM interface; answers `write_right_request`
    // one cycle later.
    logic write_right;
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // The line most recently taken from SWIF; held until the next one is taken.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic head_broken;  // With `head_done`: the packet is malformed and has no rest to store.
    // The head of the message has been written, from Receive Controller; high for one cycle.
    logic head_done;
    // From the AMT Address Table: the word of LLCM with Head and Tail of the ring.
    logic [11:0] amt_entry;
    logic [63:0] llcm_rdata;  // The most recently read word of LLCM: the AMT entry of the sender.
    // Ring of a packet, from Receive Controller; all fields but `start` are held until `done`.
    struct packed {
      logic [15:0] area_size;
      logic [31:0] sent;
      logic head;
      logic start;
    } ring_request;
    // Destination of a packet, from Receive Controller; all fields but `start` are held until
    // `done`.
    struct packed {
      logic [31:0] stride_list;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic [11:0] bytes;
      logic [31:0] offset;
      logic wid;
      logic start;
    } write_request;
  } in_t;

  // A 64-bit word for the SO-DIMM interface.
  typedef struct packed {
    logic [7:0] byte_enable;  // Bytes to write; 0 when there is no word in this cycle.
    // Word address over both SO-DIMMs, in units of 8 bytes; bit 0 selects the module.
    logic [30:0] address;
    logic [63:0] data;  // Data to write; byte 0 is in bits 7:0.
  } memory_word_t;

  // Output pins of the Write Unit.
  typedef struct packed {
    logic [1:0] ring_state;  // State number of the ring, for Module State.
    logic [6:0] list_row;  // Row of 8 bytes in the list, to Prefetch Unit.
    logic list_read_enable;  // Reads two offsets of the list, to Prefetch Unit.
    // List to read, to Prefetch Unit.
    struct packed {
      logic [7:0] entries;
      logic [31:0] offset;
      logic wid;
      logic request;
    } list_request;
    logic [1:0] stride_state;  // State number of the stride, for Module State.
    // Progress of a local store, to Window Controller.
    struct packed {
      logic overrun;
      logic done;
      logic row_next;
      logic storing;
      logic busy;
    } vector_store_status;
    logic [2:0] write_control_state;  // State number of the write control, for Module State.
    logic [1:0] read_control_state;  // State number of the read control, for Module State.
    logic [11:0] llcm_entry;  // Word that is read or written in the receiving process's LLCM.
    logic [63:0] llcm_wdata;  // The new Tail, in both halves, to LLCM.
    logic [7:0] llcm_byte_enable;  // Bytes of the AMT entry to write, to LLCM; 0 writes nothing.
    logic llcm_read_enable;  // Reads the AMT entry of the sender, to LLCM.
    // The ring has room for the rest of a message, which begins when its head has been written; to
    // Receive Controller.
    logic ring_room;
    // With `done` of an IPUSH packet, and with `ring_room`: first byte of its message, an offset in
    // the region.
    logic [31:0] first_address;
    // With `done`: bytes of data in the packet, at most those announced by Packet Size.
    logic [11:0] bytes;
    logic broken;  // With `done`: a first line arrived within the packet.
    logic refused;  // With `done`: the packet has no ring, so nothing of it is stored.
    logic overrun;  // With `done`: data extended past the region and was cut.
    // The packet has been stored and read to its end, to Receive Controller; high for one cycle.
    logic done;
    memory_word_t word;  // Word to write, to the SO-DIMM interface.
    // Requests the right to write to SO-DIMM; held until the data is stored.
    logic write_right_request;
    // Takes the next line of the present packet; ignored by SWIF when the last line is on its
    // output.
    logic line_next;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
