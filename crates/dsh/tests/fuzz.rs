//! Random lines: none panics, every error is one line.
//!
//! `DSH_FUZZ_LINES=10000000 cargo test --release -p dsh fuzz` makes it long, `DSH_FUZZ_SEED` another one.

use dsh::Shell;
use hdl::Stimulus;

use crate::shell;

/// Lines of a session; a new one begins with new boards.
const SESSION: u64 = 250;

/// Words that mean something somewhere, and some that do not. Files cannot be made where these point to.
const WORDS: [&str; 110] = [
    "evpbuf_read",
    "h",
    "help",
    "llcm_read",
    "llcm_write",
    "prim",
    "pw_read",
    "rllcm_write",
    "sreg_read",
    "sreg_write",
    "ureg_read",
    "ureg_write",
    "v",
    "version",
    "ww_write",
    "node",
    "botf",
    "run",
    "time",
    "peek",
    "poke",
    "show",
    "break",
    "delete",
    "watch",
    "unwatch",
    "dump",
    "trace",
    "save",
    "restore",
    "back",
    "diff",
    "fingerprint",
    "nic",
    "source",
    "amt",
    "until",
    "packet",
    "on",
    "off",
    "model",
    "rtl",
    "a",
    "b",
    "/nowhere/x.fst",
    "sma_lid",
    "ctl_reset",
    "clt_reset",
    "sdimm_init",
    "sdimm_capacity",
    "mtu",
    "sma_reset",
    "lid",
    "pgid0",
    "pgid1",
    "ctl_status",
    "prim_counter",
    "pw_flag",
    "pkt_counter",
    "evpbuf_nwa",
    "module_state",
    "status_nwa",
    "prim_counter_reset",
    "pkt_counter_reset",
    "ivs_area_size",
    "evpbuf_nra",
    "status_initial_addr",
    "status_area_size",
    "status_nra",
    "NOP",
    "VL",
    "VLS",
    "VLI",
    "VS",
    "VSS",
    "VSI",
    "RVL",
    "RVS",
    "IPUSH",
    "LHSv1",
    "LHSv2",
    "BOTF",
    "botf.state",
    "node1.packet_control.state",
    "botf.state == Botf1",
    "user_register0.botf_count >= 1",
    "node9.x",
    "core_logic.",
    ".",
    "..",
    "==",
    "=",
    "<=",
    "#",
    "\u{e9}",
    "\0",
    "%s%n",
    "from=",
    "from",
    "node",
    "node1.",
    "node0..x == 1",
    "x=y=z",
    "state < 0",
    "run until",
    "dump packet",
    "trace off",
    "help prim",
    "h h",
    "'",
];

const NUMBERS: [&str; 28] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "24",
    "55ff",
    "010",
    "089",
    "0x",
    "0x1f8",
    "0x200",
    "512",
    "1000",
    "0x7ff8",
    "0x8000",
    "0xffff",
    "65536",
    "0x1000000",
    "0xffffffff",
    "0x100000000",
    "0xffffffffffffffff",
    "99999999999999999999",
    "-1",
    "xyz",
];

const KEYS: [&str; 17] = [
    "from", "it", "val", "inc", "dt", "dw", "dl", "ef", "size", "src", "dst", "ww", "addr", "wid", "lid",
    "to", "",
];

const PRIMITIVES: [&str; 16] = [
    "NOP", "VL", "VLS", "VLI", "VS", "VSS", "VSI", "RVL", "RVLS", "RVLI", "RVS", "RVSS", "RVSI", "IPUSH",
    "LHSv1", "LHSv2",
];
const SREG_WRITE: [&str; 8] =
    ["sdimm_init", "sdimm_capacity", "mtu", "sma_reset", "lid", "pgid0", "pgid1", "ctl_reset"];
const UREG_WRITE: [&str; 7] = [
    "prim_counter_reset",
    "pkt_counter_reset",
    "ivs_area_size",
    "evpbuf_nra",
    "status_initial_addr",
    "status_area_size",
    "status_nra",
];
const UREG_READ: [&str; 7] =
    ["ctl_status", "prim_counter", "pw_flag", "pkt_counter", "evpbuf_nwa", "module_state", "status_nwa"];

/// Commands with all their parameters, so that many lines get through to the boards.
const FORMS: [&str; 22] = [
    "evpbuf_read O O",
    "llcm_read O O",
    "llcm_write from=O it=O val=N inc=N",
    "prim P dt=D it=O dw=B dl=B ef=B size=N src=N dst=N",
    "prim P dt=D it=D dw=B dl=D ef=B size=O src=O dst=O",
    "pw_read D O",
    "rllcm_write B O N",
    "sreg_write S N",
    "sreg_write S D",
    "ureg_write U N",
    "ureg_read R",
    "ww_write ww=D from=O it=D val=N inc=N",
    "sreg_write amt addr=N wid=B lid=B",
    "botf D O",
    "peek N O",
    "poke O N",
    "back O",
    "run O",
    "node B",
    "save a",
    "restore a",
    "W N",
];

struct Lines(Stimulus);

impl Lines {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[(self.0.word() % from.len() as u64) as usize]
    }

    fn number(&mut self) -> String {
        match self.0.word() % 8 {
            0 => format!("{}", self.0.word()),
            1 => format!("{:#x}", self.0.word() % 0x400),
            2 => format!("{}", 8 * (self.0.word() % 64)),
            _ => self.pick(&NUMBERS).to_string(),
        }
    }

    fn word(&mut self) -> String {
        match self.0.word() % 8 {
            0 => self.number(),
            1 => format!("{}={}", self.pick(&KEYS), self.number()),
            2 => (0..self.0.word() % 6).map(|_| char::from((self.0.word() % 256) as u8)).collect(),
            _ => self.pick(&WORDS).to_string(),
        }
    }

    fn line(&mut self) -> String {
        match self.0.word() % 4 {
            0 => (0..self.0.word() % 12).map(|_| self.word() + " ").collect(),
            1 => format!("{} {}", self.pick(&WORDS), self.number()),
            _ => {
                let form = self.pick(&FORMS);
                let mut line = String::new();
                for c in form.chars() {
                    match c {
                        'N' => line += &self.number(),
                        'O' => line += &format!("{}", 8 * (self.0.word() % 65)),
                        'D' => line += &format!("{}", self.0.word() % 5),
                        'B' => line += &format!("{}", self.0.word() % 2),
                        'P' => line += self.pick(&PRIMITIVES),
                        'S' => line += self.pick(&SREG_WRITE),
                        'U' => line += self.pick(&UREG_WRITE),
                        'R' => line += self.pick(&UREG_READ),
                        'W' => line += self.pick(&WORDS),
                        c => line.push(c),
                    }
                }
                // Now and then something is missing or too much.
                match self.0.word() % 16 {
                    0 => line = line.chars().take(line.chars().count() / 2).collect(),
                    1 => line += " 1",
                    _ => {}
                }
                line
            }
        }
    }
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_lines_never_panic_and_errors_are_one_line() {
    let (lines, seed) = (variable("DSH_FUZZ_LINES", 5_000), variable("DSH_FUZZ_SEED", 1));
    println!("seed {seed}");
    let mut random = Lines(Stimulus::new(seed));
    let (mut shell, mut done, mut failed): (Shell, u64, u64) = (shell(), 0, 0);
    for n in 0..lines {
        if n % SESSION == 0 {
            shell = crate::shell();
        }
        let line = random.line();
        // What panics is in the output of the test.
        print!("{}", if lines > 100_000 { String::new() } else { format!("{line:?}\n") });
        match shell.line(&line).outcome {
            Ok(_) => done += 1,
            Err(error) => {
                failed += 1;
                let error = error.to_string();
                assert!(!error.contains('\n') || line.contains('\n'), "{line:?}: {error}");
            }
        }
    }
    println!("{done} lines done, {failed} refused");
    assert!(done > lines / 10 && failed > lines / 10, "the lines are of both kinds");
}
