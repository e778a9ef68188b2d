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

  // What the register gets of each bit of a word of so many, for each of its bits a row of 64: the bit goes in, and those behind it find
  // nothing else.
  function automatic logic [2047:0] rows_of(int bits);
    logic [31:0] next;
    rows_of = '0;
    for (int i = 0; i < bits; i++) begin
      next = 32'hedb8_8320;
      for (int j = i + 1; j < bits; j++) next = {1'b0, next[31:1]} ^ (next[0] ? 32'hedb8_8320 : 32'h0);
      for (int k = 0; k < 32; k++) rows_of[64*k+i] = next[k];
    end
  endfunction

  localparam logic [2047:0] Rows = rows_of(64);
  localparam logic [2047:0] HalfRows = rows_of(32);

  // The register is as long as the four lowest bytes: it is what these are worth. All bits of a row at once are few gates one behind the other.
  logic [63:0] word;
  logic [31:0] low;
  logic [31:0] high;
  assign word = {data_i[63:32], data_i[31:0] ^ crc_i};
  always_comb begin
    for (int k = 0; k < 32; k++) begin
      high[k] = ^(word & Rows[64*k+:64]);
      low[k] = ^(word[31:0] & HalfRows[64*k+:32]);
    end
  end

  assign crc_o = half_i ? low : high;

endmodule
