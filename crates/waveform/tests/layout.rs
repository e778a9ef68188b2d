use dimmnet2::Dimmnet2;
use dimmnet2::pins::In;
use hdl::{Bits, Bundle, Edges, Role, Signal, SignalRole};
use waveform::{Differs, Format, Layout, Pick, Recorder, Scope, View};

use crate::device::{file, signals};
use crate::read;

const PICKS: &[Pick] = &[
    Pick {
        title: "States",
        signals: &[
            ("core_logic.window_controller.request_executor.botf", &["state"]),
            ("swif.encapsulation", &["state"]),
        ],
    },
    Pick { title: "Host port", signals: &[("", &["pins_i.host.", "pins_o.host."])] },
];

const VIEW: View = View { start_ps: 20_000_000, length_ps: 5 << 18 };

/// The input pins of a board, as a scope of their own.
fn pins_i() -> [Signal; 1] {
    let role = SignalRole::Pins(Role::Inputs, In::TABLE);
    [Signal { block: String::new(), name: "pins_i", width: In::WIDTH, word: 0, role, clocks: Edges::all(2) }]
}

/// Input pins, model and RTL of one board, and its difference flags.
fn scopes<'a>(pins: &'a [Signal], signals: &'a [Signal], differs: &'a Differs) -> [Scope<'a>; 4] {
    let scope = |name, signals| Scope { name, signals };
    let sides = [scope("node0.model", signals), scope("node0.rtl", signals)];
    [scope("node0", pins), sides[0], sides[1], scope("node0.differs", differs.signals())]
}

/// The traces of a GTKWave save file: flags, label, name.
fn traces(gtkw: &str) -> Vec<(&str, &str, &str)> {
    let lines: Vec<_> = gtkw.lines().collect();
    let mut traces = Vec::new();
    for (flags, line) in lines.iter().zip(&lines[1..]) {
        if let Some((label, name)) = line.strip_prefix("+{").and_then(|line| line.split_once("} ")) {
            traces.push((*flags, label, name));
        }
    }
    traces
}

#[test]
fn every_name_in_a_layout_exists_in_the_dump() {
    let (pins, signals) = (pins_i(), hdl::signals(&Dimmnet2::default()));
    let differs = Differs::new(&signals);
    let scopes = scopes(&pins, &signals, &differs);
    let layout = Layout::new(&scopes, PICKS);
    for (name, format) in [("layout.vcd", Format::Vcd), ("layout.fst", Format::Fst)] {
        let recorder = Recorder::create(file(name), 1, &scopes).unwrap();
        let dump = read::gtkwave_names(&recorder.finish().unwrap().path);
        let text = layout.gtkw(format, VIEW);
        let traces = traces(&text);
        assert_eq!(traces.len(), layout.variables().count());
        for (_, _, name) in &traces {
            assert!(dump.contains(*name), "{name} is not in the dump");
        }
        let state = "node0.rtl.core_logic.window_controller.request_executor.botf.state";
        let fst = format == Format::Fst;
        let name = if fst { format!("{state}[2:0]") } else { state.to_string() };
        // Without this flag GTKWave shows the codes of an enumeration.
        let flags = if fst { "@100000028" } else { "@28" };
        assert!(traces.contains(&(flags, "botf/state/rtl", &name)));
        assert!(traces.contains(&("@22", "pins_i/host/address", "node0.pins_i.host.address[19:0]")));
    }
}

#[test]
fn layout_shows_model_and_rtl_with_their_difference() {
    let (pins, signals) = (pins_i(), hdl::signals(&Dimmnet2::default()));
    let differs = Differs::new(&signals);
    let layout = Layout::new(&scopes(&pins, &signals, &differs), PICKS);
    let titles: Vec<_> = layout.groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles, ["node0 States", "node0 Host port"]);
    let text = layout.gtkw(Format::Fst, VIEW);
    let labels: Vec<_> = traces(&text).into_iter().map(|(_, label, _)| label).collect();
    let states = ["botf/state/model", "botf/state/rtl", "botf/differs"];
    assert_eq!(labels[..3], states);
    assert_eq!(labels[3..6], states.map(|label| label.replace("botf", "encapsulation")));
    assert!(labels.ends_with(&["pins_o/host/rdata/model", "pins_o/host/rdata/rtl", "differs"]), "{labels:?}");
}

#[test]
fn layout_of_one_side_does_not_name_it() {
    let (pins, signals) = (pins_i(), hdl::signals(&Dimmnet2::default()));
    let none = Differs::new(&[]);
    let scopes = &scopes(&pins, &signals, &none)[..2];
    let text = Layout::new(scopes, PICKS).gtkw(Format::Fst, VIEW);
    assert_eq!(traces(&text)[0].1, "botf/state");
    assert!(text.starts_with("[timestart] 20000000\n"), "{text}");
    assert!(text.contains("\n*-18.000 20000000\n"), "{text}");
}

#[test]
fn layout_omits_signals_that_a_device_lacks() {
    let signals = signals();
    let layout = Layout::new(&[Scope { name: "a", signals: &signals }], PICKS);
    assert!(layout.variables().all(|v| v.block.is_empty() && v.name.starts_with("pins_")), "{layout:?}");
}
