// Generated from crates/devices/gigae_pm/src/protocol/rules.rs by `make tables`; do not edit.
package rules_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Enabled repairs. The first field is F1, the second F2, and so on.
  typedef struct packed {
    logic sent_only;  // A control frame of a message that was never sent is dropped.
    // With F4: an expiry while stopped sends the oldest message as a probe, and the sender stays
    // stopped.
    logic probe;
    logic wide_bounds;  // Control frames are taken up to k = MsgIdAcked + N, not one less.
    // S1 sends up to MsgIdAcked + N, not one less: N messages without an ACK, as N is defined.
    logic wide_window;
    // GO goes to every sender that was told to stop, not only to the one that filled the buffer.
    logic go_to_each_sender;
    // The next message in order is answered by STOP also while discarding, whoever filled the
    // buffer.
    logic stop_each_sender;
    // A LOSE that would rewind to the same message a second time does not; a timeout forgets that.
    logic lose_once;
    logic epochs;  // A frame of another session is dropped.
    // MsgIdRecv is counted when a message is accepted, not when it has reached the host.
    logic count_at_once;
    logic ack_resumes;  // ACK and LOSE while stopped start sending again.
    // One timer for the oldest message in place of one for each; it never moves MsgIdSent forward.
    logic one_timer;
    // MsgIdSent is never less than MsgIdAcked: what is acknowledged has no buffer to be sent from.
    logic sent_follows_acked;
    logic go_rewinds;  // GO(k) sets MsgIdSent to k - 1.
    logic lose_rewinds;  // LOSE(k) is taken from k = MsgIdAcked on, and sets MsgIdSent to k.
    // The timer runs while stopped; an expiry sends again, whatever the peer said.
    logic timer_while_stopped;
    logic stop_keeps;  // STOP(k) acknowledges up to k - 1 only: message k was discarded.
    // A message that was received before is answered by ACK of the last one received in order.
    logic answer_old;
    // S2 sets MsgIdSent to i - 1: a timeout of message i sends i again, not only what follows it.
    logic resend_expired;
  } rules_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
