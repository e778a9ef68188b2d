/// The VS module walks its declared arcs only, and asks for no byte beyond its window (thesis section 5.3, figure 5.13).
// Mutation: rtl/dimmnet2/window_controller/vs.sv | if (bytes_q > {5'd0, room_q}) begin | if (bytes_q > 15'd512) begin
// Mutation: rtl/dimmnet2/window_controller/vs.sv | too_long ? room : | too_long ? 10'd512 :
// Mutation: rtl/dimmnet2/window_controller/vs.sv | state_d = busy ? vs_pkg::Wait : vs_pkg::Vs1 | state_d = busy ? vs_pkg::Wait : vs_pkg::VsEnd
module vs_proof (
    input logic clk_i,
    input logic rst_ni,
    input vs_pkg::in_t pins_i
);

  vs_pkg::out_t pins_o;
  vs u_vs (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(5)-1:0] \u_vs.state_q ;

  machine #(.States(5), .Arcs(vs_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_vs.state_q )
  );

  (* hierconn *) logic [9:0] \u_vs.room_q ;
  (* hierconn *) logic       \u_vs.chunk_request_q ;

  // Where the store began, as it was asked for.
  logic       known_q;
  logic [9:0] room_q;
  logic       copies_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (pins_i.start && pins_o.idle) begin
      room_q <= 10'd512 - {1'b0, pins_i.source[8:2], 2'b00};
      copies_q <= pins_i.copies;
    end
  end

  always @* begin
    if (known_q) begin
      if (pins_o.vector_store.request && !pins_o.vector_store.copies) begin
        EndsWithItsWindow: assert (pins_o.vector_store.bytes <= room_q);
      end
      // Invariants that carry the induction.
      if (!pins_o.idle) assert (\u_vs.room_q  == room_q);
      if (!pins_o.idle) assert (pins_o.vector_store.copies == copies_q);
      if (\u_vs.state_q  == vs_pkg::Wait || \u_vs.state_q  == vs_pkg::Vs1) begin
        assert (pins_o.vector_store.copies || pins_o.vector_store.bytes <= room_q);
      end
      if (\u_vs.state_q  != vs_pkg::Vs1) assert (!pins_o.vector_store.request);
      if (\u_vs.chunk_request_q ) assert (!pins_o.idle && pins_o.vector_store.copies);
    end
  end

endmodule
