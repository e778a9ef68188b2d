/// A cause stays until it is cleared; an armed queue interrupts at its next CQE.
///
/// The order of arming and CQE does not matter (IBA volume 1, section 11.4.2.2).
// Mutation: rtl/hca/events.sv | (causes_q & ~pins_i.clear) \| pins_i.raise | ((causes_q \| pins_i.raise) & ~pins_i.clear)
// Mutation: rtl/hca/events.sv | if (pins_i.arm) armed_d | if (pins_i.arm && !pins_i.completed) armed_d
// Mutation: rtl/hca/events.sv | ~(256'd1 << pins_i.ring) | ~(256'd1 << pins_i.armed)
// Mutation: rtl/hca/events.sv | assign wakes = pins_i.completed && armed_q[pins_i.ring]; | assign wakes = pins_i.completed;
// Mutation: rtl/hca/events.sv | request_d = ((causes_q & pins_i.enable) != 9'd0); | request_d = (causes_q != 9'd0);
// Witness: CauseIsNotLost | rtl/hca/events.sv | (causes_q & ~pins_i.clear) \| pins_i.raise | ((causes_q \| pins_i.raise) & ~pins_i.clear)
// Witness: ArmingIsNotLost | rtl/hca/events.sv | if (pins_i.arm) armed_d | if (pins_i.arm && !pins_i.completed) armed_d
module events_proof (
    input logic clk_i,
    input logic rst_ni,
    input events_pkg::in_t pins_i
);

  events_pkg::out_t pins_o;
  events u_events (.clk_i, .rst_ni, .pins_i, .pins_o);

  // Queues that the host has armed and that had no CQE since then.
  logic       known_q;
  logic       past_rst_nq;
  logic [255:0] armed_q;
  logic [255:0] past_armed_q;
  logic [8:0] past_causes_q;
  events_pkg::in_t past_in_q;
  (* hierconn *) logic [255:0] \u_events.armed_q ;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_causes_q <= pins_o.causes;
    past_armed_q <= armed_q;
    if (!rst_ni) armed_q <= '0;
    else begin
      if (pins_i.completed) armed_q[pins_i.ring] <= 1'b0;
      if (pins_i.arm) armed_q[pins_i.armed] <= 1'b1;
    end
  end
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) assert (armed_q == \u_events.armed_q );
    if (known_q && past_rst_nq) begin
      CauseStaysUntilItIsCleared: assert (
          (past_causes_q & ~past_in_q.clear & ~pins_o.causes) == 9'd0);
      WhatHappensIsTold: assert ((past_in_q.raise & ~pins_o.causes) == 9'd0);
      ArmedQueueWakesTheHost: assert (pins_o.causes[0] ||
          !(past_in_q.completed && past_armed_q[past_in_q.ring]));
      NothingElseWakesIt: assert (!pins_o.causes[0] || past_causes_q[0] || past_in_q.raise[0] ||
                                  (past_in_q.completed && past_armed_q[past_in_q.ring]));
      HostIsInterruptedByWhatItEnabled: assert (
          pins_o.request == ((past_causes_q & past_in_q.enable) != 9'd0));
    end
  end

endmodule
