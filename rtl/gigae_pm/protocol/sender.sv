/// Sender: one rule of the sender on the control structure of a peer (paper appendix, rules S1, S2, LOSE, STOP, GO, ACK).
///
/// One event, one rule. The printed rules end in "execute S1"; here S1 is the event `Offer`, which sends one
/// message, and the firmware repeats it until nothing is sent. What may happen between two of these steps is part of the
/// protocol, and a model checker must see it (decision 0027).
///
/// Combinational: all inputs to all outputs. The registers are the control structure, which lies in NIC memory.
module sender (
    /// From the firmware: a control structure, and what happens.
    input  sender_pkg::in_t  pins_i,
    /// To the firmware: the next control structure, and what to do.
    output sender_pkg::out_t pins_o
);

  // Whether a number comes before another, as serial numbers.
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

  // The bounds of S1 and of control frames; a distance is negative where a rewind or an old frame went below A.
  logic [31:0] window;
  logic [31:0] ahead;
  logic        open;
  logic [31:0] distance;
  logic        above;
  logic        below;
  logic        from_acked;
  logic        from_oldest;
  logic        foreign;
  logic        heard;
  assign window = {17'd0, pins_i.window};
  assign ahead = next - q.acked;
  assign open = precedes(ahead, window) || (pins_i.rules.wide_window && ahead == window);
  assign distance = pins_i.number - q.acked;
  assign above = precedes(32'd0, distance);
  assign below = precedes(distance, window) || (pins_i.rules.wide_bounds && distance == window);
  assign from_acked = !precedes(distance, 32'd0) && below;
  assign from_oldest = above && below;
  assign foreign = pins_i.rules.epochs && pins_i.epoch != q.epoch;
  assign heard = !q.dead && !foreign;

  // The timer of the oldest message, or of any that is not acknowledged.
  logic [31:0] expired;
  logic        outstanding;
  logic        due;
  logic [7:0]  expiries;
  logic        gives_up;
  logic [31:0] rewind;
  assign expired = pins_i.rules.one_timer ? oldest : pins_i.number;
  assign outstanding = precedes(q.acked, expired) && !precedes(q.highest, expired);
  assign due = !precedes(pins_i.now - q.stamp, pins_i.timeout);
  assign expiries = (q.expiries == 8'hff) ? 8'hff : q.expiries + 8'd1;
  assign gives_up = pins_i.limit != 8'd0 && expiries >= pins_i.limit;
  assign rewind = pins_i.rules.resend_expired ? expired - 32'd1 : expired;

  control_pkg::control_t d;
  logic        send;
  logic [31:0] number;
  logic        taken;
  logic        report_dead;

  always_comb begin
    d = q;
    send = 1'b0;
    number = next;
    taken = 1'b0;
    report_dead = 1'b0;

    unique case (pins_i.cause)
      // S1: one message; the stamp is that of the oldest one.
      sender_pkg::Offer: begin
        if (pins_i.offered && running && open && !q.dead) begin
          send = 1'b1;
          d.sent = next;
          if (next == oldest) begin
            d.stamp = pins_i.now;
          end
        end
      end
      // S2: back to the message that expired; a stopped sender only probes.
      sender_pkg::Timer: begin
        if (outstanding && due && !q.dead && (running || pins_i.rules.timer_while_stopped)) begin
          taken = 1'b1;
          d.stamp = pins_i.now;
          d.rewound = 1'b0;
          if (pins_i.limit != 8'd0) begin
            d.expiries = expiries;
          end
          if (gives_up) begin
            d.dead = 1'b1;
            report_dead = 1'b1;
          end else if (!running && pins_i.rules.probe) begin
            send = 1'b1;
            number = oldest;
          end else begin
            d.sending = control_pkg::Running;
            if (!pins_i.rules.one_timer || precedes(rewind, q.sent)) begin
              d.sent = rewind;
            end
          end
        end
      end
      // ACK: k is the last message received in order.
      sender_pkg::Ack: begin
        if (heard && from_acked) begin
          taken = 1'b1;
          d.acked = pins_i.number;
          if (pins_i.rules.ack_resumes) begin
            d.sending = control_pkg::Running;
          end
        end
      end
      // LOSE: as ACK, and all after k is to be sent again; once, because every message after a gap asks for it.
      sender_pkg::Lose: begin
        if (heard && (from_oldest || (pins_i.rules.lose_rewinds && from_acked))) begin
          taken = 1'b1;
          d.acked = pins_i.number;
          if (pins_i.rules.lose_rewinds && !(pins_i.rules.lose_once && q.rewound && distance == 32'd0)) begin
            d.sent = pins_i.number;
            d.rewound = 1'b1;
          end
          if (pins_i.rules.ack_resumes) begin
            d.sending = control_pkg::Running;
          end
        end
      end
      // STOP: k is the message that found no room.
      sender_pkg::Stop: begin
        if (heard && from_oldest) begin
          taken = 1'b1;
          d.acked = pins_i.rules.stop_keeps ? pins_i.number - 32'd1 : pins_i.number;
          d.sending = control_pkg::Stopped;
        end
      end
      // GO: k is the next message that the receiver waits for.
      sender_pkg::Go: begin
        if (heard && from_acked) begin
          taken = 1'b1;
          d.sending = control_pkg::Running;
          if (pins_i.rules.go_rewinds) begin
            d.sent = pins_i.number - 32'd1;
          end
        end
      end
      default: taken = 1'b0;
    endcase

    if (pins_i.rules.sent_follows_acked && precedes(d.sent, d.acked)) begin
      d.sent = d.acked;
    end
    if (precedes(d.highest, d.sent)) begin
      d.highest = d.sent;
    end
    if (d.acked != q.acked) begin
      d.stamp = pins_i.now;
      d.rewound = (pins_i.cause == sender_pkg::Lose) && d.rewound;
    end
    if (taken && pins_i.cause != sender_pkg::Timer) begin
      d.expiries = 8'd0;
    end
  end

  assign pins_o.control = d;
  assign pins_o.send = send;
  assign pins_o.number = number;
  assign pins_o.freed = d.acked - q.acked;
  assign pins_o.taken = taken;
  assign pins_o.report_dead = report_dead;

endmodule
