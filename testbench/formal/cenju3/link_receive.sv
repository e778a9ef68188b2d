/// A packet begins only in a ring that has room, one at a time; no word is lost.
///
/// It is for this processor element (paper, section 3; hazard H9).
// Mutation: rtl/cenju3/link_receive.sv | held_d = header.last ? (pins_i.full & ring) : 3'd0 | held_d = 3'd0
// Mutation: rtl/cenju3/link_receive.sv | if (pins_i.rings_idle && (held_d == 3'd0)) begin | if (held_d == 3'd0) begin
// Mutation: rtl/cenju3/link_receive.sv | pins_o.fifo_next = !reading_q && !holding_q | pins_o.fifo_next = !holding_q
// Mutation: rtl/cenju3/link_receive.sv | fits = (first.pe == pins_i.pe) && | fits =
// Mutation: rtl/cenju3/link_receive.sv | && !last_byte[26] | 
// Mutation: rtl/cenju3/link_receive.sv | message = first.last && !first.bytes[7] | message = first.last
// Witness: NoWordOverAnother | rtl/cenju3/link_receive.sv | pins_o.fifo_next = !reading_q && !holding_q | pins_o.fifo_next = !reading_q
// Witness: OneRingAtATime | rtl/cenju3/link_receive.sv | ring = 3'd1 << header.kind | ring = 3'd3 << header.kind
module link_receive_proof (
    input logic clk_i,
    input logic rst_ni,
    input link_receive_pkg::in_t pins_i
);

  link_receive_pkg::out_t pins_o;
  link_receive u_link_receive (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_link_receive.state_q ;
  (* hierconn *) logic       \u_link_receive.reading_q ;
  (* hierconn *) logic       \u_link_receive.holding_q ;
  logic [1:0] state;
  assign state = \u_link_receive.state_q ;

  machine #(.States(4), .Arcs(link_receive_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  logic        known_q;
  logic        past_rst_nq;
  link_receive_pkg::in_t past_in_q;
  logic [1:0]  past_state_q;
  logic        past_holding_q;
  logic        past_word_last_q;
  logic        past_dropping_q;
  logic [7:0]  pe_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_state_q <= state;
    past_holding_q <= \u_link_receive.holding_q ;
    past_word_last_q <= pins_o.word.last;
    if (state == link_receive_pkg::Idle) pe_q <= pins_i.pe;
  end

  memory_map_pkg::header_t header;
  logic [63:0] last_byte;
  logic [2:0]  ring;
  assign header = pins_o.header;
  assign last_byte = {32'b0, header.address} + {56'b0, header.bytes};
  assign ring = 3'd1 << header.kind;

  always @* begin
    if (known_q) begin
      NoWordOverAnother: assert (!(\u_link_receive.reading_q  && \u_link_receive.holding_q ));
      OneRingAtATime: assert ((pins_o.start & (pins_o.start - 3'd1)) == 3'd0);
      if (past_rst_nq && past_holding_q && !\u_link_receive.holding_q ) begin
        WordGoesSomewhere: assert (past_state_q == link_receive_pkg::Drop ||
            (past_state_q == link_receive_pkg::Idle && past_in_q.enable) ||
            (past_state_q == link_receive_pkg::Stream && past_in_q.word_next));
      end
      if (past_rst_nq && past_state_q != link_receive_pkg::Drop &&
          state == link_receive_pkg::Drop) begin
        DroppedPacketIsTold: assert (pins_o.dropped);
      end
      if (past_rst_nq && pins_o.start != 3'd0) begin
        RingIsThatOfTheKind: assert (pins_o.start == ring);
        RingHasRoom: assert (!header.last || (past_in_q.full & pins_o.start) == 3'd0);
        PacketBeforeIsStored: assert (past_in_q.rings_idle);
        PacketIsForThisElement: assert (header.pe == pe_q);
        if (header.kind == memory_map_pkg::Dma) begin
          DmaIsInMemory: assert (last_byte < 64'h400_0000 && header.address[2:0] == 3'd0);
        end else begin
          MessageFitsItsSlot: assert (header.last && header.bytes < 8'd128);
        end
      end
      // Invariants that carry the induction.
      if (state == link_receive_pkg::Room) begin
        assert (header.pe == pe_q && header.kind != 2'd3);
        assert (header.kind == memory_map_pkg::Dma ?
                last_byte < 64'h400_0000 && header.address[2:0] == 3'd0 : header.last &&
                    header.bytes < 8'd128);
      end
      if (state != link_receive_pkg::Stream) assert (pins_o.start == 3'd0 || !past_rst_nq);
    end
  end

endmodule
