/// Sender: one rule of the sender, applied to the control structure of a peer (paper appendix,
/// rules S1, S2, LOSE, STOP, GO, ACK).
///
/// One event applies one rule. The printed rules end in "execute S1"; here S1 is the event `Offer`,
/// which sends one message, and the firmware repeats it until nothing is sent. Events that occur
/// between two of these steps are part of the protocol, so a model checker must see them (decision
/// 0027).
///
/// Combinational: outputs depend on inputs of the same cycle. The state is in the control
/// structure, which lies in NIC memory.
module sender (
    /// From the firmware: a control structure, and the event.
    input  sender_pkg::in_t  pins_i,
    /// To the firmware: the next control structure, and the message to send.
    output sender_pkg::out_t pins_o
);

  // Whether a number precedes another in serial number arithmetic.
  function automatic logic precedes(logic [31:0] a, logic [31:0] b);
    precedes = ($signed(a - b) < 32'sd0);
  endfunction

  control_pkg::control_t q;
  logic [31:0] next;
  logic [31:0] oldest;
  logic        running;
  assign q = pins_i.control;
  assign next = q.sent + 32'd1;
  assign oldest = q.acked + 32'd1;
  assign running = (q.sending == control_pkg::Running);

  // Bounds of S1 and of control frames; a distance is negative if a rewind or an old frame went
  // below A.
  logic [31:0] window;
  logic [31:0] ahead;
  logic        open;
  logic [31:0] distance;
  logic        above;
  logic        below;
  logic        from_acked;
  logic        from_oldest;
  logic        foreign;
  assign window = {17'd0, pins_i.window};
  assign ahead = next - q.acked;
  assign open = precedes(ahead, window) || (pins_i.rules.wide_window && ahead == window);
  assign distance = pins_i.number - q.acked;
  assign above = precedes(32'd0, distance);
  assign below = precedes(distance, window) || (pins_i.rules.wide_bounds && distance == window);
  assign from_acked = !precedes(distance, 32'd0) && below;
  assign from_oldest = above && below;
  assign foreign = pins_i.rules.epochs && pins_i.epoch != q.epoch;

  // A number that was never sent; GO may name the one after the last.
  logic [31:0] room;
  logic        unsent;
  logic        heard;
  assign room = q.highest - pins_i.number;
  assign unsent = pins_i.rules.sent_only && precedes(room, 32'd0) &&
                  !(pins_i.cause == sender_pkg::Go && (&room));
  assign heard = !q.dead && !foreign && !unsent;

  // k: the message that the rule names, or the one before it. A timer names the oldest message, or
  // any unacknowledged one. For the oldest one k is computed from A, which avoids a second adder in
  // the path.
  logic        of_oldest;
  logic [31:0] named;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [32:0] k_and_carry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] k;
  logic        one_before;
  logic        outstanding;
  logic        due;
  logic [7:0]  expiries;
  logic        gives_up;
  assign of_oldest = (pins_i.cause == sender_pkg::Timer && pins_i.rules.one_timer);
  assign named = of_oldest ? oldest : pins_i.number;
  assign k_and_carry = {of_oldest ? q.acked : pins_i.number, 1'b1} +
                       {{32{!of_oldest && one_before}}, of_oldest && !one_before};
  assign k = k_and_carry[32:1];
  assign outstanding = precedes(q.acked, named) && !precedes(q.highest, named);
  assign due = !precedes(pins_i.now - q.stamp, pins_i.timeout);
  assign expiries = (q.expiries == 8'hff) ? 8'hff : q.expiries + 8'd1;
  assign gives_up = pins_i.limit != 8'd0 && expiries >= pins_i.limit;

  // Whether the rule applies, and its effects, computed in parallel.
  logic       applies;
  logic       offers;
  logic       expires;
  logic       acknowledges;
  logic       rewinds;
  logic       rewound;
  logic       probes;
  control_pkg::sending_e sending;

  always_comb begin
    applies = 1'b0;
    offers = 1'b0;
    expires = 1'b0;
    acknowledges = 1'b0;
    rewinds = 1'b0;
    rewound = q.rewound;
    probes = 1'b0;
    one_before = 1'b0;
    sending = running ? control_pkg::Running : control_pkg::Stopped;

    unique case (pins_i.cause)
      // S1: sends one message.
      sender_pkg::Offer: begin
        applies = pins_i.offered && running && open && !q.dead;
        offers = 1'b1;
      end
      // S2: goes back to the message that expired; a stopped sender only probes.
      sender_pkg::Timer: begin
        applies = outstanding && due && !q.dead && (running || pins_i.rules.timer_while_stopped);
        expires = 1'b1;
        rewound = 1'b0;
        one_before = pins_i.rules.resend_expired;
        if (!gives_up) begin
          probes = !running && pins_i.rules.probe;
          rewinds = !probes && (!pins_i.rules.one_timer || precedes(k, q.sent));
          if (!probes) sending = control_pkg::Running;
        end
      end
      // ACK: k is the last message received in order.
      sender_pkg::Ack: begin
        applies = heard && from_acked;
        acknowledges = 1'b1;
        if (pins_i.rules.ack_resumes) sending = control_pkg::Running;
      end
      // LOSE: as ACK, and all messages after k are retransmitted. This is done once, although every
      // message after a gap requests it.
      sender_pkg::Lose: begin
        applies = heard && (from_oldest || (pins_i.rules.lose_rewinds && from_acked));
        acknowledges = 1'b1;
        rewinds = pins_i.rules.lose_rewinds &&
                  !(pins_i.rules.lose_once && q.rewound && distance == 32'd0);
        rewound = q.rewound || rewinds;
        if (pins_i.rules.ack_resumes) sending = control_pkg::Running;
      end
      // STOP: the frame names the message that found no room.
      sender_pkg::Stop: begin
        applies = heard && from_oldest;
        acknowledges = 1'b1;
        one_before = pins_i.rules.stop_keeps;
        sending = control_pkg::Stopped;
      end
      // GO: the frame names the next message that the receiver expects.
      sender_pkg::Go: begin
        applies = heard && from_acked;
        one_before = 1'b1;
        rewinds = pins_i.rules.go_rewinds;
        sending = control_pkg::Running;
      end
      default: applies = 1'b0;
    endcase
  end

  // S goes back to k, advances to the next message, or stays; A becomes k or stays. Then S is
  // raised to A, if the rules require it, and the highest number to S. Each is k or an old value in
  // the end, so all comparisons are made in parallel with the decision.
  logic [31:0] sent;
  logic        to_k;
  logic        follows;
  logic        rises;
  logic        frees;
  control_pkg::control_t d;
  assign sent = (offers && applies) ? next : q.sent;
  always_comb begin
    if (applies && acknowledges) follows = !rewinds && precedes(sent, k);
    else if (applies && rewinds) follows = precedes(k, q.acked);
    else follows = precedes(sent, q.acked);
    if (!pins_i.rules.sent_follows_acked) follows = 1'b0;
  end
  assign to_k = applies && (follows ? acknowledges : rewinds);
  assign rises = to_k ? precedes(q.highest, k) :
                 follows ? precedes(q.highest, q.acked) : precedes(q.highest, sent);
  assign frees = acknowledges && distance != {31'd0, one_before};

  always_comb begin
    d = q;
    if (applies && acknowledges) d.acked = k;
    d.sent = to_k ? k : follows ? q.acked : sent;
    if (rises) d.highest = d.sent;
    if (applies) begin
      d.sending = sending;
      // The stamp belongs to the oldest message.
      if (expires || frees || (offers && q.sent == q.acked)) d.stamp = pins_i.now;
      d.rewound = (frees && pins_i.cause != sender_pkg::Lose) ? 1'b0 : rewound;
      if (!expires && !offers) d.expiries = 8'd0;
      else if (expires && pins_i.limit != 8'd0) d.expiries = expiries;
      if (expires && gives_up) d.dead = 1'b1;
    end
  end

  assign pins_o.control = d;
  assign pins_o.send = applies && (offers || probes);
  assign pins_o.number = (applies && probes) ? oldest : next;
  assign pins_o.freed = (applies && acknowledges) ? k - q.acked : 32'd0;
  assign pins_o.taken = applies && !offers;
  assign pins_o.report_dead = applies && expires && gives_up;

  // A dead sender sends nothing, and no number beyond the highest was sent.
`ifndef SYNTHESIS
  always_comb begin
    DeadSendNothing : assert (!(q.dead && pins_o.send));
    SentIsNotBeyondTheHighest : assert (!precedes(d.highest, d.sent));
  end
`endif

endmodule
