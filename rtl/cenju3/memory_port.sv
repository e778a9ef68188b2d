/// Memory port: connects local memory with the block that the arbiter has chosen; memory answers
/// that block alone.
///
/// Combinational: all inputs to the outputs.
module memory_port (
    /// Requests of all blocks, the grant, and the answer of memory.
    input  memory_port_pkg::in_t  pins_i,
    /// Pins of memory, and answers to the blocks.
    output memory_port_pkg::out_t pins_o
);

  logic [5:0] request;
  assign request = {pins_i.queue1.memory_request, pins_i.queue0.memory_request,
                    pins_i.dma.memory_request, pins_i.ring2.memory_request,
                    pins_i.ring1.memory_request, pins_i.ring0.memory_request};

  // At most one block has the grant; of several, the last one would count. A grant without a
  // request has no effect.
  logic [5:0] last;
  logic [5:0] owner;
  assign last[5] = pins_i.grant[5];
  assign last[4] = pins_i.grant[4] && !pins_i.grant[5];
  assign last[3] = pins_i.grant[3] && (pins_i.grant[5:4] == 2'd0);
  assign last[2] = pins_i.grant[2] && (pins_i.grant[5:3] == 3'd0);
  assign last[1] = pins_i.grant[1] && (pins_i.grant[5:2] == 4'd0);
  assign last[0] = pins_i.grant[0] && (pins_i.grant[5:1] == 5'd0);
  assign owner = last & request;

  // A ring writes one word at a time; the other blocks read.
  logic        writes;
  logic [25:0] address;
  assign writes = (owner[2:0] != 3'd0);
  assign address = ({26{owner[0]}} & pins_i.ring0.memory_address) |
                   ({26{owner[1]}} & pins_i.ring1.memory_address) |
                   ({26{owner[2]}} & pins_i.ring2.memory_address) |
                   ({26{owner[3]}} & pins_i.dma.memory_address) |
                   ({26{owner[4]}} & pins_i.queue0.memory_address) |
                   ({26{owner[5]}} & pins_i.queue1.memory_address);
  assign pins_o.memory.request = (owner != 6'd0);
  assign pins_o.memory.write = writes;
  assign pins_o.memory.address = {6'b0, address};
  assign pins_o.memory.wdata = ({64{owner[0]}} & pins_i.ring0.memory_wdata) |
                               ({64{owner[1]}} & pins_i.ring1.memory_wdata) |
                               ({64{owner[2]}} & pins_i.ring2.memory_wdata);
  assign pins_o.memory.strobe = ({8{owner[0]}} & pins_i.ring0.memory_strobe) |
                                ({8{owner[1]}} & pins_i.ring1.memory_strobe) |
                                ({8{owner[2]}} & pins_i.ring2.memory_strobe);
  assign pins_o.memory.left = ({6{writes}} & 6'd1) |
                              ({6{owner[3]}} & pins_i.dma.memory_left) |
                              ({6{owner[4]}} & pins_i.queue0.memory_left) |
                              ({6{owner[5]}} & pins_i.queue1.memory_left);
  assign pins_o.request = request;
  assign pins_o.ready = pins_i.ready ? (pins_i.grant & request) : 6'd0;

  // Requests for the arbiter, and answers for the blocks.
  logic unused;
  assign unused = &{1'b0, pins_i};

  // Only a block that requests memory is answered.
`ifndef SYNTHESIS
  always_comb begin
    AnswersWhoAsks : assert ((pins_o.ready & ~request) == 6'd0);
  end
`endif

endmodule
