//! Registers after a reset equal those of a fresh card, whatever the card did before; disabling a
//! card resets its firmware and PCI DMA. Memory contents survive both.

use std::collections::BTreeSet;
use std::ops::Range;

use cosim::{Lockstep, Simulation};
use gigae_pm::clocks::CLOCKS;
use gigae_pm::pins::{HostIn, In, Out};
use gigae_pm::traffic::Traffic;
use gigae_pm::{GigaePm, RESETS};
use hdl::{Bits, Instants, Model, Nic, Signal, SignalRole, words_for};

/// Blocks that are reset while the card is disabled.
const BEGINS_ANEW: &[&str] = &["firmware", "pci_dma"];

/// Registers that traffic rarely or never changes: a peer is dead, and a channel has room while its
/// scan continues. Tests of the single blocks cover them.
const SELDOM: &[&str] = &["firmware.apply_rule.dead", "firmware.timer_scan.going_channel"];

/// Address of Control on the host port.
const CONTROL: u16 = 0x1000;

#[test]
fn registers_after_any_reset_are_those_of_a_fresh_card() {
    for seed in 1..6 {
        let mut rtl = gigae_pm_rtl::open("gigae_pm").expect("the card is verilated");
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&CLOCKS);
        let (mut pins_i, mut pins_o) = (vec![0; words_for(In::WIDTH)], vec![0; words_for(Out::WIDTH)]);
        let mut worked = false;
        for _ in 0..400_000 + 9_777 * seed {
            let out = Out::take(&pins_o, 0, Out::WIDTH);
            worked |= out.network.tx_enable;
            let edges = instants.next_edges();
            pins_i.fill(0);
            traffic.pins(edges, &out).put(&mut pins_i, 0, In::WIDTH);
            rtl.step(edges, &pins_i, &mut pins_o).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(worked, "seed {seed}");
        // Opening resets the pair and compares each register with that of a new model.
        let pair = Lockstep::open(Model::new(GigaePm::default()), Box::new(rtl));
        pair.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// Signals of the blocks that are reset while the card is disabled.
fn registers() -> Vec<Signal> {
    let begins_anew = |block: &str| {
        BEGINS_ANEW
            .iter()
            .any(|path| block.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let signals = hdl::signals(&GigaePm::default()).into_iter();
    signals
        .filter(|signal| matches!(signal.role, SignalRole::Register(_)) && begins_anew(&signal.block))
        .collect()
}

/// All signals of a card.
fn sample(card: &GigaePm) -> Vec<u64> {
    let mut words = Vec::new();
    hdl::sample(card, &mut words);
    words
}

/// Disables cards during random traffic, one per seed, at any point of a message, a rule or a
/// transfer. Returns the registers that were not in their reset state at some time; rarely used
/// ones are sampled more often.
fn dirty_registers<N: Nic<In = In, Out = Out>>(
    open: impl Fn() -> N,
    device: impl Fn(&N) -> &GigaePm,
    seeds: Range<u64>,
) -> BTreeSet<String> {
    let (registers, fresh) = (registers(), sample(&GigaePm::default()));
    let mut dirty = BTreeSet::new();
    for seed in seeds {
        let mut card = open();
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&CLOCKS);
        for at in 0..200_000 + 17_777 * seed {
            let edges = instants.next_edges();
            let pins = *traffic.pins(edges, card.outputs());
            card.edge(edges, &pins).unwrap_or_else(|error| panic!("{error}"));
            if at % 1_001 == 0 {
                let before = sample(device(&card));
                let changed = registers.iter().filter(|signal| signal.words(&before) != signal.words(&fresh));
                dirty.extend(changed.map(|signal| format!("{}.{}", signal.block, signal.name)));
            }
        }
        let stop = HostIn { address: CONTROL, enable: true, write: true, ..HostIn::default() };
        for cycle in 0..40 {
            let host = if cycle < 10 { stop } else { HostIn::default() };
            let pins = In { host, ..In::default() };
            card.edge(instants.next_edges(), &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        let after = sample(device(&card));
        for signal in &registers {
            let (found, fresh) = (signal.words(&after), signal.words(&fresh));
            assert_eq!(found, fresh, "seed {seed}: a stop leaves {}.{}", signal.block, signal.name);
        }
    }
    dirty
}

/// A card in lockstep after reset.
fn lockstep() -> Lockstep<Model<GigaePm>> {
    let rtl = gigae_pm_rtl::open("gigae_pm").expect("the card is verilated");
    let pair = Lockstep::open(Model::new(GigaePm::default()), Box::new(rtl));
    pair.unwrap_or_else(|error| panic!("{error}")).resets(RESETS)
}

#[test]
fn card_that_is_stopped_begins_anew() {
    let registers = registers();
    assert!(registers.len() > 50, "{} registers", registers.len());
    // The model alone covers each register at work; the cards in lockstep show that the RTL behaves
    // the same.
    let dirty = dirty_registers(|| Model::new(GigaePm::default()), Model::device, 1..13);
    dirty_registers(lockstep, |pair| pair.model().device(), 1..3);
    // A register that was always in its reset state proves nothing.
    for signal in registers {
        let name = format!("{}.{}", signal.block, signal.name);
        assert!(dirty.contains(&name) || SELDOM.contains(&&*name), "{name} was never anything else");
    }
}
