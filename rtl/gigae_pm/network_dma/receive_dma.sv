/// Receive DMA: stores received frames in NIC memory, in a ring of 16 buffers.
///
/// Bad frames and frames for other nodes are dropped and counted, and their buffer is reused. The
/// length of a good frame is stored in the last word of its buffer.
module receive_dma (
    /// Card clock, 33.33 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From MAC, registers, firmware and NIC memory.
    input  receive_dma_pkg::in_t  pins_i,
    /// To MAC, firmware and NIC memory.
    output receive_dma_pkg::out_t pins_o
);

  receive_dma_pkg::state_e state_d, state_q;
  logic [3:0]                       head_d, head_q;
  logic [4:0]                       waiting_d, waiting_q;
  logic [8:0]                       count_d, count_q;
  logic                             group_d, group_q;
  logic                             addressed_d, addressed_q;
  logic [10:0]                      length_d, length_q;
  receive_dma_pkg::receive_counts_t counts_d, counts_q;

  assign pins_o.frame_start = (state_q == receive_dma_pkg::Idle) && !waiting_q[4];
  assign pins_o.word_next = (state_q == receive_dma_pkg::Store);
  assign pins_o.memory_write = (state_q == receive_dma_pkg::Store) ||
                               (state_q == receive_dma_pkg::Length);
  assign pins_o.memory_address = memory_map_pkg::Frames + {5'b0, head_q, 9'b0} +
      {9'b0, (state_q == receive_dma_pkg::Length) ? memory_map_pkg::LengthWord : count_q};
  assign pins_o.length_enable = (state_q == receive_dma_pkg::Length);
  assign pins_o.length = length_q;
  assign pins_o.frame_waiting = (waiting_q != 5'd0);
  assign pins_o.frame_slot = head_q - waiting_q[3:0];
  assign pins_o.counts = counts_q;

  mac_pkg::receive_status_t status;
  logic [31:0] second;
  logic        bad;
  logic        stored;
  assign status = pins_i.word.data;
  assign second = {pins_i.identity.node[7:0], 6'b0, pins_i.identity.node[9:8],
                   pins_i.identity.mac_prefix[31:16]};
  assign bad = status.runt || status.giant || status.fcs_error || !addressed_q;
  assign stored = (state_q == receive_dma_pkg::Length) && pins_i.memory_grant;

  always_comb begin
    state_d = state_q;
    head_d = head_q;
    count_d = count_q;
    group_d = group_q;
    addressed_d = addressed_q;
    length_d = length_q;
    counts_d = counts_q;
    // Frames that wait when the card is disabled are dropped.
    waiting_d = waiting_q + {4'b0, stored} - {4'b0, pins_i.frame_done};
    if (!pins_i.enable) waiting_d = '0;

    unique case (state_q)
      // Idle: the first word arrives on `word` in the next cycle.
      receive_dma_pkg::Idle: begin
        if (pins_i.frame_available && !waiting_q[4]) begin
          count_d = '0;
          state_d = receive_dma_pkg::Store;
        end
      end
      // Store: the first two words contain the destination, the last one the errors of the frame.
      receive_dma_pkg::Store: begin
        if (pins_i.word.last) begin
          length_d = status.length - 11'd4;
          counts_d.missed = counts_q.missed + {8'b0, status.missed};
          if (!pins_i.enable) begin
            state_d = receive_dma_pkg::Idle;
          end else if (bad) begin
            if (status.runt) counts_d.runts = counts_q.runts + 16'd1;
            else if (status.giant) counts_d.giants = counts_q.giants + 16'd1;
            else if (status.fcs_error) counts_d.fcs_errors = counts_q.fcs_errors + 16'd1;
            else counts_d.foreign = counts_q.foreign + 16'd1;
            state_d = receive_dma_pkg::Idle;
          end else begin
            state_d = receive_dma_pkg::Length;
          end
        end else if (pins_i.memory_grant) begin
          count_d = count_q + 9'd1;
          if (count_q == 9'd0) begin
            group_d = pins_i.word.data[16];
            addressed_d = (pins_i.word.data[31:16] == pins_i.identity.mac_prefix[15:0]);
          end
          if (count_q == 9'd1) begin
            addressed_d = group_q || (addressed_q && (pins_i.word.data == second));
          end
        end
      end
      // Length: afterwards the frame belongs to the firmware.
      receive_dma_pkg::Length: begin
        if (pins_i.memory_grant) begin
          head_d = head_q + 4'd1;
          counts_d.good = counts_q.good + 16'd1;
          state_d = receive_dma_pkg::Idle;
        end
      end
      default: state_d = receive_dma_pkg::Idle;
    endcase
  end

  // Fields that only the firmware examines, and unused bits of the status.
  logic unused;
  assign unused = &{1'b0, pins_i.identity.ether_type, status.reserved};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= receive_dma_pkg::Idle;
      head_q <= '0;
      waiting_q <= '0;
      count_q <= '0;
      group_q <= '0;
      addressed_q <= '0;
      length_q <= '0;
      counts_q <= '0;
    end else begin
      state_q <= state_d;
      head_q <= head_d;
      waiting_q <= waiting_d;
      count_q <= count_d;
      group_q <= group_d;
      addressed_q <= addressed_d;
      length_q <= length_d;
      counts_q <= counts_d;
    end
  end

  // A cycle either begins a frame or continues one.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= receive_dma_pkg::Length);
      OneReadOfTheMac : assert (!(pins_o.frame_start && pins_o.word_next));
    end
  end
`endif

endmodule
