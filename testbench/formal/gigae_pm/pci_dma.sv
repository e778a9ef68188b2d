/// PCI DMA moves as many words as were asked for, in order, and touches no memory that is not pinned (paper section 4.4, table 1).
///
/// A transfer requests the bus after the cycles of table 1; a transfer with any byte that is not
/// pinned is refused before that.
// Shorter: rtl/gigae_pm/generated/pci_dma_pkg.sv | FromHostSetup = 7'd73 | FromHostSetup = 7'd4
// Shorter: rtl/gigae_pm/generated/pci_dma_pkg.sv | ToHostSetup = 7'd63 | ToHostSetup = 7'd3
// Mutation: rtl/gigae_pm/pci_dma.sv | (end_of_buffer <= {1'b0, size}) | (end_of_buffer <= {1'b0, size} + 33'd4)
// Mutation: rtl/gigae_pm/pci_dma.sv | state_d = pinned ? pci_dma_pkg::Setup : pci_dma_pkg::Done; | state_d = pci_dma_pkg::Setup;
// Mutation: rtl/gigae_pm/pci_dma.sv | pci_dma_pkg::FromHostSetup) - 7'd1 | pci_dma_pkg::FromHostSetup) - 7'd2
// Mutation: rtl/gigae_pm/pci_dma.sv | write_d = !to_host_q; | write_d = 1'b1;
// Mutation: rtl/gigae_pm/pci_dma.sv | if (words_q == 9'd1) begin | if (words_q == 9'd0) begin
// Mutation: rtl/gigae_pm/pci_dma.sv | host_address_d = host_address_q + 32'd4 | host_address_d = host_address_q + 32'd8
// Mutation: rtl/gigae_pm/pci_dma.sv | write_address_d = nic_address_q; | write_address_d = nic_address_q + 18'd1;
// Witness: StateIsDeclared | rtl/gigae_pm/pci_dma.sv | pci_dma_pkg::Done: state_d = pci_dma_pkg::Idle; | pci_dma_pkg::Done: state_d = 3'd6;
// Witness: OneAccessAtATime | rtl/gigae_pm/pci_dma.sv | write_d = !to_host_q; | write_d = 1'b1;
module pci_dma_proof (
    input logic clk_i,
    input logic rst_ni,
    input pci_dma_pkg::in_t pins_i
);

  pci_dma_pkg::out_t pins_o;
  pci_dma u_pci_dma (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_pci_dma.state_q ;
  (* hierconn *) logic [31:0] \u_pci_dma.area_q ;
  (* hierconn *) logic [8:0]  \u_pci_dma.words_q ;
  (* hierconn *) logic [6:0]  \u_pci_dma.setup_q ;
  (* hierconn *) logic [17:0] \u_pci_dma.nic_address_q ;
  logic [2:0] state;
  assign state = \u_pci_dma.state_q ;

  machine #(.States(6), .Arcs(pci_dma_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The firmware requests at least one word; the bus transfers words for its master only.
  always @* begin
    if (pins_i.start) assume (pins_i.transfer.words != 9'd0);
    if (!pins_o.request) assume (!pins_i.grant);
  end

  // The requested transfer, its cycles, and the words moved.
  logic        known_q;
  logic        past_rst_nq;
  logic        to_host_q;
  logic [31:0] host_q;
  logic [17:0] nic_q;
  logic [8:0]  words_q;
  logic [31:0] area_q;
  logic [6:0]  age_q;
  logic [8:0]  moved_q;
  logic        ready_q;
  logic [31:0] rdata_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    ready_q <= rst_ni && pins_o.transfer && pins_i.ready;
    rdata_q <= pins_i.rdata;
    if (state == pci_dma_pkg::Idle) begin
      to_host_q <= pins_i.transfer.to_host;
      host_q <= {pins_i.transfer.host_address[31:2], 2'b00};
      nic_q <= pins_i.transfer.nic_address;
      words_q <= pins_i.transfer.words;
      area_q <= pins_i.transfer.area;
      age_q <= 7'd1;
      moved_q <= '0;
    end else begin
      if (state != pci_dma_pkg::Request) age_q <= age_q + 7'd1;
      if (pins_o.transfer && pins_i.ready) moved_q <= moved_q + 9'd1;
    end
  end

  // The offset of a word in its area, in 64 bits, so that nothing wraps.
  logic [31:0] size;
  logic [63:0] offset;
  logic [63:0] last;
  logic        pinned;
  logic [6:0]  setup;
  assign size = to_host_q ? memory_map_pkg::ReceiveAreaBytes : memory_map_pkg::SendAreaBytes;
  assign offset = {32'd0, host_q - area_q};
  assign last = offset + {53'd0, words_q, 2'b00};
  assign pinned = last <= {32'd0, size};
  assign setup = to_host_q ? pci_dma_pkg::ToHostSetup : pci_dma_pkg::FromHostSetup;

  always @* begin
    if (known_q) begin
      if (pins_o.transfer) begin
        OnlyPinnedMemoryIsTouched: assert (pins_o.address - area_q < size);
        WordsFollowEachOther: assert (pins_o.address == host_q + {21'd0, moved_q, 2'b00});
        DirectionIsTheTransfers: assert (pins_o.write == to_host_q);
        NoWordTooMany: assert (moved_q < words_q);
      end
      if (pins_o.memory_write) begin
        WordIsWrittenWhenItHasCome: assert (ready_q && !to_host_q);
        WordIsTheOneThatCame: assert (pins_o.memory_wdata == rdata_q);
        WordGoesBehindTheOneBefore: assert (pins_o.memory_address == nic_q + {9'd0, moved_q} - 18'd1);
      end else if (ready_q && past_rst_nq) begin
        NoWordIsDropped: assert (to_host_q);
      end
      if (pins_o.memory_next) begin
        NextWordIsRead: assert (pins_o.memory_address == nic_q + {9'd0, moved_q} + 18'd1);
      end
      if (pins_o.done) begin
        AllOrNothing: assert (pins_o.refused ? moved_q == 9'd0 && !pinned : moved_q == words_q && pinned);
      end
      if (pins_o.request && !pins_o.transfer) begin
        AsksForTheBusAfterTheTimeOfTable1: assert (age_q == setup + 7'd2);
      end
      // Invariants that carry the induction.
      if (state != pci_dma_pkg::Idle) begin
        assert (words_q != 9'd0 && pins_o.write == to_host_q && area_q == \u_pci_dma.area_q  &&
                pins_o.address == host_q + {21'd0, moved_q, 2'b00});
      end
      if (state != pci_dma_pkg::Transfer && state != pci_dma_pkg::Done) assert (!ready_q);
      if (state == pci_dma_pkg::Check) assert (age_q == 7'd1);
      if (state == pci_dma_pkg::Setup) begin
        assert (age_q + \u_pci_dma.setup_q  == setup + 7'd1 && \u_pci_dma.setup_q  < setup);
      end
      if (state == pci_dma_pkg::Check || state == pci_dma_pkg::Setup || state == pci_dma_pkg::Request) begin
        assert (moved_q == 9'd0 && \u_pci_dma.words_q  == words_q && \u_pci_dma.nic_address_q  == nic_q && !pins_o.refused);
      end
      if (state == pci_dma_pkg::Setup || state == pci_dma_pkg::Request || state == pci_dma_pkg::Transfer) begin
        assert (pinned && !pins_o.refused);
      end
      if (state == pci_dma_pkg::Transfer) begin
        assert (\u_pci_dma.words_q  == words_q - moved_q && moved_q < words_q &&
                \u_pci_dma.nic_address_q  == nic_q + {9'd0, moved_q} + {17'd0, to_host_q});
      end
      assert (pins_o.memory_write == (ready_q && !to_host_q) || !past_rst_nq);
    end
  end

endmodule
