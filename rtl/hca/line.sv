/// A line of queue pairs that wait for a turn, first come, first served.
///
/// Each source of work has a line of its own, so none has to wait until another one has joined. The
/// number in front lies in a register, the others in a memory. A number joins a line once at a
/// time, so as many places as numbers are enough.
module line #(
    /// Numbers that may be in the line, a power of two.
    parameter int Places = 256,
    /// Width of a place in bits.
    localparam int PlaceWidth = $clog2(Places)
) (
    /// Clock of the adapter, 125 MHz.
    input  logic           clk_i,
    /// Synchronous reset.
    input  logic           rst_ni,
    /// From the scheduler.
    input  line_pkg::in_t  pins_i,
    /// To the scheduler.
    output line_pkg::out_t pins_o
);

  logic                  ready_d, ready_q;
  logic [7:0]            front_d, front_q;
  logic                  moves_d, moves_q;
  logic [PlaceWidth-1:0] head_d, head_q;
  logic [PlaceWidth-1:0] tail_d, tail_q;

  assign pins_o.ready = ready_q;
  assign pins_o.front = front_q;

  // A number goes to the front at once if no other one is there or on its way.
  logic       alone;
  logic       fills;
  logic       stores;
  logic       fetches;
  logic [7:0] number;
  assign alone = (head_q == tail_q);
  assign fills = pins_i.joins && alone && !moves_q && (pins_i.leaves || !ready_q);
  assign stores = pins_i.joins && !fills;
  assign fetches = pins_i.leaves && !alone;

  ram #(
      .Width(8),
      .Depth(Places),
      .Distributed(1'b1)
  ) u_numbers (
      .clk_i,
      .rst_ni,
      .read_enable_i(fetches),
      .read_address_i(head_q),
      .next_address_i('0),
      .rdata_o(number),
      .write_enable_i(stores),
      .write_address_i(tail_q),
      .wdata_i(pins_i.pair)
  );

  assign ready_d = (ready_q && !pins_i.leaves) || moves_q || fills;
  assign front_d = fills ? pins_i.pair : moves_q ? number : front_q;
  assign moves_d = fetches;
  assign head_d = head_q + {{(PlaceWidth - 1){1'b0}}, fetches};
  assign tail_d = tail_q + {{(PlaceWidth - 1){1'b0}}, stores};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q <= '0;
      front_q <= '0;
      moves_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else begin
      ready_q <= ready_d;
      front_q <= front_d;
      moves_q <= moves_d;
      head_q <= head_d;
      tail_q <= tail_d;
    end
  end

  // Who waits is in front or on the way to it.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LineHasAFront : assert (alone || ready_q || moves_q);
    end
  end
`endif

endmodule
