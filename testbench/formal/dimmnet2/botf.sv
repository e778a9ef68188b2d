/// BOTF goes where figure 5.11 goes, and sends well-formed packets and nothing else (thesis section 5.3.3).
///
/// For every command, every stall of the SWIF FIFO and every content of the Write Window: lines are
/// identified 01, 11 .. 11, 10 (a packet of one line: 10); no line is sent between packets; the
/// number of lines follows from the size; line n is line n of the window; the first line carries
/// the PGID register of the issuing process and the command's size.
// Mutation: rtl/dimmnet2/window_controller/botf.sv | even_line[63:28], pgid, | even_line[63:20],
// Mutation: rtl/dimmnet2/window_controller/botf.sv | pgid = wid_q ? | pgid = !wid_q ?
// Mutation: rtl/dimmnet2/window_controller/botf.sv | transfer_counter_d = lines + 7'd1 | transfer_counter_d = lines
// Mutation: rtl/dimmnet2/window_controller/botf.sv | line_d = odd_line | line_d = even_line
// Mutation: rtl/dimmnet2/window_controller/botf.sv | botf_pkg::BotfEnd1: state_d = botf_pkg::BotfEnd2 | botf_pkg::BotfEnd1: state_d = botf_pkg::Prim
// Mutation: rtl/dimmnet2/window_controller/botf.sv | pins_i.swif_fifo_almost_full ? botf_pkg::Wait : botf_pkg::Botf1 | botf_pkg::Botf1
// Witness: SizeIsThatOfAPacket | rtl/dimmnet2/window_controller/botf.sv | (pins_i.size > botf_pkg::WindowBytes) ? botf_pkg::WindowBytes : pins_i.size | pins_i.size
// Witness: CounterNeverWraps | rtl/dimmnet2/window_controller/botf.sv | (transfer_counter_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf4; | botf_pkg::Botf4;
module botf_proof (
    input logic          clk_i,
    input logic          rst_ni,
    input botf_pkg::in_t pins_i
);

  botf_pkg::out_t pins_o;
  botf u_botf (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_botf.state_q ;
  (* hierconn *) logic [6:0] \u_botf.transfer_counter_q ;
  (* hierconn *) logic [9:0] \u_botf.size_q ;
  (* hierconn *) logic [4:0] \u_botf.row_q ;
  (* hierconn *) logic       \u_botf.first_q ;
  (* hierconn *) logic       \u_botf.wid_q ;
  (* hierconn *) logic [1:0] \u_botf.window_q ;

  logic [2:0] state;
  logic [6:0] counter;
  assign state = \u_botf.state_q ;
  assign counter = \u_botf.transfer_counter_q ;

  machine #(.States(8), .Arcs(botf_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // Figure 5.11. The Transfer Counter of the diagram begins with one more than the number of lines
  // and counts the states from Botf1 on.
  logic [6:0] transfer_q;
  logic [2:0] next;
  logic [9:0] wanted;
  assign wanted = (pins_i.size > 10'd512) ? 10'd512 : pins_i.size;
  always @(posedge clk_i) begin
    if (!rst_ni) transfer_q <= '0;
    else if (state == botf_pkg::Prim) transfer_q <= ((wanted + 10'd7) >> 3) + 10'd1;
    else if (state != botf_pkg::Wait) transfer_q <= transfer_q - 7'd1;
  end
  always @* begin
    case (state)
      botf_pkg::Prim:
        next = (!pins_i.start || pins_i.size == 10'd0) ? botf_pkg::Prim :
               pins_i.swif_fifo_almost_full ? botf_pkg::Wait : botf_pkg::Botf1;
      botf_pkg::Wait: next = pins_i.swif_fifo_almost_full ? botf_pkg::Wait : botf_pkg::Botf1;
      botf_pkg::Botf1: next = botf_pkg::Botf2;
      botf_pkg::Botf2: next = (transfer_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf3;
      botf_pkg::Botf3: next = (transfer_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf4;
      botf_pkg::Botf4: next = (transfer_q == 7'd1) ? botf_pkg::BotfEnd1 : botf_pkg::Botf3;
      botf_pkg::BotfEnd1: next = botf_pkg::BotfEnd2;
      default: next = botf_pkg::Prim;
    endcase
  end

  diagram #(.Width(3)) u_diagram (.clk_i, .rst_ni, .state_i(state), .next_i(next));

  // The current command, as issued.
  logic       running_q;
  logic       wid_q;
  logic [1:0] window_q;
  logic [9:0] size_q;
  logic [9:0] clamped;
  logic [7:0] lines;
  assign clamped = (pins_i.size > 10'd512) ? 10'd512 : pins_i.size;
  assign lines = (size_q + 10'd7) >> 3;

  // The lines of it sent so far.
  logic       in_packet_q;
  logic [6:0] sent_q;

  // An arbitrary row of the Write Window, and the row read last.
  (* anyconst *) logic [4:0]   row;
  (* anyconst *) logic [127:0] content;
  logic [4:0] read_row_q;
  logic       read_q;
  always @* if (read_q && read_row_q == row) assume (pins_i.write_window_rdata == content);

  logic [7:0] pgid_q;

  always @(posedge clk_i) begin
    pgid_q <= wid_q ? pins_i.pgid1 : pins_i.pgid0;
    if (!rst_ni) begin
      running_q <= 1'b0;
      in_packet_q <= 1'b0;
      sent_q <= '0;
      read_q <= 1'b0;
    end else begin
      if (pins_i.start && pins_o.idle && pins_i.size != 10'd0) begin
        running_q <= 1'b1;
        wid_q <= pins_i.wid;
        window_q <= pins_i.window;
        size_q <= clamped;
        sent_q <= '0;
        read_q <= 1'b0;
      end
      if (pins_o.done) running_q <= 1'b0;
      if (pins_o.line_enable) begin
        in_packet_q <= (pins_o.line.id != line_pkg::Last);
        sent_q <= sent_q + 7'd1;
      end
      if (pins_o.write_window_read_enable) begin
        read_q <= 1'b1;
        read_row_q <= pins_o.write_window_address[4:0];
      end
    end
  end

  logic known_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) known_q <= 1'b1;

  logic [63:0] expected;
  assign expected = sent_q[0] ? content[127:64] : content[63:0];

  always @* begin
    if (known_q) begin
      if (pins_o.line_enable) begin
        NoLineBetweenPackets: assert (running_q);
        OnlyTheFirstLineOpens: assert ((pins_o.line.id == line_pkg::First) == (!in_packet_q && lines != 8'd1));
        OnlyTheLastLineCloses: assert ((pins_o.line.id == line_pkg::Last) == (sent_q + 7'd1 == lines));
        LinesAreIdentified: assert (pins_o.line.id != 2'b00);
        if (!in_packet_q) begin
          PgidIsTheIssuers: assert (pins_o.line.data[27:20] == pgid_q);
          PacketSizeIsTheCommands: assert (pins_o.line.data[11:0] == {2'b00, size_q});
        end
        if (sent_q[5:1] == row) begin
          if (sent_q == 7'd0) begin
            TheRestOfTheFirstLineIsTheWindows: assert (pins_o.line.data[63:28] == expected[63:28] &&
                                                       pins_o.line.data[19:12] == expected[19:12]);
          end else begin
            LinesAreTheWindows: assert (pins_o.line.data == expected);
          end
        end
      end
      if (pins_o.done) begin
        EveryLineLeft: assert (sent_q == lines && !in_packet_q);
        DoneIsTheIssuers: assert (pins_o.done_wid == wid_q);
      end
      if (pins_o.write_window_read_enable) begin
        ReadsTheCommandsWindow: assert (pins_o.write_window_address[7:5] == {wid_q, window_q});
      end
    end
  end

  // Invariants that carry the induction.
  always @* begin
    if (known_q) begin
      assert (running_q == (state != botf_pkg::Prim));
      if (state != botf_pkg::Prim && state != botf_pkg::BotfEnd1 && state != botf_pkg::BotfEnd2) begin
        assert (transfer_q == counter);
      end
      if (running_q) begin
        assert (size_q != 10'd0 && size_q <= 10'd512);
        assert (size_q == \u_botf.size_q  && wid_q == \u_botf.wid_q  && window_q == \u_botf.window_q );
      end
      case (state)
        botf_pkg::Prim: begin
          assert (!in_packet_q && \u_botf.row_q  == 5'd0);
        end
        botf_pkg::Wait, botf_pkg::Botf1: begin
          assert (!in_packet_q && sent_q == 7'd0 && counter == lines + 7'd1 && \u_botf.row_q  == 5'd0);
        end
        botf_pkg::Botf2: begin
          assert (!in_packet_q && sent_q == 7'd0 && counter == lines && \u_botf.row_q  == 5'd1 &&
                  read_q && read_row_q == 5'd0);
        end
        botf_pkg::Botf3: begin
          assert (in_packet_q == !\u_botf.first_q  && sent_q + counter + 7'd1 == lines && counter != 7'd0 &&
                  !sent_q[0] && sent_q < 7'd64 && read_q && read_row_q == sent_q[5:1] &&
                  \u_botf.row_q  == sent_q[5:1] + 5'd1);
        end
        botf_pkg::Botf4: begin
          assert (in_packet_q && !\u_botf.first_q  && sent_q + counter + 7'd1 == lines && counter != 7'd0 &&
                  sent_q[0] && sent_q < 7'd64 && read_q && read_row_q == sent_q[5:1] + 5'd1 &&
                  \u_botf.row_q  == sent_q[5:1] + 5'd2);
        end
        botf_pkg::BotfEnd1: begin
          assert (in_packet_q == !\u_botf.first_q  && sent_q + 7'd1 == lines && counter == 7'd0);
        end
        default: begin
          assert (!in_packet_q && sent_q == lines);
        end
      endcase
      if (state != botf_pkg::Prim && state != botf_pkg::Wait && state != botf_pkg::Botf1 &&
          state != botf_pkg::Botf2 && state != botf_pkg::BotfEnd2) begin
        assert (\u_botf.first_q  == (sent_q == 7'd0));
      end
    end
  end

endmodule
