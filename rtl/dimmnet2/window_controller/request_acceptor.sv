/// Request Acceptor: fetches requests for the Request Executor (thesis section 5.3.1, figure 5.9).
///
/// While the Executor runs one primitive, the next is fetched and waits, which shortens the gap between them.
/// The Acceptor serves the two Request FIFOs in turn when both hold requests (decision 0008). A request is
/// handed over in the cycle in which `request_enable` and `executor_ready` are both high.
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

  assign pins_o.host_read_enable = (state_q == request_acceptor_pkg::Req) && !remote_q;
  assign pins_o.remote_read_enable = (state_q == request_acceptor_pkg::Req) && remote_q;
  assign pins_o.request = request_q;
  assign pins_o.ex = ex_q;
  assign pins_o.remote = remote_q;
  assign pins_o.request_enable = (state_q == request_acceptor_pkg::Wait);
  assign pins_o.state = state_q;

  always_comb begin
    state_d = state_q;
    remote_d = remote_q;
    request_d = request_q;
    ex_d = ex_q;

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
      // ReqIn: the output of the FIFO is valid.
      request_acceptor_pkg::ReqIn: begin
        request_d = remote_q ? pins_i.remote_request : pins_i.host_request;
        ex_d = remote_q ? pins_i.remote_ex : pins_i.host_ex;
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
    end else begin
      state_q <= state_d;
      remote_q <= remote_d;
      request_q <= request_d;
      ex_q <= ex_d;
    end
  end

endmodule
