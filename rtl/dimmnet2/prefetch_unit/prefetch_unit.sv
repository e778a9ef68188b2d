/// The Prefetch Unit: reads SO-DIMM into a Prefetch Window or into packets (thesis section 4.2,
/// decisions 0016 and 0019).
///
/// ```text
/// Window Controller --vector_load--> pu_ctl --run--> pu_read --read--> SO-DIMM interface
///                                      |                |                    |
///                                      |              piece                 data
///                                      |                v                    |
///                                      +------------> pu_write <-------------+
///                                                       |  +--> list buffer --> pu_read
///                                                       +--> Prefetch Window
///      Write Unit --list_request--> pu_list --read--> SO-DIMM interface --data-> store list buffer
///                 <------------------store_list--------------------------------------+
///                                                       +--> packet buffer --> Window Controller
/// ```
///
/// First halves of copies from SO-DIMM to SO-DIMM wait in pu_copy, which makes pu_ctl read them
/// chunk by chunk into the copy buffer; the Write Unit takes each chunk from there.
///
/// The source is contiguous, strided, or given by a list of offsets that is read from SO-DIMM
/// first. Source offsets are multiples of 4 and elements have 4 bytes or more; the result is
/// contiguous in the Prefetch Window. Contiguous data arrives at one word of 8 bytes per core cycle
/// if the SO-DIMMs keep up. Data for packets has any length and is contiguous in the packet buffer,
/// which holds two of the longest packets; the reader waits for room there. With `read_together` it
/// arrives at 16 bytes per core cycle (decision 0041). Independently of all this, pu_list reads the
/// lists of the Write Unit.
module prefetch_unit (
    /// Core clock, 100 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From Window Controller, Receive Controller, Write Unit, SO-DIMM interface.
    input  prefetch_unit_pkg::in_t  pins_i,
    /// To Window Controller, Prefetch Window, Write Unit, registers, SO-DIMM interface.
    output prefetch_unit_pkg::out_t pins_o
);

  pu_ctl_pkg::in_t  control_in;
  pu_ctl_pkg::out_t control;
  pu_read_pkg::in_t  read_in;
  pu_read_pkg::out_t read;
  pu_write_pkg::in_t  write_in;
  pu_write_pkg::out_t write;
  pu_copy_pkg::in_t  copy_in;
  pu_copy_pkg::out_t copy;
  pu_list_pkg::in_t  list_in;
  pu_list_pkg::out_t list;
  packet_buffer_pkg::in_t  packet_in;
  packet_buffer_pkg::out_t packet;
  logic [63:0] list_rdata;
  logic [63:0] store_list_rdata;

  assign pins_o.busy = control.busy || list.busy;
  assign pins_o.read_right_request = read.read_right_request || list.owns;
  assign pins_o.read = list.owns ? list.read : read.read;
  assign pins_o.data_next0 = write.data_next0 || list.data_next0;
  assign pins_o.data_next1 = write.data_next1 || list.data_next1;
  assign pins_o.prefetch_window_byte_enable = copy.owns ? 16'd0 : write.prefetch_window_byte_enable;
  assign pins_o.prefetch_window_address = write.prefetch_window_address;
  assign pins_o.prefetch_window_wdata = write.prefetch_window_wdata;
  assign pins_o.store_list.ready = list.ready;
  assign pins_o.store_list.entries = list.entries;
  assign pins_o.store_list.rdata = store_list_rdata;
  assign pins_o.copy_chunk = copy.chunk;
  assign pins_o.flag.opened = control.opened;
  assign pins_o.flag.quarters = copy.owns ? 4'h0 :
                                control.opened ? control.quarters : write.quarters;
  assign pins_o.flag.window = control.destination[8:7];
  assign pins_o.flag.wid = control.destination[9];
  assign pins_o.state = {(write.state == pu_write_pkg::Write) && !write.to_packet,
                         (write.state == pu_write_pkg::Write) && write.to_packet,
                         control.state, read.state};
  assign pins_o.packet_data = packet.rdata;
  assign pins_o.packet_lines = packet.count;

  assign control_in.vector_load = pins_i.vector_load;
  assign control_in.start = pins_i.vector_load_start;
  assign control_in.copy_load = copy.load;
  assign control_in.copy_start = copy.load_start;
  assign control_in.read_together = pins_i.read_together;
  assign control_in.read_idle = read.idle;
  assign control_in.write_idle = write.idle;

  pu_ctl u_pu_ctl (
      .clk_i,
      .rst_ni,
      .pins_i(control_in),
      .pins_o(control)
  );

  assign read_in.start = control.start;
  assign read_in.run = control.run;
  assign read_in.capacity = pins_i.capacity;
  assign read_in.read_right = pins_i.read_right && !list.owns;
  assign read_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  assign read_in.sodimm_idle = pins_i.sodimm_idle;
  assign read_in.pieces_almost_full = write.pieces_almost_full;
  assign read_in.list_rdata = list_rdata;
  // The buffer has room for a part of a run, in addition to the pieces already in flight.
  assign read_in.packet_room = (packet.count <= (control.run.together ?
                                                 prefetch_unit_pkg::PacketRoomTogether :
                                                 prefetch_unit_pkg::PacketRoom));

  pu_read u_pu_read (
      .clk_i,
      .rst_ni,
      .pins_i(read_in),
      .pins_o(read)
  );

  assign write_in.start = control.start;
  assign write_in.to_list = control.to_list;
  assign write_in.to_packet = control.run.to_packet;
  assign write_in.destination = control.destination;
  assign write_in.piece = read.piece;
  assign write_in.piece_enable = read.piece_enable;
  assign write_in.ended = read.ended;
  assign write_in.data = pins_i.data;
  assign write_in.prefetch_window_free = pins_i.prefetch_window_free || copy.owns;

  pu_write u_pu_write (
      .clk_i,
      .rst_ni,
      .pins_i(write_in),
      .pins_o(write)
  );

  assign copy_in.vector_load = pins_i.vector_load;
  assign copy_in.start = pins_i.vector_load_start;
  assign copy_in.copy_request = pins_i.copy_request;
  assign copy_in.capacity = pins_i.capacity;
  assign copy_in.busy = control.busy;
  // A chunk has at most 512 bytes.
  assign copy_in.run_bytes = control.run.bytes[9:0];
  assign copy_in.run_remaining = read.remaining[9:0];

  pu_copy u_pu_copy (
      .clk_i,
      .rst_ni,
      .pins_i(copy_in),
      .pins_o(copy)
  );

  logic [15:0] copy_enable;
  assign copy_enable = copy.owns ? write.prefetch_window_byte_enable : 16'd0;

  bank #(
      .Depth(32)
  ) u_copy_even (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.copy_request.read_enable),
      .read_address_i(pins_i.copy_request.row),
      .rdata_o(pins_o.copy_rdata[63:0]),
      .byte_enable_i(copy_enable[7:0]),
      .write_address_i(write.prefetch_window_address[4:0]),
      .wdata_i(write.prefetch_window_wdata[63:0])
  );

  bank #(
      .Depth(32)
  ) u_copy_odd (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.copy_request.read_enable),
      .read_address_i(pins_i.copy_request.row),
      .rdata_o(pins_o.copy_rdata[127:64]),
      .byte_enable_i(copy_enable[15:8]),
      .write_address_i(write.prefetch_window_address[4:0]),
      .wdata_i(write.prefetch_window_wdata[127:64])
  );

  assign list_in.list_request = pins_i.list_request;
  assign list_in.capacity = pins_i.capacity;
  assign list_in.reader_asks = read.read_right_request;
  assign list_in.writer_waits = write.waits;
  assign list_in.read_right = pins_i.read_right;
  assign list_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  assign list_in.data = pins_i.data;

  pu_list u_pu_list (
      .clk_i,
      .rst_ni,
      .pins_i(list_in),
      .pins_o(list)
  );

  ram #(
      .Width(64),
      .Depth(128),
      .Ahead(1'b1)
  ) u_store_list_buffer (
      .clk_i,
      .rst_ni,
      .read_enable_i(pins_i.list_read_enable),
      .read_address_i(pins_i.list_row),
      .next_address_i(pins_i.list_row),
      .rdata_o(store_list_rdata),
      .write_enable_i(list.write_enable),
      .write_address_i(list.write_row),
      .wdata_i(list.write_second ? pins_i.data.data1 : pins_i.data.data0)
  );

  ram #(
      .Width(64),
      .Depth(128)
  ) u_list_buffer (
      .clk_i,
      .rst_ni,
      .read_enable_i(control.start || read.list_read_enable),
      .read_address_i(read.list_row),
      .next_address_i('0),
      .rdata_o(list_rdata),
      .write_enable_i(write.list_write_enable),
      .write_address_i(write.list_row),
      .wdata_i(write.list_wdata)
  );

  // The buffer never overflows: the reader waits for room first.
  assign packet_in.write_enable = write.packet_write_enable;
  assign packet_in.wdata = write.packet_wdata;
  assign packet_in.pair = write.packet_pair;
  assign packet_in.second = write.packet_second;
  assign packet_in.read_enable = pins_i.packet_next;

  packet_buffer u_packet_buffer (
      .clk_i,
      .rst_ni,
      .pins_i(packet_in),
      .pins_o(packet)
  );

  // The reader waits for room before it fills the packet buffer. A word of SO-DIMM is taken either
  // for the data or for a list of the Write Unit.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PacketBufferHasRoom : assert (!write.packet_write_enable ||
          ({1'b0, packet.count} + {11'd0, write.packet_pair} <
           {1'b0, prefetch_unit_pkg::PacketLines}));
      OneTakerOfWords : assert (!((write.data_next0 || write.data_next1) &&
                                  (list.data_next0 || list.data_next1)));
    end
  end
`endif

endmodule
