/// AMT Address Table: location of each sender's AMT entry (thesis sections 7.1.4 and 7.1.5, table
/// 5.2, figure B.1).
///
/// The table has one entry for each of 8192 sending processes; the index is the 12-bit CLID and the
/// WID. An entry is the number of a 64-bit word in LLCM. The receiving process of a packet selects
/// the LLCM, so one table serves both processes. The host writes entries through AMT Address Table
/// Interface and cannot read them. The Receive Controller reads an entry in the cycle in which a
/// first header line is there; the output keeps the entry read last.
///
/// Entries have no valid bit: an entry that was never written points to word 0 (decision 0020).
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
