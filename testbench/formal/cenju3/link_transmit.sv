/// Words are sent in order, none is lost, and no two within 15 cycles: 40 MB/s (paper, section 3).
// Mutation: rtl/cenju3/link_transmit.sv | pace_d = link_transmit_pkg::Rest | pace_d = link_transmit_pkg::Rest - 4'd1
// Mutation: rtl/cenju3/link_transmit.sv | if ((pace_q == 4'd0) && !pins_i.fifo_empty) begin | if (!pins_i.fifo_empty) begin
// Mutation: rtl/cenju3/link_transmit.sv | if (pins_i.ready) begin | if (1'b1) begin
// Witness: StateIsDeclared | rtl/cenju3/link_transmit.sv | state_d = link_transmit_pkg::Offer; | state_d[1:0] = 2'd3;
// Witness: WordWaitsForThePace | rtl/cenju3/link_transmit.sv | if ((pace_q == 4'd0) && !pins_i.fifo_empty) begin | if (!pins_i.fifo_empty) begin
// Witness: PaceIsThatOfAWord | rtl/cenju3/link_transmit.sv | pace_d = link_transmit_pkg::Rest; | pace_d = link_transmit_pkg::Rest + 4'd1;
module link_transmit_proof (
    input logic clk_i,
    input logic rst_ni,
    input link_transmit_pkg::in_t pins_i
);

  link_transmit_pkg::out_t pins_o;
  link_transmit u_link_transmit (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_link_transmit.state_q ;
  (* hierconn *) logic [3:0] \u_link_transmit.pace_q ;
  logic [1:0] state;
  assign state = \u_link_transmit.state_q ;

  machine #(.States(3), .Arcs(link_transmit_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Cycles since a word was taken, saturating at 15, and the words that the FIFO delivered.
  logic       known_q;
  logic       past_rst_nq;
  logic [3:0] age_q;
  logic       gives_q;
  logic       waits_q;
  cenju3_pkg::link_word_t word_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    if (!rst_ni) age_q <= 4'd15;
    else if (pins_o.valid && pins_i.ready) age_q <= 4'd1;
    else if (age_q != 4'd15) age_q <= age_q + 4'd1;
    gives_q <= rst_ni && pins_o.fifo_next && !pins_i.fifo_empty;
    waits_q <= rst_ni && pins_o.valid && !pins_i.ready;
    if (gives_q) word_q <= pins_i.fifo_word;
  end

  always @* begin
    if (known_q) begin
      if (pins_o.valid) begin
        NoWordWithin15Cycles: assert (age_q == 4'd15);
        WordIsThatOfTheFifo: assert (pins_o.word == word_q);
      end
      if (waits_q) WordStaysUntilItIsTaken: assert (pins_o.valid);
      WordOfTheFifoIsTaken: assert (gives_q == (state == link_transmit_pkg::Take));
      // Invariants that carry the induction.
      if (state == link_transmit_pkg::Wait) begin
        assert (age_q != 4'd0);
        assert (\u_link_transmit.pace_q  == (age_q >= 4'd13 ? 4'd0 : 4'd13 - age_q));
      end
      if (state == link_transmit_pkg::Take) assert (age_q >= 4'd14);
    end
  end

endmodule
