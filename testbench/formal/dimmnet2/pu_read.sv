/// The reader of the Prefetch Unit walks its declared arcs only (decision 0016).
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | pu_read_pkg::Read : pu_read_pkg::Finish; | pu_read_pkg::Read : pu_read_pkg::Request;
module pu_read_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_read_pkg::in_t pins_i
);

  pu_read_pkg::out_t pins_o;
  pu_read u_pu_read (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_pu_read.state_q ;

  machine #(.States(6), .Arcs(pu_read_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_read.state_q )
  );

endmodule
