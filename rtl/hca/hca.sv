/// The adapter: host port, contexts, engines, host DMA, completion and link (decision 0060).
///
/// Rows of contexts lie in RAMs, packets in two memories: the send engine writes packets that the
/// link reads, and the link writes packets that the receive engine reads. The scheduler runs one of
/// send engine, receive engine and commands at a time; that one uses the contexts, host DMA and
/// completion.
module hca (
    /// Clock of the adapter, 125 MHz.
    input  logic          clk_i,
    /// Synchronous reset.
    input  logic          rst_ni,
    /// From host, PCI bus, link layer.
    input  hca_pkg::in_t  pins_i,
    /// To host, PCI bus, link layer.
    output hca_pkg::out_t pins_o
);

  host_port_pkg::in_t  host_in;
  host_port_pkg::out_t host_out;
  events_pkg::in_t  events_in;
  events_pkg::out_t events_out;
  scheduler_pkg::in_t  scheduler_in;
  scheduler_pkg::out_t scheduler_out;
  command_pkg::in_t  command_in;
  command_pkg::out_t command_out;
  send_engine_pkg::in_t  send_in;
  send_engine_pkg::out_t send_out;
  receive_engine_pkg::in_t  receive_in;
  receive_engine_pkg::out_t receive_out;
  completion_pkg::in_t  completion_in;
  completion_pkg::out_t completion_out;
  host_dma_pkg::in_t  dma_in;
  host_dma_pkg::out_t dma_out;
  retry_timer_pkg::in_t  timer_in;
  retry_timer_pkg::out_t timer_out;
  link_transmit_pkg::in_t  transmit_in;
  link_transmit_pkg::out_t transmit_out;
  link_receive_pkg::in_t  arrived_in;
  link_receive_pkg::out_t arrived_out;

  assign pins_o.host.rdata = host_out.rdata;
  assign pins_o.host.interrupt_request = events_out.request;
  assign pins_o.bus.wdata = dma_out.wdata;
  assign pins_o.bus.address = dma_out.address;
  assign pins_o.bus.byte_enable = dma_out.byte_enable;
  assign pins_o.bus.request = dma_out.request;
  assign pins_o.bus.transfer = dma_out.transfer;
  assign pins_o.bus.write = dma_out.write;
  assign pins_o.link.data = transmit_out.data;
  assign pins_o.link.last = transmit_out.last;
  assign pins_o.link.valid = transmit_out.valid;
  assign pins_o.link.receive_ready = arrived_out.ready;

  // The engine that runs uses rows, completion and host DMA.
  logic                   sending;
  logic [7:0]             pair;
  logic [7:0]             served;
  completion_pkg::entry_t entry;
  logic                   dma_reads;
  logic                   loads;
  assign sending = scheduler_out.send;
  assign pair = sending ? scheduler_out.pair :
                scheduler_out.command ? host_out.row[7:0] : receive_out.pair;
  // Queue pair of the engine that runs; commands read no doorbell.
  assign served = sending ? scheduler_out.pair : receive_out.pair;
  assign entry = sending ? send_out.entry : receive_out.entry;
  assign dma_reads = dma_out.memory_read || (dma_out.memory_next && pins_i.bus.ready);
  assign loads = send_out.load || receive_out.load || command_out.load;

  // Rows that the host has staged.
  context_pkg::attributes_t new_pair;
  context_pkg::queue_t      new_queue;
  context_pkg::shared_queue_t new_shared;
  context_pkg::limit_t      new_limit;
  context_pkg::group_t      new_group;
  context_pkg::key_t        new_key;
  context_pkg::area_t       new_area;
  context_pkg::requester_t  new_requester;
  context_pkg::responder_t  new_responder;
  assign new_pair = {host_out.staging_high, host_out.staging_low};
  assign new_queue = host_out.staging_low[63:0];
  assign new_shared = host_out.staging_low[63:0];
  assign new_limit = host_out.staging_low[16:0];
  assign new_group = host_out.staging_low[63:0];
  assign new_key = host_out.staging_low[95:0];
  always_comb begin
    new_requester = '0;
    new_requester.psn = new_pair.send_psn;
    new_responder = '0;
    new_responder.psn = new_pair.receive_psn;
    new_area.valid = new_key.valid;
    new_area.local_write = new_key.local_write;
    new_area.remote_write = new_key.remote_write;
    new_area.remote_read = new_key.remote_read;
    new_area.domain = new_key.domain;
    new_area.variant = new_key.variant;
    new_area.remote_atomic = new_key.remote_atomic;
    new_area.base = new_key.base;
    new_area.limit = {1'b0, new_key.base} + {1'b0, new_key.length};
  end

  context_pkg::attributes_t attributes;
  context_pkg::requester_t  requester;
  context_pkg::request_t    request;
  context_pkg::responder_t  responder;
  context_pkg::reader_t     reader;
  context_pkg::read_t       read;
  context_pkg::queue_t      ring;
  context_pkg::shared_queue_t shared;
  context_pkg::limit_t      limit;
  context_pkg::group_t      group;
  context_pkg::area_t       key;
  logic [15:0]              bell;
  logic [15:0]              cq_bell;
  logic [9:0]               bell_address;
  logic [63:0]              transmit_rdata;
  logic [63:0]              receive_rdata;
  assign bell_address = receive_out.shared_load ? {8'h80, receive_out.shared_queue} :
                        {1'b0, !sending || send_out.drain, served};

  // Nothing but a command writes rows while the scheduler runs one. So the state of the scheduler
  // selects words and addresses, on which many bits depend, and the kind of the command only
  // enables the writes.
  logic       commands;
  logic [7:0] written_pair;
  logic [7:0] written_queue;
  assign commands = scheduler_out.command;
  assign written_pair = commands ? command_out.row[7:0] : pair;
  assign written_queue = commands ? command_out.row[7:0] : completion_out.ring;

  // Rows of queue pairs are read a cycle ahead: the number of the queue pair is there before its
  // engine or command asks for them. The row of a requester may have been written just before.
  ram #(
      .Width(256),
      .Depth(256),
      .Ahead(1'b1)
  ) u_attributes (
      .clk_i,
      .rst_ni,
      .read_enable_i(loads),
      .read_address_i(pair),
      .next_address_i(pair),
      .rdata_o(attributes),
      .write_enable_i(command_out.attributes_write),
      .write_address_i(command_out.row[7:0]),
      .wdata_i(new_pair)
  );

  context_pkg::requester_t requester_write;
  context_pkg::responder_t responder_write;
  assign requester_write = commands ? new_requester :
                           sending ? send_out.requester : receive_out.requester;
  assign responder_write = commands ? new_responder :
                           sending ? send_out.responder : receive_out.responder;

  ram #(
      .Width(context_pkg::RequesterBits),
      .Depth(256),
      .Ahead(1'b1),
      .Forward(1'b1)
  ) u_requesters (
      .clk_i,
      .rst_ni,
      .read_enable_i(loads),
      .read_address_i(pair),
      .next_address_i(pair),
      .rdata_o(requester),
      .write_enable_i(command_out.send_reset || send_out.store || receive_out.acknowledge),
      .write_address_i(written_pair),
      .wdata_i(requester_write)
  );

  // Outstanding requests, 16 of each queue pair.
  logic [11:0] request_address;
  assign request_address = {pair, sending ? send_out.request_place : receive_out.request_place};
  ram #(
      .Width(context_pkg::RequestBits),
      .Depth(4096)
  ) u_requests (
      .clk_i,
      .rst_ni,
      .read_enable_i(send_out.request_load || receive_out.request_load),
      .read_address_i(request_address),
      .next_address_i('0),
      .rdata_o(request),
      .write_enable_i(send_out.request_store),
      .write_address_i(request_address),
      .wdata_i(send_out.request)
  );

  ram #(
      .Width(context_pkg::ResponderBits),
      .Depth(256),
      .Ahead(1'b1)
  ) u_responders (
      .clk_i,
      .rst_ni,
      .read_enable_i(loads),
      .read_address_i(pair),
      .next_address_i(pair),
      .rdata_o(responder),
      .write_enable_i(command_out.receive_reset || receive_out.store || send_out.answered),
      .write_address_i(written_pair),
      .wdata_i(responder_write)
  );

  ram #(
      .Width(context_pkg::ReaderBits),
      .Depth(256),
      .Ahead(1'b1)
  ) u_readers (
      .clk_i,
      .rst_ni,
      .read_enable_i(loads),
      .read_address_i(pair),
      .next_address_i(pair),
      .rdata_o(reader),
      .write_enable_i(command_out.receive_reset || receive_out.store || send_out.answered ||
                      send_out.yielded),
      .write_address_i(written_pair),
      .wdata_i(commands ? '0 : sending ? send_out.reader : receive_out.reader)
  );

  // RDMA READs of the peers that wait, 16 of each queue pair. The place of the next one is in the
  // row of the responder's READ, which the send engine takes a cycle before it reads here.
  logic [11:0] read_address;
  assign read_address = {pair, send_out.read_place};
  ram #(
      .Width(context_pkg::ReadBits),
      .Depth(4096),
      .Ahead(1'b1)
  ) u_reads (
      .clk_i,
      .rst_ni,
      .read_enable_i(send_out.read_load),
      .read_address_i(read_address),
      .next_address_i({pair, reader.place}),
      .rdata_o(read),
      .write_enable_i(receive_out.read_store),
      .write_address_i({pair, receive_out.read_place}),
      .wdata_i(receive_out.read)
  );

  // Completion reads a queue for an engine that waits: its number is known a cycle earlier.
  ram #(
      .Width(64),
      .Depth(256),
      .Ahead(1'b1)
  ) u_queues (
      .clk_i,
      .rst_ni,
      .read_enable_i(completion_out.load),
      .read_address_i(entry.ring),
      .next_address_i(entry.ring),
      .rdata_o(ring),
      .write_enable_i(command_out.queue_write || completion_out.store),
      .write_address_i(written_queue),
      .wdata_i(commands ? new_queue : completion_out.row)
  );

  ram #(
      .Width(64),
      .Depth(4)
  ) u_shared_queues (
      .clk_i,
      .rst_ni,
      .read_enable_i(receive_out.shared_load),
      .read_address_i(receive_out.shared_queue),
      .next_address_i('0),
      .rdata_o(shared),
      .write_enable_i(command_out.shared_write || receive_out.shared_store),
      .write_address_i(commands ? command_out.row[1:0] : receive_out.shared_queue),
      .wdata_i(commands ? new_shared : receive_out.shared)
  );

  ram #(
      .Width(17),
      .Depth(4)
  ) u_limits (
      .clk_i,
      .rst_ni,
      .read_enable_i(receive_out.shared_load),
      .read_address_i(receive_out.shared_queue),
      .next_address_i('0),
      .rdata_o(limit),
      .write_enable_i(command_out.limit_write || receive_out.sinks),
      .write_address_i(commands ? command_out.row[1:0] : receive_out.shared_queue),
      .wdata_i(commands ? new_limit : '0)
  );

  ram #(
      .Width(64),
      .Depth(64),
      .Distributed(1'b1)
  ) u_groups (
      .clk_i,
      .rst_ni,
      .read_enable_i(receive_out.group_load),
      .read_address_i(receive_out.group),
      .next_address_i('0),
      .rdata_o(group),
      .write_enable_i(command_out.group_write),
      .write_address_i(command_out.row[5:0]),
      .wdata_i(new_group)
  );

  // A key is in its engine a cycle before the engine reads the row.
  logic [11:0] key_address;
  assign key_address = sending ? send_out.key : receive_out.key;
  ram #(
      .Width(context_pkg::AreaBits),
      .Depth(4096),
      .Ahead(1'b1)
  ) u_keys (
      .clk_i,
      .rst_ni,
      .read_enable_i(send_out.key_load || receive_out.key_load),
      .read_address_i(key_address),
      .next_address_i(key_address),
      .rdata_o(key),
      .write_enable_i(command_out.key_write),
      .write_address_i(command_out.row),
      .wdata_i(new_area)
  );

  // Doorbells of work queues, and those of completion queues. One RAM of both would be read late: a
  // word passes twice the multiplexers, behind a longer choice of its address.
  logic        bell_write;
  logic [9:0]  written_bell;
  logic [15:0] written_count;
  assign bell_write = host_out.bell_write || command_out.bell_clear;
  assign written_bell = host_out.bell_write ? host_out.bell : command_out.bell;
  assign written_count = host_out.bell_write ? host_out.bell_value : 16'd0;
  ram #(
      .Width(16),
      .Depth(516),
      .Distributed(1'b1)
  ) u_doorbells (
      .clk_i,
      .rst_ni,
      .read_enable_i(send_out.load || receive_out.load || send_out.drain ||
                     receive_out.shared_load),
      .read_address_i(bell_address),
      .next_address_i('0),
      .rdata_o(bell),
      .write_enable_i(bell_write && written_bell[9:8] != 2'd3),
      .write_address_i(written_bell),
      .wdata_i(written_count)
  );

  ram #(
      .Width(16),
      .Depth(256),
      .Distributed(1'b1)
  ) u_cq_doorbells (
      .clk_i,
      .rst_ni,
      .read_enable_i(completion_out.load),
      .read_address_i(entry.ring),
      .next_address_i('0),
      .rdata_o(cq_bell),
      .write_enable_i(bell_write && written_bell[9:8] == 2'd3),
      .write_address_i(written_bell[7:0]),
      .wdata_i(written_count)
  );

  // Packet memories.
  logic [7:0] header_enable;
  assign header_enable = !send_out.header_write ? 8'h00 : send_out.header_half ? 8'h0f : 8'hff;
  bank #(
      .Depth(1024)
  ) u_transmit_memory (
      .clk_i,
      .rst_ni,
      .read_enable_i(transmit_out.read || (transmit_out.next && pins_i.link.transmit_ready)),
      .read_address_i(transmit_out.address),
      .rdata_o(transmit_rdata),
      .byte_enable_i(dma_out.memory_write ? dma_out.byte_enable : header_enable),
      .write_address_i(dma_out.memory_write ? dma_out.write_address : send_out.header_address),
      .wdata_i(dma_out.memory_write ? dma_out.wdata : send_out.header)
  );

  bank #(
      .Depth(1024)
  ) u_receive_memory (
      .clk_i,
      .rst_ni,
      .read_enable_i(receive_out.memory_read || (dma_reads && !completion_out.copy)),
      .read_address_i(receive_out.memory_read ? receive_out.memory_address : dma_out.read_address),
      .rdata_o(receive_rdata),
      .byte_enable_i({8{arrived_out.write}}),
      .write_address_i(arrived_out.address),
      .wdata_i(arrived_out.wdata)
  );

  logic [8:0] low;
  assign low = receive_out.sinks ? events_pkg::Limit << receive_out.shared_queue : 9'd0;
  assign events_in.raise = (host_out.refuse ? events_pkg::Access : 9'd0) |
                           ((send_out.fail || receive_out.fail) ? events_pkg::QueuePair : 9'd0) |
                           (completion_out.lost ? events_pkg::Overflow : 9'd0) |
                           (command_out.done ? events_pkg::Command : 9'd0) | low;
  assign events_in.clear = host_out.clear;
  assign events_in.enable = host_out.interrupt_enable;
  assign events_in.arm = host_out.arm;
  assign events_in.armed = host_out.bell[7:0];
  assign events_in.completed = completion_out.completed;
  assign events_in.ring = completion_out.ring;

  events u_events (
      .clk_i,
      .rst_ni,
      .pins_i(events_in),
      .pins_o(events_out)
  );

  assign host_in.host = pins_i.host;
  assign host_in.causes = events_out.causes;
  // Progress of the queue pair that a command reports.
  context_pkg::report_t progress;
  logic                 receives;
  logic                 broken;
  assign receives = (attributes.state == context_pkg::ReadyToReceive) ||
                    (attributes.state == context_pkg::ReadyToSend) ||
                    (attributes.state == context_pkg::Drained);
  assign broken = receives && (requester.failed || responder.failed);
  always_comb begin
    progress = '0;
    progress.state = broken ? context_pkg::Error : attributes.state;
    progress.outstanding = requester.active;
    progress.sends_dead = requester.dead;
    progress.receives_dead = responder.dead;
    progress.sends = requester.consumed;
    progress.receives = responder.consumed;
    progress.send_psn = requester.psn;
    progress.receive_psn = responder.psn;
  end

  assign host_in.report = command_out.report;
  assign host_in.progress = progress;
  assign host_in.command_done = command_out.done;
  assign host_in.link_counts = arrived_out.counts;
  assign host_in.receive_counts = receive_out.counts;
  assign host_in.send_counts = send_out.counts;
  assign host_in.overflows = completion_out.overflows;

  host_port u_host_port (
      .clk_i,
      .rst_ni,
      .pins_i(host_in),
      .pins_o(host_out)
  );

  assign scheduler_in.enable = host_out.enable;
  assign scheduler_in.rings = host_out.bell_write && !host_out.bell[9];
  assign scheduler_in.refills = (host_out.bell[9:8] != 2'd0);
  assign scheduler_in.rung = host_out.bell[7:0];
  // The engine or command that runs may give its queue pair work, or have it enter the error state.
  logic changes;
  logic stops;
  assign changes = command_out.attributes_write && !command_out.receive_reset;
  assign stops = command_out.attributes_write && (new_pair.state == context_pkg::Error);
  assign scheduler_in.again = send_out.again;
  assign scheduler_in.wakes = receive_out.post || changes;
  assign scheduler_in.breaks = send_out.fail || receive_out.fail || stops;
  assign scheduler_in.mends = command_out.receive_reset;
  assign scheduler_in.pair = pair;
  assign scheduler_in.due = timer_out.due;
  assign scheduler_in.late = timer_out.late;
  assign scheduler_in.command = host_out.command;
  assign scheduler_in.packet = arrived_out.waiting;
  assign scheduler_in.free = transmit_out.free;
  assign scheduler_in.done = command_out.done || send_out.done || receive_out.done;

  scheduler u_scheduler (
      .clk_i,
      .rst_ni,
      .pins_i(scheduler_in),
      .pins_o(scheduler_out)
  );

  assign command_in.start = scheduler_out.command;
  assign command_in.kind = host_out.kind;
  assign command_in.row = host_out.row;
  assign command_in.bell_write = host_out.bell_write;

  command u_command (
      .clk_i,
      .rst_ni,
      .pins_i(command_in),
      .pins_o(command_out)
  );

  assign send_in.start = scheduler_out.send;
  assign send_in.pair = scheduler_out.pair;
  assign send_in.lid = host_out.lid;
  assign send_in.slot = transmit_out.slot;
  assign send_in.attributes = attributes;
  assign send_in.requester = requester;
  assign send_in.request = request;
  assign send_in.responder = responder;
  assign send_in.reader = reader;
  assign send_in.read = read;
  assign send_in.bell = bell;
  assign send_in.now = timer_out.now;
  assign send_in.key = key;
  assign send_in.word_valid = dma_out.memory_write;
  assign send_in.word = dma_out.wdata;
  assign send_in.place = dma_out.write_address[2:0];
  assign send_in.copied = dma_out.done;
  assign send_in.completed = completion_out.done;

  send_engine u_send_engine (
      .clk_i,
      .rst_ni,
      .pins_i(send_in),
      .pins_o(send_out)
  );

  assign receive_in.start = scheduler_out.receive;
  assign receive_in.slot = arrived_out.slot;
  assign receive_in.lid = host_out.lid;
  assign receive_in.memory_rdata = receive_rdata;
  assign receive_in.attributes = attributes;
  assign receive_in.responder = responder;
  assign receive_in.reader = reader;
  assign receive_in.requester = requester;
  assign receive_in.request = request;
  assign receive_in.shared = shared;
  assign receive_in.limit = limit;
  assign receive_in.members = group.members;
  assign receive_in.bell = bell;
  assign receive_in.now = timer_out.now;
  assign receive_in.key = key;
  assign receive_in.word_valid = dma_out.memory_write;
  assign receive_in.word = dma_out.wdata;
  assign receive_in.place = dma_out.write_address[2:0];
  assign receive_in.copied = dma_out.done;
  assign receive_in.completed = completion_out.done;

  receive_engine u_receive_engine (
      .clk_i,
      .rst_ni,
      .pins_i(receive_in),
      .pins_o(receive_out)
  );

  assign completion_in.entry = entry;
  assign completion_in.start = send_out.complete || receive_out.complete;
  assign completion_in.row = ring;
  assign completion_in.bell = cq_bell;
  assign completion_in.read = completion_out.copy && dma_reads;
  assign completion_in.word = dma_out.read_address[1:0];
  assign completion_in.copied = dma_out.done;

  completion u_completion (
      .clk_i,
      .rst_ni,
      .pins_i(completion_in),
      .pins_o(completion_out)
  );

  assign dma_in.transfer = completion_out.copy ? completion_out.transfer :
                           sending ? send_out.transfer : receive_out.transfer;
  assign dma_in.start = completion_out.copy || send_out.copy || receive_out.copy;
  assign dma_in.rdata = pins_i.bus.rdata;
  assign dma_in.grant = pins_i.bus.grant;
  assign dma_in.ready = pins_i.bus.ready;
  assign dma_in.memory_rdata = completion_out.copy ? completion_out.word :
                               receive_out.supply ? receive_out.value : receive_rdata;

  host_dma u_host_dma (
      .clk_i,
      .rst_ni,
      .pins_i(dma_in),
      .pins_o(dma_out)
  );

  assign timer_in.turn = send_out.done;
  assign timer_in.pair = scheduler_out.pair;
  assign timer_in.active = send_out.active;

  retry_timer u_retry_timer (
      .clk_i,
      .rst_ni,
      .pins_i(timer_in),
      .pins_o(timer_out)
  );

  assign transmit_in.launch = send_out.launch;
  assign transmit_in.units = send_out.units;
  assign transmit_in.memory_rdata = transmit_rdata;
  assign transmit_in.ready = pins_i.link.transmit_ready;

  link_transmit u_link_transmit (
      .clk_i,
      .rst_ni,
      .pins_i(transmit_in),
      .pins_o(transmit_out)
  );

  assign arrived_in.data = pins_i.link.data;
  assign arrived_in.last = pins_i.link.last;
  assign arrived_in.valid = pins_i.link.valid;
  assign arrived_in.release_slot = receive_out.done;

  link_receive u_link_receive (
      .clk_i,
      .rst_ni,
      .pins_i(arrived_in),
      .pins_o(arrived_out)
  );

  // Reserved bits of a key are not stored.
  logic unused;
  assign unused = &{1'b0, new_key.reserved};

  // One engine runs at a time, so rows, packet memory and host DMA have one writer.
`ifndef SYNTHESIS
  logic [4:0] writers;
  assign writers = {
    send_out.store,
    send_out.answered,
    receive_out.store,
    receive_out.acknowledge,
    command_out.attributes_write
  };
  logic       engines_write;
  assign engines_write = send_out.store || send_out.answered || send_out.yielded ||
                         receive_out.store || receive_out.acknowledge || receive_out.shared_store ||
                         receive_out.sinks || completion_out.store;
  logic [11:0] key_ahead;
  logic [11:0] read_ahead;
  logic [7:0]  queue_ahead;
  logic [7:0]  pair_ahead;
  always @(posedge clk_i) begin
    key_ahead <= key_address;
    read_ahead <= {pair, reader.place};
    queue_ahead <= entry.ring;
    pair_ahead <= pair;
    if (rst_ni) begin
      KeyIsReadAhead : assert (
          !(send_out.key_load || receive_out.key_load) || key_ahead == key_address);
      ReadIsReadAhead : assert (!send_out.read_load || read_ahead == read_address);
      PairIsReadAhead : assert (!loads || pair_ahead == pair);
      QueueIsReadAhead : assert (!completion_out.load || queue_ahead == entry.ring);
      HostDmaHasOneMaster : assert (!(send_out.copy && receive_out.copy));
      RowsHaveOneWriter : assert ((writers & (writers - 5'd1)) == 5'd0);
      CommandsAloneWriteInTheirTime : assert (
          commands ? !engines_write : !(command_out.attributes_write || command_out.queue_write ||
          command_out.shared_write || command_out.limit_write || command_out.group_write));
      HeadersAreWrittenWhenDataAreThere : assert (!(dma_out.memory_write && send_out.header_write));
    end
  end
`endif

endmodule
