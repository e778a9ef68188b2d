/// Receive engine: finds the queue pair of a packet, takes a receive WQE and puts the data there (IBA volume 1, sections 9.8.3, 10.7.3).
///
/// Data of a datagram lie 40 bytes behind the beginning of the buffer, where a global route header would be. A packet that is not for a
/// queue pair of ours is dropped and counted, and takes no WQE; a WQE whose buffer or key does not allow the packet ends with an error.
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

  receive_engine_pkg::state_e state_d, state_q;
  logic                          slot_d, slot_q;
  logic [15:0]                   lid_d, lid_q;
  logic [2:0]                    index_d, index_q;
  logic [1:0]                    next_header_d, next_header_q;
  logic [15:0]                   destination_lid_d, destination_lid_q;
  logic [10:0]                   units_d, units_q;
  logic [15:0]                   source_lid_d, source_lid_q;
  logic [7:0]                    kind_d, kind_q;
  logic [1:0]                    pad_d, pad_q;
  logic [3:0]                    version_d, version_q;
  logic [23:0]                   destination_d, destination_q;
  logic [31:0]                   q_key_d, q_key_q;
  logic [23:0]                   source_d, source_q;
  logic [31:0]                   immediate_d, immediate_q;
  logic [11:0]                   bytes_d, bytes_q;
  context_pkg::responder_t       responder_d, responder_q;
  logic [1:0]                    ring_d, ring_q;
  logic                          fail_d, fail_q;
  logic [31:0]                   wqe_d, wqe_q;
  logic [31:0]                   address_d, address_q;
  logic [31:0]                   length_d, length_q;
  logic [31:0]                   l_key_d, l_key_q;
  logic [7:0]                    status_d, status_q;
  register_pkg::receive_counts_t counts_d, counts_q;

  function automatic logic [31:0] swapped(logic [31:0] unit);
    swapped = {unit[7:0], unit[15:8], unit[23:16], unit[31:24]};
  endfunction

  // Units of 4 bytes in front of the data: LRH, BTH, DETH, immediate data.
  logic        has_immediate;
  logic [10:0] header_units;
  assign has_immediate = (kind_q == layout_pkg::DatagramSendImmediate);
  assign header_units = has_immediate ? 11'd8 : 11'd7;

  logic fetch;
  assign fetch = (state_q == receive_engine_pkg::Fetch);
  assign pins_o.memory_read = (state_q == receive_engine_pkg::Head);
  assign pins_o.memory_address = {slot_q, 6'd0, index_q};
  assign pins_o.load = (state_q == receive_engine_pkg::Load);
  assign pins_o.pair = destination_q[3:0];
  assign pins_o.key_load = (state_q == receive_engine_pkg::Key);
  assign pins_o.key = l_key_q[3:0];
  assign pins_o.store = (state_q == receive_engine_pkg::Store);
  assign pins_o.responder = responder_q;
  assign pins_o.transfer.address = fetch ? wqe_q : address_q + layout_pkg::GrhBytes;
  assign pins_o.transfer.offset = fetch ? {1'b0, send_engine_pkg::WqeWord, 3'd0} : {slot_q, header_units[9:0], 2'd0};
  assign pins_o.transfer.bytes = fetch ? layout_pkg::ReceiveWqeBytes : bytes_q;
  assign pins_o.transfer.to_host = !fetch;
  assign pins_o.copy = fetch || (state_q == receive_engine_pkg::Copy);
  assign pins_o.complete = (state_q == receive_engine_pkg::Complete);
  completion_pkg::entry_t entry;
  assign pins_o.entry = entry;
  always_comb begin
    entry.ring = ring_q;
    entry.index = responder_q.consumed - 16'd1;
    entry.pair = destination_q[3:0];
    entry.operation = layout_pkg::ReceivedOperation | {7'd0, has_immediate};
    entry.status = status_q;
    entry.source = source_q;
    entry.source_lid = source_lid_q;
    entry.bytes = (status_q == layout_pkg::Success) ? {20'd0, bytes_q} + layout_pkg::GrhBytes : 32'd0;
    entry.immediate = has_immediate ? immediate_q : 32'd0;
  end
  assign pins_o.fail = (state_q == receive_engine_pkg::Store) && fail_q;
  assign pins_o.done = (state_q == receive_engine_pkg::Release);
  assign pins_o.counts = counts_q;

  // Two units of the headers: each had its highest byte first on the wire.
  logic [31:0] first;
  logic [31:0] second;
  assign first = swapped(pins_i.memory_rdata[31:0]);
  assign second = swapped(pins_i.memory_rdata[63:32]);

  // What is left for the data, the ICRC behind them.
  logic        known;
  logic [10:0] overhead;
  logic [10:0] units_left;
  logic [11:0] room;
  logic        formed;
  assign known = (kind_q == layout_pkg::DatagramSend) || has_immediate;
  assign overhead = header_units + 11'd1;
  assign units_left = units_q - overhead;
  assign room = {units_left[9:0], 2'd0};
  assign formed = known && (next_header_q == 2'd2) && (version_q == 4'd0) && (units_q >= overhead) &&
                  (room >= {10'd0, pad_q}) && (room <= 12'd2048);

  // WQEs in the ring, and where the oldest one lies.
  logic [15:0] posted;
  logic [15:0] size;
  logic [15:0] place;
  assign posted = pins_i.bell - pins_i.responder.consumed;
  assign size = 16'd1 << pins_i.attributes.receive_log;
  assign place = pins_i.responder.consumed & (size - 16'd1);

  // The data and what is in front of them must have room in the buffer.
  logic [31:0]         needed;
  key_check_pkg::in_t  access;
  key_check_pkg::out_t answer;
  assign needed = {20'd0, bytes_q} + layout_pkg::GrhBytes;
  always_comb begin
    access = '0;
    access.row = pins_i.key;
    access.key = l_key_q;
    access.domain = pins_i.attributes.domain;
    access.address = address_q;
    access.length = needed;
    access.local_write = 1'b1;
  end
  key_check u_key_check (
      .pins_i(access),
      .pins_o(answer)
  );

  logic [7:0] verdict;
  assign verdict = (needed > length_q) ? layout_pkg::LengthError :
                   !answer.allowed ? layout_pkg::ProtectionError : layout_pkg::Success;

  always_comb begin
    state_d = state_q;
    slot_d = slot_q;
    lid_d = lid_q;
    index_d = index_q;
    next_header_d = next_header_q;
    destination_lid_d = destination_lid_q;
    units_d = units_q;
    source_lid_d = source_lid_q;
    kind_d = kind_q;
    pad_d = pad_q;
    version_d = version_q;
    destination_d = destination_q;
    q_key_d = q_key_q;
    source_d = source_q;
    immediate_d = immediate_q;
    bytes_d = bytes_q;
    responder_d = responder_q;
    ring_d = ring_q;
    fail_d = fail_q;
    wqe_d = wqe_q;
    address_d = address_q;
    length_d = length_q;
    l_key_d = l_key_q;
    status_d = status_q;
    counts_d = counts_q;

    unique case (state_q)
      // Idle: the scheduler says when.
      receive_engine_pkg::Idle: begin
        if (pins_i.start) begin
          slot_d = pins_i.slot;
          lid_d = pins_i.lid;
          index_d = '0;
          fail_d = 1'b0;
          status_d = layout_pkg::Success;
          state_d = receive_engine_pkg::Head;
        end
      end
      // Head: a word is read while the one before is taken apart.
      receive_engine_pkg::Head: begin
        unique case (index_q)
          3'd1: begin
            next_header_d = (first[27:24] == 4'd0) ? first[17:16] : 2'd0;
            destination_lid_d = first[15:0];
            units_d = second[26:16];
            source_lid_d = second[15:0];
          end
          3'd2: begin
            kind_d = first[31:24];
            pad_d = first[21:20];
            version_d = first[19:16];
            destination_d = second[23:0];
          end
          3'd3: q_key_d = second;
          3'd4: begin
            source_d = first[23:0];
            immediate_d = second;
          end
          default: ;
        endcase
        index_d = index_q + 3'd1;
        if (index_q == 3'd4) state_d = receive_engine_pkg::Sort;
      end
      // Sort: what is not for us is nobody's error.
      receive_engine_pkg::Sort: begin
        bytes_d = room - {10'd0, pad_q};
        state_d = receive_engine_pkg::Release;
        if (destination_lid_q != lid_q) counts_d.foreign = counts_q.foreign + 16'd1;
        else if (!formed) counts_d.malformed = counts_q.malformed + 16'd1;
        else if (destination_q[23:4] != 20'd0) counts_d.unknown_qp = counts_q.unknown_qp + 16'd1;
        else state_d = receive_engine_pkg::Load;
      end
      // Load: rows come in the next cycle.
      receive_engine_pkg::Load: state_d = receive_engine_pkg::Look;
      // Look: a datagram that cannot be taken is lost, and its sender is not told.
      receive_engine_pkg::Look: begin
        responder_d = pins_i.responder;
        ring_d = pins_i.attributes.receive_cq;
        wqe_d = pins_i.attributes.receive_base + {12'd0, place, 4'd0};
        state_d = receive_engine_pkg::Release;
        if (!pins_i.attributes.valid || pins_i.attributes.connected || pins_i.responder.dead) begin
          counts_d.unknown_qp = counts_q.unknown_qp + 16'd1;
        end else if (q_key_q != pins_i.attributes.q_key) begin
          counts_d.wrong_q_key = counts_q.wrong_q_key + 16'd1;
        end else if (posted == 16'd0) begin
          counts_d.no_receive = counts_q.no_receive + 16'd1;
        end else if (posted > size) begin
          responder_d.dead = 1'b1;
          fail_d = 1'b1;
          state_d = receive_engine_pkg::Store;
        end else begin
          state_d = receive_engine_pkg::Fetch;
        end
      end
      // Fetch: words of the WQE pass by.
      receive_engine_pkg::Fetch: begin
        if (pins_i.word_valid) begin
          unique case (pins_i.place)
            3'd0: begin
              address_d = pins_i.word[31:0];
              length_d = pins_i.word[63:32];
            end
            3'd1: l_key_d = pins_i.word[31:0];
            default: ;
          endcase
        end
        if (pins_i.copied) state_d = receive_engine_pkg::Key;
      end
      // Key: the row comes in the next cycle.
      receive_engine_pkg::Key: state_d = receive_engine_pkg::Check;
      // Check: the WQE is taken, whatever comes of it.
      receive_engine_pkg::Check: begin
        responder_d.consumed = responder_q.consumed + 16'd1;
        status_d = verdict;
        if (verdict == layout_pkg::Success) counts_d.received = counts_q.received + 16'd1;
        else counts_d.failed = counts_q.failed + 16'd1;
        state_d = (verdict == layout_pkg::Success && bytes_q != 12'd0) ? receive_engine_pkg::Copy :
                  receive_engine_pkg::Complete;
      end
      // Copy: the 40 bytes in front stay as they are.
      receive_engine_pkg::Copy: if (pins_i.copied) state_d = receive_engine_pkg::Complete;
      // Complete: the data are there before the CQE is.
      receive_engine_pkg::Complete: if (pins_i.completed) state_d = receive_engine_pkg::Store;
      // Store: the WQE counts as taken from here on.
      receive_engine_pkg::Store: state_d = receive_engine_pkg::Release;
      // Release: the next packet may come into the slot.
      receive_engine_pkg::Release: state_d = receive_engine_pkg::Idle;
      default: state_d = receive_engine_pkg::Idle;
    endcase
  end

  // What the receive queue of datagrams has no use for.
  logic unused;
  assign unused = &{1'b0, pins_i.attributes, first, second, header_units[10], units_left[10]};

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
      q_key_q <= '0;
      source_q <= '0;
      immediate_q <= '0;
      bytes_q <= '0;
      responder_q <= '0;
      ring_q <= '0;
      fail_q <= '0;
      wqe_q <= '0;
      address_q <= '0;
      length_q <= '0;
      l_key_q <= '0;
      status_q <= '0;
      counts_q <= '0;
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
      q_key_q <= q_key_d;
      source_q <= source_d;
      immediate_q <= immediate_d;
      bytes_q <= bytes_d;
      responder_q <= responder_d;
      ring_q <= ring_d;
      fail_q <= fail_d;
      wqe_q <= wqe_d;
      address_q <= address_d;
      length_q <= length_d;
      l_key_q <= l_key_d;
      status_q <= status_d;
      counts_q <= counts_d;
    end
  end

endmodule
