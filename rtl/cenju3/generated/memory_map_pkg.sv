// Generated from crates/devices/cenju3/src/memory_map.rs by `make tables`; do not edit.
package memory_map_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of a message at most.
  localparam logic [26:0] SlotBytes = 27'd128;

  // Bytes of a segment at most.
  localparam logic [26:0] SegmentBytes = 27'd256;

  // Words of a packet at most.
  localparam logic [6:0] PacketWords = 7'd39;

  // Cycles from one word on a link to the next.
  localparam logic [3:0] WordCycles = 4'd15;

  // Kinds of transfer.

  localparam logic [1:0] Message0 = 2'b00;  // A message to receive message buffer 0.
  localparam logic [1:0] Message1 = 2'b01;  // A message to receive message buffer 1.
  localparam logic [1:0] Dma = 2'b10;  // A DMA transfer to the physical address in the entry.

  // Reasons for which an entry is refused.

  localparam logic [2:0] Nothing = 3'b000;  // Not refused.
  localparam logic [2:0] NoKind = 3'b001;  // The kind is unknown.
  localparam logic [2:0] Length = 3'b010;  // The length is 0, or a message has more than 128 bytes.
  // The source is not wholly in memory, or its address is not a multiple of 8.
  localparam logic [2:0] Source = 3'b011;
  // The destination is not wholly in memory, or its address is not a multiple of 8.
  localparam logic [2:0] Destination = 3'b100;
  localparam logic [2:0] Window = 3'b101;  // The destination crosses the end of the user's window.

  // Word 0 of entries and headers.
  typedef struct packed {
    logic [31:0] length;  // [63:32] Bytes of data.
    logic [15:0] reserved_16;
    logic [7:0] pe;  // [15:8] Processor element: destination of an entry, source of a header.
    logic [5:0] reserved_2;
    logic [1:0] kind;  // [1:0] Kind of transfer.
  } control_t;

  // Word 1 of entries and headers.
  typedef struct packed {
    logic [31:0] destination;  // [63:32] DMA write address of an entry, a multiple of 8.
    // [31:0] Byte address of the data, a multiple of 8: the source of an entry, the place of
    // received data in a header.
    logic [31:0] source;
  } addresses_t;

  // First word of a packet.
  typedef struct packed {
    logic [31:0] address;  // [63:32] Byte address of this data, for DMA; 0 for a message.
    logic [7:0] bytes;  // [31:24] Bytes of data, minus 1.
    logic [7:0] source;  // [23:16] Source processor element.
    logic [7:0] pe;  // [15:8] Destination.
    logic [4:0] reserved_3;
    logic last;  // [2] Last segment of its transfer: six words follow the data.
    logic [1:0] kind;  // [1:0] Kind of transfer.
  } header_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
