/// The copy control of the Prefetch Unit walks its declared arcs only (decision 0022).
// Mutation: rtl/dimmnet2/prefetch_unit/pu_copy.sv | state_d = pu_copy_pkg::Load; | state_d = pu_copy_pkg::Idle;
// Witness: ChunkHasBytes | rtl/dimmnet2/prefetch_unit/pu_copy.sv | (asked.left == 32'd0) ? pu_copy_pkg::Ready | (asked.left == 32'd1) ? pu_copy_pkg::Ready
module pu_copy_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_copy_pkg::in_t pins_i
);

  pu_copy_pkg::out_t pins_o;
  pu_copy u_pu_copy (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_pu_copy.state_q ;

  machine #(.States(4), .Arcs(pu_copy_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_copy.state_q )
  );

endmodule
