/// Arbiter of local memory: grants a burst to the first requester in a fixed order. Receivers come
/// before senders, or the network would fill.
module arbiter (
    /// Clock, 75 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// Requests of the blocks that read and write memory.
    input  arbiter_pkg::in_t  pins_i,
    /// Grants to these blocks.
    output arbiter_pkg::out_t pins_o
);

  logic [5:0] grant_d, grant_q;

  assign pins_o.grant = grant_q;

  // The lowest bit has the highest priority; a grant stays while its request does.
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

  // At most one block has memory, and only one that requests it.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneOwner : assert ((grant_q & (grant_q - 6'd1)) == 6'd0);
    end
  end
`endif

endmodule
