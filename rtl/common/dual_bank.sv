/// A bank of 64-bit words with the ports A and B, twin of `hdl::DualBank`.
///
/// Each port reads or writes. Reading a word that either port writes on the same edge reads the old
/// value. A byte that both write takes the value from B; block RAMs have no such order, so in
/// hardware there must be none.
module dual_bank #(
    /// Words.
    parameter int Depth = 4096,
    /// Width of an address in bits.
    localparam int AddressWidth = $clog2(Depth)
) (
    /// Clock of both ports.
    input  logic                    clk_i,
    /// Synchronous reset of the read registers; the contents stay.
    input  logic                    rst_ni,
    /// Reads a word through A; it is on `a_rdata_o` in the next cycle and stays until the next
    /// read.
    input  logic                    a_read_enable_i,
    /// Bytes to write through A, bit 0 is bits 7:0 of the word; 0 writes nothing.
    input  logic [7:0]              a_byte_enable_i,
    /// Word to read or write through A.
    input  logic [AddressWidth-1:0] a_address_i,
    /// Data to write through A.
    input  logic [63:0]             a_wdata_i,
    /// The word that A read last.
    output logic [63:0]             a_rdata_o,
    /// Reads a word through B; it is on `b_rdata_o` in the next cycle and stays until the next
    /// read.
    input  logic                    b_read_enable_i,
    /// Bytes to write through B, bit 0 is bits 7:0 of the word; 0 writes nothing.
    input  logic [7:0]              b_byte_enable_i,
    /// Word to read or write through B.
    input  logic [AddressWidth-1:0] b_address_i,
    /// Data to write through B.
    input  logic [63:0]             b_wdata_i,
    /// The word that B read last.
    output logic [63:0]             b_rdata_o
);

  logic [63:0] a_rdata_q;
  logic [63:0] b_rdata_q;

  assign a_rdata_o = a_rdata_q;
  assign b_rdata_o = b_rdata_q;

`ifdef SYNTHESIS

  // Memories of 4 bits, the width of a block RAM with 4,096 words. A single memory of 64 bits would
  // enable all its block RAMs together, so each would wait for the enables of all bytes.
  for (genvar i = 0; i < 16; i++) begin : gen_half
    logic [3:0] mem [Depth];

`ifdef POWER_UP
    // A block RAM holds 0 after power-up. Only the simulation of a netlist defines POWER_UP:
    // unrolling the loop takes minutes.
    initial begin
      for (int j = 0; j < Depth; j++) mem[j] = '0;
    end
`endif

    // Two processes, so that synthesis adds no comparators to order the writes.
    always @(posedge clk_i) begin
      if (rst_ni && b_byte_enable_i[i/2]) mem[b_address_i] <= b_wdata_i[4*i+:4];
    end

    always @(posedge clk_i) begin
      if (rst_ni && a_byte_enable_i[i/2]) mem[a_address_i] <= a_wdata_i[4*i+:4];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) a_rdata_q[4*i+:4] <= '0;
      else if (a_read_enable_i) a_rdata_q[4*i+:4] <= mem[a_address_i];
      if (!rst_ni) b_rdata_q[4*i+:4] <= '0;
      else if (b_read_enable_i) b_rdata_q[4*i+:4] <= mem[b_address_i];
    end
  end

`else

  logic [63:0] mem [Depth];

  // A block RAM holds 0 after power-up.
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end

  always_ff @(posedge clk_i) begin
    // The outer conditions only save a simulator eight tests.
    if (rst_ni && a_byte_enable_i != 8'd0) begin
      for (int i = 0; i < 8; i++) begin
        if (a_byte_enable_i[i]) mem[a_address_i][8*i+:8] <= a_wdata_i[8*i+:8];
      end
    end
    if (rst_ni && b_byte_enable_i != 8'd0) begin
      for (int i = 0; i < 8; i++) begin
        if (b_byte_enable_i[i]) mem[b_address_i][8*i+:8] <= b_wdata_i[8*i+:8];
      end
    end
    if (!rst_ni) a_rdata_q <= '0;
    else if (a_read_enable_i) a_rdata_q <= mem[a_address_i];
    if (!rst_ni) b_rdata_q <= '0;
    else if (b_read_enable_i) b_rdata_q <= mem[b_address_i];
  end

`endif

endmodule
