/// What holds for every machine: it stays in declared states and walks declared arcs only.
///
/// `Arcs` is the table of the generated package, which is also the published diagram: bit [from *
/// States + to]. Reset may occur at any time, and leads to the first state.
module machine #(
    /// Declared states.
    parameter int States = 2,
    /// Declared arcs.
    parameter logic [States*States-1:0] Arcs = '0
) (
    /// Clock of the state machine.
    input logic                      clk_i,
    /// Reset of the state machine.
    input logic                      rst_ni,
    /// State register of the state machine.
    input logic [$clog2(States)-1:0] state_i
);

  logic                      known_q;
  logic                      past_rst_nq;
  logic [$clog2(States)-1:0] past_q;
  initial known_q = 1'b0;

  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_q <= state_i;
  end

  // Power-up is followed by a reset.
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) begin
      StaysInDeclaredStates: assert (state_i < States);
      if (!past_rst_nq) begin
        ResetReachesTheFirstState: assert (state_i == 0);
      end else if (past_q != state_i) begin
        WalksDeclaredArcs: assert (Arcs[past_q * States + state_i]);
      end
    end
  end

endmodule
