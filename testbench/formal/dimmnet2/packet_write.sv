/// The packet writer of the Receive Controller walks its declared arcs only (thesis section 4.2).
// Mutation: rtl/dimmnet2/receive_controller/packet_write.sv | state_d = last ? packet_write_pkg::Done : | state_d = last ? packet_write_pkg::Idle :
// Witness: RoomIsNotMoreThanTheRest | rtl/dimmnet2/receive_controller/packet_write.sv | (room_q < remaining_q) ? room_q : remaining_q | (room_q < remaining_q) ? remaining_q : room_q
module packet_write_proof (
    input logic clk_i,
    input logic rst_ni,
    input packet_write_pkg::in_t pins_i
);

  packet_write_pkg::out_t pins_o;
  packet_write u_packet_write (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_packet_write.state_q ;

  machine #(.States(4), .Arcs(packet_write_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_packet_write.state_q )
  );

endmodule
