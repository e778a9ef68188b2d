// Generated from crates/devices/cenju3/src/send_dma.rs by `make tables`; do not edit.
package send_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Words of the transmit FIFO.
  localparam logic [6:0] FifoWords = 7'd64;

  // Words of the library.
  localparam logic [5:0] LibraryWords = 6'd4;

  // Send DMA.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a transfer.
    Room = 3'd1,  // Waits for room for a packet.
    Begin = 3'd2,  // Writes the header of the packet.
    Data = 3'd3,  // Reads data.
    Describe = 3'd4,  // Writes kind, source and length.
    Locate = 3'd5,  // Writes the address of the data.
    Library = 3'd6,  // Reads the words of the library.
    Done = 3'd7  // Reports that the transfer is sent.
  } state_e;

  // Declared arcs of state_e: bit [from * 8 + to].
  localparam logic [63:0] StateArcs = {
    8'b00000001,  // from Done
    8'b10000000,  // from Library
    8'b01000000,  // from Locate
    8'b00100000,  // from Describe
    8'b00010010,  // from Data
    8'b00001000,  // from Begin
    8'b00000100,  // from Room
    8'b00000010  // from Idle
  };

  // Input pins of send DMA.
  typedef struct packed {
    logic [63:0] memory_rdata;  // From memory: word that is read.
    logic memory_ready;  // From memory: a word is read in this cycle.
    logic [6:0] fifo_count;  // Words in the transmit FIFO.
    logic [7:0] pe;  // Number of this processor element.
    logic start;  // Sends it; high until it is sent.
    // Transfer to send.
    struct packed {
      logic [25:0] entry;
      logic [31:0] destination;
      logic [31:0] source;
      logic [31:0] length;
      logic [7:0] pe;
      logic [1:0] kind;
    } transfer;
  } in_t;

  // Output pins of send DMA.
  typedef struct packed {
    logic sent;  // The transfer is sent; high for one cycle.
    logic word_enable;  // To the FIFO: stores the word.
    struct packed { logic last; logic [63:0] data; } word;  // To the FIFO: a word of a packet.
    logic [5:0] memory_left;  // To memory: words left in the burst, this one included.
    logic [25:0] memory_address;  // To memory: byte address of the word.
    logic memory_request;  // To memory: requests a read.
    logic idle;  // No transfer is in progress, and no word is being stored in the FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
