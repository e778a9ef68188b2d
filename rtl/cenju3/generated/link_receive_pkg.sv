// Generated from crates/devices/cenju3/src/link_receive.rs by `make tables`; do not edit.
package link_receive_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Receive side of the link.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for the first word of a packet.
    Room = 2'd1,  // Waits until the ring has room.
    Stream = 2'd2,  // Hands the words of the packet to the ring.
    Drop = 2'd3  // Discards the rest of a dropped packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Drop
    4'b1001,  // from Stream
    4'b0100,  // from Room
    4'b1010  // from Idle
  };

  // Input pins of the receive side.
  typedef struct packed {
    logic fault;  // The ring has found the packet malformed.
    logic word_next;  // The ring takes the word.
    logic [2:0] full;  // Full rings, a bit each.
    logic rings_idle;  // No ring is storing a packet.
    // Word that was read last from the FIFO.
    struct packed { logic last; logic [63:0] data; } fifo_word;
    logic fifo_empty;  // The FIFO holds no word; `word` stays as it is.
    logic [7:0] pe;  // Number of this processor element.
    logic enable;  // Packets may be taken.
  } in_t;

  // Output pins of the receive side.
  typedef struct packed {
    logic dropped;  // A packet is dropped; high for one cycle.
    logic [2:0] held;  // Full rings for which the link is held back, a bit each.
    struct packed { logic last; logic [63:0] data; } word;  // To the rings: word of the packet.
    logic word_valid;  // To the rings: `word` is valid.
    logic [63:0] header;  // To the rings: first word of the packet.
    logic [2:0] start;  // To the rings: a packet begins; a bit for each, high for one cycle.
    logic fifo_next;  // To the FIFO: reads the oldest word.
    logic idle;  // No packet is held.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
