/// A FIFO in one clock domain, twin of `hdl::Fifo`.
module fifo #(
    /// Width of a word in bits.
    parameter int Width = 64,
    /// Words, a power of two.
    parameter int Depth = 512,
    /// The memory is read one cycle ahead: a word can be taken two edges after it is written, or
    /// later.
    parameter bit Ahead = 1'b0,
    /// Width of an address in bits; pointers have one bit more, so that full and empty differ.
    localparam int AddressWidth = $clog2(Depth)
) (
    /// Clock.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// Stores `wdata_i`; ignored when full.
    input  logic                  write_enable_i,
    /// Word to store.
    input  logic [Width-1:0]      wdata_i,
    /// Takes the oldest word; it is on `rdata_o` one cycle later. Ignored when empty.
    input  logic                  read_enable_i,
    /// The word taken by the last read.
    output logic [Width-1:0]      rdata_o,
    /// No word is stored.
    output logic                  empty_o,
    /// `Depth` words are stored.
    output logic                  full_o,
    /// Words stored, 0 to `Depth`.
    output logic [AddressWidth:0] count_o
);

  logic [AddressWidth:0] write_pointer_d, write_pointer_q;
  logic [AddressWidth:0] read_pointer_d, read_pointer_q;

  assign count_o = write_pointer_q - read_pointer_q;
  assign empty_o = (write_pointer_q == read_pointer_q);
  assign full_o = count_o[AddressWidth];

  logic write;
  logic read;
  assign write = write_enable_i && !full_o;
  assign read = read_enable_i && !empty_o;
  assign write_pointer_d = write_pointer_q + {{AddressWidth{1'b0}}, write};
  assign read_pointer_d = read_pointer_q + {{AddressWidth{1'b0}}, read};

  ram #(
      .Width(Width),
      .Depth(Depth),
      .Ahead(Ahead)
  ) u_ram (
      .clk_i,
      .rst_ni,
      .read_enable_i(read),
      .read_address_i(read_pointer_q[AddressWidth-1:0]),
      .next_address_i(read_pointer_d[AddressWidth-1:0]),
      .rdata_o,
      .write_enable_i(write),
      .write_address_i(write_pointer_q[AddressWidth-1:0]),
      .wdata_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_pointer_q <= '0;
      read_pointer_q <= '0;
    end else begin
      write_pointer_q <= write_pointer_d;
      read_pointer_q <= read_pointer_d;
    end
  end

  // The FIFO neither overflows nor underflows.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NeverOverOrUnderflows : assert (!count_o[AddressWidth] || (count_o[AddressWidth-1:0] == '0));
    end
  end
`endif

endmodule
