/// Window Controller: accepts requests and builds packets (thesis section 5.3, figure 5.8).
///
/// Structural: Configuration Register, two Request FIFOs, Request Acceptor and Request Executor
/// with the wires between them. A 24-byte BOTF takes 10 cycles from the one in which the FIFO first
/// holds its request to the end of the state machine.
module window_controller (
    /// Core clock, 100 MHz.
    input  logic                        clk_i,
    /// Synchronous reset.
    input  logic                        rst_ni,
    /// From the registers, Write Window, Request Separator, SWIF FIFO, Prefetch Unit.
    input  window_controller_pkg::in_t  pins_i,
    /// To the registers, Write Window, Request Separator, SWIF FIFO, Prefetch Unit.
    output window_controller_pkg::out_t pins_o
);

  configuration_register_pkg::in_t  configuration_in;
  configuration_register_pkg::out_t configuration_out;
  request_fifo_pkg::in_t            host_in;
  request_fifo_pkg::out_t           host_out;
  request_fifo_pkg::in_t            remote_in;
  request_fifo_pkg::out_t           remote_out;
  request_acceptor_pkg::in_t        acceptor_in;
  request_acceptor_pkg::out_t       acceptor_out;
  request_executor_pkg::in_t        executor_in;
  request_executor_pkg::out_t       executor_out;

  assign pins_o.line = executor_out.line;
  assign pins_o.line_enable = executor_out.line_enable;
  assign pins_o.write_window_read_enable = executor_out.write_window_read_enable;
  assign pins_o.write_window_address = executor_out.write_window_address;
  assign pins_o.host_fifo_full = host_out.full;
  assign pins_o.host_fifo_almost_full = host_out.almost_full;
  assign pins_o.remote_fifo_full = remote_out.full;
  assign pins_o.botf_done = executor_out.botf_done;
  assign pins_o.botf_done_wid = executor_out.botf_done_wid;
  assign pins_o.vs_result = executor_out.vs_result;
  assign pins_o.vector_store = executor_out.vector_store;
  assign pins_o.copy_request = executor_out.copy_request;
  assign pins_o.vl_done = executor_out.vl_done;
  assign pins_o.vl_done_wid = executor_out.vl_done_wid;
  assign pins_o.rvl_done = executor_out.rvl_done;
  assign pins_o.rvl_done_wid = executor_out.rvl_done_wid;
  assign pins_o.flag = executor_out.flag;
  assign pins_o.rvs_done = executor_out.rvs_done;
  assign pins_o.rvs_done_wid = executor_out.rvs_done_wid;
  assign pins_o.ipush_done = executor_out.ipush_done;
  assign pins_o.ipush_done_wid = executor_out.ipush_done_wid;
  assign pins_o.vector_load = executor_out.vector_load;
  assign pins_o.vector_load_start = executor_out.vector_load_start;
  assign pins_o.packet_next = executor_out.packet_next;
  assign pins_o.acceptor_state = acceptor_out.state;
  assign pins_o.executor_state = executor_out.state;
  assign pins_o.executor_family = executor_out.family;
  assign pins_o.configured = configuration_out.configured;

  assign configuration_in.configuration = pins_i.configuration;

  configuration_register u_configuration_register (
      .clk_i,
      .rst_ni,
      .pins_i(configuration_in),
      .pins_o(configuration_out)
  );

  assign host_in.request = pins_i.host_request;
  assign host_in.ex = pins_i.host_ex;
  assign host_in.write_enable = pins_i.host_request_enable;
  assign host_in.read_enable = acceptor_out.host_read_enable;

  request_fifo u_host_request_fifo (
      .clk_i,
      .rst_ni,
      .pins_i(host_in),
      .pins_o(host_out)
  );

  assign remote_in.request = pins_i.remote_request;
  assign remote_in.ex = pins_i.remote_ex;
  assign remote_in.write_enable = pins_i.remote_request_enable;
  assign remote_in.read_enable = acceptor_out.remote_read_enable;

  request_fifo u_remote_request_fifo (
      .clk_i,
      .rst_ni,
      .pins_i(remote_in),
      .pins_o(remote_out)
  );

  assign acceptor_in.host_empty = host_out.empty;
  assign acceptor_in.host_request = host_out.request;
  assign acceptor_in.host_ex = host_out.ex;
  assign acceptor_in.remote_empty = remote_out.empty;
  assign acceptor_in.remote_request = remote_out.request;
  assign acceptor_in.remote_ex = remote_out.ex;
  assign acceptor_in.executor_ready = executor_out.ready;

  request_acceptor u_request_acceptor (
      .clk_i,
      .rst_ni,
      .pins_i(acceptor_in),
      .pins_o(acceptor_out)
  );

  assign executor_in.write_window_rdata = pins_i.write_window_rdata;
  assign executor_in.request = acceptor_out.request;
  assign executor_in.ex = acceptor_out.ex;
  assign executor_in.sizes = acceptor_out.sizes;
  assign executor_in.remote = acceptor_out.remote;
  assign executor_in.request_enable = acceptor_out.request_enable;
  assign executor_in.pgid0 = configuration_out.configured.pgid0;
  assign executor_in.pgid1 = configuration_out.configured.pgid1;
  assign executor_in.mtu = configuration_out.configured.mtu;
  assign executor_in.data_awaited = configuration_out.configured.data_awaited;
  assign executor_in.swif_fifo_free = pins_i.swif_fifo_free;
  assign executor_in.vector_store_status = pins_i.vector_store_status;
  assign executor_in.prefetch_unit_busy = pins_i.prefetch_unit_busy;
  assign executor_in.copy_chunk = pins_i.copy_chunk;
  assign executor_in.packet_data = pins_i.packet_data;
  assign executor_in.packet_lines = pins_i.packet_lines;
  assign executor_in.vl_hold = pins_i.vl_hold;
  assign executor_in.capacity = configuration_out.configured.capacity;

  request_executor u_request_executor (
      .clk_i,
      .rst_ni,
      .pins_i(executor_in),
      .pins_o(executor_out)
  );

  // The Receive Controller uses full only.
  logic unused_almost_full;
  assign unused_almost_full = remote_out.almost_full;

  // The Request Acceptor takes a request only from a FIFO that holds one.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RequestIsThereWhenItIsTaken : assert (!(host_in.read_enable && host_out.empty) &&
          !(remote_in.read_enable && remote_out.empty));
    end
  end
`endif

endmodule
