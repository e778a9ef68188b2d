/// Write control of the Write Unit: sends words to the SO-DIMM interface (thesis table 7.4, dsh's
/// wctl_stat).
///
/// Write control requests the write right when the first data line has arrived, and holds it until
/// the packet is in the SO-DIMMs. Lines become words of 8 bytes, each with its own address over
/// both SO-DIMMs: (WID * region + offset) / 8. If the offset is not a multiple of 8, the upper half
/// of each line is carried over into the next word, and one more word may follow the last line. The
/// data of a local store may begin in the upper half of its first line, which also shifts all lines
/// by 4 bytes. Addresses for a ring wrap within its area. A strided store provides a location with
/// each of its halves, and each half becomes a word of its own.
module write_control (
    /// Core clock, 100 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From Receive Controller or Window Controller, read control or window read, stride, SO-DIMM
    /// interface. Bits 1:0 of the offset are ignored, the bytes are counted elsewhere.
    /* verilator lint_off UNUSEDSIGNAL */
    input  write_control_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To SO-DIMM interface, read control, window read, stride, Receive Controller, Window
    /// Controller.
    output write_control_pkg::out_t pins_o
);

  write_control_pkg::state_e state_d, state_q;
  logic        wid_d, wid_q;
  logic [30:0] address_d, address_q;
  logic [30:0] keep_d, keep_q;
  logic        straddle_d, straddle_q;
  logic [31:0] carry_d, carry_q;
  logic [3:0]  carry_enable_d, carry_enable_q;
  logic [63:0] data_d, data_q;
  logic [7:0]  byte_enable_d, byte_enable_q;
  logic        last_d, last_q;

  assign pins_o.write_right_request = (state_q == write_control_pkg::Request) ||
                                      (state_q == write_control_pkg::Write) ||
                                      (state_q == write_control_pkg::Finish);
  assign pins_o.requesting = (state_q == write_control_pkg::Request);
  assign pins_o.writing = (state_q == write_control_pkg::Write);
  assign pins_o.word.data = data_q;
  assign pins_o.word.address = address_q;
  assign pins_o.word.byte_enable = byte_enable_q;
  assign pins_o.done = (state_q == write_control_pkg::Done);
  assign pins_o.state = state_q;

  // First word of the region of WID 1. The limit has been applied by the units that clamp.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );

  // The region starts at a multiple of 1 << 25, so the bits below are those of the offset.
  logic [30:25] base;
  assign base = wid_q ? bounds.words[30:25] : 6'd0;

  // Word address of the half to store.
  logic [30:0] place_address;
  assign place_address = {base + {2'b00, pins_i.place[31:28]}, pins_i.place[27:3]};

  // Bytes of the line to store; a first line within the packet is not stored.
  logic [7:0] mask;
  assign mask = (pins_i.line.id == line_pkg::First) ? 8'h00 : pins_i.line_enable;

  // A line is taken in the cycle in which the right is granted and in every later one.
  logic store;
  assign store = pins_i.line_valid &&
                 (state_q == write_control_pkg::Write ||
                  (state_q == write_control_pkg::Request && pins_i.write_right));

  logic [30:0] next_address;
  assign next_address = address_q + 31'd1;

  always_comb begin
    state_d = state_q;
    wid_d = wid_q;
    address_d = (byte_enable_q == 8'h00) ? address_q :
                (address_q & keep_q) | (next_address & ~keep_q);
    keep_d = keep_q;
    straddle_d = straddle_q;
    carry_d = carry_q;
    carry_enable_d = carry_enable_q;
    data_d = data_q;
    byte_enable_d = 8'h00;
    last_d = last_q;

    unique case (state_q)
      // Idle: the offset arrives with the request; the start of the region is added when the first
      // line arrives, which is later.
      write_control_pkg::Idle: begin
        if (pins_i.write_request.start) begin
          wid_d = pins_i.write_request.wid;
          address_d = {2'b00, pins_i.write_request.offset[31:3]};
          keep_d = pins_i.keep;
          straddle_d = pins_i.write_request.offset[2] ^ pins_i.skip;
          carry_enable_d = 4'h0;
          last_d = 1'b0;
        end else if (pins_i.line_valid) begin
          address_d = {base + address_q[30:25], address_q[24:0]};
          state_d = write_control_pkg::Request;
        end else if (pins_i.empty) begin
          state_d = write_control_pkg::Done;
        end
      end
      // Request: the line is taken in the cycle in which the right is granted.
      write_control_pkg::Request: begin
        if (pins_i.write_right) begin
          state_d = write_control_pkg::Write;
        end
      end
      // Write: the bytes left over by the last line make one more word.
      write_control_pkg::Write: begin
        if (!pins_i.line_valid && last_q && carry_enable_q == 4'h0) begin
          state_d = write_control_pkg::Finish;
        end else if (!pins_i.line_valid && last_q && !pins_i.sodimm_almost_full) begin
          data_d = {32'd0, carry_q};
          byte_enable_d = {4'h0, carry_enable_q};
          carry_enable_d = 4'h0;
        end
      end
      // Finish: completion is reported only when all data is in the SO-DIMMs.
      write_control_pkg::Finish: begin
        if (pins_i.sodimm_idle) begin
          state_d = write_control_pkg::Done;
        end
      end
      // Done: the Receive Controller takes the result.
      write_control_pkg::Done: state_d = write_control_pkg::Idle;
      default: state_d = write_control_pkg::Idle;
    endcase

    if (store) begin
      if (pins_i.place_enable) begin
        address_d = place_address;
        data_d = pins_i.line.data;
        byte_enable_d = mask;
      end else if (straddle_q) begin
        data_d = {pins_i.line.data[31:0], carry_q};
        byte_enable_d = {mask[3:0], carry_enable_q};
        carry_d = pins_i.line.data[63:32];
        carry_enable_d = mask[7:4];
      end else begin
        data_d = pins_i.line.data;
        byte_enable_d = mask;
      end
      last_d = (pins_i.line.id == line_pkg::Last);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= write_control_pkg::Idle;
      wid_q <= '0;
      address_q <= '0;
      keep_q <= '0;
      straddle_q <= '0;
      carry_q <= '0;
      carry_enable_q <= '0;
      data_q <= '0;
      byte_enable_q <= '0;
      last_q <= '0;
    end else begin
      state_q <= state_d;
      wid_q <= wid_d;
      address_q <= address_d;
      keep_q <= keep_d;
      straddle_q <= straddle_d;
      carry_q <= carry_d;
      carry_enable_q <= carry_enable_d;
      data_q <= data_d;
      byte_enable_q <= byte_enable_d;
      last_q <= last_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= write_control_pkg::Done);
    end
  end
`endif

endmodule
