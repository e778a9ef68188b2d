/// The card: host port, NIC memory, PCI DMA, firmware, network DMA and MAC (paper sections 4.6 and
/// 5).
///
/// All blocks except the network side of the MAC run at the clock of the PCI bus. NIC memory has
/// two ports: host and network DMA share one, firmware and PCI DMA the other.
module gigae_pm (
    /// Card clock, 33.33 MHz: everything but the network side of the MAC.
    input  logic               clk_i,
    /// Network clock, 125 MHz.
    input  logic               network_clk_i,
    /// Synchronous reset of both clock domains.
    input  logic               rst_ni,
    /// From host, PCI bus, physical layer.
    input  gigae_pm_pkg::in_t  pins_i,
    /// To host, PCI bus, physical layer.
    output gigae_pm_pkg::out_t pins_o
);

  host_port_pkg::in_t     host_in;
  host_port_pkg::out_t    host;
  pci_dma_pkg::in_t       dma_in;
  pci_dma_pkg::out_t      dma;
  firmware_pkg::in_t      firmware_in;
  firmware_pkg::out_t     firmware_out;
  receive_dma_pkg::in_t   receive_in;
  receive_dma_pkg::out_t  receive;
  transmit_dma_pkg::in_t  transmit_in;
  transmit_dma_pkg::out_t transmit;
  mac_pkg::in_t           mac_in;
  mac_pkg::out_t          mac_out;
  logic [31:0]            a_rdata;
  logic [31:0]            b_rdata;

  assign pins_o.host.rdata = host.memory_answers ? a_rdata : host.rdata;
  assign pins_o.host.interrupt_request = host.interrupt_request;
  assign pins_o.bus.wdata = b_rdata;
  assign pins_o.bus.address = dma.address;
  assign pins_o.bus.request = dma.request;
  assign pins_o.bus.transfer = dma.transfer;
  assign pins_o.bus.write = dma.write;
  assign pins_o.network = mac_out.network;

  assign host_in.host = pins_i.host;
  assign host_in.memory_rdata = a_rdata;
  assign host_in.receive_counts = receive.counts;
  assign host_in.firmware_counts = firmware_out.counts;
  assign host_in.held = firmware_out.held;
  assign host_in.causes = firmware_out.causes;

  host_port u_host_port (
      .clk_i,
      .rst_ni,
      .pins_i(host_in),
      .pins_o(host)
  );

  // Priority of the port: host, receive DMA, transmit DMA.
  logic host_accesses;
  logic receive_grant;
  logic transmit_grant;
  assign host_accesses = host.memory_read || host.memory_write;
  assign receive_grant = receive.memory_write && !host_accesses;
  assign transmit_grant = transmit.memory_read && !host_accesses && !receive.memory_write;

  // The status after a frame is not one of its words.
  logic        stores;
  logic [17:0] a_address;
  logic [31:0] a_wdata;
  assign stores = receive_grant && (receive.length_enable || !mac_out.receive_word.last);
  assign a_address = host_accesses ? host.memory_address :
                     receive.memory_write ? receive.memory_address : transmit.memory_address;
  assign a_wdata = host_accesses ? host.memory_wdata :
                   receive.length_enable ? {21'b0, receive.length} : mac_out.receive_word.data;

  logic        firmware_accesses;
  assign firmware_accesses = firmware_out.memory.read || firmware_out.memory.write;

  sram #(
      .Depth(262144)
  ) u_nic_memory (
      .clk_i,
      .rst_ni,
      .a_read_enable_i(host.memory_read || transmit_grant),
      .a_write_enable_i(host.memory_write || stores),
      .a_address_i(a_address),
      .a_wdata_i(a_wdata),
      .a_rdata_o(a_rdata),
      .b_read_enable_i(firmware_accesses ? firmware_out.memory.read :
                       dma.memory_read || (dma.memory_next && pins_i.bus.ready)),
      .b_write_enable_i(firmware_accesses ? firmware_out.memory.write : dma.memory_write),
      .b_address_i(firmware_accesses ? firmware_out.memory.address : dma.memory_address),
      .b_wdata_i(firmware_accesses ? firmware_out.memory.wdata : dma.memory_wdata),
      .b_rdata_o(b_rdata)
  );

  // Disabling the card resets firmware and DMA.
  logic firmware_rst_n;
  assign firmware_rst_n = rst_ni && !host.firmware_reset;

  assign dma_in.transfer = firmware_out.transfer;
  assign dma_in.start = firmware_out.transfer_start;
  assign dma_in.rdata = pins_i.bus.rdata;
  assign dma_in.grant = pins_i.bus.grant;
  assign dma_in.ready = pins_i.bus.ready;

  pci_dma u_pci_dma (
      .clk_i,
      .rst_ni(firmware_rst_n),
      .pins_i(dma_in),
      .pins_o(dma)
  );

  assign firmware_in.configuration = host.configuration;
  assign firmware_in.posted = host.posted;
  assign firmware_in.released = host.released;
  assign firmware_in.released_ring = host.released_ring;
  assign firmware_in.memory_rdata = b_rdata;
  assign firmware_in.transmit_idle = transmit.idle;
  assign firmware_in.frame_waiting = receive.frame_waiting;
  assign firmware_in.frame_slot = receive.frame_slot;
  assign firmware_in.transfer_done = dma.done;
  assign firmware_in.transfer_refused = dma.refused;

  firmware u_firmware (
      .clk_i,
      .rst_ni(firmware_rst_n),
      .pins_i(firmware_in),
      .pins_o(firmware_out)
  );

  assign receive_in.word = mac_out.receive_word;
  assign receive_in.frame_available = mac_out.frame_available;
  assign receive_in.identity = host.configuration.identity;
  assign receive_in.enable = host.configuration.enable;
  assign receive_in.frame_done = firmware_out.frame_done;
  assign receive_in.memory_grant = receive_grant;

  receive_dma u_receive_dma (
      .clk_i,
      .rst_ni,
      .pins_i(receive_in),
      .pins_o(receive)
  );

  assign transmit_in.frame = firmware_out.frame;
  assign transmit_in.start = firmware_out.frame_start;
  assign transmit_in.identity = host.configuration.identity;
  assign transmit_in.fifo_free = mac_out.transmit_free;
  assign transmit_in.memory_grant = transmit_grant;
  assign transmit_in.memory_rdata = a_rdata;

  transmit_dma u_transmit_dma (
      .clk_i,
      .rst_ni,
      .pins_i(transmit_in),
      .pins_o(transmit)
  );

  assign mac_in.transmit_word = transmit.word;
  assign mac_in.transmit_enable = transmit.word_enable;
  assign mac_in.frame_start = receive.frame_start;
  assign mac_in.word_next = receive.word_next && receive_grant;
  assign mac_in.network = pins_i.network;

  mac u_mac (
      .clk_i,
      .network_clk_i,
      .rst_ni,
      .pins_i(mac_in),
      .pins_o(mac_out)
  );

  // Firmware and PCI DMA never use their port of NIC memory in the same cycle, and a sender waits
  // for room.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (firmware_rst_n) begin
      OneMasterOfThePort : assert (!(firmware_accesses &&
          (dma.memory_read || dma.memory_write || (dma.memory_next && pins_i.bus.ready))));
      WordHasRoom : assert (!transmit.word_enable || (mac_out.transmit_free != 11'd0));
    end
  end
`endif

endmodule
