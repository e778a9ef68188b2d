/// Receiver: stores packets in its two slots, and drops those whose length or ICRC is wrong (IBA
/// volume 1, sections 7.7.4, 7.8.1).
///
/// The receive engine sees a packet after its last word has been checked. The link waits while both
/// slots are full: InfiniBand drops no packet for lack of room. Credits, which decide when a sender
/// waits, are outside the pins.
module link_receive (
    /// Clock of the adapter, 125 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From link and receive engine.
    input  link_receive_pkg::in_t  pins_i,
    /// To link, memory, receive engine.
    output link_receive_pkg::out_t pins_o
);

  link_receive_pkg::state_e state_d, state_q;
  logic [1:0]                 full_d, full_q;
  logic                       fill_d, fill_q;
  logic                       oldest_d, oldest_q;
  logic [9:0]                 index_d, index_q;
  logic [10:0]                units_d, units_q;
  logic                       fits_d, fits_q;
  logic [31:0]                crc_d, crc_q;
  logic [63:0]                wdata_d, wdata_q;
  logic [9:0]                 address_d, address_q;
  logic                       write_d, write_q;
  register_pkg::link_counts_t counts_d, counts_q;

  assign pins_o.ready = (state_q == link_receive_pkg::Take) && (full_q != 2'd2);
  assign pins_o.wdata = wdata_q;
  assign pins_o.address = address_q;
  assign pins_o.write = write_q;
  assign pins_o.waiting = (full_q != 2'd0);
  assign pins_o.slot = oldest_q;
  assign pins_o.counts = counts_q;

  // Bytes 4 and 5 of the first word hold the length. The last word has only its lower half if the
  // length is odd. In `masked` the virtual lane and the reserved byte of the BTH are ones. A packet
  // of the length in its header ends at `last_word`.
  logic        half;
  logic [63:0] masked;
  logic [31:0] crc;
  logic [10:0] last_word;
  logic        good;
  assign half = pins_i.last && (index_q != 10'd0) && units_q[0];
  assign masked = pins_i.data | ((index_q == 10'd0) ? 64'h0000_0000_0000_00f0 :
                                 (index_q == 10'd1) ? 64'h0000_00ff_0000_0000 : 64'd0);
  assign last_word = units_q - 11'd1;
  assign good = fits_q && (crc_q == 32'hdebb_20e3);

  icrc u_icrc (
      .crc_i((index_q == 10'd0) ? 32'hffff_ffff : crc_q),
      .data_i(masked),
      .half_i(half),
      .crc_o(crc)
  );

  logic filled;
  logic released;
  assign filled = (state_q == link_receive_pkg::Check) && good;
  assign released = pins_i.release_slot && (full_q != 2'd0);

  always_comb begin
    state_d = state_q;
    full_d = full_q;
    fill_d = fill_q;
    oldest_d = oldest_q;
    index_d = index_q;
    units_d = units_q;
    fits_d = fits_q;
    crc_d = crc_q;
    wdata_d = wdata_q;
    address_d = address_q;
    write_d = write_q;
    counts_d = counts_q;
    write_d = 1'b0;

    unique case (state_q)
      // Take: the count saturates, so that a packet that is too long stays too long.
      link_receive_pkg::Take: begin
        if (pins_i.valid && (full_q != 2'd2)) begin
          wdata_d = pins_i.data;
          address_d = {fill_q, index_q[8:0]};
          write_d = !index_q[9];
          fits_d = (units_q >= layout_pkg::MinUnits) && (units_q <= layout_pkg::MaxUnits) &&
                   (index_q == last_word[10:1]);
          crc_d = crc;
          index_d = (index_q == 10'h3ff) ? 10'h3ff : index_q + 10'd1;
          if (index_q == 10'd0) units_d = {pins_i.data[34:32], pins_i.data[47:40]};
          if (pins_i.last) state_d = link_receive_pkg::Check;
        end
      end
      // Check: the last word is written in this cycle.
      link_receive_pkg::Check: begin
        if (!fits_q) counts_d.length_errors = counts_q.length_errors + 16'd1;
        else if (!good) counts_d.icrc_errors = counts_q.icrc_errors + 16'd1;
        else fill_d = !fill_q;
        index_d = '0;
        state_d = link_receive_pkg::Take;
      end
      default: state_d = link_receive_pkg::Take;
    endcase

    if (released) oldest_d = !oldest_q;
    full_d = full_q + {1'b0, filled} - {1'b0, released};
  end

  // The lowest bit is that of a word that is not whole.
  logic unused;
  assign unused = &{1'b0, last_word[0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= link_receive_pkg::Take;
      full_q <= '0;
      fill_q <= '0;
      oldest_q <= '0;
      index_q <= '0;
      units_q <= '0;
      fits_q <= '0;
      crc_q <= '0;
      wdata_q <= '0;
      address_q <= '0;
      write_q <= '0;
      counts_q <= '0;
    end else begin
      state_q <= state_d;
      full_q <= full_d;
      fill_q <= fill_d;
      oldest_q <= oldest_d;
      index_q <= index_d;
      units_q <= units_d;
      fits_q <= fits_d;
      crc_q <= crc_d;
      wdata_q <= wdata_d;
      address_q <= address_d;
      write_q <= write_d;
      counts_q <= counts_d;
    end
  end

  // Two slots, which take turns; a packet that waits is not written.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TwoSlots : assert (full_q != 2'd3);
      SlotsTakeTurns : assert ((fill_q ^ oldest_q) == full_q[0]);
      PacketThatWaitsIsNotWritten : assert (
          !write_q || full_q == 2'd0 || (full_q == 2'd1 && address_q[9] != oldest_q));
    end
  end
`endif

endmodule
