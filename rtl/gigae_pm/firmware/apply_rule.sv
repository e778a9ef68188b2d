/// Applies a rule of the protocol: loads the control structure of a peer, applies the rule,
/// performs its actions and stores the structure.
///
/// The rules themselves are the combinational blocks `sender` and `receiver`. After an accepted
/// rule of the sender, S1 is repeated until it sends nothing: it retransmits messages from their
/// send buffers. New messages are offered by the work on send descriptors. They get their numbers
/// here, and only if they can be sent at once.
module apply_rule (
    /// Card clock, 33.33 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From the callers, send buffers, transmit DMA, registers and NIC memory.
    input  apply_rule_pkg::in_t  pins_i,
    /// To the callers, send buffers, transmit DMA and NIC memory.
    output apply_rule_pkg::out_t pins_o
);

  apply_rule_pkg::state_e state_d, state_q;
  firmware_pkg::request_t request_d, request_q;
  logic [191:0]           control_d, control_q;
  logic [2:0]             count_d, count_q;
  logic [8:0]             spent_d, spent_q;
  logic [2:0]             kind_d, kind_q;
  logic [31:0]            number_d, number_q;
  logic [31:0]            freed_d, freed_q;
  logic [3:0]             slot_d, slot_q;
  logic [10:0]            size_d, size_q;
  logic [1:0]             operation_d, operation_q;
  logic                   probe_d, probe_q;
  logic                   accepted_d, accepted_q;
  logic                   deliver_d, deliver_q;
  logic                   unblock_d, unblock_q;
  logic                   dead_d, dead_q;
  logic [3:0]             discarding_d, discarding_q;
  logic [15:0]            wrong_epoch_d, wrong_epoch_q;
  logic [15:0]            expired_d, expired_q;

  control_pkg::control_t control;
  logic [17:0]           address;
  logic                  frame_paid;
  assign control = control_q;
  assign address = memory_map_pkg::ControlStructures + {3'b0, request_q.channel, 13'b0} +
                   {6'b0, request_q.node, 2'b0} + {7'b0, request_q.node, 1'b0} + {15'b0, count_q};
  assign frame_paid = (spent_q == cost_pkg::FrameCycles);

  firmware_pkg::memory_access_t memory;
  always_comb begin
    memory = '0;
    if (state_q == apply_rule_pkg::Load && count_q < 3'd6) begin
      memory.read = 1'b1;
      memory.address = address;
    end else if (state_q == apply_rule_pkg::Store) begin
      memory.write = 1'b1;
      memory.address = address;
      unique case (count_q)
        3'd1, 3'd7: memory.wdata = control_q[63:32];
        3'd2: memory.wdata = control_q[95:64];
        3'd3: memory.wdata = control_q[127:96];
        3'd4: memory.wdata = control_q[159:128];
        3'd5: memory.wdata = control_q[191:160];
        default: memory.wdata = control_q[31:0];
      endcase
    end
  end
  assign pins_o.memory = memory;
  assign pins_o.buffer.operation = operation_q;
  assign pins_o.buffer.channel = request_q.channel;
  assign pins_o.buffer.node = request_q.node;
  assign pins_o.buffer.number = number_q;
  assign pins_o.buffer.count = freed_q;
  assign pins_o.buffer.slot = slot_q;
  assign pins_o.buffer.size = size_q;
  assign pins_o.buffer_start = (state_q == apply_rule_pkg::Free) ||
                               (state_q == apply_rule_pkg::Keep) ||
                               (state_q == apply_rule_pkg::Find);
  assign pins_o.frame.address = memory_map_pkg::SendBuffers +
                                {3'b0, request_q.channel, slot_q, 9'b0};
  assign pins_o.frame.size = (state_q == apply_rule_pkg::Send) ? size_q : 11'd0;
  assign pins_o.frame.raw = 1'b0;
  assign pins_o.frame.kind = kind_q;
  assign pins_o.frame.channel = request_q.channel;
  assign pins_o.frame.node = request_q.node;
  assign pins_o.frame.number = number_q;
  assign pins_o.frame.epoch = control.epoch;
  assign pins_o.frame_start = frame_paid && ((state_q == apply_rule_pkg::Reply) ||
                                             (state_q == apply_rule_pkg::Send));
  assign pins_o.done = (state_q == apply_rule_pkg::Done);
  assign pins_o.accepted = accepted_q;
  assign pins_o.deliver = deliver_q;
  assign pins_o.unblock = unblock_q && (state_q == apply_rule_pkg::Done);
  assign pins_o.dead = dead_q && (state_q == apply_rule_pkg::Done);
  assign pins_o.discarding = discarding_q;
  assign pins_o.wrong_epoch = wrong_epoch_q;
  assign pins_o.expired = expired_q;

  // Inputs of the sender's rules: the event, or S1.
  sender_pkg::in_t  sender_in;
  sender_pkg::out_t sender_out;
  logic             offers;
  logic             timer;
  logic             in_offer;
  assign offers = (request_q.cause == sender_pkg::Offer);
  assign timer = (request_q.cause == sender_pkg::Timer);
  assign in_offer = (state_q == apply_rule_pkg::Offer);
  assign sender_in.control = control_q;
  assign sender_in.rules = pins_i.configuration.rules;
  assign sender_in.cause = in_offer ? sender_pkg::Offer : request_q.cause;
  assign sender_in.number = timer ? control.acked + 32'd1 : request_q.number;
  assign sender_in.epoch = request_q.epoch;
  // A new message follows all others.
  assign sender_in.offered = in_offer ? ($signed(control.sent - control.highest) < 32'sd0) :
                                        (control.sent == control.highest);
  assign sender_in.window = pins_i.configuration.window;
  assign sender_in.now = pins_i.now;
  assign sender_in.timeout = pins_i.configuration.timeout;
  assign sender_in.limit = pins_i.configuration.limit;

  sender u_sender (
      .pins_i(sender_in),
      .pins_o(sender_out)
  );

  receiver_pkg::in_t  receiver_in;
  receiver_pkg::out_t receiver_out;
  logic               message;
  logic               other_epoch;
  assign message = (request_q.cause == receiver_pkg::Message);
  assign other_epoch = pins_i.configuration.rules.epochs && (request_q.epoch != control.epoch);
  assign receiver_in.control = control_q;
  assign receiver_in.rules = pins_i.configuration.rules;
  assign receiver_in.cause = request_q.cause;
  assign receiver_in.number = request_q.number;
  assign receiver_in.epoch = request_q.epoch;
  assign receiver_in.room = !pins_i.full[request_q.channel];
  assign receiver_in.receiving = discarding_q[request_q.channel];

  receiver u_receiver (
      .pins_i(receiver_in),
      .pins_o(receiver_out)
  );

  // The control structure: loaded word by word, then changed by rules.
  logic applies;
  assign applies = (state_q == apply_rule_pkg::Apply) && (spent_q == cost_pkg::RuleCycles);
  always_comb begin
    control_d = control_q;
    if (state_q == apply_rule_pkg::Load) begin
      unique case (count_q)
        3'd1, 3'd7: control_d[31:0] = pins_i.memory_rdata;
        3'd2: control_d[63:32] = pins_i.memory_rdata;
        3'd3: control_d[95:64] = pins_i.memory_rdata;
        3'd4: control_d[127:96] = pins_i.memory_rdata;
        3'd5: control_d[159:128] = pins_i.memory_rdata;
        3'd6: control_d[191:160] = pins_i.memory_rdata;
        default: ;
      endcase
    end else if (applies) begin
      control_d = request_q.receives ? receiver_out.control : sender_out.control;
    end else if (state_q == apply_rule_pkg::Offer && sender_out.send) begin
      control_d = sender_out.control;
    end
  end

  // The state after a rule of the sender, and the operation of the send buffers for it.
  apply_rule_pkg::state_e after_sender;
  logic [1:0] sender_operation;
  always_comb begin
    sender_operation = operation_q;
    if (offers) begin
      sender_operation = firmware_pkg::Keep;
      after_sender = sender_out.send ? apply_rule_pkg::Keep : apply_rule_pkg::Done;
    end else if (!sender_out.taken) begin
      after_sender = apply_rule_pkg::Done;
    end else if (sender_out.freed != 32'd0) begin
      sender_operation = firmware_pkg::Free;
      after_sender = apply_rule_pkg::Free;
    end else if (sender_out.send) begin
      sender_operation = firmware_pkg::Find;
      after_sender = apply_rule_pkg::Find;
    end else begin
      after_sender = sender_out.report_dead ? apply_rule_pkg::Store : apply_rule_pkg::Offer;
    end
  end

  // Result of the rule, kept until the next one, and counters and discarding channels.
  logic applied;
  assign applied = (state_q == apply_rule_pkg::Apply) && (spent_q == cost_pkg::RuleCycles);
  always_comb begin
    deliver_d = deliver_q;
    unblock_d = unblock_q;
    dead_d = dead_q;
    discarding_d = discarding_q;
    wrong_epoch_d = wrong_epoch_q;
    expired_d = expired_q;
    if (state_q == apply_rule_pkg::Idle && pins_i.start) begin
      deliver_d = 1'b0;
      unblock_d = 1'b0;
      dead_d = 1'b0;
    end
    if (applied && request_q.receives) begin
      deliver_d = receiver_out.deliver;
      discarding_d[request_q.channel] = receiver_out.receiving;
      wrong_epoch_d = wrong_epoch_q + {15'b0, message && other_epoch};
    end
    if (applied && !request_q.receives) begin
      unblock_d = sender_out.taken;
      dead_d = sender_out.report_dead;
      expired_d = expired_q + {15'b0, timer && sender_out.taken};
      wrong_epoch_d = wrong_epoch_q + {15'b0, !offers && !timer && other_epoch};
    end
  end

  always_comb begin
    state_d = state_q;
    request_d = request_q;
    count_d = count_q;
    spent_d = spent_q;
    kind_d = kind_q;
    number_d = number_q;
    freed_d = freed_q;
    slot_d = slot_q;
    size_d = size_q;
    operation_d = operation_q;
    probe_d = probe_q;
    accepted_d = accepted_q;

    unique case (state_q)
      // Idle: only counters and discarding channels persist between rules.
      apply_rule_pkg::Idle: begin
        if (pins_i.start) begin
          request_d = pins_i.request;
          slot_d = pins_i.request.slot;
          size_d = pins_i.request.size;
          probe_d = 1'b0;
          accepted_d = 1'b0;
          state_d = apply_rule_pkg::Load;
        end
      end
      // Load: a word arrives in the cycle after its read.
      apply_rule_pkg::Load: begin
        count_d = (count_q == 3'd6) ? 3'd0 : count_q + 3'd1;
        if (count_q == 3'd6) begin
          state_d = apply_rule_pkg::Apply;
        end
      end
      // Apply: every rule takes the same number of cycles.
      apply_rule_pkg::Apply: begin
        if (spent_q != cost_pkg::RuleCycles) begin
          spent_d = spent_q + 9'd1;
        end else begin
          spent_d = '0;
          if (request_q.receives) begin
            kind_d = receiver_out.reply;
            number_d = receiver_out.number;
            state_d = (receiver_out.reply != frame_pkg::Nothing) ? apply_rule_pkg::Reply :
                                                                    apply_rule_pkg::Store;
          end else begin
            kind_d = frame_pkg::Message;
            number_d = (sender_out.freed != 32'd0) ? control.acked + 32'd1 : sender_out.number;
            freed_d = sender_out.freed;
            accepted_d = offers && sender_out.send;
            probe_d = timer && sender_out.send;
            operation_d = sender_operation;
            state_d = after_sender;
          end
        end
      end
      // Reply: the control frame is sent as soon as the one before is in the MAC.
      apply_rule_pkg::Reply: begin
        if (!frame_paid) begin
          spent_d = spent_q + 9'd1;
        end else if (pins_i.transmit_idle) begin
          spent_d = '0;
          state_d = apply_rule_pkg::Store;
        end
      end
      // Free, Keep, Find: the send buffers are idle.
      apply_rule_pkg::Free, apply_rule_pkg::Keep, apply_rule_pkg::Find:
        state_d = apply_rule_pkg::Buffer;
      // Buffer: a message without a buffer cannot be sent; only the printed rules request that.
      apply_rule_pkg::Buffer: begin
        if (pins_i.buffer_done) begin
          if (operation_q == firmware_pkg::Find) begin
            slot_d = pins_i.buffer_slot;
            size_d = pins_i.buffer_size;
            state_d = pins_i.buffer_found ? apply_rule_pkg::Send :
                      probe_q ? apply_rule_pkg::Store : apply_rule_pkg::Offer;
          end else begin
            state_d = (operation_q == firmware_pkg::Keep) ? apply_rule_pkg::Send :
                                                            apply_rule_pkg::Offer;
          end
        end
      end
      // Send: the message is sent as soon as the frame before is in the MAC.
      apply_rule_pkg::Send: begin
        if (!frame_paid) begin
          spent_d = spent_q + 9'd1;
        end else if (pins_i.transmit_idle) begin
          spent_d = '0;
          state_d = (accepted_q || probe_q) ? apply_rule_pkg::Store : apply_rule_pkg::Offer;
        end
      end
      // Offer: repeated up to the last message sent before, or to the end of the window.
      apply_rule_pkg::Offer: begin
        if (sender_out.send) begin
          kind_d = frame_pkg::Message;
          number_d = sender_out.number;
          operation_d = firmware_pkg::Find;
          state_d = apply_rule_pkg::Find;
        end else begin
          state_d = apply_rule_pkg::Store;
        end
      end
      // Store: one word per cycle.
      apply_rule_pkg::Store: begin
        count_d = (count_q == 3'd5) ? 3'd0 : count_q + 3'd1;
        if (count_q == 3'd5) begin
          state_d = apply_rule_pkg::Done;
        end
      end
      // Done: the result is kept until the next rule.
      apply_rule_pkg::Done: state_d = apply_rule_pkg::Idle;
      default: state_d = apply_rule_pkg::Idle;
    endcase
  end

  // Other fields of the structure are used by the rules, other parameters by other blocks.
  logic unused;
  assign unused = &{1'b0, control, pins_i.configuration.enable, pins_i.configuration.identity,
                    pins_i.configuration.nodes, pins_i.configuration.room,
                    pins_i.configuration.scan_period};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= apply_rule_pkg::Idle;
      request_q <= '0;
      control_q <= '0;
      count_q <= '0;
      spent_q <= '0;
      kind_q <= '0;
      number_q <= '0;
      freed_q <= '0;
      slot_q <= '0;
      size_q <= '0;
      operation_q <= '0;
      probe_q <= '0;
      accepted_q <= '0;
      deliver_q <= '0;
      unblock_q <= '0;
      dead_q <= '0;
      discarding_q <= '0;
      wrong_epoch_q <= '0;
      expired_q <= '0;
    end else begin
      state_q <= state_d;
      request_q <= request_d;
      control_q <= control_d;
      count_q <= count_d;
      spent_q <= spent_d;
      kind_q <= kind_d;
      number_q <= number_d;
      freed_q <= freed_d;
      slot_q <= slot_d;
      size_q <= size_d;
      operation_q <= operation_d;
      probe_q <= probe_d;
      accepted_q <= accepted_d;
      deliver_q <= deliver_d;
      unblock_q <= unblock_d;
      dead_q <= dead_d;
      discarding_q <= discarding_d;
      wrong_epoch_q <= wrong_epoch_d;
      expired_q <= expired_d;
    end
  end

  // Words of a control structure are counted from 0.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= apply_rule_pkg::Done);
      CountsFromZero : assert (count_q == 3'd0 ||
                               (state_q == apply_rule_pkg::Load && count_q <= 3'd6) ||
                               (state_q == apply_rule_pkg::Store && count_q <= 3'd5));
    end
  end
`endif

endmodule
