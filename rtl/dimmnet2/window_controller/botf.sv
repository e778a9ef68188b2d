/// BOTF module: sends the packet image in a Write Window as one packet (thesis section 5.3.3,
/// figure 5.11).
///
/// The image is sent line by line, one line per cycle. Two fields of its first line are replaced:
/// PGID, so that no process can impersonate another group, and Packet Size. A Write Window read
/// returns two lines, so the state machine works in pairs: `Botf3` requests the next two lines
/// while the second line of a pair leaves, `Botf4` uses up the pair.
///
/// The Transfer Counter starts at lines + 1. With that, the printed arcs send every line: 24 bytes
/// take 10 cycles from the Acceptor's `Nop` to `BotfEnd2`, 512 bytes take 66 cycles from `Botf1` to
/// `BotfEnd1`.
module botf (
    /// Core clock, 100 MHz.
    input  logic           clk_i,
    /// Synchronous reset.
    input  logic           rst_ni,
    /// From Request Executor, Write Window, Configuration Register, SWIF FIFO.
    input  botf_pkg::in_t  pins_i,
    /// To Request Executor, Write Window, SWIF FIFO, registers.
    output botf_pkg::out_t pins_o
);

  botf_pkg::state_e state_d, state_q;
  logic [6:0]  transfer_counter_d, transfer_counter_q;
  logic [9:0]  size_d, size_q;
  logic        wid_d, wid_q;
  logic [1:0]  window_d, window_q;
  logic [4:0]  row_d, row_q;
  logic [63:0] line_d, line_q;
  logic        first_d, first_q;

  assign pins_o.line.data = line_q;
  assign pins_o.line.id = (state_q == botf_pkg::BotfEnd1) ? line_pkg::Last :
                          first_q ? line_pkg::First : line_pkg::Middle;
  assign pins_o.line_enable = (state_q == botf_pkg::Botf3) || (state_q == botf_pkg::Botf4) ||
                              (state_q == botf_pkg::BotfEnd1);
  assign pins_o.write_window_read_enable = (state_q == botf_pkg::Botf1) ||
                                           (state_q == botf_pkg::Botf3);
  assign pins_o.write_window_address = {wid_q, window_q, row_q};
  assign pins_o.done = (state_q == botf_pkg::BotfEnd2);
  assign pins_o.done_wid = wid_q;
  assign pins_o.idle = (state_q == botf_pkg::Prim);
  assign pins_o.state = state_q;

  logic [9:0]  size;
  logic [6:0]  lines;
  logic [7:0]  pgid;
  logic [63:0] even_line;
  logic [63:0] odd_line;
  assign size = (pins_i.size > botf_pkg::WindowBytes) ? botf_pkg::WindowBytes : pins_i.size;
  assign lines = size[9:3] + {6'b0, size[2:0] != 3'd0};
  assign pgid = wid_q ? pins_i.pgid1 : pins_i.pgid0;
  assign even_line = pins_i.write_window_rdata[63:0];
  assign odd_line = pins_i.write_window_rdata[127:64];

  always_comb begin
    state_d = state_q;
    transfer_counter_d = transfer_counter_q;
    size_d = size_q;
    wid_d = wid_q;
    window_d = window_q;
    row_d = row_q;
    line_d = line_q;
    first_d = first_q;

    unique case (state_q)
      // Prim: a BOTF of size 0 is invalid; it is ignored and never reported as done.
      botf_pkg::Prim: begin
        if (pins_i.start && size != 10'd0) begin
          transfer_counter_d = lines + 7'd1;
          size_d = size;
          wid_d = pins_i.wid;
          window_d = pins_i.window;
          state_d = pins_i.swif_fifo_almost_full ? botf_pkg::Wait : botf_pkg::Botf1;
        end
      end
      // Wait: the FIFO has room for a whole packet unless it is almost full, so it is not tested
      // again.
      botf_pkg::Wait: begin
        if (!pins_i.swif_fifo_almost_full) begin
          state_d = botf_pkg::Botf1;
        end
      end
      // Botf1: the Write Window answers in the next cycle.
      botf_pkg::Botf1: begin
        transfer_counter_d = transfer_counter_q - 7'd1;
        row_d = row_q + 5'd1;
        state_d = botf_pkg::Botf2;
      end
      // Botf2: PGID is bits 27:20 of the first line, Packet Size bits 11:0.
      botf_pkg::Botf2: begin
        line_d = {even_line[63:28], pgid, even_line[19:12], 2'b0, size_q};
        first_d = 1'b1;
        transfer_counter_d = transfer_counter_q - 7'd1;
        state_d = (transfer_counter_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf3;
      end
      // Botf3: the odd line follows the even one; a full window wraps the row after its last use.
      botf_pkg::Botf3: begin
        line_d = odd_line;
        first_d = 1'b0;
        row_d = row_q + 5'd1;
        transfer_counter_d = transfer_counter_q - 7'd1;
        state_d = (transfer_counter_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf4;
      end
      // Botf4: the even line of the next pair.
      botf_pkg::Botf4: begin
        line_d = even_line;
        transfer_counter_d = transfer_counter_q - 7'd1;
        state_d = (transfer_counter_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf3;
      end
      // BotfEnd1: the last line leaves.
      botf_pkg::BotfEnd1: state_d = botf_pkg::BotfEnd2;
      // BotfEnd2: back to the reset values.
      botf_pkg::BotfEnd2: begin
        state_d = botf_pkg::Prim;
        transfer_counter_d = '0;
        size_d = '0;
        wid_d = '0;
        window_d = '0;
        row_d = '0;
        line_d = '0;
        first_d = '0;
      end
      default: state_d = botf_pkg::Prim;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= botf_pkg::Prim;
      transfer_counter_q <= '0;
      size_q <= '0;
      wid_q <= '0;
      window_q <= '0;
      row_q <= '0;
      line_q <= '0;
      first_q <= '0;
    end else begin
      state_q <= state_d;
      transfer_counter_q <= transfer_counter_d;
      size_q <= size_d;
      wid_q <= wid_d;
      window_q <= window_d;
      row_q <= row_d;
      line_q <= line_d;
      first_q <= first_d;
    end
  end

  // A packet has 1 to 512 bytes, and the counter reaches 0 no earlier than its last line.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SizeIsThatOfAPacket : assert ((state_q == botf_pkg::Prim) ||
          ((size_q != 10'd0) && (size_q <= botf_pkg::WindowBytes)));
      CounterNeverWraps : assert (((state_q != botf_pkg::Botf3) && (state_q != botf_pkg::Botf4)) ||
          (transfer_counter_q != 7'd0));
    end
  end
`endif

endmodule
