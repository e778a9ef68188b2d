/// Masks are locked while the user's queue is not empty, bases while the NIF is active.
///
/// Errors stay reported until the host clears them (hazard H6).
// Mutation: rtl/cenju3/register_file.sv | if (empty) configuration_d.address_base = wdata[31:18] | configuration_d.address_base = wdata[31:18]
// Mutation: rtl/cenju3/register_file.sv | if (empty) configuration_d.pe_mask = wdata[7:0] | if (stopped) configuration_d.pe_mask = wdata[7:0]
// Mutation: rtl/cenju3/register_file.sv | && !pins_i.user_busy | && 1'b1
// Mutation: rtl/cenju3/register_file.sv | assign stopped = !configuration_q.enable && !pins_i.busy | assign stopped = !configuration_q.enable
// Mutation: rtl/cenju3/register_file.sv | if (page) configuration_d.header2 = wdata[25:12] | configuration_d.header2 = wdata[25:12]
// Mutation: rtl/cenju3/register_file.sv | pins_i.dropped, register_fault, mask_fault, pins_i.refuse} | pins_i.dropped, register_fault, mask_fault, 1'b0}
// Witness: MasksStayWhileTheUserHasEntries | rtl/cenju3/register_file.sv | if (empty) configuration_d.pe_base = wdata[7:0]; | configuration_d.pe_base = wdata[7:0];
// Witness: BasesStayWhileTheNifWorks | rtl/cenju3/register_file.sv | if (piece) configuration_d.data1 = wdata[25:13]; | configuration_d.data1 = wdata[25:13];
// Witness: RefusalIsTold | rtl/cenju3/register_file.sv | register_fault, mask_fault, pins_i.refuse} | register_fault, mask_fault, 1'b0}
// Witness: DroppedPacketIsTold | rtl/cenju3/register_file.sv | mask_fault \|\| register_fault \|\| pins_i.dropped; | mask_fault \|\| register_fault;
// Witness: FirstRefusalStays | rtl/cenju3/register_file.sv | if (pins_i.refuse && !status_q[0]) begin | if (pins_i.refuse) begin
module register_file_proof (
    input logic clk_i,
    input logic rst_ni,
    input register_file_pkg::in_t pins_i
);

  register_file_pkg::out_t pins_o;
  register_file u_register_file (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [6:0] \u_register_file.status_q ;

  logic       known_q;
  logic       past_rst_nq;
  logic [6:0] past_status_q;
  register_file_pkg::in_t past_in_q;
  register_pkg::configuration_t was_q;
  register_pkg::configuration_t is;
  assign is = pins_o.configuration;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_status_q <= \u_register_file.status_q ;
    was_q <= is;
  end
  always @* if (!known_q) assume (!rst_ni);

  logic writes;
  assign writes = past_in_q.host.enable && past_in_q.host.write;

  always @* begin
    if (known_q && past_rst_nq) begin
      if (was_q.write1 != past_in_q.positions.read1 || past_in_q.user_busy) begin
        MasksStayWhileTheUserHasEntries: assert (is.address_base == was_q.address_base &&
                                                 is.pe_base == was_q.pe_base &&
                                                     is.pe_mask == was_q.pe_mask);
      end
      if (was_q.enable || past_in_q.busy) begin
        BasesStayWhileTheNifWorks: assert (is.queue0 == was_q.queue0 && is.queue1 == was_q.queue1 &&
            is.header0 == was_q.header0 && is.header1 == was_q.header1 &&
                is.header2 == was_q.header2 &&
            is.data0 == was_q.data0 && is.data1 == was_q.data1 && is.pe == was_q.pe);
      end
      if (!writes) ConfigurationIsTheHosts: assert (is == was_q);
      if (past_in_q.refuse) RefusedEntryIsTold: assert (\u_register_file.status_q [0] &&
          pins_o.fault);
      if (past_in_q.dropped) DroppedPacketIsTold: assert (\u_register_file.status_q [3] &&
          pins_o.fault);
      if (!writes || past_in_q.host.address[11:2] != register_pkg::Status[11:2]) begin
        WhatIsToldStays: assert ((past_status_q & ~\u_register_file.status_q ) == 7'd0);
      end
    end
  end

endmodule
