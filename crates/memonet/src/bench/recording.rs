//! Recorded stimulus of a load.

use std::collections::BTreeSet;

use cluster::In;
use hdl::{Device, Edges, Instants, MOST_WORDS, Model, Nic, Observed, Visibility};
use machine_api::Load;

use crate::machines::Built;
use crate::nic::Board;

/// Input pins for every instant at which a clock rises.
///
/// Pins that stay as they are take no memory: a model is faster than the memory of some computers delivers all pins of
/// every instant.
pub struct Recording<M: Built> {
    /// Clocks that rise at each instant, and whether the next pins of `pins` are present from then on.
    instants: Vec<(Edges, bool)>,
    pins: Vec<In<M>>,
}

/// Place in a recording.
pub struct Place<M: Built> {
    instant: usize,
    /// Number of pins that have been present.
    pins: usize,
    present: In<M>,
}

impl<M: Built> Recording<M> {
    /// Records core cycles of a load with the model in the loop.
    pub fn of(cycles: u64, load: &mut Load<M>) -> Self {
        let mut model = Model::new(M::Device::default());
        let (mut clocks, mut done) = (Instants::new(M::Device::CLOCKS), 0);
        let mut recording = Recording { instants: Vec::new(), pins: Vec::new() };
        while done < cycles {
            let edges = clocks.next_edges();
            let pins = (load.pins)(edges, model.outputs());
            model.edge(edges, &pins).expect("a model never fails");
            let changes = recording.pins.last() != Some(&pins);
            recording.instants.push((edges, changes));
            if changes {
                recording.pins.push(pins);
            }
            done += u64::from(edges.meets(Edges::FIRST));
        }
        recording
    }

    /// The first instant.
    pub fn start(&self) -> Place<M> {
        Place { instant: 0, pins: 0, present: self.pins[0] }
    }

    /// Clocks and pins of the instant at a place, which moves to the next one, and from the last one to the first.
    #[inline]
    fn next<'a>(&self, at: &'a mut Place<M>) -> (Edges, &'a In<M>) {
        if at.instant == self.instants.len() {
            (at.instant, at.pins) = (0, 0);
        }
        let (edges, changes) = self.instants[at.instant];
        at.instant += 1;
        if changes {
            at.present = self.pins[at.pins];
            at.pins += 1;
        }
        (edges, &at.present)
    }

    /// Plays core cycles on a board.
    pub fn play(&self, board: &mut Board<M>, at: &mut Place<M>, cycles: u64) -> anyhow::Result<()> {
        // The match is outside the loop, so that it is not measured.
        match board {
            Board::Model(nic) => self.play_on(&mut **nic, at, cycles),
            #[cfg(feature = "rtl")]
            Board::Rtl(nic) => self.play_on(&mut **nic, at, cycles),
            #[cfg(feature = "rtl")]
            Board::Lockstep(nic) => self.play_on(&mut **nic, at, cycles),
        }
    }

    fn play_on(&self, nic: &mut impl Nic<In = In<M>>, at: &mut Place<M>, cycles: u64) -> anyhow::Result<()> {
        let mut left = cycles;
        while left > 0 {
            let (edges, pins) = self.next(at);
            nic.edge(edges, pins).map_err(|error| anyhow::anyhow!(error))?;
            left -= u64::from(edges.meets(Edges::FIRST));
        }
        Ok(())
    }

    /// Share of the words of a sample that change in a core cycle, and core cycles per change of a state.
    pub fn activity(&self) -> (f64, Option<f64>) {
        let (mut model, mut at) = (Model::new(M::Device::default()), self.start());
        let states = Nic::signals(&model).iter().filter(|signal| signal.name == "state");
        let states: BTreeSet<_> = states.map(|signal| signal.word).collect();
        let (mut sample, mut words) = (Box::new([0; MOST_WORDS]), Vec::new());
        Observed::sample(&model, &mut words);
        sample[..words.len()].copy_from_slice(&words);
        let (mut changes, mut cycles, mut steps, mut steps_now) = (0, 0, 0, false);
        for _ in &self.instants {
            let (edges, pins) = self.next(&mut at);
            model.edge(edges, pins).expect("a model never fails");
            model.resample(edges, Visibility::Full, &mut sample).for_each(|word| {
                changes += 1;
                steps_now |= states.contains(&word);
            });
            if edges.meets(Edges::FIRST) {
                cycles += 1;
                steps += usize::from(std::mem::take(&mut steps_now));
            }
        }
        let per_state = (steps > 0).then(|| cycles as f64 / steps as f64);
        (changes as f64 / (cycles * words.len()) as f64, per_state)
    }
}
