/// Request Executor: runs one primitive at a time in the module of its family (thesis section
/// 5.3.2, figure 5.10).
///
/// The Executor is structural: it decodes the code of the request and starts a module in the cycle
/// in which it accepts the request. It is ready while all modules are idle. A code without a module
/// is accepted and starts nothing. Remote nodes can only read: of their requests, only the RVL
/// family starts a module. It is rewritten to the RVS family and run by the RVS module (decision
/// 0018). IPUSH is run by the RVS module too, with its own TYPE (decision 0023).
///
/// A copy from SO-DIMM to SO-DIMM is a VL and a VS, executed like any others; the VL is complete
/// when it has been parked.
///
/// Combinational from `request` to the pins of the modules; outputs depend on registers only.
module request_executor (
    /// Core clock, 100 MHz.
    input  logic                       clk_i,
    /// Synchronous reset.
    input  logic                       rst_ni,
    /// From Request Acceptor, Write Window, Configuration Register, SWIF FIFO, Write Unit, Prefetch
    /// Unit.
    input  request_executor_pkg::in_t  pins_i,
    /// To Request Acceptor, Write Window, SWIF FIFO, registers, Write Unit, Prefetch Unit.
    output request_executor_pkg::out_t pins_o
);

  // Variants of a vector load: code bits 1:0 of the primitive.
  localparam logic [1:0] Contiguous = 2'd0;
  localparam logic [1:0] ByList = 2'd2;

  botf_pkg::in_t  botf_in;
  botf_pkg::out_t botf_out;
  vs_pkg::in_t    vs_in;
  vs_pkg::out_t   vs_out;
  vl_pkg::in_t    vl_in;
  vl_pkg::out_t   vl_out;
  rvs_pkg::in_t   rvs_in;
  rvs_pkg::out_t  rvs_out;
  rvl_pkg::in_t   rvl_in;
  rvl_pkg::out_t  rvl_out;

  assign pins_o.ready = botf_out.idle && vl_out.idle && vs_out.idle && rvs_out.idle && rvl_out.idle;
  assign pins_o.line = !rvs_out.idle ? rvs_out.line : !rvl_out.idle ? rvl_out.line : botf_out.line;
  assign pins_o.line_enable = botf_out.line_enable || rvs_out.line_enable || rvl_out.line_enable;
  assign pins_o.write_window_read_enable = botf_out.write_window_read_enable ||
                                           vs_out.write_window_read_enable ||
                                           rvs_out.write_window_read_enable;
  assign pins_o.write_window_address = !vs_out.idle ? vs_out.write_window_address :
                                       !rvs_out.idle ? rvs_out.write_window_address :
                                                       botf_out.write_window_address;
  assign pins_o.botf_done = botf_out.done;
  assign pins_o.botf_done_wid = botf_out.done_wid;
  // One module runs at a time, and the state of an idle one is 0.
  assign pins_o.state = {7'd0, botf_out.state} | {7'd0, vl_out.state} | {7'd0, vs_out.state} |
                        {6'd0, rvs_out.state} | {7'd0, rvl_out.state};
  assign pins_o.family = !vl_out.idle ? command_pkg::FamilyVl :
                         !vs_out.idle ? command_pkg::FamilyVs :
                         (!rvs_out.idle && rvs_out.ipush) ? command_pkg::FamilyIpush :
                         !rvs_out.idle ? command_pkg::FamilyRvs :
                         !rvl_out.idle ? command_pkg::FamilyRvl : command_pkg::FamilyBotf;
  assign pins_o.vs_result = vs_out.result;
  assign pins_o.vector_store = vs_out.vector_store;
  assign pins_o.copy_request = vs_out.copy_request;
  assign pins_o.vl_done = vl_out.done;
  assign pins_o.vl_done_wid = vl_out.done_wid;
  assign pins_o.rvl_done = rvl_out.done;
  assign pins_o.rvl_done_wid = rvl_out.done_wid;
  assign pins_o.flag = rvl_out.flag;
  assign pins_o.rvs_done = rvs_out.done && !rvs_out.ipush;
  assign pins_o.rvs_done_wid = rvs_out.done_wid;
  assign pins_o.ipush_done = rvs_out.done && rvs_out.ipush;
  assign pins_o.ipush_done_wid = rvs_out.done_wid;
  // `vector_load` is used only with `vector_load_start`, and the start of the RVS module is a
  // register.
  assign pins_o.vector_load = rvs_out.vector_load_start ? rvs_out.vector_load : vl_out.vector_load;
  assign pins_o.vector_load_start = vl_out.vector_load_start || rvs_out.vector_load_start;
  assign pins_o.packet_next = rvs_out.packet_next;

  // A module that has begun a packet sends all of it, so there must be room for the longest one. A
  // transfer keeps the MTU with which it began. The three sizes that may be the longest are
  // compared separately, because the number of free lines is known late. An MTU is 256, 512, 1024,
  // 2048 or 4088 (Configuration Register), or 0 without a transfer. In lines, the first four have
  // no bit in common with the margin, so an OR adds it; 4088 bytes are 511 lines, 515 with the
  // margin.
  function automatic logic [10:0] needed_by(logic [3:0] mtu_by_256, logic longest);
    needed_by = longest ? {1'b0, configuration_register_pkg::LongestPacket[12:3]} +
                          request_executor_pkg::SwifFifoMargin :
                          {2'b00, mtu_by_256, 5'd0} | request_executor_pkg::SwifFifoMargin;
  endfunction
  logic [10:0] needed_by_window;
  logic [10:0] needed_by_mtu;
  logic [10:0] needed_by_transfer;
  logic        swif_fifo_almost_full;
  assign needed_by_window = {1'b0, request_executor_pkg::WindowLines} +
                            request_executor_pkg::SwifFifoMargin;
  assign needed_by_mtu = needed_by(pins_i.mtu[11:8], pins_i.mtu[3]);
  assign needed_by_transfer = needed_by(rvs_out.mtu[11:8], rvs_out.mtu[3]);
  assign swif_fifo_almost_full = (pins_i.swif_fifo_free < needed_by_window) ||
                                 (pins_i.swif_fifo_free < needed_by_mtu) ||
                                 (pins_i.swif_fifo_free < needed_by_transfer);

  // The request. Local primitives ignore the destination node and ask for no status.
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t      lower;
  command_pkg::botf_lower_t botf_lower;
  command_pkg::upper_t      upper;
  command_pkg::lhs_upper_t  lhs_upper;
  command_pkg::ex_t         ex;
  /* verilator lint_on UNUSEDSIGNAL */
  assign lower = pins_i.request.lower;
  assign botf_lower = pins_i.request.lower;
  assign upper = pins_i.request.upper;
  assign lhs_upper = pins_i.request.upper;
  assign ex = pins_i.ex;

  // Kind of its primitive. Variant 3 is undefined.
  logic is_variant;
  logic is_botf;
  logic is_vs;
  logic is_vl;
  logic is_rvl;
  logic is_rvs;
  logic is_ipush;
  assign is_variant = (lower.otype[1:0] != 2'd3);
  assign is_botf = (lower.otype == command_pkg::Botf);
  assign is_vs = (lower.otype[4:2] == command_pkg::FamilyVs) && is_variant;
  assign is_vl = (lower.otype[4:2] == command_pkg::FamilyVl) && is_variant;
  assign is_rvl = (lower.otype[4:2] == command_pkg::FamilyRvl) && is_variant;
  assign is_rvs = (lower.otype[4:2] == command_pkg::FamilyRvs) && is_variant;
  assign is_ipush = (lower.otype[4:2] == command_pkg::FamilyIpush) && is_variant;

  logic accept;
  logic accept_local;
  assign accept = pins_i.request_enable && pins_o.ready;
  assign accept_local = accept && !pins_i.remote;

  assign botf_in.write_window_rdata = pins_i.write_window_rdata;
  assign botf_in.start = accept_local && is_botf;
  assign botf_in.wid = pins_i.request.wid;
  assign botf_in.window = botf_lower.window;
  assign botf_in.size = botf_lower.size;
  assign botf_in.pgid0 = pins_i.pgid0;
  assign botf_in.pgid1 = pins_i.pgid1;
  assign botf_in.swif_fifo_almost_full = swif_fifo_almost_full;

  botf u_botf (
      .clk_i,
      .rst_ni,
      .pins_i(botf_in),
      .pins_o(botf_out)
  );

  assign vs_in.start = accept_local && is_vs;
  assign vs_in.strided = (lower.otype[1:0] != Contiguous);
  assign vs_in.listed = (lower.otype[1:0] == ByList);
  assign vs_in.copies = (upper.srcoff == command_pkg::SodimmCopy);
  assign vs_in.wid = pins_i.request.wid;
  assign vs_in.source = upper.srcoff[10:0];
  assign vs_in.offset = upper.dstoff;
  assign vs_in.size_list_stride = lower.size_list_stride;
  assign vs_in.dtype = lower.dtype;
  assign vs_in.iteration = lower.iteration;
  assign vs_in.room = pins_i.sizes.room;
  assign vs_in.too_long = pins_i.sizes.too_long;
  assign vs_in.status = pins_i.vector_store_status;
  assign vs_in.prefetch_unit_busy = pins_i.prefetch_unit_busy;
  assign vs_in.copy_chunk = pins_i.copy_chunk;

  vs u_vs (
      .clk_i,
      .rst_ni,
      .pins_i(vs_in),
      .pins_o(vs_out)
  );

  // Bytes of a request that fit in its window. Totals of 512 and more are recognised by their upper
  // bits.
  function automatic logic [9:0] wanted_of(logic [31:0] total, logic [8:2] first_word);
    logic [9:0]  window_room;
    window_room = prefetch_unit_pkg::WindowBytes - {1'b0, first_word, 2'b00};
    wanted_of = (total[31:9] == 23'd0 && {1'b0, total[8:0]} < window_room) ? total[9:0] :
                                                                           window_room;
  endfunction

  // Bytes from an offset to the end of the region, 512 at most. The end is a power of two. An
  // offset is beyond it if it has a bit that offsets within the region do not have, and within 512
  // bytes of it if all other bits from bit 9 on are set.
  function automatic logic [9:0] room_of(logic [31:2] place, logic [31:28] top);
    logic at_end;
    at_end = (place[31:28] == top) && (&place[27:9]);
    room_of = at_end ? prefetch_unit_pkg::WindowBytes - {1'b0, place[8:2], 2'b00} :
                       prefetch_unit_pkg::WindowBytes;
    if ((place[31:28] & ~top) != 4'd0) room_of = 10'd0;
  endfunction

  // Bytes of data within the region. For contiguous data this is the room behind its offset; for a
  // list, the bytes of the elements whose list entries lie in the region. Strided elements are
  // checked one by one.
  function automatic logic [9:0] reach_of(logic [1:0] variant, logic [2:0] dtype,
                                          logic [9:0] data_room, logic [9:0] list_room);
    logic [14:0] listed;
    unique case (dtype)
      3'd3: listed = {4'd0, list_room, 1'd0};
      3'd4: listed = {3'd0, list_room, 2'd0};
      3'd5: listed = {2'd0, list_room, 3'd0};
      3'd6: listed = {1'd0, list_room, 4'd0};
      3'd7: listed = {list_room, 5'd0};
      default: listed = {5'd0, list_room};
    endcase
    reach_of = prefetch_unit_pkg::WindowBytes;
    if (variant == Contiguous) reach_of = data_room;
    if (variant == ByList && listed[14:9] == 6'd0) reach_of = listed[9:0];
  endfunction

  // The start of the region of WID 1 is used by the reader only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:28] region_top;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );
  assign region_top = {bounds.limit[32], |bounds.limit[32:31],
                       |bounds.limit[32:30], |bounds.limit[32:29]};

  // The size of the request, and its part within the region, are computed one cycle before the
  // Prefetch Unit gets the request (decision 0052).
  logic [9:0] vl_wanted;
  logic [9:0] vl_reach;
  assign vl_wanted = wanted_of(pins_i.sizes.command, upper.dstoff[8:2]);
  assign vl_reach = reach_of(lower.otype[1:0], lower.dtype, room_of(upper.srcoff[31:2], region_top),
                             room_of(lower.size_list_stride[31:2], region_top));

  assign vl_in.start = accept_local && is_vl;
  assign vl_in.vector_load.wid = pins_i.request.wid;
  assign vl_in.vector_load.variant = lower.otype[1:0];
  assign vl_in.vector_load.dtype = lower.dtype;
  assign vl_in.vector_load.iteration = lower.iteration;
  assign vl_in.vector_load.size_list_stride = lower.size_list_stride;
  assign vl_in.vector_load.srcoff = upper.srcoff;
  assign vl_in.vector_load.dstoff = upper.dstoff;
  assign vl_in.vector_load.to_packet = 1'b0;
  assign vl_in.vector_load.total = 32'd0;
  assign vl_in.vector_load.first_half = (upper.dstoff == command_pkg::SodimmCopy);
  assign vl_in.vector_load.wanted = vl_wanted;
  assign vl_in.vector_load.reach = vl_reach;
  assign vl_in.prefetch_unit_busy = pins_i.prefetch_unit_busy;
  assign vl_in.hold = pins_i.vl_hold;

  vl u_vl (
      .clk_i,
      .rst_ni,
      .pins_i(vl_in),
      .pins_o(vl_out)
  );

  // Layout of the data in the memories that the command and Command Ex describe. The data of an
  // IPUSH is contiguous, and so is the undefined variant 3 of Command Ex.
  rvs_pkg::vector_t    command_vector;
  rvs_pkg::vector_t    ex_vector;
  assign command_vector.variant = is_ipush ? 2'd0 : lower.otype[1:0];
  assign command_vector.dtype = lower.dtype;
  assign command_vector.iteration = lower.iteration;
  assign command_vector.size_list_stride = lower.size_list_stride;
  assign ex_vector.variant = (ex.otype[1:0] == 2'd3) ? 2'd0 : ex.otype[1:0];
  assign ex_vector.dtype = ex.dtype;
  assign ex_vector.iteration = ex.iteration;
  assign ex_vector.size_list_stride = ex.size_list_stride;

  assign rvl_in.start = accept_local && is_rvl;
  assign rvl_in.request = pins_i.request;
  assign rvl_in.ex = pins_i.ex;
  assign rvl_in.pgid0 = pins_i.pgid0;
  assign rvl_in.pgid1 = pins_i.pgid1;
  assign rvl_in.swif_fifo_almost_full = swif_fifo_almost_full;

  rvl u_rvl (
      .clk_i,
      .rst_ni,
      .pins_i(rvl_in),
      .pins_o(rvl_out)
  );

  // A host's command describes the remote memory, and its Command Ex this node's; a request of a
  // remote node the other way round.
  rvs_pkg::vector_t target;
  logic             sends_ipush;
  assign sends_ipush = is_ipush && !pins_i.remote;
  assign target = pins_i.remote ? ex_vector : command_vector;

  assign rvs_in.start = accept && (pins_i.remote ? is_rvl : (is_rvs || is_ipush));
  assign rvs_in.remote = pins_i.remote;
  assign rvs_in.otype = {sends_ipush ? command_pkg::FamilyIpush : command_pkg::FamilyRvs,
                         target.variant};
  assign rvs_in.wid = pins_i.request.wid;
  assign rvs_in.dwid = lower.dwid;
  assign rvs_in.dclid = lower.dclid;
  assign rvs_in.eflag = lower.eflag;
  // The receiver of an IPUSH chooses the destination.
  assign rvs_in.rflag = pins_i.request.to_prefetch_window && !sends_ipush;
  assign rvs_in.lflag = sends_ipush && lower.otype[1:0] != Contiguous;
  assign rvs_in.source = pins_i.remote ? command_vector : ex_vector;
  assign rvs_in.srcoff = upper.srcoff;
  assign rvs_in.target = target;
  assign rvs_in.dstoff = sends_ipush ? 32'd0 : upper.dstoff;
  assign rvs_in.sizes = pins_i.sizes;
  assign rvs_in.window = lhs_upper.window_srcoff[10:3];
  assign rvs_in.write_window_rdata = pins_i.write_window_rdata;
  assign rvs_in.pgid0 = pins_i.pgid0;
  assign rvs_in.pgid1 = pins_i.pgid1;
  assign rvs_in.mtu = pins_i.mtu;
  assign rvs_in.data_awaited = pins_i.data_awaited;
  assign rvs_in.swif_fifo_almost_full = swif_fifo_almost_full;
  assign rvs_in.prefetch_unit_busy = pins_i.prefetch_unit_busy;
  assign rvs_in.packet_data = pins_i.packet_data;
  assign rvs_in.packet_lines = pins_i.packet_lines;

  rvs u_rvs (
      .clk_i,
      .rst_ni,
      .pins_i(rvs_in),
      .pins_o(rvs_out)
  );

  // Packets are counted in lines of 8 bytes.
  logic unused_request;
  assign unused_request = ^rvs_out.mtu[2:0];

  // One module runs at a time.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneModuleRuns : assert (
          {2'd0, !botf_out.idle} + {2'd0, !vl_out.idle} + {2'd0, !vs_out.idle} +
          {2'd0, !rvs_out.idle} + {2'd0, !rvl_out.idle} <= 3'd1);
    end
  end
`endif

endmodule
