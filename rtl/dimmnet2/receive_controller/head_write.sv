/// Head writer of the Receive Controller: writes the head of a message into the LH Buffer (thesis
/// section 7.2, figures 7.6 and 7.7).
///
/// The first 64 bits of a message are its envelope. The envelope and the next 48 bytes of data
/// become an entry of eight lines. The host relies on the order of the writes:
///
/// | State | Line | Content |
/// |---|---|---|
/// | `Sizes` | 1 | Pointer 63:32: rest in the ring, or 0; Size 31:0: bytes after the envelope |
/// | `Valid` | 0 | envelope; bits 47:46: Valid Flag inverted, Complete Flag unchanged |
/// | `Data`, `Last` | 2-7 | data |
/// | `Complete` | 0 | envelope, both flags inverted; the Tail of the LH Buffer advances |
///
/// The writer starts when there is room for the entry and for the rest, so it never stalls. If
/// there is a rest, the seventh data line stays on SWIF's output for the Write Unit; otherwise the
/// packet is read to its end. A first line within the packet makes it malformed: the entry is
/// withdrawn by writing line 0 with its old flags, and the rest of the packet is read and ignored.
/// A packet without data makes no entry (decision 0021).
module head_write (
    /// Core clock, 100 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From packet control, LH Buffer, SWIF.
    input  head_write_pkg::in_t  pins_i,
    /// To SWIF, LH Buffer, packet control, Write Unit.
    output head_write_pkg::out_t pins_o
);

  head_write_pkg::state_e state_d, state_q;
  logic        polarity_d, polarity_q;
  logic        rest_d, rest_q;
  logic [5:0]  remaining_d, remaining_q;
  logic [5:0]  bytes_d, bytes_q;
  logic [63:0] envelope_d, envelope_q;
  logic        last_d, last_q;
  logic [63:0] data_d, data_q;
  logic        write_d, write_q;
  logic [2:0]  count_d, count_q;
  logic        entry_d, entry_q;
  logic        broken_d, broken_q;

  // Data line n, counted from 0, is line n + 2 of the entry; `count` is one ahead of the line on
  // the output.
  logic [2:0] line;
  logic       data_state;
  assign line = count_q + 3'd1;
  assign data_state = (state_q == head_write_pkg::Data) || (state_q == head_write_pkg::Last);

  logic flags;
  assign flags = (polarity_q == entry_q);

  assign pins_o.line_next = (state_q == head_write_pkg::Sizes) ||
                            (state_q == head_write_pkg::Valid && !last_q) ||
                            (state_q == head_write_pkg::Data &&
                             (count_q < 3'd5 || !rest_q || broken_q));
  assign pins_o.write_enable = (state_q == head_write_pkg::Sizes) ? 2'b10 :
                               (state_q == head_write_pkg::Valid) ? 2'b01 :
                               (state_q == head_write_pkg::Complete) ? 2'b01 :
                               !(data_state && write_q) ? 2'b00 :
                               line[0] ? 2'b10 : 2'b01;
  assign pins_o.row = data_state ? line[2:1] : 2'd0;
  assign pins_o.wdata = (state_q == head_write_pkg::Valid) ?
                            {envelope_q[63:48], polarity_q, !polarity_q, envelope_q[45:0]} :
                        (state_q == head_write_pkg::Complete) ?
                            {envelope_q[63:48], flags, flags, envelope_q[45:0]} :
                        data_q;
  assign pins_o.advance = (state_q == head_write_pkg::Complete) && entry_q;
  assign pins_o.done = (state_q == head_write_pkg::Done);
  assign pins_o.broken = broken_q;
  assign pins_o.bytes = bytes_q;

  logic       first;
  logic       last;
  logic       rest;
  logic [5:0] held;
  logic       stored;
  assign first = (pins_i.line.id == line_pkg::First);
  assign last = (pins_i.line.id == line_pkg::Last);
  assign rest = (pins_i.bytes > {6'd0, head_write_pkg::HeadBytes});
  assign held = (remaining_q > 6'd8) ? 6'd8 : remaining_q;
  assign stored = entry_q && !first;

  always_comb begin
    state_d = state_q;
    polarity_d = polarity_q;
    rest_d = rest_q;
    remaining_d = remaining_q;
    bytes_d = bytes_q;
    envelope_d = envelope_q;
    last_d = last_q;
    data_d = data_q;
    write_d = write_q;
    count_d = count_q;
    entry_d = entry_q;
    broken_d = broken_q;

    unique case (state_q)
      // Idle: results are kept until the next message starts.
      head_write_pkg::Idle: begin
        if (pins_i.start) begin
          polarity_d = pins_i.polarity;
          rest_d = rest;
          remaining_d = rest ? head_write_pkg::HeadBytes : pins_i.bytes[5:0];
          bytes_d = 6'd0;
          data_d = {pins_i.pointer, (pins_i.size < 32'd8) ? 32'd0 : pins_i.size - 32'd8};
          write_d = 1'b0;
          count_d = 3'd0;
          entry_d = 1'b0;
          broken_d = 1'b0;
          state_d = head_write_pkg::Sizes;
        end
      end
      // Sizes: if the header ends the packet, there is no data.
      head_write_pkg::Sizes: state_d = last ? head_write_pkg::Done : head_write_pkg::Envelope;
      // Envelope: a packet that is malformed or announces no data is read to its end.
      head_write_pkg::Envelope: begin
        envelope_d = pins_i.line.data;
        last_d = last;
        broken_d = first;
        entry_d = !first && (remaining_q != 6'd0);
        if (entry_d) begin
          remaining_d = remaining_q - held;
          bytes_d = held;
        end
        state_d = entry_d ? head_write_pkg::Valid : head_write_pkg::Data;
      end
      // Valid: from now on the host may wait for Complete Flag.
      head_write_pkg::Valid: begin
        state_d = last_q ? head_write_pkg::Complete : head_write_pkg::Data;
      end
      // Data: a line without announced bytes is not written.
      head_write_pkg::Data: begin
        write_d = stored && (held != 6'd0);
        data_d = pins_i.line.data;
        if (stored) begin
          remaining_d = remaining_q - held;
          bytes_d = bytes_q + held;
        end
        count_d = (count_q == 3'd6) ? 3'd6 : count_q + 3'd1;
        if (first) begin
          broken_d = 1'b1;
          entry_d = 1'b0;
        end
        if (last || (count_q >= 3'd5 && rest_q && !broken_q && !first)) begin
          state_d = head_write_pkg::Last;
        end
      end
      // Last: the most recently taken line is written.
      head_write_pkg::Last: begin
        write_d = 1'b0;
        state_d = head_write_pkg::Complete;
      end
      // Complete: the entry is completed or withdrawn.
      head_write_pkg::Complete: state_d = head_write_pkg::Done;
      // Done: the packet control takes the result.
      head_write_pkg::Done: state_d = head_write_pkg::Idle;
      default: state_d = head_write_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= head_write_pkg::Idle;
      polarity_q <= '0;
      rest_q <= '0;
      remaining_q <= '0;
      bytes_q <= '0;
      envelope_q <= '0;
      last_q <= '0;
      data_q <= '0;
      write_q <= '0;
      count_q <= '0;
      entry_q <= '0;
      broken_q <= '0;
    end else begin
      state_q <= state_d;
      polarity_q <= polarity_d;
      rest_q <= rest_d;
      remaining_q <= remaining_d;
      bytes_q <= bytes_d;
      envelope_q <= envelope_d;
      last_q <= last_d;
      data_q <= data_d;
      write_q <= write_d;
      count_q <= count_d;
      entry_q <= entry_d;
      broken_q <= broken_d;
    end
  end

  // A malformed message creates no entry.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      BrokenMessageHasNoEntry : assert (
          (state_q == head_write_pkg::Idle) || !(broken_q && entry_q));
    end
  end
`endif

endmodule
