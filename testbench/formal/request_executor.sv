/// The Request Executor runs one primitive at a time (thesis section 5.3.2, figure 5.10).
///
/// At most one module is active, and the Executor is ready when none is. A request from a remote node, and one of
/// a kind without a module, starts nothing. A module that is added gets a bit of `active`.
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | && !pins_i.remote; | ;
// Mutation: rtl/dimmnet2/window_controller/request_executor.sv | pins_o.ready = botf_out.idle | pins_o.ready = 1'b1
module request_executor_proof (
    input logic clk_i,
    input logic rst_ni,
    input request_executor_pkg::in_t pins_i
);

  request_executor_pkg::out_t pins_o;
  request_executor u_request_executor (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_request_executor.u_botf.state_q ;

  localparam int Modules = 1;
  logic [Modules-1:0] active;
  assign active = {\u_request_executor.u_botf.state_q  != botf_pkg::Prim};

  command_pkg::botf_lower_t lower;
  assign lower = pins_i.request.lower;

  logic known_q;
  logic past_rst_nq;
  logic [Modules-1:0] past_active_q;
  logic taken_q;
  logic botf_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_active_q <= active;
    taken_q <= pins_i.request_enable && pins_o.ready;
    botf_q <= (lower.otype == command_pkg::Botf) && (lower.size != 10'd0) && !pins_i.remote;
  end
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) begin
      OneModuleIsActive: assert ((active & (active - 1'b1)) == '0);
      ReadyWhenNoModuleIsActive: assert (pins_o.ready == (active == '0));
      if (past_active_q == '0 && active != '0) ModulesStartOnRequest: assert (past_rst_nq && taken_q && botf_q);
      if (past_rst_nq && taken_q) RequestStartsItsModule: assert (active[0] == botf_q);
    end
  end

endmodule
