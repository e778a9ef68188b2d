/// One engine runs at a time; exactly the queues with work are served (shown for 16 queue pairs).
///
/// An arbitrary queue pair is followed (decision 0060). The lines are free, but for what their own proof shows: who
/// is in front has joined and not left, and stays in front until then.
// Cut: line
// Mutation: rtl/hca/scheduler.sv | if (rings) waiting_d[pins_i.rung] = 1'b1; | if (rings && !serves) waiting_d[pins_i.rung] = 1'b1;
// Mutation: rtl/hca/scheduler.sv | if (serves) waiting_d[front] = 1'b0; | if (serves) waiting_d[pair_q] = 1'b0;
// Mutation: rtl/hca/scheduler.sv | (pins_i.wakes \|\| pins_i.breaks) && !wakes_rung | pins_i.wakes && !wakes_rung
// Mutation: rtl/hca/scheduler.sv | assign wakes_rung = rings && (pins_i.pair == pins_i.rung); | assign wakes_rung = 1'b0;
// Mutation: rtl/hca/scheduler.sv | (wakes && (pins_i.late == pins_i.pair)) | 1'b0
// Mutation: rtl/hca/scheduler.sv | !(waiting_q[pins_i.late] && !(serves && front == pins_i.late)) | !waiting_q[pins_i.late]
// Mutation: rtl/hca/scheduler.sv | assign turns_in.joins = wakes; | assign turns_in.joins = wakes && !rings;
// Mutation: rtl/hca/scheduler.sv | assign receives = pins_i.enable && pins_i.packet; | assign receives = pins_i.packet;
// Mutation: rtl/hca/scheduler.sv | !(receives && !received_q); | !receives;
// Mutation: rtl/hca/scheduler.sv | 2'd1: line = ready[2] ? 2'd2 : ready[0] ? 2'd0 : 2'd1; | 2'd1: line = ready[0] ? 2'd0 : ready[2] ? 2'd2 : 2'd1;
// Mutation: rtl/hca/scheduler.sv | leaves = serves ? 3'd1 << line : 3'd0 | leaves = serves ? 3'd1 << line_q : 3'd0
// Mutation: rtl/hca/scheduler.sv | (!pins_i.refills \|\| broken_q[pins_i.rung]) | 1'b1
// Mutation: rtl/hca/scheduler.sv | if (pins_i.breaks \|\| pins_i.mends) broken_d | if (pins_i.breaks) broken_d
// Witness: WhoRingsWaits | rtl/hca/scheduler.sv | if (rings) waiting_d[pins_i.rung] = 1'b1; | if (rings && !serves) waiting_d[pins_i.rung] = 1'b1;
// Witness: WorkGoesWithItsTurnOnly | rtl/hca/scheduler.sv | if (serves) waiting_d[front] = 1'b0; | if (serves) waiting_d[pair_q] = 1'b0;
module scheduler_proof (
    input logic clk_i,
    input logic rst_ni,
    input scheduler_pkg::in_t pins_i
);

  scheduler_pkg::out_t pins_o;
  scheduler #(.Pairs(16)) u_scheduler (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0]   \u_scheduler.state_q ;
  (* hierconn *) logic [15:0]  \u_scheduler.waiting_q ;
  (* hierconn *) logic [15:0]  \u_scheduler.broken_q ;
  (* hierconn *) logic [1:0]   \u_scheduler.line_q ;
  (* hierconn *) logic         \u_scheduler.received_q ;
  (* hierconn *) logic [9:0]   \u_scheduler.bells_in ;
  (* hierconn *) logic [9:0]   \u_scheduler.turns_in ;
  (* hierconn *) logic [9:0]   \u_scheduler.deadlines_in ;
  (* hierconn *) logic [8:0]   \u_scheduler.bells_out ;
  (* hierconn *) logic [8:0]   \u_scheduler.turns_out ;
  (* hierconn *) logic [8:0]   \u_scheduler.deadlines_out ;
  logic [1:0]   state;
  logic         waiting;
  // The followed queue pair.
  (* anyconst *) logic [3:0] number;
  logic [7:0]   pair;
  assign pair = {4'd0, number};
  assign state = \u_scheduler.state_q ;
  assign waiting = \u_scheduler.waiting_q [number];

  machine #(.States(4), .Arcs(scheduler_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  logic         known_q;
  logic         past_rst_nq;
  logic [1:0]   past_state_q;
  logic         past_waiting_q;
  logic         broken_q;
  logic         past_broken_q;
  logic         past_received_q;
  logic [1:0]   past_line_q;
  scheduler_pkg::in_t  past_in_q;
  scheduler_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_waiting_q <= waiting;
    past_line_q <= \u_scheduler.line_q ;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    // It broke and was not set up since.
    past_broken_q <= broken_q;
    if (!rst_ni) broken_q <= 1'b0;
    else if (pins_i.pair == pair) broken_q <= (broken_q && !pins_i.mends) || pins_i.breaks;
    // The receive engine ran last.
    if (!rst_ni) past_received_q <= 1'b0;
    else if (state == scheduler_pkg::Receive) past_received_q <= 1'b1;
    else if (state == scheduler_pkg::Send) past_received_q <= 1'b0;
  end
  always @* begin
    if (!known_q) assume (!rst_ni);
    assume (pins_i.rung < 8'd16 && pins_i.pair < 8'd16 && pins_i.late < 8'd16);
  end

  // The lines: 0 for doorbells, 1 for work, 2 for deadlines.
  line_pkg::in_t  bells_in;
  line_pkg::in_t  turns_in;
  line_pkg::in_t  deadlines_in;
  line_pkg::out_t bells_out;
  line_pkg::out_t turns_out;
  line_pkg::out_t deadlines_out;
  assign bells_in = \u_scheduler.bells_in ;
  assign turns_in = \u_scheduler.turns_in ;
  assign deadlines_in = \u_scheduler.deadlines_in ;
  assign bells_out = \u_scheduler.bells_out ;
  assign turns_out = \u_scheduler.turns_out ;
  assign deadlines_out = \u_scheduler.deadlines_out ;
  logic [2:0]   inside;
  logic [2:0]   ready;
  logic [2:0]   leaves;
  logic [2:0]   once;
  logic [2:0]   past_ready_q;
  logic [23:0]  fronts;
  logic [23:0]  past_fronts_q;
  scheduler_proof_line u_rings (.clk_i, .rst_ni, .in_i(bells_in),
      .out_i(bells_out), .pair_i(pair),
      .inside_o(inside[0]), .once_o(once[0]));
  scheduler_proof_line u_works (.clk_i, .rst_ni, .in_i(turns_in),
      .out_i(turns_out), .pair_i(pair),
      .inside_o(inside[1]), .once_o(once[1]));
  scheduler_proof_line u_late (.clk_i, .rst_ni, .in_i(deadlines_in),
      .out_i(deadlines_out), .pair_i(pair),
      .inside_o(inside[2]), .once_o(once[2]));
  assign ready = {deadlines_out.ready, turns_out.ready,
      bells_out.ready};
  assign leaves = {deadlines_in.leaves, turns_in.leaves,
      bells_in.leaves};
  assign fronts = {deadlines_out.front, turns_out.front,
      bells_out.front};
  always @(posedge clk_i) begin
    past_ready_q <= ready;
    past_fronts_q <= fronts;
  end

  logic starts;
  assign starts = (past_state_q == scheduler_pkg::Idle && state == scheduler_pkg::Send);

  // The line that is next in turn, and the one after it.
  logic [1:0] next;
  logic [1:0] second;
  assign next = (past_line_q == 2'd2) ? 2'd0 : past_line_q + 2'd1;
  assign second = (next == 2'd2) ? 2'd0 : next + 2'd1;

  logic gained;
  assign gained = (past_in_q.rings && past_in_q.rung == pair &&
      (!past_in_q.refills || past_broken_q)) ||
      ((past_in_q.wakes || past_in_q.breaks) && past_in_q.pair == pair) ||
      (past_in_q.due && past_in_q.late == pair);
  always @* begin
    if (known_q) begin
      OneWorksAtATime: assert (!(pins_o.send && pins_o.receive) && !(pins_o.send &&
          pins_o.command) &&
                               !(pins_o.receive && pins_o.command));
      OnlyTheOneInFrontLeaves: assert ((leaves & ~ready) == 3'd0);
      NumberJoinsALineOnce: assert (once == 3'b111);
      WhoWaitsIsInALine: assert (waiting == (inside != 3'd0));
      NobodyIsInTwoLines: assert ((inside & (inside - 3'd1)) == 3'd0);
      // Invariant that carries the induction.
      assert (\u_scheduler.received_q  == (past_received_q ? state != scheduler_pkg::Send :
          state == scheduler_pkg::Receive));
      assert (\u_scheduler.broken_q [number] == broken_q && \u_scheduler.line_q  != 2'd3);
      if (past_rst_nq) begin
        WhoGetsWorkWaits: assert (!gained || waiting);
        NobodyElseGetsWork: assert (!waiting || past_waiting_q || gained);
        WorkGoesWithItsTurnOnly: assert (!past_waiting_q || waiting ||
            (starts && pins_o.pair == pair));
        TurnNeedsWork: assert (!starts || pins_o.pair != pair || past_waiting_q);
        if (starts) begin
          TurnIsOfTheOneInFront: assert (past_ready_q[\u_scheduler.line_q ] &&
              pins_o.pair == past_fronts_q[8*\u_scheduler.line_q +:8]);
          LinesAreServedInTurn: assert (\u_scheduler.line_q  == (past_ready_q[next] ? next :
              past_ready_q[second] ? second : past_line_q));
        end
        if (past_state_q != scheduler_pkg::Idle &&
            !past_in_q.done) TurnLastsUntilItIsDone: assert (state == past_state_q);
        if (past_state_q != scheduler_pkg::Idle) PairStaysInItsTurn: assert (
            state == scheduler_pkg::Idle || pins_o.pair == past_out_q.pair);
        if (past_state_q == scheduler_pkg::Idle && !past_in_q.enable) begin
          SwitchedOffItDoesCommandsOnly: assert (!pins_o.send && !pins_o.receive);
        end
        if (past_state_q == scheduler_pkg::Idle && past_in_q.enable && past_in_q.free &&
            past_ready_q != 3'd0 &&
            past_received_q && !past_in_q.command) begin
          QueuesGoAfterAPacket: assert (pins_o.send);
        end
      end
    end
  end

endmodule

/// Whether a queue pair is in a line, and what the proof of the line shows.
module scheduler_proof_line (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  line_pkg::in_t  in_i,
    input  line_pkg::out_t out_i,
    input  logic [7:0]     pair_i,
    output logic           inside_o,
    // It does not join if it is in the line.
    output logic           once_o
);

  logic       leaves;
  logic       joins;
  logic       known_q;
  logic       stays_q;
  logic [7:0] front_q;
  assign leaves = in_i.leaves && (out_i.front == pair_i);
  assign joins = in_i.joins && (in_i.pair == pair_i);
  assign once_o = !joins || !inside_o || leaves;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    inside_o <= rst_ni && ((inside_o && !leaves) || joins);
    stays_q <= rst_ni && out_i.ready && !in_i.leaves;
    front_q <= out_i.front;
  end
  always @* begin
    if (known_q) begin
      assume (!out_i.ready || (out_i.front < 8'd16 && (out_i.front != pair_i || inside_o)));
      if (stays_q) assume (out_i.ready && out_i.front == front_q);
    end
  end

endmodule
