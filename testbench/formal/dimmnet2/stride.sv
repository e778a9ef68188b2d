/// The stride of the Write Unit walks its declared arcs only (decision 0017).
// Mutation: rtl/dimmnet2/write_unit/stride.sv | state_d = stride_pkg::Store; | state_d = stride_pkg::Drain;
// Witness: StateIsDeclared | rtl/dimmnet2/write_unit/stride.sv | state_d = stride_pkg::Store; | state_d = 2'd3;
module stride_proof (
    input logic clk_i,
    input logic rst_ni,
    input stride_pkg::in_t pins_i
);

  stride_pkg::out_t pins_o;
  stride u_stride (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(3)-1:0] \u_stride.state_q ;

  machine #(.States(3), .Arcs(stride_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_stride.state_q )
  );

endmodule
