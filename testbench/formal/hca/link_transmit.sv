/// The transmitter's two slots are never overrun and are sent in the order of filling.
///
/// A word stays until the link takes it.
// Mutation: rtl/hca/link/link_transmit.sv | assign launched = pins_i.launch && (full_q != 2'd2); | assign launched = pins_i.launch;
// Mutation: rtl/hca/link/link_transmit.sv | if (leaves) leave_d = !leave_q; | leave_d = leave_q;
// Mutation: rtl/hca/link/link_transmit.sv | last_d = 1'b1; | last_d = 1'b0;
// Witness: TwoSlots | rtl/hca/link/link_transmit.sv | assign launched = pins_i.launch && (full_q != 2'd2); | assign launched = pins_i.launch;
// Witness: SlotsTakeTurns | rtl/hca/link/link_transmit.sv | if (leaves) leave_d = !leave_q; | if (leaves) leave_d = 1'b0;
module link_transmit_proof (
    input logic clk_i,
    input logic rst_ni,
    input link_transmit_pkg::in_t pins_i
);

  link_transmit_pkg::out_t pins_o;
  link_transmit u_link_transmit (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_link_transmit.state_q ;
  (* hierconn *) logic [1:0]  \u_link_transmit.full_q ;
  (* hierconn *) logic        \u_link_transmit.leave_q ;
  (* hierconn *) logic [10:0] \u_link_transmit.left_q ;
  (* hierconn *) logic [10:0] \u_link_transmit.units0_q ;
  (* hierconn *) logic [10:0] \u_link_transmit.units1_q ;
  logic [2:0] state;
  logic [1:0] full;
  assign state = \u_link_transmit.state_q ;
  assign full = \u_link_transmit.full_q ;

  machine #(.States(5), .Arcs(link_transmit_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  logic known_q;
  logic past_rst_nq;
  link_transmit_pkg::out_t past_out_q;
  link_transmit_pkg::in_t  past_in_q;
  logic [1:0] past_full_q;
  logic [2:0] past_state_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_out_q <= pins_o;
    past_in_q <= pins_i;
    past_full_q <= full;
    past_state_q <= state;
  end

  always @* begin
    if (known_q) begin
      TwoSlots: assert (full <= 2'd2);
      SlotsTakeTurns: assert ((pins_o.slot ^ \u_link_transmit.leave_q ) == full[0]);
      FreeIsNotFull: assert (pins_o.free == (full != 2'd2));
      if (pins_o.valid || pins_o.read) APacketLeaves: assert (full != 2'd0);
      SlotThatLeavesIsRead: assert (pins_o.address[9] == \u_link_transmit.leave_q );
      if (past_rst_nq && past_out_q.valid && !past_in_q.ready) begin
        WordStaysUntilItIsTaken: assert (pins_o.valid && pins_o.data == past_out_q.data &&
            pins_o.last == past_out_q.last);
      end
      if (past_rst_nq && past_out_q.valid && past_in_q.ready) begin
        PacketEndsWithItsLastWord: assert (pins_o.valid == !past_out_q.last);
      end
      if (past_rst_nq && past_in_q.launch && past_full_q == 2'd2) begin
        FullSlotStays: assert (pins_o.slot == past_out_q.slot);
      end
      // Invariants that carry the induction.
      if (state == link_transmit_pkg::First || state == link_transmit_pkg::Load ||
          pins_o.valid) assert (full != 2'd0);
      if (state == link_transmit_pkg::Check) assert (pins_o.last);
    end
  end

endmodule
