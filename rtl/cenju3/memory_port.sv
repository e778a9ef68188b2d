/// Local memory in the hands of the one that the arbiter has chosen: his pins are the NIF's, and
/// memory answers him alone.
///
/// Combinational: all inputs to the outputs.
module memory_port (
    /// What all ask of memory, who has it, and its answer.
    input  memory_port_pkg::in_t  pins_i,
    /// What memory and those who ask get to see.
    output memory_port_pkg::out_t pins_o
);

  logic [5:0] request;
  assign request = {pins_i.queue1.memory_request, pins_i.queue0.memory_request,
                    pins_i.dma.memory_request, pins_i.ring2.memory_request,
                    pins_i.ring1.memory_request, pins_i.ring0.memory_request};

  // One has it at most; of several it would be the last. A ring writes one word at a time.
  cenju3_pkg::memory_out_t memory;
  always_comb begin
    memory = '0;
    if (pins_i.grant[0]) begin
      memory.request = request[0];
      memory.write = 1'b1;
      memory.left = 6'd1;
      memory.address = {6'b0, pins_i.ring0.memory_address};
      memory.wdata = pins_i.ring0.memory_wdata;
      memory.strobe = pins_i.ring0.memory_strobe;
    end
    if (pins_i.grant[1]) begin
      memory.request = request[1];
      memory.write = 1'b1;
      memory.left = 6'd1;
      memory.address = {6'b0, pins_i.ring1.memory_address};
      memory.wdata = pins_i.ring1.memory_wdata;
      memory.strobe = pins_i.ring1.memory_strobe;
    end
    if (pins_i.grant[2]) begin
      memory.request = request[2];
      memory.write = 1'b1;
      memory.left = 6'd1;
      memory.address = {6'b0, pins_i.ring2.memory_address};
      memory.wdata = pins_i.ring2.memory_wdata;
      memory.strobe = pins_i.ring2.memory_strobe;
    end
    if (pins_i.grant[3]) begin
      memory = '0;
      memory.request = request[3];
      memory.left = pins_i.dma.memory_left;
      memory.address = {6'b0, pins_i.dma.memory_address};
    end
    if (pins_i.grant[4]) begin
      memory = '0;
      memory.request = request[4];
      memory.left = pins_i.queue0.memory_left;
      memory.address = {6'b0, pins_i.queue0.memory_address};
    end
    if (pins_i.grant[5]) begin
      memory = '0;
      memory.request = request[5];
      memory.left = pins_i.queue1.memory_left;
      memory.address = {6'b0, pins_i.queue1.memory_address};
    end
  end

  assign pins_o.memory = memory.request ? memory : '0;
  assign pins_o.request = request;
  assign pins_o.ready = pins_i.ready ? (pins_i.grant & request) : 6'd0;

  // What the rest of the NIF is told.
  logic unused;
  assign unused = &{1'b0, pins_i};

  // Who has not asked is not answered.
`ifndef SYNTHESIS
  always_comb begin
    AnswersWhoAsks : assert ((pins_o.ready & ~request) == 6'd0);
  end
`endif

endmodule
