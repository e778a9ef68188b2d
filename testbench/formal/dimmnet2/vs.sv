/// The VS module goes where figure 5.13 goes, and asks for no byte beyond its window (thesis section 5.3).
// Mutation: rtl/dimmnet2/window_controller/vs.sv | if (bytes_q > {5'd0, room_q}) begin | if (bytes_q > 15'd512) begin
// Mutation: rtl/dimmnet2/window_controller/vs.sv | pins_i.too_long ? pins_i.room : | pins_i.too_long ? 10'd512 :
// Mutation: rtl/dimmnet2/window_controller/vs.sv | state_d = busy ? vs_pkg::Wait : vs_pkg::Vs1 | state_d = busy ? vs_pkg::Wait : vs_pkg::VsEnd
// Mutation: rtl/dimmnet2/window_controller/vs.sv | more_follows && !pins_i.status.overrun | more_follows
// Witness: StateIsDeclared | rtl/dimmnet2/window_controller/vs.sv | state_d = busy ? vs_pkg::Wait : vs_pkg::Vs1 | state_d = busy ? vs_pkg::Wait : 3'd6
// Witness: RequestIsMadeInVs1 | rtl/dimmnet2/window_controller/vs.sv | request_d = !busy && !pins_i.copies; | request_d = !pins_i.copies;
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

  (* hierconn *) logic [9:0]  \u_vs.room_q ;
  (* hierconn *) logic        \u_vs.chunk_request_q ;
  (* hierconn *) logic [31:0] \u_vs.left_q ;
  (* hierconn *) logic [14:0] \u_vs.bytes_q ;
  (* hierconn *) logic [31:0] \u_vs.offset_q ;

  // The start of the store, as requested.
  logic       known_q;
  logic [9:0] room_q;
  logic       copies_q;
  logic       strided_q;
  logic       listed_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (pins_i.start && pins_o.idle) begin
      room_q <= 10'd512 - {1'b0, pins_i.source[8:2], 2'b00};
      copies_q <= pins_i.copies;
      strided_q <= pins_i.strided;
      listed_q <= pins_i.listed;
    end
  end

  // The sizes, as proved for the Request Acceptor.
  always @* begin
    assume (pins_i.room == 10'd512 - {1'b0, pins_i.source[8:2], 2'b00});
    assume (pins_i.too_long == (pins_i.size_list_stride > {22'd0, pins_i.room}));
  end

  // Figure 5.13. In addition, a copy waits for the Prefetch Unit as a VSI does. The figure has no
  // chunks; decision 0022 ends them with an empty chunk, a cut one, a short one, the requested
  // size, or 4 GB.
  logic       busy;
  logic       now_busy;
  logic       copy_ends;
  logic [2:0] next;
  assign busy = pins_i.status.busy || (pins_i.copies && pins_i.prefetch_unit_busy);
  assign now_busy = pins_i.status.busy || ((listed_q || copies_q) && pins_i.prefetch_unit_busy);
  always @* begin
    if (\u_vs.chunk_request_q  && pins_i.copy_chunk.ready) begin
      copy_ends = (\u_vs.left_q == 32'd0) || pins_i.copy_chunk.bytes == 10'd0;
    end else begin
      copy_ends = pins_i.status.done &&
                  (pins_i.status.overrun || \u_vs.bytes_q != 15'd512 || \u_vs.left_q <= 32'd512 ||
                   (!strided_q && \u_vs.offset_q >= 32'hffff_fe00));
    end
    case (\u_vs.state_q )
      vs_pkg::Prim:
        next = !pins_i.start ? vs_pkg::Prim : pins_i.strided ? vs_pkg::Vss1 : busy ? vs_pkg::Wait : vs_pkg::Vs1;
      vs_pkg::Wait: next = now_busy ? vs_pkg::Wait : vs_pkg::Vs1;
      vs_pkg::Vss1: next = now_busy ? vs_pkg::Vss1 : vs_pkg::Vs1;
      vs_pkg::Vs1: next = (copies_q ? copy_ends : pins_i.status.done) ? vs_pkg::VsEnd : vs_pkg::Vs1;
      default: next = vs_pkg::Prim;
    endcase
  end
  diagram #(.Width(3)) u_diagram (.clk_i, .rst_ni, .state_i(\u_vs.state_q ), .next_i(next));

  always @* begin
    if (known_q) begin
      if (pins_o.vector_store.request && !pins_o.vector_store.copies) begin
        EndsWithItsWindow: assert (pins_o.vector_store.bytes <= room_q);
      end
      // Invariants that carry the induction.
      if (!pins_o.idle) assert (\u_vs.room_q  == room_q);
      if (!pins_o.idle) assert (pins_o.vector_store.copies == copies_q);
      if (!pins_o.idle) assert (pins_o.vector_store.strided == strided_q);
      if (!pins_o.idle) assert (pins_o.vector_store.listed == listed_q);
      if (\u_vs.state_q  == vs_pkg::Wait || \u_vs.state_q  == vs_pkg::Vs1) begin
        assert (pins_o.vector_store.copies || pins_o.vector_store.bytes <= room_q);
      end
      if (\u_vs.state_q  != vs_pkg::Vs1) assert (!pins_o.vector_store.request);
      if (\u_vs.chunk_request_q ) assert (!pins_o.idle && pins_o.vector_store.copies);
    end
  end

endmodule
