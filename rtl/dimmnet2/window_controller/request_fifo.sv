/// Request FIFO: holds requests until the Request Acceptor takes them (thesis section 5.3, figure
/// 5.8).
///
/// The request and its Command Ex are stored separately. There are two Request FIFOs: one for the
/// host, which both processes share, and one for RVL requests from remote nodes. Depth and
/// thresholds are not published; decision 0008 chooses them.
///
/// The Request Acceptor takes a request at least two cycles after the FIFO has reported it, so the
/// memories are read ahead.
module request_fifo (
    /// Core clock, 100 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From the command registers or Request Separator, and Request Acceptor.
    input  request_fifo_pkg::in_t  pins_i,
    /// To Request Acceptor and the source of the requests.
    output request_fifo_pkg::out_t pins_o
);

  logic [9:0] count;

  assign pins_o.almost_full = (request_fifo_pkg::Depth - {22'd0, count} <
                               request_fifo_pkg::AlmostFullFree);

  fifo #(
      .Width(request_fifo_pkg::RequestWidth),
      .Depth(request_fifo_pkg::Depth),
      .Ahead(1'b1)
  ) u_request (
      .clk_i,
      .rst_ni,
      .write_enable_i(pins_i.write_enable),
      .wdata_i(pins_i.request),
      .read_enable_i(pins_i.read_enable),
      .rdata_o(pins_o.request),
      .empty_o(pins_o.empty),
      .full_o(pins_o.full),
      .count_o(count)
  );

  // Written and read together with the request, so it holds the same number of words.
  logic       unused_empty;
  logic       unused_full;
  logic [9:0] unused_count;

  fifo #(
      .Width(request_fifo_pkg::ExWidth),
      .Depth(request_fifo_pkg::Depth),
      .Ahead(1'b1)
  ) u_ex (
      .clk_i,
      .rst_ni,
      .write_enable_i(pins_i.write_enable),
      .wdata_i(pins_i.ex),
      .read_enable_i(pins_i.read_enable),
      .rdata_o(pins_o.ex),
      .empty_o(unused_empty),
      .full_o(unused_full),
      .count_o(unused_count)
  );

  // A request and its Command Ex are written and read together.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RequestAndItsExTogether : assert (
          (unused_empty == pins_o.empty) && (unused_full == pins_o.full) &&
          (unused_count == count));
    end
  end
`endif

endmodule
