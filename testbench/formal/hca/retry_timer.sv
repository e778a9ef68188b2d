/// Time is not counted without an outstanding request; with one, a queue is due in 16 ticks.
///
/// Source: decision 0060.
// Shorter: rtl/hca/retry_timer.sv | (cycles_q == 7'h7f) | (cycles_q[1:0] == 2'd3)
// Mutation: rtl/hca/retry_timer.sv | if (active_q != 64'd0) begin | if (1'b1) begin
// Mutation: rtl/hca/retry_timer.sv | active_q & (Sixteenth << now_q[3:0]) | (Sixteenth << now_q[3:0])
// Mutation: rtl/hca/retry_timer.sv | (active_q & ~turn) | active_q
// Mutation: rtl/hca/retry_timer.sv | now_d = now_q + 32'd1; | now_d = now_q + 32'd2;
// Witness: OneOfSixteen | rtl/hca/retry_timer.sv | active_q & (Sixteenth << now_q[3:0]) | active_q
// Witness: NobodyElseIsDue | rtl/hca/retry_timer.sv | active_q & (Sixteenth << now_q[3:0]) | (Sixteenth << now_q[3:0])
module retry_timer_proof (
    input logic clk_i,
    input logic rst_ni,
    input retry_timer_pkg::in_t pins_i
);

  retry_timer_pkg::out_t pins_o;
  retry_timer u_retry_timer (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [63:0] \u_retry_timer.active_q ;

  localparam logic [63:0] Sixteenth = 64'h0001_0001_0001_0001;

  // Queue pairs whose last turn left an outstanding request.
  logic        known_q;
  logic        past_rst_nq;
  logic [63:0] active_q;
  logic [63:0] past_active_q;
  logic [31:0] past_now_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_active_q <= active_q;
    past_now_q <= pins_o.now;
    if (!rst_ni) active_q <= '0;
    else if (pins_i.turn) active_q[pins_i.pair] <= pins_i.active;
  end
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) assert (active_q == \u_retry_timer.active_q );
    if (known_q && past_rst_nq) begin
      if (past_active_q == 64'd0) TimeStandsStill: assert (pins_o.now == past_now_q);
      TimeGoesTickByTick: assert (pins_o.now == past_now_q || pins_o.now == past_now_q + 32'd1);
      NobodyElseIsDue: assert ((pins_o.due & ~past_active_q) == 64'd0);
      if (pins_o.now != past_now_q) EachTickIsOfItsPairs: assert (
          pins_o.due == (past_active_q & (Sixteenth << past_now_q[3:0])));
      OneOfSixteen: assert ((pins_o.due & ~(Sixteenth << past_now_q[3:0])) == 64'd0);
    end
  end

endmodule
