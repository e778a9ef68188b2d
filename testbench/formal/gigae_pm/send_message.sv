/// A send descriptor is carried out only if it is allowed, and a ring moves on by one descriptor at a time (paper section 4.5).
///
/// For any descriptors: only a message of valid size for another node of the cluster is fetched by
/// PCI DMA or offered to a rule; a message that is invalid or not pinned is refused; a ring
/// advances only when its message was sent or refused; a ring whose peer accepts no message does
/// not block the others.
// Shorter: rtl/gigae_pm/generated/firmware/cost_pkg.sv | SendCycles = 9'd108 | SendCycles = 9'd0
// Mutation: rtl/gigae_pm/firmware/send_message.sv | (word[31:11] != 21'd0) | (word[31:12] != 20'd0)
// Mutation: rtl/gigae_pm/firmware/send_message.sv | bad_d = bad_q \|\| (unknown && !other) | bad_d = unknown && !other
// Mutation: rtl/gigae_pm/firmware/send_message.sv | memory_map_pkg::OtherMtu : memory_map_pkg::Mtu | memory_map_pkg::OtherMtu : memory_map_pkg::OtherMtu
// Mutation: rtl/gigae_pm/firmware/send_message.sv | pins_i.transfer_refused ? send_message_pkg::Refuse : | 1'b0 ? send_message_pkg::Refuse :
// Mutation: rtl/gigae_pm/firmware/send_message.sv | advance = pins_i.rule_accepted; | advance = 1'b1;
// Mutation: rtl/gigae_pm/firmware/send_message.sv | assign waiting = ready_q & ~blocked_q | assign waiting = ready_q
// Mutation: rtl/gigae_pm/firmware/send_message.sv | if (pins_i.unblock) blocked_d = '0; | if (pins_i.unblock) blocked_d = blocked_q;
// Witness: StateIsDeclared | rtl/gigae_pm/firmware/send_message.sv | send_message_pkg::Offer: state_d = send_message_pkg::Judge; | send_message_pkg::Offer: state_d = 4'd11;
// Witness: RingExists | rtl/gigae_pm/firmware/send_message.sv | (ring_q >= 3'd4) ? 3'd0 | (ring_q >= 3'd5) ? 3'd0
module send_message_proof (
    input logic clk_i,
    input logic rst_ni,
    input send_message_pkg::in_t pins_i
);

  send_message_pkg::out_t pins_o;
  send_message u_send_message (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [3:0]  \u_send_message.state_q ;
  (* hierconn *) logic [2:0]  \u_send_message.ring_q ;
  (* hierconn *) logic [2:0]  \u_send_message.count_q ;
  (* hierconn *) logic [4:0]  \u_send_message.loaded_q ;
  (* hierconn *) logic [4:0]  \u_send_message.blocked_q ;
  (* hierconn *) logic [19:0] \u_send_message.slots_q ;
  (* hierconn *) logic        \u_send_message.filled_q ;
  (* hierconn *) logic        \u_send_message.bad_q ;
  (* hierconn *) logic [10:0] \u_send_message.size_q ;
  (* hierconn *) logic [9:0]  \u_send_message.node_q ;
  (* hierconn *) logic [31:0] \u_send_message.address_q ;
  logic [3:0] state;
  logic [2:0] ring;
  logic [2:0] count;
  assign state = \u_send_message.state_q ;
  assign ring = \u_send_message.ring_q ;
  assign count = \u_send_message.count_q ;

  machine #(.States(11), .Arcs(send_message_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The kernel's parameters are constant in a session. The Dispatcher starts only requested work.
  // The kernel does not change a descriptor whose message is in its send buffer.
  (* anyconst *) register_pkg::configuration_t configuration;
  always @* begin
    assume (pins_i.configuration == configuration);
    if (!pins_o.wanted) assume (!pins_i.start);
  end

  // The descriptor as read, and the cycle before.
  logic known_q;
  logic past_rst_nq;
  logic [31:0] flag_q;
  logic [31:0] address_q;
  logic [31:0] size_q;
  logic [31:0] node_q;
  logic        pinned_q;
  logic [3:0]  past_state_q;
  logic [2:0]  past_ring_q;
  logic [19:0] past_slots_q;
  logic        past_accepted_q;
  logic        past_unblock_q;
  logic [4:0]  past_blocked_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_ring_q <= ring;
    past_slots_q <= \u_send_message.slots_q ;
    past_accepted_q <= pins_i.rule_done && pins_i.rule_accepted;
    past_unblock_q <= pins_i.unblock;
    past_blocked_q <= \u_send_message.blocked_q ;
    if (state == send_message_pkg::Load) begin
      if (count == 3'd1) flag_q <= pins_i.memory_rdata;
      if (count == 3'd2) address_q <= pins_i.memory_rdata;
      if (count == 3'd3) size_q <= pins_i.memory_rdata;
      if (count == 3'd4) node_q <= pins_i.memory_rdata;
      pinned_q <= \u_send_message.loaded_q [ring];
    end
    if (state == send_message_pkg::Moving && pins_i.transfer_done) pinned_q <= !pins_i.transfer_refused;
  end

  logic other;
  logic full;
  logic fits;
  logic unknown;
  logic allowed;
  assign other = (ring == memory_map_pkg::Other);
  assign full = flag_q == {30'd0, memory_map_pkg::Full};
  assign fits = other ? size_q >= {21'd0, send_message_pkg::OtherLeast} && size_q <= {21'd0, memory_map_pkg::OtherMtu} :
                        size_q >= 32'd1 && size_q <= {21'd0, memory_map_pkg::Mtu};
  assign unknown = node_q == {22'd0, configuration.identity.node} || node_q >= {21'd0, configuration.nodes};
  assign allowed = fits && (other || !unknown);

  logic [3:0]  slot;
  logic [17:0] descriptor;
  logic        left;
  assign slot = past_slots_q[4*past_ring_q+:4];
  assign descriptor = memory_map_pkg::SendDescriptors + {9'd0, ring, \u_send_message.slots_q [4*ring+:4], 2'b00};
  assign left = past_state_q == send_message_pkg::Mark || past_state_q == send_message_pkg::Refuse ||
                (past_state_q == send_message_pkg::Judge && past_accepted_q);
  logic working;
  assign working = state != send_message_pkg::Idle && state != send_message_pkg::Load && state != send_message_pkg::Done;

  always @* begin
    if (known_q) begin
      if (pins_o.transfer_start) begin
        OnlyAnAllowedMessageIsFetched: assert (full && allowed);
        FetchedFromWhereItLies: assert (pins_o.transfer.host_address == address_q && !pins_o.transfer.to_host);
        WordsAreThoseOfTheMessage: assert ({2'd0, pins_o.transfer.words, 2'b00} - {2'd0, size_q[10:0]} < 13'd4);
      end
      if (pins_o.rule_start) begin
        OfferedMessageIsInItsBuffer: assert (full && pinned_q && !other);
        OfferIsTheDescriptors: assert (pins_o.request.node == node_q[9:0] && pins_o.request.size == size_q[10:0] &&
                                       pins_o.request.channel == ring[1:0]);
      end
      if (pins_o.frame_start) OtherFrameIsInItsBuffer: assert (full && pinned_q && other);
      if (pins_o.refused_one) RefusedForAReason: assert (full && !(allowed && pinned_q));
      if (pins_o.memory.write) begin
        WritesTheFlagOfItsDescriptor: assert (pins_o.memory.address == descriptor + 18'd3);
      end
      if (pins_o.memory.read && count != 3'd4) begin
        ReadsItsDescriptor: assert (pins_o.memory.address - descriptor < 18'd4);
      end
      if (past_rst_nq) begin
        RingMovesByOneDescriptor: assert (
            \u_send_message.slots_q [4*past_ring_q+:4] == slot + {3'd0, left});
        if (!left) SlotStaysUntilItIsDone: assert (\u_send_message.slots_q  == past_slots_q);
        if (past_unblock_q) RuleOfTheSenderUnblocks: assert (\u_send_message.blocked_q  == 5'd0);
        if (!past_unblock_q && \u_send_message.blocked_q  != past_blocked_q) begin
          BlockedWhereNothingIsAccepted: assert (past_state_q == send_message_pkg::Judge);
        end
      end
      if (pins_o.wanted) BlockedRingGivesWay: assert (!\u_send_message.blocked_q [ring]);
      // Invariants that carry the induction.
      assert (ring <= 3'd4 && !\u_send_message.loaded_q [4]);
      if (state != send_message_pkg::Load) assert (count == 3'd0);
      if (state == send_message_pkg::Load) begin
        assert (count <= 3'd5);
        if (count >= 3'd2) assert (\u_send_message.filled_q  == full);
        if (count >= 3'd3) assert (\u_send_message.address_q  == address_q);
        if (count >= 3'd4) assert (\u_send_message.size_q  == size_q[10:0]);
        if (count == 3'd4) assert (\u_send_message.bad_q  == (size_q[31:11] != 21'd0));
        if (count == 3'd5) begin
          assert (\u_send_message.node_q  == node_q[9:0] &&
                  \u_send_message.bad_q  == (size_q[31:11] != 21'd0 || (unknown && !other)));
        end
        if (count != 3'd0) assert (pinned_q == \u_send_message.loaded_q [ring]);
      end
      if (working) begin
        assert (\u_send_message.filled_q  == full && \u_send_message.address_q  == address_q &&
                \u_send_message.size_q  == size_q[10:0] && \u_send_message.node_q  == node_q[9:0] &&
                \u_send_message.bad_q  == (size_q[31:11] != 21'd0 || (unknown && !other)));
      end
      if (working && state != send_message_pkg::Check) assert (full);
      if (state == send_message_pkg::Check) assert (pinned_q == \u_send_message.loaded_q [ring]);
      if (state == send_message_pkg::Copy || state == send_message_pkg::Moving) assert (allowed && !pinned_q);
      if (state == send_message_pkg::Offer || state == send_message_pkg::Judge) assert (pinned_q && !other);
      if (state == send_message_pkg::Raw) assert (pinned_q && other);
      if (state == send_message_pkg::Refuse) assert (!(allowed && pinned_q));
    end
  end

endmodule
