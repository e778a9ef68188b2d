/// The RVL module goes where figure 5.14 goes, and sends the four lines of a request and nothing else (thesis section 5.3).
///
/// For every request and every stall of the SWIF FIFO: lines are identified 01, 11, 11, 10 in four
/// consecutive cycles; no other line is sent; the first line carries the PGID register of the
/// issuing process, and its WID.
// Mutation: rtl/dimmnet2/window_controller/rvl.sv | state_d = pins_i.swif_fifo_almost_full ? rvl_pkg::Wait : rvl_pkg::Rvl1 | state_d = rvl_pkg::Rvl1
// Mutation: rtl/dimmnet2/window_controller/rvl.sv | state_d = rvl_pkg::RvlEnd | state_d = rvl_pkg::Prim
// Mutation: rtl/dimmnet2/window_controller/rvl.sv | pgid_d = pins_i.request.wid ? pins_i.pgid1 : pins_i.pgid0 | pgid_d = pins_i.request.wid ? pins_i.pgid0 : pins_i.pgid1
// Mutation: rtl/dimmnet2/window_controller/rvl.sv | pgid_d = request_q.wid ? pins_i.pgid1 : pins_i.pgid0 | pgid_d = pgid_q
// Witness: StateIsDeclared | rtl/dimmnet2/window_controller/rvl.sv | state_d = rvl_pkg::RvlEnd | state_d = 3'd7
module rvl_proof (
    input logic clk_i,
    input logic rst_ni,
    input rvl_pkg::in_t pins_i
);

  rvl_pkg::out_t pins_o;
  rvl u_rvl (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_rvl.state_q ;
  (* hierconn *) logic [7:0] \u_rvl.pgid_q ;

  logic [2:0] state;
  assign state = \u_rvl.state_q ;

  machine #(.States(6), .Arcs(rvl_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // Figure 5.14. Prim accepts a request when the Executor dispatches one.
  logic [2:0] next;
  always @* begin
    case (state)
      rvl_pkg::Prim:
        next = !pins_i.start ? rvl_pkg::Prim : pins_i.swif_fifo_almost_full ? rvl_pkg::Wait : rvl_pkg::Rvl1;
      rvl_pkg::Wait: next = pins_i.swif_fifo_almost_full ? rvl_pkg::Wait : rvl_pkg::Rvl1;
      rvl_pkg::Rvl1: next = rvl_pkg::Rvl2;
      rvl_pkg::Rvl2: next = rvl_pkg::Rvl3;
      rvl_pkg::Rvl3: next = rvl_pkg::RvlEnd;
      default: next = rvl_pkg::Prim;
    endcase
  end
  diagram #(.Width(3)) u_diagram (.clk_i, .rst_ni, .state_i(state), .next_i(next));

  // The requesting process, and the PGID registers in the cycle before the first line.
  logic       known_q;
  logic       wid_q;
  logic       wid;
  logic [7:0] pgid_q;
  assign wid = (state == rvl_pkg::Prim) ? pins_i.request.wid : wid_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    wid_q <= wid;
    if (next == rvl_pkg::Rvl1) pgid_q <= wid ? pins_i.pgid1 : pins_i.pgid0;
  end

  always @* begin
    if (known_q) begin
      LinesAreThoseOfThePacket: assert (pins_o.line_enable == (state >= rvl_pkg::Rvl1));
      case (state)
        rvl_pkg::Rvl1: begin
          FirstLine: assert (pins_o.line.id == line_pkg::First);
          GroupIsThatOfTheRegister: assert (pins_o.line.data[27:20] == pgid_q);
          ProcessIsTheOneThatAsked: assert (pins_o.line.data[30] == wid_q);
          SizeIsFourLines: assert (pins_o.line.data[11:0] == 12'd32);
        end
        rvl_pkg::Rvl2, rvl_pkg::Rvl3: MiddleLine: assert (pins_o.line.id == line_pkg::Middle);
        rvl_pkg::RvlEnd: LastLine: assert (pins_o.line.id == line_pkg::Last);
        default: ;
      endcase
      // Invariants that carry the induction.
      if (state == rvl_pkg::Rvl1) assert (\u_rvl.pgid_q  == pgid_q);
      if (state != rvl_pkg::Prim) assert (pins_o.done_wid == wid_q);
    end
  end

endmodule
