/// Scheduler: runs one engine at a time, which uses the contexts and the bus.
///
/// Commands have priority. Then arrived packets alternate with send queues that have work; these
/// are served round-robin, a packet each. The next one is looked for while another one has its turn
/// (decision 0107). All engines share one PCI bus, so running several at a time would gain nothing
/// and make accesses to rows race (decision 0060).
module scheduler #(
    /// Queue pairs, a multiple of 16; a number has 8 bits.
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
  logic             refills_d, refills_q;
  logic [7:0]       refilled_d, refilled_q;
  logic             wakes_d, wakes_q;
  logic             breaks_d, breaks_q;
  logic             mends_d, mends_q;
  logic [7:0]       told_d, told_q;
  logic [Pairs-1:0] work_d, work_q;
  logic [Pairs-1:0] broken_d, broken_q;
  logic [7:0]       pair_d, pair_q;
  logic             received_d, received_q;
  search_pkg::in_t  search_in;
  search_pkg::out_t search_out;

  assign pins_o.command = (state_q == scheduler_pkg::Command);
  assign pins_o.receive = (state_q == scheduler_pkg::Receive);
  assign pins_o.send = (state_q == scheduler_pkg::Send);
  assign pins_o.pair = pair_q;

  logic sends;
  logic receives;
  logic serves;
  assign sends = pins_i.enable && pins_i.free && search_out.ready;
  assign receives = pins_i.enable && pins_i.packet;
  assign serves = (state_q == scheduler_pkg::Idle) && !pins_i.command && sends &&
                  !(receives && !received_q);

  // Sources of work. The inputs that count a cycle later come late in theirs.
  logic rings;
  logic again;
  logic wakes;
  assign rings = pins_i.rings && !pins_i.refills;
  assign again = (state_q == scheduler_pkg::Send) && pins_i.done && pins_i.again;
  assign wakes = wakes_q || breaks_q;
  assign refills_d = pins_i.rings && pins_i.refills && broken_q[pins_i.rung];
  assign refilled_d = refills_d ? pins_i.rung : refilled_q;
  assign wakes_d = pins_i.wakes;
  assign breaks_d = pins_i.breaks;
  assign mends_d = pins_i.mends;
  assign told_d = (pins_i.wakes || pins_i.breaks || pins_i.mends) ? pins_i.pair : told_q;

  always_comb begin
    search_in.work = '0;
    search_in.work[Pairs-1:0] = work_q;
    search_in.last = pair_q;
    search_in.gains = rings || again || wakes || refills_q || pins_i.due;
    search_in.gainer = pins_i.late;
    if (refills_q) search_in.gainer = refilled_q;
    if (wakes) search_in.gainer = told_q;
    if (again) search_in.gainer = pair_q;
    if (rings) search_in.gainer = pins_i.rung;
    search_in.serves = serves;
  end

  search #(
      .Pairs(Pairs)
  ) u_search (
      .clk_i,
      .rst_ni,
      .pins_i(search_in),
      .pins_o(search_out)
  );

  always_comb begin
    state_d = state_q;
    pair_d = pair_q;
    received_d = received_q;

    unique case (state_q)
      // Idle: packets and send queues alternate.
      scheduler_pkg::Idle: begin
        if (pins_i.command) begin
          state_d = scheduler_pkg::Command;
        end else if (serves) begin
          received_d = 1'b0;
          pair_d = search_out.front;
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

  // A bit for the queue pair of a number: one of 16 rows and one of 16 columns.
  function automatic logic [Pairs-1:0] one(input logic [7:0] number);
    logic [15:0] row;
    logic [15:0] column;
    row = 16'd1 << number[7:4];
    column = 16'd1 << number[3:0];
    for (int i = 0; i < Pairs; i++) one[i] = row[i/16] & column[i%16];
  endfunction

  // Work that comes in the cycle in which its queue gets a turn is for another turn.
  always_comb begin
    work_d = work_q;
    broken_d = broken_q;
    if (serves) work_d &= ~one(search_out.front);
    if (rings) work_d |= one(pins_i.rung);
    if (again) work_d |= one(pair_q);
    if (wakes) work_d |= one(told_q);
    if (refills_q) work_d |= one(refilled_q);
    if (pins_i.due) work_d |= one(pins_i.late);
    if (breaks_q || mends_q) broken_d &= ~one(told_q);
    if (breaks_q) broken_d |= one(told_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= scheduler_pkg::Idle;
      refills_q <= '0;
      refilled_q <= '0;
      wakes_q <= '0;
      breaks_q <= '0;
      mends_q <= '0;
      told_q <= '0;
      work_q <= '0;
      broken_q <= '0;
      pair_q <= '0;
      received_q <= '0;
    end else begin
      state_q <= state_d;
      refills_q <= refills_d;
      refilled_q <= refilled_d;
      wakes_q <= wakes_d;
      breaks_q <= breaks_d;
      mends_q <= mends_d;
      told_q <= told_d;
      work_q <= work_d;
      broken_q <= broken_d;
      pair_q <= pair_d;
      received_q <= received_d;
    end
  end

  // Work of a queue stays until the queue is served.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WhoRingsHasWork : assert (!rings || work_d[pins_i.rung]);
      WhoIsInFrontHasWork : assert (!search_out.ready || work_q[search_out.front]);
    end
  end
`endif

endmodule
