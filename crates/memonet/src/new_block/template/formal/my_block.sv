/// The block takes declared transitions only, and asserts `done` the requested number of cycles after `start`.
// Mutation: rtl/my_block/my_block.sv | left_q <= 8'd1 | left_q <= 8'd2
// Mutation: rtl/my_block/my_block.sv | my_block_pkg::Done: state_d = my_block_pkg::Idle; | my_block_pkg::Done: state_d = my_block_pkg::Count;
module my_block_proof (
    input logic clk_i,
    input logic rst_ni,
    input my_block_pkg::in_t pins_i
);

  my_block_pkg::out_t pins_o;
  my_block u_my_block (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_my_block.state_q ;
  (* hierconn *) logic [7:0] \u_my_block.left_q ;

  machine #(.States(3), .Arcs(my_block_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_my_block.state_q )
  );

  // Cycles since the start, and cycles requested.
  logic       known_q;
  logic [8:0] passed_q;
  logic [8:0] wanted_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    if (!rst_ni) known_q <= 1'b1;
    if (!pins_o.busy) begin
      passed_q <= 9'd0;
      wanted_q <= (pins_i.cycles == 8'd0) ? 9'd1 : {1'b0, pins_i.cycles};
    end else begin
      passed_q <= passed_q + 9'd1;
    end
  end

  always @* begin
    if (known_q && pins_o.busy) begin
      DoneWhenItHasCounted: assert (pins_o.done == (passed_q == wanted_q));
      // Induction invariant: cycles left plus cycles passed equal the cycles requested.
      if (!pins_o.done) begin
        assert (passed_q < wanted_q);
        assert (\u_my_block.left_q == 8'd0 ? (passed_q == 9'd0 && wanted_q == 9'd1)
                                           : ({1'b0, \u_my_block.left_q } + passed_q == wanted_q));
      end
    end
  end

endmodule
