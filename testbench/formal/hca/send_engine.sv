/// Only data that a key allows are sent, the owner's or a peer's; a dead queue sends none.
///
/// Source: IBA volume 1, sections 9.7.5, 10.6.3.
// Mutation: rtl/hca/send_engine.sv | reader_q.key[11:0] : l_key_q[11:0]; | reader_q.key[11:0] : reader_q.key[11:0];
// Mutation: rtl/hca/send_engine.sv | reader_q.key[11:0] : l_key_q[11:0]; | l_key_q[11:0] : l_key_q[11:0];
// Mutation: rtl/hca/send_engine.sv | sized_q && answer.allowed && !waits; | sized_q && !waits;
// Mutation: rtl/hca/send_engine.sv | sized_q && answer.allowed && !waits; | sized_q && answer.allowed;
// Mutation: rtl/hca/send_engine.sv | assign begun_state = good_q ? send_engine_pkg::Cut : | assign begun_state = (good_q \|\| responding_q) ? send_engine_pkg::Cut :
// Mutation: rtl/hca/send_engine.sv | access.remote_read = responding_q; | access.remote_read = 1'b0;
// Mutation: rtl/hca/send_engine.sv | access.local_write = (says_q.read \|\| says_q.atomic) && !responding_q; | access.local_write = says_q.read && !responding_q;
// Mutation: rtl/hca/send_engine.sv | (!says.atomic \|\| length_q == {20'd0, layout_pkg::AtomicBytes}) && | 1'b1 &&
// Mutation: rtl/hca/send_engine.sv | state_d = reader_q.atomic ? send_engine_pkg::Frame : | state_d = reader_q.begun ? send_engine_pkg::Frame :
// Mutation: rtl/hca/send_engine.sv | beyond_d = (posted > size); | beyond_d = (posted > size + 16'd1);
// Mutation: rtl/hca/send_engine.sv | open_q && !requester_q.dead; | open_q;
// Mutation: rtl/hca/send_engine.sv | assign sends_data = connected && reader_q.active && !broken_q && !yields; | assign sends_data = connected && reader_q.active && !yields;
// Mutation: rtl/hca/send_engine.sv | assign readable = answer.allowed && !reader_q.denied; | assign readable = answer.allowed;
// Mutation: rtl/hca/send_engine.sv | (says_q.atomic \|\| (!resumes_q && says_q.read != reading_q)); | (says_q.atomic \|\| (!resumes_q && says_q.read));
// Mutation: rtl/hca/send_engine.sv | assign yields = reader_q.yields && works && | assign yields = works &&
// Mutation: rtl/hca/send_engine.sv | assign data_yield = yields && connected && reader_q.active && !broken_q; | assign data_yield = yields && connected && !broken_q;
// Mutation: rtl/hca/send_engine.sv | assign turns = alive && !broken && open && | assign turns = alive && !broken &&
// Mutation: rtl/hca/send_engine.sv | assign drains = broken_q && | assign drains = open_q &&
// Mutation: rtl/hca/send_engine.sv | posted_d = shared ? {15'd0, begun} : refilled; | posted_d = refilled;
// Mutation: rtl/hca/send_engine.sv | else if (shared) responder_d.midway = 1'b0; | else if (begun) responder_d.midway = 1'b0;
// Mutation: rtl/hca/send_engine.sv | mtu != 12'd0 && length_q <= most && | mtu != 12'd0 &&
// Mutation: rtl/hca/send_engine.sv | assign changed = resumes_q && | assign changed = 1'b0 &&
// Mutation: rtl/hca/send_engine.sv | (says_q.write \|\| (!unreliable_q && (says_q.read \|\| says_q.atomic)))); | (says_q.write \|\| says_q.read \|\| says_q.atomic));
// Mutation: rtl/hca/send_engine.sv | assign closes = unreliable_q && last_q && !answering_q; | assign closes = last_q && !answering_q;
// Mutation: rtl/hca/send_engine.sv | sequence_header.asks = connected_q && !unreliable_q && last_q && !answering_q && | sequence_header.asks = connected_q && last_q && !answering_q &&
// Witness: DataOfAReadAreAnAnswer | rtl/hca/send_engine.sv | responding_d = 1'b1; | responding_d = 1'b1; answering_d = 1'b0;
// Witness: AnswerIsOfAConnection | rtl/hca/send_engine.sv | assign sends_ack = connected && responder_q.answer | assign sends_ack = responder_q.answer
// Witness: DatagramHasNoAddressAtThePeer | rtl/hca/send_engine.sv | assign remote_sent = connected_q &&  | assign remote_sent = 
// Witness: OperationIsKnownByWhatItSays | rtl/hca/send_engine.sv | says_d = says; | says_d = says_q;
module send_engine_proof (
    input logic clk_i,
    input logic rst_ni,
    input send_engine_pkg::in_t pins_i
);

  send_engine_pkg::out_t pins_o;
  send_engine u_send_engine (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [4:0]  \u_send_engine.state_q ;
  (* hierconn *) logic        \u_send_engine.present_q ;
  (* hierconn *) logic        \u_send_engine.open_q ;
  (* hierconn *) logic        \u_send_engine.broken_q ;
  (* hierconn *) logic        \u_send_engine.draining_q ;
  (* hierconn *) logic        \u_send_engine.beyond_q ;
  (* hierconn *) logic [15:0] \u_send_engine.posted_q ;
  (* hierconn *) logic        \u_send_engine.good_q ;
  (* hierconn *) logic        \u_send_engine.resumes_q ;
  (* hierconn *) logic        \u_send_engine.changed_q ;
  (* hierconn *) logic        \u_send_engine.sized_q ;
  (* hierconn *) logic [3:0]  \u_send_engine.event_q ;
  (* hierconn *) logic [2:0]  \u_send_engine.cause_q ;
  (* hierconn *) logic        \u_send_engine.reading_q ;
  (* hierconn *) logic        \u_send_engine.yields_q ;
  (* hierconn *) logic        \u_send_engine.answering_q ;
  (* hierconn *) logic        \u_send_engine.responding_q ;
  (* hierconn *) logic        \u_send_engine.connected_q ;
  (* hierconn *) logic        \u_send_engine.unreliable_q ;
  (* hierconn *) logic        \u_send_engine.resends_q ;
  (* hierconn *) logic [63:0] \u_send_engine.sequence_header ;
  (* hierconn *) logic [7:0]  \u_send_engine.operation_q ;
  (* hierconn *) logic [5:0]  \u_send_engine.says_q ;
  (* hierconn *) logic [31:0] \u_send_engine.address_q ;
  (* hierconn *) logic [31:0] \u_send_engine.length_q ;
  (* hierconn *) logic [32:0] \u_send_engine.reach_q ;
  (* hierconn *) logic [31:0] \u_send_engine.l_key_q ;
  (* hierconn *) logic [11:0] \u_send_engine.bytes_q ;
  logic [4:0] state;
  logic       answering;
  logic       responding;
  logic       connected;
  assign state = \u_send_engine.state_q ;
  assign answering = \u_send_engine.answering_q ;
  assign responding = \u_send_engine.responding_q ;
  assign connected = \u_send_engine.connected_q ;
  logic       unreliable;
  assign unreliable = \u_send_engine.unreliable_q ;

  machine #(.States(19), .Arcs(send_engine_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Whether the key allows the access in `Check`.
  logic [33:0] access_end;
  logic [33:0] area_end;
  logic        reads;
  logic        sends;
  logic        writes;
  logic        atomics;
  logic        known_operation;
  logic        allowed;
  assign access_end = {2'b0, \u_send_engine.address_q } + {2'b0, \u_send_engine.length_q };
  assign area_end = {1'b0, pins_i.key.limit};
  assign reads = (\u_send_engine.operation_q  == layout_pkg::RdmaRead);
  assign sends = (\u_send_engine.operation_q  == layout_pkg::Send) ||
      (\u_send_engine.operation_q  == layout_pkg::SendImmediate);
  assign writes = (\u_send_engine.operation_q  == layout_pkg::RdmaWrite) ||
                  (\u_send_engine.operation_q  == layout_pkg::RdmaWriteImmediate);
  assign atomics = (\u_send_engine.operation_q  == layout_pkg::CompareSwap) ||
                   (\u_send_engine.operation_q  == layout_pkg::FetchAdd);
  assign known_operation = sends ||
      (connected && (writes || (!unreliable && (reads || atomics))));
  assign allowed = (\u_send_engine.length_q  == 32'd0) ||
                   (pins_i.key.valid && pins_i.key.domain == pins_i.attributes.domain &&
                    \u_send_engine.l_key_q [19:12] == pins_i.key.variant &&
                    \u_send_engine.address_q  >= pins_i.key.base && access_end <= area_end &&
                        access_end <= 34'h1_0000_0000 &&
                    (!responding || pins_i.key.remote_read) && (responding ||
                        !(reads || atomics) || pins_i.key.local_write));

  // Rows are stable during a turn. Values found in `Look` and `Check`.
  logic        known_q;
  logic        past_rst_nq;
  logic [4:0]  past_state_q;
  logic        past_key_word_q;
  logic [11:0] past_key_q;
  logic        allowed_q;
  logic        dead_q;
  logic        beyond_q;
  logic        answers_q;
  logic        data_q;
  logic        denied_q;
  logic        valid_q;
  logic        broken_q;
  logic        sends_q;
  logic        changed_q;
  context_pkg::attributes_t attributes_q;
  context_pkg::responder_t  responder_q;
  logic [15:0] posted;
  initial known_q = 1'b0;
  logic receives;
  logic broken;
  assign receives = (pins_i.attributes.state >= context_pkg::ReadyToReceive) &&
      (pins_i.attributes.state <= context_pkg::Drained);
  assign broken = (pins_i.attributes.state == context_pkg::Error) || (receives &&
      (pins_i.requester.failed || pins_i.responder.failed));
  assign posted = pins_i.bell - pins_i.requester.consumed;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_key_word_q <= pins_i.word_valid && pins_i.place == 3'd2;
    past_key_q <= pins_o.key;
    attributes_q <= pins_i.attributes;
    if (state == send_engine_pkg::Look) begin
      dead_q <= pins_i.requester.dead;
      responder_q <= pins_i.responder;
      beyond_q <= {1'b0, posted} > (17'd1 << pins_i.attributes.send_log);
      // Data yield to the send queue at most, and only without an acknowledgement to be sent.
      data_q <= pins_i.attributes.connected && pins_i.reader.active && !broken;
      answers_q <= pins_i.attributes.connected && (pins_i.responder.answer ||
          (pins_i.reader.active && !broken && !pins_i.reader.yields));
      denied_q <= pins_i.reader.denied;
      valid_q <= receives || broken;
      broken_q <= broken;
      sends_q <= !broken && (pins_i.attributes.state == context_pkg::ReadyToSend ||
          (pins_i.attributes.state == context_pkg::Drained && pins_i.requester.active));
    end
    if (state == send_engine_pkg::Check) begin
      allowed_q <= allowed;
      changed_q <= \u_send_engine.resumes_q  &&
          pins_o.request.operation != \u_send_engine.operation_q ;
    end
  end
  always @* if (state != send_engine_pkg::Idle && state != send_engine_pkg::Load &&
      state != send_engine_pkg::Look) assume (pins_i.attributes == attributes_q);

  // A request of an unreliable connection ends before the next one begins.
  always @* if (pins_i.attributes.connected && pins_i.attributes.unreliable) assume (
      pins_i.requester.sent == 5'd0 && pins_i.requester.begun <= 5'd1);

  // Receive WQEs come from a shared receive queue, and a message has taken one.
  logic shared;
  logic begun;
  assign shared = attributes_q.shared && !(attributes_q.connected && attributes_q.unreliable);
  assign begun = responder_q.midway && !responder_q.writes;

  // A saved answer has no access to memory.
  logic restores;
  assign restores = responding && pins_o.reader.atomic;

  logic leaves;
  assign leaves = (state == send_engine_pkg::Frame || state == send_engine_pkg::Copy ||
      state == send_engine_pkg::Header || state == send_engine_pkg::Launch);

  always @* begin
    if (known_q) begin
      if (leaves && (!answering || (responding && !restores))) OnlyWhatIsAllowedLeaves: assert (allowed_q);
      if (leaves) InvalidPairSendsNothing: assert (valid_q);
      if (leaves && !answering) begin
        DeadQueueSendsNothing: assert (!dead_q && !beyond_q);
        UnknownOperationSendsNothing: assert (known_operation && !changed_q);
        AnswersGoFirst: assert (!answers_q);
        ClosedQueueSendsNothing: assert (sends_q);
        if (state == send_engine_pkg::Frame && connected && atomics) AtomicIsAlone: assert (
            pins_o.requester.sent == 5'd0);
        if (state == send_engine_pkg::Frame && connected && !\u_send_engine.resumes_q  &&
            pins_o.requester.sent != 5'd0) ReadsAreAmongThemselves: assert (
            reads == (pins_o.requester.operation == layout_pkg::RdmaRead));
      end
      if (leaves && responding) BrokenPairSendsNoData: assert (!broken_q);
      if (leaves && responding && !restores) DeniedReadSendsNoData: assert (!denied_q ||
          state == send_engine_pkg::Launch);
      if (pins_o.yielded) OnlyDataYield: assert (data_q && !answering && !pins_o.reader.yields);
      if (pins_o.key_load) RowIsOfTheKey: assert (pins_o.key == \u_send_engine.l_key_q [11:0]);
      // The word of the key is not the last one of a send WQE.
      if (past_rst_nq && pins_o.key_load && !past_key_word_q) KeyIsKnownACycleAhead: assert (
          pins_o.key == past_key_q);
      if (pins_o.drain) OnlyABrokenPairIsDrained: assert (broken_q);
      if (pins_o.complete && broken_q) BrokenPairIsFlushed: assert (
          pins_o.entry.status == layout_pkg::Flushed);
      if (leaves && !connected) begin
        DatagramIsOnePacket: assert (!answering && sends && \u_send_engine.length_q  <= 32'd2048);
        DatagramIsWhole: assert ({20'd0, pins_o.transfer.bytes} == \u_send_engine.length_q  ||
            !pins_o.copy);
      end
      if (pins_o.complete && \u_send_engine.draining_q ) begin
        OnlyTheWqeOfTheMessageIsFlushedOfASharedQueue: assert (!shared || begun);
        FlushedWqeHasItsCount: assert (pins_o.entry.index == (shared ? responder_q.consumed - 16'd1 :
            responder_q.consumed));
        MessageOfASharedQueueIsOver: assert (!shared || !pins_o.responder.midway);
      end
      if (pins_o.store || pins_o.answered) OneRowIsWritten: assert (!(pins_o.store &&
          pins_o.answered));
      if (past_rst_nq && past_state_q == send_engine_pkg::Turn && (sends_q || broken_q) && !answers_q &&
          !data_q && !dead_q && beyond_q) begin
        DoorbellBeyondTheRingKillsTheQueue: assert (state == send_engine_pkg::Store &&
            pins_o.requester.dead && pins_o.fail);
      end
      if (pins_o.complete && connected && pins_o.entry.status == layout_pkg::Success) begin
        SuccessOfAConnectionIsToldByItsAnswer: assert (unreliable);
        UnreliableRequestIsOver: assert (!pins_o.requester.active);
      end
      if (unreliable && !answering) UnreliableAsksForNothing: assert (
          !\u_send_engine.sequence_header [63]);
      // Invariants that carry the induction.
      if ((state == send_engine_pkg::Cut || (state == send_engine_pkg::Begin &&
          \u_send_engine.good_q )) && !answering) begin
        if (atomics) assert (pins_o.requester.sent == 5'd0);
        if (connected && !\u_send_engine.resumes_q  && pins_o.requester.sent != 5'd0) assert (
            reads == (pins_o.requester.operation == layout_pkg::RdmaRead));
      end
      if (state == send_engine_pkg::Turn || state == send_engine_pkg::Fetch ||
          state == send_engine_pkg::Key || state == send_engine_pkg::Check) assert (
          \u_send_engine.reading_q  == (pins_o.requester.operation == layout_pkg::RdmaRead));
      if (state != send_engine_pkg::Idle && state != send_engine_pkg::Load &&
          state != send_engine_pkg::Look && state != send_engine_pkg::Turn &&
          \u_send_engine.yields_q ) assert (data_q && !answering &&
          !pins_o.reader.yields);
      if ((state == send_engine_pkg::Turn || responding) && state != send_engine_pkg::Launch &&
          state != send_engine_pkg::Store && state != send_engine_pkg::Finish &&
          state != send_engine_pkg::Idle && state != send_engine_pkg::Complete) assert (
          pins_o.reader.denied == denied_q);
      if (responding && !restores && state == send_engine_pkg::Begin && \u_send_engine.good_q )
          assert (!denied_q);
      if (responding && state == send_engine_pkg::Cut) assert (!denied_q);
      if (state == send_engine_pkg::Check) assert ({1'b0, \u_send_engine.reach_q } == access_end);
      if (state == send_engine_pkg::Check) begin
        assert (\u_send_engine.changed_q  == (\u_send_engine.resumes_q  &&
            pins_o.request.operation != \u_send_engine.operation_q ));
        if (\u_send_engine.sized_q  && !connected) assert (\u_send_engine.length_q  <= 32'd2048);
        if (\u_send_engine.sized_q  && !responding && atomics) assert (
            \u_send_engine.length_q  == 32'd8);
      end
      if ((state == send_engine_pkg::Key || state == send_engine_pkg::Check) && !answering) assert (
          \u_send_engine.resumes_q  == (pins_o.requester.sent != pins_o.requester.begun));
      if (state == send_engine_pkg::Begin && \u_send_engine.event_q  == requester_pkg::Begin) assert (
          pins_o.requester.sent == pins_o.requester.begun);
      // Rows have events only in the states that act on them.
      if (state != send_engine_pkg::Turn && state != send_engine_pkg::Begin &&
          state != send_engine_pkg::Launch) begin
        NothingHappensInBetween: assert (\u_send_engine.event_q  == requester_pkg::Nothing &&
            \u_send_engine.cause_q  == responder_pkg::Nothing);
      end
      if (state == send_engine_pkg::Turn) begin
        assert (\u_send_engine.cause_q  == responder_pkg::Nothing);
        if (\u_send_engine.event_q  != requester_pkg::Nothing) TurnIsOfALivingQueue: assert (
            (broken_q || (sends_q && connected)) && !answers_q && !dead_q && !beyond_q);
      end
      if (responding) assert (answering);
      if (state == send_engine_pkg::Check || state == send_engine_pkg::Begin ||
          state == send_engine_pkg::Cut) begin
        assert (\u_send_engine.says_q [2:0] == {reads, writes, sends});
        assert (\u_send_engine.says_q [4] == atomics);
      end
      if (state != send_engine_pkg::Idle && state != send_engine_pkg::Load &&
          state != send_engine_pkg::Look) begin
        assert (connected == attributes_q.connected);
        assert (unreliable == (attributes_q.connected && attributes_q.unreliable));
        if (unreliable && state != send_engine_pkg::Complete && state != send_engine_pkg::Store &&
            state != send_engine_pkg::Finish) assert (
            pins_o.requester.sent == 5'd0 && pins_o.requester.begun <= 5'd1);
        if (unreliable) NothingIsSentAgain: assert (!\u_send_engine.resends_q );
        if (answering) assert (connected && (answers_q || data_q));
        assert (!(sends_q && broken_q));
      end else begin
        if (state != send_engine_pkg::Idle) assert (!answering);
      end
      if (state == send_engine_pkg::Turn) begin
        assert (!answering && dead_q == pins_o.requester.dead);
        assert (\u_send_engine.present_q  == valid_q && \u_send_engine.broken_q  == broken_q);
        assert (\u_send_engine.open_q  == (broken_q || sends_q));
        assert (valid_q || (!broken_q && !sends_q));
        if (broken_q) assert (\u_send_engine.event_q  == requester_pkg::Nothing ||
            \u_send_engine.event_q  == requester_pkg::Flush);
        else assert (\u_send_engine.event_q  != requester_pkg::Flush);
        assert (beyond_q == \u_send_engine.beyond_q );
        assert (answers_q == (connected && (pins_o.responder.answer ||
            (pins_o.reader.active && !broken_q && !pins_o.reader.yields))));
        assert (data_q == (connected && pins_o.reader.active && !broken_q));
      end
      if (state == send_engine_pkg::Key || state == send_engine_pkg::Check ||
          state == send_engine_pkg::Begin || state == send_engine_pkg::Cut) begin
        assert (valid_q && (!answering || responding) && (answering || (!dead_q && !beyond_q &&
            !answers_q)));
        assert (responding ? !broken_q : sends_q);
      end
      if (state == send_engine_pkg::Drain || state == send_engine_pkg::Count ||
          state == send_engine_pkg::Flush) assert (broken_q && !answering &&
          pins_o.responder == responder_q);
      if (state == send_engine_pkg::Turn) assert (pins_o.responder == responder_q);
      if (state == send_engine_pkg::Flush && shared) assert (!\u_send_engine.beyond_q  &&
          \u_send_engine.posted_q  == {15'd0, begun});
      if (state == send_engine_pkg::Complete && \u_send_engine.draining_q ) assert (
          pins_o.responder.consumed == (shared ? responder_q.consumed :
          responder_q.consumed + 16'd1) && (!shared || (begun && !pins_o.responder.midway)));
      if (state != send_engine_pkg::Complete && state != send_engine_pkg::Store &&
          state != send_engine_pkg::Finish &&
          state != send_engine_pkg::Idle) assert (!\u_send_engine.draining_q );
      if (state == send_engine_pkg::Fetch) assert (valid_q && !answering && !dead_q && !beyond_q &&
          !answers_q && sends_q);
      if (state == send_engine_pkg::Begin &&
          !answering) assert (\u_send_engine.good_q  ? pins_o.entry.status == layout_pkg::Success :
              pins_o.requester.sent != 5'd0 || pins_o.entry.status != layout_pkg::Success);
      if (state == send_engine_pkg::Cut || (state == send_engine_pkg::Begin &&
          \u_send_engine.good_q )) begin
        assert (allowed_q);
        if (!answering) assert (known_operation && !changed_q);
        if (state == send_engine_pkg::Begin && !answering && atomics) AtomicHasEightBytes: assert (
            \u_send_engine.length_q  == 32'd8);
        if (!connected) assert (sends && \u_send_engine.length_q  <= 32'd2048);
      end
      if ((state == send_engine_pkg::Frame || state == send_engine_pkg::Copy) &&
          !connected) assert ({20'd0, \u_send_engine.bytes_q } == \u_send_engine.length_q );
      if (state == send_engine_pkg::Complete && broken_q) assert (
          pins_o.entry.status == layout_pkg::Flushed);
      if (state == send_engine_pkg::Launch && !answering) assert (
          \u_send_engine.event_q  == requester_pkg::Send);
      if (state == send_engine_pkg::Launch && connected) assert (allowed_q || (answering &&
          (!responding || restores)));
    end
  end

endmodule
