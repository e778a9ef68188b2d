/// Packet writer of the Receive Controller: stores data in a Prefetch Window or in LLCM (thesis
/// section 4.2, dsh's PWrite).
///
/// The writer takes the data lines of a packet from SWIF and assembles words of 8 bytes. If the
/// offset is not a multiple of 8, the upper half of each line is carried over into the next word.
/// Both memories accept a word in every cycle, a Prefetch Window as half a row of 16 bytes, so a
/// line is taken in every cycle. The LLCM port is free meanwhile, because a status is written
/// before the next packet's header is read.
///
/// Data beyond the window of 512 bytes or beyond the 32 KB of LLCM is cut. So is all data of a
/// later packet whose transfer began in another window. Offset bits above the four windows are
/// ignored; an LLCM offset of 32 KB or more stores nothing. A quarter of a window is reported when
/// its last byte is stored, and all quarters at the end of the transfer. A first line within the
/// packet makes it malformed: it and the lines after it are read and ignored.
module packet_write (
    /// Core clock, 100 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From packet control, SWIF. Bits 1:0 of the offset are ignored.
    /* verilator lint_off UNUSEDSIGNAL */
    input  packet_write_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To SWIF, Prefetch Window, LLCM, packet control.
    output packet_write_pkg::out_t pins_o
);

  packet_write_pkg::state_e state_d, state_q;
  logic        to_llcm_d, to_llcm_q;
  logic [12:0] address_d, address_q;
  logic        straddle_d, straddle_q;
  logic [11:0] remaining_d, remaining_q;
  logic [11:0] room_d, room_q;
  logic [11:0] bytes_d, bytes_q;
  logic        pull_d, pull_q;
  logic [31:0] carry_d, carry_q;
  logic [3:0]  carry_enable_d, carry_enable_q;
  logic [63:0] data_d, data_q;
  logic [7:0]  byte_enable_d, byte_enable_q;
  logic        overrun_d, overrun_q;
  logic        broken_d, broken_q;
  logic        completes_d, completes_q;
  logic [3:0]  quarters_d, quarters_q;

  assign pins_o.line_next = pull_q;
  assign pins_o.prefetch_window_byte_enable = to_llcm_q ? 16'h0000 :
                                              address_q[0] ? {byte_enable_q, 8'h00} :
                                              {8'h00, byte_enable_q};
  assign pins_o.prefetch_window_address = address_q[8:1];
  assign pins_o.prefetch_window_wdata = {data_q, data_q};
  assign pins_o.llcm_byte_enable = to_llcm_q ? byte_enable_q : 8'h00;
  assign pins_o.llcm_address = address_q;
  assign pins_o.llcm_wdata = data_q;
  assign pins_o.done = (state_q == packet_write_pkg::Done);
  assign pins_o.overrun = overrun_q;
  assign pins_o.broken = broken_q;
  assign pins_o.bytes = bytes_q;
  assign pins_o.quarters = quarters_q;
  assign pins_o.state = state_q;

  // Bytes from the offset to the end of its window or of LLCM, 4095 at most.
  logic [15:0] llcm_room;
  logic [11:0] room;
  assign llcm_room = 16'h8000 - {1'b0, pins_i.offset[14:2], 2'b00};
  assign room = (!pins_i.to_llcm && pins_i.outside) ? 12'd0 :
                !pins_i.to_llcm ? 12'h200 - {3'd0, pins_i.offset[8:2], 2'b00} :
                (pins_i.offset[31:15] != 17'd0) ? 12'd0 :
                (llcm_room[15:12] != 4'd0) ? 12'd4095 : llcm_room[11:0];

  // Bytes of the current line that belong to the packet, and those to store.
  logic       broken;
  logic [3:0] held;
  logic [3:0] stored;
  logic [7:0] mask;
  assign broken = (pins_i.line.id == line_pkg::First) || broken_q;
  assign held = broken ? 4'd0 : (remaining_q > 12'd8) ? 4'd8 : remaining_q[3:0];
  assign stored = broken ? 4'd0 : (room_q > 12'd8) ? 4'd8 : room_q[3:0];
  always_comb begin
    for (int i = 0; i < 8; i++) mask[i] = (stored > 4'(i));
  end

  logic last;
  assign last = (pins_i.line.id == line_pkg::Last);

  always_comb begin
    state_d = state_q;
    to_llcm_d = to_llcm_q;
    address_d = address_q;
    straddle_d = straddle_q;
    remaining_d = remaining_q;
    room_d = room_q;
    bytes_d = bytes_q;
    pull_d = pull_q;
    carry_d = carry_q;
    carry_enable_d = carry_enable_q;
    data_d = data_q;
    byte_enable_d = byte_enable_q;
    overrun_d = overrun_q;
    broken_d = broken_q;
    completes_d = completes_q;
    quarters_d = 4'h0;

    unique case (state_q)
      // Idle: results are kept until the next packet starts.
      packet_write_pkg::Idle: begin
        if (pins_i.start) begin
          to_llcm_d = pins_i.to_llcm;
          address_d = pins_i.to_llcm ? {pins_i.wid, pins_i.offset[14:3]} :
                                       {4'd0, pins_i.wid, pins_i.offset[10:3]};
          straddle_d = pins_i.offset[2];
          remaining_d = pins_i.bytes;
          room_d = room;
          bytes_d = 12'd0;
          pull_d = 1'b1;
          carry_enable_d = 4'h0;
          overrun_d = 1'b0;
          broken_d = 1'b0;
          completes_d = pins_i.last_packet && !pins_i.to_llcm;
          state_d = packet_write_pkg::Read;
        end
      end
      // Read: SWIF ignores the request at a last line; the packet then has no data.
      packet_write_pkg::Read: begin
        pull_d = !last;
        room_d = (room_q < remaining_q) ? room_q : remaining_q;
        state_d = last ? packet_write_pkg::Done : packet_write_pkg::Write;
      end
      // Write: the bytes left over by the last line make one more word.
      packet_write_pkg::Write: begin
        byte_enable_d = 8'h00;
        if (byte_enable_q != 8'h00) begin
          address_d = address_q + 13'd1;
        end
        if (!to_llcm_q && byte_enable_q[7] && address_q[3:0] == 4'hf) begin
          quarters_d = 4'd1 << address_q[5:4];
        end
        if (pull_q) begin
          remaining_d = remaining_q - {8'd0, held};
          room_d = room_q - {8'd0, stored};
          bytes_d = bytes_q + {8'd0, held};
          overrun_d = overrun_q || (stored < held);
          broken_d = broken;
          if (straddle_q) begin
            data_d = {pins_i.line.data[31:0], carry_q};
            byte_enable_d = {mask[3:0], carry_enable_q};
            carry_d = pins_i.line.data[63:32];
            carry_enable_d = mask[7:4];
          end else begin
            data_d = pins_i.line.data;
            byte_enable_d = mask;
          end
          pull_d = !last;
        end else begin
          data_d = {32'd0, carry_q};
          byte_enable_d = {4'h0, carry_enable_q};
          carry_enable_d = 4'h0;
          state_d = (carry_enable_q == 4'h0) ? packet_write_pkg::Done : packet_write_pkg::Write;
        end
      end
      // Done: the packet control takes the result.
      packet_write_pkg::Done: begin
        quarters_d = (completes_q && !broken_q) ? 4'hf : 4'h0;
        state_d = packet_write_pkg::Idle;
      end
      default: state_d = packet_write_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= packet_write_pkg::Idle;
      to_llcm_q <= '0;
      address_q <= '0;
      straddle_q <= '0;
      remaining_q <= '0;
      room_q <= '0;
      bytes_q <= '0;
      pull_q <= '0;
      carry_q <= '0;
      carry_enable_q <= '0;
      data_q <= '0;
      byte_enable_q <= '0;
      overrun_q <= '0;
      broken_q <= '0;
      completes_q <= '0;
      quarters_q <= '0;
    end else begin
      state_q <= state_d;
      to_llcm_q <= to_llcm_d;
      address_q <= address_d;
      straddle_q <= straddle_d;
      remaining_q <= remaining_d;
      room_q <= room_d;
      bytes_q <= bytes_d;
      pull_q <= pull_d;
      carry_q <= carry_d;
      carry_enable_q <= carry_enable_d;
      data_q <= data_d;
      byte_enable_q <= byte_enable_d;
      overrun_q <= overrun_d;
      broken_q <= broken_d;
      completes_q <= completes_d;
      quarters_q <= quarters_d;
    end
  end

  // No more is stored than the packet has left.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RoomIsNotMoreThanTheRest : assert (
          (state_q != packet_write_pkg::Write) || (room_q <= remaining_q));
    end
  end
`endif

endmodule
