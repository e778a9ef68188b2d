/// No CQE is written into a full or broken queue; the word with the lap bit is written last.
///
/// A CQE counts after it is written (IBA volume 1, section 10.8.1).
// Mutation: rtl/hca/completion.sv | (waiting < size) | (waiting <= size)
// Mutation: rtl/hca/completion.sv | !pins_i.row.broken && | 1'b1 &&
// Mutation: rtl/hca/completion.sv | row_d.broken = 1'b1; | row_d.broken = pins_i.row.broken;
// Mutation: rtl/hca/completion.sv | row_d.produced = row_q.produced + 16'd1; | row_d.produced = row_q.produced + 16'd2;
// Mutation: rtl/hca/completion.sv | ring_d = pins_i.entry.ring; | ring_d = 8'd0;
// Mutation: rtl/hca/completion.sv | lap_d = ((pins_i.row.produced & size) == 16'd0); | lap_d = 1'b1;
// Mutation: rtl/hca/completion.sv | default: word_d = {63'd0, lap_q}; | default: word_d = 64'd1;
// Witness: NothingIsWrittenIntoABrokenQueue | rtl/hca/completion.sv | !pins_i.row.broken &&  | 
// Witness: LostCqeBreaksTheQueue | rtl/hca/completion.sv | row_d.broken = 1'b1; | row_d.broken = pins_i.row.broken;
module completion_proof (
    input logic clk_i,
    input logic rst_ni,
    input completion_pkg::in_t pins_i
);

  completion_pkg::out_t pins_o;
  completion u_completion (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_completion.state_q ;
  (* hierconn *) logic       \u_completion.lap_q ;
  logic [2:0] state;
  assign state = \u_completion.state_q ;

  machine #(.States(7), .Arcs(completion_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Number, row and doorbell as read in `Look`.
  logic known_q;
  logic past_rst_nq;
  logic [7:0] ring_q;
  context_pkg::queue_t row_q;
  logic [15:0] bell_q;
  completion_pkg::in_t past_in_q;
  logic [15:0] past_overflows_q;
  logic [2:0]  past_state_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_state_q <= state;
    past_overflows_q <= pins_o.overflows;
    if (state == completion_pkg::Look) begin
      ring_q <= pins_i.entry.ring;
      row_q <= pins_i.row;
      bell_q <= pins_i.bell;
    end
  end

  logic [16:0] size;
  logic [15:0] waiting;
  logic        room;
  logic        lap;
  assign size = 17'd1 << row_q.log;
  assign waiting = row_q.produced - bell_q;
  assign room = row_q.valid && !row_q.broken && {1'b0, waiting} < size;
  assign lap = ((row_q.produced >> row_q.log) & 16'd1) == 16'd0;

  // The row is unchanged but for its count.
  context_pkg::queue_t same;
  always @* begin
    same = pins_o.row;
    same.produced = row_q.produced;
    same.broken = row_q.broken;
  end

  always @* begin
    if (known_q) begin
      if (pins_o.copy) begin
        NothingIsWrittenOverWhatWaits: assert (room);
        CqeGoesToItsPlace: assert (pins_o.transfer.address == row_q.base + ({16'd0,
            row_q.produced} & ({15'd0, size} - 32'd1)) * 32'd32);
        CqeHasItsLength: assert (pins_o.transfer.bytes == layout_pkg::CqeBytes &&
            pins_o.transfer.to_host);
      end
      if (pins_o.completed) WrittenCqeCounts: assert (room &&
          pins_o.row.produced == row_q.produced + 16'd1 && !pins_o.row.broken);
      if (pins_o.lost) LostCqeBreaksTheQueue: assert (!room && pins_o.row.broken &&
          pins_o.row.produced == row_q.produced);
      if (pins_o.store) RestOfTheRowStays: assert (same == row_q && pins_o.ring == ring_q);
      if (past_rst_nq) LossesAreCounted: assert (pins_o.overflows == past_overflows_q + {15'd0,
          past_state_q == completion_pkg::Lose});
      if (past_rst_nq && past_in_q.read && past_in_q.word == 2'd3 &&
          past_state_q == completion_pkg::Copy) begin
        LastWordHasTheLap: assert (pins_o.word == {63'd0, lap});
      end
      // Invariants that carry the induction.
      if (state == completion_pkg::Copy || state == completion_pkg::Store) begin
        assert (room && !pins_o.row.broken && same == row_q && \u_completion.lap_q  == lap);
        assert (pins_o.ring == ring_q);
      end
      if (state == completion_pkg::Copy) assert (pins_o.row == row_q);
      if (state == completion_pkg::Lose) assert (!room && same == row_q && pins_o.row.broken &&
          pins_o.row.produced == row_q.produced && pins_o.ring == ring_q);
    end
  end

endmodule
