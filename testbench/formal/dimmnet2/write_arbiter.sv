/// The arbiter of the Write Unit walks its declared arcs only (decision 0017).
// Mutation: rtl/dimmnet2/write_unit/write_arbiter.sv | write_arbiter_pkg::LateStart: state_d = write_arbiter_pkg::Packet; | write_arbiter_pkg::LateStart: state_d = write_arbiter_pkg::Store;
// Witness: PacketWaitsForAStore | rtl/dimmnet2/write_unit/write_arbiter.sv | waiting_d = 1'b0; | waiting_d = waiting_q;
module write_arbiter_proof (
    input logic clk_i,
    input logic rst_ni,
    input write_arbiter_pkg::in_t pins_i
);

  write_arbiter_pkg::out_t pins_o;
  write_arbiter u_write_arbiter (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_write_arbiter.state_q ;

  machine #(.States(4), .Arcs(write_arbiter_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_write_arbiter.state_q )
  );

endmodule
