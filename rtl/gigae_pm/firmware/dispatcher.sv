/// Dispatcher: schedules the work of the firmware, which is one thread.
///
/// Received frames have priority, because the sender waits for the answer and the buffer is needed;
/// then send descriptors; then the timer scan and pending GOs. Each unit of work is completed
/// before the next begins.
module dispatcher (
    /// Card clock, 33.33 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From registers, receive DMA and the state machines that it starts.
    input  dispatcher_pkg::in_t  pins_i,
    /// To the state machines that it starts.
    output dispatcher_pkg::out_t pins_o
);

  dispatcher_pkg::state_e state_d, state_q;

  assign pins_o.receive_start = (state_q == dispatcher_pkg::Receive);
  assign pins_o.send_start = (state_q == dispatcher_pkg::Send);
  assign pins_o.scan_start = (state_q == dispatcher_pkg::Scan);

  always_comb begin
    state_d = state_q;

    unique case (state_q)
      // Idle: selects work by priority.
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
      // Receive: until the frame is delivered or dropped.
      dispatcher_pkg::Receive: begin
        if (pins_i.receive_done) begin
          state_d = dispatcher_pkg::Idle;
        end
      end
      // Send: until network DMA has started, or the descriptor cannot be served.
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

  // At most one state machine works at a time.
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
