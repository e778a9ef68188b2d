/// Transmit side of the link: sends a word of the FIFO every 15 cycles: 40 MB/s (paper, section 3).
module link_transmit (
    /// Clock, 75 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From FIFO and network.
    input  link_transmit_pkg::in_t  pins_i,
    /// To FIFO and network.
    output link_transmit_pkg::out_t pins_o
);

  link_transmit_pkg::state_e state_d, state_q;
  logic [3:0]                pace_d, pace_q;
  cenju3_pkg::link_word_t    word_d, word_q;

  assign pins_o.fifo_next = (state_q == link_transmit_pkg::Wait) && (pace_q == 4'd0);
  assign pins_o.valid = (state_q == link_transmit_pkg::Offer);
  assign pins_o.word = word_q;

  always_comb begin
    state_d = state_q;
    pace_d = (pace_q == 4'd0) ? 4'd0 : pace_q - 4'd1;
    word_d = word_q;

    unique case (state_q)
      // Wait: the 15 cycles of the last word pass.
      link_transmit_pkg::Wait: begin
        if ((pace_q == 4'd0) && !pins_i.fifo_empty) begin
          state_d = link_transmit_pkg::Take;
        end
      end
      // Take: the FIFO delivers the word.
      link_transmit_pkg::Take: begin
        word_d = pins_i.fifo_word;
        state_d = link_transmit_pkg::Offer;
      end
      // Offer: the 15 cycles count from the cycle in which the word is taken.
      link_transmit_pkg::Offer: begin
        if (pins_i.ready) begin
          pace_d = link_transmit_pkg::Rest;
          state_d = link_transmit_pkg::Wait;
        end
      end
      default: state_d = link_transmit_pkg::Wait;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= link_transmit_pkg::Wait;
      pace_q <= '0;
      word_q <= '0;
    end else begin
      state_q <= state_d;
      pace_q <= pace_d;
      word_q <= word_d;
    end
  end

  // A word is read from the FIFO and offered after the 15 cycles of the one before.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= link_transmit_pkg::Offer);
      WordWaitsForThePace : assert ((state_q == link_transmit_pkg::Wait) || (pace_q == 4'd0));
      PaceIsThatOfAWord : assert (pace_q <= link_transmit_pkg::Rest);
    end
  end
`endif

endmodule
