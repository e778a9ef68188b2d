/// AMT Address Table: where each sender's AMT entry lies (thesis sections 7.1.4 and 7.1.5, table 5.2, figure B.1).
///
/// One entry for each sending process, 8192 of them: 12 bits of CLID and one of WID are the index. An entry is the
/// number of a 64-bit word in LLCM; whose LLCM, the receiving process of a packet decides, so one table serves both.
/// The host writes it through AMT Address Table Interface and cannot read it. The Receive Controller reads it in
/// the cycle in which a first header line is there; what it read last stays on the output.
///
/// No entry is valid or invalid: one that was never written leads to word 0 (decision 0020).
module amt_address_table (
    /// Core clock, 100 MHz.
    input  logic                        clk_i,
    /// Synchronous reset of the output; the entries stay.
    input  logic                        rst_ni,
    /// From the host bus and Receive Controller.
    input  amt_address_table_pkg::in_t  pins_i,
    /// To LLCM.
    output amt_address_table_pkg::out_t pins_o
);

  ram #(
      .Width(12),
      .Depth(8192)
  ) u_entries (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.read_enable),
      .read_address_i(pins_i.read_index),
      .next_address_i('0),
      .rdata_o(pins_o.rdata),
      .write_enable_i(pins_i.write_enable),
      .write_address_i(pins_i.write_index),
      .wdata_i(pins_i.wdata)
  );

endmodule
