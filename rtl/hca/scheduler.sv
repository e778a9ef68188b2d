/// Scheduler: runs one engine at a time, which uses the contexts and the bus.
///
/// Commands have priority. Then arrived packets alternate with send queues that have work. These
/// wait in three lines, those whose doorbell was rung, those that an engine or a command gives
/// work, and those whose deadline is to be checked; the lines are served in turn, a packet each
/// time. All engines share one PCI bus, so running several at a time would gain nothing and make
/// accesses to rows race (decision 0060).
module scheduler #(
    /// Queue pairs, a power of two; a number has 8 bits.
    parameter int Pairs = 256
) (
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
  logic [Pairs-1:0] waiting_d, waiting_q;
  logic [Pairs-1:0] broken_d, broken_q;
  logic [1:0]       line_d, line_q;
  logic [7:0]       pair_d, pair_q;
  logic             received_d, received_q;

  assign pins_o.command = (state_q == scheduler_pkg::Command);
  assign pins_o.receive = (state_q == scheduler_pkg::Receive);
  assign pins_o.send = (state_q == scheduler_pkg::Send);
  assign pins_o.pair = pair_q;

  line_pkg::in_t  bells_in;
  line_pkg::out_t bells_out;
  line_pkg::in_t  turns_in;
  line_pkg::out_t turns_out;
  line_pkg::in_t  deadlines_in;
  line_pkg::out_t deadlines_out;

  // The line to serve: the next one in turn in which a queue pair is in front.
  logic [2:0] ready;
  logic [1:0] line;
  logic [7:0] front;
  assign ready = {deadlines_out.ready, turns_out.ready, bells_out.ready};
  always_comb begin
    unique case (line_q)
      2'd0: line = ready[1] ? 2'd1 : ready[2] ? 2'd2 : 2'd0;
      2'd1: line = ready[2] ? 2'd2 : ready[0] ? 2'd0 : 2'd1;
      default: line = ready[0] ? 2'd0 : ready[1] ? 2'd1 : 2'd2;
    endcase
    unique case (line)
      2'd0: front = bells_out.front;
      2'd1: front = turns_out.front;
      default: front = deadlines_out.front;
    endcase
  end

  logic sends;
  logic receives;
  logic serves;
  assign sends = pins_i.enable && pins_i.free && (ready != 3'd0);
  assign receives = pins_i.enable && pins_i.packet;
  assign serves = (state_q == scheduler_pkg::Idle) && !pins_i.command && sends &&
                  !(receives && !received_q);

  always_comb begin
    state_d = state_q;
    line_d = line_q;
    pair_d = pair_q;
    received_d = received_q;

    unique case (state_q)
      // Idle: packets and send queues alternate.
      scheduler_pkg::Idle: begin
        if (pins_i.command) begin
          state_d = scheduler_pkg::Command;
        end else if (serves) begin
          received_d = 1'b0;
          line_d = line;
          pair_d = front;
          state_d = scheduler_pkg::Send;
        end else if (receives) begin
          received_d = 1'b1;
          state_d = scheduler_pkg::Receive;
        end
      end
      // Command, Receive, Send. Every 2-bit code is a state, so `default` doubles as the last ones.
      default: if (pins_i.done) state_d = scheduler_pkg::Idle;
    endcase
  end

  // Queue pairs with new work join their lines, and the one that is served leaves its line. None is
  // in two places.
  logic [2:0] leaves;
  logic       rings;
  logic       wakes;
  logic       due;
  logic       wakes_rung;
  logic       due_before;
  assign leaves = serves ? 3'd1 << line : 3'd0;
  assign wakes_rung = rings && (pins_i.pair == pins_i.rung);
  assign due_before = (rings && (pins_i.late == pins_i.rung)) ||
                      (wakes && (pins_i.late == pins_i.pair));
  assign rings = pins_i.rings && (!pins_i.refills || broken_q[pins_i.rung]) &&
                 !(waiting_q[pins_i.rung] && !(serves && front == pins_i.rung));
  assign wakes = (pins_i.wakes || pins_i.breaks) && !wakes_rung &&
                 !(waiting_q[pins_i.pair] && !(serves && front == pins_i.pair));
  assign due = pins_i.due && !due_before &&
               !(waiting_q[pins_i.late] && !(serves && front == pins_i.late));

  always_comb begin
    waiting_d = waiting_q;
    broken_d = broken_q;
    if (serves) waiting_d[front] = 1'b0;
    if (rings) waiting_d[pins_i.rung] = 1'b1;
    if (wakes) waiting_d[pins_i.pair] = 1'b1;
    if (due) waiting_d[pins_i.late] = 1'b1;
    if (pins_i.breaks || pins_i.mends) broken_d[pins_i.pair] = pins_i.breaks;
  end

  assign bells_in.joins = rings;
  assign bells_in.pair = pins_i.rung;
  assign bells_in.leaves = leaves[0];
  assign turns_in.joins = wakes;
  assign turns_in.pair = pins_i.pair;
  assign turns_in.leaves = leaves[1];
  assign deadlines_in.joins = due;
  assign deadlines_in.pair = pins_i.late;
  assign deadlines_in.leaves = leaves[2];

  line #(
      .Places(Pairs)
  ) u_bells (
      .clk_i,
      .rst_ni,
      .pins_i(bells_in),
      .pins_o(bells_out)
  );

  line #(
      .Places(Pairs)
  ) u_turns (
      .clk_i,
      .rst_ni,
      .pins_i(turns_in),
      .pins_o(turns_out)
  );

  line #(
      .Places(Pairs)
  ) u_deadlines (
      .clk_i,
      .rst_ni,
      .pins_i(deadlines_in),
      .pins_o(deadlines_out)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= scheduler_pkg::Idle;
      waiting_q <= '0;
      broken_q <= '0;
      line_q <= '0;
      pair_q <= '0;
      received_q <= '0;
    end else begin
      state_q <= state_d;
      waiting_q <= waiting_d;
      broken_q <= broken_d;
      line_q <= line_d;
      pair_q <= pair_d;
      received_q <= received_d;
    end
  end

  // Work of a queue stays until the queue is served.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WhoRingsWaits : assert (!pins_i.rings || pins_i.refills || waiting_d[pins_i.rung]);
      WorkGoesWithItsTurnOnly : assert (
          (waiting_q & ~waiting_d & ~({{(Pairs - 1){1'b0}}, serves} << front)) == '0);
    end
  end
`endif

endmodule
