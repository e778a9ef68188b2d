/// Arbiter of the Write Unit: one packet or one local store at a time (thesis sections 4.2 and
/// 5.1.1).
///
/// Operations run to completion in order of arrival. If both arrive in the same cycle, the packet
/// goes first: its start is a pulse whose cycles table 7.4 counts, while a local store holds its
/// request. A packet that arrives during a local store is remembered, so neither can starve the
/// other (decision 0017).
module write_arbiter (
    /// Core clock, 100 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From Receive Controller, Window Controller, write control.
    input  write_arbiter_pkg::in_t  pins_i,
    /// To the other blocks of the Write Unit, Receive Controller, Window Controller.
    output write_arbiter_pkg::out_t pins_o
);

  write_arbiter_pkg::state_e state_d, state_q;
  logic waiting_d, waiting_q;

  assign pins_o.free = (state_q == write_arbiter_pkg::Free);
  assign pins_o.packet = (state_q == write_arbiter_pkg::Packet);
  assign pins_o.storing = (state_q == write_arbiter_pkg::Store);
  assign pins_o.late_start = (state_q == write_arbiter_pkg::LateStart);

  always_comb begin
    state_d = state_q;
    waiting_d = waiting_q;

    unique case (state_q)
      // Free: the packet cannot wait, the store can.
      write_arbiter_pkg::Free: begin
        if (pins_i.packet) begin
          state_d = write_arbiter_pkg::Packet;
        end else if (pins_i.store) begin
          state_d = write_arbiter_pkg::Store;
        end
      end
      // Packet: the next packet arrives only after this one.
      write_arbiter_pkg::Packet: begin
        if (pins_i.done) begin
          state_d = write_arbiter_pkg::Free;
        end
      end
      // Store: at most one packet can arrive, because the Receive Controller waits for its end.
      write_arbiter_pkg::Store: begin
        waiting_d = waiting_q || pins_i.packet;
        if (pins_i.done) begin
          waiting_d = 1'b0;
          state_d = (waiting_q || pins_i.packet) ? write_arbiter_pkg::LateStart :
                                                   write_arbiter_pkg::Free;
        end
      end
      // LateStart: the read control and the write control are idle now.
      write_arbiter_pkg::LateStart: state_d = write_arbiter_pkg::Packet;
      default: state_d = write_arbiter_pkg::Free;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= write_arbiter_pkg::Free;
      waiting_q <= '0;
    end else begin
      state_q <= state_d;
      waiting_q <= waiting_d;
    end
  end

  // A packet waits only for the end of a store.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PacketWaitsForAStore : assert (!waiting_q || (state_q == write_arbiter_pkg::Store));
    end
  end
`endif

endmodule
