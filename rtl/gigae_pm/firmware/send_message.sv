/// Processes a send descriptor (paper section 4.5, step sd1).
///
/// The descriptors of a ring are processed in order. PCI DMA copies the message from host memory
/// into its send buffer; then the message is offered to rule S1. If the window of its peer is
/// closed, the message stays first in its ring and is offered again after the next accepted rule of
/// the sender. A frame of another protocol, ring 4, is sent at once and unchanged.
///
/// An invalid descriptor is refused: its flag reports that, the host is interrupted, and the next
/// descriptor follows.
module send_message (
    /// Card clock, 33.33 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From Dispatcher, host port, registers, NIC memory, rules, PCI DMA, transmit DMA.
    input  send_message_pkg::in_t  pins_i,
    /// To Dispatcher, host port, NIC memory, rules, PCI DMA, transmit DMA.
    output send_message_pkg::out_t pins_o
);

  send_message_pkg::state_e state_d, state_q;
  logic [2:0]  ring_d, ring_q;
  logic [4:0]  ready_d, ready_q;
  logic [4:0]  loaded_d, loaded_q;
  logic [4:0]  blocked_d, blocked_q;
  logic [19:0] slots_d, slots_q;
  logic [2:0]  count_d, count_q;
  logic [8:0]  spent_d, spent_q;
  logic        filled_d, filled_q;
  logic        bad_d, bad_q;
  logic [31:0] address_d, address_q;
  logic [10:0] size_d, size_q;
  logic [9:0]  node_d, node_q;
  logic [31:0] area_d, area_q;
  logic [15:0] sent_d, sent_q;
  logic [15:0] refused_d, refused_q;

  logic [3:0]  slot;
  logic [17:0] descriptor;
  logic [17:0] buffer;
  logic [12:0] words_up;
  logic [4:0]  waiting;
  logic        waits;
  logic [4:0]  this_ring;
  assign slot = slots_q[4*ring_q+:4];
  assign descriptor = memory_map_pkg::SendDescriptors + {9'b0, ring_q, slot, 2'b00};
  assign buffer = memory_map_pkg::SendBuffers + {2'b0, ring_q, slot, 9'b0};
  assign words_up = {2'b0, size_q} + 13'd3;
  assign this_ring = 5'd1 << ring_q;
  assign waiting = ready_q & ~blocked_q;
  assign waits = ((waiting & this_ring) != 5'd0);

  assign pins_o.wanted = waits;
  firmware_pkg::memory_access_t memory;
  always_comb begin
    memory = '0;
    unique case (state_q)
      send_message_pkg::Load: begin
        if (count_q < 3'd5) begin
          memory.read = 1'b1;
          unique case (count_q)
            3'd0: memory.address = descriptor + 18'd3;
            3'd4: memory.address = memory_map_pkg::Areas + {14'b0, ring_q, 1'b0};
            default: memory.address = descriptor + {15'b0, count_q} - 18'd1;
          endcase
        end
      end
      send_message_pkg::Mark: begin
        memory.write = 1'b1;
        memory.address = descriptor + 18'd3;
        memory.wdata = {30'b0, memory_map_pkg::Free};
      end
      send_message_pkg::Refuse: begin
        memory.write = 1'b1;
        memory.address = descriptor + 18'd3;
        memory.wdata = {30'b0, memory_map_pkg::Refused};
      end
      default: ;
    endcase
  end
  assign pins_o.memory = memory;
  firmware_pkg::request_t request;
  always_comb begin
    request = '0;
    request.cause = sender_pkg::Offer;
    request.channel = ring_q[1:0];
    request.node = node_q;
    request.slot = slot;
    request.size = size_q;
  end
  assign pins_o.request = request;
  assign pins_o.rule_start = (state_q == send_message_pkg::Offer);
  assign pins_o.transfer.host_address = address_q;
  assign pins_o.transfer.nic_address = buffer;
  assign pins_o.transfer.words = words_up[10:2];
  assign pins_o.transfer.to_host = 1'b0;
  assign pins_o.transfer.area = area_q;
  assign pins_o.transfer_start = (state_q == send_message_pkg::Copy);
  header_pkg::frame_t frame;
  always_comb begin
    frame = '0;
    frame.address = buffer;
    frame.size = size_q;
    frame.raw = 1'b1;
  end
  assign pins_o.frame = frame;
  assign pins_o.frame_start = (state_q == send_message_pkg::Raw);
  assign pins_o.done = (state_q == send_message_pkg::Done);
  assign pins_o.refused_one = (state_q == send_message_pkg::Refuse);
  assign pins_o.sent = sent_q;
  assign pins_o.refused = refused_q;

  logic        other;
  logic [2:0]  next_ring;
  logic        allowed;
  logic        advance;
  logic [31:0] word;
  logic        unknown;
  assign other = (ring_q == memory_map_pkg::Other);
  assign next_ring = (ring_q >= 3'd4) ? 3'd0 : ring_q + 3'd1;
  assign allowed = !bad_q && (size_q >= (other ? send_message_pkg::OtherLeast : 11'd1)) &&
                   (size_q <= (other ? memory_map_pkg::OtherMtu : memory_map_pkg::Mtu));
  assign word = pins_i.memory_rdata;
  assign unknown = (word == {22'b0, pins_i.configuration.identity.node}) ||
                   (word >= {21'b0, pins_i.configuration.nodes});

  // The descriptor, latched word by word.
  always_comb begin
    filled_d = filled_q;
    bad_d = bad_q;
    address_d = address_q;
    size_d = size_q;
    node_d = node_q;
    area_d = area_q;
    if (state_q == send_message_pkg::Idle && pins_i.start) bad_d = 1'b0;
    if (state_q == send_message_pkg::Load) begin
      unique case (count_q)
        3'd1: filled_d = (word == {30'b0, memory_map_pkg::Full});
        3'd2: address_d = word;
        3'd3: begin
          size_d = word[10:0];
          bad_d = (word[31:11] != 21'd0);
        end
        3'd4: begin
          node_d = word[9:0];
          bad_d = bad_q || (unknown && !other);
        end
        3'd5: area_d = word;
        default: ;
      endcase
    end
  end

  always_comb begin
    state_d = state_q;
    ring_d = ring_q;
    ready_d = ready_q;
    loaded_d = loaded_q;
    blocked_d = blocked_q;
    slots_d = slots_q;
    count_d = count_q;
    spent_d = spent_q;
    sent_d = sent_q;
    refused_d = refused_q;
    advance = 1'b0;

    unique case (state_q)
      // Idle: skips rings without work.
      send_message_pkg::Idle: begin
        if (pins_i.start) begin
          state_d = send_message_pkg::Load;
        end else if (waiting != 5'd0 && !waits) begin
          ring_d = next_ring;
        end
      end
      // Load: the flag is read first; a descriptor posted from now on marks the ring as ready
      // again.
      send_message_pkg::Load: begin
        if (count_q == 3'd0) begin
          ready_d = ready_q & ~this_ring;
        end
        count_d = (count_q == 3'd5) ? 3'd0 : count_q + 3'd1;
        if (count_q == 3'd5) begin
          state_d = send_message_pkg::Check;
        end
      end
      // Check: the kernel's descriptor is checked too, because a wrong size would overrun the
      // buffer.
      send_message_pkg::Check: begin
        if (spent_q != cost_pkg::SendCycles) begin
          spent_d = spent_q + 9'd1;
        end else begin
          spent_d = '0;
          if (!filled_q) begin
            state_d = send_message_pkg::Done;
          end else if ((loaded_q & this_ring) != 5'd0) begin
            state_d = send_message_pkg::Offer;
          end else if (!allowed) begin
            state_d = send_message_pkg::Refuse;
          end else begin
            state_d = send_message_pkg::Copy;
          end
        end
      end
      // Copy: PCI DMA is idle.
      send_message_pkg::Copy: state_d = send_message_pkg::Moving;
      // Moving: PCI DMA checks that the message is pinned.
      send_message_pkg::Moving: begin
        if (pins_i.transfer_done) begin
          loaded_d = loaded_q & ~this_ring;
          if (!pins_i.transfer_refused && !other) loaded_d = loaded_q | this_ring;
          state_d = pins_i.transfer_refused ? send_message_pkg::Refuse :
                    other ? send_message_pkg::Raw : send_message_pkg::Offer;
        end
      end
      // Offer: the rule assigns the message number.
      send_message_pkg::Offer: state_d = send_message_pkg::Judge;
      // Judge: a message that was not sent waits for its peer.
      send_message_pkg::Judge: begin
        if (pins_i.rule_done) begin
          advance = pins_i.rule_accepted;
          if (pins_i.rule_accepted) begin
            blocked_d = blocked_q & ~this_ring;
            loaded_d = loaded_q & ~this_ring;
          end else begin
            blocked_d = blocked_q | this_ring;
            loaded_d = loaded_q | this_ring;
          end
          sent_d = sent_q + {15'b0, pins_i.rule_accepted};
          state_d = send_message_pkg::Done;
        end
      end
      // Raw: network DMA finishes with the frame long before its slot is used again.
      send_message_pkg::Raw: begin
        if (pins_i.transmit_idle) begin
          sent_d = sent_q + 16'd1;
          state_d = send_message_pkg::Mark;
        end
      end
      // Mark: frees the descriptor.
      send_message_pkg::Mark: begin
        advance = 1'b1;
        state_d = send_message_pkg::Done;
      end
      // Refuse: skips an invalid descriptor.
      send_message_pkg::Refuse: begin
        advance = 1'b1;
        refused_d = refused_q + 16'd1;
        state_d = send_message_pkg::Done;
      end
      // Done: the ring may hold another descriptor.
      send_message_pkg::Done: begin
        if (filled_q) ready_d = ready_q | this_ring;
        ring_d = next_ring;
        state_d = send_message_pkg::Idle;
      end
      default: state_d = send_message_pkg::Idle;
    endcase

    if (advance) slots_d[4*ring_q+:4] = slot + 4'd1;
    ready_d = ready_d | pins_i.posted;
    if (pins_i.unblock) blocked_d = '0;
  end

  // Other blocks use the other parameters; the size is rounded up to words.
  logic unused;
  assign unused = &{1'b0, pins_i.configuration, words_up[12:11], words_up[1:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_message_pkg::Idle;
      ring_q <= '0;
      ready_q <= '0;
      loaded_q <= '0;
      blocked_q <= '0;
      slots_q <= '0;
      count_q <= '0;
      spent_q <= '0;
      filled_q <= '0;
      bad_q <= '0;
      address_q <= '0;
      size_q <= '0;
      node_q <= '0;
      area_q <= '0;
      sent_q <= '0;
      refused_q <= '0;
    end else begin
      state_q <= state_d;
      ring_q <= ring_d;
      ready_q <= ready_d;
      loaded_q <= loaded_d;
      blocked_q <= blocked_d;
      slots_q <= slots_d;
      count_q <= count_d;
      spent_q <= spent_d;
      filled_q <= filled_d;
      bad_q <= bad_d;
      address_q <= address_d;
      size_q <= size_d;
      node_q <= node_d;
      area_q <= area_d;
      sent_q <= sent_d;
      refused_q <= refused_d;
    end
  end

  // Holds for all posts and all contents of descriptors.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= send_message_pkg::Done);
      RingExists : assert (ring_q <= memory_map_pkg::Other);
    end
  end
`endif

endmodule
