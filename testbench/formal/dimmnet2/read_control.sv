/// The read control of the Write Unit walks its declared arcs only (thesis table 7.4).
// Mutation: rtl/dimmnet2/write_unit/read_control.sv | state_d = read_control_pkg::Compute2 | state_d = read_control_pkg::Read
// Witness: RoomIsNotMoreThanTheRest | rtl/dimmnet2/write_unit/read_control.sv | room_q < remaining_q) ? room_q : remaining_q | room_q < remaining_q) ? remaining_q : room_q
module read_control_proof (
    input logic clk_i,
    input logic rst_ni,
    input read_control_pkg::in_t pins_i
);

  read_control_pkg::out_t pins_o;
  read_control u_read_control (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_read_control.state_q ;

  machine #(.States(4), .Arcs(read_control_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_read_control.state_q )
  );

endmodule
