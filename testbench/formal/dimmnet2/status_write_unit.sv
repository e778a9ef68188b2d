/// The Status Write Unit goes where figure 5.17 goes, stores whole statuses, and tells of them only then (thesis section 5.3.7).
///
/// An accepted status reaches LLCM unchanged: upper half at + 8, lower half at + 0, in two cycles,
/// at Next Write Address. Next Write Address advances by one slot in Write2 and otherwise changes
/// only with a new configuration. No status is accepted while the ring of its process is full.
// Mutation: rtl/dimmnet2/status_write_unit.sv | status_write_unit_pkg::Write1: state_d = status_write_unit_pkg::Write2; | status_write_unit_pkg::Write1: begin state_d = status_write_unit_pkg::Write2; next_write0_d = after0; end
// Mutation: rtl/dimmnet2/status_write_unit.sv | next_write1_d = after1 | next_write1_d = after0
// Mutation: rtl/dimmnet2/status_write_unit.sv | pins_i.status_enable && !busy | pins_i.status_enable
// Mutation: rtl/dimmnet2/status_write_unit.sv | == status_write_unit_pkg::Write1) ? upper_q | == status_write_unit_pkg::Write2) ? upper_q
// Mutation: rtl/dimmnet2/status_write_unit.sv | status_write_unit_pkg::Write1: state_d = status_write_unit_pkg::Write2; | status_write_unit_pkg::Write1: state_d = status_write_unit_pkg::Nop;
// Witness: StateIsDeclared | rtl/dimmnet2/status_write_unit.sv | status_write_unit_pkg::Write1: state_d = status_write_unit_pkg::Write2; | status_write_unit_pkg::Write1: state_d = 2'd3;
module status_write_unit_proof (
    input logic clk_i,
    input logic rst_ni,
    input status_write_unit_pkg::in_t pins_i
);

  status_write_unit_pkg::out_t pins_o;
  status_write_unit u_status_write_unit (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0]  \u_status_write_unit.state_q ;
  (* hierconn *) logic [63:0] \u_status_write_unit.upper_q ;
  (* hierconn *) logic [63:0] \u_status_write_unit.lower_q ;
  (* hierconn *) logic        \u_status_write_unit.wid_q ;
  (* hierconn *) logic [10:0] \u_status_write_unit.after0 ;
  (* hierconn *) logic [10:0] \u_status_write_unit.after1 ;
  logic [1:0] state;
  assign state = \u_status_write_unit.state_q ;

  machine #(.States(3), .Arcs(status_write_unit_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(state)
  );

  // Figure 5.17; Status Write Enable is effective while the ring of the process has room (decision
  // 0009).
  logic [1:0] next;
  always @* begin
    case (state)
      status_write_unit_pkg::Nop:
        next = (pins_i.status_enable && !pins_o.full[pins_i.status.wid]) ? status_write_unit_pkg::Write1 :
                                                                          status_write_unit_pkg::Nop;
      status_write_unit_pkg::Write1: next = status_write_unit_pkg::Write2;
      default: next = status_write_unit_pkg::Nop;
    endcase
  end

  diagram #(.Width(2)) u_diagram (
      .clk_i,
      .rst_ni,
      .state_i(state),
      .next_i(next)
  );

  // The status accepted last, and the cycle before.
  logic known_q;
  logic past_rst_nq;
  logic [1:0] past_state_q;
  logic past_wid_q;
  logic [10:0] past_after0_q;
  logic [10:0] past_after1_q;
  logic [1:0] past_full_q;
  status_write_unit_pkg::in_t past_in_q;
  status_write_unit_pkg::out_t past_out_q;
  request_pkg::request_t status_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    past_wid_q <= \u_status_write_unit.wid_q ;
    past_after0_q <= \u_status_write_unit.after0 ;
    past_after1_q <= \u_status_write_unit.after1 ;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
    if (pins_i.status_enable && !pins_o.status_busy[pins_i.status.wid]) status_q <= pins_i.status;
  end

  // A new start or size, which may come in any state.
  logic [1:0] emptied;
  assign emptied = (past_in_q.configuration.user_code == status_write_unit_pkg::InitialAddress ||
                    past_in_q.configuration.user_code == status_write_unit_pkg::AreaSize) ?
                   (2'b01 << past_in_q.configuration.wid) : 2'b00;

  always @* begin
    if (known_q && past_rst_nq) begin
      if (pins_o.next_write_address0 != past_out_q.next_write_address0 && !emptied[0]) begin
        NextWriteAddress0MovesInWrite2: assert (past_state_q == status_write_unit_pkg::Write2 && !past_wid_q);
      end
      if (pins_o.next_write_address1 != past_out_q.next_write_address1 && !emptied[1]) begin
        NextWriteAddress1MovesInWrite2: assert (past_state_q == status_write_unit_pkg::Write2 && past_wid_q);
      end
      if (past_state_q == status_write_unit_pkg::Write2 && !past_wid_q && !emptied[0]) begin
        Write2MovesToTheNextSlot0: assert (pins_o.next_write_address0 == {past_after0_q, 4'd0});
      end
      if (past_state_q == status_write_unit_pkg::Write2 && past_wid_q && !emptied[1]) begin
        Write2MovesToTheNextSlot1: assert (pins_o.next_write_address1 == {past_after1_q, 4'd0});
      end
      if (past_state_q == status_write_unit_pkg::Nop && state == status_write_unit_pkg::Write1) begin
        TakesOnlyIntoARingWithRoom: assert (past_in_q.status_enable &&
                                            !past_out_q.full[past_in_q.status.wid]);
      end
    end
    if (known_q) begin
      WritesInBothWriteStates: assert ((pins_o.llcm_byte_enable == 8'hff) == (state != status_write_unit_pkg::Nop) &&
                                       (pins_o.llcm_byte_enable == 8'h00) == (state == status_write_unit_pkg::Nop));
      if (state == status_write_unit_pkg::Write1) begin
        UpperHalfFirst: assert (pins_o.llcm_wdata == status_q.upper && pins_o.llcm_address[0]);
      end
      if (state == status_write_unit_pkg::Write2) begin
        LowerHalfSecond: assert (pins_o.llcm_wdata == status_q.lower && !pins_o.llcm_address[0]);
      end
      if (state != status_write_unit_pkg::Nop) begin
        WrittenAtNextWriteAddress: assert (
            pins_o.llcm_address[12:1] == {status_q.wid, status_q.wid ? pins_o.next_write_address1[14:4] :
                                                                       pins_o.next_write_address0[14:4]});
        BusyWhileWriting: assert (pins_o.status_busy == 2'b11);
        // Invariant that carries the induction.
        assert (status_q.upper == \u_status_write_unit.upper_q  &&
                status_q.lower == \u_status_write_unit.lower_q  && status_q.wid == \u_status_write_unit.wid_q );
      end
    end
  end

endmodule
