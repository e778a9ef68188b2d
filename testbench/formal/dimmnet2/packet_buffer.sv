/// The packet buffer never over- or underflows, and takes every line from where it was written, in its order.
///
/// An arbitrary line is followed from its write, alone or as one of two, to its read: it is read
/// after exactly the lines before it, from the bank and row in which it was written, and that place
/// is not overwritten meanwhile.
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | {write_pointer_q[10:1] + 10'd1, begins_odd} | write_pointer_q + 11'd1
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | read = pins_i.read_enable && count_q != 11'd0 | read = pins_i.read_enable
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | even_row = write_pointer_q[9:1] + {8'd0, begins_odd} | even_row = write_pointer_q[9:1]
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | .wdata_i(begins_odd ? pins_i.second : pins_i.wdata) | .wdata_i(pins_i.wdata)
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | odd_d = read ? takes_odd : odd_q | odd_d = takes_odd
// Mutation: rtl/dimmnet2/prefetch_unit/packet_buffer.sv | 3'b100, 3'b111: count_d = one_more | 3'b100: count_d = one_more
// Witness: NeverOverOrUnderflows | rtl/dimmnet2/prefetch_unit/packet_buffer.sv | read = pins_i.read_enable && count_q != 11'd0 | read = pins_i.read_enable
// Witness: CountIsThatOfThePointers | rtl/dimmnet2/prefetch_unit/packet_buffer.sv | 3'b110: count_d = two_more | 3'b110: count_d = one_more
module packet_buffer_proof (
    input logic clk_i,
    input logic rst_ni,
    input packet_buffer_pkg::in_t pins_i,
    // The cycle in which the followed line is written, and whether it is the second of two.
    input logic follow_i,
    input logic second_i
);

  packet_buffer_pkg::out_t pins_o;
  packet_buffer u_packet_buffer (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [10:0] \u_packet_buffer.write_pointer_q ;
  (* hierconn *) logic [10:0] \u_packet_buffer.read_pointer_q ;
  (* hierconn *) logic        \u_packet_buffer.odd_q ;
  (* hierconn *) logic        \u_packet_buffer.u_even_bank.write_enable_i ;
  (* hierconn *) logic [8:0]  \u_packet_buffer.u_even_bank.write_address_i ;
  (* hierconn *) logic [63:0] \u_packet_buffer.u_even_bank.wdata_i ;
  (* hierconn *) logic        \u_packet_buffer.u_even_bank.read_enable_i ;
  (* hierconn *) logic [8:0]  \u_packet_buffer.u_even_bank.read_address_i ;
  (* hierconn *) logic        \u_packet_buffer.u_odd_bank.write_enable_i ;
  (* hierconn *) logic [8:0]  \u_packet_buffer.u_odd_bank.write_address_i ;
  (* hierconn *) logic [63:0] \u_packet_buffer.u_odd_bank.wdata_i ;
  (* hierconn *) logic        \u_packet_buffer.u_odd_bank.read_enable_i ;
  (* hierconn *) logic [8:0]  \u_packet_buffer.u_odd_bank.read_address_i ;

  // The number of stored lines.
  logic        known_q;
  logic [10:0] inside_q;
  logic        write;
  logic        pair;
  logic        read;
  assign pair = write && pins_i.pair;
  assign write = pins_i.write_enable && inside_q + {10'd0, pins_i.pair} < prefetch_unit_pkg::PacketLines;
  assign read = pins_i.read_enable && inside_q != 11'd0;
  initial known_q = 1'b0;
  always @* if (!known_q) assume (!rst_ni);

  // The followed line: the number of lines before it, and its place.
  logic        begins;
  logic        followed_q;
  logic [10:0] before_q;
  logic        odd_q;
  logic [8:0]  row_q;
  logic        places_odd;
  assign begins = write && follow_i && !followed_q && (!second_i || pair);
  assign places_odd = (write && !pair) ? \u_packet_buffer.u_odd_bank.write_enable_i  :
                      \u_packet_buffer.write_pointer_q [0] ^ second_i;
  logic comes;
  logic due_q;
  logic due_odd_q;
  logic kept_q;
  logic past_odd_q;
  assign comes = followed_q && read && before_q == 11'd0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    due_q <= rst_ni && comes;
    due_odd_q <= odd_q;
    kept_q <= rst_ni && !read;
    past_odd_q <= \u_packet_buffer.odd_q ;
    if (!rst_ni) begin
      inside_q <= '0;
      followed_q <= 1'b0;
    end else begin
      inside_q <= inside_q + {9'd0, pair, write && !pair} - {10'd0, read};
      if (begins) begin
        followed_q <= 1'b1;
        before_q <= inside_q + {10'd0, second_i} - {10'd0, read};
        odd_q <= places_odd;
        row_q <= places_odd ? \u_packet_buffer.u_odd_bank.write_address_i  :
                              \u_packet_buffer.u_even_bank.write_address_i ;
      end else if (followed_q && read) begin
        before_q <= before_q - 11'd1;
        if (before_q == 11'd0) followed_q <= 1'b0;
      end
    end
  end

  logic [63:0] line;
  logic [10:0] place;
  assign line = second_i ? pins_i.second : pins_i.wdata;
  assign place = \u_packet_buffer.read_pointer_q  + before_q;

  always @* begin
    if (known_q) begin
      CountIsLinesInside: assert (pins_o.count == inside_q && inside_q <= prefetch_unit_pkg::PacketLines);
      EveryLineIsWritten: assert (\u_packet_buffer.u_even_bank.write_enable_i  + \u_packet_buffer.u_odd_bank.write_enable_i  ==
                                  {1'b0, write} + {1'b0, pair});
      if (begins) LineIsWritten: assert (places_odd ?
          \u_packet_buffer.u_odd_bank.write_enable_i  && \u_packet_buffer.u_odd_bank.wdata_i  == line :
          \u_packet_buffer.u_even_bank.write_enable_i  && \u_packet_buffer.u_even_bank.wdata_i  == line);
      if (followed_q) LineStaysUntilItIsRead: assert (odd_q ?
          !(\u_packet_buffer.u_odd_bank.write_enable_i  && \u_packet_buffer.u_odd_bank.write_address_i  == row_q) :
          !(\u_packet_buffer.u_even_bank.write_enable_i  && \u_packet_buffer.u_even_bank.write_address_i  == row_q));
      if (comes) LineIsReadWhereItIs: assert (odd_q ?
          \u_packet_buffer.u_odd_bank.read_enable_i  && \u_packet_buffer.u_odd_bank.read_address_i  == row_q :
          \u_packet_buffer.u_even_bank.read_enable_i  && \u_packet_buffer.u_even_bank.read_address_i  == row_q);
      if (due_q) LineIsOnTheOutput: assert (\u_packet_buffer.odd_q  == due_odd_q);
      if (kept_q) LineStaysOnTheOutput: assert (\u_packet_buffer.odd_q  == past_odd_q);
      // Invariants that carry the induction.
      assert (\u_packet_buffer.write_pointer_q  - \u_packet_buffer.read_pointer_q  == inside_q);
      if (followed_q) assert (before_q < inside_q && place[0] == odd_q && place[9:1] == row_q);
    end
  end

endmodule
