/// LLCM, Low Latency Common Memory: read and written by both sides (thesis section 5.1.3, table
/// 4.1, figures 5.1 and 5.4).
///
/// Each process has 32 KB, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host reads
/// and writes 16 bytes with byte enables. The transaction side has one port of 64 bits, which
/// writes receive statuses, packets for LLCM and Tails of AMT entries, and reads AMT entries.
///
/// Writes of the transaction side reach the memory one cycle later: the writer is selected late in
/// the cycle and the memory is large. The delay is not observable, because a written word is read,
/// and its writing reported to the host, two cycles later at the earliest (decision 0052). If the
/// host writes the same byte in that cycle or in the next, the byte of the transaction side wins.
module llcm (
    /// Core clock, 100 MHz.
    input  logic           clk_i,
    /// Synchronous reset.
    input  logic           rst_ni,
    /// From the host bus, Status Write Unit, Receive Controller and Write Unit.
    input  llcm_pkg::in_t  pins_i,
    /// To the host bus and Write Unit.
    output llcm_pkg::out_t pins_o
);

  logic        odd_read_d, odd_read_q;
  logic [7:0]  even_byte_enable_d, even_byte_enable_q;
  logic [7:0]  odd_byte_enable_d, odd_byte_enable_q;
  logic [11:0] row_d, row_q;
  logic [63:0] wdata_d, wdata_q;

  logic [63:0] even_rdata;
  logic [63:0] odd_rdata;
  assign pins_o.rdata = odd_read_q ? odd_rdata : even_rdata;
  assign odd_read_d = pins_i.read_enable ? pins_i.address[0] : odd_read_q;

  assign even_byte_enable_d = pins_i.address[0] ? 8'h00 : pins_i.byte_enable;
  assign odd_byte_enable_d = pins_i.address[0] ? pins_i.byte_enable : 8'h00;
  assign row_d = (pins_i.byte_enable == 8'h00) ? row_q : pins_i.address[12:1];
  assign wdata_d = (pins_i.byte_enable == 8'h00) ? wdata_q : pins_i.wdata;

  // The port reads at once; otherwise it performs the write requested in the cycle before.
  logic [7:0]  even_byte_enable;
  logic [7:0]  odd_byte_enable;
  logic [11:0] row;
  assign even_byte_enable = pins_i.read_enable ? 8'h00 : even_byte_enable_q;
  assign odd_byte_enable = pins_i.read_enable ? 8'h00 : odd_byte_enable_q;
  assign row = pins_i.read_enable ? pins_i.address[12:1] : row_q;

  // Bytes that the transaction side writes are masked on the host port: the result of a block RAM
  // written on both ports is undefined.
  logic       same;
  logic [7:0] even_host_byte_enable;
  logic [7:0] odd_host_byte_enable;
  assign same = (pins_i.host_row == row_q);
  assign even_host_byte_enable = pins_i.host_byte_enable[7:0] & ~(even_byte_enable_q & {8{same}});
  assign odd_host_byte_enable = pins_i.host_byte_enable[15:8] & ~(odd_byte_enable_q & {8{same}});

  dual_bank #(
      .Depth(4096)
  ) u_even (
      .clk_i,
      .rst_ni,
      .a_read_enable_i(pins_i.host_read_enable),
      .a_byte_enable_i(even_host_byte_enable),
      .a_address_i(pins_i.host_row),
      .a_wdata_i(pins_i.host_wdata[63:0]),
      .a_rdata_o(pins_o.host_rdata[63:0]),
      .b_read_enable_i(pins_i.read_enable && !pins_i.address[0]),
      .b_byte_enable_i(even_byte_enable),
      .b_address_i(row),
      .b_wdata_i(wdata_q),
      .b_rdata_o(even_rdata)
  );

  dual_bank #(
      .Depth(4096)
  ) u_odd (
      .clk_i,
      .rst_ni,
      .a_read_enable_i(pins_i.host_read_enable),
      .a_byte_enable_i(odd_host_byte_enable),
      .a_address_i(pins_i.host_row),
      .a_wdata_i(pins_i.host_wdata[127:64]),
      .a_rdata_o(pins_o.host_rdata[127:64]),
      .b_read_enable_i(pins_i.read_enable && pins_i.address[0]),
      .b_byte_enable_i(odd_byte_enable),
      .b_address_i(row),
      .b_wdata_i(wdata_q),
      .b_rdata_o(odd_rdata)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      odd_read_q <= '0;
      even_byte_enable_q <= '0;
      odd_byte_enable_q <= '0;
      row_q <= '0;
      wdata_q <= '0;
    end else begin
      odd_read_q <= odd_read_d;
      even_byte_enable_q <= even_byte_enable_d;
      odd_byte_enable_q <= odd_byte_enable_d;
      row_q <= row_d;
      wdata_q <= wdata_d;
    end
  end

endmodule
