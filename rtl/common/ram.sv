/// A block RAM with one write port and one registered read port, twin of `hdl::Ram`.
///
/// Reading and writing one word on the same edge reads the old value.
module ram #(
    /// Width of a word in bits.
    parameter int Width = 64,
    /// Words.
    parameter int Depth = 512,
    /// The memory is read one cycle ahead, because a block RAM answers late in its cycle. A word
    /// can be read two edges after it is written, or later, and `next_address_i` is the
    /// `read_address_i` of the next cycle.
    parameter bit Ahead = 1'b0,
    /// Of a memory that is read ahead: a word can be read one edge after it is written.
    parameter bit Forward = 1'b0,
    /// The memory is made of look-up tables, which answer early in their cycle.
    parameter bit Distributed = 1'b0,
    /// Width of an address in bits.
    localparam int AddressWidth = $clog2(Depth)
) (
    /// Clock of both ports.
    input  logic                    clk_i,
    /// Synchronous reset of the read register; the contents stay, and nothing is written.
    input  logic                    rst_ni,
    /// Reads a word; it is on `rdata_o` in the next cycle and stays until the next read.
    input  logic                    read_enable_i,
    /// Word to read.
    input  logic [AddressWidth-1:0] read_address_i,
    /// Word to read in the next cycle, if `Ahead`.
    input  logic [AddressWidth-1:0] next_address_i,
    /// The word read last.
    output logic [Width-1:0]        rdata_o,
    /// Writes a word.
    input  logic                    write_enable_i,
    /// Word to write.
    input  logic [AddressWidth-1:0] write_address_i,
    /// Data to write.
    input  logic [Width-1:0]        wdata_i
);

  (* ram_style = Distributed ? "distributed" : "auto" *)
  logic [Width-1:0] mem [Depth];
  logic [Width-1:0] rdata_q;

  assign rdata_o = rdata_q;

  logic write;
  assign write = rst_ni && write_enable_i;

  // A block RAM holds 0 after power-up.
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
  end

  // `ahead`, `written` and `latest` are no state of their own: they follow from the last cycle.
  logic [Width-1:0] word;
  if (Ahead) begin : gen_ahead
    logic [Width-1:0] ahead;
    always_ff @(posedge clk_i) ahead <= mem[next_address_i];
    if (Forward) begin : gen_forward
      logic             written;
      logic [Width-1:0] latest;
      always_ff @(posedge clk_i) begin
        written <= write && (write_address_i == next_address_i);
        latest <= wdata_i;
      end
      assign word = written ? latest : ahead;
    end else begin : gen_memory
      assign word = ahead;
    end
  end else begin : gen_at_once
    assign word = mem[read_address_i];
  end

  always_ff @(posedge clk_i) begin
    if (write) mem[write_address_i] <= wdata_i;
    if (!rst_ni) rdata_q <= '0;
    else if (read_enable_i) rdata_q <= word;
  end

  // The address of the other mode is not used, and `Distributed` by synthesis only.
  logic unused;
  assign unused = ^{read_address_i, next_address_i, Distributed, Forward};

endmodule
