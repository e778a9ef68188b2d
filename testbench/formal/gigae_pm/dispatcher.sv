/// The Dispatcher goes where its diagram goes, and has one work done at a time, to its end (decision 0028).
///
/// Received frames have priority over send descriptors, and those over visits; no work begins while
/// the card is disabled.
// Mutation: rtl/gigae_pm/firmware/dispatcher.sv | if (!pins_i.enable) begin | if (1'b0) begin
// Mutation: rtl/gigae_pm/firmware/dispatcher.sv | else if (pins_i.receive_wanted) | else if (pins_i.receive_wanted && !pins_i.send_wanted)
// Mutation: rtl/gigae_pm/firmware/dispatcher.sv | if (pins_i.scan_done) | if (pins_i.send_done \|\| pins_i.scan_done)
// Mutation: rtl/gigae_pm/firmware/dispatcher.sv | assign pins_o.send_start = (state_q == dispatcher_pkg::Send) | assign pins_o.send_start = (state_q != dispatcher_pkg::Idle)
// Witness: OneWorkAtATime | rtl/gigae_pm/firmware/dispatcher.sv | assign pins_o.send_start = (state_q == dispatcher_pkg::Send) | assign pins_o.send_start = (state_q != dispatcher_pkg::Idle)
module dispatcher_proof (
    input logic clk_i,
    input logic rst_ni,
    input dispatcher_pkg::in_t pins_i
);

  dispatcher_pkg::out_t pins_o;
  dispatcher u_dispatcher (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_dispatcher.state_q ;

  machine #(.States(4), .Arcs(dispatcher_pkg::StateArcs)) u_machine (
      .clk_i,
      .rst_ni,
      .state_i(\u_dispatcher.state_q )
  );

  logic [1:0] next;
  always @* begin
    case (\u_dispatcher.state_q )
      dispatcher_pkg::Idle:
        next = !pins_i.enable ? dispatcher_pkg::Idle :
               pins_i.receive_wanted ? dispatcher_pkg::Receive :
               pins_i.send_wanted ? dispatcher_pkg::Send :
               pins_i.scan_wanted ? dispatcher_pkg::Scan : dispatcher_pkg::Idle;
      dispatcher_pkg::Receive: next = pins_i.receive_done ? dispatcher_pkg::Idle : dispatcher_pkg::Receive;
      dispatcher_pkg::Send: next = pins_i.send_done ? dispatcher_pkg::Idle : dispatcher_pkg::Send;
      default: next = pins_i.scan_done ? dispatcher_pkg::Idle : dispatcher_pkg::Scan;
    endcase
  end

  diagram #(.Width(2)) u_diagram (
      .clk_i,
      .rst_ni,
      .state_i(\u_dispatcher.state_q ),
      .next_i(next)
  );

  logic known_q;
  logic past_rst_nq;
  dispatcher_pkg::in_t  past_in_q;
  dispatcher_pkg::out_t past_out_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_in_q <= pins_i;
    past_out_q <= pins_o;
  end

  always @* begin
    if (known_q) begin
      OneWorkAtATime: assert (
          !(pins_o.receive_start && pins_o.send_start) && !(pins_o.receive_start && pins_o.scan_start) &&
          !(pins_o.send_start && pins_o.scan_start));
      if (past_rst_nq && past_out_q == '0 && pins_o != '0) begin
        NothingBeginsWhileStopped: assert (past_in_q.enable);
        FrameGoesFirst: assert (pins_o.receive_start == past_in_q.receive_wanted);
      end
      if (past_rst_nq && past_out_q != '0 && pins_o != past_out_q) begin
        WorkIsDoneToItsEnd: assert (
            pins_o == '0 && (!past_out_q.receive_start || past_in_q.receive_done) &&
            (!past_out_q.send_start || past_in_q.send_done) && (!past_out_q.scan_start || past_in_q.scan_done));
      end
    end
  end

endmodule
