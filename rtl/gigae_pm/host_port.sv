/// Host port: the card as a PCI target (paper sections 4.3.3 and 4.4).
///
/// General NIC memory is accessed through a page register, which only the kernel may set. Receive
/// descriptors and arrival flags are in a window that needs no page register; a user process may
/// read the window but not write it.
///
/// | Aperture | Content | User |
/// |---|---|---|
/// | 0x0000 - 0x03ff | window: the first words of NIC memory | reads |
/// | 0x1000 - 0x1fff | registers | |
/// | 0x2000 - 0x2fff | a page of NIC memory | |
///
/// A forbidden access does nothing, reads 0 and is counted. When the host writes the flag of a send
/// descriptor, the firmware is notified, so it need not poll all rings.
///
/// Frames of other protocols raise an interrupt at once, or no earlier than a hold-off time after
/// their cause was cleared, so that one interrupt can serve several frames (paper sections 5.1 and
/// 5.2; decision 0037).
///
/// An access takes one cycle here and one in NIC memory, so a read is answered two cycles later.
module host_port (
    /// Card clock, 33.33 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From host, NIC memory, receive DMA, firmware.
    input  host_port_pkg::in_t  pins_i,
    /// To host, NIC memory, all others.
    output host_port_pkg::out_t pins_o
);

  logic [31:0]                  rdata_d, rdata_q;
  logic                         memory_answers_d, memory_answers_q;
  logic                         memory_read_d, memory_read_q;
  logic                         memory_write_d, memory_write_q;
  logic [17:0]                  memory_address_d, memory_address_q;
  logic [31:0]                  memory_wdata_d, memory_wdata_q;
  logic [4:0]                   posted_d, posted_q;
  logic                         released_d, released_q;
  logic [2:0]                   released_ring_d, released_ring_q;
  logic [7:0]                   page_d, page_q;
  logic [3:0]                   interrupt_cause_d, interrupt_cause_q;
  logic [3:0]                   interrupt_enable_d, interrupt_enable_q;
  logic                         interrupt_request_d, interrupt_request_q;
  logic [15:0]                  interrupt_delay_d, interrupt_delay_q;
  logic [15:0]                  holding_off_d, holding_off_q;
  logic                         firmware_reset_d, firmware_reset_q;
  register_pkg::configuration_t configuration_d, configuration_q;
  logic [15:0]                  refused_d, refused_q;

  assign pins_o.rdata = rdata_q;
  assign pins_o.memory_answers = memory_answers_q;
  assign pins_o.interrupt_request = interrupt_request_q;
  assign pins_o.memory_read = memory_read_q;
  assign pins_o.memory_write = memory_write_q;
  assign pins_o.memory_address = memory_address_q;
  assign pins_o.memory_wdata = memory_wdata_q;
  assign pins_o.posted = posted_q;
  assign pins_o.released = released_q;
  assign pins_o.released_ring = released_ring_q;
  assign pins_o.firmware_reset = firmware_reset_q;
  assign pins_o.configuration = configuration_q;

  logic [9:0]  word;
  logic        window;
  logic        registers;
  logic        page;
  logic        memory;
  logic [11:0] offset;
  logic [31:0] wdata;
  assign word = pins_i.host.address[11:2];
  assign window = (pins_i.host.address[13:12] == 2'd0) &&
                  ({8'b0, word} < memory_map_pkg::WindowWords);
  assign registers = (pins_i.host.address[13:12] == 2'd1) && !pins_i.host.user;
  assign page = (pins_i.host.address[13:12] == 2'd2) && !pins_i.host.user;
  assign memory = page || (window && !(pins_i.host.user && pins_i.host.write));
  assign offset = {word, 2'b00};
  assign wdata = pins_i.host.wdata;

  // The register at `offset`, as the host reads it.
  logic [31:0] register;
  always_comb begin
    unique case (offset)
      register_pkg::Control: register = {31'b0, configuration_q.enable};
      register_pkg::InterruptCause: register = {28'b0, interrupt_cause_q};
      register_pkg::InterruptEnable: register = {28'b0, interrupt_enable_q};
      register_pkg::Page: register = {24'b0, page_q};
      register_pkg::Node: register = {22'b0, configuration_q.identity.node};
      register_pkg::Nodes: register = {21'b0, configuration_q.nodes};
      register_pkg::MacPrefix: register = configuration_q.identity.mac_prefix;
      register_pkg::EtherType: register = {16'b0, configuration_q.identity.ether_type};
      register_pkg::Rules: register = {14'b0, configuration_q.rules};
      register_pkg::Window: register = {17'b0, configuration_q.window};
      register_pkg::Timeout: register = configuration_q.timeout;
      register_pkg::Limit: register = {24'b0, configuration_q.limit};
      register_pkg::Room: register = {27'b0, configuration_q.room};
      register_pkg::ScanPeriod: register = {16'b0, configuration_q.scan_period};
      register_pkg::Held: register = {7'b0, pins_i.held};
      register_pkg::InterruptDelay: register = {16'b0, interrupt_delay_q};
      register_pkg::Good: register = {16'b0, pins_i.receive_counts.good};
      register_pkg::FcsErrors: register = {16'b0, pins_i.receive_counts.fcs_errors};
      register_pkg::Runts: register = {16'b0, pins_i.receive_counts.runts};
      register_pkg::Giants: register = {16'b0, pins_i.receive_counts.giants};
      register_pkg::Foreign: register = {16'b0, pins_i.receive_counts.foreign};
      register_pkg::Missed: register = {16'b0, pins_i.receive_counts.missed};
      register_pkg::Malformed: register = {16'b0, pins_i.firmware_counts.malformed};
      register_pkg::WrongEpoch: register = {16'b0, pins_i.firmware_counts.wrong_epoch};
      register_pkg::Discarded: register = {16'b0, pins_i.firmware_counts.discarded};
      register_pkg::Delivered: register = {16'b0, pins_i.firmware_counts.delivered};
      register_pkg::Sent: register = {16'b0, pins_i.firmware_counts.sent};
      register_pkg::Refused: register = {16'b0, pins_i.firmware_counts.refused};
      register_pkg::RefusedAccesses: register = {16'b0, refused_q};
      register_pkg::Expired: register = {16'b0, pins_i.firmware_counts.expired};
      default: register = '0;
    endcase
  end

  // Rings of which a descriptor is posted: a write to its fourth word sets the flag to full.
  logic [17:0] from_descriptors;
  logic        flag;
  assign from_descriptors = memory_address_d - memory_map_pkg::SendDescriptors;
  assign flag = (memory_address_d >= memory_map_pkg::SendDescriptors) &&
                (from_descriptors[17:6] < 12'd5) && (memory_address_d[1:0] == 2'd3) &&
                (wdata == {30'b0, memory_map_pkg::Full});

  // Enabled causes of an interrupt, without one that is held off.
  logic [3:0] interrupting;
  assign interrupting = interrupt_cause_q & interrupt_enable_q & {3'b111, holding_off_q == 16'd0};

  logic [3:0] causes;
  always_comb begin
    rdata_d = rdata_q;
    memory_answers_d = memory_read_q;
    memory_read_d = pins_i.host.enable && memory && !pins_i.host.write;
    memory_write_d = pins_i.host.enable && memory && pins_i.host.write;
    memory_address_d = memory_address_q;
    memory_wdata_d = memory_wdata_q;
    posted_d = '0;
    released_d = 1'b0;
    released_ring_d = released_ring_q;
    page_d = page_q;
    interrupt_cause_d = interrupt_cause_q;
    interrupt_enable_d = interrupt_enable_q;
    interrupt_request_d = (interrupting != 4'd0);
    interrupt_delay_d = interrupt_delay_q;
    holding_off_d = (holding_off_q == 16'd0) ? 16'd0 : holding_off_q - 16'd1;
    firmware_reset_d = !configuration_q.enable;
    configuration_d = configuration_q;
    refused_d = refused_q;
    causes = pins_i.causes;

    if (memory_answers_q) rdata_d = pins_i.memory_rdata;
    if (pins_i.host.enable) begin
      memory_address_d = page ? {page_q, word} : {8'b0, word};
      memory_wdata_d = wdata;
      if (!memory && !registers) begin
        refused_d = refused_q + 16'd1;
        causes[3] = 1'b1;
      end
      if (!pins_i.host.write) begin
        rdata_d = registers ? register : '0;
      end else if (registers) begin
        unique case (offset)
          register_pkg::Control: configuration_d.enable = wdata[0];
          register_pkg::InterruptCause: begin
            interrupt_cause_d = interrupt_cause_q & ~wdata[3:0];
            if (wdata[0]) holding_off_d = interrupt_delay_q;
          end
          register_pkg::InterruptEnable: interrupt_enable_d = wdata[3:0];
          register_pkg::Page: page_d = wdata[7:0];
          register_pkg::Node: configuration_d.identity.node = wdata[9:0];
          register_pkg::Nodes: configuration_d.nodes = wdata[10:0];
          register_pkg::MacPrefix: configuration_d.identity.mac_prefix = wdata;
          register_pkg::EtherType: configuration_d.identity.ether_type = wdata[15:0];
          register_pkg::Rules: configuration_d.rules = wdata[17:0];
          register_pkg::Window: configuration_d.window = wdata[14:0];
          register_pkg::Timeout: configuration_d.timeout = wdata;
          register_pkg::Limit: configuration_d.limit = wdata[7:0];
          register_pkg::Room: configuration_d.room = wdata[4:0];
          register_pkg::ScanPeriod: configuration_d.scan_period = wdata[15:0];
          register_pkg::InterruptDelay: interrupt_delay_d = wdata[15:0];
          register_pkg::Release: begin
            released_d = 1'b1;
            released_ring_d = wdata[2:0];
          end
          default: ;
        endcase
      end else if (page) begin
        posted_d = flag ? (5'd1 << from_descriptors[8:6]) : 5'd0;
      end
    end
    interrupt_cause_d = interrupt_cause_d | causes;
  end

  // Accesses are of whole words, and the address selects the word of a descriptor.
  logic unused;
  assign unused = &{1'b0, pins_i.host.address[1:0], from_descriptors[5:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rdata_q <= '0;
      memory_answers_q <= '0;
      memory_read_q <= '0;
      memory_write_q <= '0;
      memory_address_q <= '0;
      memory_wdata_q <= '0;
      posted_q <= '0;
      released_q <= '0;
      released_ring_q <= '0;
      page_q <= '0;
      interrupt_cause_q <= '0;
      interrupt_enable_q <= '0;
      interrupt_request_q <= '0;
      interrupt_delay_q <= '0;
      holding_off_q <= '0;
      firmware_reset_q <= '0;
      configuration_q <= '0;
      refused_q <= '0;
    end else begin
      rdata_q <= rdata_d;
      memory_answers_q <= memory_answers_d;
      memory_read_q <= memory_read_d;
      memory_write_q <= memory_write_d;
      memory_address_q <= memory_address_d;
      memory_wdata_q <= memory_wdata_d;
      posted_q <= posted_d;
      released_q <= released_d;
      released_ring_q <= released_ring_d;
      page_q <= page_d;
      interrupt_cause_q <= interrupt_cause_d;
      interrupt_enable_q <= interrupt_enable_d;
      interrupt_request_q <= interrupt_request_d;
      interrupt_delay_q <= interrupt_delay_d;
      holding_off_q <= holding_off_d;
      firmware_reset_q <= firmware_reset_d;
      configuration_q <= configuration_d;
      refused_q <= refused_d;
    end
  end

  // A cycle either reads or writes the memory, and a write posts the descriptor of one ring at
  // most.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneAccessAtATime : assert (!(memory_read_q && memory_write_q));
      OneRingIsPosted : assert ((posted_q & (posted_q - 5'd1)) == 5'd0);
    end
  end
`endif

endmodule
