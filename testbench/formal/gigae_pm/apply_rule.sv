/// A rule loads the control structure of its peer, and stores it or leaves it; nothing else is written (paper appendix).
///
/// For all results of the rules: the six words are read and written in order, at the address of the
/// rule's channel and node; frames go to that node; a message is sent only from a buffer that was
/// kept or found; a rule of the receiver replies, delivers and discards, a rule of the sender does
/// not.
// Shorter: rtl/gigae_pm/generated/firmware/cost_pkg.sv | RuleCycles = 9'd35 | RuleCycles = 9'd0
// Shorter: rtl/gigae_pm/generated/firmware/cost_pkg.sv | FrameCycles = 9'd35 | FrameCycles = 9'd0
// Mutation: rtl/gigae_pm/firmware/apply_rule.sv | (count_q == 3'd6) ? 3'd0 | (count_q == 3'd7) ? 3'd0
// Mutation: rtl/gigae_pm/firmware/apply_rule.sv | 3'd3: control_d[95:64] = pins_i.memory_rdata; | 3'd3: control_d[63:32] = pins_i.memory_rdata;
// Mutation: rtl/gigae_pm/firmware/apply_rule.sv | 3'd4: memory.wdata = control_q[159:128] | 3'd4: memory.wdata = control_q[127:96]
// Mutation: rtl/gigae_pm/firmware/apply_rule.sv | {7'b0, request_q.node, 1'b0} | {6'b0, request_q.node, 2'b0}
// Mutation: rtl/gigae_pm/firmware/apply_rule.sv | discarding_d[request_q.channel] = | discarding_d[pins_i.request.channel] =
// Witness: StateIsDeclared | rtl/gigae_pm/firmware/apply_rule.sv | apply_rule_pkg::Done: state_d = apply_rule_pkg::Idle; | apply_rule_pkg::Done: state_d = 4'd12;
// Witness: CountsFromZero | rtl/gigae_pm/firmware/apply_rule.sv | count_d = (count_q == 3'd6) ? 3'd0 : count_q + 3'd1; | count_d = count_q + 3'd1;
module apply_rule_proof (
    input logic clk_i,
    input logic rst_ni,
    input apply_rule_pkg::in_t pins_i
);

  apply_rule_pkg::out_t pins_o;
  apply_rule u_apply_rule (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [3:0]   \u_apply_rule.state_q ;
  (* hierconn *) logic [2:0]   \u_apply_rule.count_q ;
  (* hierconn *) logic [78:0]  \u_apply_rule.request_q ;
  (* hierconn *) logic [191:0] \u_apply_rule.control_q ;
  (* hierconn *) logic [1:0]   \u_apply_rule.operation_q ;
  logic [3:0] state;
  logic [2:0] count;
  assign state = \u_apply_rule.state_q ;
  assign count = \u_apply_rule.count_q ;

  machine #(.States(12), .Arcs(apply_rule_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The current rule, the structure as read, the number of words written, and whether a message has
  // its buffer.
  logic known_q;
  logic past_rst_nq;
  firmware_pkg::request_t request_q;
  logic [191:0] loaded_q;
  logic [2:0]   written_q;
  logic         buffered_q;
  logic [3:0]   past_state_q;
  logic [3:0]   past_discarding_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_discarding_q <= pins_o.discarding;
    if (state == apply_rule_pkg::Idle) begin
      request_q <= pins_i.request;
      written_q <= '0;
      buffered_q <= 1'b0;
    end else begin
      if (state == apply_rule_pkg::Load && count != 3'd0) loaded_q <= {pins_i.memory_rdata, loaded_q[191:32]};
      if (pins_o.memory.write) written_q <= written_q + 3'd1;
      if (state == apply_rule_pkg::Buffer && pins_i.buffer_done) begin
        buffered_q <= \u_apply_rule.operation_q  == firmware_pkg::Keep ||
                      (\u_apply_rule.operation_q  == firmware_pkg::Find && pins_i.buffer_found);
      end
    end
  end

  logic [17:0] place;
  logic [31:0] word;
  assign place = memory_map_pkg::ControlStructures + {3'b0, request_q.channel, 13'b0} + 18'd6 * {8'b0, request_q.node};
  assign word = \u_apply_rule.control_q [32*written_q+:32];

  always @* begin
    if (known_q) begin
      if (pins_o.memory.read) begin
        ReadsTheStructureInOrder: assert (pins_o.memory.address == place + {15'd0, count} && count < 3'd6);
      end
      if (pins_o.memory.write) begin
        WritesTheStructureInOrder: assert (pins_o.memory.address == place + {15'd0, written_q} && written_q < 3'd6);
        WritesWhatTheRuleMade: assert (pins_o.memory.wdata == word);
      end
      if (state == apply_rule_pkg::Apply) WholeStructureIsLoaded: assert (\u_apply_rule.control_q  == loaded_q);
      if (pins_o.done) AllOfItIsWrittenOrNothing: assert (written_q == 3'd0 || written_q == 3'd6);
      if (pins_o.frame_start) begin
        FrameGoesToThePeer: assert (pins_o.frame.node == request_q.node && pins_o.frame.channel == request_q.channel &&
                                    !pins_o.frame.raw);
        if (pins_o.frame.kind == frame_pkg::Message) begin
          MessageHasItsBuffer: assert (buffered_q && !request_q.receives);
        end else begin
          ReceiverReplies: assert (request_q.receives && pins_o.frame.size == 11'd0);
        end
      end
      if (pins_o.done && pins_o.accepted) begin
        OnlyAnOfferIsAccepted: assert (!request_q.receives && request_q.cause == sender_pkg::Offer);
      end
      if (pins_o.done && pins_o.deliver) begin
        OnlyAMessageIsDelivered: assert (request_q.receives && request_q.cause == receiver_pkg::Message);
      end
      if (pins_o.dead) OnlyATimerFindsAPeerDead: assert (!request_q.receives && request_q.cause == sender_pkg::Timer);
      if (past_rst_nq && pins_o.discarding != past_discarding_q) begin
        OnlyItsChannelDiscards: assert (
            request_q.receives && past_state_q == apply_rule_pkg::Apply &&
            (pins_o.discarding ^ past_discarding_q) == (4'b0001 << request_q.channel));
      end
      // Invariants that carry the induction.
      if (state != apply_rule_pkg::Idle) assert (request_q == \u_apply_rule.request_q );
      if (state != apply_rule_pkg::Load && state != apply_rule_pkg::Store) assert (count == 3'd0);
      case (state)
        apply_rule_pkg::Load: begin
          assert (count <= 3'd6 && written_q == 3'd0 && !buffered_q && !pins_o.accepted && !pins_o.deliver);
          if (count >= 3'd2) assert (\u_apply_rule.control_q [31:0] == loaded_q[32*(3'd7-count)+:32]);
          if (count >= 3'd3) assert (\u_apply_rule.control_q [63:32] == loaded_q[32*(4'd8-count)+:32]);
          if (count >= 3'd4) assert (\u_apply_rule.control_q [95:64] == loaded_q[32*(4'd9-count)+:32]);
          if (count >= 3'd5) assert (\u_apply_rule.control_q [127:96] == loaded_q[32*(4'd10-count)+:32]);
          if (count >= 3'd6) assert (\u_apply_rule.control_q [159:128] == loaded_q[32*(4'd11-count)+:32]);
        end
        apply_rule_pkg::Store: begin
          assert (count == written_q && count < 3'd6);
        end
        apply_rule_pkg::Idle: ;
        apply_rule_pkg::Done: begin
          assert (written_q == 3'd0 || written_q == 3'd6);
        end
        default: begin
          assert (written_q == 3'd0);
        end
      endcase
      if (state == apply_rule_pkg::Apply) assert (!pins_o.accepted && !pins_o.deliver && !buffered_q);
      if (state == apply_rule_pkg::Reply) begin
        assert (request_q.receives && pins_o.frame.kind != frame_pkg::Message);
      end
      if (state == apply_rule_pkg::Send) assert (buffered_q && pins_o.frame.kind == frame_pkg::Message);
      if (state == apply_rule_pkg::Free || state == apply_rule_pkg::Keep || state == apply_rule_pkg::Find ||
          state == apply_rule_pkg::Buffer || state == apply_rule_pkg::Send || state == apply_rule_pkg::Offer) begin
        assert (!request_q.receives && pins_o.frame.kind == frame_pkg::Message);
      end
      if (state != apply_rule_pkg::Idle) begin
        assert (!pins_o.accepted || (!request_q.receives && request_q.cause == sender_pkg::Offer));
        assert (!pins_o.deliver || (request_q.receives && request_q.cause == receiver_pkg::Message));
      end
    end
  end

  // The results of a rule are kept in registers until it is done.
  (* hierconn *) logic \u_apply_rule.dead_q ;
  always @* begin
    if (known_q && state != apply_rule_pkg::Idle && \u_apply_rule.dead_q ) begin
      assert (!request_q.receives && request_q.cause == sender_pkg::Timer);
    end
    if (known_q && (state == apply_rule_pkg::Load || state == apply_rule_pkg::Apply)) assert (!\u_apply_rule.dead_q );
  end

endmodule
