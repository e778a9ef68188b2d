/// The ring of the Write Unit walks its declared arcs only, and lets in only what fits (thesis table 7.5).
// Mutation: rtl/dimmnet2/write_unit/ring.sv | state_d = ring_pkg::End; | state_d = ring_pkg::Test;
// Mutation: rtl/dimmnet2/write_unit/ring.sv | assign fits = ({19'd0, bytes_q} < free_q); | assign fits = ({19'd0, bytes_q} <= free_q);
// Mutation: rtl/dimmnet2/write_unit/ring.sv | start_d = tail & ~mask; | start_d = tail;
module ring_proof (
    input logic clk_i,
    input logic rst_ni,
    input ring_pkg::in_t pins_i
);

  ring_pkg::out_t pins_o;
  ring u_ring (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(8)-1:0] \u_ring.state_q ;
  (* hierconn *) logic [12:0] \u_ring.bytes_q ;
  (* hierconn *) logic [31:0] \u_ring.size_q ;
  (* hierconn *) logic [31:0] \u_ring.tail_q ;
  (* hierconn *) logic [31:0] \u_ring.start_q ;
  (* hierconn *) logic [32:0] \u_ring.end_q ;
  (* hierconn *) logic [31:0] \u_ring.used_q ;
  (* hierconn *) logic [31:0] \u_ring.free_q ;
  (* hierconn *) logic [32:0] \u_ring.limit_q ;
  (* hierconn *) logic        \u_ring.refused_q ;

  machine #(.States(8), .Arcs(ring_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_ring.state_q )
  );

  logic [31:0] mask;
  assign mask = \u_ring.size_q - 32'd1;

  logic in_test;
  logic in_hold;
  logic in_write;
  logic storing;
  assign in_test = \u_ring.state_q == ring_pkg::Test;
  assign in_hold = \u_ring.state_q == ring_pkg::Hold;
  assign in_write = \u_ring.state_q == ring_pkg::Write;
  assign storing = (in_hold || in_write) && !\u_ring.refused_q ;

  always_comb begin
    if (rst_ni) begin
      // Sizes are powers of two.
      assert ((\u_ring.size_q & mask) == 32'd0);
      if (\u_ring.state_q == ring_pkg::End || in_test || in_hold || in_write) begin
        // The area is aligned and Tail lies in it.
        assert ((\u_ring.start_q & mask) == 32'd0);
        assert (\u_ring.start_q [2:0] == 3'd0 && \u_ring.tail_q [2:0] == 3'd0);
        assert ((\u_ring.tail_q & ~mask) == \u_ring.start_q );
        assert (\u_ring.used_q <= mask);
      end
      if (in_test || in_hold || in_write) begin
        assert (\u_ring.end_q == {1'b0, \u_ring.start_q } + {1'b0, \u_ring.size_q });
        assert (\u_ring.free_q == \u_ring.size_q - \u_ring.used_q );
      end
      if (storing) begin
        // A packet that is stored leaves room, in a ring that lies in the region.
        assert ({19'd0, \u_ring.bytes_q } + \u_ring.used_q < \u_ring.size_q );
        assert (\u_ring.end_q <= \u_ring.limit_q );
      end
      if (pins_o.begins) assert (in_test);
      if (pins_o.llcm_write_enable) assert (\u_ring.tail_q [2:0] == 3'd0);
    end
  end

endmodule
