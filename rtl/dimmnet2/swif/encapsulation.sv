/// Encapsulation: one InfiniBand frame per packet (thesis section 4.2, decision 0010).
///
/// A frame consists of the local route header, two lines of base transport header and the unchanged
/// lines of the packet. Line identifiers mark the frame: 01 the LRH, 10 the packet's last line, 11
/// all others. The frame ends with the packet's own last line; the length in its LRH is computed
/// from Packet Size.
///
/// The state machine starts only when a whole packet waits and always has the next line available,
/// so a frame has no gaps except those caused by `tx_ready`.
module encapsulation (
    /// Network clock, 125 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From the transmit FIFO and the link.
    input  encapsulation_pkg::in_t  pins_i,
    /// To the transmit FIFO and the link.
    output encapsulation_pkg::out_t pins_o
);

  encapsulation_pkg::state_e state_d, state_q;
  logic [65:0] line_d, line_q;
  logic [23:0] sequence_d, sequence_q;

  assign pins_o.packet_next = (state_q == encapsulation_pkg::Idle);
  assign pins_o.line_next = (state_q == encapsulation_pkg::Bth2) ||
                            (state_q == encapsulation_pkg::Payload);
  assign pins_o.tx_line = line_q;
  assign pins_o.tx_valid = (state_q == encapsulation_pkg::Lrh) ||
                           (state_q == encapsulation_pkg::Bth1) ||
                           (state_q == encapsulation_pkg::Bth2) ||
                           (state_q == encapsulation_pkg::Payload);

  // Packet Size is bits 11:0 of the first line, which stays on `line` until Bth2.
  logic [11:0]                        size;
  infiniband_pkg::local_route_header_t lrh;
  infiniband_pkg::transport_header0_t  bth0;
  infiniband_pkg::transport_header1_t  bth1;
  logic [65:0]                        payload;
  assign size = pins_i.line.data[11:0];

  always_comb begin
    lrh = '0;
    lrh.slid = pins_i.sma_lid;
    lrh.packet_length = infiniband_pkg::HeaderWords + {1'b0, size[11:2]} +
                        {10'd0, size[1:0] != 2'd0};
    lrh.dlid = pins_i.line.data[47:32];
    lrh.next_header = infiniband_pkg::Local;
    bth0 = '0;
    bth0.queue_pair = infiniband_pkg::QueuePair;
    bth0.partition = infiniband_pkg::Partition;
    bth0.pad_count = -size[1:0];
    bth0.opcode = infiniband_pkg::SendOnly;
    bth1 = '0;
    bth1.sequence_number = sequence_q;
    payload = {(pins_i.line.id == line_pkg::Last) ? line_pkg::Last : line_pkg::Middle,
               pins_i.line.data};
  end

  // The header is defined high byte first; a line is sent low byte first.
  logic [63:0] lrh_swapped;
  logic [63:0] bth0_swapped;
  logic [63:0] bth1_swapped;
  byte_swap u_lrh_swap (.word_i(lrh), .word_o(lrh_swapped));
  byte_swap u_bth0_swap (.word_i(bth0), .word_o(bth0_swapped));
  byte_swap u_bth1_swap (.word_i(bth1), .word_o(bth1_swapped));

  always_comb begin
    state_d = state_q;
    line_d = line_q;
    sequence_d = sequence_q;

    unique case (state_q)
      // Idle: the first line is on `line` in the next cycle.
      encapsulation_pkg::Idle: begin
        if (pins_i.packet_available) begin
          state_d = encapsulation_pkg::Header;
        end
      end
      // Header: DLID and Packet Size are in the first line.
      encapsulation_pkg::Header: begin
        line_d = {line_pkg::First, lrh_swapped};
        state_d = encapsulation_pkg::Lrh;
      end
      // Lrh: the frame begins.
      encapsulation_pkg::Lrh: begin
        if (pins_i.tx_ready) begin
          line_d = {line_pkg::Middle, bth0_swapped};
          state_d = encapsulation_pkg::Bth1;
        end
      end
      // Bth1: the last 4 bytes of the transport header are a line of their own.
      encapsulation_pkg::Bth1: begin
        if (pins_i.tx_ready) begin
          line_d = {line_pkg::Middle, bth1_swapped};
          sequence_d = sequence_q + 24'd1;
          state_d = encapsulation_pkg::Bth2;
        end
      end
      // Bth2: the packet's first line follows; it is also the last if the packet has one line.
      encapsulation_pkg::Bth2: begin
        if (pins_i.tx_ready) begin
          line_d = payload;
          state_d = encapsulation_pkg::Payload;
        end
      end
      // Payload: up to the packet's own last line, regardless of Packet Size.
      encapsulation_pkg::Payload: begin
        if (pins_i.tx_ready) begin
          if (line_q[65:64] == line_pkg::Last) begin
            state_d = encapsulation_pkg::Idle;
          end else begin
            line_d = payload;
          end
        end
      end
      default: state_d = encapsulation_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= encapsulation_pkg::Idle;
      line_q <= '0;
      sequence_q <= '0;
    end else begin
      state_q <= state_d;
      line_q <= line_d;
      sequence_q <= sequence_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= encapsulation_pkg::Payload);
    end
  end
`endif

endmodule
