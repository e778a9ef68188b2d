/// The receiver's two slots are never overrun, and only valid packets wait in them.
///
/// A waiting packet is not overwritten (IBA volume 1, section 7.8.1).
// Mutation: rtl/hca/link/link_receive.sv | assign pins_o.ready = (state_q == link_receive_pkg::Take) && (full_q != 2'd2); | assign pins_o.ready = (state_q == link_receive_pkg::Take);
// Mutation: rtl/hca/link/link_receive.sv | if (pins_i.valid && (full_q != 2'd2)) begin | if (pins_i.valid) begin
// Mutation: rtl/hca/link/link_receive.sv | address_d = {fill_q, index_q[8:0]}; | address_d = {oldest_q, index_q[8:0]};
// Mutation: rtl/hca/link/link_receive.sv | if (released) oldest_d = !oldest_q; | oldest_d = oldest_q;
// Mutation: rtl/hca/link/link_receive.sv | assign good = fits_q && (crc_q == 32'hdebb_20e3); | assign good = fits_q;
// Mutation: rtl/hca/link/link_receive.sv | assign good = fits_q && (crc_q == 32'hdebb_20e3); | assign good = (crc_q == 32'hdebb_20e3);
// Witness: TwoSlots | rtl/hca/link/link_receive.sv | assign released = pins_i.release_slot && (full_q != 2'd0); | assign released = pins_i.release_slot;
// Witness: SlotsTakeTurns | rtl/hca/link/link_receive.sv | if (released) oldest_d = !oldest_q; | if (released) oldest_d = 1'b0;
// Witness: PacketThatWaitsIsNotWritten | rtl/hca/link/link_receive.sv | address_d = {fill_q, index_q[8:0]}; | address_d = {oldest_q, index_q[8:0]};
module link_receive_proof (
    input logic clk_i,
    input logic rst_ni,
    input link_receive_pkg::in_t pins_i
);

  link_receive_pkg::out_t pins_o;
  link_receive u_link_receive (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic        \u_link_receive.state_q ;
  (* hierconn *) logic [1:0]  \u_link_receive.full_q ;
  (* hierconn *) logic        \u_link_receive.fill_q ;
  (* hierconn *) logic [9:0]  \u_link_receive.index_q ;
  (* hierconn *) logic        \u_link_receive.fits_q ;
  (* hierconn *) logic [31:0] \u_link_receive.crc_q ;
  logic       state;
  logic [1:0] full;
  assign state = \u_link_receive.state_q ;
  assign full = \u_link_receive.full_q ;

  machine #(.States(2), .Arcs(link_receive_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Words of the arriving packet.
  logic        known_q;
  logic        past_rst_nq;
  logic [10:0] words_q;
  logic [1:0]  past_full_q;
  logic        past_state_q;
  logic [10:0] past_words_q;
  logic [31:0] past_crc_q;
  link_receive_pkg::in_t  past_in_q;
  link_receive_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_full_q <= full;
    past_state_q <= state;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    past_words_q <= words_q;
    past_crc_q <= \u_link_receive.crc_q ;
    if (!rst_ni || state == link_receive_pkg::Check) words_q <= '0;
    else if (pins_i.valid && pins_o.ready && words_q != 11'h3ff) words_q <= words_q + 11'd1;
  end

  always @* begin
    if (known_q) begin
      TwoSlots: assert (full <= 2'd2);
      SlotsTakeTurns: assert ((\u_link_receive.fill_q  ^ pins_o.slot) == full[0]);
      if (pins_o.ready) LinkWaitsWhileAllIsFull: assert (full != 2'd2);
      WaitingIsNotEmpty: assert (pins_o.waiting == (full != 2'd0));
      if (pins_o.write) begin
        PacketThatWaitsIsNotWritten: assert (full != 2'd2 && (full == 2'd0 ||
            pins_o.address[9] != pins_o.slot));
      end
      if (past_rst_nq) begin
        if (pins_o.write) begin
          WordGoesToItsPlace: assert (past_words_q < 11'd512 &&
              pins_o.address[8:0] == past_words_q[8:0]);
          WordIsTheLinks: assert (past_in_q.valid && past_out_q.ready &&
              pins_o.wdata == past_in_q.data);
        end
        if (full > past_full_q || (full == past_full_q && past_in_q.release_slot &&
            past_full_q != 2'd0)) begin
          OnlyWhatIsRightWaits: assert (past_state_q == link_receive_pkg::Check &&
              past_crc_q == 32'hdebb_20e3 &&
                                        past_words_q >= 11'd3 && past_words_q <= 11'd264);
        end
      end
      // Invariants that carry the induction.
      assert (words_q == {1'b0, \u_link_receive.index_q });
      if (state == link_receive_pkg::Check) assert (full != 2'd2);
      if (state == link_receive_pkg::Check && \u_link_receive.fits_q ) assert (
          words_q >= 11'd3 && words_q <= 11'd264);
      if (pins_o.write) assert (pins_o.address[9] == \u_link_receive.fill_q  ||
          full != past_full_q || !past_rst_nq);
      if (pins_o.write) assert (past_state_q == link_receive_pkg::Take &&
          pins_o.address[9] == \u_link_receive.fill_q );
    end
  end

endmodule
