/// The Receive Controller: parses received packets and routes their data to its destination (thesis
/// section 4.2).
module receive_controller (
    /// Core clock, 100 MHz.
    input  logic                         clk_i,
    /// Synchronous reset.
    input  logic                         rst_ni,
    /// From SWIF, Configuration Register, registers, Write Unit, LH Buffer, Status Write Unit,
    /// Window Controller.
    input  receive_controller_pkg::in_t  pins_i,
    /// To SWIF, Write Unit, Prefetch Window, LLCM, LH Buffer, Request Separator, Window Controller,
    /// registers.
    output receive_controller_pkg::out_t pins_o
);

  packet_control_pkg::in_t control_in;
  packet_control_pkg::out_t control;
  packet_write_pkg::in_t write_in;
  packet_write_pkg::out_t write;
  head_write_pkg::in_t head_in;
  head_write_pkg::out_t head;

  assign pins_o.packet_start = control.packet_start;
  assign pins_o.line_next = control.line_next || write.line_next || head.line_next;
  assign pins_o.write_request = control.write_request;
  assign pins_o.ring_request = control.ring_request;
  assign pins_o.amt_read_enable = control.amt_read_enable;
  assign pins_o.prefetch_window_byte_enable = write.prefetch_window_byte_enable;
  assign pins_o.prefetch_window_address = write.prefetch_window_address;
  assign pins_o.prefetch_window_wdata = write.prefetch_window_wdata;
  assign pins_o.llcm_byte_enable = write.llcm_byte_enable;
  assign pins_o.llcm_address = write.llcm_address;
  assign pins_o.llcm_wdata = write.llcm_wdata;
  assign pins_o.lh_write_enable = head.write_enable;
  assign pins_o.lh_row = head.row;
  assign pins_o.lh_wdata = head.wdata;
  assign pins_o.lh_advance = head.advance;
  assign pins_o.head_done = head.done;
  assign pins_o.head_broken = head.broken;
  assign pins_o.vl_hold = control.vl_hold;
  assign pins_o.result = control.result;
  assign pins_o.packet_received = control.packet_received;
  assign pins_o.overrun = control.overrun;
  assign pins_o.condition = control.condition;
  assign pins_o.wid = control.wid;
  assign pins_o.flag.opened = 1'b0;
  assign pins_o.flag.quarters = write.quarters;
  assign pins_o.flag.window = control.write_request.offset[10:9];
  assign pins_o.flag.wid = control.wid;
  assign pins_o.state = control.state;
  assign pins_o.packet_write_state = write.state;

  assign control_in.line = pins_i.line;
  assign control_in.packet_available = pins_i.packet_available;
  assign control_in.pgid0 = pins_i.pgid0;
  assign control_in.pgid1 = pins_i.pgid1;
  assign control_in.configuration = pins_i.configuration;
  assign control_in.write_unit.done = pins_i.write_unit_done;
  assign control_in.write_unit.overrun = pins_i.write_unit_overrun;
  assign control_in.write_unit.refused = pins_i.write_unit_refused;
  assign control_in.write_unit.broken = pins_i.write_unit_broken;
  assign control_in.write_unit.bytes = pins_i.write_unit_bytes;
  assign control_in.packet_write.done = write.done;
  assign control_in.packet_write.overrun = write.overrun;
  assign control_in.packet_write.refused = 1'b0;
  assign control_in.packet_write.broken = write.broken;
  assign control_in.packet_write.bytes = write.bytes;
  assign control_in.first_address = pins_i.write_unit_first_address;
  assign control_in.head_write.done = head.done;
  assign control_in.head_write.overrun = 1'b0;
  assign control_in.head_write.refused = 1'b0;
  assign control_in.head_write.broken = head.broken;
  assign control_in.head_write.bytes = {6'd0, head.bytes};
  assign control_in.ring_room = pins_i.ring_room;
  assign control_in.lh_full = pins_i.lh_full;
  assign control_in.status_busy = pins_i.status_busy;
  assign control_in.remote_fifo_full = pins_i.remote_fifo_full;
  packet_control u_packet_control (
      .clk_i,
      .rst_ni,
      .pins_i(control_in),
      .pins_o(control)
  );

  assign write_in.start = control.packet_write_start;
  assign write_in.to_llcm = control.to_llcm;
  assign write_in.wid = control.write_request.wid;
  assign write_in.offset = control.write_request.offset;
  assign write_in.bytes = control.write_request.bytes;
  assign write_in.outside = control.outside;
  assign write_in.last_packet = control.last_packet;
  assign write_in.line = pins_i.line;
  packet_write u_packet_write (
      .clk_i,
      .rst_ni,
      .pins_i(write_in),
      .pins_o(write)
  );

  assign head_in.start = control.head_write_start;
  assign head_in.pointer = control.ring_request.head ? pins_i.write_unit_first_address : 32'd0;
  assign head_in.size = control.message_size;
  assign head_in.bytes = control.head_bytes;
  assign head_in.polarity = control.write_request.wid ? pins_i.lh_polarity[1] :
                                                        pins_i.lh_polarity[0];
  assign head_in.line = pins_i.line;
  head_write u_head_write (
      .clk_i,
      .rst_ni,
      .pins_i(head_in),
      .pins_o(head)
  );

  // At most one unit takes lines from SWIF.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneTakerOfLines : assert (
          {1'b0, control.line_next} + {1'b0, write.line_next} + {1'b0, head.line_next} <= 2'd1);
    end
  end
`endif

endmodule
