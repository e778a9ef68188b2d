/// The machine is the published one: after each edge it is in the state that the diagram names.
///
/// A harness writes the arcs of the figure, with their conditions, as its own function; `next_i` is
/// its value.
module diagram #(
    /// Width of the state register.
    parameter int Width = 2
) (
    /// Clock of the state machine.
    input logic             clk_i,
    /// Reset of the state machine.
    input logic             rst_ni,
    /// State register of the state machine.
    input logic [Width-1:0] state_i,
    /// Next state in the diagram.
    input logic [Width-1:0] next_i
);

  logic             known_q;
  logic             past_rst_nq;
  logic [Width-1:0] past_next_q;
  initial known_q = 1'b0;

  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_next_q <= next_i;
  end

  always @* if (known_q && past_rst_nq) GoesWhereTheDiagramGoes: assert (state_i == past_next_q);

endmodule
