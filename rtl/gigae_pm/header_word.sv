/// One word of the header of a frame, twin of `header::header_word` (decision 0028).
///
/// Combinational: the output depends on all inputs of the same cycle.
module header_word (
    /// Word of the header, 0 to 11.
    input  logic [3:0]            word_i,
    /// Identity of the card.
    input  header_pkg::identity_t identity_i,
    /// The frame.
    input  header_pkg::frame_t    frame_i,
    /// The word.
    output logic [31:0]           data_o
);

  logic message;
  assign message = (frame_i.kind == frame_pkg::Message);

  always_comb begin
    unique case (word_i)
      4'd0: data_o = {identity_i.mac_prefix[15:0], 16'b0};
      4'd1: data_o = {frame_i.node[7:0], 6'b0, frame_i.node[9:8], identity_i.mac_prefix[31:16]};
      4'd2: data_o = identity_i.mac_prefix;
      4'd3: data_o = {identity_i.ether_type[7:0], identity_i.ether_type[15:8],
                      identity_i.node[7:0], 6'b0, identity_i.node[9:8]};
      4'd4: data_o = {16'b0, 6'b0, frame_i.channel, header_pkg::Version, 1'b0, frame_i.kind};
      4'd5: data_o = {22'b0, identity_i.node};
      4'd6: data_o = {22'b0, frame_i.node};
      4'd7: data_o = message ? frame_i.number : '0;
      4'd8: data_o = message ? '0 : frame_i.number;
      4'd9: data_o = {frame_i.epoch, 5'b0, frame_i.size};
      default: data_o = '0;
    endcase
  end

  // Address and protocol flag are not part of a header.
  logic unused;
  assign unused = &{1'b0, frame_i.address, frame_i.raw};

endmodule
