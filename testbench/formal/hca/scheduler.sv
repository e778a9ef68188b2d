/// One engine runs at a time; exactly the queues with work are served (shown for 64 queue pairs).
///
/// An arbitrary queue pair is followed (decision 0107). The search is free, but for what its own
/// proof shows: who comes to the front has work, and stays there until its turn.
// Cut: search
// Mutation: rtl/hca/scheduler.sv | if (rings) work_d | if (rings && !serves) work_d
// Mutation: rtl/hca/scheduler.sv | ~one(search_out.front) | ~one(pair_q)
// Mutation: rtl/hca/scheduler.sv | assign wakes = wakes_q \|\| breaks_q; | assign wakes = wakes_q;
// Mutation: rtl/hca/scheduler.sv | && pins_i.done && pins_i.again; | && pins_i.again;
// Mutation: rtl/hca/scheduler.sv | if (wakes) search_in.gainer = told_q; | if (wakes) search_in.gainer = pins_i.pair;
// Mutation: rtl/hca/scheduler.sv | rings \|\| again \|\| wakes \|\| refills_q \|\| pins_i.due; | pins_i.rings \|\| again \|\| wakes \|\| pins_i.due;
// Mutation: rtl/hca/scheduler.sv | assign receives = pins_i.enable && pins_i.packet; | assign receives = pins_i.packet;
// Mutation: rtl/hca/scheduler.sv | !(receives && !received_q); | !receives;
// Mutation: rtl/hca/scheduler.sv | pins_i.refills && broken_q[pins_i.rung]; | pins_i.refills;
// Mutation: rtl/hca/scheduler.sv | if (breaks_q \|\| mends_q) broken_d | if (breaks_q) broken_d
// Witness: WhoRingsHasWork | rtl/hca/scheduler.sv | if (rings) work_d | if (rings && !serves) work_d
// Witness: WhoIsInFrontHasWork | rtl/hca/scheduler.sv | if (serves) work_d | if (state_q == scheduler_pkg::Receive) work_d
module scheduler_proof (
    input logic clk_i,
    input logic rst_ni,
    input scheduler_pkg::in_t pins_i
);

  scheduler_pkg::out_t pins_o;
  scheduler #(.Pairs(64)) u_scheduler (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0]  \u_scheduler.state_q ;
  (* hierconn *) logic [63:0] \u_scheduler.work_q ;
  (* hierconn *) logic [63:0] \u_scheduler.broken_q ;
  (* hierconn *) logic        \u_scheduler.received_q ;
  (* hierconn *) logic [273:0] \u_scheduler.search_in ;
  (* hierconn *) logic [8:0]  \u_scheduler.search_out ;
  logic [1:0] state;
  search_pkg::in_t  search_in;
  search_pkg::out_t search_out;
  assign state = \u_scheduler.state_q ;
  assign search_in = \u_scheduler.search_in ;
  assign search_out = \u_scheduler.search_out ;

  machine #(.States(4), .Arcs(scheduler_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // The followed queue pair, and whether it has work.
  (* anyconst *) logic [5:0] number;
  logic [7:0] pair;
  logic       work;
  assign pair = {2'd0, number};
  assign work = \u_scheduler.work_q [number];

  logic       known_q;
  logic       past_rst_nq;
  logic [1:0] past_state_q;
  logic       past_work_q;
  search_pkg::in_t  past_search_in_q;
  search_pkg::out_t past_search_out_q;
  logic       broken_q;
  logic       past_broken_q;
  logic       past_received_q;
  scheduler_pkg::in_t  past_in_q;
  scheduler_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_work_q <= work;
    past_search_in_q <= search_in;
    past_search_out_q <= search_out;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    // It broke and was not set up since; that counts a cycle later.
    past_broken_q <= broken_q;
    if (!rst_ni) broken_q <= 1'b0;
    else if (past_rst_nq && past_in_q.pair == pair) begin
      broken_q <= (broken_q && !past_in_q.mends) || past_in_q.breaks;
    end
    // The receive engine ran last.
    if (!rst_ni) past_received_q <= 1'b0;
    else if (state == scheduler_pkg::Receive) past_received_q <= 1'b1;
    else if (state == scheduler_pkg::Send) past_received_q <= 1'b0;
  end
  always @* begin
    if (!known_q) assume (!rst_ni);
    assume (pins_i.rung < 8'd64 && pins_i.pair < 8'd64 && pins_i.late < 8'd64);
    if (known_q) begin
      if (!past_rst_nq || past_search_in_q.serves) begin
        assume (!search_out.ready);
      end else if (past_search_out_q.ready) begin
        assume (search_out == past_search_out_q);
      end else if (search_out.ready) begin
        assume (search_out.front < 8'd64 && (past_search_in_q.work[search_out.front[5:0]] ||
            (past_search_in_q.gains && past_search_in_q.gainer == search_out.front)));
      end
    end
  end

  // It gets work in this cycle; who is told to the search gets some.
  logic starts;
  logic gains;
  logic gained_q;
  assign starts = (past_state_q == scheduler_pkg::Idle && state == scheduler_pkg::Send);
  assign gains = (pins_i.rings && pins_i.rung == pair && !pins_i.refills) ||
      (state == scheduler_pkg::Send && pins_i.done && pins_i.again && pins_o.pair == pair) ||
      (past_rst_nq && (past_in_q.wakes || past_in_q.breaks) && past_in_q.pair == pair) ||
      (past_rst_nq && past_in_q.rings && past_in_q.refills && past_in_q.rung == pair &&
      past_broken_q) || (pins_i.due && pins_i.late == pair);
  always @(posedge clk_i) gained_q <= gains;

  always @* begin
    if (known_q) begin
      OneWorksAtATime: assert (!(pins_o.send && pins_o.receive) && !(pins_o.send &&
          pins_o.command) &&
                               !(pins_o.receive && pins_o.command));
      SearchKnowsWhatIsThere: assert (search_in.work == {192'd0, \u_scheduler.work_q } &&
          search_in.last == pins_o.pair);
      if (gains) SearchIsTold: assert (search_in.gains);
      if (search_in.gains && search_in.gainer == pair) WhoIsToldGainsWork: assert (gains);
      TurnIsOfTheOneInFront: assert (!search_in.serves || search_out.ready);
      // Invariants that carry the induction.
      assert (\u_scheduler.received_q  == (past_received_q ? state != scheduler_pkg::Send :
          state == scheduler_pkg::Receive));
      assert (\u_scheduler.broken_q [number] == broken_q);
      assert (pins_o.pair < 8'd64);
      if (search_out.ready) assert (search_out.front < 8'd64 &&
          \u_scheduler.work_q [search_out.front[5:0]]);
      if (past_rst_nq) begin
        WhoGetsWorkHasIt: assert (!gained_q || work);
        NobodyElseGetsWork: assert (!work || past_work_q || gained_q);
        WorkGoesWithItsTurnOnly: assert (!past_work_q || work ||
            (starts && pins_o.pair == pair));
        TurnNeedsWork: assert (!starts || pins_o.pair != pair || past_work_q);
        if (starts) OneInFrontGetsTheTurn: assert (past_search_in_q.serves &&
            pins_o.pair == past_search_out_q.front);
        else NobodyElseGetsIt: assert (!past_search_in_q.serves);
        if (past_state_q != scheduler_pkg::Idle &&
            !past_in_q.done) TurnLastsUntilItIsDone: assert (state == past_state_q);
        if (past_state_q != scheduler_pkg::Idle) PairStaysInItsTurn: assert (
            state == scheduler_pkg::Idle || pins_o.pair == past_out_q.pair);
        if (past_state_q == scheduler_pkg::Idle && !past_in_q.enable) begin
          SwitchedOffItDoesCommandsOnly: assert (!pins_o.send && !pins_o.receive);
        end
        if (past_state_q == scheduler_pkg::Idle && past_in_q.enable && past_in_q.free &&
            past_search_out_q.ready &&
            past_received_q && !past_in_q.command) begin
          QueuesGoAfterAPacket: assert (pins_o.send);
        end
      end
    end
  end

endmodule
