// Generated from crates/devices/hca/src/host_dma.rs by `make tables`; do not edit.
package host_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Host DMA.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a transfer.
    Measure = 4'd1,  // Counts the words of both sides.
    Request = 4'd2,  // Waits for the bus.
    Read = 4'd3,  // From the host: takes words.
    Flush = 4'd4,  // From the host: the last bytes have come with the word before.
    Fetch = 4'd5,  // To the host: reads a word of the packet.
    Take = 4'd6,  // To the host: puts the first word together.
    Put = 4'd7,  // To the host: gives words to the bus.
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
    logic to_host;  // To the host; otherwise from it.
    logic [11:0] bytes;  // Bytes; none for 0.
    // Byte in the packet memory: of the transmitter from the host, of the receiver to the host.
    logic [12:0] offset;
    logic [31:0] address;  // Byte address in host memory.
  } transfer_t;

  // Input pins of host DMA.
  typedef struct packed {
    logic [63:0] memory_rdata;  // Word of the packet that was read last.
    logic ready;  // From the bus: a word is transferred in this cycle.
    logic grant;  // From the bus: the adapter is master.
    logic [63:0] rdata;  // From the bus: word of host memory.
    logic start;  // Starts it; looked at in `Idle` only.
    transfer_t transfer;  // The transfer to start.
  } in_t;

  // Output pins of host DMA.
  typedef struct packed {
    logic done;  // A transfer is over; high for one cycle.
    logic memory_write;  // Writes it.
    logic [9:0] write_address;  // Word of the packet to write.
    logic memory_next;  // Reads it if the bus takes the word that it is offered.
    logic memory_read;  // Reads it.
    logic [9:0] read_address;  // Word of the packet to read.
    // Bytes of it that count; the others are 0, and so are those for a packet behind its last byte.
    logic [7:0] byte_enable;
    // To the bus: word for host memory; word for the packet with `memory_write`.
    logic [63:0] wdata;
    logic [31:0] address;  // To the bus: byte address, a multiple of 8.
    logic write;  // To the bus: to host memory.
    logic transfer;  // To the bus: words are transferred.
    logic request;  // To the bus: wants it.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
