/// A transfer is sent when its data and its entry have been read; the FIFO never overflows.
///
/// Words are read in order (paper, section 3; hazard H14).
// Shorter: rtl/cenju3/generated/send_dma_pkg.sv | FifoWords = 7'd64 | FifoWords = 7'd40
// Mutation: rtl/cenju3/send_dma.sv | memory_map_pkg::PacketWords) begin | memory_map_pkg::PacketWords + 7'd2) begin
// Mutation: rtl/cenju3/send_dma.sv | {1'b0, left_q[8:0]} + 10'd7 | {1'b0, left_q[8:0]} + 10'd0
// Mutation: rtl/cenju3/send_dma.sv | ({1'b0, left_q} <= memory_map_pkg::SegmentBytes) | ({1'b0, left_q} < memory_map_pkg::SegmentBytes)
// Mutation: rtl/cenju3/send_dma.sv | destination_d = dma ? pins_i.transfer.destination[25:0] : 26'd0; | destination_d = pins_i.transfer.destination[25:0];
// Mutation: rtl/cenju3/send_dma.sv | words_d = send_dma_pkg::LibraryWords | words_d = send_dma_pkg::LibraryWords - 6'd1
// Mutation: rtl/cenju3/send_dma.sv | pins_i.transfer.entry \| 26'd16 | pins_i.transfer.entry \| 26'd8
// Witness: PacketHasRoom | rtl/cenju3/send_dma.sv | if (pins_i.fifo_count < send_dma_pkg::FifoWords | if (pins_i.fifo_count <= send_dma_pkg::FifoWords
// Witness: SegmentFitsItsPacket | rtl/cenju3/send_dma.sv | words_d = last ? words[8:3] : 6'd32; | words_d = words[8:3];
// Witness: LastSegmentIsDescribed | rtl/cenju3/send_dma.sv | left_d = left_q - 26'd256; | {left_d, last_d} = {left_q - 26'd256, 1'b0};
// Witness: LibraryHasFourWords | rtl/cenju3/send_dma.sv | words_d = send_dma_pkg::LibraryWords; | words_d = send_dma_pkg::LibraryWords + 6'd1;
// Witness: SentWithItsLastWord | rtl/cenju3/send_dma.sv | word_d.last = last_word; | word_d.last = 1'b0;
module send_dma_proof (
    input logic clk_i,
    input logic rst_ni,
    input send_dma_pkg::in_t pins_i
);

  send_dma_pkg::out_t pins_o;
  send_dma u_send_dma (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_send_dma.state_q ;
  (* hierconn *) logic [25:0] \u_send_dma.left_q ;
  (* hierconn *) logic [25:0] \u_send_dma.destination_q ;
  (* hierconn *) logic        \u_send_dma.last_q ;
  logic [2:0] state;
  assign state = \u_send_dma.state_q ;

  machine #(.States(8), .Arcs(send_dma_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // The mask keeps a transfer on the pins until it is sent, and sends no empty one; memory answers
  // only requests. The FIFO is counted here, and may be read at any time.
  (* anyseq *) logic takes;
  mask_pkg::transfer_t transfer_q;
  logic       known_q;
  logic [6:0] count_q;
  logic [25:0] segments_q;
  logic [5:0] words_q;
  logic [2:0] library_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + {6'b0, pins_o.word_enable} - {6'b0, takes && count_q != 7'd0};
    if (state == send_dma_pkg::Idle) begin
      transfer_q <= pins_i.transfer;
      segments_q <= '0;
      words_q <= '0;
      library_q <= '0;
    end
    // Bytes of the segments that were read, words of the present one, words of the library.
    if (state == send_dma_pkg::Data && pins_i.memory_ready) begin
      words_q <= (pins_o.memory_left == 6'd1) ? 6'd0 : words_q + 6'd1;
      if (pins_o.memory_left == 6'd1) segments_q <= segments_q + {17'b0, words_q + 6'd1, 3'b0};
    end
    if (state == send_dma_pkg::Library && pins_i.memory_ready) library_q <= library_q + 3'd1;
  end
  always @* begin
    assume (pins_i.fifo_count == count_q);
    if (state == send_dma_pkg::Idle) begin
      if (pins_i.start) assume (pins_i.transfer.length != 32'd0 &&
          pins_i.transfer.length[31:26] == 6'd0);
      if (pins_i.start) assume (pins_i.transfer.entry[5:0] == 6'd0);
      if (pins_i.start) assume ({1'b0, pins_i.transfer.length[25:0]} + 27'd256 <= 27'h400_0000);
    end else begin
      assume (pins_i.transfer == transfer_q);
    end
    if (!pins_o.memory_request) assume (!pins_i.memory_ready);
  end

  // Bytes of the transfer, rounded up to words.
  logic        dma;
  logic [25:0] length;
  logic [25:0] rounded;
  logic [25:0] left;
  logic [5:0]  segment;
  logic [6:0]  to_come;
  assign dma = (transfer_q.kind == memory_map_pkg::Dma);
  assign length = transfer_q.length[25:0];
  assign rounded = {length[25:3] + {22'b0, length[2:0] != 3'd0}, 3'b0};
  assign left = rounded - segments_q;
  assign segment = (left <= 26'd256) ? left[8:3] : 6'd32;

  // Words of the present packet still to be written.
  always @* begin
    unique case (state)
      send_dma_pkg::Begin: to_come = {1'b0, segment} + 7'd1 + (\u_send_dma.last_q  ? 7'd6 : 7'd0);
      send_dma_pkg::Data: to_come = {1'b0, pins_o.memory_left} + (\u_send_dma.last_q  ? 7'd6 :
          7'd0);
      send_dma_pkg::Describe: to_come = 7'd6;
      send_dma_pkg::Locate: to_come = 7'd5;
      send_dma_pkg::Library: to_come = {1'b0, pins_o.memory_left};
      default: to_come = 7'd0;
    endcase
  end

  always @* begin
    if (known_q) begin
      FifoNeverOverflows: assert (count_q + {6'b0, pins_o.word_enable} <= send_dma_pkg::FifoWords);
      if (pins_o.sent) begin
        AllDataWasRead: assert (segments_q == rounded);
        AllOfTheLibraryWasRead: assert (library_q == 3'd4);
      end
      if (state == send_dma_pkg::Data) begin
        DataIsReadInOrder: assert (
            pins_o.memory_address == transfer_q.source[25:0] + segments_q + {17'b0, words_q, 3'b0});
        NothingBeyondIsRead: assert (segments_q + {17'b0, words_q, 3'b0} < length);
        SegmentGoesToItsPlace: assert (\u_send_dma.destination_q  ==
                                       (dma ? transfer_q.destination[25:0] + segments_q : 26'd0));
      end
      if (state == send_dma_pkg::Library) begin
        LibraryIsReadFromTheEntry: assert (pins_o.memory_address[25:6] == transfer_q.entry[25:6] &&
                                           pins_o.memory_address[5:0] == 6'd16 + {library_q, 3'b0});
      end
      // Invariants that carry the induction.
      assert (count_q <= send_dma_pkg::FifoWords);
      if (state != send_dma_pkg::Idle) begin
        assert (count_q + {6'b0, pins_o.word_enable} + to_come <= send_dma_pkg::FifoWords);
        assert (length != 26'd0 && transfer_q.length[31:26] == 6'd0 &&
            transfer_q.entry[5:0] == 6'd0);
        assert ({1'b0, length} + 27'd256 <= 27'h400_0000);
      end
      if (state == send_dma_pkg::Room || state == send_dma_pkg::Begin ||
          state == send_dma_pkg::Data) begin
        assert (\u_send_dma.left_q  == length - segments_q && segments_q[7:0] == 8'd0 &&
            segments_q < length);
        assert (library_q == 3'd0);
      end
      if (state == send_dma_pkg::Room || state == send_dma_pkg::Begin) begin
        assert (pins_o.memory_address == transfer_q.source[25:0] + segments_q && words_q == 6'd0);
        assert (\u_send_dma.destination_q  == (dma ? transfer_q.destination[25:0] + segments_q :
            26'd0));
      end
      if (state == send_dma_pkg::Begin || state == send_dma_pkg::Data) begin
        assert (\u_send_dma.last_q  == (left <= 26'd256) &&
            pins_o.memory_left + words_q == segment);
        assert (pins_o.memory_left != 6'd0 && pins_o.memory_left <= 6'd32 && words_q <= 6'd31);
      end
      if (state == send_dma_pkg::Begin) assert (words_q == 6'd0);
      if (state == send_dma_pkg::Describe || state == send_dma_pkg::Locate ||
          state == send_dma_pkg::Library ||
          state == send_dma_pkg::Done) begin
        assert (segments_q == rounded);
      end
      if (state == send_dma_pkg::Describe ||
          state == send_dma_pkg::Locate) assert (library_q == 3'd0);
      if (state == send_dma_pkg::Library) assert ({3'b0, library_q} + pins_o.memory_left == 6'd4 &&
          library_q <= 3'd3);
    end
  end

endmodule
