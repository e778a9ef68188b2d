use waveform::{DIMMNET2, Format, Layout, Recorder, Scope};

use crate::device::{Device, file, sample, signals};
use crate::read;

#[test]
fn every_name_in_a_layout_exists_in_the_dump() {
    let device = Device::default();
    let signals = hdl::signals(&device);
    let scopes = ["node0.model", "node0.rtl", "node1.model"].map(|name| Scope { name, signals: &signals });
    let layout = Layout::new(&scopes, DIMMNET2);
    assert_eq!(layout.groups.len(), 3 * DIMMNET2.len(), "every pick finds its block");

    for (name, format) in [("layout.vcd", Format::Vcd), ("layout.fst", Format::Fst)] {
        let mut recorder = Recorder::create(file(name), 1, &scopes).unwrap();
        for scope in 0..scopes.len() {
            recorder.record(0, scope, &sample(&device)).unwrap();
        }
        let dump = read::gtkwave_names(&recorder.finish().unwrap().path);
        let text = layout.gtkw(format);
        let names: Vec<_> = text.lines().filter(|line| !line.starts_with(['@', '-', '['])).collect();
        assert_eq!(names.len(), layout.variables().count());
        for name in &names {
            assert!(dump.contains(*name), "{name} is not in the dump");
        }
        let state = "node1.model.window_controller.botf.state";
        let state = if format == Format::Fst { format!("{state}[1:0]") } else { state.to_string() };
        assert!(names.contains(&state.as_str()));
        // Without this flag GTKWave shows the codes of an enumeration.
        assert_eq!(text.contains(&format!("@100000028\n{state}\n")), format == Format::Fst);
        assert!(names.contains(&"node0.rtl.sodimm_interface.pins_o.line.data[63:0]"));
    }
}

#[test]
fn a_layout_leaves_out_what_a_device_lacks() {
    let signals = signals();
    let layout = Layout::new(&[Scope { name: "a", signals: &signals }], DIMMNET2);
    assert!(layout.groups.is_empty());
}
