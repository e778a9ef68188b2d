/// The reader of the Prefetch Unit walks its declared arcs only, and asks for two words where two can be (decisions 0016, 0041).
///
/// Two words are requested only in a run with `together`. The first word is in SO-DIMM1, and both
/// are used whole.
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | pair = pins_i.run.together && | pair =
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | position_q[1:0] == 2'd0 && whole_lines | position_q[0] == 1'd0 && whole_lines
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | left_q[31:4] != 28'd0 | left_q[31:3] != 29'd0
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | part_q[8:1] != 8'd0 | part_q != 9'd0
// Shorter: rtl/dimmnet2/generated/prefetch_unit/pu_read_pkg.sv | PartWords = 9'd256 | PartWords = 9'd3
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | pu_read_pkg::Read : pu_read_pkg::Finish; | pu_read_pkg::Read : pu_read_pkg::Request;
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | run_ends = element_ends && left_q == remaining_q | run_ends = element_ends
// Mutation: rtl/dimmnet2/prefetch_unit/pu_read.sv | element_ends = pair ? left_q == 32'd16 : | element_ends = pair ? 1'b0 :
// Witness: StateIsDeclared | rtl/dimmnet2/prefetch_unit/pu_read.sv | state_d = pins_i.run.to_packet ? pu_read_pkg::Room : pu_read_pkg::Request; | state_d = 3'd6;
module pu_read_proof (
    input logic clk_i,
    input logic rst_ni,
    input pu_read_pkg::in_t pins_i
);

  pu_read_pkg::out_t pins_o;
  pu_read u_pu_read (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(6)-1:0] \u_pu_read.state_q ;
  (* hierconn *) logic [31:0] \u_pu_read.left_q ;
  (* hierconn *) logic [31:0] \u_pu_read.remaining_q ;
  (* hierconn *) logic [8:0]  \u_pu_read.part_q ;
  (* hierconn *) logic        \u_pu_read.more_q ;

  machine #(.States(6), .Arcs(pu_read_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_pu_read.state_q )
  );

  // A run continues until nothing is left. Two words never exceed the rest of the element or of the
  // part.
  logic        known_q;
  logic        past_together_q;
  logic [31:0] past_left_q;
  logic [8:0]  past_part_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= rst_ni;
    past_together_q <= pins_i.run.together;
    past_left_q <= \u_pu_read.left_q ;
    past_part_q <= \u_pu_read.part_q ;
  end

  always @* begin
    if (known_q && pins_o.piece_enable && pins_o.piece.pair) begin
      PairOnlyWhereReadTogether: assert (past_together_q);
      PairBeginsInSodimm1: assert (!pins_o.piece.second && !pins_o.read.address[0]);
      PairIsTwoWholeWords: assert (pins_o.piece.bytes == 4'd8 && !pins_o.piece.upper);
      PairIsLeftOfTheElement: assert (past_left_q >= 32'd16 && \u_pu_read.left_q  == past_left_q - 32'd16);
      PairIsLeftOfThePart: assert (past_part_q >= 9'd2 && \u_pu_read.part_q  == past_part_q - 9'd2);
    end
    if (known_q && pins_o.piece_enable) begin
      if (\u_pu_read.state_q  == pu_read_pkg::Read) ElementGoesOn: assert (\u_pu_read.left_q  != 32'd0);
      if (\u_pu_read.state_q  == pu_read_pkg::Element) ElementIsRead: assert (\u_pu_read.left_q  == 32'd0);
      if (\u_pu_read.state_q  == pu_read_pkg::Finish && !\u_pu_read.more_q ) RunIsRead: assert (\u_pu_read.remaining_q  == 32'd0);
    end
    if (known_q) assert (\u_pu_read.left_q  <= \u_pu_read.remaining_q );
    if (known_q && pins_o.piece_enable) PairIsReadAsOne: assert (pins_o.read.pair == pins_o.piece.pair);
  end

endmodule
