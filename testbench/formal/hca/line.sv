/// Queue pairs leave a line in the order in which they joined (shown for 8 places).
///
/// An arbitrary one is followed from where it joins to the front. The scheduler takes the one in
/// front only, and lets no more join than there are places; its proof shows that.
// Mutation: rtl/hca/line.sv | && !moves_q && (pins_i.leaves | && (pins_i.leaves
// Mutation: rtl/hca/line.sv | (pins_i.leaves \|\| !ready_q); | !ready_q;
// Mutation: rtl/hca/line.sv | fills ? pins_i.pair : moves_q ? number : front_q; | fills ? pins_i.pair : number;
// Mutation: rtl/hca/line.sv | .write_address_i(tail_q), | .write_address_i(head_q),
// Mutation: rtl/hca/line.sv | (ready_q && !pins_i.leaves) \|\| moves_q \|\| fills; | (ready_q && !pins_i.leaves) \|\| moves_q;
// Witness: LineHasAFront | rtl/hca/line.sv | assign moves_d = fetches; | assign moves_d = fetches && !pins_i.joins;
module line_proof (
    input logic clk_i,
    input logic rst_ni,
    input line_pkg::in_t pins_i,
    // The cycle in which the followed queue pair joins.
    input logic follow_i
);

  line_pkg::out_t pins_o;
  line #(.Places(8)) u_line (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic       \u_line.moves_q ;
  (* hierconn *) logic       \u_line.alone ;
  (* hierconn *) logic [2:0] \u_line.head_q ;
  (* hierconn *) logic [2:0] \u_line.tail_q ;
  (* hierconn *) logic [7:0] \u_line.number ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[0] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[1] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[2] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[3] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[4] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[5] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[6] ;
  (* hierconn *) logic [7:0] \u_line.u_numbers.mem[7] ;
  logic [63:0] numbers;
  assign numbers = {
    \u_line.u_numbers.mem[7] , \u_line.u_numbers.mem[6] , \u_line.u_numbers.mem[5] ,
    \u_line.u_numbers.mem[4] , \u_line.u_numbers.mem[3] , \u_line.u_numbers.mem[2] ,
    \u_line.u_numbers.mem[1] , \u_line.u_numbers.mem[0]
  };

  // Queue pairs in the line; and the followed one: those before it, and its number.
  logic       known_q;
  logic       past_rst_nq;
  logic       past_ready_q;
  logic       past_leaves_q;
  logic [3:0] inside_q;
  logic [3:0] past_inside_q;
  logic       followed_q;
  logic [3:0] before_q;
  logic [7:0] pair_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_ready_q <= pins_o.ready;
    past_leaves_q <= pins_i.leaves;
    past_inside_q <= inside_q;
    if (!rst_ni) begin
      inside_q <= '0;
      followed_q <= 1'b0;
    end else begin
      inside_q <= inside_q + {3'd0, pins_i.joins} - {3'd0, pins_i.leaves};
      if (pins_i.joins && follow_i && !followed_q) begin
        followed_q <= 1'b1;
        before_q <= inside_q - {3'd0, pins_i.leaves};
        pair_q <= pins_i.pair;
      end else if (followed_q && pins_i.leaves) begin
        before_q <= before_q - 4'd1;
        if (before_q == 4'd0) followed_q <= 1'b0;
      end
    end
  end

  always @* begin
    if (!known_q) assume (!rst_ni);
    assume (!pins_i.leaves || pins_o.ready);
    assume (!pins_i.joins || inside_q < 4'd8 || pins_i.leaves);
  end

  logic [2:0] behind;
  logic [2:0] place;
  assign behind = \u_line.tail_q  - \u_line.head_q ;
  assign place = \u_line.head_q  + before_q[2:0] - 3'd1;

  always @* begin
    if (known_q) begin
      LineHasAFront: assert (\u_line.alone  || pins_o.ready || \u_line.moves_q );
      if (pins_o.ready) OneInFrontIsInside: assert (inside_q != 4'd0);
      if (followed_q && before_q == 4'd0 && pins_o.ready) OldestIsInFront: assert (
          pins_o.front == pair_q);
      if (past_rst_nq && past_ready_q && !past_leaves_q) FrontStaysUntilItLeaves: assert (
          pins_o.ready);
      if (past_rst_nq && past_inside_q != 4'd0 && !past_ready_q) NextIsInFrontTwoCyclesLater: assert (
          pins_o.ready);
      // Invariant that carries the induction.
      assert (inside_q == {1'b0, behind} + {3'd0, pins_o.ready} + {3'd0, \u_line.moves_q });
      assert (!(pins_o.ready && \u_line.moves_q ) && \u_line.alone  == (behind == 3'd0));
      if (followed_q) begin
        assert (before_q < inside_q);
        if (before_q != 4'd0) assert (numbers[8*place+:8] == pair_q);
        else if (!pins_o.ready) assert (\u_line.number  == pair_q);
      end
    end
  end

endmodule
