/// Swaps the bytes of a word; twin of `u64::swap_bytes`. Combinational: `word_i` to `word_o`.
module byte_swap (
    /// Word.
    input  logic [63:0] word_i,
    /// The same bytes from the other end.
    output logic [63:0] word_o
);

  assign word_o = {word_i[7:0], word_i[15:8], word_i[23:16], word_i[31:24],
                   word_i[39:32], word_i[47:40], word_i[55:48], word_i[63:56]};

endmodule
