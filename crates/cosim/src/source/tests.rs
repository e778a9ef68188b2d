use std::fs;

use super::files::Twin;
use super::language::{RTL, RUST};
use super::text::Text;
use super::{Active, place};

const TIMER: &str = "\
module timer;
  localparam logic [7:0] Step = 8'd1;
  logic last;
  assign last = (left_q <= Step);
  assign pins_o.done = (state_q == timer_pkg::Done);

  always_comb begin
    state_d = state_q;
    left_d = left_q;
    unique case (state_q)
      timer_pkg::Idle: if (pins_i.start) left_d = pins_i.cycles;
      // Counts down.
      timer_pkg::Count: begin
        left_d = left_q - Step;
        if (last) state_d = timer_pkg::Done;
      end
      timer_pkg::Done, timer_pkg::Rest: state_d = timer_pkg::Idle;
      default: state_d = timer_pkg::Idle;
    endcase
  end
endmodule
";

const MODEL: &str = "\
impl Clocked for Timer {
    fn outputs(&self) -> Out {
        Out {
            phase: match self.state {
                Count => 1,
                _ => 0,
            },
            done: self.state == Done,
        }
    }

    fn tick(&mut self, pins: &In) {
        match q.state {
            Idle if pins.start => d.left = pins.cycles,
            State::Count => {
                d.left = q.left - 1;
                if q.left <= 1 {
                    d.state = Done;
                }
            }
            Done | Rest => (d.state, d.left) = (Idle, 0),
        }
    }
}
";

fn in_state<'a>(state: &'a str) -> [Active<'a>; 1] {
    [Active { register: "state", state }]
}

#[test]
fn arm_of_the_state_and_lines_that_assign_the_register() {
    let (rtl, model) = (Text::new(TIMER, &RTL), Text::new(MODEL, &RUST));
    let count = in_state("Count");
    assert_eq!(
        place("t.sv", &rtl, &count, &["state"]),
        [
            "t.sv:13: state Count",
            "t.sv:15: if (last) state_d = timer_pkg::Done;",
            "  uses, each with its line: Step 2, last 4"
        ]
    );
    assert_eq!(
        place("t.rs", &model, &count, &["left"]),
        ["t.rs:15: state Count", "t.rs:16: d.left = q.left - 1;"]
    );
    assert_eq!(
        place("t.sv", &rtl, &in_state("Rest"), &["state"]),
        ["t.sv:17: state Rest", "t.sv:17: timer_pkg::Done, timer_pkg::Rest: state_d = timer_pkg::Idle;"]
    );
    assert_eq!(
        place("t.rs", &model, &in_state("Rest"), &["left", "state"]),
        ["t.rs:21: state Rest", "t.rs:21: Done | Rest => (d.state, d.left) = (Idle, 0),"]
    );
}

#[test]
fn lines_outside_the_arm_assign_if_none_inside_does() {
    let rtl = Text::new(TIMER, &RTL);
    assert_eq!(
        place("t.sv", &rtl, &in_state("Done"), &["left"])[..3],
        [
            "t.sv:17: state Done",
            "t.sv:11: timer_pkg::Idle: if (pins_i.start) left_d = pins_i.cycles;",
            "t.sv:14: left_d = left_q - Step;"
        ]
    );
}

#[test]
fn output_pin_has_the_line_that_assigns_it() {
    let (rtl, model) = (Text::new(TIMER, &RTL), Text::new(MODEL, &RUST));
    let done = ["t.sv:5: assign pins_o.done = (state_q == timer_pkg::Done);"];
    assert_eq!(place("t.sv", &rtl, &[], &["pins_o.done"]), done);
    assert_eq!(place("t.sv", &rtl, &in_state("Done"), &["pins_o.done"]), done);
    assert_eq!(place("t.rs", &model, &[], &["pins_o.done"]), ["t.rs:8: done: self.state == Done,"]);
    assert_eq!(place("t.rs", &model, &[], &["absent"]), [""; 0]);
}

#[test]
fn neighbouring_lines_are_a_range() {
    assert_eq!(super::numbers(&[6, 8, 9, 10, 20]), "7/9-11/21");
}

#[test]
fn fields_of_a_structure_are_no_names_of_their_own() {
    let rtl = Text::new("assign sum = entry.left + right;\nassign left = 1;\nassign right = 2;\n", &RTL);
    assert_eq!(rtl.definitions(&[0]), [("right", vec![2])]);
    let model = Text::new("let sum = entry.left + right;\nlet left = 1;\nlet right = 2;\n", &RUST);
    assert_eq!(model.definitions(&[0]), [("right", vec![2])]);
}

#[test]
fn block_in_several_files_has_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("crates/devices/nic/src");
    fs::create_dir_all(source.join("unit")).unwrap();
    for file in ["unit.rs", "unit/state.rs", "unit/tests.rs"] {
        fs::write(source.join(file), "").unwrap();
    }
    let rust = Twin::below(&[folder.path().to_path_buf()], "nic::unit::Unit").rust;
    let paths: Vec<_> = rust.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["crates/devices/nic/src/unit.rs", "crates/devices/nic/src/unit/state.rs"]);
}

#[test]
fn files_have_the_path_of_the_module_of_the_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for folder in ["crates/devices/nic/src/unit", "rtl/nic/unit", "src"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    for file in
        ["crates/devices/nic/src/unit/part.rs", "rtl/nic/unit/part.sv", "rtl/nic/unit/unit.sv", "src/part.rs"]
    {
        fs::write(path(file), file).unwrap();
    }
    fs::write(path("crates/devices/nic/src/unit/mod.rs"), "").unwrap();
    let paths = |name: &str| {
        let twin = Twin::below(&[folder.path().to_path_buf()], name);
        let known = |source: crate::source::files::Source| (source.path, source.text.is_some());
        [twin.rust, twin.rtl].map(|sources| sources.into_iter().map(known).collect::<Vec<_>>())
    };
    let here = |path: &str| vec![(path.to_string(), true)];
    assert_eq!(
        paths("cosim::alone::Alone<nic::unit::part::Part<u16, 4>>"),
        [here("crates/devices/nic/src/unit/part.rs"), here("rtl/nic/unit/part.sv")]
    );
    assert_eq!(
        paths("nic::unit::Unit"),
        [here("crates/devices/nic/src/unit/mod.rs"), here("rtl/nic/unit/unit.sv")]
    );
    // The folder is not that of the crate `other`.
    let gone = |path: &str| vec![(path.to_string(), false)];
    assert_eq!(paths("other::part::Part"), [gone("src/part.rs of crate other"), gone("rtl/other/part.sv")]);
}
