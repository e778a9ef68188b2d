/// The invariant CRC of a packet, a word of 8 or 4 bytes at a time (IBA volume 1, section 7.8.1).
///
/// The polynomial and the order of bits are those of Ethernet.
///
/// Combinational: all inputs to the output.
module icrc (
    /// The register before the word.
    input  logic [31:0] crc_i,
    /// The word; byte 0, bits 7:0, goes first.
    input  logic [63:0] data_i,
    /// Only its four lowest bytes.
    input  logic        half_i,
    /// The register after the word.
    output logic [31:0] crc_o
);

  logic [31:0] low;
  logic [31:0] high;

  always_comb begin
    low = crc_i;
    for (int i = 0; i < 32; i++) begin
      low = {1'b0, low[31:1]} ^ ((low[0] ^ data_i[i]) ? 32'hedb8_8320 : 32'h0);
    end
    high = low;
    for (int i = 32; i < 64; i++) begin
      high = {1'b0, high[31:1]} ^ ((high[0] ^ data_i[i]) ? 32'hedb8_8320 : 32'h0);
    end
  end

  assign crc_o = half_i ? low : high;

endmodule
