/// A received frame is dealt with only in a known form, and the host sees a message only when it is there (paper section 4.5).
///
/// For any content of NIC memory: a rule is applied only to a frame of GigaE PM from a node of the
/// cluster to this one, of known version, kind and channel, that contains its message; the receive
/// descriptor is written after PCI DMA has completed, its flag last; and the host never holds more
/// slots of a ring than exist.
// Shorter: rtl/gigae_pm/generated/firmware/cost_pkg.sv | ReceiveCycles = 9'd108 | ReceiveCycles = 9'd0
// Shorter: rtl/gigae_pm/generated/firmware/cost_pkg.sv | DeliverCycles = 9'd35 | DeliverCycles = 9'd0
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | {1'b0, size_q} + 12'd46 | {1'b0, size_q} + 12'd42
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | (word >= {21'b0, pins_i.configuration.nodes}) | (word > {21'b0, pins_i.configuration.nodes})
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | (kind_q <= frame_pkg::Go) | 1'b1
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | (word[7:3] != {header_pkg::Version, 1'b0}) | (word[7:4] != header_pkg::Version)
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | 4'd0: memory.wdata = place; | 4'd3: memory.wdata = place;
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | if (pins_i.transfer_done) begin | if (1'b1) begin
// Mutation: rtl/gigae_pm/firmware/receive_frame.sv | next_slots_d[4*ring+:4] = slot + 4'd1 | next_slots_d[4*ring+:4] = slot
// Witness: StateIsDeclared | rtl/gigae_pm/firmware/receive_frame.sv | receive_frame_pkg::Rule: state_d = receive_frame_pkg::Judge; | receive_frame_pkg::Rule: state_d = 4'd11;
// Witness: CountsFromZero | rtl/gigae_pm/firmware/receive_frame.sv | count_d = (count_q == 4'd8) ? 4'd0 : count_q + 4'd1; | count_d = count_q + 4'd1;
module receive_frame_proof (
    input logic clk_i,
    input logic rst_ni,
    input receive_frame_pkg::in_t pins_i
);

  receive_frame_pkg::out_t pins_o;
  receive_frame u_receive_frame (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [3:0]  \u_receive_frame.state_q ;
  (* hierconn *) logic [3:0]  \u_receive_frame.count_q ;
  (* hierconn *) logic [10:0] \u_receive_frame.length_q ;
  (* hierconn *) logic [10:0] \u_receive_frame.size_q ;
  (* hierconn *) logic        \u_receive_frame.raw_q ;
  (* hierconn *) logic        \u_receive_frame.bad_q ;
  (* hierconn *) logic        \u_receive_frame.stored_q ;
  (* hierconn *) logic [2:0]  \u_receive_frame.kind_q ;
  (* hierconn *) logic [1:0]  \u_receive_frame.channel_q ;
  (* hierconn *) logic [9:0]  \u_receive_frame.node_q ;
  (* hierconn *) logic [15:0] \u_receive_frame.epoch_q ;
  (* hierconn *) logic [19:0] \u_receive_frame.next_slots_q ;
  logic [3:0] state;
  logic [3:0] count;
  assign state = \u_receive_frame.state_q ;
  assign count = \u_receive_frame.count_q ;

  machine #(.States(11), .Arcs(receive_frame_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The kernel's parameters are constant in a session. The rules deliver a message only if its ring
  // has room.
  (* anyconst *) register_pkg::configuration_t configuration;
  logic [1:0] channel;
  assign channel = \u_receive_frame.channel_q ;
  always @* begin
    assume (pins_i.configuration == configuration);
    if (pins_o.full[channel]) assume (!pins_i.rule_deliver);
  end

  // The words of the frame as read: type, kind and channel, source, destination, size and epoch.
  logic known_q;
  logic past_rst_nq;
  logic [31:0] length_q;
  logic [31:0] type_q;
  logic [31:0] kind_q;
  logic [31:0] source_q;
  logic [31:0] destination_q;
  logic [31:0] size_q;
  logic [2:0]  written_q;
  logic        moving_q;
  logic        moved_q;
  logic        past_done_q;
  logic [19:0] past_slots_q;
  logic [15:0] past_delivered_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_slots_q <= \u_receive_frame.next_slots_q ;
    past_delivered_q <= pins_o.delivered;
    if (state == receive_frame_pkg::Load) begin
      if (count == 4'd1) length_q <= pins_i.memory_rdata;
      if (count == 4'd2) type_q <= pins_i.memory_rdata;
      if (count == 4'd3) kind_q <= pins_i.memory_rdata;
      if (count == 4'd4) source_q <= pins_i.memory_rdata;
      if (count == 4'd5) destination_q <= pins_i.memory_rdata;
      if (count == 4'd8) size_q <= pins_i.memory_rdata;
    end
    if (state == receive_frame_pkg::Idle) begin
      written_q <= '0;
      moving_q <= 1'b0;
      moved_q <= 1'b0;
    end else begin
      if (pins_o.memory.write) written_q <= written_q + 3'd1;
      if (pins_o.transfer_start) moving_q <= 1'b1;
      if (moving_q && pins_i.transfer_done) moved_q <= 1'b1;
    end
  end

  logic ours;
  logic message;
  logic known_form;
  logic raw;
  assign raw = {type_q[23:16], type_q[31:24]} != configuration.identity.ether_type;
  assign ours = kind_q[31:10] == 22'd0 && kind_q[7:4] == header_pkg::Version && kind_q[3] == 1'b0 &&
                source_q < {21'd0, configuration.nodes} && source_q != {22'd0, configuration.identity.node} &&
                destination_q == {22'd0, configuration.identity.node} && size_q[15:11] == 5'd0;
  assign message = kind_q[2:0] == frame_pkg::Message;
  assign known_form = message ? size_q[10:0] != 11'd0 && size_q[10:0] <= memory_map_pkg::Mtu &&
                                {1'b0, size_q[10:0]} + 12'd46 <= {1'b0, length_q[10:0]} :
                                kind_q[2:0] != 3'd0 && kind_q[2:0] <= frame_pkg::Go && size_q[10:0] == 11'd0;

  logic [2:0]  ring;
  logic [3:0]  slot;
  logic [17:0] descriptor;
  assign ring = raw ? memory_map_pkg::Other : {1'b0, kind_q[9:8]};
  assign slot = \u_receive_frame.next_slots_q [4*ring+:4];
  assign descriptor = memory_map_pkg::ReceiveDescriptors + {9'b0, ring, slot, 2'b00};
  logic working;
  assign working = state != receive_frame_pkg::Idle && state != receive_frame_pkg::Load;

  always @* begin
    if (known_q) begin
      if (pins_o.rule_start) begin
        RuleIsForAFrameOfKnownForm: assert (!raw && ours && known_form);
        RuleIsTheFrames: assert (pins_o.request.node == source_q[9:0] && pins_o.request.channel == kind_q[9:8] &&
                                 pins_o.request.epoch == size_q[31:16]);
        ReceiverTakesMessages: assert (pins_o.request.receives == message);
      end
      if (pins_o.transfer_start) begin
        OnlyMessagesAndOtherFramesGoToTheHost: assert (raw || message);
        if (!raw) begin
          WordsAreThoseOfTheMessage: assert (
              {2'd0, pins_o.transfer.words, 2'b00} - {2'd0, size_q[10:0]} < 13'd4);
        end
      end
      if (pins_o.memory.write) begin
        DescriptorComesBehindTheMessage: assert (moved_q);
        DescriptorIsWrittenInOrder: assert (pins_o.memory.address == descriptor + {15'd0, written_q} && written_q < 3'd4);
        FlagGoesLast: assert (written_q != 3'd3 || pins_o.memory.wdata == {30'd0, memory_map_pkg::Full});
        if (written_q == 3'd1 && !raw) SizeIsTheMessages: assert (pins_o.memory.wdata == {21'd0, size_q[10:0]});
        if (written_q == 3'd2 && !raw) PeerIsTheSender: assert (pins_o.memory.wdata == {22'd0, source_q[9:0]});
      end
      if (past_rst_nq && pins_o.delivered != past_delivered_q) begin
        SlotsAreUsedInTurn: assert (\u_receive_frame.next_slots_q [4*ring+:4] == past_slots_q[4*ring+:4] + 4'd1);
      end else if (past_rst_nq) begin
        SlotStaysUntilItIsFilled: assert (\u_receive_frame.next_slots_q  == past_slots_q);
      end
      NoMoreSlotsHeldThanThereAre: assert (pins_o.held[4:0] <= 5'd16 && pins_o.held[9:5] <= 5'd16 &&
                                           pins_o.held[14:10] <= 5'd16 && pins_o.held[19:15] <= 5'd16 &&
                                           pins_o.held[24:20] <= 5'd16);
      // Invariants that carry the induction.
      if (state == receive_frame_pkg::Load) begin
        assert (count <= 4'd8 && written_q == 3'd0 && !moving_q && !moved_q && !\u_receive_frame.stored_q );
        if (count >= 4'd2) assert (\u_receive_frame.length_q  == length_q[10:0]);
        if (count >= 4'd3) assert (\u_receive_frame.raw_q  == raw);
        if (count >= 4'd4) begin
          assert (\u_receive_frame.kind_q  == kind_q[2:0] && \u_receive_frame.channel_q  == kind_q[9:8]);
        end
        if (count == 4'd4) begin
          assert (\u_receive_frame.bad_q  == (kind_q[31:10] != 22'd0 || kind_q[7:3] != {header_pkg::Version, 1'b0}));
        end
        if (count >= 4'd5) assert (\u_receive_frame.node_q  == source_q[9:0]);
        if (count == 4'd5) begin
          assert (\u_receive_frame.bad_q  == (kind_q[31:10] != 22'd0 || kind_q[7:3] != {header_pkg::Version, 1'b0} ||
                  source_q == {22'd0, configuration.identity.node} || source_q >= {21'd0, configuration.nodes}));
        end
        if (count >= 4'd6) begin
          assert (\u_receive_frame.bad_q  == (kind_q[31:10] != 22'd0 || kind_q[7:3] != {header_pkg::Version, 1'b0} ||
                  source_q == {22'd0, configuration.identity.node} || source_q >= {21'd0, configuration.nodes} ||
                  destination_q != {22'd0, configuration.identity.node}));
        end
      end
      if (working) begin
        assert (\u_receive_frame.length_q  == length_q[10:0] && \u_receive_frame.raw_q  == raw &&
                \u_receive_frame.kind_q  == kind_q[2:0] && \u_receive_frame.channel_q  == kind_q[9:8] &&
                \u_receive_frame.epoch_q  == size_q[31:16] && \u_receive_frame.bad_q  == !ours);
        if (!raw || state == receive_frame_pkg::Check) begin
          assert (\u_receive_frame.size_q  == size_q[10:0] && \u_receive_frame.node_q  == source_q[9:0]);
        end
        if (state != receive_frame_pkg::Describe) assert (count == 4'd0);
        if (state != receive_frame_pkg::Check && state != receive_frame_pkg::Done) begin
          assert (raw || (ours && known_form));
        end
      end
      case (state)
        receive_frame_pkg::Check, receive_frame_pkg::Area, receive_frame_pkg::Place, receive_frame_pkg::Copy: begin
          assert (!\u_receive_frame.stored_q  && written_q == 3'd0 && !moving_q && !moved_q);
        end
        receive_frame_pkg::Rule, receive_frame_pkg::Judge: begin
          assert (!raw && (\u_receive_frame.stored_q  ? message && written_q == 3'd4 && moved_q :
                                                        written_q == 3'd0 && !moving_q && !moved_q));
        end
        receive_frame_pkg::Moving: begin
          assert (!\u_receive_frame.stored_q  && written_q == 3'd0 && moving_q && !moved_q);
        end
        receive_frame_pkg::Describe: begin
          assert (!\u_receive_frame.stored_q  && count == {1'b0, written_q} && written_q < 3'd4 && moving_q && moved_q);
        end
        default: ;
      endcase
      if (state == receive_frame_pkg::Area || state == receive_frame_pkg::Place || state == receive_frame_pkg::Copy ||
          state == receive_frame_pkg::Moving || state == receive_frame_pkg::Describe) begin
        assert (raw || message);
        assert (pins_o.held[5*ring+:5] <= 5'd15);
      end
    end
  end

endmodule
