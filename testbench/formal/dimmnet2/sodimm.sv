/// The SO-DIMM's controller walks its declared arcs only (decision 0011).
// Mutation: rtl/dimmnet2/sodimm_interface/sodimm.sv | sodimm_pkg::ActivateWait: state_d = sodimm_pkg::Burst | sodimm_pkg::ActivateWait: state_d = sodimm_pkg::Recover
// Witness: StateIsDeclared | rtl/dimmnet2/sodimm_interface/sodimm.sv | sodimm_pkg::ActivateWait: state_d = sodimm_pkg::Burst; | sodimm_pkg::ActivateWait: state_d = 3'd7;
module sodimm_proof (
    input logic clk_i,
    input logic rst_ni,
    input sodimm_pkg::in_t pins_i
);

  sodimm_pkg::out_t pins_o;
  sodimm u_sodimm (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(7)-1:0] \u_sodimm.state_q ;

  machine #(.States(7), .Arcs(sodimm_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_sodimm.state_q )
  );

endmodule
