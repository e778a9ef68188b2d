/// The Write Unit: stores data in SO-DIMM (thesis section 4.2, table 7.4).
///
/// ```text
/// Receive Controller --write_request--+----------------> write control --word--> SO-DIMM interface
///                                     v                    ^  ^   |
///                SWIF ---line---> read control --line_valid+  |   +--done--> Receive Controller
///                     <-line_next-                            |   +--done--> Window Controller
/// Window Controller --vector_store--> window read ----line----+
///                   <-row_next------    stride ------place----+
///     Prefetch Unit --store_list----> list read
///                   <-list_request--
/// Receive Controller --ring_request->    ring -----offset-----+
///               LLCM <-read, Tail----
/// ```
///
/// Packets: contiguous data at any offset that is a multiple of 4, any number of bytes; what does not fit in the
/// region is cut. A packet with one data line takes, from the cycle after the request: two cycles to compute, one to
/// ask SWIF for the line, one to get it, one to ask for the write right, one to get it, six to write; with the
/// cycle after that `done` is high. The read control and the write control see the same write right, so the line is
/// taken in the very cycle in which the right is there.
///
/// Packets for a ring: four cycles later, since the ring has to be found first. The ring knows where the packet goes,
/// and moves Tail when it is stored.
///
/// Local stores: data of a Write Window, from and to any offset that is a multiple of 4, contiguous at one line per
/// cycle, or in elements at a stride or where a list says at up to 4 bytes per cycle. The list is read before the write
/// right is asked for. A copy from SO-DIMM to SO-DIMM comes as local stores of chunks, whose data is in the copy buffer of
/// the Prefetch Unit. The arbiter lets one packet or one local store in at a
/// time; a packet that finds the Write Unit free begins in the cycle in which it comes.
module write_unit (
    /// Core clock, 100 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From Receive Controller, SWIF, SO-DIMM interface, Window Controller, Write Window, Prefetch Unit.
    input  write_unit_pkg::in_t  pins_i,
    /// To SWIF, SO-DIMM interface, Receive Controller, Window Controller, Prefetch Unit, registers.
    output write_unit_pkg::out_t pins_o
);

  read_control_pkg::in_t read_in;
  read_control_pkg::out_t read;
  write_control_pkg::in_t write_in;
  write_control_pkg::out_t write;
  write_arbiter_pkg::in_t arbiter_in;
  write_arbiter_pkg::out_t arbiter;
  window_read_pkg::in_t window_in;
  window_read_pkg::out_t window;
  stride_pkg::in_t stride_in;
  stride_pkg::out_t stride;
  list_read_pkg::in_t list_in;
  list_read_pkg::out_t list;
  ring_pkg::in_t ring_in;
  ring_pkg::out_t ring;

  assign pins_o.line_next = read.line_next;
  assign pins_o.write_right_request = write.write_right_request;
  assign pins_o.word = write.word;
  assign pins_o.done = write.done && arbiter.packet;
  assign pins_o.overrun = read.overrun || ring.refused;
  assign pins_o.refused = ring.refused;
  assign pins_o.broken = read.broken;
  assign pins_o.bytes = read.bytes;
  assign pins_o.first_address = ring.first_address;
  assign pins_o.llcm_read_enable = ring.llcm_read_enable;
  assign pins_o.llcm_byte_enable = ring.llcm_write_enable ? 8'h0f : 8'h00;
  assign pins_o.llcm_wdata = {ring.tail, ring.tail};
  assign pins_o.read_control_state = read.state;
  assign pins_o.write_control_state = write.state;
  assign pins_o.vector_store_status.busy = !arbiter.free;
  assign pins_o.vector_store_status.storing = arbiter.storing;
  assign pins_o.vector_store_status.row_next = window.row_next;
  assign pins_o.vector_store_status.done = write.done && arbiter.storing;
  assign pins_o.vector_store_status.overrun = window.overrun || stride.overrun;
  assign pins_o.stride_state = stride.state;
  assign pins_o.list_request = list.request;
  assign pins_o.list_read_enable = list.read_enable;
  assign pins_o.list_row = list.row;
  assign pins_o.ring_state = ring.state;

  // What begins in this cycle.
  logic        packet;
  logic        packet_begins;
  logic        store_begins;
  logic [31:0] packet_offset;
  assign packet = pins_i.write_request.start || ring.begins;
  assign packet_begins = (packet && arbiter.free) || arbiter.late_start;
  assign store_begins = pins_i.vector_store.request && arbiter.free && !packet;
  assign packet_offset = ring.storing ? ring.tail : pins_i.write_request.offset;

  // The half of a line of the window that a strided store places.
  logic [31:0] half;
  logic [3:0]  half_enable;
  logic        half_last;
  logic        place_upper;
  assign half = stride.upper ? window.line.data[63:32] : window.line.data[31:0];
  assign half_enable = stride.upper ? window.line_enable[7:4] : window.line_enable[3:0];
  assign half_last = (window.line.id == line_pkg::Last) && (stride.upper || window.line_ends_low);
  assign place_upper = stride.place[2];

  // A line or half of the window waits while the SO-DIMM interface has little room, or its place is not known.
  logic accept;
  logic local_valid;
  logic local_accept;
  assign accept = write.writing || (write.requesting && pins_i.write_right);
  assign local_valid = window.line_valid && !pins_i.sodimm_almost_full && !stride.locating;
  assign local_accept = local_valid && accept && arbiter.storing;

  assign read_in.write_request.start = packet_begins;
  assign read_in.write_request.wid = pins_i.write_request.wid;
  assign read_in.write_request.offset = packet_offset;
  assign read_in.write_request.bytes = pins_i.write_request.bytes;
  assign read_in.line = pins_i.line;
  assign read_in.capacity = pins_i.capacity;
  assign read_in.ring = ring.storing;
  assign read_in.refused = ring.refused;
  assign read_in.accept = accept && arbiter.packet;
  assign read_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  read_control u_read_control (
      .clk_i,
      .rst_ni,
      .pins_i(read_in),
      .pins_o(read)
  );

  assign write_in.write_request.start = packet_begins || store_begins;
  assign write_in.write_request.wid = store_begins ? pins_i.vector_store.wid : pins_i.write_request.wid;
  assign write_in.write_request.offset = store_begins ? pins_i.vector_store.offset : packet_offset;
  assign write_in.write_request.bytes = pins_i.write_request.bytes;
  assign write_in.keep = (packet_begins && ring.storing) ? ring.keep : 31'd0;
  assign write_in.skip = store_begins && pins_i.vector_store.first[0];
  assign write_in.line.data = !arbiter.storing ? pins_i.line.data :
                              stride.running ? {half, half} : window.line.data;
  assign write_in.line.id = !arbiter.storing ? pins_i.line.id :
                            !stride.running ? window.line.id :
                            half_last ? line_pkg::Last : line_pkg::Middle;
  assign write_in.line_enable = !arbiter.storing ? ~(8'hff << read.line_bytes) :
                                !stride.running ? window.line_enable :
                                !stride.store ? 8'h00 :
                                place_upper ? {half_enable, 4'h0} : {4'h0, half_enable};
  assign write_in.line_valid = arbiter.storing ? local_valid : read.line_valid;
  assign write_in.empty = arbiter.storing ? window.empty : read.empty;
  assign write_in.place_enable = arbiter.storing && stride.running;
  assign write_in.place = stride.place;
  assign write_in.capacity = pins_i.capacity;
  assign write_in.write_right = pins_i.write_right;
  assign write_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  assign write_in.sodimm_idle = pins_i.sodimm_idle;
  write_control u_write_control (
      .clk_i,
      .rst_ni,
      .pins_i(write_in),
      .pins_o(write)
  );

  assign arbiter_in.packet = packet;
  assign arbiter_in.store = pins_i.vector_store.request;
  assign arbiter_in.done = write.done;
  write_arbiter u_write_arbiter (
      .clk_i,
      .rst_ni,
      .pins_i(arbiter_in),
      .pins_o(arbiter)
  );

  assign window_in.begin_store = store_begins;
  assign window_in.vector_store = pins_i.vector_store;
  assign window_in.capacity = pins_i.capacity;
  assign window_in.write_window_rdata = pins_i.vector_store.copies ? pins_i.copy_rdata :
                                                                     pins_i.write_window_rdata;
  assign window_in.take = local_accept && (!stride.running || stride.upper || half_last);
  window_read u_window_read (
      .clk_i,
      .rst_ni,
      .pins_i(window_in),
      .pins_o(window)
  );

  assign stride_in.begin_store = store_begins;
  assign stride_in.vector_store = pins_i.vector_store;
  assign stride_in.capacity = pins_i.capacity;
  assign stride_in.accept = local_accept;
  assign stride_in.last = half_last;
  assign stride_in.listed_valid = list.valid;
  assign stride_in.listed_ended = list.ended;
  assign stride_in.listed = list.upper ? pins_i.store_list.rdata[63:32] : pins_i.store_list.rdata[31:0];
  stride u_stride (
      .clk_i,
      .rst_ni,
      .pins_i(stride_in),
      .pins_o(stride)
  );

  // Elements of at least 4 bytes in the data of a store; a window holds 128 at most.
  logic [2:0] shift;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [9:0] rounded;
  logic [9:0] elements;
  /* verilator lint_on UNUSEDSIGNAL */
  assign shift = (pins_i.vector_store.dtype < 3'd2) ? 3'd2 : pins_i.vector_store.dtype;
  assign rounded = pins_i.vector_store.bytes + (10'd1 << shift) - 10'd1;
  assign elements = rounded >> shift;

  assign list_in.begin_store = store_begins && pins_i.vector_store.listed &&
                               pins_i.vector_store.bytes != 10'd0;
  assign list_in.wid = pins_i.vector_store.wid;
  assign list_in.offset = pins_i.vector_store.stride;
  assign list_in.entries = elements[7:0];
  assign list_in.store_list = pins_i.store_list;
  assign list_in.take = stride.locating;
  assign list_in.running = stride.running;
  list_read u_list_read (
      .clk_i,
      .rst_ni,
      .pins_i(list_in),
      .pins_o(list)
  );

  assign ring_in.ring_request = pins_i.ring_request;
  assign ring_in.announced = pins_i.write_request.bytes;
  assign ring_in.capacity = pins_i.capacity;
  assign ring_in.llcm_rdata = pins_i.llcm_rdata;
  assign ring_in.done = write.done && arbiter.packet;
  assign ring_in.broken = read.broken;
  assign ring_in.bytes = read.bytes;
  ring u_ring (
      .clk_i,
      .rst_ni,
      .pins_i(ring_in),
      .pins_o(ring)
  );

endmodule
