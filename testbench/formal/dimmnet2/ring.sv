/// The ring of the Write Unit walks its declared arcs only, and lets in only what fits (thesis table 7.5).
// Mutation: rtl/dimmnet2/write_unit/ring.sv | state_d = ring_pkg::End; | state_d = ring_pkg::Test;
// Mutation: rtl/dimmnet2/write_unit/ring.sv | left = ~(tail_q - consumed_q) & mask; | left = (consumed_q - tail_q) & mask;
// Mutation: rtl/dimmnet2/write_unit/ring.sv | never_d = too_large \|\| outside; | never_d = too_large;
// Mutation: rtl/dimmnet2/write_unit/ring.sv | start_d = tail & ~mask; | start_d = tail;
// Witness: SizeIsAPowerOfTwo | rtl/dimmnet2/write_unit/ring.sv | size_d = {16'd0, units} << ring_pkg::UnitBits; | size_d = {16'd0, pins_i.ring_request.area_size} << ring_pkg::UnitBits;
// Witness: PacketLeavesRoom | rtl/dimmnet2/write_unit/ring.sv | left = ~(tail_q - consumed_q) & mask; | left = (consumed_q - tail_q) & mask;
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
  (* hierconn *) logic [31:0] \u_ring.consumed_q ;
  (* hierconn *) logic        \u_ring.never_q ;
  (* hierconn *) logic        \u_ring.fits_q ;
  (* hierconn *) logic        \u_ring.refused_q ;

  machine #(.States(8), .Arcs(ring_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_ring.state_q )
  );

  logic [31:0] mask;
  assign mask = \u_ring.size_q - 32'd1;

  // The region when the area was examined; the end of the area; whether the packet fits in addition
  // to the data in the ring.
  region_pkg::out_t bounds;
  logic [32:0] limit_q;
  logic [32:0] area_end;
  logic [31:0] used;
  logic        fits_into_size;
  region u_region (.pins_i({pins_i.capacity}), .pins_o(bounds));
  always @(posedge clk_i) begin
    if (\u_ring.state_q == ring_pkg::End) limit_q <= bounds.limit;
  end
  assign area_end = {1'b0, \u_ring.start_q } + {1'b0, \u_ring.size_q };
  assign used = (\u_ring.tail_q - \u_ring.consumed_q ) & mask;
  assign fits_into_size = {20'd0, \u_ring.bytes_q } + {1'b0, used} < {1'b0, \u_ring.size_q };

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
        // The area is aligned and contains Tail.
        assert ((\u_ring.start_q & mask) == 32'd0);
        assert (\u_ring.start_q [2:0] == 3'd0 && \u_ring.tail_q [2:0] == 3'd0);
        assert ((\u_ring.tail_q & ~mask) == \u_ring.start_q );
      end
      if (in_test || in_hold || in_write) begin
        // The results of `End`, for the region as it was then.
        assert (\u_ring.never_q || \u_ring.fits_q == fits_into_size);
        assert (\u_ring.never_q == ({19'd0, \u_ring.bytes_q } >= \u_ring.size_q || area_end > limit_q));
      end
      if (storing) begin
        // A stored packet leaves room, in a ring inside the region.
        assert ({19'd0, \u_ring.bytes_q } + used < \u_ring.size_q );
        assert (area_end <= limit_q);
      end
      if (pins_o.begins) assert (in_test);
      if (pins_o.llcm_write_enable) assert (\u_ring.tail_q [2:0] == 3'd0);
    end
  end

endmodule
