/// Prefetch Window: destination memory of primitives, read by the host (thesis section 5.1.2, table
/// 4.1, figure 5.3).
///
/// Each process has four windows of 512 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd
/// bank. The transaction side writes and never reads; the host reads both banks at one row and
/// never writes. Writes have a granularity of 32 bits: a unit with any enabled byte is written
/// whole (decision 0014).
module prefetch_window (
    /// Core clock, 100 MHz.
    input  logic                      clk_i,
    /// Synchronous reset.
    input  logic                      rst_ni,
    /// From the host bus and Receive Controller.
    input  prefetch_window_pkg::in_t  pins_i,
    /// To the host bus.
    output prefetch_window_pkg::out_t pins_o
);

  bank #(
      .Depth(256)
  ) u_even (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.host_read_enable),
      .read_address_i(pins_i.host_row),
      .rdata_o(pins_o.host_rdata[63:0]),
      .byte_enable_i(pins_i.byte_enable[7:0]),
      .write_address_i(pins_i.row),
      .wdata_i(pins_i.wdata[63:0])
  );

  bank #(
      .Depth(256)
  ) u_odd (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.host_read_enable),
      .read_address_i(pins_i.host_row),
      .rdata_o(pins_o.host_rdata[127:64]),
      .byte_enable_i(pins_i.byte_enable[15:8]),
      .write_address_i(pins_i.row),
      .wdata_i(pins_i.wdata[127:64])
  );

endmodule
