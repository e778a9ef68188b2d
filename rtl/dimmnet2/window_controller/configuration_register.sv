/// Configuration Register: keeps and decodes the values of the system registers (thesis section
/// 5.3, table 5.1).
///
/// A value is kept as written; 0, the reset value, selects the default. The one-hot codes of MTU
/// and SO-DIMM Capacity are decoded here for all blocks (thesis tables 4.10 and 4.11). An MTU of
/// 4096 is capped at 4088 bytes: Packet Size has 12 bits and counts whole lines (decision 0008).
module configuration_register (
    /// Core clock, 100 MHz.
    input  logic                             clk_i,
    /// Synchronous reset.
    input  logic                             rst_ni,
    /// From the registers.
    input  configuration_register_pkg::in_t  pins_i,
    /// To every block that needs the configuration.
    output configuration_register_pkg::out_t pins_o
);

  logic [5:0]  capacity_d, capacity_q;
  logic [4:0]  mtu_d, mtu_q;
  logic [15:0] lid_d, lid_q;
  logic [7:0]  pgid0_d, pgid0_q;
  logic [7:0]  pgid1_d, pgid1_q;
  logic [1:0]  read_options_d, read_options_q;

  logic [12:0] mtu;
  logic [2:0]  capacity;

  assign pins_o.configured.pgid0 = pgid0_q;
  assign pins_o.configured.pgid1 = pgid1_q;
  assign pins_o.configured.lid = lid_q;
  assign pins_o.configured.mtu = mtu;
  assign pins_o.configured.capacity = capacity;
  assign pins_o.configured.data_awaited = read_options_q[0];
  assign pins_o.configured.read_together = read_options_q[1];

  always_comb begin
    unique case (mtu_q)
      5'b00001: mtu = 13'd256;
      5'b00010: mtu = 13'd512;
      5'b00100, 5'b10100: mtu = 13'd1024;
      5'b10000: mtu = configuration_register_pkg::LongestPacket;
      default: mtu = 13'd2048;
    endcase
  end

  always_comb begin
    unique case (capacity_q)
      6'b000010: capacity = 3'd1;
      6'b000100: capacity = 3'd2;
      6'b001000: capacity = 3'd3;
      6'b010000: capacity = 3'd4;
      6'b100000: capacity = 3'd5;
      default: capacity = 3'd0;
    endcase
  end

  logic [15:0] value;
  assign value = pins_i.configuration.value;

  always_comb begin
    capacity_d = capacity_q;
    mtu_d = mtu_q;
    lid_d = lid_q;
    pgid0_d = pgid0_q;
    pgid1_d = pgid1_q;
    read_options_d = read_options_q;

    unique case (pins_i.configuration.system_code)
      configuration_register_pkg::Capacity: capacity_d = value[5:0];
      configuration_register_pkg::Mtu: mtu_d = value[4:0];
      configuration_register_pkg::Lid: lid_d = value;
      configuration_register_pkg::Pgid0: pgid0_d = value[7:0];
      configuration_register_pkg::Pgid1: pgid1_d = value[7:0];
      configuration_register_pkg::ReadOptions: read_options_d = value[1:0];
      default: ;
    endcase
  end

  // Values of processes are kept in other blocks.
  logic unused_user;
  assign unused_user = ^{pins_i.configuration.user_code, pins_i.configuration.wid};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      capacity_q <= '0;
      mtu_q <= '0;
      lid_q <= '0;
      pgid0_q <= '0;
      pgid1_q <= '0;
      read_options_q <= '0;
    end else begin
      capacity_q <= capacity_d;
      mtu_q <= mtu_d;
      lid_q <= lid_d;
      pgid0_q <= pgid0_d;
      pgid1_q <= pgid1_d;
      read_options_q <= read_options_d;
    end
  end

  // Blocks that decode single bits of the MTU rely on these five values.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      MtuIsOneOfFive : assert (
          (mtu == 13'd256) || (mtu == 13'd512) || (mtu == 13'd1024) || (mtu == 13'd2048) ||
          (mtu == configuration_register_pkg::LongestPacket));
    end
  end
`endif

endmodule
