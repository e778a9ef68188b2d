/// Request Separator: separates remote requests from receive statuses (thesis section 5.4, figure
/// 5.16).
///
/// The Receive Controller delivers both in the format of a command. An OTYPE of the RVL family is a
/// request of a remote node and goes to the Window Controller; any other OTYPE is a receive status
/// and goes to the Status Write Unit.
///
/// Combinational: every output depends on inputs of the same cycle. The block has no registers,
/// because figure 5.16 draws a decoder and the published status write of 3 cycles leaves no cycle
/// for one.
module request_separator (
    /// From Receive Controller.
    input  receive_controller_pkg::result_t pins_i,
    /// To Window Controller and Status Write Unit.
    output request_separator_pkg::out_t     pins_o
);

  logic remote;
  assign remote = (pins_i.request.lower[4:2] == command_pkg::FamilyRvl);

  assign pins_o.request = pins_i.request;
  assign pins_o.ex = pins_i.ex;
  assign pins_o.remote_request_enable = pins_i.enable && remote;
  assign pins_o.status_enable = pins_i.enable && !remote;

endmodule
