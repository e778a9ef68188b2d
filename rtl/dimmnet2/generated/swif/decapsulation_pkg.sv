// Generated from crates/devices/dimmnet2/src/swif/decapsulation.rs by `make tables`; do not edit.
package decapsulation_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Free lines required to accept a frame.
  localparam logic [10:0] StartLines = 11'd516;

  // Free lines required for rx_ready: the longest packet and 256 lines in flight.
  localparam logic [10:0] ReadyLines = 11'd768;

  // Cycles without a line after which an unfinished packet is closed.
  localparam logic [7:0] GapLimit = 8'd254;

  // Progress within the arriving frame (decision 0010).
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a local route header.
    Bth1 = 3'd1,  // Waits for the first line of the base transport header.
    Bth2 = 3'd2,  // Waits for the second line of the base transport header.
    First = 3'd3,  // Waits for the first line of the packet.
    Payload = 3'd4,  // Waits for the other lines of the packet.
    Drop = 3'd5  // Waits for the end of a frame that is not stored, or no longer stored.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000011,  // from Drop
    6'b100011,  // from Payload
    6'b110011,  // from First
    6'b101011,  // from Bth2
    6'b100101,  // from Bth1
    6'b100010  // from Idle
  };

  // Input pins of the decapsulation.
  typedef struct packed {
    logic [10:0] fifo_free;  // Free lines in the receive FIFO.
    logic [15:0] sma_lid;  // LID of this port.
    logic rx_valid;  // `rx_line` is valid.
    struct packed { logic [1:0] id; logic [63:0] data; } rx_line;  // Line from the link.
  } in_t;

  // Output pins of the decapsulation.
  typedef struct packed {
    // A frame may start: there is room for the longest one and for lines in flight.
    logic rx_ready;
    logic line_enable;  // Writes `line` into the receive FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the receive FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
