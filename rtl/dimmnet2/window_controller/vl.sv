/// VL module: makes the Prefetch Unit read own SO-DIMM into own Prefetch Window for VL, VLS and VLI
/// (thesis section 5.3.4, figure 5.12).
///
/// While the rest of a message is in flight to SO-DIMM, a VL of that process waits until it is
/// stored: the host may request the rest as soon as it sees the head (decision 0021).
///
/// The module waits until the Prefetch Unit has stored everything. It does not wait for the first
/// half of a copy from SO-DIMM to SO-DIMM, because the VS or VSS of the second half must start.
/// Figure 5.12 detects a copy by SRCOff; section 4.6.8 names DSTOff, the offset that a copy does
/// not use. The Prefetch Unit parks the request (decision 0022).
module vl (
    /// Core clock, 100 MHz.
    input  logic         clk_i,
    /// Synchronous reset.
    input  logic         rst_ni,
    /// From Request Executor, Prefetch Unit.
    input  vl_pkg::in_t  pins_i,
    /// To Request Executor, Prefetch Unit, registers.
    output vl_pkg::out_t pins_o
);

  vl_pkg::state_e state_d, state_q;
  prefetch_unit_pkg::vector_load_t vector_load_d, vector_load_q;

  assign pins_o.vector_load = vector_load_q;
  assign pins_o.vector_load_start = (state_q == vl_pkg::Vl1);
  assign pins_o.done = (state_q == vl_pkg::VlEnd);
  assign pins_o.done_wid = vector_load_q.wid;
  assign pins_o.idle = (state_q == vl_pkg::Prim);
  assign pins_o.state = state_q;

  // A new request, or the waiting one, is held back.
  logic held;
  logic still_held;
  assign held = pins_i.prefetch_unit_busy ||
                (pins_i.vector_load.wid ? pins_i.hold[1] : pins_i.hold[0]);
  assign still_held = pins_i.prefetch_unit_busy ||
                      (vector_load_q.wid ? pins_i.hold[1] : pins_i.hold[0]);

  always_comb begin
    state_d = state_q;
    vector_load_d = vector_load_q;

    unique case (state_q)
      // Prim: the Prefetch Unit may still be working for another module.
      vl_pkg::Prim: begin
        if (pins_i.start) begin
          vector_load_d = pins_i.vector_load;
          state_d = held ? vl_pkg::Wait : vl_pkg::Vl1;
        end
      end
      // Wait: no other module uses the Prefetch Unit meanwhile.
      vl_pkg::Wait: begin
        if (!still_held) begin
          state_d = vl_pkg::Vl1;
        end
      end
      // Vl1: the Prefetch Unit is busy from the next cycle on.
      vl_pkg::Vl1: begin
        state_d = vector_load_q.first_half ? vl_pkg::VlEnd : vl_pkg::Vl2;
      end
      // Vl2: all data is in the Prefetch Window when the Prefetch Unit is no longer busy.
      vl_pkg::Vl2: begin
        if (!pins_i.prefetch_unit_busy) begin
          state_d = vl_pkg::VlEnd;
        end
      end
      // VlEnd: back to the reset values.
      vl_pkg::VlEnd: begin
        state_d = vl_pkg::Prim;
        vector_load_d = '0;
      end
      default: state_d = vl_pkg::Prim;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= vl_pkg::Prim;
      vector_load_q <= '0;
    end else begin
      state_q <= state_d;
      vector_load_q <= vector_load_d;
    end
  end

  // The first half of a copy is parked, so the module does not wait for its data.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= vl_pkg::VlEnd);
      ParkedCopyIsNotAwaited : assert ((state_q != vl_pkg::Vl2) || !vector_load_q.first_half);
    end
  end
`endif

endmodule
