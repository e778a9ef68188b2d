use gigae_pm::GigaePm;
use gigae_pm::clocks::{self, CLOCKS};
use gigae_pm::pins::{HostIn, In};
use gigae_pm::traffic::Traffic;
use hdl::{Device, Instants, Model, Nic, Quiet, Stimulus};

const INSTANTS: u64 = 2_000_000;

/// Core cycles of a read until the card is at rest again.
const READ_CYCLES: u64 = 4;

/// Registers, pins and the state of memory ports.
fn look(card: &Model<GigaePm>) -> Vec<u64> {
    let mut words = Vec::new();
    card.sample(&mut words);
    words
}

/// A read of the host at an address of the window, a register or a page, by any process, with its answer.
fn read(card: &mut Model<GigaePm>, random: &mut Stimulus) {
    let address = (random.below(3) << 12 | random.below(0x400)) as u16 & !3;
    let host = HostIn { enable: true, address, user: random.one_in(2), ..HostIn::default() };
    card.edge(clocks::CORE, &In { host, ..In::default() }).unwrap();
    walk(card, READ_CYCLES - 1, 0);
}

/// Steps through edges of each clock with idle pins.
fn walk(card: &mut Model<GigaePm>, core: u64, network: u64) {
    for edge in 0..core.max(network) {
        let edges = clocks::CORE.when(edge < core).with(clocks::NETWORK.when(edge < network));
        card.edge(edges, &In::default()).unwrap();
    }
}

#[test]
fn skipping_a_quiescent_card_equals_stepping_it() {
    let (mut card, mut traffic) = (Model::new(GigaePm::default()), Traffic::new(1));
    let (mut instants, mut random) = (Instants::new(&CLOCKS), Stimulus::new(7));
    let (mut bounded, mut unbounded, mut network, mut reads, mut reset) = (0, 0, 0, 0, false);
    for _ in 0..INSTANTS {
        let edges = instants.next_edges();
        let pins = *traffic.pins(edges, card.outputs());
        card.edge(edges, &pins).unwrap();
        assert!(*card.outputs() == card.device().outputs(), "pins of a clock that did not rise changed");
        // The edges around a reset are few.
        let before = std::mem::replace(&mut reset, card.device().host_port.firmware_reset);
        if before == reset && !random.one_in(300) {
            continue;
        }
        // A model of the device alone does not remember that it was quiescent before.
        let now = || Model::new(card.device().clone());
        if card.device().resting().meets(clocks::NETWORK) {
            let mut walked = now();
            walk(&mut walked, 0, 20);
            assert_eq!(look(&walked), look(&card));
            network += 1;
        }
        let most = match card.device().quiescent() {
            Quiet::Busy => continue,
            Quiet::For(cycles) => {
                bounded += 1;
                cycles
            }
            Quiet::UntilInput => {
                unbounded += 1;
                200
            }
        };
        let count = 1 + random.below(most);
        let (mut walked, mut skipped) = (now(), now());
        walk(&mut walked, count, 15 * count / 4);
        skipped.skip(&[count, 15 * count / 4]);
        assert_eq!(look(&walked), look(&skipped), "{count} of {most} edges");
        assert!(*walked.outputs() == *skipped.outputs());

        // Reads of a card that counts have effects that do not depend on its counters.
        if count + READ_CYCLES < most {
            let mut early = now();
            let (mut reader, mut predicted) = (random.clone(), Vec::new());
            read(&mut early, &mut reader);
            let before = look(&early);
            assert!(early.registers_after(&[count, 15 * count / 4], &mut predicted));
            assert_eq!(look(&early), before, "a prediction changes nothing");
            let mut late = now();
            late.skip(&[count, 15 * count / 4]);
            read(&mut late, &mut random);
            let mut registers = Vec::new();
            late.sample_registers(&mut registers);
            assert_eq!(registers, predicted, "{count} of {most} edges before a read");
            reads += 1;
        }
    }
    assert!(bounded > 300 && unbounded > 30 && network > 300, "{bounded}, {unbounded}, {network}");
    assert!(reads > 200, "{reads}");
}
