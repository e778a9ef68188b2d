// Generated from crates/devices/gigae_pm/src/mac/mac_transmit.rs by `make tables`; do not edit.
package mac_transmit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of the preamble, start delimiter included.
  localparam logic [10:0] PreambleBytes = 11'd8;

  // Cycles in `Gap`; with those before the next preamble is on the pins, 12 lie between frames.
  localparam logic [10:0] GapCycles = 11'd11;

  // Transmission of a frame.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a whole frame; takes its first word.
    Preamble = 3'd1,  // Sends the preamble.
    Data = 3'd2,  // Sends the frame.
    Pad = 3'd3,  // Sends zeros up to the shortest frame.
    Fcs = 3'd4,  // Sends the check sequence.
    Gap = 3'd5  // Keeps the gap before the next frame.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Gap
    6'b100000,  // from Fcs
    6'b010000,  // from Pad
    6'b011000,  // from Data
    6'b000100,  // from Preamble
    6'b000010  // from Idle
  };

  // Input pins of the transmitter.
  typedef struct packed {
    // Word taken from the transmit FIFO last.
    struct packed { logic last; logic [1:0] bytes; logic [31:0] data; } word;
    logic packet_available;  // At least one whole frame waits in the transmit FIFO.
  } in_t;

  // Output pins of the transmitter.
  typedef struct packed {
    logic tx_enable;  // `tx_data` holds a byte.
    logic [7:0] tx_data;  // Byte to the physical layer.
    logic word_next;  // Takes the next word of the frame, unless this one is the last.
    logic packet_next;  // Takes the first word of a frame, as soon as one is available.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
