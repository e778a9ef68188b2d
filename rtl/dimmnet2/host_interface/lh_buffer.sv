/// LH Buffer: a ring of message heads (thesis section 5.1.4, table 4.1, figure 5.5).
///
/// 64 entries of 64 bytes per process, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host reads
/// all of it and moves the Head of its ring. Nothing writes entries yet: the reception of message heads is not
/// built, so the Tail is not kept here either and reads 0 (decision 0007).
module lh_buffer (
    /// Core clock, 100 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From the host bus.
    input  lh_buffer_pkg::in_t  pins_i,
    /// To the host bus.
    output lh_buffer_pkg::out_t pins_o
);

  logic [11:0] head0_d, head0_q;
  logic [11:0] head1_d, head1_q;

  assign pins_o.head0 = head0_q;
  assign pins_o.head1 = head1_q;

  always_comb begin
    head0_d = head0_q;
    head1_d = head1_q;

    if (pins_i.controller_reset) begin
      head0_d = '0;
      head1_d = '0;
    end else begin
      if (pins_i.head_enable[0]) head0_d = pins_i.head;
      if (pins_i.head_enable[1]) head1_d = pins_i.head;
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
      .rdata_o(pins_o.host_rdata[63:0]),
      .write_enable_i(pins_i.write_enable[0]),
      .write_address_i(pins_i.row),
      .wdata_i(pins_i.wdata[63:0])
  );

  ram #(
      .Width(64),
      .Depth(512)
  ) u_odd (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.host_read_enable),
      .read_address_i(pins_i.host_row),
      .rdata_o(pins_o.host_rdata[127:64]),
      .write_enable_i(pins_i.write_enable[1]),
      .write_address_i(pins_i.row),
      .wdata_i(pins_i.wdata[127:64])
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head0_q <= '0;
      head1_q <= '0;
    end else begin
      head0_q <= head0_d;
      head1_q <= head1_d;
    end
  end

endmodule
