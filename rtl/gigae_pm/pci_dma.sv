/// PCI DMA: moves words between host memory and NIC memory as bus master (paper, table 1).
///
/// From register setup through completion, a transfer from the host takes 2.30 us + 0.03 us a word,
/// one to the host 2.00 us + 0.03 us a word, at one word a cycle. On an idle bus, n words take 77 +
/// n and 67 + n cycles of 30 ns, from the cycle of the start through the cycle with `done`: 2.31
/// and 2.01 us plus 0.03 us a word.
///
/// A buffer that is not wholly inside the pinned area of its ring is refused before the bus is
/// requested.
module pci_dma (
    /// Card clock, 33.33 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From firmware and PCI bus.
    input  pci_dma_pkg::in_t  pins_i,
    /// To firmware, PCI bus and NIC memory.
    output pci_dma_pkg::out_t pins_o
);

  pci_dma_pkg::state_e state_d, state_q;
  logic [31:0] host_address_d, host_address_q;
  logic [17:0] nic_address_d, nic_address_q;
  logic [8:0]  words_d, words_q;
  logic        to_host_d, to_host_q;
  logic [31:0] area_d, area_q;
  logic [6:0]  setup_d, setup_q;
  logic [31:0] wdata_d, wdata_q;
  logic [17:0] write_address_d, write_address_q;
  logic        write_d, write_q;
  logic        refused_d, refused_q;

  assign pins_o.request = (state_q == pci_dma_pkg::Request) || (state_q == pci_dma_pkg::Transfer);
  assign pins_o.transfer = (state_q == pci_dma_pkg::Transfer);
  assign pins_o.write = to_host_q;
  assign pins_o.address = host_address_q;
  assign pins_o.memory_address = write_q ? write_address_q : nic_address_q;
  assign pins_o.memory_read = (state_q == pci_dma_pkg::Request) && to_host_q;
  assign pins_o.memory_next = (state_q == pci_dma_pkg::Transfer) && to_host_q;
  assign pins_o.memory_write = write_q;
  assign pins_o.memory_wdata = wdata_q;
  assign pins_o.done = (state_q == pci_dma_pkg::Done);
  assign pins_o.refused = refused_q;

  // Start and end of the buffer within the area; the offset of a buffer below the area wraps to far
  // beyond its end.
  logic [31:0] size;
  logic [31:0] first;
  logic [32:0] end_of_buffer;
  logic        pinned;
  assign size = to_host_q ? memory_map_pkg::ReceiveAreaBytes : memory_map_pkg::SendAreaBytes;
  assign first = host_address_q - area_q;
  assign end_of_buffer = {1'b0, first} + {22'b0, words_q, 2'b00};
  assign pinned = (first < size) && (end_of_buffer <= {1'b0, size});

  always_comb begin
    state_d = state_q;
    host_address_d = host_address_q;
    nic_address_d = nic_address_q;
    words_d = words_q;
    to_host_d = to_host_q;
    area_d = area_q;
    setup_d = setup_q;
    wdata_d = wdata_q;
    write_address_d = write_address_q;
    write_d = 1'b0;
    refused_d = refused_q;

    unique case (state_q)
      // Idle: a transfer is latched.
      pci_dma_pkg::Idle: begin
        if (pins_i.start) begin
          host_address_d = {pins_i.transfer.host_address[31:2], 2'b00};
          nic_address_d = pins_i.transfer.nic_address;
          words_d = pins_i.transfer.words;
          to_host_d = pins_i.transfer.to_host;
          area_d = pins_i.transfer.area;
          refused_d = 1'b0;
          state_d = pci_dma_pkg::Check;
        end
      end
      // Check: the first and the last byte must be pinned.
      pci_dma_pkg::Check: begin
        setup_d = (to_host_q ? pci_dma_pkg::ToHostSetup : pci_dma_pkg::FromHostSetup) - 7'd1;
        refused_d = !pinned;
        state_d = pinned ? pci_dma_pkg::Setup : pci_dma_pkg::Done;
      end
      // Setup: the time that table 1 gives for a transfer of no words.
      pci_dma_pkg::Setup: begin
        setup_d = setup_q - 7'd1;
        if (setup_q == 7'd0) begin
          state_d = pci_dma_pkg::Request;
        end
      end
      // Request: for a transfer to the host, the first word is read meanwhile.
      pci_dma_pkg::Request: begin
        if (pins_i.grant) begin
          if (to_host_q) begin
            nic_address_d = nic_address_q + 18'd1;
          end
          state_d = pci_dma_pkg::Transfer;
        end
      end
      // Transfer: to the host, each word is read while the one before it is sent.
      pci_dma_pkg::Transfer: begin
        if (pins_i.ready) begin
          write_d = !to_host_q;
          wdata_d = pins_i.rdata;
          write_address_d = nic_address_q;
          host_address_d = host_address_q + 32'd4;
          nic_address_d = nic_address_q + 18'd1;
          words_d = words_q - 9'd1;
          if (words_q == 9'd1) begin
            state_d = pci_dma_pkg::Done;
          end
        end
      end
      // Done: the last word from the host is written in this cycle.
      pci_dma_pkg::Done: state_d = pci_dma_pkg::Idle;
      default: state_d = pci_dma_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pci_dma_pkg::Idle;
      host_address_q <= '0;
      nic_address_q <= '0;
      words_q <= '0;
      to_host_q <= '0;
      area_q <= '0;
      setup_q <= '0;
      wdata_q <= '0;
      write_address_q <= '0;
      write_q <= '0;
      refused_q <= '0;
    end else begin
      state_q <= state_d;
      host_address_q <= host_address_d;
      nic_address_q <= nic_address_d;
      words_q <= words_d;
      to_host_q <= to_host_d;
      area_q <= area_d;
      setup_q <= setup_d;
      wdata_q <= wdata_d;
      write_address_q <= write_address_d;
      write_q <= write_d;
      refused_q <= refused_d;
    end
  end

  // One memory port serves both directions.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= pci_dma_pkg::Done);
      OneAccessAtATime : assert (
          !(pins_o.memory_write && (pins_o.memory_read || pins_o.memory_next)));
    end
  end
`endif

endmodule
