/// The MAC sends well-formed frames and nothing else: preamble, bytes without a gap, check sequence, silence (IEEE 802.3).
///
/// For every frame in the transmit FIFO: seven bytes 55 and one d5; the bytes of the words in
/// order, without the first two; at least the bytes of the shortest frame; the check sequence of
/// all of them; and at least 12 bytes of silence.
// Shorter: rtl/gigae_pm/generated/mac/mac_pkg.sv | ShortestFrame = 11'd64 | ShortestFrame = 11'd10
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | delimiter ? 8'hd5 : 8'h55 | delimiter ? 8'h55 : 8'hd5
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | tx_data_d = ~crc_q[7:0] | tx_data_d = crc_q[7:0]
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | crc_d = 32'hffff_ffff | crc_d = 32'h0000_0000
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | index_d = 2'd2; | index_d = 2'd0;
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | (next_count < mac_pkg::ShortestFrame - 11'd4) | (next_count < mac_pkg::ShortestFrame - 11'd5)
// Mutation: rtl/gigae_pm/mac/mac_transmit.sv | if (next_count == 11'd4) begin | if (next_count == 11'd3) begin
// Witness: StateIsDeclared | rtl/gigae_pm/mac/mac_transmit.sv | state_d = mac_transmit_pkg::Gap; | state_d = 3'd6;
// Witness: NothingIsSentWithoutEnable | rtl/gigae_pm/mac/mac_transmit.sv | tx_data_d = 8'h00; | tx_data_d = 8'h55;
module mac_transmit_proof (
    input logic clk_i,
    input logic rst_ni,
    input mac_transmit_pkg::in_t pins_i
);

  mac_transmit_pkg::out_t pins_o;
  mac_transmit u_mac_transmit (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_mac_transmit.state_q ;
  (* hierconn *) logic [1:0]  \u_mac_transmit.index_q ;
  (* hierconn *) logic [10:0] \u_mac_transmit.count_q ;
  (* hierconn *) logic [31:0] \u_mac_transmit.crc_q ;
  logic [2:0]  state;
  logic [10:0] count;
  logic [31:0] crc;
  assign state = \u_mac_transmit.state_q ;
  assign count = \u_mac_transmit.count_q ;
  assign crc = \u_mac_transmit.crc_q ;

  machine #(.States(6), .Arcs(mac_transmit_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // On the pins: bytes of the current frame, its check sequence, the silence before it, and the
  // word before.
  logic        known_q;
  logic        past_rst_nq;
  logic        sends_q;
  logic [10:0] sent_q;
  logic [3:0]  silent_q;
  logic [31:0] check_q;
  logic [31:0] check;
  logic [7:0]  byte_q;
  logic [2:0]  past_state_q;
  logic        inside;
  // Frames have the lengths that the card generates.
  always @* begin
    if (sent_q >= 11'd1600) assume (pins_i.word.last && pins_i.word.bytes == \u_mac_transmit.index_q );
  end

  assign inside = sent_q >= mac_transmit_pkg::PreambleBytes;
  crc32 u_check (
      .crc_i(check_q),
      .byte_i(pins_o.tx_data),
      .crc_o(check)
  );
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_state_q <= state;
    byte_q <= pins_i.word.data[8*\u_mac_transmit.index_q +:8];
    sends_q <= rst_ni && pins_o.tx_enable;
    if (pins_o.tx_enable) begin
      sent_q <= sent_q + 11'd1;
      silent_q <= '0;
      check_q <= inside ? check : 32'hffff_ffff;
    end else begin
      sent_q <= '0;
      silent_q <= (silent_q == 4'd15) ? silent_q : silent_q + 4'd1;
      check_q <= 32'hffff_ffff;
    end
    if (!rst_ni) begin
      sent_q <= '0;
      silent_q <= 4'd15;
      check_q <= 32'hffff_ffff;
    end
  end

  // After k bytes of check sequence, the registers of receiver and sender differ by these values.
  logic [31:0] residue;
  always @* begin
    case (count)
      11'd1: residue = 32'h2d02_ef8d;
      11'd2: residue = 32'hbe26_12ff;
      11'd3: residue = 32'h00be_2612;
      default: residue = 32'h0000_0000;
    endcase
  end
  // The receiver's register after the byte on the pins.
  logic [31:0] behind;
  logic        behind_preamble;
  assign behind = inside ? check : 32'hffff_ffff;
  assign behind_preamble = sent_q + 11'd1 == mac_transmit_pkg::PreambleBytes;

  always @* begin
    if (known_q) begin
      if (pins_o.tx_enable) begin
        if (!inside) begin
          PreambleIsWhatItIs: assert (pins_o.tx_data == (behind_preamble ? 8'hd5 : 8'h55));
        end else if (past_state_q == mac_transmit_pkg::Data) begin
          BytesAreTheWords: assert (pins_o.tx_data == byte_q);
        end
        if (!sends_q && past_rst_nq) SilenceBetweenFrames: assert (silent_q >= 4'd12);
      end
      if (past_rst_nq && sends_q && !pins_o.tx_enable) begin
        FrameIsLongEnough: assert (sent_q >= mac_transmit_pkg::PreambleBytes + mac_pkg::ShortestFrame);
        CheckSequenceIsRight: assert (check_q == 32'hdebb_20e3);
      end
      // Invariants that carry the induction.
      assert (sends_q == (sent_q != 11'd0));
      assert (past_rst_nq || (!pins_o.tx_enable && !sends_q));
      case (state)
        mac_transmit_pkg::Idle: begin
          assert (!pins_o.tx_enable && sent_q == 11'd0 && silent_q >= 4'd10 && count == 11'd0);
        end
        mac_transmit_pkg::Preamble: begin
          assert (count < mac_transmit_pkg::PreambleBytes && crc == 32'hffff_ffff &&
                  \u_mac_transmit.index_q  == 2'd2 && pins_o.tx_enable == (count != 11'd0));
          if (count == 11'd0) assert (silent_q >= 4'd11 && sent_q == 11'd0);
          else assert (sent_q + 11'd1 == count);
        end
        mac_transmit_pkg::Data: begin
          assert (pins_o.tx_enable && sent_q + 11'd1 == mac_transmit_pkg::PreambleBytes + count && crc == behind);
          assert (\u_mac_transmit.index_q  == count[1:0] + 2'd2 && sent_q <= 11'd1600);
        end
        mac_transmit_pkg::Pad: begin
          assert (pins_o.tx_enable && sent_q + 11'd1 == mac_transmit_pkg::PreambleBytes + count && crc == behind &&
                  count < mac_pkg::ShortestFrame - 11'd4 && sent_q <= 11'd1600);
        end
        mac_transmit_pkg::Fcs: begin
          assert (pins_o.tx_enable && count < 11'd4 && (crc ^ residue) == behind &&
                  sent_q + 11'd1 >= mac_transmit_pkg::PreambleBytes + mac_pkg::ShortestFrame - 11'd4 + count);
          assert (sent_q <= 11'd1601 + count);
          assert (count < 11'd1 || crc[31:24] == 8'd0);
          assert (count < 11'd2 || crc[31:16] == 16'd0);
          assert (count < 11'd3 || crc[31:8] == 24'd0);
        end
        default: begin
          assert (count < mac_transmit_pkg::GapCycles && pins_o.tx_enable == (count == 11'd0));
          if (count == 11'd0) begin
            assert (behind == 32'hdebb_20e3 && sent_q <= 11'd1606 &&
                    sent_q + 11'd1 >= mac_transmit_pkg::PreambleBytes + mac_pkg::ShortestFrame);
          end
          if (count == 11'd1) begin
            assert (silent_q == 4'd0 && sent_q <= 11'd1607 && sends_q && check_q == 32'hdebb_20e3 &&
                    sent_q >= mac_transmit_pkg::PreambleBytes + mac_pkg::ShortestFrame);
          end
          if (count > 11'd1) begin
            assert (silent_q == count[3:0] - 4'd1 && sent_q == 11'd0);
          end
        end
      endcase
    end
  end

endmodule
