/// Write Window: source memory of primitives, written by the host (thesis section 5.1.1, table 4.1,
/// figures 5.1 and 5.2).
///
/// Each process has four windows of 512 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd
/// bank. The host writes and never reads; the transaction side reads both banks at one row and
/// never writes. Writes have a granularity of 32 bits: a unit with any enabled byte is written
/// whole (decision 0014).
module write_window (
    /// Core clock, 100 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From the host bus and Window Controller.
    input  write_window_pkg::in_t  pins_i,
    /// To Window Controller.
    output write_window_pkg::out_t pins_o
);

  bank #(
      .Depth(256)
  ) u_even (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.read_enable),
      .read_address_i(pins_i.row),
      .rdata_o(pins_o.rdata[63:0]),
      .byte_enable_i(pins_i.host_byte_enable[7:0]),
      .write_address_i(pins_i.host_row),
      .wdata_i(pins_i.host_wdata[63:0])
  );

  bank #(
      .Depth(256)
  ) u_odd (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.read_enable),
      .read_address_i(pins_i.row),
      .rdata_o(pins_o.rdata[127:64]),
      .byte_enable_i(pins_i.host_byte_enable[15:8]),
      .write_address_i(pins_i.host_row),
      .wdata_i(pins_i.host_wdata[127:64])
  );

endmodule
