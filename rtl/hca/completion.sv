/// Completion: writes CQEs into their queues in host memory (IBA volume 1, section 10.8).
///
/// A queue that is full, or whose doorbell is out of range, is broken from then on: further CQEs
/// are lost and counted, and none that the host has not taken is overwritten.
module completion (
    /// Clock of the adapter, 125 MHz.
    input  logic                 clk_i,
    /// Synchronous reset.
    input  logic                 rst_ni,
    /// From engines, contexts, host DMA.
    input  completion_pkg::in_t  pins_i,
    /// To engines, contexts, host DMA.
    output completion_pkg::out_t pins_o
);

  completion_pkg::state_e state_d, state_q;
  logic [7:0]          ring_d, ring_q;
  context_pkg::queue_t row_d, row_q;
  logic [31:0]         address_d, address_q;
  logic                lap_d, lap_q;
  logic [63:0]         word_d, word_q;
  logic [15:0]         overflows_d, overflows_q;

  assign pins_o.load = (state_q == completion_pkg::Load);
  assign pins_o.store = (state_q == completion_pkg::Store) || (state_q == completion_pkg::Lose);
  assign pins_o.ring = ring_q;
  assign pins_o.row = row_q;
  assign pins_o.transfer.address = address_q;
  assign pins_o.transfer.offset = 13'd0;
  assign pins_o.transfer.bytes = layout_pkg::CqeBytes;
  assign pins_o.transfer.to_host = 1'b1;
  assign pins_o.copy = (state_q == completion_pkg::Copy);
  assign pins_o.word = word_q;
  assign pins_o.completed = (state_q == completion_pkg::Store);
  assign pins_o.lost = (state_q == completion_pkg::Lose);
  assign pins_o.done = (state_q == completion_pkg::Done);
  assign pins_o.overflows = overflows_q;

  // Position of the next CQE in the ring, and whether the ring has room.
  logic [15:0] size;
  logic [15:0] place;
  logic [15:0] waiting;
  logic        room;
  assign size = 16'd1 << pins_i.row.log;
  assign place = pins_i.row.produced & ~(16'hffff << pins_i.row.log);
  assign waiting = pins_i.row.produced - pins_i.bell;
  assign room = pins_i.row.valid && !pins_i.row.broken && (waiting < size);

  always_comb begin
    state_d = state_q;
    ring_d = ring_q;
    row_d = row_q;
    address_d = address_q;
    lap_d = lap_q;
    word_d = word_q;
    overflows_d = overflows_q;

    if (pins_i.read) begin
      unique case (pins_i.word)
        2'd0: begin
          word_d = {
            8'd0,
            pins_i.entry.source,
            pins_i.entry.operation,
            pins_i.entry.pair,
            pins_i.entry.index
          };
        end
        2'd1: word_d = {pins_i.entry.immediate, pins_i.entry.bytes};
        2'd2: word_d = {40'd0, pins_i.entry.status, pins_i.entry.source_lid};
        default: word_d = {63'd0, lap_q};
      endcase
    end

    unique case (state_q)
      completion_pkg::Idle: if (pins_i.start) state_d = completion_pkg::Load;
      // Load: row and doorbell arrive in the next cycle.
      completion_pkg::Load: state_d = completion_pkg::Look;
      // Look: the lap bit, which changes with every lap, shows the host which CQEs are new.
      completion_pkg::Look: begin
        ring_d = pins_i.entry.ring;
        row_d = pins_i.row;
        address_d = pins_i.row.base + {11'd0, place, 5'd0};
        lap_d = ((pins_i.row.produced & size) == 16'd0);
        if (room) begin
          state_d = completion_pkg::Copy;
        end else begin
          row_d.broken = 1'b1;
          state_d = completion_pkg::Lose;
        end
      end
      // Copy: the word with the lap bit is written last.
      completion_pkg::Copy: begin
        if (pins_i.copied) begin
          row_d.produced = row_q.produced + 16'd1;
          state_d = completion_pkg::Store;
        end
      end
      completion_pkg::Store: state_d = completion_pkg::Done;
      completion_pkg::Lose: begin
        overflows_d = overflows_q + 16'd1;
        state_d = completion_pkg::Done;
      end
      completion_pkg::Done: state_d = completion_pkg::Idle;
      default: state_d = completion_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= completion_pkg::Idle;
      ring_q <= '0;
      row_q <= '0;
      address_q <= '0;
      lap_q <= '0;
      word_q <= '0;
      overflows_q <= '0;
    end else begin
      state_q <= state_d;
      ring_q <= ring_d;
      row_q <= row_d;
      address_q <= address_d;
      lap_q <= lap_d;
      word_q <= word_d;
      overflows_q <= overflows_d;
    end
  end

  // No CQE is written into a broken queue.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NothingIsWrittenIntoABrokenQueue : assert (
          state_q != completion_pkg::Copy || (row_q.valid && !row_q.broken));
      LostCqeBreaksTheQueue : assert (state_q != completion_pkg::Lose || row_q.broken);
    end
  end
`endif

endmodule
