/// Responder: one rule of the receiving side of a connection (IBA volume 1, sections 9.7.4, 9.7.5).
///
/// Packets are taken in order. A duplicate is acknowledged again; a packet after a gap is answered
/// by one NAK. Without a receive WQE, an RNR NAK asks the requester to retry later. A message that
/// breaks the rules, does not fit or has no right to its memory is refused for good: the connection
/// breaks.
///
/// An RDMA WRITE names its destination in its first packet; an RDMA READ takes a PSN for each
/// packet of its data. RDMA READs that arrive while one is answered wait behind it, up to 15; one
/// more is dropped, as if it were lost. A duplicate RDMA READ is read again (IBA volume 1, section
/// 9.7.5), in place of the data that were still to be sent; those that continue it wait behind it.
/// An RDMA READ that waits is refused when the data before it have been sent. An atomic operation
/// is executed once: a duplicate has the saved answer, and is dropped if a later RDMA READ or
/// atomic operation has taken its place.
///
/// An unreliable connection has no answers. Its messages may begin with any PSN; a message that is
/// not whole is dropped, and leaves its receive WQE to the next one (IBA volume 1, section 9.8.2).
///
/// A message takes a WQE from a shared receive queue with its first packet, from an own one with
/// its last. The engine counts the WQEs of a shared one.
///
/// Combinational from all inputs to all outputs; the state is the row of the queue pair. The engine
/// makes the comparisons for `follows`, `repeats` and `sized` one cycle earlier.
module responder #(
    /// Events of packets that arrive, for the receive engine.
    parameter logic Arrives = 1'b1,
    /// Events of RDMA READ data that are sent, for the send engine.
    parameter logic Sends = 1'b1
) (
    /// The row of a queue pair, and the event.
    input  responder_pkg::in_t  pins_i,
    /// The next row, and whether the packet may be taken.
    output responder_pkg::out_t pins_o
);

  context_pkg::responder_t q;
  context_pkg::responder_t d;
  context_pkg::reader_t    reader;
  assign q = pins_i.row;

  // `ordered`: the packet continues the message that has begun, or begins one when none has.
  // `nak_waits`: a NAK is still to be sent.
  logic        ordered;
  logic [31:0] bytes;
  logic        nak_waits;
  assign ordered = (pins_i.first != q.midway) && (pins_i.first || pins_i.write == q.writes);
  assign bytes = {20'd0, pins_i.bytes};

  // An RDMA WRITE goes on behind the bytes of a packet; a SEND counts in `received`.
  logic [31:0] passed;
  assign passed = pins_i.write ? bytes : 32'd0;

  // A receive WQE is needed by the first packet of a SEND, and by immediate data of an RDMA WRITE.
  logic sends;
  logic takes_wqe;
  logic uses_wqe;
  assign sends = !pins_i.write && !pins_i.read && !pins_i.atomic;
  assign takes_wqe = pins_i.write ? pins_i.immediate : sends && pins_i.first;
  assign uses_wqe = (sends || pins_i.immediate) && !pins_i.shared;
  assign nak_waits = q.answer && (q.syndrome[6:5] != 2'd0);

  // The last packet of data of the RDMA READ that arrives. The packet of data that is sent is the
  // last one of its RDMA READ.
  logic [23:0] last;
  logic        is_last;
  assign last = pins_i.psn + pins_i.more;
  assign is_last = (pins_i.reader.psn == pins_i.reader.last);

  // The next RDMA READ is answered.
  context_pkg::reader_t advanced;
  always_comb begin
    advanced = pins_i.reader;
    advanced.psn = pins_i.next.first;
    advanced.last = pins_i.next.last;
    advanced.begun = 1'b0;
    advanced.address = pins_i.next.address;
    advanced.left = pins_i.next.length;
    advanced.key = pins_i.next.key;
    advanced.denied = pins_i.next.denied;
    advanced.waiting = pins_i.reader.waiting - 4'd1;
    advanced.yields = 1'b1;
    advanced.place = pins_i.reader.place + 4'd1;
  end

  // On an unreliable connection a first packet is taken with any PSN and ends the message before
  // it; all others have to follow. A fault of the responder's own buffer still breaks it. `goes_on`
  // masks the message that has begun: a clock enable would be slower.
  logic is_next;
  logic takes_unreliable;
  logic goes_on;
  logic drops;
  assign is_next = pins_i.first || (pins_i.follows && ordered);
  assign takes_unreliable = is_next && pins_i.sized && (pins_i.ready || !takes_wqe);
  assign goes_on = takes_unreliable && !pins_i.first;
  assign drops = pins_i.unreliable && (pins_i.code != 2'd3);

  logic takes;
  logic breaks;
  always_comb begin
    d = q;
    reader = pins_i.reader;
    takes = 1'b0;
    breaks = 1'b0;

    unique case (pins_i.cause)
      responder_pkg::Arrive: if (Arrives) begin
        // Arrive: only the expected packet, or a duplicate of an RDMA READ, may be taken. A
        // duplicate of an atomic operation has the saved answer or none.
        if (pins_i.unreliable) begin
          takes = takes_unreliable;
          {d.midway, d.received} = {q.midway, q.received} & {33{goes_on}};
          if (takes_unreliable) d.psn = pins_i.psn;
        end else if (pins_i.follows) begin
          if (!ordered || !pins_i.sized) begin
            {d.answer, d.syndrome, d.answer_psn} = {1'b1, responder_pkg::Nak | 8'd1, q.psn};
            d.failed = 1'b1;
            breaks = 1'b1;
          end else if (takes_wqe && !pins_i.ready) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::RnrNak | {3'd0, pins_i.rnr_timer};
            d.answer_psn = q.psn;
            d.refused = 1'b1;
          end else begin
            takes = !pins_i.crowded;
          end
        end else if (pins_i.repeats && pins_i.read && pins_i.sized) begin
          takes = !pins_i.crowded;
        end else if (pins_i.repeats && pins_i.atomic) begin
          if (pins_i.saved) begin
            reader.active = 1'b1;
            reader.begun = 1'b0;
            reader.psn = pins_i.psn;
          end
        end else if (pins_i.repeats) begin
          // A NAK that is still to be sent takes precedence over this acknowledgement.
          if (!nak_waits) begin
            {d.answer, d.syndrome, d.answer_psn} = {1'b1, responder_pkg::Ack, q.psn - 24'd1};
          end
        end else begin
          if (!q.refused) begin
            {d.answer, d.syndrome, d.answer_psn} = {1'b1, responder_pkg::Nak, q.psn};
            d.refused = 1'b1;
          end
        end
      end
      responder_pkg::Take: if (Arrives) begin
        if (pins_i.read || pins_i.atomic) begin
          // Take: an RDMA READ takes the PSNs of all packets of its data, an atomic operation one.
          if (pins_i.appends) reader.waiting = pins_i.reader.waiting + 4'd1;
          else begin
            reader = '0;
            reader.active = 1'b1;
            reader.psn = pins_i.psn;
            reader.last = last;
            {reader.left, reader.address} = {pins_i.length, pins_i.address};
            reader.key = pins_i.key;
            reader.atomic = pins_i.atomic;
            if (pins_i.atomic) {reader.left, reader.address} = pins_i.original;
          end
          reader.newest = last;
          if (pins_i.follows) begin
            d.psn = q.psn + pins_i.more + 24'd1;
            d.refused = 1'b0;
            d.messages = q.messages + 24'd1;
            d.answer = q.answer && !nak_waits;
          end
        end else begin
          // Take: the next packet is expected. A NAK that is still to be sent is out of date.
          d.psn = q.psn + 24'd1;
          d.refused = 1'b0;
          d.midway = !pins_i.last;
          d.received = pins_i.last ? 32'd0 : q.received + bytes;
          d.writes = pins_i.write;
          d.address = pins_i.address + passed;
          d.length = pins_i.length - passed;
          d.key = pins_i.key;
          if (pins_i.last) d.messages = q.messages + 24'd1;
          if (pins_i.last && uses_wqe) d.consumed = q.consumed + 16'd1;
          if (pins_i.asks && !pins_i.unreliable) begin
            {d.answer, d.syndrome, d.answer_psn} = {1'b1, responder_pkg::Ack, q.psn};
          end else if (nak_waits) begin
            d.answer = 1'b0;
          end
        end
      end
      // Refuse: the WQE of a SEND is used up. An unreliable connection drops the message.
      responder_pkg::Refuse: begin
        if (drops) {d.midway, d.received} = 33'd0;
        else begin
          if (!pins_i.unreliable) begin
            d.answer = 1'b1;
            d.syndrome = responder_pkg::Nak | {6'd0, pins_i.code};
            d.answer_psn = pins_i.psn;
          end
          if (sends) d.midway = 1'b0;
          if (sends && !pins_i.shared) d.consumed = q.consumed + 16'd1;
          reader.active = 1'b0;
          d.failed = 1'b1;
          breaks = 1'b1;
        end
      end
      // Respond: the next RDMA READ follows the last packet. All packets but the last one are full;
      // a saved answer stays as it is.
      responder_pkg::Respond: if (Sends) begin
        if (is_last && pins_i.reader.waiting != 4'd0) reader = advanced;
        else begin
          reader.active = !is_last;
          reader.begun = 1'b1;
          reader.psn = pins_i.reader.psn + 24'd1;
          if (!pins_i.reader.atomic) begin
            reader.address = pins_i.reader.address + {20'd0, pins_i.mtu};
            reader.left = pins_i.reader.left - {20'd0, pins_i.mtu};
          end
        end
      end
      default: ;
    endcase
  end

  assign pins_o.row = d;
  assign pins_o.reader = reader;
  assign pins_o.takes = takes;
  assign pins_o.breaks = breaks;

  // A connection that breaks has failed, and its last packet is not taken.
`ifndef SYNTHESIS
  always_comb begin
    BreakingIsFailing : assert (!breaks || d.failed);
    WhatBreaksIsNotTaken : assert (!(breaks && takes));
  end
`endif

endmodule
