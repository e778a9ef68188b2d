/// Decapsulation: extracts the packet from an InfiniBand frame (thesis section 4.2, decisions 0005
/// and 0010).
///
/// The InfiniBand headers are removed. A packet has no field for its sender's LID, so the DLID
/// field of its first line is replaced by the SLID of the local route header. Line identifiers mark
/// the packet again: 01 first, 11 middle, 10 last line; a packet of one line is 10.
///
/// A frame is stored whole or not at all. A frame for another LID is dropped, and so is a frame
/// that begins while there is less room than the longest packet needs. Stored lines of a cut frame
/// stay: the next packet's first line follows them, and the Receive Controller sees a first line
/// within a packet. If no frame follows in time, two closing lines are added with the same effect,
/// so that the lines can be read and their room becomes free.
module decapsulation (
    /// Network clock, 125 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From the link and the receive FIFO.
    input  decapsulation_pkg::in_t  pins_i,
    /// To the link and the receive FIFO.
    output decapsulation_pkg::out_t pins_o
);

  decapsulation_pkg::state_e state_d, state_q;
  logic [15:0] slid_d, slid_q;
  logic [65:0] line_d, line_q;
  logic        line_enable_d, line_enable_q;
  logic        ready_d, ready_q;
  logic        open_d, open_q;
  logic [7:0]  gap_d, gap_q;
  logic [15:0] foreign_d, foreign_q;
  logic [15:0] overflows_d, overflows_q;
  logic [15:0] malformed_d, malformed_q;

  assign pins_o.line = line_q;
  assign pins_o.line_enable = line_enable_q;
  assign pins_o.rx_ready = ready_q;

  logic valid;
  logic begins;
  logic inside_frame;
  logic ends;
  assign valid = pins_i.rx_valid && (pins_i.rx_line.id != 2'b00);
  assign begins = valid && (pins_i.rx_line.id == line_pkg::First);
  assign inside_frame = valid && !begins;
  assign ends = valid && (pins_i.rx_line.id == line_pkg::Last);

  // DLID and SLID of the local route header, which is sent low byte first.
  logic [15:0] dlid;
  logic [15:0] slid;
  assign dlid = {pins_i.rx_line.data[23:16], pins_i.rx_line.data[31:24]};
  assign slid = {pins_i.rx_line.data[55:48], pins_i.rx_line.data[63:56]};

  // A frame that is too long for the room at its start is cut while the closing lines still fit.
  logic too_long;
  logic store;
  logic malformed;
  logic foreign;
  logic overflow;
  assign too_long = !ends && (pins_i.fifo_free < 11'd4);
  assign store = inside_frame && ((state_q == decapsulation_pkg::First) ||
                                  (state_q == decapsulation_pkg::Payload));
  assign foreign = begins && (dlid != pins_i.sma_lid);
  assign overflow = begins && !foreign && (pins_i.fifo_free < decapsulation_pkg::StartLines);

  logic [15:0] next_foreign;
  logic [15:0] next_overflows;
  logic [15:0] next_malformed;
  assign next_foreign = foreign_q + 16'd1;
  assign next_overflows = overflows_q + 16'd1;
  assign next_malformed = malformed_q + 16'd1;

  always_comb begin
    state_d = state_q;
    slid_d = slid_q;
    line_d = line_q;
    open_d = open_q;
    malformed = 1'b0;

    line_enable_d = 1'b0;
    ready_d = (pins_i.fifo_free >= decapsulation_pkg::ReadyLines);
    gap_d = open_q ? gap_q + 8'd1 : 8'd0;

    unique case (state_q)
      // Idle: lines of a frame whose beginning was not seen are discarded.
      decapsulation_pkg::Idle: ;
      // Bth1: opcode, partition and queue pair have a single valid value and are not checked.
      decapsulation_pkg::Bth1: begin
        if (inside_frame) begin
          malformed = ends;
          state_d = ends ? decapsulation_pkg::Idle : decapsulation_pkg::Bth2;
        end
      end
      // Bth2: the sequence number is not checked, because end-to-end retransmission is part of the
      // link.
      decapsulation_pkg::Bth2: begin
        if (inside_frame) begin
          malformed = ends;
          state_d = ends ? decapsulation_pkg::Idle : decapsulation_pkg::First;
        end
      end
      // First: DLID, bits 47:32, is replaced by the sender's LID.
      decapsulation_pkg::First: begin
        if (inside_frame) begin
          line_d[63:0] = {pins_i.rx_line.data[63:48], slid_q, pins_i.rx_line.data[31:0]};
          line_d[65:64] = ends ? line_pkg::Last : line_pkg::First;
          state_d = ends ? decapsulation_pkg::Idle : decapsulation_pkg::Payload;
        end
      end
      // Payload: up to the last line of the frame.
      decapsulation_pkg::Payload: begin
        if (inside_frame) begin
          line_d[63:0] = pins_i.rx_line.data;
          line_d[65:64] = (ends || too_long) ? line_pkg::Last : line_pkg::Middle;
          malformed = too_long;
          state_d = ends ? decapsulation_pkg::Idle :
                    too_long ? decapsulation_pkg::Drop : decapsulation_pkg::Payload;
        end
      end
      // Drop: the rest of the frame is discarded.
      decapsulation_pkg::Drop: begin
        if (ends) begin
          state_d = decapsulation_pkg::Idle;
        end
      end
      default: state_d = decapsulation_pkg::Idle;
    endcase

    if (store) begin
      line_enable_d = 1'b1;
      open_d = (line_d[65:64] != line_pkg::Last);
      gap_d = 8'd0;
    end else if (open_q && (gap_q >= decapsulation_pkg::GapLimit)) begin
      // The first closing line marks the packet as malformed, the second ends it.
      line_d = {(gap_q != decapsulation_pkg::GapLimit) ? line_pkg::Last : line_pkg::First, 64'd0};
      line_enable_d = 1'b1;
      open_d = (gap_q == decapsulation_pkg::GapLimit);
      if (state_q == decapsulation_pkg::Payload) begin
        malformed = 1'b1;
        state_d = decapsulation_pkg::Idle;
      end
    end

    // A local route header begins a frame in any state.
    if (begins) begin
      malformed = (state_q == decapsulation_pkg::Bth1) || (state_q == decapsulation_pkg::Bth2) ||
                  (state_q == decapsulation_pkg::First) || (state_q == decapsulation_pkg::Payload);
      slid_d = slid;
      state_d = (foreign || overflow) ? decapsulation_pkg::Drop : decapsulation_pkg::Bth1;
    end
    // The number of free lines is known late, so the next value is computed before it is known
    // whether it applies.
    foreign_d = foreign ? next_foreign : foreign_q;
    overflows_d = overflow ? next_overflows : overflows_q;
    malformed_d = malformed ? next_malformed : malformed_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= decapsulation_pkg::Idle;
      slid_q <= '0;
      line_q <= '0;
      line_enable_q <= '0;
      ready_q <= '0;
      open_q <= '0;
      gap_q <= '0;
      foreign_q <= '0;
      overflows_q <= '0;
      malformed_q <= '0;
    end else begin
      state_q <= state_d;
      slid_q <= slid_d;
      line_q <= line_d;
      line_enable_q <= line_enable_d;
      ready_q <= ready_d;
      open_q <= open_d;
      gap_q <= gap_d;
      foreign_q <= foreign_d;
      overflows_q <= overflows_d;
      malformed_q <= malformed_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= decapsulation_pkg::Drop);
    end
  end
`endif

endmodule
