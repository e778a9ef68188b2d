/// Configuration Distribution: sends configuration values to the blocks that keep them (thesis
/// section 5.2.1, table 5.1).
///
/// One cycle after the host writes a configuration register, the value is driven for one cycle,
/// with the code of its register. A block takes the values whose codes belong to it.
module configuration_distribution (
    /// Core clock, 100 MHz.
    input  logic                                 clk_i,
    /// Synchronous reset.
    input  logic                                 rst_ni,
    /// From the host bus.
    input  configuration_distribution_pkg::in_t  pins_i,
    /// To Window Controller, Receive Controller, Status Write Unit.
    output configuration_distribution_pkg::out_t pins_o
);

  host_interface_pkg::configuration_t configuration_d, configuration_q;

  assign pins_o.configuration = configuration_q;

  always_comb begin
    configuration_d = '0;

    if (pins_i.user_write) begin
      case (pins_i.offset)
        user_register_pkg::IpushAreaSize:
          configuration_d.user_code = host_interface_pkg::UserIpushAreaSize;
        user_register_pkg::StatusInitialAddress:
          configuration_d.user_code = host_interface_pkg::UserStatusInitialAddress;
        user_register_pkg::StatusAreaSize:
          configuration_d.user_code = host_interface_pkg::UserStatusAreaSize;
        user_register_pkg::StatusNextReadAddress:
          configuration_d.user_code = host_interface_pkg::UserStatusNextReadAddress;
        default: configuration_d.user_code = host_interface_pkg::UserInvalid;
      endcase
      if (configuration_d.user_code != host_interface_pkg::UserInvalid) begin
        configuration_d.value = pins_i.wdata;
        configuration_d.wid = pins_i.wid;
      end
    end
    if (pins_i.system_write) begin
      case (pins_i.offset)
        system_register_pkg::SdimmCapacity:
          configuration_d.system_code = host_interface_pkg::SystemSdimmCapacity;
        system_register_pkg::Mtu: configuration_d.system_code = host_interface_pkg::SystemMtu;
        system_register_pkg::Lid: configuration_d.system_code = host_interface_pkg::SystemLid;
        system_register_pkg::Pgid0: configuration_d.system_code = host_interface_pkg::SystemPgid0;
        system_register_pkg::Pgid1: configuration_d.system_code = host_interface_pkg::SystemPgid1;
        system_register_pkg::ReadOptions:
          configuration_d.system_code = host_interface_pkg::SystemReadOptions;
        default: configuration_d.system_code = host_interface_pkg::SystemInvalid;
      endcase
      if (configuration_d.system_code != host_interface_pkg::SystemInvalid) begin
        configuration_d.value = pins_i.wdata;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) configuration_q <= '0;
    else configuration_q <= configuration_d;
  end

  // A value is sent if and only if a code is sent.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NothingGoesWithoutACode : assert (
          (configuration_q.user_code != host_interface_pkg::UserInvalid) ||
          (configuration_q.system_code != host_interface_pkg::SystemInvalid) ||
          (configuration_q == '0));
    end
  end
`endif

endmodule
