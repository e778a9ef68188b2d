/// Packet control, the main state machine of the Receive Controller (thesis section 4.2, table
/// 7.4).
///
/// Packet control takes a packet's header from SWIF, decides the destination of its data, starts
/// the unit that stores the data, and sends a receive status or a remote request. The
/// interpretation of a packet does not depend on its sender: hflag and TYPE alone determine the
/// length of the header (decision 0009).
///
/// | hflag | TYPE | header lines |
/// |---|---|---|
/// | 0 | RVS, IPUSH | 2 |
/// | 1 | RVS family, IPUSH | 3 |
/// | 1 | RVL family | 3 or 4, the last one ends the packet |
/// | 0 | RVSS, RVSI, RVL family | none: condition 2'b10 |
///
/// Data of the RVS family goes to one of three places. The Write Unit stores it in SO-DIMM,
/// contiguously or in elements. With rflag, the packet writer stores it contiguously in a Prefetch
/// Window; with lflag, in LLCM. The Write Unit stores an IPUSH in the ring that the AMT Address
/// Table names for its sender; the table is read in the cycle that delivers the first line (thesis
/// table 7.5). With lflag, the first packet of a message contains its head, which the head writer
/// puts into the LH Buffer; only data beyond the head goes to the ring. Such a packet waits in
/// `Room` until there is room for both, and then holds VL of its process until the rest is stored,
/// so that the host may request the rest as soon as it sees the head (thesis section 7.2, decision
/// 0021). All other types are read to their end and dropped. Packets of a process group other than
/// the receiver's are dropped without a report.
///
/// A status describes sender, data and location. OTYPE, DTYPE, Iteration and eflag are those of the
/// packet; SWID and the sender's CLID replace DWID and DCLID; the first address replaces SRCOff;
/// Size is the number of bytes from there to the end of this packet's data. For RVSS and RVSI,
/// Stride or List Address replaces Size, and Iteration counts the elements of the whole transfer.
/// The first address of an IPUSH is the start of its message in the ring. A remote request is the
/// command as the requester would have issued it on this node: its DWID and DCLID are SWID and CLID
/// of the requester, SRCOff and DSTOff come from the second line. Its Size comes from the third
/// line: Total Transfer Size for RVL, Stride or List Address for RVLS and RVLI. SWIF has replaced
/// DLID by the sender's LID (decision 0005).
///
/// Timing of a packet with one data line, in cycles from the one in which `Idle` sees it: 1
/// `Request`, 2 `Header1`, 3 `Header2`, 4 `Decode`, 5 to 17 `Memory`, where the status is built, 18
/// `Status`. The status is in LLCM 20 cycles after the packet was seen. IPUSH stays in `Memory` for
/// 4 cycles more.
module packet_control (
    /// Core clock, 100 MHz.
    input  logic                     clk_i,
    /// Synchronous reset.
    input  logic                     rst_ni,
    /// From SWIF, Configuration Register, registers, Write Unit, packet writer, Status Write Unit,
    /// Window Controller. Of the configuration only IPUSH Area Size is for this block.
    /* verilator lint_off UNUSEDSIGNAL */
    input  packet_control_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To SWIF, Write Unit, packet writer, Request Separator, registers.
    output packet_control_pkg::out_t pins_o
);

  packet_control_pkg::state_e state_d, state_q;
  logic [15:0] area_size0_d, area_size0_q;
  logic [15:0] area_size1_d, area_size1_q;
  logic [11:0] packet_size_d, packet_size_q;
  logic [4:0]  otype_d, otype_q;
  logic [7:0]  pgid_d, pgid_q;
  logic        dwid_d, dwid_q;
  logic        swid_d, swid_q;
  logic [11:0] sclid_d, sclid_q;
  logic [2:0]  dtype_d, dtype_q;
  logic [7:0]  iteration_d, iteration_q;
  logic        rflag_d, rflag_q;
  logic        eflag_d, eflag_q;
  logic        hflag_d, hflag_q;
  logic        lflag_d, lflag_q;
  logic [31:0] srcoff_d, srcoff_q;
  logic [31:0] dstoff_d, dstoff_q;
  logic [31:0] size_d, size_q;
  logic [31:0] total_d, total_q;
  logic [11:0] bytes_d, bytes_q;
  logic        rest_d, rest_q;
  logic [11:0] rest_bytes_d, rest_bytes_q;
  logic        head_d, head_q;
  logic        starts_d, starts_q;
  logic [31:0] sent_d, sent_q;
  logic [31:0] reached_d, reached_q;
  logic [63:0] ex_d, ex_q;
  logic        hold_d, hold_q;
  logic        packet_received_d, packet_received_q;
  logic        overrun_d, overrun_q;
  logic [1:0]  condition_d, condition_q;

  // Kind of the packet: a request of a remote node; the RVS family; the RVS family in elements;
  // data for an on-chip memory; an IPUSH.
  logic remote;
  logic rvs;
  logic elements;
  logic local_data;
  logic ipush;
  assign remote = (otype_q[4:2] == command_pkg::FamilyRvl) && (otype_q[1:0] != 2'b11);
  assign rvs = (otype_q[4:2] == command_pkg::FamilyRvs) && (otype_q[1:0] != 2'b11);
  assign elements = rvs && (otype_q[1:0] != 2'b00);
  assign ipush = (otype_q[4:2] == command_pkg::FamilyIpush) && (otype_q[1:0] != 2'b11);
  assign local_data = rflag_q || lflag_q;

  // Bytes of data announced by Packet Size, and whether the message is longer than its head.
  logic [11:0] header;
  logic [11:0] with_head;
  logic [11:0] bytes;
  logic        rest;
  logic [11:0] rest_bytes;
  logic [31:0] sent;
  // Packet Size is compared with constants, so no comparison waits for a subtraction.
  assign header = hflag_q ? 12'd24 : 12'd16;
  assign with_head = hflag_q ? 12'd24 + {6'd0, head_write_pkg::HeadBytes} :
                               12'd16 + {6'd0, head_write_pkg::HeadBytes};
  assign bytes = (packet_size_q < header) ? 12'd0 : packet_size_q - header;
  assign rest = (packet_size_q > with_head);
  assign rest_bytes = rest ? packet_size_q - with_head : 12'd0;
  assign sent = dstoff_q - srcoff_q;

  assign pins_o.packet_start = (state_q == packet_control_pkg::Request);
  assign pins_o.line_next = (state_q == packet_control_pkg::Header1) ||
                            (state_q == packet_control_pkg::Drop) ||
                            (state_q == packet_control_pkg::Header2 && hflag_q) ||
                            (state_q == packet_control_pkg::Header3 && remote);
  assign pins_o.write_request.start = starts_q;
  assign pins_o.write_request.wid = dwid_q;
  assign pins_o.write_request.offset = dstoff_q;
  assign pins_o.write_request.bytes = head_q ? rest_bytes_q : bytes_q;
  assign pins_o.write_request.variant = rvs ? otype_q[1:0] : 2'd0;
  assign pins_o.write_request.dtype = dtype_q;
  assign pins_o.write_request.iteration = iteration_q;
  assign pins_o.write_request.stride_list = size_q;
  assign pins_o.ring_request.start = (state_q == packet_control_pkg::Decode) && ipush &&
                                     (!head_q || rest_q);
  assign pins_o.ring_request.head = head_q && rest_q;
  assign pins_o.ring_request.sent =
      (lflag_q && !head_q) ? sent_q - {26'd0, head_write_pkg::HeadBytes} : sent_q;
  assign pins_o.ring_request.area_size = dwid_q ? area_size1_q : area_size0_q;
  assign pins_o.amt_read_enable = (state_q == packet_control_pkg::Header1);
  assign pins_o.packet_write_start = (state_q == packet_control_pkg::Decode) && rvs &&
                                     local_data;
  assign pins_o.to_llcm = lflag_q;
  // Only the single packet of a transfer may have a header of two lines.
  assign pins_o.outside = hflag_q && dstoff_q[31:9] != srcoff_q[31:9];
  assign pins_o.last_packet = !hflag_q || reached_q >= total_q;
  assign pins_o.head_write_start = (state_q == packet_control_pkg::Head);
  assign pins_o.message_size = hflag_q ? total_q : {20'd0, bytes_q};
  assign pins_o.head_bytes = bytes_q;
  assign pins_o.vl_hold = {hold_q && dwid_q, hold_q && !dwid_q};
  packet_pkg::status_lower_t lower;
  always_comb begin
    lower = '0;
    lower.otype = otype_q;
    lower.dtype = dtype_q;
    lower.iteration = iteration_q;
    lower.swid = swid_q;
    lower.sclid = sclid_q;
    lower.eflag = eflag_q;
    lower.size_list_stride = size_q;
  end
  assign pins_o.result.request.lower = lower;
  assign pins_o.result.request.upper =
      {(state_q == packet_control_pkg::Remote) ? dstoff_q : 32'd0, srcoff_q};
  assign pins_o.result.request.to_prefetch_window = rflag_q;
  assign pins_o.result.request.wid = dwid_q;
  assign pins_o.result.ex = ex_q;
  assign pins_o.result.enable = (state_q == packet_control_pkg::Status) ||
                                (state_q == packet_control_pkg::Remote);
  assign pins_o.packet_received = packet_received_q;
  assign pins_o.overrun = overrun_q;
  assign pins_o.condition = condition_q;
  assign pins_o.wid = dwid_q;
  assign pins_o.state = state_q;

  // The line, decoded as each of the header lines; reserved bits are ignored.
  /* verilator lint_off UNUSEDSIGNAL */
  packet_pkg::first_line_t first;
  /* verilator lint_on UNUSEDSIGNAL */
  packet_pkg::second_line_t second;
  packet_pkg::third_line_t third;
  assign first = pins_i.line.data;
  assign second = pins_i.line.data;
  assign third = pins_i.line.data;

  logic [7:0] pgid;
  logic       begins_packet;
  logic       last;
  logic       status_busy;
  logic       lh_full;
  assign pgid = dwid_q ? pins_i.pgid1 : pins_i.pgid0;
  assign begins_packet = (pins_i.line.id == line_pkg::First);
  assign last = (pins_i.line.id == line_pkg::Last);
  assign lh_full = dwid_q ? pins_i.lh_full[1] : pins_i.lh_full[0];
  assign status_busy = dwid_q ? pins_i.status_busy[1] : pins_i.status_busy[0];

  // Result of the unit that stores the data. An IPUSH with a rest continues after its head is
  // stored; one that waits for room ends if there is no ring.
  packet_control_pkg::stored_t stored;
  logic        finish;
  logic        whole;
  logic [31:0] stored_bytes;
  logic [31:0] whole_elements;
  assign whole_elements = total_q >> dtype_q;
  assign stored = (state_q == packet_control_pkg::Local) ? pins_i.packet_write :
                  (state_q == packet_control_pkg::Head) ? pins_i.head_write : pins_i.write_unit;
  assign finish = stored.done &&
                  (state_q == packet_control_pkg::Memory ||
                   state_q == packet_control_pkg::Local ||
                   (state_q == packet_control_pkg::Room && rest_q) ||
                   (state_q == packet_control_pkg::Head && (!rest_q || stored.broken)));
  assign whole = !stored.broken && !stored.refused && state_q != packet_control_pkg::Room;
  assign stored_bytes = {20'd0, stored.bytes} +
                        ((state_q == packet_control_pkg::Memory && head_q) ?
                             {20'd0, pins_i.head_write.bytes} : 32'd0);

  // Fields of the first line that do not change in the packet.
  always_comb begin
    packet_size_d = packet_size_q;
    otype_d = otype_q;
    pgid_d = pgid_q;
    dwid_d = dwid_q;
    swid_d = swid_q;
    sclid_d = sclid_q;
    dtype_d = dtype_q;
    rflag_d = rflag_q;
    eflag_d = eflag_q;
    hflag_d = hflag_q;
    lflag_d = lflag_q;
    if (state_q == packet_control_pkg::Header1) begin
      packet_size_d = first.packet_size;
      otype_d = first.otype;
      pgid_d = first.pgid;
      dwid_d = first.dwid;
      swid_d = first.swid;
      sclid_d = {first.dlid[15:12], first.dlid[7:0]};
      dtype_d = first.dtype;
      rflag_d = first.rflag;
      eflag_d = first.eflag;
      hflag_d = first.hflag;
      lflag_d = first.lflag;
    end
  end

  // Destination and sizes: known before any unit is started.
  always_comb begin
    dstoff_d = dstoff_q;
    bytes_d = bytes_q;
    rest_d = rest_q;
    rest_bytes_d = rest_bytes_q;
    head_d = head_q;
    reached_d = reached_q;
    total_d = total_q;
    sent_d = sent_q;
    if (state_q == packet_control_pkg::Header2) begin
      dstoff_d = second.dstoff;
      bytes_d = bytes;
      rest_d = rest;
      rest_bytes_d = rest_bytes;
      head_d = ipush && lflag_q && second.dstoff == second.srcoff;
    end
    if (state_q == packet_control_pkg::Header3) begin
      total_d = third.total_transfer_size;
      reached_d = sent + {20'd0, bytes_q};
    end
    if (state_q == packet_control_pkg::Decode) sent_d = sent;
  end

  // State of the unit that stores the data.
  packet_control_pkg::state_e destination;
  assign destination = remote ? packet_control_pkg::Remote :
                       (rvs && local_data) ? packet_control_pkg::Local :
                       head_q ? packet_control_pkg::Room : packet_control_pkg::Memory;

  // Fields of the status or request: those of the header, then those of the stored data.
  always_comb begin
    iteration_d = iteration_q;
    srcoff_d = srcoff_q;
    size_d = size_q;
    ex_d = ex_q;
    unique case (state_q)
      packet_control_pkg::Header1: begin
        iteration_d = first.iteration;
        ex_d = 64'd0;
      end
      packet_control_pkg::Header2: srcoff_d = second.srcoff;
      packet_control_pkg::Header3: begin
        size_d = (otype_q == command_pkg::Rvl) ? third.total_transfer_size : third.stride_list;
      end
      packet_control_pkg::Header4: ex_d = pins_i.line.data;
      default: ;
    endcase
    if (finish) begin
      if (elements) begin
        iteration_d = whole_elements[7:0];
      end else begin
        size_d = sent_q + stored_bytes;
      end
      if (ipush) begin
        srcoff_d = (state_q == packet_control_pkg::Head) ? 32'd0 : pins_i.first_address;
      end
    end
  end

  always_comb begin
    state_d = state_q;
    starts_d = 1'b0;
    hold_d = hold_q;
    packet_received_d = 1'b0;
    overrun_d = 1'b0;
    condition_d = user_register_pkg::ReceiveNormal;

    unique case (state_q)
      // Idle: pulses of the last packet may still be active.
      packet_control_pkg::Idle: begin
        if (pins_i.packet_available) begin
          state_d = packet_control_pkg::Request;
        end
      end
      // Request: the first line arrives in the next cycle.
      packet_control_pkg::Request: state_d = packet_control_pkg::Header1;
      // Header1: a packet that does not begin with a first line has no header.
      packet_control_pkg::Header1: begin
        state_d = packet_control_pkg::Header2;
        if (!begins_packet) begin
          condition_d = user_register_pkg::ReceiveHeaderMismatch;
          state_d = packet_control_pkg::Drop;
        end
      end
      // Header2: packets of other groups, and types without a destination, are dropped without a
      // report. Sizes derived from Packet Size and the offsets are computed before any unit is
      // started, and a register starts the Write Unit (decision 0052).
      packet_control_pkg::Header2: begin
        if (pgid_q != pgid || !(remote || rvs || ipush)) begin
          state_d = packet_control_pkg::Drop;
        end else if (begins_packet) begin
          condition_d = user_register_pkg::ReceiveOverlap;
          state_d = packet_control_pkg::Drop;
        end else if (hflag_q ? last : remote || elements) begin
          condition_d = user_register_pkg::ReceiveHeaderMismatch;
          state_d = packet_control_pkg::Drop;
        end else begin
          starts_d = !hflag_q && rvs && !local_data;
          state_d = hflag_q ? packet_control_pkg::Header3 : packet_control_pkg::Decode;
        end
      end
      // Header3: a remote request may end here. The extent of the data is computed before it is
      // compared with the total.
      packet_control_pkg::Header3: begin
        if (begins_packet) begin
          condition_d = user_register_pkg::ReceiveOverlap;
          state_d = packet_control_pkg::Drop;
        end else begin
          starts_d = rvs && !local_data;
          state_d = (remote && !last) ? packet_control_pkg::Header4 : packet_control_pkg::Decode;
        end
      end
      // Header4: no line may follow.
      packet_control_pkg::Header4: begin
        if (begins_packet) begin
          condition_d = user_register_pkg::ReceiveOverlap;
          state_d = packet_control_pkg::Drop;
        end else if (!last) begin
          condition_d = user_register_pkg::ReceiveMalformedRvl;
          state_d = packet_control_pkg::Drop;
        end else begin
          state_d = packet_control_pkg::Decode;
        end
      end
      // Decode: the unit that stores the data starts in this cycle.
      packet_control_pkg::Decode: state_d = destination;
      // Memory: waits until the Write Unit has written the data to SO-DIMM.
      packet_control_pkg::Memory: ;
      // Local: waits until the data is in the Prefetch Window or LLCM.
      packet_control_pkg::Local: ;
      // Room: waits for a free entry of the LH Buffer and, for a rest, for room in the ring. A rest
      // without a ring is refused.
      packet_control_pkg::Room: begin
        if (!lh_full && (pins_i.ring_room || !rest_q)) begin
          hold_d = rest_q;
          state_d = packet_control_pkg::Head;
        end
      end
      // Head: waits until the entry is written; the Write Unit continues with the rest in the same
      // cycle.
      packet_control_pkg::Head: begin
        if (pins_i.head_write.done) begin
          state_d = packet_control_pkg::Memory;
        end
      end
      // Status: waits until the status is accepted, because none may be lost.
      packet_control_pkg::Status: begin
        if (!status_busy) begin
          state_d = packet_control_pkg::Idle;
        end
      end
      // Remote: the packet is counted when the Window Controller has accepted the request.
      packet_control_pkg::Remote: begin
        if (!pins_i.remote_fifo_full) begin
          packet_received_d = 1'b1;
          state_d = packet_control_pkg::Idle;
        end
      end
      // Drop: reads to the end of the packet.
      packet_control_pkg::Drop: begin
        if (last) begin
          state_d = packet_control_pkg::Idle;
        end
      end
      default: state_d = packet_control_pkg::Idle;
    endcase

    // Memory, Local, Room and Head: the packet is stored; reports the result.
    if (finish) begin
      packet_received_d = whole;
      overrun_d = stored.overrun;
      condition_d = stored.broken ? user_register_pkg::ReceiveOverlap :
                                    user_register_pkg::ReceiveNormal;
      hold_d = 1'b0;
      state_d = (eflag_q && whole) ? packet_control_pkg::Status : packet_control_pkg::Idle;
    end
  end

  // A new size applies from the next packet on.
  always_comb begin
    area_size0_d = area_size0_q;
    area_size1_d = area_size1_q;
    if (pins_i.configuration.user_code == host_interface_pkg::UserIpushAreaSize) begin
      if (pins_i.configuration.wid) area_size1_d = pins_i.configuration.value;
      else area_size0_d = pins_i.configuration.value;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= packet_control_pkg::Idle;
      area_size0_q <= '0;
      area_size1_q <= '0;
      packet_size_q <= '0;
      otype_q <= '0;
      pgid_q <= '0;
      dwid_q <= '0;
      swid_q <= '0;
      sclid_q <= '0;
      dtype_q <= '0;
      iteration_q <= '0;
      rflag_q <= '0;
      eflag_q <= '0;
      hflag_q <= '0;
      lflag_q <= '0;
      srcoff_q <= '0;
      dstoff_q <= '0;
      size_q <= '0;
      total_q <= '0;
      bytes_q <= '0;
      rest_q <= '0;
      rest_bytes_q <= '0;
      head_q <= '0;
      starts_q <= '0;
      sent_q <= '0;
      reached_q <= '0;
      ex_q <= '0;
      hold_q <= '0;
      packet_received_q <= '0;
      overrun_q <= '0;
      condition_q <= '0;
    end else begin
      state_q <= state_d;
      area_size0_q <= area_size0_d;
      area_size1_q <= area_size1_d;
      packet_size_q <= packet_size_d;
      otype_q <= otype_d;
      pgid_q <= pgid_d;
      dwid_q <= dwid_d;
      swid_q <= swid_d;
      sclid_q <= sclid_d;
      dtype_q <= dtype_d;
      iteration_q <= iteration_d;
      rflag_q <= rflag_d;
      eflag_q <= eflag_d;
      hflag_q <= hflag_d;
      lflag_q <= lflag_d;
      srcoff_q <= srcoff_d;
      dstoff_q <= dstoff_d;
      size_q <= size_d;
      total_q <= total_d;
      bytes_q <= bytes_d;
      rest_q <= rest_d;
      rest_bytes_q <= rest_bytes_d;
      head_q <= head_d;
      starts_q <= starts_d;
      sent_q <= sent_d;
      reached_q <= reached_d;
      ex_q <= ex_d;
      hold_q <= hold_d;
      packet_received_q <= packet_received_d;
      overrun_q <= overrun_d;
      condition_q <= condition_d;
    end
  end

  // Iteration has 8 bits.
  logic unused_elements;
  assign unused_elements = ^whole_elements[31:8];

  // Holds for all input pins. `start` is for data of the RVS family that goes to SO-DIMM.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= packet_control_pkg::Drop);
      StartIsInDecode : assert (
          starts_q == ((state_q == packet_control_pkg::Decode) && rvs && !local_data));
    end
  end
`endif

endmodule
