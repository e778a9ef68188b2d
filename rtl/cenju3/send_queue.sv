/// Send queue: fetches the oldest entry from local memory, and moves its position when the entry is
/// done (paper, section 3).
///
/// The next read position moves after the last word of data has been read, so the library may
/// overwrite the data of entries before it.
module send_queue (
    /// Clock, 75 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From registers, memory, mask.
    input  send_queue_pkg::in_t  pins_i,
    /// To memory, mask, registers.
    output send_queue_pkg::out_t pins_o
);

  send_queue_pkg::state_e state_d, state_q;
  logic [5:0]  read_d, read_q;
  logic [25:0] entry_d, entry_q;
  logic [63:0] control_d, control_q;
  logic [63:0] addresses_d, addresses_q;

  assign pins_o.idle = (state_q == send_queue_pkg::Idle);
  assign pins_o.memory_request = (state_q == send_queue_pkg::First) ||
                                 (state_q == send_queue_pkg::Second);
  assign pins_o.memory_address = (state_q == send_queue_pkg::Second) ? (entry_q | 26'd8) : entry_q;
  assign pins_o.memory_left = (state_q == send_queue_pkg::Second) ? 6'd1 : 6'd2;
  assign pins_o.valid = (state_q == send_queue_pkg::Offer);
  assign pins_o.control = control_q;
  assign pins_o.addresses = addresses_q;
  assign pins_o.entry = entry_q;
  assign pins_o.read = read_q;

  always_comb begin
    state_d = state_q;
    read_d = read_q;
    entry_d = entry_q;
    control_d = control_q;
    addresses_d = addresses_q;

    unique case (state_q)
      // Idle: one entry stays free, so equal positions are an empty queue.
      send_queue_pkg::Idle: begin
        if (pins_i.enable && (pins_i.write != read_q)) begin
          entry_d = {pins_i.base, read_q, 6'b0};
          state_d = send_queue_pkg::First;
        end
      end
      // First: the burst has two words; send DMA reads the others after the data.
      send_queue_pkg::First: begin
        if (pins_i.memory_ready) begin
          control_d = pins_i.memory_rdata;
          state_d = send_queue_pkg::Second;
        end
      end
      send_queue_pkg::Second: begin
        if (pins_i.memory_ready) begin
          addresses_d = pins_i.memory_rdata;
          state_d = send_queue_pkg::Offer;
        end
      end
      // Offer: the position moves when entry and data are not needed any more.
      send_queue_pkg::Offer: begin
        if (pins_i.done) begin
          read_d = read_q + 6'd1;
          state_d = send_queue_pkg::Idle;
        end
      end
      default: state_d = send_queue_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_queue_pkg::Idle;
      read_q <= '0;
      entry_q <= '0;
      control_q <= '0;
      addresses_q <= '0;
    end else begin
      state_q <= state_d;
      read_q <= read_d;
      entry_q <= entry_d;
      control_q <= control_d;
      addresses_q <= addresses_d;
    end
  end

  // The held entry is the oldest one, and the position moves past it alone.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      EntryIsTheOldest : assert ((state_q == send_queue_pkg::Idle) ||
          (entry_q[11:0] == {read_q, 6'b0}));
      PositionMovesWhenTheEntryIsDone : assert ((read_d == read_q) ||
          ((state_q == send_queue_pkg::Offer) && pins_i.done));
      PositionMovesByOne : assert ((read_d == read_q) || (read_d == read_q + 6'd1));
    end
  end
`endif

endmodule
