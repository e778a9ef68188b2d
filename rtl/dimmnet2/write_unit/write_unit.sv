/// The Write Unit: stores data in SO-DIMM (thesis section 4.2, table 7.4).
///
/// Contiguous data at any offset that is a multiple of 4, any number of bytes; what does not fit in the region
/// is cut. A packet with one data line takes, from the cycle after the request: two cycles to compute, one to ask
/// SWIF for the line, one to get it, one to ask for the write right, one to get it, six to write; with the
/// cycle after that `done` is high. The read control and the write control see the same write right, so the line is
/// taken in the very cycle in which the right is there.
module write_unit (
    /// Core clock, 100 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From Receive Controller, SWIF, SO-DIMM interface.
    input  write_unit_pkg::in_t  pins_i,
    /// To SWIF, SO-DIMM interface, Receive Controller.
    output write_unit_pkg::out_t pins_o
);

  read_control_pkg::in_t read_in;
  read_control_pkg::out_t read;
  write_control_pkg::in_t write_in;
  write_control_pkg::out_t write;

  assign pins_o.line_next = read.line_next;
  assign pins_o.write_right_request = write.write_right_request;
  assign pins_o.word = write.word;
  assign pins_o.done = write.done;
  assign pins_o.overrun = read.overrun;
  assign pins_o.broken = read.broken;
  assign pins_o.bytes = read.bytes;
  assign pins_o.read_control_state = read.state;
  assign pins_o.write_control_state = write.state;

  assign read_in.write_request = pins_i.write_request;
  assign read_in.line = pins_i.line;
  assign read_in.capacity = pins_i.capacity;
  assign read_in.accept = write.writing || (write.requesting && pins_i.write_right);
  assign read_in.sodimm_almost_full = pins_i.sodimm_almost_full;
  read_control u_read_control (
      .clk_i,
      .rst_ni,
      .pins_i(read_in),
      .pins_o(read)
  );

  assign write_in.write_request = pins_i.write_request;
  assign write_in.line = pins_i.line;
  assign write_in.line_valid = read.line_valid;
  assign write_in.line_bytes = read.line_bytes;
  assign write_in.empty = read.empty;
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

endmodule
