//! `--carrier`, `--wait` and `--mtu`: how packets of MPI travel on a machine.

use clap::ValueEnum;
use lab::{Parallel, Unmet, Wait, Wanted, Way};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Name, with_machine};
use crate::{numbers, usage};

/// How packets of MPI travel.
#[derive(Clone, Debug, Default, clap::Args)]
// Other commands flatten these into an `Args` of their own, and groups need different names.
#[group(skip)]
pub struct Args {
    /// What carries packets of MPI: pm or tcp on gigae_pm, lhs or rvs on dimmnet2, mpi_de on cenju3, rc on hca; the first one if not given.
    #[arg(long, value_name = "NAME")]
    carrier: Option<String>,
    /// How a rank waits inside a call: `poll` looks again and again, `event` sleeps until the kernel wakes it, `interrupt` sleeps until a handler is
    /// called. pm, lhs and rvs have poll alone; tcp and mpi_de have all three, tcp event first. The first one if not given.
    #[arg(long, value_name = "poll|event|interrupt", value_parser = wait)]
    wait: Option<Wait>,
    /// Bytes that a packet of the network carries at most: 512, 1024, 2048 or 4096 on dimmnet2, which has 2048 after reset.
    #[arg(long, value_name = "BYTES", value_parser = mtu)]
    mtu: Option<u16>,
    /// ROM of the network interface: `new` on cenju3, whose user queue needs no kernel call, if not given.
    #[arg(long, value_name = "old|new")]
    nif: Option<String>,
    /// Copies between the program's buffers and those of MPI: `on` on cenju3, if not given. Without them only times are right on a real machine.
    #[arg(long, value_name = "on|off")]
    copy: Option<String>,
    /// How units of 8 KB follow each other: `double` copies one while the one before it is transferred, `serial` after it. `double` on cenju3, if not given.
    #[arg(long, value_name = "double|serial")]
    buffering: Option<String>,
    /// How often a progress thread lets MPI go on while a rank computes: `off` on cenju3, if not given; the paper's looks once in `1s`.
    #[arg(long, value_name = "off|1s|10ms")]
    progress: Option<String>,
    /// Bus of the adapter: `pci-x`, 64 bits at 133 MHz, on hca, if not given; or PCI of 64 bits at 66 MHz, of 32 at 33.
    #[arg(long, value_name = "pci-x|pci-66|pci-33")]
    bus: Option<String>,
}

/// What was chosen, in a report.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Chosen {
    /// What carried packets; `null` for the first one that the machine has.
    pub carrier: Option<String>,
    /// How ranks waited; `null` for the first way that the carrier has.
    pub wait: Option<&'static str>,
    /// Bytes that a packet of the network carried at most; `null` for as many as after reset.
    pub mtu: Option<u16>,
    /// ROM of the network interface; `null` for the one that a machine has unless it is told.
    pub nif: Option<String>,
    /// Whether MPI copied; `null` for what a machine does unless it is told.
    pub copy: Option<String>,
    /// How units followed each other; `null` for what a machine does unless it is told.
    pub buffering: Option<String>,
    /// How often a progress thread looked; `null` for what a machine does unless it is told.
    pub progress: Option<String>,
    /// Bus of the adapter; `null` for the one that a machine has unless it is told.
    pub bus: Option<String>,
}

fn wait(text: &str) -> Result<Wait, String> {
    let found = Wait::ALL.into_iter().find(|wait| wait.name() == text);
    found.ok_or_else(|| format!("there are {}", Wait::ALL.map(Wait::name).join(", ")))
}

fn mtu(text: &str) -> Result<u16, String> {
    let bytes = numbers::number(text)?;
    u16::try_from(bytes).map_err(|_| "no packet has so many bytes".to_string())
}

/// What cannot be had, as it is told: with the machines that have such a carrier, if it is one.
pub fn unmet(unmet: Unmet) -> anyhow::Error {
    let Unmet { option, value, reason } = unmet;
    let others = Name::value_variants().iter().filter(|machine| has_carrier(**machine, &value));
    let others: String = others.map(|machine| format!("; --machine {} has it", machine.folder())).collect();
    usage::invalid(option, value, reason + &others)
}

fn has_carrier(machine: Name, name: &str) -> bool {
    with_machine!(machine, M => M::CARRIERS.iter().any(|carrier| carrier.name == name))
}

impl Args {
    /// The first option that was typed.
    pub fn first(&self) -> Option<&'static str> {
        let typed = [self.carrier.is_some(), self.wait.is_some(), self.mtu.is_some()];
        let at = typed.iter().position(|typed| *typed);
        let known = at.map(|at| ["--carrier <NAME>", "--wait <HOW>", "--mtu <BYTES>"][at]);
        known.or_else(|| self.variants().next().map(|(option, ..)| option))
    }

    /// The first option that was typed and is none of the main job of a machine with these variants.
    pub fn beyond<M: Parallel>(&self) -> Option<&'static str> {
        let varies = |name| M::VARIANTS.iter().any(|variant| variant.name == name);
        if self.carrier.is_none() && self.mtu.is_none() && (self.wait.is_none() || varies("wait")) {
            return self.variants().find(|(_, name, _)| !varies(name)).map(|(option, ..)| option);
        }
        self.first()
    }

    /// Settings of the machine that were typed: the option, its name and its value.
    fn variants(&self) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
        let all = [
            ("--nif <ROM>", "nif", &self.nif),
            ("--copy <on|off>", "copy", &self.copy),
            ("--buffering <HOW>", "buffering", &self.buffering),
            ("--progress <PERIOD>", "progress", &self.progress),
            ("--bus <BUS>", "bus", &self.bus),
        ];
        all.into_iter().filter_map(|(option, name, value)| Some((option, name, value.as_deref()?)))
    }

    /// How the machine is set up.
    pub fn settings<M: Parallel>(&self) -> anyhow::Result<M::Settings> {
        let mut settings = M::Settings::default();
        let find = |name| M::VARIANTS.iter().find(|variant| variant.name == name);
        for (option, name, value) in self.variants() {
            let variant = find(name)
                .ok_or_else(|| usage::invalid(option, value, format!("{} has no choice of it", M::TITLE)))?;
            variant.choose(&mut settings, value).ok_or_else(|| {
                usage::invalid(option, value, format!("there are {}", variant.values.join(", ")))
            })?;
        }
        if let Some((wait, variant)) = self.wait.zip(find("wait")) {
            variant.choose(&mut settings, wait.name());
        }
        Ok(settings)
    }

    /// The name of a carrier, if one was typed.
    pub fn carrier(&self) -> Option<&str> {
        self.carrier.as_deref()
    }

    /// What was typed.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { carrier: self.carrier(), wait: self.wait, mtu: self.mtu }
    }

    /// What a machine makes of that.
    pub fn of<M: Parallel>(&self) -> anyhow::Result<Way<M>> {
        Way::find(M::CARRIERS, self.wanted()).map_err(unmet)
    }

    /// As it is typed, with a space before it.
    pub fn typed(&self) -> String {
        let carrier = self.carrier.as_ref().map(|name| format!(" --carrier {name}"));
        let wait = self.wait.map(|wait| format!(" --wait {wait}"));
        let mtu = self.mtu.map(|bytes| format!(" --mtu {bytes}"));
        let variants = self.variants().map(|(_, name, value)| format!(" --{name} {value}"));
        [carrier, wait, mtu].into_iter().flatten().chain(variants).collect()
    }

    /// For a report.
    pub fn chosen(&self) -> Chosen {
        Chosen {
            carrier: self.carrier.clone(),
            wait: self.wait.map(Wait::name),
            mtu: self.mtu,
            nif: self.nif.clone(),
            copy: self.copy.clone(),
            buffering: self.buffering.clone(),
            progress: self.progress.clone(),
            bus: self.bus.clone(),
        }
    }

    /// Another value of a variant.
    pub fn set_variant(&mut self, name: &str, text: &str) {
        let value = match name {
            "nif" => &mut self.nif,
            "copy" => &mut self.copy,
            "progress" => &mut self.progress,
            "buffering" => &mut self.buffering,
            _ => &mut self.bus,
        };
        *value = Some(text.to_string());
    }

    /// Another carrier.
    pub fn set_carrier(&mut self, text: &str) -> Result<(), String> {
        self.carrier = Some(text.to_string());
        Ok(())
    }

    /// Another way to wait.
    pub fn set_wait(&mut self, text: &str) -> Result<(), String> {
        self.wait = Some(wait(text)?);
        Ok(())
    }

    /// Another size of packets.
    pub fn set_mtu(&mut self, text: &str) -> Result<(), String> {
        self.mtu = Some(mtu(text)?);
        Ok(())
    }
}
