/// LH Buffer: a ring of message heads (thesis sections 5.1.4 and 7.2, table 4.1, figures 5.5 and
/// 7.7).
///
/// Each process has 64 entries of 64 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd
/// bank. The host reads all entries and moves the Head; the Receive Controller writes lines of the
/// entry at the Tail and then advances the Tail. At most 63 entries are in use: the ring is full
/// when the entry after Tail is the one at Head.
///
/// The flags of an entry are inverted rather than set, so the host has nothing to clear; the value
/// of new flags changes whenever the Tail wraps. After any reset the flags of all entries are 0:
/// line 0 of each entry is cleared, one per cycle, and the ring reports full until all are cleared
/// (decision 0021).
module lh_buffer (
    /// Core clock, 100 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From the host bus and Receive Controller.
    input  lh_buffer_pkg::in_t  pins_i,
    /// To the host bus, User Register and Receive Controller.
    output lh_buffer_pkg::out_t pins_o
);

  logic [11:0] head0_d, head0_q;
  logic [11:0] head1_d, head1_q;
  logic [5:0]  tail0_d, tail0_q;
  logic [5:0]  tail1_d, tail1_q;
  logic        turn0_d, turn0_q;
  logic        turn1_d, turn1_q;
  logic [7:0]  cleared_d, cleared_q;

  // Whether flags remain to be cleared.
  logic clearing;
  assign clearing = (cleared_q < lh_buffer_pkg::Entries);

  logic [5:0] next_tail0;
  logic [5:0] next_tail1;
  assign next_tail0 = tail0_q + 6'd1;
  assign next_tail1 = tail1_q + 6'd1;

  assign pins_o.tail0 = {tail0_q, 6'd0};
  assign pins_o.tail1 = {tail1_q, 6'd0};
  assign pins_o.full = {clearing || next_tail1 == head1_q[11:6],
                        clearing || next_tail0 == head0_q[11:6]};
  assign pins_o.polarity = {!turn1_q, !turn0_q};

  logic [5:0]  entry;
  logic [8:0]  row;
  logic [63:0] wdata;
  assign entry = pins_i.wid ? tail1_q : tail0_q;
  assign row = clearing ? {cleared_q[6:0], 2'd0} : {pins_i.wid, entry, pins_i.row};
  assign wdata = clearing ? 64'd0 : pins_i.wdata;

  always_comb begin
    head0_d = head0_q;
    head1_d = head1_q;
    tail0_d = tail0_q;
    tail1_d = tail1_q;
    turn0_d = turn0_q;
    turn1_d = turn1_q;
    cleared_d = cleared_q;

    if (clearing) begin
      cleared_d = cleared_q + 8'd1;
    end
    if (pins_i.head_enable[0]) begin
      head0_d = pins_i.head;
    end
    if (pins_i.head_enable[1]) begin
      head1_d = pins_i.head;
    end
    if (pins_i.advance && !pins_i.wid) begin
      tail0_d = next_tail0;
      turn0_d = turn0_q ^ (tail0_q == 6'h3f);
    end
    if (pins_i.advance && pins_i.wid) begin
      tail1_d = next_tail1;
      turn1_d = turn1_q ^ (tail1_q == 6'h3f);
    end
    if (pins_i.controller_reset) begin
      head0_d = '0;
      head1_d = '0;
      tail0_d = '0;
      tail1_d = '0;
      turn0_d = '0;
      turn1_d = '0;
      cleared_d = '0;
    end
  end

  ram #(
      .Width(64),
      .Depth(512)
  ) u_even (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.host_read_enable),
      .read_address_i(pins_i.host_row),
      .next_address_i('0),
      .rdata_o(pins_o.host_rdata[63:0]),
      .write_enable_i(pins_i.write_enable[0] || clearing),
      .write_address_i(row),
      .wdata_i(wdata)
  );

  ram #(
      .Width(64),
      .Depth(512)
  ) u_odd (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.host_read_enable),
      .read_address_i(pins_i.host_row),
      .next_address_i('0),
      .rdata_o(pins_o.host_rdata[127:64]),
      .write_enable_i(pins_i.write_enable[1] && !clearing),
      .write_address_i(row),
      .wdata_i(wdata)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head0_q <= '0;
      head1_q <= '0;
      tail0_q <= '0;
      tail1_q <= '0;
      turn0_q <= '0;
      turn1_q <= '0;
      cleared_q <= '0;
    end else begin
      head0_q <= head0_d;
      head1_q <= head1_d;
      tail0_q <= tail0_d;
      tail1_q <= tail1_d;
      turn0_q <= turn0_d;
      turn1_q <= turn1_d;
      cleared_q <= cleared_d;
    end
  end

  // Clearing stops after the last entry.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ClearingEnds : assert (cleared_q <= lh_buffer_pkg::Entries);
    end
  end
`endif

endmodule
