// Generated from crates/devices/gigae_pm/src/protocol/receiver.rs by `make tables`; do not edit.
package receiver_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Event of a receiver.

  localparam logic [2:0] Nothing = 3'b000;  // No event.
  localparam logic [2:0] Message = 3'b001;  // Msg(s, r, i) arrives.
  localparam logic [2:0] Stored = 3'b110;  // The message delivered last is in host memory.
  localparam logic [2:0] Room = 3'b111;  // The host freed enough of the receive buffer.

  // Input pins of the Receiver.
  typedef struct packed {
    logic receiving;  // State of the channel.
    logic room;  // The receive buffer of the channel has room for a message.
    logic [15:0] epoch;  // Session that the message names.
    logic [31:0] number;  // Number i of the message.
    logic [2:0] cause;  // Event, a `Cause`.
    // Repairs of the printed rules.
    struct packed {
      logic sent_only;
      logic probe;
      logic wide_bounds;
      logic wide_window;
      logic go_to_each_sender;
      logic stop_each_sender;
      logic lose_once;
      logic epochs;
      logic count_at_once;
      logic ack_resumes;
      logic one_timer;
      logic sent_follows_acked;
      logic go_rewinds;
      logic lose_rewinds;
      logic timer_while_stopped;
      logic stop_keeps;
      logic answer_old;
      logic resend_expired;
    } rules;
    // Control structure of the peer.
    struct packed {
      logic [7:0] expiries;
      logic [3:0] reserved;
      logic owed;
      logic dead;
      logic rewound;
      logic sending;
      logic [15:0] epoch;
      logic [31:0] stamp;
      logic [31:0] highest;
      logic [31:0] received;
      logic [31:0] acked;
      logic [31:0] sent;
    } control;
  } in_t;

  // Output pins of the Receiver.
  typedef struct packed {
    logic [31:0] number;  // Number k of the control frame.
    logic [2:0] reply;  // Kind of the control frame to send to the peer, or none.
    logic deliver;  // Transfers the message to the host; any other is dropped.
    logic receiving;  // State of the channel after the event.
    // Control structure of the peer after the event.
    struct packed {
      logic [7:0] expiries;
      logic [3:0] reserved;
      logic owed;
      logic dead;
      logic rewound;
      logic sending;
      logic [15:0] epoch;
      logic [31:0] stamp;
      logic [31:0] highest;
      logic [31:0] received;
      logic [31:0] acked;
      logic [31:0] sent;
    } control;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
