/// RVS module: sends data of own SO-DIMM to a remote node, for the RVS and IPUSH families (thesis
/// section 5.3, figure 5.15).
///
/// The module sends the Prefetch Unit one request, and makes packets of the data that arrives. The
/// data is contiguous, strided or listed at either end. A host's primitive describes the remote
/// memory in the command and its own in Command Ex; an RVL request of a remote node describes this
/// node's memory in the command and the requester's in Command Ex (decision 0018).
///
/// A packet is at most MTU long (decision 0019). Data that fits in one contiguous packet has a
/// header of two lines; otherwise a third line holds the size of the whole transfer and the stride
/// or list. RVSS and RVSI packets contain whole elements.
///
/// Data is sent as it arrives: `Rvs2` and `Rvs3` wait for the first line of a packet. `Rvs5` sends
/// a line in each cycle in which one is available, until the Data Counter, the number of unsent
/// lines, is 0 (decision 0034). With `data_awaited`, `Rvs2` and `Rvs3` wait for all lines of the
/// packet that come from the Prefetch Unit (decision 0041).
///
/// An IPUSH is a contiguous RVS with another TYPE, whose DSTOff counts from 0; with LHSv1 and
/// LHSv2, its packets have lflag. The data of LHSv2 begins with lines of the Write Window, which
/// are sent as they are read, before those of the packet buffer; packets are cut from the
/// concatenation (decision 0023).
///
/// While a line is sent, the next is on the buffer's output and the one after that is read: reading
/// begins with the next-to-last header line. An empty buffer causes a gap that passes through both
/// stages.
module rvs (
    /// Core clock, 100 MHz.
    input  logic          clk_i,
    /// Synchronous reset.
    input  logic          rst_ni,
    /// From Request Executor, Configuration Register, SWIF FIFO, Prefetch Unit, Write Window.
    input  rvs_pkg::in_t  pins_i,
    /// To Request Executor, SWIF FIFO, Prefetch Unit, Write Window, registers.
    output rvs_pkg::out_t pins_o
);

  // Variants: code bits 1:0 of a primitive.
  localparam logic [1:0] Contiguous = 2'd0;
  localparam logic [1:0] Strided = 2'd1;
  localparam logic [1:0] ByList = 2'd2;

  rvs_pkg::state_e state_d, state_q;
  logic        remote_d, remote_q;
  logic        empty_d, empty_q;
  logic [4:0]  otype_d, otype_q;
  logic        dwid_d, dwid_q;
  logic [11:0] dclid_d, dclid_q;
  logic        eflag_d, eflag_q;
  logic        rflag_d, rflag_q;
  logic        lflag_d, lflag_q;
  rvs_pkg::vector_t target_d, target_q;
  logic [31:0] dstoff_d, dstoff_q;
  logic [31:0] initial_dstoff_d, initial_dstoff_q;
  logic [12:0] mtu_d, mtu_q;
  prefetch_unit_pkg::vector_load_t vector_load_d, vector_load_q;
  logic        asked_d, asked_q;
  logic [31:0] total_d, total_q;
  logic [7:0]  window_d, window_q;
  logic [6:0]  window_left_d, window_left_q;
  logic        taken_d, taken_q;
  logic        from_window_d, from_window_q;
  logic        odd_d, odd_q;
  logic [31:0] remaining_d, remaining_q;
  logic [11:0] bytes_d, bytes_q;
  logic [7:0]  elements_d, elements_q;
  logic [9:0]  data_counter_d, data_counter_q;
  logic [9:0]  awaited_d, awaited_q;
  logic        last_packet_d, last_packet_q;
  logic        long_header_d, long_header_q;
  logic [1:0]  header_left_d, header_left_q;
  logic        valid_d, valid_q;
  logic        first_d, first_q;
  logic [63:0] line_d, line_q;
  logic [63:0] second_d, second_q;
  logic [63:0] third_d, third_q;

  // Whether a line of data is taken in this cycle if one is available. It is sent two cycles later;
  // the Data Counter still counts the lines between.
  logic       asks;
  logic [1:0] between;
  assign between = {1'b0, taken_q} + {1'b0, valid_q && state_q == rvs_pkg::Rvs5};
  assign asks = ((state_q == rvs_pkg::Rvs4 && header_left_q != 2'd3) || state_q == rvs_pkg::Rvs5) &&
                (data_counter_q[9:2] != 8'd0 || data_counter_q[1:0] > between);

  logic last_line;
  assign last_line = (state_q == rvs_pkg::Rvs5) && data_counter_q == 10'd1;

  assign pins_o.vector_load = vector_load_q;
  assign pins_o.vector_load_start = asked_q;
  assign pins_o.packet_next = asks && window_left_q == 7'd0;
  assign pins_o.write_window_read_enable = asks && window_left_q != 7'd0;
  assign pins_o.write_window_address = {vector_load_q.wid, window_q[7:1]};
  assign pins_o.line.data = line_q;
  assign pins_o.line.id = last_line ? line_pkg::Last : first_q ? line_pkg::First : line_pkg::Middle;
  assign pins_o.line_enable = valid_q;
  assign pins_o.mtu = mtu_q;
  assign pins_o.done = empty_q || (state_q == rvs_pkg::RvsEnd && !remote_q);
  assign pins_o.done_wid = vector_load_q.wid;
  assign pins_o.ipush = (otype_q[4:2] == command_pkg::FamilyIpush);
  assign pins_o.idle = (state_q == rvs_pkg::Prim);
  assign pins_o.state = state_q;

  // First header line of this packet.
  logic [7:0]  pgid;
  logic [15:0] dlid;
  logic [11:0] header_bytes;
  logic [11:0] packet_size;
  assign pgid = vector_load_q.wid ? pins_i.pgid1 : pins_i.pgid0;
  assign header_bytes = long_header_q ? rvs_pkg::LongHeader : rvs_pkg::ShortHeader;
  assign packet_size = bytes_q + header_bytes;
  clid_to_lid u_clid_to_lid (
      .clid_i(dclid_q),
      .lid_o(dlid)
  );
  packet_pkg::first_line_t first_line;
  always_comb begin
    first_line = '0;
    first_line.packet_size = packet_size;
    first_line.otype = otype_q;
    first_line.pgid = pgid;
    first_line.dwid = dwid_q;
    first_line.swid = vector_load_q.wid;
    first_line.dlid = dlid;
    first_line.dtype = target_q.dtype;
    first_line.iteration = elements_q;
    first_line.rflag = rflag_q;
    first_line.eflag = eflag_q && last_packet_q;
    first_line.hflag = long_header_q;
    first_line.lflag = lflag_q;
  end

  // `placed`: list entries that the receiver uses for a packet that is not the last: one for each
  // element, or for each 4 bytes of smaller elements.
  //
  // `advance`: advance of the remote DSTOff by this packet if the data is contiguous there, as in
  // every Prefetch Window. `advance_by_line`: advance by a line of data, the strides of the
  // elements that end with it. A line holds two units of 4 bytes; the receiver stores no smaller
  // elements.
  logic [9:0]  placed;
  logic [31:0] advance;
  logic [31:0] advance_by_line;
  logic        advances;
  logic [3:0]  lines_left;
  always_comb begin
    unique case (target_q.dtype)
      3'd3: placed = {1'd0, bytes_q[11:3]};
      3'd4: placed = {2'd0, bytes_q[11:4]};
      3'd5: placed = {3'd0, bytes_q[11:5]};
      3'd6: placed = {4'd0, bytes_q[11:6]};
      3'd7: placed = {5'd0, bytes_q[11:7]};
      default: placed = bytes_q[11:2];
    endcase
  end
  assign lines_left = data_counter_q[3:0] - 4'd1;
  always_comb begin
    advance = (target_q.variant == Contiguous || rflag_q) ? {20'd0, bytes_q} : 32'd0;
    advance_by_line = (target_q.dtype < 3'd3) ? {target_q.size_list_stride[30:2], 3'b000} :
                      {target_q.size_list_stride[31:2], 2'b00};
    advances = target_q.variant == Strided && !rflag_q &&
               (target_q.dtype < 3'd3 || (lines_left & ~(4'hf << (target_q.dtype - 3'd3))) == 4'd0);
  end

  // Room that a header of 16 or 24 bytes leaves in an MTU. The MTU is 256, 512, 1024, 2048 or 4088
  // (Configuration Register), so a few of its bits determine the room. An adder between the decoded
  // MTU and the comparisons would be too slow.
  function automatic logic [11:8] room_high_of(logic [2:0] mtu_by_512, logic longest);
    room_high_of = {longest, mtu_by_512[2], mtu_by_512[2:1] != 2'd0, mtu_by_512 != 3'd0};
  endfunction
  function automatic logic [11:0] long_room_of(logic [2:0] mtu_by_512, logic longest);
    long_room_of = {room_high_of(mtu_by_512, longest), 3'b111, 1'b0, !longest, 3'd0};
  endfunction

  // Whether the data exceeds the room behind a header of 16 bytes. The room is 16 bytes below a
  // power of two, so bits are tested instead of a comparison, which would begin only when the MTU
  // is known.
  function automatic logic exceeds_short_room(logic [31:0] bytes, logic [11:8] room_high,
                                              logic longest);
    logic full;
    full = (bytes[11:8] | ~room_high) == 4'hf;
    exceeds_short_room = bytes[31:12] != 20'd0 || (bytes[11:8] & ~room_high) != 4'd0 ||
                         (full && (longest ? bytes[7:0] > 8'he8 : bytes[7:0] > 8'hf0));
  endfunction

  // Room for data behind a header of three lines, and whether the rest of the transfer fits in it.
  logic [11:0] room;
  logic        fits;
  logic        cut;
  logic [7:0]  whole_elements;
  logic [7:0]  rest_elements;
  logic [11:0] room_elements;
  assign room = long_room_of(mtu_q[11:9], mtu_q[3]);
  assign fits = (remaining_q <= {20'd0, room});
  // The last element may be partial; it counts as an element.
  always_comb begin
    unique case (target_q.dtype)
      3'd0: {whole_elements, cut} = {remaining_q[7:0], 1'b0};
      3'd1: {whole_elements, cut} = {remaining_q[8:1], remaining_q[0]};
      3'd2: {whole_elements, cut} = {remaining_q[9:2], remaining_q[1:0] != 2'd0};
      3'd3: {whole_elements, cut} = {remaining_q[10:3], remaining_q[2:0] != 3'd0};
      3'd4: {whole_elements, cut} = {remaining_q[11:4], remaining_q[3:0] != 4'd0};
      3'd5: {whole_elements, cut} = {remaining_q[12:5], remaining_q[4:0] != 5'd0};
      3'd6: {whole_elements, cut} = {remaining_q[13:6], remaining_q[5:0] != 6'd0};
      default: {whole_elements, cut} = {remaining_q[14:7], remaining_q[6:0] != 7'd0};
    endcase
  end
  assign rest_elements = whole_elements + {7'd0, cut};
  assign room_elements = room >> target_q.dtype;

  // Bytes of a new transfer: those of the command. Beyond the lines of the Write Window, Command Ex
  // limits them to its elements. The values below are computed for both cases in parallel with the
  // comparison.
  logic [15:0] limit;
  logic        is_limited;
  logic        nothing;
  logic [31:0] begins_total;
  logic [31:0] own_total;
  assign limit = pins_i.sizes.limit;
  assign is_limited = pins_i.sizes.limited && {16'd0, limit} < pins_i.sizes.command;
  assign nothing = pins_i.sizes.nothing;
  assign begins_total = is_limited ? {16'd0, limit} : pins_i.sizes.command;
  // Bytes of the new transfer that the Prefetch Unit reads.
  assign own_total = is_limited ? {17'd0, pins_i.sizes.elements} :
                     pins_i.sizes.command - {22'd0, pins_i.sizes.window_lines, 3'd0};
  logic owns_nothing;
  assign owns_nothing = is_limited ? pins_i.sizes.elements == 15'd0 :
                        pins_i.sizes.command == {22'd0, pins_i.sizes.window_lines, 3'd0};

  // First packet of the new transfer, and the lines of that packet.
  logic        begins_contiguous;
  logic        begins_long;
  logic        command_is_long;
  logic        limit_is_long;
  logic [11:8] short_room_high;
  logic [11:0] long_room;
  logic [12:0] long_padded;
  logic [12:0] limit_padded;
  logic [12:0] command_padded;
  logic [9:0]  begins_lines;
  assign begins_contiguous = (pins_i.target.variant == Contiguous);
  assign short_room_high = room_high_of(pins_i.mtu[11:9], pins_i.mtu[3]);
  assign long_room = long_room_of(pins_i.mtu[11:9], pins_i.mtu[3]);
  // The smaller of two sizes is too long if both are.
  assign command_is_long = exceeds_short_room(pins_i.sizes.command, short_room_high, pins_i.mtu[3]);
  assign limit_is_long = exceeds_short_room({16'd0, limit}, short_room_high, pins_i.mtu[3]);
  assign begins_long = !begins_contiguous ||
                       (command_is_long && (!pins_i.sizes.limited || limit_is_long));
  assign long_padded = {1'b0, long_room} + 13'd7;
  assign limit_padded = {1'b0, limit[11:0]} + 13'd7;
  assign command_padded = {1'b0, pins_i.sizes.command[11:0]} + 13'd7;
  assign begins_lines = begins_long ? long_padded[12:3] :
                        is_limited ? limit_padded[12:3] : command_padded[12:3];

  // The most recently taken line, and whether another is available.
  logic [63:0] data;
  logic        ready;
  assign data = !from_window_q ? pins_i.packet_data :
                odd_q ? pins_i.write_window_rdata[127:64] : pins_i.write_window_rdata[63:0];
  logic        complete;
  assign ready = (window_left_q != 7'd0) || (pins_i.packet_lines != 11'd0);
  assign complete = (pins_i.packet_lines >= {1'b0, awaited_q});

  // Lines of this packet that must be in the packet buffer before it begins: all that come from
  // there, or the first one if the packet begins with it. Lines of the Write Window are always
  // available.
  logic [9:0] from_buffer;
  logic [9:0] awaited;
  assign from_buffer = (data_counter_q > {3'd0, window_left_q}) ?
                       data_counter_q - {3'd0, window_left_q} : 10'd0;
  assign awaited = pins_i.data_awaited ? from_buffer : {9'd0, window_left_q == 7'd0};

  // Bytes of the elements of a packet, at most 4064: a barrel shift with one stage for each bit of
  // DTYPE.
  logic [8:0]  pairs;
  logic [10:0] fours;
  logic [11:0] elements_bytes;
  assign pairs = target_q.dtype[0] ? {elements_q, 1'b0} : {1'b0, elements_q};
  assign fours = target_q.dtype[1] ? {pairs, 2'd0} : {2'd0, pairs};
  assign elements_bytes = target_q.dtype[2] ? {fours[7:0], 4'd0} : {1'b0, fours};

  // The Data Counter is loaded together with `bytes`, from the same sources.
  logic [12:0] remaining_padded;
  logic [12:0] room_padded;
  logic [9:0]  elements_lines;
  assign remaining_padded = {1'b0, remaining_q[11:0]} + 13'd7;
  assign room_padded = {1'b0, room} + 13'd7;
  // Elements of 8 bytes and more are whole lines. Smaller ones share lines, and the last line may
  // be partial.
  always_comb begin
    unique case (target_q.dtype)
      3'd0: elements_lines = {4'd0, {1'b0, elements_q[7:3]} + {5'd0, elements_q[2:0] != 3'd0}};
      3'd1: elements_lines = {3'd0, {1'b0, elements_q[7:2]} + {6'd0, elements_q[1:0] != 2'd0}};
      3'd2: elements_lines = {2'd0, {1'b0, elements_q[7:1]} + {7'd0, elements_q[0]}};
      3'd3: elements_lines = {2'd0, elements_q};
      3'd4: elements_lines = {1'b0, elements_q, 1'b0};
      3'd5: elements_lines = {elements_q, 2'd0};
      3'd6: elements_lines = {elements_q[6:0], 3'd0};
      default: elements_lines = {elements_q[5:0], 4'd0};
    endcase
  end

  // A primitive with data begins. Its parameters stay until the end of the transfer.
  logic begins;
  assign begins = (state_q == rvs_pkg::Prim) && pins_i.start && !nothing;
  always_comb begin
    remote_d = remote_q;
    otype_d = otype_q;
    dwid_d = dwid_q;
    dclid_d = dclid_q;
    eflag_d = eflag_q;
    rflag_d = rflag_q;
    lflag_d = lflag_q;
    initial_dstoff_d = initial_dstoff_q;
    mtu_d = mtu_q;
    vector_load_d = vector_load_q;
    total_d = total_q;
    long_header_d = long_header_q;
    if (state_q == rvs_pkg::Prim && pins_i.start) begin
      vector_load_d.wid = pins_i.wid;
      otype_d = pins_i.otype;
    end
    if (begins) begin
      remote_d = pins_i.remote;
      dwid_d = pins_i.dwid;
      dclid_d = pins_i.dclid;
      eflag_d = pins_i.eflag;
      rflag_d = pins_i.rflag;
      lflag_d = pins_i.lflag;
      initial_dstoff_d = pins_i.dstoff;
      mtu_d = pins_i.mtu;
      vector_load_d.variant = pins_i.source.variant;
      vector_load_d.dtype = pins_i.source.dtype;
      vector_load_d.iteration = pins_i.source.iteration;
      vector_load_d.size_list_stride = pins_i.source.size_list_stride;
      vector_load_d.srcoff = pins_i.srcoff;
      vector_load_d.dstoff = 32'd0;
      vector_load_d.to_packet = 1'b1;
      vector_load_d.total = own_total;
      vector_load_d.first_half = 1'b0;
      vector_load_d.wanted = 10'd0;
      vector_load_d.reach = 10'd0;
      total_d = begins_total;
      long_header_d = begins_long;
    end
    if (state_q == rvs_pkg::RvsEnd) begin
      remote_d = '0;
      otype_d = '0;
      dwid_d = '0;
      dclid_d = '0;
      eflag_d = '0;
      rflag_d = '0;
      lflag_d = '0;
      initial_dstoff_d = '0;
      mtu_d = '0;
      vector_load_d = '0;
      total_d = '0;
      long_header_d = '0;
    end
  end

  // Lines of data that are taken: those of the Write Window come first.
  always_comb begin
    taken_d = asks && ready;
    window_d = window_q;
    window_left_d = window_left_q;
    from_window_d = from_window_q;
    odd_d = odd_q;
    awaited_d = (state_q == rvs_pkg::Rvs1) ? awaited : awaited_q;
    if (begins) begin
      window_d = pins_i.window;
      window_left_d = pins_i.sizes.window_lines;
    end
    if (taken_d) begin
      from_window_d = (window_left_q != 7'd0);
      odd_d = window_q[0];
      if (window_left_q != 7'd0) begin
        window_d = window_q + 8'd1;
        window_left_d = window_left_q - 7'd1;
      end
    end
    if (state_q == rvs_pkg::RvsEnd) begin
      taken_d = '0;
      window_d = '0;
      window_left_d = '0;
      from_window_d = '0;
      odd_d = '0;
      awaited_d = '0;
    end
  end

  // Lines of the header, and the line that is sent.
  always_comb begin
    header_left_d = header_left_q;
    first_d = first_q;
    line_d = line_q;
    second_d = second_q;
    third_d = third_q;
    unique case (state_q)
      rvs_pkg::Rvs1: begin
        line_d = first_line;
        second_d = {dstoff_q, initial_dstoff_q};
        first_d = 1'b1;
        header_left_d = long_header_q ? 2'd3 : 2'd2;
      end
      rvs_pkg::Rvs2: third_d = {target_q.size_list_stride, total_q};
      rvs_pkg::Rvs4: begin
        line_d = (header_left_q == 2'd1) ? data : second_q;
        second_d = third_q;
        first_d = 1'b0;
        header_left_d = header_left_q - 2'd1;
      end
      rvs_pkg::Rvs5: line_d = data;
      rvs_pkg::RvsEnd: begin
        header_left_d = '0;
        first_d = '0;
        line_d = '0;
        second_d = '0;
        third_d = '0;
      end
      default: ;
    endcase
  end

  always_comb begin
    state_d = state_q;
    empty_d = 1'b0;
    target_d = target_q;
    dstoff_d = dstoff_q;
    asked_d = 1'b0;
    remaining_d = remaining_q;
    bytes_d = bytes_q;
    elements_d = elements_q;
    data_counter_d = data_counter_q;
    last_packet_d = last_packet_q;
    valid_d = valid_q;

    unique case (state_q)
      // Prim: a primitive without data completes at once. The first packet of a contiguous one is
      // computed immediately.
      rvs_pkg::Prim: begin
        empty_d = pins_i.start && nothing && !pins_i.remote;
        if (begins) begin
          // Without elements, the header fields for them are 0.
          target_d = begins_contiguous ? '0 : pins_i.target;
          dstoff_d = pins_i.dstoff;
          remaining_d = begins_total;
          elements_d = 8'd0;
          last_packet_d = !begins_long;
          bytes_d = begins_long ? long_room : begins_total[11:0];
          data_counter_d = begins_lines;
          asked_d = !pins_i.prefetch_unit_busy && !owns_nothing;
          state_d = pins_i.prefetch_unit_busy ? rvs_pkg::Wait :
                    begins_contiguous ? rvs_pkg::Rvs1 : rvs_pkg::Rvss1;
        end
      end
      // Wait: no other module uses the Prefetch Unit meanwhile.
      rvs_pkg::Wait: begin
        if (!pins_i.prefetch_unit_busy) begin
          asked_d = (vector_load_q.total != 32'd0);
          state_d = (target_q.variant == Contiguous) ? rvs_pkg::Rvs1 : rvs_pkg::Rvss1;
        end
      end
      // Rvss1: a packet contains whole elements, and therefore a multiple of 8 bytes.
      rvs_pkg::Rvss1: begin
        last_packet_d = fits;
        bytes_d = remaining_q[11:0];
        data_counter_d = remaining_padded[12:3];
        elements_d = fits ? rest_elements : room_elements[7:0];
        state_d = fits ? rvs_pkg::Rvs1 : rvs_pkg::Rvss2;
      end
      // Rvss2: the Data Counter is computed from the elements.
      rvs_pkg::Rvss2: begin
        bytes_d = elements_bytes;
        data_counter_d = elements_lines;
        state_d = rvs_pkg::Rvs1;
      end
      // Rvs1: the FIFO has room for a whole packet unless it is almost full, so it is not tested
      // again.
      rvs_pkg::Rvs1: begin
        if (!pins_i.swif_fifo_almost_full) begin
          remaining_d = remaining_q - {20'd0, bytes_q};
          dstoff_d = dstoff_q + advance;
          state_d = long_header_q ? rvs_pkg::Rvs2 : rvs_pkg::Rvs3;
        end
      end
      // Rvs2: the offsets of this packet's elements are consecutive in the list.
      rvs_pkg::Rvs2: begin
        if (complete) begin
          if (target_q.variant == ByList) begin
            target_d.size_list_stride = target_q.size_list_stride + {20'd0, placed, 2'b00};
          end
          valid_d = 1'b1;
          state_d = rvs_pkg::Rvs4;
        end
      end
      // Rvs3: the packet has no third header line.
      rvs_pkg::Rvs3: begin
        if (complete) begin
          valid_d = 1'b1;
          state_d = rvs_pkg::Rvs4;
        end
      end
      // Rvs4: one line per cycle; the first line of data is available and follows immediately.
      rvs_pkg::Rvs4: begin
        valid_d = header_left_q != 2'd1 || taken_q;
        state_d = (header_left_q == 2'd1) ? rvs_pkg::Rvs5 : rvs_pkg::Rvs4;
      end
      // Rvs5: sends a line in each cycle in which one was available; the next packet of a
      // contiguous transfer is computed at the end.
      rvs_pkg::Rvs5: begin
        valid_d = taken_q;
        if (valid_q) data_counter_d = data_counter_q - 10'd1;
        if (valid_q && advances) dstoff_d = dstoff_q + advance_by_line;
        if (valid_q && data_counter_q == 10'd1) begin
          if (last_packet_q) begin
            state_d = rvs_pkg::RvsEnd;
          end else if (target_q.variant == Contiguous) begin
            last_packet_d = fits;
            bytes_d = fits ? remaining_q[11:0] : room;
            data_counter_d = fits ? remaining_padded[12:3] : room_padded[12:3];
            state_d = rvs_pkg::Rvs1;
          end else begin
            state_d = rvs_pkg::Rvss1;
          end
        end
      end
      // RvsEnd: back to the reset values.
      rvs_pkg::RvsEnd: begin
        state_d = rvs_pkg::Prim;
        target_d = '0;
        dstoff_d = '0;
        remaining_d = '0;
        bytes_d = '0;
        elements_d = '0;
        data_counter_d = '0;
        last_packet_d = '0;
        valid_d = '0;
      end
      default: state_d = rvs_pkg::Prim;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= rvs_pkg::Prim;
      remote_q <= '0;
      empty_q <= '0;
      otype_q <= '0;
      dwid_q <= '0;
      dclid_q <= '0;
      eflag_q <= '0;
      rflag_q <= '0;
      lflag_q <= '0;
      target_q <= '0;
      dstoff_q <= '0;
      initial_dstoff_q <= '0;
      mtu_q <= '0;
      vector_load_q <= '0;
      asked_q <= '0;
      total_q <= '0;
      window_q <= '0;
      window_left_q <= '0;
      taken_q <= '0;
      from_window_q <= '0;
      odd_q <= '0;
      remaining_q <= '0;
      bytes_q <= '0;
      elements_q <= '0;
      data_counter_q <= '0;
      awaited_q <= '0;
      last_packet_q <= '0;
      long_header_q <= '0;
      header_left_q <= '0;
      valid_q <= '0;
      first_q <= '0;
      line_q <= '0;
      second_q <= '0;
      third_q <= '0;
    end else begin
      state_q <= state_d;
      remote_q <= remote_d;
      empty_q <= empty_d;
      otype_q <= otype_d;
      dwid_q <= dwid_d;
      dclid_q <= dclid_d;
      eflag_q <= eflag_d;
      rflag_q <= rflag_d;
      lflag_q <= lflag_d;
      target_q <= target_d;
      dstoff_q <= dstoff_d;
      initial_dstoff_q <= initial_dstoff_d;
      mtu_q <= mtu_d;
      vector_load_q <= vector_load_d;
      asked_q <= asked_d;
      total_q <= total_d;
      window_q <= window_d;
      window_left_q <= window_left_d;
      taken_q <= taken_d;
      from_window_q <= from_window_d;
      odd_q <= odd_d;
      remaining_q <= remaining_d;
      bytes_q <= bytes_d;
      elements_q <= elements_d;
      data_counter_q <= data_counter_d;
      awaited_q <= awaited_d;
      last_packet_q <= last_packet_d;
      long_header_q <= long_header_d;
      header_left_q <= header_left_d;
      valid_q <= valid_d;
      first_q <= first_d;
      line_q <= line_d;
      second_q <= second_d;
      third_q <= third_d;
    end
  end

  // A packet holds at most 255 elements and 4088 bytes.
  logic unused_bits;
  assign unused_bits = ^{room_elements[11:8], long_padded[2:0], limit_padded[2:0],
                         command_padded[2:0], remaining_padded[2:0], room_padded[2:0]};

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= rvs_pkg::RvsEnd);
    end
  end
`endif

endmodule
