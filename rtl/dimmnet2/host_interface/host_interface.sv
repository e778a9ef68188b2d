/// Host interface: decodes host beats and multiplexes read data (thesis sections 5.1 and 5.2, table
/// 4.3).
///
/// Bits 19:16 of an address select the area. Addresses between the parts of an area, beyond its
/// last part or beyond the last area are holes. Accesses to holes, reads of a Write Window, and
/// writes to a Prefetch Window or the LH Buffer read 0 and change nothing. A register is written
/// only by a beat that carries all its 64 bits. Read data is valid one cycle after the beat and
/// stays until the next read.
///
/// If both processes have a request, the one that was not served last goes first, so neither can
/// starve the other (decision 0007).
///
/// Controller Reset resets the registers that configure and count; memories, SO-DIMM Init and the
/// decoder keep working during it.
module host_interface (
    /// Core clock, 100 MHz.
    input  logic                     clk_i,
    /// Synchronous reset.
    input  logic                     rst_ni,
    /// From the host bus and the transaction side.
    input  host_interface_pkg::in_t  pins_i,
    /// To the host bus and the transaction side.
    output host_interface_pkg::out_t pins_o
);

  logic [2:0] read_source_d, read_source_q;
  logic       request_turn_d, request_turn_q;

  write_window_pkg::in_t write_window_in;
  write_window_pkg::out_t write_window_out;
  prefetch_window_pkg::in_t prefetch_window_in;
  prefetch_window_pkg::out_t prefetch_window_out;
  llcm_pkg::in_t llcm_in;
  llcm_pkg::out_t llcm_out;
  lh_buffer_pkg::in_t lh_buffer_in;
  lh_buffer_pkg::out_t lh_buffer_out;
  user_register_block_pkg::in_t user_register0_in;
  user_register_block_pkg::out_t user_register0_out;
  user_register_block_pkg::in_t user_register1_in;
  user_register_block_pkg::out_t user_register1_out;
  system_register_block_pkg::in_t system_register_in;
  system_register_block_pkg::out_t system_register_out;
  configuration_distribution_pkg::in_t configuration_distribution_in;
  configuration_distribution_pkg::out_t configuration_distribution_out;
  amt_address_table_pkg::in_t amt_address_table_in;
  amt_address_table_pkg::out_t amt_address_table_out;

  // The request that goes to the Request FIFO.
  logic request_wid;
  logic request_enable;
  logic request_taken;
  assign request_wid = user_register1_out.request_waiting &&
                       (!user_register0_out.request_waiting || request_turn_q);
  assign request_enable = user_register0_out.request_waiting || user_register1_out.request_waiting;
  assign request_taken = request_enable && !pins_i.request_fifo_full;

  logic [127:0] rdata;
  always_comb begin
    case (read_source_q)
      host_interface_pkg::ReadPrefetchWindow: rdata = prefetch_window_out.host_rdata;
      host_interface_pkg::ReadLlcm: rdata = llcm_out.host_rdata;
      host_interface_pkg::ReadLhBuffer: rdata = lh_buffer_out.host_rdata;
      host_interface_pkg::ReadUserRegister0: rdata = {64'd0, user_register0_out.rdata};
      host_interface_pkg::ReadUserRegister1: rdata = {64'd0, user_register1_out.rdata};
      host_interface_pkg::ReadSystemRegister: rdata = {64'd0, system_register_out.rdata};
      default: rdata = '0;
    endcase
  end
  assign pins_o.rdata = rdata;
  assign pins_o.write_window_rdata = write_window_out.rdata;
  assign pins_o.llcm_rdata = llcm_out.rdata;
  assign pins_o.amt_entry = amt_address_table_out.rdata.word;
  assign pins_o.lh_full = lh_buffer_out.full;
  assign pins_o.lh_polarity = lh_buffer_out.polarity;
  assign pins_o.request.lower = request_wid ? user_register1_out.lower : user_register0_out.lower;
  assign pins_o.request.upper = request_wid ? user_register1_out.upper : user_register0_out.upper;
  assign pins_o.request.to_prefetch_window = request_wid ? user_register1_out.to_prefetch_window :
                                                           user_register0_out.to_prefetch_window;
  assign pins_o.request.wid = request_wid;
  assign pins_o.request_ex = request_wid ? user_register1_out.ex : user_register0_out.ex;
  assign pins_o.request_enable = request_enable;
  assign pins_o.configuration = configuration_distribution_out.configuration;
  assign pins_o.sodimm_enabled = system_register_out.sodimm_enabled;
  assign pins_o.controller_reset = system_register_out.controller_reset;

  // The beat. An address selects 16 bytes, so the decoder ignores its low 4 bits.
  logic [3:0]  area;
  logic [15:0] place;
  assign area = pins_i.host.address[19:16];
  assign place = {pins_i.host.address[15:4], 4'd0};
  logic write_window;
  logic prefetch_window;
  logic llcm;
  logic lh_buffer;
  logic user_register;
  logic system_register;
  assign write_window = pins_i.host.enable && area == host_interface_pkg::WriteWindowArea &&
                        (place & host_interface_pkg::WriteWindowHole) == 16'd0;
  assign prefetch_window = pins_i.host.enable && area == host_interface_pkg::PrefetchWindowArea &&
                           (place & host_interface_pkg::PrefetchWindowHole) == 16'd0;
  assign llcm = pins_i.host.enable && area == host_interface_pkg::LlcmArea &&
                (place & host_interface_pkg::LlcmHole) == 16'd0;
  assign lh_buffer = pins_i.host.enable && area == host_interface_pkg::LhBufferArea &&
                     (place & host_interface_pkg::LhBufferHole) == 16'd0;
  assign user_register = pins_i.host.enable && area == host_interface_pkg::UserRegisterArea &&
                         (place & host_interface_pkg::UserRegisterHole) == 16'd0;
  assign system_register = pins_i.host.enable && area == host_interface_pkg::SystemRegisterArea &&
                           (place & host_interface_pkg::SystemRegisterHole) == 16'd0;

  logic write_window_wid;
  logic prefetch_window_wid;
  logic llcm_wid;
  logic lh_buffer_wid;
  logic user_register_wid;
  assign write_window_wid = (place & host_interface_pkg::WriteWindowWid) != 16'd0;
  assign prefetch_window_wid = (place & host_interface_pkg::PrefetchWindowWid) != 16'd0;
  assign llcm_wid = (place & host_interface_pkg::LlcmWid) != 16'd0;
  assign lh_buffer_wid = (place & host_interface_pkg::LhBufferWid) != 16'd0;
  assign user_register_wid = (place & host_interface_pkg::UserRegisterWid) != 16'd0;

  // Register accesses. Registers are in the Even bank, so only the low 8 byte enables count.
  logic [11:0] offset;
  logic whole;
  logic user_write;
  logic user_read;
  logic system_write;
  logic head_write;
  assign offset = place[11:0];
  assign whole = (pins_i.host.byte_enable[7:0] == 8'hff);
  assign user_write = user_register && pins_i.host.write && whole;
  assign user_read = user_register && !pins_i.host.write;
  assign system_write = system_register && pins_i.host.write && whole;
  assign head_write = user_write && offset == user_register_pkg::LhBufferNextReadAddress;

  host_interface_pkg::status_t status;
  assign status = pins_i.status;

  // Module State: one bit per state, except for Request Executor, Prefetch Unit and ring, whose
  // state numbers are shown. Bits 63:58 are not part of Module State.
  /* verilator lint_off UNUSEDSIGNAL */
  user_register_pkg::module_state_t module_state;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] read_control;
  logic [4:0] write_control;
  logic [2:0] stride;
  assign read_control = 4'd1 << status.read_control_state;
  assign write_control = 5'd1 << status.write_control_state;
  assign stride = 3'd1 << status.stride_state;
  always_comb begin
    module_state = '0;
    module_state.acceptor = 4'd1 << status.acceptor_state;
    module_state.executor = {status.executor_family, status.executor_state};
    module_state.receive_controller = 16'd1 << status.receive_state;
    module_state.prefetch_window_write = 4'd1 << status.packet_write_state;
    module_state.write_unit = {status.ring_state, stride, write_control, read_control};
    module_state.prefetch_unit = status.prefetch_unit_state;
  end

  always_comb begin
    // Only a read selects another source.
    read_source_d = read_source_q;
    if (pins_i.host.enable && !pins_i.host.write) begin
      read_source_d = prefetch_window ? host_interface_pkg::ReadPrefetchWindow :
                      llcm ? host_interface_pkg::ReadLlcm :
                      lh_buffer ? host_interface_pkg::ReadLhBuffer :
                      (user_register && user_register_wid) ? host_interface_pkg::ReadUserRegister1 :
                      user_register ? host_interface_pkg::ReadUserRegister0 :
                      system_register ? host_interface_pkg::ReadSystemRegister :
                      host_interface_pkg::ReadNothing;
    end
    request_turn_d = request_taken ? !request_wid : request_turn_q;
  end

  assign write_window_in.host_byte_enable =
      (write_window && pins_i.host.write) ? pins_i.host.byte_enable : 16'd0;
  assign write_window_in.host_row = {write_window_wid, place[10:4]};
  assign write_window_in.host_wdata = pins_i.host.wdata;
  assign write_window_in.read_enable = pins_i.write_window_read_enable;
  assign write_window_in.row = pins_i.write_window_address;

  write_window u_write_window (
      .clk_i,
      .rst_ni,
      .pins_i(write_window_in),
      .pins_o(write_window_out)
  );

  assign prefetch_window_in.host_read_enable = prefetch_window && !pins_i.host.write;
  assign prefetch_window_in.host_row = {prefetch_window_wid, place[10:4]};
  assign prefetch_window_in.byte_enable = pins_i.prefetch_window_byte_enable;
  assign prefetch_window_in.row = pins_i.prefetch_window_address;
  assign prefetch_window_in.wdata = pins_i.prefetch_window_wdata;

  prefetch_window u_prefetch_window (
      .clk_i,
      .rst_ni,
      .pins_i(prefetch_window_in),
      .pins_o(prefetch_window_out)
  );

  assign llcm_in.host_read_enable = llcm && !pins_i.host.write;
  assign llcm_in.host_byte_enable = (llcm && pins_i.host.write) ? pins_i.host.byte_enable : 16'd0;
  assign llcm_in.host_row = {llcm_wid, place[14:4]};
  assign llcm_in.host_wdata = pins_i.host.wdata;
  assign llcm_in.read_enable = pins_i.llcm_read_enable;
  assign llcm_in.byte_enable = pins_i.llcm_byte_enable;
  assign llcm_in.address = pins_i.llcm_address;
  assign llcm_in.wdata = pins_i.llcm_wdata;

  llcm u_llcm (
      .clk_i,
      .rst_ni,
      .pins_i(llcm_in),
      .pins_o(llcm_out)
  );

  assign lh_buffer_in.host_read_enable = lh_buffer && !pins_i.host.write;
  assign lh_buffer_in.host_row = {lh_buffer_wid, place[11:4]};
  assign lh_buffer_in.head_enable =
      {head_write && user_register_wid, head_write && !user_register_wid};
  assign lh_buffer_in.head = pins_i.host.wdata[11:0];
  assign lh_buffer_in.controller_reset = system_register_out.controller_reset;
  assign lh_buffer_in.wid = pins_i.lh_wid;
  assign lh_buffer_in.write_enable = pins_i.lh_write_enable;
  assign lh_buffer_in.row = pins_i.lh_row;
  assign lh_buffer_in.wdata = pins_i.lh_wdata;
  assign lh_buffer_in.advance = pins_i.lh_advance;

  lh_buffer u_lh_buffer (
      .clk_i,
      .rst_ni,
      .pins_i(lh_buffer_in),
      .pins_o(lh_buffer_out)
  );

  // Active during reset and during Controller Reset.
  logic controller_rst_n;
  assign controller_rst_n = rst_ni && !system_register_out.controller_reset;

  // Only the page of its process sees an event.
  function automatic logic [1:0] by_wid(logic pulse, logic wid);
    by_wid = {pulse && wid, pulse && !wid};
  endfunction
  function automatic logic [7:0] quarters_by_wid(logic [3:0] quarters, logic wid);
    quarters_by_wid = {wid ? quarters : 4'd0, wid ? 4'd0 : quarters};
  endfunction

  // The common inputs of both pages; then those of each.
  user_register_block_pkg::in_t both;
  always_comb begin
    both = '0;
    both.offset = offset;
    both.wdata = pins_i.host.wdata[63:0];
    both.sdimm_initialized = system_register_out.sodimm_enabled;
    both.request_fifo_almost_full = status.request_fifo_almost_full;
    both.module_state = module_state[57:0];
    both.vs_result = status.vs_result;
    both.flag = status.flag;
    both.request_flag = status.request_flag;
    both.receive_flag = status.receive_flag;

    user_register0_in = both;
    user_register0_in.status_next_write_address = status.status_next_write_address0;
    user_register0_in.lh_next_write_address = lh_buffer_out.tail0;
    user_register0_in.receive_condition = status.receive_wid ? 2'd0 : status.receive_condition;

    user_register1_in = both;
    user_register1_in.status_next_write_address = status.status_next_write_address1;
    user_register1_in.lh_next_write_address = lh_buffer_out.tail1;
    user_register1_in.receive_condition = status.receive_wid ? status.receive_condition : 2'd0;

    {user_register1_in.write, user_register0_in.write} = by_wid(user_write, user_register_wid);
    {user_register1_in.read, user_register0_in.read} = by_wid(user_read, user_register_wid);
    {user_register1_in.request_taken, user_register0_in.request_taken} =
        by_wid(request_taken, request_wid);
    {user_register1_in.status_area_full, user_register0_in.status_area_full} = status.status_full;
    {user_register1_in.status_area_empty, user_register0_in.status_area_empty} =
        status.status_empty;
    {user_register1_in.botf_done, user_register0_in.botf_done} =
        by_wid(status.botf_done, status.botf_done_wid);
    {user_register1_in.vl_done, user_register0_in.vl_done} =
        by_wid(status.vl_done, status.vl_done_wid);
    {user_register1_in.rvl_done, user_register0_in.rvl_done} =
        by_wid(status.rvl_done, status.rvl_done_wid);
    {user_register1_in.rvs_done, user_register0_in.rvs_done} =
        by_wid(status.rvs_done, status.rvs_done_wid);
    {user_register1_in.ipush_done, user_register0_in.ipush_done} =
        by_wid(status.ipush_done, status.ipush_done_wid);
    {user_register1_in.vs_result.done, user_register0_in.vs_result.done} =
        by_wid(status.vs_result.done, status.vs_result.wid);
    {user_register1_in.flag.opened, user_register0_in.flag.opened} =
        by_wid(status.flag.opened, status.flag.wid);
    {user_register1_in.flag.quarters, user_register0_in.flag.quarters} =
        quarters_by_wid(status.flag.quarters, status.flag.wid);
    {user_register1_in.request_flag.opened, user_register0_in.request_flag.opened} =
        by_wid(status.request_flag.opened, status.request_flag.wid);
    {user_register1_in.request_flag.quarters, user_register0_in.request_flag.quarters} =
        quarters_by_wid(status.request_flag.quarters, status.request_flag.wid);
    {user_register1_in.receive_flag.opened, user_register0_in.receive_flag.opened} =
        by_wid(status.receive_flag.opened, status.receive_flag.wid);
    {user_register1_in.receive_flag.quarters, user_register0_in.receive_flag.quarters} =
        quarters_by_wid(status.receive_flag.quarters, status.receive_flag.wid);
    {user_register1_in.packet_received, user_register0_in.packet_received} =
        by_wid(status.packet_received, status.receive_wid);
    {user_register1_in.receive_overrun, user_register0_in.receive_overrun} =
        by_wid(status.receive_overrun, status.receive_wid);
  end

  user_register u_user_register0 (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(user_register0_in),
      .pins_o(user_register0_out)
  );

  user_register u_user_register1 (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(user_register1_in),
      .pins_o(user_register1_out)
  );

  assign system_register_in.offset = offset;
  assign system_register_in.write = system_write;
  assign system_register_in.touch =
      system_register && pins_i.host.write && pins_i.host.byte_enable[7:0] != 8'h00;
  assign system_register_in.read = system_register && !pins_i.host.write;
  assign system_register_in.wdata = pins_i.host.wdata[0];
  assign system_register_in.sma_lid = status.sma_lid;
  assign system_register_in.link_status = status.link_status;

  system_register u_system_register (
      .clk_i,
      .rst_ni,
      .pins_i(system_register_in),
      .pins_o(system_register_out)
  );

  assign configuration_distribution_in.wdata = pins_i.host.wdata[15:0];
  assign configuration_distribution_in.offset = offset;
  assign configuration_distribution_in.user_write = user_write;
  assign configuration_distribution_in.wid = user_register_wid;
  assign configuration_distribution_in.system_write = system_write;

  configuration_distribution u_configuration_distribution (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(configuration_distribution_in),
      .pins_o(configuration_distribution_out)
  );

  // Bit 13 of the sender's WID and LID bits 11:8 do not contribute to the index.
  /* verilator lint_off UNUSEDSIGNAL */
  system_register_pkg::amt_address_table_interface_t sender;
  /* verilator lint_on UNUSEDSIGNAL */
  assign sender = pins_i.host.wdata[63:0];
  assign amt_address_table_in.write_enable =
      system_write && offset == system_register_pkg::AmtAddressTableInterface;
  assign amt_address_table_in.write_index = {sender.lid[15:12], sender.lid[7:0], sender.wid};
  assign amt_address_table_in.wdata.word = sender.value;
  assign amt_address_table_in.read_enable = pins_i.amt_read_enable;
  assign amt_address_table_in.read_index = pins_i.amt_index;

  amt_address_table u_amt_address_table (
      .clk_i,
      .rst_ni,
      .pins_i(amt_address_table_in),
      .pins_o(amt_address_table_out)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_source_q <= host_interface_pkg::ReadNothing;
    else read_source_q <= read_source_d;
  end

  always_ff @(posedge clk_i) begin
    if (!controller_rst_n) request_turn_q <= '0;
    else request_turn_q <= request_turn_d;
  end

  // The source of read data is one of the declared ones.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ReadSourceIsDeclared : assert (read_source_q <= host_interface_pkg::ReadSystemRegister);
    end
  end
`endif

endmodule
