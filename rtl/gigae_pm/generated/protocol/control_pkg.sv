// Generated from crates/devices/gigae_pm/src/protocol/control.rs by `make tables`; do not edit.
package control_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Whether messages may be sent to a peer (paper appendix, rules STOP and GO).
  typedef enum logic [0:0] {
    Running = 1'd0,  // Sends while the window is open.
    Stopped = 1'd1  // The peer has no room; waits for GO.
  } sending_e;

  // Declared arcs of sending_e: bit [from * 2 + to].
  localparam logic [3:0] SendingArcs = {
    2'b01,  // from Stopped
    2'b10  // from Running
  };

  // Whether the receive buffer of a channel takes messages (paper appendix, rules R-FULL and R-GO).
  typedef enum logic [0:0] {
    Open = 1'd0,  // Accepts the next message in order.
    Discard = 1'd1  // Was full; discards every message until there is room.
  } receiving_e;

  // Declared arcs of receiving_e: bit [from * 2 + to].
  localparam logic [3:0] ReceivingArcs = {
    2'b01,  // from Discard
    2'b10  // from Open
  };

  // The control structure of a peer. All zero is a peer to which nothing was sent and from which
  // nothing came.
  typedef struct packed {
    logic [7:0] expiries;  // Expiries of the timer since the peer was last heard.
    logic [3:0] reserved;  // Always 0.
    logic owed;  // The peer was told to stop and must be told to go.
    logic dead;  // The peer missed too many answers; nothing more is sent to it.
    logic rewound;  // A LOSE has already rewound to `acked`.
    sending_e sending;  // Whether messages may be sent, with STOP and GO.
    logic [15:0] epoch;  // Session, the same at both ends.
    logic [31:0] stamp;  // Time at which the timer was started, in cycles.
    // Highest number sent: a timer runs for the messages after `acked` up to this one.
    logic [31:0] highest;
    // R, MsgIdRecv: number of the message from the peer that was received last.
    logic [31:0] received;
    // A, MsgIdAcked: all messages up to this one are acknowledged and their buffers free.
    logic [31:0] acked;
    // S, MsgIdSent: number of the message sent last; less than `highest` after a rewind.
    logic [31:0] sent;
  } control_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
