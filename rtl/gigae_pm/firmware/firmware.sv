/// The firmware of the card as state machines (paper section 4.6, decision 0028).
///
/// The paper's NIC has one processor, so one state machine works at a time. The Dispatcher starts
/// the work on a received frame, on a send descriptor, or on a timer. That work calls `apply_rule`
/// for a rule of the protocol, which calls `send_buffer` to find messages. All of them share one
/// port of NIC memory with PCI DMA, for whose end they wait.
module firmware (
    /// Card clock, 33.33 MHz.
    input  logic               clk_i,
    /// Synchronous reset.
    input  logic               rst_ni,
    /// From host port, NIC memory, PCI DMA, network DMA.
    input  firmware_pkg::in_t  pins_i,
    /// To host port, NIC memory, PCI DMA, network DMA.
    output firmware_pkg::out_t pins_o
);

  dispatcher_pkg::in_t     dispatcher_in;
  dispatcher_pkg::out_t    dispatcher_out;
  receive_frame_pkg::in_t  receive_in;
  receive_frame_pkg::out_t receive;
  send_message_pkg::in_t   send_in;
  send_message_pkg::out_t  send;
  timer_scan_pkg::in_t     scan_in;
  timer_scan_pkg::out_t    scan;
  apply_rule_pkg::in_t     rule_in;
  apply_rule_pkg::out_t    rule;
  send_buffer_pkg::in_t    buffer_in;
  send_buffer_pkg::out_t   buffer;

  // At most one state machine works at a time, so their accesses are combined without arbitration.
  assign pins_o.memory = (receive.memory.read || receive.memory.write) ? receive.memory :
                         (send.memory.read || send.memory.write) ? send.memory :
                         (rule.memory.read || rule.memory.write) ? rule.memory : buffer.memory;
  assign pins_o.transfer = send.transfer_start ? send.transfer : receive.transfer;
  assign pins_o.transfer_start = send.transfer_start || receive.transfer_start;
  assign pins_o.frame = send.frame_start ? send.frame : rule.frame;
  assign pins_o.frame_start = send.frame_start || rule.frame_start;
  assign pins_o.frame_done = receive.done;
  assign pins_o.held = receive.held;
  assign pins_o.counts.malformed = receive.malformed;
  assign pins_o.counts.wrong_epoch = rule.wrong_epoch;
  assign pins_o.counts.discarded = receive.discarded;
  assign pins_o.counts.delivered = receive.delivered;
  assign pins_o.counts.sent = send.sent;
  assign pins_o.counts.refused = send.refused;
  assign pins_o.counts.expired = rule.expired;
  assign pins_o.causes = {1'b0, rule.dead, send.refused_one, receive.other_delivered};

  assign dispatcher_in.enable = pins_i.configuration.enable;
  assign dispatcher_in.receive_wanted = pins_i.frame_waiting;
  assign dispatcher_in.send_wanted = send.wanted;
  assign dispatcher_in.scan_wanted = scan.wanted;
  assign dispatcher_in.receive_done = receive.done;
  assign dispatcher_in.send_done = send.done;
  assign dispatcher_in.scan_done = scan.done;

  dispatcher u_dispatcher (
      .clk_i,
      .rst_ni,
      .pins_i(dispatcher_in),
      .pins_o(dispatcher_out)
  );

  assign receive_in.start = dispatcher_out.receive_start;
  assign receive_in.slot = pins_i.frame_slot;
  assign receive_in.configuration = pins_i.configuration;
  assign receive_in.memory_rdata = pins_i.memory_rdata;
  assign receive_in.released = pins_i.released;
  assign receive_in.released_ring = pins_i.released_ring;
  assign receive_in.rule_done = rule.done;
  assign receive_in.rule_deliver = rule.deliver;
  assign receive_in.transfer_done = pins_i.transfer_done;

  receive_frame u_receive_frame (
      .clk_i,
      .rst_ni,
      .pins_i(receive_in),
      .pins_o(receive)
  );

  assign send_in.start = dispatcher_out.send_start;
  assign send_in.posted = pins_i.posted;
  assign send_in.unblock = rule.unblock;
  assign send_in.configuration = pins_i.configuration;
  assign send_in.memory_rdata = pins_i.memory_rdata;
  assign send_in.rule_done = rule.done;
  assign send_in.rule_accepted = rule.accepted;
  assign send_in.transfer_done = pins_i.transfer_done;
  assign send_in.transfer_refused = pins_i.transfer_refused;
  assign send_in.transmit_idle = pins_i.transmit_idle;

  send_message u_send_message (
      .clk_i,
      .rst_ni,
      .pins_i(send_in),
      .pins_o(send)
  );

  assign scan_in.start = dispatcher_out.scan_start;
  assign scan_in.configuration = pins_i.configuration;
  assign scan_in.outstanding = buffer.outstanding;
  assign scan_in.discarding = rule.discarding;
  assign scan_in.held = receive.held;
  assign scan_in.rule_done = rule.done;

  timer_scan u_timer_scan (
      .clk_i,
      .rst_ni,
      .pins_i(scan_in),
      .pins_o(scan)
  );

  assign rule_in.request = receive.rule_start ? receive.request :
                           send.rule_start ? send.request : scan.request;
  assign rule_in.start = receive.rule_start || send.rule_start || scan.rule_start;
  assign rule_in.configuration = pins_i.configuration;
  assign rule_in.full = receive.full;
  assign rule_in.now = scan.now;
  assign rule_in.memory_rdata = pins_i.memory_rdata;
  assign rule_in.transmit_idle = pins_i.transmit_idle;
  assign rule_in.buffer_done = buffer.done;
  assign rule_in.buffer_found = buffer.found;
  assign rule_in.buffer_slot = buffer.slot;
  assign rule_in.buffer_size = buffer.size;

  apply_rule u_apply_rule (
      .clk_i,
      .rst_ni,
      .pins_i(rule_in),
      .pins_o(rule)
  );

  assign buffer_in.request = rule.buffer;
  assign buffer_in.start = rule.buffer_start;
  assign buffer_in.memory_rdata = pins_i.memory_rdata;

  send_buffer u_send_buffer (
      .clk_i,
      .rst_ni,
      .pins_i(buffer_in),
      .pins_o(buffer)
  );

  // Memory, rules, PCI DMA and network DMA each have at most one user in a cycle.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneMasterOfMemory : assert (
          {2'd0, receive.memory.read || receive.memory.write} +
          {2'd0, send.memory.read || send.memory.write} +
          {2'd0, rule.memory.read || rule.memory.write} +
          {2'd0, buffer.memory.read || buffer.memory.write} <= 3'd1);
      OneAsksForARule : assert (
          {1'b0, receive.rule_start} + {1'b0, send.rule_start} + {1'b0, scan.rule_start} <= 2'd1);
      OneTransferStarts : assert (!(send.transfer_start && receive.transfer_start));
      OneFrameStarts : assert (!(send.frame_start && rule.frame_start));
    end
  end
`endif

endmodule
