/// The write control of the Write Unit walks its declared arcs only (thesis table 7.4).
// Mutation: rtl/dimmnet2/write_unit/write_control.sv | write_control_pkg::Done: state_d = write_control_pkg::Idle | write_control_pkg::Done: state_d = write_control_pkg::Request
// Witness: StateIsDeclared | rtl/dimmnet2/write_unit/write_control.sv | state_d = write_control_pkg::Write; | state_d = 3'd5;
module write_control_proof (
    input logic clk_i,
    input logic rst_ni,
    input write_control_pkg::in_t pins_i
);

  write_control_pkg::out_t pins_o;
  write_control u_write_control (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(5)-1:0] \u_write_control.state_q ;

  machine #(.States(5), .Arcs(write_control_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_write_control.state_q )
  );

endmodule
