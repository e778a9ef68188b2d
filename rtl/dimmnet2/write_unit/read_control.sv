/// Read control of the Write Unit: takes the data lines of a packet from SWIF (thesis table 7.4,
/// dsh's rctl_stat).
///
/// Read control computes in two cycles how much of the packet fits in the region, requests the
/// first data line from SWIF, and holds it until it is taken. From then on it requests one line per
/// cycle while the SO-DIMM interface has room: after `sodimm_almost_full` rises, at most three more
/// words follow. A strided packet is stored in halves of 4 bytes; its next line is requested with
/// every second half.
///
/// The data of an IPUSH packet goes to a ring, where addresses wrap: none of it is cut, or all of
/// it if the packet is refused.
///
/// A line holds 8 bytes of data, or the rest of the bytes announced by Packet Size; lines beyond
/// that are read and ignored. A first line within the packet makes it malformed: it and the lines
/// after it are read and ignored.
module read_control (
    /// Core clock, 100 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From Receive Controller, SWIF, write control, SO-DIMM interface. The data of a line and the
    /// WID are for the write control only, the elements for the stride.
    /* verilator lint_off UNUSEDSIGNAL */
    input  read_control_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To SWIF, write control, Receive Controller.
    output read_control_pkg::out_t pins_o
);

  // Variant of a packet with listed elements.
  localparam logic [1:0] ByList = 2'd2;

  read_control_pkg::state_e state_d, state_q;
  logic [31:0] offset_d, offset_q;
  logic [11:0] remaining_d, remaining_q;
  logic [11:0] room_d, room_q;
  logic [11:0] bytes_d, bytes_q;
  logic        pull_d, pull_q;
  logic        line_valid_d, line_valid_q;
  logic        empty_d, empty_q;
  logic        overrun_d, overrun_q;
  logic        broken_d, broken_q;

  // Bytes of the current line that belong to the packet, and those to store.
  logic [3:0] held;
  logic [3:0] stored;
  assign held = (remaining_q[11:3] != 9'd0) ? 4'd8 : remaining_q[3:0];
  assign stored = (room_q[11:3] != 9'd0) ? 4'd8 : room_q[3:0];

  assign pins_o.line_next = pull_q;
  assign pins_o.line_valid = line_valid_q;
  assign pins_o.line_bytes = stored;
  assign pins_o.line_held = held;
  assign pins_o.empty = empty_q;
  assign pins_o.bytes = bytes_q;
  assign pins_o.overrun = overrun_q;
  assign pins_o.broken = broken_q;
  assign pins_o.state = state_q;

  // Bytes from the offset to the end of the region, 4095 at most. The end is a power of two. An
  // offset is beyond it if it has a bit that offsets within the region do not have, and in the last
  // 4 KB if all other bits are set. The start of the region of WID 1 is used by the write control
  // only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0]  top;
  logic        beyond;
  logic        at_end;
  logic [11:0] to_end;
  logic [11:0] room;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  assign beyond = (offset_q[31:28] & ~top) != 4'd0;
  assign at_end = offset_q[31:28] == top && (&offset_q[27:12]) && offset_q[11:0] != 12'd0;
  assign to_end = 12'd0 - offset_q[11:0];
  assign room = beyond ? 12'd0 : at_end ? to_end : 12'd4095;

  logic last;
  logic take;
  assign last = (pins_i.line.id == line_pkg::Last);
  assign take = line_valid_q && pins_i.accept;

  always_comb begin
    state_d = state_q;
    offset_d = offset_q;
    remaining_d = remaining_q;
    room_d = room_q;
    bytes_d = bytes_q;
    pull_d = pull_q;
    line_valid_d = line_valid_q;
    empty_d = 1'b0;
    overrun_d = overrun_q;
    broken_d = broken_q;

    unique case (state_q)
      // Idle: results are kept until the next packet starts.
      read_control_pkg::Idle: begin
        if (pins_i.write_request.start) begin
          offset_d = {pins_i.write_request.offset[31:2], 2'b00};
          remaining_d = pins_i.write_request.bytes;
          bytes_d = 12'd0;
          overrun_d = 1'b0;
          broken_d = 1'b0;
          state_d = read_control_pkg::Compute1;
        end
      end
      // Compute1: 4095 bytes exceed the data of any packet.
      read_control_pkg::Compute1: begin
        room_d = !pins_i.ring ? room : pins_i.refused ? 12'd0 : 12'd4095;
        state_d = read_control_pkg::Compute2;
      end
      // Compute2: announced bytes, clamped to the end of the region; listed elements are checked
      // one by one.
      read_control_pkg::Compute2: begin
        room_d = (pins_i.write_request.variant != ByList &&
                  room_q < remaining_q) ? room_q : remaining_q;
        pull_d = 1'b1;
        state_d = read_control_pkg::Read;
      end
      // Read: the first request shows whether there is data, because SWIF ignores it at a last
      // line.
      read_control_pkg::Read: begin
        pull_d = pins_i.ask;
        line_valid_d = pull_q ? !last : (line_valid_q && !take);
        empty_d = pull_q && !line_valid_q && last;
        if (take) begin
          if (pins_i.line.id == line_pkg::First || broken_q) begin
            broken_d = 1'b1;
            remaining_d = 12'd0;
            room_d = 12'd0;
          end else begin
            // A partial line is the last.
            remaining_d = (remaining_q[11:3] != 9'd0) ?
                          {remaining_q[11:3] - 9'd1, remaining_q[2:0]} : 12'd0;
            room_d = (room_q[11:3] != 9'd0) ? {room_q[11:3] - 9'd1, room_q[2:0]} : 12'd0;
            bytes_d = bytes_q + {8'd0, held};
            overrun_d = overrun_q || (stored < held);
          end
        end
        if (last && (take || empty_d)) begin
          pull_d = 1'b0;
          line_valid_d = 1'b0;
          state_d = read_control_pkg::Idle;
        end
      end
      default: state_d = read_control_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= read_control_pkg::Idle;
      offset_q <= '0;
      remaining_q <= '0;
      room_q <= '0;
      bytes_q <= '0;
      pull_q <= '0;
      line_valid_q <= '0;
      empty_q <= '0;
      overrun_q <= '0;
      broken_q <= '0;
    end else begin
      state_q <= state_d;
      offset_q <= offset_d;
      remaining_q <= remaining_d;
      room_q <= room_d;
      bytes_q <= bytes_d;
      pull_q <= pull_d;
      line_valid_q <= line_valid_d;
      empty_q <= empty_d;
      overrun_q <= overrun_d;
      broken_q <= broken_d;
    end
  end

  // No more is stored than the packet has left.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RoomIsNotMoreThanTheRest : assert (
          (state_q != read_control_pkg::Read) || (room_q <= remaining_q));
    end
  end
`endif

endmodule
