/// Interrupt causes: that of a ring is set after its position has moved (paper, section 6.2).
module interrupt (
    /// Clock, 75 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From rings and registers.
    input  interrupt_pkg::in_t  pins_i,
    /// To registers and host.
    output interrupt_pkg::out_t pins_o
);

  logic [3:0] cause_d, cause_q;
  logic       request_d, request_q;

  assign pins_o.cause = cause_q;
  assign pins_o.request = request_q;

  // A cause that is raised while it is cleared stays.
  assign cause_d = (cause_q & ~pins_i.clear) | pins_i.raise;
  assign request_d = ((cause_q & pins_i.enable) != 4'd0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cause_q <= '0;
      request_q <= '0;
    end else begin
      cause_q <= cause_d;
      request_q <= request_d;
    end
  end

  // A cause stays until it is cleared; one that is raised in that cycle stays.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RaisedCauseIsSet : assert ((pins_i.raise & ~cause_d) == 4'd0);
      CauseStaysUntilItIsCleared : assert ((cause_q & ~pins_i.clear & ~cause_d) == 4'd0);
      NoCauseFromNothing : assert ((cause_d & ~pins_i.raise & ~cause_q) == 4'd0);
    end
  end
`endif

endmodule
