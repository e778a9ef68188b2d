/// The frame check sequence of Ethernet, one byte at a time (IEEE 802.3, section 3.2.9).
///
/// Combinational: the output depends on both inputs of the same cycle.
module crc32 (
    /// The register before the byte.
    input  logic [31:0] crc_i,
    /// Byte; the lowest bit is first, as on the wire.
    input  logic [7:0]  byte_i,
    /// The register after the byte.
    output logic [31:0] crc_o
);

  always_comb begin
    crc_o = crc_i ^ {24'b0, byte_i};
    for (int i = 0; i < 8; i++) begin
      crc_o = {1'b0, crc_o[31:1]} ^ (crc_o[0] ? 32'hedb8_8320 : 32'h0);
    end
  end

endmodule
