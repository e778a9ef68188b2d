/// One engine runs at a time; exactly the queues with work are served (decision 0060).
// Mutation: rtl/hca/scheduler.sv | work_d = work_d \| pins_i.posted \|  | work_d = work_d \| (state_q == scheduler_pkg::Send ? 64'd0 : pins_i.posted) \| 
// Mutation: rtl/hca/scheduler.sv | work_d = work_q & ~lowest; | work_d = work_q & ~(64'd1 << pair_q);
// Mutation: rtl/hca/scheduler.sv | if (pins_i.again) work_d = work_q \| (64'd1 << pair_q); | work_d = work_q;
// Mutation: rtl/hca/scheduler.sv | assign receives = pins_i.enable && pins_i.packet; | assign receives = pins_i.packet;
// Mutation: rtl/hca/scheduler.sv | receives && !(sends && received_q) | receives
// Mutation: rtl/hca/scheduler.sv | work_q & ~{below_q, 1'b1} | work_q & ~{1'b0, below_q}
// Mutation: rtl/hca/scheduler.sv | below_d = ~(63'h7fff_ffff_ffff_ffff << pair_q); | below_d = ~(63'h7fff_ffff_ffff_fffe << pair_q);
// Mutation: rtl/hca/lowest_bit.sv | group = groups & ~(later << 8); | group = groups & ~(later << 16);
// Mutation: rtl/hca/lowest_bit.sv | number_o[4] = ((group & 64'hffff_0000_ffff_0000) != 64'd0); | number_o[4] = ((group & 64'hffff_0000_0000_0000) != 64'd0);
// Mutation: rtl/hca/scheduler.sv | (pins_i.refilled & broken_q) | pins_i.refilled
// Mutation: rtl/hca/scheduler.sv | (broken_q & ~pins_i.mends) \| pins_i.breaks | broken_q \| pins_i.breaks
// Witness: WhatIsPostedIsWork | rtl/hca/scheduler.sv | work_d = work_d \| pins_i.posted \|  | work_d = work_d \| (state_q == scheduler_pkg::Send ? 64'd0 : pins_i.posted) \| 
// Witness: WorkGoesWithItsTurnOnly | rtl/hca/scheduler.sv | received_d = 1'b1; | received_d = 1'b1; work_d = work_q & (work_q - 64'd1);
module scheduler_proof (
    input logic clk_i,
    input logic rst_ni,
    input scheduler_pkg::in_t pins_i
);

  scheduler_pkg::out_t pins_o;
  scheduler u_scheduler (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0]  \u_scheduler.state_q ;
  (* hierconn *) logic [63:0] \u_scheduler.work_q ;
  logic [1:0]  state;
  logic [63:0] work;
  assign state = \u_scheduler.state_q ;
  assign work = \u_scheduler.work_q ;

  machine #(.States(4), .Arcs(scheduler_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  logic        known_q;
  logic        past_rst_nq;
  logic [1:0]  past_state_q;
  logic [63:0] past_work_q;
  logic [63:0] broken_q;
  logic [63:0] past_broken_q;
  logic        past_received_q;
  scheduler_pkg::in_t  past_in_q;
  scheduler_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_work_q <= work;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    // Queue pairs that broke and were not set up since.
    past_broken_q <= broken_q;
    if (!rst_ni) broken_q <= '0;
    else broken_q <= (broken_q & ~pins_i.mends) | pins_i.breaks;
    // The receive engine ran last.
    if (!rst_ni) past_received_q <= 1'b0;
    else if (state == scheduler_pkg::Receive) past_received_q <= 1'b1;
    else if (state == scheduler_pkg::Send) past_received_q <= 1'b0;
  end

  logic [63:0] turn;
  logic        starts;
  assign turn = 64'd1 << pins_o.pair;
  assign starts = (past_state_q == scheduler_pkg::Idle && state == scheduler_pkg::Send);

  // Queue pairs between the last one served and this one, around the end.
  logic [63:0] below;
  logic [63:0] above;
  logic [63:0] passed;
  assign below = turn - 64'd1;
  assign above = 64'hffff_ffff_ffff_fffe << past_out_q.pair;
  assign passed = (pins_o.pair > past_out_q.pair) ? (above & below) : (above | below);

  (* hierconn *) logic \u_scheduler.received_q ;
  (* hierconn *) logic [62:0] \u_scheduler.below_q ;
  (* hierconn *) logic [63:0] \u_scheduler.broken_q ;
  logic [63:0] gained;
  assign gained = past_in_q.posted | past_in_q.breaks | (past_in_q.refilled & past_broken_q);
  always @* begin
    if (known_q) begin
      OneWorksAtATime: assert (!(pins_o.send && pins_o.receive) && !(pins_o.send &&
          pins_o.command) &&
                               !(pins_o.receive && pins_o.command));
      // Invariant that carries the induction.
      assert (\u_scheduler.received_q  == (past_received_q ? state != scheduler_pkg::Send :
          state == scheduler_pkg::Receive));
      assert (\u_scheduler.broken_q  == broken_q);
      assert (state == scheduler_pkg::Send || work == 64'd0 ||
          {1'b0, \u_scheduler.below_q } == (64'd1 << pins_o.pair) - 64'd1);
      if (past_rst_nq) begin
        BrokenPairIsFlushed: assert ((gained & ~work) == 64'd0);
        NobodyElseGetsWork: assert ((work & ~past_work_q & ~gained & ~(64'd1 << past_out_q.pair)) ==
            64'd0);
        WhatIsPostedIsWork: assert ((past_in_q.posted & ~work) == 64'd0);
        WorkGoesWithItsTurnOnly: assert ((past_work_q & ~work & ~(starts ? turn : 64'd0)) == 64'd0);
        TurnNeedsWork: assert (!starts || (past_work_q & turn) != 64'd0);
        NoQueueIsPassedOver: assert (!starts || (past_work_q & passed) == 64'd0);
        QueuesGoRound: assert (!starts || pins_o.pair != past_out_q.pair || past_work_q == turn);
        if (past_state_q == scheduler_pkg::Send && past_in_q.done && past_in_q.again) begin
          QueueWithMoreComesAgain: assert (work[past_out_q.pair]);
        end
        if (past_state_q != scheduler_pkg::Idle &&
            !past_in_q.done) TurnLastsUntilItIsDone: assert (state == past_state_q);
        if (past_state_q != scheduler_pkg::Idle) PairStaysInItsTurn: assert (
            state == scheduler_pkg::Idle || pins_o.pair == past_out_q.pair);
        if (past_state_q == scheduler_pkg::Idle && !past_in_q.enable) begin
          SwitchedOffItDoesCommandsOnly: assert (!pins_o.send && !pins_o.receive);
        end
        if (past_state_q == scheduler_pkg::Idle && past_in_q.enable && past_in_q.free &&
            past_work_q != 64'd0 &&
            past_received_q && !past_in_q.command) begin
          QueuesGoAfterAPacket: assert (pins_o.send);
        end
      end
    end
  end

endmodule
