//! The Verilog test bench of the netlist.

/// Memories of at least this many words are outside of the chip.
const OUTSIDE_WORDS: u64 = 1 << 16;

/// A bench that replays `run.txt` on the device. External memories are initialised to 0.
pub fn of(top: &str, clocks: &[&str], input_bits: u32, output_bits: u32, zeros: &[(String, u64)]) -> String {
    let ports: String =
        clocks.iter().enumerate().map(|(at, port)| format!("      .{port}(clocks[{at}]),\n")).collect();
    let zeros: String = zeros
        .iter()
        .map(|(memory, words)| {
            format!("    for (word = 0; word < {words}; word = word + 1) dut.{memory} [word] = 0;\n")
        })
        .collect();
    let (most, all) = (clocks.len() - 1, (1 << clocks.len()) - 1);
    format!(
        "`timescale 1ps / 1ps
module bench;
  reg  [{most}:0] clocks, edges;
  reg  rst_n;
  reg  [{input}:0] pins_in;
  wire [{output}:0] pins_out;
  reg  [{output}:0] model;
  integer file, word;
  reg [63:0] instants, different, unknown;
  {top} dut (
{ports}      .rst_ni(rst_n),
      .pins_i(pins_in),
      .pins_o(pins_out)
  );
  initial begin
{zeros}    instants = 0; different = 0; unknown = 0;
    clocks = 0; rst_n = 0; pins_in = 0;
    #1 clocks = {all}; #1 clocks = 0; #1 rst_n = 1;
    file = $fopen(\"run.txt\", \"r\");
    while ($fscanf(file, \"%h %h %h\\n\", edges, pins_in, model) == 3) begin
      #1 clocks = edges; #1 clocks = 0; #1;
      if (pins_out !== model) begin
        if (different + unknown == 0) $display(\"first %0d %b %b\", instants, model, pins_out);
        if (^pins_out === 1'bx) unknown = unknown + 1;
        else different = different + 1;
      end
      instants = instants + 1;
    end
    $display(\"end %0d %0d %0d\", instants, different, unknown);
    $finish;
  end
endmodule
",
        input = input_bits - 1,
        output = output_bits - 1,
    )
}

/// Names and numbers of words of the netlist's external memories.
pub fn outside(netlist: &str) -> Vec<(String, u64)> {
    netlist
        .lines()
        .filter_map(|line| {
            // reg [31:0] \\u_memory.mem  [262143:0];
            let declared = line.trim().strip_prefix("reg [")?.strip_suffix(":0];")?;
            let (name, last) = declared.split_once("] ")?.1.rsplit_once('[')?;
            let words = last.parse::<u64>().ok()? + 1;
            (words >= OUTSIDE_WORDS).then(|| (name.trim().to_string(), words))
        })
        .collect()
}

/// Counts that the bench prints at its end.
pub struct BenchResult {
    pub instants: u64,
    pub different: u64,
    pub unknown: u64,
    /// The first instant with a difference, and the pins of model and netlist in binary digits.
    pub first: Option<(u64, String, String)>,
}

impl BenchResult {
    /// Parses the output of the bench; `None` if it did not reach its end.
    pub fn read(text: &str) -> Option<Self> {
        let words = |mark: &str| {
            text.lines()
                .find_map(|line| Some(line.strip_prefix(mark)?.split_whitespace().collect::<Vec<_>>()))
        };
        let [instants, different, unknown] = words("end ")?.try_into().ok()?;
        let first = words("first ").and_then(|words| {
            let [instant, model, netlist] = words.try_into().ok()?;
            Some((instant.parse().ok()?, model.to_string(), netlist.to_string()))
        });
        let number = |text: &str| text.parse().ok();
        Some(BenchResult {
            instants: number(instants)?,
            different: number(different)?,
            unknown: number(unknown)?,
            first,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_memories_are_outside_of_the_chip() {
        let netlist = "  reg [32:0] \\u_mac.fifo.mem  [1023:0];\n  reg [31:0] \\u_memory.mem  [262143:0];\n  reg [3:0] x;\n";
        assert_eq!(outside(netlist), [("\\u_memory.mem".to_string(), 262_144)]);
    }

    #[test]
    fn output_of_an_incomplete_bench_is_refused() {
        let result = BenchResult::read("first 7 0110 01x0\nend 9 0 2\n").unwrap();
        assert_eq!((result.instants, result.different, result.unknown), (9, 0, 2));
        assert_eq!(result.first, Some((7, "0110".to_string(), "01x0".to_string())));
        assert!(BenchResult::read("first 7 0110 01x0\n").is_none());
    }
}
