/// Dispatcher: the firmware is one thread, and this is the order of its work.
///
/// First a received frame, because its sender waits for the answer and its buffer is needed; then a
/// send descriptor; then the timer scan and the GOs that are owed. A work is done to its end before
/// the next begins.
module dispatcher (
    /// Card clock, 33.33 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From registers, receive DMA and the machines that work.
    input  dispatcher_pkg::in_t  pins_i,
    /// To the machines that work.
    output dispatcher_pkg::out_t pins_o
);

  dispatcher_pkg::state_e state_d, state_q;

  assign pins_o.receive_start = (state_q == dispatcher_pkg::Receive);
  assign pins_o.send_start = (state_q == dispatcher_pkg::Send);
  assign pins_o.scan_start = (state_q == dispatcher_pkg::Scan);

  always_comb begin
    state_d = state_q;

    unique case (state_q)
      // Idle: the order of work.
      dispatcher_pkg::Idle: begin
        if (!pins_i.enable) begin
          state_d = dispatcher_pkg::Idle;
        end else if (pins_i.receive_wanted) begin
          state_d = dispatcher_pkg::Receive;
        end else if (pins_i.send_wanted) begin
          state_d = dispatcher_pkg::Send;
        end else if (pins_i.scan_wanted) begin
          state_d = dispatcher_pkg::Scan;
        end
      end
      // Receive: up to the arrival flag and beyond.
      dispatcher_pkg::Receive: begin
        if (pins_i.receive_done) begin
          state_d = dispatcher_pkg::Idle;
        end
      end
      // Send: up to the start of network DMA.
      dispatcher_pkg::Send: begin
        if (pins_i.send_done) begin
          state_d = dispatcher_pkg::Idle;
        end
      end
      // Scan: one control structure.
      dispatcher_pkg::Scan: begin
        if (pins_i.scan_done) begin
          state_d = dispatcher_pkg::Idle;
        end
      end
      default: state_d = dispatcher_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= dispatcher_pkg::Idle;
    end else begin
      state_q <= state_d;
    end
  end

  // One machine works at a time.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneWorkAtATime : assert (
          {1'b0, pins_o.receive_start} + {1'b0, pins_o.send_start} + {1'b0, pins_o.scan_start} <=
          2'd1);
    end
  end
`endif

endmodule
