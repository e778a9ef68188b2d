/// The VL module goes where figure 5.12 goes, for all inputs (thesis section 5.3); a held VL waits as for the Prefetch Unit (7.2).
// Mutation: rtl/dimmnet2/window_controller/vl.sv | ? vl_pkg::VlEnd : vl_pkg::Vl2 | ? vl_pkg::Prim : vl_pkg::Vl2
// Mutation: rtl/dimmnet2/window_controller/vl.sv | vector_load_q.first_half ? vl_pkg::VlEnd | vector_load_q.wid ? vl_pkg::VlEnd
// Mutation: rtl/dimmnet2/window_controller/vl.sv | (vector_load_q.wid ? pins_i.hold[1] : pins_i.hold[0]) | (pins_i.vector_load.wid ? pins_i.hold[1] : pins_i.hold[0])
// Witness: StateIsDeclared | rtl/dimmnet2/window_controller/vl.sv | state_d = held ? vl_pkg::Wait : vl_pkg::Vl1; | state_d = held ? vl_pkg::Wait : 3'd6;
// Witness: ParkedCopyIsNotAwaited | rtl/dimmnet2/window_controller/vl.sv | ? vl_pkg::VlEnd : vl_pkg::Vl2 | ? vl_pkg::Vl2 : vl_pkg::Vl2
module vl_proof (
    input logic clk_i,
    input logic rst_ni,
    input vl_pkg::in_t pins_i
);

  vl_pkg::out_t pins_o;
  vl u_vl (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(5)-1:0] \u_vl.state_q ;

  machine #(.States(5), .Arcs(vl_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_vl.state_q )
  );

  // Figure 5.12; DSTOff, which the Executor has decoded, identifies a copy (decision 0016). Prim
  // accepts a request when the Executor dispatches one. The printed condition that the Prefetch
  // Unit is busy includes the hold of the request's process (decision 0021).
  logic [31:0] dstoff_q;
  logic wid_q;
  always @(posedge clk_i) begin
    if (pins_i.start && pins_o.idle) begin
      dstoff_q <= pins_i.vector_load.dstoff;
      wid_q <= pins_i.vector_load.wid;
    end
  end

  always @* assume (pins_i.vector_load.first_half == (pins_i.vector_load.dstoff == command_pkg::SodimmCopy));

  logic busy;
  logic still_busy;
  assign busy = pins_i.prefetch_unit_busy || pins_i.hold[pins_i.vector_load.wid];
  assign still_busy = pins_i.prefetch_unit_busy || pins_i.hold[wid_q];

  logic [2:0] next;
  always @* begin
    case (\u_vl.state_q )
      vl_pkg::Prim: next = !pins_i.start ? vl_pkg::Prim : busy ? vl_pkg::Wait : vl_pkg::Vl1;
      vl_pkg::Wait: next = still_busy ? vl_pkg::Wait : vl_pkg::Vl1;
      vl_pkg::Vl1: next = (dstoff_q == command_pkg::SodimmCopy) ? vl_pkg::VlEnd : vl_pkg::Vl2;
      vl_pkg::Vl2: next = pins_i.prefetch_unit_busy ? vl_pkg::Vl2 : vl_pkg::VlEnd;
      default: next = vl_pkg::Prim;
    endcase
  end

  diagram #(.Width(3)) u_diagram (
      .clk_i,
      .rst_ni,
      .state_i(\u_vl.state_q ),
      .next_i(next)
  );

  // Invariant that carries the induction.
  logic known_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) known_q <= 1'b1;
  always @* begin
    if (known_q && !pins_o.idle && \u_vl.state_q  != vl_pkg::VlEnd) begin
      assert (pins_o.vector_load.dstoff == dstoff_q && pins_o.vector_load.wid == wid_q);
      assert (pins_o.vector_load.first_half == (dstoff_q == command_pkg::SodimmCopy));
    end
  end

endmodule
