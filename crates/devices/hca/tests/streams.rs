use hca::Hca;
use hca::clocks::CORE;
use hca::traffic::Streams;
use hdl::{Model, Nic};

/// Cycles until the adapters are set up and the first messages are in flight.
const BEGIN: u64 = 40_000;
/// Cycles that are compared.
const PIECE: u64 = 20_000;

#[test]
fn stream_goes_on_without_a_pause_in_both_directions() {
    let (mut adapter, mut streams) = (Model::new(Hca::default()), Streams::new());
    let mut words = Vec::new();
    let mut before = [0; 2];
    for piece in 0..6 {
        let (mut sent, mut came) = (0, 0);
        for _ in 0..if piece == 0 { BEGIN } else { PIECE } {
            let out = *adapter.outputs();
            let pins = *streams.pins(CORE, &out);
            sent += u64::from(out.link.valid);
            came += u64::from(pins.link.valid && out.link.receive_ready);
            adapter.edge(CORE, &pins).expect("a model never fails");
        }
        if piece > 0 {
            words.extend([sent, came]);
            assert!((0..2).all(|end| streams.received[end] > before[end]), "{piece}: {:?}", streams.received);
        }
        before = streams.received;
    }
    // Sections are alike, and words move in both directions for a third of the time: two packets of data
    // share the bus.
    let (least, most) = (words.iter().min().expect("some"), words.iter().max().expect("some"));
    assert!(*least > PIECE / 3 && most - least < PIECE / 10, "{words:?}");
}
