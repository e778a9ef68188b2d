/// The FIFO never over- or underflows, and gives back every word in its order (shown for 8 words of 8 bits).
///
/// An arbitrary word is followed from its write to its read: it stays where it was written, is read
/// after exactly the words before it, and comes out unchanged.
// Mutation: rtl/common/fifo.sv | write = write_enable_i && !full_o | write = write_enable_i
// Mutation: rtl/common/fifo.sv | read = read_enable_i && !empty_o | read = read_enable_i
// Mutation: rtl/common/fifo.sv | .write_address_i(write_pointer_q | .write_address_i(read_pointer_q
// Mutation: rtl/common/ram.sv | rst_ni && write_enable_i | write_enable_i && write_address_i != 3
// Witness: NeverOverOrUnderflows | rtl/common/fifo.sv | read = read_enable_i && !empty_o | read = read_enable_i
module fifo_proof (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       write_enable_i,
    input logic [7:0] wdata_i,
    input logic       read_enable_i,
    // The cycle in which the followed word is written.
    input logic       follow_i
);

  logic [7:0] rdata_o;
  logic       empty_o;
  logic       full_o;
  logic [3:0] count_o;
  fifo #(.Width(8), .Depth(8)) u_fifo (
      .clk_i,
      .rst_ni,
      .write_enable_i,
      .wdata_i,
      .read_enable_i,
      .rdata_o,
      .empty_o,
      .full_o,
      .count_o
  );

  (* hierconn *) logic [3:0] \u_fifo.write_pointer_q ;
  (* hierconn *) logic [3:0] \u_fifo.read_pointer_q ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[0] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[1] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[2] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[3] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[4] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[5] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[6] ;
  (* hierconn *) logic [7:0] \u_fifo.u_ram.mem[7] ;
  logic [63:0] words;
  assign words = {\u_fifo.u_ram.mem[7] , \u_fifo.u_ram.mem[6] , \u_fifo.u_ram.mem[5] , \u_fifo.u_ram.mem[4] ,
                  \u_fifo.u_ram.mem[3] , \u_fifo.u_ram.mem[2] , \u_fifo.u_ram.mem[1] , \u_fifo.u_ram.mem[0] };

  // The number of stored words; and the followed word: the number of words before it, and its
  // value.
  logic       known_q;
  logic [3:0] inside_q;
  logic       followed_q;
  logic [3:0] before_q;
  logic [7:0] word_q;
  logic       due_q;
  logic       write;
  logic       read;
  assign write = write_enable_i && inside_q != 4'd8;
  assign read = read_enable_i && inside_q != 4'd0;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (!rst_ni) begin
      inside_q <= '0;
      followed_q <= 1'b0;
      due_q <= 1'b0;
    end else begin
      inside_q <= inside_q + {3'd0, write} - {3'd0, read};
      due_q <= followed_q && read && before_q == 4'd0;
      if (write && follow_i && !followed_q) begin
        followed_q <= 1'b1;
        before_q <= inside_q - {3'd0, read};
        word_q <= wdata_i;
      end else if (followed_q && read) begin
        before_q <= before_q - 4'd1;
        if (before_q == 4'd0) followed_q <= 1'b0;
      end
    end
  end
  always @* if (!known_q) assume (!rst_ni);

  logic [2:0] place;
  assign place = \u_fifo.read_pointer_q [2:0] + before_q[2:0];

  // A word is compared before another can be followed.
  logic [7:0] due_word_q;
  always @(posedge clk_i) due_word_q <= word_q;

  always @* begin
    if (known_q) begin
      CountNeverExceedsDepth: assert (count_o <= 4'd8);
      CountIsWordsInside: assert (count_o == inside_q);
      EmptyMeansNoWord: assert (empty_o == (inside_q == 4'd0));
      FullMeansNoRoom: assert (full_o == (inside_q == 4'd8));
      if (due_q) WordComesOutUnchanged: assert (rdata_o == due_word_q);
      // Invariant that carries the induction.
      if (followed_q) assert (before_q < inside_q && words[8*place+:8] == word_q);
    end
  end

endmodule
