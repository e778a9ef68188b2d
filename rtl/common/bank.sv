/// A bank of 64-bit words in two lanes of 32 bits, twin of `hdl::Bank`.
///
/// One write port and one registered read port. Reading and writing one word on the same edge reads
/// the old value. A block RAM has one write enable per port, so a lane is written whole when one of
/// its bytes is enabled (decision 0014).
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
    /// Bytes to write, bit 0 is bits 7:0 of the word: their lanes are written. 0 writes nothing.
    input  logic [7:0]              byte_enable_i,
    /// Word to write.
    input  logic [AddressWidth-1:0] write_address_i,
    /// Data to write.
    input  logic [63:0]             wdata_i
);

  logic [63:0] mem [Depth];
  logic [63:0] rdata_q;

  assign rdata_o = rdata_q;

  logic [1:0] lane_enable;
  assign lane_enable = {byte_enable_i[7:4] != 4'h0, byte_enable_i[3:0] != 4'h0};

  // A block RAM holds 0 after power-up.
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 2; i++) begin
      if (rst_ni && lane_enable[i]) mem[write_address_i][32*i+:32] <= wdata_i[32*i+:32];
    end
    if (!rst_ni) rdata_q <= '0;
    else if (read_enable_i) rdata_q <= mem[read_address_i];
  end

endmodule
