/// One SO-DIMM channel: turns words into bursts, opens and closes rows (thesis sections 4.1 and
/// 4.5.6, table 7.4).
///
/// Words to write and to read wait in one FIFO; the oldest one is on the FIFO's output while
/// `loaded`. A burst has length 2, so one command moves 16 bytes in one core cycle; a write masks
/// the bytes of the other half, a read drops them. A row stays open as long as words for it arrive
/// in time; any other word closes it and opens its own.
///
/// A word on the pins in cycle 11 is seen in 12, opens its row in 13 and 14, and is written in 15:
/// the first five of the six cycles that table 7.4 gives for the write. In 16, the sixth, `idle` is
/// high again. A word to read takes the same path: its command is in 15, its data are on the pins
/// in 17 (CAS latency 2) and in the data FIFO in 18. The master must not request more words than
/// the data FIFO holds.
///
/// Times are those of DDR200 (JEDEC JESD79), rounded up to cycles of 10 ns: tRCD 20 ns, tRP 20 ns,
/// tWR 15 ns after the data, which follow the write command by one cycle. The shortest row cycle is
/// then 80 ns from Activate to Activate (tRC 70 ns) and 60 ns from Activate to Precharge (tRAS 50
/// ns); see decisions 0011 and 0016. Between a write and a read, in either order, the right changes
/// hands, which takes longer than the turnaround of the data bus.
module sodimm (
    /// Core clock, 100 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From Write Unit, Prefetch Unit, registers and the SO-DIMM.
    input  sodimm_pkg::in_t  pins_i,
    /// To Write Unit, Prefetch Unit and the SO-DIMM.
    output sodimm_pkg::out_t pins_o
);

  sodimm_pkg::state_e state_d, state_q;
  logic        loaded_d, loaded_q;
  logic        almost_full_d, almost_full_q;
  logic [19:0] row_d, row_q;
  logic [1:0]  recovery_d, recovery_q;
  logic        enabled_d, enabled_q;
  logic        sent_d, sent_q;
  logic        sent_upper_d, sent_upper_q;
  logic        due_d, due_q;
  logic        due_upper_d, due_upper_q;

  sodimm_pkg::word_t word;
  logic              empty;
  logic [4:0]        count;
  logic [19:0]       word_row;
  logic              hit;
  assign word_row = word.burst[28:9];
  // Whether the row of the loaded word is open, so that it is written or read once the module is
  // ready.
  assign hit = (state_q == sodimm_pkg::Burst) && loaded_q && (word_row == row_q);

  logic command;
  logic write;
  assign command = hit && enabled_q;
  assign write = command && !word.read;
  assign pins_o.almost_full = almost_full_q;
  assign pins_o.idle = empty && !loaded_q &&
                       ((state_q == sodimm_pkg::Idle) || (state_q == sodimm_pkg::Recover) ||
                        (state_q == sodimm_pkg::Precharge1) || (state_q == sodimm_pkg::Precharge2));
  assign pins_o.memory.wdata = {word.data, word.data};
  assign pins_o.memory.address = word.burst;
  assign pins_o.memory.byte_enable = !write ? 16'd0 :
                                     word.upper ? {word.byte_enable, 8'd0} :
                                     {8'd0, word.byte_enable};
  assign pins_o.memory.write = write;
  assign pins_o.memory.read = command && word.read;

  logic done;
  logic load;
  assign done = hit && (pins_i.memory.ready || !enabled_q);
  assign load = !empty && (!loaded_q || done);

  /* verilator lint_off PINCONNECTEMPTY */
  // The FIFO never fills: `almost_full` stops both masters first.
  fifo #(
      .Width(103),
      .Depth(16)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .write_enable_i(pins_i.word_enable),
      .wdata_i(pins_i.word),
      .read_enable_i(load),
      .rdata_o(word),
      .empty_o(empty),
      .full_o(),
      .count_o(count)
  );
  // This FIFO never fills either: the Prefetch Unit requests no more words than it holds.
  logic [63:0] half;
  assign half = due_upper_q ? pins_i.memory.rdata[127:64] : pins_i.memory.rdata[63:0];
  fifo #(
      .Width(64),
      .Depth(16)
  ) u_data (
      .clk_i,
      .rst_ni,
      .write_enable_i(due_q),
      .wdata_i(enabled_q ? half : 64'd0),
      .read_enable_i(pins_i.data_next),
      .rdata_o(pins_o.rdata),
      .empty_o(pins_o.data_empty),
      .full_o(),
      .count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  always_comb begin
    state_d = state_q;
    loaded_d = load || (loaded_q && !done);
    // The next fill level of the FIFO is compared for each of the three cases in parallel with the
    // decision between them (decision 0052).
    almost_full_d = (pins_i.word_enable && !load) ? count >= sodimm_pkg::AlmostFull - 5'd1 :
                    (load && !pins_i.word_enable) ? count >= sodimm_pkg::AlmostFull + 5'd1 :
                                                    count >= sodimm_pkg::AlmostFull;
    row_d = row_q;
    recovery_d = done ? sodimm_pkg::WriteRecovery :
                 (recovery_q == 2'd0) ? 2'd0 : recovery_q - 2'd1;
    enabled_d = pins_i.sodimm_enabled;
    sent_d = done && word.read;
    sent_upper_d = word.upper;
    due_d = sent_q;
    due_upper_d = sent_upper_q;

    unique case (state_q)
      // Idle: the first word is loaded while the state changes.
      sodimm_pkg::Idle: begin
        if (load) begin
          state_d = sodimm_pkg::Activate;
        end
      end
      // Activate: the row of the loaded word is open from now on.
      sodimm_pkg::Activate: begin
        row_d = word_row;
        state_d = sodimm_pkg::ActivateWait;
      end
      // ActivateWait: tRCD is two cycles.
      sodimm_pkg::ActivateWait: state_d = sodimm_pkg::Burst;
      // Burst: continues if another word follows; one of another row is detected in the next cycle.
      sodimm_pkg::Burst: begin
        if (hit) begin
          if (done && !load) begin
            state_d = sodimm_pkg::Recover;
          end
        end else begin
          state_d = sodimm_pkg::Recover;
        end
      end
      // Recover: the row is still open; a word that is already loaded belongs to another row.
      sodimm_pkg::Recover: begin
        if (load) begin
          state_d = sodimm_pkg::Burst;
        end else if (recovery_q == 2'd0) begin
          state_d = sodimm_pkg::Precharge1;
        end
      end
      // Precharge1: a word that arrives now is loaded, but opens its row after tRP.
      sodimm_pkg::Precharge1: state_d = sodimm_pkg::Precharge2;
      // Precharge2: tRP is two cycles.
      sodimm_pkg::Precharge2: state_d = loaded_d ? sodimm_pkg::Activate : sodimm_pkg::Idle;
      default: state_d = sodimm_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= sodimm_pkg::Idle;
      loaded_q <= '0;
      almost_full_q <= '0;
      row_q <= '0;
      recovery_q <= '0;
      enabled_q <= '0;
      sent_q <= '0;
      sent_upper_q <= '0;
      due_q <= '0;
      due_upper_q <= '0;
    end else begin
      state_q <= state_d;
      loaded_q <= loaded_d;
      almost_full_q <= almost_full_d;
      row_q <= row_d;
      recovery_q <= recovery_d;
      enabled_q <= enabled_d;
      sent_q <= sent_d;
      sent_upper_q <= sent_upper_d;
      due_q <= due_d;
      due_upper_q <= due_upper_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= sodimm_pkg::Precharge2);
    end
  end
`endif

endmodule
