// Generated from crates/devices/cenju3/src/receive_ring.rs by `make tables`; do not edit.
package receive_ring_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Last word of a header.
  localparam logic [2:0] HeaderEnd = 3'd5;

  // Receive ring.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a packet.
    Store = 3'd1,  // Writes the data, and after the last segment the header.
    Settle = 3'd2,  // Waits until the last word is in memory.
    Move = 3'd3,  // Moves the position after a header.
    Fault = 3'd4  // Reports a malformed packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from Fault
    5'b00001,  // from Move
    5'b01000,  // from Settle
    5'b10100,  // from Store
    5'b00010  // from Idle
  };

  // Input pins of a receive ring.
  typedef struct packed {
    logic memory_ready;  // From memory: the word is written in this cycle.
    struct packed { logic last; logic [63:0] data; } word;  // Word of the packet.
    logic word_valid;  // `word` is the next word of the packet; it stays until it is taken.
    logic [63:0] header;  // Its first word.
    logic start;  // A packet begins.
    // Number of the 8 KB page that holds the data of messages; not used by the ring of DMA.
    logic [12:0] data_base;
    logic [13:0] header_base;  // Number of the 4 KB page that holds the headers.
    logic message;  // The ring is a receive message buffer.
  } in_t;

  // Output pins of a receive ring.
  typedef struct packed {
    logic [5:0] write;  // Header that is written next.
    // A transfer has arrived; high for one cycle, the first one with the new position.
    logic arrived;
    logic fault;  // The packet is malformed; high for one cycle.
    logic [7:0] memory_strobe;  // To memory: bytes that are written, a bit each.
    logic [63:0] memory_wdata;  // To memory: word to write.
    logic [25:0] memory_address;  // To memory: byte address of the word.
    logic memory_request;  // To memory: requests a write.
    logic word_next;  // Takes the word if it is valid.
    logic idle;  // No packet is being stored.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
