/// Host port: the adapter as a PCI target (decision 0060).
///
/// | Aperture | What | User |
/// |---|---|---|
/// | 0x0000 - 0x0fff | registers | |
/// | 0x1000 - 0x1fff | doorbells | writes |
///
/// An access that is not allowed has no effect, reads 0 and is counted. A doorbell holds the total
/// count of elements put into its ring, so a later doorbell replaces an earlier one and none is
/// lost for lack of room. A read is answered a cycle later.
module host_port (
    /// Clock of the adapter, 125 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From host, events, commands, counters.
    input  host_port_pkg::in_t  pins_i,
    /// To host and all others.
    output host_port_pkg::out_t pins_o
);

  logic [31:0]  rdata_d, rdata_q;
  logic         enable_d, enable_q;
  logic [15:0]  lid_d, lid_q;
  logic [8:0]   clear_d, clear_q;
  logic [8:0]   interrupt_enable_d, interrupt_enable_q;
  logic         refuse_d, refuse_q;
  logic         bell_write_d, bell_write_q;
  logic [9:0]   bell_d, bell_q;
  logic [15:0]  bell_value_d, bell_value_q;
  logic         arm_d, arm_q;
  logic         command_d, command_q;
  logic [3:0]   kind_d, kind_q;
  logic [11:0]  row_d, row_q;
  logic [127:0] staging_low_d, staging_low_q;
  logic [127:0] staging_high_d, staging_high_q;
  logic [15:0]  refused_d, refused_q;

  assign pins_o.rdata = rdata_q;
  assign pins_o.enable = enable_q;
  assign pins_o.lid = lid_q;
  assign pins_o.clear = clear_q;
  assign pins_o.interrupt_enable = interrupt_enable_q;
  assign pins_o.refuse = refuse_q;
  assign pins_o.bell_write = bell_write_q;
  assign pins_o.bell = bell_q;
  assign pins_o.bell_value = bell_value_q;
  assign pins_o.arm = arm_q;
  assign pins_o.command = command_q;
  assign pins_o.kind = kind_q;
  assign pins_o.row = row_q;
  assign pins_o.staging_low = staging_low_q;
  assign pins_o.staging_high = staging_high_q;

  logic [11:0] offset;
  logic        registers;
  logic        bells;
  logic [31:0] wdata;
  logic [7:0]  number;
  assign offset = {pins_i.host.address[11:2], 2'b00};
  assign registers = (pins_i.host.address[13:12] == 2'd0) && !pins_i.host.user;
  assign bells = (pins_i.host.address[13:12] == 2'd1) && pins_i.host.write;
  assign wdata = pins_i.host.wdata;
  assign number = wdata[7:0];

  // Value of the register at `offset`.
  logic [31:0] register;
  logic [15:0] failed;
  assign failed = pins_i.receive_counts.failed + pins_i.send_counts.failed;
  always_comb begin
    unique case (offset)
      register_pkg::Control: register = {31'b0, enable_q};
      register_pkg::InterruptCause: register = {23'b0, pins_i.causes};
      register_pkg::InterruptEnable: register = {23'b0, interrupt_enable_q};
      register_pkg::Lid: register = {16'b0, lid_q};
      register_pkg::Command: register = {31'b0, command_q};
      register_pkg::Staging0: register = staging_low_q[31:0];
      register_pkg::Staging1: register = staging_low_q[63:32];
      register_pkg::Staging2: register = staging_low_q[95:64];
      register_pkg::Staging3: register = staging_low_q[127:96];
      register_pkg::Staging4: register = staging_high_q[31:0];
      register_pkg::Staging5: register = staging_high_q[63:32];
      register_pkg::Staging6: register = staging_high_q[95:64];
      register_pkg::Staging7: register = staging_high_q[127:96];
      register_pkg::IcrcErrors: register = {16'b0, pins_i.link_counts.icrc_errors};
      register_pkg::LengthErrors: register = {16'b0, pins_i.link_counts.length_errors};
      register_pkg::Foreign: register = {16'b0, pins_i.receive_counts.foreign};
      register_pkg::Malformed: register = {16'b0, pins_i.receive_counts.malformed};
      register_pkg::UnknownQp: register = {16'b0, pins_i.receive_counts.unknown_qp};
      register_pkg::WrongQKey: register = {16'b0, pins_i.receive_counts.wrong_q_key};
      register_pkg::NoReceive: register = {16'b0, pins_i.receive_counts.no_receive};
      register_pkg::Received: register = {16'b0, pins_i.receive_counts.received};
      register_pkg::Sent: register = {16'b0, pins_i.send_counts.sent};
      register_pkg::Failed: register = {16'b0, failed};
      register_pkg::Overflows: register = {16'b0, pins_i.overflows};
      register_pkg::RefusedAccesses: register = {16'b0, refused_q};
      default: register = '0;
    endcase
  end

  // A doorbell of a queue number that does not exist is refused.
  logic [1:0] kind;
  logic       exists;
  always_comb begin
    unique case (offset)
      register_pkg::SendBell: {kind, exists} = {2'd0, 1'b1};
      register_pkg::ReceiveBell: {kind, exists} = {2'd1, 1'b1};
      register_pkg::CompletionBell: {kind, exists} = {2'd3, 1'b1};
      register_pkg::SharedBell: {kind, exists} = {2'd2, number[7:2] == 6'd0};
      default: {kind, exists} = {2'd0, 1'b0};
    endcase
  end

  logic refuse;
  logic refuse_command;
  logic [3:0]  wanted;
  logic [12:0] rows;
  assign wanted = wdata[15:12];
  always_comb begin
    rows = 13'd256;
    if (wanted == context_pkg::Area) rows = 13'd4096;
    if (wanted == context_pkg::SharedQueue || wanted == context_pkg::Limit) rows = 13'd4;
    if (wanted == context_pkg::Group) rows = 13'd64;
    if (wanted > context_pkg::Group) rows = 13'd0;
  end
  assign refuse_command = command_q || ({1'b0, wdata[11:0]} >= rows);

  always_comb begin
    rdata_d = rdata_q;
    enable_d = enable_q;
    lid_d = lid_q;
    clear_d = clear_q;
    interrupt_enable_d = interrupt_enable_q;
    refuse_d = refuse_q;
    bell_write_d = bell_write_q;
    bell_d = bell_q;
    bell_value_d = bell_value_q;
    arm_d = arm_q;
    command_d = command_q;
    kind_d = kind_q;
    row_d = row_q;
    staging_low_d = staging_low_q;
    staging_high_d = staging_high_q;
    refused_d = refused_q;
    clear_d = '0;
    bell_write_d = 1'b0;
    arm_d = '0;
    if (pins_i.command_done) command_d = 1'b0;
    refuse = 1'b0;

    if (pins_i.host.enable) begin
      refuse = !registers && !bells;
      if (!pins_i.host.write) begin
        rdata_d = registers ? register : '0;
      end else if (registers) begin
        unique case (offset)
          register_pkg::Control: enable_d = wdata[0];
          register_pkg::InterruptCause: clear_d = wdata[8:0];
          register_pkg::InterruptEnable: interrupt_enable_d = wdata[8:0];
          register_pkg::Lid: lid_d = wdata[15:0];
          register_pkg::Command: begin
            if (refuse_command) begin
              refuse = 1'b1;
            end else begin
              command_d = 1'b1;
              kind_d = wanted;
              row_d = wdata[11:0];
            end
          end
          register_pkg::Staging0: staging_low_d[31:0] = wdata;
          register_pkg::Staging1: staging_low_d[63:32] = wdata;
          register_pkg::Staging2: staging_low_d[95:64] = wdata;
          register_pkg::Staging3: staging_low_d[127:96] = wdata;
          register_pkg::Staging4: staging_high_d[31:0] = wdata;
          register_pkg::Staging5: staging_high_d[63:32] = wdata;
          register_pkg::Staging6: staging_high_d[95:64] = wdata;
          register_pkg::Staging7: staging_high_d[127:96] = wdata;
          default: ;
        endcase
      end else if (bells) begin
        if (exists) begin
          bell_write_d = 1'b1;
          bell_d = {kind, number};
          bell_value_d = wdata[31:16];
          // Bit 8, above the queue number, arms the queue.
          arm_d = (kind == 2'd3) && wdata[8];
        end else begin
          refuse = 1'b1;
        end
      end
    end
    if (pins_i.report) staging_low_d = pins_i.progress;
    refuse_d = refuse;
    if (refuse) refused_d = refused_q + 16'd1;
  end

  // Accesses are of whole words.
  logic unused;
  assign unused = &{1'b0, pins_i.host.address[1:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rdata_q <= '0;
      enable_q <= '0;
      lid_q <= '0;
      clear_q <= '0;
      interrupt_enable_q <= '0;
      refuse_q <= '0;
      bell_write_q <= '0;
      bell_q <= '0;
      bell_value_q <= '0;
      arm_q <= '0;
      command_q <= '0;
      kind_q <= '0;
      row_q <= '0;
      staging_low_q <= '0;
      staging_high_q <= '0;
      refused_q <= '0;
    end else begin
      rdata_q <= rdata_d;
      enable_q <= enable_d;
      lid_q <= lid_d;
      clear_q <= clear_d;
      interrupt_enable_q <= interrupt_enable_d;
      refuse_q <= refuse_d;
      bell_write_q <= bell_write_d;
      bell_q <= bell_d;
      bell_value_q <= bell_value_d;
      arm_q <= arm_d;
      command_q <= command_d;
      kind_q <= kind_d;
      row_q <= row_d;
      staging_low_q <= staging_low_d;
      staging_high_q <= staging_high_d;
      refused_q <= refused_d;
    end
  end

  // A doorbell is of a queue, and a command of a row, that can be there.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      BellIsOfAQueue : assert (
          !bell_write_q || bell_q < 10'd516 || bell_q >= 10'd768);
      CommandIsOfARow : assert (
          !command_q || row_q < 12'd4 || kind_q == context_pkg::Area ||
          (kind_q <= context_pkg::Report && row_q < 12'd256) ||
          (kind_q == context_pkg::Group && row_q < 12'd64));
    end
  end
`endif

endmodule
