// Replacement of an external static RAM: registers at its pins, without the memory.
module sram #(parameter Depth = 1024, parameter AddressWidth = $clog2(Depth)) (
    input clk_i,
    input rst_ni,
    input a_read_enable_i,
    input a_write_enable_i,
    input [AddressWidth-1:0] a_address_i,
    input [31:0] a_wdata_i,
    output reg [31:0] a_rdata_o,
    input b_read_enable_i,
    input b_write_enable_i,
    input [AddressWidth-1:0] b_address_i,
    input [31:0] b_wdata_i,
    output reg [31:0] b_rdata_o
);
  reg [AddressWidth+34:0] a_q, b_q;
  always @(posedge clk_i) begin
    a_q <= {rst_ni, a_read_enable_i, a_write_enable_i, a_address_i, a_wdata_i};
    b_q <= {rst_ni, b_read_enable_i, b_write_enable_i, b_address_i, b_wdata_i};
    a_rdata_o <= a_q[31:0] ^ a_q[AddressWidth+34:32];
    b_rdata_o <= b_q[31:0] ^ b_q[AddressWidth+34:32];
  end
endmodule
