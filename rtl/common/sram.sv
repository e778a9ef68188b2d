/// A static RAM of 32-bit words with the ports A and B, twin of `hdl::Sram`.
///
/// Each port reads or writes. Reading a word that either port writes on the same edge reads the old
/// value. A word that both write takes the value from B.
module sram #(
    /// Words.
    parameter int Depth = 1024,
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
    /// Writes a word through A.
    input  logic                    a_write_enable_i,
    /// Word to read or write through A.
    input  logic [AddressWidth-1:0] a_address_i,
    /// Data to write through A.
    input  logic [31:0]             a_wdata_i,
    /// The word that A read last.
    output logic [31:0]             a_rdata_o,
    /// Reads a word through B; it is on `b_rdata_o` in the next cycle and stays until the next
    /// read.
    input  logic                    b_read_enable_i,
    /// Writes a word through B.
    input  logic                    b_write_enable_i,
    /// Word to read or write through B.
    input  logic [AddressWidth-1:0] b_address_i,
    /// Data to write through B.
    input  logic [31:0]             b_wdata_i,
    /// The word that B read last.
    output logic [31:0]             b_rdata_o
);

  logic [31:0] mem [Depth];
  logic [31:0] a_rdata_q;
  logic [31:0] b_rdata_q;

  assign a_rdata_o = a_rdata_q;
  assign b_rdata_o = b_rdata_q;

  // An SRAM holds anything after power-up; simulations agree on 0. A synthesis tool would unroll
  // the loop.
`ifndef SYNTHESIS
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end
`endif

  always_ff @(posedge clk_i) begin
    if (rst_ni && a_write_enable_i) mem[a_address_i] <= a_wdata_i;
    if (rst_ni && b_write_enable_i) mem[b_address_i] <= b_wdata_i;
    if (!rst_ni) a_rdata_q <= '0;
    else if (a_read_enable_i) a_rdata_q <= mem[a_address_i];
    if (!rst_ni) b_rdata_q <= '0;
    else if (b_read_enable_i) b_rdata_q <= mem[b_address_i];
  end

endmodule
