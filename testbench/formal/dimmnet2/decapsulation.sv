/// The decapsulation of SWIF walks its declared arcs only (decision 0010).
// Mutation: rtl/dimmnet2/swif/decapsulation.sv | ends ? decapsulation_pkg::Idle : decapsulation_pkg::First; | ends ? decapsulation_pkg::Idle : decapsulation_pkg::Payload;
// Witness: StateIsDeclared | rtl/dimmnet2/swif/decapsulation.sv | (foreign \|\| overflow) ? decapsulation_pkg::Drop : decapsulation_pkg::Bth1 | 3'd6
module decapsulation_proof (
    input logic clk_i,
    input logic rst_ni,
    input decapsulation_pkg::in_t pins_i
);

  decapsulation_pkg::out_t pins_o;
  decapsulation u_decapsulation (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_decapsulation.state_q ;

  machine #(.States(6), .Arcs(decapsulation_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_decapsulation.state_q )
  );

endmodule
