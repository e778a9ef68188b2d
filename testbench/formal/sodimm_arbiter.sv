/// The arbiter of an SO-DIMM walks its declared arcs only, and gives the right to who asked (decision 0011).
// Mutation: rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | if (pins_i.write_right_request) begin | if (!pins_i.write_right_request) begin
module sodimm_arbiter_proof (
    input logic clk_i,
    input logic rst_ni,
    input sodimm_arbiter_pkg::in_t pins_i
);

  sodimm_arbiter_pkg::out_t pins_o;
  sodimm_arbiter u_sodimm_arbiter (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic \u_sodimm_arbiter.state_q ;

  machine #(.States(2), .Arcs(sodimm_arbiter_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_sodimm_arbiter.state_q )
  );

  // Both arcs of two states are declared, so the table alone says little here.
  logic known_q;
  logic asked_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    asked_q <= rst_ni && pins_i.write_right_request;
  end
  always @* if (known_q) RightFollowsRequest: assert ((\u_sodimm_arbiter.state_q  == sodimm_arbiter_pkg::WriteUnit) == asked_q);

endmodule
