/// The VL module walks its declared arcs only (thesis section 5.3, figure 5.12).
// Mutation: rtl/dimmnet2/window_controller/vl.sv | ? vl_pkg::VlEnd : vl_pkg::Vl2 | ? vl_pkg::Prim : vl_pkg::Vl2
module vl_proof (
    input logic clk_i,
    input logic rst_ni,
    input vl_pkg::in_t pins_i
);

  vl_pkg::out_t pins_o;
  vl u_vl (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(5)-1:0] \u_vl.state_q ;

  machine #(.States(5), .Arcs(vl_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_vl.state_q )
  );

endmodule
