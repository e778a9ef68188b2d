/// The arbiter of an SO-DIMM walks its declared arcs only, and gives the right to who asked, in turn (decision 0011).
// Mutation: rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | !(pins_i.read_right_request && turn_q) | 1'b1
// Mutation: rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | end else if (pins_i.read_right_request) begin | end else begin
// Mutation: rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | if (!pins_i.read_right_request) begin | if (pins_i.write_right_request) begin
// Witness: StateIsDeclared | rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | state_d = sodimm_arbiter_pkg::WriteUnit; | state_d = 2'd3;
// Witness: OneRightAtATime | rtl/dimmnet2/sodimm_interface/sodimm_arbiter.sv | pins_o.read_right = (state_q == sodimm_arbiter_pkg::PrefetchUnit) | pins_o.read_right = (state_q != sodimm_arbiter_pkg::Free)
module sodimm_arbiter_proof (
    input logic clk_i,
    input logic rst_ni,
    input sodimm_arbiter_pkg::in_t pins_i
);

  sodimm_arbiter_pkg::out_t pins_o;
  sodimm_arbiter u_sodimm_arbiter (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_sodimm_arbiter.state_q ;

  machine #(.States(3), .Arcs(sodimm_arbiter_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_sodimm_arbiter.state_q )
  );

  // The requests before the edge, and the last holder of the right.
  logic known_q;
  logic write_asked_q;
  logic read_asked_q;
  logic free_q;
  logic writer_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    write_asked_q <= pins_i.write_right_request && rst_ni;
    read_asked_q <= pins_i.read_right_request && rst_ni;
    free_q <= !pins_o.write_right && !pins_o.read_right;
    if (!rst_ni) writer_q <= 1'b0;
    else if (pins_o.write_right) writer_q <= 1'b1;
    else if (pins_o.read_right) writer_q <= 1'b0;
  end

  (* hierconn *) logic \u_sodimm_arbiter.turn_q ;

  always @* begin
    if (known_q) begin
      OneHasTheRight: assert (!pins_o.write_right || !pins_o.read_right);
      WriterHasAsked: assert (!pins_o.write_right || write_asked_q);
      ReaderHasAsked: assert (!pins_o.read_right || read_asked_q);
      if (free_q && write_asked_q && read_asked_q) TheyTakeTurns: assert (pins_o.write_right != writer_q);
      // An invariant that carries the induction.
      if (pins_o.write_right) assert (\u_sodimm_arbiter.turn_q );
      else if (pins_o.read_right) assert (!\u_sodimm_arbiter.turn_q );
      else assert (\u_sodimm_arbiter.turn_q  == writer_q);
    end
  end

endmodule
