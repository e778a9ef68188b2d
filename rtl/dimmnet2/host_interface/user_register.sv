/// User Register: one process's page of registers (thesis section 5.2, figures 4.12 and 4.13, table
/// 4.8, appendix A).
///
/// Writing a Lower raises the flag of the single request slot. The request leaves with the Upper of
/// the same command and with Command Ex, as they are when it is taken, and the flag falls. A Lower
/// written while the flag is up is ignored (decision 0007). Values that only configure the
/// transaction side are kept there; Configuration Distribution sends them.
///
/// Three bits of Controller Status per Write Window report the result of the last VS-family
/// primitive from it. They are cleared when the next one is written, so that a poll before its
/// dispatch does not see the old result. A copy from SO-DIMM (SRCOff 0xffff_ffff) has no window and
/// clears nothing (decision 0017).
///
/// The Prefetch Window Flag of a window is cleared when a VL, VLS or VLI into it is written, not
/// when it is executed, so that no poll sees the old bits. When the transfer begins, the quarters
/// that it will not touch are set; the others are set as they are stored. The same applies to an
/// RVL, RVLS or RVLI of Command1, whose data comes from a remote node.
module user_register (
    /// Core clock, 100 MHz.
    input  logic                          clk_i,
    /// Synchronous reset.
    input  logic                          rst_ni,
    /// From the host bus, System Register, Window Controller, Prefetch Unit, Status Write Unit,
    /// Receive Controller.
    input  user_register_block_pkg::in_t  pins_i,
    /// To the host bus and Window Controller.
    output user_register_block_pkg::out_t pins_o
);

  logic        request_waiting_d, request_waiting_q;
  logic        to_prefetch_window_d, to_prefetch_window_q;
  logic [63:0] lower_d, lower_q;
  logic [63:0] upper0_d, upper0_q;
  logic [63:0] upper1_d, upper1_q;
  logic        source0_copies_d, source0_copies_q;
  logic        destination0_copies_d, destination0_copies_q;
  logic        source1_copies_d, source1_copies_q;
  logic        destination1_copies_d, destination1_copies_q;
  logic [63:0] ex_d, ex_q;
  logic        ex_enabled_d, ex_enabled_q;
  logic [9:0]  botf_count_d, botf_count_q;
  logic [9:0]  vs_count_d, vs_count_q;
  logic [11:0] windows_d, windows_q;
  logic [9:0]  vl_count_d, vl_count_q;
  logic [9:0]  rvl_count_d, rvl_count_q;
  logic [9:0]  rvs_count_d, rvs_count_q;
  logic [9:0]  ipush_count_d, ipush_count_q;
  logic [15:0] window_flag_d, window_flag_q;
  logic [63:0] packet_count_d, packet_count_q;
  logic        receive_overrun_d, receive_overrun_q;
  logic [1:0]  receive_condition_d, receive_condition_q;
  logic [63:0] rdata_d, rdata_q;

  assign pins_o.rdata = rdata_q;
  assign pins_o.request_waiting = request_waiting_q;
  assign pins_o.lower = lower_q;
  assign pins_o.upper = to_prefetch_window_q ? upper1_q : upper0_q;
  assign pins_o.ex = ex_enabled_q ? ex_q : 64'd0;
  assign pins_o.to_prefetch_window = to_prefetch_window_q;

  user_register_pkg::primitive_counter_t primitive_counter;
  user_register_pkg::controller_status_t controller_status;
  always_comb begin
    primitive_counter = '0;
    primitive_counter.botf = botf_count_q;
    primitive_counter.vs = vs_count_q;
    primitive_counter.vl = vl_count_q;
    primitive_counter.rvl = rvl_count_q;
    primitive_counter.rvs = rvs_count_q;
    primitive_counter.ipush = ipush_count_q;
    controller_status = '0;
    controller_status.request_waiting = request_waiting_q;
    controller_status.sdimm_initialized = pins_i.sdimm_initialized;
    controller_status.request_fifo_almost_full = pins_i.request_fifo_almost_full;
    controller_status.status_area_full = pins_i.status_area_full;
    controller_status.status_area_empty = pins_i.status_area_empty;
    controller_status.window0_complete = windows_q[0];
    controller_status.window0_source_clamped = windows_q[1];
    controller_status.window0_destination_clamped = windows_q[2];
    controller_status.window1_complete = windows_q[3];
    controller_status.window1_source_clamped = windows_q[4];
    controller_status.window1_destination_clamped = windows_q[5];
    controller_status.window2_complete = windows_q[6];
    controller_status.window2_source_clamped = windows_q[7];
    controller_status.window2_destination_clamped = windows_q[8];
    controller_status.window3_complete = windows_q[9];
    controller_status.window3_source_clamped = windows_q[10];
    controller_status.window3_destination_clamped = windows_q[11];
    controller_status.receive_overrun = receive_overrun_q;
    controller_status.receive_condition = receive_condition_q;
  end

  // Three bits, or four, shifted to the position of their window. AND gates are used instead of
  // shifters: a synthesis tool would share one shifter among several that are never used in the
  // same cycle, and the multiplexers in front of it would be slow.
  function automatic logic [11:0] three_at(logic [2:0] bits, logic [1:0] window);
    three_at = {{3{window == 2'd3}} & bits, {3{window == 2'd2}} & bits,
                {3{window == 2'd1}} & bits, {3{window == 2'd0}} & bits};
  endfunction
  function automatic logic [15:0] four_at(logic [3:0] bits, logic [1:0] window);
    four_at = {{4{window == 2'd3}} & bits, {4{window == 2'd2}} & bits,
               {4{window == 2'd1}} & bits, {4{window == 2'd0}} & bits};
  endfunction

  // Controller Status bits set by a finished primitive of the VS family.
  logic [11:0] window_bits;
  assign window_bits = three_at(
      {pins_i.vs_result.destination_clamped, pins_i.vs_result.source_clamped, 1'b1},
      pins_i.vs_result.window);

  // Controller Status bits cleared by an issued command: those of its window if it is of the VS
  // family.
  logic [11:0] cleared_windows0;
  logic [11:0] cleared_windows1;
  logic        vs_family;
  assign vs_family = (pins_i.wdata[4:2] == command_pkg::FamilyVs);
  assign cleared_windows0 = three_at({3{vs_family && !source0_copies_q}}, upper0_q[10:9]);
  assign cleared_windows1 = three_at({3{vs_family && !source1_copies_q}}, upper1_q[10:9]);

  // Prefetch Window Flag bits cleared by a command: those of the window named by a VL, VLS or VLI
  // that is not a copy, or by an RVL, RVLS or RVLI of Command1.
  logic        is_vl;
  logic        is_rvl;
  logic [15:0] cleared_flag0;
  logic [15:0] cleared_flag1;
  assign is_vl = (pins_i.wdata[4:2] == command_pkg::FamilyVl) && pins_i.wdata[1:0] != 2'd3;
  assign cleared_flag0 = four_at({4{is_vl && !destination0_copies_q}}, upper0_q[42:41]);
  assign is_rvl = (pins_i.wdata[4:2] == command_pkg::FamilyRvl) && pins_i.wdata[1:0] != 2'd3;
  assign cleared_flag1 = four_at({4{is_rvl || (is_vl && !destination1_copies_q)}}, upper1_q[42:41]);

  // Updates of the Prefetch Window Flag: bits of a window that is opened, and of quarters that were
  // stored.
  logic [15:0] opened_flag;
  logic [15:0] opened_request_flag;
  logic [15:0] opened_receive_flag;
  logic [15:0] set_flag;
  logic [15:0] set_request_flag;
  logic [15:0] set_receive_flag;
  assign opened_flag = four_at({4{pins_i.flag.opened}}, pins_i.flag.window);
  assign opened_request_flag = four_at({4{pins_i.request_flag.opened}}, pins_i.request_flag.window);
  assign opened_receive_flag = four_at({4{pins_i.receive_flag.opened}}, pins_i.receive_flag.window);
  assign set_flag = four_at(pins_i.flag.quarters, pins_i.flag.window);
  assign set_request_flag = four_at(pins_i.request_flag.quarters, pins_i.request_flag.window);
  assign set_receive_flag = four_at(pins_i.receive_flag.quarters, pins_i.receive_flag.window);

  always_comb begin
    request_waiting_d = request_waiting_q;
    to_prefetch_window_d = to_prefetch_window_q;
    lower_d = lower_q;
    upper0_d = upper0_q;
    upper1_d = upper1_q;
    source0_copies_d = source0_copies_q;
    destination0_copies_d = destination0_copies_q;
    source1_copies_d = source1_copies_q;
    destination1_copies_d = destination1_copies_q;
    ex_d = ex_q;
    ex_enabled_d = ex_enabled_q;
    botf_count_d = botf_count_q;
    vs_count_d = vs_count_q;
    windows_d = windows_q;
    vl_count_d = vl_count_q;
    rvl_count_d = rvl_count_q;
    rvs_count_d = rvs_count_q;
    ipush_count_d = ipush_count_q;
    window_flag_d = window_flag_q;
    packet_count_d = packet_count_q;
    receive_overrun_d = receive_overrun_q;
    receive_condition_d = receive_condition_q;
    rdata_d = rdata_q;

    // Events of the transaction side. The first error is kept, because later ones may be its
    // consequences.
    if (pins_i.request_taken) request_waiting_d = 1'b0;
    if (pins_i.botf_done) botf_count_d = botf_count_q + 10'd1;
    if (pins_i.vs_result.done) begin
      vs_count_d = vs_count_q + 10'd1;
      if (!pins_i.vs_result.copied) windows_d = windows_q | window_bits;
    end
    if (pins_i.vl_done) vl_count_d = vl_count_q + 10'd1;
    if (pins_i.rvl_done) rvl_count_d = rvl_count_q + 10'd1;
    if (pins_i.rvs_done) rvs_count_d = rvs_count_q + 10'd1;
    if (pins_i.ipush_done) ipush_count_d = ipush_count_q + 10'd1;
    window_flag_d = (window_flag_q & ~opened_flag) | set_flag;
    window_flag_d = (window_flag_d & ~opened_request_flag) | set_request_flag;
    window_flag_d = (window_flag_d & ~opened_receive_flag) | set_receive_flag;
    if (pins_i.packet_received) packet_count_d = packet_count_q + 64'd1;
    if (pins_i.receive_overrun) receive_overrun_d = 1'b1;
    if (receive_condition_q == 2'd0) receive_condition_d = pins_i.receive_condition;

    // Host writes. Clearing a counter takes precedence over counting.
    if (pins_i.write) begin
      case (pins_i.offset)
        user_register_pkg::Command0Lower: begin
          if (!request_waiting_q) begin
            lower_d = pins_i.wdata;
            to_prefetch_window_d = 1'b0;
            request_waiting_d = 1'b1;
            windows_d = windows_d & ~cleared_windows0;
            window_flag_d = window_flag_d & ~cleared_flag0;
          end
        end
        user_register_pkg::Command1Lower: begin
          if (!request_waiting_q) begin
            lower_d = pins_i.wdata;
            to_prefetch_window_d = 1'b1;
            request_waiting_d = 1'b1;
            windows_d = windows_d & ~cleared_windows1;
            window_flag_d = window_flag_d & ~cleared_flag1;
          end
        end
        user_register_pkg::Command0Upper: begin
          upper0_d = pins_i.wdata;
          source0_copies_d = (pins_i.wdata[31:0] == command_pkg::SodimmCopy);
          destination0_copies_d = (pins_i.wdata[63:32] == command_pkg::SodimmCopy);
        end
        user_register_pkg::Command1Upper: begin
          upper1_d = pins_i.wdata;
          source1_copies_d = (pins_i.wdata[31:0] == command_pkg::SodimmCopy);
          destination1_copies_d = (pins_i.wdata[63:32] == command_pkg::SodimmCopy);
        end
        user_register_pkg::CommandEx: ex_d = pins_i.wdata;
        user_register_pkg::CommandExFlag: ex_enabled_d = pins_i.wdata[0];
        user_register_pkg::PrimitiveCounterReset: begin
          botf_count_d = '0;
          vs_count_d = '0;
          vl_count_d = '0;
          rvl_count_d = '0;
          rvs_count_d = '0;
          ipush_count_d = '0;
        end
        user_register_pkg::PacketCounterReset: packet_count_d = '0;
        default: ;
      endcase
    end

    // Host reads.
    if (pins_i.read) begin
      case (pins_i.offset)
        user_register_pkg::ControllerStatus: rdata_d = controller_status;
        user_register_pkg::PrimitiveCounter: rdata_d = primitive_counter;
        user_register_pkg::PrefetchWindowFlag: rdata_d = {48'd0, window_flag_q};
        user_register_pkg::PacketCounter: rdata_d = packet_count_q;
        user_register_pkg::ModuleState: rdata_d = {6'd0, pins_i.module_state};
        user_register_pkg::LhBufferNextWriteAddress:
          rdata_d = {52'd0, pins_i.lh_next_write_address};
        user_register_pkg::StatusNextWriteAddress:
          rdata_d = {49'd0, pins_i.status_next_write_address};
        default: rdata_d = '0;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      request_waiting_q <= '0;
      to_prefetch_window_q <= '0;
      lower_q <= '0;
      upper0_q <= '0;
      upper1_q <= '0;
      source0_copies_q <= '0;
      destination0_copies_q <= '0;
      source1_copies_q <= '0;
      destination1_copies_q <= '0;
      ex_q <= '0;
      ex_enabled_q <= '0;
      botf_count_q <= '0;
      vs_count_q <= '0;
      windows_q <= '0;
      vl_count_q <= '0;
      rvl_count_q <= '0;
      rvs_count_q <= '0;
      ipush_count_q <= '0;
      window_flag_q <= '0;
      packet_count_q <= '0;
      receive_overrun_q <= '0;
      receive_condition_q <= '0;
      rdata_q <= '0;
    end else begin
      request_waiting_q <= request_waiting_d;
      to_prefetch_window_q <= to_prefetch_window_d;
      lower_q <= lower_d;
      upper0_q <= upper0_d;
      upper1_q <= upper1_d;
      source0_copies_q <= source0_copies_d;
      destination0_copies_q <= destination0_copies_d;
      source1_copies_q <= source1_copies_d;
      destination1_copies_q <= destination1_copies_d;
      ex_q <= ex_d;
      ex_enabled_q <= ex_enabled_d;
      botf_count_q <= botf_count_d;
      vs_count_q <= vs_count_d;
      windows_q <= windows_d;
      vl_count_q <= vl_count_d;
      rvl_count_q <= rvl_count_d;
      rvs_count_q <= rvs_count_d;
      ipush_count_q <= ipush_count_d;
      window_flag_q <= window_flag_d;
      packet_count_q <= packet_count_d;
      receive_overrun_q <= receive_overrun_d;
      receive_condition_q <= receive_condition_d;
      rdata_q <= rdata_d;
    end
  end

  // A waiting request is unchanged until it is taken.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RequestWaitsUntilItIsTaken : assert (!request_waiting_q ||
          ((lower_d == lower_q) && (request_waiting_d || pins_i.request_taken)));
    end
  end
`endif

endmodule
