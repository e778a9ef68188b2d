/// The Request Acceptor goes where figure 5.9 goes, for all inputs, and hands over what it fetched (thesis section 5.3.1).
///
/// The Acceptor reads one FIFO, in one cycle, and only one that holds a request. A request that
/// waits for the Executor does not change. While both FIFOs hold requests, neither is read twice in
/// a row. The prepared sizes tell whether the transfer moves any data (decision 0052).
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | state_d = request_acceptor_pkg::ReqIn | state_d = request_acceptor_pkg::Wait
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | remote_d = !pins_i.remote_empty && | remote_d =
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | (pins_i.host_empty \|\| !remote_q) | 1'b1
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | request = remote_q ? | request = !remote_q ?
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | (command_ex.otype[1:0] != 2'd0) && (command_ex.otype[1:0] != 2'd3) | (command_ex.otype[1:0] != 2'd0)
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | sizes.nothing = !of_command \|\| (limited && !of_limit) | sizes.nothing = !of_command
// Mutation: rtl/dimmnet2/window_controller/request_acceptor.sv | if (!pins_i.host_empty \|\| !pins_i.remote_empty) begin | if (!pins_i.host_empty) begin
// Witness: NothingIsThatOfTheSizes | rtl/dimmnet2/window_controller/request_acceptor.sv | of_limit = command_ex.iteration != 8'd0 \|\| | of_limit =
// Witness: LimitIsThatOfTheRequest | rtl/dimmnet2/window_controller/request_acceptor.sv | sizes_d = sizes; | sizes_d = sizes_q;
// Witness: RoomIsThatOfTheRequest | rtl/dimmnet2/window_controller/request_acceptor.sv | sum = {1'b0, size[9:0]} + | sum = {1'b0, size[9:0]} -
module request_acceptor_proof (
    input logic clk_i,
    input logic rst_ni,
    input request_acceptor_pkg::in_t pins_i
);

  request_acceptor_pkg::out_t pins_o;
  request_acceptor u_request_acceptor (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_request_acceptor.state_q ;

  machine #(.States(4), .Arcs(request_acceptor_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_request_acceptor.state_q )
  );

  // Figure 5.9; Ack is `executor_ready`.
  logic [1:0] next;
  always @* begin
    case (\u_request_acceptor.state_q )
      request_acceptor_pkg::Nop:
        next = (pins_i.host_empty && pins_i.remote_empty) ? request_acceptor_pkg::Nop : request_acceptor_pkg::Req;
      request_acceptor_pkg::Req: next = request_acceptor_pkg::ReqIn;
      request_acceptor_pkg::ReqIn: next = request_acceptor_pkg::Wait;
      default: next = pins_i.executor_ready ? request_acceptor_pkg::Nop : request_acceptor_pkg::Wait;
    endcase
  end

  diagram #(.Width(2)) u_diagram (
      .clk_i,
      .rst_ni,
      .state_i(\u_request_acceptor.state_q ),
      .next_i(next)
  );

  // Bytes of a transfer: those of its command, limited to the elements of Command Ex if it has any.
  // IPUSH has bytes where other primitives may have elements, and LHSv2 may consist of lines of the
  // Write Window only.
  /* verilator lint_off UNUSEDSIGNAL */
  command_pkg::lower_t     command;
  command_pkg::lhs_upper_t upper;
  command_pkg::ex_t        ex;
  /* verilator lint_on UNUSEDSIGNAL */
  logic                    ipush;
  logic                    transfer;
  logic                    commanded;
  logic                    allowed;
  assign command = pins_o.request.lower;
  assign upper = pins_o.request.upper;
  assign ex = pins_o.ex;
  assign ipush = command.otype == command_pkg::Ipush || command.otype == command_pkg::LhsV1 ||
                 command.otype == command_pkg::LhsV2;
  assign transfer = ipush ||
                    command.otype == command_pkg::Rvs || command.otype == command_pkg::Rvss ||
                    command.otype == command_pkg::Rvsi || command.otype == command_pkg::Rvl ||
                    command.otype == command_pkg::Rvls || command.otype == command_pkg::Rvli;
  assign commanded = (ipush || command.otype[1:0] == 2'd0) ? command.size_list_stride != 32'd0 :
                     command.iteration != 8'd0;
  assign allowed = ex.otype[1:0] == 2'd0 || ex.otype[1:0] == 2'd3 || ex.iteration != 8'd0 ||
                   (command.otype == command_pkg::LhsV2 && upper.window_size >= 10'd8 &&
                    command.size_list_stride >= 32'd8);

  // The same, from the prepared sizes.
  logic moves;
  assign moves = pins_o.sizes.command != 32'd0 &&
                 !(pins_o.sizes.limited && pins_o.sizes.limit == 16'd0);

  logic known_q;
  logic past_rst_nq;
  request_acceptor_pkg::in_t past_in_q;
  request_acceptor_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
  end

  always @* begin
    if (known_q) begin
      OneFifoIsRead: assert (!(pins_o.host_read_enable && pins_o.remote_read_enable));
      if (pins_o.host_read_enable) HostFifoHeldARequest: assert (!past_in_q.host_empty);
      if (pins_o.remote_read_enable) RemoteFifoHeldARequest: assert (!past_in_q.remote_empty);
      if ((pins_o.host_read_enable || pins_o.remote_read_enable) && !past_in_q.host_empty &&
          !past_in_q.remote_empty) begin
        FifosTakeTurns: assert (pins_o.remote_read_enable == !past_out_q.remote);
      end
      if (pins_o.request_enable) begin
        if (transfer) SizesTellWhetherItMoves: assert (moves == (commanded && allowed));
        NothingIsThatOfTheSizes: assert (pins_o.sizes.nothing == !moves);
        if (past_out_q.request_enable) begin
          RequestWaitsUnchanged: assert (pins_o.request == past_out_q.request && pins_o.ex == past_out_q.ex &&
                                         pins_o.sizes == past_out_q.sizes &&
                                         pins_o.remote == past_out_q.remote);
        end else begin
          RequestIsTheFifos: assert (
              pins_o.request == (pins_o.remote ? past_in_q.remote_request : past_in_q.host_request) &&
              pins_o.ex == (pins_o.remote ? past_in_q.remote_ex : past_in_q.host_ex));
        end
      end
      if (past_rst_nq && past_out_q.request_enable) begin
        RequestStaysUntilTaken: assert (pins_o.request_enable == !past_in_q.executor_ready);
      end
    end
  end

endmodule
