/// Local memory has at most one owner, which keeps it for a burst (decision 0057).
///
/// The next owner is the first requester in the fixed order.
// Mutation: rtl/cenju3/arbiter.sv | if ((grant_q & pins_i.request) == 6'd0) begin | if (grant_q == 6'd0) begin
// Mutation: rtl/cenju3/arbiter.sv | pins_i.request & (~pins_i.request + 6'd1) | pins_i.request
// Witness: OneOwner | rtl/cenju3/arbiter.sv | pins_i.request & (~pins_i.request + 6'd1) | pins_i.request
module arbiter_proof (
    input logic clk_i,
    input logic rst_ni,
    input arbiter_pkg::in_t pins_i
);

  arbiter_pkg::out_t pins_o;
  arbiter u_arbiter (.clk_i, .rst_ni, .pins_i, .pins_o);

  logic       known_q;
  logic       past_rst_nq;
  logic [5:0] past_request_q;
  logic [5:0] past_grant_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_request_q <= pins_i.request;
    past_grant_q <= pins_o.grant;
  end
  always @* if (!known_q) assume (!rst_ni);

  always @* begin
    if (known_q) begin
      OneOwner: assert ((pins_o.grant & (pins_o.grant - 6'd1)) == 6'd0);
      if (past_rst_nq) begin
        if ((past_grant_q & past_request_q) != 6'd0) begin
          OwnerKeepsMemory: assert (pins_o.grant == past_grant_q);
        end else begin
          OwnerHasAsked: assert ((pins_o.grant & ~past_request_q) == 6'd0);
          SomebodyIsNext: assert ((pins_o.grant != 6'd0) == (past_request_q != 6'd0));
          FirstIsNext: assert (((pins_o.grant - 6'd1) & past_request_q) == 6'd0 ||
              pins_o.grant == 6'd0);
        end
      end
    end
  end

endmodule
