/// Responder: one rule of the receiving side of a connection (IBA volume 1, sections 9.7.4, 9.7.5).
///
/// Packets are taken in order. One that came before is acknowledged again; one behind a gap is answered by a NAK, once. Without a receive
/// WQE a message is put off by an RNR NAK. A message that breaks the rules, or finds no room, is refused for good.
///
/// Combinational: all inputs to all outputs. The registers are the row of the queue pair.
module responder (
    /// The row of a queue pair, and what happens.
    input  responder_pkg::in_t  pins_i,
    /// The next row, and what to do.
    output responder_pkg::out_t pins_o
);

  context_pkg::responder_t q;
  context_pkg::responder_t d;
  assign q = pins_i.row;

  logic [23:0] distance;
  logic        ordered;
  logic        sized;
  logic        nak_waits;
  assign distance = pins_i.psn - q.psn;
  assign ordered = (pins_i.first != q.midway);
  assign sized = pins_i.last ? (pins_i.bytes <= pins_i.mtu) && (pins_i.first || pins_i.bytes != 12'd0) :
                 (pins_i.bytes == pins_i.mtu) && (pins_i.bytes != 12'd0);
  assign nak_waits = q.answer && (q.syndrome[6:5] != 2'd0);

  logic takes;
  logic breaks;
  always_comb begin
    d = q;
    takes = 1'b0;
    breaks = 1'b0;

    unique case (pins_i.cause)
      responder_pkg::Arrive: begin
        // Arrive: the next one.
        if (distance == 24'd0) begin
          if (!ordered || !sized) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::Nak | 8'd1;
            d.answer_psn = q.psn;
            d.dead = 1'b1;
            breaks = 1'b1;
          end else if (pins_i.first && !pins_i.ready) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::RnrNak | {3'd0, pins_i.rnr_timer};
            d.answer_psn = q.psn;
            d.refused = 1'b1;
          end else begin
            takes = 1'b1;
          end
        end else if (distance[23]) begin
          // Arrive: one that came before. A NAK that waits tells more.
          if (!nak_waits) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::Ack;
            d.answer_psn = q.psn - 24'd1;
          end
        end else begin
          // Arrive: there is a gap before it.
          if (!q.refused) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::Nak;
            d.answer_psn = q.psn;
            d.refused = 1'b1;
          end
        end
      end
      // Take: the next packet is due. A NAK that waits is out of date.
      responder_pkg::Take: begin
        d.psn = q.psn + 24'd1;
        d.refused = 1'b0;
        d.midway = !pins_i.last;
        d.received = pins_i.last ? 32'd0 : q.received + {20'd0, pins_i.bytes};
        if (pins_i.last) begin
          d.messages = q.messages + 24'd1;
          d.consumed = q.consumed + 16'd1;
        end
        if (pins_i.asks) begin
          d.answer = 1'b1;
          d.syndrome = responder_pkg::Ack;
          d.answer_psn = q.psn;
        end else if (nak_waits) begin
          d.answer = 1'b0;
        end
      end
      // Refuse: its WQE is used up.
      responder_pkg::Refuse: begin
        d.answer = 1'b1;
        d.syndrome = responder_pkg::Nak | {6'd0, pins_i.code};
        d.answer_psn = q.psn;
        d.consumed = q.consumed + 16'd1;
        d.dead = 1'b1;
        breaks = 1'b1;
      end
      default: ;
    endcase
  end

  assign pins_o.row = d;
  assign pins_o.takes = takes;
  assign pins_o.breaks = breaks;

endmodule
