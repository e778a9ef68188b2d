//! Published evaluations: one for each machine, and works without a network interface of their own.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use cluster::{AnyNic, Duration};
use fast_ethernet_machine::FastEthernet;
use fast_ethernet_machine::card::FastEthernetCard;
use hdl::Model;
use machine_api::{Evaluated, Nics};

use crate::document::Head;
use crate::machines::{Built, Name};
use crate::nic::{Kind, Maker};

/// A published evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Evaluation of a machine.
    Of(Name),
    /// Evaluation of Suci, a transport over UDP.
    Suci,
}

impl Default for Paper {
    fn default() -> Self {
        Paper::Of(Name::default())
    }
}

impl ValueEnum for Paper {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Paper::Of(Name::Dimmnet2),
            Paper::Of(Name::GigaePm),
            Paper::Of(Name::Cenju3),
            Paper::Of(Name::Hca),
            Paper::Suci,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            // Aliases name the subject of the paper.
            Paper::Of(Name::Cenju3) => {
                Name::Cenju3.to_possible_value().map(|value| value.aliases(["mpi-de", "mpi_de"]))
            }
            Paper::Of(Name::Hca) => Name::Hca.to_possible_value().map(|value| value.alias("fagus")),
            Paper::Of(name) => name.to_possible_value(),
            Paper::Suci => Some(
                PossibleValue::new("suci").help("Suci, block transport over UDP on a cluster of 100 Mbit/s"),
            ),
        }
    }
}

/// Evaluates an expression for the machine of a publication: `with_paper!(paper, M => on::<M>(args))`.
macro_rules! with_paper {
    ($paper:expr, $machine:ident => $do:expr) => {
        match $paper {
            $crate::figures::paper::Paper::Of(name) => $crate::machines::with_machine!(name, $machine => $do),
            $crate::figures::paper::Paper::Suci => {
                type $machine = fast_ethernet_machine::FastEthernet;
                $do
            }
        }
    };
}
pub(crate) use with_paper;

/// A machine with a publication that `memonet figures` reproduces.
pub trait Reproducible: Evaluated {
    /// Value of `--paper`, and prefix of the page and the figures.
    const PAPER: &'static str;
    /// Duration of an iteration of the poll loop, of which start offsets are parts.
    const POLL: Duration;

    /// The common keys of a report.
    fn head(report: &'static str, nic: Kind) -> Head;

    /// The network interfaces for measurements.
    fn nics(kind: Kind) -> anyhow::Result<Box<dyn Nics<Self> + Sync>>;
}

impl<M: Built> Reproducible for M {
    const PAPER: &'static str = M::NAME;
    const POLL: Duration = <M as machine_api::Traced>::POLL;

    fn head(report: &'static str, nic: Kind) -> Head {
        Head::of_run::<M>(report, nic)
    }

    fn nics(kind: Kind) -> anyhow::Result<Box<dyn Nics<M> + Sync>> {
        let command = format!("memonet figures --paper {} --nic lockstep", M::NAME);
        Ok(Box::new(Maker::<M>::new(kind, 0, command)))
    }
}

impl Reproducible for FastEthernet {
    const PAPER: &'static str = "suci";
    /// No program polls, and the publication leaves no choice open that needs bands.
    const POLL: Duration = Duration::ZERO;

    fn head(report: &'static str, nic: Kind) -> Head {
        let mut head = Head::new(report);
        head.nic = Some(nic);
        head
    }

    fn nics(kind: Kind) -> anyhow::Result<Box<dyn Nics<Self> + Sync>> {
        match kind {
            Kind::Model => Ok(Box::new(Cards)),
            _ => anyhow::bail!(
                "the card of this cluster has no RTL, because Suci is software; use --nic model"
            ),
        }
    }
}

/// Ordinary Ethernet cards.
pub struct Cards;

impl Nics<FastEthernet> for Cards {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<FastEthernet>>>> {
        let card = || Box::new(Model::new(FastEthernetCard::default())) as Box<AnyNic<FastEthernet>>;
        Ok((0..count).map(|_| card()).collect())
    }
}
