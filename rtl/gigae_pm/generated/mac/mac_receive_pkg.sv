// Generated from crates/devices/gigae_pm/src/mac/mac_receive.rs by `make tables`; do not edit.
package mac_receive_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Reception of a frame.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a preamble.
    Preamble = 3'd1,  // Waits for the start delimiter, if there is room.
    Frame = 3'd2,  // Takes the bytes of the frame.
    Flush = 3'd3,  // Stores the last, partial word.
    Status = 3'd4,  // Stores the status.
    Drop = 3'd5  // Waits for the end of a frame that is not stored.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Drop
    6'b100001,  // from Status
    6'b010000,  // from Flush
    6'b011000,  // from Frame
    6'b100101,  // from Preamble
    6'b000010  // from Idle
  };

  // Input pins of the receiver.
  typedef struct packed {
    logic [10:0] fifo_free;  // Words that the receive FIFO can take.
    logic rx_error;  // The byte was received with an error.
    logic rx_valid;  // `rx_data` holds a byte.
    logic [7:0] rx_data;  // Byte from the physical layer.
  } in_t;

  // Output pins of the receiver.
  typedef struct packed {
    logic word_enable;  // Writes `word` into the receive FIFO.
    struct packed { logic last; logic [31:0] data; } word;  // Word to the receive FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
