/// No cause is lost: it stays until the host clears it (paper, section 6.2).
///
/// A cause that is raised while it is cleared stays.
// Mutation: rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | (cause_q \| pins_i.raise) & ~pins_i.clear
// Mutation: rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | ~pins_i.clear & pins_i.raise
// Mutation: rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | cause_q \| pins_i.raise
// Mutation: rtl/cenju3/interrupt.sv | (cause_q & pins_i.enable) != 4'd0 | cause_q != 4'd0
// Witness: RaisedCauseIsSet | rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | (cause_q \| pins_i.raise) & ~pins_i.clear
// Witness: CauseStaysUntilItIsCleared | rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | pins_i.raise
// Witness: NoCauseFromNothing | rtl/cenju3/interrupt.sv | (cause_q & ~pins_i.clear) \| pins_i.raise | cause_q \| pins_i.raise \| pins_i.enable
module interrupt_proof (
    input logic clk_i,
    input logic rst_ni,
    input interrupt_pkg::in_t pins_i
);

  interrupt_pkg::out_t pins_o;
  interrupt u_interrupt (.clk_i, .rst_ni, .pins_i, .pins_o);

  logic       known_q;
  logic       past_rst_nq;
  logic [3:0] past_raise_q;
  logic [3:0] past_clear_q;
  logic [3:0] past_enable_q;
  logic [3:0] past_cause_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_raise_q <= pins_i.raise;
    past_clear_q <= pins_i.clear;
    past_enable_q <= pins_i.enable;
    past_cause_q <= pins_o.cause;
  end
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) begin
      if (past_rst_nq) begin
        RaisedCauseIsSet: assert ((past_raise_q & ~pins_o.cause) == 4'd0);
        CauseStaysUntilItIsCleared: assert ((past_cause_q & ~past_clear_q & ~pins_o.cause) == 4'd0);
        ClearedCauseIsOver: assert ((past_clear_q & ~past_raise_q & pins_o.cause) == 4'd0);
        NoCauseFromNothing: assert ((pins_o.cause & ~past_raise_q & ~past_cause_q) == 4'd0);
        EnabledCauseInterrupts: assert (pins_o.request == ((past_cause_q & past_enable_q) != 4'd0));
      end else begin
        ResetLeavesNoCause: assert (pins_o.cause == 4'd0 && !pins_o.request);
      end
    end
  end

endmodule
