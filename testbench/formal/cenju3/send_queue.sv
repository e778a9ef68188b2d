/// A send queue fetches only entries written by the host, and advances when they are done.
///
/// It reads only its own page (paper, section 3; hazards H14, H20).
// Mutation: rtl/cenju3/send_queue.sv | (pins_i.write != read_q) | (pins_i.write != read_q + 6'd1)
// Mutation: rtl/cenju3/send_queue.sv | {pins_i.base, read_q, 6'b0} | {pins_i.base, read_q + 6'd1, 6'b0}
// Mutation: rtl/cenju3/send_queue.sv | read_d = read_q + 6'd1 | read_d = read_q + 6'd2
// Mutation: rtl/cenju3/send_queue.sv | if (pins_i.done) begin | if (!pins_i.enable) begin
// Mutation: rtl/cenju3/send_queue.sv | addresses_d = pins_i.memory_rdata | control_d = pins_i.memory_rdata
// Witness: EntryIsTheOldest | rtl/cenju3/send_queue.sv | {pins_i.base, read_q, 6'b0} | {pins_i.base, pins_i.write, 6'b0}
// Witness: PositionMovesWhenTheEntryIsDone | rtl/cenju3/send_queue.sv | addresses_d = pins_i.memory_rdata; | {addresses_d, read_d} = {pins_i.memory_rdata, read_q + 6'd1};
// Witness: PositionMovesByOne | rtl/cenju3/send_queue.sv | read_d = read_q + 6'd1; | read_d = read_q + 6'd2;
module send_queue_proof (
    input logic clk_i,
    input logic rst_ni,
    input send_queue_pkg::in_t pins_i
);

  send_queue_pkg::out_t pins_o;
  send_queue u_send_queue (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_send_queue.state_q ;
  logic [1:0] state;
  assign state = \u_send_queue.state_q ;

  machine #(.States(4), .Arcs(send_queue_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  logic        known_q;
  logic        past_rst_nq;
  send_queue_pkg::in_t past_in_q;
  logic [1:0]  past_state_q;
  logic [5:0]  past_read_q;
  logic [13:0] base_q;
  logic [63:0] control_q;
  logic [63:0] addresses_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_state_q <= state;
    past_read_q <= pins_o.read;
    if (state == send_queue_pkg::Idle) base_q <= pins_i.base;
    if (state == send_queue_pkg::First) control_q <= pins_i.memory_rdata;
    if (state == send_queue_pkg::Second) addresses_q <= pins_i.memory_rdata;
  end

  always @* begin
    if (known_q) begin
      if (pins_o.memory_request) begin
        ReadsItsPage: assert (pins_o.memory_address[25:12] == base_q);
        ReadsTheOldestEntry: assert (pins_o.memory_address[11:6] == pins_o.read);
        ReadsTwoWords: assert (pins_o.memory_address[5:0] == {2'b0, pins_o.memory_left == 6'd1,
            3'b0});
      end
      if (pins_o.valid) WordsAreThoseThatWereRead: assert (pins_o.control == control_q &&
          pins_o.addresses == addresses_q);
      if (past_rst_nq) begin
        if (past_state_q == send_queue_pkg::Idle && state != send_queue_pkg::Idle) begin
          FetchesWhatTheHostWrote: assert (past_in_q.enable && past_in_q.write != past_read_q);
        end
        if (pins_o.read != past_read_q) begin
          MovesByOneWhenDone: assert (pins_o.read == past_read_q + 6'd1 && past_in_q.done &&
                                      past_state_q == send_queue_pkg::Offer);
        end
        if (past_state_q == send_queue_pkg::Offer &&
            !past_in_q.done) StaysUntilDone: assert (pins_o.valid);
      end
      // Invariants that carry the induction.
      if (state != send_queue_pkg::Idle) assert (pins_o.entry == {base_q, pins_o.read, 6'b0});
      if (state == send_queue_pkg::Second ||
          state == send_queue_pkg::Offer) assert (pins_o.control == control_q);
    end
  end

endmodule
