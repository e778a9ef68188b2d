/// Status Write Unit: stores receive statuses in rings in LLCM (thesis section 5.3.4, figure 5.17).
///
/// A status has 128 bits and LLCM takes 64 at a time. The upper half is written first, to the
/// status address + 8, then the lower half to + 0; a host that sees the lower half therefore sees a
/// whole status (decision 0009). Each process has one ring, in its own LLCM. The Next Write Address
/// of the ring advances only after both halves are stored. The unit wins the LLCM port in both
/// write states, because its state machine has no wait state.
///
/// A status is accepted in a cycle in which `status_busy` of its process is low; the Receive
/// Controller holds it until then. From the request to `Write2`, both included, a status takes 3
/// cycles.
///
/// Addresses are kept in slots of 16 bytes: the low 4 bits of Status Initial Address and Status
/// Next Read Address are ignored. Writing Status Initial Address or Status Area Size empties the
/// ring of that process.
module status_write_unit (
    /// Core clock, 100 MHz.
    input  logic                        clk_i,
    /// Synchronous reset.
    input  logic                        rst_ni,
    /// From Request Separator and registers. The configuration bus carries other registers too, and
    /// a status has no use for rflag.
    /* verilator lint_off UNUSEDSIGNAL */
    input  status_write_unit_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To LLCM, registers, Receive Controller.
    output status_write_unit_pkg::out_t pins_o
);

  status_write_unit_pkg::state_e state_d, state_q;
  logic [63:0] upper_d, upper_q;
  logic [63:0] lower_d, lower_q;
  logic        wid_d, wid_q;
  logic [10:0] initial0_d, initial0_q;
  logic [10:0] initial1_d, initial1_q;
  logic [6:0]  size0_d, size0_q;
  logic [6:0]  size1_d, size1_q;
  logic [10:0] next_read0_d, next_read0_q;
  logic [10:0] next_read1_d, next_read1_q;
  logic [10:0] next_write0_d, next_write0_q;
  logic [10:0] next_write1_d, next_write1_q;

  // Index of the last slot of a ring; the first has index 0 (thesis table A.5).
  function automatic logic [10:0] last_of(logic [6:0] size);
    unique case (size)
      7'b0000001: last_of = 11'd3;
      7'b0000010: last_of = 11'd7;
      7'b0000100: last_of = 11'd15;
      7'b0001000: last_of = 11'd31;
      7'b0100000: last_of = 11'd127;
      7'b1000000: last_of = 11'd255;
      default: last_of = 11'd63;
    endcase
  endfunction
  logic [10:0] last0;
  logic [10:0] last1;
  assign last0 = last_of(size0_q);
  assign last1 = last_of(size1_q);

  // Whether a + b = c, without an adder: a bit of c differs from a ^ b exactly where the bits below
  // it carry.
  function automatic logic adds_up(logic [10:0] a, logic [10:0] b, logic [10:0] c);
    logic [9:0] carry;
    carry = (a[9:0] & b[9:0]) | ((a[9:0] | b[9:0]) & ~c[9:0]);
    adds_up = (a ^ b ^ c) == {carry, 1'b0};
  endfunction

  // Whether the next write goes to the last slot of its ring, and the slot after it. A ring that
  // passes the end of LLCM continues at its beginning.
  logic        ends0;
  logic        ends1;
  logic [10:0] sum0;
  logic [10:0] sum1;
  logic [10:0] after0;
  logic [10:0] after1;
  assign ends0 = adds_up(initial0_q, last0, next_write0_q);
  assign ends1 = adds_up(initial1_q, last1, next_write1_q);
  assign sum0 = next_write0_q + 11'd1;
  assign sum1 = next_write1_q + 11'd1;
  assign after0 = ends0 ? initial0_q : sum0;
  assign after1 = ends1 ? initial1_q : sum1;

  logic        full0;
  logic        full1;
  logic        writing;
  logic [10:0] slot;
  // Both candidates are compared in parallel with the choice between them.
  assign full0 = ends0 ? (initial0_q == next_read0_q) : (sum0 == next_read0_q);
  assign full1 = ends1 ? (initial1_q == next_read1_q) : (sum1 == next_read1_q);
  assign writing = (state_q != status_write_unit_pkg::Nop);
  assign slot = wid_q ? next_write1_q : next_write0_q;

  assign pins_o.llcm_byte_enable = writing ? 8'hff : 8'h00;
  assign pins_o.llcm_address = {wid_q, slot, state_q == status_write_unit_pkg::Write1};
  assign pins_o.llcm_wdata = (state_q == status_write_unit_pkg::Write1) ? upper_q : lower_q;
  assign pins_o.next_write_address0 = {next_write0_q, 4'b0};
  assign pins_o.next_write_address1 = {next_write1_q, 4'b0};
  assign pins_o.full = {full1, full0};
  assign pins_o.empty = {next_write1_q == next_read1_q, next_write0_q == next_read0_q};
  assign pins_o.status_busy = {full1 || writing, full0 || writing};

  logic        busy;
  logic [10:0] new_slot;
  assign busy = pins_i.status.wid ? (full1 || writing) : (full0 || writing);
  assign new_slot = pins_i.configuration.value[14:4];

  always_comb begin
    state_d = state_q;
    upper_d = upper_q;
    lower_d = lower_q;
    wid_d = wid_q;
    initial0_d = initial0_q;
    initial1_d = initial1_q;
    size0_d = size0_q;
    size1_d = size1_q;
    next_read0_d = next_read0_q;
    next_read1_d = next_read1_q;
    next_write0_d = next_write0_q;
    next_write1_d = next_write1_q;

    unique case (state_q)
      // Nop: a status of a process whose ring is full is latched but not accepted.
      status_write_unit_pkg::Nop: begin
        if (pins_i.status_enable) begin
          upper_d = pins_i.status.upper;
          lower_d = pins_i.status.lower;
          wid_d = pins_i.status.wid;
        end
        if (pins_i.status_enable && !busy) begin
          state_d = status_write_unit_pkg::Write1;
        end
      end
      // Write1: the upper half leaves.
      status_write_unit_pkg::Write1: state_d = status_write_unit_pkg::Write2;
      // Write2: the lower half leaves; from now on the host may see the status.
      status_write_unit_pkg::Write2: begin
        if (wid_q) begin
          next_write1_d = after1;
        end else begin
          next_write0_d = after0;
        end
        state_d = status_write_unit_pkg::Nop;
      end
      default: state_d = status_write_unit_pkg::Nop;
    endcase

    // A new start or size empties the ring in any state.
    unique case ({pins_i.configuration.user_code, pins_i.configuration.wid})
      {status_write_unit_pkg::InitialAddress, 1'b0}: begin
        initial0_d = new_slot;
        next_read0_d = new_slot;
        next_write0_d = new_slot;
      end
      {status_write_unit_pkg::InitialAddress, 1'b1}: begin
        initial1_d = new_slot;
        next_read1_d = new_slot;
        next_write1_d = new_slot;
      end
      {status_write_unit_pkg::AreaSize, 1'b0}: begin
        size0_d = pins_i.configuration.value[6:0];
        next_read0_d = initial0_q;
        next_write0_d = initial0_q;
      end
      {status_write_unit_pkg::AreaSize, 1'b1}: begin
        size1_d = pins_i.configuration.value[6:0];
        next_read1_d = initial1_q;
        next_write1_d = initial1_q;
      end
      {status_write_unit_pkg::NextReadAddress, 1'b0}: next_read0_d = new_slot;
      {status_write_unit_pkg::NextReadAddress, 1'b1}: next_read1_d = new_slot;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= status_write_unit_pkg::Nop;
      upper_q <= '0;
      lower_q <= '0;
      wid_q <= '0;
      initial0_q <= '0;
      initial1_q <= '0;
      size0_q <= '0;
      size1_q <= '0;
      next_read0_q <= '0;
      next_read1_q <= '0;
      next_write0_q <= '0;
      next_write1_q <= '0;
    end else begin
      state_q <= state_d;
      upper_q <= upper_d;
      lower_q <= lower_d;
      wid_q <= wid_d;
      initial0_q <= initial0_d;
      initial1_q <= initial1_d;
      size0_q <= size0_d;
      size1_q <= size1_d;
      next_read0_q <= next_read0_d;
      next_read1_q <= next_read1_d;
      next_write0_q <= next_write0_d;
      next_write1_q <= next_write1_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= status_write_unit_pkg::Write2);
    end
  end
`endif

endmodule
