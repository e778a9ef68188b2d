/// Send engine: takes a WQE of a send queue and makes a packet of it (IBA volume 1, sections 9.8.2, 10.7.2).
///
/// Doorbell, WQE, key, data, headers, completion: one after the other. A datagram is one packet, and longer ones are refused. A doorbell
/// that claims more WQEs than the ring has places kills the queue: what lies there is not known to be a request.
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

  send_engine_pkg::state_e state_d, state_q;
  logic [3:0]                 pair_d, pair_q;
  logic                       slot_d, slot_q;
  logic [15:0]                lid_d, lid_q;
  logic [1:0]                 ring_d, ring_q;
  context_pkg::requester_t    requester_d, requester_q;
  logic                       fail_d, fail_q;
  logic                       again_d, again_q;
  logic [31:0]                wqe_d, wqe_q;
  logic [7:0]                 operation_d, operation_q;
  logic                       signalled_d, signalled_q;
  logic                       solicited_d, solicited_q;
  logic [31:0]                immediate_d, immediate_q;
  logic [31:0]                address_d, address_q;
  logic [31:0]                length_d, length_q;
  logic [31:0]                l_key_d, l_key_q;
  logic [23:0]                destination_d, destination_q;
  logic [15:0]                destination_lid_d, destination_lid_q;
  logic [3:0]                 level_d, level_q;
  logic [31:0]                q_key_d, q_key_q;
  logic [7:0]                 status_d, status_q;
  logic [2:0]                 index_d, index_q;
  register_pkg::send_counts_t counts_d, counts_q;

  function automatic logic [31:0] swapped(logic [31:0] unit);
    swapped = {unit[7:0], unit[15:8], unit[23:16], unit[31:24]};
  endfunction

  // Units of 4 bytes in front of the data: LRH, BTH, DETH, immediate data; those of the data; those of the packet with its ICRC.
  logic        immediate_sent;
  logic [10:0] header_units;
  logic [11:0] bytes;
  logic [12:0] body;
  logic [10:0] units;
  logic [10:0] all_units;
  logic [1:0]  pad;
  assign immediate_sent = (operation_q == layout_pkg::SendImmediate);
  assign header_units = immediate_sent ? 11'd8 : 11'd7;
  assign bytes = length_q[11:0];
  assign body = {1'b0, bytes} + 13'd3;
  assign units = header_units + body[12:2];
  assign all_units = units + 11'd1;
  assign pad = -bytes[1:0];

  // Two units of the headers, each with its highest byte first on the wire (IBA volume 1, sections 7.7, 9.2, 9.3.3).
  logic [31:0] header_first;
  logic [31:0] header_second;
  always_comb begin
    unique case (index_q)
      3'd0: begin
        // Virtual lane 0, version 0; the link's next header is the BTH.
        header_first = {8'd0, level_q, 4'd2, destination_lid_q};
        header_second = {5'd0, all_units, lid_q};
      end
      3'd1: begin
        header_first = {
          immediate_sent ? layout_pkg::DatagramSendImmediate : layout_pkg::DatagramSend,
          solicited_q, 1'b0, pad, 4'd0, layout_pkg::PartitionKey
        };
        header_second = {8'd0, destination_q};
      end
      3'd2: begin
        header_first = {8'd0, requester_q.psn};
        header_second = q_key_q;
      end
      default: begin
        header_first = {28'd0, pair_q};
        header_second = immediate_q;
      end
    endcase
  end

  logic fetch;
  assign fetch = (state_q == send_engine_pkg::Fetch);
  assign pins_o.load = (state_q == send_engine_pkg::Load);
  assign pins_o.key_load = (state_q == send_engine_pkg::Key);
  assign pins_o.key = l_key_q[3:0];
  assign pins_o.store = (state_q == send_engine_pkg::Store);
  assign pins_o.requester = requester_q;
  assign pins_o.transfer.address = fetch ? wqe_q : address_q;
  assign pins_o.transfer.offset = {slot_q, fetch ? {send_engine_pkg::WqeWord, 3'd0} : {header_units[9:0], 2'd0}};
  assign pins_o.transfer.bytes = fetch ? layout_pkg::SendWqeUsed : bytes;
  assign pins_o.transfer.to_host = 1'b0;
  assign pins_o.copy = fetch || (state_q == send_engine_pkg::Copy);
  assign pins_o.header_write = (state_q == send_engine_pkg::Header);
  assign pins_o.header_address = {slot_q, 6'd0, index_q};
  assign pins_o.header = {swapped(header_second), swapped(header_first)};
  assign pins_o.header_half = !immediate_sent && (index_q == 3'd3);
  assign pins_o.launch = (state_q == send_engine_pkg::Launch);
  assign pins_o.units = units;
  assign pins_o.complete = (state_q == send_engine_pkg::Complete);
  completion_pkg::entry_t entry;
  assign pins_o.entry = entry;
  always_comb begin
    entry = '0;
    entry.ring = ring_q;
    entry.index = requester_q.consumed - 16'd1;
    entry.pair = pair_q;
    entry.operation = operation_q;
    entry.status = status_q;
  end
  assign pins_o.fail = (state_q == send_engine_pkg::Store) && fail_q;
  assign pins_o.done = (state_q == send_engine_pkg::Finish);
  assign pins_o.again = again_q;
  assign pins_o.counts = counts_q;

  // WQEs in the ring, and where the oldest one lies.
  logic [15:0] posted;
  logic [15:0] size;
  logic [15:0] place;
  assign posted = pins_i.bell - pins_i.requester.consumed;
  assign size = 16'd1 << pins_i.attributes.send_log;
  assign place = pins_i.requester.consumed & (size - 16'd1);

  key_check_pkg::in_t  access;
  key_check_pkg::out_t answer;
  always_comb begin
    access = '0;
    access.row = pins_i.key;
    access.key = l_key_q;
    access.domain = pins_i.attributes.domain;
    access.address = address_q;
    access.length = length_q;
  end
  key_check u_key_check (
      .pins_i(access),
      .pins_o(answer)
  );

  logic        sends;
  logic [11:0] mtu_bytes;
  logic [7:0]  verdict;
  assign sends = (operation_q == layout_pkg::Send) || (operation_q == layout_pkg::SendImmediate);
  assign mtu_bytes = (pins_i.attributes.mtu == 4'd0 || pins_i.attributes.mtu > 4'd4) ? 12'd0 : (12'd128 << pins_i.attributes.mtu[2:0]);
  assign verdict = (!sends || pins_i.attributes.connected) ? layout_pkg::OperationError :
                   (length_q > {20'd0, mtu_bytes}) ? layout_pkg::LengthError :
                   !answer.allowed ? layout_pkg::ProtectionError : layout_pkg::Success;

  always_comb begin
    state_d = state_q;
    pair_d = pair_q;
    slot_d = slot_q;
    lid_d = lid_q;
    ring_d = ring_q;
    requester_d = requester_q;
    fail_d = fail_q;
    again_d = again_q;
    wqe_d = wqe_q;
    operation_d = operation_q;
    signalled_d = signalled_q;
    solicited_d = solicited_q;
    immediate_d = immediate_q;
    address_d = address_q;
    length_d = length_q;
    l_key_d = l_key_q;
    destination_d = destination_q;
    destination_lid_d = destination_lid_q;
    level_d = level_q;
    q_key_d = q_key_q;
    status_d = status_q;
    index_d = index_q;
    counts_d = counts_q;

    unique case (state_q)
      // Idle: the scheduler gives turns.
      send_engine_pkg::Idle: begin
        if (pins_i.start) begin
          pair_d = pins_i.pair;
          slot_d = pins_i.slot;
          lid_d = pins_i.lid;
          fail_d = 1'b0;
          again_d = 1'b0;
          index_d = '0;
          status_d = layout_pkg::Success;
          state_d = send_engine_pkg::Load;
        end
      end
      // Load: rows come in the next cycle.
      send_engine_pkg::Load: state_d = send_engine_pkg::Look;
      // Look: a dead queue pair, and one without a WQE, have nothing to do.
      send_engine_pkg::Look: begin
        requester_d = pins_i.requester;
        ring_d = pins_i.attributes.send_cq;
        wqe_d = pins_i.attributes.send_base + {10'd0, place, 6'd0};
        if (!pins_i.attributes.valid || pins_i.requester.dead || (posted == 16'd0)) begin
          again_d = 1'b0;
          state_d = send_engine_pkg::Finish;
        end else if (posted > size) begin
          again_d = 1'b0;
          requester_d.dead = 1'b1;
          fail_d = 1'b1;
          state_d = send_engine_pkg::Store;
        end else begin
          again_d = (posted > 16'd1);
          state_d = send_engine_pkg::Fetch;
        end
      end
      // Fetch: words of the WQE pass by.
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
            3'd2: l_key_d = pins_i.word[31:0];
            3'd4: begin
              destination_d = pins_i.word[23:0];
              destination_lid_d = pins_i.word[47:32];
              level_d = pins_i.word[51:48];
            end
            3'd5: q_key_d = pins_i.word[31:0];
            default: ;
          endcase
        end
        if (pins_i.copied) state_d = send_engine_pkg::Key;
      end
      // Key: the row comes in the next cycle.
      send_engine_pkg::Key: state_d = send_engine_pkg::Check;
      // Check: what is wrong is told to the owner and not sent.
      send_engine_pkg::Check: begin
        requester_d.consumed = requester_q.consumed + 16'd1;
        status_d = verdict;
        if (verdict != layout_pkg::Success) begin
          counts_d.failed = counts_q.failed + 16'd1;
          state_d = send_engine_pkg::Complete;
        end else begin
          state_d = (length_q == 32'd0) ? send_engine_pkg::Header : send_engine_pkg::Copy;
        end
      end
      // Copy: data lie behind the headers.
      send_engine_pkg::Copy: if (pins_i.copied) state_d = send_engine_pkg::Header;
      // Header: four words; of the last one only half if there is no immediate data.
      send_engine_pkg::Header: begin
        index_d = index_q + 3'd1;
        if (index_q == 3'd3) state_d = send_engine_pkg::Launch;
      end
      // Launch: the data are the transmitter's, and the buffer is the owner's again.
      send_engine_pkg::Launch: begin
        counts_d.sent = counts_q.sent + 16'd1;
        requester_d.psn = requester_q.psn + 24'd1;
        state_d = signalled_q ? send_engine_pkg::Complete : send_engine_pkg::Store;
      end
      // Complete: an error is told whether it was asked for or not.
      send_engine_pkg::Complete: if (pins_i.completed) state_d = send_engine_pkg::Store;
      // Store: the WQE counts as taken from here on.
      send_engine_pkg::Store: state_d = send_engine_pkg::Finish;
      // Finish: the next one has its turn.
      send_engine_pkg::Finish: state_d = send_engine_pkg::Idle;
      default: state_d = send_engine_pkg::Idle;
    endcase
  end

  // What the send queue of a datagram has no use for.
  logic unused;
  assign unused = &{1'b0, pins_i.attributes, body[1:0], header_units[10]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_engine_pkg::Idle;
      pair_q <= '0;
      slot_q <= '0;
      lid_q <= '0;
      ring_q <= '0;
      requester_q <= '0;
      fail_q <= '0;
      again_q <= '0;
      wqe_q <= '0;
      operation_q <= '0;
      signalled_q <= '0;
      solicited_q <= '0;
      immediate_q <= '0;
      address_q <= '0;
      length_q <= '0;
      l_key_q <= '0;
      destination_q <= '0;
      destination_lid_q <= '0;
      level_q <= '0;
      q_key_q <= '0;
      status_q <= '0;
      index_q <= '0;
      counts_q <= '0;
    end else begin
      state_q <= state_d;
      pair_q <= pair_d;
      slot_q <= slot_d;
      lid_q <= lid_d;
      ring_q <= ring_d;
      requester_q <= requester_d;
      fail_q <= fail_d;
      again_q <= again_d;
      wqe_q <= wqe_d;
      operation_q <= operation_d;
      signalled_q <= signalled_d;
      solicited_q <= solicited_d;
      immediate_q <= immediate_d;
      address_q <= address_d;
      length_q <= length_d;
      l_key_q <= l_key_d;
      destination_q <= destination_d;
      destination_lid_q <= destination_lid_d;
      level_q <= level_d;
      q_key_q <= q_key_d;
      status_q <= status_d;
      index_q <= index_d;
      counts_q <= counts_d;
    end
  end

endmodule
