/// A user reaches only doorbells, of existing queues; a command stays until it is done.
///
/// Source: decision 0060.
// Mutation: rtl/hca/host_port.sv | (pins_i.host.address[13:12] == 2'd0) && !pins_i.host.user | (pins_i.host.address[13:12] == 2'd0)
// Mutation: rtl/hca/host_port.sv | register_pkg::SendBell: {kind, exists} = {2'd0, 1'b1}; | register_pkg::SendBell: {kind, exists} = {2'd1, 1'b1};
// Mutation: rtl/hca/host_port.sv | assign refuse_command = command_q \|\| | assign refuse_command =
// Mutation: rtl/hca/host_port.sv | refuse = !registers && !bells; | refuse = !registers && !bells && pins_i.host.user;
// Mutation: rtl/hca/host_port.sv | {2'd2, number[7:2] == 6'd0} | {2'd2, number[7:3] == 5'd0}
// Mutation: rtl/hca/host_port.sv | bell_value_d = wdata[31:16]; | bell_value_d = wdata[15:0];
// Mutation: rtl/hca/host_port.sv | default: {kind, exists} = {2'd0, 1'b0}; | default: {kind, exists} = {2'd0, 1'b1};
// Witness: BellIsOfAQueue | rtl/hca/host_port.sv | {2'd2, number[7:2] == 6'd0} | {2'd2, number[7:3] == 5'd0}
// Mutation: rtl/hca/host_port.sv | arm_d = (kind == 2'd3) && wdata[8]; | arm_d = kind[1] && wdata[8];
// Witness: CommandIsOfARow | rtl/hca/host_port.sv | if (wanted == context_pkg::SharedQueue \|\| wanted == context_pkg::Limit) | if (wanted == context_pkg::Limit)
// Mutation: rtl/hca/host_port.sv | rows = 13'd256; | rows = 13'd512;
// Mutation: rtl/hca/host_port.sv | if (wanted > context_pkg::Group) rows | if (wanted[3] && wanted[0]) rows
module host_port_proof (
    input logic clk_i,
    input logic rst_ni,
    input host_port_pkg::in_t pins_i
);

  host_port_pkg::out_t pins_o;
  host_port u_host_port (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [15:0] \u_host_port.refused_q ;
  logic        known_q;
  logic        past_rst_nq;
  logic [15:0] past_refused_q;
  host_port_pkg::in_t  past_in_q;
  host_port_pkg::out_t was_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    was_q <= pins_o;
    past_refused_q <= \u_host_port.refused_q ;
  end
  always @* if (!known_q) assume (!rst_ni);

  logic       write;
  logic       kernel;
  logic [1:0] page;
  assign write = past_in_q.host.enable && past_in_q.host.write;
  assign kernel = !past_in_q.host.user;
  assign page = past_in_q.host.address[13:12];

  logic configured;
  assign configured = (pins_o.enable == was_q.enable) && (pins_o.lid == was_q.lid) &&
                      (pins_o.interrupt_enable == was_q.interrupt_enable) &&
                      (pins_o.staging_low == (past_in_q.report ? past_in_q.progress :
                          was_q.staging_low)) &&
                          (pins_o.staging_high == was_q.staging_high);

  always @* begin
    if (known_q && past_rst_nq) begin
      if (!write || !kernel || page != 2'd0) begin
        OnlyTheKernelConfigures: assert (configured && pins_o.clear == 9'd0);
        OnlyTheKernelCommands: assert (!pins_o.command || was_q.command);
      end
      if (!(page == 2'd0 && kernel) && past_in_q.host.enable &&
          !write) NobodyElseReads: assert (pins_o.rdata == 32'd0);
      if (was_q.command && !past_in_q.command_done) begin
        CommandStaysUntilItIsDone: assert (pins_o.command && pins_o.kind == was_q.kind &&
            pins_o.row == was_q.row);
      end
      if (pins_o.command && !was_q.command) begin
        CommandIsOfARow: assert (pins_o.row < 12'd4 || pins_o.kind == context_pkg::Area ||
            (pins_o.kind <= context_pkg::Report && pins_o.row < 12'd256) ||
            (pins_o.kind == context_pkg::Group && pins_o.row < 12'd64));
        CommandIsKnown: assert (pins_o.kind <= context_pkg::Group);
        CommandIsTheOneWritten: assert (write && {pins_o.kind, pins_o.row} ==
            past_in_q.host.wdata[15:0]);
      end
      if (pins_o.bell_write) begin
        BellIsRungByAWrite: assert (write && page == 2'd1);
        BellIsOfAQueue: assert (pins_o.bell < 10'd516 || pins_o.bell >= 10'd768);
        BellHasItsNumber: assert (past_in_q.host.wdata[7:0] == pins_o.bell[7:0]);
        BellIsOfItsKind: assert (past_in_q.host.address[11:2] == (
            pins_o.bell[9:8] == 2'd0 ? register_pkg::SendBell[11:2] :
            pins_o.bell[9:8] == 2'd1 ? register_pkg::ReceiveBell[11:2] :
            pins_o.bell[9:8] == 2'd2 ? register_pkg::SharedBell[11:2] :
            register_pkg::CompletionBell[11:2]));
        BellHasItsCount: assert (pins_o.bell_value == past_in_q.host.wdata[31:16]);
      end
      CompletionBellArmsItsQueue: assert (pins_o.arm == (pins_o.bell_write &&
          pins_o.bell[9:8] == 2'd3 && past_in_q.host.wdata[8]));
      RefusalsAreCounted: assert (\u_host_port.refused_q  == past_refused_q + {15'd0,
          pins_o.refuse});
      if (past_in_q.host.enable && (page[1] || (page == 2'd0 && !kernel) || (page == 2'd1 &&
          !write))) begin
        WhatIsNotAllowedIsRefused: assert (pins_o.refuse);
      end
      if (pins_o.refuse) RefusedAccessDoesNothing: assert (configured && !pins_o.bell_write &&
          pins_o.clear == 9'd0 && !pins_o.arm);
    end
  end

endmodule
