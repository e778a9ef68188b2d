// Generated from crates/devices/gigae_pm/src/protocol/header.rs by `make tables`; do not edit.
package header_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Version of the layout.
  localparam logic [3:0] Version = 4'd1;

  // Identity of a card: its addresses and its Ethernet type.
  typedef struct packed {
    logic [9:0] node;  // Number of the node.
    logic [15:0] ether_type;  // Ethernet type of GigaE PM.
    logic [31:0] mac_prefix;  // First four bytes of all MAC addresses; the lowest byte goes first.
  } identity_t;

  // A frame to be sent.
  typedef struct packed {
    logic [15:0] epoch;  // Session.
    logic [31:0] number;  // Message number, or that of a control frame.
    logic [9:0] node;  // Destination.
    logic [1:0] channel;  // Channel, 0 to 3.
    logic [2:0] kind;  // Kind of frame.
    logic raw;  // A frame of another protocol, which contains its header.
    logic [10:0] size;  // Bytes of the message, or of the whole frame with its two padding bytes.
    logic [17:0] address;  // First word of the message, or of the whole frame, in NIC memory.
  } frame_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
