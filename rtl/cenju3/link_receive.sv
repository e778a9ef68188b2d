/// Receive side of the link: decodes packets and hands each to the ring of its kind (paper, section
/// 3).
///
/// A packet for another processor element, or a malformed one, is dropped and counted. A packet
/// whose ring is full waits, and all packets after it wait on the link: none is lost.
module link_receive (
    /// Clock, 75 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From registers, FIFO, rings.
    input  link_receive_pkg::in_t  pins_i,
    /// To FIFO, rings, registers.
    output link_receive_pkg::out_t pins_o
);

  link_receive_pkg::state_e state_d, state_q;
  logic                     reading_d, reading_q;
  logic                     holding_d, holding_q;
  cenju3_pkg::link_word_t   word_d, word_q;
  logic [63:0]              header_d, header_q;
  logic [2:0]               start_d, start_q;
  logic [2:0]               held_d, held_q;
  logic                     dropped_d, dropped_q;

  assign pins_o.idle = (state_q == link_receive_pkg::Idle);
  assign pins_o.fifo_next = !reading_q && !holding_q;
  assign pins_o.start = start_q;
  assign pins_o.header = header_q;
  assign pins_o.word_valid = (state_q == link_receive_pkg::Stream) && holding_q;
  assign pins_o.word = word_q;
  assign pins_o.held = held_q;
  assign pins_o.dropped = dropped_q;

  // Whether a packet for this processor element may begin with this word. Only the last byte of a
  // segment is compared: segments begin at multiples of 8, so its word lies in memory, too.
  memory_map_pkg::header_t first;
  logic [26:0]             last_byte;
  logic                    message;
  logic                    dma;
  logic                    fits;
  assign first = word_q.data;
  assign last_byte = {1'b0, first.address[25:0]} + {19'b0, first.bytes};
  assign message = first.last && !first.bytes[7];
  assign dma = (first.address[2:0] == 3'd0) && (first.address[31:26] == 6'd0) && !last_byte[26];
  assign fits = (first.pe == pins_i.pe) && (first.kind != 2'd3) &&
                ((first.kind == memory_map_pkg::Dma) ? dma : message);

  // Ring of the held packet.
  memory_map_pkg::header_t header;
  logic [2:0]              ring;
  assign header = header_q;
  assign ring = 3'd1 << header.kind;

  always_comb begin
    state_d = state_q;
    reading_d = pins_o.fifo_next && !pins_i.fifo_empty;
    holding_d = holding_q;
    word_d = word_q;
    header_d = header_q;
    start_d = '0;
    held_d = '0;
    dropped_d = 1'b0;
    if (reading_q) begin
      word_d = pins_i.fifo_word;
      holding_d = 1'b1;
    end

    unique case (state_q)
      // Idle: while the NIF is stopped, a packet waits.
      link_receive_pkg::Idle: begin
        if (holding_q && pins_i.enable) begin
          header_d = word_q.data;
          holding_d = 1'b0;
          if (word_q.last || !fits) begin
            // A packet of one word ends with it.
            dropped_d = 1'b1;
            state_d = word_q.last ? link_receive_pkg::Idle : link_receive_pkg::Drop;
          end else begin
            state_d = link_receive_pkg::Room;
          end
        end
      end
      // Room: waits for a free header, which the last segment needs, and for the packet before to
      // be stored.
      link_receive_pkg::Room: begin
        held_d = header.last ? (pins_i.full & ring) : 3'd0;
        if (pins_i.rings_idle && (held_d == 3'd0)) begin
          start_d = ring;
          state_d = link_receive_pkg::Stream;
        end
      end
      // Stream: a ring reports a malformed packet a cycle after it took the word.
      link_receive_pkg::Stream: begin
        if (pins_i.fault) begin
          dropped_d = 1'b1;
          state_d = link_receive_pkg::Drop;
        end else if (holding_q && pins_i.word_next) begin
          holding_d = 1'b0;
          if (word_q.last) begin
            state_d = link_receive_pkg::Idle;
          end
        end
      end
      // Drop: discards words up to the last one.
      link_receive_pkg::Drop: begin
        if (holding_q) begin
          holding_d = 1'b0;
          if (word_q.last) begin
            state_d = link_receive_pkg::Idle;
          end
        end
      end
      default: state_d = link_receive_pkg::Idle;
    endcase

    // A packet that ended too early has no more words.
    if ((state_q == link_receive_pkg::Idle) && pins_i.fault) begin
      dropped_d = 1'b1;
    end
  end

  // Fields that other blocks use.
  logic unused;
  assign unused = &{1'b0, first, header, last_byte[25:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= link_receive_pkg::Idle;
      reading_q <= '0;
      holding_q <= '0;
      word_q <= '0;
      header_q <= '0;
      start_q <= '0;
      held_q <= '0;
      dropped_q <= '0;
    end else begin
      state_q <= state_d;
      reading_q <= reading_d;
      holding_q <= holding_d;
      word_q <= word_d;
      header_q <= header_d;
      start_q <= start_d;
      held_q <= held_d;
      dropped_q <= dropped_d;
    end
  end

  // The FIFO delivers a word only while none is held, so none is lost.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoWordOverAnother : assert (!(reading_q && holding_q));
      OneRingAtATime : assert ((start_q & (start_q - 3'd1)) == 3'd0);
    end
  end
`endif

endmodule
