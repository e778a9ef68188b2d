// Generated from crates/devices/cenju3/src/link_transmit.rs by `make tables`; do not edit.
package link_transmit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Cycles in which the link rests behind a word.
  localparam logic [3:0] Rest = 4'd12;

  // Transmit side of the link.
  typedef enum logic [1:0] {
    Wait = 2'd0,  // Waits for a word, and for the end of the last word's 15 cycles.
    Take = 2'd1,  // The FIFO delivers the word.
    Offer = 2'd2  // Waits until the network takes it.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Offer
    3'b100,  // from Take
    3'b010  // from Wait
  };

  // Input pins of the transmit side.
  typedef struct packed {
    logic ready;  // The network takes the word.
    // Word that was read last from the FIFO.
    struct packed { logic last; logic [63:0] data; } fifo_word;
    logic fifo_empty;  // The FIFO holds no word; `word` stays as it is.
  } in_t;

  // Output pins of the transmit side.
  typedef struct packed {
    struct packed { logic last; logic [63:0] data; } word;  // To the network: word of a packet.
    logic valid;  // To the network: `word` is valid.
    logic fifo_next;  // To the FIFO: reads the oldest word.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
