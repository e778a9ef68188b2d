/// Packets are taken once and in order, and only those that need a receive WQE take one.
///
/// An RDMA WRITE has the length in its RETH (IBA volume 1, section 9.7.4). An atomic operation is
/// executed once; its duplicate has the saved answer. An unreliable connection answers nothing, and
/// drops messages that are not whole. WQEs of a shared receive queue are counted by the engine.
// Mutation: rtl/hca/protocol/responder.sv | assign ordered = (pins_i.first != q.midway) && (pins_i.first \|\| pins_i.write == q.writes); | assign ordered = (pins_i.first != q.midway);
// Mutation: rtl/hca/protocol/responder.sv | assign uses_wqe = (sends \|\| pins_i.immediate) && !pins_i.shared; | assign uses_wqe = !pins_i.shared;
// Mutation: rtl/hca/protocol/responder.sv | assign uses_wqe = (sends \|\| pins_i.immediate) && !pins_i.shared; | assign uses_wqe = sends \|\| pins_i.immediate;
// Mutation: rtl/hca/protocol/responder.sv | if (sends && !pins_i.shared) d.consumed | if (!pins_i.shared) d.consumed
// Mutation: rtl/hca/protocol/responder.sv | assign passed = pins_i.write ? bytes : 32'd0; | assign passed = bytes;
// Mutation: rtl/hca/protocol/responder.sv | d.midway = 1'b0; | d.midway = q.midway;
// Mutation: rtl/hca/protocol/responder.sv | d.psn = q.psn + pins_i.more + 24'd1; | d.psn = q.psn + 24'd1;
// Mutation: rtl/hca/protocol/responder.sv | if (!q.refused) begin | if (1'b1) begin
// Mutation: rtl/hca/protocol/responder.sv | else if (pins_i.repeats && pins_i.read && pins_i.sized) begin | else if (pins_i.repeats && pins_i.sized) begin
// Mutation: rtl/hca/protocol/responder.sv | else if (pins_i.repeats && pins_i.atomic) begin | else if (pins_i.repeats && pins_i.atomic && pins_i.saved) begin
// Mutation: rtl/hca/protocol/responder.sv | if (pins_i.saved) begin | if (1'b1) begin
// Mutation: rtl/hca/protocol/responder.sv | if (!pins_i.reader.atomic) begin | if (1'b1) begin
// Mutation: rtl/hca/protocol/responder.sv | assign sends = !pins_i.write && !pins_i.read && !pins_i.atomic; | assign sends = !pins_i.write && !pins_i.read;
// Mutation: rtl/hca/protocol/responder.sv | reader.active = !is_last; | reader.active = 1'b1;
// Mutation: rtl/hca/protocol/responder.sv | if (is_last && pins_i.reader.waiting != 4'd0) reader | if (pins_i.reader.waiting != 4'd0) reader
// Mutation: rtl/hca/protocol/responder.sv | advanced.waiting = pins_i.reader.waiting - 4'd1; | advanced.waiting = pins_i.reader.waiting;
// Mutation: rtl/hca/protocol/responder.sv | if (pins_i.appends) reader | if (1'b0) reader
// Mutation: rtl/hca/protocol/responder.sv | advanced.psn = pins_i.next.first; | advanced.psn = pins_i.reader.psn + 24'd1;
// Mutation: rtl/hca/protocol/responder.sv | assign takes_wqe = pins_i.write ? pins_i.immediate : sends && pins_i.first; | assign takes_wqe = pins_i.first;
// Mutation: rtl/hca/protocol/responder.sv | assign is_next = pins_i.first \|\| (pins_i.follows && ordered); | assign is_next = pins_i.first \|\| ordered;
// Mutation: rtl/hca/protocol/responder.sv | assign takes_unreliable = is_next && pins_i.sized && (pins_i.ready \|\| !takes_wqe); | assign takes_unreliable = is_next && pins_i.sized;
// Mutation: rtl/hca/protocol/responder.sv | assign drops = pins_i.unreliable && (pins_i.code != 2'd3); | assign drops = pins_i.unreliable;
// Mutation: rtl/hca/protocol/responder.sv | assign goes_on = takes_unreliable && !pins_i.first; | assign goes_on = takes_unreliable;
// Mutation: rtl/hca/protocol/responder.sv | if (takes_unreliable) d.psn = pins_i.psn; | if (takes_unreliable && pins_i.last) d.psn = pins_i.psn;
// Mutation: rtl/hca/protocol/responder.sv | if (pins_i.asks && !pins_i.unreliable) begin | if (pins_i.asks) begin
// Mutation: rtl/hca/protocol/responder.sv | if (!pins_i.unreliable) begin | if (1'b1) begin
// Witness: BreakingIsFailing | rtl/hca/protocol/responder.sv | if (takes_wqe && !pins_i.ready) begin | if (takes_wqe && !pins_i.ready) begin breaks = 1'b1;
// Witness: WhatBreaksIsNotTaken | rtl/hca/protocol/responder.sv | if (!ordered \|\| !pins_i.sized) begin | if (!ordered \|\| !pins_i.sized) begin takes = 1'b1;
module responder_proof (
    input logic clk_i,
    input logic rst_ni,
    input responder_pkg::in_t pins_i
);

  responder_pkg::out_t pins_o;
  responder u_responder (.pins_i, .pins_o);

  context_pkg::responder_t q;
  context_pkg::responder_t d;
  assign q = pins_i.row;
  assign d = pins_o.row;

  // A packet is of one kind; an RDMA READ or an atomic operation is a message of one packet.
  logic takes_number;
  assign takes_number = pins_i.read || pins_i.atomic;
  always @* begin
    assume ({1'b0, pins_i.write} + {1'b0, pins_i.read} + {1'b0, pins_i.atomic} <= 2'd1);
    if (pins_i.saved) assume (pins_i.reader.atomic && pins_i.reader.last == pins_i.psn);
    if (pins_i.atomic) assume (pins_i.more == 24'd0);
    if (takes_number) assume (pins_i.first && pins_i.last && !pins_i.immediate);
    if (pins_i.immediate) assume (pins_i.last);
    if (pins_i.unreliable) assume (!takes_number);
    if (pins_i.appends) assume (pins_i.read && pins_i.reader.active && !pins_i.reader.atomic &&
        (pins_i.follows || pins_i.psn == pins_i.reader.newest + 24'd1));
    assume (pins_i.crowded == (pins_i.appends && pins_i.reader.waiting == 4'd15));
    if (pins_i.cause == responder_pkg::Take) assume (!pins_i.crowded);
    if (pins_i.cause == responder_pkg::Respond) assume (pins_i.reader.active);
  end

  logic [23:0] distance;
  logic [31:0] left;
  logic [31:0] bytes;
  logic        sends;
  assign distance = pins_i.psn - q.psn;
  assign left = pins_i.first ? pins_i.length : q.length;
  assign bytes = {20'd0, pins_i.bytes};
  assign sends = !pins_i.write && !takes_number;

  // The engine makes these comparisons a cycle earlier.
  always @* begin
    assume (pins_i.follows == (distance == 24'd0) && pins_i.repeats == distance[23]);
    assume (pins_i.sized == (pins_i.atomic ? pins_i.address[2:0] == 3'd0 : pins_i.read ? pins_i.length <= layout_pkg::MaxMessage &&
        pins_i.mtu != 12'd0 :
                             pins_i.last ? pins_i.bytes <= pins_i.mtu && (pins_i.first ||
                                 pins_i.bytes != 12'd0) && (!pins_i.write || left == bytes) :
                             pins_i.bytes == pins_i.mtu && pins_i.bytes != 12'd0 &&
                                 (!pins_i.write || left > bytes)));
  end

  // The row without its answer.
  context_pkg::responder_t quiet;
  always @* begin
    quiet = d;
    quiet.answer = q.answer;
    quiet.syndrome = q.syndrome;
    quiet.answer_psn = q.answer_psn;
  end

  // The saved answer, to be sent again.
  context_pkg::reader_t again;
  always @* begin
    again = pins_i.reader;
    again.active = 1'b1;
    again.begun = 1'b0;
    again.psn = pins_i.psn;
  end

  // The RDMA READ waits behind those before it; the oldest one of them is answered next.
  context_pkg::reader_t waits;
  context_pkg::reader_t next;
  always @* begin
    waits = pins_i.reader;
    waits.waiting = pins_i.reader.waiting + 4'd1;
    waits.newest = pins_i.psn + pins_i.more;
    next = pins_i.reader;
    next.psn = pins_i.next.first;
    next.last = pins_i.next.last;
    next.address = pins_i.next.address;
    next.left = pins_i.next.length;
    next.key = pins_i.next.key;
    next.denied = pins_i.next.denied;
    next.begun = 1'b0;
    next.yields = 1'b1;
    next.waiting = pins_i.reader.waiting - 4'd1;
    next.place = pins_i.reader.place + 4'd1;
  end

  always @* begin
    if (q.failed) FailedStaysFailed: assert (d.failed);
    DoorbellIsNoMatterOfTheRules: assert (d.dead == q.dead);
    BreakingIsFailing: assert (pins_o.breaks == (d.failed && !q.failed) || q.failed);
    if (pins_o.breaks && !pins_i.unreliable) PeerIsTold: assert (d.answer &&
        d.syndrome[7:5] == 3'b011 && d.syndrome[4:0] <= 5'd3);
    if (pins_i.unreliable) NothingIsAnswered: assert ((q.answer || !d.answer) &&
        d.syndrome == q.syndrome && d.answer_psn == q.answer_psn);
    if (pins_i.cause == responder_pkg::Arrive && pins_i.unreliable) begin
      if (pins_o.takes) begin
        MessageBeginsOrGoesOn: assert (pins_i.first ||
            (distance == 24'd0 && q.midway && pins_i.write == q.writes));
        if (pins_i.write ? pins_i.immediate : pins_i.first) WqeIsThere: assert (pins_i.ready);
        if (!pins_i.last) PacketsBeforeTheLastAreFull: assert (pins_i.bytes == pins_i.mtu &&
            pins_i.bytes != 12'd0);
        if (pins_i.write && pins_i.last) WriteEndsWithItsLength: assert (left == bytes);
        MessageBeginsAnew: assert (d.psn == pins_i.psn &&
            d.midway == (q.midway && !pins_i.first) &&
            d.received == (pins_i.first ? 32'd0 : q.received));
      end else begin
        MessageIsDropped: assert (!d.midway && d.received == 32'd0 && d.psn == q.psn);
      end
      NothingElseHappens: assert (!pins_o.breaks && d.consumed == q.consumed &&
          d.messages == q.messages && pins_o.reader == pins_i.reader);
    end else if (pins_i.cause == responder_pkg::Arrive) begin
      NothingIsTakenBeforeItIsChecked: assert (d.psn == q.psn && d.consumed == q.consumed &&
          d.received == q.received &&
                                               d.midway == q.midway);
      if (pins_i.atomic && distance[23]) begin
        AtomicIsExecutedOnce: assert (!pins_o.takes && d == q);
        DuplicateHasTheSavedAnswer: assert (
            pins_o.reader == (pins_i.saved ? again : pins_i.reader));
      end else begin
        NothingIsReadBeforeItIsChecked: assert (pins_o.reader == pins_i.reader);
      end
      if (pins_o.takes && !pins_i.read) OnlyTheNextIsTaken: assert (distance == 24'd0);
      if (pins_o.takes) OnlyTheNextOrAnOldReadIsTaken: assert (distance == 24'd0 || distance[23]);
      if (pins_o.takes &&
          distance == 24'd0) MessageGoesOnAsItBegan: assert (pins_i.first != q.midway &&
                                                         (pins_i.first ||
                                                             pins_i.write == q.writes));
      if (pins_o.takes && pins_i.write &&
          pins_i.last) WriteEndsWithItsLastByte: assert (left == bytes);
      if (pins_o.takes && pins_i.write && !pins_i.last) WriteHasMoreToCome: assert (left > bytes);
      if (pins_o.takes &&
          !pins_i.last) PacketsBetweenAreFull: assert (
          pins_i.bytes == pins_i.mtu && pins_i.bytes != 12'd0);
      if (pins_o.takes && sends && pins_i.first) SendNeedsAReceiveWqe: assert (pins_i.ready);
      if (pins_o.takes && pins_i.write &&
          pins_i.immediate) ImmediateDataNeedOne: assert (pins_i.ready);
      if (pins_o.takes && pins_i.atomic) AtomicIsAligned: assert (pins_i.address[2:0] == 3'd0);
      if (pins_i.crowded) ReadWithoutAPlaceIsDropped: assert (!pins_o.takes);
      if (pins_o.takes && pins_i.read) ReadHasPackets: assert (pins_i.mtu != 12'd0 &&
          pins_i.length <= layout_pkg::MaxMessage);
      if (distance[23] && !pins_o.takes) OldPacketChangesNothing: assert (quiet == q &&
          !pins_o.breaks);
      if (distance != 24'd0 && !distance[23] && q.refused) GapIsToldOnce: assert (d == q);
      if (distance != 24'd0 && !distance[23] && !q.refused) GapIsTold: assert (d.answer &&
          d.syndrome == responder_pkg::Nak && d.answer_psn == q.psn);
      if (d.answer && d.syndrome[6:5] == 2'd1 && !(q.answer && q.syndrome[6:5] == 2'd1)) begin
        OnlyTheWantOfAWqePutsOff: assert (!pins_i.ready &&
            (pins_i.write ? pins_i.immediate : sends));
      end
    end
    if (pins_i.cause == responder_pkg::Take) begin
      if (!takes_number) begin
        OneNumberForOnePacket: assert (d.psn == q.psn + 24'd1);
        WqeIsUsedUpByWhatNeedsIt: assert (d.consumed == q.consumed + {15'd0, pins_i.last &&
            (sends || pins_i.immediate) && !pins_i.shared});
        BytesAreCounted: assert (pins_i.last ? d.received == 32'd0 :
            d.received == q.received + bytes);
        if (pins_i.write) WriteGoesOnBehind: assert (d.address == pins_i.address + bytes &&
            d.length == pins_i.length - bytes && d.key == pins_i.key);
        else BufferIsKept: assert (d.address == pins_i.address && d.length == pins_i.length &&
            d.key == pins_i.key);
        NothingIsRead: assert (pins_o.reader == pins_i.reader);
      end else begin
        ReadTakesNoWqe: assert (d.consumed == q.consumed && d.received == q.received &&
            d.midway == q.midway);
        DataHaveTheirNumbers: assert (d.psn == ((distance == 24'd0) ? q.psn + pins_i.more + 24'd1 :
            q.psn));
        if (pins_i.follows) ReadIsAMessage: assert (d.messages == q.messages + 24'd1);
        if (pins_i.appends) ReadWaitsBehindTheOthers: assert (pins_o.reader == waits);
        else DataBeginWhereTheReadSays: assert (pins_o.reader.active && !pins_o.reader.begun &&
            pins_o.reader.psn == pins_i.psn &&
                pins_o.reader.last - pins_o.reader.psn == pins_i.more &&
            {pins_o.reader.left, pins_o.reader.address} ==
                (pins_i.atomic ? pins_i.original : {pins_i.length, pins_i.address}) &&
            pins_o.reader.key == pins_i.key && pins_o.reader.atomic == pins_i.atomic &&
            pins_o.reader.waiting == 4'd0 && pins_o.reader.newest == pins_o.reader.last &&
            !pins_o.reader.denied);
      end
    end
    if (pins_i.cause == responder_pkg::Refuse && pins_i.unreliable &&
        pins_i.code != 2'd3) begin
      RefusedMessageIsDropped: assert (!pins_o.breaks && !d.midway && d.received == 32'd0 &&
          d.consumed == q.consumed && d.failed == q.failed && pins_o.reader == pins_i.reader);
    end else if (pins_i.cause == responder_pkg::Refuse) begin
      RefusedSendUsesItsWqeUp: assert (d.consumed == q.consumed + {15'd0, sends && !pins_i.shared} &&
          d.midway == (q.midway && !sends));
      NothingIsReadAnyMore: assert (!pins_o.reader.active && d.failed && d.psn == q.psn);
    end
    if (pins_i.cause == responder_pkg::Respond) begin
      if (pins_i.reader.psn == pins_i.reader.last && pins_i.reader.waiting != 4'd0)
          NextReadIsAnswered: assert (pins_o.reader == next);
      else DataLeaveInOrder: assert (pins_o.reader.psn == pins_i.reader.psn + 24'd1 &&
          pins_o.reader.last == pins_i.reader.last &&
          pins_o.reader.waiting == pins_i.reader.waiting);
      if (pins_i.reader.atomic && pins_i.reader.waiting == 4'd0) SavedAnswerStays: assert (
          pins_o.reader.address == pins_i.reader.address &&
          pins_o.reader.left == pins_i.reader.left && pins_o.reader.atomic);
      LastDataAreTheEnd: assert (pins_o.reader.active == (pins_i.reader.psn != pins_i.reader.last ||
          pins_i.reader.waiting != 4'd0));
      NothingElseChanges: assert (d == q);
    end
  end

endmodule
