/// A down counter: waits for `start`, counts `cycles` cycles, and asserts `done` for one cycle.
module my_block (
    /// Core clock.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// `start` and the number of cycles.
    input  my_block_pkg::in_t  pins_i,
    /// `busy` and `done`.
    output my_block_pkg::out_t pins_o
);

  my_block_pkg::state_e state_d, state_q;
  logic [7:0] left_d, left_q;

  assign pins_o.busy = (state_q != my_block_pkg::Idle);
  assign pins_o.done = (state_q == my_block_pkg::Done);

  always_comb begin
    state_d = state_q;
    left_d = left_q;
    unique case (state_q)
      my_block_pkg::Idle: begin
        if (pins_i.start) begin
          left_d = pins_i.cycles;
          state_d = my_block_pkg::Count;
        end
      end
      my_block_pkg::Count: begin
        left_d = left_q - 8'd1;
        if (left_q <= 8'd1) state_d = my_block_pkg::Done;
      end
      my_block_pkg::Done: state_d = my_block_pkg::Idle;
      default: state_d = my_block_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= my_block_pkg::Idle;
      left_q <= '0;
    end else begin
      state_q <= state_d;
      left_q <= left_d;
    end
  end

endmodule
