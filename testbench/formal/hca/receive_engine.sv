/// Data are written only where a key allows it, within buffer and area.
///
/// A datagram of a multicast group goes to each of its queue pairs once, the lowest first.
///
/// A dropped packet is counted once (IBA volume 1, sections 9.7.4, 9.8.3, 10.6.3).
// Mutation: rtl/hca/receive_engine.sv | (length_q != requester_q.length) : (total_q > length_q); | (length_q != requester_q.length) : 1'b0;
// Mutation: rtl/hca/receive_engine.sv | (remote && (!answer.allowed \|\| misfits_q)) ? layout_pkg::RemoteAccess : | (remote && misfits_q) ? layout_pkg::RemoteAccess : remote ? layout_pkg::Success :
// Mutation: rtl/hca/receive_engine.sv | access.remote_write = says_q.write; | access.remote_write = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | access.local_write = !remote; | access.local_write = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | access.remote_atomic = says_q.atomic; | access.remote_atomic = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | appends_d = appends && !kills; | appends_d = appends;
// Mutation: rtl/hca/receive_engine.sv | if (says_q.atomic) sized = (address_q[2:0] == 3'd0); | if (says_q.atomic) sized = 1'b1;
// Mutation: rtl/hca/receive_engine.sv | assign writes = says_q.atomic ? changes : | assign writes = says_q.atomic ? 1'b1 :
// Mutation: rtl/hca/receive_engine.sv | assign result = says_q.compares ? swap_q : | assign result = says_q.compares ? compare_q :
// Mutation: rtl/hca/receive_engine.sv | assign beyond = says_q.remote && (q_key_q != 32'd0); | assign beyond = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | assign distance = psn_q - pins_i.responder.psn; | assign distance = psn_q - pins_i.responder.psn - {23'd0, pins_i.responder.midway};
// Mutation: rtl/hca/receive_engine.sv | (!says_q.write \|\| whole) | 1'b1
// Mutation: rtl/hca/receive_engine.sv | (!says_q.write \|\| less) | (!says_q.write \|\| whole \|\| less)
// Mutation: rtl/hca/receive_engine.sv | other_length = pins_i.responder.length; | other_length = pins_i.responder.received;
// Mutation: rtl/hca/receive_engine.sv | assign unknown = !served \|\| stranger \|\| dead; | assign unknown = !served \|\| dead;
// Mutation: rtl/hca/receive_engine.sv | requester_q.dead : responder_q.dead) \|\| requester_q.failed \|\| | requester_q.dead : responder_q.dead) \|\|
// Mutation: rtl/hca/receive_engine.sv | assign wrong_key = !connected_q && (q_key_q != pins_i.attributes.q_key); | assign wrong_key = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | offset_d = answer_q ? offset : remote ? 32'd0 : ahead; | offset_d = answer_q ? offset : ahead;
// Mutation: rtl/hca/receive_engine.sv | (!connected_q \|\| says_q.unreliable == pins_i.attributes.unreliable); | 1'b1;
// Mutation: rtl/hca/receive_engine.sv | !says_q.unreliable \|\| (status_q != layout_pkg::LengthError); | 1'b1;
// Mutation: rtl/hca/receive_engine.sv | says_q.begins ? 32'd0 : responder_q.received; | responder_q.received;
// Mutation: rtl/hca/receive_engine.sv | pool_d.taken = pool_q.taken + 16'd1; | pool_d.taken = responder_q.consumed + 16'd1;
// Mutation: rtl/hca/receive_engine.sv | if (borrows_q && (good_q \|\| !remote)) begin | if (borrows_q) begin
// Mutation: rtl/hca/receive_engine.sv | posted_d = pins_i.bell - pins_i.shared.taken; | posted_d = pins_i.bell - pins_i.responder.consumed;
// Mutation: rtl/hca/receive_engine.sv | (posted_q <= pins_i.limit.least); | (posted_q < pins_i.limit.least);
// Mutation: rtl/hca/receive_engine.sv | shares && !says_q.begins && !remote && !answers; | !says_q.begins && !remote && !answers;
// Mutation: rtl/hca/receive_engine.sv | (says_q.write ? says_q.immediate : says_q.begins && !remote); | (says_q.write ? says_q.immediate : says_q.begins);
// Mutation: rtl/hca/receive_engine.sv | assign pins_o.read_store = (state_q == receive_engine_pkg::Store) && appends_q; | assign pins_o.read_store = (state_q == receive_engine_pkg::Store) && crowded_q;
// Mutation: rtl/hca/receive_engine.sv | pins_o.read.denied = !good_q; | pins_o.read.denied = 1'b0;
// Mutation: rtl/hca/receive_engine.sv | assign appends = says_q.read && reader_q.active && | assign appends = reader_q.active &&
// Mutation: rtl/hca/lowest_bit.sv | group = groups & ~(later << 8); | group = groups & ~(later << 16);
// Mutation: rtl/hca/lowest_bit.sv | number_o[4] = ((group & 64'hffff_0000_ffff_0000) != 64'd0); | number_o[4] = ((group & 64'hffff_0000_0000_0000) != 64'd0);
// Mutation: rtl/hca/receive_engine.sv | members_d = members_q & ~lowest; | members_d = '0;
// Mutation: rtl/hca/receive_engine.sv | other_destination = {16'd0, quarters_q[1:0] - 2'd1, member}; | other_destination = {16'd0, quarters_q[1:0], member};
// Mutation: rtl/hca/receive_engine.sv | assign finished = remaining ? receive_engine_pkg::Member : | assign finished = (remaining && lonely) ? receive_engine_pkg::Member :
// Mutation: rtl/hca/receive_engine.sv | quarters_q[2] ? receive_engine_pkg::Release : receive_engine_pkg::Group; | receive_engine_pkg::Release;
// Mutation: rtl/hca/receive_engine.sv | if (lonely && last && !attached_q) counts_d | if (lonely && last) counts_d
// Mutation: rtl/hca/receive_engine.sv | assign lonely = (pins_i.members == 64'd0); | assign lonely = 1'b0;
// Witness: GroupsGetDatagramsAlone | rtl/hca/receive_engine.sv | assign addressed = says_q.datagram && | assign addressed =
// Witness: ReadIsNotAWrite | rtl/hca/receive_engine.sv | state_d = (good_q && writes) ? receive_engine_pkg::Copy : | state_d = (good_q || writes) ? receive_engine_pkg::Copy :
// Witness: OperandIsOfAnAtomicOperation | rtl/hca/receive_engine.sv | state_d = (good && says_q.atomic) ? receive_engine_pkg::Operand : | state_d = says_q.atomic ? receive_engine_pkg::Operand :
// Witness: SharedWqeIsPosted | rtl/hca/receive_engine.sv | ready_d = (posted_q != 16'd0); | ready_d = (posted_q == 16'd0);
// Witness: AnswerTakesNoReceiveWqe | rtl/hca/receive_engine.sv | state_d = receive_engine_pkg::Answer; | state_d = receive_engine_pkg::Judge;
module receive_engine_proof (
    input logic clk_i,
    input logic rst_ni,
    input receive_engine_pkg::in_t pins_i
);

  receive_engine_pkg::out_t pins_o;
  receive_engine u_receive_engine (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [4:0]  \u_receive_engine.state_q ;
  (* hierconn *) logic [7:0]  \u_receive_engine.kind_q ;
  (* hierconn *) logic        \u_receive_engine.answer_q ;
  (* hierconn *) logic [23:0] \u_receive_engine.destination_q ;
  (* hierconn *) logic [63:0] \u_receive_engine.members_q ;
  (* hierconn *) logic [2:0]  \u_receive_engine.quarters_q ;
  (* hierconn *) logic        \u_receive_engine.attached_q ;
  (* hierconn *) logic        \u_receive_engine.grouped ;
  (* hierconn *) logic [15:0] \u_receive_engine.destination_lid_q ;
  (* hierconn *) logic        \u_receive_engine.connected_q ;
  (* hierconn *) logic [31:0] \u_receive_engine.address_d ;
  (* hierconn *) logic [31:0] \u_receive_engine.address_q ;
  (* hierconn *) logic [31:0] \u_receive_engine.length_q ;
  (* hierconn *) logic [32:0] \u_receive_engine.reach_q ;
  (* hierconn *) logic        \u_receive_engine.misfits_q ;
  (* hierconn *) logic        \u_receive_engine.good ;
  (* hierconn *) logic        \u_receive_engine.good_q ;
  (* hierconn *) logic [7:0]  \u_receive_engine.verdict ;
  (* hierconn *) logic [31:0] \u_receive_engine.offset_q ;
  (* hierconn *) logic [3:0]  \u_receive_engine.event_q ;
  (* hierconn *) logic [2:0]  \u_receive_engine.cause_q ;
  (* hierconn *) logic        \u_receive_engine.sized_q ;
  (* hierconn *) logic        \u_receive_engine.follows_q ;
  (* hierconn *) logic        \u_receive_engine.appends_q ;
  (* hierconn *) logic        \u_receive_engine.crowded_q ;
  (* hierconn *) logic        \u_receive_engine.repeats_q ;
  (* hierconn *) logic [23:0] \u_receive_engine.psn_q ;
  (* hierconn *) logic [31:0] \u_receive_engine.total_q ;
  (* hierconn *) logic [11:0] \u_receive_engine.room_q ;
  (* hierconn *) logic [17:0] \u_receive_engine.says_q ;
  (* hierconn *) logic [31:0] \u_receive_engine.l_key_q ;
  (* hierconn *) logic [31:0] \u_receive_engine.q_key_q ;
  (* hierconn *) logic [15:0] \u_receive_engine.source_lid_q ;
  (* hierconn *) logic [11:0] \u_receive_engine.bytes_q ;
  (* hierconn *) logic        \u_receive_engine.shared_q ;
  (* hierconn *) logic        \u_receive_engine.borrows_q ;
  (* hierconn *) logic        \u_receive_engine.kept_q ;
  (* hierconn *) logic        \u_receive_engine.taken_q ;
  (* hierconn *) logic        \u_receive_engine.low_q ;
  (* hierconn *) logic        \u_receive_engine.ready_q ;
  (* hierconn *) logic [15:0] \u_receive_engine.posted_q ;
  (* hierconn *) logic [63:0] \u_receive_engine.word_q ;
  (* hierconn *) logic [63:0] \u_receive_engine.swap_q ;
  (* hierconn *) logic [63:0] \u_receive_engine.compare_q ;
  logic [4:0]  state;
  logic [7:0]  kind;
  logic        unreliable;
  logic        answer;
  receive_engine_pkg::packet_form_t says;
  logic        writes;
  logic        reads;
  logic        atomics;
  logic        remote;
  logic [31:0] bytes;
  assign state = \u_receive_engine.state_q ;
  // Operation codes of an unreliable connection are those of a reliable one and 32.
  assign unreliable = (\u_receive_engine.kind_q  >= 8'h20 && \u_receive_engine.kind_q  <= 8'h2b);
  assign kind = unreliable ? \u_receive_engine.kind_q  - 8'h20 : \u_receive_engine.kind_q ;
  assign answer = \u_receive_engine.answer_q ;
  assign says = \u_receive_engine.says_q ;
  assign writes = (kind >= layout_pkg::WriteFirst) && (kind <= layout_pkg::WriteOnlyImmediate);
  assign reads = (kind == layout_pkg::ReadRequest);
  assign atomics = (kind == layout_pkg::CompareSwapRequest) || (kind == layout_pkg::FetchAddRequest);
  assign remote = writes || reads || atomics;
  assign bytes = {20'd0, \u_receive_engine.bytes_q };

  machine #(.States(24), .Arcs(receive_engine_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Whether the key allows the access in `Check`.
  logic [33:0] access_end;
  logic [33:0] area_end;
  logic        allowed;
  assign access_end = {2'b0, \u_receive_engine.address_q } + {2'b0, \u_receive_engine.length_q };
  assign area_end = {1'b0, pins_i.key.limit};
  assign allowed = (\u_receive_engine.length_q  == 32'd0) ||
                   (pins_i.key.valid && pins_i.key.domain == pins_i.attributes.domain &&
                    \u_receive_engine.l_key_q [19:12] == pins_i.key.variant &&
                    \u_receive_engine.address_q  >= pins_i.key.base && access_end <= area_end &&
                        access_end <= 34'h1_0000_0000 &&
                    (writes ? pins_i.key.remote_write : reads ? pins_i.key.remote_read :
                        atomics ? pins_i.key.remote_atomic : pins_i.key.local_write));

  // Bytes of the buffer before the data: a first packet begins at its start.
  logic [31:0] before;
  assign before = !\u_receive_engine.connected_q  ? layout_pkg::GrhBytes :
                  says.begins ? 32'd0 : pins_o.responder.received;

  // Rows are stable while a packet is handled. A message is shorter than half of all addresses.
  // Values found in `Look` and `Check`.
  logic        known_q;
  logic        past_rst_nq;
  logic [4:0]  past_state_q;
  logic [63:0] past_members_q;
  // Quarters of the group that have been read, and whether one had a queue pair.
  logic [2:0]  quarters_q;
  logic        attached_q;
  logic        past_attached_q;
  logic        allowed_q;
  logic [31:0] address_q;
  logic [31:0] length_q;
  logic [31:0] before_q;
  logic        mine_q;
  logic [63:0] operand_q;
  logic [79:0] past_drops_q;
  context_pkg::attributes_t attributes_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_members_q <= \u_receive_engine.members_q ;
    past_attached_q <= attached_q;
    if (state == receive_engine_pkg::Idle) begin
      {quarters_q, attached_q} <= '0;
    end else if (state == receive_engine_pkg::Members) begin
      quarters_q <= quarters_q + 3'd1;
      if (pins_i.members != 64'd0) attached_q <= 1'b1;
    end
    attributes_q <= pins_i.attributes;
    past_drops_q <= {pins_o.counts.foreign, pins_o.counts.malformed, pins_o.counts.unknown_qp,
        pins_o.counts.wrong_q_key,
                     pins_o.counts.no_receive};
    if (state == receive_engine_pkg::Look) begin
      mine_q <= pins_i.attributes.state >= context_pkg::ReadyToReceive &&
          pins_i.attributes.state <= context_pkg::Drained && !pins_i.requester.failed &&
          !pins_i.responder.failed &&
          pins_i.attributes.connected == (kind <= layout_pkg::FetchAddRequest) &&
                (pins_i.attributes.connected ?
                    \u_receive_engine.source_lid_q  == pins_i.attributes.peer_lid &&
                        unreliable == pins_i.attributes.unreliable :
                                               \u_receive_engine.q_key_q  ==
                                                   pins_i.attributes.q_key);
    end
    if (state == receive_engine_pkg::Check) begin
      allowed_q <= allowed && !((reads || atomics || kind == layout_pkg::WriteFirst ||
          kind == layout_pkg::WriteOnly || kind == layout_pkg::WriteOnlyImmediate) &&
                                \u_receive_engine.q_key_q  != 32'd0);
      address_q <= \u_receive_engine.address_q ;
      length_q <= \u_receive_engine.length_q ;
      before_q <= before;
    end
    if (state == receive_engine_pkg::Take) operand_q <= \u_receive_engine.word_q ;
  end
  logic works;
  assign works = (state >= receive_engine_pkg::Pool);
  always @* begin
    if (works) assume (pins_i.attributes == attributes_q);
    if (state == receive_engine_pkg::Look) assume (pins_i.responder.received < 32'h4000_0000);
  end

  // The shared receive queue as the packet finds it, its doorbell, and its limit in `Admit`.
  context_pkg::shared_queue_t pool_q;
  context_pkg::shared_queue_t pool_after;
  logic [15:0] waiting_q;
  logic        low_q;
  logic        shares;
  logic        needs;
  always @(posedge clk_i) begin
    if (state == receive_engine_pkg::Share) begin
      pool_q <= pins_i.shared;
      waiting_q <= pins_i.bell - pins_i.shared.taken;
    end
    if (state == receive_engine_pkg::Admit) low_q <= pins_i.limit.armed &&
        \u_receive_engine.posted_q  <= pins_i.limit.least;
  end
  assign shares = attributes_q.shared && !(attributes_q.connected && attributes_q.unreliable);
  assign needs = shares && (writes ? says.immediate : !reads && !atomics && says.begins) &&
      !(kind >= layout_pkg::ReadFirst && kind <= layout_pkg::AtomicAcknowledge);
  always @* begin
    pool_after = pool_q;
    pool_after.taken = pool_q.taken + 16'd1;
  end

  // Bytes of a full packet, and bytes that an RDMA WRITE still has.
  logic [31:0] mtu;
  logic [31:0] coming;
  assign mtu = (attributes_q.mtu == 4'd0 ||
      attributes_q.mtu > 4'd4) ? 32'd0 : 32'd128 << attributes_q.mtu[2:0];
  assign coming = says.begins ? \u_receive_engine.length_q  : pins_o.responder.length;

  logic [23:0] distance;
  assign distance = \u_receive_engine.psn_q  - pins_o.responder.psn;

  // Drops counted in the last cycle.
  logic [2:0] drops;
  assign drops = {2'b0, pins_o.counts.foreign != past_drops_q[79:64]} + {2'b0,
      pins_o.counts.malformed != past_drops_q[63:48]} +
                 {2'b0, pins_o.counts.unknown_qp != past_drops_q[47:32]} + {2'b0,
                     pins_o.counts.wrong_q_key != past_drops_q[31:16]} +
                 {2'b0, pins_o.counts.no_receive != past_drops_q[15:0]};

  always @* begin
    if (known_q) begin
      if (pins_o.copy && pins_o.transfer.to_host) begin
        OnlyWhatIsAllowedIsWritten: assert (allowed_q);
        NothingIsWrittenForStrangers: assert (mine_q);
        ReadIsNotAWrite: assert (!reads);
        if (atomics) begin
          AtomicWritesItsEightBytes: assert (pins_o.transfer.address == address_q &&
              pins_o.transfer.bytes == 12'd8 && length_q == 32'd8 && address_q[2:0] == 3'd0);
          AtomicWritesItsResult: assert (pins_o.supply && pins_o.value == (says.compares ?
              \u_receive_engine.swap_q  : operand_q + \u_receive_engine.swap_q ));
          if (says.compares) UnequalValueStays: assert (
              operand_q == \u_receive_engine.compare_q );
        end
        if (!answer && !writes && !atomics) NothingGoesBeyondTheBuffer: assert (
            pins_o.transfer.address == address_q + before_q && before_q + bytes <= length_q);
        if (writes) NothingGoesBeyondTheArea: assert (pins_o.transfer.address == address_q &&
            bytes <= length_q);
      end
      if (past_rst_nq) begin
        if ((state == receive_engine_pkg::Release && (past_state_q == receive_engine_pkg::Sort ||
            (past_state_q == receive_engine_pkg::Members && !past_attached_q) ||
            past_state_q == receive_engine_pkg::Admit)) || ((state == receive_engine_pkg::Member ||
            state == receive_engine_pkg::Group) && past_state_q == receive_engine_pkg::Admit)) begin
          WhatIsDroppedIsCountedOnce: assert (drops == 3'd1);
        end else begin
          NothingElseIs: assert (drops == 3'd0);
        end
      end
      if (past_rst_nq && past_state_q == receive_engine_pkg::Member) begin
        NextMemberIsServed: assert (
            \u_receive_engine.members_q  == (past_members_q & (past_members_q - 64'd1)) &&
            (past_members_q ^ \u_receive_engine.members_q ) == (64'd1 << pins_o.pair[5:0]));
        MemberIsOfItsQuarter: assert (
            \u_receive_engine.destination_q [23:6] == {15'd0, quarters_q} - 18'd1);
      end
      if (pins_o.done) EveryMemberIsServed: assert (\u_receive_engine.members_q  == 64'd0);
      if (pins_o.group_load) NextQuarterIsRead: assert (pins_o.group ==
          {quarters_q[1:0], \u_receive_engine.destination_lid_q [3:0]} && quarters_q < 3'd4);
      if (past_rst_nq && pins_o.done && past_state_q != receive_engine_pkg::Sort) begin
        EveryQuarterIsRead: assert (!\u_receive_engine.grouped  || quarters_q == 3'd4);
      end
      if (pins_o.complete && says.unreliable && !answer) DroppedMessageHasNoCqe: assert (
          pins_o.entry.status == layout_pkg::Success ||
          pins_o.entry.status == layout_pkg::ProtectionError);
      if (pins_o.shared_store) begin
        OneWqeIsTaken: assert (pins_o.shared == pool_after && pins_o.store);
        WqeWasPosted: assert (waiting_q != 16'd0);
        OnlyWhatNeedsAWqeTakesOne: assert (needs);
        RefusedWriteTakesNone: assert (!remote || pins_o.entry.status == layout_pkg::Success);
        LimitIsToldOnceItIsReached: assert (pins_o.sinks == low_q);
      end else begin
        LimitIsToldByWhatTakes: assert (!pins_o.sinks);
      end
      if (pins_o.complete && !answer && shares && needs) CqeNamesTheWqe: assert (
          pins_o.entry.index == pool_q.taken);
      if (pins_o.read_store) begin
        OnlyAReadWaits: assert (reads && pins_o.store && pins_o.reader.active &&
            !pins_o.reader.atomic && pins_o.reader.waiting != 4'd0);
        WaitingReadIsDeniedWithoutARight: assert (pins_o.read.denied || allowed_q);
      end
      if (pins_o.store || pins_o.acknowledge) OneRowIsWritten: assert (!(pins_o.store &&
          pins_o.acknowledge));
      // The result of the key check is compared in every state, so that a fault shows before a
      // whole packet has arrived; `Check` uses it.
      if (\u_receive_engine.good ) KeyAllowsWhatIsGood: assert (
          \u_receive_engine.length_q  == 32'd0 ||
          (pins_i.key.valid && pins_i.key.domain == pins_i.attributes.domain &&
           \u_receive_engine.l_key_q [19:12] == pins_i.key.variant &&
           \u_receive_engine.address_q  >= pins_i.key.base &&
               {1'b0, \u_receive_engine.reach_q } <= area_end &&
           \u_receive_engine.reach_q  <= 33'h1_0000_0000 &&
           (says.write ? pins_i.key.remote_write : says.read ? pins_i.key.remote_read :
               says.atomic ? pins_i.key.remote_atomic : pins_i.key.local_write)));
      if (\u_receive_engine.good ) NothingIsGoodThatIsBeyond: assert (
          !\u_receive_engine.misfits_q );
      VerdictSaysWhatIsGood: assert (
          \u_receive_engine.good  == (\u_receive_engine.verdict  == layout_pkg::Success));
      // Invariants that carry the induction.
      if (state > receive_engine_pkg::Head) begin
        assert (says.write == writes && says.read == reads && says.atomic == atomics &&
            says.compares == (kind == layout_pkg::CompareSwapRequest) &&
            says.connected == (kind <= layout_pkg::FetchAddRequest));
        assert (says.unreliable == unreliable);
        assert ((says.acknowledge || says.response) == (kind >= layout_pkg::ReadFirst &&
            kind <= layout_pkg::AtomicAcknowledge));
        assert (says.remote == (reads || atomics || kind == layout_pkg::WriteFirst ||
            kind == layout_pkg::WriteOnly || kind == layout_pkg::WriteOnlyImmediate));
        assert (says.begins == !((kind >= layout_pkg::SendMiddle &&
            kind <= layout_pkg::SendLastImmediate) ||
                                 (kind >= layout_pkg::WriteMiddle &&
                                     kind <= layout_pkg::WriteLastImmediate)));
      end
      if (state >= receive_engine_pkg::Answer && state <= receive_engine_pkg::Store &&
          \u_receive_engine.appends_q ) begin
        assert (reads && !answer);
        if (state == receive_engine_pkg::Judge || state == receive_engine_pkg::Key ||
            state == receive_engine_pkg::Check || state == receive_engine_pkg::Take) assert (
            pins_o.reader.active && !pins_o.reader.atomic && \u_receive_engine.crowded_q  ==
            (pins_o.reader.waiting == 4'd15) && (state == receive_engine_pkg::Judge ||
            !\u_receive_engine.crowded_q ));
      end
      if (state == receive_engine_pkg::Take && \u_receive_engine.appends_q ) assert (
          \u_receive_engine.cause_q  == responder_pkg::Take);
      if (state == receive_engine_pkg::Copy || state == receive_engine_pkg::Complete ||
          state == receive_engine_pkg::Advance) assert (!\u_receive_engine.appends_q );
      if (state == receive_engine_pkg::Store && \u_receive_engine.appends_q ) assert (
          (!\u_receive_engine.good_q  || allowed_q) && pins_o.reader.active &&
          !pins_o.reader.atomic && pins_o.reader.waiting != 4'd0);
      if (state > receive_engine_pkg::Head && reads) assert (!says.immediate);
      // A group has members and quarters left from `Member` on, and its packet is a datagram.
      assert (\u_receive_engine.attached_q  == attached_q || state == receive_engine_pkg::Idle);
      if (state > receive_engine_pkg::Idle && state <= receive_engine_pkg::Sort) assert (
          \u_receive_engine.quarters_q  == 3'd4 && quarters_q == 3'd0 && !attached_q);
      if (state > receive_engine_pkg::Sort) assert (\u_receive_engine.quarters_q  ==
          (\u_receive_engine.grouped  ? quarters_q : 3'd4) && quarters_q <= 3'd4);
      if (state > receive_engine_pkg::Sort && state < receive_engine_pkg::Release) begin
        assert (!\u_receive_engine.grouped  || says.datagram);
        if (state <= receive_engine_pkg::Members) assert (
            \u_receive_engine.grouped  && quarters_q < 3'd4);
        if (state == receive_engine_pkg::Member) assert (
            \u_receive_engine.grouped  && quarters_q != 3'd0);
        if (\u_receive_engine.grouped  && state > receive_engine_pkg::Member) assert (
            quarters_q != 3'd0);
      end
      if (state <= receive_engine_pkg::Members) assert (\u_receive_engine.members_q  == 64'd0);
      if (state == receive_engine_pkg::Member) assert (\u_receive_engine.members_q  != 64'd0);
      if (state >= receive_engine_pkg::Group && state <= receive_engine_pkg::Ahead) assert (
          says.datagram);
      if (\u_receive_engine.members_q  != 64'd0) assert (says.datagram &&
          \u_receive_engine.grouped  && quarters_q != 3'd0);
      if (state > receive_engine_pkg::Head && says.datagram) assert (!says.connected && !remote &&
          !says.acknowledge && !says.response);
      if (state == receive_engine_pkg::Pool || state == receive_engine_pkg::Share) begin
        assert (\u_receive_engine.borrows_q );
      end
      if (state >= receive_engine_pkg::Complete && state <= receive_engine_pkg::Store) assert (
          answer == (kind >= layout_pkg::ReadFirst && kind <= layout_pkg::AtomicAcknowledge));
      if (state == receive_engine_pkg::Advance) OnlyAnAnswerEndsARequest: assert (answer);
      if (past_rst_nq && past_state_q == receive_engine_pkg::Store && state == receive_engine_pkg::Load)
          OnlyAnAnswerGoesRound: assert (says.acknowledge || says.response);
      if (state >= receive_engine_pkg::Pool && state < receive_engine_pkg::Release) begin
        assert (\u_receive_engine.borrows_q  == needs && \u_receive_engine.shared_q  == shares);
        if (\u_receive_engine.kept_q ) KeptBufferIsOfASharedQueue: assert (shares && !remote &&
            !says.begins);
      end
      if (state > receive_engine_pkg::Idle && state <= receive_engine_pkg::Take &&
          (state <= receive_engine_pkg::Sort || state > receive_engine_pkg::Member)) assert (
          !\u_receive_engine.taken_q );
      if (state >= receive_engine_pkg::Admit && state <= receive_engine_pkg::Take && needs) begin
        assert (pins_o.shared == pool_q);
        if (state == receive_engine_pkg::Admit) assert (
            \u_receive_engine.posted_q  == waiting_q);
        else assert (\u_receive_engine.low_q  == low_q &&
            \u_receive_engine.ready_q  == (waiting_q != 16'd0));
      end
      if (state >= receive_engine_pkg::Fetch && state <= receive_engine_pkg::Take && needs &&
          !answer) assert (waiting_q != 16'd0);
      if (state >= receive_engine_pkg::Copy && state <= receive_engine_pkg::Store &&
          \u_receive_engine.taken_q ) assert (needs &&
          waiting_q != 16'd0 && pins_o.shared == pool_after && pins_o.entry.index == pool_q.taken &&
          \u_receive_engine.low_q  == low_q && !answer &&
          (!remote || pins_o.entry.status == layout_pkg::Success));
      if ((state == receive_engine_pkg::Copy || state == receive_engine_pkg::Complete) && needs &&
          !answer) assert (\u_receive_engine.taken_q );
      if (state == receive_engine_pkg::Check) assert ({1'b0,
          \u_receive_engine.reach_q } == access_end);
      if (state == receive_engine_pkg::Operand || state == receive_engine_pkg::Take) begin
        assert (address_q == \u_receive_engine.address_q  &&
            length_q == \u_receive_engine.length_q  && before_q == before);
        CqeSaysWhetherItIsTaken: assert (
            \u_receive_engine.good_q  == (pins_o.entry.status == layout_pkg::Success));
        if (\u_receive_engine.good_q ) assert (allowed_q && !\u_receive_engine.misfits_q );
        assert (pins_o.entry.status == layout_pkg::Success ||
            (remote ? pins_o.entry.status == layout_pkg::RemoteAccess :
             pins_o.entry.status == layout_pkg::ProtectionError ||
             pins_o.entry.status == layout_pkg::LengthError));
        if (writes) WriteGoesToItsArea: assert (\u_receive_engine.address_d  == address_q);
      end
      if (state == receive_engine_pkg::Operand) OperandIsOfAnAtomicOperation: assert (atomics &&
          \u_receive_engine.good_q );
      if (state == receive_engine_pkg::Check || state == receive_engine_pkg::Operand ||
          state == receive_engine_pkg::Take) begin
        assert (\u_receive_engine.misfits_q  == (remote ? says.remote &&
            \u_receive_engine.q_key_q  != 32'd0 : answer ?
            \u_receive_engine.length_q  != pins_o.requester.length :
            before + bytes > \u_receive_engine.length_q ));
      end
      if (state == receive_engine_pkg::Admit) begin
        assert (\u_receive_engine.connected_q  == attributes_q.connected);
        assert (answer == (kind >= layout_pkg::ReadFirst && kind <= layout_pkg::AtomicAcknowledge));
        assert (mine_q == (attributes_q.state >= context_pkg::ReadyToReceive &&
            attributes_q.state <= context_pkg::Drained && !pins_o.requester.failed &&
            !pins_o.responder.failed &&
            attributes_q.connected == (kind <= layout_pkg::FetchAddRequest) &&
                           (attributes_q.connected ?
                               \u_receive_engine.source_lid_q  == attributes_q.peer_lid &&
                                   unreliable == attributes_q.unreliable :
                                                     \u_receive_engine.q_key_q  ==
                                                         attributes_q.q_key)));
      end
      if (state >= receive_engine_pkg::Answer && state <= receive_engine_pkg::Copy) begin
        assert (mine_q && \u_receive_engine.connected_q  == attributes_q.connected);
        assert (attributes_q.connected == (kind <= layout_pkg::FetchAddRequest));
        assert (answer == (kind >= layout_pkg::ReadFirst && kind <= layout_pkg::AtomicAcknowledge));
      end
      if (state == receive_engine_pkg::Admit || state == receive_engine_pkg::Judge ||
          state == receive_engine_pkg::Fetch || state == receive_engine_pkg::Key ||
          state == receive_engine_pkg::Check || state == receive_engine_pkg::Operand ||
          state == receive_engine_pkg::Take) begin
        assert (pins_o.responder.received < 32'h4000_0000);
        if (state != receive_engine_pkg::Admit) assert (
            \u_receive_engine.total_q  == before + bytes);
      end
      if (state == receive_engine_pkg::Copy) assert (pins_o.entry.status == layout_pkg::Success);
      if (state == receive_engine_pkg::Judge) assert (!answer);
      // Rows have events only in the states that judge or take an answer or a packet.
      if (state != receive_engine_pkg::Answer && state != receive_engine_pkg::Take) begin
        NothingIsAnsweredInBetween: assert (\u_receive_engine.event_q  == requester_pkg::Nothing);
      end
      if (state != receive_engine_pkg::Judge && state != receive_engine_pkg::Take) begin
        NothingIsTakenInBetween: assert (\u_receive_engine.cause_q  == responder_pkg::Nothing);
      end
      if (state == receive_engine_pkg::Check || state == receive_engine_pkg::Operand ||
          state == receive_engine_pkg::Take) begin
        if (!answer) DataGoBehindWhatCameBefore: assert (\u_receive_engine.offset_q  ==
            (remote ? 32'd0 : before));
      end
      if ((state == receive_engine_pkg::Admit || state == receive_engine_pkg::Judge) && writes &&
          !says.begins) begin
        WriteGoesOnWhereItWas: assert (\u_receive_engine.length_q  == pins_o.responder.length);
      end
      if (state == receive_engine_pkg::Admit) begin
        assert (\u_receive_engine.follows_q  == (distance == 24'd0) &&
            \u_receive_engine.repeats_q  == distance[23]);
      end
      if (state == receive_engine_pkg::Judge) PacketHasItsPlace: assert (
          \u_receive_engine.follows_q  == (distance == 24'd0) &&
              \u_receive_engine.repeats_q  == distance[23]);
      if (state == receive_engine_pkg::Judge) PacketHasTheBytesOfItsKind: assert (
          \u_receive_engine.sized_q  == (atomics ? \u_receive_engine.address_q [2:0] == 3'd0 : reads ? \u_receive_engine.length_q  <= layout_pkg::MaxMessage && mtu != 32'd0 :
           says.ends ? bytes <= mtu && (says.begins || bytes != 32'd0) && (!writes ||
               coming == bytes) :
           bytes == mtu && bytes != 32'd0 && (!writes || coming > bytes)));
      if (state == receive_engine_pkg::Fetch) assert (!remote);
      // The address and the length of an atomic operation, from `Look` on.
      if (atomics && state >= receive_engine_pkg::Admit && state <= receive_engine_pkg::Take) assert (
          \u_receive_engine.length_q  == 32'd8);
      if (atomics && state >= receive_engine_pkg::Key && state <= receive_engine_pkg::Copy) assert (
          \u_receive_engine.address_q [2:0] == 3'd0);
      if (atomics && state == receive_engine_pkg::Copy) assert (\u_receive_engine.good_q  &&
          allowed_q && \u_receive_engine.address_q  == address_q && length_q == 32'd8 &&
          \u_receive_engine.word_q  == (says.compares ? \u_receive_engine.swap_q  :
              operand_q + \u_receive_engine.swap_q ) &&
          (!says.compares || operand_q == \u_receive_engine.compare_q ));
      if ((state == receive_engine_pkg::Key || state == receive_engine_pkg::Check ||
          state == receive_engine_pkg::Take) && writes) assert (
          bytes <= \u_receive_engine.length_q );
      if ((state == receive_engine_pkg::Judge || state == receive_engine_pkg::Key ||
          state == receive_engine_pkg::Check ||
          state == receive_engine_pkg::Operand ||
          state == receive_engine_pkg::Take) && (reads || atomics)) assert (bytes == 32'd0);
      if (state == receive_engine_pkg::Load || state == receive_engine_pkg::Look ||
          state == receive_engine_pkg::Admit) begin
        if (reads || atomics) assert (bytes == 32'd0);
      end
    end
  end

endmodule
