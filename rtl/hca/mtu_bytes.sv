/// Bytes of data in a packet for an MTU code (IBA volume 1, section 9.4.2); 0 for an invalid code.
///
/// Combinational: `code_i` to `bytes_o`; twin of `layout::mtu_bytes`.
module mtu_bytes (
    /// MTU code.
    input  logic [3:0]  code_i,
    /// Bytes of data.
    output logic [11:0] bytes_o
);

  always_comb begin
    unique case (code_i)
      4'd1: bytes_o = 12'd256;
      4'd2: bytes_o = 12'd512;
      4'd3: bytes_o = 12'd1024;
      4'd4: bytes_o = 12'd2048;
      default: bytes_o = 12'd0;
    endcase
  end

endmodule
