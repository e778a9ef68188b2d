/// The Core Logic: everything in the clock domain of the host bus (thesis section 4.2, figure 4.2).
///
/// A structural block: it holds its children and the wires between them, in the order in which a
/// packet passes them.
module core_logic (
    /// Core clock, 100 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From the host bus, SWIF, SO-DIMM interface.
    input  core_logic_pkg::in_t  pins_i,
    /// To the host bus, SWIF, SO-DIMM interface.
    output core_logic_pkg::out_t pins_o
);

  host_interface_pkg::in_t host_in;
  host_interface_pkg::out_t host;
  window_controller_pkg::in_t window_in;
  window_controller_pkg::out_t window;
  receive_controller_pkg::in_t receive_in;
  receive_controller_pkg::out_t receive;
  write_unit_pkg::in_t write_in;
  write_unit_pkg::out_t write;
  prefetch_unit_pkg::in_t prefetch_in;
  prefetch_unit_pkg::out_t prefetch;
  status_write_unit_pkg::in_t status_in;
  status_write_unit_pkg::out_t status;
  request_separator_pkg::out_t separated;

  logic status_writes_llcm;
  assign status_writes_llcm = (status.llcm_byte_enable != 8'd0);
  logic ring_wants_llcm;
  assign ring_wants_llcm = write.llcm_read_enable || (write.llcm_byte_enable != 8'd0);
  logic receive_writes_window;
  assign receive_writes_window = (receive.prefetch_window_byte_enable != 16'd0);

  assign pins_o.rdata = host.rdata;
  assign pins_o.line = window.line;
  assign pins_o.line_enable = window.line_enable;
  assign pins_o.packet_start = receive.packet_start;
  assign pins_o.line_next = receive.line_next || write.line_next;
  assign pins_o.write_right_request = write.write_right_request;
  assign pins_o.word = write.word;
  assign pins_o.read_right_request = prefetch.read_right_request;
  assign pins_o.read = prefetch.read;
  assign pins_o.data_next0 = prefetch.data_next0;
  assign pins_o.data_next1 = prefetch.data_next1;
  assign pins_o.sodimm_enabled = host.sodimm_enabled;
  assign pins_o.controller_reset = host.controller_reset;

  assign host_in.host = pins_i.host;
  assign host_in.status.status_next_write_address0 = status.next_write_address0;
  assign host_in.status.status_next_write_address1 = status.next_write_address1;
  assign host_in.status.status_full = status.full;
  assign host_in.status.status_empty = status.empty;
  assign host_in.status.request_fifo_almost_full = window.host_fifo_almost_full;
  assign host_in.status.botf_done = window.botf_done;
  assign host_in.status.botf_done_wid = window.botf_done_wid;
  assign host_in.status.vs_result = window.vs_result;
  assign host_in.status.vl_done = window.vl_done;
  assign host_in.status.vl_done_wid = window.vl_done_wid;
  assign host_in.status.rvl_done = window.rvl_done;
  assign host_in.status.rvl_done_wid = window.rvl_done_wid;
  assign host_in.status.rvs_done = window.rvs_done;
  assign host_in.status.rvs_done_wid = window.rvs_done_wid;
  assign host_in.status.ipush_done = window.ipush_done;
  assign host_in.status.ipush_done_wid = window.ipush_done_wid;
  assign host_in.status.flag = prefetch.flag;
  assign host_in.status.request_flag = window.flag;
  assign host_in.status.receive_flag = receive.flag;
  assign host_in.status.packet_received = receive.packet_received;
  assign host_in.status.receive_overrun = receive.overrun;
  assign host_in.status.receive_condition = receive.condition;
  assign host_in.status.receive_wid = receive.wid;
  assign host_in.status.acceptor_state = window.acceptor_state;
  assign host_in.status.executor_state = window.executor_state;
  assign host_in.status.executor_family = window.executor_family;
  assign host_in.status.receive_state = receive.state;
  assign host_in.status.packet_write_state = receive.packet_write_state;
  assign host_in.status.read_control_state = write.read_control_state;
  assign host_in.status.write_control_state = write.write_control_state;
  assign host_in.status.stride_state = write.stride_state;
  assign host_in.status.ring_state = write.ring_state;
  assign host_in.status.prefetch_unit_state = prefetch.state;
  assign host_in.status.sma_lid = pins_i.sma_lid;
  assign host_in.status.link_status = pins_i.link_status;
  assign host_in.request_fifo_full = window.host_fifo_full;
  assign host_in.write_window_read_enable = window.write_window_read_enable;
  assign host_in.write_window_address = window.write_window_address;
  // The Receive Controller has no wait state for the Prefetch Window, so it wins the port.
  assign host_in.prefetch_window_byte_enable =
      receive_writes_window ? receive.prefetch_window_byte_enable :
                              prefetch.prefetch_window_byte_enable;
  assign host_in.prefetch_window_address =
      receive_writes_window ? receive.prefetch_window_address : prefetch.prefetch_window_address;
  assign host_in.prefetch_window_wdata =
      receive_writes_window ? receive.prefetch_window_wdata : prefetch.prefetch_window_wdata;
  // At most one of the three uses the port in a cycle, so their enables are combined without
  // arbitration.
  assign host_in.llcm_read_enable = write.llcm_read_enable;
  assign host_in.llcm_byte_enable = status.llcm_byte_enable | write.llcm_byte_enable |
                                    receive.llcm_byte_enable;
  assign host_in.llcm_address = status_writes_llcm ? status.llcm_address :
                                ring_wants_llcm ? {receive.write_request.wid, write.llcm_entry} :
                                                  receive.llcm_address;
  assign host_in.llcm_wdata = status_writes_llcm ? status.llcm_wdata :
                              ring_wants_llcm ? write.llcm_wdata : receive.llcm_wdata;
  // The first header line, in the cycle in which the Receive Controller examines it.
  /* verilator lint_off UNUSEDSIGNAL */
  packet_pkg::first_line_t first;
  /* verilator lint_on UNUSEDSIGNAL */
  assign first = pins_i.line.data;
  assign host_in.lh_wid = receive.write_request.wid;
  assign host_in.lh_write_enable = receive.lh_write_enable;
  assign host_in.lh_row = receive.lh_row;
  assign host_in.lh_wdata = receive.lh_wdata;
  assign host_in.lh_advance = receive.lh_advance;
  assign host_in.amt_read_enable = receive.amt_read_enable;
  assign host_in.amt_index = {first.dlid[15:12], first.dlid[7:0], first.swid};

  host_interface u_host_interface (
      .clk_i,
      .rst_ni,
      .pins_i(host_in),
      .pins_o(host)
  );

  logic controller_rst_n;
  assign controller_rst_n = rst_ni && !host.controller_reset;

  assign window_in.write_window_rdata = host.write_window_rdata;
  assign window_in.host_request = host.request;
  assign window_in.host_ex = host.request_ex;
  assign window_in.host_request_enable = host.request_enable;
  assign window_in.remote_request = separated.request;
  assign window_in.remote_ex = separated.ex;
  assign window_in.remote_request_enable = separated.remote_request_enable;
  assign window_in.configuration = host.configuration;
  assign window_in.swif_fifo_free = pins_i.swif_fifo_free;
  assign window_in.vector_store_status = write.vector_store_status;
  assign window_in.prefetch_unit_busy = prefetch.busy;
  assign window_in.copy_chunk = prefetch.copy_chunk;
  assign window_in.packet_data = prefetch.packet_data;
  assign window_in.packet_lines = prefetch.packet_lines;
  assign window_in.vl_hold = receive.vl_hold;

  window_controller u_window_controller (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(window_in),
      .pins_o(window)
  );

  assign receive_in.line = pins_i.line;
  assign receive_in.packet_available = pins_i.packet_available;
  assign receive_in.pgid0 = window.configured.pgid0;
  assign receive_in.pgid1 = window.configured.pgid1;
  assign receive_in.configuration = host.configuration;
  assign receive_in.write_unit_done = write.done;
  assign receive_in.write_unit_overrun = write.overrun;
  assign receive_in.write_unit_refused = write.refused;
  assign receive_in.write_unit_broken = write.broken;
  assign receive_in.write_unit_bytes = write.bytes;
  assign receive_in.write_unit_first_address = write.first_address;
  assign receive_in.ring_room = write.ring_room;
  assign receive_in.lh_full = host.lh_full;
  assign receive_in.lh_polarity = host.lh_polarity;
  assign receive_in.status_busy = status.status_busy;
  assign receive_in.remote_fifo_full = window.remote_fifo_full;

  receive_controller u_receive_controller (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(receive_in),
      .pins_o(receive)
  );

  request_separator u_request_separator (
      .pins_i(receive.result),
      .pins_o(separated)
  );

  assign write_in.write_request = receive.write_request;
  assign write_in.ring_request = receive.ring_request;
  assign write_in.llcm_rdata = host.llcm_rdata;
  assign write_in.amt_entry = host.amt_entry;
  assign write_in.head_done = receive.head_done;
  assign write_in.head_broken = receive.head_broken;
  assign write_in.line = pins_i.line;
  assign write_in.capacity = window.configured.capacity;
  assign write_in.write_right = pins_i.write_right;
  assign write_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  assign write_in.sodimm_idle = pins_i.sodimm_idle;
  assign write_in.vector_store = window.vector_store;
  assign write_in.write_window_rdata = host.write_window_rdata;
  assign write_in.store_list = prefetch.store_list;
  assign write_in.copy_rdata = prefetch.copy_rdata;

  write_unit u_write_unit (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(write_in),
      .pins_o(write)
  );

  assign prefetch_in.vector_load = window.vector_load;
  assign prefetch_in.vector_load_start = window.vector_load_start;
  assign prefetch_in.capacity = window.configured.capacity;
  assign prefetch_in.read_together = window.configured.read_together;
  assign prefetch_in.read_right = pins_i.read_right;
  assign prefetch_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  assign prefetch_in.sodimm_idle = pins_i.sodimm_idle;
  assign prefetch_in.data = pins_i.data;
  assign prefetch_in.prefetch_window_free = !receive_writes_window;
  assign prefetch_in.list_request = write.list_request;
  assign prefetch_in.list_read_enable = write.list_read_enable;
  assign prefetch_in.list_row = write.list_row;
  assign prefetch_in.copy_request = window.copy_request;
  assign prefetch_in.packet_next = window.packet_next;

  prefetch_unit u_prefetch_unit (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(prefetch_in),
      .pins_o(prefetch)
  );

  assign status_in.status = separated.request;
  assign status_in.status_enable = separated.status_enable;
  assign status_in.configuration = host.configuration;

  status_write_unit u_status_write_unit (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(status_in),
      .pins_o(status)
  );

  // Units that share a memory port or the output of SWIF never use it in the same cycle; a word
  // read from LLCM lies within the memory.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (controller_rst_n) begin
      LlcmHasOneMaster : assert (
          {1'b0, status_writes_llcm} + {1'b0, ring_wants_llcm} +
          {1'b0, receive.llcm_byte_enable != 8'd0} <= 2'd1);
      OneTakerOfLines : assert (!(receive.line_next && write.line_next));
      LlcmIsReadAfterItIsWritten : assert (!host_in.llcm_read_enable ||
          (u_host_interface.u_llcm.even_byte_enable_q |
           u_host_interface.u_llcm.odd_byte_enable_q) == 8'd0);
    end
  end
`endif

endmodule
