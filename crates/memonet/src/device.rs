//! `--machine`: the machines that this binary knows, and what it must know of the device of each.

use clap::ValueEnum;
use dimmnet2::Dimmnet2;
use dimmnet2::traffic::{BackToBack, Mixed};
use gigae_pm::GigaePm;
use hdl::{Bundle, Device, Edges, Probe};
use serde::Serialize;
use waveform::Pick;

/// A machine by its name, in which `-` is as good as `_`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
#[clap(rename_all = "snake_case")]
pub enum Name {
    /// DIMMnet-2, in a memory slot.
    #[default]
    Dimmnet2,
    /// GigaE PM, messages on Gigabit Ethernet.
    #[value(alias = "gigae-pm")]
    GigaePm,
}

impl Name {
    /// As it is typed, and what its folders are called, in rtl, testbench and docs.
    pub fn folder(self) -> &'static str {
        match self {
            Name::Dimmnet2 => "dimmnet2",
            Name::GigaePm => "gigae_pm",
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Name::Dimmnet2 => "DIMMnet-2",
            Name::GigaePm => "GigaE PM",
        }
    }
}

/// The pins of a device for the next instant, by what it put out.
type NextPins<D> = dyn FnMut(Edges, &<D as Device>::Out) -> <D as Device>::In;

/// What a device does in a bench.
pub struct Load<D: Device> {
    /// Name.
    pub name: &'static str,
    /// Its pins.
    pub pins: Box<NextPins<D>>,
    /// They are the same all the time, so that a short piece says all.
    pub steady: bool,
}

impl<D: Device> Load<D> {
    fn new(name: &'static str, pins: impl FnMut(Edges, &D::Out) -> D::In + 'static) -> Self {
        Self { name, pins: Box::new(pins), steady: false }
    }

    fn idle(pins: D::In) -> Self
    where
        D::In: Copy + 'static,
    {
        Self { name: "idle", pins: Box::new(move |_, _| pins), steady: true }
    }
}

/// A device that can be run, compared and recorded.
pub trait Known: Device<In: Bundle, Out: Bundle> + Probe + Default + 'static {
    /// Its name.
    const NAME: Name;
    /// Registers that are not 0 while it resets its machines.
    #[cfg(feature = "rtl")]
    const RESETS: &'static [(&'static str, &'static str)];
    /// What a viewer shows first.
    const PICKS: &'static [Pick];
    /// Random traffic.
    type Traffic;

    /// The traffic of that seed.
    fn traffic(seed: u64) -> Self::Traffic;

    /// Its pins for the next instant.
    fn pins<'a>(traffic: &'a mut Self::Traffic, edges: Edges, out: &Self::Out) -> &'a Self::In;

    /// What a bench lets it do, the busiest first.
    fn loads() -> Vec<Load<Self>>;

    /// The pins of a cycle later, if nothing is asked then.
    fn idle_pins(pins: &Self::In) -> Self::In;

    /// Its RTL after reset.
    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>>;
}

impl Known for Dimmnet2 {
    const NAME: Name = Name::Dimmnet2;
    #[cfg(feature = "rtl")]
    const RESETS: &'static [(&'static str, &'static str)] = dimmnet2::RESETS;
    const PICKS: &'static [Pick] = waveform::DIMMNET2;
    type Traffic = dimmnet2::traffic::Traffic;

    fn traffic(seed: u64) -> Self::Traffic {
        Self::Traffic::new(seed)
    }

    fn pins<'a>(traffic: &'a mut Self::Traffic, edges: Edges, out: &Self::Out) -> &'a Self::In {
        traffic.pins(edges, out)
    }

    fn loads() -> Vec<Load<Self>> {
        let (mut back_to_back, mut mixed) = (BackToBack::new(), Mixed::new());
        let network = dimmnet2::pins::NetworkIn { tx_ready: true, ..Default::default() };
        let idle = dimmnet2::pins::In { network, ..Default::default() };
        vec![
            Load::new("busy", move |edges, out| *back_to_back.pins(edges, out)),
            Load::new("mixed", move |edges, out| *mixed.pins(edges, out)),
            Load::idle(idle),
        ]
    }

    fn idle_pins(pins: &Self::In) -> Self::In {
        let mut idle = *pins;
        idle.host = Default::default();
        idle.network.rx_valid = false;
        idle
    }

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(dimmnet2_rtl::open("dimmnet2")?))
    }
}

impl Known for GigaePm {
    const NAME: Name = Name::GigaePm;
    #[cfg(feature = "rtl")]
    const RESETS: &'static [(&'static str, &'static str)] = gigae_pm::RESETS;
    const PICKS: &'static [Pick] = waveform::GIGAE_PM;
    type Traffic = gigae_pm::traffic::Traffic;

    fn traffic(seed: u64) -> Self::Traffic {
        Self::Traffic::new(seed)
    }

    fn pins<'a>(traffic: &'a mut Self::Traffic, edges: Edges, out: &Self::Out) -> &'a Self::In {
        traffic.pins(edges, out)
    }

    fn loads() -> Vec<Load<Self>> {
        let mut traffic = Self::traffic(1);
        vec![Load::new("busy", move |edges, out| *traffic.pins(edges, out)), Load::idle(Default::default())]
    }

    fn idle_pins(pins: &Self::In) -> Self::In {
        let mut idle = *pins;
        idle.host = Default::default();
        idle.bus = Default::default();
        idle.network = Default::default();
        idle
    }

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(gigae_pm_rtl::open("gigae_pm")?))
    }
}
