/// The packet control of the Receive Controller walks its declared arcs only (thesis section 4.2).
// Mutation: rtl/dimmnet2/receive_controller/packet_control.sv | packet_control_pkg::Request: state_d = packet_control_pkg::Header1 | packet_control_pkg::Request: state_d = packet_control_pkg::Header2
// Witness: StateIsDeclared | rtl/dimmnet2/receive_controller/packet_control.sv | packet_control_pkg::Request: state_d = packet_control_pkg::Header1; | packet_control_pkg::Request: state_d = 4'd14;
// Witness: StartIsInDecode | rtl/dimmnet2/receive_controller/packet_control.sv | starts_d = !hflag_q && rvs && !local_data; | starts_d = rvs && !local_data;
module packet_control_proof (
    input logic clk_i,
    input logic rst_ni,
    input packet_control_pkg::in_t pins_i
);

  packet_control_pkg::out_t pins_o;
  packet_control u_packet_control (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(14)-1:0] \u_packet_control.state_q ;

  machine #(.States(14), .Arcs(packet_control_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_packet_control.state_q )
  );

endmodule
