/// The writer of the Prefetch Unit ends a run with everything stored (thesis section 4.6.3, decision 0016).
// Mutation: rtl/dimmnet2/prefetch_unit/pu_write.sv | if (carry_enable_q == 4'h0) begin | if (carry_enable_q != 4'h1) begin
// Witness: WordIsBehindAnother | rtl/dimmnet2/prefetch_unit/pu_write.sv | if (whole && free) begin | if (whole && !free) begin
module pu_write_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_write_pkg::in_t pins_i
);

  pu_write_pkg::out_t pins_o;
  pu_write u_pu_write (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(2)-1:0] \u_pu_write.state_q ;

  machine #(.States(2), .Arcs(pu_write_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_write.state_q )
  );

  logic known_q;
  logic past_rst_nq;
  logic past_idle_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_idle_q <= pins_o.idle;
  end

  always @* begin
    if (known_q && past_rst_nq && !past_idle_q && pins_o.idle) begin
      EndsWithEverythingStored: assert (pins_o.prefetch_window_byte_enable == 16'd0 && !pins_o.list_write_enable);
    end
  end

endmodule
