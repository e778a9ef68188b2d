/// The encapsulation of SWIF walks its declared arcs only (decision 0010).
// Mutation: rtl/dimmnet2/swif/encapsulation.sv | state_d = encapsulation_pkg::Bth2 | state_d = encapsulation_pkg::Payload
// Witness: StateIsDeclared | rtl/dimmnet2/swif/encapsulation.sv | state_d = encapsulation_pkg::Lrh; | state_d = 3'd6;
module encapsulation_proof (
    input logic clk_i,
    input logic rst_ni,
    input encapsulation_pkg::in_t pins_i
);

  encapsulation_pkg::out_t pins_o;
  encapsulation u_encapsulation (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_encapsulation.state_q ;

  machine #(.States(6), .Arcs(encapsulation_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_encapsulation.state_q )
  );

endmodule
