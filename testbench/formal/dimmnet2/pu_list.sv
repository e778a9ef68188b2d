/// The list service of the Prefetch Unit walks its declared arcs only (decision 0022).
// Mutation: rtl/dimmnet2/prefetch_unit/pu_list.sv | pu_list_pkg::Done : pu_list_pkg::Wait; | pu_list_pkg::Done : pu_list_pkg::Read;
// Witness: StateIsDeclared | rtl/dimmnet2/prefetch_unit/pu_list.sv | state_d = pu_list_pkg::Request; | state_d = 3'd6;
module pu_list_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_list_pkg::in_t pins_i
);

  pu_list_pkg::out_t pins_o;
  pu_list u_pu_list (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_pu_list.state_q ;

  machine #(.States(6), .Arcs(pu_list_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_list.state_q )
  );

endmodule
