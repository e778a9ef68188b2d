/// Receiver: one rule of the receiver, applied to the control structure of a peer (paper appendix,
/// rules R-OK, R-FULL, R-GAP, R-GO).
///
/// The receive buffer belongs to the channel, so whether messages are discarded is state of the
/// channel and an input next to the structure of the peer. When there is room again, `Room` is
/// applied to every peer of the channel.
///
/// Combinational: outputs depend on inputs of the same cycle. The state is in the control
/// structure, which lies in NIC memory, and in the channel.
module receiver (
    /// From the firmware: a control structure, and what happens.
    input  receiver_pkg::in_t  pins_i,
    /// To the firmware: the next control structure, and what to do.
    output receiver_pkg::out_t pins_o
);

  // Whether a number precedes another in serial number arithmetic.
  function automatic logic precedes(logic [31:0] a, logic [31:0] b);
    precedes = ($signed(a - b) < 32'sd0);
  endfunction

  control_pkg::control_t q;
  logic [31:0] next;
  logic        open;
  logic        current;
  logic        in_order;
  logic        old;
  assign q = pins_i.control;
  assign next = q.received + 32'd1;
  assign open = (pins_i.receiving == control_pkg::Open);
  assign current = !(pins_i.rules.epochs && pins_i.epoch != q.epoch);
  assign in_order = (pins_i.number == next);
  assign old = precedes(pins_i.number, next);

  control_pkg::control_t   d;
  control_pkg::receiving_e receiving;
  logic        deliver;
  logic [2:0]  reply;
  logic [31:0] number;

  always_comb begin
    d = q;
    receiving = open ? control_pkg::Open : control_pkg::Discard;
    deliver = 1'b0;
    reply = frame_pkg::Nothing;
    number = 32'd0;

    unique case (pins_i.cause)
      receiver_pkg::Message: begin
        if (!current) begin
          // A frame of another session.
          deliver = 1'b0;
        end else if (old) begin
          // A retransmission, because the ACK was lost or late.
          if (pins_i.rules.answer_old) begin
            reply = frame_pkg::Ack;
            number = q.received;
          end
        end else if (open && in_order && pins_i.room) begin
          deliver = 1'b1;
          reply = frame_pkg::Ack;
          number = next;
          if (pins_i.rules.count_at_once) begin
            d.received = next;
          end
        end else if (open && in_order) begin
          receiving = control_pkg::Discard;
          reply = frame_pkg::Stop;
          number = next;
          d.owed = 1'b1;
        end else if (open) begin
          reply = frame_pkg::Lose;
          number = q.received;
        end else if (in_order && pins_i.rules.stop_each_sender) begin
          // Another sender may have filled the buffer, and a probe must not find the peer
          // apparently dead.
          reply = frame_pkg::Stop;
          number = next;
          d.owed = q.owed || pins_i.rules.go_to_each_sender;
        end
      end
      // R-OK (3), where it is a separate step.
      receiver_pkg::Stored: begin
        if (!pins_i.rules.count_at_once) begin
          d.received = next;
        end
      end
      // R-GO
      receiver_pkg::Room: begin
        receiving = control_pkg::Open;
        if (q.owed) begin
          reply = frame_pkg::Go;
          number = next;
          d.owed = 1'b0;
        end
      end
      default: deliver = 1'b0;
    endcase
  end

  assign pins_o.control = d;
  assign pins_o.receiving = receiving;
  assign pins_o.deliver = deliver;
  assign pins_o.reply = reply;
  assign pins_o.number = number;

  // A delivered message is acknowledged, and a frame of another session has no effect.
`ifndef SYNTHESIS
  always_comb begin
    DeliveredIsAcknowledged : assert (!deliver || (reply == frame_pkg::Ack));
    OtherSessionDoesNothing : assert (current || (pins_i.cause != receiver_pkg::Message) ||
        ((d == q) && !deliver && (reply == frame_pkg::Nothing)));
  end
`endif

endmodule
