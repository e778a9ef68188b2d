// Generated from crates/devices/hca/src/host_dma.rs by `make tables`; do not edit.
package host_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Host DMA.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a transfer.
    Measure = 4'd1,  // Counts the words on both sides.
    Request = 4'd2,  // Waits for the bus.
    Read = 4'd3,  // From the host: reads words from the bus.
    Flush = 4'd4,  // From the host: writes the last bytes, which came with the word before.
    Fetch = 4'd5,  // To the host: reads the first word of the packet.
    Take = 4'd6,  // To the host: assembles the first word.
    Put = 4'd7,  // To the host: writes words to the bus.
    Done = 4'd8  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 9 + to].
  localparam logic [80:0] StateArcs = {
    9'b000000001,  // from Done
    9'b100000000,  // from Put
    9'b010100000,  // from Take
    9'b001000000,  // from Fetch
    9'b100000000,  // from Flush
    9'b100010000,  // from Read
    9'b000101000,  // from Request
    9'b100000100,  // from Measure
    9'b000000010  // from Idle
  };

  // A transfer.
  typedef struct packed {
    logic to_host;  // Direction: to host memory, otherwise from it.
    logic [11:0] bytes;  // Bytes to move; 0 to 4,095.
    // Byte address in the packet memory: the transmitter's from the host, the receiver's to the
    // host.
    logic [12:0] offset;
    logic [31:0] address;  // Byte address in host memory.
  } transfer_t;

  // Input pins of host DMA.
  typedef struct packed {
    logic [63:0] memory_rdata;  // Word of the packet memory that was read last.
    logic ready;  // From the bus: a word is transferred in this cycle.
    logic grant;  // From the bus: the adapter is bus master.
    logic [63:0] rdata;  // From the bus: word of host memory that is read.
    logic start;  // Starts the transfer; ignored outside `Idle`.
    transfer_t transfer;  // Transfer to start.
  } in_t;

  // Output pins of host DMA.
  typedef struct packed {
    logic done;  // The transfer is done; high for one cycle.
    logic memory_write;  // Writes the destination word to the packet memory.
    logic [9:0] write_address;  // Word of the packet memory to write.
    logic memory_next;  // Reads the packet memory if the bus takes the offered word.
    logic memory_read;  // Reads the packet memory.
    logic [9:0] read_address;  // Word of the packet memory to read.
    // Valid bytes of the word, a bit each; the others are 0. Words for a packet are padded with
    // zeros.
    logic [7:0] byte_enable;
    logic [63:0] wdata;  // Word for the bus, or for the packet memory with `memory_write`.
    logic [31:0] address;  // To the bus: byte address, a multiple of 8.
    logic write;  // To the bus: the transfer writes host memory.
    logic transfer;  // To the bus: a word is offered or requested.
    logic request;  // To the bus: requests the bus.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
