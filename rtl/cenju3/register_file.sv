/// Register file: the registers of the NIF for the host (paper, section 3; the layout is not
/// printed, decision 0057).
///
/// Bases and the number of the processor element change only while the NIF is stopped; masks change
/// only while the user's queue is empty and none of its entries is in flight, so an entry is sent
/// under the masks under which it was written. A refused write changes nothing and sets a bit of
/// Status.
module register_file (
    /// Clock, 75 MHz.
    input  logic                    clk_i,
    /// Synchronous reset.
    input  logic                    rst_ni,
    /// From the host and the other blocks.
    input  register_file_pkg::in_t  pins_i,
    /// To the host and the other blocks.
    output register_file_pkg::out_t pins_o
);

  logic [31:0]                  rdata_d, rdata_q;
  register_pkg::configuration_t configuration_d, configuration_q;
  logic [3:0]                   clear_d, clear_q;
  logic                         fault_d, fault_q;
  logic [6:0]                   status_d, status_q;
  logic [19:0]                  refused_entry_d, refused_entry_q;
  logic [31:0]                  refused_address_d, refused_address_q;
  logic [15:0]                  dropped_d, dropped_q;

  assign pins_o.rdata = rdata_q;
  assign pins_o.configuration = configuration_q;
  assign pins_o.clear = clear_q;
  assign pins_o.fault = fault_q;

  logic [11:0] offset;
  logic [31:0] wdata;
  logic        stopped;
  logic        empty;
  logic        page;
  logic        piece;
  assign offset = {pins_i.host.address[11:2], 2'b00};
  assign wdata = pins_i.host.wdata;
  assign stopped = !configuration_q.enable && !pins_i.busy;
  assign empty = (configuration_q.write1 == pins_i.positions.read1) && !pins_i.user_busy;
  assign page = stopped && (wdata[31:26] == 6'd0) && (wdata[11:0] == 12'd0);
  assign piece = page && !wdata[12];

  // Value of the register at `offset`.
  logic [31:0] register;
  logic        known;
  always_comb begin
    known = 1'b1;
    unique case (offset)
      register_pkg::Control: register = {30'b0, pins_i.busy, configuration_q.enable};
      register_pkg::Pe: register = {24'b0, configuration_q.pe};
      register_pkg::InterruptCause: register = {28'b0, pins_i.cause};
      register_pkg::InterruptEnable: register = {28'b0, configuration_q.interrupt_enable};
      register_pkg::Status: register = {25'b0, status_q};
      register_pkg::RefusedEntry: register = {12'b0, refused_entry_q};
      register_pkg::RefusedAddress: register = refused_address_q;
      register_pkg::Dropped: register = {16'b0, dropped_q};
      register_pkg::QueueBase0: register = {6'b0, configuration_q.queue0, 12'b0};
      register_pkg::QueueBase1: register = {6'b0, configuration_q.queue1, 12'b0};
      register_pkg::HeaderBase0: register = {6'b0, configuration_q.header0, 12'b0};
      register_pkg::HeaderBase1: register = {6'b0, configuration_q.header1, 12'b0};
      register_pkg::HeaderBase2: register = {6'b0, configuration_q.header2, 12'b0};
      register_pkg::DataBase0: register = {6'b0, configuration_q.data0, 13'b0};
      register_pkg::DataBase1: register = {6'b0, configuration_q.data1, 13'b0};
      register_pkg::AddressBase: register = {configuration_q.address_base, 18'b0};
      register_pkg::PeBase: register = {24'b0, configuration_q.pe_base};
      register_pkg::PeMask: register = {24'b0, configuration_q.pe_mask};
      register_pkg::QueueWrite0: register = {26'b0, configuration_q.write0};
      register_pkg::QueueRead0: register = {26'b0, pins_i.positions.read0};
      register_pkg::RingRead1: register = {26'b0, configuration_q.read1};
      register_pkg::RingWrite1: register = {26'b0, pins_i.positions.write1};
      register_pkg::QueueWrite1: register = {26'b0, configuration_q.write1};
      register_pkg::QueueRead1: register = {26'b0, pins_i.positions.read1};
      register_pkg::RingRead0: register = {26'b0, configuration_q.read0};
      register_pkg::RingWrite0: register = {26'b0, pins_i.positions.write0};
      register_pkg::RingRead2: register = {26'b0, configuration_q.read2};
      register_pkg::RingWrite2: register = {26'b0, pins_i.positions.write2};
      default: begin
        register = '0;
        known = 1'b0;
      end
    endcase
  end

  register_pkg::refused_t refused;
  always_comb begin
    refused = '0;
    refused.why = pins_i.why;
    refused.user = pins_i.user;
    refused.entry = pins_i.user ? pins_i.positions.read1 : pins_i.positions.read0;
    refused.pe = pins_i.transfer.pe;
  end

  logic mask_fault;
  logic register_fault;
  always_comb begin
    rdata_d = rdata_q;
    configuration_d = configuration_q;
    clear_d = '0;
    status_d = status_q;
    refused_entry_d = refused_entry_q;
    refused_address_d = refused_address_q;
    dropped_d = dropped_q + {15'b0, pins_i.dropped};
    mask_fault = 1'b0;
    register_fault = 1'b0;

    if (pins_i.host.enable && pins_i.host.write) begin
      unique case (offset)
        register_pkg::Control: configuration_d.enable = wdata[0];
        register_pkg::InterruptCause: clear_d = wdata[3:0];
        register_pkg::InterruptEnable: configuration_d.interrupt_enable = wdata[3:0];
        register_pkg::Status: status_d = status_q & ~wdata[6:0];
        register_pkg::QueueWrite0: configuration_d.write0 = wdata[5:0];
        register_pkg::QueueWrite1: configuration_d.write1 = wdata[5:0];
        register_pkg::RingRead0: configuration_d.read0 = wdata[5:0];
        register_pkg::RingRead1: configuration_d.read1 = wdata[5:0];
        register_pkg::RingRead2: configuration_d.read2 = wdata[5:0];
        register_pkg::AddressBase: begin
          if (empty) configuration_d.address_base = wdata[31:18];
          mask_fault = !empty;
        end
        register_pkg::PeBase: begin
          if (empty) configuration_d.pe_base = wdata[7:0];
          mask_fault = !empty;
        end
        register_pkg::PeMask: begin
          if (empty) configuration_d.pe_mask = wdata[7:0];
          mask_fault = !empty;
        end
        register_pkg::Pe: begin
          if (stopped) configuration_d.pe = wdata[7:0];
          register_fault = !stopped;
        end
        register_pkg::QueueBase0: begin
          if (page) configuration_d.queue0 = wdata[25:12];
          register_fault = !page;
        end
        register_pkg::QueueBase1: begin
          if (page) configuration_d.queue1 = wdata[25:12];
          register_fault = !page;
        end
        register_pkg::HeaderBase0: begin
          if (page) configuration_d.header0 = wdata[25:12];
          register_fault = !page;
        end
        register_pkg::HeaderBase1: begin
          if (page) configuration_d.header1 = wdata[25:12];
          register_fault = !page;
        end
        register_pkg::HeaderBase2: begin
          if (page) configuration_d.header2 = wdata[25:12];
          register_fault = !page;
        end
        register_pkg::DataBase0: begin
          if (piece) configuration_d.data0 = wdata[25:13];
          register_fault = !piece;
        end
        register_pkg::DataBase1: begin
          if (piece) configuration_d.data1 = wdata[25:13];
          register_fault = !piece;
        end
        default: register_fault = 1'b1;
      endcase
    end else if (pins_i.host.enable) begin
      rdata_d = register;
      register_fault = !known;
    end

    // The first refusal is kept until its bit is cleared.
    if (pins_i.refuse && !status_q[0]) begin
      refused_entry_d = refused[19:0];
      refused_address_d = (pins_i.transfer.kind == memory_map_pkg::Dma) ?
                          pins_i.transfer.destination : pins_i.transfer.source;
    end
    fault_d = pins_i.refuse || mask_fault || register_fault || pins_i.dropped;
    status_d = status_d | {pins_i.held, pins_i.dropped, register_fault, mask_fault, pins_i.refuse};
  end

  // Accesses are whole words; an entry is reported by queue and place.
  logic unused;
  assign unused = &{1'b0, pins_i.host.address[1:0], pins_i.transfer, refused[63:20]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rdata_q <= '0;
      configuration_q <= '0;
      clear_q <= '0;
      fault_q <= '0;
      status_q <= '0;
      refused_entry_q <= '0;
      refused_address_q <= '0;
      dropped_q <= '0;
    end else begin
      rdata_q <= rdata_d;
      configuration_q <= configuration_d;
      clear_q <= clear_d;
      fault_q <= fault_d;
      status_q <= status_d;
      refused_entry_q <= refused_entry_d;
      refused_address_q <= refused_address_d;
      dropped_q <= dropped_d;
    end
  end

  // Masks are locked while user entries are in flight, bases while the NIF is active, and the first
  // refused entry is kept.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      MasksStayWhileTheUserHasEntries : assert (empty ||
          ((configuration_d.address_base == configuration_q.address_base) &&
           (configuration_d.pe_base == configuration_q.pe_base) &&
           (configuration_d.pe_mask == configuration_q.pe_mask)));
      BasesStayWhileTheNifWorks : assert (stopped ||
          ((configuration_d.queue0 == configuration_q.queue0) &&
           (configuration_d.queue1 == configuration_q.queue1) &&
           (configuration_d.header0 == configuration_q.header0) &&
           (configuration_d.header1 == configuration_q.header1) &&
           (configuration_d.header2 == configuration_q.header2) &&
           (configuration_d.data0 == configuration_q.data0) &&
           (configuration_d.data1 == configuration_q.data1) &&
           (configuration_d.pe == configuration_q.pe)));
      RefusalIsTold : assert (!pins_i.refuse || (status_d[0] && fault_d));
      DroppedPacketIsTold : assert (!pins_i.dropped || (status_d[3] && fault_d));
      FirstRefusalStays : assert (!status_q[0] ||
          ((refused_entry_d == refused_entry_q) && (refused_address_d == refused_address_q)));
    end
  end
`endif

endmodule
