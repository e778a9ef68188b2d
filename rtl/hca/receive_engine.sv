/// Receive engine: finds the queue pair of a packet, takes a receive WQE and writes the data to
/// host memory (IBA volume 1, sections 9.7.4, 9.8.3, 10.7.3). Answers go to the requester of their
/// connection. One that acknowledges several requests goes round: the oldest request ends in each
/// round, with its CQE.
///
/// A peer's RDMA WRITE names its own destination, and the data for its RDMA READ are left to the
/// send engine; both need an r_key that allows them. Data that arrive for an RDMA READ of the send
/// queue go to the address in its WQE, which is read again for each packet.
///
/// A peer's atomic operation reads 8 bytes of host memory and writes them back changed before the
/// next packet is taken; the send engine sends the value that was read. No other access of the
/// adapter comes between; an access of a processor may.
///
/// A queue pair with a shared receive queue takes the oldest WQE of that queue with the first
/// packet of a message, and keeps its buffer in the row of the responder: the next message of
/// another queue pair takes the next one. When the queue has fewer WQEs than its limit, the limit
/// is cleared and its cause interrupts.
///
/// Data of a datagram start 40 bytes into the buffer, after the place of a global route header. A
/// packet for no queue pair of the adapter is dropped and counted, and takes no WQE. A WQE whose
/// buffer or key does not allow the packet ends with an error.
///
/// A datagram for a multicast group goes to each queue pair that is attached to the group, the
/// lowest number first, as if it had arrived for that one.
///
/// Packets of an unreliable connection are decoded like those of a reliable one. A message of it
/// that is not whole or has no right to its memory is dropped without an answer.
///
/// The next values of the registers are computed in four groups, as in the model: state with its
/// counts, packet, rows, buffer.
module receive_engine (
    /// Clock of the adapter, 125 MHz.
    input  logic                     clk_i,
    /// Synchronous reset.
    input  logic                     rst_ni,
    /// From scheduler, receiver, contexts, host DMA, completion.
    input  receive_engine_pkg::in_t  pins_i,
    /// To scheduler, receiver, contexts, host DMA, completion.
    output receive_engine_pkg::out_t pins_o
);

  receive_engine_pkg::state_e       state_d, state_q;
  logic                             slot_d, slot_q;
  logic [15:0]                      lid_d, lid_q;
  logic [2:0]                       index_d, index_q;
  logic [1:0]                       next_header_d, next_header_q;
  logic [15:0]                      destination_lid_d, destination_lid_q;
  logic [10:0]                      units_d, units_q;
  logic [15:0]                      source_lid_d, source_lid_q;
  logic [7:0]                       kind_d, kind_q;
  logic [1:0]                       pad_d, pad_q;
  logic [3:0]                       version_d, version_q;
  logic [23:0]                      destination_d, destination_q;
  logic [63:0]                      members_d, members_q;
  logic [2:0]                       quarters_d, quarters_q;
  logic                             attached_d, attached_q;
  logic [31:0]                      q_key_d, q_key_q;
  logic [23:0]                      source_d, source_q;
  logic [31:0]                      immediate_d, immediate_q;
  logic [11:0]                      room_d, room_q;
  logic                             holds_d, holds_q;
  logic [11:0]                      bytes_d, bytes_q;
  context_pkg::responder_t          responder_d, responder_q;
  context_pkg::reader_t             reader_d, reader_q;
  context_pkg::requester_t          requester_d, requester_q;
  logic                             answer_d, answer_q;
  logic                             tells_d, tells_q;
  logic                             connected_d, connected_q;
  logic                             ready_d, ready_q;
  logic                             shared_d, shared_q;
  logic                             borrows_d, borrows_q;
  logic                             kept_d, kept_q;
  logic [1:0]                       shared_queue_d, shared_queue_q;
  context_pkg::shared_queue_t       pool_d, pool_q;
  logic                             low_d, low_q;
  logic                             taken_d, taken_q;
  logic [23:0]                      psn_d, psn_q;
  logic                             asks_d, asks_q;
  logic [31:0]                      total_d, total_q;
  logic [7:0]                       ring_d, ring_q;
  logic                             fail_d, fail_q;
  logic [31:0]                      wqe_d, wqe_q;
  receive_engine_pkg::packet_form_t says_d, says_q;
  logic [32:0]                      reach_d, reach_q;
  logic [23:0]                      more_d, more_q;
  logic [31:0]                      offset_d, offset_q;
  logic                             misfits_d, misfits_q;
  logic                             belongs_d, belongs_q;
  logic                             passes_d, passes_q;
  logic                             overtakes_d, overtakes_q;
  logic                             next_d, next_q;
  logic                             over_d, over_q;
  logic                             remains_d, remains_q;
  logic                             reads_d, reads_q;
  logic                             suits_d, suits_q;
  logic                             saved_d, saved_q;
  logic                             appends_d, appends_q;
  logic                             crowded_d, crowded_q;
  logic                             rests_d, rests_q;
  logic                             follows_d, follows_q;
  logic                             repeats_d, repeats_q;
  logic                             sized_d, sized_q;
  logic [15:0]                      posted_d, posted_q;
  logic [15:0]                      place_d, place_q;
  logic [23:0]                      sent_d, sent_q;
  logic [23:0]                      answered_d, answered_q;
  logic [23:0]                      all_d, all_q;
  logic [23:0]                      whole_d, whole_q;
  logic [23:0]                      begun_d, begun_q;
  logic [11:0]                      rest_d, rest_q;
  logic                             fits_d, fits_q;
  logic [31:0]                      ticks_d, ticks_q;
  logic [31:0]                      deadline_d, deadline_q;
  logic                             good_d, good_q;
  logic [3:0]                       event_d, event_q;
  logic [2:0]                       cause_d, cause_q;
  logic [31:0]                      address_d, address_q;
  logic [31:0]                      length_d, length_q;
  logic [31:0]                      l_key_d, l_key_q;
  logic [63:0]                      word_d, word_q;
  logic [63:0]                      swap_d, swap_q;
  logic [63:0]                      compare_d, compare_q;
  logic [7:0]                       status_d, status_q;
  register_pkg::receive_counts_t    counts_d, counts_q;

  // SENDs and RDMA WRITEs of unreliable connections, codes 0x20 to 0x2b, are decoded without bit 5.
  // A comparison would be slower.
  logic       unreliable;
  logic [7:0] kind;
  assign unreliable = (kind_q[7:4] == 4'h2) && (kind_q[3:2] != 2'd3);
  assign kind = {kind_q[7:6], kind_q[5] && !unreliable, kind_q[4:0]};

  // The operation code, decoded; it is known before the last word of the headers arrives.
  receive_engine_pkg::packet_form_t says;
  logic       begins;
  logic       ends;
  logic [2:0] parts;
  always_comb begin
    begins = !((kind >= layout_pkg::SendMiddle && kind <= layout_pkg::SendLastImmediate) ||
               (kind >= layout_pkg::WriteMiddle && kind <= layout_pkg::WriteLastImmediate));
    ends = !((kind == layout_pkg::SendFirst) || (kind == layout_pkg::SendMiddle) ||
             (kind == layout_pkg::WriteFirst) || (kind == layout_pkg::WriteMiddle) ||
             (kind == layout_pkg::ReadFirst) || (kind == layout_pkg::ReadMiddle));
    says.write = (kind >= layout_pkg::WriteFirst) && (kind <= layout_pkg::WriteOnlyImmediate);
    says.read = (kind == layout_pkg::ReadRequest);
    says.original = (kind == layout_pkg::AtomicAcknowledge);
    says.response = ((kind >= layout_pkg::ReadFirst) && (kind <= layout_pkg::ReadOnly)) ||
                    says.original;
    says.acknowledge = (kind == layout_pkg::Acknowledge);
    says.compares = (kind == layout_pkg::CompareSwapRequest);
    says.atomic = says.compares || (kind == layout_pkg::FetchAddRequest);
    says.connected = (kind <= layout_pkg::FetchAddRequest);
    says.unreliable = unreliable;
    says.datagram = (kind == layout_pkg::DatagramSend) ||
                    (kind == layout_pkg::DatagramSendImmediate);
    says.begins = begins;
    says.ends = ends;
    says.remote = says.read || says.atomic || (says.write && begins);
    says.immediate = (kind == layout_pkg::DatagramSendImmediate) ||
                     (kind == layout_pkg::SendLastImmediate) ||
                     (kind == layout_pkg::SendOnlyImmediate) ||
                     (kind == layout_pkg::WriteLastImmediate) ||
                     (kind == layout_pkg::WriteOnlyImmediate);
    // Units of 4 bytes in front of the data: LRH (2) and BTH (3); then AETH (1), DETH (2), RETH (4)
    // or AtomicETH (7); then immediate data (1). The middle packets of RDMA READ data have no AETH.
    // A table is faster than an adder.
    parts = {
      says.remote,
      !says.connected,
      says.immediate ||
      ((says.acknowledge || says.response) && (kind != layout_pkg::ReadMiddle))
    };
    unique case (parts)
      3'd0: says.units = 4'd5;
      3'd1: says.units = 4'd6;
      3'd2: says.units = 4'd7;
      3'd3: says.units = 4'd8;
      3'd4: says.units = says.atomic ? 4'd12 : 4'd9;
      default: says.units = 4'd10;
    endcase
  end
  logic [2:0] last_header;
  logic       answers;
  assign last_header = says.atomic ? 3'd6 : says.remote ? 3'd5 : 3'd4;
  assign answers = says_q.acknowledge || says_q.response;

  // A WQE or an operand is stored in the transmitter's slot 0; data lie in the receiver's slot.
  logic        fetch;
  logic        operand;
  logic        stores;
  logic [11:0] data_bytes;
  logic [11:0] slot_offset;
  logic [11:0] wqe_bytes;
  assign fetch = (state_q == receive_engine_pkg::Fetch);
  assign operand = (state_q == receive_engine_pkg::Operand);
  assign stores = fetch || operand;
  assign data_bytes = says_q.atomic ? layout_pkg::AtomicBytes : bytes_q;
  assign slot_offset = stores ? {send_engine_pkg::WqeWord, 3'd0} : {6'd0, says_q.units, 2'd0};
  assign wqe_bytes = answer_q ? layout_pkg::SendWqeUsed : layout_pkg::ReceiveWqeBytes;
  assign pins_o.memory_read = (state_q == receive_engine_pkg::Head);
  assign pins_o.memory_address = {slot_q, 6'd0, index_q};
  assign pins_o.load = (state_q == receive_engine_pkg::Load);
  assign pins_o.pair = destination_q[7:0];
  assign pins_o.group_load = (state_q == receive_engine_pkg::Group);
  assign pins_o.group = {quarters_q[1:0], destination_lid_q[3:0]};
  assign pins_o.shared_load = (state_q == receive_engine_pkg::Pool);
  assign pins_o.shared_queue = shared_queue_q;
  assign pins_o.shared_store = (state_q == receive_engine_pkg::Store) && taken_q;
  assign pins_o.shared = pool_q;
  assign pins_o.sinks = (state_q == receive_engine_pkg::Store) && taken_q && low_q;
  assign pins_o.key_load = (state_q == receive_engine_pkg::Key);
  assign pins_o.key = l_key_q[11:0];
  assign pins_o.store = (state_q == receive_engine_pkg::Store) && !answer_q;
  assign pins_o.responder = responder_q;
  assign pins_o.reader = reader_q;
  // The rule has counted the RDMA READ that waits.
  assign pins_o.read_store = (state_q == receive_engine_pkg::Store) && appends_q;
  assign pins_o.read_place = reader_q.place + reader_q.waiting - 4'd1;
  always_comb begin
    pins_o.read.first = psn_q;
    pins_o.read.last = reader_q.newest;
    pins_o.read.address = address_q;
    pins_o.read.length = length_q;
    pins_o.read.key = l_key_q;
    pins_o.read.denied = !good_q;
  end
  assign pins_o.acknowledge = (state_q == receive_engine_pkg::Store) && answer_q;
  assign pins_o.requester = requester_q;
  assign pins_o.request_load = (state_q == receive_engine_pkg::Answer);
  assign pins_o.request_place = requester_q.consumed[3:0] + 4'd1;
  assign pins_o.post = (state_q == receive_engine_pkg::Store) && connected_q;
  // Words of a WQE are not shifted, whatever base of its ring the host has set: the key is taken
  // early.
  assign pins_o.transfer.address = fetch ? {wqe_q[31:3], 3'd0} : address_q;
  assign pins_o.transfer.offset = {slot_q && !stores, slot_offset};
  assign pins_o.transfer.bytes = fetch ? wqe_bytes : data_bytes;
  assign pins_o.transfer.to_host = !stores;
  assign pins_o.copy = stores || (state_q == receive_engine_pkg::Copy);
  assign pins_o.supply = (state_q == receive_engine_pkg::Copy) &&
                         (says_q.atomic || says_q.original);
  assign pins_o.value = word_q;
  assign pins_o.complete = (state_q == receive_engine_pkg::Complete);
  completion_pkg::entry_t entry;
  logic succeeds;
  logic breaks;
  assign succeeds = (status_q == layout_pkg::Success);
  assign breaks = fail_q || (answer_q && !succeeds);
  assign pins_o.entry = entry;
  always_comb begin
    entry.ring = ring_q;
    entry.index = (answer_q ? requester_q.consumed : responder_q.consumed) - 16'd1;
    entry.pair = destination_q[7:0];
    entry.operation = answer_q ? requester_q.operation :
                      layout_pkg::ReceivedOperation |
                      (says_q.write ? layout_pkg::WrittenOperation : 8'd0) |
                      {7'd0, says_q.immediate};
    entry.status = status_q;
    entry.source = connected_q ? 24'd0 : source_q;
    entry.source_lid = source_lid_q;
    entry.bytes = (succeeds && (!answer_q || says_q.response)) ? total_q : 32'd0;
    entry.immediate = !says_q.immediate ? 32'd0 :
                      (connected_q && !says_q.remote) ? q_key_q : immediate_q;
  end
  assign pins_o.fail = (state_q == receive_engine_pkg::Store) && breaks;
  assign pins_o.done = (state_q == receive_engine_pkg::Release);
  assign pins_o.counts = counts_q;

  // Word of the headers, whose highest byte was first on the wire; and its fields.
  logic [63:0]                   header;
  layout_pkg::route_header_t     route_header;
  layout_pkg::transport_header_t transport_header;
  layout_pkg::sequence_header_t  sequence_header;
  byte_swap u_header_swap (.word_i(pins_i.memory_rdata), .word_o(header));
  assign route_header = header;
  assign transport_header = header;
  assign sequence_header = header;

  // Units between headers and ICRC, which is a unit. Data are counted in whole units, so pad bytes
  // have room if there are data at all.
  logic [10:0] units_left;
  assign units_left = units_q + {7'h7f, ~says_q.units};

  // The packet is well-formed: a known kind and version, and a length that fits the kind.
  logic formed;
  assign formed = (says_q.datagram || says_q.connected) &&
                  (next_header_q == layout_pkg::NextHeader) && (version_q == 4'd0) && holds_q &&
                  (room_q != 12'd0 || pad_q == 2'd0) && (room_q <= 12'd2048) &&
                  (!(says_q.acknowledge || says_q.read || says_q.atomic) || room_q == 12'd0) &&
                  (!says_q.original || (room_q == layout_pkg::AtomicBytes && pad_q == 2'd0));

  // The packet is for another port, or for a multicast group: its LID, a datagram, and the queue
  // pair of all groups. Queue pairs of a quarter of the group without it, and the next one.
  logic        grouped;
  logic        foreign;
  logic        addressed;
  logic        misled;
  logic        lonely;
  logic        last;
  logic        remaining;
  logic [63:0] lowest;
  logic [5:0]  member;
  assign grouped = (destination_lid_q[15:4] == layout_pkg::MulticastLids[15:4]);
  assign foreign = (destination_lid_q != lid_q) && !grouped;
  assign addressed = says_q.datagram && (destination_q == layout_pkg::MulticastPair);
  assign misled = grouped ? !addressed : (destination_q[23:8] != 16'd0);
  assign lonely = (pins_i.members == 64'd0);
  assign last = (quarters_q[1:0] == 2'd3);
  assign remaining = (members_q != 64'd0);
  lowest_bit u_lowest_bit (
      .set_i(members_q),
      .lowest_o(lowest),
      .number_o(member)
  );

  // Places of the receive ring, and that of the oldest WQE: a receive WQE, or the outstanding
  // request. Those of a shared receive queue have `shared` in their names.
  logic [15:0] size;
  logic [15:0] shared_size;
  logic [3:0]  ring_log;
  logic [15:0] consumed;
  logic [15:0] place;
  logic [15:0] shared_place;
  assign ring_log = answers ? pins_i.attributes.send_log : pins_i.attributes.receive_log;
  assign consumed = answers ? pins_i.requester.consumed : pins_i.responder.consumed;
  always_comb begin
    for (int i = 0; i < 16; i++) begin
      size[i] = (pins_i.attributes.receive_log == 4'(i));
      shared_size[i] = (pool_q.log == 4'(i));
      shared_place[i] = pins_i.shared.taken[i] && (pins_i.shared.log > 4'(i));
      place[i] = consumed[i] && (ring_log > 4'(i));
    end
  end

  // A shared receive queue is that of the queue pair, and the packet needs a WQE of it: a datagram,
  // the first packet of a SEND, or immediate data of an RDMA WRITE.
  logic remote;
  logic shares;
  logic needs_shared;
  assign remote = says_q.write || says_q.read || says_q.atomic;
  assign shares = pins_i.attributes.shared &&
                  !(pins_i.attributes.connected && pins_i.attributes.unreliable);
  assign needs_shared = shares && !answers &&
                        (says_q.write ? says_q.immediate : says_q.begins && !remote);

  // `offset`: bytes of the outstanding RDMA READ before the packet that is due. `fits`: the packet
  // has the kind and the length that are due; for the last one only the low 12 bits are compared.
  // `behind`: packets of the peer's RDMA READ after the first one. Codes of an MTU are 1 to 4.
  logic [3:0]  log;
  logic [11:0] mtu;
  logic [31:0] offset;
  logic        fits;
  logic [31:0] behind;
  assign log = {2'd2, pins_i.attributes.mtu[1:0] - 2'd1};
  mtu_bytes u_mtu_bytes (.code_i(pins_i.attributes.mtu), .bytes_o(mtu));
  assign offset = {8'd0, begun_q} << log;
  assign fits = suits_q && ((all_q == 24'd0) ? (rest_q == offset[11:0]) : (bytes_q == mtu));
  assign behind = (length_q - 32'd1) >> log;

  // An answer ends the oldest request if it acknowledges the last packet, or is a NAK that is final
  // or exhausts the retry count. One to a later request passes over the oldest one, unless that is
  // an RDMA READ. An RNR retry count of 7 is unlimited; an acknowledgement resets both counts.
  logic       not_ready;
  logic       progress;
  logic [2:0] repeated;
  logic [2:0] most;
  logic       spent;
  logic       belongs;
  logic       known;
  logic       beyond_all;
  logic       beyond_data;
  logic       passes;
  logic       over;
  assign not_ready = (q_key_q[30:29] == 2'd1);
  assign progress = !reads_q && (q_key_q[30:29] == 2'd0 || answered_q != 24'd0);
  assign repeated = progress ? 3'd0 : not_ready ? requester_q.rnr : requester_q.retries;
  assign most = not_ready ? pins_i.attributes.rnr_retries : pins_i.attributes.retries;
  assign spent = (repeated == most) && !(not_ready && most == 3'd7);
  assign belongs = (answered_q <= whole_q);
  assign known = says_q.acknowledge &&
                 (!q_key_q[30] || (q_key_q[29] && q_key_q[28:26] == 3'd0));
  assign beyond_all = (answered_q > all_q);
  assign beyond_data = beyond_all && reads_q;
  assign passes = requester_q.active && known && belongs && beyond_all && !reads_q;
  always_comb begin
    unique case (q_key_q[30:29])
      2'd0: over = !reads_q && (answered_q == all_q);
      2'd1: over = spent;
      2'd3: over = (q_key_q[28:24] == 5'd0) ? spent :
                                              (q_key_q[28:24] <= 5'd3) && !beyond_data;
      default: over = 1'b0;
    endcase
  end

  // The packet is an RDMA READ that waits behind the one that is answered. A duplicate does if it
  // continues the newest one.
  logic [23:0] following;
  logic        appends;
  assign following = reader_q.newest + 24'd1;
  assign appends = says_q.read && reader_q.active && !reader_q.atomic &&
                   (follows_q || psn_q == following);

  // Distance from the expected PSN to that of the packet, and whether the packet has as many bytes
  // as its kind may have: all packets of a message but the last one are full, and the last one of
  // an RDMA WRITE brings exactly what is left. The address of an atomic operation is a multiple of
  // 8.
  logic [23:0] distance;
  logic        whole;
  logic        less;
  logic        sized;
  assign distance = psn_q - pins_i.responder.psn;
  assign whole = (length_q == {20'd0, bytes_q});
  assign less = (length_q > {20'd0, bytes_q});
  always_comb begin
    if (says_q.atomic) sized = (address_q[2:0] == 3'd0);
    else if (says_q.read) sized = (length_q <= layout_pkg::MaxMessage) && (mtu != 12'd0);
    else if (says_q.ends) sized = (bytes_q <= mtu) && (says_q.begins || bytes_q != 12'd0) &&
                                  (!says_q.write || whole);
    else sized = (bytes_q == mtu) && (bytes_q != 12'd0) && (!says_q.write || less);
  end

  // A request of the peer for RDMA or an atomic operation, `remote`, names its memory itself. Bytes
  // of the buffer before the data: those of earlier packets of the message, or the place of a GRH.
  // Bytes up to the end of the data.
  logic [31:0]         ahead;
  logic [31:0]         needed;
  key_check_pkg::in_t  access;
  key_check_pkg::out_t answer;
  assign ahead = !connected_q ? layout_pkg::GrhBytes :
                 says_q.begins ? 32'd0 : responder_q.received;
  assign needed = ahead + {20'd0, bytes_q};
  always_comb begin
    access = '0;
    access.row = pins_i.key;
    access.key = l_key_q;
    access.domain = pins_i.attributes.domain;
    access.address = address_q;
    access.length = length_q;
    access.reach = reach_q;
    access.local_write = !remote;
    access.remote_write = says_q.write;
    access.remote_read = says_q.read;
    access.remote_atomic = says_q.atomic;
  end
  key_check u_key_check (
      .pins_i(access),
      .pins_o(answer)
  );

  // Data do not fit if the buffer is too short, if the outstanding RDMA READ asked for another
  // length, or if the peer's address has more than 32 bits.
  logic       beyond;
  logic       misfits;
  logic [7:0] verdict;
  assign beyond = says_q.remote && (q_key_q != 32'd0);
  assign misfits = remote ? beyond :
                   answer_q ? (length_q != requester_q.length) : (total_q > length_q);
  assign verdict = (!remote && misfits_q) ? layout_pkg::LengthError :
                   (remote && (!answer.allowed || misfits_q)) ? layout_pkg::RemoteAccess :
                   !answer.allowed ? layout_pkg::ProtectionError : layout_pkg::Success;

  // Ring of the WQE.
  logic [31:0] wqe_base;
  assign wqe_base = answer_q ? pins_i.attributes.send_base :
                    borrows_q ? pool_q.base : pins_i.attributes.receive_base;

  // Ticks that an RNR NAK asks for, those of the time-out, and the tick of the next deadline.
  logic [4:0]  code;
  logic        put_off;
  logic [15:0] power;
  logic [31:0] rnr_ticks;
  logic [31:0] timeout_ticks;
  logic [31:0] deadline;
  assign code = q_key_q[28:24];
  assign put_off = says_q.acknowledge && not_ready;
  always_comb begin
    // An RNR NAK asks for 10 or 15 times a power of 2: two or four bits.
    for (int i = 0; i < 16; i++) power[i] = (code[4:1] == 4'(i));
    rnr_ticks = {15'd0, power, 1'b0} | {13'd0, power, 3'd0};
    if (code[0]) rnr_ticks = rnr_ticks | {16'd0, power} | {14'd0, power, 2'd0};
    if (code == 5'd0) rnr_ticks = 32'd655360;
    if (code == 5'd1) rnr_ticks = 32'd10;
    timeout_ticks = '0;
    for (int i = 0; i < 28; i++) timeout_ticks[i+2] = (pins_i.attributes.timeout == 5'(i));
    timeout_ticks[30] = (pins_i.attributes.timeout >= 5'd28);
  end
  assign deadline = pins_i.now + ticks_q;

  // Requester and responder after the events that the previous state has set. `Nothing`, the event
  // of most states, leaves their rows unchanged.
  logic                good;
  responder_pkg::in_t  packet;
  responder_pkg::out_t row;
  requester_pkg::in_t  event_in;
  requester_pkg::out_t rule;
  assign good = answer.allowed && !misfits_q;
  always_comb begin
    packet.row = responder_q;
    packet.reader = reader_q;
    packet.cause = cause_q;
    packet.psn = psn_q;
    packet.first = says_q.begins;
    packet.last = says_q.ends;
    packet.asks = asks_q;
    packet.unreliable = says_q.unreliable;
    packet.bytes = bytes_q;
    packet.follows = follows_q;
    packet.repeats = repeats_q;
    packet.sized = sized_q;
    packet.mtu = mtu;
    packet.ready = ready_q;
    packet.shared = shared_q;
    packet.rnr_timer = pins_i.attributes.rnr_timer;
    packet.code = (status_q == layout_pkg::LengthError) ? 2'd1 :
                  (status_q == layout_pkg::RemoteAccess) ? 2'd2 : 2'd3;
    packet.write = says_q.write;
    packet.read = says_q.read;
    packet.atomic = says_q.atomic;
    packet.saved = saved_q;
    packet.appends = appends_q;
    packet.crowded = crowded_q;
    packet.next = '0;
    packet.immediate = says_q.immediate;
    packet.address = address_q;
    packet.length = length_q;
    packet.key = l_key_q;
    packet.more = more_q;
    packet.original = word_q;
    event_in = '0;
    event_in.row = requester_q;
    event_in.cause = event_q;
    event_in.psn = psn_q;
    event_in.ends = says_q.ends;
    event_in.fits = fits_q;
    event_in.reads = reads_q;
    event_in.rests = rests_q;
    event_in.belongs = belongs_q;
    event_in.passes = passes_q;
    event_in.overtakes = overtakes_q;
    event_in.next = next_q;
    event_in.over = over_q;
    event_in.remains = remains_q;
    event_in.syndrome = q_key_q[31:24];
    event_in.deadline = deadline_q;
  end
  responder #(
      .Sends(1'b0)
  ) u_responder (
      .pins_i(packet),
      .pins_o(row)
  );
  requester #(
      .Sends(1'b0)
  ) u_requester (
      .pins_i(event_in),
      .pins_o(rule)
  );

  // The packet has a CQE: the last one of a message or of an RDMA READ that asks for one, immediate
  // data of an RDMA WRITE, or a local error. An unreliable connection drops messages without one.
  logic tells;
  assign tells = answer_q ? !good_q || (remains_q && requester_q.signalled) :
                 remote ? good_q && says_q.immediate :
                 good_q ? says_q.ends :
                 !says_q.unreliable || (status_q != layout_pkg::LengthError);

  // No queue pair takes the packet if there is none of its service in a state to receive, it is
  // from another port than the peer's, or one of its queues has failed. A datagram needs the Q_Key
  // of its queue pair. A doorbell beyond the ring kills the queue.
  logic served;
  logic stranger;
  logic dead;
  logic unknown;
  logic wrong_key;
  logic overrun;
  logic kills;
  assign served = (pins_i.attributes.state == context_pkg::ReadyToReceive ||
                   pins_i.attributes.state == context_pkg::ReadyToSend ||
                   pins_i.attributes.state == context_pkg::Drained) &&
                  (connected_q == says_q.connected) &&
                  (!connected_q || says_q.unreliable == pins_i.attributes.unreliable);
  assign stranger = connected_q && (source_lid_q != pins_i.attributes.peer_lid);
  assign dead = (answers ? requester_q.dead : responder_q.dead) || requester_q.failed ||
                responder_q.failed;
  assign unknown = !served || stranger || dead;
  assign wrong_key = !connected_q && (q_key_q != pins_i.attributes.q_key);
  assign overrun = borrows_q ? posted_q > shared_size : posted_q > size;
  assign kills = !unknown && !answers && !wrong_key && overrun;

  // An RDMA READ waits, or finds no place. One that is not taken, or that a dead queue drops, waits
  // behind none; one that has no right is refused when the data before it have been sent.
  always_comb begin
    appends_d = appends_q;
    crowded_d = crowded_q;
    if (state_q == receive_engine_pkg::Admit) begin
      appends_d = appends && !kills;
      crowded_d = appends && (reader_q.waiting == 4'd15);
    end
    if (state_q == receive_engine_pkg::Judge) appends_d = appends_q && row.takes;
  end

  // An atomic operation writes its new value; a compare-and-swap does if the values are equal.
  logic        changes;
  logic        writes;
  logic [63:0] result;
  assign changes = !says_q.compares || (word_q == compare_q);
  assign writes = says_q.atomic ? changes : (bytes_q != 12'd0);
  assign result = says_q.compares ? swap_q : word_q + swap_q;

  // The operation of the outstanding request is atomic.
  logic atomic;
  assign atomic = (pins_i.requester.operation == layout_pkg::CompareSwap) ||
                  (pins_i.requester.operation == layout_pkg::FetchAdd);

  // The next outstanding request is the oldest one when that has its CQE.
  receive_engine_pkg::state_e completed;
  context_pkg::requester_t    advanced;
  assign completed = (answer_q && requester_q.active) ? receive_engine_pkg::Advance :
                                                        receive_engine_pkg::Store;
  always_comb begin
    advanced = rule.row;
    advanced.first = pins_i.request.first;
    advanced.last = pins_i.request.last;
    advanced.signalled = pins_i.request.signalled;
    advanced.operation = pins_i.request.operation;
    advanced.length = pins_i.request.length;
  end

  // Without a CQE it is when the last data are taken, which `Copy` finds in the row.
  logic others;
  receive_engine_pkg::state_e ended;
  assign others = (state_q == receive_engine_pkg::Copy) ? requester_q.active :
                                                          (requester_q.begun[4:1] != 4'd0);
  assign ended = (answer_q && remains_q && others) ? receive_engine_pkg::Advance :
                                                     receive_engine_pkg::Store;

  // State after the packet: for the next queue pair of its group, if there may be one.
  receive_engine_pkg::state_e finished;
  assign finished = remaining ? receive_engine_pkg::Member :
                    quarters_q[2] ? receive_engine_pkg::Release : receive_engine_pkg::Group;

  // The outstanding request ends with an error.
  logic fails;
  assign fails = (rule.status != layout_pkg::Success);

  // State, status, and the events of the requester and the responder in the next state.
  always_comb begin
    state_d = state_q;
    good_d = good_q;
    event_d = requester_pkg::Nothing;
    cause_d = responder_pkg::Nothing;
    tells_d = tells_q;
    fail_d = fail_q || row.breaks;
    status_d = status_q;

    unique case (state_q)
      receive_engine_pkg::Idle: begin
        if (pins_i.start) begin
          tells_d = 1'b0;
          fail_d = 1'b0;
          status_d = layout_pkg::Success;
          state_d = receive_engine_pkg::Head;
        end
      end
      receive_engine_pkg::Head: if (index_q == last_header) state_d = receive_engine_pkg::Sort;
      // Sort: packets for other ports are no error.
      receive_engine_pkg::Sort: begin
        if (foreign || !formed || misled) state_d = receive_engine_pkg::Release;
        else state_d = grouped ? receive_engine_pkg::Group : receive_engine_pkg::Load;
      end
      receive_engine_pkg::Group: state_d = receive_engine_pkg::Members;
      receive_engine_pkg::Members: begin
        state_d = !lonely ? receive_engine_pkg::Member :
                  last ? receive_engine_pkg::Release : receive_engine_pkg::Group;
      end
      receive_engine_pkg::Member: begin
        tells_d = 1'b0;
        fail_d = 1'b0;
        status_d = layout_pkg::Success;
        state_d = receive_engine_pkg::Ahead;
      end
      receive_engine_pkg::Ahead: state_d = receive_engine_pkg::Load;
      receive_engine_pkg::Load: state_d = receive_engine_pkg::Look;
      receive_engine_pkg::Look: begin
        state_d = needs_shared ? receive_engine_pkg::Pool : receive_engine_pkg::Admit;
      end
      receive_engine_pkg::Pool: state_d = receive_engine_pkg::Share;
      receive_engine_pkg::Share: state_d = receive_engine_pkg::Admit;
      // Admit: a datagram that cannot be taken is dropped without an answer.
      receive_engine_pkg::Admit: begin
        state_d = finished;
        if (!unknown && answers) begin
          event_d = says_q.response ? requester_pkg::Respond : requester_pkg::Answer;
          state_d = receive_engine_pkg::Answer;
        end else if (kills) begin
          fail_d = 1'b1;
          state_d = receive_engine_pkg::Store;
        end else if (!unknown && connected_q) begin
          cause_d = responder_pkg::Arrive;
          state_d = receive_engine_pkg::Judge;
        end else if (!unknown && !wrong_key && posted_q != 16'd0) begin
          state_d = receive_engine_pkg::Fetch;
        end
      end
      // Answer: a request that is over has a CQE if it asks for one or failed; data go to host
      // memory.
      receive_engine_pkg::Answer: begin
        status_d = rule.status;
        if (rule.takes) begin
          state_d = receive_engine_pkg::Fetch;
        end else if (rule.finish && (fails || requester_q.signalled)) begin
          state_d = receive_engine_pkg::Complete;
        end else if (rule.finish && rule.row.active) begin
          state_d = receive_engine_pkg::Advance;
        end else begin
          state_d = receive_engine_pkg::Store;
        end
      end
      // Judge: a packet out of order is only answered.
      receive_engine_pkg::Judge: begin
        state_d = !row.takes ? receive_engine_pkg::Store :
                  (remote || kept_q) ? receive_engine_pkg::Key : receive_engine_pkg::Fetch;
      end
      receive_engine_pkg::Fetch: if (pins_i.copied) state_d = receive_engine_pkg::Key;
      receive_engine_pkg::Key: state_d = receive_engine_pkg::Check;
      // Check: whether the packet may be taken; `Take` acts on it, for an atomic operation when its
      // operand is read.
      receive_engine_pkg::Check: begin
        good_d = good;
        status_d = verdict;
        if (answer_q) event_d = good ? requester_pkg::Take : requester_pkg::Fail;
        else if (connected_q && !(good && says_q.atomic)) begin
          cause_d = (good || appends_q) ? responder_pkg::Take : responder_pkg::Refuse;
        end
        state_d = (good && says_q.atomic) ? receive_engine_pkg::Operand : receive_engine_pkg::Take;
      end
      receive_engine_pkg::Operand: begin
        if (pins_i.copied) begin
          cause_d = responder_pkg::Take;
          state_d = receive_engine_pkg::Take;
        end
      end
      receive_engine_pkg::Take: begin
        tells_d = tells;
        state_d = (good_q && writes) ? receive_engine_pkg::Copy :
                  tells ? receive_engine_pkg::Complete : ended;
      end
      receive_engine_pkg::Copy: begin
        if (pins_i.copied) begin
          state_d = tells_q ? receive_engine_pkg::Complete : ended;
        end
      end
      receive_engine_pkg::Complete: if (pins_i.completed) state_d = completed;
      receive_engine_pkg::Advance: state_d = receive_engine_pkg::Store;
      receive_engine_pkg::Store: begin
        // Store: the same answer, to the request that is the oldest one now.
        state_d = (answer_q && passes_q) ? receive_engine_pkg::Load : finished;
      end
      // Release, and codes that are no state.
      default: state_d = receive_engine_pkg::Idle;
    endcase
  end

  // Packets dropped, messages received and receptions failed.
  always_comb begin
    counts_d = counts_q;

    unique case (state_q)
      receive_engine_pkg::Sort: begin
        if (foreign) counts_d.foreign = counts_q.foreign + 16'd1;
        else if (!formed) counts_d.malformed = counts_q.malformed + 16'd1;
        else if (misled) counts_d.unknown_qp = counts_q.unknown_qp + 16'd1;
      end
      // Members: a group without members here is that of other ports.
      receive_engine_pkg::Members: begin
        if (lonely && last && !attached_q) counts_d.foreign = counts_q.foreign + 16'd1;
      end
      receive_engine_pkg::Admit: begin
        if (unknown) counts_d.unknown_qp = counts_q.unknown_qp + 16'd1;
        else if (!answers && wrong_key) counts_d.wrong_q_key = counts_q.wrong_q_key + 16'd1;
        else if (!answers && !kills && !connected_q && posted_q == 16'd0) begin
          counts_d.no_receive = counts_q.no_receive + 16'd1;
        end
      end
      receive_engine_pkg::Store: begin
        if (!succeeds) counts_d.failed = counts_q.failed + 16'd1;
        else if (tells_q && !answer_q) counts_d.received = counts_q.received + 16'd1;
      end
      default: ;
    endcase
  end

  // Fields of the headers, and what is derived from them. The destination comes from a block RAM,
  // late in the cycle, and is selected last; `keep` holds synthesis to that.
  (* keep *) logic [23:0] other_destination;
  logic brings_destination;
  assign brings_destination = (state_q == receive_engine_pkg::Head) && (index_q == 3'd2);
  assign destination_d = brings_destination ? transport_header.destination : other_destination;
  always_comb begin
    index_d = index_q;
    next_header_d = next_header_q;
    destination_lid_d = destination_lid_q;
    units_d = units_q;
    source_lid_d = source_lid_q;
    kind_d = kind_q;
    pad_d = pad_q;
    version_d = version_q;
    other_destination = destination_q;
    members_d = members_q;
    quarters_d = quarters_q;
    attached_d = attached_q;
    q_key_d = q_key_q;
    source_d = source_q;
    immediate_d = immediate_q;
    room_d = room_q;
    holds_d = holds_q;
    bytes_d = bytes_q;
    psn_d = psn_q;
    asks_d = asks_q;
    says_d = says_q;

    unique case (state_q)
      receive_engine_pkg::Idle: begin
        if (pins_i.start) begin
          index_d = '0;
          members_d = '0;
          quarters_d = 3'd4;
          attached_d = 1'b0;
        end
      end
      // Head: the word that was read in the cycle before.
      receive_engine_pkg::Head: begin
        unique case (index_q)
          3'd1: begin
            next_header_d = (route_header.version == 4'd0) ? route_header.next_header : 2'd0;
            destination_lid_d = route_header.destination_lid;
            units_d = route_header.units;
            source_lid_d = route_header.source_lid;
          end
          3'd2: begin
            kind_d = transport_header.kind;
            pad_d = transport_header.pad;
            version_d = transport_header.version;
          end
          3'd3: begin
            asks_d = sequence_header.asks;
            psn_d = sequence_header.psn;
            q_key_d = sequence_header.extension;
          end
          // Source QPN of a datagram and its immediate data.
          3'd4: begin
            source_d = header[55:32];
            immediate_d = header[31:0];
          end
          // Immediate data after a RETH.
          3'd5: immediate_d = header[31:0];
          default: ;
        endcase
        says_d = says;
        room_d = {units_left[9:0], 2'd0};
        holds_d = (units_q > {7'd0, says_q.units});
        index_d = index_q + 3'd1;
      end
      receive_engine_pkg::Sort: begin
        bytes_d = room_q - {10'd0, pad_q};
        if (grouped) quarters_d = 3'd0;
      end
      receive_engine_pkg::Members: begin
        members_d = pins_i.members;
        quarters_d = quarters_q + 3'd1;
        attached_d = attached_q || !lonely;
      end
      receive_engine_pkg::Member: begin
        other_destination = {16'd0, quarters_q[1:0] - 2'd1, member};
        members_d = members_q & ~lowest;
      end
      default: ;
    endcase
  end

  // Rows of the queue pair and what is derived from them.
  always_comb begin
    slot_d = slot_q;
    lid_d = lid_q;
    responder_d = row.row;
    requester_d = rule.row;
    reader_d = row.reader;
    answer_d = answer_q;
    connected_d = connected_q;
    ready_d = ready_q;
    shared_d = shared_q;
    borrows_d = borrows_q;
    kept_d = kept_q;
    shared_queue_d = shared_queue_q;
    pool_d = pool_q;
    low_d = low_q;
    taken_d = taken_q;
    ring_d = ring_q;
    belongs_d = belongs_q;
    passes_d = passes_q;
    overtakes_d = overtakes_q;
    next_d = next_q;
    over_d = over_q;
    remains_d = remains_q;
    reads_d = reads_q;
    suits_d = suits_q;
    saved_d = saved_q;
    rests_d = rests_q;
    follows_d = follows_q;
    repeats_d = repeats_q;
    sized_d = sized_q;
    posted_d = posted_q;
    place_d = place_q;
    sent_d = sent_q;
    answered_d = answered_q;
    all_d = all_q;
    whole_d = whole_q;
    begun_d = begun_q;
    rest_d = rest_q;
    fits_d = fits_q;
    ticks_d = ticks_q;
    deadline_d = deadline_q;

    unique case (state_q)
      receive_engine_pkg::Idle: begin
        if (pins_i.start) begin
          slot_d = pins_i.slot;
          taken_d = 1'b0;
          lid_d = pins_i.lid;
        end
      end
      receive_engine_pkg::Member: taken_d = 1'b0;
      // Load: ticks of an RNR NAK; `Look` replaces them for all other packets.
      receive_engine_pkg::Load: ticks_d = rnr_ticks;
      receive_engine_pkg::Look: begin
        responder_d = pins_i.responder;
        reader_d = pins_i.reader;
        requester_d = pins_i.requester;
        connected_d = pins_i.attributes.connected;
        answer_d = answers;
        shared_d = shares;
        borrows_d = needs_shared;
        kept_d = shares && !says_q.begins && !remote && !answers;
        shared_queue_d = pins_i.attributes.shared_queue;
        posted_d = shares ? 16'd0 : pins_i.bell - pins_i.responder.consumed;
        place_d = place;
        follows_d = (psn_q == pins_i.responder.psn);
        repeats_d = distance[23];
        sent_d = pins_i.requester.psn - pins_i.requester.oldest;
        answered_d = psn_q - pins_i.requester.oldest;
        reads_d = (pins_i.requester.operation == layout_pkg::RdmaRead) || atomic;
        suits_d = (says_q.original == atomic);
        saved_d = pins_i.reader.atomic && (pins_i.reader.last == psn_q);
        all_d = pins_i.requester.last - pins_i.requester.oldest;
        whole_d = pins_i.requester.newest - pins_i.requester.oldest;
        begun_d = pins_i.requester.oldest - pins_i.requester.first;
        rest_d = pins_i.requester.length[11:0] - bytes_q;
        if (!put_off) ticks_d = timeout_ticks;
      end
      receive_engine_pkg::Share: begin
        pool_d = pins_i.shared;
        posted_d = pins_i.bell - pins_i.shared.taken;
        place_d = shared_place;
      end
      // Admit: compares distances and lengths; the rules act on the results.
      receive_engine_pkg::Admit: begin
        ready_d = (posted_q != 16'd0);
        low_d = pins_i.limit.armed && (posted_q <= pins_i.limit.least);
        belongs_d = belongs;
        passes_d = passes;
        overtakes_d = beyond_all ? (sent_q <= all_q) : (sent_q <= answered_q);
        next_d = (answered_q == 24'd0);
        over_d = requester_q.active && belongs && ((beyond_all && !reads_q) ? passes : over);
        remains_d = (all_q == 24'd0);
        rests_d = (sent_q == 24'd0);
        sized_d = sized;
        fits_d = fits;
        deadline_d = deadline;
        ring_d = answers ? pins_i.attributes.send_cq : pins_i.attributes.receive_cq;
        if (kills) responder_d.dead = 1'b1;
      end
      receive_engine_pkg::Advance: requester_d = advanced;
      receive_engine_pkg::Key: deadline_d = deadline;
      // Take: a datagram and a shared receive queue count the WQE here; on a connection the rules
      // do.
      receive_engine_pkg::Take: begin
        if (borrows_q && (good_q || !remote)) begin
          taken_d = 1'b1;
          pool_d.taken = pool_q.taken + 16'd1;
          responder_d.consumed = pool_q.taken + 16'd1;
        end else if (!answer_q && !connected_q) begin
          responder_d.consumed = responder_q.consumed + 16'd1;
        end
      end
      default: ;
    endcase
  end

  // Address, length and key of the buffer. Those of a header come from a block RAM, late in the
  // cycle, so they are selected last; `keep` holds synthesis to that.
  (* keep *) logic [31:0] other_address;
  (* keep *) logic [31:0] other_length;
  logic brings_address;
  logic brings_length;
  assign brings_address = (state_q == receive_engine_pkg::Head) && (index_q == 3'd4);
  assign brings_length = (state_q == receive_engine_pkg::Head) && (index_q == 3'd5);
  assign address_d = brings_address ? header[63:32] : other_address;
  assign length_d = brings_length ? header[63:32] : other_length;
  always_comb begin
    total_d = total_q;
    wqe_d = wqe_q;
    reach_d = reach_q;
    more_d = more_q;
    offset_d = offset_q;
    misfits_d = misfits_q;
    other_address = address_q;
    other_length = length_q;
    l_key_d = l_key_q;
    word_d = word_q;
    swap_d = swap_q;
    compare_d = compare_q;

    unique case (state_q)
      // Head: a RETH holds address, r_key and length, an AtomicETH address, r_key and two values.
      // The word after an AETH is the original value of an atomic operation.
      receive_engine_pkg::Head: begin
        if (index_q == 3'd4) begin
          l_key_d = header[31:0];
          word_d = header;
        end
        if (index_q == 3'd5) swap_d = header;
        if (index_q == 3'd6) compare_d = header;
      end
      // Look: later packets of an RDMA WRITE continue behind the one before; those of a SEND have
      // its buffer.
      receive_engine_pkg::Look: begin
        if (!says_q.begins && !answers) begin
          other_address = pins_i.responder.address;
          other_length = pins_i.responder.length;
          l_key_d = pins_i.responder.key;
        end
        if (says_q.atomic) other_length = {20'd0, layout_pkg::AtomicBytes};
      end
      receive_engine_pkg::Admit: begin
        total_d = needed;
        wqe_d = wqe_base + (answer_q ? {10'd0, place_q, 6'd0} : {12'd0, place_q, 4'd0});
      end
      // Fetch: a word of the WQE; layout.rs has the fields of send and receive WQEs.
      receive_engine_pkg::Fetch: begin
        if (pins_i.word_valid) begin
          if (pins_i.place == (answer_q ? 3'd2 : 3'd0)) l_key_d = pins_i.word[31:0];
          if (pins_i.place == 3'd1) begin
            other_address = pins_i.word[31:0];
            other_length = pins_i.word[63:32];
          end
        end
      end
      receive_engine_pkg::Key: begin
        reach_d = {1'b0, address_q} + {1'b0, length_q};
        more_d = (length_q == 32'd0) ? 24'd0 : behind[23:0];
        offset_d = answer_q ? offset : remote ? 32'd0 : ahead;
        misfits_d = misfits;
      end
      receive_engine_pkg::Operand: if (pins_i.word_valid) word_d = pins_i.word;
      receive_engine_pkg::Take: begin
        if (says_q.atomic) word_d = result;
        if (answer_q) total_d = requester_q.length;
        other_address = address_q + offset_q;
      end
      default: ;
    endcase
  end

  // Bits that the receive engine does not use.
  logic unused;
  assign unused = &{1'b0, pins_i.attributes, route_header, transport_header, sequence_header,
                    units_left[10], distance[22:0], rule.sends, rule.restarts,
                    behind[31:24]};

  // State, and fields of the packet.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= receive_engine_pkg::Idle;
      slot_q <= '0;
      lid_q <= '0;
      index_q <= '0;
      next_header_q <= '0;
      destination_lid_q <= '0;
      units_q <= '0;
      source_lid_q <= '0;
      kind_q <= '0;
      pad_q <= '0;
      version_q <= '0;
      destination_q <= '0;
      members_q <= '0;
      quarters_q <= '0;
      attached_q <= '0;
      q_key_q <= '0;
      source_q <= '0;
      immediate_q <= '0;
      room_q <= '0;
      holds_q <= '0;
      bytes_q <= '0;
    end else begin
      state_q <= state_d;
      slot_q <= slot_d;
      lid_q <= lid_d;
      index_q <= index_d;
      next_header_q <= next_header_d;
      destination_lid_q <= destination_lid_d;
      units_q <= units_d;
      source_lid_q <= source_lid_d;
      kind_q <= kind_d;
      pad_q <= pad_d;
      version_q <= version_d;
      destination_q <= destination_d;
      members_q <= members_d;
      quarters_q <= quarters_d;
      attached_q <= attached_d;
      q_key_q <= q_key_d;
      source_q <= source_d;
      immediate_q <= immediate_d;
      room_q <= room_d;
      holds_q <= holds_d;
      bytes_q <= bytes_d;
    end
  end

  // Rows of the queue pair, and what the engine derives from them.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      responder_q <= '0;
      requester_q <= '0;
      reader_q <= '0;
      answer_q <= '0;
      tells_q <= '0;
      connected_q <= '0;
      ready_q <= '0;
      psn_q <= '0;
      asks_q <= '0;
      total_q <= '0;
      ring_q <= '0;
      fail_q <= '0;
      wqe_q <= '0;
      says_q <= '0;
      reach_q <= '0;
      more_q <= '0;
      offset_q <= '0;
      misfits_q <= '0;
      belongs_q <= '0;
      passes_q <= '0;
      overtakes_q <= '0;
      next_q <= '0;
      over_q <= '0;
      remains_q <= '0;
      reads_q <= '0;
      suits_q <= '0;
      saved_q <= '0;
      appends_q <= '0;
      crowded_q <= '0;
      rests_q <= '0;
      follows_q <= '0;
      repeats_q <= '0;
      sized_q <= '0;
      posted_q <= '0;
      place_q <= '0;
      sent_q <= '0;
      answered_q <= '0;
      all_q <= '0;
      whole_q <= '0;
      begun_q <= '0;
      rest_q <= '0;
      fits_q <= '0;
      ticks_q <= '0;
      deadline_q <= '0;
      good_q <= '0;
      event_q <= '0;
      cause_q <= '0;
      address_q <= '0;
      length_q <= '0;
      l_key_q <= '0;
      word_q <= '0;
      swap_q <= '0;
      compare_q <= '0;
      status_q <= '0;
      counts_q <= '0;
    end else begin
      responder_q <= responder_d;
      requester_q <= requester_d;
      reader_q <= reader_d;
      answer_q <= answer_d;
      tells_q <= tells_d;
      connected_q <= connected_d;
      ready_q <= ready_d;
      psn_q <= psn_d;
      asks_q <= asks_d;
      total_q <= total_d;
      ring_q <= ring_d;
      fail_q <= fail_d;
      wqe_q <= wqe_d;
      says_q <= says_d;
      reach_q <= reach_d;
      more_q <= more_d;
      offset_q <= offset_d;
      misfits_q <= misfits_d;
      belongs_q <= belongs_d;
      passes_q <= passes_d;
      overtakes_q <= overtakes_d;
      next_q <= next_d;
      over_q <= over_d;
      remains_q <= remains_d;
      reads_q <= reads_d;
      suits_q <= suits_d;
      saved_q <= saved_d;
      appends_q <= appends_d;
      crowded_q <= crowded_d;
      rests_q <= rests_d;
      follows_q <= follows_d;
      repeats_q <= repeats_d;
      sized_q <= sized_d;
      posted_q <= posted_d;
      place_q <= place_d;
      sent_q <= sent_d;
      answered_q <= answered_d;
      all_q <= all_d;
      whole_q <= whole_d;
      begun_q <= begun_d;
      rest_q <= rest_d;
      fits_q <= fits_d;
      ticks_q <= ticks_d;
      deadline_q <= deadline_d;
      good_q <= good_d;
      event_q <= event_d;
      cause_q <= cause_d;
      address_q <= address_d;
      length_q <= length_d;
      l_key_q <= l_key_d;
      word_q <= word_d;
      swap_q <= swap_d;
      compare_q <= compare_d;
      status_q <= status_d;
      counts_q <= counts_d;
    end
  end

  // The shared receive queue.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shared_q <= '0;
      borrows_q <= '0;
      kept_q <= '0;
      shared_queue_q <= '0;
      pool_q <= '0;
      low_q <= '0;
      taken_q <= '0;
    end else begin
      shared_q <= shared_d;
      borrows_q <= borrows_d;
      kept_q <= kept_d;
      shared_queue_q <= shared_queue_d;
      pool_q <= pool_d;
      low_q <= low_d;
      taken_q <= taken_d;
    end
  end

  // An RDMA READ request has no data, and an answer takes no receive WQE. The operand of an atomic
  // operation is read after its checks.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ReadIsNotAWrite : assert (state_q != receive_engine_pkg::Copy || !says_q.read);
      AnswerTakesNoReceiveWqe : assert (state_q != receive_engine_pkg::Judge || !answer_q);
      SharedWqeIsPosted : assert (state_q != receive_engine_pkg::Take || !borrows_q || ready_q);
      GroupsGetDatagramsAlone : assert (!remaining || says_q.datagram);
      OperandIsOfAnAtomicOperation : assert (state_q != receive_engine_pkg::Operand ||
                                             (says_q.atomic && good_q));
    end
  end
`endif

endmodule
