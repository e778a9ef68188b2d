/// Time is not counted without an outstanding request; with one, a queue is due in 16 ticks.
///
/// Source: decision 0060.
// Shorter: rtl/hca/retry_timer.sv | (cycles_q == 7'h7f) | (cycles_q[3:0] == 4'hf)
// Mutation: rtl/hca/retry_timer.sv | if (active_q != 256'd0) begin | if (1'b1) begin
// Mutation: rtl/hca/retry_timer.sv | (cycles_q[2:0] == 3'd7) && active_q[part] | (cycles_q[2:0] == 3'd7)
// Mutation: rtl/hca/retry_timer.sv | (cycles_q[2:0] == 3'd7) && active_q[part] | active_q[part]
// Mutation: rtl/hca/retry_timer.sv | active_d[pins_i.pair] = pins_i.active; | active_d[pins_i.pair] = 1'b1;
// Mutation: rtl/hca/retry_timer.sv | now_d = now_q + 32'd1; | now_d = now_q + 32'd2;
// Mutation: rtl/hca/retry_timer.sv | {~cycles_q[6:3], now_q[3:0]} | {cycles_q[6:3], now_q[3:0]}
// Witness: OneOfSixteen | rtl/hca/retry_timer.sv | {~cycles_q[6:3], now_q[3:0]} | {now_q[3:0], ~cycles_q[6:3]}
// Witness: NobodyElseIsDue | rtl/hca/retry_timer.sv | (cycles_q[2:0] == 3'd7) && active_q[part] | (cycles_q[2:0] == 3'd7)
module retry_timer_proof (
    input logic clk_i,
    input logic rst_ni,
    input retry_timer_pkg::in_t pins_i
);

  retry_timer_pkg::out_t pins_o;
  retry_timer u_retry_timer (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [255:0] \u_retry_timer.active_q ;
  (* hierconn *) logic [6:0]   \u_retry_timer.cycles_q ;

  // Queue pairs whose last turn left an outstanding request.
  logic         known_q;
  logic         past_rst_nq;
  logic [255:0] active_q;
  logic [255:0] past_active_q;
  logic [31:0]  past_now_q;
  logic [6:0]   past_cycles_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_active_q <= active_q;
    past_now_q <= pins_o.now;
    past_cycles_q <= \u_retry_timer.cycles_q ;
    if (!rst_ni) active_q <= '0;
    else if (pins_i.turn) active_q[pins_i.pair] <= pins_i.active;
  end
  always @* if (!known_q) assume (!rst_ni);

  // Queue pair of each cycle of a tick: every sixteenth one, the highest number first.
  logic       ends;
  logic [7:0] served;
  assign ends = (past_cycles_q[2:0] == 3'd7);
  assign served = 8'd240 - {1'b0, past_cycles_q[6:3], 3'd0} * 8'd2 + {4'd0, past_now_q[3:0]};
  always @* begin
    if (known_q) assert (active_q == \u_retry_timer.active_q );
    if (known_q && past_rst_nq) begin
      if (past_active_q == 256'd0) TimeStandsStill: assert (pins_o.now == past_now_q &&
          \u_retry_timer.cycles_q  == past_cycles_q);
      TimeGoesTickByTick: assert (pins_o.now == past_now_q || pins_o.now == past_now_q + 32'd1);
      EachHasItsPartOfATick: assert (pins_o.due == (ends && past_active_q[served]));
      if (pins_o.due) OneOfSixteen: assert (pins_o.late == served);
      if (pins_o.due) NobodyElseIsDue: assert (past_active_q[pins_o.late]);
    end
  end

endmodule
