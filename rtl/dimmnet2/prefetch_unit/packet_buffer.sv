/// Packet buffer of the Prefetch Unit: a FIFO of lines for packets that accepts one or two lines
/// per cycle and delivers one (decisions 0019 and 0041).
///
/// Line n lies in the Even bank if n is even, otherwise in the Odd bank. Two consecutive lines are
/// therefore in different banks and are written in the same cycle.
module packet_buffer (
    /// Core clock, 100 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From writer and Window Controller.
    input  packet_buffer_pkg::in_t  pins_i,
    /// To Window Controller and reader.
    output packet_buffer_pkg::out_t pins_o
);

  logic [10:0] write_pointer_d, write_pointer_q;
  logic [10:0] read_pointer_d, read_pointer_q;
  logic [10:0] count_d, count_q;
  logic        odd_d, odd_q;

  logic [63:0] even_rdata;
  logic [63:0] odd_rdata;
  assign pins_o.rdata = odd_q ? odd_rdata : even_rdata;
  assign pins_o.count = count_q;

  // The write pointer selects the bank of the first line; the second line goes into the other bank.
  logic       full;
  logic       write;
  logic       begins_odd;
  logic [8:0] even_row;
  logic [8:0] odd_row;
  logic       even_write;
  logic       odd_write;
  assign full = count_q[10] || (pins_i.pair && count_q[9:0] == 10'h3ff);
  assign write = pins_i.write_enable && !full;
  assign begins_odd = write_pointer_q[0];
  assign even_row = write_pointer_q[9:1] + {8'd0, begins_odd};
  assign odd_row = write_pointer_q[9:1];
  assign even_write = write && (!begins_odd || pins_i.pair);
  assign odd_write = write && (begins_odd || pins_i.pair);

  logic read;
  logic takes_odd;
  assign read = pins_i.read_enable && count_q != 11'd0;
  assign takes_odd = read_pointer_q[0];

  // A counter holds the number of lines, because the difference of the pointers would be late. Its
  // next values for one and for two lines are computed in parallel with the decision.
  logic [10:0] one_more;
  logic [10:0] two_more;
  logic [10:0] one_less;
  assign one_more = count_q + 11'd1;
  assign two_more = count_q + 11'd2;
  assign one_less = count_q - 11'd1;
  always_comb begin
    unique case ({write, pins_i.pair, read})
      3'b100, 3'b111: count_d = one_more;
      3'b110: count_d = two_more;
      3'b001, 3'b011: count_d = one_less;
      default: count_d = count_q;
    endcase
  end
  assign write_pointer_d = !write ? write_pointer_q :
                           pins_i.pair ? {write_pointer_q[10:1] + 10'd1, begins_odd} :
                                         write_pointer_q + 11'd1;
  assign read_pointer_d = read ? read_pointer_q + 11'd1 : read_pointer_q;
  assign odd_d = read ? takes_odd : odd_q;

  ram #(
      .Width(64),
      .Depth(512)
  ) u_even_bank (
      .clk_i,
      .rst_ni,
      .read_enable_i(read && !takes_odd),
      .read_address_i(read_pointer_q[9:1]),
      .next_address_i('0),
      .rdata_o(even_rdata),
      .write_enable_i(even_write),
      .write_address_i(even_row),
      .wdata_i(begins_odd ? pins_i.second : pins_i.wdata)
  );

  ram #(
      .Width(64),
      .Depth(512)
  ) u_odd_bank (
      .clk_i,
      .rst_ni,
      .read_enable_i(read && takes_odd),
      .read_address_i(read_pointer_q[9:1]),
      .next_address_i('0),
      .rdata_o(odd_rdata),
      .write_enable_i(odd_write),
      .write_address_i(odd_row),
      .wdata_i(begins_odd ? pins_i.wdata : pins_i.second)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_pointer_q <= '0;
      read_pointer_q <= '0;
      count_q <= '0;
      odd_q <= '0;
    end else begin
      write_pointer_q <= write_pointer_d;
      read_pointer_q <= read_pointer_d;
      count_q <= count_d;
      odd_q <= odd_d;
    end
  end

  // The buffer neither overflows nor underflows, and the count agrees with the pointers.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NeverOverOrUnderflows : assert (count_q <= prefetch_unit_pkg::PacketLines);
      CountIsThatOfThePointers : assert (count_q == write_pointer_q - read_pointer_q);
    end
  end
`endif

endmodule
