/// RVL family: requests data from the SO-DIMM of a remote node (thesis section 5.3, figure 5.14).
///
/// The request is a packet of four header lines in consecutive cycles. The fourth line is Command
/// Ex: the layout of the data in the requester's SO-DIMM, or 0 unless Command Ex is enabled. The
/// primitive is complete when the request has been sent; the data arrives in packets of the RVS
/// family (decision 0018).
///
/// A read into a Prefetch Window (Command1) appears in the Prefetch Window Flag: with the last line
/// of the request, the quarters that the data will not touch are reported. The Receive Controller
/// reports the others.
module rvl (
    /// Core clock, 100 MHz.
    input  logic          clk_i,
    /// Synchronous reset.
    input  logic          rst_ni,
    /// From Request Executor, Configuration Register, SWIF FIFO.
    input  rvl_pkg::in_t  pins_i,
    /// To Request Executor, SWIF FIFO, registers.
    output rvl_pkg::out_t pins_o
);

  rvl_pkg::state_e state_d, state_q;
  request_pkg::request_t request_d, request_q;
  logic [63:0] ex_d, ex_q;
  logic [7:0]  pgid_d, pgid_q;
  logic [9:0]  reached_d, reached_q;
  logic [3:0]  quarters_d, quarters_q;

  // The request; bits between its fields are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t lower;
  command_pkg::ex_t    ex;
  /* verilator lint_on UNUSEDSIGNAL */
  command_pkg::upper_t upper;
  logic        contiguous;
  logic [31:0] total;
  assign lower = request_q.lower;
  assign upper = request_q.upper;
  assign ex = ex_q;
  assign contiguous = (lower.otype[1:0] == 2'd0);
  assign total = contiguous ? lower.size_list_stride : {24'd0, lower.iteration} << lower.dtype;

  // The four header lines.
  logic [15:0] dlid;
  clid_to_lid u_clid_to_lid (
      .clid_i(lower.dclid),
      .lid_o(dlid)
  );
  packet_pkg::first_line_t first_line;
  packet_pkg::second_line_t second_line;
  packet_pkg::third_line_t third_line;
  packet_pkg::fourth_line_t fourth_line;
  always_comb begin
    first_line = '0;
    first_line.packet_size = rvl_pkg::RequestBytes;
    first_line.otype = lower.otype;
    first_line.pgid = pgid_q;
    first_line.dwid = lower.dwid;
    first_line.swid = request_q.wid;
    first_line.dlid = dlid;
    first_line.dtype = lower.dtype;
    first_line.iteration = lower.iteration;
    first_line.rflag = request_q.to_prefetch_window;
    first_line.eflag = lower.eflag;
    first_line.hflag = 1'b1;
    second_line.srcoff = upper.srcoff;
    second_line.dstoff = upper.dstoff;
    third_line.total_transfer_size = total;
    third_line.stride_list = contiguous ? 32'd0 : lower.size_list_stride;
    fourth_line = '0;
    fourth_line.otype = ex.otype;
    fourth_line.dtype = ex.dtype;
    fourth_line.iteration = ex.iteration;
    fourth_line.stride_list = ex.size_list_stride;
  end

  line_pkg::line_t line;
  always_comb begin
    unique case (state_q)
      rvl_pkg::Rvl1: {line.id, line.data} = {line_pkg::First, first_line};
      rvl_pkg::Rvl2: {line.id, line.data} = {line_pkg::Middle, second_line};
      rvl_pkg::Rvl3: {line.id, line.data} = {line_pkg::Middle, third_line};
      rvl_pkg::RvlEnd: {line.id, line.data} = {line_pkg::Last, fourth_line};
      default: {line.id, line.data} = '0;
    endcase
  end
  assign pins_o.line = line;
  assign pins_o.line_enable = (state_q != rvl_pkg::Prim) && (state_q != rvl_pkg::Wait);
  assign pins_o.done = (state_q == rvl_pkg::RvlEnd);
  assign pins_o.done_wid = request_q.wid;
  assign pins_o.idle = (state_q == rvl_pkg::Prim);
  assign pins_o.state = state_q;

  // Quarters of the destination Prefetch Window that the data does not touch: computed with the
  // line before the last (decision 0052).
  logic       opened;
  logic [9:0] first;
  logic       none;
  logic       beyond;
  logic [9:0] reached;
  logic [9:0] last;
  logic       at_edge;
  logic [3:0] quarters;
  assign opened = (state_q == rvl_pkg::RvlEnd) && request_q.to_prefetch_window;
  assign first = {1'b0, upper.dstoff[8:2], 2'b00};
  assign none = (total == 32'd0);
  // The distance beyond the end of the window does not matter.
  assign beyond = (total[31:9] != 23'd0);
  assign reached = (first + {1'b0, total[8:0]}) | {10{beyond}};
  assign last = reached_q;
  // The end of the data lies in one quarter, or at its start: the upper bits select the quarter.
  assign at_edge = (last[6:0] == 7'd0);
  assign quarters[0] = none || first[8:7] != 2'd0;
  assign quarters[1] = none || first[8] ||
                       last[9:7] == 3'd0 || (last[9:7] == 3'd1 && at_edge);
  assign quarters[2] = none || first[8:7] == 2'd3 ||
                       last[9:8] == 2'd0 || (last[9:7] == 3'd2 && at_edge);
  assign quarters[3] = none || last[9:8] == 2'd0 ||
                       last[9:7] == 3'd2 || (last[9:7] == 3'd3 && at_edge);
  assign pins_o.flag.opened = opened;
  assign pins_o.flag.quarters = opened ? quarters_q : 4'h0;
  assign pins_o.flag.window = upper.dstoff[10:9];
  assign pins_o.flag.wid = request_q.wid;

  always_comb begin
    state_d = state_q;
    request_d = request_q;
    ex_d = ex_q;
    pgid_d = pgid_q;
    reached_d = reached_q;
    quarters_d = quarters_q;

    unique case (state_q)
      // Prim: the FIFO has room for a whole packet unless it is almost full, so it is not tested
      // again.
      rvl_pkg::Prim: begin
        if (pins_i.start) begin
          request_d = pins_i.request;
          ex_d = pins_i.ex;
          pgid_d = pins_i.request.wid ? pins_i.pgid1 : pins_i.pgid0;
          state_d = pins_i.swif_fifo_almost_full ? rvl_pkg::Wait : rvl_pkg::Rvl1;
        end
      end
      // Wait: PGID is sampled in the cycle before the first line.
      rvl_pkg::Wait: begin
        pgid_d = request_q.wid ? pins_i.pgid1 : pins_i.pgid0;
        if (!pins_i.swif_fifo_almost_full) begin
          state_d = rvl_pkg::Rvl1;
        end
      end
      // Rvl1: one line per cycle.
      rvl_pkg::Rvl1: state_d = rvl_pkg::Rvl2;
      // Rvl2: one line per cycle; the end of the data is computed before its quarters.
      rvl_pkg::Rvl2: begin
        reached_d = reached;
        state_d = rvl_pkg::Rvl3;
      end
      // Rvl3: one line per cycle.
      rvl_pkg::Rvl3: begin
        quarters_d = quarters;
        state_d = rvl_pkg::RvlEnd;
      end
      // RvlEnd: back to the reset values.
      rvl_pkg::RvlEnd: begin
        state_d = rvl_pkg::Prim;
        request_d = '0;
        ex_d = '0;
        pgid_d = '0;
        reached_d = '0;
        quarters_d = '0;
      end
      default: state_d = rvl_pkg::Prim;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= rvl_pkg::Prim;
      request_q <= '0;
      ex_q <= '0;
      pgid_q <= '0;
      reached_q <= '0;
      quarters_q <= '0;
    end else begin
      state_q <= state_d;
      request_q <= request_d;
      ex_q <= ex_d;
      pgid_q <= pgid_d;
      reached_q <= reached_d;
      quarters_q <= quarters_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= rvl_pkg::RvlEnd);
    end
  end
`endif

endmodule
