//! `--carrier`, `--wait` and `--mtu`: how packets of MPI travel on a machine.

use clap::ValueEnum;
use lab::{Parallel, Unmet, Wait, Wanted, Way};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Name, with_machine};
use crate::{numbers, usage, variants};

/// How packets of MPI travel.
#[derive(Clone, Debug, Default, clap::Args)]
// Other commands flatten these into an `Args` of their own, and groups need different names.
#[group(skip)]
pub struct Args {
    /// Carrier of MPI packets.
    #[arg(long, value_name = "NAME")]
    carrier: Option<String>,
    /// How a rank waits inside a call: `poll` polls, `event` sleeps until the kernel wakes it, `interrupt` sleeps
    /// until a handler is called. The first one that the carrier supports if not given.
    #[arg(long, value_name = "poll|event|interrupt", value_parser = wait)]
    wait: Option<Wait>,
    /// Maximum bytes of data in a packet of the network, on machines that can be set up so; the value after reset if
    /// not given.
    #[arg(long, value_name = "BYTES", value_parser = mtu)]
    mtu: Option<u16>,
    #[command(flatten)]
    variants: variants::Args,
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
    /// Settings that machines have of their own.
    #[serde(flatten)]
    pub variants: variants::Chosen,
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
    /// The first option that was given.
    pub fn first(&self) -> Option<String> {
        let given = [self.carrier.is_some(), self.wait.is_some(), self.mtu.is_some()];
        let place = given.iter().position(|given| *given);
        let known =
            place.map(|place| ["--carrier <NAME>", "--wait <HOW>", "--mtu <BYTES>"][place].to_string());
        known.or_else(|| self.variants.first())
    }

    /// The first option that the main job of a machine does not have, and why.
    pub fn beyond<M: Parallel>(&self) -> Option<anyhow::Error> {
        let varies = |name| M::VARIANTS.iter().any(|variant| variant.name == name);
        let of_programs = [
            (self.carrier.is_some(), "--carrier <NAME>"),
            (self.mtu.is_some(), "--mtu <BYTES>"),
            (self.wait.is_some() && !varies("wait"), "--wait <HOW>"),
        ];
        let option = of_programs.iter().find(|(given, _)| *given)?.1;
        Some(usage::refused(format_args!("the argument '{option}' is for programs of MPI: --program NAME")))
    }

    /// How the machine is set up.
    pub fn settings<M: Parallel>(&self) -> anyhow::Result<M::Settings> {
        let mut settings = M::Settings::default();
        self.variants.apply::<M>(&mut settings)?;
        let find = |name| M::VARIANTS.iter().find(|variant| variant.name == name);
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
        let variants = self.variants.iter().map(|(name, value)| format!(" --{name} {value}"));
        [carrier, wait, mtu].into_iter().flatten().chain(variants).collect()
    }

    /// For a report.
    pub fn chosen(&self) -> Chosen {
        Chosen {
            carrier: self.carrier.clone(),
            wait: self.wait.map(Wait::name),
            mtu: self.mtu,
            variants: self.variants.chosen(),
        }
    }

    /// Another value of a setting of machines.
    pub fn set_variant(&mut self, name: &'static str, text: &str) {
        self.variants.set(name, text);
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
