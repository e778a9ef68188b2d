/// The list read of the Write Unit walks its declared arcs only (decision 0022).
// Mutation: rtl/dimmnet2/write_unit/list_read.sv | state_d = list_read_pkg::Give; | state_d = list_read_pkg::Idle;
// Witness: EntriesNeverWrap | rtl/dimmnet2/write_unit/list_read.sv | if (entries_q != 8'd0) entries_d | entries_d
module list_read_proof (
    input logic clk_i,
    input logic rst_ni,
    input list_read_pkg::in_t pins_i
);

  list_read_pkg::out_t pins_o;
  list_read u_list_read (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(4)-1:0] \u_list_read.state_q ;

  machine #(.States(4), .Arcs(list_read_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_list_read.state_q )
  );

endmodule
