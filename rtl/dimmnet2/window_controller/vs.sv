/// VS module: stores data of a Write Window in own SO-DIMM, for the VS family (thesis section 5.3,
/// figure 5.13).
///
/// VS stores contiguous bytes, VSS strided elements, VSI listed elements. The module clamps the
/// data to the end of the window, sends the Write Unit a request, and reads the rows that the Write
/// Unit asks for. The Read Enable of the Write Window belongs to the Window Controller, and the
/// Write Unit reads only through it (thesis section 5.1.1).
///
/// Figure 5.13 leaves `Vs1` when the Write Unit is not busy. But the Write Unit may be busy with a
/// packet before the store and right after it, so `Vs1` holds the request until the store begins,
/// and ends with its status (decision 0017). The list of a VSI is read by the Prefetch Unit at the
/// request of the Write Unit when the store begins; `Vss1` waits until both are free (decision
/// 0022).
///
/// With SRCOff 0xffff_ffff, VS and VSS are the second half of a copy from SO-DIMM to SO-DIMM. The
/// module alternates two requests until the smaller of the two totals is copied: the Prefetch Unit
/// reads a chunk of at most 512 bytes, and the Write Unit stores it. Packets are stored between the
/// chunks. A copy touches no window (decision 0022).
module vs (
    /// Core clock, 100 MHz.
    input  logic         clk_i,
    /// Synchronous reset.
    input  logic         rst_ni,
    /// From Request Executor, Write Unit and Prefetch Unit. Bits 1:0 of the source are ignored.
    /* verilator lint_off UNUSEDSIGNAL */
    input  vs_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To Request Executor, Write Window, Write Unit, registers.
    output vs_pkg::out_t pins_o
);

  vs_pkg::state_e state_d, state_q;
  logic        request_d, request_q;
  logic        strided_d, strided_q;
  logic        listed_d, listed_q;
  logic        copies_d, copies_q;
  logic        chunk_request_d, chunk_request_q;
  logic [31:0] left_d, left_q;
  logic        wid_d, wid_q;
  logic [1:0]  window_d, window_q;
  logic [4:0]  row_d, row_q;
  logic        read_d, read_q;
  logic [1:0]  first_d, first_q;
  logic [9:0]  room_d, room_q;
  logic [14:0] bytes_d, bytes_q;
  logic [31:0] offset_d, offset_q;
  logic [2:0]  dtype_d, dtype_q;
  logic [31:0] stride_d, stride_q;
  logic        source_clamped_d, source_clamped_q;
  logic        destination_clamped_d, destination_clamped_q;

  assign pins_o.vector_store.request = request_q;
  assign pins_o.vector_store.wid = wid_q;
  assign pins_o.vector_store.first = first_q;
  assign pins_o.vector_store.bytes = bytes_q[9:0];
  assign pins_o.vector_store.offset = offset_q;
  assign pins_o.vector_store.strided = strided_q;
  assign pins_o.vector_store.listed = listed_q;
  assign pins_o.vector_store.copies = copies_q;
  assign pins_o.vector_store.dtype = dtype_q;
  assign pins_o.vector_store.stride = stride_q;
  assign pins_o.copy_request.request = chunk_request_q;
  assign pins_o.copy_request.end_copy = (state_q == vs_pkg::VsEnd) && copies_q;
  assign pins_o.copy_request.wid = wid_q;
  assign pins_o.copy_request.read_enable = read_q && copies_q;
  assign pins_o.copy_request.row = row_q;
  assign pins_o.write_window_read_enable = read_q && !copies_q;
  assign pins_o.write_window_address = {wid_q, window_q, row_q};
  assign pins_o.result.done = (state_q == vs_pkg::VsEnd);
  assign pins_o.result.wid = wid_q;
  assign pins_o.result.window = window_q;
  assign pins_o.result.copied = copies_q;
  assign pins_o.result.source_clamped = source_clamped_q;
  assign pins_o.result.destination_clamped = destination_clamped_q;
  assign pins_o.idle = (state_q == vs_pkg::Prim);
  assign pins_o.state = state_q;

  logic [8:0]  pairs;
  logic [10:0] fours;
  logic [14:0] total;
  logic [9:0]  whole_elements;
  // Bytes of a number of elements, shifted by one bit of DTYPE after the other.
  assign pairs = pins_i.dtype[0] ? {pins_i.iteration, 1'b0} : {1'b0, pins_i.iteration};
  assign fours = pins_i.dtype[1] ? {pairs, 2'd0} : {2'd0, pairs};
  assign total = pins_i.dtype[2] ? {fours, 4'd0} : {4'd0, fours};
  // Whole elements end where the bits below their size are 0.
  always_comb begin
    whole_elements[9:7] = room_q[9:7];
    for (int i = 0; i < 7; i++) whole_elements[i] = room_q[i] && dtype_q <= 3'(i);
  end

  logic busy;
  logic now_busy;
  assign busy = pins_i.status.busy || (pins_i.copies && pins_i.prefetch_unit_busy);
  assign now_busy = pins_i.status.busy || ((listed_q || copies_q) && pins_i.prefetch_unit_busy);

  // The part of the chunk that is wanted; whether the copy continues after it, and where.
  // Contiguous data ends at 4 GB.
  logic [9:0]  chunk_bytes;
  logic        more_follows;
  logic [2:0]  shift;
  logic [31:0] step;
  assign chunk_bytes = (left_q < {22'd0, pins_i.copy_chunk.bytes}) ? left_q[9:0] :
                                                                     pins_i.copy_chunk.bytes;
  assign more_follows = copies_q && bytes_q == {5'd0, botf_pkg::WindowBytes} && left_q > 32'd512 &&
                        (strided_q || offset_q < 32'hffff_fe00);
  assign shift = (dtype_q < 3'd2) ? 3'd2 : dtype_q;
  // Total stride of the elements in 512 bytes.
  always_comb begin
    unique case (shift)
      3'd3: step = {stride_q[25:2], 8'd0};
      3'd4: step = {stride_q[26:2], 7'd0};
      3'd5: step = {stride_q[27:2], 6'd0};
      3'd6: step = {stride_q[28:2], 5'd0};
      3'd7: step = {stride_q[29:2], 4'd0};
      default: step = {stride_q[24:2], 9'd0};
    endcase
    if (!strided_q) step = 32'd512;
  end

  // Parameters of the primitive: they stay until its end.
  always_comb begin
    strided_d = strided_q;
    listed_d = listed_q;
    copies_d = copies_q;
    wid_d = wid_q;
    window_d = window_q;
    first_d = first_q;
    room_d = room_q;
    dtype_d = dtype_q;
    stride_d = stride_q;
    if (state_q == vs_pkg::Prim && pins_i.start) begin
      strided_d = pins_i.strided;
      listed_d = pins_i.listed;
      copies_d = pins_i.copies;
      wid_d = pins_i.wid;
      window_d = pins_i.source[10:9];
      first_d = pins_i.copies ? 2'd0 : pins_i.source[3:2];
      room_d = pins_i.room;
      dtype_d = pins_i.dtype;
      stride_d = pins_i.size_list_stride;
    end
    if (state_q == vs_pkg::VsEnd) begin
      strided_d = '0;
      listed_d = '0;
      copies_d = '0;
      wid_d = '0;
      window_d = '0;
      first_d = '0;
      room_d = '0;
      dtype_d = '0;
      stride_d = '0;
    end
  end

  always_comb begin
    state_d = state_q;
    request_d = request_q;
    chunk_request_d = chunk_request_q;
    left_d = left_q;
    row_d = row_q;
    read_d = read_q;
    bytes_d = bytes_q;
    offset_d = offset_q;
    source_clamped_d = source_clamped_q;
    destination_clamped_d = destination_clamped_q;

    unique case (state_q)
      // Prim: a VS is clamped at once, a VSS takes one more cycle.
      vs_pkg::Prim: begin
        if (pins_i.start) begin
          row_d = pins_i.source[8:4];
          offset_d = pins_i.offset;
          left_d = pins_i.listed ? 32'd0 :
                   pins_i.strided ? {17'd0, total} : pins_i.size_list_stride;
          if (pins_i.strided) begin
            bytes_d = pins_i.copies ? 15'd0 : total;
            state_d = vs_pkg::Vss1;
          end else begin
            bytes_d = {5'd0, pins_i.too_long ? pins_i.room : pins_i.size_list_stride[9:0]};
            source_clamped_d = pins_i.too_long && !pins_i.copies;
            request_d = !busy && !pins_i.copies;
            chunk_request_d = !busy && pins_i.copies;
            state_d = busy ? vs_pkg::Wait : vs_pkg::Vs1;
          end
        end
      end
      // Wait: waits until the packet being stored is in memory.
      vs_pkg::Wait: begin
        if (!now_busy) begin
          request_d = !copies_q;
          chunk_request_d = copies_q;
          state_d = vs_pkg::Vs1;
        end
      end
      // Vss1: only whole elements are taken from the window. A list or a chunk is read only while
      // the Prefetch Unit is idle.
      vs_pkg::Vss1: begin
        if (bytes_q > {5'd0, room_q}) begin
          bytes_d = {5'd0, whole_elements};
          source_clamped_d = 1'b1;
        end
        if (!now_busy) begin
          request_d = !copies_q;
          chunk_request_d = copies_q;
          state_d = vs_pkg::Vs1;
        end
      end
      // Vs1: a packet may still be stored first, so the request is held until the Write Unit is
      // storing.
      vs_pkg::Vs1: begin
        if (pins_i.status.storing) request_d = 1'b0;
        read_d = pins_i.status.row_next;
        if (read_q) row_d = row_q + 5'd1;
        if (chunk_request_q && pins_i.copy_chunk.ready) begin
          // An empty chunk ends the copy.
          chunk_request_d = 1'b0;
          bytes_d = {5'd0, chunk_bytes};
          row_d = 5'd0;
          request_d = (chunk_bytes != 10'd0);
          state_d = (chunk_bytes == 10'd0) ? vs_pkg::VsEnd : vs_pkg::Vs1;
        end else if (pins_i.status.done) begin
          request_d = 1'b0;
          destination_clamped_d = pins_i.status.overrun;
          state_d = vs_pkg::VsEnd;
          if (more_follows && !pins_i.status.overrun) begin
            offset_d = offset_q + step;
            left_d = left_q - 32'd512;
            chunk_request_d = 1'b1;
            state_d = vs_pkg::Vs1;
          end
        end
      end
      // VsEnd: back to the reset values.
      vs_pkg::VsEnd: begin
        state_d = vs_pkg::Prim;
        request_d = '0;
        chunk_request_d = '0;
        left_d = '0;
        row_d = '0;
        read_d = '0;
        bytes_d = '0;
        offset_d = '0;
        source_clamped_d = '0;
        destination_clamped_d = '0;
      end
      default: state_d = vs_pkg::Prim;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= vs_pkg::Prim;
      request_q <= '0;
      strided_q <= '0;
      listed_q <= '0;
      copies_q <= '0;
      chunk_request_q <= '0;
      left_q <= '0;
      wid_q <= '0;
      window_q <= '0;
      row_q <= '0;
      read_q <= '0;
      first_q <= '0;
      room_q <= '0;
      bytes_q <= '0;
      offset_q <= '0;
      dtype_q <= '0;
      stride_q <= '0;
      source_clamped_q <= '0;
      destination_clamped_q <= '0;
    end else begin
      state_q <= state_d;
      request_q <= request_d;
      strided_q <= strided_d;
      listed_q <= listed_d;
      copies_q <= copies_d;
      chunk_request_q <= chunk_request_d;
      left_q <= left_d;
      wid_q <= wid_d;
      window_q <= window_d;
      row_q <= row_d;
      read_q <= read_d;
      first_q <= first_d;
      room_q <= room_d;
      bytes_q <= bytes_d;
      offset_q <= offset_d;
      dtype_q <= dtype_d;
      stride_q <= stride_d;
      source_clamped_q <= source_clamped_d;
      destination_clamped_q <= destination_clamped_d;
    end
  end

  // The Write Unit is asked in one state only, and not while a chunk is read.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= vs_pkg::VsEnd);
      RequestIsMadeInVs1 : assert ((state_q == vs_pkg::Vs1) || !request_q);
    end
  end
`endif

endmodule
