/// Send DMA: cuts a transfer into segments and reads their data from local memory into packets
/// (paper, section 3).
///
/// A packet begins when the transmit FIFO has room for the longest one, so only memory can delay
/// it. The data of the last segment is followed by the six words that the receiver writes as
/// header; those of the library are read from the entry.
module send_dma (
    /// Clock, 75 MHz.
    input  logic               clk_i,
    /// Synchronous reset.
    input  logic               rst_ni,
    /// From mask, registers, FIFO, memory.
    input  send_dma_pkg::in_t  pins_i,
    /// To memory, FIFO, mask.
    output send_dma_pkg::out_t pins_o
);

  send_dma_pkg::state_e   state_d, state_q;
  logic [25:0]            source_d, source_q;
  logic [25:0]            destination_d, destination_q;
  logic [25:0]            left_d, left_q;
  logic [5:0]             words_d, words_q;
  logic                   last_d, last_q;
  cenju3_pkg::link_word_t word_d, word_q;
  logic                   word_enable_d, word_enable_q;

  assign pins_o.idle = (state_q == send_dma_pkg::Idle) && !word_enable_q;
  assign pins_o.memory_request = (state_q == send_dma_pkg::Data) ||
                                 (state_q == send_dma_pkg::Library);
  assign pins_o.memory_address = source_q;
  assign pins_o.memory_left = words_q;
  assign pins_o.word = word_q;
  assign pins_o.word_enable = word_enable_q;
  assign pins_o.sent = (state_q == send_dma_pkg::Done);

  // Words of the segment; a partial word counts as one.
  logic       dma;
  logic       last;
  logic [9:0] words;
  logic       last_word;
  assign dma = (pins_i.transfer.kind == memory_map_pkg::Dma);
  assign last = ({1'b0, left_q} <= memory_map_pkg::SegmentBytes);
  assign words = {1'b0, left_q[8:0]} + 10'd7;
  assign last_word = (words_q == 6'd1);

  memory_map_pkg::header_t    header;
  memory_map_pkg::control_t   control;
  memory_map_pkg::addresses_t addresses;
  always_comb begin
    header = '0;
    header.kind = pins_i.transfer.kind;
    header.last = last_q;
    header.pe = pins_i.transfer.pe;
    header.source = pins_i.pe;
    header.bytes = last_q ? left_q[7:0] - 8'd1 : 8'hff;
    header.address = {6'b0, destination_q};
    control = '0;
    control.kind = pins_i.transfer.kind;
    control.pe = pins_i.pe;
    control.length = pins_i.transfer.length;
    addresses = '0;
    addresses.source = dma ? pins_i.transfer.destination : 32'd0;
  end

  always_comb begin
    state_d = state_q;
    source_d = source_q;
    destination_d = destination_q;
    left_d = left_q;
    words_d = words_q;
    last_d = last_q;
    word_d = word_q;
    word_enable_d = 1'b0;

    unique case (state_q)
      // Idle: takes the transfer.
      send_dma_pkg::Idle: begin
        if (pins_i.start) begin
          source_d = pins_i.transfer.source[25:0];
          destination_d = dma ? pins_i.transfer.destination[25:0] : 26'd0;
          left_d = pins_i.transfer.length[25:0];
          state_d = send_dma_pkg::Room;
        end
      end
      // Room: one more free place is needed, for a word that is still in `word`.
      send_dma_pkg::Room: begin
        last_d = last;
        words_d = last ? words[8:3] : 6'd32;
        if (pins_i.fifo_count < send_dma_pkg::FifoWords - memory_map_pkg::PacketWords) begin
          state_d = send_dma_pkg::Begin;
        end
      end
      // Begin: the first word is requested next.
      send_dma_pkg::Begin: begin
        word_d.data = header;
        word_d.last = 1'b0;
        word_enable_d = 1'b1;
        state_d = send_dma_pkg::Data;
      end
      // Data: one burst for each segment.
      send_dma_pkg::Data: begin
        if (pins_i.memory_ready) begin
          word_d.data = pins_i.memory_rdata;
          word_d.last = last_word && !last_q;
          word_enable_d = 1'b1;
          source_d = source_q + 26'd8;
          words_d = words_q - 6'd1;
          if (last_word) begin
            destination_d = dma ? destination_q + 26'd256 : 26'd0;
            left_d = left_q - 26'd256;
            state_d = last_q ? send_dma_pkg::Describe : send_dma_pkg::Room;
          end
        end
      end
      // Describe: first word of the header in the receiver's ring.
      send_dma_pkg::Describe: begin
        word_d.data = control;
        word_d.last = 1'b0;
        word_enable_d = 1'b1;
        state_d = send_dma_pkg::Locate;
      end
      // Locate: the receiver fills in the address of a message.
      send_dma_pkg::Locate: begin
        word_d.data = addresses;
        word_d.last = 1'b0;
        word_enable_d = 1'b1;
        source_d = pins_i.transfer.entry | 26'd16;
        words_d = send_dma_pkg::LibraryWords;
        state_d = send_dma_pkg::Library;
      end
      // Library: after these words the entry is not needed any more.
      send_dma_pkg::Library: begin
        if (pins_i.memory_ready) begin
          word_d.data = pins_i.memory_rdata;
          word_d.last = last_word;
          word_enable_d = 1'b1;
          source_d = source_q + 26'd8;
          words_d = words_q - 6'd1;
          if (last_word) begin
            state_d = send_dma_pkg::Done;
          end
        end
      end
      // Done: the transfer is still on the input pins.
      send_dma_pkg::Done: state_d = send_dma_pkg::Idle;
      default: state_d = send_dma_pkg::Idle;
    endcase
  end

  // The mask has checked that the source lies in memory; the lowest bits of `words` only round up.
  logic unused;
  assign unused = &{1'b0, pins_i.transfer.source[31:26], words[9], words[2:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_dma_pkg::Idle;
      source_q <= '0;
      destination_q <= '0;
      left_q <= '0;
      words_q <= '0;
      last_q <= '0;
      word_q <= '0;
      word_enable_q <= '0;
    end else begin
      state_q <= state_d;
      source_q <= source_d;
      destination_q <= destination_d;
      left_q <= left_d;
      words_q <= words_d;
      last_q <= last_d;
      word_q <= word_d;
      word_enable_q <= word_enable_d;
    end
  end

  // A packet begins only with room for all of it; the last one ends with the words of the library.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PacketHasRoom : assert ((state_d != send_dma_pkg::Begin) ||
          (pins_i.fifo_count < send_dma_pkg::FifoWords - memory_map_pkg::PacketWords));
      SegmentFitsItsPacket : assert ((state_q != send_dma_pkg::Begin) || (words_q <= 6'd32));
      LastSegmentIsDescribed : assert ((state_q != send_dma_pkg::Describe) || last_q);
      LibraryHasFourWords : assert ((state_q != send_dma_pkg::Library) ||
          ((words_q != 6'd0) && (words_q <= send_dma_pkg::LibraryWords)));
      SentWithItsLastWord : assert (
          (state_q != send_dma_pkg::Done) || (word_enable_q && word_q.last));
    end
  end
`endif

endmodule
