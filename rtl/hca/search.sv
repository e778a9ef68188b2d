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

  // Number of the lowest set bit; 0 without one.
  function automatic logic [3:0] lowest(input logic [15:0] set);
    logic [15:0] alone;
    alone = set & (~set + 16'd1);
    lowest = {
      (alone & 16'hff00) != 16'd0,
      (alone & 16'hf0f0) != 16'd0,
      (alone & 16'hcccc) != 16'd0,
      (alone & 16'haaaa) != 16'd0
    };
  endfunction

  logic [15:0]       last_group;
  logic [15:0]       next_group;
  logic [Groups-1:0] above;
  assign last_group = pins_i.work[16*pins_i.last[7:4]+:16];
  assign next_group = pins_i.work[16*group_q+:16];
  assign above = groups_q & ({{(Groups - 1){1'b1}}, 1'b0} << pins_i.last[7:4]);

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
