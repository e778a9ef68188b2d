/// The NIF: registers, two send queues, the mask, send DMA, three receive rings, both sides of the
/// link, and an arbiter and a port for local memory (paper, sections 3 and 6.4; the division into
/// blocks is not printed, decision 0057).
module cenju3 (
    /// Clock, 75 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From ROM, host, memory, network.
    input  cenju3_pkg::in_t  pins_i,
    /// To host, memory, network.
    output cenju3_pkg::out_t pins_o
);

  register_file_pkg::in_t  registers_in;
  register_file_pkg::out_t registers;
  send_queue_pkg::in_t     queue0_in;
  send_queue_pkg::out_t    queue0;
  send_queue_pkg::in_t     queue1_in;
  send_queue_pkg::out_t    queue1;
  mask_pkg::in_t           mask_in;
  mask_pkg::out_t          mask_out;
  send_dma_pkg::in_t       dma_in;
  send_dma_pkg::out_t      dma;
  link_transmit_pkg::in_t  transmit_in;
  link_transmit_pkg::out_t transmit;
  link_receive_pkg::in_t   receive_in;
  link_receive_pkg::out_t  receive;
  receive_ring_pkg::in_t   ring0_in;
  receive_ring_pkg::out_t  ring0;
  receive_ring_pkg::in_t   ring1_in;
  receive_ring_pkg::out_t  ring1;
  receive_ring_pkg::in_t   ring2_in;
  receive_ring_pkg::out_t  ring2;
  memory_port_pkg::in_t    port_in;
  memory_port_pkg::out_t   port;
  arbiter_pkg::in_t        arbiter_in;
  arbiter_pkg::out_t       arbiter_out;
  interrupt_pkg::in_t      interrupt_in;
  interrupt_pkg::out_t     interrupt_out;
  cenju3_pkg::link_word_t  transmit_word;
  cenju3_pkg::link_word_t  receive_word;
  logic                    transmit_empty;
  logic [6:0]              transmit_count;
  logic                    receive_empty;
  logic                    receive_full;

  assign port_in.ring0 = ring0;
  assign port_in.ring1 = ring1;
  assign port_in.ring2 = ring2;
  assign port_in.dma = dma;
  assign port_in.queue0 = queue0;
  assign port_in.queue1 = queue1;
  assign port_in.grant = arbiter_out.grant;
  assign port_in.ready = pins_i.memory.ready;

  memory_port u_memory_port (
      .pins_i(port_in),
      .pins_o(port)
  );

  assign pins_o.host.rdata = registers.rdata;
  assign pins_o.host.interrupt_request = interrupt_out.request;
  assign pins_o.memory = port.memory;
  assign pins_o.receive_ready = !receive_full;
  assign pins_o.transmit_valid = transmit.valid;
  assign pins_o.transmit = transmit.word;

  // One entry of a ring stays free, so that full differs from empty.
  logic [5:0] next0;
  logic [5:0] next1;
  logic [5:0] next2;
  logic       rings_idle;
  logic       sends;
  assign next0 = ring0.write + 6'd1;
  assign next1 = ring1.write + 6'd1;
  assign next2 = ring2.write + 6'd1;
  assign rings_idle = ring0.idle && ring1.idle && ring2.idle;
  assign sends = !(queue0.idle && queue1.idle && mask_out.idle && dma.idle);

  assign registers_in.host = pins_i.host;
  assign registers_in.positions.read0 = queue0.read;
  assign registers_in.positions.read1 = queue1.read;
  assign registers_in.positions.write0 = ring0.write;
  assign registers_in.positions.write1 = ring1.write;
  assign registers_in.positions.write2 = ring2.write;
  assign registers_in.busy = sends || !receive.idle || !rings_idle;
  assign registers_in.user_busy = !queue1.idle;
  assign registers_in.refuse = mask_out.refuse;
  assign registers_in.why = mask_out.why;
  assign registers_in.user = mask_out.user;
  assign registers_in.transfer = mask_out.transfer;
  assign registers_in.dropped = receive.dropped;
  assign registers_in.held = receive.held;
  assign registers_in.cause = interrupt_out.cause;

  register_file u_register_file (
      .clk_i,
      .rst_ni,
      .pins_i(registers_in),
      .pins_o(registers)
  );

  assign queue0_in.enable = registers.configuration.enable;
  assign queue0_in.base = registers.configuration.queue0;
  assign queue0_in.write = registers.configuration.write0;
  assign queue0_in.memory_ready = port.ready[4];
  assign queue0_in.memory_rdata = pins_i.memory.rdata;
  assign queue0_in.done = mask_out.done0;

  send_queue u_send_queue_0 (
      .clk_i,
      .rst_ni,
      .pins_i(queue0_in),
      .pins_o(queue0)
  );

  assign queue1_in.enable = registers.configuration.enable;
  assign queue1_in.base = registers.configuration.queue1;
  assign queue1_in.write = registers.configuration.write1;
  assign queue1_in.memory_ready = port.ready[5];
  assign queue1_in.memory_rdata = pins_i.memory.rdata;
  assign queue1_in.done = mask_out.done1;

  send_queue u_send_queue_1 (
      .clk_i,
      .rst_ni,
      .pins_i(queue1_in),
      .pins_o(queue1)
  );

  assign mask_in.new_rom = pins_i.new_rom;
  assign mask_in.address_base = registers.configuration.address_base;
  assign mask_in.pe_base = registers.configuration.pe_base;
  assign mask_in.pe_mask = registers.configuration.pe_mask;
  assign mask_in.waits0 = !queue0.idle || (registers.configuration.enable &&
                                           (queue0.read != registers.configuration.write0));
  assign mask_in.valid0 = queue0.valid;
  assign mask_in.control0 = queue0.control;
  assign mask_in.addresses0 = queue0.addresses;
  assign mask_in.entry0 = queue0.entry;
  assign mask_in.valid1 = queue1.valid;
  assign mask_in.control1 = queue1.control;
  assign mask_in.addresses1 = queue1.addresses;
  assign mask_in.entry1 = queue1.entry;
  assign mask_in.sent = dma.sent;

  mask u_mask (
      .clk_i,
      .rst_ni,
      .pins_i(mask_in),
      .pins_o(mask_out)
  );

  assign dma_in.transfer = mask_out.transfer;
  assign dma_in.start = mask_out.start;
  assign dma_in.pe = registers.configuration.pe;
  assign dma_in.fifo_count = transmit_count;
  assign dma_in.memory_ready = port.ready[3];
  assign dma_in.memory_rdata = pins_i.memory.rdata;

  send_dma u_send_dma (
      .clk_i,
      .rst_ni,
      .pins_i(dma_in),
      .pins_o(dma)
  );

  /* verilator lint_off PINCONNECTEMPTY */
  fifo #(
      .Width(65),
      .Depth(64)
  ) u_transmit_fifo (
      .clk_i,
      .rst_ni,
      .write_enable_i(dma.word_enable),
      .wdata_i(dma.word),
      .read_enable_i(transmit.fifo_next),
      .rdata_o(transmit_word),
      .empty_o(transmit_empty),
      .full_o(),
      .count_o(transmit_count)
  );

  assign transmit_in.fifo_empty = transmit_empty;
  assign transmit_in.fifo_word = transmit_word;
  assign transmit_in.ready = pins_i.transmit_ready;

  link_transmit u_link_transmit (
      .clk_i,
      .rst_ni,
      .pins_i(transmit_in),
      .pins_o(transmit)
  );

  fifo #(
      .Width(65),
      .Depth(64)
  ) u_receive_fifo (
      .clk_i,
      .rst_ni,
      .write_enable_i(pins_i.receive_valid),
      .wdata_i(pins_i.receive),
      .read_enable_i(receive.fifo_next),
      .rdata_o(receive_word),
      .empty_o(receive_empty),
      .full_o(receive_full),
      .count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign receive_in.enable = registers.configuration.enable;
  assign receive_in.pe = registers.configuration.pe;
  assign receive_in.fifo_empty = receive_empty;
  assign receive_in.fifo_word = receive_word;
  assign receive_in.rings_idle = rings_idle;
  assign receive_in.full = {next2 == registers.configuration.read2,
                            next1 == registers.configuration.read1,
                            next0 == registers.configuration.read0};
  assign receive_in.word_next = ring0.word_next || ring1.word_next || ring2.word_next;
  assign receive_in.fault = ring0.fault || ring1.fault || ring2.fault;

  link_receive u_link_receive (
      .clk_i,
      .rst_ni,
      .pins_i(receive_in),
      .pins_o(receive)
  );

  assign ring0_in.message = 1'b1;
  assign ring0_in.header_base = registers.configuration.header0;
  assign ring0_in.data_base = registers.configuration.data0;
  assign ring0_in.start = receive.start[0];
  assign ring0_in.header = receive.header;
  assign ring0_in.word_valid = receive.word_valid;
  assign ring0_in.word = receive.word;
  assign ring0_in.memory_ready = port.ready[0];

  receive_ring u_receive_ring_0 (
      .clk_i,
      .rst_ni,
      .pins_i(ring0_in),
      .pins_o(ring0)
  );

  assign ring1_in.message = 1'b1;
  assign ring1_in.header_base = registers.configuration.header1;
  assign ring1_in.data_base = registers.configuration.data1;
  assign ring1_in.start = receive.start[1];
  assign ring1_in.header = receive.header;
  assign ring1_in.word_valid = receive.word_valid;
  assign ring1_in.word = receive.word;
  assign ring1_in.memory_ready = port.ready[1];

  receive_ring u_receive_ring_1 (
      .clk_i,
      .rst_ni,
      .pins_i(ring1_in),
      .pins_o(ring1)
  );

  assign ring2_in.message = 1'b0;
  assign ring2_in.header_base = registers.configuration.header2;
  assign ring2_in.data_base = 13'd0;
  assign ring2_in.start = receive.start[2];
  assign ring2_in.header = receive.header;
  assign ring2_in.word_valid = receive.word_valid;
  assign ring2_in.word = receive.word;
  assign ring2_in.memory_ready = port.ready[2];

  receive_ring u_receive_ring_2 (
      .clk_i,
      .rst_ni,
      .pins_i(ring2_in),
      .pins_o(ring2)
  );

  assign arbiter_in.request = port.request;

  arbiter u_arbiter (
      .clk_i,
      .rst_ni,
      .pins_i(arbiter_in),
      .pins_o(arbiter_out)
  );

  assign interrupt_in.raise = {registers.fault, ring2.arrived, ring1.arrived, ring0.arrived};
  assign interrupt_in.clear = registers.clear;
  assign interrupt_in.enable = registers.configuration.interrupt_enable;

  interrupt u_interrupt (
      .clk_i,
      .rst_ni,
      .pins_i(interrupt_in),
      .pins_o(interrupt_out)
  );

  // One ring stores at a time, and no word is lost in flight to the link.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneRingAtATime : assert (
          {1'b0, !ring0.idle} + {1'b0, !ring1.idle} + {1'b0, !ring2.idle} <= 2'd1);
      TransmitFifoNeverOverflows : assert (!(dma.word_enable && transmit_count[6]));
      OneEntryAtATime : assert (dma.idle || !mask_out.idle);
    end
  end
`endif

endmodule
