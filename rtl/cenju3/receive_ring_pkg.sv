// Generated from crates/cenju3/src/receive_ring.rs by `make tables`; do not edit.
package receive_ring_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Last word of a header.
  localparam logic [2:0] HeaderEnd = 3'd5;

  // Receive ring.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a packet.
    Data = 3'd1,  // Writes data.
    Header = 3'd2,  // Writes the header.
    Move = 3'd3,  // Waits until the header is in memory.
    Arrive = 3'd4,  // Moves the position.
    End = 3'd5,  // Waits until the data of a segment is in memory.
    Fault = 3'd6  // Reports that the words are no packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 7 + to].
  localparam logic [48:0] StateArcs = {
    7'b0000001,  // from Fault
    7'b0000001,  // from End
    7'b0000001,  // from Arrive
    7'b0010000,  // from Move
    7'b1001000,  // from Header
    7'b1100100,  // from Data
    7'b0000010  // from Idle
  };

  // Input pins of a receive ring.
  typedef struct packed {
    logic memory_ready;  // From memory: the word is written in this cycle.
    struct packed { logic last; logic [63:0] data; } word;  // The word.
    logic word_valid;  // There is a word.
    logic [63:0] header;  // Its first word.
    logic start;  // A packet begins.
    logic [12:0] data_base;  // Piece of 8 KB of the data, of messages.
    logic [13:0] header_base;  // Page of 4 KB of the headers.
    logic message;  // The ring is one of messages.
  } in_t;

  // Output pins of a receive ring.
  typedef struct packed {
    logic [5:0] write;  // Header that is written next.
    // A transfer has arrived; high for one cycle, the first in which the position says so.
    logic arrived;
    logic fault;  // The words are no packet; high for one cycle.
    logic [7:0] memory_strobe;  // To memory: which bytes of it.
    logic [63:0] memory_wdata;  // To memory: the word.
    logic [25:0] memory_address;  // To memory: where.
    logic memory_request;  // To memory: writes a word.
    logic word_next;  // Takes the word, if there is one.
    logic idle;  // Nothing is at hand.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
