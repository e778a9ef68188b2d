/// Scheduler: runs one engine at a time, which uses the contexts and the bus.
///
/// Commands have priority. Then arrived packets alternate with send queues that have work; send
/// queues are served round-robin, a packet each. All engines share one PCI bus, so running several
/// at a time would gain nothing and make accesses to rows race (decision 0060).
module scheduler (
    /// Clock of the adapter, 125 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From host port, engines, link.
    input  scheduler_pkg::in_t  pins_i,
    /// To engines and commands.
    output scheduler_pkg::out_t pins_o
);

  scheduler_pkg::state_e state_d, state_q;
  logic [63:0] work_d, work_q;
  logic [63:0] broken_d, broken_q;
  logic [5:0]  pair_d, pair_q;
  logic [62:0] below_d, below_q;
  logic        received_d, received_q;

  assign pins_o.command = (state_q == scheduler_pkg::Command);
  assign pins_o.receive = (state_q == scheduler_pkg::Receive);
  assign pins_o.send = (state_q == scheduler_pkg::Send);
  assign pins_o.pair = pair_q;

  // Next queue with work, round-robin: the lowest one above the last, or else the lowest of all.
  // A turn takes more than a cycle, so there is time for a register between `pair_q` and `below_q`.
  logic [63:0] above;
  logic [63:0] first;
  logic [63:0] again;
  logic [63:0] lowest;
  logic [5:0]  first_number;
  logic [5:0]  again_number;
  logic [5:0]  next;
  assign above = work_q & ~{below_q, 1'b1};
  assign lowest = (above != 64'd0) ? first : again;
  assign next = (above != 64'd0) ? first_number : again_number;

  lowest_bit u_first (
      .set_i(above),
      .lowest_o(first),
      .number_o(first_number)
  );

  lowest_bit u_again (
      .set_i(work_q),
      .lowest_o(again),
      .number_o(again_number)
  );

  logic sends;
  logic receives;
  assign sends = pins_i.enable && pins_i.free && (work_q != 64'd0);
  assign receives = pins_i.enable && pins_i.packet;

  always_comb begin
    state_d = state_q;
    work_d = work_q;
    pair_d = pair_q;
    received_d = received_q;
    below_d = ~(63'h7fff_ffff_ffff_ffff << pair_q);

    unique case (state_q)
      // Idle: packets and send queues alternate.
      scheduler_pkg::Idle: begin
        if (pins_i.command) begin
          state_d = scheduler_pkg::Command;
        end else if (receives && !(sends && received_q)) begin
          received_d = 1'b1;
          state_d = scheduler_pkg::Receive;
        end else if (sends) begin
          received_d = 1'b0;
          pair_d = next;
          work_d = work_q & ~lowest;
          state_d = scheduler_pkg::Send;
        end
      end
      scheduler_pkg::Command, scheduler_pkg::Receive: begin
        if (pins_i.done) state_d = scheduler_pkg::Idle;
      end
      // Send: a queue with more work goes to the end of the round.
      scheduler_pkg::Send: begin
        if (pins_i.done) begin
          if (pins_i.again) work_d = work_q | (64'd1 << pair_q);
          state_d = scheduler_pkg::Idle;
        end
      end
      default: state_d = scheduler_pkg::Idle;
    endcase
    work_d = work_d | pins_i.posted | pins_i.breaks | (pins_i.refilled & broken_q);
    broken_d = (broken_q & ~pins_i.mends) | pins_i.breaks;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= scheduler_pkg::Idle;
      work_q <= '0;
      broken_q <= '0;
      pair_q <= '0;
      below_q <= '0;
      received_q <= '0;
    end else begin
      state_q <= state_d;
      work_q <= work_d;
      broken_q <= broken_d;
      pair_q <= pair_d;
      below_q <= below_d;
      received_q <= received_d;
    end
  end

  // Work of a queue stays until the queue is served.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WhatIsPostedIsWork : assert ((pins_i.posted & ~work_d) == 64'd0);
      WorkGoesWithItsTurnOnly : assert (
          (state_d == scheduler_pkg::Send) || (work_q & ~work_d) == 64'd0);
    end
  end
`endif

endmodule
