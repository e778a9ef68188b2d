/// Write right to the SO-DIMMs: one master at a time (thesis table 7.4).
///
/// A request in one cycle is answered in the next, and the right stays until the request falls. One master
/// takes part in this device, the Write Unit; a second one adds a state beside `WriteUnit` (decision 0011).
module sodimm_arbiter (
    /// Core clock, 100 MHz.
    input  logic                     clk_i,
    /// Synchronous reset.
    input  logic                     rst_ni,
    /// From Write Unit.
    input  sodimm_arbiter_pkg::in_t  pins_i,
    /// To Write Unit.
    output sodimm_arbiter_pkg::out_t pins_o
);

  sodimm_arbiter_pkg::state_e state_d, state_q;

  assign pins_o.write_right = (state_q == sodimm_arbiter_pkg::WriteUnit);

  always_comb begin
    state_d = state_q;

    unique case (state_q)
      // Free: the right is given in the next cycle.
      sodimm_arbiter_pkg::Free: begin
        if (pins_i.write_right_request) begin
          state_d = sodimm_arbiter_pkg::WriteUnit;
        end
      end
      // WriteUnit: the right is held as long as it is wanted.
      sodimm_arbiter_pkg::WriteUnit: begin
        if (!pins_i.write_right_request) begin
          state_d = sodimm_arbiter_pkg::Free;
        end
      end
      default: state_d = sodimm_arbiter_pkg::Free;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= sodimm_arbiter_pkg::Free;
    end else begin
      state_q <= state_d;
    end
  end

endmodule
