/// Processes a received frame (paper sections 4.5 and 4.7, steps rd1 to rc4).
///
/// The Ethernet type selects the protocol. A frame of GigaE PM is checked and its rule applied. A
/// message that the rule accepts is copied to the next slot of its channel's receive ring in host
/// memory. Receive descriptor and arrival flag are written after PCI DMA has completed, so a set
/// flag guarantees that the message is there. A frame of any other protocol is copied to ring 4
/// unchanged, and the host is interrupted.
///
/// Slots are used, and given back by the host, in ring order.
module receive_frame (
    /// Card clock, 33.33 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From Dispatcher, registers, NIC memory, host port, rules, PCI DMA.
    input  receive_frame_pkg::in_t  pins_i,
    /// To Dispatcher, NIC memory, host port, rules, PCI DMA.
    output receive_frame_pkg::out_t pins_o
);

  receive_frame_pkg::state_e state_d, state_q;
  logic [3:0]  buffer_d, buffer_q;
  logic [3:0]  count_d, count_q;
  logic [8:0]  spent_d, spent_q;
  logic [10:0] length_d, length_q;
  logic        raw_d, raw_q;
  logic        bad_d, bad_q;
  logic [2:0]  kind_d, kind_q;
  logic [1:0]  channel_d, channel_q;
  logic [9:0]  node_d, node_q;
  logic [31:0] number_d, number_q;
  logic [15:0] epoch_d, epoch_q;
  logic [10:0] size_d, size_q;
  logic        stored_d, stored_q;
  logic [31:0] area_d, area_q;
  logic [19:0] next_slots_d, next_slots_q;
  logic [24:0] held_d, held_q;
  logic [15:0] malformed_d, malformed_q;
  logic [15:0] discarded_d, discarded_q;
  logic [15:0] delivered_d, delivered_q;

  logic [2:0]  ring;
  logic [3:0]  slot;
  logic [31:0] place;
  logic [17:0] frame;
  logic [17:0] descriptor;
  logic [12:0] words_up;
  assign ring = raw_q ? memory_map_pkg::Other : {1'b0, channel_q};
  assign slot = next_slots_q[4*ring+:4];
  assign place = area_q + {17'b0, slot, 11'b0};
  assign frame = memory_map_pkg::Frames + {5'b0, buffer_q, 9'b0};
  assign descriptor = memory_map_pkg::ReceiveDescriptors + {9'b0, ring, slot, 2'b00} +
                      {14'b0, count_q};
  assign words_up = {2'b0, size_q} + 13'd3;

  // The modelled cycles of the check, and of the delivery, have elapsed.
  logic paid_receive;
  logic paid_deliver;
  assign paid_receive = (spent_q == cost_pkg::ReceiveCycles);
  assign paid_deliver = (spent_q == cost_pkg::DeliverCycles);

  firmware_pkg::memory_access_t memory;
  always_comb begin
    memory = '0;
    if (state_q == receive_frame_pkg::Load && count_q < 4'd8) begin
      memory.read = 1'b1;
      memory.address = frame + ((count_q == 4'd0) ? {9'b0, memory_map_pkg::LengthWord} :
                                                           {14'b0, count_q} + 18'd2);
    end else if (state_q == receive_frame_pkg::Area) begin
      memory.read = 1'b1;
      memory.address = memory_map_pkg::Areas + {14'b0, ring, 1'b1};
    end else if (state_q == receive_frame_pkg::Describe && paid_deliver) begin
      memory.write = 1'b1;
      memory.address = descriptor;
      unique case (count_q)
        4'd0: memory.wdata = place;
        4'd1: memory.wdata = {21'b0, size_q};
        4'd2: memory.wdata = {22'b0, node_q};
        default: memory.wdata = {30'b0, memory_map_pkg::Full};
      endcase
    end
  end
  assign pins_o.memory = memory;
  assign pins_o.request.receives = stored_q || (kind_q == frame_pkg::Message);
  assign pins_o.request.cause = stored_q ? receiver_pkg::Stored : kind_q;
  assign pins_o.request.channel = channel_q;
  assign pins_o.request.node = node_q;
  assign pins_o.request.number = number_q;
  assign pins_o.request.epoch = epoch_q;
  assign pins_o.request.slot = '0;
  assign pins_o.request.size = '0;
  assign pins_o.rule_start = (state_q == receive_frame_pkg::Rule);
  assign pins_o.transfer.host_address = place;
  assign pins_o.transfer.nic_address =
      raw_q ? frame : frame + {9'b0, memory_map_pkg::HeaderWords};
  assign pins_o.transfer.words = words_up[10:2];
  assign pins_o.transfer.to_host = 1'b1;
  assign pins_o.transfer.area = area_q;
  assign pins_o.transfer_start = (state_q == receive_frame_pkg::Copy);
  assign pins_o.done = (state_q == receive_frame_pkg::Done);
  assign pins_o.other_delivered = (state_q == receive_frame_pkg::Done) && stored_q && raw_q;
  for (genvar other = 0; other < 4; other++) begin : gen_full
    assign pins_o.full[other] = held_q[5*other+4];
  end
  assign pins_o.held = held_q;
  assign pins_o.malformed = malformed_q;
  assign pins_o.discarded = discarded_q;
  assign pins_o.delivered = delivered_q;

  // The message must fit in the frame, after 14 bytes of Ethernet header and 32 of wire header.
  logic        message;
  logic        fits;
  logic        known;
  logic        form;
  logic        other_full;
  logic        delivers;
  logic [31:0] word;
  logic [15:0] ether_type;
  assign message = (kind_q == frame_pkg::Message);
  assign fits = (size_q != 11'd0) && (size_q <= memory_map_pkg::Mtu) &&
                ({1'b0, length_q} >= {1'b0, size_q} + 12'd46);
  assign known = (kind_q != frame_pkg::Nothing) && (kind_q <= frame_pkg::Go);
  assign form = message ? fits : known && (size_q == 11'd0);
  assign other_full = held_q[24];
  assign delivers = pins_i.rule_deliver && message && !stored_q;
  assign word = pins_i.memory_rdata;
  assign ether_type = {word[23:16], word[31:24]};

  // Slots that the host holds: incremented with each descriptor, decremented with each slot given
  // back.
  logic taken;
  assign taken = (state_q == receive_frame_pkg::Describe) && paid_deliver && (count_q == 4'd3) &&
                 !stored_q;
  for (genvar other = 0; other < 5; other++) begin : gen_held
    logic [4:0] now;
    logic       more;
    logic       less;
    assign now = held_q[5*other+:5];
    assign more = taken && (ring == 3'(other));
    assign less = pins_i.released && (pins_i.released_ring == 3'(other)) && (now != 5'd0);
    assign held_d[5*other+:5] = now + {4'b0, more} - {4'b0, less};
  end

  // Length and header, latched word by word. A frame of another protocol is delivered with its two
  // padding bytes, and has no sender.
  always_comb begin
    length_d = length_q;
    raw_d = raw_q;
    bad_d = bad_q;
    kind_d = kind_q;
    channel_d = channel_q;
    node_d = node_q;
    number_d = number_q;
    epoch_d = epoch_q;
    size_d = size_q;
    if (state_q == receive_frame_pkg::Idle && pins_i.start) bad_d = 1'b0;
    if (state_q == receive_frame_pkg::Load) begin
      unique case (count_q)
        4'd1: length_d = word[10:0];
        4'd2: raw_d = (ether_type != pins_i.configuration.identity.ether_type);
        4'd3: begin
          kind_d = word[2:0];
          channel_d = word[9:8];
          bad_d = (word[31:10] != 22'd0) || (word[7:3] != {header_pkg::Version, 1'b0});
        end
        4'd4: begin
          node_d = word[9:0];
          bad_d = bad_q || (word == {22'b0, pins_i.configuration.identity.node}) ||
                  (word >= {21'b0, pins_i.configuration.nodes});
        end
        4'd5: bad_d = bad_q || (word != {22'b0, pins_i.configuration.identity.node});
        4'd6: number_d = word;
        4'd7: number_d = message ? number_q : word;
        4'd8: begin
          size_d = word[10:0];
          epoch_d = word[31:16];
          bad_d = bad_q || (word[15:11] != 5'd0);
        end
        default: ;
      endcase
    end
    if (state_q == receive_frame_pkg::Check && paid_receive && raw_q) begin
      size_d = length_q + 11'd2;
      node_d = '0;
    end
  end

  always_comb begin
    state_d = state_q;
    buffer_d = buffer_q;
    count_d = count_q;
    spent_d = spent_q;
    stored_d = stored_q;
    area_d = area_q;
    next_slots_d = next_slots_q;
    malformed_d = malformed_q;
    discarded_d = discarded_q;
    delivered_d = delivered_q;

    unique case (state_q)
      // Idle: a reported frame is complete.
      receive_frame_pkg::Idle: begin
        if (pins_i.start) begin
          buffer_d = pins_i.slot;
          stored_d = 1'b0;
          state_d = receive_frame_pkg::Load;
        end
      end
      // Load: a word arrives in the cycle after its read.
      receive_frame_pkg::Load: begin
        count_d = (count_q == 4'd8) ? 4'd0 : count_q + 4'd1;
        if (count_q == 4'd8) begin
          state_d = receive_frame_pkg::Check;
        end
      end
      // Check: first the Ethernet type, then the format.
      receive_frame_pkg::Check: begin
        if (!paid_receive) begin
          spent_d = spent_q + 9'd1;
        end else begin
          spent_d = '0;
          if (raw_q) begin
            discarded_d = discarded_q + {15'b0, other_full};
            state_d = other_full ? receive_frame_pkg::Done : receive_frame_pkg::Area;
          end else if (bad_q || !form) begin
            malformed_d = malformed_q + 16'd1;
            state_d = receive_frame_pkg::Done;
          end else begin
            state_d = receive_frame_pkg::Rule;
          end
        end
      end
      // Rule: control frames go to the sender's rules, messages to the receiver's.
      receive_frame_pkg::Rule: state_d = receive_frame_pkg::Judge;
      // Judge: a message that is not accepted has already been answered.
      receive_frame_pkg::Judge: begin
        if (pins_i.rule_done) begin
          discarded_d = discarded_q + {15'b0, message && !stored_q && !delivers};
          state_d = delivers ? receive_frame_pkg::Area : receive_frame_pkg::Done;
        end
      end
      // Area: the word arrives in the next cycle.
      receive_frame_pkg::Area: state_d = receive_frame_pkg::Place;
      // Place: a slot has 2 KB.
      receive_frame_pkg::Place: begin
        area_d = word;
        state_d = receive_frame_pkg::Copy;
      end
      // Copy: PCI DMA is idle.
      receive_frame_pkg::Copy: state_d = receive_frame_pkg::Moving;
      // Moving: a slot always lies inside its ring, so PCI DMA does not refuse it.
      receive_frame_pkg::Moving: begin
        if (pins_i.transfer_done) begin
          state_d = receive_frame_pkg::Describe;
        end
      end
      // Describe: the flag is written last.
      receive_frame_pkg::Describe: begin
        if (!paid_deliver) begin
          spent_d = spent_q + 9'd1;
        end else begin
          count_d = (count_q == 4'd3) ? 4'd0 : count_q + 4'd1;
          if (count_q == 4'd3) begin
            spent_d = '0;
            stored_d = 1'b1;
            delivered_d = delivered_q + 16'd1;
            next_slots_d[4*ring+:4] = slot + 4'd1;
            state_d = (raw_q || pins_i.configuration.rules.count_at_once) ?
                      receive_frame_pkg::Done : receive_frame_pkg::Rule;
          end
        end
      end
      // Done: the buffer is free for the next frame.
      receive_frame_pkg::Done: state_d = receive_frame_pkg::Idle;
      default: state_d = receive_frame_pkg::Idle;
    endcase
  end

  // Other blocks use the other parameters; the size is rounded up to words.
  logic unused;
  assign unused = &{1'b0, pins_i.configuration, words_up[12:11], words_up[1:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= receive_frame_pkg::Idle;
      buffer_q <= '0;
      count_q <= '0;
      spent_q <= '0;
      length_q <= '0;
      raw_q <= '0;
      bad_q <= '0;
      kind_q <= '0;
      channel_q <= '0;
      node_q <= '0;
      number_q <= '0;
      epoch_q <= '0;
      size_q <= '0;
      stored_q <= '0;
      area_q <= '0;
      next_slots_q <= '0;
      held_q <= '0;
      malformed_q <= '0;
      discarded_q <= '0;
      delivered_q <= '0;
    end else begin
      state_q <= state_d;
      buffer_q <= buffer_d;
      count_q <= count_d;
      spent_q <= spent_d;
      length_q <= length_d;
      raw_q <= raw_d;
      bad_q <= bad_d;
      kind_q <= kind_d;
      channel_q <= channel_d;
      node_q <= node_d;
      number_q <= number_d;
      epoch_q <= epoch_d;
      size_q <= size_d;
      stored_q <= stored_d;
      area_q <= area_d;
      next_slots_q <= next_slots_d;
      held_q <= held_d;
      malformed_q <= malformed_d;
      discarded_q <= discarded_d;
      delivered_q <= delivered_d;
    end
  end

  // Words of frame and descriptor are counted from 0.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= receive_frame_pkg::Done);
      CountsFromZero : assert (count_q == 4'd0 ||
                               (state_q == receive_frame_pkg::Load && count_q <= 4'd8) ||
                               (state_q == receive_frame_pkg::Describe && count_q <= 4'd3));
    end
  end
`endif

endmodule
