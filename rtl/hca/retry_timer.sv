/// Retry timer: counts ticks while a connection has an outstanding request, and schedules its send
/// queue to check the deadline (IBA volume 1, section 9.7.6.1.3).
///
/// Each tick of 128 cycles, 1.024 us, serves every sixteenth queue pair, so an expired deadline is
/// found within 16 ticks. Without an outstanding request the count of time stops, and the block is
/// quiescent.
module retry_timer (
    /// Clock of the adapter, 125 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From the send engine.
    input  retry_timer_pkg::in_t  pins_i,
    /// To scheduler and engines.
    output retry_timer_pkg::out_t pins_o
);

  // Every sixteenth queue pair.
  localparam logic [63:0] Sixteenth = 64'h0001_0001_0001_0001;

  logic [6:0]  cycles_d, cycles_q;
  logic [31:0] now_d, now_q;
  logic [63:0] active_d, active_q;
  logic [63:0] due_d, due_q;

  assign pins_o.now = now_q;
  assign pins_o.due = due_q;

  logic        ends;
  logic [63:0] turn;
  assign ends = (cycles_q == 7'h7f);
  assign turn = 64'd1 << pins_i.pair;

  always_comb begin
    cycles_d = cycles_q;
    now_d = now_q;
    active_d = active_q;
    due_d = due_q;
    if (active_q != 64'd0) begin
      cycles_d = cycles_q + 7'd1;
      if (ends) now_d = now_q + 32'd1;
    end
    due_d = ends ? active_q & (Sixteenth << now_q[3:0]) : 64'd0;
    if (pins_i.turn) active_d = pins_i.active ? (active_q | turn) : (active_q & ~turn);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      now_q <= '0;
      active_q <= '0;
      due_q <= '0;
    end else begin
      cycles_q <= cycles_d;
      now_q <= now_d;
      active_q <= active_d;
      due_q <= due_d;
    end
  end

  // Send queues that are due are sixteen apart, and have an outstanding request.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneOfSixteen : assert ((due_q & ~(Sixteenth << (now_q[3:0] - 4'd1))) == 64'd0);
      NobodyElseIsDue : assert ((due_d & ~active_q) == 64'd0);
    end
  end
`endif

endmodule
