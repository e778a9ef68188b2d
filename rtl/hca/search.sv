/// Search for the next send queue with work, round-robin (decision 0107).
///
/// While no queue pair has work, the first one that gets some is in front at once. Otherwise the
/// next one is looked for while another one has its turn: the lowest one above the last, or else
/// the lowest of all. That takes up to three cycles, in groups of 16 queue pairs.
module search #(
    /// Queue pairs, a multiple of 16; a number has 8 bits.
    parameter int Pairs = 256,
    /// Groups of 16 queue pairs.
    localparam int Groups = Pairs / 16
) (
    /// Clock of the adapter, 125 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From the scheduler.
    input  search_pkg::in_t  pins_i,
    /// To the scheduler.
    output search_pkg::out_t pins_o
);

  search_pkg::state_e state_d, state_q;
  logic              ready_d, ready_q;
  logic [7:0]        front_d, front_q;
  logic [15:0]       rest_d, rest_q;
  logic [Groups-1:0] groups_d, groups_q;
  logic [3:0]        group_d, group_q;

  assign pins_o.ready = ready_q;
  assign pins_o.front = front_q;

  // Number of the lowest set bit of four; 0 without one.
  function automatic logic [1:0] lowest_of_4(input logic [3:0] set);
    lowest_of_4[1] = (set[3] || set[2]) && !set[1] && !set[0];
    lowest_of_4[0] = ((set[3] && !set[2]) || set[1]) && !set[0];
  endfunction

  // Number of the lowest set bit; 0 without one.
  function automatic logic [3:0] lowest(input logic [15:0] set);
    logic [3:0] some;
    logic [3:0] part;
    for (int i = 0; i < 4; i++) some[i] = (set[4*i+:4] != 4'd0);
    part = set[15:12];
    if (some[2]) part = set[11:8];
    if (some[1]) part = set[7:4];
    if (some[0]) part = set[3:0];
    lowest = {lowest_of_4(some), lowest_of_4(part)};
  endfunction

  logic [15:0]       last_group;
  logic [15:0]       next_group;
  logic [Groups-1:0] above;
  always_comb begin
    last_group = '0;
    next_group = '0;
    for (int i = 0; i < Groups; i++) begin
      if (pins_i.last[7:4] == 4'(i)) last_group |= pins_i.work[16*i+:16];
      if (group_q == 4'(i)) next_group |= pins_i.work[16*i+:16];
      above[i] = groups_q[i] && (pins_i.last[7:4] < 4'(i));
    end
  end

  always_comb begin
    state_d = state_q;
    ready_d = ready_q;
    front_d = front_q;
    rest_d = rest_q;
    groups_d = groups_q;
    group_d = group_q;

    unique case (state_q)
      search_pkg::Rest: begin
        if (pins_i.serves) begin
          ready_d = 1'b0;
          state_d = search_pkg::Look;
        end else if (!ready_q && pins_i.gains) begin
          front_d = pins_i.gainer;
          ready_d = 1'b1;
        end else if (!ready_q && pins_i.work[Pairs-1:0] != '0) begin
          state_d = search_pkg::Look;
        end
      end
      search_pkg::Look: begin
        rest_d = last_group & (16'hfffe << pins_i.last[3:0]);
        for (int i = 0; i < Groups; i++) groups_d[i] = (pins_i.work[16*i+:16] != 16'd0);
        state_d = search_pkg::Choose;
      end
      search_pkg::Choose: begin
        front_d = {pins_i.last[7:4], lowest(rest_q)};
        ready_d = (rest_q != 16'd0);
        group_d = lowest((above != '0) ? above : groups_q);
        state_d = (rest_q == 16'd0 && groups_q != '0) ? search_pkg::Find : search_pkg::Rest;
      end
      // Find. Every 2-bit code is a state, so `default` doubles as the last one.
      default: begin
        front_d = {group_q, lowest(next_group)};
        ready_d = 1'b1;
        state_d = search_pkg::Rest;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= search_pkg::Rest;
      ready_q <= '0;
      front_q <= '0;
      rest_q <= '0;
      groups_q <= '0;
      group_q <= '0;
    end else begin
      state_q <= state_d;
      ready_q <= ready_d;
      front_q <= front_d;
      rest_q <= rest_d;
      groups_q <= groups_d;
      group_q <= group_d;
    end
  end

  // A queue pair is in front only when the search is over.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SearchEndsWithAFront : assert (!ready_q || state_q == search_pkg::Rest);
    end
  end
`endif

endmodule
