/// Retry timer: counts ticks while a connection has an outstanding request, and schedules its send
/// queue to check the deadline (IBA volume 1, section 9.7.6.1.3).
///
/// Each tick of 128 cycles, 1.024 us, serves every sixteenth queue pair, one in 8 cycles, the
/// highest number first. So an expired deadline is found within 16 ticks. Without an outstanding
/// request the count of time stops, and the block is quiescent.
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

  logic [6:0]  cycles_d, cycles_q;
  logic [31:0] now_d, now_q;
  logic [255:0] active_d, active_q;
  logic        due_d, due_q;
  logic [7:0]  late_d, late_q;

  assign pins_o.now = now_q;
  assign pins_o.due = due_q;
  assign pins_o.late = late_q;

  // Queue pair of this part of the tick.
  logic [7:0] part;
  assign part = {~cycles_q[6:3], now_q[3:0]};

  always_comb begin
    cycles_d = cycles_q;
    now_d = now_q;
    active_d = active_q;
    late_d = late_q;
    if (active_q != 256'd0) begin
      cycles_d = cycles_q + 7'd1;
      if (cycles_q == 7'h7f) now_d = now_q + 32'd1;
    end
    due_d = (cycles_q[2:0] == 3'd7) && active_q[part];
    if (due_d) late_d = part;
    if (pins_i.turn) active_d[pins_i.pair] = pins_i.active;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      now_q <= '0;
      active_q <= '0;
      due_q <= '0;
      late_q <= '0;
    end else begin
      cycles_q <= cycles_d;
      now_q <= now_d;
      active_q <= active_d;
      due_q <= due_d;
      late_q <= late_d;
    end
  end

  // A send queue that is due had an outstanding request, and its part of the tick has just ended.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneOfSixteen : assert (
          !due_q || late_q[3:0] == now_q[3:0] || late_q[3:0] == now_q[3:0] - 4'd1);
      NobodyElseIsDue : assert (!due_d || active_q[late_d]);
    end
  end
`endif

endmodule
