/// Request Acceptor: fetches requests for the Request Executor (thesis section 5.3.1, figure 5.9).
///
/// While the Executor runs one primitive, the next is fetched and waits, which shortens the gap between them.
/// The Acceptor serves the two Request FIFOs in turn when both hold requests (decision 0008). A request is
/// handed over in the cycle in which `request_enable` and `executor_ready` are both high.
///
/// How much data a request of the RVS, RVL, IPUSH or VL family moves is prepared while it is latched, because the RVS module
/// asks for it in the cycle in which it takes the request (decision 0052).
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

  // The request on the chosen FIFO's output.
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

  // Bytes that the command comes to: Size, or those of its elements. The data of an IPUSH is contiguous.
  request_acceptor_pkg::sizes_t sizes;
  logic        is_ipush;
  logic        limited;
  logic [8:0]  pairs;
  logic [10:0] fours;
  logic [14:0] elements;
  logic [6:0]  wanted_lines;
  logic [6:0]  window_lines;
  logic        is_lhs_v2;
  logic        size_is_least;
  logic        window_is_least;
  assign is_ipush = (lower.otype[4:2] == command_pkg::FamilyIpush) && lower.otype[1:0] != 2'd3;
  assign sizes.command = (is_ipush || lower.otype[1:0] == 2'd0) ?
                         lower.size_list_stride : {24'd0, lower.iteration} << lower.dtype;
  // Bytes of the elements of Command Ex, by one bit of their size after the other. The variant that is none means contiguous.
  assign pairs = command_ex.dtype[0] ? {command_ex.iteration, 1'b0} : {1'b0, command_ex.iteration};
  assign fours = command_ex.dtype[1] ? {pairs, 2'd0} : {2'd0, pairs};
  assign elements = command_ex.dtype[2] ? {fours, 4'd0} : {4'd0, fours};
  assign sizes.elements = elements;
  assign limited = (command_ex.otype[1:0] != 2'd0) && (command_ex.otype[1:0] != 2'd3);
  assign sizes.limited = limited;
  // Lines that an LHSv2 takes from the Write Windows before SO-DIMM: whole ones, not more than there are, and not more than
  // its Size has. The three are compared beside each other.
  assign wanted_lines = lhs_upper.window_size[9:3];
  assign size_is_least = lower.size_list_stride[31:3] < {22'd0, wanted_lines} &&
                         lower.size_list_stride[31:3] < {22'd0, request_acceptor_pkg::WindowLines[6:0]};
  assign window_is_least = (wanted_lines > request_acceptor_pkg::WindowLines[6:0]);
  assign is_lhs_v2 = (lower.otype == command_pkg::LhsV2);
  assign window_lines = !is_lhs_v2 ? 7'd0 :
                        size_is_least ? lower.size_list_stride[9:3] :
                        window_is_least ? request_acceptor_pkg::WindowLines[6:0] : wanted_lines;

  // With the elements of Command Ex they are the limit. Each of the three is added beside the comparisons.
  logic [15:0] size_limit;
  logic [15:0] window_limit;
  logic [15:0] wanted_limit;
  assign size_limit = {1'b0, elements} + {6'd0, lower.size_list_stride[9:3], 3'd0};
  assign window_limit = {1'b0, elements} + {6'd0, request_acceptor_pkg::WindowLines[6:0], 3'd0};
  assign wanted_limit = {1'b0, elements} + {6'd0, wanted_lines, 3'd0};
  assign sizes.window_lines = window_lines;
  assign sizes.limit = !is_lhs_v2 ? {1'b0, elements} :
                       size_is_least ? size_limit :
                       window_is_least ? window_limit : wanted_limit;

  // Whether there is nothing to move, out of the request itself: elements are none where their number is 0.
  logic of_command;
  logic of_limit;
  assign of_command = (is_ipush || lower.otype[1:0] == 2'd0) ? lower.size_list_stride != 32'd0 : lower.iteration != 8'd0;
  assign of_limit = command_ex.iteration != 8'd0 ||
                    (is_lhs_v2 && wanted_lines != 7'd0 && lower.size_list_stride[31:3] != 29'd0);
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
      // ReqIn: the output of the FIFO is valid, and what follows from it.
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

  // What was prepared beside a request is that of the request: elements count where Command Ex has a list or a stride.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LimitIsThatOfTheRequest : assert ((state_q != request_acceptor_pkg::Wait) ||
          (sizes_q.limited == (ex_q[0] ^ ex_q[1])));
      NothingIsThatOfTheSizes : assert ((state_q != request_acceptor_pkg::Wait) ||
          (sizes_q.nothing == (sizes_q.command == 32'd0 || (sizes_q.limited && sizes_q.limit == 16'd0))));
    end
  end
`endif

endmodule
