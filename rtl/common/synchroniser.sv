/// Two flip-flops that carry a value into another clock domain, twin of `hdl::Synchroniser`.
///
/// The value must be Gray coded or quasi-static: its bits arrive one by one.
module synchroniser #(
    /// Width of the value in bits.
    parameter int Width = 1
) (
    /// Clock of the receiving domain.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// Value, straight from registers of the sending domain.
    input  logic [Width-1:0] value_i,
    /// The value in the receiving domain in the next cycle, unless that cycle is in reset.
    output logic [Width-1:0] coming_o,
    /// The value in the receiving domain.
    output logic [Width-1:0] value_o
);

  logic [Width-1:0] stage0_q;
  logic [Width-1:0] stage1_q;

  assign coming_o = stage0_q;
  assign value_o = stage1_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage0_q <= '0;
      stage1_q <= '0;
    end else begin
      stage0_q <= value_i;
      stage1_q <= stage0_q;
    end
  end

endmodule
