/// Events: interrupt causes and armed completion queues (IBA volume 1, section 11.4.2.2).
///
/// A CQE interrupts only if its queue is armed, and disarms it; a host that polls is not
/// interrupted.
module events (
    /// Clock of the adapter, 125 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From host port, engines, completion.
    input  events_pkg::in_t  pins_i,
    /// To the host.
    output events_pkg::out_t pins_o
);

  logic [8:0] causes_d, causes_q;
  logic [255:0] armed_d, armed_q;
  logic       request_d, request_q;

  assign pins_o.causes = causes_q;
  assign pins_o.request = request_q;

  logic wakes;
  assign wakes = pins_i.completed && armed_q[pins_i.ring];

  always_comb begin
    causes_d = (causes_q & ~pins_i.clear) | pins_i.raise | (wakes ? events_pkg::Completion : 9'd0);
    // A host that arms a queue in the cycle of a CQE may have polled before it came: the queue
    // stays armed.
    armed_d = armed_q;
    if (pins_i.completed) armed_d &= ~(256'd1 << pins_i.ring);
    if (pins_i.arm) armed_d |= 256'd1 << pins_i.armed;
    request_d = ((causes_q & pins_i.enable) != 9'd0);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      causes_q <= '0;
      armed_q <= '0;
      request_q <= '0;
    end else begin
      causes_q <= causes_d;
      armed_q <= armed_d;
      request_q <= request_d;
    end
  end

  // Causes and armings that arrive while others are cleared are not lost.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      CauseIsNotLost : assert ((pins_i.raise & ~causes_d) == 9'd0);
      ArmingIsNotLost : assert (!pins_i.arm || armed_d[pins_i.armed]);
    end
  end
`endif

endmodule
