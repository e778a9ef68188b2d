/// The head writer walks its declared arcs only, and an entry is announced before it is complete (thesis section 7.2).
// Mutation: rtl/dimmnet2/receive_controller/head_write.sv | head_write_pkg::Complete: state_d = head_write_pkg::Done; | head_write_pkg::Complete: state_d = head_write_pkg::Idle;
// Mutation: rtl/dimmnet2/receive_controller/head_write.sv | flags = (polarity_q == entry_q) | flags = entry_q
// Mutation: rtl/dimmnet2/receive_controller/head_write.sv | broken_d = first; | broken_d = 1'b1;
// Witness: BrokenMessageHasNoEntry | rtl/dimmnet2/receive_controller/head_write.sv | broken_d = first; | broken_d = 1'b1;
module head_write_proof (
    input logic clk_i,
    input logic rst_ni,
    input head_write_pkg::in_t pins_i
);

  head_write_pkg::out_t pins_o;
  head_write u_head_write (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(8)-1:0] \u_head_write.state_q ;
  (* hierconn *) logic        \u_head_write.polarity_q ;
  (* hierconn *) logic        \u_head_write.entry_q ;
  (* hierconn *) logic        \u_head_write.broken_q ;
  (* hierconn *) logic [5:0]  \u_head_write.bytes_q ;
  (* hierconn *) logic [5:0]  \u_head_write.remaining_q ;

  machine #(.States(8), .Arcs(head_write_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_head_write.state_q )
  );

  always_comb begin
    if (rst_ni) begin
      if (\u_head_write.state_q != head_write_pkg::Idle) begin
        // A malformed message has no entry, and a head is no longer than an entry.
        assert (!(\u_head_write.broken_q && \u_head_write.entry_q ));
        assert ({1'b0, \u_head_write.bytes_q } + {1'b0, \u_head_write.remaining_q } <= 7'd56);
      end
      if (pins_o.advance) begin
        // The Tail advances with the Complete Flag, and both flags are the new ones.
        assert (pins_o.write_enable == 2'b01 && pins_o.row == 2'd0);
        assert (!pins_o.broken && pins_o.wdata[47:46] == {2{\u_head_write.polarity_q }});
      end
    end
  end

endmodule
