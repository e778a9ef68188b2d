/// Send engine: turns a WQE of a send queue into a packet (IBA volume 1, sections 9.7.5, 9.8.2,
/// 10.7.2).
///
/// A turn goes through doorbell, WQE, key, data, headers and completion, one after the other. A
/// datagram is one packet; a longer message is refused. A connection sends one packet a turn: data
/// for the peer's RDMA READ or the saved answer of its atomic operation, or an acknowledgement, or
/// the next packet of a request. The WQE of a request is read again for each of its packets, and is
/// done when the peer has acknowledged the last one, or on an unreliable connection when that one
/// has left.
///
/// On a reliable connection the next SEND or RDMA WRITE begins when the packets of all outstanding
/// SENDs and RDMA WRITEs have been sent, the next RDMA READ when all outstanding RDMA READs have
/// been requested. A request of the other kind, an atomic operation, and a request that may not be
/// sent wait until no request before them is outstanding. No request begins behind an atomic
/// operation.
///
/// When the data of one of the peer's RDMA READs have been sent and another one waits, the send
/// queue goes first, so that a peer that always reads does not keep it from sending.
///
/// A doorbell that claims more WQEs than the ring has places kills the queue: the ring cannot hold
/// valid requests.
///
/// In the error state a turn flushes one WQE, of the send queue first, then of the receive queue
/// (decision 0080).
///
/// The next values of the registers are computed in four groups, as in the model: state, rows,
/// request, packet.
module send_engine (
    /// Clock of the adapter, 125 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From scheduler, contexts, host DMA, completion.
    input  send_engine_pkg::in_t  pins_i,
    /// To scheduler, contexts, host DMA, completion, transmitter.
    output send_engine_pkg::out_t pins_o
);

  send_engine_pkg::state_e           state_d, state_q;
  logic [7:0]                        pair_d, pair_q;
  logic                              slot_d, slot_q;
  logic [15:0]                       lid_d, lid_q;
  logic [7:0]                        ring_d, ring_q;
  context_pkg::requester_t           requester_d, requester_q;
  context_pkg::request_t             request_d, request_q;
  context_pkg::responder_t           responder_d, responder_q;
  context_pkg::reader_t              reader_d, reader_q;
  logic                              yields_d, yields_q;
  logic                              answering_d, answering_q;
  logic                              responding_d, responding_q;
  logic                              draining_d, draining_q;
  logic                              connected_d, connected_q;
  logic                              unreliable_d, unreliable_q;
  logic                              present_d, present_q;
  logic                              open_d, open_q;
  logic                              broken_d, broken_q;
  logic [3:0]                        mtu_d, mtu_q;
  logic [11:0]                       bytes_d, bytes_q;
  logic [3:0]                        headers_d, headers_q;
  logic [10:0]                       units_d, units_q;
  logic [7:0]                        kind_d, kind_q;
  logic                              reth_d, reth_q;
  logic                              first_d, first_q;
  logic                              last_d, last_q;
  logic [15:0]                       posted_d, posted_q;
  logic                              beyond_d, beyond_q;
  logic [15:0]                       place_d, place_q;
  logic                              resumes_d, resumes_q;
  logic                              passed_d, passed_q;
  logic                              rests_d, rests_q;
  logic                              unsent_d, unsent_q;
  logic                              begins_d, begins_q;
  logic                              reading_d, reading_q;
  logic                              unanswered_d, unanswered_q;
  logic                              resends_d, resends_q;
  logic                              spent_d, spent_q;
  logic [31:0]                       deadline_d, deadline_q;
  logic                              changed_d, changed_q;
  logic                              sized_d, sized_q;
  logic                              good_d, good_q;
  logic [3:0]                        event_d, event_q;
  logic [2:0]                        cause_d, cause_q;
  logic                              fail_d, fail_q;
  logic                              again_d, again_q;
  logic [31:0]                       wqe_d, wqe_q;
  logic [32:0]                       reach_d, reach_q;
  logic [23:0]                       begun_d, begun_q;
  logic [23:0]                       more_d, more_q;
  logic [31:0]                       offset_d, offset_q;
  logic [7:0]                        operation_d, operation_q;
  send_engine_pkg::operation_flags_t says_d, says_q;
  logic                              signalled_d, signalled_q;
  logic                              solicited_d, solicited_q;
  logic [31:0]                       immediate_d, immediate_q;
  logic [31:0]                       address_d, address_q;
  logic [31:0]                       length_d, length_q;
  logic [31:0]                       l_key_d, l_key_q;
  logic [31:0]                       r_key_d, r_key_q;
  logic [63:0]                       remote_d, remote_q;
  logic [23:0]                       destination_d, destination_q;
  logic [15:0]                       destination_lid_d, destination_lid_q;
  logic [3:0]                        level_d, level_q;
  logic [31:0]                       q_key_d, q_key_q;
  logic [63:0]                       swap_d, swap_q;
  logic [63:0]                       compare_d, compare_q;
  logic [7:0]                        status_d, status_q;
  logic [2:0]                        index_d, index_q;
  register_pkg::send_counts_t        counts_d, counts_q;

  // The operation, decoded.
  send_engine_pkg::operation_flags_t says;
  assign says.send = (operation_q == layout_pkg::Send) ||
                     (operation_q == layout_pkg::SendImmediate);
  assign says.write = (operation_q == layout_pkg::RdmaWrite) ||
                      (operation_q == layout_pkg::RdmaWriteImmediate);
  assign says.read = (operation_q == layout_pkg::RdmaRead);
  assign says.immediate = (operation_q == layout_pkg::SendImmediate) ||
                          (operation_q == layout_pkg::RdmaWriteImmediate);
  assign says.compares = (operation_q == layout_pkg::CompareSwap);
  assign says.atomic = (operation_q == layout_pkg::CompareSwap) ||
                       (operation_q == layout_pkg::FetchAdd);

  // Parts of the headers. All answers but the middle packets of RDMA READ data have an AETH; the
  // first packet of an RDMA WRITE and an RDMA READ request have a RETH, an atomic operation has an
  // AtomicETH. Both begin with address and r_key. A saved answer has an AtomicAckETH.
  logic answer_sent;
  logic remote_sent;
  logic immediate_sent;
  logic restores;
  assign answer_sent = answering_q && (!responding_q || first_q || last_q);
  assign remote_sent = connected_q && !answering_q &&
                       (says_q.read || says_q.atomic || (says_q.write && first_q));
  assign immediate_sent = says_q.immediate && last_q && !answering_q;
  assign restores = responding_q && reader_q.atomic;

  // Units of 4 bytes in front of the data: LRH (2) and BTH (3); then AETH (1), DETH (2), RETH (4)
  // or AtomicETH (7); then immediate data (1). A table is faster than an adder; it leaves out a
  // datagram with a RETH.
  logic [2:0] parts;
  logic [3:0] header_units;
  assign parts = {remote_sent, !connected_q, answer_sent || immediate_sent};
  always_comb begin
    unique case (parts)
      3'd0: header_units = 4'd5;
      3'd1: header_units = 4'd6;
      3'd2: header_units = 4'd7;
      3'd3: header_units = 4'd8;
      3'd4: header_units = says_q.atomic ? 4'd12 : 4'd9;
      default: header_units = 4'd10;
    endcase
  end

  // Units of headers and data. A partial last unit is added through the carry input, which saves an
  // adder. The length in the LRH counts the ICRC, a unit.
  logic        partial;
  logic [11:0] sum;
  logic [1:0]  pad;
  logic [10:0] all_units;
  logic [2:0]  last_header;
  assign partial = (bytes_q[1:0] != 2'd0);
  assign sum = {7'd0, headers_q, 1'b1} + {1'b0, bytes_q[11:2], partial};
  assign pad = -bytes_q[1:0];
  assign all_units = units_q + 11'd1;
  assign last_header = !connected_q ? 3'd3 :
                       reth_q ? (says_q.atomic ? 3'd5 : 3'd4) : restores ? 3'd3 : 3'd2;

  // Operation code of the packet, for a connection that of a reliable one.
  logic [7:0] kind;
  always_comb begin
    if (!connected_q) kind = immediate_sent ? layout_pkg::DatagramSendImmediate :
                                              layout_pkg::DatagramSend;
    else if (restores) kind = layout_pkg::AtomicAcknowledge;
    else if (responding_q && !last_q) kind = first_q ? layout_pkg::ReadFirst :
                                                       layout_pkg::ReadMiddle;
    else if (responding_q) kind = first_q ? layout_pkg::ReadOnly : layout_pkg::ReadLast;
    else if (answering_q) kind = layout_pkg::Acknowledge;
    else if (says_q.read) kind = layout_pkg::ReadRequest;
    else if (says_q.atomic) kind = says_q.compares ? layout_pkg::CompareSwapRequest :
                                                  layout_pkg::FetchAddRequest;
    else if (says_q.write && !last_q) kind = first_q ? layout_pkg::WriteFirst :
                                                       layout_pkg::WriteMiddle;
    else if (says_q.write && first_q) kind = immediate_sent ? layout_pkg::WriteOnlyImmediate :
                                                              layout_pkg::WriteOnly;
    else if (says_q.write) kind = immediate_sent ? layout_pkg::WriteLastImmediate :
                                                   layout_pkg::WriteLast;
    else if (!last_q) kind = first_q ? layout_pkg::SendFirst : layout_pkg::SendMiddle;
    else if (first_q) kind = immediate_sent ? layout_pkg::SendOnlyImmediate : layout_pkg::SendOnly;
    else kind = immediate_sent ? layout_pkg::SendLastImmediate : layout_pkg::SendLast;
  end

  // PSN of the packet. The unit after the BTH: AETH, upper half of the address at the peer,
  // immediate data, or Q_Key.
  logic [23:0] psn;
  logic [7:0]  syndrome;
  logic [31:0] extension;
  assign psn = responding_q ? reader_q.psn : answering_q ? responder_q.answer_psn : requester_q.psn;
  assign syndrome = responding_q ? responder_pkg::Ack : responder_q.syndrome;
  assign extension = answering_q ? {syndrome, responder_q.messages} :
                     reth_q ? remote_q[63:32] : connected_q ? immediate_q : q_key_q;

  // LRH, on virtual lane 0, and the three units of the BTH (IBA volume 1, sections 7.7, 9.2, 9.3).
  layout_pkg::route_header_t     route_header;
  layout_pkg::transport_header_t transport_header;
  layout_pkg::sequence_header_t  sequence_header;
  always_comb begin
    route_header = '0;
    route_header.source_lid = lid_q;
    route_header.units = all_units;
    route_header.destination_lid = destination_lid_q;
    route_header.next_header = layout_pkg::NextHeader;
    route_header.level = level_q;
    transport_header = '0;
    transport_header.destination = destination_q;
    transport_header.partition_key = layout_pkg::PartitionKey;
    transport_header.pad = pad;
    transport_header.solicited = solicited_q && last_q && !answering_q;
    transport_header.kind = kind_q;
    sequence_header = '0;
    sequence_header.extension = extension;
    sequence_header.psn = psn;
    sequence_header.asks = connected_q && !unreliable_q && last_q && !answering_q &&
                           !says_q.read && !says_q.atomic;
  end

  // Word of the headers, whose highest byte is first on the wire.
  logic [63:0] header;
  always_comb begin
    unique case (index_q)
      3'd0: header = route_header;
      3'd1: header = transport_header;
      3'd2: header = sequence_header;
      3'd3: header = reth_q ? {remote_q[31:0], r_key_q} :
                     restores ? {reader_q.left, reader_q.address} : {24'd0, pair_q, immediate_q};
      3'd4: header = says_q.atomic ? swap_q : {length_q, immediate_q};
      default: header = compare_q;
    endcase
  end

  // Byte of the slot at which a WQE or data are stored.
  logic        fetch;
  logic [11:0] slot_offset;
  assign fetch = (state_q == send_engine_pkg::Fetch);
  assign slot_offset = fetch ? {send_engine_pkg::WqeWord, 3'd0} : {6'd0, headers_q, 2'd0};
  assign pins_o.load = (state_q == send_engine_pkg::Load);
  assign pins_o.drain = (state_q == send_engine_pkg::Drain);
  assign pins_o.key_load = (state_q == send_engine_pkg::Key);
  // The row of a key is read a cycle ahead.
  assign pins_o.key = (state_q == send_engine_pkg::Turn) ? reader_q.key[11:0] : l_key_q[11:0];
  assign pins_o.store = (state_q == send_engine_pkg::Store) && !answering_q && !draining_q;
  assign pins_o.requester = requester_q;
  assign pins_o.request_load = (state_q == send_engine_pkg::Turn);
  assign pins_o.request_store = (state_q == send_engine_pkg::Cut) && connected_q && !responding_q;
  assign pins_o.request_place = place_q[3:0];
  assign pins_o.request = request_q;
  assign pins_o.read_load = (state_q == send_engine_pkg::Turn);
  assign pins_o.read_place = reader_q.place;
  assign pins_o.answered = (state_q == send_engine_pkg::Store) && (answering_q || draining_q);
  assign pins_o.yielded = (state_q == send_engine_pkg::Store) && yields_q;
  assign pins_o.responder = responder_q;
  assign pins_o.reader = reader_q;
  assign pins_o.transfer.address = fetch ? wqe_q : address_q;
  assign pins_o.transfer.offset = {slot_q, slot_offset};
  assign pins_o.transfer.bytes = fetch ? layout_pkg::SendWqeUsed : bytes_q;
  assign pins_o.transfer.to_host = 1'b0;
  assign pins_o.copy = fetch || (state_q == send_engine_pkg::Copy);
  assign pins_o.header_write = (state_q == send_engine_pkg::Header);
  assign pins_o.header_address = {slot_q, 6'd0, index_q};
  byte_swap u_header_swap (.word_i(header), .word_o(pins_o.header));
  assign pins_o.header_half = headers_q[0] && (index_q == last_header);
  assign pins_o.launch = (state_q == send_engine_pkg::Launch);
  assign pins_o.units = units_q;
  assign pins_o.complete = (state_q == send_engine_pkg::Complete);
  completion_pkg::entry_t entry;
  assign pins_o.entry = entry;
  always_comb begin
    entry = '0;
    entry.ring = ring_q;
    entry.index = (draining_q ? responder_q.consumed : requester_q.consumed) - 16'd1;
    entry.pair = pair_q;
    entry.operation = operation_q;
    entry.status = status_q;
  end
  assign pins_o.fail = (state_q == send_engine_pkg::Store) && fail_q;
  assign pins_o.active = requester_q.active;
  assign pins_o.done = (state_q == send_engine_pkg::Finish);
  assign pins_o.again = again_q;
  assign pins_o.counts = counts_q;

  // State of the queue pair: it is in the error state, it answers or is in that state, and its send
  // WQEs are taken or flushed. Without a failure, a drained queue sends its outstanding request.
  logic receives;
  logic broken;
  logic present;
  logic open;
  assign receives = (pins_i.attributes.state == context_pkg::ReadyToReceive) ||
                    (pins_i.attributes.state == context_pkg::ReadyToSend) ||
                    (pins_i.attributes.state == context_pkg::Drained);
  assign broken = (pins_i.attributes.state == context_pkg::Error) ||
                  (receives && (pins_i.requester.failed || pins_i.responder.failed));
  assign present = broken || receives;
  assign open = broken || (pins_i.attributes.state == context_pkg::ReadyToSend) ||
                (pins_i.attributes.state == context_pkg::Drained && pins_i.requester.active);

  // WQEs posted and not yet done, and the places of the ring. Receive WQEs are counted after their
  // doorbell is read. Of a shared receive queue, only the WQE of the message that has begun is the
  // queue pair's.
  logic [15:0] posted;
  logic [15:0] size;
  logic [15:0] refilled;
  logic [15:0] receive_size;
  logic        shared;
  logic        begun;
  assign refilled = pins_i.bell - responder_q.consumed;
  assign shared = pins_i.attributes.shared &&
                  !(pins_i.attributes.connected && pins_i.attributes.unreliable);
  assign begun = responder_q.midway && !responder_q.writes;
  assign posted = pins_i.bell - pins_i.requester.consumed;
  always_comb begin
    for (int i = 0; i < 16; i++) begin
      size[i] = (pins_i.attributes.send_log == 4'(i));
      receive_size[i] = (pins_i.attributes.receive_log == 4'(i));
    end
  end

  key_check_pkg::in_t  access;
  key_check_pkg::out_t answer;
  always_comb begin
    access = '0;
    access.row = pins_i.key;
    access.key = l_key_q;
    access.domain = pins_i.attributes.domain;
    access.address = address_q;
    access.length = length_q;
    access.reach = reach_q;
    access.local_write = (says_q.read || says_q.atomic) && !responding_q;
    access.remote_read = responding_q;
  end
  key_check u_key_check (
      .pins_i(access),
      .pins_o(answer)
  );

  // Whether the request may be sent. RDMA WRITEs need a connection, RDMA READs and atomic
  // operations a reliable one; a datagram has at most one MTU, whose codes are 1 to 4, and an
  // atomic operation has 8 bytes. An atomic operation is outstanding alone, RDMA READs among
  // themselves. A request that may not be sent fails when it is the oldest one.
  logic        wanted;
  logic        changed;
  logic        sized;
  logic        waits;
  logic        good;
  logic        readable;
  logic        fails;
  send_engine_pkg::state_e begun_state;
  logic [11:0] mtu;
  logic [31:0] most;
  logic [7:0]  verdict;
  assign wanted = says_q.send ||
                  (pins_i.attributes.connected &&
                   (says_q.write || (!unreliable_q && (says_q.read || says_q.atomic))));
  assign changed = resumes_q && (operation_q != request_q.operation);
  mtu_bytes u_mtu_bytes (.code_i(pins_i.attributes.mtu), .bytes_o(mtu));
  assign most = pins_i.attributes.connected ? layout_pkg::MaxMessage : {20'd0, mtu};
  assign sized = mtu != 12'd0 && length_q <= most &&
                 (!says.atomic || length_q == {20'd0, layout_pkg::AtomicBytes}) &&
                 (!resumes_q || length_q == request_q.length);
  assign waits = (requester_q.sent != 5'd0) &&
                 (says_q.atomic || (!resumes_q && says_q.read != reading_q));
  assign good = wanted && !changed_q && sized_q && answer.allowed && !waits;
  assign readable = answer.allowed && !reader_q.denied;
  assign begun_state = good_q ? send_engine_pkg::Cut :
                       fails ? send_engine_pkg::Complete : send_engine_pkg::Store;
  assign fails = !responding_q && !good_q && (requester_q.sent == 5'd0);
  assign verdict = (!wanted || changed_q) ? layout_pkg::OperationError :
                   !sized_q ? layout_pkg::LengthError :
                   !answer.allowed ? layout_pkg::ProtectionError : layout_pkg::Success;

  // The request of the next packet, if it has begun: the row of the queue pair has the oldest one.
  logic                  resumes;
  context_pkg::request_t resumed;
  assign resumes = (requester_q.sent != requester_q.begun);
  always_comb begin
    resumed = pins_i.request;
    if (requester_q.sent == 5'd0) begin
      resumed.first = requester_q.first;
      resumed.last = requester_q.last;
      resumed.signalled = requester_q.signalled;
      resumed.operation = requester_q.operation;
      resumed.length = requester_q.length;
    end
  end

  // This packet's part of the message. A message of no bytes is one packet; the longest has 2^30
  // bytes, 2^22 packets: fewer than half of all PSNs. A request that is not outstanding yet begins
  // with this packet.
  logic [11:0] full;
  logic [3:0]  log;
  logic [31:0] behind;
  logic        first;
  logic        last;
  logic [31:0] left;
  mtu_bytes u_full_bytes (.code_i(mtu_q), .bytes_o(full));
  assign log = {2'd2, pins_i.attributes.mtu[1:0] - 2'd1};
  assign behind = (length_q - 32'd1) >> log;
  assign first = says_q.read || !resumes_q || (requester_q.psn == request_q.first);
  assign last = says_q.read ||
                (resumes_q ? (requester_q.psn == request_q.last) : (more_q == 24'd0));
  assign left = length_q - offset_q;

  // Tick at which the time-out of a packet sent now expires, and ticks since the deadline of the
  // outstanding request.
  logic [31:0] ticks;
  logic [31:0] deadline;
  logic [31:0] since;
  always_comb begin
    ticks = '0;
    for (int i = 0; i < 28; i++) ticks[i+2] = (pins_i.attributes.timeout == 5'(i));
    ticks[30] = (pins_i.attributes.timeout >= 5'd28);
  end
  assign deadline = pins_i.now + ticks;
  assign since = pins_i.now - pins_i.requester.deadline;

  // Packets of the oldest request after the oldest unacknowledged one; a distance of 2^23 or more
  // is a PSN beyond the last one.
  logic [23:0] whole;
  assign whole = pins_i.requester.last - pins_i.requester.oldest;

  // A posted request may begin behind the outstanding ones, but not behind an atomic operation; the
  // host sets how many RDMA READs may be outstanding. It has at most 2^22 packets: those in flight
  // are fewer than half of all PSNs.
  logic [23:0] flight;
  logic reading;
  logic alone;
  logic begins;
  assign flight = pins_i.requester.psn - pins_i.requester.oldest;
  assign reading = (pins_i.requester.operation == layout_pkg::RdmaRead);
  assign reading_d = (state_q == send_engine_pkg::Look) ? reading : reading_q;
  assign alone = (reading && pins_i.requester.begun >= pins_i.attributes.reads) ||
                 (pins_i.requester.operation == layout_pkg::CompareSwap) ||
                 (pins_i.requester.operation == layout_pkg::FetchAdd);

  // Whether another request may begin; whether one is posted is late in the cycle and decides last.
  (* keep *) logic may_begin;
  assign may_begin = (pins_i.attributes.state == context_pkg::ReadyToSend) &&
                     (pins_i.requester.begun < context_pkg::Outstanding) && !alone &&
                     !pins_i.requester.held && (flight[23:22] == 2'd0);
  assign begins = may_begin && (posted > {11'd0, pins_i.requester.begun});

  // The packet is the last one of a request of an unreliable connection.
  logic closes;
  assign closes = unreliable_q && last_q && !answering_q;

  // The requester after the event that the previous state has set. `Nothing`, the event of most
  // states, leaves its row unchanged.
  logic                alive;
  logic                turns;
  logic                flushes;
  requester_pkg::in_t  event_in;
  requester_pkg::out_t rule;
  assign alive = !(pins_i.attributes.connected && pins_i.responder.answer) &&
                 !pins_i.requester.dead;
  assign turns = alive && !broken && open && pins_i.attributes.connected &&
                 (!pins_i.reader.active || pins_i.reader.yields);
  assign flushes = alive && broken && (posted != 16'd0);

  // The event of `Look`, if the doorbell claims no more than the ring has. That comparison is late
  // in the cycle, so it decides last; `keep` holds synthesis to that.
  (* keep *) logic [3:0] look_event;
  assign look_event = turns ? requester_pkg::Turn :
                      flushes ? requester_pkg::Flush : requester_pkg::Nothing;
  always_comb begin
    event_in = '0;
    event_in.row = requester_q;
    event_in.cause = event_q;
    event_in.reads = says_q.read;
    event_in.rests = rests_q;
    event_in.unsent = unsent_q;
    event_in.begins = begins_q;
    event_in.unanswered = unanswered_q;
    event_in.more = more_q;
    event_in.operation = operation_q;
    event_in.length = length_q;
    event_in.signalled = signalled_q;
    event_in.deadline = deadline_q;
    event_in.passed = passed_q;
    event_in.resends = resends_q;
    event_in.spent = spent_q;
    event_in.last = connected_q && last_q;
    event_in.last_psn = request_q.last;
    event_in.closes = closes;
  end
  requester #(
      .Answers(1'b0)
  ) u_requester (
      .pins_i(event_in),
      .pins_o(rule)
  );

  // The WQE to read: that of the next packet, or after a time-out the oldest one; and its place in
  // the ring.
  logic [15:0] place;
  logic [15:0] masked;
  assign place = rule.restarts ? requester_q.consumed : place_q;
  always_comb begin
    for (int i = 0; i < 16; i++) begin
      masked[i] = place[i] && (pins_i.attributes.send_log > 4'(i));
    end
  end

  // The responder after its event, which concerns only data for an RDMA READ and saved answers
  // here.
  responder_pkg::in_t  answer_in;
  responder_pkg::out_t row;
  always_comb begin
    answer_in = '0;
    answer_in.row = responder_q;
    answer_in.reader = reader_q;
    answer_in.cause = cause_q;
    answer_in.psn = reader_q.psn;
    answer_in.read = 1'b1;
    answer_in.next = pins_i.read;
    answer_in.mtu = full;
    answer_in.code = 2'd2;
  end
  responder #(
      .Arrives(1'b0)
  ) u_responder (
      .pins_i(answer_in),
      .pins_o(row)
  );

  // Work of a turn: data for the peer's RDMA READ, or the saved answer of its atomic operation, go
  // first, then an acknowledgement, then the send queue. A doorbell beyond the ring kills the
  // queue. In the error state WQEs are flushed, and a receive WQE when no other one is left. The
  // send queue goes before the data of another RDMA READ, once, if it has work.
  logic connected;
  logic works;
  logic yields;
  logic data_yield;
  logic sends_data;
  logic sends_ack;
  logic serves;
  logic kills;
  logic finishes;
  logic drains;
  assign connected = present_q && connected_q;
  assign works = requester_q.active ? (unsent_q || begins_q || passed_q) : (posted_q != 16'd0);
  assign yields = reader_q.yields && works && open_q && !requester_q.dead && !beyond_q &&
                  !responder_q.answer;
  assign sends_data = connected && reader_q.active && !broken_q && !yields;
  assign data_yield = yields && connected && reader_q.active && !broken_q;
  assign yields_d = (state_q == send_engine_pkg::Turn) ? data_yield : yields_q;
  assign sends_ack = connected && responder_q.answer && !sends_data;
  assign serves = !sends_data && !sends_ack && open_q && !requester_q.dead;
  assign kills = serves && beyond_q;
  assign finishes = serves && !kills && rule.finish;
  assign drains = broken_q && !sends_ack && !kills && !finishes;

  // State, status, and the events of the requester and the responder in the next state.
  always_comb begin
    state_d = state_q;
    good_d = good_q;
    event_d = requester_pkg::Nothing;
    cause_d = responder_pkg::Nothing;
    fail_d = fail_q || row.breaks;
    again_d = again_q;
    status_d = status_q;
    counts_d = counts_q;

    unique case (state_q)
      send_engine_pkg::Idle: begin
        if (pins_i.start) begin
          fail_d = 1'b0;
          again_d = 1'b0;
          status_d = layout_pkg::Success;
          state_d = send_engine_pkg::Load;
        end
      end
      send_engine_pkg::Load: state_d = send_engine_pkg::Look;
      send_engine_pkg::Look: begin
        if (posted <= size) event_d = look_event;
        state_d = send_engine_pkg::Turn;
      end
      // Turn: the first work that there is decides.
      send_engine_pkg::Turn: begin
        if (sends_data) begin
          again_d = 1'b1;
          state_d = reader_q.atomic ? send_engine_pkg::Frame : send_engine_pkg::Key;
        end else if (sends_ack) begin
          again_d = 1'b1;
          state_d = send_engine_pkg::Frame;
        end else if (kills) begin
          fail_d = 1'b1;
          again_d = broken_q;
          state_d = send_engine_pkg::Store;
        end else if (finishes) begin
          status_d = rule.status;
          fail_d = (event_q != requester_pkg::Flush);
          again_d = 1'b1;
          state_d = send_engine_pkg::Complete;
        end else if (drains) begin
          state_d = send_engine_pkg::Drain;
        end else if (!serves) begin
          state_d = send_engine_pkg::Finish;
        end else if (connected && requester_q.active) begin
          state_d = rule.sends ? send_engine_pkg::Fetch : send_engine_pkg::Store;
        end else if (posted_q == 16'd0) begin
          state_d = send_engine_pkg::Finish;
        end else begin
          again_d = (posted_q > 16'd1);
          state_d = send_engine_pkg::Fetch;
        end
        if (data_yield) again_d = 1'b1;
      end
      send_engine_pkg::Fetch: if (pins_i.copied) state_d = send_engine_pkg::Key;
      send_engine_pkg::Key: state_d = send_engine_pkg::Check;
      // Check: whether the packet may be sent; `Begin` acts on it.
      send_engine_pkg::Check: begin
        good_d = responding_q ? readable : good;
        if (responding_q) begin
          if (!readable) cause_d = responder_pkg::Refuse;
        end else begin
          status_d = verdict;
          if (connected_q && good && !resumes_q) event_d = requester_pkg::Begin;
        end
        state_d = send_engine_pkg::Begin;
      end
      // Begin: a request that may not be sent fails; on a connection the queue pair fails with it.
      send_engine_pkg::Begin: begin
        state_d = begun_state;
        if (fails) begin
          counts_d.failed = counts_q.failed + 16'd1;
          fail_d = connected_q;
          again_d = 1'b1;
        end
      end
      send_engine_pkg::Cut: begin
        if (connected_q && !responding_q) again_d = 1'b1;
        state_d = send_engine_pkg::Frame;
      end
      send_engine_pkg::Frame: begin
        state_d = (bytes_q == 12'd0) ? send_engine_pkg::Header : send_engine_pkg::Copy;
      end
      send_engine_pkg::Copy: if (pins_i.copied) state_d = send_engine_pkg::Header;
      send_engine_pkg::Header: begin
        if (index_q == last_header) begin
          if (!answering_q) event_d = requester_pkg::Send;
          if (responding_q) cause_d = responder_pkg::Respond;
          state_d = send_engine_pkg::Launch;
        end
      end
      // Launch: a message that nothing acknowledges is done when it is sent.
      send_engine_pkg::Launch: begin
        counts_d.sent = counts_q.sent + 16'd1;
        state_d = (signalled_q && (!connected_q || closes)) ? send_engine_pkg::Complete :
                                                              send_engine_pkg::Store;
      end
      send_engine_pkg::Drain: state_d = send_engine_pkg::Count;
      send_engine_pkg::Count: state_d = send_engine_pkg::Flush;
      // Flush: a doorbell beyond the ring kills the receive queue, too.
      send_engine_pkg::Flush: begin
        state_d = (responder_q.dead || posted_q == 16'd0) ? send_engine_pkg::Finish :
                  beyond_q ? send_engine_pkg::Store : send_engine_pkg::Complete;
        if (state_d == send_engine_pkg::Store) fail_d = 1'b1;
        if (state_d == send_engine_pkg::Complete) begin
          status_d = layout_pkg::Flushed;
          again_d = 1'b1;
        end
      end
      send_engine_pkg::Complete: if (pins_i.completed) state_d = send_engine_pkg::Store;
      send_engine_pkg::Store: state_d = send_engine_pkg::Finish;
      // Finish, and codes that are no state.
      default: state_d = send_engine_pkg::Idle;
    endcase
  end

  // Rows of the queue pair and what is derived from them.
  always_comb begin
    pair_d = pair_q;
    slot_d = slot_q;
    draining_d = draining_q;
    lid_d = lid_q;
    ring_d = ring_q;
    requester_d = rule.row;
    request_d = request_q;
    responder_d = row.row;
    reader_d = row.reader;
    connected_d = connected_q;
    unreliable_d = unreliable_q;
    present_d = present_q;
    open_d = open_q;
    broken_d = broken_q;
    mtu_d = mtu_q;
    posted_d = posted_q;
    beyond_d = beyond_q;
    passed_d = passed_q;
    rests_d = rests_q;
    unsent_d = unsent_q;
    begins_d = begins_q;
    place_d = place_q;
    unanswered_d = unanswered_q;
    resends_d = resends_q;
    spent_d = spent_q;
    deadline_d = deadline_q;
    wqe_d = wqe_q;

    unique case (state_q)
      send_engine_pkg::Idle: begin
        if (pins_i.start) begin
          pair_d = pins_i.pair;
          slot_d = pins_i.slot;
          draining_d = 1'b0;
          lid_d = pins_i.lid;
        end
      end
      // Look: takes the rows; comparisons are registered because they would not meet the clock in
      // `Turn`.
      send_engine_pkg::Look: begin
        requester_d = pins_i.requester;
        responder_d = pins_i.responder;
        reader_d = pins_i.reader;
        connected_d = pins_i.attributes.connected;
        unreliable_d = pins_i.attributes.connected && pins_i.attributes.unreliable;
        broken_d = broken;
        present_d = present;
        open_d = open;
        mtu_d = pins_i.attributes.mtu;
        ring_d = pins_i.attributes.send_cq;
        place_d = pins_i.requester.consumed + {11'd0, pins_i.requester.sent};
        posted_d = posted;
        beyond_d = (posted > size);
        rests_d = (pins_i.requester.psn == pins_i.requester.oldest);
        unsent_d = (pins_i.requester.sent != pins_i.requester.begun);
        begins_d = begins;
        unanswered_d = !whole[23];
        passed_d = !since[31];
        resends_d = (pins_i.attributes.timeout != 5'd0) && !pins_i.attributes.unreliable;
        spent_d = (pins_i.requester.retries == pins_i.attributes.retries);
        deadline_d = deadline;
      end
      send_engine_pkg::Turn: begin
        if (sends_ack) responder_d.answer = 1'b0;
        if (data_yield) reader_d.yields = 1'b0;
        if (kills) begin
          requester_d.dead = 1'b1;
          requester_d.active = 1'b0;
        end
        place_d = place;
        wqe_d = pins_i.attributes.send_base + {10'd0, masked, 6'd0};
      end
      send_engine_pkg::Count: begin
        posted_d = shared ? {15'd0, begun} : refilled;
        beyond_d = !shared && (refilled > receive_size);
      end
      send_engine_pkg::Flush: begin
        draining_d = 1'b1;
        ring_d = pins_i.attributes.receive_cq;
        if (beyond_q) responder_d.dead = 1'b1;
        else if (shared) responder_d.midway = 1'b0;
        else responder_d.consumed = responder_q.consumed + 16'd1;
      end
      send_engine_pkg::Fetch: request_d = resumed;
      send_engine_pkg::Key: deadline_d = deadline;
      // Begin: the WQE of a datagram, or the oldest one that may not be sent, is done; it breaks a
      // connection.
      send_engine_pkg::Begin: begin
        if (event_q == requester_pkg::Begin) begin
          request_d.first = requester_q.psn;
          request_d.last = rule.row.newest;
          request_d.signalled = signalled_q;
          request_d.operation = operation_q;
          request_d.length = length_q;
        end
        if (fails) begin
          requester_d.consumed = requester_q.consumed + 16'd1;
          requester_d.active = (requester_q.begun[4:1] != 4'd0);
          requester_d.held = requester_q.held && (requester_q.begun[4:1] != 4'd0);
          requester_d.begun = (requester_q.begun == 5'd0) ? 5'd0 : requester_q.begun - 5'd1;
          requester_d.sent = 5'd0;
          requester_d.failed = connected_q;
        end else if (!responding_q && !good_q && !resumes_q && requester_q.sent != 5'd0) begin
          requester_d.held = 1'b1;
        end else if (!responding_q && !connected_q) begin
          requester_d.consumed = requester_q.consumed + 16'd1;
        end
      end
      // Header: the time-out counts from the last word of the headers.
      send_engine_pkg::Header: deadline_d = deadline;
      default: ;
    endcase
  end

  // Fields of the WQE, and what is derived from them.
  always_comb begin
    changed_d = changed_q;
    sized_d = sized_q;
    resumes_d = resumes_q;
    reach_d = reach_q;
    begun_d = begun_q;
    more_d = more_q;
    offset_d = offset_q;
    operation_d = operation_q;
    says_d = says_q;
    signalled_d = signalled_q;
    solicited_d = solicited_q;
    immediate_d = immediate_q;
    address_d = address_q;
    length_d = length_q;
    l_key_d = l_key_q;
    r_key_d = r_key_q;
    remote_d = remote_q;
    destination_d = destination_q;
    destination_lid_d = destination_lid_q;
    level_d = level_q;
    q_key_d = q_key_q;
    swap_d = swap_q;
    compare_d = compare_q;

    unique case (state_q)
      send_engine_pkg::Turn: begin
        if (sends_data) begin
          address_d = reader_q.address;
          length_d = reader_q.left;
          l_key_d = reader_q.key;
        end
        if (sends_ack || sends_data) begin
          destination_d = pins_i.attributes.peer;
          destination_lid_d = pins_i.attributes.peer_lid;
          level_d = 4'd0;
        end
        if (finishes) begin
          operation_d = (event_q == requester_pkg::Flush) ? 8'd0 : requester_q.operation;
        end
      end
      send_engine_pkg::Flush: operation_d = layout_pkg::ReceivedOperation;
      // Fetch: a word of the WQE; layout.rs has its fields.
      send_engine_pkg::Fetch: begin
        if (pins_i.word_valid) begin
          unique case (pins_i.place)
            3'd0: begin
              operation_d = pins_i.word[7:0];
              signalled_d = pins_i.word[8];
              solicited_d = pins_i.word[9];
              immediate_d = pins_i.word[63:32];
            end
            3'd1: begin
              address_d = pins_i.word[31:0];
              length_d = pins_i.word[63:32];
            end
            3'd2: begin
              l_key_d = pins_i.word[31:0];
              r_key_d = pins_i.word[63:32];
            end
            3'd3: remote_d = pins_i.word;
            3'd4: begin
              swap_d = pins_i.word;
              destination_d = pins_i.word[23:0];
              destination_lid_d = pins_i.word[47:32];
              level_d = pins_i.word[51:48];
            end
            3'd5: begin
              compare_d = pins_i.word;
              q_key_d = pins_i.word[31:0];
            end
            default: ;
          endcase
        end
        resumes_d = resumes;
        // The row of the request is in `request_q` a cycle after it has been read; a copy takes
        // longer.
        begun_d = resumes ? requester_q.psn - request_q.first : 24'd0;
      end
      send_engine_pkg::Key: begin
        says_d = says;
        reach_d = {1'b0, address_q} + {1'b0, length_q};
        more_d = (length_q == 32'd0) ? 24'd0 : behind[23:0];
        offset_d = {8'd0, begun_q} << log;
        changed_d = changed;
        sized_d = sized;
      end
      send_engine_pkg::Check: begin
        if (connected_q) begin
          destination_d = pins_i.attributes.peer;
          destination_lid_d = pins_i.attributes.peer_lid;
          level_d = 4'd0;
        end
      end
      send_engine_pkg::Cut: begin
        if (connected_q && !responding_q) begin
          address_d = address_q + offset_q;
          remote_d = remote_q + {32'd0, offset_q};
          length_d = left;
        end
      end
      default: ;
    endcase
  end

  // Registers that describe the packet.
  always_comb begin
    answering_d = answering_q;
    responding_d = responding_q;
    bytes_d = bytes_q;
    headers_d = headers_q;
    units_d = units_q;
    kind_d = kind_q;
    reth_d = reth_q;
    first_d = first_q;
    last_d = last_q;
    index_d = index_q;

    unique case (state_q)
      send_engine_pkg::Idle: begin
        if (pins_i.start) begin
          answering_d = 1'b0;
          responding_d = 1'b0;
          bytes_d = '0;
          first_d = 1'b1;
          last_d = 1'b1;
          index_d = '0;
        end
      end
      send_engine_pkg::Turn: begin
        // LRH, BTH, AETH, AtomicAckETH for a saved answer; `Cut` counts again for data.
        if (sends_data) begin
          answering_d = 1'b1;
          responding_d = 1'b1;
          headers_d = 4'd8;
        end
        // LRH, BTH, AETH.
        if (sends_ack) begin
          answering_d = 1'b1;
          headers_d = 4'd6;
        end
      end
      send_engine_pkg::Check: begin
        if (responding_q) begin
          first_d = !reader_q.begun;
          last_d = (reader_q.psn == reader_q.last);
        end else if (connected_q) begin
          first_d = first;
          last_d = last;
        end
      end
      // Cut: all packets of a message but the last one have a full MTU, an RDMA READ request and an
      // atomic operation have none.
      send_engine_pkg::Cut: begin
        if (responding_q) begin
          bytes_d = last_q ? length_q[11:0] : full;
        end else if (connected_q) begin
          bytes_d = (says_q.read || says_q.atomic) ? 12'd0 : last_q ? left[11:0] : full;
        end else begin
          bytes_d = length_q[11:0];
        end
        headers_d = header_units;
      end
      send_engine_pkg::Frame: begin
        kind_d = kind | ((unreliable_q && !answering_q) ? layout_pkg::Unreliable : 8'd0);
        reth_d = remote_sent;
        units_d = sum[11:1];
      end
      send_engine_pkg::Header: index_d = index_q + 3'd1;
      default: ;
    endcase
  end

  // Bits that the send engine does not use.
  logic unused;
  assign unused = &{1'b0, pins_i.attributes, sum[0], behind[31:24], since[30:0], whole[22:0],
                    flight[21:0], rule.takes, row.takes};

  // State, rows of the queue pair, and the packet.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_engine_pkg::Idle;
      pair_q <= '0;
      slot_q <= '0;
      lid_q <= '0;
      ring_q <= '0;
      requester_q <= '0;
      request_q <= '0;
      responder_q <= '0;
      reader_q <= '0;
      yields_q <= '0;
      answering_q <= '0;
      responding_q <= '0;
      draining_q <= '0;
      connected_q <= '0;
      unreliable_q <= '0;
      present_q <= '0;
      open_q <= '0;
      broken_q <= '0;
      mtu_q <= '0;
      bytes_q <= '0;
      headers_q <= '0;
      units_q <= '0;
      kind_q <= '0;
      reth_q <= '0;
      first_q <= '0;
      last_q <= '0;
      posted_q <= '0;
      beyond_q <= '0;
      place_q <= '0;
      resumes_q <= '0;
      passed_q <= '0;
      rests_q <= '0;
      unsent_q <= '0;
      begins_q <= '0;
      reading_q <= '0;
      unanswered_q <= '0;
      resends_q <= '0;
      spent_q <= '0;
      deadline_q <= '0;
      changed_q <= '0;
      sized_q <= '0;
      good_q <= '0;
      event_q <= '0;
      cause_q <= '0;
      fail_q <= '0;
      again_q <= '0;
    end else begin
      state_q <= state_d;
      pair_q <= pair_d;
      slot_q <= slot_d;
      lid_q <= lid_d;
      ring_q <= ring_d;
      requester_q <= requester_d;
      request_q <= request_d;
      responder_q <= responder_d;
      reader_q <= reader_d;
      yields_q <= yields_d;
      answering_q <= answering_d;
      responding_q <= responding_d;
      draining_q <= draining_d;
      connected_q <= connected_d;
      unreliable_q <= unreliable_d;
      present_q <= present_d;
      open_q <= open_d;
      broken_q <= broken_d;
      mtu_q <= mtu_d;
      bytes_q <= bytes_d;
      headers_q <= headers_d;
      units_q <= units_d;
      kind_q <= kind_d;
      reth_q <= reth_d;
      first_q <= first_d;
      last_q <= last_d;
      posted_q <= posted_d;
      beyond_q <= beyond_d;
      place_q <= place_d;
      resumes_q <= resumes_d;
      passed_q <= passed_d;
      rests_q <= rests_d;
      unsent_q <= unsent_d;
      begins_q <= begins_d;
      reading_q <= reading_d;
      unanswered_q <= unanswered_d;
      resends_q <= resends_d;
      spent_q <= spent_d;
      deadline_q <= deadline_d;
      changed_q <= changed_d;
      sized_q <= sized_d;
      good_q <= good_d;
      event_q <= event_d;
      cause_q <= cause_d;
      fail_q <= fail_d;
      again_q <= again_d;
    end
  end

  // The request, and the headers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wqe_q <= '0;
      reach_q <= '0;
      begun_q <= '0;
      more_q <= '0;
      offset_q <= '0;
      operation_q <= '0;
      says_q <= '0;
      signalled_q <= '0;
      solicited_q <= '0;
      immediate_q <= '0;
      address_q <= '0;
      length_q <= '0;
      l_key_q <= '0;
      r_key_q <= '0;
      remote_q <= '0;
      destination_q <= '0;
      destination_lid_q <= '0;
      level_q <= '0;
      q_key_q <= '0;
      swap_q <= '0;
      compare_q <= '0;
      status_q <= '0;
      index_q <= '0;
      counts_q <= '0;
    end else begin
      wqe_q <= wqe_d;
      reach_q <= reach_d;
      begun_q <= begun_d;
      more_q <= more_d;
      offset_q <= offset_d;
      operation_q <= operation_d;
      says_q <= says_d;
      signalled_q <= signalled_d;
      solicited_q <= solicited_d;
      immediate_q <= immediate_d;
      address_q <= address_d;
      length_q <= length_d;
      l_key_q <= l_key_d;
      r_key_q <= r_key_d;
      remote_q <= remote_d;
      destination_q <= destination_d;
      destination_lid_q <= destination_lid_d;
      level_q <= level_d;
      q_key_q <= q_key_d;
      swap_q <= swap_d;
      compare_q <= compare_d;
      status_q <= status_d;
      index_q <= index_d;
      counts_q <= counts_d;
    end
  end

  // Only connections answer, and data for an RDMA READ are an answer. The operation is stable while
  // its decoded form is used.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      DataOfAReadAreAnAnswer : assert (!responding_q || answering_q);
      AnswerIsOfAConnection : assert (!answering_q || connected_q);
      OperationIsKnownByWhatItSays : assert (state_q != send_engine_pkg::Check || says_q == says);
      DatagramHasNoAddressAtThePeer : assert (connected_q || !remote_sent);
    end
  end
`endif

endmodule
