//! `--carrier`, `--wait` and `--mtu`: the transport of MPI packets on a machine.

use clap::ValueEnum;
use cluster::host::LibraryCost;
use machine_api::{CarrierChoice, LIBRARY_COST, ONE_SIDED, Parallel, Unmet, Wait, Wanted};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name, with_machine};
use crate::{library_cost, numbers, usage, variants};

/// Options of the transport of MPI packets.
#[derive(Clone, Debug, Default, clap::Args)]
// Other commands flatten this struct into their own `Args`, and clap's groups need different names.
#[group(skip)]
pub struct Args {
    /// Carrier of MPI packets.
    #[arg(long, value_name = "NAME")]
    carrier: Option<String>,
    /// How a rank waits inside a call: `poll` polls, `event` sleeps until the kernel wakes it, `interrupt`
    /// sleeps until a handler is called. Default: the first one that the carrier supports.
    #[arg(long, value_name = "poll|event|interrupt", value_parser = wait)]
    wait: Option<Wait>,
    /// Maximum bytes of data in a network packet, on machines where it can be set. Default: the device's
    /// reset value.
    #[arg(long, value_name = "BYTES", value_parser = mtu)]
    mtu: Option<u16>,
    #[command(flatten)]
    variants: variants::Args,
}

/// Transport that was chosen.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Chosen {
    /// Carrier of packets; `null` for the machine's first one.
    pub carrier: Option<String>,
    /// How ranks waited; `null` for the first one that the carrier supports.
    pub wait: Option<&'static str>,
    /// Maximum bytes of data in a network packet; `null` for the device's reset value.
    pub mtu: Option<u16>,
    /// Settings of the machine.
    #[serde(flatten)]
    pub variants: variants::Chosen,
}

fn wait(text: &str) -> Result<Wait, String> {
    let found = Wait::ALL.into_iter().find(|wait| wait.name() == text);
    found.ok_or_else(|| format!("there are {}", Wait::ALL.map(Wait::name).join(", ")))
}

fn mtu(text: &str) -> Result<u16, String> {
    let bytes = numbers::number(text)?;
    u16::try_from(bytes).map_err(|_| "the maximum is 65535 bytes".to_string())
}

/// The error for a transport that the machine lacks; names the machines that have the carrier.
pub fn unmet(unmet: Unmet) -> anyhow::Error {
    let Unmet { option, value, reason } = unmet;
    let others = Name::value_variants().iter().filter(|machine| has_carrier(**machine, &value));
    let others: String = others.map(|machine| format!("; --machine {} has it", machine.folder())).collect();
    usage::invalid(option, value, reason + &others)
}

/// The error for an option of MPI programs where the main job runs.
pub fn for_programs_only(option: &str) -> anyhow::Error {
    usage::refused(format_args!(
        "the argument '{option}' applies to MPI programs only; choose one with --program NAME"
    ))
}

fn has_carrier(machine: Name, name: &str) -> bool {
    with_machine!(machine, M => M::CARRIERS.iter().any(|carrier| carrier.name == name))
}

impl Args {
    /// The first option that was given, with its value's name.
    pub fn first(&self) -> Option<String> {
        let given = [self.carrier.is_some(), self.wait.is_some(), self.mtu.is_some()];
        let place = given.iter().position(|given| *given);
        let known =
            place.map(|place| ["--carrier <NAME>", "--wait <HOW>", "--mtu <BYTES>"][place].to_string());
        known.or_else(|| self.variants.first())
    }

    /// An error for the first option that the machine's main job does not support.
    pub fn beyond<M: Built>(&self) -> Option<anyhow::Error> {
        let varies = |name| M::VARIANTS.iter().any(|variant| variant.name == name);
        let of_programs = [
            (self.carrier.is_some(), "--carrier <NAME>"),
            (self.mtu.is_some(), "--mtu <BYTES>"),
            (self.wait.is_some() && !varies("wait"), "--wait <HOW>"),
        ];
        let given = |name| self.variants.iter().any(|(given, _)| given == name);
        let has_library = M::LIBRARY.is_some();
        let concerns_mpi = |name| name == ONE_SIDED || (name == LIBRARY_COST && !has_library);
        let of_mpi =
            variants::all().into_iter().filter(|setting| concerns_mpi(setting.name) && given(setting.name));
        let options =
            of_programs.into_iter().filter(|(given, _)| *given).map(|(_, option)| option.to_owned());
        let option = options.chain(of_mpi.map(|setting| setting.option())).next()?;
        Some(for_programs_only(&option))
    }

    /// The settings of the machine.
    pub fn settings<M: Parallel>(&self) -> anyhow::Result<M::Settings> {
        let mut settings = M::Settings::default();
        self.variants.apply::<M>(&mut settings)?;
        let find = |name| M::VARIANTS.iter().find(|variant| variant.name == name);
        if let Some((wait, variant)) = self.wait.zip(find("wait")) {
            variant.choose(&mut settings, wait.name());
        }
        Ok(settings)
    }

    /// The settings of the machine for its main job, whose library has the cost that was given.
    pub fn settings_of_job<M: Built>(&self) -> anyhow::Result<M::Settings> {
        let mut settings = self.settings::<M>()?;
        if let Some(cost) = self.library_cost() {
            library_cost::choose::<M>(&mut settings, cost)?;
        }
        Ok(settings)
    }

    /// The carrier's name, if given.
    pub fn carrier(&self) -> Option<&str> {
        self.carrier.as_deref()
    }

    /// The options that were given.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { carrier: self.carrier(), wait: self.wait, mtu: self.mtu }
    }

    /// Chooses the transport of a machine by these options.
    pub fn of<M: Parallel>(&self) -> anyhow::Result<CarrierChoice<M>> {
        CarrierChoice::find(M::CARRIERS, self.wanted()).map_err(unmet)
    }

    /// The options as typed, each preceded by a space.
    pub fn typed(&self) -> String {
        let carrier = self.carrier.as_ref().map(|name| format!(" --carrier {name}"));
        let wait = self.wait.map(|wait| format!(" --wait {wait}"));
        let mtu = self.mtu.map(|bytes| format!(" --mtu {bytes}"));
        let variants = self.variants.iter().map(|(name, value)| format!(" --{name} {value}"));
        [carrier, wait, mtu].into_iter().flatten().chain(variants).collect()
    }

    /// The choice as a part of a report on a machine, or on wires in memory.
    pub fn chosen(&self, machine: Option<Name>) -> Chosen {
        Chosen {
            carrier: self.carrier.clone(),
            wait: self.wait.map(Wait::name),
            mtu: self.mtu,
            variants: self.variants.chosen(machine),
        }
    }

    /// The given cost of the own steps of host libraries.
    pub fn library_cost(&self) -> Option<LibraryCost> {
        self.variant(LIBRARY_COST).and_then(LibraryCost::named)
    }

    /// The given value of a setting of the machine.
    pub fn variant(&self, name: &str) -> Option<&str> {
        self.variants.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Sets a setting of the machine.
    pub fn set_variant(&mut self, name: &'static str, text: &str) {
        self.variants.set(name, text);
    }

    /// Chooses the carrier by name.
    pub fn set_carrier(&mut self, text: &str) -> Result<(), String> {
        self.carrier = Some(text.to_string());
        Ok(())
    }

    /// Sets how ranks wait.
    pub fn set_wait(&mut self, text: &str) -> Result<(), String> {
        self.wait = Some(wait(text)?);
        Ok(())
    }

    /// Sets the maximum bytes of data in a packet.
    pub fn set_mtu(&mut self, text: &str) -> Result<(), String> {
        self.mtu = Some(mtu(text)?);
        Ok(())
    }
}
