// Generated from crates/devices/dimmnet2/src/swif/decapsulation.rs by `make tables`; do not edit.
package decapsulation_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Free lines that let a frame in.
  localparam logic [10:0] StartLines = 11'd516;

  // Free lines that let the link start a frame: the longest packet and 256 lines under way.
  localparam logic [10:0] ReadyLines = 11'd768;

  // Cycles without a line after which a packet without an end is closed.
  localparam logic [7:0] GapLimit = 8'd254;

  // Frame that arrives (decision 0010).
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a local route header.
    Bth1 = 3'd1,  // Waits for the first line of the base transport header.
    Bth2 = 3'd2,  // Waits for the second line of the base transport header.
    First = 3'd3,  // Waits for the first line of the packet.
    Payload = 3'd4,  // Waits for the other lines of the packet.
    Drop = 3'd5  // Waits for the end of a frame that is not stored, or not any more.
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
    logic [10:0] fifo_free;  // Lines that the receive FIFO can take.
    logic [15:0] sma_lid;  // LID of this port.
    logic rx_valid;  // There is a line on `rx_line`.
    struct packed { logic [1:0] id; logic [63:0] data; } rx_line;  // Line from the link.
  } in_t;

  // Output pins of the decapsulation.
  typedef struct packed {
    logic rx_ready;  // A frame may start.
    logic line_enable;  // Writes `line` into the receive FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the receive FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
