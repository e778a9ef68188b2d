/// The Request Executor runs one primitive at a time (thesis section 5.3.2, figure 5.10).
///
/// At most one module is active, and the Executor is ready when none is. Of the requests of remote
/// nodes, those of the RVL family start the RVS module, and all others start nothing; nor does a
/// code without a module. A new module needs a bit of `active`.
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | botf_in.start = accept_local && is_botf | botf_in.start = accept && is_botf
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | pins_o.ready = botf_out.idle && vl_out.idle && vs_out.idle && rvs_out.idle | pins_o.ready = botf_out.idle && vl_out.idle && vs_out.idle
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | vl_in.start = accept_local && is_vl | vl_in.start = pins_i.request_enable && !pins_i.remote && is_vl
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | (pins_i.remote ? is_rvl : (is_rvs || is_ipush)) | (pins_i.remote ? (is_rvl || is_ipush) : (is_rvs || is_ipush))
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | vs_in.start = accept_local && is_vs | vs_in.start = pins_i.request_enable && !pins_i.remote && is_vs
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | (upper.dstoff == command_pkg::SodimmCopy) | (upper.srcoff == command_pkg::SodimmCopy)
// Witness: OneModuleRuns | rtl/dimmnet2/window_controller/request_executor.sv | vs_out.idle && rvs_out.idle && rvl_out.idle | vs_out.idle && rvs_out.idle
module request_executor_proof (
    input logic clk_i,
    input logic rst_ni,
    input request_executor_pkg::in_t pins_i
);

  request_executor_pkg::out_t pins_o;
  request_executor u_request_executor (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_request_executor.u_botf.state_q ;
  (* hierconn *) logic [2:0] \u_request_executor.u_vs.state_q ;
  (* hierconn *) logic [2:0] \u_request_executor.u_vl.state_q ;

  (* hierconn *) logic [2:0] \u_request_executor.u_rvl.state_q ;
  (* hierconn *) logic [3:0] \u_request_executor.u_rvs.state_q ;

  (* hierconn *) logic [163:0] \u_request_executor.u_vl.vector_load_q ;
  (* hierconn *) logic [163:0] \u_request_executor.u_rvs.vector_load_q ;
  (* hierconn *) logic \u_request_executor.u_rvs.asked_q ;

  prefetch_unit_pkg::vector_load_t vl_load;
  prefetch_unit_pkg::vector_load_t rvs_load;
  assign vl_load = \u_request_executor.u_vl.vector_load_q ;
  assign rvs_load = \u_request_executor.u_rvs.vector_load_q ;

  localparam int Modules = 5;
  logic [Modules-1:0] active;
  assign active = {\u_request_executor.u_rvs.state_q  != rvs_pkg::Prim,
                   \u_request_executor.u_rvl.state_q  != rvl_pkg::Prim,
                   \u_request_executor.u_vl.state_q  != vl_pkg::Prim,
                   \u_request_executor.u_vs.state_q  != vs_pkg::Prim,
                   \u_request_executor.u_botf.state_q  != botf_pkg::Prim};

  command_pkg::botf_lower_t lower;
  logic                     vs;
  logic                     vl;
  assign lower = pins_i.request.lower;
  assign vs = (lower.otype == command_pkg::Vs || lower.otype == command_pkg::Vss ||
               lower.otype == command_pkg::Vsi);
  assign vl = lower.otype == command_pkg::Vl || lower.otype == command_pkg::Vls || lower.otype == command_pkg::Vli;

  // Primitives of the RVS module: transfers, and pushes of an IPUSH. One without data starts
  // nothing; the Request Acceptor has computed the sizes and whether there is any data.
  logic rvl;
  logic rvs;
  logic moves;
  assign rvl = lower.otype == command_pkg::Rvl || lower.otype == command_pkg::Rvls || lower.otype == command_pkg::Rvli;
  assign rvs = lower.otype == command_pkg::Rvs || lower.otype == command_pkg::Rvss || lower.otype == command_pkg::Rvsi ||
               lower.otype == command_pkg::Ipush || lower.otype == command_pkg::LhsV1 || lower.otype == command_pkg::LhsV2;
  assign moves = pins_i.sizes.command != 32'd0 &&
                 !(pins_i.sizes.limited && pins_i.sizes.limit == 16'd0);

  logic known_q;
  logic past_rst_nq;
  logic [Modules-1:0] past_active_q;
  logic taken_q;
  logic [Modules-1:0] kind_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_active_q <= active;
    taken_q <= pins_i.request_enable && pins_o.ready;
    kind_q <= pins_i.remote ? {rvl && moves, 4'b0000} : {rvs && moves, rvl, vl, vs, lower.otype == command_pkg::Botf && lower.size != 10'd0};
  end
  always @* if (!known_q) assume (!rst_ni);
  always @* assume (pins_i.sizes.nothing == !moves);

  always @* begin
    if (known_q) begin
      OneModuleIsActive: assert ((active & (active - 1'b1)) == '0);
      ReadyWhenNoModuleIsActive: assert (pins_o.ready == (active == '0));
      if ((active & ~past_active_q) != '0) ModulesStartOnRequest: assert (past_rst_nq && taken_q);
      if (past_rst_nq && taken_q) RequestStartsItsModule: assert (active == kind_q);
      if (pins_o.vector_load_start) begin
        FirstHalfIsToldByDstoff: assert (pins_o.vector_load.first_half ==
            (!pins_o.vector_load.to_packet && pins_o.vector_load.dstoff == command_pkg::SodimmCopy));
      end
      // Invariants that carry the induction.
      if (\u_request_executor.u_vl.state_q  != vl_pkg::Prim) begin
        assert (!vl_load.to_packet && vl_load.first_half == (vl_load.dstoff == command_pkg::SodimmCopy));
      end
      if (\u_request_executor.u_rvs.state_q  != rvs_pkg::Prim) assert (!rvs_load.first_half);
      if (\u_request_executor.u_rvs.state_q  != rvs_pkg::Prim && \u_request_executor.u_rvs.state_q  != rvs_pkg::RvsEnd) assert (rvs_load.to_packet);
      if (\u_request_executor.u_rvs.asked_q ) assert (\u_request_executor.u_rvs.state_q  != rvs_pkg::Prim);
    end
  end

endmodule
