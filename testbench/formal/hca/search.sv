/// The next queue pair with work is found, and none in the round is passed over (shown for 64).
///
/// An arbitrary queue pair is followed (decision 0107). Work stays until its turn, which the proof
/// of the scheduler shows.
// Mutation: rtl/hca/search.sv | !ready_q && pins_i.work[Pairs-1:0] != '0 | !ready_q && pins_i.work[0]
// Mutation: rtl/hca/search.sv | last_group & (16'hfffe << pins_i.last[3:0]); | last_group & (16'hfffc << pins_i.last[3:0]);
// Mutation: rtl/hca/search.sv | (pins_i.last[7:4] < 4'(i)) | (pins_i.last[7:4] <= 4'(i))
// Mutation: rtl/hca/search.sv | lowest((above != '0) ? above : groups_q) | lowest(groups_q)
// Mutation: rtl/hca/search.sv | if (some[1]) part = set[7:4]; | if (some[1] && !some[3]) part = set[7:4];
// Mutation: rtl/hca/search.sv | front_d = {group_q, lowest(next_group)}; | front_d = {group_q, lowest(last_group)};
// Mutation: rtl/hca/search.sv | groups_d[i] = (pins_i.work[16*i+:16] != 16'd0); | groups_d[i] = (pins_i.work[16*i+:15] != 15'd0);
// Mutation: rtl/hca/search.sv | front_d = pins_i.gainer; | front_d = pins_i.last;
// Witness: SearchEndsWithAFront | rtl/hca/search.sv | search_pkg::Find : search_pkg::Rest; | search_pkg::Find : search_pkg::Find;
module search_proof (
    input logic clk_i,
    input logic rst_ni,
    input search_pkg::in_t pins_i
);

  search_pkg::out_t pins_o;
  search #(.Pairs(64)) u_search (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0]  \u_search.state_q ;
  (* hierconn *) logic [15:0] \u_search.rest_q ;
  (* hierconn *) logic [3:0]  \u_search.groups_q ;
  (* hierconn *) logic [3:0]  \u_search.group_q ;
  logic [1:0] state;
  assign state = \u_search.state_q ;

  machine #(.States(4), .Arcs(search_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The followed queue pair, and whether it had work when the search began.
  (* anyconst *) logic [5:0] number;
  logic         work;
  logic         sought_q;
  logic         known_q;
  logic         past_rst_nq;
  logic [1:0]   past_state_q;
  logic         past_idle_q;
  search_pkg::in_t  past_in_q;
  search_pkg::out_t past_out_q;
  assign work = pins_i.work[number];
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_idle_q <= !pins_o.ready && state == search_pkg::Rest;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    if (state == search_pkg::Look) sought_q <= work;
  end
  always @* begin
    if (!known_q) assume (!rst_ni);
    assume (pins_i.last < 8'd64 && pins_i.gainer < 8'd64);
    assume (!pins_i.serves || pins_o.ready);
    // Work and the last one change with a turn alone.
    if (known_q && past_rst_nq && !past_in_q.serves) begin
      assume ((past_in_q.work & ~pins_i.work) == 256'd0);
      assume (pins_i.last == past_in_q.last);
    end
  end

  // Distances of the followed one and of the one in front in the round after the last one.
  logic [5:0] here;
  logic [5:0] there;
  assign here = number - past_in_q.last[5:0] - 6'd1;
  assign there = pins_o.front[5:0] - past_in_q.last[5:0] - 6'd1;

  always @* begin
    if (known_q) begin
      SearchEndsWithAFront: assert (!pins_o.ready || state == search_pkg::Rest);
      if (past_rst_nq) begin
        if (pins_o.ready && !past_out_q.ready) WhoComesToTheFrontHasWork: assert (
            pins_o.front < 8'd64 && (past_in_q.work[pins_o.front[5:0]] ||
            (past_in_q.gains && past_in_q.gainer == pins_o.front)));
        if (past_out_q.ready && !past_in_q.serves) OneInFrontStays: assert (
            pins_o.ready && pins_o.front == past_out_q.front);
        if (past_in_q.serves) OneInFrontLeavesForItsTurn: assert (!pins_o.ready);
        if (past_idle_q && past_in_q.gains) FirstOneIsInFrontAtOnce: assert (
            pins_o.ready && pins_o.front == past_in_q.gainer);
        if (past_idle_q && past_in_q.work[number]) IdleSearchFindsWork: assert (
            pins_o.ready || state == search_pkg::Look);
        if (past_state_q != search_pkg::Rest && state == search_pkg::Rest && sought_q) begin
          SearchFindsOne: assert (pins_o.ready);
          NobodyIsPassedOver: assert (there <= here);
        end
      end
      // Invariant that carries the induction.
      assert (\u_search.group_q  < 4'd4);
      if (state == search_pkg::Choose || state == search_pkg::Find) begin
        assert (!sought_q || (work && \u_search.groups_q [number[5:4]]));
        if (number[5:4] == pins_i.last[5:4]) begin
          assert (\u_search.rest_q [number[3:0]] == (sought_q && number > pins_i.last[5:0]));
        end
      end
      if (state == search_pkg::Choose) begin
        assert ((\u_search.rest_q  & ~pins_i.work[16*pins_i.last[5:4]+:16]) == 16'd0);
        for (int i = 0; i < 4; i++) assert (!\u_search.groups_q [i] ||
            pins_i.work[16*i+:16] != 16'd0);
      end
      if (state == search_pkg::Find) begin
        assert (pins_i.work[16*\u_search.group_q [1:0]+:16] != 16'd0);
        assert (\u_search.rest_q  == 16'd0);
      end
    end
  end

endmodule
