// Generated from crates/devices/dimmnet2/src/swif/encapsulation.rs by `make tables`; do not edit.
package encapsulation_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Progress within the frame being sent (decision 0010).
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a whole packet; takes its first line.
    Header = 3'd1,  // Builds the local route header from the first line.
    Lrh = 3'd2,  // Sends the local route header.
    Bth1 = 3'd3,  // Sends the first line of the base transport header.
    Bth2 = 3'd4,  // Sends the second line of the base transport header.
    Payload = 3'd5  // Sends the packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Payload
    6'b100000,  // from Bth2
    6'b010000,  // from Bth1
    6'b001000,  // from Lrh
    6'b000100,  // from Header
    6'b000010  // from Idle
  };

  // Input pins of the encapsulation.
  typedef struct packed {
    logic [15:0] sma_lid;  // LID of this port.
    logic tx_ready;  // The link accepts `tx_line` in this cycle.
    // Line most recently taken from the transmit FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic packet_available;  // At least one whole packet waits in the transmit FIFO.
  } in_t;

  // Output pins of the encapsulation.
  typedef struct packed {
    logic tx_valid;  // `tx_line` is valid.
    struct packed { logic [1:0] id; logic [63:0] data; } tx_line;  // Line to the link.
    // Takes the next line of the packet with each line that the link accepts, up to the last one.
    logic line_next;
    logic packet_next;  // Takes the first line of a packet, as soon as one is available.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
