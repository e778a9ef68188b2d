/// The DDR SO-DIMM Interface: two channels, interleaved every 8 bytes (thesis sections 4.1 and
/// 4.5.6).
///
/// Word address bit 0 selects the module, bit 1 the half of a 16-byte burst, bits 30:2 the burst.
/// The channels work independently; consecutive words alternate between them and are written or
/// read at one per core cycle. A word is accepted only from the holder of the right. Words read
/// wait in one FIFO per module; the Prefetch Unit keeps track of the order in which it requested
/// them. It may request words of both modules in one cycle and take both results in one cycle.
module sodimm_interface (
    /// Core clock, 100 MHz.
    input  logic                       clk_i,
    /// Synchronous reset.
    input  logic                       rst_ni,
    /// From Write Unit, Prefetch Unit, registers and the SO-DIMMs.
    input  sodimm_interface_pkg::in_t  pins_i,
    /// To Write Unit, Prefetch Unit and the SO-DIMMs.
    output sodimm_interface_pkg::out_t pins_o
);

  sodimm_arbiter_pkg::in_t  arbiter_in;
  sodimm_arbiter_pkg::out_t arbiter_out;
  sodimm_pkg::in_t          sodimm0_in;
  sodimm_pkg::out_t         sodimm0_out;
  sodimm_pkg::in_t          sodimm1_in;
  sodimm_pkg::out_t         sodimm1_out;

  assign pins_o.write_right = arbiter_out.write_right;
  assign pins_o.read_right = arbiter_out.read_right;
  assign pins_o.almost_full = sodimm0_out.almost_full || sodimm1_out.almost_full;
  assign pins_o.idle = sodimm0_out.idle && sodimm1_out.idle;
  assign pins_o.data.data0 = sodimm0_out.rdata;
  assign pins_o.data.data1 = sodimm1_out.rdata;
  assign pins_o.data.empty0 = sodimm0_out.data_empty;
  assign pins_o.data.empty1 = sodimm1_out.data_empty;
  assign pins_o.memory0 = sodimm0_out.memory;
  assign pins_o.memory1 = sodimm1_out.memory;

  logic              enable;
  logic [30:0]       address;
  logic              module_1;
  logic              pair;
  sodimm_pkg::word_t word;
  assign enable = ((pins_i.word.byte_enable != 8'd0) && arbiter_out.write_right) ||
                  (pins_i.read.enable && arbiter_out.read_right);
  assign address = arbiter_out.read_right ? pins_i.read.address : pins_i.word.address;
  assign module_1 = address[0];
  assign pair = arbiter_out.read_right && pins_i.read.pair;
  assign word.data = pins_i.word.data;
  assign word.burst = address[30:2];
  assign word.upper = address[1];
  assign word.byte_enable = pins_i.word.byte_enable;
  assign word.read = arbiter_out.read_right;

  // Two words are taken together or not at all.
  logic late;
  assign late = pins_i.data_next0 && pins_i.data_next1 &&
                (sodimm0_out.data_empty || sodimm1_out.data_empty);

  assign arbiter_in.write_right_request = pins_i.write_right_request;
  assign arbiter_in.read_right_request = pins_i.read_right_request;
  assign sodimm0_in.word = word;
  assign sodimm0_in.word_enable = enable && (!module_1 || pair);
  assign sodimm0_in.data_next = pins_i.data_next0 && !late;
  assign sodimm0_in.sodimm_enabled = pins_i.sodimm_enabled;
  assign sodimm0_in.memory = pins_i.memory0;
  assign sodimm1_in.word = word;
  assign sodimm1_in.word_enable = enable && (module_1 || pair);
  assign sodimm1_in.data_next = pins_i.data_next1 && !late;
  assign sodimm1_in.sodimm_enabled = pins_i.sodimm_enabled;
  assign sodimm1_in.memory = pins_i.memory1;

  sodimm_arbiter u_arbiter (
      .clk_i,
      .rst_ni,
      .pins_i(arbiter_in),
      .pins_o(arbiter_out)
  );

  sodimm u_sodimm0 (
      .clk_i,
      .rst_ni,
      .pins_i(sodimm0_in),
      .pins_o(sodimm0_out)
  );

  sodimm u_sodimm1 (
      .clk_i,
      .rst_ni,
      .pins_i(sodimm1_in),
      .pins_o(sodimm1_out)
  );

  // A pair of words is taken in one cycle or not at all.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TwoWordsAreTakenAtOnce : assert (!(pins_i.data_next0 && pins_i.data_next1) ||
          ((sodimm0_in.data_next && !sodimm0_out.data_empty) ==
           (sodimm1_in.data_next && !sodimm1_out.data_empty)));
    end
  end
`endif

endmodule
