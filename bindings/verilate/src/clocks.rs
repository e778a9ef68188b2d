//! Clocks of a device and of its blocks, by the names of their ports: `clk_i` for the first, `<name>_clk_i`
//! for the others.

use std::fmt::Write;

/// Largest number of clocks of a device: a set of clocks is a byte.
const MOST: usize = 8;

fn is_clock(port: &str) -> bool {
    port == "clk_i" || port.ends_with("_clk_i")
}

/// Clocks of a device in the order in which its top module declares their ports. This is also the order of
/// bits in a set of clocks.
pub fn of_device(module: &str) -> Result<Vec<String>, String> {
    let code: String =
        module.lines().map(|line| line.split("//").next().unwrap_or(line).to_string() + "\n").collect();
    let header = code.split(");").next().expect("a split has at least one part");
    let words = header.split(|c: char| !c.is_alphanumeric() && c != '_');
    let clocks: Vec<_> = words.filter(|word| is_clock(word)).map(str::to_string).collect();
    match clocks.first() {
        Some(first) if first != "clk_i" => Err(format!("its first clock is {first}, not clk_i")),
        None => Err("it has no clock clk_i".to_string()),
        Some(_) if clocks.len() > MOST => {
            Err(format!("it has {} clocks, {MOST} at most can be told", clocks.len()))
        }
        Some(_) => Ok(clocks),
    }
}

/// Clocks of a block as bits of those of its device, from the header that Verilator has generated.
pub fn of_block(header: &str, device: &[String]) -> Result<u8, String> {
    let ports =
        header.lines().filter_map(|line| line.trim().strip_prefix("VL_IN8(&")?.strip_suffix(",0,0);"));
    let mut bits = 0;
    for port in ports.filter(|port| is_clock(port)) {
        let Some(bit) = device.iter().position(|clock| clock == port) else {
            return Err(format!("the device has no clock {port}"));
        };
        bits |= 1 << bit;
    }
    Ok(bits)
}

/// C++ code by which the clocks of the block `V<name>` rise, for `DeviceOf`. `own` are bits of the device's
/// `clocks`; `generated` is Verilator's output.
pub fn emit(name: &str, clocks: &[String], own: u8, generated: &str) -> String {
    let mine = || clocks.iter().enumerate().filter(|(bit, _)| own >> bit & 1 == 1);
    let memory = |port: &str| format!("__Vtrigrprev__TOP__{port}");
    let remembers = mine().all(|(_, port)| generated.contains(&format!("->{} = ", memory(port))));
    let (mut rise, mut level) = (String::new(), String::new());
    for (bit, port) in mine() {
        let set = 1 << bit;
        if remembers {
            let memory = memory(port);
            writeln!(rise, "    if (edges & {set}) {{ top.rootp->{memory} = 0; top.{port} = 1; }}").unwrap();
        }
        writeln!(level, "    if (edges & {set}) top.{port} = value;").unwrap();
    }
    let ports: Vec<_> = clocks.iter().map(|port| format!("\"{port}\"")).collect();
    let ports = ports.join(", ");
    format!(
        "namespace {{
struct Clocks {{
  static constexpr const char* Ports[] = {{{ports}}};
  static constexpr std::uint32_t Own = {own};
  static constexpr bool Remembered = {remembers};
  static void rise(V{name}& top, std::uint32_t edges) {{
{rise}  }}
  static void level(V{name}& top, std::uint32_t edges, std::uint8_t value) {{
{level}  }}
}};
}}  // namespace
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "\
/// Has a clock for each side (clk_i is the first).
module toy (
    /// Core clock.
    input  logic          clk_i,
    /// Bus clock, not link_clk_i.
    input  logic          bus_clk_i, input logic link_clk_i,
    input  logic          rst_ni,
    input  toy_pkg::in_t  pins_i
);
  side u_side (.clk_i(other_clk_i));
endmodule
";

    fn clocks() -> Vec<String> {
        of_device(TOP).unwrap()
    }

    #[test]
    fn clocks_of_a_device_are_those_of_its_ports_in_their_order() {
        assert_eq!(clocks(), ["clk_i", "bus_clk_i", "link_clk_i"]);
        let other = TOP.replace("clk_i,", "slow_clk_i,");
        assert_eq!(of_device(&other).unwrap_err(), "its first clock is slow_clk_i, not clk_i");
        assert_eq!(of_device("module cell (input logic a_i);").unwrap_err(), "it has no clock clk_i");
        let ports: Vec<_> = (0..8).map(|n| format!("input logic a{n}_clk_i")).collect();
        let many = format!("module many (input logic clk_i, {});", ports.join(", "));
        assert_eq!(of_device(&many).unwrap_err(), "it has 9 clocks, 8 at most can be told");
    }

    #[test]
    fn block_has_the_clocks_of_its_ports() {
        let header = "    VL_IN8(&clk_i,0,0);\n    VL_IN8(&link_clk_i,0,0);\n    VL_IN8(&rst_ni,0,0);\n";
        assert_eq!(of_block(header, &clocks()), Ok(0b101));
        assert_eq!(of_block("    VL_IN64(&pins_i,47,0);", &clocks()), Ok(0));
        let error = of_block("    VL_IN8(&slow_clk_i,0,0);", &clocks());
        assert_eq!(error.unwrap_err(), "the device has no clock slow_clk_i");
    }

    #[test]
    fn clock_is_made_to_rise_where_verilator_remembers_its_level() {
        let generated = "vlSelf->__Vtrigrprev__TOP__clk_i = vlSelf->clk_i;\n    vlSelf->__Vtrigrprev__TOP__link_clk_i = 0;";
        let text = emit("toy", &clocks(), 0b101, generated);
        assert!(text.contains(
            "if (edges & 4) { top.rootp->__Vtrigrprev__TOP__link_clk_i = 0; top.link_clk_i = 1; }"
        ));
        assert!(
            text.contains("Remembered = true") && text.contains("Own = 5") && !text.contains("top.bus_clk_i")
        );
        let text = emit("toy", &clocks(), 0b111, generated);
        assert!(
            text.contains("Remembered = false") && text.contains("if (edges & 2) top.bus_clk_i = value;")
        );
        assert!(!text.contains("rootp"));
    }
}
