/// Commands: writes the row of a context that the host has staged (decision 0060), or reports the
/// progress of a queue pair (decision 0080).
///
/// A new queue starts with counts of 0, in its row and in its doorbell; doorbell writes by the host
/// take precedence. No engine runs during a command, so none sees half a row.
module command (
    /// Clock of the adapter, 125 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From scheduler and host port.
    input  command_pkg::in_t  pins_i,
    /// To the contexts.
    output command_pkg::out_t pins_o
);

  command_pkg::state_e state_d, state_q;
  logic [3:0] kind_d, kind_q;
  logic [11:0] row_d, row_q;

  logic       writing;
  logic       whole;
  logic       sends;
  logic       shares;
  assign writing = (state_q == command_pkg::Write);
  assign whole = (kind_q == context_pkg::Pair);
  assign sends = whole || (kind_q == context_pkg::Sender);
  assign shares = (kind_q == context_pkg::SharedQueue);

  assign pins_o.attributes_write = writing && (sends || kind_q == context_pkg::Change);
  assign pins_o.send_reset = writing && sends;
  assign pins_o.receive_reset = writing && whole;
  assign pins_o.queue_write = writing && (kind_q == context_pkg::Completion);
  assign pins_o.key_write = writing && (kind_q == context_pkg::Area);
  assign pins_o.shared_write = writing && shares;
  assign pins_o.limit_write = writing && (kind_q == context_pkg::Limit);
  assign pins_o.group_write = writing && (kind_q == context_pkg::Group);
  assign pins_o.row = row_q;
  assign pins_o.bell_clear = (state_q == command_pkg::SendBell) ||
                             (state_q == command_pkg::ReceiveBell) ||
                             (state_q == command_pkg::QueueBell);
  assign pins_o.bell = (state_q == command_pkg::ReceiveBell) ? {2'd1, row_q[7:0]} :
                       (state_q != command_pkg::QueueBell) ? {2'd0, row_q[7:0]} :
                       shares ? {8'h80, row_q[1:0]} : {2'd3, row_q[7:0]};
  assign pins_o.load = (state_q == command_pkg::Read);
  assign pins_o.report = (state_q == command_pkg::Report);
  assign pins_o.done = (state_q == command_pkg::Done);

  always_comb begin
    state_d = state_q;
    kind_d = kind_q;
    row_d = row_q;

    unique case (state_q)
      // Idle: the scheduler starts a command when no engine runs.
      command_pkg::Idle: begin
        if (pins_i.start) begin
          kind_d = pins_i.kind;
          row_d = pins_i.row;
          state_d = (pins_i.kind == context_pkg::Report) ? command_pkg::Read : command_pkg::Write;
        end
      end
      // Write: a row is one word of its memory.
      command_pkg::Write: begin
        unique case (kind_q)
          context_pkg::Pair, context_pkg::Sender: state_d = command_pkg::SendBell;
          context_pkg::Completion, context_pkg::SharedQueue: state_d = command_pkg::QueueBell;
          default: state_d = command_pkg::Done;
        endcase
      end
      // SendBell, ReceiveBell, QueueBell: doorbell writes by the host take precedence.
      command_pkg::SendBell: begin
        if (!pins_i.bell_write) state_d = whole ? command_pkg::ReceiveBell : command_pkg::Done;
      end
      command_pkg::ReceiveBell, command_pkg::QueueBell: begin
        if (!pins_i.bell_write) state_d = command_pkg::Done;
      end
      // Read: the rows arrive in the next cycle.
      command_pkg::Read: state_d = command_pkg::Report;
      command_pkg::Report: state_d = command_pkg::Done;
      // Done. Every 3-bit code is a state, so `default` doubles as the last one.
      default: state_d = command_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= command_pkg::Idle;
      kind_q <= '0;
      row_q <= '0;
    end else begin
      state_q <= state_d;
      kind_q <= kind_d;
      row_q <= row_d;
    end
  end

  // Only doorbells of the written context are cleared.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      BellsAreOfAPair : assert (
          (state_q != command_pkg::SendBell && state_q != command_pkg::ReceiveBell) || sends);
      BellIsOfAQueue : assert (
          state_q != command_pkg::QueueBell || shares || kind_q == context_pkg::Completion);
    end
  end
`endif

endmodule
