/// A FIFO between two clock domains that transfers whole packets, twin of `hdl::AsyncFifo`.
///
/// Pointers cross as Gray codes through two flip-flops each, so a side sees the other's progress
/// late but never wrong. A third Gray code counts the last words written: a reader starts only on a
/// whole packet and never runs empty in the middle of one.
///
/// The number of free words is a difference, for which the Gray code must be decoded. The decoded
/// number is a register, which leaves most of a cycle to the user of `free_o` (decision 0052).
/// Registers also hold whether the memory is full and, on the read side, whether a word and a
/// packet are available; all three are computed one cycle ahead from the next outputs of the
/// synchronisers.
///
/// Pointer and packet count cross on separate wires, so in hardware the pointer may arrive one read
/// cycle after the count. `packet_available_o` therefore also requires one word: this is sufficient
/// for packets of one word, and the last word of a longer packet is written at least one cycle
/// after its first.
module async_fifo #(
    /// Width of a word in bits.
    parameter int Width = 66,
    /// Words, a power of two.
    parameter int Depth = 1024,
    /// Width of an address in bits; pointers have one bit more, so that full and empty differ.
    localparam int AddressWidth = $clog2(Depth)
) (
    /// Write clock.
    input  logic                  write_clk_i,
    /// Synchronous reset of the write side. Both sides must be in reset at the same time.
    input  logic                  write_rst_ni,
    /// Stores `wdata_i`; ignored when there is no free word.
    input  logic                  write_enable_i,
    /// Word to store.
    input  logic [Width-1:0]      wdata_i,
    /// `wdata_i` ends a packet.
    input  logic                  write_last_i,
    /// Words that can be written; words just read are missing for three to four cycles.
    output logic [AddressWidth:0] free_o,
    /// Read clock.
    input  logic                  read_clk_i,
    /// Synchronous reset of the read side.
    input  logic                  read_rst_ni,
    /// Takes the oldest word; it is on `rdata_o` one cycle later. Ignored when empty.
    input  logic                  read_enable_i,
    /// The word taken is the first of a packet; only with `packet_available_o`.
    input  logic                  read_packet_i,
    /// The word taken by the last read.
    output logic [Width-1:0]      rdata_o,
    /// Nothing to read.
    output logic                  empty_o,
    /// At least one whole packet has not been started.
    output logic                  packet_available_o
);

  logic [Width-1:0] mem [Depth];

  // Write clock.
  logic [AddressWidth:0] write_pointer_d, write_pointer_q;
  logic [AddressWidth:0] write_gray_q;
  logic [AddressWidth:0] packets_d, packets_q;
  logic [AddressWidth:0] packets_gray_q;
  logic [AddressWidth:0] read_pointer_seen_q;
  logic                  full_d, full_q;
  // Read clock.
  logic [Width-1:0]      rdata_q;
  logic [AddressWidth:0] read_pointer_d, read_pointer_q;
  logic [AddressWidth:0] read_gray_q;
  logic [AddressWidth:0] packets_next_q;
  logic [AddressWidth:0] packets_read_gray_d, packets_read_gray_q;
  logic                  some_d, some_q;
  logic                  whole_d, whole_q;

  logic [AddressWidth:0] read_gray_seen;
  logic [AddressWidth:0] read_pointer_number;
  logic [AddressWidth:0] write_gray_coming;
  logic [AddressWidth:0] packets_gray_coming;

  // The write side uses the present output of its synchroniser, the read side the next output of
  // its two.
  /* verilator lint_off PINCONNECTEMPTY */
  synchroniser #(
      .Width(AddressWidth + 1)
  ) u_read_gray_sync (
      .clk_i(write_clk_i),
      .rst_ni(write_rst_ni),
      .value_i(read_gray_q),
      .coming_o(),
      .value_o(read_gray_seen)
  );

  synchroniser #(
      .Width(AddressWidth + 1)
  ) u_write_gray_sync (
      .clk_i(read_clk_i),
      .rst_ni(read_rst_ni),
      .value_i(write_gray_q),
      .coming_o(write_gray_coming),
      .value_o()
  );

  synchroniser #(
      .Width(AddressWidth + 1)
  ) u_packets_gray_sync (
      .clk_i(read_clk_i),
      .rst_ni(read_rst_ni),
      .value_i(packets_gray_q),
      .coming_o(packets_gray_coming),
      .value_o()
  );

  /* verilator lint_on PINCONNECTEMPTY */

  // Binary value of a Gray code: each bit is the parity of the bits from it upwards.
  for (genvar bit_index = 0; bit_index <= AddressWidth; bit_index++) begin : gen_binary
    assign read_pointer_number[bit_index] = ^read_gray_seen[AddressWidth:bit_index];
  end

  logic [AddressWidth:0] end_of_room;
  // The read pointer, one round of the memory ahead, less the write pointer. The difference is
  // wrong in the few cycles in which only one side knows of a reset.
  assign end_of_room = {!read_pointer_seen_q[AddressWidth], read_pointer_seen_q[AddressWidth-1:0]};
  assign free_o = end_of_room - write_pointer_q;
  assign rdata_o = rdata_q;
  assign empty_o = !some_q;
  assign packet_available_o = some_q && whole_q;

  // The next value of each pointer, and the comparisons for both cases, are computed in parallel
  // with the decision whether a word is written or read.
  logic read;
  logic write;
  logic write_packet;
  logic [AddressWidth:0] next_read;
  logic [AddressWidth:0] next_write;
  logic [AddressWidth:0] end_gray;
  logic [AddressWidth:0] next_packets;
  logic [AddressWidth:0] packets_next_gray;
  assign read = read_enable_i && some_q;
  assign next_read = read_pointer_q + 1'b1;
  assign read_pointer_d = read ? next_read : read_pointer_q;
  assign packets_next_gray = packets_next_q ^ (packets_next_q >> 1);
  assign packets_read_gray_d = read_packet_i ? packets_next_gray : packets_read_gray_q;
  // The number of the next packet is a register, so no adder is in this path (decision 0052).
  assign some_d = read ? write_gray_coming != (next_read ^ (next_read >> 1)) :
                         write_gray_coming != read_gray_q;
  assign whole_d = read_packet_i ? packets_gray_coming != packets_next_gray :
                                   packets_gray_coming != packets_read_gray_q;
  assign write = write_enable_i && !full_q;
  assign write_packet = write && write_last_i;
  assign next_write = write_pointer_q + 1'b1;
  assign next_packets = packets_q + 1'b1;
  assign write_pointer_d = write ? next_write : write_pointer_q;
  // The Gray code of a pointer one round ahead differs in its two highest bits.
  assign end_gray = {~read_gray_seen[AddressWidth:AddressWidth-1],
                     read_gray_seen[AddressWidth-2:0]};
  assign full_d = write ? end_gray == (next_write ^ (next_write >> 1)) : end_gray == write_gray_q;
  assign packets_d = write_packet ? next_packets : packets_q;

  // A block RAM answers late in its cycle, so the next word is read before it is taken. A word that
  // can be taken was written at least two read edges ago. `ahead` is not state of its own: it
  // follows from `mem` and the pointer.
  logic [Width-1:0] ahead;
  always_ff @(posedge read_clk_i) ahead <= mem[read_pointer_d[AddressWidth-1:0]];

  always_ff @(posedge read_clk_i) begin
    if (!read_rst_ni) begin
      rdata_q <= '0;
      read_pointer_q <= '0;
      read_gray_q <= '0;
      packets_next_q <= (AddressWidth + 1)'(1);
      packets_read_gray_q <= '0;
      some_q <= '0;
      whole_q <= '0;
    end else begin
      if (read) rdata_q <= ahead;
      read_pointer_q <= read_pointer_d;
      if (read) read_gray_q <= next_read ^ (next_read >> 1);
      if (read_packet_i) packets_next_q <= packets_next_q + 1'b1;
      packets_read_gray_q <= packets_read_gray_d;
      some_q <= some_d;
      whole_q <= whole_d;
    end
  end

  always_ff @(posedge write_clk_i) begin
    if (!write_rst_ni) begin
      read_pointer_seen_q <= '0;
      full_q <= '0;
      write_pointer_q <= '0;
      write_gray_q <= '0;
      packets_q <= '0;
      packets_gray_q <= '0;
    end else begin
      if (write) mem[write_pointer_q[AddressWidth-1:0]] <= wdata_i;
      read_pointer_seen_q <= read_pointer_number;
      full_q <= full_d;
      write_pointer_q <= write_pointer_d;
      if (write) write_gray_q <= next_write ^ (next_write >> 1);
      packets_q <= packets_d;
      if (write_packet) packets_gray_q <= next_packets ^ (next_packets >> 1);
    end
  end

  // The Gray codes that cross are those of the pointers.
`ifndef SYNTHESIS
  always @(posedge write_clk_i) begin
    if (write_rst_ni) begin
      WriteCodeIsThatOfThePointer : assert (
          write_gray_q == (write_pointer_q ^ (write_pointer_q >> 1)));
    end
  end
  always @(posedge read_clk_i) begin
    if (read_rst_ni) begin
      ReadCodeIsThatOfThePointer : assert (
          read_gray_q == (read_pointer_q ^ (read_pointer_q >> 1)));
    end
  end
`endif

endmodule
