/// A bank of 64-bit words with byte enables, twin of `hdl::Bank`.
///
/// One write port and one registered read port. Reading and writing one word on the same edge reads the
/// old value.
module bank #(
    /// Words.
    parameter int Depth = 256,
    /// Width of an address in bits.
    localparam int AddressWidth = $clog2(Depth)
) (
    /// Clock of both ports.
    input  logic                    clk_i,
    /// Synchronous reset of the read register; the contents stay.
    input  logic                    rst_ni,
    /// Reads a word; it is on `rdata_o` in the next cycle and stays until the next read.
    input  logic                    read_enable_i,
    /// Word to read.
    input  logic [AddressWidth-1:0] read_address_i,
    /// The word read last.
    output logic [63:0]             rdata_o,
    /// Bytes to write, bit 0 is bits 7:0 of the word; 0 writes nothing.
    input  logic [7:0]              byte_enable_i,
    /// Word to write.
    input  logic [AddressWidth-1:0] write_address_i,
    /// Data to write.
    input  logic [63:0]             wdata_i
);

  logic [63:0] mem [Depth];
  logic [63:0] rdata_q;

  assign rdata_o = rdata_q;

  // A block RAM holds 0 after power-up.
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end

  // `word` with the enabled bytes of `wdata`.
  function automatic logic [63:0] merge(logic [63:0] word, logic [63:0] wdata, logic [7:0] enable);
    for (int i = 0; i < 8; i++) merge[8*i+:8] = enable[i] ? wdata[8*i+:8] : word[8*i+:8];
  endfunction

  // One write of the merged word, so that a simulator tests one condition and not one per byte. Synthesis
  // turns the read of the same word into byte enables.
  always_ff @(posedge clk_i) begin
    if (rst_ni && byte_enable_i != 8'd0) begin
      mem[write_address_i] <= merge(mem[write_address_i], wdata_i, byte_enable_i);
    end
    if (!rst_ni) rdata_q <= '0;
    else if (read_enable_i) rdata_q <= mem[read_address_i];
  end

endmodule
