//! Ping-pong of all sizes, by all variants.

use std::collections::BTreeMap;

use cluster::Duration;
use machine_api::{Nics, Series, Wait, jobs};

use crate::cost::Costs;
use crate::paths::turns;
use crate::settings::Nif;
use crate::work::half_us;
use crate::{Cenju3, Cluster, Settings};

/// A variant of MPI/DE, by its name in a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// Old ROM, the user thread in `evc_wait`: the released version.
    Event,
    /// Old ROM, a thread of its own in `evc_wait`.
    Interrupt,
    /// Old ROM, polling.
    Poll,
    /// New ROM, the user thread in `evc_wait`.
    New,
    /// New ROM, polling.
    NewPoll,
    /// `Event` without copies.
    NoCopy,
}

impl Variant {
    pub const ALL: [Variant; 6] =
        [Variant::Event, Variant::Interrupt, Variant::Poll, Variant::New, Variant::NewPoll, Variant::NoCopy];

    fn name(self) -> &'static str {
        match self {
            Variant::Event => "old ROM, evc_wait",
            Variant::Interrupt => "old ROM, thread of its own",
            Variant::Poll => "old ROM, polling",
            Variant::New => "new ROM, evc_wait",
            Variant::NewPoll => "new ROM, polling",
            Variant::NoCopy => "old ROM, evc_wait, without copies",
        }
    }

    pub fn settings(self, costs: Costs) -> Settings {
        let (nif, wait) = match self {
            Variant::Event | Variant::NoCopy => (Nif::Old, Wait::Event),
            Variant::Interrupt => (Nif::Old, Wait::Interrupt),
            Variant::Poll => (Nif::Old, Wait::Poll),
            Variant::New => (Nif::New, Wait::Event),
            Variant::NewPoll => (Nif::New, Wait::Poll),
        };
        Settings { nif, wait, copy: self != Variant::NoCopy, costs, ..Settings::default() }
    }
}

/// The longest message (section 5.1).
pub const LONGEST: usize = 800_000;

/// Sizes from 8 bytes to 800 KB; the paper does not print the sizes between. 127 and 128 bytes are the two sides of the
/// protocol switch.
pub const SIZES: [usize; 18] = [
    8, 16, 32, 64, 127, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 50_000, 100_000, 200_000, 400_000,
    LONGEST,
];
/// Those of them that rows need.
const BRIEF: [usize; 4] = [8, 200_000, 400_000, LONGEST];

/// Half a round trip in microseconds, by variant and size.
pub struct Curves(BTreeMap<Variant, Vec<(usize, f64)>>);

impl Curves {
    pub fn measure(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs, brief: bool) -> anyhow::Result<Self> {
        let sizes = if brief { &BRIEF[..] } else { &SIZES };
        let points: Vec<_> =
            Variant::ALL.iter().flat_map(|variant| sizes.iter().map(|size| (*variant, *size))).collect();
        let times =
            jobs::run(&points, &|| (), |&(variant, size)| half_trip(nics, variant.settings(costs), size))?;
        let mut all: BTreeMap<Variant, Vec<(usize, f64)>> = BTreeMap::new();
        for ((variant, size), time) in points.into_iter().zip(times) {
            all.entry(variant).or_default().push((size, time));
        }
        Ok(Self(all))
    }

    /// Half a round trip in microseconds of a measured size.
    pub fn time(&self, variant: Variant, size: usize) -> f64 {
        let found = self.0[&variant].iter().find(|point| point.0 == size);
        found.map(|point| point.1).expect("every size that rows need is measured")
    }

    /// Throughput in MB/s of a measured size.
    pub fn throughput(&self, variant: Variant, size: usize) -> f64 {
        size as f64 / self.time(variant, size)
    }

    /// Latency in microseconds by size.
    pub fn latencies(&self, variants: &[Variant]) -> Vec<Series> {
        self.series(variants, |_, time| time)
    }

    /// Throughput in MB/s by size.
    pub fn throughputs(&self, variants: &[Variant]) -> Vec<Series> {
        self.series(variants, |size, time| size / time)
    }

    fn series(&self, variants: &[Variant], value: impl Fn(f64, f64) -> f64) -> Vec<Series> {
        let of = |variant: &Variant| Series {
            name: variant.name().to_string(),
            points: self.0[variant]
                .iter()
                .map(|&(size, time)| (size as f64, value(size as f64, time)))
                .collect(),
        };
        variants.iter().map(of).collect()
    }
}

/// Half a round trip in microseconds: the mean without the first one.
fn half_trip(nics: &dyn Nics<Cenju3>, settings: Settings, size: usize) -> anyhow::Result<f64> {
    let rounds = if size < 10_000 { 10 } else { 3 };
    let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
    Ok(half_us(&turns(&mut cluster, settings, size, rounds, Duration::ZERO)?))
}
