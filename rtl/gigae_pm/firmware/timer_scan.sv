/// Timer scan: visits the control structures one at a time, to check their timers (rule S2) and to
/// send pending GOs (rule R-GO).
///
/// The paper has one timer per control structure, but the NIC has a single clock: one structure is
/// visited every `scan_period` cycles, through all nodes and channels. Time stops while no message
/// waits for an ACK, because no timer can expire then. When a channel that discards has room again,
/// all its nodes are visited.
module timer_scan (
    /// Card clock, 33.33 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From Dispatcher, registers, send buffers, rules and the work on received frames.
    input  timer_scan_pkg::in_t  pins_i,
    /// To Dispatcher and rules.
    output timer_scan_pkg::out_t pins_o
);

  timer_scan_pkg::state_e state_d, state_q;
  logic [31:0] now_d, now_q;
  logic [15:0] period_d, period_q;
  logic        due_d, due_q;
  logic [1:0]  channel_d, channel_q;
  logic [9:0]  node_d, node_q;
  logic        going_d, going_q;
  logic [1:0]  going_channel_d, going_channel_q;
  logic [9:0]  going_node_d, going_node_q;
  logic        tells_d, tells_q;

  logic room;
  assign room = (state_q == timer_scan_pkg::Room);

  assign pins_o.wanted = due_q || going_q;
  firmware_pkg::request_t request;
  always_comb begin
    request = '0;
    request.receives = room;
    request.cause = room ? receiver_pkg::Room : sender_pkg::Timer;
    request.channel = room ? going_channel_q : channel_q;
    request.node = room ? going_node_q : node_q;
  end
  assign pins_o.request = request;
  assign pins_o.rule_start = room || (state_q == timer_scan_pkg::Timer);
  assign pins_o.done = (state_q == timer_scan_pkg::Done);
  assign pins_o.now = now_q;

  logic [10:0] next_node;
  logic        last_node;
  logic [10:0] next_going;
  logic        last_going;
  assign next_node = {1'b0, node_q} + 11'd1;
  assign last_node = (next_node >= pins_i.configuration.nodes);
  assign next_going = {1'b0, going_node_q} + 11'd1;
  assign last_going = (next_going >= pins_i.configuration.nodes);

  logic [3:0] has_room;
  for (genvar channel = 0; channel < 4; channel++) begin : gen_room
    logic [4:0] free;
    assign free = 5'd16 - pins_i.held[5*channel+:5];
    assign has_room[channel] = pins_i.discarding[channel] && (free >= pins_i.configuration.room);
  end

  logic over;
  assign over = (period_q >= pins_i.configuration.scan_period);

  always_comb begin
    state_d = state_q;
    now_d = now_q;
    period_d = 16'd0;
    due_d = 1'b0;
    channel_d = channel_q;
    node_d = node_q;
    going_d = going_q;
    going_channel_d = going_channel_q;
    going_node_d = going_node_q;
    tells_d = tells_q;

    if (pins_i.outstanding) begin
      now_d = now_q + 32'd1;
      period_d = over ? 16'd0 : period_q + 16'd1;
      due_d = due_q || over;
    end
    if (!going_q && has_room != 4'd0) begin
      going_d = 1'b1;
      going_channel_d = has_room[0] ? 2'd0 : has_room[1] ? 2'd1 : has_room[2] ? 2'd2 : 2'd3;
      going_node_d = 10'd0;
    end

    unique case (state_q)
      // Idle: timers have priority over GOs.
      timer_scan_pkg::Idle: begin
        if (pins_i.start) begin
          tells_d = !due_q;
          state_d = due_q ? timer_scan_pkg::Timer : timer_scan_pkg::Room;
        end
      end
      // Timer: the rule decides whether the timer has expired.
      timer_scan_pkg::Timer: begin
        due_d = 1'b0;
        state_d = timer_scan_pkg::Visit;
      end
      // Room: the rule decides whether a GO is due.
      timer_scan_pkg::Room: state_d = timer_scan_pkg::Visit;
      // Visit: the rule may send frames.
      timer_scan_pkg::Visit: begin
        if (pins_i.rule_done) begin
          state_d = timer_scan_pkg::Done;
        end
      end
      // Done: continues with the next node, then with the next channel.
      timer_scan_pkg::Done: begin
        if (tells_q) begin
          going_node_d = last_going ? 10'd0 : next_going[9:0];
          going_d = !last_going;
        end else begin
          node_d = last_node ? 10'd0 : next_node[9:0];
          channel_d = channel_q + {1'b0, last_node};
        end
        state_d = timer_scan_pkg::Idle;
      end
      default: state_d = timer_scan_pkg::Idle;
    endcase
  end

  // Other parameters are used by other blocks; the ring of other protocols has no control
  // structures.
  logic unused;
  assign unused = &{1'b0, pins_i.configuration.enable, pins_i.configuration.identity,
                    pins_i.configuration.rules, pins_i.configuration.window,
                    pins_i.configuration.timeout, pins_i.configuration.limit, pins_i.held[24:20]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= timer_scan_pkg::Idle;
      now_q <= '0;
      period_q <= '0;
      due_q <= '0;
      channel_q <= '0;
      node_q <= '0;
      going_q <= '0;
      going_channel_q <= '0;
      going_node_q <= '0;
      tells_q <= '0;
    end else begin
      state_q <= state_d;
      now_q <= now_d;
      period_q <= period_d;
      due_q <= due_d;
      channel_q <= channel_d;
      node_q <= node_d;
      going_q <= going_d;
      going_channel_q <= going_channel_d;
      going_node_q <= going_node_d;
      tells_q <= tells_d;
    end
  end

  // Holds for all configurations and requests.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= timer_scan_pkg::Done);
    end
  end
`endif

endmodule
