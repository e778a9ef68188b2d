/// Who has local memory: the first of those that ask, for a burst. What arrives goes before what
/// leaves, or the network would fill.
module arbiter (
    /// Clock, 75 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From all that read and write memory.
    input  arbiter_pkg::in_t  pins_i,
    /// To them.
    output arbiter_pkg::out_t pins_o
);

  logic [5:0] grant_d, grant_q;

  assign pins_o.grant = grant_q;

  // The lowest bit goes first; who has memory keeps it.
  always_comb begin
    grant_d = grant_q;
    if ((grant_q & pins_i.request) == 6'd0) begin
      grant_d = pins_i.request & (~pins_i.request + 6'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_q <= '0;
    end else begin
      grant_q <= grant_d;
    end
  end

  // Whatever asks, and whenever it stops asking.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneOwner : assert ((grant_q & (grant_q - 6'd1)) == 6'd0);
    end
  end
`endif

endmodule
