/// Request Acceptor: fetches requests for the Request Executor (thesis section 5.3.1, figure 5.9).
///
/// While the Executor runs one primitive, the next is fetched and waits, which shortens the gap
/// between them. The Acceptor alternates between the two Request FIFOs when both hold requests
/// (decision 0008). A request is transferred in the cycle in which `request_enable` and
/// `executor_ready` are both high.
///
/// The sizes of a request are computed while it is latched, because the RVS and VS modules need
/// them in the cycle in which they take the request (decision 0052).
module request_acceptor (
    /// Core clock, 100 MHz.
    input  logic                       clk_i,
    /// Synchronous reset.
    input  logic                       rst_ni,
    /// From the Request FIFOs and Request Executor.
    input  request_acceptor_pkg::in_t  pins_i,
    /// To the Request FIFOs, Request Executor, registers.
    output request_acceptor_pkg::out_t pins_o
);

  request_acceptor_pkg::state_e state_d, state_q;
  logic                  remote_d, remote_q;
  request_pkg::request_t request_d, request_q;
  logic [63:0]           ex_d, ex_q;
  request_acceptor_pkg::sizes_t sizes_d, sizes_q;

  assign pins_o.host_read_enable = (state_q == request_acceptor_pkg::Req) && !remote_q;
  assign pins_o.remote_read_enable = (state_q == request_acceptor_pkg::Req) && remote_q;
  assign pins_o.request = request_q;
  assign pins_o.ex = ex_q;
  assign pins_o.sizes = sizes_q;
  assign pins_o.remote = remote_q;
  assign pins_o.request_enable = (state_q == request_acceptor_pkg::Wait);
  assign pins_o.state = state_q;

  // Bytes of the elements of Command Ex. Variant 3 is undefined and means contiguous.
  function automatic logic [14:0] bytes_of(logic [7:0] iteration, logic [2:0] dtype);
    unique case (dtype)
      3'd0: bytes_of = {7'd0, iteration};
      3'd1: bytes_of = {6'd0, iteration, 1'd0};
      3'd2: bytes_of = {5'd0, iteration, 2'd0};
      3'd3: bytes_of = {4'd0, iteration, 3'd0};
      3'd4: bytes_of = {3'd0, iteration, 4'd0};
      3'd5: bytes_of = {2'd0, iteration, 5'd0};
      3'd6: bytes_of = {1'd0, iteration, 6'd0};
      default: bytes_of = {iteration, 7'd0};
    endcase
  endfunction

  // Lines that an LHSv2 takes from the Write Windows before SO-DIMM: whole lines, limited by the
  // windows, by the Size of the window data and by Size. The three limits are compared in parallel.
  function automatic logic [6:0] window_lines_of(logic is_lhs_v2, logic [28:0] size_lines,
                                                 logic [6:0] wanted_lines);
    logic [6:0] window_lines;
    logic       size_is_least;
    window_lines = request_acceptor_pkg::WindowLines[6:0];
    size_is_least = size_lines[28:7] == 22'd0 && size_lines[6:0] < wanted_lines &&
                    size_lines[6:0] < window_lines;
    window_lines_of = !is_lhs_v2 ? 7'd0 :
                      size_is_least ? size_lines[6:0] :
                      (wanted_lines > window_lines) ? window_lines : wanted_lines;
  endfunction

  // Whether a VS exceeds its Write Window: its place in the window plus Size is more than the
  // window has.
  function automatic logic too_long_of(logic [31:0] size, logic [8:2] word);
    logic [10:0] sum;
    sum = {1'b0, size[9:0]} + {2'd0, word, 2'd0};
    too_long_of = size[31:10] != 22'd0 || sum > {1'b0, botf_pkg::WindowBytes};
  endfunction

  // Outputs of both FIFOs.
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t     host_lower;
  command_pkg::lhs_upper_t host_upper;
  command_pkg::upper_t     host_local;
  command_pkg::ex_t        host_ex;
  command_pkg::lower_t     remote_lower;
  command_pkg::lhs_upper_t remote_upper;
  command_pkg::upper_t     remote_local;
  command_pkg::ex_t        remote_ex;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [14:0] host_elements;
  logic [14:0] remote_elements;
  logic [6:0]  host_lines;
  logic [6:0]  remote_lines;
  logic [15:0] host_limit;
  logic [15:0] remote_limit;
  logic        host_too_long;
  logic        remote_too_long;
  logic [8:2]  first_word;
  assign host_lower = pins_i.host_request.lower;
  assign host_upper = pins_i.host_request.upper;
  assign host_local = pins_i.host_request.upper;
  assign host_ex = pins_i.host_ex;
  assign remote_lower = pins_i.remote_request.lower;
  assign remote_upper = pins_i.remote_request.upper;
  assign remote_local = pins_i.remote_request.upper;
  assign remote_ex = pins_i.remote_ex;
  assign host_elements = bytes_of(host_ex.iteration, host_ex.dtype);
  assign remote_elements = bytes_of(remote_ex.iteration, remote_ex.dtype);
  assign host_lines = window_lines_of(
      host_lower.otype == command_pkg::LhsV2, host_lower.size_list_stride[31:3],
      host_upper.window_size[9:3]);
  assign remote_lines = window_lines_of(
      remote_lower.otype == command_pkg::LhsV2, remote_lower.size_list_stride[31:3],
      remote_upper.window_size[9:3]);
  // The limit is the elements of Command Ex plus those lines.
  assign host_limit = {1'b0, host_elements} + {6'd0, host_lines, 3'd0};
  assign remote_limit = {1'b0, remote_elements} + {6'd0, remote_lines, 3'd0};
  assign host_too_long = too_long_of(host_lower.size_list_stride, host_local.srcoff[8:2]);
  assign remote_too_long = too_long_of(remote_lower.size_list_stride, remote_local.srcoff[8:2]);

  // The output of the selected FIFO.
  request_pkg::request_t   request;
  logic [63:0]             ex;
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t     lower;
  command_pkg::lhs_upper_t lhs_upper;
  command_pkg::ex_t        command_ex;
  /* verilator lint_on UNUSEDSIGNAL */
  assign request = remote_q ? pins_i.remote_request : pins_i.host_request;
  assign ex = remote_q ? pins_i.remote_ex : pins_i.host_ex;
  assign lower = request.lower;
  assign lhs_upper = request.upper;
  assign command_ex = ex;

  // Bytes of the command: Size, or those of its elements. The data of an IPUSH is contiguous.
  request_acceptor_pkg::sizes_t sizes;
  logic        is_ipush;
  logic        limited;
  assign is_ipush = (lower.otype[4:2] == command_pkg::FamilyIpush) && lower.otype[1:0] != 2'd3;
  assign sizes.command = (is_ipush || lower.otype[1:0] == 2'd0) ?
                         lower.size_list_stride : {24'd0, lower.iteration} << lower.dtype;
  // The sizes from Command Ex and from the Write Windows are computed for both FIFOs in parallel
  // with the choice between them.
  assign sizes.elements = remote_q ? remote_elements : host_elements;
  assign limited = (command_ex.otype[1:0] != 2'd0) && (command_ex.otype[1:0] != 2'd3);
  assign sizes.limited = limited;
  assign sizes.window_lines = remote_q ? remote_lines : host_lines;
  assign sizes.limit = remote_q ? remote_limit : host_limit;
  assign first_word = remote_q ? remote_local.srcoff[8:2] : host_local.srcoff[8:2];
  assign sizes.room = botf_pkg::WindowBytes - {1'b0, first_word, 2'b00};
  assign sizes.too_long = remote_q ? remote_too_long : host_too_long;

  // Whether there is nothing to transfer, directly from the request: there are no elements if
  // Iteration is 0.
  logic of_command;
  logic of_limit;
  assign of_command = (is_ipush || lower.otype[1:0] == 2'd0) ? lower.size_list_stride != 32'd0 :
                                                               lower.iteration != 8'd0;
  assign of_limit = command_ex.iteration != 8'd0 ||
                    (lower.otype == command_pkg::LhsV2 && lhs_upper.window_size[9:3] != 7'd0 &&
                     lower.size_list_stride[31:3] != 29'd0);
  assign sizes.nothing = !of_command || (limited && !of_limit);

  always_comb begin
    state_d = state_q;
    remote_d = remote_q;
    request_d = request_q;
    ex_d = ex_q;
    sizes_d = sizes_q;

    unique case (state_q)
      // Nop: when both FIFOs hold requests, the one not served last is next.
      request_acceptor_pkg::Nop: begin
        if (!pins_i.host_empty || !pins_i.remote_empty) begin
          remote_d = !pins_i.remote_empty && (pins_i.host_empty || !remote_q);
          state_d = request_acceptor_pkg::Req;
        end
      end
      // Req: the FIFO answers in the next cycle.
      request_acceptor_pkg::Req: state_d = request_acceptor_pkg::ReqIn;
      // ReqIn: the output of the FIFO is valid, and so are the sizes derived from it.
      request_acceptor_pkg::ReqIn: begin
        request_d = request;
        ex_d = ex;
        sizes_d = sizes;
        state_d = request_acceptor_pkg::Wait;
      end
      // Wait: the Executor latches the request when it dispatches it.
      request_acceptor_pkg::Wait: begin
        if (pins_i.executor_ready) begin
          state_d = request_acceptor_pkg::Nop;
        end
      end
      default: state_d = request_acceptor_pkg::Nop;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= request_acceptor_pkg::Nop;
      remote_q <= '0;
      request_q <= '0;
      ex_q <= '0;
      sizes_q <= '0;
    end else begin
      state_q <= state_d;
      remote_q <= remote_d;
      request_q <= request_d;
      ex_q <= ex_d;
      sizes_q <= sizes_d;
    end
  end

  // The prepared sizes are those of the request: Command Ex limits the elements if it has a list or
  // a stride, and the room in the window begins at the source.
`ifndef SYNTHESIS
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t latched_lower;
  command_pkg::upper_t latched_local;
  /* verilator lint_on UNUSEDSIGNAL */
  assign latched_lower = request_q.lower;
  assign latched_local = request_q.upper;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LimitIsThatOfTheRequest : assert ((state_q != request_acceptor_pkg::Wait) ||
          (sizes_q.limited == (ex_q[0] ^ ex_q[1])));
      NothingIsThatOfTheSizes : assert ((state_q != request_acceptor_pkg::Wait) ||
          (sizes_q.nothing == (sizes_q.command == 32'd0 ||
                               (sizes_q.limited && sizes_q.limit == 16'd0))));
      RoomIsThatOfTheRequest : assert ((state_q != request_acceptor_pkg::Wait) ||
          ({1'b0, sizes_q.room} + {2'd0, latched_local.srcoff[8:2], 2'd0} ==
               {1'b0, botf_pkg::WindowBytes} &&
           sizes_q.too_long == (latched_lower.size_list_stride > {22'd0, sizes_q.room})));
    end
  end
`endif

endmodule
