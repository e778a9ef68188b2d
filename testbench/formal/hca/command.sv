/// A command writes its row once, and clears the doorbells of a queue before it is done.
///
/// Source: decision 0060.
// Mutation: rtl/hca/command.sv | if (!pins_i.bell_write) state_d = whole ? command_pkg::ReceiveBell : command_pkg::Done; | state_d = whole ? command_pkg::ReceiveBell : command_pkg::Done;
// Mutation: rtl/hca/command.sv | assign pins_o.receive_reset = writing && whole; | assign pins_o.receive_reset = writing && sends;
// Mutation: rtl/hca/command.sv | (sends \|\| kind_q == context_pkg::Change) | sends
// Mutation: rtl/hca/command.sv | shares ? {8'h80, row_q[1:0]} : {2'd3, row_q[7:0]}; | {2'd3, row_q[7:0]};
// Mutation: rtl/hca/command.sv | assign pins_o.limit_write = writing && (kind_q == context_pkg::Limit); | assign pins_o.limit_write = writing && (shares \|\| kind_q == context_pkg::Limit);
// Mutation: rtl/hca/command.sv | row_d = pins_i.row; | row_d = row_q;
// Mutation: rtl/hca/command.sv | assign pins_o.key_write = writing && (kind_q == context_pkg::Area); | assign pins_o.key_write = writing;
// Mutation: rtl/hca/command.sv | assign pins_o.group_write = writing && (kind_q == context_pkg::Group); | assign pins_o.group_write = writing && kind_q[3];
// Witness: BellsAreOfAPair | rtl/hca/command.sv | context_pkg::Pair, context_pkg::Sender: state_d | context_pkg::Pair, context_pkg::Sender, context_pkg::Area: state_d
// Witness: BellIsOfAQueue | rtl/hca/command.sv | context_pkg::Completion, context_pkg::SharedQueue: state_d | context_pkg::Completion, context_pkg::SharedQueue, context_pkg::Area: state_d
module command_proof (
    input logic clk_i,
    input logic rst_ni,
    input command_pkg::in_t pins_i
);

  command_pkg::out_t pins_o;
  command u_command (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0] \u_command.state_q ;
  (* hierconn *) logic [3:0] \u_command.kind_q ;
  logic [2:0] state;
  assign state = \u_command.state_q ;

  machine #(.States(8), .Arcs(command_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // Requested command, and its steps so far. A doorbell write by the host takes precedence over
  // clearing.
  logic       known_q;
  logic [3:0] kind_q;
  logic [11:0] row_q;
  logic       reported_q;
  logic       pairs;
  logic [2:0] writes_q;
  logic       send_q;
  logic       receive_q;
  logic       completion_q;
  logic       shared_q;
  logic [2:0] writes;
  logic       clears;
  assign pairs = (kind_q == context_pkg::Pair) || (kind_q == context_pkg::Sender) ||
      (kind_q == context_pkg::Change);
  assign writes = {2'b0, pins_o.attributes_write} + {2'b0, pins_o.queue_write} +
      {2'b0, pins_o.key_write} + {2'b0, pins_o.shared_write} + {2'b0, pins_o.limit_write} + {2'b0, pins_o.group_write};
  assign clears = pins_o.bell_clear && !pins_i.bell_write;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (state == command_pkg::Idle) begin
      kind_q <= pins_i.kind;
      row_q <= pins_i.row;
      {writes_q, send_q, receive_q, completion_q, shared_q, reported_q} <= '0;
    end else begin
      writes_q <= writes_q + writes;
      if (pins_o.report) reported_q <= 1'b1;
      if (clears && pins_o.bell == {2'd0, row_q[7:0]}) send_q <= 1'b1;
      if (clears && pins_o.bell == {2'd1, row_q[7:0]}) receive_q <= 1'b1;
      if (clears && pins_o.bell == {2'd3, row_q[7:0]}) completion_q <= 1'b1;
      if (clears && pins_o.bell == {8'h80, row_q[1:0]}) shared_q <= 1'b1;
    end
  end

  always @* begin
    if (known_q) begin
      if (writes != 3'd0) RowIsTheOneAskedFor: assert (pins_o.row == row_q && writes == 3'd1);
      if (pins_o.attributes_write) begin
        PairIsAskedFor: assert (pairs);
        SendQueueBeginsAnewIfAsked: assert (pins_o.send_reset == (kind_q != context_pkg::Change));
        ReceiveQueueBeginsAnewIfAsked: assert (pins_o.receive_reset ==
            (kind_q == context_pkg::Pair));
      end else begin
        QueuesBeginAnewWithTheirPair: assert (!pins_o.send_reset && !pins_o.receive_reset);
      end
      if (pins_o.load || pins_o.report) ReportIsAskedFor: assert (
          kind_q == context_pkg::Report && pins_o.row == row_q && writes == 3'd0);
      if (pins_o.queue_write) QueueIsAskedFor: assert (kind_q == context_pkg::Completion);
      if (pins_o.key_write) KeyIsAskedFor: assert (kind_q == context_pkg::Area);
      if (pins_o.shared_write) SharedQueueIsAskedFor: assert (kind_q == context_pkg::SharedQueue);
      if (pins_o.limit_write) LimitIsAskedFor: assert (kind_q == context_pkg::Limit);
      if (pins_o.group_write) GroupIsAskedFor: assert (kind_q == context_pkg::Group);
      if (pins_o.done) begin
        WrittenOnce: assert (writes_q == {2'b0, kind_q != context_pkg::Report &&
            kind_q <= context_pkg::Group});
        ReportedIfAsked: assert (reported_q == (kind_q == context_pkg::Report));
        if (kind_q == context_pkg::Sender) SendBellBeginsAnew: assert (send_q && !receive_q);
        if (kind_q == context_pkg::Change) BothBellsStay: assert (!send_q && !receive_q);
        if (kind_q == context_pkg::Pair) BothBellsBeginAnew: assert (send_q && receive_q);
        if (kind_q == context_pkg::Completion) BellBeginsAnew: assert (completion_q);
        if (kind_q == context_pkg::SharedQueue) SharedBellBeginsAnew: assert (shared_q);
        if (kind_q == context_pkg::Area || kind_q == context_pkg::Limit ||
            kind_q == context_pkg::Group) begin
          NoBellIsTouched: assert (!send_q && !receive_q && !completion_q && !shared_q);
        end
      end
      // Invariants that carry the induction.
      if (state != command_pkg::Idle) assert (\u_command.kind_q  == kind_q && pins_o.row == row_q);
      if (state == command_pkg::Write) assert (writes_q == 3'd0 && !send_q && !receive_q &&
          !completion_q && !shared_q && kind_q != context_pkg::Report);
      if (state != command_pkg::Idle && state != command_pkg::Done) assert (!reported_q);
      if (state == command_pkg::Read || state == command_pkg::Report) assert (writes_q == 3'd0 &&
          kind_q == context_pkg::Report && !send_q && !receive_q && !completion_q);
      if (state == command_pkg::SendBell) assert (writes_q == 3'd1 && !receive_q &&
          (kind_q == context_pkg::Pair || kind_q == context_pkg::Sender));
      if (state == command_pkg::ReceiveBell) assert (kind_q == context_pkg::Pair &&
          writes_q == 3'd1 && send_q);
      if (state == command_pkg::QueueBell) assert (writes_q == 3'd1 &&
          (kind_q == context_pkg::Completion || kind_q == context_pkg::SharedQueue));
    end
  end

endmodule
