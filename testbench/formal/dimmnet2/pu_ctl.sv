/// The control of the Prefetch Unit walks its declared arcs only (thesis section 4.6.3, decision 0016).
// Mutation: rtl/dimmnet2/prefetch_unit/pu_ctl.sv | state_d = pu_ctl_pkg::Data; | state_d = pu_ctl_pkg::Compute;
// Witness: RunHasBytes | rtl/dimmnet2/prefetch_unit/pu_ctl.sv | assign nothing = (wanted == 10'd0) | assign nothing = (wanted == 10'd1)
module pu_ctl_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_ctl_pkg::in_t pins_i
);

  pu_ctl_pkg::out_t pins_o;
  pu_ctl u_pu_ctl (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_pu_ctl.state_q ;

  machine #(.States(4), .Arcs(pu_ctl_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_ctl.state_q )
  );

endmodule
