/// The timer scan goes where its diagram goes, and visits the nodes of all channels in turn (decision 0028).
///
/// Time runs while a message waits for an ACK and stops otherwise. A rule is that of the timer or
/// of a GO, on a node of the cluster; once a channel has room, GOs go to all its nodes before the
/// next channel.
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | next_node >= pins_i | next_node > pins_i
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | now_d = now_q + 32'd1 | now_d = now_q + 32'd2
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | going_d = !last_going; | going_d = 1'b0;
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | request.node = room ? going_node_q | request.node = room ? node_q
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | channel_d = channel_q + {1'b0, last_node} | channel_d = channel_q
// Mutation: rtl/gigae_pm/firmware/timer_scan.sv | due_q ? timer_scan_pkg::Timer : timer_scan_pkg::Room; | going_q ? timer_scan_pkg::Room : timer_scan_pkg::Timer;
// Witness: StateIsDeclared | rtl/gigae_pm/firmware/timer_scan.sv | timer_scan_pkg::Room: state_d = timer_scan_pkg::Visit; | timer_scan_pkg::Room: state_d = 3'd5;
module timer_scan_proof (
    input logic clk_i,
    input logic rst_ni,
    input timer_scan_pkg::in_t pins_i
);

  timer_scan_pkg::out_t pins_o;
  timer_scan u_timer_scan (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_timer_scan.state_q ;
  (* hierconn *) logic       \u_timer_scan.due_q ;
  (* hierconn *) logic [1:0] \u_timer_scan.channel_q ;
  (* hierconn *) logic [9:0] \u_timer_scan.node_q ;
  (* hierconn *) logic       \u_timer_scan.going_q ;
  (* hierconn *) logic [1:0] \u_timer_scan.going_channel_q ;
  (* hierconn *) logic [9:0] \u_timer_scan.going_node_q ;
  (* hierconn *) logic       \u_timer_scan.tells_q ;
  logic [2:0] state;
  assign state = \u_timer_scan.state_q ;

  machine #(.States(5), .Arcs(timer_scan_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  logic [2:0] next;
  always @* begin
    case (state)
      timer_scan_pkg::Idle:
        next = !pins_i.start ? timer_scan_pkg::Idle :
               \u_timer_scan.due_q  ? timer_scan_pkg::Timer : timer_scan_pkg::Room;
      timer_scan_pkg::Timer, timer_scan_pkg::Room: next = timer_scan_pkg::Visit;
      timer_scan_pkg::Visit: next = pins_i.rule_done ? timer_scan_pkg::Done : timer_scan_pkg::Visit;
      default: next = timer_scan_pkg::Idle;
    endcase
  end

  diagram #(.Width(3)) u_diagram (.clk_i, .rst_ni, .state_i(state), .next_i(next));

  // The number of nodes is constant in a session; the Dispatcher starts only a requested visit.
  (* anyconst *) logic [10:0] nodes;
  always @* begin
    assume (nodes != 11'd0 && nodes <= 11'd1024);
    assume (pins_i.configuration.nodes == nodes);
    if (!pins_o.wanted) assume (!pins_i.start);
  end

  logic       known_q;
  logic       past_rst_nq;
  logic       past_outstanding_q;
  logic       past_done_q;
  logic       past_tells_q;
  logic       past_going_q;
  logic [1:0] past_channel_q;
  logic [9:0] past_node_q;
  logic [1:0] past_going_channel_q;
  logic [9:0] past_going_node_q;
  logic [31:0] past_now_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_outstanding_q <= pins_i.outstanding;
    past_done_q <= pins_o.done;
    past_tells_q <= \u_timer_scan.tells_q ;
    past_going_q <= \u_timer_scan.going_q ;
    past_channel_q <= \u_timer_scan.channel_q ;
    past_node_q <= \u_timer_scan.node_q ;
    past_going_channel_q <= \u_timer_scan.going_channel_q ;
    past_going_node_q <= \u_timer_scan.going_node_q ;
    past_now_q <= pins_o.now;
  end

  logic last;
  logic last_told;
  assign last = ({1'b0, past_node_q} + 11'd1 == nodes);
  assign last_told = ({1'b0, past_going_node_q} + 11'd1 == nodes);

  always @* begin
    if (known_q && past_rst_nq) begin
      TimeRunsWhileAMessageWaits: assert (pins_o.now == past_now_q + {31'd0, past_outstanding_q});
      if (past_done_q && !past_tells_q) begin
        NextNodeOrTheFirstOfTheNextChannel: assert (
            \u_timer_scan.node_q  == (last ? 10'd0 : past_node_q + 10'd1) &&
            \u_timer_scan.channel_q  == past_channel_q + {1'b0, last});
      end else begin
        NodeStaysUntilItWasVisited: assert (\u_timer_scan.node_q  == past_node_q &&
                                            \u_timer_scan.channel_q  == past_channel_q);
      end
      if (past_going_q && !\u_timer_scan.going_q ) begin
        AllNodesAreTold: assert (past_done_q && past_tells_q && last_told);
      end
      if (past_going_q && \u_timer_scan.going_q ) begin
        ChannelIsToldToItsEnd: assert (\u_timer_scan.going_channel_q  == past_going_channel_q);
        NoNodeIsLeftOut: assert (
            \u_timer_scan.going_node_q  == ((past_done_q && past_tells_q) ? past_going_node_q + 10'd1 :
                                                                            past_going_node_q));
      end
    end
    if (known_q) begin
      if (pins_o.rule_start) begin
        RuleIsTheTimersOrTheRooms: assert (
            pins_o.request.receives ? pins_o.request.cause == receiver_pkg::Room :
                                      pins_o.request.cause == sender_pkg::Timer);
        VisitsANodeOfTheCluster: assert ({1'b0, pins_o.request.node} < nodes);
        VisitsWhoseTurnItIs: assert (
            pins_o.request.receives ? pins_o.request.node == \u_timer_scan.going_node_q  &&
                                      pins_o.request.channel == \u_timer_scan.going_channel_q  :
                                      pins_o.request.node == \u_timer_scan.node_q  &&
                                      pins_o.request.channel == \u_timer_scan.channel_q );
      end
      // Invariants that carry the induction.
      assert ({1'b0, \u_timer_scan.node_q } < nodes);
      assert ({1'b0, \u_timer_scan.going_node_q } < nodes);
      if (state == timer_scan_pkg::Room) assert (\u_timer_scan.tells_q );
      if (state == timer_scan_pkg::Timer) assert (!\u_timer_scan.tells_q );
      if (state != timer_scan_pkg::Idle && \u_timer_scan.tells_q ) assert (\u_timer_scan.going_q );
    end
  end

endmodule
