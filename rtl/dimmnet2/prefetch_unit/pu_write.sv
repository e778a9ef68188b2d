/// Writer of the Prefetch Unit: packs pieces into words and stores them (thesis section 4.5.6,
/// dsh's pu_write).
///
/// Pieces wait in a FIFO. The oldest one is on the FIFO's output while `loaded`; its word is taken
/// from the SO-DIMM interface as soon as it arrives. In the next cycle its bytes are appended to
/// those before, so that a word of 8 bytes is stored for every 8 bytes that arrive. The bytes left
/// over by the last piece make one more word.
///
/// Words go into the list buffer, into a Prefetch Window, or into the packet buffer. The Receive
/// Controller has priority on the window port: a word waits for a free cycle, and one more may wait
/// behind it. Lines in the packet buffer have zeros in the bytes that are not data. The two
/// machines that dsh shows share one state register: PW is busy during a run into a window or the
/// list buffer, FIFO during one into the packet buffer.
///
/// The two words of a pair are taken together, as soon as both have arrived, and become two lines
/// of the packet buffer.
module pu_write (
    /// Core clock, 100 MHz.
    input  logic               clk_i,
    /// Synchronous reset.
    input  logic               rst_ni,
    /// From control, reader, SO-DIMM interface, Receive Controller.
    input  pu_write_pkg::in_t  pins_i,
    /// To SO-DIMM interface, Prefetch Window, list buffer, reader, control, registers.
    output pu_write_pkg::out_t pins_o
);

  pu_write_pkg::state_e state_d, state_q;
  logic        to_list_d, to_list_q;
  logic        to_packet_d, to_packet_q;
  logic [8:0]  address_d, address_q;
  logic        loaded_d, loaded_q;
  logic        almost_full_d, almost_full_q;
  pu_read_pkg::piece_t piece_d, piece_q;
  logic        piece_valid_d, piece_valid_q;
  logic        high_d, high_q;
  logic [31:0] carry_d, carry_q;
  logic [3:0]  carry_enable_d, carry_enable_q;
  logic [63:0] data_d, data_q;
  logic [7:0]  byte_enable_d, byte_enable_q;
  logic [63:0] behind_d, behind_q;
  logic [7:0]  behind_enable_d, behind_enable_q;
  logic        pair_d, pair_q;
  logic [3:0]  quarters_d, quarters_q;

  pu_read_pkg::piece_t waiting;
  logic                pieces_empty;
  logic [4:0]          pieces_count;

  logic to_window;
  assign to_window = !to_list_q && !to_packet_q;

  // While a second word waits behind the first, everything before it is stopped.
  logic stopped;
  assign stopped = (behind_enable_q != 8'h00);

  assign pins_o.pieces_almost_full = almost_full_q;
  assign pins_o.waits = !pieces_empty || loaded_q || piece_valid_q;
  assign pins_o.data_next0 = loaded_q && !stopped && !waiting.absent && !waiting.second;
  assign pins_o.data_next1 = loaded_q && !stopped && !waiting.absent &&
                             (waiting.second || waiting.pair);
  assign pins_o.prefetch_window_byte_enable = !to_window ? 16'd0 :
                                              address_q[0] ? {byte_enable_q, 8'd0} :
                                              {8'd0, byte_enable_q};
  assign pins_o.prefetch_window_address = address_q[8:1];
  assign pins_o.prefetch_window_wdata = {data_q, data_q};
  assign pins_o.list_write_enable = to_list_q && byte_enable_q != 8'h00;
  assign pins_o.list_row = address_q[6:0];
  assign pins_o.list_wdata = data_q;
  assign pins_o.packet_write_enable = to_packet_q && byte_enable_q != 8'h00;
  assign pins_o.packet_wdata = data_q & {{8{byte_enable_q[7]}}, {8{byte_enable_q[6]}},
                                         {8{byte_enable_q[5]}}, {8{byte_enable_q[4]}},
                                         {8{byte_enable_q[3]}}, {8{byte_enable_q[2]}},
                                         {8{byte_enable_q[1]}}, {8{byte_enable_q[0]}}};
  assign pins_o.packet_pair = pair_q;
  assign pins_o.packet_second = behind_q;
  assign pins_o.quarters = quarters_q;
  assign pins_o.to_packet = to_packet_q;
  assign pins_o.idle = (state_q == pu_write_pkg::Idle);
  assign pins_o.state = state_q;

  logic there0;
  logic there1;
  logic take;
  logic load;
  assign there0 = waiting.second || !pins_i.data.empty0;
  assign there1 = !(waiting.second || waiting.pair) || !pins_i.data.empty1;
  assign take = loaded_q && !stopped && (waiting.absent || (there0 && there1));
  assign load = !pieces_empty && (!loaded_q || take);

  /* verilator lint_off PINCONNECTEMPTY */
  // The FIFO never fills: `pieces_almost_full` stops the reader first.
  fifo #(
      .Width(8),
      .Depth(16)
  ) u_pieces (
      .clk_i,
      .rst_ni,
      .write_enable_i(pins_i.piece_enable),
      .wdata_i(pins_i.piece),
      .read_enable_i(load),
      .rdata_o(waiting),
      .empty_o(pieces_empty),
      .full_o(),
      .count_o(pieces_count)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic stored;
  logic free;
  assign stored = (byte_enable_q != 8'h00) && (!to_window || pins_i.prefetch_window_free);
  assign free = (byte_enable_q == 8'h00) || stored;

  // The piece being appended.
  logic        join_piece;
  logic [63:0] word;
  logic [63:0] data;
  logic [7:0]  mask;
  logic        whole;
  assign join_piece = piece_valid_q && !stopped;
  assign word = piece_q.absent ? 64'd0 : piece_q.second ? pins_i.data.data1 : pins_i.data.data0;
  assign data = piece_q.upper ? {32'd0, word[63:32]} : word;
  assign mask = ~(8'hff << piece_q.bytes);
  assign whole = high_q || piece_q.bytes > 4'd4;

  logic pending;
  assign pending = !pieces_empty || loaded_q || piece_valid_q || stopped;

  always_comb begin
    state_d = state_q;
    to_list_d = to_list_q;
    to_packet_d = to_packet_q;
    address_d = stored ? address_q + 9'd1 : address_q;
    loaded_d = load || (loaded_q && !take);
    // The next fill level of the FIFO is compared for each of the three cases in parallel with the
    // decision between them (decision 0052).
    almost_full_d = (pins_i.piece_enable && !load) ?
                    pieces_count >= pu_write_pkg::AlmostFull - 5'd1 :
                    (load && !pins_i.piece_enable) ?
                    pieces_count >= pu_write_pkg::AlmostFull + 5'd1 :
                    pieces_count >= pu_write_pkg::AlmostFull;
    piece_d = take ? waiting : piece_q;
    piece_valid_d = stopped ? piece_valid_q : take;
    high_d = high_q;
    carry_d = carry_q;
    carry_enable_d = carry_enable_q;
    data_d = data_q;
    byte_enable_d = byte_enable_q;
    behind_d = behind_q;
    behind_enable_d = behind_enable_q;
    pair_d = 1'b0;
    quarters_d = 4'h0;

    if (stored && to_window && address_q[3:0] == 4'hf) begin
      quarters_d = 4'd1 << address_q[5:4];
    end
    if (free) begin
      byte_enable_d = behind_enable_q;
      behind_enable_d = 8'h00;
      if (stopped) data_d = behind_q;
    end

    // Appends the bytes of a piece to those carried over. A complete word becomes `data`, or
    // `behind` if `data` is occupied.
    if (join_piece) begin
      if (high_q) begin
        carry_d = data[63:32];
        carry_enable_d = mask[7:4];
        high_d = (piece_q.bytes > 4'd4);
      end else if (!whole) begin
        carry_d = data[31:0];
        carry_enable_d = mask[3:0];
        high_d = 1'b1;
      end
      if (whole && free) begin
        data_d = high_q ? {data[31:0], carry_q} : data;
        byte_enable_d = high_q ? {mask[3:0], carry_enable_q} : mask;
      end else if (whole) begin
        behind_d = high_q ? {data[31:0], carry_q} : data;
        behind_enable_d = high_q ? {mask[3:0], carry_enable_q} : mask;
      end
      // The packet buffer always has room, so `behind` is empty.
      if (piece_q.pair) begin
        behind_d = piece_q.absent ? 64'd0 : pins_i.data.data1;
        pair_d = 1'b1;
      end
    end

    unique case (state_q)
      // Idle: the run before has left nothing.
      pu_write_pkg::Idle: begin
        if (pins_i.start) begin
          to_list_d = pins_i.to_list;
          to_packet_d = pins_i.to_packet;
          address_d = pins_i.to_list ? 9'd0 : pins_i.destination[9:1];
          high_d = !pins_i.to_list && !pins_i.to_packet && pins_i.destination[0];
          carry_enable_d = 4'h0;
          state_d = pu_write_pkg::Write;
        end
      end
      // Write: the bytes left over by the last piece make one more word.
      pu_write_pkg::Write: begin
        if (pins_i.ended && !pending && free) begin
          data_d = {32'd0, carry_q};
          byte_enable_d = {4'h0, carry_enable_q};
          carry_enable_d = 4'h0;
          if (carry_enable_q == 4'h0) begin
            quarters_d = to_window ? 4'hf : 4'h0;
            state_d = pu_write_pkg::Idle;
          end
        end
      end
      default: state_d = pu_write_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pu_write_pkg::Idle;
      to_list_q <= '0;
      to_packet_q <= '0;
      address_q <= '0;
      loaded_q <= '0;
      almost_full_q <= '0;
      piece_q <= '0;
      piece_valid_q <= '0;
      high_q <= '0;
      carry_q <= '0;
      carry_enable_q <= '0;
      data_q <= '0;
      byte_enable_q <= '0;
      behind_q <= '0;
      behind_enable_q <= '0;
      pair_q <= '0;
      quarters_q <= '0;
    end else begin
      state_q <= state_d;
      to_list_q <= to_list_d;
      to_packet_q <= to_packet_d;
      address_q <= address_d;
      loaded_q <= loaded_d;
      almost_full_q <= almost_full_d;
      piece_q <= piece_d;
      piece_valid_q <= piece_valid_d;
      high_q <= high_d;
      carry_q <= carry_d;
      carry_enable_q <= carry_enable_d;
      data_q <= data_d;
      byte_enable_q <= byte_enable_d;
      behind_q <= behind_d;
      behind_enable_q <= behind_enable_d;
      pair_q <= pair_d;
      quarters_q <= quarters_d;
    end
  end

  // `behind` is occupied only if `data` is, or if its word leaves in this cycle.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WordIsBehindAnother : assert ((behind_enable_q == 8'h00) || (byte_enable_q != 8'h00));
    end
  end
`endif

endmodule
