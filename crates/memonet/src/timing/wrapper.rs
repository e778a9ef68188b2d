//! A module enclosed by registers at all pins, so that all paths are from register to register.

use anyhow::Context;

/// Name of the wrapper module.
pub const NAME: &str = "timed";
/// Instance name of the module in the wrapper.
pub const INSTANCE: &str = "block";
/// Suffix of wires between a pin and its register.
pub const AT: &str = "_at";

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    name: String,
    bits: usize,
    input: bool,
}

/// Parses the ports of a module as Yosys lists them: `input [7:0] data_i`.
pub fn ports(listed: &str) -> anyhow::Result<Vec<Port>> {
    let lines = listed.lines().filter(|line| line.starts_with("input ") || line.starts_with("output "));
    lines
        .map(|line| port(line).with_context(|| format!("unexpected port in the output of Yosys: {line}")))
        .collect()
}

fn port(line: &str) -> Option<Port> {
    let mut words = line.split(' ');
    let input = words.next()? == "input";
    let (high, low) = words.next()?.strip_prefix('[')?.strip_suffix(']')?.split_once(':')?;
    let bits = high.parse::<usize>().ok()?.checked_sub(low.parse().ok()?)? + 1;
    Some(Port { name: words.next()?.to_owned(), bits, input })
}

/// The device's clocks that the module has, in order; the first clock for a module without clocks.
pub fn clocks<'a>(ports: &[Port], device: &[&'a str]) -> Vec<&'a str> {
    let has = |clock: &&str| ports.iter().any(|port| port.name == *clock);
    let clocks: Vec<_> = device.iter().copied().filter(has).collect();
    if clocks.is_empty() { device[..1].to_vec() } else { clocks }
}

/// The wrapper as Verilog. All pins are registered with the first clock, so paths between pins and other
/// clocks are not measured.
pub fn verilog(module: &str, ports: &[Port], clocks: &[&str]) -> String {
    let pins = || ports.iter().filter(|port| !clocks.contains(&&*port.name));
    let range = |port: &Port| format!("[{}:0]", port.bits - 1);
    let mut heads: Vec<_> = clocks.iter().map(|clock| format!("input {clock}")).collect();
    let (mut wires, mut edges) = (String::new(), String::new());
    let own = |clock: &&&str| ports.iter().any(|port| port.name == ***clock);
    let mut connections: Vec<_> =
        clocks.iter().filter(own).map(|clock| format!(".{clock}({clock})")).collect();
    for port in pins() {
        let (name, range) = (&port.name, range(port));
        connections.push(format!(".{name}({name}{AT})"));
        if port.input {
            heads.push(format!("input {range} {name}"));
            wires += &format!("  reg {range} {name}{AT};\n");
            edges += &format!("    {name}{AT} <= {name};\n");
        } else {
            heads.push(format!("output reg {range} {name}"));
            wires += &format!("  wire {range} {name}{AT};\n");
            edges += &format!("    {name} <= {name}{AT};\n");
        }
    }
    format!(
        "module {NAME} (\n  {}\n);\n{wires}  always @(posedge {}) begin\n{edges}  end\n  {module} {INSTANCE} ({});\nendmodule\n",
        heads.join(",\n  "),
        clocks[0],
        connections.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "module swif\ninput [0:0] clk_i\ninput [0:0] network_clk_i\ninput [7:0] pins_i\noutput [3:0] pins_o\n";
    const DEVICE: [&str; 2] = ["clk_i", "network_clk_i"];

    #[test]
    fn every_pin_except_clocks_has_a_register() {
        let ports = ports(LISTED).unwrap();
        let clocks = clocks(&ports, &DEVICE);
        assert_eq!(clocks, DEVICE);
        let text = verilog("swif", &ports, &clocks);
        for line in [
            "pins_i_at <= pins_i;",
            "pins_o <= pins_o_at;",
            "output reg [3:0] pins_o",
            "always @(posedge clk_i)",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(text.contains("swif block (.clk_i(clk_i), .network_clk_i(network_clk_i), .pins_i(pins_i_at), .pins_o(pins_o_at));"));
    }

    #[test]
    fn module_without_clock_uses_the_first_clock() {
        let ports = ports("input [3:0] pins_i\noutput [3:0] pins_o\n").unwrap();
        let clocks = clocks(&ports, &DEVICE);
        assert_eq!(clocks, ["clk_i"]);
        let text = verilog("rule", &ports, &clocks);
        assert!(
            text.contains("input clk_i")
                && text.contains("rule block (.pins_i(pins_i_at), .pins_o(pins_o_at));"),
            "{text}"
        );
    }

    #[test]
    fn malformed_ports_are_refused() {
        assert!(ports("input pins_i\n").is_err());
        assert!(ports("input [0:7] pins_i\n").is_err());
    }
}
