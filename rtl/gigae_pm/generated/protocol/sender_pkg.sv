// Generated from crates/devices/gigae_pm/src/protocol/sender.rs by `make tables`; do not edit.
package sender_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Event of a sender. Control frames have the codes of their kind of frame.

  localparam logic [2:0] Nothing = 3'b000;  // No event.
  // S1: sends the next message if there is one and the window is open.
  localparam logic [2:0] Offer = 3'b001;
  localparam logic [2:0] Ack = 3'b010;  // ACK(r, k) arrives.
  localparam logic [2:0] Lose = 3'b011;  // LOSE(r, k) arrives.
  localparam logic [2:0] Stop = 3'b100;  // STOP(r, k) arrives.
  localparam logic [2:0] Go = 3'b101;  // GO(r, k) arrives.
  localparam logic [2:0] Timer = 3'b110;  // S2: the timer of message i may have expired.

  // Input pins of the Sender.
  typedef struct packed {
    logic [7:0] limit;  // m: expiries in a row after which the peer is dead; 0 for never.
    logic [31:0] timeout;  // T: time from sending a message to sending it again.
    logic [31:0] now;  // Time, in the unit of `timeout`.
    logic [14:0] window;  // N, the window: messages without an ACK (decision 0027); less than 2^15.
    logic offered;  // Message `sent` + 1 is available.
    logic [15:0] epoch;  // Session that a control frame names.
    logic [31:0] number;  // Number k of a control frame; i of a timer, unless `one_timer` is set.
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

  // Output pins of the Sender.
  typedef struct packed {
    logic report_dead;  // The peer was found dead; high once.
    // The rule applied: a timer had expired, a control frame was of this session and within its
    // bounds.
    logic taken;
    // Send buffers to free, counted from message `acked` + 1 of the structure before the event.
    logic [31:0] freed;
    logic [31:0] number;  // Message to send.
    logic send;  // Sends message `number`.
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
