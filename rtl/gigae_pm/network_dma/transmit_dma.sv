/// Transmit DMA: sends frames from NIC memory to the MAC, with their headers.
///
/// A frame of GigaE PM is a header of twelve words, generated here from registers, and the message
/// from its send buffer. A frame of another protocol is in NIC memory as a whole. The state machine
/// starts only when the MAC has room for the longest frame, so it can be delayed only by NIC
/// memory, whose port it shares.
module transmit_dma (
    /// Card clock, 33.33 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From firmware, registers, MAC and NIC memory.
    input  transmit_dma_pkg::in_t  pins_i,
    /// To firmware, MAC and NIC memory.
    output transmit_dma_pkg::out_t pins_o
);

  transmit_dma_pkg::state_e state_d, state_q;
  header_pkg::frame_t      frame_d, frame_q;
  logic [3:0]              count_d, count_q;
  logic [8:0]              left_d, left_q;
  logic                    valid_d, valid_q;
  mac_pkg::transmit_word_t word_d, word_q;
  logic                    word_enable_d, word_enable_q;

  assign pins_o.idle = (state_q == transmit_dma_pkg::Idle);
  assign pins_o.memory_read = (state_q == transmit_dma_pkg::Payload) && (left_q != 9'd0);
  assign pins_o.memory_address = frame_q.address;
  assign pins_o.word = word_q;
  assign pins_o.word_enable = word_enable_q;

  logic [1:0]  bytes;
  logic        reads;
  logic        empty;
  logic        last_of_header;
  logic        last_of_payload;
  logic [31:0] header;
  logic [10:0] size_up;
  assign bytes = frame_q.size[1:0] - 2'd1;
  assign reads = pins_o.memory_read && pins_i.memory_grant;
  assign empty = (frame_q.size == 11'd0);
  assign last_of_header = (count_q == 4'd11);
  assign last_of_payload = (left_q == 9'd0);
  assign size_up = pins_i.frame.size + 11'd3;

  header_word u_header_word (
      .word_i(count_q),
      .identity_i(pins_i.identity),
      .frame_i(frame_q),
      .data_o(header)
  );

  always_comb begin
    state_d = state_q;
    frame_d = frame_q;
    count_d = count_q;
    left_d = left_q;
    word_d = word_q;
    word_enable_d = 1'b0;
    valid_d = reads;
    if (reads) begin
      frame_d.address = frame_q.address + 18'd1;
      left_d = left_q - 9'd1;
    end

    unique case (state_q)
      // Idle: a frame is latched.
      transmit_dma_pkg::Idle: begin
        if (pins_i.start) begin
          frame_d = pins_i.frame;
          left_d = size_up[10:2];
          state_d = transmit_dma_pkg::Room;
        end
      end
      // Room: waits for room for the longest frame.
      transmit_dma_pkg::Room: begin
        if (pins_i.fifo_free >= mac_pkg::FrameWords) begin
          state_d = frame_q.raw ? transmit_dma_pkg::Payload : transmit_dma_pkg::Header;
        end
      end
      // Header: a control frame has nothing else.
      transmit_dma_pkg::Header: begin
        word_d.data = header;
        word_d.bytes = 2'd3;
        word_d.last = last_of_header && empty;
        word_enable_d = 1'b1;
        count_d = last_of_header ? 4'd0 : count_q + 4'd1;
        if (last_of_header) begin
          state_d = empty ? transmit_dma_pkg::Idle : transmit_dma_pkg::Payload;
        end
      end
      // Payload: a word is sent in the cycle after its read.
      transmit_dma_pkg::Payload: begin
        if (valid_q) begin
          word_d.data = pins_i.memory_rdata;
          word_d.bytes = bytes;
          word_d.last = last_of_payload;
          word_enable_d = 1'b1;
          if (last_of_payload) begin
            state_d = transmit_dma_pkg::Idle;
          end
        end
      end
      default: state_d = transmit_dma_pkg::Idle;
    endcase
  end

  // The two lowest bits only round the size up.
  logic unused;
  assign unused = &{1'b0, size_up[1:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= transmit_dma_pkg::Idle;
      frame_q <= '0;
      count_q <= '0;
      left_q <= '0;
      valid_q <= '0;
      word_q <= '0;
      word_enable_q <= '0;
    end else begin
      state_q <= state_d;
      frame_q <= frame_d;
      count_q <= count_d;
      left_q <= left_d;
      valid_q <= valid_d;
      word_q <= word_d;
      word_enable_q <= word_enable_d;
    end
  end

  // A word that was read is sent in the next cycle, whenever memory grants.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoWordIsReadInVain : assert (!valid_q || state_q == transmit_dma_pkg::Payload);
      HeaderHasTwelveWords : assert (count_q <= 4'd11);
    end
  end
`endif

endmodule
