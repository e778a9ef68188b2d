/// Only answers to a request acknowledge it, and it is done once.
///
/// A retransmission goes back to the oldest packet (IBA volume 1, sections 9.7.5, 9.7.6).
// Mutation: rtl/hca/protocol/requester.sv | assign counts = q.active && pins_i.belongs; | assign counts = q.active;
// Mutation: rtl/hca/protocol/requester.sv | assign oldest = pins_i.reads ? q.oldest : | assign oldest =
// Mutation: rtl/hca/protocol/requester.sv | finish = pins_i.over; | finish = 1'b1;
// Mutation: rtl/hca/protocol/requester.sv | if (Answers && q.active && pins_i.reads && pins_i.next) begin | if (Answers && q.active && pins_i.reads) begin
// Mutation: rtl/hca/protocol/requester.sv | if (pins_i.fits && pins_i.ends == pins_i.remains) takes = 1'b1; | if (pins_i.ends == pins_i.remains) takes = 1'b1;
// Mutation: rtl/hca/protocol/requester.sv | finish = pins_i.remains; | finish = pins_i.ends;
// Mutation: rtl/hca/protocol/requester.sv | d.psn = (pins_i.reads ? pins_i.last_psn : q.psn) + 24'd1; | d.psn = q.psn + 24'd1;
// Mutation: rtl/hca/protocol/requester.sv | assign newest = q.psn + pins_i.more; | assign newest = q.psn + pins_i.more + 24'd1;
// Mutation: rtl/hca/protocol/requester.sv | assign psn = pins_i.passes ? q.last : pins_i.psn; | assign psn = pins_i.psn;
// Mutation: rtl/hca/protocol/requester.sv | assign kind = pins_i.passes ? 2'd0 : pins_i.syndrome[6:5]; | assign kind = pins_i.syndrome[6:5];
// Mutation: rtl/hca/protocol/requester.sv | if (!q.active) begin | begin
// Mutation: rtl/hca/protocol/requester.sv | d.sent = q.sent + {4'd0, pins_i.last}; | d.sent = q.sent + 5'd1;
// Mutation: rtl/hca/protocol/requester.sv | assign more = pins_i.unsent \|\| pins_i.begins; | assign more = pins_i.unsent;
// Mutation: rtl/hca/protocol/requester.sv | assign expired = q.active && pins_i.passed; | assign expired = q.active;
// Mutation: rtl/hca/protocol/requester.sv | d.failed = (status != layout_pkg::Success); | d.failed = 1'b0;
// Mutation: rtl/hca/protocol/requester.sv | d.consumed = q.consumed + 16'd1; | d.consumed = q.consumed;
// Mutation: rtl/hca/protocol/requester.sv | requester_pkg::Send: if (Sends) finish = pins_i.closes; | requester_pkg::Send: ;
// Witness: WhatIsDoneIsNotUnderWay | rtl/hca/protocol/requester.sv | d.active = (q.begun[4:1] != 4'd0); | d.active = q.active;
// Witness: TakingIsAStepOfItsOwn | rtl/hca/protocol/requester.sv | takes = 1'b1; | {takes, finish} = {1'b1, pins_i.ends};
module requester_proof (
    input logic clk_i,
    input logic rst_ni,
    input requester_pkg::in_t pins_i
);

  requester_pkg::out_t pins_o;
  requester u_requester (.pins_i, .pins_o);

  context_pkg::requester_t q;
  context_pkg::requester_t d;
  assign q = pins_i.row;
  assign d = pins_o.row;

  // Distances of PSNs; a request has fewer than half of all PSNs.
  logic [23:0] answered;
  logic [23:0] whole;
  logic [23:0] span;
  logic [23:0] moved;
  logic        reads;
  logic        beyond;
  assign answered = pins_i.psn - q.oldest;
  assign whole = q.last - q.oldest;
  assign span = q.newest - q.oldest;
  assign beyond = (answered > whole);
  assign moved = d.oldest - q.oldest;
  assign reads = (q.operation == layout_pkg::RdmaRead);
  logic ack;
  logic rnr_nak;
  logic gap;
  assign ack = (pins_i.syndrome[6:5] == 2'd0);
  assign rnr_nak = (pins_i.syndrome[6:5] == 2'd1);
  assign gap = (pins_i.syndrome[6:0] == 7'h60);

  logic known;
  assign known = ack || rnr_nak || (pins_i.syndrome[6:5] == 2'd3 && pins_i.syndrome[4:0] <= 5'd3);

  always @* begin
    assume (!whole[23] && !span[23]);
    // The newest request is the oldest one or behind it.
    assume (span >= whole && (q.begun > 5'd1 || span == whole));
    assume (q.begun <= 5'd16 && q.sent <= q.begun && q.active == (q.begun != 5'd0));
    if (pins_i.cause == requester_pkg::Begin) assume (q.sent == q.begun && q.begun < 5'd16);
    if (pins_i.cause == requester_pkg::Send && pins_i.last) assume (q.sent != q.begun);
    if (pins_i.cause == requester_pkg::Send) assume (!pins_i.closes ||
        (pins_i.last && q.sent == 5'd0));
    // The engine makes these comparisons a cycle earlier.
    assume (pins_i.reads == reads && pins_i.rests == (q.psn == q.oldest));
    assume (pins_i.unsent == (q.sent != q.begun) && pins_i.unanswered == !whole[23]);
    assume (pins_i.belongs == (answered <= span));
    assume (pins_i.passes == (q.active && known && answered <= span && beyond && !reads));
    assume (pins_i.overtakes == (q.psn - q.oldest <= (beyond ? whole : answered)));
    assume (pins_i.over == (q.active && answered <= span && (beyond && !reads ? pins_i.passes :
                            ack ? !reads && answered == whole : (rnr_nak || gap) ? pins_i.spent :
                            pins_i.syndrome[6:5] == 2'd3 && pins_i.syndrome[4:0] <= 5'd3 &&
                            !(reads && beyond))));
    assume (pins_i.next == (answered == 24'd0) && pins_i.remains == (whole == 24'd0));
  end

  always @* begin
    DoneOnce: assert (d.consumed == q.consumed + {15'd0, pins_o.finish});
    if (pins_o.finish) WhatIsDoneIsNotUnderWay: assert (d.active == (q.begun > 5'd1) &&
        (q.begun == 5'd0 || d.begun == q.begun + (pins_i.cause == requester_pkg::Begin ? 5'd1 : 5'd0) -
            5'd1));
    OnlyOutstandingOnesAreSent: assert (d.sent <= d.begun && d.begun <= 5'd16 &&
        d.active == (d.begun != 5'd0));
    if (pins_o.finish) FailureStopsTheQueue: assert (
        d.failed == (pins_o.status != layout_pkg::Success));
    if (!pins_o.finish) NothingElseStopsIt: assert (d.failed == q.failed);
    if (pins_o.sends) OnlyWhatIsUnderWayIsSent: assert (d.active && !d.waiting);
    if (pins_o.takes) begin
      OnlyDataThatAreDueAreTaken: assert (q.active && reads && pins_i.psn == q.oldest &&
          pins_i.fits);
      LastDataEndTheAnswer: assert (pins_i.ends == (q.oldest == q.last));
      TakingIsAStepOfItsOwn: assert (d == q && !pins_o.finish);
    end

    if (pins_i.cause == requester_pkg::Answer) begin
      if (!q.active || answered > span) StrangeAnswerSaysNothing: assert (d == q &&
          !pins_o.finish);
      if (reads) OnlyDataAcknowledgeARead: assert (moved == 24'd0);
      OldestGoesNoFurtherThanTheAnswer: assert (moved == 24'd0 || moved <= answered + 24'd1);
      if (pins_i.passes) LaterAnswerEndsTheOldest: assert (pins_o.finish && moved == whole + 24'd1 &&
          pins_o.status == layout_pkg::Success && !d.waiting && d.retries == 3'd0);
      if (pins_i.passes && pins_i.overtakes) LaterAnswerSkipsItsPackets: assert (
          d.psn == d.oldest);
      if (q.active && reads && beyond && answered <= span) begin
        if (gap) LaterGapGoesBackToTheOldest: assert (d.oldest == q.oldest && d.psn == q.oldest &&
            (pins_o.finish || d.sent == 5'd0));
        if (!gap && !rnr_nak) LaterEndIsNotThatOfTheOldest: assert (d == q && !pins_o.finish);
      end
      if (q.active && answered <= whole) begin
        if (reads && ack) ReadIsNotAcknowledged: assert (d == q && !pins_o.finish);
        if (!reads && ack) AckOfTheLastIsTheEnd: assert (pins_o.finish == (answered == whole));
        if (!reads && ack) AckIsASuccess: assert (pins_o.status == layout_pkg::Success);
        if (gap || rnr_nak) GoesBackToTheOldest: assert (d.psn == d.oldest &&
            (pins_o.finish || d.sent == 5'd0));
        if (rnr_nak && !pins_o.finish) WaitsForThePeer: assert (d.waiting && !pins_o.sends);
        if (!ack && pins_o.finish) BadEndIsTold: assert (pins_o.status != layout_pkg::Success);
      end
    end
    if (pins_i.cause == requester_pkg::Begin) begin
      EveryPacketHasANumber: assert (d.newest - q.psn == pins_i.more && d.psn == q.psn);
      RequestIsUnderWay: assert (d.active && d.begun == q.begun + 5'd1 && d.sent == q.sent);
      if (!q.active) NumbersBeginWithTheNext: assert (d.first == q.psn && d.oldest == q.psn &&
          d.last == d.newest && d.length == pins_i.length && d.operation == pins_i.operation);
      else OldestStaysAsItIs: assert (d.first == q.first && d.oldest == q.oldest &&
          d.last == q.last && d.length == q.length && d.operation == q.operation &&
          d.retries == q.retries && d.rnr == q.rnr && d.waiting == q.waiting &&
          d.deadline == q.deadline);
    end
    if (pins_i.cause == requester_pkg::Send) begin
      if (reads) ReadAsksForAll: assert (d.psn == pins_i.last_psn + 24'd1);
      else OnePacketForANumber: assert (d.psn == q.psn + 24'd1);
      if (!pins_o.finish) LastPacketEndsTheSending: assert (d.sent == q.sent + {4'd0, pins_i.last});
      RequestIsOverIfNothingAnswersIt: assert (pins_o.finish == pins_i.closes &&
          pins_o.status == layout_pkg::Success);
    end
    if (pins_i.cause == requester_pkg::Turn) begin
      if (!q.active || !pins_i.passed) NothingHappensBeforeTheDeadline: assert (d == q &&
          !pins_o.finish);
      if (d.psn != q.psn) LateRequestGoesBack: assert (d.psn == q.oldest && pins_o.restarts);
      if (pins_o.restarts && !pins_o.finish) LateRequestBeginsWithTheOldest: assert (
          d.sent == 5'd0);
      WhatIsLeftIsSent: assert (pins_o.sends == (d.active && !d.waiting && !pins_o.finish &&
          (d.sent != d.begun || (pins_i.begins && !pins_o.restarts))));
    end
    if (pins_i.cause == requester_pkg::Respond && pins_o.finish) begin
      WrongDataAreTold: assert (pins_o.status == layout_pkg::BadResponse && pins_i.psn == q.oldest);
    end
    if (pins_i.cause == requester_pkg::Take) begin
      OneNumberForOnePacket: assert (d.oldest == q.oldest + 24'd1);
      LastDataAreTheEnd: assert (pins_o.finish == (q.oldest == q.last));
    end
  end

endmodule
