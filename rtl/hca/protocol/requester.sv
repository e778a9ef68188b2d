/// Requester: one rule of the sending side of a connection (IBA volume 1, sections 9.7.5, 9.7.6).
///
/// A connection has up to 16 outstanding requests, of one or more packets each; the last packet of
/// a request asks for an acknowledgement. An acknowledgement covers all packets up to its own.
/// Requests end in their order: an answer to a later one first acknowledges the oldest one whole,
/// and is then looked at again. A retransmission goes back to the oldest unacknowledged packet.
///
/// RDMA READs are outstanding among themselves, an atomic operation alone. An RDMA READ is one
/// packet that takes the PSNs of all packets of its data. The data acknowledge themselves and are
/// taken in order; when a packet is missing, the rest is requested again after the time-out. A NAK
/// acknowledges none. The original value of an atomic operation is such data, of one packet.
///
/// A request of an unreliable connection is over when its last packet is sent.
///
/// Combinational: all inputs to all outputs. The registers are the row of the queue pair.
/// Comparisons and sums on inputs are made by the engine a cycle earlier.
module requester #(
    /// Events of requests that are sent, for the send engine.
    parameter logic Sends = 1'b1,
    /// Events of answers, for the receive engine.
    parameter logic Answers = 1'b1
) (
    /// The row of a queue pair, and the event.
    input  requester_pkg::in_t  pins_i,
    /// The next row, and what to do.
    output requester_pkg::out_t pins_o
);

  context_pkg::requester_t q;
  context_pkg::requester_t d;
  assign q = pins_i.row;

  // Type and code of the syndrome. An answer acknowledges its own packet or those before it; data
  // of an RDMA READ acknowledge themselves instead.
  logic [4:0]  code;
  logic [1:0]  kind;
  logic        positive;
  logic [23:0] psn;
  logic        progress;
  logic [2:0]  retries;
  logic [2:0]  rnr;
  logic [23:0] oldest;
  logic        counts;
  assign code = pins_i.syndrome[4:0];
  assign kind = pins_i.passes ? 2'd0 : pins_i.syndrome[6:5];
  assign psn = pins_i.passes ? q.last : pins_i.psn;
  assign positive = (kind == 2'd0);
  assign progress = !pins_i.reads && (positive || !pins_i.next);
  assign retries = progress ? 3'd0 : q.retries;
  assign rnr = progress ? 3'd0 : q.rnr;
  assign oldest = pins_i.reads ? q.oldest : psn + {23'd0, positive};
  assign counts = q.active && pins_i.belongs;

  // The deadline has passed; without an RNR NAK, unacknowledged packets are sent again.
  logic expired;
  logic timed_out;
  logic more;
  assign more = pins_i.unsent || pins_i.begins;
  assign expired = q.active && pins_i.passed;
  assign timed_out = expired && !q.waiting && pins_i.resends && !pins_i.rests;

  // Whether a packet may be sent or taken, whether the request is over, and how it ended.
  logic       finish;
  logic       takes;
  logic       sends;
  logic [7:0] status;
  always_comb begin
    finish = 1'b0;
    takes = 1'b0;
    sends = 1'b0;
    status = layout_pkg::Success;

    unique case (pins_i.cause)
      requester_pkg::Answer: if (Answers) begin
        finish = pins_i.over;
        if (pins_i.over && kind == 2'd1) status = layout_pkg::RnrRetryExceeded;
        if (pins_i.over && kind == 2'd3) begin
          unique case (code[1:0])
            2'd0: status = layout_pkg::RetryExceeded;
            2'd1: status = layout_pkg::RemoteInvalidRequest;
            2'd2: status = layout_pkg::RemoteAccess;
            default: status = layout_pkg::RemoteOperation;
          endcase
        end
      end
      // Turn: after an RNR NAK, no packet may be sent before the deadline.
      requester_pkg::Turn: begin
        sends = q.active && !q.waiting && more;
        if (Sends && expired) begin
          if (q.waiting) begin
            sends = more;
          end else if (timed_out) begin
            sends = pins_i.unanswered;
            if (pins_i.spent) begin
              sends = 1'b0;
              finish = 1'b1;
              status = layout_pkg::RetryExceeded;
            end
          end
        end
      end
      // Respond: data of another request, or a duplicate, are ignored; wrong data end the request.
      requester_pkg::Respond: begin
        if (Answers && q.active && pins_i.reads && pins_i.next) begin
          if (pins_i.fits && pins_i.ends == pins_i.remains) takes = 1'b1;
          else {finish, status} = {1'b1, layout_pkg::BadResponse};
        end
      end
      requester_pkg::Send: if (Sends) finish = pins_i.closes;
      requester_pkg::Take: if (Answers) finish = pins_i.remains;
      // Fail: the engine puts the status of the local error into the CQE.
      requester_pkg::Fail: if (Answers) {finish, status} = {1'b1, layout_pkg::OperationError};
      requester_pkg::Flush: if (Sends) {finish, status} = {1'b1, layout_pkg::Flushed};
      default: ;
    endcase
  end

  // PSN of the last packet of the request that begins.
  logic [23:0] newest;
  assign newest = q.psn + pins_i.more;

  // The row after the event.
  always_comb begin
    d = q;

    unique case (pins_i.cause)
      // Begin: the request takes the PSNs of all its packets.
      requester_pkg::Begin: if (Sends) begin
        d.newest = newest;
        d.begun = q.begun + 5'd1;
        d.active = 1'b1;
        if (!q.active) begin
          d.first = q.psn;
          d.oldest = q.psn;
          d.last = newest;
          d.signalled = pins_i.signalled;
          d.operation = pins_i.operation;
          d.length = pins_i.length;
          d.retries = 3'd0;
          d.rnr = 3'd0;
          d.waiting = 1'b0;
          d.deadline = pins_i.deadline;
        end
      end
      // Send: the deadline counts from the last packet sent. An RDMA READ is one packet for all
      // PSNs.
      requester_pkg::Send: if (Sends) begin
        d.psn = (pins_i.reads ? pins_i.last_psn : q.psn) + 24'd1;
        d.sent = q.sent + {4'd0, pins_i.last};
        d.deadline = pins_i.deadline;
      end
      requester_pkg::Answer: if (Answers && counts) begin
        unique case (kind)
          // ACK.
          2'd0: begin
            if (!pins_i.reads) begin
              d.oldest = oldest;
              d.retries = retries;
              d.rnr = rnr;
              d.waiting = 1'b0;
              d.deadline = pins_i.deadline;
              if (pins_i.overtakes) d.psn = oldest;
            end
          end
          // RNR NAK: the same packet again, when the peer may be ready.
          2'd1: begin
            d.oldest = oldest;
            d.retries = retries;
            d.rnr = (rnr == 3'd7) ? 3'd7 : rnr + 3'd1;
            d.psn = oldest;
            d.sent = 5'd0;
            d.waiting = 1'b1;
            d.deadline = pins_i.deadline;
          end
          // NAK for a PSN sequence error: again from the missing packet on.
          2'd3: begin
            if (code == 5'd0) begin
              d.oldest = oldest;
              d.retries = (retries == 3'd7) ? 3'd7 : retries + 3'd1;
              d.rnr = rnr;
              d.waiting = 1'b0;
              d.psn = oldest;
              d.sent = 5'd0;
              d.deadline = pins_i.deadline;
            end
          end
          default: ;
        endcase
      end
      // Turn: after an RNR NAK, sending goes on; after a time-out, it goes back to the oldest
      // packet.
      requester_pkg::Turn: if (Sends) begin
        if (expired && q.waiting) begin
          d.waiting = 1'b0;
          d.deadline = pins_i.deadline;
        end else if (timed_out) begin
          d.psn = q.oldest;
          d.sent = 5'd0;
          d.deadline = pins_i.deadline;
          d.retries = (q.retries == 3'd7) ? 3'd7 : q.retries + 3'd1;
        end
      end
      // Take: the data acknowledge themselves.
      requester_pkg::Take: if (Answers) begin
        d.oldest = q.oldest + 24'd1;
        d.retries = 3'd0;
        d.rnr = 3'd0;
        d.waiting = 1'b0;
        d.deadline = pins_i.deadline;
        if (pins_i.rests) d.psn = q.oldest + 24'd1;
      end
      default: ;
    endcase

    if (finish) begin
      d.active = (q.begun[4:1] != 4'd0);
      d.held = q.held && (q.begun[4:1] != 4'd0);
      d.begun = (q.begun == 5'd0) ? 5'd0 : q.begun - 5'd1;
      d.sent = (q.sent == 5'd0) ? 5'd0 : q.sent - 5'd1;
      d.consumed = q.consumed + 16'd1;
      d.failed = (status != layout_pkg::Success);
    end
  end

  assign pins_o.row = d;
  assign pins_o.sends = sends;
  assign pins_o.takes = takes;
  assign pins_o.restarts = Sends && timed_out && (pins_i.cause == requester_pkg::Turn);
  assign pins_o.finish = finish;
  assign pins_o.status = status;

  // The highest bit of a syndrome is reserved.
  logic unused;
  assign unused = &{1'b0, pins_i.syndrome[7]};

  // When a request is over, those behind it are outstanding. A packet is taken before it can end
  // its request.
`ifndef SYNTHESIS
  always_comb begin
    WhatIsDoneIsNotUnderWay : assert (!finish || d.active == (d.begun != 5'd0));
    TakingIsAStepOfItsOwn : assert (!(takes && finish));
  end
`endif

endmodule
