/// The invariant CRC of a packet, a word of 8 or 4 bytes at a time (IBA volume 1, section 7.8.1).
///
/// Polynomial and bit order are those of Ethernet. Fields that a switch may change count as ones;
/// `link_transmit` and `link_receive` set them. Packets have no global route header here (decision
/// 0060).
///
/// Combinational: all inputs to the output.
module icrc (
    /// CRC register before the word.
    input  logic [31:0] crc_i,
    /// Word of the packet; byte 0, bits 7:0, is first on the wire.
    input  logic [63:0] data_i,
    /// The word has only its four lowest bytes.
    input  logic        half_i,
    /// CRC register after the word.
    output logic [31:0] crc_o
);

  // Contribution of each bit of a word of `bits` bits to the register: a row of 64 for each bit of
  // the register.
  function automatic logic [2047:0] rows_of(int bits);
    logic [31:0] next;
    rows_of = '0;
    for (int i = 0; i < bits; i++) begin
      next = 32'hedb8_8320;
      for (int j = i + 1; j < bits; j++) begin
        next = {1'b0, next[31:1]} ^ (next[0] ? 32'hedb8_8320 : 32'h0);
      end
      for (int k = 0; k < 32; k++) rows_of[64*k+i] = next[k];
    end
  endfunction

  localparam logic [2047:0] Rows = rows_of(64);
  localparam logic [2047:0] HalfRows = rows_of(32);

  // The register is folded into the four lowest bytes. XOR over a whole row keeps the logic
  // shallow.
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
