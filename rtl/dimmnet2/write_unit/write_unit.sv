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
/// Packets: data at any offset that is a multiple of 4, any number of bytes, contiguous, strided or
/// listed; data beyond the region is cut. The list of a packet is read when its first data line has
/// arrived. A packet with one data line takes, from the cycle after the request: two cycles to
/// compute, one to request the line from SWIF, one to get it, one to request the write right, one
/// to get it, six to write; `done` is high in the cycle after that. Read control and write control
/// see the same write right, so the line is taken in the very cycle in which the right is granted.
///
/// Packets for a ring take four cycles more, because the ring has to be located first. The ring
/// block computes the destination of the packet, and advances Tail when the packet is stored.
///
/// Local stores: data of a Write Window, from and to any offset that is a multiple of 4; contiguous
/// at one line per cycle, strided or listed at up to 4 bytes per cycle. The list is read before the
/// write right is requested. A copy from SO-DIMM to SO-DIMM is a sequence of local stores of chunks
/// whose data is in the copy buffer of the Prefetch Unit. The arbiter admits one packet or one
/// local store at a time; a packet that finds the Write Unit free begins in the cycle in which it
/// arrives.
module write_unit (
    /// Core clock, 100 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From Receive Controller, SWIF, SO-DIMM interface, Window Controller, Write Window, Prefetch
    /// Unit.
    input  write_unit_pkg::in_t  pins_i,
    /// To SWIF, SO-DIMM interface, Receive Controller, Window Controller, Prefetch Unit, registers.
    output write_unit_pkg::out_t pins_o
);

  // Variant of a packet with strided elements.
  localparam logic [1:0] Strided = 2'd1;
  // Variant of a packet with listed elements.
  localparam logic [1:0] ByList = 2'd2;

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
  assign pins_o.overrun = read.overrun || stride.overrun || ring.refused;
  assign pins_o.refused = ring.refused;
  assign pins_o.broken = read.broken;
  assign pins_o.bytes = read.bytes;
  assign pins_o.first_address = ring.first_address;
  assign pins_o.ring_room = ring.room;
  assign pins_o.llcm_read_enable = ring.llcm_read_enable;
  assign pins_o.llcm_byte_enable = ring.llcm_write_enable ? 8'h0f : 8'h00;
  assign pins_o.llcm_wdata = {ring.tail, ring.tail};
  assign pins_o.llcm_entry = ring.entry;
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

  // The operation that begins in this cycle.
  logic        rest_begins;
  logic        packet;
  logic        packet_begins;
  logic        store_begins;
  logic [31:0] packet_offset;
  assign rest_begins = ring.room && pins_i.head_done && !pins_i.head_broken;
  assign packet = pins_i.write_request.start || ring.begins || rest_begins;
  assign packet_begins = (packet && arbiter.free) || arbiter.late_start;
  assign store_begins = pins_i.vector_store.request && arbiter.free && !packet;
  assign packet_offset = ring.storing ? ring.tail : pins_i.write_request.offset;

  // The line, of the window or of the packet, and the half of it that strided data uses.
  logic [63:0] line_data;
  logic [1:0]  line_id;
  logic [7:0]  line_enable;
  logic        ends_low;
  logic [31:0] half;
  logic [3:0]  half_enable;
  logic        half_last;
  logic        half_data;
  logic        place_upper;
  assign line_data = arbiter.storing ? window.line.data : pins_i.line.data;
  assign line_id = arbiter.storing ? window.line.id : pins_i.line.id;
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      line_enable[i] = arbiter.storing ? window.line_enable[i] : read.line_bytes > 4'(i);
    end
  end
  assign ends_low = arbiter.storing ? window.line_ends_low : read.line_held <= 4'd4;
  assign half = stride.upper ? line_data[63:32] : line_data[31:0];
  assign half_enable = stride.upper ? line_enable[7:4] : line_enable[3:0];
  assign half_last = (line_id == line_pkg::Last) && (stride.upper || ends_low);
  assign half_data = arbiter.storing ||
                     (line_id != line_pkg::First && read.line_held > (stride.upper ? 4'd4 : 4'd0));
  assign place_upper = stride.place[2];

  // A line or half waits until its location is known, and while the SO-DIMM interface is almost
  // full. Two cases do not wait, because the room was reserved earlier: a line of a contiguous
  // packet, and the second half of a line of a strided packet, whose next line is already in
  // flight. With a list, the next line is requested with the last half of this one.
  logic accept;
  logic free_to_wait;
  logic whole_line;
  logic waits;
  logic line_valid;
  logic taken;
  logic window_taken;
  logic packet_taken;
  assign accept = write.writing || (write.requesting && pins_i.write_right);
  assign free_to_wait = arbiter.storing || (stride.running && (!stride.upper || stride.by_list));
  assign waits = stride.locating || (pins_i.sodimm_almost_full && free_to_wait);
  assign line_valid = (arbiter.storing ? window.line_valid : read.line_valid) && !waits;
  assign taken = line_valid && accept;
  // Lines of the two sources are taken separately, so that neither path waits for the choice
  // between them.
  assign whole_line = !stride.running || stride.upper;
  assign window_taken = arbiter.storing && window.line_valid && !stride.locating &&
                        !pins_i.sodimm_almost_full && accept &&
                        (whole_line || (window.line.id == line_pkg::Last && window.line_ends_low));
  assign packet_taken = arbiter.packet && read.line_valid && !waits && accept &&
                        (whole_line ||
                         (pins_i.line.id == line_pkg::Last && read.line_held <= 4'd4));

  assign read_in.write_request.start = packet_begins;
  assign read_in.write_request.wid = pins_i.write_request.wid;
  assign read_in.write_request.offset = packet_offset;
  assign read_in.write_request.bytes = pins_i.write_request.bytes;
  assign read_in.write_request.variant = pins_i.write_request.variant;
  assign read_in.write_request.dtype = pins_i.write_request.dtype;
  assign read_in.write_request.iteration = pins_i.write_request.iteration;
  assign read_in.write_request.stride_list = pins_i.write_request.stride_list;
  assign read_in.line = pins_i.line;
  assign read_in.capacity = pins_i.capacity;
  assign read_in.ring = ring.storing;
  assign read_in.refused = ring.refused;
  assign read_in.accept = packet_taken;
  assign read_in.ask = arbiter.packet && (!stride.running ? accept && !pins_i.sodimm_almost_full :
                                          stride.by_list ? packet_taken :
                                                           taken && !stride.upper && !half_last);
  read_control u_read_control (
      .clk_i,
      .rst_ni,
      .pins_i(read_in),
      .pins_o(read)
  );

  assign write_in.write_request.start = packet_begins || store_begins;
  assign write_in.write_request.wid = store_begins ? pins_i.vector_store.wid :
                                                     pins_i.write_request.wid;
  assign write_in.write_request.offset = store_begins ? pins_i.vector_store.offset : packet_offset;
  assign write_in.write_request.bytes = pins_i.write_request.bytes;
  assign write_in.write_request.variant = pins_i.write_request.variant;
  assign write_in.write_request.dtype = pins_i.write_request.dtype;
  assign write_in.write_request.iteration = pins_i.write_request.iteration;
  assign write_in.write_request.stride_list = pins_i.write_request.stride_list;
  assign write_in.keep = (packet_begins && ring.storing) ? ring.keep : 31'd0;
  assign write_in.skip = store_begins && pins_i.vector_store.first[0];
  assign write_in.line.data = stride.running ? {half, half} : line_data;
  assign write_in.line.id = !stride.running ? line_id :
                            (line_id == line_pkg::First) ? line_pkg::First :
                            half_last ? line_pkg::Last : line_pkg::Middle;
  assign write_in.line_enable = !stride.running ? line_enable :
                                !stride.store ? 8'h00 :
                                place_upper ? {half_enable, 4'h0} : {4'h0, half_enable};
  assign write_in.line_valid = line_valid;
  assign write_in.empty = arbiter.storing ? window.empty : read.empty;
  assign write_in.place_enable = stride.running;
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
  assign window_in.take = window_taken;
  window_read u_window_read (
      .clk_i,
      .rst_ni,
      .pins_i(window_in),
      .pins_o(window)
  );

  assign stride_in.begins = packet_begins || store_begins;
  logic packet_by_list;
  logic packet_in_elements;
  assign packet_by_list = (pins_i.write_request.variant == ByList);
  assign packet_in_elements = packet_by_list || pins_i.write_request.variant == Strided;
  assign stride_in.elements.strided =
      (store_begins && pins_i.vector_store.strided && pins_i.vector_store.bytes != 10'd0) ||
      (packet_begins && packet_in_elements && pins_i.write_request.bytes != 12'd0);
  assign stride_in.elements.listed = store_begins ? pins_i.vector_store.listed : packet_by_list;
  assign stride_in.elements.upper = store_begins && pins_i.vector_store.first[0];
  assign stride_in.elements.offset = store_begins ? pins_i.vector_store.offset :
                                                    pins_i.write_request.offset;
  assign stride_in.elements.stride = store_begins ? pins_i.vector_store.stride :
                                                    pins_i.write_request.stride_list;
  assign stride_in.elements.dtype = store_begins ? pins_i.vector_store.dtype :
                                                   pins_i.write_request.dtype;
  assign stride_in.done = write.done;
  assign stride_in.capacity = pins_i.capacity;
  assign stride_in.accept = taken;
  assign stride_in.data = half_data;
  assign stride_in.last = half_last;
  assign stride_in.listed_valid = list.valid;
  assign stride_in.listed_ended = list.ended;
  assign stride_in.listed = list.upper ? pins_i.store_list.rdata[63:32] :
                                         pins_i.store_list.rdata[31:0];
  stride u_stride (
      .clk_i,
      .rst_ni,
      .pins_i(stride_in),
      .pins_o(stride)
  );

  // Elements of 4 bytes or more in the data of a store, 128 at most in a window. The last one may
  // be partial and counts as an element.
  logic [9:0] bytes;
  logic [7:0] whole;
  logic       cut;
  logic [7:0] elements;
  assign bytes = pins_i.vector_store.bytes;
  always_comb begin
    unique case (pins_i.vector_store.dtype)
      3'd3: {whole, cut} = {1'b0, bytes[9:3], bytes[2:0] != 3'd0};
      3'd4: {whole, cut} = {2'd0, bytes[9:4], bytes[3:0] != 4'd0};
      3'd5: {whole, cut} = {3'd0, bytes[9:5], bytes[4:0] != 5'd0};
      3'd6: {whole, cut} = {4'd0, bytes[9:6], bytes[5:0] != 6'd0};
      3'd7: {whole, cut} = {5'd0, bytes[9:7], bytes[6:0] != 7'd0};
      default: {whole, cut} = {bytes[9:2], bytes[1:0] != 2'd0};
    endcase
  end
  assign elements = whole + {7'd0, cut};

  // The list of a packet is read when its first data line is available.
  logic packet_list;
  assign packet_list = arbiter.packet && stride.locating && read.line_valid;
  assign list_in.begins = packet_list || (store_begins && pins_i.vector_store.listed &&
                                          pins_i.vector_store.bytes != 10'd0);
  assign list_in.wid = packet_list ? pins_i.write_request.wid : pins_i.vector_store.wid;
  assign list_in.offset = packet_list ? pins_i.write_request.stride_list :
                                        pins_i.vector_store.stride;
  assign list_in.entries = packet_list ? pins_i.write_request.iteration : elements;
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
  assign ring_in.amt_entry = pins_i.amt_entry;
  assign ring_in.llcm_rdata = pins_i.llcm_rdata;
  assign ring_in.head_done = pins_i.head_done;
  assign ring_in.head_broken = pins_i.head_broken;
  assign ring_in.done = write.done && arbiter.packet;
  assign ring_in.broken = read.broken;
  assign ring_in.bytes = read.bytes;
  ring u_ring (
      .clk_i,
      .rst_ni,
      .pins_i(ring_in),
      .pins_o(ring)
  );

  // Only work in progress completes.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      DoneIsOfWhoIsServed : assert (!write.done || arbiter.packet || arbiter.storing);
    end
  end
`endif

endmodule
