/// Arbiter of the SO-DIMMs: grants the right to one master at a time (thesis table 7.4).
///
/// A request is granted in the next cycle, and the right is held until the request falls. If both
/// masters, the Write Unit and the Prefetch Unit, request in the same cycle, the one that was not
/// served last gets the right (decision 0016).
module sodimm_arbiter (
    /// Core clock, 100 MHz.
    input  logic                     clk_i,
    /// Synchronous reset.
    input  logic                     rst_ni,
    /// From Write Unit and Prefetch Unit.
    input  sodimm_arbiter_pkg::in_t  pins_i,
    /// To Write Unit and Prefetch Unit.
    output sodimm_arbiter_pkg::out_t pins_o
);

  sodimm_arbiter_pkg::state_e state_d, state_q;
  logic turn_d, turn_q;

  assign pins_o.write_right = (state_q == sodimm_arbiter_pkg::WriteUnit);
  assign pins_o.read_right = (state_q == sodimm_arbiter_pkg::PrefetchUnit);

  always_comb begin
    state_d = state_q;
    turn_d = turn_q;

    unique case (state_q)
      // Free: the right is granted in the next cycle.
      sodimm_arbiter_pkg::Free: begin
        if (pins_i.write_right_request && !(pins_i.read_right_request && turn_q)) begin
          state_d = sodimm_arbiter_pkg::WriteUnit;
          turn_d = 1'b1;
        end else if (pins_i.read_right_request) begin
          state_d = sodimm_arbiter_pkg::PrefetchUnit;
          turn_d = 1'b0;
        end
      end
      // WriteUnit: the right is held as long as it is requested.
      sodimm_arbiter_pkg::WriteUnit: begin
        if (!pins_i.write_right_request) begin
          state_d = sodimm_arbiter_pkg::Free;
        end
      end
      // PrefetchUnit: the right is held as long as it is requested.
      sodimm_arbiter_pkg::PrefetchUnit: begin
        if (!pins_i.read_right_request) begin
          state_d = sodimm_arbiter_pkg::Free;
        end
      end
      default: state_d = sodimm_arbiter_pkg::Free;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= sodimm_arbiter_pkg::Free;
      turn_q <= '0;
    end else begin
      state_q <= state_d;
      turn_q <= turn_d;
    end
  end

  // At most one side has the right.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= sodimm_arbiter_pkg::PrefetchUnit);
      OneRightAtATime : assert (!(pins_o.write_right && pins_o.read_right));
    end
  end
`endif

endmodule
