/// Transmitter: sends the packets of its two slots in order and appends the ICRC to each (IBA
/// volume 1, section 7.8.1).
///
/// A slot is half of the transmitter's memory. The send engine fills one slot while the other is
/// sent.
module link_transmit (
    /// Clock of the adapter, 125 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From send engine, memory, link.
    input  link_transmit_pkg::in_t  pins_i,
    /// To send engine, memory, link.
    output link_transmit_pkg::out_t pins_o
);

  link_transmit_pkg::state_e state_d, state_q;
  logic [1:0]  full_d, full_q;
  logic        fill_d, fill_q;
  logic        leave_d, leave_q;
  logic [10:0] units0_d, units0_q;
  logic [10:0] units1_d, units1_q;
  logic [10:0] left_d, left_q;
  logic [8:0]  index_d, index_q;
  logic [31:0] crc_d, crc_q;
  logic [63:0] ahead_d, ahead_q;
  logic [63:0] data_d, data_q;
  logic        last_d, last_q;

  logic send;
  assign send = (state_q == link_transmit_pkg::Send);
  assign pins_o.free = (full_q != 2'd2);
  assign pins_o.slot = fill_q;
  assign pins_o.address = {leave_q, index_q};
  assign pins_o.read = ((state_q == link_transmit_pkg::Idle) && (full_q != 2'd0)) ||
                       (state_q == link_transmit_pkg::First) ||
                       (state_q == link_transmit_pkg::Load);
  assign pins_o.next = send;
  assign pins_o.data = data_q;
  assign pins_o.last = last_q;
  assign pins_o.valid = send || (state_q == link_transmit_pkg::Check);

  // Next word, and the ICRC after it or after its first half; `index` is already two words ahead.
  // In `masked` the virtual lane and the reserved byte of the BTH are ones.
  logic        half;
  logic [63:0] masked;
  logic [31:0] crc;
  logic [63:0] word;
  logic [10:0] left;
  assign half = (left_q == 11'd1);
  assign masked = ahead_q | ((index_q == 9'd2) ? 64'h0000_0000_0000_00f0 :
                             (index_q == 9'd3) ? 64'h0000_00ff_0000_0000 : 64'd0);
  assign word = half ? {~crc, ahead_q[31:0]} : ahead_q;
  assign left = (left_q < 11'd2) ? 11'd0 : left_q - 11'd2;

  icrc u_icrc (
      .crc_i(crc_q),
      .data_i(masked),
      .half_i(half),
      .crc_o(crc)
  );

  logic leaves;
  logic launched;
  assign launched = pins_i.launch && (full_q != 2'd2);

  always_comb begin
    state_d = state_q;
    full_d = full_q;
    fill_d = fill_q;
    leave_d = leave_q;
    units0_d = units0_q;
    units1_d = units1_q;
    left_d = left_q;
    index_d = index_q;
    crc_d = crc_q;
    ahead_d = ahead_q;
    data_d = data_q;
    last_d = last_q;
    leaves = 1'b0;

    unique case (state_q)
      // Idle: the slots alternate. The first word is requested.
      link_transmit_pkg::Idle: begin
        if (full_q != 2'd0) begin
          left_d = leave_q ? units1_q : units0_q;
          index_d = 9'd1;
          crc_d = '1;
          state_d = link_transmit_pkg::First;
        end
      end
      // First: the memory answers late in its cycle, so each word is registered before the CRC uses
      // it.
      link_transmit_pkg::First: begin
        ahead_d = pins_i.memory_rdata;
        index_d = 9'd2;
        state_d = link_transmit_pkg::Load;
      end
      // Load: a packet has more than one word.
      link_transmit_pkg::Load: begin
        ahead_d = pins_i.memory_rdata;
        data_d = word;
        last_d = half;
        crc_d = crc;
        left_d = left;
        index_d = index_q + 9'd1;
        state_d = link_transmit_pkg::Send;
      end
      // Send: the next word is ready when the link takes this one.
      link_transmit_pkg::Send: begin
        if (pins_i.ready) begin
          if (last_q) begin
            leaves = 1'b1;
            index_d = '0;
            state_d = link_transmit_pkg::Idle;
          end else if (left_q == 11'd0) begin
            data_d = {32'd0, ~crc_q};
            last_d = 1'b1;
            state_d = link_transmit_pkg::Check;
          end else begin
            ahead_d = pins_i.memory_rdata;
            data_d = word;
            last_d = half;
            crc_d = crc;
            left_d = left;
            index_d = index_q + 9'd1;
          end
        end
      end
      // Check: the ICRC is the lower half of the last word.
      link_transmit_pkg::Check: begin
        if (pins_i.ready) begin
          leaves = 1'b1;
          index_d = '0;
          state_d = link_transmit_pkg::Idle;
        end
      end
      default: state_d = link_transmit_pkg::Idle;
    endcase

    // A launch without a free slot has no effect; the send engine waits for a slot.
    if (launched) begin
      if (fill_q) units1_d = pins_i.units;
      else units0_d = pins_i.units;
      fill_d = !fill_q;
    end
    if (leaves) leave_d = !leave_q;
    full_d = full_q + {1'b0, launched} - {1'b0, leaves};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= link_transmit_pkg::Idle;
      full_q <= '0;
      fill_q <= '0;
      leave_q <= '0;
      units0_q <= '0;
      units1_q <= '0;
      left_q <= '0;
      index_q <= '0;
      crc_q <= '0;
      ahead_q <= '0;
      data_q <= '0;
      last_q <= '0;
    end else begin
      state_q <= state_d;
      full_q <= full_d;
      fill_q <= fill_d;
      leave_q <= leave_d;
      units0_q <= units0_d;
      units1_q <= units1_d;
      left_q <= left_d;
      index_q <= index_d;
      crc_q <= crc_d;
      ahead_q <= ahead_d;
      data_q <= data_d;
      last_q <= last_d;
    end
  end

  // Two slots, which take turns.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TwoSlots : assert (full_q != 2'd3);
      SlotsTakeTurns : assert ((fill_q ^ leave_q) == full_q[0]);
    end
  end
`endif

endmodule
