//! Published evaluations: one for each machine, and works without a network interface of their own.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use cluster::host::Computer;
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

impl Paper {
    /// Computer of the published measurements.
    pub fn computer(self) -> Computer {
        with_paper!(self, M => <M as Evaluated>::COMPUTER)
    }
}

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

#[cfg(test)]
mod tests {
    use cluster::host::{HostCosts, Pace};
    use gigae_pm_machine::GigaePm;
    use machine_api::Class;

    use super::*;

    /// Costs of a publication that scale with a clock.
    fn with(paper: Paper, pace: Pace) -> Vec<&'static str> {
        let table = with_paper!(paper, M => <<M as Evaluated>::Costs as HostCosts>::TABLE);
        table.iter().filter(|cost| cost.pace == pace).map(|cost| cost.field).collect()
    }

    /// Number of costs of a publication.
    fn costs(paper: Paper) -> usize {
        with_paper!(paper, M => <<M as Evaluated>::Costs as HostCosts>::TABLE.len())
    }

    #[test]
    fn every_cost_of_every_table_has_a_clock() {
        use Pace::{Fixed, FrontSideBus, Memory, Pci, Processor};
        type Costs = (Pace, &'static [&'static str]);
        let clocks: [(Paper, [Costs; 5]); 5] = [
            (
                Paper::Of(Name::Dimmnet2),
                [
                    (
                        Processor,
                        &[
                            "wc_store",
                            "sfence",
                            "clflush",
                            "prefetch",
                            "line_copy",
                            "instruction",
                            "poll_loop",
                        ],
                    ),
                    (
                        FrontSideBus,
                        &[
                            "fsb_word",
                            "fsb_line",
                            "posted_path",
                            "request_path",
                            "response_path",
                            "uc_load",
                            "uc_store",
                        ],
                    ),
                    (Memory, &[]),
                    (Pci, &[]),
                    (Fixed, &["bus_word", "bus_line"]),
                ],
            ),
            (
                Paper::Of(Name::GigaePm),
                [
                    (Processor, &["interrupt", "system_call", "packet", "turn", "instruction", "operation"]),
                    (FrontSideBus, &[]),
                    (Memory, &["copy", "checksum", "copy_cached"]),
                    (Pci, &["write", "read", "request_path", "response_path", "bus_write", "bus_read"]),
                    (Fixed, &["interrupt_delay"]),
                ],
            ),
            (
                Paper::Of(Name::Cenju3),
                [
                    (
                        Processor,
                        &["software", "kernel_call", "event", "hand_over", "word", "turn", "instruction"],
                    ),
                    (FrontSideBus, &["register_write", "register_read"]),
                    (Memory, &["line", "cache_op", "uncached"]),
                    (Pci, &[]),
                    (Fixed, &[]),
                ],
            ),
            (
                Paper::Of(Name::Hca),
                [
                    (
                        Processor,
                        &[
                            "post",
                            "complete",
                            "kernel_call",
                            "kernel_packet",
                            "kernel_interrupt",
                            "libcomm",
                            "instruction",
                            "turn",
                        ],
                    ),
                    (FrontSideBus, &["write", "line"]),
                    (Memory, &["word"]),
                    (Pci, &[]),
                    (
                        Fixed,
                        &[
                            "doorbell_path",
                            "request_path",
                            "response_path",
                            "bus_write",
                            "bus_read",
                            "master_write",
                            "master_read",
                        ],
                    ),
                ],
            ),
            (
                Paper::Suci,
                [
                    (
                        Processor,
                        &[
                            "interrupt",
                            "system_call",
                            "packet",
                            "turn",
                            "instruction",
                            "mpi_call",
                            "score_call",
                        ],
                    ),
                    (FrontSideBus, &[]),
                    (Memory, &["copy", "copy_cached", "checksum"]),
                    (Pci, &["write", "read"]),
                    (Fixed, &["fetch", "deliver"]),
                ],
            ),
        ];
        assert_eq!(clocks.len(), Paper::value_variants().len(), "every table is here");
        for (paper, paces) in clocks {
            for (pace, fields) in paces {
                assert_eq!(with(paper, pace), fields, "{paper:?}, {pace:?}");
            }
            assert_eq!(
                paces.iter().map(|(_, fields)| fields.len()).sum::<usize>(),
                costs(paper),
                "{paper:?}"
            );
        }
    }

    #[test]
    fn rows_that_made_a_choice_are_not_counted_as_reproduced() {
        for paper in Paper::value_variants() {
            let (rows, fitted) =
                with_paper!(*paper, M => (<M as Evaluated>::PUBLICATION.rows, machine_api::fitted::<M>()));
            for (parameter, id) in
                fitted.iter().flat_map(|fitted| fitted.to.iter().map(move |id| (fitted.name, id)))
            {
                // C-12 is the shape of a curve.
                let Some(row) = rows.iter().find(|row| row.id == *id) else { continue };
                let counts = matches!(row.class, Class::InSight | Class::Predicted);
                assert!(!counts, "{paper:?}: {id} is {} and chose `{parameter}`", row.class.name());
            }
        }
    }

    #[test]
    fn rows_of_decision_0088_are_fitted() {
        let class = |paper: Paper, id: &str| {
            let rows = with_paper!(paper, M => <M as Evaluated>::PUBLICATION.rows);
            rows.iter().find(|row| row.id == id).map(|row| row.class)
        };
        for id in ["B-02", "B-03", "B-21", "B-26", "B-27", "M-05", "D-03"] {
            assert_eq!(class(Paper::Of(Name::Dimmnet2), id), Some(Class::Fitted), "{id}");
        }
        assert_eq!(class(Paper::Of(Name::GigaePm), "E8"), Some(Class::Fitted));
    }

    #[test]
    fn slower_front_side_bus_leaves_programmed_io_over_pci_alone() {
        let ours = Paper::Of(Name::GigaePm).computer();
        let slow = Computer { bus_mhz: 66.0, ..ours.clone() };
        let costs = |here: &Computer| <<GigaePm as Evaluated>::Costs as Default>::default().on(&ours, here);
        assert_eq!(costs(&slow), costs(&ours));
        let fast = costs(&Computer { pci_mhz: 66.0, ..ours.clone() });
        assert_eq!([fast.write, fast.read].map(Duration::ps), [125_000, 285_000]);
    }
}
